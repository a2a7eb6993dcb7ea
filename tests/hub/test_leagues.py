"""Leagues over a hub's database: who counts when, rounds, and the table against another count."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, insert, update

from companion.errors import InvalidInput, NotFoundError
from companion.games import all_games
from companion.games.boxes import usual_most
from companion.hub import database, forgetting, leagues, pairing, people, schema
from companion.hub.league import POINTS, Row, standings
from companion.hub.results import played

NOW = datetime(2026, 11, 27, 20, tzinfo=UTC)
GAMES = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hana")


class Club:
    """A hub into whose database games are written by hand, the first of `order` first."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self._match = engine, 0
        with engine.begin() as db:
            db.execute(insert(schema.tables).values(id=1, name="window-2", heard=NOW))

    def game(
        self,
        order: Sequence[str],
        at: datetime,
        game: str = "greyhounds",
        began: datetime | None = None,
        heard: datetime | None = None,
    ) -> int:
        """Return a game that ended `at` by its table's clock; by the hub's it `began` and was `heard`."""
        self._match += 1
        values = {"at": at, "began": began, "heard": heard or at}
        with self.engine.begin() as db:
            made = db.execute(
                insert(schema.games).values(
                    table_id=1, match=self._match, entry=1, game=game, counts=True, sealed="", **values
                )
            )
            assert made.inserted_primary_key is not None
            for seat, name in enumerate(sorted(order)):
                place = order.index(name) + 1
                db.execute(
                    insert(schema.results).values(
                        game_id=made.inserted_primary_key[0],
                        seat=seat,
                        name=name,
                        score=10 - place,
                        place=place,
                        victory=float(place == 1),
                    )
                )
        return int(made.inserted_primary_key[0])

    def counts(self, game: int, counts: bool, **more: object) -> None:
        """Take its end back, or let it end anew."""
        with self.engine.begin() as db:
            mine = schema.games.c.id == game
            db.execute(update(schema.games).where(mine).values(counts=counts, **more))

    def counted(self, league: leagues.League) -> list[list[int | None]]:
        """Return by round the id of the game that counts for each table."""
        with self.engine.connect() as db:
            drawn = leagues.rounds(db, league)
        return [[table.game and table.game.id for table in one.tables] for one in drawn]

    def league(self, kind: str, names: Sequence[str] = NAMES, **more: object) -> leagues.League:
        with self.engine.begin() as db:
            made = leagues.create(db, "Winter cup", kind, NOW, **more)  # type: ignore[arg-type]
            for name in names:
                leagues.join(db, made, name)
        return made

    def draw(self, league: leagues.League, at: datetime, force: bool = False) -> leagues.Round:
        with self.engine.begin() as db:
            return leagues.draw(db, league, at, force)

    def table(self, league: leagues.League) -> list[Row]:
        with self.engine.connect() as db:
            return leagues.table(db, league)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    engine = database.opened(f"sqlite:///{tmp_path / 'hub.sqlite'}")
    yield Club(engine)
    engine.dispose()


def test_in_an_open_league_each_game_counts_of_its_game_and_its_days(club: Club) -> None:
    league = club.league("open", (), game="greyhounds", until=NOW + timedelta(days=7))
    club.game(("Ada", "Ben"), NOW - timedelta(seconds=1))
    club.game(("Ada", "Cleo"), NOW)
    club.game(("Ben", "Cleo", "Dan"), NOW + timedelta(days=6))
    club.game(("Ada", "Ben"), NOW + timedelta(days=1), "galloping-pigs")
    club.game(("Ada", "Ben"), NOW + timedelta(days=7))
    assert [(row.place, row.who, row.points) for row in club.table(league)] == [
        (1, "Cleo", 6),
        (2, "Ada", 5),
        (2, "Ben", 5),
        (4, "Dan", 2),
    ]
    with club.engine.begin() as db, pytest.raises(InvalidInput, match="an open league has no rounds"):
        leagues.draw(db, league, NOW)


