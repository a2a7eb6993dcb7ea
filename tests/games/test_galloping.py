"""Galloping Pigs and Galloping Horse, a row a rule, as a player would read it."""

from __future__ import annotations

import random
from functools import reduce
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from companion.errors import InvalidInput
from companion.games.galloping.rules import Galloping, GallopingHorse, GallopingPigs
from companion.games.judge import IllegalDecision, checked
from companion.games.presenter import Presenter, presented
from companion.games.race import played_out
from companion.games.terms import Decision

G = TypeVar("G", bound=Galloping)
PIGS = ("red", "blue", "green", "yellow", "pink")


def pigs(cards: str = "", seats: int = 2, line_up: tuple[str, ...] = PIGS, **options: Any) -> GallopingPigs:
    """Return a round of pigs after these cards, played in turn from seat 0; red leads the line-up."""
    race = GallopingPigs.new(["Ada", "Ben", "Cleo", "Dev"][:seats], **options)
    race = checked(race, Decision("line-up", 0, line_up))
    race = checked(race, Decision("deal", None, None))
    return play(race, cards)


def play(race: G, cards: str) -> G:
    return reduce(lambda r, card: checked(r, Decision("play", r.turn, card)), cards.split(), race)


def at(race: Any) -> str:
    return " ".join(f"{pig} {progress}" for pig, progress in race.progress.items())


MOVES = [
    # what happens, cards played, where the pigs stand then
    (
        "the line-up: the front pig on start, the others behind",
        "",
        "red 0 blue -1 green -2 yellow -3 pink -4",
    ),
    ("the leader moves one space", "red", "red 1 blue -1 green -2 yellow -3 pink -4"),
    ("a pig with a free space in front moves one", "red blue", "red 1 blue 0 green -2 yellow -3 pink -4"),
    ("the hindmost jumps over the whole run", "pink", "red 0 blue -1 green -2 yellow -3 pink 1"),
    ("a pig jumps only to the first gap", "red red pink", "red 2 blue -1 green -2 yellow -3 pink 0"),
    ("a gap in the run ends the jump", "pink green", "red 0 blue -1 green 2 yellow -3 pink 1"),
]


@pytest.mark.parametrize(("cards", "stand"), [row[1:] for row in MOVES], ids=[row[0] for row in MOVES])
def test_a_pig_moves_to_the_next_space_without_a_pig(cards: str, stand: str) -> None:
    assert at(pigs(cards)) == stand


FOOD = [
    # what happens, cards of seats 0, 1, 0, 1 …, provisional food of seats 0 and 1
    ("moving ahead of all takes one", "pink", (1, 0)),
    ("moving the pig that leads already takes one", "red red", (1, 1)),
    ("moving into a gap behind the leader takes none", "red blue", (1, 0)),
    ("each seat gets its own", "red blue red", (2, 0)),
]


@pytest.mark.parametrize(("cards", "food"), [row[1:] for row in FOOD], ids=[row[0] for row in FOOD])
def test_the_lead_brings_food(cards: str, food: tuple[int, int]) -> None:
    assert pigs(cards).provisional == food


def test_an_empty_stock_gives_nothing() -> None:
    race = pigs("red red", food=1)
    assert (race.provisional, race.stock) == ((1, 0), 0)
    assert [news.kind for news in race.news] == ["moved", "leads-no-food"]


LAST = "red blue " * 6  # six cards each: seat 0 always leads, seat 1 never does


def test_a_last_card_that_leads_keeps_everything() -> None:
    race = pigs(LAST + "red")
    assert (race.provisional, race.kept) == ((0, 0), (7, 0))


def test_a_last_card_that_does_not_lead_gives_everything_back() -> None:
    race = pigs(LAST + "green")
    assert (race.provisional, race.kept, race.stock) == ((0, 0), (0, 0), 55)


def test_a_leading_last_card_keeps_what_one_has_even_with_an_empty_stock() -> None:
    race = pigs(LAST + "red", food=3)
    assert (race.stock, race.kept) == (0, (3, 0))


def test_only_whose_turn_it_is_has_its_last_card_to_play() -> None:
    race = presented(pigs(LAST))
    assert [race.last_card(seat) for seat in (0, 1)] == [True, False]
    assert str(race.prompt()) == "0, your last card! 6 acorns at risk"


def test_what_is_left_of_the_food_is_shown() -> None:
    for race in (pigs(), pigs("red")):
        supply = presented(race).supply()
        assert supply is not None
        assert supply.values["count"] == race.stock


def test_nothing_later_in_the_round_undoes_a_reward() -> None:
    race = pigs(LAST + "red " + "blue")
    assert race.kept == (7, 0)
    assert (race.round, race.turn, race.due) == (2, 1, "line-up")


