"""What the odds of Giro Galoppo believe of how each seat plays: from cards that lie open, and nothing else."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from companion.bots.players import next_decision
from companion.games.giro.rules import CARDS, GiroGaloppo
from companion.games.race import random_decision
from companion.odds.chance import Event, victory
from companion.odds.estimate import answers, kernel_believing
from companion.odds.giro.card_features import card_features, hand_of
from companion.odds.giro.kernel import Giro
from companion.odds.giro.playing import NEVER, People, Styled, chosen, lone, worths
from companion.odds.giro.styles import FAMILY, Style, tastes
from companion.odds.giro.tastes import TASTES
from companion.odds.styles import Belief, along, learned, learned_by_robots, unknown
from tests.odds.test_giro_odds import courses, thick_of_it, with_choices

Choose = Callable[[GiroGaloppo, int], int]
"""The card that a seat chooses."""


def at_random(rng: random.Random) -> Choose:
    return lambda race, seat: rng.choice(hand_of(race, seat))


def farthest(race: GiroGaloppo, seat: int) -> int:
    """Return the card that takes the horse to the farthest space without an obstacle."""
    return max(card_features(race, seat).items(), key=lambda seen: (seen[1].gain, -seen[0]))[0]


def played(race: GiroGaloppo, choose: Sequence[Choose], rounds: int) -> list[GiroGaloppo]:
    """Return the positions of some rounds of a race, its seats choosing so."""
    positions = [race]
    for _ in range(rounds * len(race.seats)):
        race = positions[-1]
        due = race.awaits()
        if due is None:
            break
        seat = due.seats[0]
        positions.append(race.after(race.decisions(seat)[0]._replace(what=choose[seat](race, seat))))
    return positions


def race_of(seats: int, rng: random.Random, **options: bool) -> GiroGaloppo:
    """Return the usual course, its obstacles laid at random, before the first round."""
    names = ("Ada", "Ben", "Cleo", "Dev", "Emma")[:seats]
    race = GiroGaloppo.new(names, age=rng.sample(range(seats), seats), **options)
    while race.due == "place-obstacle":
        decision = random_decision(race, rng)
        assert decision is not None
        race = race.after(decision)
    return race


def share(belief: Belief, seat: int, taste: str) -> float:
    """Return how likely the seat has this taste, with any noise."""
    return sum(p for p, style in zip(belief[seat], FAMILY, strict=True) if style.taste == taste)


def sure(*styles: Style) -> Belief:
    """Return by seat that it plays so and not otherwise."""
    return tuple(tuple(float(style == one) for one in FAMILY) for style in styles)


# --- what is learned -----------------------------------------------------------------------------


def test_a_seat_that_always_ran_to_the_farthest_free_space_is_thought_greedy() -> None:
    """After four rounds that is rather sure, although its neighbours just play and are not thought so."""
    rng = random.Random(4)
    race = race_of(4, rng)
    belief = learned(played(race, [farthest, *[at_random(rng)] * 3], 4))
    assert share(belief, 0, "greedy") > 0.8
    assert max(share(belief, seat, "greedy") for seat in (1, 2, 3)) < 0.6


@pytest.mark.parametrize("kind", ["greedy", "careful"])
def test_what_a_bot_likes_is_thought_of_it(kind: str) -> None:
    """Bots of the kinds that the styles were fitted to are most likely thought to have their own taste."""
    rng, found = random.Random(5), list[float]()
    for _ in range(4):
        positions = [race_of(3, rng)]
        while (decision := next_decision(positions[-1], [kind, "random", "random"], rng)) is not None:
            positions.append(positions[-1].after(decision))
        found.append(share(learned(positions), 0, kind))
    assert sum(found) / len(found) > 0.8


@pytest.mark.parametrize("kind", ["greedy", "careful"])
def test_a_table_of_one_mind_is_noticed_sooner_than_a_player(kind: str) -> None:
    """After two rounds: what a bot is thought to be among its like, and among any; the mean of six games."""
    rng, alike, alone = random.Random(8), list[float](), list[float]()
    for _ in range(6):
        race = race_of(4, rng)
        for bots, found in (([kind] * 4, alike), ([kind, *["random"] * 3], alone)):
            positions = [race]
            while positions[-1].round <= 2:
                decision = next_decision(positions[-1], bots, rng)
                assert decision is not None
                positions.append(positions[-1].after(decision))
            found.append(share(learned(positions), 0, kind))
    assert sum(alike) / 6 > 0.95
    assert sum(alone) / 6 < 0.85


def test_no_style_is_ever_certain() -> None:
    """A seat that was greedy for a whole game and then plays low cards is soon thought otherwise."""
    rng = random.Random(6)
    race = race_of(2, rng)
    convinced = played(race, [farthest, at_random(rng)], 5)
    assert share(learned(convinced), 0, "greedy") > 0.9
    lowest: Choose = lambda race, seat: min(hand_of(race, seat))  # noqa: E731
    back = [*convinced, *played(replace(convinced[-1], progress=(0, 0)), [lowest, at_random(rng)], 9)[1:]]
    assert share(learned(back), 0, "greedy") < 0.5


def test_before_anybody_has_played_all_seats_are_alike() -> None:
    """While obstacles are laid, and until the first cards are turned over."""
    rng = random.Random(7)
    race = GiroGaloppo.new(["Ada", "Ben", "Cleo"])
    positions = [race, *(p for p in played(race_of(3, rng), [at_random(rng)] * 3, 1)[:3])]
    assert {seat for belief in along(positions) for seat in belief} == {unknown(race)[0]}
    assert sum(unknown(race)[0]) == pytest.approx(1)


def test_robots_play_as_they_are_set_and_say_nothing_of_people() -> None:
    """A robot's style is known before it has played; of the others as much is believed as without it."""
    rng = random.Random(5)
    positions = played(race_of(3, rng), [farthest, at_random(rng), farthest], 3)
    bots = ["", "medium", "strong"]
    taste_of = [
        [style.taste for style, p in zip(FAMILY, b, strict=True) if p] for b in learned(positions, bots=bots)
    ]
    assert taste_of[1:] == [["careful"], ["thinker"]]
    assert learned(positions[:1], bots=bots)[0] == learned(positions[:1])[0]
    alone, strange = (learned(positions, bots=bots)[0] for bots in (bots, ["", "easy", "easy"]))
    assert alone == strange, "for all cards of the others"
    assert [*along(positions, bots=bots)][-1] == learned(positions, bots=bots)
    assert learned_by_robots(positions, bots) == learned(positions, bots=bots), "here they go by it"