@pytest.mark.parametrize("kind", ["round-robin", "swiss", "hill"])
def test_every_round_seats_everybody_once_and_waits_for_its_games(club: Club, kind: str) -> None:
    league, rng, at = club.league(kind), random.Random(kind), NOW
    by_hand: Counter[str] = Counter()
    for number in range(1, 4):
        at += timedelta(hours=1)
        drawn = club.draw(league, at)
        assert drawn.number == number
        assert sorted(who for table in drawn.tables for who in table.seats) == sorted(NAMES)
        with pytest.raises(InvalidInput, match=f"of round {number} these have not played yet"):
            club.draw(league, at + timedelta(minutes=1))
        for table in drawn.tables:
            order = rng.sample(table.seats, len(table.seats))
            club.game(order, at + timedelta(minutes=5))
            club.game(order[::-1], at + timedelta(minutes=10))  # the second of a round is for fun
            by_hand.update({who: int(POINTS[place]) for place, who in enumerate(order)})
    rows = club.table(league)
    assert {row.who: row.points for row in rows} == dict(by_hand)
    assert [row.games for row in rows] == [3] * len(NAMES)
    assert [row.points for row in rows] == sorted(by_hand.values(), reverse=True)


def test_swiss_goes_by_the_table_and_hill_by_who_won(club: Club) -> None:
    swiss = club.league("swiss")
    first = club.draw(swiss, NOW)
    orders = [sorted(table.seats) for table in first.tables]
    for order in orders:
        club.game(order, NOW + timedelta(minutes=1))
    second = club.draw(swiss, NOW + timedelta(hours=1))
    winners = {order[0] for order in orders}
    assert winners <= set(second.tables[0].seats)
    hill = club.league("hill")
    seats = [table.seats for table in club.draw(hill, NOW + timedelta(hours=2)).tables]
    for table in seats:
        club.game(sorted(table), NOW + timedelta(hours=2, minutes=1))
    after = club.draw(hill, NOW + timedelta(hours=3))
    assert sorted(seats[1])[0] in after.tables[0].seats, "the first of the lower table goes up"
    assert sorted(seats[0])[-1] in after.tables[1].seats, "the last of the upper one goes down"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    game=st.sampled_from([None, *all_games()]),
    kind=st.sampled_from(["round-robin", "swiss", "hill"]),
    first=st.integers(2, 40),
    leaving=st.integers(0, 10),
    joining=st.integers(0, 10),
    usual=st.integers(2, 5),
)
def test_a_table_has_as_many_people_as_its_game_takes(
    club: Club, game: str | None, kind: str, first: int, leaving: int, joining: int, usual: int
) -> None:
    """In the first round, and in the next when people have left and joined."""
    fewest, most = all_games()[game].seat_counts if game else (3, 4)
    league = club.league(
        kind, [f"P{n}" for n in range(first)], game=game, seats=min(max(usual, fewest), most)
    )
    for number in range(2):
        with club.engine.begin() as db:
            if number == 1:
                for n in range(leaving):
                    leagues.leave(db, league, f"P{n}")
                for n in range(joining):
                    leagues.join(db, league, f"Q{n}")
            members = leagues.members(db, league)
        here = len(members)
        together = not game and here in (2, 5)  # with a game that takes them
        takes = usual_most(all_games()[game]) if game and usual <= usual_most(all_games()[game]) else most
        allowed = [here] if together else range(fewest, takes + 1)
        if here < 2 or not any(count * allowed[0] <= here <= count * allowed[-1] for count in range(41)):
            with pytest.raises(InvalidInput, match="let more join"):
                club.draw(league, NOW, force=True)
            continue
        drawn = club.draw(league, NOW, force=True)
        made = [len(table.seats) for table in drawn.tables]
        assert set(made) <= set(allowed)
        assert max(made) - min(made) <= 1
        assert sorted(who for table in drawn.tables for who in table.seats) == sorted(members)


def test_an_error_says_how_many_people_fit_tables(club: Club) -> None:
    five = club.league("swiss", NAMES[:5], game="greyhounds")
    with pytest.raises(InvalidInput, match=r"Greyhounds: .* 3–4 .* \(6 in all\) or leave \(4 in all\)"):
        club.draw(five, NOW)
    two = club.league("swiss", NAMES[:2], game="greyhounds")
    with pytest.raises(InvalidInput, match=r"Greyhounds: a table seats 3–4 people, not 2; .* 3 in all"):
        club.draw(two, NOW)


