"""Seats played by the companion: when a bot is due, its decision, and the time for people to follow."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Protocol

from companion.bots import players as bots
from companion.errors import ValidationError
from companion.games.judge import reason_against
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.match import Match
from companion.odds.styles import Belief, learned_by_robots
from companion.referee.evaluation import Evaluation
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


@dataclass(frozen=True)
class Thinking:
    """A bot whose decision is due: the earliest time to play it, and the decision once it has arrived.

    `turn`: the match, its entry and the seat.
    """

    turn: tuple[int, int, int]
    ready: float
    decision: Decision | None = None


def next_bot(bot: Thinking | None, evaluation: Evaluation) -> Thinking | None:
    """Return the bot that is due, after `bot` was; it waits until the pieces are right and people could
    follow.
    """
    match, now = evaluation.match, evaluation.now
    seat = match.bot_due() if match is not None else None
    if match is None or seat is None:
        return None
    turn = (match.id, match.seq, seat)
    if bot is None or bot.turn != turn:
        sensed = evaluation.seen is not None and match.race.layout()
        bot = Thinking(turn, now + (SENSED_PAUSE if sensed else TAPPED_PAUSE))
    if any(task.held for task in evaluation.todo):
        return replace(bot, ready=max(bot.ready, now + SENSED_PAUSE))
    return bot


def with_choice(bot: Thinking | None, choice: Chosen, match: Match | None) -> Thinking | None:
    """Return the bot with its decision; ValueError if the rules forbid it. A late answer is dropped."""
    if bot is None or match is None or bot.turn != choice[:3]:
        return bot
    reason = reason_against(match.race, choice.decision)
    if reason is not None:
        raise ValueError(f"a bot decided what the rules forbid: {reason}")
    return replace(bot, decision=choice.decision)


def think(match: Match, seed: int, chooser: Chooser | None) -> Chosen | None:
    """Request the decision of the bot that is due; without a chooser compute and return it here and now."""
    seat = match.bot_due()
    assert seat is not None
    view, strength = match.race.seen_by(seat), match.bots[seat]
    belief = learned_by_robots(match.positions(), bots=match.bots)
    if chooser is not None:
        chooser.choose(match.id, match.seq, view, seat, strength, seed, belief)
        return None
    rng = random.Random(seed)
    try:
        decision = bots.decide(strength, view, seat, rng, belief=belief)
    except ValidationError:  # it cannot think here: it plays on without
        decision = bots.decide("random", view, seat, rng)
    return Chosen(match.id, match.seq, seat, decision)
