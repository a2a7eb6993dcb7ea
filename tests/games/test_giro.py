"""Giro Galoppo, a row a rule, as a player would read it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.giro.rules import CARDS, OBSTACLES, STANDARD, Board, GiroGaloppo, board_of
from companion.games.judge import IllegalDecision, checked
from companion.games.panel import Panel
from companion.games.presenter import presented
from companion.games.race import Race, random_decision
from companion.games.terms import HIDDEN, Decision, Place, Sealed
from companion.message import Sentence
from companion.translate import Words

NAMES = ("Ada", "Ben", "Cleo", "Dev", "Emma")
COURSE = {"finish": 30, "natural": [17, 18, 19], "sand": [21, 23, 25, 27, 29]}  # obstacles on all its sand


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def horses(stand: str, **options: Any) -> GiroGaloppo:
    """Return the horses of Ada, Ben … on these spaces of COURSE, 0 in the gate, all obstacles laid."""
    progress = numbers(stand)
    race = GiroGaloppo.new(NAMES[: len(progress)], **{"board": COURSE, **options})
    return replace(race, obstacles=(21, 23, 25, 27, 29), progress=progress)


def turned(race: GiroGaloppo, cards: str) -> GiroGaloppo:
    """Return the position after everybody, Ada first, has chosen a card."""
    chosen = (Decision("play", seat, card) for seat, card in enumerate(numbers(cards)))
    return reduce(checked, chosen, race)


def laying(laid: str = "", seats: int = 3, **options: Any) -> GiroGaloppo:
    """Return the race with these obstacles laid, each by the seat that is due."""
    race = GiroGaloppo.new(NAMES[:seats], **options)
    return reduce(lambda r, space: checked(r, lay(r, space)), numbers(laid), race)


def lay(race: Race, space: int) -> Decision:
    due = race.awaits()
    assert due is not None
    return Decision("place-obstacle", due.seats[0], space)


def refused(race: Race, decision: Decision) -> str:
    with pytest.raises(IllegalDecision) as reason:
        checked(race, decision)
    return str(reason.value)


def told(race: Race, sentence: Sentence | None) -> str:
    assert sentence is not None
    return Words.english().text(sentence, race)


def story(race: GiroGaloppo) -> str:
    return ", ".join(told(race, presented(race).sentence(news)) for news in race.news)


def rows(table: list[tuple[Any, ...]]) -> Any:
    """Return the rows of a table, each named by its first column."""
    return [pytest.param(*row[1:], id=row[0]) for row in table]


# --- moves ---------------------------------------------------------------------------------------

MOVES = [
    # what happens, where Ada, Ben … stand, their cards, where they stand then
    ("from the gate a card names the space", "0 0", "2 5", "2 5"),
    ("spaces between are counted and jumped", "4 5 6", "4 6 5", "8 11 10"),
    ("obstacles between are jumped too", "16 0", "4 1", "20 1"),
    ("the lowest card moves first", "1 2", "4 3", "5 4"),
    ("the lowest card moves first, whoever has it", "2 1", "3 4", "4 5"),
    ("of equals the one furthest behind moves first", "4 5", "1 1", "4 5"),
    ("equals are judged again after each of their moves", "4 6 5", "2 2 2", "4 6 7"),
    ("the gate is behind every space", "1 0", "1 1", "1 0"),
    ("equals in the gate go by age", "0 0", "2 2", "1 2"),
    ("a natural obstacle stops the horse", "15 3", "2 1", "15 4"),
    ("a loose obstacle stops the horse", "3 20", "1 1", "4 20"),
    ("a card onto an obstacle is spent on it", "12 3", "6 4", "12 7"),
    ("a horse goes back to the nearest space", "4 6", "2 5", "6 10"),
    ("the old space of the mover is free", "5 6", "1 6", "6 11"),
    ("back past another horse", "3 6 5", "3 4 6", "6 8 11"),
    ("back past a row of obstacles", "14 20 3", "6 6 1", "20 22 4"),
    ("back over the obstacles to the old space", "16 20", "4 5", "20 16"),
    ("back into the gate when nothing is free", "0 1", "1 4", "1 4"),
    ("the gate has room for all", "0 2 1 0", "2 3 3 6", "2 3 4 6"),
    ("a pushed horse displaces nobody", "2 5 4 3", "3 6 6 6", "5 8 10 9"),
    ("a horse that has moved is pushed all the same", "3 1", "2 4", "4 5"),
    ("behind the line all is the same", "28 30", "4 2", "32 31"),
    ("behind the line a horse is pushed past others", "30 28 26", "1 4 6", "31 30 32"),
    ("a horse may be pushed back over the line", "28 30", "3 1", "31 30"),
]


@pytest.mark.parametrize(("stand", "cards", "then"), rows(MOVES))
def test_cards_move_the_horses(stand: str, cards: str, then: str) -> None:
    assert turned(horses(stand), cards).progress == numbers(then)


REARMOST = [
    ("only the rearmost of equals moves", "4 7 0", "2 2 1", "6 7 1"),
    ("in the gate only the oldest", "0 0 0", "2 2 2", "2 0 0"),
    ("the others miss the turn also when it is stopped", "15 20 0", "2 2 1", "15 20 1"),
    ("judged when the value is due", "10 9 6", "5 5 4", "13 9 10"),
    ("each value by itself", "4 5 7 8", "1 1 2 2", "5 4 9 8"),
    ("a card that nobody else has moves", "0 0", "2 5", "2 5"),
]


@pytest.mark.parametrize(("stand", "cards", "then"), rows(REARMOST))
def test_rearmost_only(stand: str, cards: str, then: str) -> None:
    assert turned(horses(stand, rearmost_only=True), cards).progress == numbers(then)


@pytest.mark.parametrize("age", [[0, 1, 2], [1, 2, 0], [2, 1, 0]], ids=str)
def test_equals_leave_the_gate_oldest_first(age: list[int]) -> None:
    assert [step.seat for step in turned(horses("0 0 0", age=age), "2 2 2").steps] == age


def test_the_round_is_told_in_the_order_of_moving() -> None:
    assert story(turned(horses("3 6 20 0"), "3 6 1 6")) == (
        "the green horse stays: an obstacle on 21, the red horse to 6, the blue horse back to 5, "
        "the yellow horse to 6, the red horse back to 4, the blue horse to 11, round 1 is over"
    )


# --- the end -------------------------------------------------------------------------------------

ENDS = [
    # what happens, where they stand, cards, the standings ("-": unplaced; "": the game goes on)
    ("the furthest past the line wins", "28 29 3", "3 6 1", "Ben 1 Ada 2 Cleo -"),
    ("on the last space is not past the line", "28 3", "2 1", ""),
    ("the round is played to its end", "30 28", "1 4", "Ben 1 Ada 2"),
    ("pushed back over the line is unplaced", "30 28", "1 3", "Ben 1 Ada -"),
    ("all of them past the line", "30 28 26", "1 5 6", "Ben 1 Cleo 2 Ada 3"),
    ("those unplaced by seat", "3 30 5", "1 1 1", "Ben 1 Ada - Cleo -"),
]


@pytest.mark.parametrize(("stand", "cards", "standings"), rows(ENDS))
def test_the_end(stand: str, cards: str, standings: str) -> None:
    race = turned(horses(stand), cards)
    said = " ".join(f"{s.name} {s.place or '-'}" for s in race.standings())
    if standings:
        assert (race.awaits(), said, race.round) == (None, standings, 1)
        assert race.news[-1].kind == "game-over"
        assert refused(race, Decision("play", 0, 6)) == "the game is finished"
    else:
        assert race.awaits() is not None
        assert {s.place for s in race.standings()} == {None}
        assert race.round == 2


def test_nobody_has_a_place_before_the_end() -> None:
    assert [(s.seat, s.score, s.place) for s in horses("3 9 4").standings()] == [
        (0, 3, None), (1, 9, None), (2, 4, None)
    ]  # fmt: skip


# --- the hand ------------------------------------------------------------------------------------


def test_a_used_card_is_gone_until_all_six_come_back() -> None:
    race = reduce(turned, ["1 6", "2 5", "3 4", "4 3", "5 2"], horses("0 0"))
    assert race.state()["hand_used"] == [[1, 2, 3, 4, 5], [2, 3, 4, 5, 6]]
    assert refused(race, Decision("play", 0, 5)) == (
        "Ada has used the 5 already: it comes back with the next hand"
    )
    assert race.decisions(0) == [Decision("play", 0, 6)]
    race = turned(race, "6 1")
    assert race.state()["hand_used"] == [[], []]
    assert [decision.what for decision in race.decisions(0)] == list(CARDS)


def test_the_hand_is_empty_after_the_sixth_card_of_the_last_round_too() -> None:
    race = replace(horses("30 0"), used=((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)))
    assert turned(race, "6 1").state()["hand_used"] == [[], []]


CARD_REFUSALS = [
    ("no such card", Decision("play", 0, 7), "a card is 1 to 6, not 7"),
    ("a hidden card", Decision("play", 0, HIDDEN), "a card is 1 to 6, not ?"),
    ("a card changed", Decision("play", 1, 4), "Ben has chosen already, and a card cannot be changed"),
    ("no such seat", Decision("play", 7, 4), "there is no such seat"),
    ("not now", Decision("place-obstacle", 0, 3), "play is due now, not place-obstacle"),
]


@pytest.mark.parametrize(("decision", "reason"), rows(CARD_REFUSALS))
def test_what_the_rules_forbid_is_refused_with_its_reason(decision: Decision, reason: str) -> None:
    race = checked(horses("0 0 0"), Decision("play", 1, 4))
    assert refused(race, decision) == reason


# --- obstacles -----------------------------------------------------------------------------------

LAST_STRETCH = {"finish": 12, "natural": [6], "sand": [1, 2, 3, 4, 8, 9, 10, 12]}
OBSTACLE_REFUSALS = [
    # what happens, the board, obstacles that lie, the next one, why it may not lie there
    ("only on sand", STANDARD, "", 6, "no obstacle may lie on 6: obstacles go on sand"),
    ("not on a natural one", STANDARD, "", 7, "no obstacle may lie on 7: obstacles go on sand"),
    ("one per space", STANDARD, "9", 9, "an obstacle lies on 9 already"),
    ("a free space to the next loose one", STANDARD, "9", 10, "no obstacle may lie on 10: it would be next to the one on 9"),
    ("a free space to a natural one", LAST_STRETCH | {"sand": [1, 3, 5, 8, 10, 12]}, "", 5, "no obstacle may lie on 5: it would be next to the one on 6"),
    ("two in the last stretch", STANDARD, "3 5 9 22", 17, "no obstacle may lie on 17: at least two of the five must lie after 20, the last natural one"),
    ("two in the last stretch, as long as there is time", STANDARD, "3 5 9", 17, "no obstacle may lie on 17: at least two of the five must lie after 20, the last natural one"),
    ("two in the last stretch, as long as there is room", {"finish": 13, "natural": [9], "sand": [1, 3, 5, 7, 11, 12, 13]}, "", 12, "no obstacle may lie on 12: at least two of the five must lie after 9, the last natural one"),
    ("room for all the others", LAST_STRETCH | {"sand": [1, 2, 3, 8, 10, 11, 12]}, "8", 2, "no obstacle may lie on 2: there would be no room for the others"),
]  # fmt: skip


@pytest.mark.parametrize(("board", "laid", "space", "reason"), rows(OBSTACLE_REFUSALS))
def test_where_no_obstacle_may_lie(board: Any, laid: str, space: int, reason: str) -> None:
    race = laying(laid, board=board)
    assert refused(race, lay(race, space)) == reason


OBSTACLE_SPACES = [
    # what happens, the board, obstacles that lie, where the next one may
    ("all the sand of the placeholder", STANDARD, "", "3 4 5 9 10 11 12 13 17 18 22 23 24 25 26"),
    ("not beside those that lie", STANDARD, "4 11", "9 13 17 18 22 23 24 25 26"),
    ("the last two in the last stretch", STANDARD, "3 5 9", "22 23 24 25 26"),
    ("only where the fifth one has room", STANDARD, "3 5 9 24", "22 26"),
    ("the line itself is in the last stretch", LAST_STRETCH, "1 3 8", "10 12"),
    ("without natural ones all is the last stretch", {"finish": 9, "natural": [], "sand": [*range(1, 10)]}, "", "1 3 5 7 9"),
]  # fmt: skip


@pytest.mark.parametrize(("board", "laid", "spaces"), rows(OBSTACLE_SPACES))
def test_where_an_obstacle_may_lie(board: Any, laid: str, spaces: str) -> None:
    race = laying(laid, board=board)
    due = race.awaits()
    assert due is not None
    assert tuple(decision.what for decision in race.decisions(due.seats[0])) == numbers(spaces)


def test_the_youngest_lays_first_then_clockwise() -> None:
    race, seats = GiroGaloppo.new(NAMES[:3], age=[0, 2, 1]), []
    for space in (9, 13, 17, 22, 26):
        seats.append(lay(race, space).seat)
        race = checked(race, lay(race, space))
    assert seats == [1, 2, 0, 1, 2]
    assert race.awaits() == ("play", (0, 1, 2))
    assert refused(GiroGaloppo.new(NAMES[:3]), Decision("place-obstacle", 0, 9)) == (
        "it is Cleo's turn, not Ada's"
    )


def all_layings(finish: int, natural: set[int], sand: set[int]) -> list[set[int]]:
    """Return every way to lay five obstacles, by the letter of the rules."""
    last = max(natural, default=0)
    return [
        set(five)
        for five in combinations(sorted(sand), OBSTACLES)
        if not any({space - 1, space + 1} & (natural | set(five)) for space in five)
        and sum(last < space <= finish for space in five) >= 2
    ]


@st.composite
def small_boards(draw: Any) -> tuple[int, set[int], set[int]]:
    """Return boards of up to 16 spaces, playable or not; mostly sand."""
    kinds = draw(st.lists(st.sampled_from("sssssng"), min_size=6, max_size=16))
    return (
        len(kinds),
        {n for n, kind in enumerate(kinds, 1) if kind == "n"},
        {n for n, kind in enumerate(kinds, 1) if kind == "s"},
    )


@settings(max_examples=300, deadline=None)
@given(board=small_boards(), seed=st.integers(0, 2**32))
def test_obstacles_may_lie_where_the_rest_can_be_laid_by_brute_force(
    board: tuple[int, set[int], set[int]], seed: int
) -> None:
    """A space is legal exactly if some way to lay all five agrees with it and with those that lie."""
    ways, rng = all_layings(*board), random.Random(seed)
    given_board = dict(
        zip(("finish", "natural", "sand"), (board[0], sorted(board[1]), sorted(board[2])), strict=True)
    )
    if not ways or any({n + i for i in range(6)} <= board[1] for n in board[1]):
        with pytest.raises(ValueError, match=r"^(board: more than 5|five obstacles cannot be laid)"):
            board_of(given_board)
        return
    race: Race = GiroGaloppo.new(NAMES[:2], board=given_board)
    for count in range(OBSTACLES):
        due = race.awaits()
        assert due is not None
        laid = set(race.state()["obstacles"])
        assert len(laid) == count
        may = {space for way in ways if laid <= way for space in way - laid}
        assert {decision.what for decision in race.decisions(due.seats[0])} == may
        race = checked(race, race.at_random(due.seats[0], rng))


def test_a_thousand_spaces_of_sand() -> None:
    race = GiroGaloppo.new(NAMES[:2], board={"finish": 1000, "natural": [], "sand": [*range(1000, 0, -1)]})
    assert len(race.decisions(1)) == 1000
    end = checked(race, Decision("place-obstacle", 1, 500))
    assert len(end.decisions(0)) == 997


# --- what is refused before the game --------------------------------------------------------------

GOOD: dict[str, Any] = {"finish": 12, "natural": [6], "sand": [1, 3, 8, 10, 12]}
BOARD_REFUSALS: list[tuple[str, Any, str]] = [
    ("no object", [12], "board must be an object with finish, natural and sand, not [12]"),
    ("null", None, "board must be an object with finish, natural and sand, not null"),
    ("a key missing", {"natural": [], "sand": []}, "board: the key 'finish' is missing"),
    ("an unknown key", GOOD | {"sands": []}, "board: unknown key 'sands'; it has finish, natural, sand"),
    ("finish no number", GOOD | {"finish": "12"}, 'board: finish must be a whole number, not "12"'),
    ("finish true", GOOD | {"finish": True}, "board: finish must be a whole number, not true"),
    ("finish too small", GOOD | {"finish": 0}, "board: finish must be 1 to 1000, not 0"),
    ("finish too great", GOOD | {"finish": 1001}, "board: finish must be 1 to 1000, not 1001"),
    ("no list", GOOD | {"sand": 3}, "board: sand must be a list of spaces, not 3"),
    ("no list but null", GOOD | {"natural": None}, "board: natural must be a list of spaces, not null"),
    ("no space", GOOD | {"natural": [6.0]}, "board: a space of natural must be a whole number, not 6.0"),
    ("behind the line", GOOD | {"sand": [13]}, "board: a space of sand must be 1 to 12, not 13"),
    ("before the first space", GOOD | {"natural": [0]}, "board: a space of natural must be 1 to 12, not 0"),
    ("named twice", GOOD | {"sand": [1, 3, 1]}, "board: space 1 is named twice in sand"),
    ("natural and sand", GOOD | {"natural": [6, 8]}, "board: space 8 is named as natural and as sand"),
    ("six natural ones in a row", {"finish": 30, "natural": [2, 3, 4, 5, 6, 7], "sand": [9, 11, 13, 15, 17]}, "board: more than 5 natural obstacles in a row from 2 on"),
    ("too little sand", GOOD | {"sand": [1, 3, 8, 12]}, "five obstacles cannot be laid on this board"),
    ("sand beside the natural ones", GOOD | {"sand": [1, 3, 5, 7, 8, 10]}, "five obstacles cannot be laid on this board"),
    ("one in the last stretch", GOOD | {"natural": [10], "sand": [1, 3, 5, 7, 12]}, "five obstacles cannot be laid on this board"),
]  # fmt: skip


@pytest.mark.parametrize(("board", "reason"), rows(BOARD_REFUSALS))
def test_a_board_that_does_not_fit_is_refused(board: Any, reason: str) -> None:
    for refuse in (lambda: board_of(board), lambda: GiroGaloppo.new(NAMES[:2], board=board)):
        with pytest.raises(ValueError, match="board") as refusal:
            refuse()
        assert str(refusal.value).startswith(reason)


def test_a_board_is_read_in_any_order() -> None:
    board = Board(12, (6,), (1, 3, 8, 10, 12))
    assert board_of(GOOD | {"sand": [12, 3, 1, 10, 8]}) == board_of(board) == board


def test_five_natural_obstacles_may_stand_in_a_row() -> None:
    sand = (9, 11, 13, 15, 17)
    assert board_of({"finish": 30, "natural": [6, 2, 3, 4, 5], "sand": sand}) == (30, (2, 3, 4, 5, 6), sand)


AGE_REFUSALS = [
    ("one missing", [0, 1], "age must name each seat from 0 to 2 once, oldest first, not [0, 1]"),
    ("one twice", [0, 1, 1], "age must name each seat from 0 to 2 once, oldest first, not [0, 1, 1]"),
    ("no seat", [0, 1, 3], "age must name each seat from 0 to 2 once, oldest first, not [0, 1, 3]"),
    ("no numbers", [0, 1, "2"], 'age must be a list of seats, not [0, 1, "2"]'),
    ("true is no seat", [0, True, 2], "age must be a list of seats, not [0, true, 2]"),
    ("null", None, "age must be a list of seats, not null"),
]


@pytest.mark.parametrize(("age", "reason"), rows(AGE_REFUSALS))
def test_an_order_of_age_that_does_not_fit_is_refused(age: Any, reason: str) -> None:
    with pytest.raises(ValueError, match="age must") as refusal:
        GiroGaloppo.new(NAMES[:3], age=age)
    assert str(refusal.value) == reason


# --- secrets -------------------------------------------------------------------------------------


def test_a_card_is_secret_until_the_last_one_is_in() -> None:
    race = horses("0 0 0")
    assert race.sealed(Decision("play", 0, 3)) == Sealed()
    one, other = (checked(race, Decision("play", 0, card)) for card in (3, 4))
    for viewer in (None, 1, 2):
        assert one.seen_by(viewer) == other.seen_by(viewer)
        assert one.seen_by(viewer).choices == (HIDDEN, None, None)
    assert one.seen_by(0) != other.seen_by(0)
    assert one.news == other.news == [("chosen", {"seat": 0})]
    assert one.state() == other.state() == race.state()
    last = checked(one, Decision("play", 2, 5))
    assert last.sealed(Decision("play", 1, 1)) is None


def test_the_owner_knows_the_hand_and_the_choice() -> None:
    race = turned(horses("0 0"), "2 5")
    assert race.secrets_of(0) == {"hand": [1, 3, 4, 5, 6]}
    race = checked(race, Decision("play", 0, 6))
    assert race.seen_by(0).secrets_of(0) == {"hand": [1, 3, 4, 5, 6], "choice": 6}
    assert race.seen_by(1).secrets_of(0) == {"hand": [1, 3, 4, 5, 6]}


def test_what_is_hidden_is_guessed_evenly_from_the_cards_left() -> None:
    race = checked(replace(horses("0 0"), used=((2, 3, 5), (1, 3, 5))), Decision("play", 0, 4)).seen_by(1)
    guesses = [race.guessed(random.Random(seed)).choices for seed in range(600)]
    assert {choices[1] for choices in guesses} == {None}
    counts = [[choices[0] for choices in guesses].count(card) for card in CARDS]
    assert [count > 150 for count in counts] == [True, False, False, True, False, True]
    assert sum(counts) == 600


def test_in_a_view_a_card_that_cannot_be_named_does_nothing() -> None:
    public = checked(horses("0 0"), Decision("play", 0, 4)).seen_by(None)
    assert checked(public, Decision("play", 1, 2)).progress == (0, 2)


# --- colours, screens, pads ----------------------------------------------------------------------


def test_the_horses_have_the_colours_that_their_seats_chose() -> None:
    race = horses("0 4 5")
    assert race.field() == ("red", "blue", "green")
    chosen = race.known_as(["pink", "red", "yellow"], {"pink": "Rosi"})
    assert chosen.field() == ("pink", "red", "yellow")
    assert chosen.layout() == {"pink": Place("gate"), "red": Place("track", 4), "yellow": Place("track", 5)}
    assert chosen.nicknames == {"pink": "Rosi"}
    assert story(turned(chosen, "1 1 3")).startswith("Rosi to 1, the red horse to 5")


COLOUR_REFUSALS = [
    ("too few", ["red", "blue"], "each of the 3 seats needs a colour, 2 are given"),
    ("one twice", ["red", "blue", "red"], "two seats have the red horse: each needs its own"),
    ("no such colour", ["red", "blue", "brown"], "there is no brown horse: there are red, blue, green, yellow, pink"),
]  # fmt: skip


@pytest.mark.parametrize(("colours", "reason"), rows(COLOUR_REFUSALS))
def test_colours_that_do_not_fit_are_refused(colours: list[str], reason: str) -> None:
    with pytest.raises(ValueError, match=r"horse|colour") as refusal:
        horses("0 0 0").known_as(colours, {})
    assert str(refusal.value) == reason


def test_a_card_on_the_pad_is_its_owners() -> None:
    race = horses("0 0").known_as(["pink", "red"], {})
    assert race.laid("red", 4) == Decision("play", 1, 4)
    stray = race.laid("blue", 4)
    assert stray is not None
    assert refused(race, stray) == "nobody plays the horse of this card"
    assert GiroGaloppo.new(NAMES[:2]).laid("red", 4) is None
    assert turned(horses("30 0"), "1 1").laid("red", 4) is None


def test_the_course_as_it_is_drawn() -> None:
    assert GiroGaloppo.new(NAMES[:2]).track() == {
        "kind": "course", "spaces": 28, "behind": 6, "natural": [7, 15, 20], "sand": list(STANDARD.sand),
        "obstacles": [], "placeholder": True,
    }  # fmt: skip
    track = horses("39 0").track()
    assert (track["behind"], track["obstacles"], track["placeholder"]) == (9, [21, 23, 25, 27, 29], False)


def test_the_order_of_moving_stays_until_the_next_round_has_moved() -> None:
    race = horses("1 0 20 4", rearmost_only=True)
    assert presented(race).panels() == ()
    race = turned(race, "3 1 1 3")
    assert order(race) == [
        (1, "the blue horse", "to 1, the red horse back into the gate"),
        (1, "the green horse", "missed the turn"),
        (3, "the red horse", "to 3"),
        (3, "the yellow horse", "missed the turn"),
    ]
    assert order(checked(race, Decision("play", 0, 5))) == order(race)
    assert order(turned(race, "1 2 5 2")) == [
        (1, "the red horse", "to 4, the yellow horse back to 3"),
        (2, "the blue horse", "to 3, the yellow horse back to 2"),
        (2, "the yellow horse", "missed the turn"),
        (5, "the green horse", "stopped by the obstacle on 25"),
    ]


def order(race: GiroGaloppo) -> list[tuple[Any, ...]]:
    panel: Panel = presented(race).panels()[0]
    return [
        tuple(told(race, cell) if isinstance(cell, Sentence) else cell for cell in row) for row in panel.rows
    ]


def test_over_the_order_stands_what_it_is() -> None:
    race = turned(horses("0 0"), "2 5")
    assert [str(cell) for cell in presented(race).panels()[0].head] == [
        "card",
        "horse",
        "what happened",
    ]


def test_the_cards_come_back_after_the_sixth_round() -> None:
    race, back = horses("0 0"), []
    for card in (1, 2, 3, 4, 5, 6, 1, 2):
        race = turned(race, f"{card} {card}")
        back.append("hands-back" in presented(race).happenings())
    assert back == [False] * 5 + [True] + [False] * 2


def test_what_a_seat_holds() -> None:
    race = checked(turned(horses("0 0"), "2 5"), Decision("play", 1, 3))
    assert presented(race).holdings(0) == {"played": 1, "cards": 6, "chosen": False}
    assert presented(race).holdings(1) == {"played": 1, "cards": 6, "chosen": True}
    assert told(race, presented(race).stage()) == "Round 2"


PROMPTS = [
    ("the first obstacle", laying(), "Cleo, lay an obstacle on sand: 5 to go"),
    ("the last obstacle", laying("3 9 13 22"), "Ada, lay an obstacle on sand: 1 to go"),
    ("cards", horses("0 0 0"), "everybody, choose a card: 3 to go"),
    ("the last card", turned(horses("0 0 0"), "1 1"), "Cleo, choose a card: all others have chosen"),
]


@pytest.mark.parametrize(("race", "prompt"), rows(PROMPTS))
def test_what_is_due_is_said(race: GiroGaloppo, prompt: str) -> None:
    assert told(race, presented(race).prompt()) == prompt


# --- laws ----------------------------------------------------------------------------------------


def random_game(seed: int) -> Iterator[GiroGaloppo]:
    """Return every position of a game at random on a board at random."""
    rng = random.Random(seed)
    seats = NAMES[: rng.randint(2, 5)]
    race: Race = GiroGaloppo.new(seats, board=random_board(rng), rearmost_only=rng.random() < 0.5)
    while (decision := random_decision(race, rng)) is not None:
        assert isinstance(race, GiroGaloppo)
        yield race
        race = checked(race, decision)
    assert isinstance(race, GiroGaloppo)
    yield race


def random_board(rng: random.Random) -> Board:
    while True:
        finish = rng.randint(9, 40)
        kinds = rng.choices("nsg", (2, 8, 3), k=finish)
        natural, sand = ([n for n, kind in enumerate(kinds, 1) if kind == k] for k in "ns")
        try:
            return board_of({"finish": finish, "natural": natural, "sand": sand})
        except ValueError:
            continue


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_two_horses_nor_a_horse_and_an_obstacle_share_a_space(seed: int) -> None:
    for race in random_game(seed):
        out = [space for space in race.progress if space]
        assert len(set(out)) == len(out)
        assert not {*race.obstacles, *race.board.natural} & set(out)
        assert min(race.progress) >= 0


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_everybody_has_played_as_many_cards_as_rounds_have_moved(seed: int) -> None:
    for race in random_game(seed):
        moved = race.round - (race.awaits() is not None)
        assert {len(used) for used in race.used} == {moved % len(CARDS)}
        assert all(len(set(used)) == len(used) for used in race.used)
