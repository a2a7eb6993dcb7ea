"""The bench of peers: races as OpenSpiel's states play by the rules and hide what is hidden; endgames known by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

from bench.endgames import Node, Policy, Tree, deals, response, value
from bench.spiel import RaceGame, RaceState, Rollout, offered, seen
from companion import games
from companion.bots.heuristics import MANY
from companion.bots.players import next_decision
from companion.games.galloping.rules import GallopingHorse, GallopingPigs
from companion.games.judge import checked
from companion.games.race import Race
from companion.odds.chance import victory
from tests.support.games.snails import Snails

GAMES: list[type[Race]] = [*sorted(games.all_games().values(), key=lambda game: game.name), Snails]
SEATS = ("Ada", "Ben", "Cleo")

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def wandered(game: type[Race], seed: int) -> list[RaceState]:
    """Return every state of a game played at random through the adapter."""
    rng = random.Random(seed)
    states = [RaceGame(game.new(SEATS), rng).new_initial_state()]
    while not states[-1].is_terminal():
        states.append(states[-1].child(rng.choice(states[-1].legal_actions())))
    return states


# --- the adapter ---------------------------------------------------------------------------------


@every_game
def test_a_game_through_the_adapter_ends_as_the_rules_say(game: type[Race]) -> None:
    """The same decisions, judged one by one, lead to the same positions and the same victory."""
    states = wandered(game, 1)
    race: Race = game.new(SEATS)
    for state, following in pairwise(states):
        assert state.race == race
        if state.is_chance_node():  # what was drawn is known only afterwards
            race = following.race
        else:
            race = checked(race, state.game.decision(following.history[-1]))
    assert states[-1].race == race
    assert race.awaits() is None
    assert states[-1].returns() == victory(race)


@every_game
def test_offered_is_all_that_the_rules_allow_or_what_is_sensible_where_that_is_too_much(
    game: type[Race],
) -> None:
    """The same decisions for everybody who knows the same, in ascending numbers that stay."""
    for state in wandered(game, 2)[:-1]:
        seat = state.current_player()
        if state.is_chance_node():
            continue
        actions = state.legal_actions()
        made = [state.game.decision(action) for action in actions]
        assert actions == sorted(set(actions))
        assert [state.game.number(decision) for decision in made] == actions
        assert all(state.race.illegal_reason(decision) is None for decision in made)
        listed = list(state.race.decisions(seat))
        assert set(made) == set(listed) or len(listed) > MANY
        assert state.resample_from_infostate(seat).legal_actions() == actions


@every_game
def test_an_information_state_holds_nothing_that_is_hidden_and_all_that_is_known(game: type[Race]) -> None:
    """With hidden cards exchanged the string is the same; with own cards exchanged it is another one."""
    hidden = own = 0
    for state in wandered(game, 3)[:-1]:
        for seat in range(len(SEATS)):
            other = state.resample_from_infostate(seat)
            hidden += other.race != state.race
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.observation_string(seat) == state.observation_string(seat)
            turned = RaceState(state.game, state.race.seen_by(None).guessed(random.Random(4)))
            if turned.race.secrets_of(seat) != state.race.secrets_of(seat):
                own += 1
                assert turned.information_state_string(seat) != state.information_state_string(seat)
    assert hidden
    assert own, "or the test proves little"


def test_the_order_of_a_hand_is_no_knowledge() -> None:
    """A hand dealt in another order is the same information state."""
    state = next(s for s in wandered(GallopingPigs, 1) if s.race.awaits().do == "play")  # type: ignore[union-attr]
    assert isinstance(state.race, GallopingPigs)
    turned = state.race.replaced(hands=tuple(hand[::-1] for hand in state.race.hands))
    assert turned != state.race
    assert seen(turned, 0) == seen(state.race, 0)


def test_a_rollout_is_a_game_to_its_end() -> None:
    """Its payoff is one victory, and the state that it began in stays."""
    state = wandered(GallopingHorse, 5)[0]
    assert sum(Rollout(random.Random(1)).evaluate(state)) == pytest.approx(1)
    assert state.race == GallopingHorse.new(SEATS)
    assert sum(chance for _, chance in Rollout(random.Random(1)).prior(state)) == pytest.approx(1)


# --- endgames ------------------------------------------------------------------------------------


def last_cards(count: int, seed: int = 1) -> GallopingHorse:
    """Return two seats of Galloping Horse in the last round with so many cards each."""
    rng, race = random.Random(seed), GallopingHorse.new(["Ada", "Ben"])
    while race.round < race.rounds or race.due != "play" or any(len(hand) != count for hand in race.hands):
        decision = next_decision(race, ["random", "random"], rng)
        assert decision is not None
        race = race.after(decision)
    return race


def test_every_deal_that_the_public_may_believe_in_is_as_likely_as_the_deck_makes_it() -> None:
    """One card each: red and blue in this order are (red unseen / unseen) × (blue unseen / the rest)."""
    race = last_cards(1)
    unseen = Counter({card: 7 - race.played.count(card) for card in race.animals})
    chances = {(dealt.hands[0][0], dealt.hands[1][0]): chance for dealt, chance in deals(race.seen_by(None))}  # type: ignore[attr-defined]
    total = sum(unseen.values())
    for one in race.animals:
        for two in race.animals:
            expected = unseen[one] / total * (unseen[two] - (one == two)) / (total - 1)
            assert chances.get((one, two), 0) == pytest.approx(expected)


def test_all_deals_leave_the_public_what_it_saw() -> None:
    """Each is a world that the public view allows, the true one among them; together they are certain."""
    race = last_cards(3)
    worlds = deals(race.seen_by(None))
    assert sum(chance for _, chance in worlds) == pytest.approx(1)
    assert all(world.seen_by(None) == race.seen_by(None) for world, _ in worlds)
    assert {seen(race, 0), seen(race, 1)} <= {seen(world, seat) for world, _ in worlds for seat in (0, 1)}
    assert all(list(offered(world, world.turn)) for world, _ in worlds)  # type: ignore[attr-defined]


class Always:
    """A policy that picks the same leaf in every information state."""

    def __init__(self, leaf: int) -> None:
        self.leaf = leaf

    def action_probabilities(self, node: Node, player_id: int | None = None) -> Mapping[int, float]:
        decisions = {node.state.game.decision(action).what: action for action in node.children}
        return {decisions[self.leaf]: 1.0}


def one_round_of_snails() -> Tree:
    """Return a game in which each picks a leaf, 1 to 3; unique numbers move so far, and the furthest wins."""
    return Tree([(Snails.new(["Ada", "Ben"], rounds=1), 1.0)])


class TestKnownByHand:
    """The highest leaf wins against every other and halves with itself, so picking it is the equilibrium."""

    @pytest.fixture(autouse=True)
    def _with_openspiel(self) -> None:
        pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: make bench-short does")

    def test_no_seat_sees_the_other_pick(self) -> None:
        """One information state for each seat, though one picks before the other."""
        assert one_round_of_snails().information_states == 2

    def test_random_picks_win_half_and_a_best_response_five_sixths(self) -> None:
        answer = response(one_round_of_snails(), Policy("random", 1))
        assert answer.even == pytest.approx(1 / 2)
        assert answer.best == pytest.approx((5 / 6, 5 / 6))
        assert answer.exploitability == pytest.approx(1 / 3)

    @pytest.mark.parametrize(("leaf", "best"), [(1, 1), (2, 1), (3, 1 / 2)])
    def test_a_best_response_to_a_leaf(self, leaf: int, best: float) -> None:
        """That to the best response wins a half: it is the equilibrium."""
        policy: Any = Always(leaf)
        assert response(one_round_of_snails(), policy).best == pytest.approx((best, best))

    @pytest.mark.parametrize(("picked", "best"), [(3, 1 / 2), (1, 1.0)])
    def test_a_seat_with_nothing_left_to_decide_has_its_best_response(self, picked: int, best: float) -> None:
        """Ada has picked, and only Ben may choose: Ada gets what he leaves her at random."""
        start = Snails.new(["Ada", "Ben"], rounds=1)
        leaf = next(decision for decision in start.decisions(0) if decision.what == picked)
        answer = response(Tree([(start.after(leaf), 1.0)]), Policy("random", 1))
        assert answer.best == pytest.approx((answer.even, best))

    def test_the_equilibrium_is_a_half(self) -> None:
        assert value(one_round_of_snails()) == pytest.approx(1 / 2)

    def test_no_best_response_wins_less_than_the_equilibrium(self) -> None:
        """Two cards each of Galloping Horse, hands hidden: OpenSpiel's responses bound the linear program."""
        for seed in range(3):
            tree = Tree(deals(last_cards(2, seed).seen_by(None)))
            worth = value(tree)
            for robot in ("random", "medium", "strong"):
                answer = response(tree, Policy(robot, 1))
                assert answer.best[0] >= worth - 1e-9
                assert answer.best[1] >= 1 - worth - 1e-9
                assert answer.best[0] >= answer.even - 1e-9


# --- the page ------------------------------------------------------------------------------------

MATCHES = [
    # seats, who plays one of them, victories of so many games: whether strong is beaten beyond doubt
    (2, "strong", 50, 100, False),
    (2, "strong", 42, 100, False),
    (2, "strong", 38, 100, True),
    (2, "strong", 62, 100, False),
    (3, "strong", 0, 3, False),
    (3, "strong", 0, 12, True),
    (3, "ISMCTS", 8, 12, True),
    (3, "ISMCTS", 2, 12, False),
]


@pytest.mark.parametrize(("seats", "one", "won", "count", "beaten"), MATCHES)
def test_strong_is_beaten_where_its_interval_says_so(
    seats: int, one: str, won: int, count: int, beaten: bool
) -> None:
    """A few games say little, however they ended."""
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: make bench-short does")
    from bench.peers import Match, Result, row, wilson

    other = "ISMCTS" if one == "strong" else "strong"
    match = Match("greyhounds", seats, one, other)
    part = won / count
    result = Result(match, count, part, wilson(part, count), {"strong": 0.01, "ISMCTS": 1.0}, minutes=1.0)
    assert result.strong_is_beaten == beaten
    assert ("**" in str(row(result))) == beaten
