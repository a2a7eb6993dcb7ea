"""A league's table out of records, against another count; who meets whom in the next round."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import combinations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, select, update

from companion.errors import InvalidInput
from companion.hub import database, schema
from companion.hub.intake import Intake
from companion.hub.league import POINTS, Seat, head_to_head, points, standings
from companion.hub.pairing import again, fits, king_of_the_hill, nearest, round_robin, sizes, swiss
from companion.hub.results import as_csv, played
from companion.match.record import replayed
from companion.publishing.sealed import Sealed, text
from tests.support.hub.stories import PEOPLE, Evening

NOW = datetime(2026, 11, 1, 18, tzinfo=UTC)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Yield a hub after an evening of two tables."""
    home = tmp_path_factory.mktemp("hub")
    made = database.opened(f"sqlite:///{home / 'hub.sqlite'}")
    intake, rng = Intake(made), random.Random(4)
    for number, games in enumerate((("galloping-pigs", "greyhounds"), ("galloping-horse", "giro-galoppo"))):
        evening = Evening(home / f"table-{number}", f"table-{number}", number)
        for game in games * 2:
            evening.play(game, tuple(rng.sample(PEOPLE, 3)))
        intake.take(evening.told())
        evening.close()
    with made.begin() as db:  # an hour apart: they are played within a second, the last digit of a time
        for game_id in db.execute(select(schema.games.c.id)).scalars().all():
            mine = schema.games.c.id == game_id
            at = NOW + timedelta(hours=game_id)
            db.execute(update(schema.games).where(mine).values(at=at, heard=at, began=None))
    yield made
    made.dispose()


