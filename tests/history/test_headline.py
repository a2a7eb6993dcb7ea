"""The headline of an evening and its badges: tables that a player can read, and whole games."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.games.galloping import GallopingPigs
from companion.history import past as history
from companion.history.badges import CONSOLATIONS, badges
from companion.history.evening import Evening, evening_of
from companion.history.headline import RULES, headline
from companion.history.past import Past
from companion.match.entries import Filed
from companion.message import Sentence
from companion.odds.luck_summary import LuckSummary, Parts, Swing, luck_from_journal, luck_to_journal
from companion.translate import LANGUAGES, Words
from tests.support.moments import Story

NAMES = ("Ada", "Ben", "Cleo", "Dev")
RACE = GallopingPigs.new(NAMES)
ROUND_2 = Sentence("Round {round} of {rounds}", {"round": 2, "rounds": 3})
ONLY_ROUND = Sentence("Round {round} of {rounds}", {"round": 1, "rounds": 1})
RACE_3 = Sentence("Race {race} of {races}", {"race": 3, "races": 3})
CARD = Sentence("{seat1} plays {card1}", {"seat1": 3, "card1": "green"})


def evening(
    *chances: str,
    won: str,
    parts: str = "",
    swing: tuple[Sentence, str, str, str | None] | None = None,
    food: str = "",
    stakes: str = "",
) -> Evening:
    """Return what the rules look at. `chances`: a line a moment, a number a seat, before the end; `won`: who.

    `parts`: "luck own others" of each seat, by comma. `swing`: when, chances before, chances after, and the
    piece.
    """
    winners = tuple(NAMES.index(name) for name in won.split())
    moments = [*map(numbers, chances), numbers(" ".join("100" if n in winners else "0" for n in range(4)))]
    shares = [numbers(one) for one in parts.split(",")] if parts else [(0, 0, 0)] * 4
    stage, before, after, piece = swing or (ROUND_2, "25 25 25 25", "25 25 25 25", None)
    swings = (Swing(1, 2, stage, CARD, numbers(before), numbers(after)),)
    return Evening(
        winners, tuple(moments), tuple(Parts(25, 0, luck or None, own or None, others or None) for luck, own, others in shares),
        swings, (piece,), numbers(food), numbers(stakes),
    )  # fmt: skip


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


EVEN = "25 25 25 25"
HEADLINES = [
    # the evening, from the strongest rule to the weakest; what it is called
    (evening(EVEN, won="Ada Cleo"), "Ada and Cleo share the victory"),
    (evening(EVEN, won="Ada Cleo Dev"), "3 share the victory"),
    (evening(EVEN, won="Ada Ben Cleo Dev"), "everyone shares the victory"),
    (
        evening(EVEN, "60 10 10 20", "20 10 10 60", won="Dev", swing=(ROUND_2, "60 10 10 20", "20 10 10 60", "green")),
        "Dev and the green pig stole round 2",
    ),
    (
        evening(EVEN, "60 10 10 20", won="Dev", swing=(ONLY_ROUND, "60 10 10 20", "20 10 10 60", "green")),
        "Dev and the green pig stole the race",
    ),
    (
        evening(EVEN, "60 10 10 20", won="Dev", swing=(RACE_3, "60 10 10 20", "20 10 10 60", "green")),
        "Dev and the green pig stole race 3",
    ),
    (  # the pig was not Dev's doing
        evening(EVEN, "60 10 11 19", won="Dev", swing=(ROUND_2, "60 10 11 19", "20 10 10 60", None)),
        "Dev wins",
    ),
    (  # Dev was ahead already
        evening(EVEN, "20 20 20 40", "5 5 5 85", won="Dev", swing=(ROUND_2, "20 20 20 40", "5 5 5 85", "green")),
        "Dev led from start to finish",
    ),
    (evening(EVEN, "40 30 26 4", "10 10 10 70", won="Dev"), "Dev came back from 4%"),
    (evening(EVEN, "30 30 28 12", "10 10 10 70", won="Dev"), "Dev wins"),  # 12 of 25 is no comeback
    (evening(EVEN, "2 85 0 13", "10 20 0 70", won="Dev"), "Ben was at 85%, and Dev won all the same"),
    (evening(EVEN, "28 24 24 24", "80 0 0 20", won="Ada"), "Ada led from start to finish"),
    (evening(EVEN, "50 20 30 0", "30 20 50 0", won="Ada"), "open to the last decision: Ada by a nose"),
    (
        evening(EVEN, "20 60 20 0", "70 20 10 0", won="Ada", parts="20 30 0,0 0 0,0 0 0,0 0 0"),
        "well played: Ada won it with the best choices",
    ),
    (
        evening(EVEN, "20 60 20 0", "70 20 10 0", won="Ada", parts="20 10 45,0 0 0,0 0 0,0 0 0"),
        "with a little help: the others made Ada the winner",
    ),
    (
        evening(EVEN, "20 60 20 0", "70 20 10 0", won="Ada", parts="40 30 0,0 0 0,0 0 0,0 0 0"),
        "luck was with Ada tonight",
    ),
    (evening(EVEN, "20 60 20 0", "70 20 10 0", won="Ada", parts="14 14 14,50 50 0,0 0 0,0 0 0"), "Ada wins"),
]  # fmt: skip


@pytest.mark.parametrize(("seen", "said"), HEADLINES)
def test_the_headline_is_by_the_strongest_rule_that_applies(seen: Evening, said: str) -> None:
    assert Words.english().text(headline(seen), RACE) == said


def test_no_rule_is_idle_and_the_last_always_applies() -> None:
    """Each gives the headline of some evening of the table."""
    strongest = {next(rule for rule in RULES if rule(seen) is not None) for seen, _ in HEADLINES}
    assert strongest == set(RULES)
    assert all(RULES[-1](seen) is not None for seen, _ in HEADLINES)


BADGES = [
    # the evening; what Ada and what Ben are called
    (evening(EVEN, "5 60 20 15", "80 5 5 10", won="Ada"), ["Was down to 5%, and won."], []),
    (evening(EVEN, "15 81 2 2", "70 20 5 5", won="Ada"), [], ["Was up to 81%, and didn't win."]),
    (evening(EVEN, "15 80 3 2", "70 20 5 5", won="Ada"), [], []),
    (
        evening(EVEN, "40 59 1 0", won="Ben"),
        [],
        ["Won with the very last decision."],
    ),
    (evening(EVEN, "70 10 10 10", won="Ada", food="3 0 2 0"), ["Gave back the most acorns: 3."], []),
    (evening(EVEN, "70 10 10 10", won="Ada", food="4 4 2 0"), [], []),
    (evening(EVEN, "70 10 10 10", won="Ada", food="2 0 0 0"), [], []),
    (
        evening(EVEN, "70 10 10 10", won="Ada", stakes="300 2000 0 0"),
        [],
        ["Lost the highest stake: $2000."],
    ),
    (
        evening(EVEN, "70 10 10 10", won="Ada", parts="0 5 0,25 4 0,0 0 0,0 0 0"),
        ["Chose best of all: worth 5% of a win."],
        ["The luckiest: worth 25% of a win."],
    ),
    (  # no more than two, the strongest
        evening(EVEN, "5 60 20 15", "50 5 5 40", won="Ada", parts="50 40 0,0 0 0,0 0 0,0 0 0", food="9 0 0 0"),
        [
            "Was down to 5%, and won.",
            "Won with the very last decision.",
        ],
        [],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("seen", "ada", "ben"), BADGES)
def test_a_badge_says_its_rule_with_its_numbers(seen: Evening, ada: list[str], ben: list[str]) -> None:
    others = {name for name, _ in CONSOLATIONS}
    of = [
        [Words.english().text(badge.rule, RACE) for badge in given if badge.name not in others]
        for given in badges(seen)
    ]
    assert of[:2] == [ada, ben]


FOR_THE_OTHERS = [
    # the evening; the one badge of each seat
    (evening(EVEN, "61 28 5 6", won="Ada"), ["Winner", "High hopes", "Good sport", "Good sport"]),
    (
        evening(EVEN, "30 34 16 20", "30 34 16 20", "62 30 4 4", won="Ada"),
        ["Winner", "Long in front", "Good sport", "Good sport"],
    ),
    (evening(EVEN, "61 2 25 12", "62 1 36 1", won="Ada"), ["Winner", "Good sport", "Big leap", "Good sport"]),
]  # fmt: skip


@pytest.mark.parametrize(("seen", "names"), FOR_THE_OTHERS)
def test_every_seat_gets_a_badge(seen: Evening, names: list[str]) -> None:
    """A seat that no rule of the strong ones names gets the first that applies of the others, and only one."""
    assert [[badge.name for badge in of_seat] for of_seat in badges(seen)] == [[name] for name in names]


# --- whole games ---------------------------------------------------------------------------------

GAMES = [
    Story("galloping-pigs", NAMES, 1, {"rounds": 2}, "companion"),
    Story("galloping-horse", NAMES[:2], 3, {}, "companion"),
    Story("giro-galoppo", NAMES[:3], 4, deal="companion"),
    Story("greyhounds", NAMES, 5, deal="companion"),
]
named = pytest.mark.parametrize("story", GAMES, ids=lambda story: story.game)


def looked_back(story: Story, luck: Any, known: float = 1) -> Past:
    """Return the game with made-up odds of this part of its moments: all alike but for the end."""
    match, seats = story.match, len(story.seats)
    moments = [0, *(turn.seq for turn in match.turns)]
    odds = {seq: [[1 / seats] * seats, [0.01] * seats] for seq in moments[: int(known * len(moments))]}
    filed = Filed(1, match.header, story.deal, (), "played", "2026-05-01")
    return history.past(filed, history.in_public(match), 0, odds, luck)


def made_luck(story: Story) -> LuckSummary:
    """Return luck of a game whose last decision decided it for the seat that made it."""
    last, seats = len(story.match.turns), len(story.seats)
    seat = story.match.turns[-1].decision.seat or 0
    after = tuple(100 if other == seat else 0 for other in range(seats))
    swing = Swing(last - 1, last, Sentence("the end"), CARD, (100 // seats,) * seats, after)
    return LuckSummary(Sentence("Luck"), (), (), (Parts(25, 0, None, -3, None),) * seats, (swing,))


@named
def test_every_game_has_a_headline_in_every_language(story: Story) -> None:
    """Every headline is complete once all is worked out; the journal returns what it stored."""
    luck = made_luck(story)
    stored = json.loads(json.dumps(luck_to_journal(luck)))
    assert luck_from_journal(stored) == luck
    assert evening_of(looked_back(story, stored, known=0.5)) is None
    assert evening_of(looked_back(story, None)) is None
    past = looked_back(story, stored)
    seen = evening_of(past)
    assert seen is not None
    for language in LANGUAGES:
        said = Words.of(language).text(headline(seen), past.race)
        everyone = len(seen.winners) == len(past.seats)
        named = any(past.seats[seat] in said for seat in seen.winners)
        assert everyone or named or str(len(seen.winners)) in said
    assert all(badges(seen))
    assert len(badges(seen)) == len(past.seats)


@named
def test_what_the_rules_count_was_seen_by_everybody(story: Story) -> None:
    """Food given back as the rounds have it, lost stakes as they were settled, the piece that moved."""
    past = looked_back(story, luck_to_journal(made_luck(story)))
    seen = evening_of(past)
    assert seen is not None
    assert seen.given_back == tuple(sum(r.lost[s] for r in past.rounds) for s in range(len(past.seats)))
    assert any(seen.stakes) == (story.game == "greyhounds")
    [piece] = seen.pieces
    assert piece is None or piece in past.race.pieces
    if story.game == "giro-galoppo":
        assert piece == past.race.own_piece(seen.swings[0].gainer)


def test_luck_stored_without_numbers_is_worked_out_anew() -> None:
    stored = luck_to_journal(made_luck(GAMES[0]))
    del stored["parts"]
    assert luck_from_journal(stored) is None


def test_luck_stored_without_its_parts_is_still_read() -> None:
    """Luck stored by the version before has no parts, and that version reads what this one stores."""
    luck = made_luck(GAMES[0])
    stored = luck_to_journal(
        luck._replace(parts=tuple(parts._replace(deals=4, unseen=-7) for parts in luck.parts))
    )
    assert all(len(parts) == 5 for parts in stored["parts"])
    again = luck_from_journal(stored)
    assert again is not None
    assert {(parts.deals, parts.unseen) for parts in again.parts} == {(4, -7)}
    del stored["of luck"]
    assert luck_from_journal(stored) == luck


def test_the_headline_of_a_game_given_up_names_no_player() -> None:
    story = GAMES[0]
    filed = Filed(1, story.match.header, story.deal, (), "ended", "2026-05-01")
    past = history.past(filed, history.in_public(story.match), 0, {}, luck_to_journal(made_luck(story)))
    assert evening_of(past) is None
