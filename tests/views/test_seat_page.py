"""What a seat's page says apart from its secrets: who comes first, what something meant, where cards lead."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from msgspec import to_builtins

from companion import games
from companion.games.galloping import GallopingPigs
from companion.games.giro import GiroGaloppo
from companion.games.judge import checked
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision
from companion.history.evening import Evening
from companion.match.record import Header
from companion.match.turn import Turn
from companion.message import Sentence
from companion.odds.luck_summary import LuckSummary, Parts, Swing
from companion.store.journal import Journal
from companion.table.messages import LuckIs
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.translate import Words
from companion.views.seat.meant import meaning, meant
from companion.views.seat.page import Seating, page
from companion.views.table.sentence import victory
from tests.support.moments import Story

WORDS = Words.english()
THREE = ("Ada", "Ben", "Cleo")
OBSTACLES = (22, 25, 9, 4, 18)


def giro(progress: tuple[int, ...], **more: Any) -> GiroGaloppo:
    """Return three horses on their way."""
    race = GiroGaloppo.new(THREE)
    return race.replaced(obstacles=tuple(sorted(OBSTACLES)), progress=progress, **more)


def played(race: Race, *cards: int) -> Race:
    """Return the position after everybody has chosen, by seat."""
    for seat, card in enumerate(cards):
        race = checked(race, Decision("play", seat, card))
    return race


# --- where a card would land ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("progress", "card", "said"),
    [
        ((3, 12, 14), 1, "obstacle"),  # a loose one, on 4
        ((3, 12, 14), 4, "obstacle"),  # a river, on 7
        ((3, 12, 14), 2, "5, behind Ben"),
        ((10, 12, 14), 2, "pushes Ben"),
        ((10, 12, 14), 6, "16, in front"),
        ((0, 0, 0), 3, "3, in front"),
        ((27, 12, 29), 1, "28, behind Cleo"),  # on the line is not past it
        ((27, 12, 30), 2, "past the line"),
        ((27, 12, 30), 3, "past the line, pushes Cleo"),
    ],
)
def test_where_a_card_would_land(progress: tuple[int, ...], card: int, said: str) -> None:
    says = presented(giro(progress)).foretold(Decision("play", 0, card))
    assert says is not None
    assert WORDS.text(says, giro(progress)) == said


def test_a_forecast_comes_true_if_no_one_moves_before() -> None:
    """In random games: the horse whose card is lowest of all, alone, goes where its card said."""
    rng, tried = random.Random(5), 0
    while tried < 60:
        spaces = rng.sample(range(1, 28), 3)
        race = giro(tuple(spaces))
        sentence = presented(race).foretold(Decision("play", 0, 1))
        after = played(race, 1, rng.randint(2, 6), rng.randint(2, 6))
        assert isinstance(after, GiroGaloppo)
        assert sentence is not None
        first, text = after.steps[0], WORDS.text(sentence, race)
        assert first.seat == 0
        assert (first.kind == "refused") == (text == "obstacle")
        assert (first.pushed is not None) == ("pushes" in text)
        tried += 1


# --- what it meant -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("progress", "cards", "said"),
    [
        ((1, 12, 14), (2, 4, 5), ["you move to 3", "you move to 16", "you move to 19"]),
        (
            (1, 2, 14),
            (1, 3, 4),
            ["you move to 2 and push Ben back to 1", "Ada pushes you back to 1, then the obstacle on 4 stops you", "the obstacle on 18 stops you"],
        ),
        ((0, 1, 14), (1, 6, 5), ["you move to 1 and push Ben back into the gate"] + [""] * 2),
    ],
)  # fmt: skip
def test_what_a_round_of_giro_meant(
    progress: tuple[int, ...], cards: tuple[int, ...], said: list[str]
) -> None:
    race = played(giro(progress), *cards)
    for seat, text in enumerate(said):
        sentence = presented(race).meant(seat)
        assert sentence is not None
        assert not text or WORDS.text(sentence, race) == text


@pytest.mark.parametrize(
    ("food", "said"),
    [
        ((5, 3, 1), ["you win, by 2 acorns", "second, 2 acorns behind Ada", "third, 2 acorns behind Ben"]),
        ((4, 4, 1), ["you share the victory with Ben", "you share the victory with Ada", "third, 3 acorns behind Ada and Ben"]),
        ((0, 0, 0), ["you share the victory with Ben and Cleo"] * 1),
    ],
)  # fmt: skip
def test_what_the_end_of_the_game_meant(food: tuple[int, ...], said: list[str]) -> None:
    race = GallopingPigs.new(THREE).replaced(kept=food, due="")
    for seat, text in enumerate(said):
        sentence = meaning(race, seat, None)
        assert sentence is not None
        assert WORDS.text(sentence, race) == text


@pytest.mark.parametrize(
    ("food", "said"),
    [
        ((3, 1, 0), "Ada wins with 3 acorns"),
        ((3, 3, 0), "Ada and Ben share the victory: 3 acorns each"),
        ((1, 0, 1), "Ada and Cleo share the victory: 1 acorn each"),
        ((2, 2, 2), "everyone shares the victory"),
    ],
)
def test_winners_are_named_as_people_say_it(food: tuple[int, ...], said: str) -> None:
    race = GallopingPigs.new(THREE).replaced(kept=food, due="")
    assert WORDS.text(victory(race), race) == said


def test_what_the_end_of_giro_meant() -> None:
    """It says by how many spaces; a horse that is not past the line has no place."""
    race = played(giro((26, 25, 1)), 6, 6, 1)
    sentences = [meaning(race, seat, None) or presented(race).meant(seat) for seat in range(3)]
    assert [WORDS.text(one, race) for one in sentences if one] == [
        "you win, by 1 space",
        "second, 1 space behind Ada",
        "not past the line: no place",
    ]


@pytest.mark.parametrize("game", ["galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds"])
def test_after_a_round_every_seat_sees_its_meaning_until_it_decides_again(game: str) -> None:
    match = Story(game, (*THREE, "Dora"), 3, deal="companion").match
    ends = [n for n, turn in enumerate(match.turns, 1) if over(turn)]
    assert ends
    for end in ends:
        at = replaced(match, end)
        assert all(meant(at, seat, WORDS) for seat in range(4)), end
    first, seat = ends[0], match.turns[ends[0]].decision.seat
    if seat is not None:
        assert meant(replaced(match, first + 1), seat, WORDS) is None


def over(turn: Turn) -> bool:
    return any(news.kind == "round-over" for news in turn.race.news)


def replaced(match: Any, end: int) -> Any:
    """Return the match after its first decisions."""
    turns, bots = match.turns[:end], ("",) * len(match.header.seats)
    return type(match)(match.id, match.header, match.deal, match.colours, match.opening, turns, bots=bots)


# --- who comes before ----------------------------------------------------------------------------


def test_whose_turns_come_before_comes_true() -> None:
    """In a whole game, food on the track too: those foretold decide, in that order, and then the seat itself."""
    options = {"food_on_track": True, "rounds": 2}
    for seed in range(3):
        match = Story("galloping-pigs", THREE, seed, options).match
        turns = [
            (t.decision.seat, before(match, n))
            for n, t in enumerate(match.turns)
            if t.decision.seat is not None
        ]
        for at, (_, turns_before) in enumerate(turns):
            order = [seat for seat, _ in turns[at:]]
            for seat, ahead in turns_before.items():
                deciding = [one for n, one in enumerate(order) if not n or one != order[n - 1]]
                assert deciding[: len(ahead) + 1] == [*ahead, seat]


def before(match: Any, at: int) -> dict[int, list[int]]:
    race = match.position(at)
    turns_before = {seat: presented(race).before(seat) for seat in range(3)}
    return {seat: list(ahead) for seat, ahead in turns_before.items() if ahead is not None}


# --- the page ------------------------------------------------------------------------------------


@pytest.fixture
def table(journal: Journal) -> Table:
    """Return a table at Giro Galoppo, the obstacles laid."""
    opened = Table(journal, dealer=random.Random(1)).open()
    opened.begin(Header("giro-galoppo", THREE, 0, {}), "people", ())
    for space in OBSTACLES:
        decide(opened, do="place-obstacle", seat=opened.match.race.awaits().seats[0], space=space)  # type: ignore[union-attr]
    return opened


def decide(table: Table, **line: Any) -> None:
    table.play.decide(table.journal.seq(), line)


def of_seat(table: Table, seat: int) -> dict[str, Any]:
    shown: dict[str, Any] = to_builtins(page(table.snapshot, WORDS, seat, Seating()))
    return shown


def test_the_host_decides_whether_cards_say_where_they_lead(table: Table, journal: Journal) -> None:
    """They do by themselves; switched off they say nothing, also after a restart."""
    [way] = of_seat(table, 0)["own"]["covered"]["ways"]
    assert way["note"] == "if nobody moves before"
    assert [said(card["brings"]) for card in way["choices"]][:4] == [
        "1, in front",
        "2, in front",
        "3, in front",
        "obstacle",
    ]
    table.show(landings=False)
    again = Table(journal, dealer=random.Random(1)).open()
    [way] = of_seat(again, 0)["own"]["covered"]["ways"]
    assert way["note"] is None
    assert {card["brings"] for card in way["choices"]} == {None}


def said(parts: list[Any]) -> str:
    return "".join(part if isinstance(part, str) else part["text"] for part in parts)


def test_nothing_is_covered_once_nothing_secret_remains(journal: Journal) -> None:
    """In whole games each seat with a hand or a bet holds it open in the middle, and none at the end."""
    for game in games.all_games():
        if game not in ("galloping-pigs", "giro-galoppo", "greyhounds"):
            continue
        story = Story(game, THREE, 2, deal="companion")
        end = len(story.match.turns)
        for at, covers in ((end, False), (end - 4, True)):
            picture = Table(journal).snapshot.__class__(seq=1, mock=False, match=replaced(story.match, at))
            own = [to_builtins(page(picture, WORDS, seat, Seating()))["own"] for seat in range(3)]
            assert any(one["covered"] for one in own) == covers, (game, at)


def test_a_phone_says_what_is_due_and_the_table_says_where() -> None:
    """Who still bets is named, and drawn; the phone of each says only what its player does."""
    story = Story("greyhounds", (*THREE, "Dev"), 3)
    at = story.where(lambda race, turn: turn.decision.do == "bet")
    match = replace(story.match, turns=story.match.turns[:at], last="decide")
    picture = Snapshot(1, mock=False, match=match)
    seen = page(picture, WORDS, 0, Seating())
    assert seen.own is not None
    assert "".join(map(str, seen.own.say or ())) == "your turn: place your bets"
    assert seen.own.prompt is None
    assert "".join(map(str, seen.say.parts)) == "Everyone: place your bets"
    assert seen.say.then == ["On your phone, or hold your name on this screen"]
    assert seen.say.picture is not None
    assert seen.say.picture.seats == [0, 1, 2, 3]


# --- the finish ----------------------------------------------------------------------------------


def analysed(story: Story) -> Snapshot:
    """Return the table after the last decision of a game, with luck, headline and badges."""
    match, seats = story.match, len(story.seats)
    swings = tuple(
        Swing(at, at + 1, Sentence("Round 1"), Sentence(text), before, after)
        for at, text, before, after in (
            (1, "the small one", (40, 40, 20), (42, 38, 20)),
            (2, "the great one", (42, 38, 20), (10, 60, 30)),
        )
    )
    summary = LuckSummary(Sentence("Luck"), (), (), (Parts(33, 0, 0, 0, 0),) * seats, swings)
    evening = Evening((1,), ((40, 40, 20), (10, 60, 30), (0, 100, 0)), summary.parts, swings, (None, None))
    luck = LuckIs(match.id, 1, *summary)
    return Snapshot(match.turns[-1].seq, mock=False, match=match, luck=luck, evening=evening)


def test_a_finish_has_the_place_the_badge_and_the_moment_of_its_seat() -> None:
    """The moment is the one that moved the seat's chance most; before the end, and unanalysed, there is none."""
    story = Story("galloping-pigs", THREE, 3, {"rounds": 1}, "companion")
    picture = analysed(story)
    assert picture.match is not None
    places = {row.seat: row.place for row in picture.match.race.standings()}
    for seat in range(3):
        own = page(picture, WORDS, seat, Seating()).own
        assert own is not None
        assert own.finish is not None
        assert own.finish.place == places[seat]
        assert own.finish.of == 3
        assert own.finish.badge is not None
        assert own.finish.moment is not None
        assert own.finish.moment.parts == ["The great one"]
        assert [own.finish.moment.before, own.finish.moment.after] == [[42, 10], [38, 60], [20, 30]][seat]
    for before in (
        replace(picture, match=replaced(picture.match, len(picture.match.turns) - 1)),
        replace(picture, luck=None, evening=None),
    ):
        own = page(before, WORDS, 0, Seating()).own
        assert own is not None
        assert before.match is not None
        assert own.finish is None or (own.finish.badge, own.finish.moment) == (None, None)
        assert (own.finish is None) == (not before.match.finished)