def counted_by_hand(engine: Engine) -> dict[str, tuple[float, int]]:
    """Return points and games of each, from nothing but the records themselves."""
    found: dict[str, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    with engine.connect() as db:
        records = [
            msgspec.json.decode(body, type=Sealed)
            for body in db.execute(select(schema.games.c.sealed)).scalars()
        ]
    for record in records:
        answer = replayed(text(record.lines)).answer()["standings"]
        for one in answer:
            before = sum(_before(other, one) for other in answer)
            beside = sum(not _before(other, one) and not _before(one, other) for other in answer)
            won = sum(POINTS[before : before + beside]) / beside
            sum_, games = found[one["name"]]
            found[one["name"]] = (sum_ + won, games + 1)
    return found


def _before(one: dict[str, int | None], other: dict[str, int | None]) -> bool:
    mine, theirs = one["place"], other["place"]
    return mine is not None and (theirs is None or mine < theirs)


def test_the_table_is_what_the_records_say(engine: Engine) -> None:
    with engine.connect() as db:
        games = played(db)
    assert len(games) == 8
    table = standings([game.seats for game in games])
    by_hand = counted_by_hand(engine)
    assert {row.who: row.points for row in table} == pytest.approx(
        {who: brought for who, (brought, _) in by_hand.items()}
    )
    assert {row.who: row.games for row in table} == {who: games for who, (_, games) in by_hand.items()}
    order = [row.points for row in table]
    assert order == sorted(order, reverse=True)
    assert sum(row.wins for row in table) == pytest.approx(8), "a victory a game"


def test_games_are_chosen_by_kind_and_day(engine: Engine) -> None:
    with engine.connect() as db:
        games = played(db)
        assert {game.game for game in played(db, "greyhounds")} == {"greyhounds"}
        middle = games[4].at
        early, late = played(db, until=middle), played(db, since=middle)
    assert early + late == games
    assert early
    assert late


def test_other_programs_read_the_same(engine: Engine) -> None:
    with engine.connect() as db:
        games = played(db)
    read = list(csv.DictReader(io.StringIO(as_csv(games))))
    assert [(row["name"], int(row["score"])) for row in read] == [
        (seat.who, score) for game in games for seat, score in zip(game.seats, game.scores, strict=True)
    ]
    evil = games[0]._replace(seats=(Seat("=1+1", 1, 1.0), *games[0].seats[1:]))
    assert as_csv([evil]).splitlines()[1].count("'=1+1") == 1


@pytest.mark.parametrize(
    ("places", "brought"),
    [
        ((1, 2, 3, 4), [5, 3, 2, 1]),
        ((1, 1, 3), [4, 4, 2]),
        ((2, 1, 2), [2.5, 5, 2.5]),
        ((1, 1, 1, 1, 1), [2.2] * 5),
        ((1, None, None), [5, 2.5, 2.5]),
        ((None, None), [4, 4]),
    ],
)
def test_points_by_place(places: tuple[int | None, ...], brought: list[float]) -> None:
    assert points([Seat(str(seat), place, 0) for seat, place in enumerate(places)]) == brought


def test_who_is_lucky_is_told_without_it() -> None:
    games = [[Seat("Ada", 1, 1.0, 40), Seat("Ben", 2, 0.0, -40)], [Seat("Ada", 1, 1.0), Seat("Ben", 2, 0.0)]]
    table = {row.who: row for row in standings(games)}
    assert (table["Ada"].wins, table["Ada"].unlucky) == (2, 1.6)
    assert (table["Ben"].wins, table["Ben"].unlucky) == (0, 0.4)
    assert table["Ada"].rating > table["Ben"].rating
    assert head_to_head(games, "Ada", "Ben") == (2, 0, 0)
    assert head_to_head(games, "Ben", "Ada") == (0, 2, 0)


@given(people=st.integers(2, 60), fewest=st.integers(2, 6), more=st.integers(0, 4), usual=st.integers(1, 10))
def test_everyone_sits_at_a_table_of_an_allowed_size_or_no_such_tables_exist(
    people: int, fewest: int, more: int, usual: int
) -> None:
    seats = (fewest, fewest + more)
    possible = any(count * seats[0] <= people <= count * seats[1] for count in range(1, people + 1))
    assert fits(people, seats) == possible
    if not possible:
        with pytest.raises(InvalidInput, match=f"{people} people do not fit"):
            sizes(people, usual, seats)
        fewer, larger = nearest(people, seats)
        assert fewer is None or fits(fewer, seats)
        assert fits(larger, seats)
        return
    made = sizes(people, usual, seats)
    assert sum(made) == people
    assert fewest <= min(made) <= max(made) <= seats[1]
    assert max(made) - min(made) <= 1


@pytest.mark.parametrize(("people", "part"), [(8, 0.9), (11, 0.6), (16, 0.3), (23, 0.3)])
def test_swiss_seats_everybody_once_near_equals_and_hardly_anybody_again(people: int, part: float) -> None:
    """Three rounds: of the meetings again that chance would bring a part, the smaller the more there are."""
    rng = random.Random(people)
    names = [f"P{number}" for number in range(people)]
    score = dict.fromkeys(names, 0.0)
    met: list[list[str]] = []
    repeated = 0
    for _ in range(3):
        order = sorted(names, key=lambda who: -score[who])
        tables = swiss(order, met, rng)
        assert Counter(who for table in tables for who in table) == Counter(names)
        repeated += again(tables, met)
        met += tables
        for table in tables:
            for who, won in zip(rng.sample(table, len(table)), POINTS, strict=False):
                score[who] += won
    by_chance = _repeats_by_chance(people, rng)
    assert repeated <= by_chance * part


def _repeats_by_chance(people: int, rng: random.Random) -> float:
    seen = 0
    for _ in range(50):
        met: list[list[str]] = []
        for _ in range(3):
            names = rng.sample(range(people), people)
            at, tables = 0, []
            for size in sizes(people):
                tables.append([str(name) for name in names[at : at + size]])
                at += size
            seen += again(tables, met)
            met += tables
    return seen / 50


def test_the_first_round_of_swiss_is_the_order_and_the_same_seed_the_same_round() -> None:
    names = [f"P{number}" for number in range(9)]
    assert swiss(names, [], random.Random(1)) == [names[:3], names[3:6], names[6:]]
    met = swiss(names, [], random.Random(1))
    assert swiss(names, met, random.Random(1)) == swiss(names, met, random.Random(1))


def test_with_everybody_nobody_meets_again_where_that_can_be() -> None:
    """Nine people at tables of three: four rounds in which each two meet exactly once exist; three are found."""
    rng, names = random.Random(2), [f"P{number}" for number in range(9)]
    met: list[list[str]] = []
    for _ in range(3):
        met += round_robin(names, met, rng, usual=3)
    pairs = Counter(frozenset(two) for table in met for two in combinations(table, 2))
    assert max(pairs.values()) <= 2
    assert sum(count - 1 for count in pairs.values()) <= 3


def test_the_king_stays_and_the_best_goes_up() -> None:
    before = [["A", "B", "C", "D"], ["E", "F", "G"], ["H", "I", "J"]]
    assert king_of_the_hill(before) == [["A", "B", "C", "E"], ["D", "F", "H"], ["G", "I", "J"]]
    assert before[0] == ["A", "B", "C", "D"], "what was is left as it was"
    assert king_of_the_hill([["A"], ["B"], ["C"]]) == [["A"], ["B"], ["C"]]