def food_on_track(*spaces: int, seats: int = 2, **options: Any) -> GallopingPigs:
    race = pigs(seats=seats, food_on_track=True, **options)
    return reduce(lambda r, space: checked(r, Decision("place-food", r.turn, space)), spaces, race)


def test_food_may_lie_from_5_to_17_where_no_pig_and_no_food_is() -> None:
    race = food_on_track(9)
    assert [d.what for d in race.decisions(1)] == [5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17]


@pytest.mark.parametrize("space", [0, 1, 4, 9, 18, 22, -1])
def test_food_on_a_forbidden_space_is_refused(space: int) -> None:
    race = food_on_track(9)
    with pytest.raises(IllegalDecision, match="no food may lie on"):
        checked(race, Decision("place-food", 1, space))


def test_each_seat_lays_one_food_then_cards_are_played() -> None:
    race = food_on_track(9, 10)
    assert (race.due, race.turn, race.stock) == ("play", 0, 53)


def test_an_empty_stock_ends_the_laying() -> None:
    assert food_on_track(9, food=1).due == "play"


def test_no_space_left_ends_the_laying() -> None:
    assert pigs(spaces=9, food_on_track=True).due == "play"  # pigs on 5 to 8 and 0, nothing before 5


def test_the_landing_space_gives_its_food_and_the_lead_too() -> None:
    race = play(food_on_track(5, 17), "red red red red red")  # red leads all the way and lands on 5
    assert (race.provisional, race.track_food) == ((3 + 1, 2), frozenset({17}))


def test_food_left_on_the_track_goes_back_at_the_end_of_the_round() -> None:
    race = play(food_on_track(16, 17), LAST + "green yellow")
    assert (race.track_food, race.stock, race.round) == (frozenset(), 55, 2)


REFUSALS = [
    ("another seat's turn", Decision("play", 1, "red"), "it is Ada's turn, not Ben's"),
    ("no such card", Decision("play", 0, "brown"), "there is no card brown in this game"),
    ("not now", Decision("line-up", 0, PIGS), "play is due now, not line-up"),
    ("no such seat", Decision("play", 7, "red"), "there is no such seat"),
]


@pytest.mark.parametrize(("decision", "reason"), [r[1:] for r in REFUSALS], ids=[r[0] for r in REFUSALS])
def test_what_the_rules_forbid_is_refused_with_its_reason(decision: Decision, reason: str) -> None:
    with pytest.raises(IllegalDecision) as refused:
        checked(pigs(), decision)
    assert str(refused.value) == reason


def test_a_card_that_is_not_in_a_known_hand_is_refused() -> None:
    race = checked(GallopingPigs.new(["Ada", "Ben"]), Decision("line-up", 0, PIGS))
    race = checked(race, Decision("deal", None, (("red",) * 7, ("blue",) * 7)))
    with pytest.raises(IllegalDecision, match="Ada holds no blue card"):
        checked(race, Decision("play", 0, "blue"))


def test_an_eighth_card_of_a_colour_is_refused_with_unknown_hands_too() -> None:
    with pytest.raises(IllegalDecision, match="all 7 red cards of this round are out already"):
        pigs("red red red red red red red red")


def test_the_next_seat_starts_the_next_round_with_a_new_line_up() -> None:
    race = pigs(LAST + "red blue")
    assert race.layout() == {}
    assert [d.what for d in list(race.decisions(1))[:1]] == [PIGS]
    assert len(race.decisions(1)) == 120  # type: ignore[arg-type]


def horse(cards: str = "", **options: Any) -> GallopingHorse:
    race = GallopingHorse.new(["Ada", "Ben"], **options)
    race = checked(race, Decision("line-up", 0, PIGS[:4]))
    return play(checked(race, Decision("deal", None, None)), cards)


def test_horse_food_counts_at_once_and_a_last_card_risks_nothing() -> None:
    race = horse("red blue " * 6 + "red")
    assert (race.kept, race.provisional) == ((7, 0), (0, 0))
    assert horse("red blue " * 6 + "green").kept == (6, 0)


def test_the_horses_stay_where_they_are_for_the_second_round() -> None:
    race = horse("red blue " * 7)
    assert (race.round, race.due, race.turn) == (2, "deal", 1)
    assert race.progress == {"red": 7, "blue": 6, "green": -2, "yellow": -3}


def test_pink_is_no_horse() -> None:
    with pytest.raises(IllegalDecision, match="there is no card pink"):
        horse("pink")