def test_any_game_seats_three_or_four_unless_there_are_two_or_five(club: Club) -> None:
    every = [all_games()[game].seat_counts for game in GAMES]  # without the one that the tests add
    assert all(fewest <= pairing.SIZES[0] and pairing.SIZES[1] <= most for fewest, most in every)
    assert all(any(low <= size <= high for low, high in every) for size in pairing.ANY_GAME)
    for count, made in ((2, [2]), (5, [5]), (9, [3, 3, 3]), (10, [4, 3, 3])):
        names = [f"P{number}" for number in range(count)]
        drawn = club.draw(club.league("swiss", names), NOW)
        assert [len(table.seats) for table in drawn.tables] == made


def test_tables_too_large_for_the_game_are_not_carried_into_the_next_round(club: Club) -> None:
    """A hub before this one drew nine people of Galloping Pigs as five and four."""
    names = [f"P{number}" for number in range(9)]
    league = club.league("hill", names, game="galloping-pigs")
    tables = json.dumps([names[:5], names[5:]])
    with club.engine.begin() as db:
        db.execute(insert(schema.rounds).values(league_id=league.id, number=1, at=NOW, tables=tables))
    drawn = club.draw(league, NOW, force=True)
    assert [len(table.seats) for table in drawn.tables] == [3, 3, 3]


def test_tables_of_five_pigs_are_drawn_where_a_league_asks_for_them(club: Club) -> None:
    """Only the box that is in shops takes five, so nine are three tables of three unless it is asked for."""
    names = [f"P{number}" for number in range(9)]
    for usual, made in ((4, [3, 3, 3]), (5, [5, 4])):
        drawn = club.draw(club.league("swiss", names, game="galloping-pigs", seats=usual), NOW)
        assert [len(table.seats) for table in drawn.tables] == made


def test_an_open_league_stores_a_number_of_seats_that_its_game_takes(club: Club) -> None:
    assert club.league("open", (), seats=2**40, game="greyhounds").seats == 4


def test_a_round_is_drawn_with_games_missing_if_that_is_asked_for(club: Club) -> None:
    league = club.league("hill")
    club.draw(league, NOW)
    assert club.draw(league, NOW + timedelta(hours=1), force=True).number == 2
    assert club.table(league)[0].games == 0


@pytest.mark.parametrize("kind", ["round-robin", "swiss", "hill"])
def test_who_comes_later_is_seated_and_who_leaves_is_not(club: Club, kind: str) -> None:
    league = club.league(kind)
    club.draw(league, NOW)
    with club.engine.begin() as db:
        leagues.leave(db, league, "Ben")
        for name in ("Ida", "Jo"):
            leagues.join(db, league, name)
            leagues.join(db, league, name)
    drawn = club.draw(league, NOW + timedelta(hours=1), force=True)
    seated = sorted(who for table in drawn.tables for who in table.seats)
    assert seated == sorted({*NAMES, "Ida", "Jo"} - {"Ben"})


def test_the_same_league_draws_the_same(tmp_path: Path) -> None:
    drawn = []
    for number in range(2):
        engine = database.opened(f"sqlite:///{tmp_path / f'{number}.sqlite'}")
        club = Club(engine)
        drawn.append(club.draw(club.league("round-robin"), NOW + timedelta(days=number)).tables)
        engine.dispose()
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("clock", [timedelta(minutes=3), timedelta(minutes=-40), timedelta(days=-500)])
def test_a_table_with_a_wrong_clock_keeps_its_result_when_the_next_round_is_drawn(
    club: Club, clock: timedelta
) -> None:
    league = club.league("round-robin", NAMES[:3])
    club.draw(league, NOW)
    heard = NOW + timedelta(minutes=29)
    one = club.game(NAMES[:3], heard + clock, began=NOW + timedelta(minutes=2), heard=heard)
    assert club.counted(league) == [[one]]
    club.draw(league, NOW + timedelta(minutes=30))
    assert club.counted(league) == [[one], [None]]
    assert club.table(league)[0].points == 5
    again = NOW + timedelta(minutes=55)
    two = club.game(NAMES[:3], again + clock, began=NOW + timedelta(minutes=31), heard=again)
    assert club.counted(league) == [[one], [two]], "the same people in the next round"


