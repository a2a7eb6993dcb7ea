"""Galloping Pigs for OpenSpiel, in the idiom of open_spiel/python/games: the opponent of bench.games.

Four seats and the printed material. A deal is 28 chance nodes, a card each; a line-up is one action of
the 120 orders, a card one action of the 5 colours. Progress wraps round the 22 spaces as in the rules.
"""

from __future__ import annotations

import itertools
import random

import pyspiel

COLOURS = ("red", "blue", "green", "yellow", "pink")
SEATS = 4
SPACES = 22
ROUNDS = 3
FOOD = 55
HAND = 7  # cards a seat gets each round
COPIES = 7  # cards of each colour
LINE_UPS = tuple(itertools.permutations(range(len(COLOURS))))  # action n + 5: the n-th order, front first

_GAME_TYPE = pyspiel.GameType(
    short_name="python_galloping_pigs",
    long_name="Python Galloping Pigs",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=SEATS,
    min_num_players=SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    provides_factored_observation_string=False,
)
_GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=len(COLOURS) + len(LINE_UPS),
    max_chance_outcomes=len(COLOURS),
    num_players=SEATS,
    min_utility=0.0,
    max_utility=float(FOOD),
    utility_sum=None,
    max_game_length=ROUNDS * (1 + SEATS * HAND),
)


class PigsGame(pyspiel.Game):
    """The game: makes the opening state."""

    def __init__(self, params=None):
        super().__init__(_GAME_TYPE, _GAME_INFO, params or {})

    def new_initial_state(self):
        return PigsState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return None


class PigsState(pyspiel.State):
    """A position, changed in place by each action."""

    def __init__(self, game):
        super().__init__(game)
        self.round = 0
        self.stock = FOOD
        self.kept = [0] * SEATS
        self._begin_round()

    def _begin_round(self):
        self.progress = []  # by colour; empty before the line-up
        self.deck = [COPIES] * len(COLOURS)  # cards not dealt, by colour
        self.hands = [[0] * len(COLOURS) for _ in range(SEATS)]
        self.dealt = 0
        self.played = 0
        self.provisional = [0] * SEATS
        self.turn = self.round % SEATS

    def current_player(self):
        if self.round == ROUNDS:
            return pyspiel.PlayerId.TERMINAL
        if self.progress and self.dealt < SEATS * HAND:
            return pyspiel.PlayerId.CHANCE
        return self.turn

    def is_terminal(self):
        return self.round == ROUNDS

    def _legal_actions(self, player):
        if not self.progress:
            return list(range(len(COLOURS), len(COLOURS) + len(LINE_UPS)))
        return [colour for colour, cards in enumerate(self.hands[player]) if cards]

    def chance_outcomes(self):
        left = SEATS * HAND + COPIES - self.dealt
        return [(colour, cards / left) for colour, cards in enumerate(self.deck) if cards]

    def _apply_action(self, action):
        if not self.progress:
            self.progress = [0] * len(COLOURS)
            for place, colour in enumerate(LINE_UPS[action - len(COLOURS)]):
                self.progress[colour] = -place
        elif self.dealt < SEATS * HAND:
            self.deck[action] -= 1
            self.hands[self.dealt // HAND][action] += 1
            self.dealt += 1
        else:
            self._play(action)

    def _play(self, colour):
        seat = self.turn
        self.hands[seat][colour] -= 1
        taken = [p % SPACES for p in self.progress]
        at = self.progress[colour] + 1
        while at % SPACES in taken:
            at += 1
        leads = at > max(self.progress)
        self.progress[colour] = at
        if leads and self.stock:
            self.stock -= 1
            self.provisional[seat] += 1
        if self.played >= SEATS * (HAND - 1):
            self._reward(seat, leads)
        self.played += 1
        self.turn = (seat + 1) % SEATS
        if self.played == SEATS * HAND:
            self.round += 1
            self._begin_round()

    def _reward(self, seat, leads):
        if leads:
            self.kept[seat] += self.provisional[seat]
        else:
            self.stock += self.provisional[seat]
        self.provisional[seat] = 0

    def returns(self):
        return [float(food) for food in self.kept]

    def information_state_string(self, player):
        return f"{self.hands[player]} {self}"

    def _action_to_string(self, player, action):
        if player == pyspiel.PlayerId.CHANCE:
            return f"Deal {COLOURS[action]}"
        if action < len(COLOURS):
            return f"Play {COLOURS[action]}"
        return "Line up " + " ".join(COLOURS[colour] for colour in LINE_UPS[action - len(COLOURS)])

    def __str__(self):
        return f"round {self.round} {self.progress} stock {self.stock} {self.provisional} {self.kept}"


pyspiel.register_game(_GAME_TYPE, PigsGame)


def load() -> pyspiel.Game:
    """Return the registered game, as OpenSpiel's users get it."""
    return pyspiel.load_game("python_galloping_pigs")


def random_game(game: pyspiel.Game, rng: random.Random, judge: bool = False) -> PigsState:
    """Play a game at random, as in open_spiel/python/examples; `judge` every action or trust it."""
    state = game.new_initial_state()
    act = state.apply_action_with_legality_check if judge else state.apply_action
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            act(rng.choices(actions, chances)[0])
        else:
            act(rng.choice(state.legal_actions()))
    return state
