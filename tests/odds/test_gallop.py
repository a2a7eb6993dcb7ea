"""Chances in Pigs and Horse: the kernel plays the referee's rules, and its errors are what it says."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from functools import reduce
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from companion.games.galloping.decks import COPIES, HAND
from companion.games.galloping.rules import Galloping, GallopingHorse, GallopingPigs
from companion.games.judge import checked
from companion.games.race import Race, random_decision
from companion.games.terms import Decision
from companion.odds.chance import Event, victory
from companion.odds.estimate import Tally, answers
from companion.odds.galloping.cards import RoundOrders, plies, shuffled
from companion.odds.galloping.kernel import Gallop
from companion.odds.galloping.round import Purses, play_round
from companion.odds.galloping.table import RoundsToCome
from companion.odds.galloping.track import NOWHERE, Bits, Spaces
from companion.odds.kernel import Plain, Playouts

NAMES = ("Ada", "Ben", "Cleo", "Dev", "Emma")
BOX_OF_2009 = {"spaces": 27, "food": 35, "cards_per_colour": 8}
AT_ONCE = {"last_card_decides": False}


def dealt(game: type[Galloping], seats: int, seed: int, **options: Any) -> Galloping:
    """Return a round before its first card, dealt by people; food laid at random."""
    race, rng = game.new(NAMES[:seats], seed % seats, **options), random.Random(seed)
    while race.due != "play":
        decision = race.dealt_unseen() or race.at_random(race.turn, rng)
        race = checked(race, decision)
    return race


def played(race: Galloping, cards: int, seed: int) -> Galloping:
    """Return the position so many random cards later, of this round."""
    rng = random.Random(seed)
    for _ in range(cards):
        race = checked(race, Decision("play", race.turn, rng.choice(sorted(unseen(race).elements()))))
    return race


def unseen(race: Galloping) -> Counter[str]:
    return Counter({animal: race.cards_per_colour - race.played.count(animal) for animal in race.animals})


def column(facts: Any, worlds: int) -> Any:
    return np.repeat(np.array(list(facts), np.int32).reshape(-1, 1), worlds, axis=1)


# --- the referee's rules -------------------------------------------------------------------------

ROUNDS = [
    # game, seats, options, worlds: together well over 100,000 decisions
    (GallopingPigs, 4, {}, 1000),
    (GallopingPigs, 4, {"food_on_track": True}, 1000),
    (GallopingPigs, 3, {"food": 9}, 800),
    (GallopingPigs, 4, {"spaces": 6}, 500),
    (GallopingPigs, 2, {"spaces": 9, "food_on_track": True, "food": 5}, 500),
    (GallopingPigs, 4, {"spaces": 16, "food_on_track": True}, 500),
    (GallopingHorse, 4, {}, 500),
    (GallopingHorse, 3, {"spaces": 5, "food": 3}, 400),
    (GallopingPigs, 5, BOX_OF_2009, 500),
    (GallopingPigs, 5, {**BOX_OF_2009, "food_on_track": True, "food": 12}, 500),
    (GallopingPigs, 5, {**BOX_OF_2009, **AT_ONCE, "food_on_track": True}, 400),
    (GallopingPigs, 3, {**AT_ONCE, "cards_per_colour": 12, "spaces": 8, "food": 9}, 400),
]


@pytest.mark.parametrize(("game", "seats", "options", "worlds"), ROUNDS)
def test_a_round_goes_as_the_referee_plays_it(
    game: type[Galloping], seats: int, options: dict[str, Any], worlds: int
) -> None:
    """The same cards bring the same moves, food and rewards, world by world."""
    race = dealt(game, seats, 3, rounds=1, **options)
    order = plies([HAND] * seats, race.turn)
    cards = shuffled(
        [race.cards_per_colour] * len(race.animals), len(order), worlds, np.random.default_rng(1)
    )
    food = column(sorted(race.track_food), worlds) if race.track_food else None
    purses = Purses.of(race, worlds, 0 if race.stock >= 20_000 else 10_000)
    ended = play_round(race, column(race.progress.values(), worlds), food, cards, order, purses)
    assert purses.stock is not None
    for world in range(worlds):
        truth, keeps, found = race, [False] * seats, 0
        for card in cards[:, world]:
            truth = truth.after(Decision("play", truth.turn, truth.animals[card]))
            assert truth.brought is not None
            assert truth.last is not None
            found += truth.brought[3]
            if truth.brought[4] is not None:
                keeps[truth.last.seat or 0] = truth.brought[1]
        assert list(truth.progress.values()) == ended[:, world].tolist()
        assert list(truth.kept) == purses.kept[:, world].tolist()
        assert keeps == purses.keeps[:, world].tolist()
        assert truth.stock == purses.stock[world] + len(race.track_food) - found  # the rest went back


def test_both_tracks_move_alike() -> None:
    """Where nothing can be met a lap ahead, the fast track does and finds the same as the slow one."""
    rng, worlds = np.random.default_rng(5), 3000
    progress = np.sort(rng.permuted(column(range(12), worlds), axis=0)[:5], axis=0)
    food = rng.permuted(column(range(12, 40), worlds), axis=0)[:4]
    food[3, ::2] = NOWHERE
    fast, slow = Bits(progress, 100, food), Spaces(progress, 100, food)
    for animals in rng.integers(0, 5, (12, worlds)):
        assert np.array_equal(fast.move(animals), slow.move(animals))
        assert fast.found is not None
        assert slow.found is not None
        assert np.array_equal(fast.found, slow.found)
        assert np.array_equal(fast.progress(), slow.progress())
    assert not fast.wide().any()


# --- exact ---------------------------------------------------------------------------------------


def enumerated(race: Galloping) -> dict[Event, float]:
    """Return the chances when all hands are hidden, through the rules alone: every order of cards, weighted.

    What is played next is a card drawn blindly from all that were not played: the hands are a random part of
    them, and each seat plays its hand in a random order.
    """
    chances: defaultdict[Event, float] = defaultdict(float)

    def follow(race: Galloping, round: int, weight: float) -> None:
        if race.awaits() is None:
            for seat, part in enumerate(victory(race)):
                chances[Event("win", seat)] += weight * part
            return
        if race.round != round:
            return
        left = unseen(race)
        for animal, count in left.items():
            if count:
                after = race.after(Decision("play", race.turn, animal))
                chance = weight * count / left.total()
                assert after.brought is not None
                if after.brought[4] is not None:
                    chances[Event("keep", race.turn)] += chance * after.brought[1]
                follow(after, round, chance)

    follow(race, race.round, 1.0)
    return dict(chances)


SMALL = [
    # game, seats, options, cards left
    (GallopingPigs, 2, {"rounds": 1}, 4),
    (GallopingPigs, 4, {"rounds": 1}, 4),
    (GallopingPigs, 3, {"rounds": 1, "spaces": 6}, 4),
    (GallopingPigs, 4, {"rounds": 1, "food": 4}, 4),
    (GallopingPigs, 3, {"rounds": 1, "food_on_track": True, "spaces": 12}, 4),
    (GallopingPigs, 4, {"rounds": 3}, 4),
    (GallopingHorse, 4, {"rounds": 1}, 5),
    (GallopingHorse, 2, {"rounds": 1, "food": 2, "spaces": 5}, 4),
    (GallopingPigs, 5, {"rounds": 1, **BOX_OF_2009}, 4),
    (GallopingPigs, 5, {"rounds": 1, **BOX_OF_2009, **AT_ONCE}, 4),
]


@pytest.mark.parametrize(("game", "seats", "options", "left"), SMALL)
def test_exact_chances_agree_with_every_order_of_the_cards(
    game: type[Galloping], seats: int, options: dict[str, Any], left: int
) -> None:
    """They agree to 1e-9, at several positions; who wins is not exact while rounds are to come."""
    for seed in range(4):
        race = played(dealt(game, seats, seed, **options), HAND * seats - left, seed)
        truth, exact = enumerated(race), Gallop().exact(race.seen_by(None))
        wanted = {Event("win", seat) for seat in range(seats)} if options["rounds"] == 1 else set()
        if race.last_card_decides:
            wanted |= {Event("keep", seat) for seat, hand in enumerate(race.hands) if hand}
        assert exact.keys() == wanted
        for event, p in exact.items():
            assert p == pytest.approx(truth.get(event, 0.0), abs=1e-9)


def test_the_rest_is_sampled() -> None:
    """With many cards to come, or a hand that the view shows, nothing is called exact."""
    assert Gallop().exact(dealt(GallopingPigs, 4, 1, rounds=1)) == {}
    rng, race = random.Random(1), GallopingPigs.new(NAMES[:4], rounds=1)
    while len(race.played) < 26:
        decision = random_decision(race, rng)
        assert decision is not None
        race = race.after(decision)
    assert Gallop().exact(race.seen_by(None))
    assert Gallop().exact(race.seen_by(2)) == {}


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_truth_is_within_the_stated_error_in_95_percent_of_positions() -> None:
    """The exact chance is within the stated error at 95 % of 1,200 random positions.

    One chance of each position counts, drawn at random.

    Only here: an error of the odds of Pigs and Horse that is stated too small by a part of itself.
    """
    rng, kernel, inside, count = random.Random(11), Gallop(), 0, 0
    while count < 1200:
        game = rng.choice([GallopingPigs, GallopingHorse])
        seats, left = rng.randint(2, 4), rng.randint(2, 7)
        opening = (
            dealt(game, seats, rng.randrange(1000), rounds=1, food_on_track=True)
            if (game is GallopingPigs and rng.random() < 0.3)
            else dealt(game, seats, rng.randrange(1000), rounds=1)
        )
        view = played(opening, HAND * seats - left, count).seen_by(None)
        exact = kernel.exact(view)
        undecided = [event for event, p in exact.items() if 0 < p < 1]
        if not undecided:
            continue
        event = rng.choice(sorted(undecided, key=str))
        tally = Tally()
        tally.add(kernel.playouts(view, 400, np.random.default_rng(count)))
        [chance] = [chance for chance in tally.chances() if chance.event == event]
        count, inside = count + 1, inside + (abs(chance.p - exact[event]) <= chance.sampled)
    print(f"\nwithin the stated error: {inside} of {count} positions, {inside / count:.1%}")
    assert inside / count >= 0.95


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        (GallopingPigs, 3, {}),
        (GallopingHorse, 3, {}),
        (GallopingPigs, 5, BOX_OF_2009),
        (GallopingPigs, 3, BOX_OF_2009 | AT_ONCE),
    ],
)
def test_the_kernel_agrees_with_the_rules_played_out(
    game: type[Galloping], seats: int, options: dict[str, Any]
) -> None:
    """Openings and positions of whole games through the rules agree within the joint error."""
    for seed, cards in ((1, 0), (2, 9)):
        view = played(dealt(game, seats, seed, **options), cards, seed).seen_by(None)
        slow, fast = Tally(), Tally()
        slow.add(Plain().playouts(view, 1500, np.random.default_rng(seed)))
        fast.add(Gallop().playouts(view, 20_000, np.random.default_rng(seed)))
        for one, other in zip(slow.chances(), fast.chances(), strict=False):
            assert one.event == other.event
            assert abs(one.p - other.p) < 2 * (one.sampled**2 + other.sampled**2) ** 0.5


ODD = [
    (GallopingPigs, {"rounds": 6}),
    (GallopingPigs, {**BOX_OF_2009, "rounds": 1, "food_on_track": True}),
    (GallopingPigs, AT_ONCE),
    (GallopingPigs, {"food": 0}),
    (GallopingPigs, {"food": 3, "food_on_track": True}),
    pytest.param(GallopingPigs, {"spaces": 6, "food_on_track": True}, marks=pytest.mark.long),
    pytest.param(GallopingPigs, {"spaces": 1000, "food_on_track": True}, marks=pytest.mark.long),
    (GallopingHorse, {"rounds": 4}),
    (GallopingHorse, {"spaces": 5, "food": 1}),
]


@pytest.mark.parametrize(("game", "options"), ODD)
def test_at_every_kind_of_moment_the_kernel_agrees_with_the_rules(
    game: type[Galloping], options: dict[str, Any]
) -> None:
    """Kernel and rules agree before a line-up, a deal, food and a card, as the public or a seat sees it.

    Only here: a wrong chance on the shortest and the longest course.
    """
    rng, race = random.Random(8), game.new(NAMES[:3], 1, **options)
    met: set[str] = set()
    while race.awaits() is not None:
        if race.due not in met or rng.random() < 0.01:
            met.add(race.due)
            for view in (race.seen_by(None), race.seen_by(1))[: 1 + (race.due == "play")]:
                slow, fast = Tally(), Tally()
                slow.add(Plain().playouts(view, 80, np.random.default_rng(2)))
                fast.add(Gallop().playouts(view, 500, np.random.default_rng(2)))
                assert sum(c.p for c in fast.chances() if c.event.what == "win") == pytest.approx(1)
                for one, other in zip(slow.chances(), fast.chances(), strict=False):
                    assert abs(one.p - other.p) < 2.5 * (one.sampled**2 + other.sampled**2) ** 0.5
        decision = random_decision(race, rng)
        assert decision is not None
        race = race.after(decision)
    assert {"line-up", "deal", "play"} <= met


# --- rounds to come ------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_table_is_worth_what_the_rounds_bring(seats: int, rounds: int) -> None:
    """Its chances are those of scores to which rounds are added, drawn one by one from rounds played out."""
    rng, pool, draws = np.random.default_rng(4), 20_000, 60_000
    race = GallopingPigs.new(NAMES[:seats])
    table = RoundsToCome(race, np.random.default_rng(9), pool)
    brought = table.brought
    for scores, starter in (([0, 0, 0, 0], 0), ([3, 0, 1, 5], 1), ([0, 9, 2, 2], seats - 1)):
        safe = np.array(scores[:seats])[:, None]
        final = np.repeat(safe, draws, axis=1)
        for number in range(rounds):
            order = [(starter + number + n) % seats for n in range(seats)]
            final[order] += brought[:, rng.integers(0, pool, draws)]
        won = final == final.max(axis=0)
        truth = (won / won.sum(axis=0)).mean(axis=1)
        assert table.chances(safe, rounds, starter)[:, 0] == pytest.approx(truth, abs=4 * 0.5 / draws**0.5)


def test_who_is_far_behind_does_not_blur_the_others() -> None:
    """Two leaders far ahead of the seat that starts keep the distance between them."""
    table = RoundsToCome(GallopingPigs.new(NAMES[:3]), np.random.default_rng(1), 20_000)
    apart = table.chances(np.array([[0], [60], [54]]), 1, 0)[:, 0]
    near = table.chances(np.array([[40], [60], [54]]), 1, 0)[:, 0]
    assert apart == pytest.approx(near, abs=1e-6)
    assert 0.5 < apart[1] < 0.999


# --- cached worlds -------------------------------------------------------------------------------


def test_cached_worlds_stay_evenly_shuffled() -> None:
    """After some cards, the next two cards are any two of those left, as often as there are such."""
    worlds = 40_000
    worlds_seen, left = (
        RoundOrders(5, COPIES, worlds, np.random.default_rng(6)),
        Counter(dict.fromkeys(range(5), COPIES)),
    )
    for animal in (0, 0, 3, 0, 1, 0, 2, 0, 0, 0, 4, 1):
        worlds_seen.play(animal)
        left[animal] -= 1
    first, second = worlds_seen.to_come(2).astype(int)
    total = left.total()
    for a in range(5):
        for b in range(5):
            expected = left[a] * (left[b] - (a == b)) / (total * (total - 1))
            share = float(((first == a) & (second == b)).mean())
            assert share == pytest.approx(
                expected, abs=4.5 * (expected * (1 - expected) / worlds) ** 0.5 + 1e-9
            )


def test_a_world_in_which_the_card_came_stays_as_it_is() -> None:
    orders = RoundOrders(5, COPIES, 1000, np.random.default_rng(7))
    before = orders.to_come(35).copy()
    orders.play(2)
    same = before[0] == 2
    assert same.sum() > 100
    assert np.array_equal(before[1:, same], orders.to_come(34)[:, same])


def test_the_same_position_has_the_same_odds_however_it_was_reached() -> None:
    """The odds are the same asked again, after an undo, after other positions, or by a new kernel."""
    race = played(dealt(GallopingPigs, 3, 1, rounds=1), 6, 1)
    later, other = played(race, 3, 2), played(race, 2, 9)
    kernel = Gallop()
    first = last(kernel, race)
    for position in (later, race, other, dealt(GallopingPigs, 3, 2), race):
        answer = last(kernel, position)
    assert answer == first == last(Gallop(), race)
    assert last(kernel, later) == last(Gallop(), later) != first


def last(kernel: Gallop, race: Race) -> Any:
    *_, best = answers(race.seen_by(None), 5, kernel)
    return best


def test_seen_hands_are_played_by_their_seats() -> None:
    """From a seat's own view its cards are not dealt anew: only blue is left, so its own end is certain."""
    hands = (("red",) * 7, ("blue",) * 7)
    race: Galloping = GallopingPigs.new(NAMES[:2], rounds=1)
    for decision in (Decision("line-up", 0, race.animals), Decision("deal", None, hands)):
        race = checked(race, decision)
    race = reduce(lambda r, n: checked(r, Decision("play", r.turn, hands[n % 2][0])), range(13), race)
    own: Playouts = Gallop().playouts(race.seen_by(1), 50, np.random.default_rng(1))
    assert set(own.values[1].tolist()) <= {0.0, 0.5, 1.0}
    assert len(set(own.values[1].tolist())) == 1


