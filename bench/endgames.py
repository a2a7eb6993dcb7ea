"""The exploitability of robots in the last turns of games for two, computed exactly.

Where the tree is small enough it is unfolded completely, with every deal that the public may believe in as a
chance node, and OpenSpiel computes the best response. A robot's decisions are fixed for each information
state by a seed. As the seats share one victory, the equilibrium gives them one together: the amount by which
the two best responses win more than that, in the mean, is the exploitability, and no equilibrium is computed
for it.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any, Final, NamedTuple

from bench.spiel import CHANCE, TERMINAL, RaceGame, RaceState, seen
from companion import games
from companion.bots.players import decide, next_decision
from companion.games.galloping.rules import Galloping
from companion.games.race import Race

PLAYED: Final = ("galloping-pigs", "galloping-horse", "giro-galoppo")
POLICIES: Final = ("random", "medium", "strong")
LEFT: Final = 3  # cards in each hand when an endgame of Galloping begins, in its last round
LARGEST: Final = 1_000  # decisions in a tree of Giro Galoppo; how long it goes on depends on the obstacles
OPEN: Final = 0.05  # of the victory: what the equilibrium leaves each seat, and what random play loses
ROUNDED: Final = 1e-6  # by the linear program


# --- the tree ------------------------------------------------------------------------------------


class TooLarge(Exception):
    """The tree has more decisions than allowed."""


class Node:
    """A position in a tree that is unfolded, as OpenSpiel asks for a state: nothing is computed twice.

    `key` names what the seat to decide knows, knew and did: it forgets nothing.
    """

    def __init__(self, state: RaceState, player: int, key: str, name: str) -> None:
        self.state, self.player, self.key, self.name = state, player, key, name
        self.children: dict[int, Node] = {}
        self.chances: list[tuple[int, float]] = []
        self._returns = state.returns() if player == TERMINAL else []

    def current_player(self) -> int:
        return self.player

    def is_terminal(self) -> bool:
        return self.player == TERMINAL

    def is_chance_node(self) -> bool:
        return self.player == CHANCE

    def is_simultaneous_node(self) -> bool:
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        return list(self.children) if player in (None, self.player) else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.chances

    def child(self, action: int) -> Node:
        return self.children[action]

    def information_state_string(self, player: int | None = None) -> str:
        assert player in (None, self.player), "asked of whoever is to decide"
        return self.key

    def returns(self) -> list[float]:
        return self._returns

    def player_return(self, player: int) -> float:
        return self._returns[player]

    def history_str(self) -> str:
        return self.name


class Tree:
    """A game that begins with one of some worlds, unfolded; TooLarge if it has more decisions
    than `largest`.

    A decision without alternatives is made automatically.
    """

    def __init__(self, worlds: Sequence[tuple[Race, float]], largest: int | None = None) -> None:
        self._game = RaceGame(worlds[0][0], random.Random(0))
        self._keys: dict[Hashable, str] = {}
        self._largest, self._decisions = largest, 0
        self.root = Node(RaceState(self._game, worlds[0][0]), CHANCE, "", "root")
        for number, (race, chance) in enumerate(worlds):
            self.root.chances.append((number, chance))
            self.root.children[number] = self._unfolded(RaceState(self._game, race), {}, f"{number}:")

    def _unfolded(self, state: RaceState, memory: Mapping[int, object], name: str) -> Node:
        """Return the node of this position; `memory`: by seat the key of its last decision, and
        the decision.
        """
        actions = state.legal_actions()
        while len(actions) == 1:
            state = state.child(actions[0])
            actions = state.legal_actions()
        player = state.current_player()
        if player == TERMINAL:
            return Node(state, player, "", name)
        assert player != CHANCE, "an endgame has no draws but the deal that it begins with"
        self._decisions += 1
        if self._largest is not None and self._decisions > self._largest:
            raise TooLarge
        knows = player, memory.get(player), seen(state.race, player)
        key = self._keys.setdefault(knows, str(len(self._keys)))
        node = Node(state, player, key, name)
        for action in actions:
            remembered = {**memory, player: (key, action)}
            node.children[action] = self._unfolded(state.child(action), remembered, f"{name} {action}")
        return node

    @property
    def information_states(self) -> int:
        """The number of information states in which a seat has a choice."""
        return len(self._keys)

    def num_players(self) -> int:
        return self._game.num_players()

    def new_initial_state(self) -> Node:
        return self.root


def value(tree: Tree) -> float:
    """Return the first seat's value in equilibrium: the linear program of Koller, Megiddo and von Stengel
    (1996).

    A sequence is what a seat does on the way to a position: its last decision, as that follows all others.
    The first seat's weights `x` of its sequences minimise the value of the other's best response; `q` is what
    the other leaves of the victory from each of its information states on.
    """
    from scipy.optimize import linprog
    from scipy.sparse import dok_array

    sequences: tuple[dict[Hashable, int], dict[Hashable, int]] = ({None: 0}, {None: 0})
    before: tuple[dict[str, int], dict[str, int]] = ({}, {})  # by information state: the sequence to it
    states: tuple[dict[int, str], dict[int, str]] = ({}, {})  # by sequence: the information state it left
    payoffs: dict[tuple[int, int], float] = {}

    def walk(node: Node, chance: float, played: tuple[int, int]) -> None:
        seat = node.player
        if seat == TERMINAL:
            payoffs[played] = payoffs.get(played, 0.0) + chance * node.player_return(0)
        elif seat == CHANCE:
            for action, p in node.chance_outcomes():
                walk(node.child(action), chance * p, played)
        else:
            before[seat][node.key] = played[seat]
            for action, child in node.children.items():
                mine = sequences[seat].setdefault((node.key, action), len(sequences[seat]))
                states[seat][mine] = node.key
                walk(child, chance, (mine, played[1]) if seat == 0 else (played[0], mine))

    walk(tree.root, 1.0, (0, 0))
    q = {key: len(sequences[0]) + 1 + n for n, key in enumerate(before[1])}
    root = len(sequences[0])
    width = root + 1 + len(q)
    flow = dok_array((1 + len(before[0]), width))  # each information state hands on what comes to it
    flow[0, 0] = 1.0
    rows = {key: n for n, key in enumerate(before[0], start=1)}
    for key, sequence in before[0].items():
        flow[rows[key], sequence] = -1.0
    for sequence, key in states[0].items():
        flow[rows[key], sequence] = 1.0
    left = dok_array((len(sequences[1]), width))  # no sequence of the other leaves less than it says
    for mine, theirs in payoffs:
        left[theirs, mine] = -payoffs[mine, theirs]
    left[0, root] = 1.0
    for sequence, key in states[1].items():
        left[sequence, q[key]] = 1.0
    for key, sequence in before[1].items():
        left[sequence, q[key]] = -1.0
    solution = linprog(
        [-1.0 if n == root else 0.0 for n in range(width)],
        A_ub=left.tocsr(),
        b_ub=[0.0] * len(sequences[1]),
        A_eq=flow.tocsr(),
        b_eq=[1.0] + [0.0] * len(before[0]),
        bounds=[(0, None) if n < root else (None, None) for n in range(width)],
    )
    assert solution.success, solution.message
    return -float(solution.fun)


# --- who plays there -----------------------------------------------------------------------------


class Policy:
    """The play of a robot in a tree, as OpenSpiel asks for it: one decision for each information state.

    The seed and the seat's knowledge determine the chance in its thoughts. "random" takes each decision
    equally often instead.
    """

    def __init__(self, robot: str, seed: int) -> None:
        self.robot, self.seed = robot, seed
        self._known: dict[str, Mapping[int, float]] = {}

    def action_probabilities(self, node: Node, player_id: int | None = None) -> Mapping[int, float]:
        """Return the probability of each action."""
        if node.key not in self._known:
            self._known[node.key] = self._asked(node)
        return self._known[node.key]

    def _asked(self, node: Node) -> Mapping[int, float]:
        if self.robot == "random":
            return {action: 1 / len(node.children) for action in node.children}
        race, seat = node.state.race, node.player
        rng = random.Random(f"{self.seed} {seen(race, seat)}")
        return {node.state.game.number(decide(self.robot, race, seat, rng)): 1.0}


class Response(NamedTuple):
    """The first seat's value where both play alike; the value of each seat's best response to that."""

    even: float
    best: tuple[float, float]

    @property
    def exploitability(self) -> float:
        """The gain of a best response over the equilibrium, in the mean of the seats."""
        return (sum(self.best) - 1) / 2


def response(tree: Tree, policy: Policy) -> Response:
    """Return both seats' exact best responses to this policy, by OpenSpiel."""
    from open_spiel.python.algorithms.best_response import BestResponsePolicy
    from open_spiel.python.algorithms.expected_game_score import policy_value

    # not exploitability.best_response of 2.0.2: it breaks where a seat has nothing left to decide
    root: Any = tree.root
    best = [float(BestResponsePolicy(tree, seat, policy, root).value(root)) for seat in range(2)]
    return Response(float(policy_value(root, [policy, policy])[0]), (best[0], best[1]))