def test_a_game_begun_before_the_draw_belongs_to_the_round_in_which_it_began(club: Club) -> None:
    league = club.league("round-robin", NAMES[:3])
    club.draw(league, NOW)
    club.draw(league, NOW + timedelta(minutes=30), force=True)
    minutes = [NOW + timedelta(minutes=number) for number in range(60)]
    late = club.game(NAMES[:3], minutes[35], began=minutes[5], heard=minutes[35])
    assert club.counted(league) == [[late], [None]]
    early = club.game(NAMES[:3], minutes[20], began=minutes[5], heard=minutes[20])
    assert club.counted(league) == [[early], [late]], (
        "the first counts, and a game after it for the next round"
    )


def test_the_second_game_of_a_round_is_for_fun_and_so_is_one_before_the_first_draw(club: Club) -> None:
    league = club.league("round-robin", NAMES[:3])
    minutes = [NOW + timedelta(minutes=number) for number in range(60)]
    club.game(NAMES[:3], minutes[20], began=minutes[1], heard=minutes[5])  # a clock that is fast
    club.draw(league, minutes[10])
    assert club.counted(league) == [[None]]
    one = club.game(NAMES[:3], minutes[20], began=minutes[11], heard=minutes[20])
    club.game(NAMES[:3], minutes[29], began=minutes[21], heard=minutes[29])
    club.draw(league, minutes[30])
    assert club.counted(league) == [[one], [None]]


def test_an_end_that_is_taken_back_counts_again_for_its_round(club: Club) -> None:
    league = club.league("round-robin", NAMES[:3])
    minutes = [NOW + timedelta(minutes=number) for number in range(90)]
    club.draw(league, minutes[0])
    one = club.game(NAMES[:3], minutes[20], began=minutes[1], heard=minutes[20])
    club.draw(league, minutes[30])
    club.counts(one, False)
    assert club.counted(league) == [[None], [None]]
    club.draw(league, minutes[40], force=True)
    club.counts(one, True, at=minutes[45])
    assert club.counted(league) == [[one], [None], [None]]


def test_once_the_next_round_is_drawn_no_game_takes_the_place_of_another(club: Club) -> None:
    league = club.league("round-robin", NAMES[:3])
    minutes = [NOW + timedelta(minutes=number) for number in range(90)]
    club.draw(league, minutes[0])
    one = club.game(NAMES[:3], minutes[20], began=minutes[11], heard=minutes[20])
    club.draw(league, minutes[30])
    club.game(NAMES[:3], minutes[10], heard=minutes[40])  # comes out of a file
    assert club.counted(league) == [[one], [None]]


def test_a_game_out_of_a_file_belongs_to_its_round_by_its_own_clock(club: Club) -> None:
    league = club.league("round-robin", NAMES[:3])
    for number in range(3):
        club.draw(league, NOW + timedelta(hours=number), force=True)
    later = NOW + timedelta(days=1)
    second = club.game(NAMES[:3], NOW + timedelta(minutes=90), heard=later)
    assert club.counted(league) == [[None], [second], [None]]
    club.game(NAMES[:3], NOW + timedelta(minutes=100), heard=later)
    assert club.counted(league) == [[None], [second], [None]], "the second of its round"
    lost = club.game(NAMES[:3], NOW - timedelta(days=500), heard=later)  # a clock without a network
    assert club.counted(league) == [[None], [second], [lost]], "the last round without a game"
    third = club.game(NAMES[:3], NOW + timedelta(minutes=150), heard=later)
    assert club.counted(league) == [[lost], [second], [third]], "a clock that fits goes first"


def test_a_game_out_of_a_file_is_not_of_a_round_drawn_after_it_was_taken_in(club: Club) -> None:
    league = club.league("round-robin", NAMES[:3])
    club.game(NAMES[:3], NOW - timedelta(days=500), heard=NOW - timedelta(minutes=1))
    club.draw(league, NOW)
    assert club.counted(league) == [[None]]


def test_an_open_league_goes_by_when_a_game_was_heard_if_a_clock_is_wrong(club: Club) -> None:
    until = NOW + timedelta(days=7)
    league = club.league("open", (), until=until)
    early, minute = NOW + timedelta(hours=1), timedelta(minutes=1)
    found = [
        club.game(("Ada", "Ben"), until + 9 * minute, heard=until - minute),  # fast
        club.game(("Ada", "Cleo"), NOW - timedelta(days=500), began=early - 9 * minute, heard=early),  # slow
    ]
    club.game(("Ada", "Dan"), NOW + timedelta(days=9), heard=NOW - minute)  # fast, before the first day
    club.game(("Ada", "Eva"), NOW - timedelta(days=2), heard=early)  # out of a file, of another day
    with club.engine.connect() as db:
        games = leagues.games(db, league)
    assert sorted(game.id for game in games) == found
    assert [game.at for game in games] == [NOW - timedelta(days=500), until + 9 * minute], "shown as it was"


