"""Greyhounds, a row a rule, as a player would read it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import InvalidInput
from companion.games.forms import Keyed
from companion.games.greyhounds import outcome
from companion.games.greyhounds.bets import (
    LEAST,
    MONEY,
    MOST,
    PAIRS,
    STANDARD,
    Bet,
    odds_of,
    payout,
    random_sheet,
    sheet_refused,
    staked,
)
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import Run, steps
from companion.games.greyhounds.sets import DUMMY_SET, five_left, ranked
from companion.games.judge import IllegalDecision, checked, reason_against
from companion.games.panel import Panel
from companion.games.presenter import presented
from companion.games.race import Race, random_decision
from companion.games.terms import HIDDEN, Decision, OneOf, Place
from companion.match.secrecy import still_sealed
from companion.match.turn import Turn
from companion.message import Sentence
from companion.translate import Words

NAMES = ("Ada", "Ben", "Cleo", "Dev")
DOGS = ("red", "blue", "brown", "green")
SIXES = ("1 2 3 11 12 13", "4 5 6 14 15 16", "7 8 9 17 18 19")  # three sets that one seat may have
FIVES = ("1 2 3 11 12", "4 5 6 13 14")
CHART: dict[str, Any] = {
    "win": [3, 5, 7, 12],
    "place": [2, 2, 3, 5],
    "double": dict(zip(PAIRS, [3, 6, 9, 11, 19, 26], strict=True)),
}


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def game(seats: int = 4, **options: Any) -> Greyhounds:
    return Greyhounds.new(NAMES[:seats], **options)


def follow(race: Greyhounds, *decisions: Decision) -> Greyhounds:
    return reduce(checked, decisions, race)


def show(seat: int, cards: str) -> Decision:
    return Decision("show", seat, numbers(cards))


def bet(seat: int, *bets: str) -> Decision:
    """Return a sheet such as "win red 500", "double red blue 500"."""
    return Decision(
        "bet", seat, tuple(Bet(kind, tuple(dogs), int(stake)) for kind, *dogs, stake in map(str.split, bets))
    )


def play(seat: int, card: int) -> Decision:
    return Decision("play", seat, card)


def aside(seat: int, card: int) -> Decision:
    return Decision("set-aside", seat, card)


def shown(sets: Sequence[str] = (SIXES[0],) * 4, **options: Any) -> Greyhounds:
    """Return race 1, these sets shown, one a seat."""
    race = game(len(sets), **options)
    return follow(race, *(show(seat, cards) for seat, cards in enumerate(sets)))


def started(sets: Sequence[str] = (SIXES[0],) * 4, **options: Any) -> Greyhounds:
    """Return race 1, everybody has shown a set and staked 500 on red to win."""
    race = shown(sets, **options)
    if race.due == "rank":
        race = follow(race, Decision("rank", None, DOGS))
    return follow(race, *(bet(seat, "win red 500") for seat in range(len(sets)) if seat != race.bookie))


def on_course(
    stand: str,
    race: int = 1,
    seats: int = 4,
    rank: str = "0 1 2 3",
    lap: int = 20,
    ties: str = "move",
    **more: Any,
) -> Greyhounds:
    """Return this race with the dogs at this progress; everybody may play any card, 500 on red to win."""
    run = Run(race, lap, numbers(rank), numbers(stand), ties=ties)._replace(**more)
    sets, sheet = ((tuple(range(1, 21)),) * race,) * seats, (Bet("win", ("red",), 500),)
    opening = game(seats, lap=lap, ties=ties)
    running = replace(opening, race=race, due="play", shown=sets, bets=(sheet,) * seats, run=run)
    return outcome.turned_over(running)


def turn(race: Greyhounds, cards: str) -> Greyhounds:
    """Return the race after a turn: cards by dog, "-" for one that does not run or plays by itself."""
    left = {dog: int(card) for dog, card in enumerate(cards.split()) if card != "-"}
    while left:
        due = race.awaits()
        assert due is not None
        seat = next(s for s in due.seats if s in left)
        race = follow(race, play(seat, left.pop(seat)))
    return race


def moved(before: Greyhounds, after: Greyhounds) -> str:
    return " ".join(str(b - a) for a, b in zip(before.run.progress, after.run.progress, strict=True))


def refused(race: Race, decision: Decision) -> str:
    with pytest.raises(IllegalDecision) as reason:
        checked(race, decision)
    return text_of(race, reason.value.sentence)


def text_of(race: Race, sentence: Sentence | None) -> str:
    assert sentence is not None
    return Words.english().text(sentence, race)


def story(race: Greyhounds) -> list[str]:
    return [text_of(race, presented(race).sentence(news)) for news in race.news]


def rows(table: Sequence[tuple[Any, ...]]) -> pytest.MarkDecorator:
    """Return the rows of a table, each named by its first column."""
    return pytest.mark.parametrize("row", [row[1:] for row in table], ids=[row[0] for row in table])


# --- moves ---------------------------------------------------------------------------------------

MOVES = [
    # cards on the table: how far the dogs move in races 1, 2 and 3
    ("7 10 10 13", "0 0 0 3", "0 3 3 6", "0 3 3 6"),
    ("18 14 9 4", "4 0 0 0", "9 5 0 0", "14 10 5 0"),
    ("18 18 9 4", "9 9 0 0", "14 14 0 0", "14 14 5 0"),
    ("18 14 9 9", "4 0 0 0", "9 5 0 0", "9 5 0 0"),
    ("18 18 18 4", "14 14 14 0", "14 14 14 0", "14 14 14 0"),
    ("18 14 14 14", "4 0 0 0", "4 0 0 0", "4 0 0 0"),
    ("18 14 14 4", "4 0 0 0", "14 10 10 0", "14 10 10 0"),
    ("18 18 9 9", "9 9 0 0", "9 9 0 0", "9 9 0 0"),
    ("5 5 5 5", "0 0 0 0", "0 0 0 0", "0 0 0 0"),
    ("18 18 9 -", "9 9 0 0", "9 9 0 0", "9 9 0 0"),
    ("18 14 9 -", "4 0 0 0", "9 5 0 0", "9 5 0 0"),
    ("18 14 14 -", "4 0 0 0", "4 0 0 0", "4 0 0 0"),
    ("18 4 - -", "14 0 0 0", "14 0 0 0", "14 0 0 0"),
    ("9 9 - -", "0 0 0 0", "0 0 0 0", "0 0 0 0"),
]


@pytest.mark.parametrize("number", [1, 2, 3])
@rows([(row[0], *row) for row in MOVES])
def test_what_the_cards_move(row: tuple[str, ...], number: int) -> None:
    """The table of the rules, through a whole turn; "-" is a dog that is out."""
    cards, by_race = row[0], row[1:]
    out = tuple(dog for dog, card in enumerate(cards.split()) if card == "-")
    before = on_course("0 0 0 0", number, lap=100, out=out)
    assert moved(before, turn(before, cards)) == by_race[number - 1]


def test_two_dogs_left_move_as_in_race_3_in_any_race() -> None:
    assert [steps(race, [14, 18]) for race in (1, 2, 3)] == [(0, 4)] * 3


STRUCK = [
    # cards on the table, equal ones struck out: how far the dogs move in races 1, 2 and 3
    ("18 14 9 4", "14 0 0 0", "14 10 0 0", "14 10 5 0"),
    ("18 18 9 4", "0 0 5 0", "0 0 5 0", "0 0 5 0"),
    ("18 14 14 4", "14 0 0 0", "14 0 0 0", "14 0 0 0"),
    ("18 14 9 9", "9 0 0 0", "9 5 0 0", "9 5 0 0"),
    ("7 10 10 13", "0 0 0 6", "0 0 0 6", "0 0 0 6"),
    ("18 18 18 4", "0 0 0 0", "0 0 0 0", "0 0 0 0"),
    ("18 14 14 14", "4 0 0 0", "4 0 0 0", "4 0 0 0"),
    ("18 18 9 9", "0 0 0 0", "0 0 0 0", "0 0 0 0"),
    ("5 5 5 5", "0 0 0 0", "0 0 0 0", "0 0 0 0"),
    ("18 14 9 -", "9 0 0 0", "9 5 0 0", "9 5 0 0"),
    ("18 18 9 -", "0 0 0 0", "0 0 0 0", "0 0 0 0"),
    ("18 14 14 -", "4 0 0 0", "4 0 0 0", "4 0 0 0"),
    ("9 9 9 -", "0 0 0 0", "0 0 0 0", "0 0 0 0"),
    ("18 4 - -", "14 0 0 0", "14 0 0 0", "14 0 0 0"),
    ("9 9 - -", "0 0 0 0", "0 0 0 0", "0 0 0 0"),
]


@pytest.mark.parametrize("number", [1, 2, 3])
@rows([(row[0], *row) for row in STRUCK])
def test_what_the_cards_move_where_equal_ones_are_struck_out(row: tuple[str, ...], number: int) -> None:
    """As many single cards move as the race's number, each less the lowest; "-" is a dog that is out."""
    cards, by_race = row[0], row[1:]
    out = tuple(dog for dog, card in enumerate(cards.split()) if card == "-")
    before = on_course("0 0 0 0", number, lap=100, out=out, ties="strike")
    assert moved(before, turn(before, cards)) == by_race[number - 1]