# --- which endgames ------------------------------------------------------------------------------


class Endgame(NamedTuple):
    """A game for two near its end: its number among those played, its tree, the first seat's equilibrium
    value.
    """

    number: int
    tree: Tree
    value: float


def endgames(name: str, seed: int) -> Iterator[Endgame]:
    """Yield open endgames of one game after the other, played by strong robots.

    In the others the equilibrium leaves one seat next to nothing, or the remaining decisions matter little.
    """
    for number in range(1_000_000):
        rng = random.Random(f"endgames {seed}/{name}/{number}")
        opening = games.find_by_name(name).new(["0", "1"], start=number % 2)
        tree = _last_turns(list(_played(opening, rng)))
        if tree is None or response(tree, Policy("random", seed)).exploitability < OPEN:
            continue
        if OPEN <= (worth := value(tree)) <= 1 - OPEN:
            yield Endgame(number, tree, worth)


def _played(race: Race, rng: random.Random) -> Iterator[Race]:
    while (decision := next_decision(race, ["strong", "strong"], rng)) is not None:
        race = race.after(decision)
        yield race


def _last_turns(positions: Sequence[Race]) -> Tree | None:
    """Return the tree of the last turns of this game; None if it has none."""
    for race in positions:
        if isinstance(race, Galloping) and _is_near_the_end(race):
            return Tree(deals(race.seen_by(None)))
    largest = None
    for race in reversed(positions):
        if race.awaits() is not None and race.seen_by(None) == race and not isinstance(race, Galloping):
            try:
                largest = Tree([(race, 1.0)], LARGEST)
            except TooLarge:
                break
    return largest


