"""Any race as a state that OpenSpiel's algorithms in Python accept; no game has special code here.

Nothing of OpenSpiel is inherited, its algorithms only call methods. Seats that decide together do so one
after the other, in order; their decisions stay sealed, as at a table. A draw is a chance node with one
outcome, drawn when it is applied (OpenSpiel calls that sampled stochastic). The payoff is the part of the
victory.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from itertools import islice
from typing import Any, Final

from companion.bots.heuristics import MANY
from companion.bots.registry import heuristics_of
from companion.games.race import Race, played_out
from companion.games.terms import Decision
from companion.odds.chance import victory

CHANCE: Final = -1  # pyspiel.PlayerId.CHANCE and TERMINAL, as numbers: tests need no OpenSpiel
TERMINAL: Final = -4
DRAW: Final = 0  # the action of chance


def offered(race: Race, seat: int) -> Sequence[Decision]:
    """Return the seat's decisions; where there are more than `MANY`, sensible ones, the same for the same
    view.

    There are more for bets in Greyhounds, and for line-ups of five, which are worth the same before the deal.
    """
    listed = list(islice(race.decisions(seat), MANY + 1))
    if len(listed) <= MANY:
        return listed
    view = race.seen_by(seat)
    return heuristics_of(view).sensible(view, seat, random.Random(str(seen(race, seat))))


def seen(race: Race, seat: int) -> Hashable:
    """Return what the seat knows: the public part, and its own secrets in an order that no deal changes.

    That is `seen_by`, but that equal hands are equal however they were dealt.
    """
    return race.seen_by(None), str(race.secrets_of(seat))


class RaceGame:
    """A game from an opening position on; `rng` draws the draws and guesses the hidden values."""

    def __init__(self, opening: Race, rng: random.Random) -> None:
        self.opening, self.rng = opening, rng
        self._decisions: list[Decision] = []
        self._numbers: dict[Decision, int] = {}

    def number(self, decision: Decision) -> int:
        """Return the action of this decision, throughout this game: numbered as they are first met."""
        if decision not in self._numbers:
            self._numbers[decision] = len(self._decisions)
            self._decisions.append(decision)
        return self._numbers[decision]

    def decision(self, action: int) -> Decision:
        """Return the decision of this action."""
        return self._decisions[action]

    def num_players(self) -> int:
        """Return the number of seats."""
        return len(self.opening.seats)

    def get_type(self) -> Any:
        """Return the type: one decision at a time, with hidden information."""
        import pyspiel

        class Type:
            dynamics = pyspiel.GameType.Dynamics.SEQUENTIAL
            information = pyspiel.GameType.Information.IMPERFECT_INFORMATION

        return Type

    def new_initial_state(self) -> RaceState:
        """Return the opening."""
        return RaceState(self, self.opening)


class RaceState:
    """A position of a game. As OpenSpiel has it, `apply_action` changes it; the race in it is a value."""

    def __init__(self, game: RaceGame, race: Race, history: tuple[int, ...] = ()) -> None:
        self.game, self.race, self.history = game, race, history

    def get_game(self) -> RaceGame:
        """Return the game of this position."""
        return self.game

    def current_player(self) -> int:
        """Return the seat to decide, the first of several; or chance, or the terminal player."""
        due = self.race.awaits()
        if due is None:
            return TERMINAL
        return CHANCE if not due.seats or self.race.may_deal() else due.seats[0]

    def is_terminal(self) -> bool:
        """Return True if the game is finished."""
        return self.race.awaits() is None

    def is_chance_node(self) -> bool:
        """Return True if a draw is due."""
        return self.current_player() == CHANCE

    def is_simultaneous_node(self) -> bool:
        """Return False: seats that decide together decide one after the other."""
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the numbers of the seat's legal decisions, ascending."""
        seat = self.current_player()
        if seat == CHANCE:
            return [DRAW]
        if seat == TERMINAL or player not in (None, seat):
            return []
        return sorted(map(self.game.number, offered(self.race, seat)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return one outcome: it is drawn when it is applied."""
        return [(DRAW, 1.0)]

    def apply_action(self, action: int) -> None:
        """Advance to the position after this decision or draw."""
        seat = self.current_player()
        decision = self.race.drawn(self.game.rng) if seat == CHANCE else self.game.decision(action)
        assert decision is not None
        self.race = self.race.after(decision)
        self.history = (*self.history, action)

    def child(self, action: int) -> RaceState:
        """Return the position after this action; this one stays."""
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self) -> RaceState:
        """Return the same position."""
        return RaceState(self.game, self.race, self.history)

    def returns(self) -> list[float]:
        """Return each seat's part of the victory."""
        return victory(self.race)

    def player_return(self, player: int) -> float:
        """Return this seat's part of the victory."""
        return self.returns()[player]

    def observation_string(self, player: int | None = None) -> Hashable:
        """Return what the seat knows now, as a key for ISMCTS, which accepts any object."""
        return seen(self.race, self.current_player() if player is None else player)

    def information_state_string(self, player: int | None = None) -> str:
        """Return the same as text; the seat's earlier knowledge is in no position, `bench.endgames` remembers
        it.
        """
        return str(self.observation_string(player))

    def resample_from_infostate(self, player: int, sampler: object = None) -> RaceState:
        """Return the same position, with everything dealt again that this seat does not know."""
        return RaceState(self.game, self.race.seen_by(player).guessed(self.game.rng), self.history)

    def history_str(self) -> str:
        """Return the actions so far."""
        return " ".join(map(str, self.history))


class Rollout:
    """OpenSpiel's evaluator: one game to its end at random, through the rules; no decision is preferred.

    It is what RandomRolloutEvaluator does, but that a colour held twice is played twice as often, at a
    fraction of its price.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def evaluate(self, state: RaceState) -> list[float]:
        """Return each seat's part of the victory at the end."""
        return victory(played_out(state.race, self.rng))

    def prior(self, state: RaceState) -> list[tuple[int, float]]:
        """Return the same weight for every decision."""
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]