BOX_OF_2009: dict[str, Any] = {"cards_per_colour": 8, "spaces": 27, "food": 35, "rounds": 1}


def test_five_play_with_eight_cards_of_each_colour_and_not_with_seven() -> None:
    seats = ["Ada", "Ben", "Cleo", "Dev", "Emma"]
    with pytest.raises(InvalidInput, match="5 players need cards_per_colour of 8 or more, not 7"):
        GallopingPigs.new(seats)
    race = played_out(GallopingPigs.new(seats, **BOX_OF_2009), random.Random(1))
    assert race.cards_played() == [7] * 5
    assert sum(race.kept) + race.stock == 35


def test_each_seat_is_dealt_seven_whatever_a_colour_has() -> None:
    race = GallopingPigs.new(["Ada", "Ben", "Cleo", "Dev", "Emma"], **BOX_OF_2009)
    deal = checked(race, Decision("line-up", 0, PIGS)).drawn(random.Random(1))
    assert deal is not None
    assert [len(hand) for hand in deal.what] == [7] * 5


def test_an_eighth_card_of_a_colour_is_legal_where_it_is_printed_and_a_ninth_is_not() -> None:
    eight = pigs("red " * 8, **BOX_OF_2009)
    assert eight.progress["red"] == 8
    with pytest.raises(IllegalDecision, match="all 8 red cards of this round are out already"):
        play(eight, "red")


def test_a_deal_may_hold_a_colour_as_often_as_it_is_printed() -> None:
    hands = (("red",) * 7, ("red",) * 1 + ("blue",) * 6)
    deal = Decision("deal", None, hands)
    up = checked(GallopingPigs.new(["Ada", "Ben"], **BOX_OF_2009), Decision("line-up", 0, PIGS))
    assert checked(up, deal).hands == hands
    with pytest.raises(IllegalDecision, match="there are only 7 red cards"):
        checked(checked(GallopingPigs.new(["Ada", "Ben"]), Decision("line-up", 0, PIGS)), deal)


def test_food_may_lie_up_to_26_on_27_tiles() -> None:
    race = food_on_track(**BOX_OF_2009)
    assert [d.what for d in race.decisions(0)] == [*range(5, 23)]  # pigs on 23 to 26 and 0


def test_where_no_last_card_decides_food_is_safe_at_once_also_from_the_track() -> None:
    race = play(food_on_track(5, 17, last_card_decides=False), "red red red red red")
    assert (race.kept, race.provisional) == ((3 + 1, 2), (0, 0))
    assert pigs(LAST + "green", last_card_decides=False).kept == (6, 0)


def test_where_no_last_card_decides_the_pigs_are_lined_up_anew_all_the_same() -> None:
    race = pigs(LAST + "red blue", last_card_decides=False)
    assert (race.round, race.due, race.layout()) == (2, "line-up", {})


def test_where_no_last_card_decides_none_is_announced() -> None:
    race = presented(pigs(LAST, last_card_decides=False))
    assert not any(race.last_card(seat) for seat in (0, 1))
    assert str(race.prompt()) == "0, play a card"


def test_the_news_of_a_lead_has_its_player_and_what_was_won() -> None:
    [news] = [one for one in pigs("pink").news if one.kind == "leads"]
    assert news.values == {"seat": 0, "piece": "pink", "gain": 1}


def test_a_phone_says_that_a_card_is_the_last_where_that_decides() -> None:
    """In Galloping Pigs the last card decides about the food at risk; before it, a phone asks for any card."""
    race, last = pigs(), {}
    while race.awaits() is not None and race.round == 1:
        seat, hand = race.turn, len(race.hands[race.turn])
        last[hand] = str(presented(race).addressed(seat))
        race = checked(race, race.at_random(seat, random.Random(1)))
    assert last[1] not in {text for hand, text in last.items() if hand > 1}
    assert len(set(last.values())) == 2


def test_who_plays_before_a_seat() -> None:
    """Those clockwise from the seat that is due; none where the round ends before."""
    race = pigs(seats=3)
    assert [list(presented(race).before(seat) or ()) for seat in range(3)] == [[], [0], [0, 1]]
    over = played_out(race, random.Random(1))
    assert presented(over).before(0) is None


@pytest.mark.parametrize(
    ("unit", "count", "said"),
    [("food", 3, "3 food"), ("points", 1, "1 point"), ("points", 3, "3 points"), ("money", 3, "3")],
)
def test_by_how_much_one_is_ahead(unit: str, count: int, said: str) -> None:
    """In the unit of the game's score."""
    of: Any = SimpleNamespace(game=SimpleNamespace(unit=unit))
    assert str(Presenter.margin(of, count)) == said