TABLES = st.lists(st.integers(1, 20) | st.integers(1, 4), min_size=2, max_size=4)


@given(cards=TABLES, race=st.integers(1, 3))
def test_only_single_cards_move_and_no_higher_one_stays(cards: list[int], race: int) -> None:
    """Where equal cards are struck out, only single cards move, and no single card is passed over."""
    far = steps(race, cards, "strike")
    movers = [card for card, spaces in zip(cards, far, strict=True) if spaces]
    left = [card for card in cards if cards.count(card) == 1 and card != min(cards)]
    assert all(spaces in (0, card - min(cards)) for card, spaces in zip(cards, far, strict=True))
    assert len(movers) == min(race, len(left))
    assert set(movers) <= set(left)
    assert all(card < min(movers) for card in left if card not in movers)


@given(cards=TABLES, race=st.integers(1, 3), rng=st.randoms(use_true_random=False))
def test_it_matters_not_which_dog_shows_a_card(cards: list[int], race: int, rng: random.Random) -> None:
    order = rng.sample(range(len(cards)), len(cards))
    for ties in ("move", "strike"):
        far = steps(race, cards, ties)
        assert steps(race, [cards[dog] for dog in order], ties) == tuple(far[dog] for dog in order)


def by_piles(race: int, cards: dict[int, int]) -> dict[int, int]:
    """Return how far the dogs move, as people do it with equal cards struck out: by piles from the top."""
    piles = {value: [dog for dog in cards if cards[dog] == value] for value in cards.values()}
    far, may_move = dict.fromkeys(cards, 0), race
    for value in range(20, min(piles), -1):
        if may_move and len(piles.get(value, [])) == 1:
            far[piles[value][0]] = value - min(piles)
            may_move -= 1
    return far


@pytest.mark.parametrize("seed", range(6))
def test_whole_games_with_equal_cards_struck_out_run_as_counted_by_piles(seed: int) -> None:
    """Every turn of a game played at random; a turn without a move is counted, as ten of them end a race."""
    rng = random.Random(seed)
    race = game(3 + seed % 2, ties="strike", lap=14, bookie=seed if seed < 3 else None)
    turns = 0
    while (decision := random_decision(race, rng)) is not None:
        before, race = race, checked(race, decision)
        if race.results == before.results and race.run.turn == before.run.turn:
            continue
        table = {DOGS.index(n.values["piece"]): n.values["card"] for n in race.news if n.kind == "turned"}
        table |= {dog: card for dog, card in enumerate(before.table) if card is not None}
        after = before.run.after(table)
        far = by_piles(before.race, table)
        assert {dog: after.progress[dog] - before.run.progress[dog] for dog in table} == far
        assert after.idle == (0 if any(far.values()) else before.run.idle + 1)
        assert race.results != before.results or race.run == after
        turns += 1
    assert race.due == ""
    assert turns > 10


def test_ten_turns_in_a_row_of_cards_struck_out_end_a_race() -> None:
    """Turns that would move dogs if equal cards moved together."""
    for ties, over in (("move", False), ("strike", True)):
        after = turn(on_course("3 9 1 4", idle=9, lap=40, ties=ties), "18 18 9 9")
        assert bool(after.results) == over
    assert after.results[0].places == (1, 3, 0)


def test_a_rule_for_equal_cards_that_there_is_not_is_named() -> None:
    with pytest.raises(InvalidInput) as reason:
        game(ties="both")
    assert str(reason.value) == 'ties must be one of move, strike, not "both"'
    assert game(ties="move") == game()


def test_equal_cards_struck_out_are_named() -> None:
    """The arithmetic of a move, what a first game explains, and how to go on without the companion."""
    before = on_course("0 0 0 0", 1, ties="strike")
    after, still = turn(before, "18 18 9 4"), turn(before, "5 5 5 5")
    assert story(after)[4:] == ["the brown dog: 9 − 4 = 5, to 5"]
    assert "moved-strike" in presented(after).happenings()
    assert "nobody-moves-strike" in presented(still).happenings()
    by_hand = " ".join(text_of(before, line) for line in presented(before).by_hand())
    assert "Equal cards are struck out" in by_hand
    assert "Race 1:" not in by_hand


def test_the_dummy_plays_its_ten_by_itself() -> None:
    before = on_course("0 0 0 0", 1, seats=3)
    after = turn(before, "9 8 3 -")
    assert (moved(before, after), after.run.turn) == ("0 0 0 1", 1)


def test_the_story_has_the_arithmetic_of_each_move() -> None:
    before = on_course("0 0 0 0", 3)
    assert story(turn(before, "18 14 9 4"))[4:] == [
        "the red dog: 18 − 4 = 14, to 14",
        "the blue dog: 14 − 4 = 10, to 10",
        "the brown dog: 9 − 4 = 5, to 5",
    ]
    assert story(turn(before, "5 5 5 5"))[4:] == ["nobody moves"]


# --- whose turn ----------------------------------------------------------------------------------

TURNS = [
    # what happens, progress, decisions so far, who is due
    ("all level: all choose", "0 0 0 0", "", (0, 1, 2, 3)),
    ("in any order, each once", "0 0 0 0", "2", (0, 1, 3)),
    ("the leader plays first", "3 5 1 0", "", (1,)),
    ("then the next", "3 5 1 0", "1", (0,)),
    ("the level ones together", "5 3 3 0", "0", (1, 2)),
    ("one of the level ones waits for the other", "5 3 3 0", "0 2", (1,)),
    ("the last one", "5 3 3 0", "0 2 1", (3,)),
    ("and the next turn begins", "5 3 3 0", "0 2 1 3", (0,)),
]


@rows(TURNS)
def test_dogs_play_in_order_of_progress_the_level_ones_together(
    row: tuple[str, str, tuple[int, ...]],
) -> None:
    stand, seats, due = row
    race = on_course(stand, 3)
    race = follow(race, *(play(seat, 10) for seat in numbers(seats)))  # equal cards: no dog moves
    assert race.awaits() == ("play", due)


def test_a_dummy_that_leads_has_played_and_one_that_is_level_is_never_waited_for() -> None:
    leading = turn(on_course("0 0 0 0", 1, seats=3), "9 8 3 -")
    assert leading.awaits() == ("play", (0, 1, 2))
    assert leading.table == (None, None, None, 10)
    last = follow(on_course("5 4 4 0", 1, seats=3), play(0, 10), play(1, 10))
    assert last.awaits() == ("play", (2,))
    assert last.run.turn == 0
    assert follow(last, play(2, 10)).run.turn == 1