def test_a_claimed_spelling_is_the_same_member(club: Club) -> None:
    league = club.league("swiss", ("Addy", "Ben", "Cleo"))
    club.draw(league, NOW)
    club.game(("Ada", "Ben", "Cleo"), NOW + timedelta(minutes=1))
    with club.engine.begin() as db:
        made = people.claim(db, "Ada", NOW)
        people.approve(db, people.waiting_claims(db)[0].id, NOW)
        ada = people.person(db, "Ada", made.code)
        people.also_known_as(db, ada, "Addy", NOW)
        assert leagues.members(db, league) == ["Ada", "Ben", "Cleo"]
        assert leagues.rounds(db, league)[0].missing == []
        leagues.leave(db, league, "Ada")
        assert leagues.members(db, league) == ["Ben", "Cleo"]


def test_who_is_forgotten_leaves_the_others_their_points(club: Club) -> None:
    league = club.league("swiss", ("Ada", "Ben", "Cleo"))
    club.draw(league, NOW)
    club.game(("Ada", "Ben", "Cleo"), NOW + timedelta(minutes=1))
    with club.engine.begin() as db:
        forgetting.forget(db, "Ada", NOW)
    assert [(row.place, row.who, row.points) for row in club.table(league)] == [(1, "Ben", 3), (2, "Cleo", 2)]


def test_other_programs_read_a_league(club: Club) -> None:
    league = club.league("swiss", ("=1+1", "Ben", "Cleo"))
    club.draw(league, NOW)
    number = club.game(("=1+1", "Ben", "Cleo"), NOW + timedelta(minutes=1))
    with club.engine.connect() as db:
        league_json = leagues.as_json(db, league)
        rows = leagues.table(db, league)
        assert standings([game.seats for game in played(db)]) == rows
    assert league_json["games"] == [number]
    assert league_json["rounds"][0]["tables"][0]["game_id"] == number
    assert league_json["table"][0]["who"] == "=1+1"
    assert leagues.as_csv(rows).splitlines()[1].startswith("1,'=1+1,1,5.0,")


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"name": " "}, "1 to 100 letters"),
        ({"kind": "knockout"}, "there are open, round-robin, swiss, hill"),
        ({"until": NOW - timedelta(days=1)}, "ends after it begins"),
        ({"seats": 5}, "any game: a table seats 3–4 people; choose one of these numbers"),
        ({"seats": 2, "game": "greyhounds"}, "Greyhounds: a table seats 3–4 people"),
        ({"seats": 6, "game": "galloping-pigs"}, "Galloping Pigs: a table seats 2–5 people"),
        ({"seats": 6, "game": "giro-galoppo"}, "Giro Galoppo: a table seats 2–5 people"),
        ({"points": (1, 2)}, "do not rise"),
        ({"points": ()}, "do not rise"),
        ({"points": (float("nan"),)}, "do not rise"),
    ],
)
def test_what_is_no_league_is_refused(club: Club, wrong: dict[str, object], reason: str) -> None:
    given = {"name": "Cup", "kind": "swiss"} | wrong
    name, kind = str(given.pop("name")), str(given.pop("kind"))
    with club.engine.begin() as db, pytest.raises(InvalidInput, match=reason):
        leagues.create(db, name, kind, NOW, **given)  # type: ignore[arg-type]


def test_leagues_of_one_name_have_addresses_of_their_own(club: Club) -> None:
    with club.engine.begin() as db:
        slugs = [leagues.create(db, name, "open", NOW).slug for name in ("Été 26", "Ete-26!", "囲碁")]
        assert slugs == ["ete-26", "ete-26-2", "league"]
        leagues.remove(db, leagues.find(db, "ete-26"))
        with pytest.raises(NotFoundError, match="there is no league called ete-26"):
            leagues.find(db, "ete-26")