def test_what_is_hidden_is_not_learned() -> None:
    """Cards that were chosen and lie face down, exchanged for any others, change no byte of belief and odds."""
    rng, differed = random.Random(8), 0
    for _ in range(12):
        race = race_of(rng.randint(2, 5), rng)
        before = played(race, [at_random(rng)] * len(race.seats), rng.randint(1, 5))
        if not before[-1].due:
            continue
        made = rng.randint(1, len(race.seats) - 1)
        seed = rng.random()
        seen, choices = set(), set()
        for other in range(4):
            chance = random.Random(f"{seed}/{other}")
            now = [*before, *played(before[-1], [at_random(chance)] * len(race.seats), 1)[1 : made + 1]]
            belief = learned(now)
            choices.add(now[-1].choices)
            seen.add(pickle.dumps((belief, next(answers(now[-1].seen_by(None), 3, belief=belief)))))
        differed += len(choices) > 1
        assert len(seen) == 1
    assert differed > 6, "or the test proves little"


def test_the_same_match_is_believed_the_same() -> None:
    """Each position's belief is that of the match up to there; belief, view and seed decide the odds."""
    rng = random.Random(9)
    positions = played(race_of(3, rng), [at_random(rng)] * 3, 4)
    beliefs = [*along(positions)]
    assert beliefs == [learned(positions[: n + 1]) for n in range(len(positions))]
    view = positions[-1].seen_by(None)
    first, again, other = (
        next(answers(view, seed, belief=belief))
        for seed, belief in ((1, beliefs[-1]), (1, beliefs[-1]), (1, unknown(view)))
    )
    assert first == again != other


# --- how it is played out ------------------------------------------------------------------------


def columns(race: GiroGaloppo) -> tuple[np.ndarray, np.ndarray]:
    """Return where the horses are and what was used of their hands, in one world."""
    used = [[sum(1 << card - 1 for card in race.used[seat])] for seat in race.age]
    return np.array([[race.progress[s]] for s in race.age], dtype=np.uint16), np.array(used)


def test_the_kernel_likes_what_a_taste_likes() -> None:
    """Each card of each hand as often as the scalar definition says, at 40 positions on any board."""
    rng = random.Random(10)
    for _ in range(40):
        race = thick_of_it(rng)
        alone = lone(race.board, race.obstacles)
        for row, seat in enumerate(race.age):
            for taste, weights in enumerate(TASTES.values()):
                worth = worths(row, np.array([taste]), *columns(race), alone)[:, 0]
                weighed = np.exp(worth - worth.max())
                found = dict(zip(CARDS, (weighed / weighed.sum()).tolist(), strict=True))
                expected = tastes(race, seat, weights)
                assert found == pytest.approx({card: expected.get(card, 0.0) for card in CARDS}, abs=1e-5)


def test_cards_are_chosen_as_often_as_they_are_liked() -> None:
    """Within five standard errors, and never one that has no weight."""
    worth = np.array([[NEVER], [0.0], [NEVER], [np.log(3)], [-14.0], [NEVER]], dtype=np.float32)
    many = 40_000
    found = Counter(chosen(np.repeat(worth, many, axis=1), np.random.default_rng(1)).tolist())
    assert set(found) <= {2, 4, 5}
    assert abs(found[2] / many - 0.25) < 5 * sqrt(0.25 * 0.75 / many)