def test_level_cards_are_turned_over_with_the_last_one() -> None:
    race = follow(started(), play(0, 1), play(2, 13))
    assert race.table == (None,) * 4
    assert story(race) == ["Cleo has chosen a card"]
    race = follow(race, play(3, 2), play(1, 3))
    assert story(race)[:4] == [
        "the red dog plays 1",
        "the blue dog plays 3",
        "the brown dog plays 13",
        "the green dog plays 2",
    ]


# --- cards come back -----------------------------------------------------------------------------


def cards_played(cards: str) -> Greyhounds:
    """Return the race after these cards by everybody, turn by turn: no dog moves."""
    race = started(lap=500)
    return reduce(lambda r, card: turn(r, " ".join([card] * 4)), cards.split(), race)


def test_five_cards_come_back_and_the_sixth_was_set_aside() -> None:
    race = cards_played("11 12 13 1")
    assert race.playable(0) == [2, 3]
    race = turn(race, "2 2 2 2")
    assert (race.playable(0), race.aside) == ([1, 2, 11, 12, 13], (3,) * 4)
    assert refused(race, play(0, 3)) == "the 3 is set aside in this race"
    assert turn(race, "2 2 2 2").run.turn == 6


def test_a_card_comes_back_only_after_five() -> None:
    assert (
        refused(cards_played("11 12"), play(0, 11)) == "the 11 was played: it comes back when all 5 have been"
    )


def test_all_cards_are_spent_whether_the_dog_moved_or_not() -> None:
    race = turn(started(), "13 1 2 3")
    assert [race.used(seat) for seat in range(4)] == [(13,), (1,), (2,), (3,)]


# --- setting aside -------------------------------------------------------------------------------


def test_a_card_may_be_set_aside_before_ones_own_first_card() -> None:
    race = follow(started(), play(1, 11), aside(0, 12))
    assert race.awaits() == ("play", (0, 2, 3))
    assert race.playable(0) == [1, 2, 3, 11, 13]
    assert story(race) == ["Ada sets a card aside"]


ASIDES = [
    ("before the bets are in", shown(), aside(0, 1), "a bet is due now, not the card to set aside"),
    ("a card that is not in the set", started(), aside(0, 4), "Ada has not shown the 4 for this race"),
    ("a second card", follow(started(), aside(0, 1)), aside(0, 2), "Ada has set a card aside already"),
    ("after the own first card", follow(started(), play(0, 1)), aside(0, 2), "Ada has played already: a card is set aside before that"),
    ("the card set aside is not played", follow(started(), aside(0, 1)), play(0, 1), "the 1 is set aside in this race"),
    ("of five cards none", started(FIVES[:1] * 4, bookie=3), aside(0, 1), "nothing is set aside in this race: all 5 cards are played"),
]  # fmt: skip


@rows(ASIDES)
def test_cards_that_may_not_be_set_aside_or_were(row: tuple[Greyhounds, Decision, str]) -> None:
    race, decision, reason = row
    assert text_of(race, reason_against(race, decision)) == reason


# --- ranks ---------------------------------------------------------------------------------------

RANKS = [
    ("the highest sum is the favourite", ["1 2 3 11 12 13", "4 5 6 14 15 16", "1 2 3 14 15 16", "7 8 9 17 18 19"], "green blue brown red"),
    ("equal sums: the highest card", ["1 2 3 12 13 14", "1 2 3 11 13 15", "1 2 4 11 12 15", "1 2 3 11 12 13"], "blue brown red green"),
    ("then the next ones", ["2 5 6 12 13 14", "3 4 6 12 13 14", "2 4 7 12 13 14", "1 4 8 12 13 14"], "green brown red blue"),
    ("equal sets: by seat", ["1 2 3 11 12 13"] * 4, "red blue brown green"),
    ("a dummy has sixty", ["7 8 9 11 12 13", "5 6 7 13 14 16", "5 6 7 13 14 15"], "blue brown red green"),
    ("and six tens, low among equal sums", ["7 8 9 11 12 13", "5 6 7 13 14 15", "1 2 3 11 12 13"], "blue red green brown"),
]  # fmt: skip


@rows(RANKS)
def test_dogs_are_ranked_by_their_sets(row: tuple[list[str], str]) -> None:
    sets, rank = row
    race = shown(sets)
    assert " ".join(race.state()["rank"]) == rank
    assert race.news[-1].kind == "ranked"


def test_the_dummy_has_six_tens() -> None:
    assert DUMMY_SET == (10,) * 6
    assert ranked([DUMMY_SET, (10, 9, 8, 11, 12, 10)]) == (1, 0)


# --- sets ----------------------------------------------------------------------------------------

DEAL = Keyed("sets", (tuple(map(numbers, SIXES)),) * 4)
LAST = Keyed("last", (numbers("1 2 3 11 12 13"),) * 4)
HIGH_LAST = follow(game(bookie=0), Decision("deal", None, LAST))


def second_race(*first: str, **options: Any) -> Greyhounds:
    """Return race 2 after everybody has shown this set in race 1."""
    race = game(**options)
    return replace(race, race=2, shown=(tuple(map(numbers, first)),) * 4, run=Run(2, 28))


SETS = [
    ("four low cards", game(), "1 2 3 4 11 12", "a set has 3 low cards and 3 high ones: 1 to 10, and 11 to 20"),
    ("four high cards", game(), "1 2 11 12 13 14", "a set has 3 low cards and 3 high ones: 1 to 10, and 11 to 20"),
    ("five cards", game(), "1 2 3 11 12", "a set for this race has 6 cards"),
    ("a card twice", game(), "1 1 3 11 12 13", "the 1 is in the set twice"),
    ("no such card", game(), "0 1 3 11 12 13", "there is no card 0: they are numbered 1 to 20"),
    ("a card of race 1", second_race(SIXES[0]), "3 4 5 14 15 16", "Ada showed the 3 in an earlier race"),
    ("mixed from two dealt sets", follow(game(), Decision("deal", None, DEAL)), "1 2 4 11 12 14", "Ada has no such set to show: choose another"),
    ("six with a bookie", game(bookie=0), SIXES[0], "a set for this race has 5 cards"),
    ("more than fifty", game(bookie=0), "1 2 14 15 19", "these cards add to 51: at most 50 in races 1 and 2"),
    ("a card of the last set", HIGH_LAST, "1 5 6 7 8", "Ada keeps the 1 for race 3"),
    ("eight low cards", second_race("1 2 3 4 5", bookie=0), "6 7 8 11 12", "Ada may show 7 low cards in races 1 and 2: three are for race 3"),
    ("eight high cards", second_race("1 2 11 12 13", bookie=0), "14 15 16 17 18", "Ada may show 7 high cards in races 1 and 2: three are for race 3"),
    ("nothing left for race 2", HIGH_LAST, "4 5 6 7 8", "Ada then has no five cards for race 2: they add to at most 50"),
]  # fmt: skip


@rows(SETS)
def test_sets_that_may_not_be_shown(row: tuple[Greyhounds, str, str]) -> None:
    race, cards, reason = row
    assert refused(race, show(0, cards)) == reason


def test_with_a_bookie_race_3_is_run_with_six_again() -> None:
    race = replace(
        HIGH_LAST, race=3, shown=((numbers("4 5 6 14 15"), numbers("7 8 9 10 16")),) * 4, run=Run(3, 28)
    )
    assert refused(race, show(0, "1 2 3 11 12 17")) == "Ada has no such set to show: choose another"
    assert follow(race, show(0, "13 12 11 1 2 3")).shown[0][2] == numbers("1 2 3 11 12 13")


def test_a_dealt_set_is_shown_in_any_order_of_cards_and_of_seats() -> None:
    race = follow(game(), Decision("deal", None, DEAL), show(3, "19 18 17 9 8 7"))
    assert race.awaits() == ("show", (0, 1, 2))
    assert race.secrets_of(3)["sets"] == [list(numbers(cards)) for cards in SIXES[:2]]


