"""Seats played by the companion: when a bot is due, its decision, and the time for people to follow."""

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
    """Background computation of bots' decisions that does not block the table; answers with a message
    `Chosen`.
    """

    def choose(
        self, match: int, seq: int, race: Race, seat: int, bot: str, seed: int, belief: Belief
    ) -> None:
        """Compute a bot's decision for this seat, from the seat's view and the public belief
        about the seats.

        An older request is dropped.
        """


@dataclass
class _Thinking:
    """A bot whose decision is due: the earliest time to play it, and the decision once it has arrived."""

    match: int
    seq: int
    seat: int
    ready: float
    decision: Decision | None = None


class Robots:
    """The bot whose decision is due, if any. Runs in the table's thread."""

    def __init__(self, referee: Referee, seed: Callable[[], int]) -> None:
        """Take a new seed for each decision from `seed`; `referee` says whether people have followed."""
        self._referee, self._seed = referee, seed
        self._thinking: _Thinking | None = None
        self.chooser: Chooser | None = None  # None: they decide here and now

    def forget(self) -> None:
        """Drop the chooser and the pending request."""
        self.chooser = self._thinking = None

    def due(self, match: Match | None, now: float) -> Decision | None:
        """Return a bot's decision once it is due, the pieces are right and people could follow."""
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
        """Request the bot's decision; without a chooser compute it here and now."""
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

    def chosen(self, choice: Chosen, match: Match | None) -> None:
        """Store a bot's decision; ValueError if the rules forbid it. A late answer is dropped."""
        bot = self._thinking
        if bot is None or match is None or (bot.match, bot.seq, bot.seat) != choice[:3]:
            return
        reason = reason_against(match.race, choice.decision)
        if reason is not None:
            raise ValueError(f"a bot decided what the rules forbid: {reason}")
        bot.decision = choice.decision

    def next_deadline(self) -> float | None:
        """Return when a bot that has decided may play; None: none has decided."""
        bot = self._thinking
        return bot.ready if bot and bot.decision else None