def decider(race: GiroGaloppo) -> int:
    due = race.awaits()
    assert due is not None
    return due.seats[0]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("due", ["play", "place-obstacle"])
def test_views_ridden_together_are_what_each_is_alone(due: str, seed: int) -> None:
    """A seat's decisions in one position, as a robot compares them, are within four standard errors."""
    rng = random.Random(seed)
    race = GiroGaloppo.new(["A", "B", "C", "D"])
    while race.due != due or (due == "play" and not any(race.progress)):
        decision = random_decision(race, rng)
        assert decision is not None
        race = race.after(decision)
    seat = decider(race)
    views = [race.after(decision).seen_by(seat) for decision in list(race.decisions(seat))[:5]]
    kernel = kernel_believing(views[0], unknown(race))
    counts = [1500 + 100 * n for n in range(len(views))]
    joint = kernel.together(views, counts, [np.random.default_rng(seed) for _ in views])
    for n, (view, found) in enumerate(zip(views, joint, strict=True)):
        alone = kernel.playouts(view, 4000, np.random.default_rng(100 + n))
        assert (found.events, found.values.shape[1]) == (alone.events, counts[n])
        error = np.sqrt(alone.values.var(axis=1) * (1 / 4000 + 1 / counts[n])) + 1e-3
        assert (abs(found.values.mean(axis=1) - alone.values.mean(axis=1)) < 4 * error).all()


@pytest.mark.parametrize("seed", range(10))
def test_people_play_their_hands(seed: int) -> None:
    """Each card once until all six are used; first the one that this view can name."""
    rng = random.Random(seed)
    race = with_choices(thick_of_it(rng, hands=(1, 3, 6)), rng)
    world = 50
    people = People([race], unknown(race), [world], [np.random.default_rng(seed)])
    spaces = np.repeat(columns(race)[0], world, axis=1)
    left = len(CARDS) - len(race.used[0])
    rounds = [people.cards(spaces) for _ in range(left + len(CARDS))]
    for row, seat in enumerate(race.age):
        for column in range(world):
            cards = [int(played[row, column]) for played in rounds]
            assert sorted(cards[:left]) == hand_of(race, seat)
            assert sorted(cards[left:]) == [*CARDS]
            assert race.choices[seat] in (None, cards[0])


@pytest.mark.parametrize("seed", range(12))
def test_one_wins_and_is_placed_with_any_styles(seed: int) -> None:
    """In each playout the winner is one of those past the line; at any moment, for any viewer, on any board."""
    rng = random.Random(seed)
    race = thick_of_it(rng)
    race = with_choices(race, rng).seen_by(rng.choice([None, 0, 1]))
    values = Styled(unknown(race)).playouts(race, 200, np.random.default_rng(seed)).values
    won, placed = np.split(values, 2)
    assert set(np.unique(values).tolist()) <= {0.0, 1.0}
    assert (won.sum(axis=0) == 1).all()
    assert (won <= placed).all()


def test_where_all_are_thought_thoughtless_the_odds_are_those_of_random_play() -> None:
    """Wins and places are within five standard errors, with enough worlds to see half a point."""
    race, many = courses()[3], 20_000
    belief = sure(*[Style("random", 1.0)] * len(race.seats))
    one, other = (
        kernel.playouts(race, many, np.random.default_rng(2)).values.mean(axis=1)
        for kernel in (Giro(), Styled(belief))
    )
    assert (np.abs(one - other) < 5 * np.sqrt(2 * np.maximum(one * (1 - one), 0.001) / many)).all()


@pytest.mark.parametrize("rearmost_only", [False, True])
def test_playouts_agree_with_races_that_styles_play_through_the_rules(rearmost_only: bool) -> None:
    """Wins within four standard errors of 250 races in which each card is drawn by the scalar definition."""
    rng = random.Random(13)
    race, games = race_of(3, rng, rearmost_only=rearmost_only), 250
    styles = [Style("careful", 0.02), Style("greedy", 0.5), Style("thinker", 0.05)]

    def by(style: Style) -> Choose:
        def choose(race: GiroGaloppo, seat: int) -> int:
            hand = hand_of(race, seat)
            if rng.random() < style.noise:
                return rng.choice(hand)
            likes = tastes(race, seat, TASTES[style.taste])
            return rng.choices([*likes], [*likes.values()])[0]

        return choose

    ends = [victory(played(race, [by(style) for style in styles], 1000)[-1]) for _ in range(games)]
    playouts = Styled(sure(*styles)).playouts(race.seen_by(None), 10_000, np.random.default_rng(3))
    for seat, won in enumerate(zip(*ends, strict=True)):
        p = float(playouts.values[playouts.events.index(Event("win", seat))].mean())
        assert abs(sum(won) / games - p) < 4 * sqrt(p * (1 - p) / games)