DEALS = [
    ("the last sets without a bookie", game(), LAST, "the deal gives three sets to each seat; only with a bookie the last set alone"),
    ("all sets with a bookie", game(bookie=1), DEAL, "with a bookie the deal gives only the sets for race 3"),
    ("too few seats", game(3), DEAL, "a deal gives every seat its cards"),
    ("too few sets", game(), Keyed("sets", (DEAL.value[0][:2],) * 4), "Ada gets 3 sets"),
    ("a card in two sets", game(), Keyed("sets", ((*DEAL.value[0][:2], DEAL.value[0][0]), *DEAL.value[1:])), "Ada would get a card twice"),
    ("four low cards", game(), Keyed("sets", (*DEAL.value[:3], (numbers("1 2 3 10 11 12"), *DEAL.value[0][1:]))), "every set of Dev needs 3 low cards and 3 high ones"),
    ("after a show", follow(game(), show(0, SIXES[0])), DEAL, "cards are dealt only before the first set is shown, and once"),
    ("a second one", follow(game(), Decision("deal", None, DEAL)), DEAL, "cards are dealt only before the first set is shown, and once"),
]  # fmt: skip


@rows(DEALS)
def test_deals_that_may_not_be(row: tuple[Greyhounds, Keyed, str]) -> None:
    race, deal, reason = row
    assert refused(race, Decision("deal", None, deal)) == reason


def test_no_seat_waits_for_the_deal() -> None:
    race = game()
    assert race.awaits() == ("show", (0, 1, 2, 3))
    assert race.may_deal()
    assert not follow(race, show(0, SIXES[0])).may_deal()
    assert not follow(race, Decision("deal", None, DEAL)).may_deal()
    assert race.dealt_unseen() is None


# --- bets ----------------------------------------------------------------------------------------

BETS = [
    ("too much", ["win red 1000", "place red 1000", "double red blue 500"], "Ada bets 2500: at most 2000 in a race"),
    ("no bet", [], "Ada must bet: at least 500 in a race"),
    ("no multiple of the step", ["win red 700"], "a stake of 700 is not possible: stakes are multiples of 500"),
    ("nothing staked", ["win red 0", "place red 500"], "a stake of 0 is not possible: stakes are multiples of 500"),
    ("less than nothing", ["win red 1000", "place red -500"], "a stake of -500 is not possible: stakes are multiples of 500"),
    ("two of a kind", ["win red 500", "win blue 500"], "Ada bets on win twice: one bet of each kind"),
    ("a double on one dog", ["double red 500"], "a bet on double names two different dogs"),
    ("a double on one dog twice", ["double red red 500"], "a bet on double names two different dogs"),
    ("a win on two", ["win red blue 500"], "a bet on win names one dog"),
    ("no such dog", ["win pink 500"], "there is no dog pink in this game"),
    ("no such bet", ["show red 500"], "there is no bet show: there are win, place and double"),
]  # fmt: skip


@rows(BETS)
def test_bets_that_may_not_be(row: tuple[list[str], str]) -> None:
    bets, reason = row
    assert refused(shown(), bet(0, *bets)) == reason


def test_small_steps_still_add_to_five_hundred() -> None:
    race = shown(bet_step=1)
    assert refused(race, bet(0, "win red 499")) == "Ada bets 499: at least 500 in a race"
    assert follow(race, bet(0, "win red 499", "place blue 1")).bets[0]


@pytest.mark.parametrize(
    ("step", "stakes"), [(500, "500 1000 1500 2000"), (700, "700 1400"), (1900, "1900"), (2000, "2000")]
)
def test_stakes_are_multiples_of_the_step(step: int, stakes: str) -> None:
    race = shown(bet_step=step)
    legal = [n for n in range(1, 2501) if race.illegal_reason(bet(0, f"win red {n}")) is None]
    assert legal == list(numbers(stakes))


def test_one_two_or_three_bets_on_any_dog_the_own_and_the_dummy_too() -> None:
    race = shown(SIXES, bet_step=500)
    race = follow(
        race, bet(2, "double green brown 500", "win brown 500", "place green 1000"), bet(0, "win green 500")
    )
    assert race.awaits() == ("bet", (1,))
    assert race.money == (MONEY,) * 3
    assert story(race) == ["Ada has bet"]
    assert refused(race, bet(0, "win red 500")) == "Ada has bet on this race already"


# --- finish --------------------------------------------------------------------------------------

FINISHES = [
    # what happens, race and rank, progress before (lap 20), cards, progress after, home, out
    ("a dog must be past the line", (1, "0 1 2 3"), "18 0 0 0", "12 10 10 10", "20 0 0 0", "", ""),
    ("past it is home", (1, "0 1 2 3"), "18 0 0 0", "13 10 10 10", "21 0 0 0", "red", ""),
    ("two in a turn: further past the line", (3, "0 1 2 3"), "58 55 50 45", "6 10 3 3", "61 62 50 45", "blue red", ""),
    ("equally far: the one that was ahead", (3, "0 1 2 3"), "55 58 50 45", "10 7 3 3", "62 62 50 45", "blue red", ""),
    ("equally ahead: the better rank", (3, "1 0 2 3"), "58 58 50 45", "7 7 3 3", "62 62 50 45", "blue red", ""),
    ("more than a lap behind is out", (2, "0 1 2 3"), "15 2 15 15", "20 10 1 1", "34 11 15 15", "", "blue"),
    ("level with the leader is not lapped", (2, "0 1 2 3"), "15 5 15 15", "11 1 1 1", "25 5 15 15", "", ""),
    ("the winner counts only to the line", (2, "0 1 2 3"), "35 21 25 25", "20 1 1 1", "54 21 25 25", "red", ""),
    ("not a lap behind it", (2, "0 1 2 3"), "35 20 25 25", "20 1 1 1", "54 20 25 25", "red", "blue"),
    ("several lapped: by rank", (2, "3 2 1 0"), "25 16 2 3", "12 2 1 1", "36 17 2 3", "", "green brown"),
]  # fmt: skip


@rows(FINISHES)
def test_who_is_home_and_who_is_lapped(row: tuple[tuple[int, str], str, str, str, str, str]) -> None:
    (number, rank), stand, cards, progress, home, out = row
    race = turn(on_course(stand, number, rank=rank), cards)
    state = race.state()
    assert " ".join(map(str, state["progress"].values())) == progress
    assert (" ".join(state["home"]), " ".join(state["out"])) == (home, out)


def test_no_dog_is_lapped_in_race_1() -> None:
    assert turn(on_course("15 0 15 15", 1), "20 1 10 10").state()["out"] == []


def test_a_dog_that_is_home_plays_no_more_and_the_others_go_on() -> None:
    race = turn(on_course("18 0 0 0", 1), "13 10 10 10")
    assert race.awaits() == ("play", (1, 2, 3))
    assert race.layout()["red"] == Place("home")
    assert refused(race, play(0, 1)) == "the red dog runs no more in this race"


def test_a_lapped_dog_is_off_the_track() -> None:
    race = turn(on_course("15 2 15 15", 2), "20 10 1 1")
    assert race.layout()["blue"] == Place("out")
    assert race.layout()["red"] == Place("track", 14)


ENDS = [
    # what happens, race, progress before (lap 20), home, out, idle, cards, the places then
    ("three are home: the fourth is not placed", 1, "18 18 0 0", "2", "", 0, "20 20 - 1", "brown red blue"),
    ("the last one running takes the next place", 2, "39 39 30 0", "", "3", 0, "20 20 5 -", "red blue brown"),
    ("also the first place", 2, "39 2 2 2", "", "", 0, "11 1 1 1", "red"),
    ("two lapped by one home", 2, "39 15 15 30", "", "", 0, "20 1 1 9", "red green"),
    ("ten idle turns: by progress", 1, "5 9 7 0", "", "", 9, "1 1 1 1", "blue brown red"),
    ("ten idle turns: then by rank", 1, "5 5 5 5", "", "", 9, "1 1 1 1", "red blue brown"),
    ("up to the third place", 1, "21 5 9 0", "0", "", 9, "- 1 1 1", "red brown blue"),
    ("nine are not enough", 1, "5 9 7 0", "", "", 8, "1 1 1 1", ""),
    ("a move begins the count anew", 1, "5 9 7 0", "", "", 9, "2 1 1 1", ""),
]  # fmt: skip


