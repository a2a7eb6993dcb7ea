"""Seats that the companion plays: when a bot is due, what it decides, and how long people have to follow."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from companion.bots import players as bots
from companion.errors import ValidationError
from companion.games.judge import reason_against
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.match import Match
from companion.odds.styles import Belief, learned_by_robots
from companion.referee.referee import Referee
from companion.table.messages import Chosen

SENSED_PAUSE = 3.0  # seconds that people have to follow before a bot decides, once the pieces stand right
TAPPED_PAUSE = 7.0  # where nothing senses that the pieces were moved


class Chooser(Protocol):
    """Whoever decides for bots without holding up the table; answers with a message `Chosen`."""

    def choose(
        self, match: int, seq: int, race: Race, seat: int, bot: str, seed: int, belief: Belief
    ) -> None:
        """Have a bot decide for this seat, from a view of its own and what the public believes of the seats.

        An older question is forgotten.
        """


@dataclass
class _Thinking:
    """A bot that is to decide: since when it may be seen to, and what it decides once it has told."""

    match: int
    seq: int
    seat: int
    ready: float
    decision: Decision | None = None


class Robots:
    """The bot that is to decide now, if one is. Runs in the table's thread."""

    def __init__(self, referee: Referee, seed: Callable[[], int]) -> None:
        """`seed` gives a new seed for each decision; `referee` tells whether people have followed."""
        self._referee, self._seed = referee, seed
        self._thinking: _Thinking | None = None
        self.chooser: Chooser | None = None  # None: they decide here and now

    def forget(self) -> None:
        """Whoever was asked does not answer any more."""
        self.chooser = self._thinking = None

    def due(self, match: Match | None, now: float) -> Decision | None:
        """What a bot decides now: once it is due, the pieces stand right and people could follow."""
        seat = match.bot_due() if match else None
        if match is None or seat is None:
            self._thinking = None
            return None
        bot = self._thinking
        if bot is None or (bot.match, bot.seq, bot.seat) != (match.id, match.seq, seat):
            sensed = self._referee.positions(match.race) is not None
            pause = SENSED_PAUSE if sensed and match.race.layout() else TAPPED_PAUSE
            bot = self._thinking = _Thinking(match.id, match.seq, seat, now + pause)
            self._think(match, seat)
        if any(task.held for task in self._referee.todo(match, now)):
            bot.ready = max(bot.ready, now + SENSED_PAUSE)
        if bot.decision is None or now < bot.ready:
            return None
        self._thinking = None
        return bot.decision

    def _think(self, match: Match, seat: int) -> None:
        """Ask for the bot's decision; where nobody can be asked it decides here and now."""
        view, strength, seed = match.race.seen_by(seat), match.bots[seat], self._seed()
        belief = learned_by_robots(match.positions(), bots=match.bots)
        if self.chooser is not None:
            self.chooser.choose(match.id, match.seq, view, seat, strength, seed, belief)
            return
        rng = random.Random(seed)
        try:
            decision = bots.decide(strength, view, seat, rng, belief=belief)
        except ValidationError:  # it cannot think here: it plays on without
            decision = bots.decide("random", view, seat, rng)
        self.chosen(Chosen(match.id, match.seq, seat, decision), match)

    def chosen(self, told: Chosen, match: Match | None) -> None:
        """A bot has decided; ValueError if the rules forbid it. Too late an answer is forgotten."""
        bot = self._thinking
        if bot is None or match is None or (bot.match, bot.seq, bot.seat) != told[:3]:
            return
        reason = reason_against(match.race, told.decision)
        if reason is not None:
            raise ValueError(f"a bot decided what the rules forbid: {reason}")
        bot.decision = told.decision

    def next_deadline(self) -> float | None:
        """When a bot that has decided may be seen to; None: none has."""
        bot = self._thinking
        return bot.ready if bot and bot.decision else None