def _is_near_the_end(race: Galloping) -> bool:
    last_round = race.round == race.rounds and race.due == "play"
    return last_round and all(len(hand) == LEFT for hand in race.hands)


def deals(view: Galloping) -> list[tuple[Race, float]]:
    """Return every deal that is consistent with the public view, and its probability."""
    unseen = {card: view.cards_per_colour - view.played.count(card) for card in view.animals}
    first, second = (list(combinations_with_replacement(view.animals, len(hand))) for hand in view.hands)
    ways = {
        (one, two): prod(
            comb(count, one.count(card)) * comb(max(0, count - one.count(card)), two.count(card))
            for card, count in unseen.items()
        )
        for one in first
        for two in second
    }
    total = sum(ways.values())
    return [(view.replaced(hands=hands), count / total) for hands, count in ways.items() if count]


class Weighed(NamedTuple):
    """An endgame, its number of information states, and the responses to each policy."""

    number: int
    information_states: int
    responses: Mapping[str, Response]


def weighed(endgame: Endgame, seed: int) -> Weighed:
    """Return the best responses to each policy in this endgame; none wins less than the equilibrium gives."""
    number, tree, worth = endgame
    responses = {robot: response(tree, Policy(robot, seed)) for robot in POLICIES}
    for one in responses.values():
        assert one.best[0] >= worth - ROUNDED
        assert one.best[1] >= 1 - worth - ROUNDED
    return Weighed(number, tree.information_states, responses)