@rows(ENDS)
def test_when_a_race_is_over(row: tuple[int, str, str, str, int, str, str]) -> None:
    number, stand, home, out, idle, cards, places = row
    race = on_course(stand, number, home=numbers(home), out=numbers(out), idle=idle)
    race = turn(race, cards)
    ended = " ".join(race.state()["races"][0]["places"]) if race.results else ""
    assert ended == places
    assert (race.due, race.race) == (
        ("play", number) if not places else ("show" if number < 3 else "", min(number + 1, 3))
    )


def test_the_fourth_over_the_line_in_one_turn_takes_no_place() -> None:
    race = turn(on_course("60 60 60 60", 3, rank="2 0 1 3"), "20 19 18 1")
    assert race.state()["home"] == ["red", "blue", "brown"]
    race = turn(on_course("60 60 60 59", 3, home=(), rank="2 0 1 3"), "20 19 18 17")
    assert race.state()["home"] == ["red", "blue", "brown"]


def test_after_the_last_race_everything_stays_as_it_ended() -> None:
    race = turn(on_course("59 59 59 30", 3), "20 19 18 1")
    assert race.awaits() is None
    assert race.state()["progress"] == {"red": 78, "blue": 77, "brown": 76, "green": 30}
    assert (race.state()["race"], race.state()["turn"]) == (3, 1)
    assert list(race.decisions(0)) == []
    assert refused(race, play(0, 1)) == "the game is finished"


# --- money ---------------------------------------------------------------------------------------

SETTLED = [
    # what happens, sheet of red, places (rank 0 1 2 3), returned less staked
    ("the favourite wins at 3", ["win red 500"], "red blue brown", 1000),
    ("another wins", ["win blue 500"], "red blue brown", -500),
    ("place on the first", ["place red 1000"], "red blue brown", 1000),
    ("place on the second", ["place brown 500"], "red brown blue", 1000),
    ("place on the third", ["place brown 500"], "red blue brown", -500),
    ("double, the other way round", ["double blue red 500"], "red blue brown", 1000),
    ("double on the first and third", ["double red brown 500"], "red blue brown", -500),
    ("a double needs a second", ["double red blue 500"], "red", -500),
    ("place where nobody is second", ["place blue 500"], "red", -500),
    ("all three", ["win green 500", "place brown 500", "double green brown 500"], "green brown red", 500 * (12 + 3 + 26) - 1500),
]  # fmt: skip


@rows(SETTLED)
def test_what_bets_bring(row: tuple[list[str], str, int]) -> None:
    bets, places, net = row
    sheet = bet(0, *bets).what
    race = on_course("0 0 0 0", 1)
    race = replace(race, bets=(sheet, *race.bets[1:]))
    race = replace(race, run=race.run._replace(home=tuple(DOGS.index(dog) for dog in places.split())))
    result = outcome.result_of(race)
    assert result.bets[0] == net
    assert result.money[0] == MONEY + net + result.prizes[0]


def test_a_payout_is_exact_and_rounded_down() -> None:
    assert payout(501, Decimal("1.9")) == 951
    assert payout(500, Decimal("1." + "9" * 40)) == 999
    assert payout(3, Decimal("1000")) == 3000


def test_a_race_settled_by_hand() -> None:
    """Red wins, blue second, brown third: prizes 1500 1000 500; Ada's win pays 3, Ben's place on blue 2."""
    race = on_course("18 17 16 0", 1)
    sheets = [
        bet(0, "win red 500"),
        bet(1, "place blue 1000"),
        bet(2, "double red brown 1500"),
        bet(3, "win green 2000"),
    ]
    race = turn(replace(race, bets=tuple(sheet.what for sheet in sheets)), "20 20 20 1")
    assert race.state()["races"] == [
        {
            "places": ["red", "blue", "brown"],
            "prizes": [1500, 1000, 500, 0],
            "bets": [1000, 1000, -1500, -2000],
        }
    ]
    assert race.money == (8500, 8000, 5000, 4000)
    assert story(race)[story(race).index("race 1 is over") :] == [
        "race 1 is over",
        "the red dog wins the race",
        "the blue dog is second",
        "the brown dog is third",
        "Ada gets $1500 of prize money",
        "Ben gets $1000 of prize money",
        "Cleo gets $500 of prize money",
        "Ada: win on the red dog, $500 at 3 pays $1500, won $1000",
        "Ben: place on the blue dog, $1000 at 2 pays $2000, won $1000",
        "Cleo: double on the red dog and the brown dog, $1500 lost",
        "Dev: win on the green dog, $2000 lost",
        "the bank took $5000, pays $3500 on bets and $3000 of prize money",
        "Ada has $8500",
        "Ben has $8000",
        "Cleo has $5000",
        "Dev has $4000",
    ]
    assert (race.race, race.due, race.run.rank, race.run.progress) == (2, "show", (), (0, 0, 0, 0))


def test_the_dummys_prize_is_not_paid() -> None:
    race = turn(on_course("55 54 30 58", 3, seats=3), "9 8 1 -")
    assert race.state()["home"] == ["green", "red", "blue"]
    assert race.results[0].prizes == (1000, 500, 0)


# --- the bookie ----------------------------------------------------------------------------------


def test_a_bookie_starts_with_the_bank() -> None:
    assert game(bookie=2).money == (6000, 6000, 24000, 6000)
    assert game(3, bookie=0).money == (18000, 6000, 6000)


def test_the_bookie_ranks_as_he_likes_and_does_not_bet() -> None:
    race = shown(FIVES[:1] * 4, bookie=1)
    assert race.awaits() == ("rank", (1,))
    assert race.state()["rank"] == []
    assert (
        refused(race, Decision("rank", None, ("red", "red", "blue", "green")))
        == "a ranking names each of the four dogs once, Dog 1 first"
    )
    race = follow(race, Decision("rank", None, ("green", "red", "blue", "brown")))
    assert race.awaits() == ("bet", (0, 2, 3))
    assert refused(race, bet(1, "win red 500")) == "Ben is the bookie and does not bet"


def test_the_bookie_gets_stakes_at_once_and_pays_bets_and_prizes() -> None:
    race = started(FIVES[:1] * 4, bookie=3, lap=5)
    assert race.money == (5500, 5500, 5500, 25500)
    race = replace(race, run=race.run._replace(progress=(5, 5, 5, 0)))
    race = reduce(turn, ("12 11 3 1", "- 12 2 2", "- - 11 3"), race)
    [result] = race.results
    assert [DOGS[dog] for dog in result.places] == ["red", "blue", "brown"]
    assert result.bets == (1000, 1000, 1000, -3000)
    assert result.prizes == (1500, 1000, 500, -3000)
    assert race.money == (8500, 8000, 7500, 18000)


def test_a_sheet_stays_sealed_from_the_others_for_any_stakes() -> None:
    """The stake is seen, and no example has it; another sheet of the same stake there still may be."""
    race = follow(shown(FIVES[:1] * 4, bookie=3), Decision("rank", None, DOGS))
    decision = bet(0, "win red 500", "win blue 500")
    sealed = Turn(decision, race.after(decision), (), "person", 1, secret=True)
    assert still_sealed(race, [sealed]) == {0}


def test_the_bookies_own_prize_moves_nothing() -> None:
    race = replace(
        on_course("18 17 16 0", 1), bookie=0, money=(24000, 5500, 5500, 5500), staked=(0, 500, 500, 500)
    )
    race = turn(replace(race, bets=(None, *race.bets[1:]), due="play"), "20 20 20 1")
    [result] = race.results
    assert result.prizes == (-1500, 1000, 500, 0)
    assert result.bets == (-3000, 1000, 1000, 1000)
    assert race.money == (24000 - 4500 - 1500, 8000, 7500, 7000)


def broke(money: int) -> Greyhounds:
    race = replace(
        on_course("18 17 16 0", 1), bookie=0, money=(money, 5500, 5500, 5500), staked=(0, 500, 500, 500)
    )
    return turn(replace(race, bets=(None, *race.bets[1:])), "20 20 20 1")