@pytest.mark.parametrize("game", [GallopingPigs, GallopingHorse])
def test_the_answers_get_better_and_the_last_moves_are_exact(game: type[Galloping]) -> None:
    """Errors fall from answer to answer; shortly before the end there is one answer without any."""
    race: Galloping = game.new(NAMES[:4])
    errors = [chances[0].sampled for chances in answers(race, 1, Gallop())]
    assert len(errors) >= 4
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.006
    rng = random.Random(3)
    while race.round < race.rounds or sum(map(len, race.hands)) != 3:
        decision = random_decision(race, rng)
        assert decision is not None
        race = race.after(decision)
    [final] = answers(race.seen_by(None), 1, Gallop())
    assert {chance.sampled for chance in final if chance.event.what == "win"} == {0.0}


class AtRandom(Gallop):
    """A style in which everybody plays at random and no one saves anything."""

    habits = doubts = MappingProxyType[str, float]({})


def test_food_is_safe_more_often_than_at_random_with_a_wider_whisker() -> None:
    """What is open is above random play's; all that is open has a wider whisker; what is certain stays so."""
    view = played(dealt(GallopingPigs, 3, 4), 18, 4).seen_by(None)  # two seats have played their last cards
    *_, plain = answers(view, 1, AtRandom())
    *_, answer = answers(view, 1, Gallop())
    keeps = [(p, t) for p, t in zip(plain, answer, strict=True) if p.event.what == "keep"]
    assert any(0 < p.p < 1 for p, _ in keeps)
    for p, t in zip(plain, answer, strict=True):
        more = p.event.what == "keep" and 0 < p.p < 1
        assert (t.p > p.p) == more
        assert (t.error > p.error) == (0 < p.p < 1)