def test_a_bankrupt_bookie_pays_in_full_and_ends_the_game() -> None:
    race = broke(5999)
    assert race.awaits() is None
    assert race.money[0] == -1
    assert race.money[1:] == (8000, 7500, 7000)
    assert [standing.seat for standing in race.standings()] == [1, 2, 3, 0]
    assert story(race)[-3:] == ["Dev has $7000", "Ada is bankrupt: the game ends here", "the game is over"]
    assert presented(race).epilogue() == Sentence("{seat} is bankrupt: the game ends here", {"seat": 0})
    assert "Ada has −$1" in story(race)


def test_turns_without_a_move_that_end_a_race_are_in_the_story() -> None:
    race = turn(on_course("5 9 7 0", idle=9), "1 1 1 1")
    assert "10 turns without a move end the race" in story(race)


def test_the_first_dog_that_comes_home_is_explained_before_what_led_to_it() -> None:
    race = turn(on_course("0 17 16 18"), "1 20 1 20")
    assert race.due == "play"
    assert presented(race).happenings()[0] == "home"


def test_a_bookie_with_nothing_left_goes_on() -> None:
    race = broke(6000)
    assert (race.money[0], race.awaits()) == (0, ("show", (0, 1, 2, 3)))
    assert presented(broke(6000).replaced(due=None)).epilogue() is None


def test_the_dummy_dogs_card_has_no_owner() -> None:
    [turned] = [news for news in on_course("0 0 0 5", seats=3).news if news.kind == "turned"]
    assert turned.values == {"seat": None, "piece": "green", "card": 10}


# --- refusals ------------------------------------------------------------------------------------


def test_an_error_for_a_malformed_sheet_shows_the_form() -> None:
    with pytest.raises(InvalidInput, match=r"^bets must be a list of objects with kind, dogs, stake, not "):
        Greyhounds.forms["bet"].read("bets", ["red"])


REFUSALS = [
    ("bets are due", shown(), play(0, 1), "a bet is due now, not the card to play"),
    ("no such seat", game(), show(7, SIXES[0]), "there is no such seat"),
    ("a second set", follow(game(), show(0, SIXES[0])), show(0, SIXES[1]), "Ada has shown a set for this race already"),
    ("not in the set", started(), play(0, 20), "Ada has not shown the 20 for this race"),
    ("a second card", follow(started(), play(0, 1)), play(0, 2), "Ada has played in this turn already"),
    ("a dog behind", on_course("5 3 0 0"), play(1, 2), "the red dog is ahead of the blue dog and plays first"),
    ("the dummy", started(SIXES), play(3, 10), "nobody plays for the green dog: its card is always 10"),
    ("a ranking without a bookie", shown(), Decision("rank", None, DOGS), "a bet is due now, not the bookie's ranking"),
]  # fmt: skip


@rows(REFUSALS)
def test_what_the_rules_forbid_is_refused_with_its_reason(row: tuple[Greyhounds, Decision, str]) -> None:
    race, decision, reason = row
    assert text_of(race, reason_against(race, decision)) == reason


# --- options -------------------------------------------------------------------------------------

OPTIONS: list[tuple[Any, ...]] = [
    ("lap", {"lap": 0}, "lap must be 1 to 1000, not 0"),
    ("step", {"bet_step": 2001}, "bet_step must be 1 to 2000, not 2001"),
    ("bookie", {"bookie": False}, "bookie must be a whole number, not false"),
    ("bookie's seat", {"bookie": 4}, "bookie must be 0 to 3, not 4"),
    ("odds left empty", {"odds": None}, "odds must be an object with win, place, double, not null"),
    ("a part missing", {"odds": {"win": [1, 1, 1, 1]}}, "odds: the key 'place' is missing"),
    ("an unknown part", {"odds": {**CHART, "show": []}}, "odds: unknown key 'show'; there are win, place, double"),
    ("three ranks", {"odds": {**CHART, "win": [3, 5, 7]}}, "odds: win must be four numbers, for Dog 1 to Dog 4, not [3, 5, 7]"),
    ("no number", {"odds": {**CHART, "win": [3, 5, 7, True]}}, "odds: win must be a number, not true"),
    ("text", {"odds": {**CHART, "place": [3, 5, 7, "2"]}}, 'odds: place must be a number, not "2"'),
    ("below 1", {"odds": {**CHART, "win": [3, 5, 7, Decimal("0.99")]}}, "odds: win must be 1 to 1000, not 0.99"),
    ("above 1000", {"odds": {**CHART, "win": [3, 5, 7, Decimal("1000.01")]}}, "odds: win must be 1 to 1000, not 1000.01"),
    ("not a number at all", {"odds": {**CHART, "win": [3, 5, 7, float("nan")]}}, "odds: win must be 1 to 1000, not NaN"),
    ("a double missing", {"odds": {**CHART, "double": {"1-2": 3}}}, "odds: double: the key '1-3' is missing"),
    ("a pair that is none", {"odds": {**CHART, "double": {**CHART["double"], "2-1": 3}}}, "odds: double: unknown key '2-1'; there are 1-2, 1-3, 1-4, 2-3, 2-4, 3-4"),
]  # fmt: skip


@rows(OPTIONS)
def test_options_that_may_not_be(row: tuple[dict[str, Any], str]) -> None:
    options, reason = row
    with pytest.raises(ValueError) as error:  # noqa: PT011  its text is compared
        game(**options)
    assert str(error.value) == reason


def test_odds_are_read_exactly() -> None:
    odds = odds_of({**CHART, "win": [3, 2.1, Decimal("6.05"), 12], "place": (1, 1000, 3, Decimal("5.0"))})
    assert list(map(str, odds.win)) == ["3", "2.1", "6.05", "12"]
    assert odds_of(odds.as_data()) == odds
    assert odds_of(CHART) == STANDARD


def test_each_race_may_have_a_chart_of_its_own() -> None:
    """The slip and the settlement go by that of the race; a list of another length is refused."""
    charts = [{**CHART, "win": [odds, 5, 7, 12]} for odds in (2, 3, 4)]
    race = shown(RANKS[0][1], odds=charts)
    slip = presented(race).slip(0)
    assert slip is not None
    assert [int(bet.odds) for bet in slip.pays if bet.kind == "win"] == [2, 5, 7, 12]
    assert [int(race.replaced(race=number).pays.win[0]) for number in (1, 2, 3)] == [2, 3, 4]
    assert [
        panel.title.values for panel in presented(race).printed() if isinstance(panel.title, Sentence)
    ] == [
        {"race": 1},
        {"race": 2},
        {"race": 3},
    ]
    with pytest.raises(InvalidInput, match="one chart, or a list of 3, one for each race"):
        game(odds=charts[:2])


def test_the_slip_names_every_bet_with_its_payout() -> None:
    slip = presented(shown(RANKS[0][1])).slip(0)
    assert slip is not None
    assert (slip.step, slip.least, slip.most) == (500, 500, 2000)
    assert [(bet.kind, *bet.pieces, int(bet.odds)) for bet in slip.pays][3:10] == [
        ("win", "red", 12),
        ("place", "green", 2),
        ("place", "blue", 2),
        ("place", "brown", 3),
        ("place", "red", 5),
        ("double", "green", "blue", 3),
        ("double", "green", "brown", 6),
    ]
    assert presented(game()).slip(0) is None
    assert presented(started(FIVES[:1] * 4, bookie=3)).slip(3) is None


# --- secrets -------------------------------------------------------------------------------------

SECRETS = [
    ("a sheet", shown(), bet(0, "win red 500"), bet(0, "double blue green 500", "place red 1500")),
    ("a sheet of the same total, with a bookie", follow(shown(FIVES[:1] * 4, bookie=3), Decision("rank", None, DOGS)), bet(0, "win red 1000"), bet(0, "win blue 500", "place red 500")),
    ("a card set aside", started(), aside(0, 1), aside(0, 13)),
    ("a card among level dogs", started(), play(0, 1), play(0, 13)),
    ("a card among level dogs, others have chosen", follow(started(), play(1, 1)), play(0, 1), play(0, 13)),
]  # fmt: skip


@rows(SECRETS)
def test_two_choices_look_the_same_to_everybody_else_and_not_to_who_made_them(
    row: tuple[Greyhounds, Decision, Decision],
) -> None:
    race, one, other = row
    for viewer in (None, 1, 2, 3):
        first, second = (repr(checked(race, decision).seen_by(viewer)) for decision in (one, other))
        assert (first == second) == (viewer is None or viewer != race.bookie)
    assert checked(race, one).seen_by(0) != checked(race, other).seen_by(0)
    assert race.sealed(one) == race.sealed(other) is not None


def test_the_last_of_the_level_cards_is_public_at_once() -> None:
    race = follow(started(), play(1, 1), play(2, 1), play(3, 1))
    assert race.sealed(play(0, 2)) is None
    assert on_course("5 3 0 0").sealed(play(0, 2)) is None


def test_stakes_are_public_with_a_bookie_only() -> None:
    with_bookie = follow(shown(FIVES[:1] * 4, bookie=3), Decision("rank", None, DOGS), bet(0, "win red 1500"))
    assert presented(with_bookie.seen_by(1)).holdings(0) == {
        "money": 4500,
        "bet": True,
        "staked": 1500,
        "chosen": False,
    }
    assert story(with_bookie.seen_by(1)) == ["Ada has bet $1500"]
    without = follow(shown(), bet(0, "win red 1500"))
    assert presented(without.seen_by(1)).holdings(0) == {
        "money": 6000,
        "bet": True,
        "staked": None,
        "chosen": False,
    }


def test_dealt_sets_are_seen_by_their_seat_only() -> None:
    race = follow(game(), Decision("deal", None, DEAL))
    assert [race.seen_by(1).secrets_of(seat).get("sets") for seat in (0, 1)] == [
        None,
        [list(numbers(s)) for s in SIXES],
    ]
    assert HIDDEN in repr(race.seen_by(None).dealt)


def test_with_a_bookie_a_seat_knows_its_last_set_and_what_it_may_choose_from() -> None:
    race = HIGH_LAST.seen_by(2)
    assert race.secrets_of(2) == {
        "sets": [[1, 2, 3, 11, 12, 13]],
        "hand": [4, 5, 6, 7, 8, 9, 10, *range(14, 21)],
    }
    assert race.secrets_of(1) == {}


def test_what_a_seat_knows_of_its_own() -> None:
    race = follow(started(), aside(0, 1), play(0, 13))
    assert race.secrets_of(0) == {
        "hand": [2, 3, 11, 12],
        "bets": [{"kind": "win", "dogs": ["red"], "stake": 500}],
        "set_aside": 1,
        "choice": 13,
    }
    assert race.seen_by(1).secrets_of(0) == {"hand": [1, 2, 3, 11, 12, 13]}


def test_a_card_set_aside_is_public_once_five_others_were_played() -> None:
    race = follow(started(lap=500), aside(0, 3))
    race = reduce(lambda r, card: turn(r, " ".join([card] * 4)), ("11", "12", "13", "1"), race)
    assert race.seen_by(1).aside[0] == HIDDEN
    assert turn(race, "2 2 2 2").seen_by(1).aside == (3,) * 4


# --- cards on the pad ----------------------------------------------------------------------------


def test_cards_laid_one_by_one_make_a_set() -> None:
    race = game()
    part = race.laid("blue", 7)
    assert part == OneOf("show", 1, 6)
    assert game(bookie=0).laid("blue", 7) == OneOf("show", 1, 5)
    assert checked(race, part.made(numbers(SIXES[2]))).shown[1] == (numbers(SIXES[2]),)


def test_a_card_laid_in_a_race_is_played() -> None:
    assert started().laid("brown", 12) == play(2, 12)
    assert shown().laid("brown", 12) is None


@pytest.mark.parametrize("race", [game(3), started(SIXES)], ids=["show", "play"])
def test_the_dummys_cards_are_refused(race: Greyhounds) -> None:
    meant = race.laid("green", 10)
    assert isinstance(meant, Decision)
    assert (
        text_of(race, reason_against(race, meant)) == "nobody plays for the green dog: its card is always 10"
    )


MISFITS = [
    ("nothing wrong", game(), "1 2 11", None),
    ("a fourth low card", game(), "1 2 3 4", "a set has 3 low cards and 3 high ones: 1 to 10, and 11 to 20"),
    ("a card of an earlier race", second_race(SIXES[0]), "4 1", "Ada showed the 1 in an earlier race"),
    ("a card twice", game(), "1 1", "the 1 is in the set twice"),
    ("not in a dealt set", follow(game(), Decision("deal", None, DEAL)), "1 4", "Ada has no such set to show: choose another"),
    ("over fifty", game(bookie=0), "20 19 18", "these cards add to 57: at most 50 in races 1 and 2"),
    ("no two more to fit", game(bookie=0), "20 19 10", "no legal set of 5 can be made with these cards"),
    ("just fits", game(bookie=0), "20 19 8", None),
    ("too many low for race 2", second_race("1 2 3 4 5", bookie=0), "6 7 8", "Ada may show 7 low cards in races 1 and 2: three are for race 3"),
]  # fmt: skip


@rows(MISFITS)
def test_why_a_set_that_is_being_laid_cannot_be_finished(row: tuple[Greyhounds, str, str | None]) -> None:
    race, cards, reason = row
    news = race.misfit(OneOf("show", 0, presented(race).needed("show", 0)), numbers(cards))
    assert (None if news is None else text_of(race, presented(race).sentence(news))) == reason


# --- what the page shows -------------------------------------------------------------------------


def cells(race: Race, panel: Panel) -> list[list[str]]:
    return [
        ["" if c is None else text_of(race, c) if isinstance(c, Sentence) else str(c) for c in row]
        for row in (panel.head, *panel.rows)
    ]


def panel(race: Greyhounds, name: str) -> list[list[str]]:
    return next(cells(race, panel) for panel in presented(race).panels() if panel.name == name)


@pytest.mark.parametrize("bookie", [None, 1])
def test_what_is_looked_at_now_comes_first(bookie: int | None) -> None:
    """The settlement until all have shown a set, the odds while bets are made, the cards while dogs run."""
    race: Race = Greyhounds.new(("Ada", "Ben", "Cleo"), 0, **({} if bookie is None else {"bookie": bookie}))
    rng, first = random.Random(3), {"show": "settlement", "rank": "odds", "bet": "odds", "play": "table"}
    while (decision := random_decision(race, rng)) is not None:
        race = checked(race, decision)
        assert isinstance(race, Greyhounds)
        names = [panel.name for panel in presented(race).panels()]
        assert names[0] == (
            first.get(race.due, "settlement") if race.results or race.due == "play" else "odds"
        )
        assert ("settlement" in names) == (race.due != "play" and len(race.results) > 0)


def test_the_odds_stand_next_to_the_dogs() -> None:
    assert panel(shown(RANKS[0][1]), "odds") == [
        ["", "win", "place", "Dog 2", "Dog 3", "Dog 4"],
        ["Dog 1 the green dog", "3", "2", "3", "6", "9"],
        ["Dog 2 the blue dog", "5", "2", "", "11", "19"],
        ["Dog 3 the brown dog", "7", "3", "", "", "26"],
        ["Dog 4 the red dog", "12", "5", "", "", ""],
    ]


def test_the_table_shows_cards_moves_and_who_has_chosen() -> None:
    race = turn(on_course("0 0 0 0", 2), "18 14 14 4")
    race = follow(race, play(0, 1), play(1, 13))
    assert panel(race.seen_by(None), "table") == [
        ["", "now", "turn before", "progress"],
        ["the red dog", "1", "18 − 4 = 14", "14"],
        ["the blue dog", "chosen", "14 − 4 = 10", "10"],
        ["the brown dog", "", "14 − 4 = 10", "10"],
        ["the green dog", "", "4 stays", "0"],
    ]


def test_the_sets_show_what_is_spent_and_a_card_set_aside_only_to_its_owner() -> None:
    race = turn(follow(started(), aside(0, 3)), "13 12 11 2")
    assert panel(race.seen_by(None), "hands")[1] == ["the red dog", "1", "2", "3", "11", "12", "(13)", "42"]
    assert panel(race.seen_by(0), "hands")[1] == [
        "the red dog",
        "1",
        "2",
        "3 aside",
        "11",
        "12",
        "(13)",
        "42",
    ]
    assert panel(started(SIXES), "hands")[4] == ["the green dog", *["10"] * 6, "60"]


def test_the_settlement_is_shown_line_by_line() -> None:
    race = turn(on_course("18 17 16 0", 1), "20 20 20 1")
    assert panel(race, "settlement")[:2] == [
        ["", "", "stake", "back"],
        ["Ada", "win: the red dog", "500 × 3", "1500"],
    ]
    assert panel(race, "settlement")[5:9] == [
        ["the bank", "all bets", "2000", "6000"],
        ["the bank", "prize money paid", "", "3000"],
        ["Ada", "prize money", "", "1500"],
        ["Ada", "money now", "", "8500"],
    ]


def test_dogs_wait_on_the_start_unsensed_until_they_move() -> None:
    race = turn(on_course("0 0 0 0", 1), "13 1 2 3")
    assert race.unsensed() == {"blue", "brown", "green"}
    assert race.layout()["blue"] == Place("track", 0)
    assert race.layout()["red"] == Place("track", 10)


def test_the_course_knows_its_laps_and_whether_it_is_a_placeholder() -> None:
    assert on_course("0 0 0 0", 2, lap=30).track()["laps"] == 2
    assert game().track()["placeholder"]
    assert game(lap=30).track()["placeholder"]
    assert not game(lap=30, odds={**CHART, "win": [3, 5, 7, 13]}).track()["placeholder"]


PROMPTS = [
    ("all show", game(), "everyone: show a set of 6 cards"),
    ("one shows", follow(game(3, bookie=0), show(0, FIVES[0]), show(1, FIVES[0])), "Cleo, show a set of 5 cards"),
    ("the bookie ranks", shown(FIVES[:1] * 4, bookie=2), "Cleo, rank the dogs, the favourite first"),
    ("bets", shown(), "everyone: place your bets"),
    ("first cards", started(), "everyone: set one card aside, choose another"),
    ("first cards of five", started(FIVES[:1] * 4, bookie=2), "everyone: choose a card each"),
    ("one card", on_course("5 3 0 0", turn=3), "Ada, play a card"),
]  # fmt: skip


@rows(PROMPTS)
def test_what_is_due_is_said(row: tuple[Greyhounds, str]) -> None:
    race, text = row
    assert text_of(race, presented(race).prompt()) == text


TO_A_SEAT = [
    ("shows", game(), 0, "show a set of 6 cards"),
    ("bets", shown(), 2, "place your bets"),
    ("first card", started(), 1, "set one card aside, then play another"),
    ("later card", on_course("5 3 0 0", turn=3), 0, "play one card"),
    ("not due", on_course("5 3 0 0", turn=3), 1, None),
]  # fmt: skip


@rows(TO_A_SEAT)
def test_a_phone_says_what_is_due_from_its_seat(row: tuple[Greyhounds, int, str | None]) -> None:
    race, seat, text = row
    addressed = presented(race).addressed(seat)
    assert (addressed and text_of(race, addressed)) == text


def test_several_are_called_by_their_names_until_all_are() -> None:
    race = follow(game(), show(0, SIXES[0]))
    assert text_of(race, presented(race).prompt()) == "Ben, Cleo and Dev: show a set of 6 cards"


def test_the_stage_tells_race_and_turn() -> None:
    assert text_of(game(), presented(game()).stage()) == "Race 1 of 3"
    assert text_of(game(), presented(on_course("5 3 0 0", 2, turn=3)).stage()) == "Race 2 of 3, turn 4"


# --- whole games at random -----------------------------------------------------------------------

some = settings(max_examples=25, deadline=None)
seeds = st.integers(0, 2**32)


def random_game(seed: int, **options: Any) -> list[Greyhounds]:
    """Return every position of a random game, cards dealt or not."""
    rng = random.Random(seed)
    race = game(
        rng.choice((3, 4)), lap=rng.choice((1, 5, 12)), bet_step=rng.choice((1, 300, 500, 2000)), **options
    )
    positions = [race]
    if rng.random() < 0.5:
        positions.append(race := race.after(race.at_random(0, rng)))
    while (decision := random_decision(race, rng)) is not None:
        positions.append(race := checked(race, decision))
    return positions


@some
@given(seed=seeds)
def test_with_a_bookie_money_is_conserved(seed: int) -> None:
    """A gain of one is another's payment: at every moment there is as much money as at the start."""
    positions = random_game(seed, bookie=seed % 3)
    assert {sum(race.money) for race in positions} == {sum(positions[0].money)}


@some
@given(seed=seeds)
def test_no_seat_bets_more_than_it_has(seed: int) -> None:
    """6000 dollars last for three races of 2000 at most: no sheet is ever too dear, no bettor below zero."""
    for race in random_game(seed, bookie=seed % 4 if seed % 4 < 3 else None):
        assert min(money for seat, money in enumerate(race.money) if seat != race.bookie) >= 0
        if race.due == "show":
            assert all(money >= MOST for seat, money in enumerate(race.money) if seat != race.bookie)


@some
@given(seed=seeds)
def test_every_game_ends_after_at_most_three_races(seed: int) -> None:
    """The last position is finished: three races are settled, or the bookie is bankrupt."""
    last = random_game(seed, bookie=seed % 4 if seed % 4 < 3 else None)[-1]
    assert last.awaits() is None
    assert len(last.results) == 3 or last.money[last.bookie or 0] < 0
    for result in last.results:
        assert len(set(result.places)) == len(result.places) <= 3


@some
@given(seed=seeds)
def test_no_seat_shows_a_card_twice_or_plays_what_it_has_not_shown(seed: int) -> None:
    for race in random_game(seed, bookie=0 if seed % 2 else None):
        for seat, sets in enumerate(race.shown):
            cards = [card for one in sets for card in one]
            assert len(set(cards)) == len(cards)
            if race.due == "play":
                assert set(race.played[seat]) <= set(race.set_of(seat))


@some
@given(seed=seeds)
def test_a_guess_may_be_the_truth(seed: int) -> None:
    """Values hidden from a seat are filled with sets, sheets and cards that the rules allow."""
    rng = random.Random(seed)
    for race in rng.sample(random_game(seed, bookie=seed % 4 if seed % 4 < 3 else None), 5):
        guess = race.seen_by(rng.randrange(len(race.seats))).guessed(rng)
        for seat in range(len(race.seats)):
            sets, sheet, choice = guess.sets_of(seat), guess.bets[seat], guess.choice[seat]
            assert (sets is None) == (race.sets_of(seat) is None)
            assert all(set(cards) <= guess.unshown(seat) for cards in sets or ())
            assert (sheet is None) == (race.bets[seat] is None)
            assert choice is None or choice in guess.playable(seat)
            if isinstance(sheet, tuple):
                assert sheet_refused(sheet, DOGS, race.bet_step) is None
                assert race.bookie is None or staked(sheet) == race.staked[seat]
            if race.bookie is not None and race.race == 2 and len(guess.shown[seat]) == 1 and sets:
                assert five_left(guess.free(seat))


@some
@given(seed=seeds, step=st.integers(1, 2000))
def test_a_random_sheet_is_legal(seed: int, step: int) -> None:
    """For every step between 500 and 2000 there is always something to bet."""
    sheet = random_sheet(DOGS, step, random.Random(seed))
    assert sheet_refused(sheet, DOGS, step) is None
    assert LEAST <= staked(sheet) <= MOST
