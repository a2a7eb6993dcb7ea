"""The table as a value, and what a message makes of it: `step(state, message, now) -> (state, effects)`.

Nothing here reads a clock, writes a file or waits. A decision is an effect: it is in force once the journal
has taken it, which the message `Written` says. If the journal refuses, the card is still on the pad, untried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, assert_never

from companion.devices.readings import PadSeen, PartIs, PresenceSeen, SweepIs, TrackSeen
from companion.games.terms import Decision
from companion.match.entries import By
from companion.match.match import Match
from companion.referee.evaluation import Evaluation
from companion.referee.pad import Items
from companion.referee.sensors import Sensors
from companion.table.messages import Chosen, NoOdds
from companion.table.robots import Thinking, next_bot, with_choice


@dataclass(frozen=True)
class State:
    """The sensors, the match on the table and the bot that thinks, as last evaluated at `now`.

    `items`: the meanings of all known tags.
    """

    sensors: Sensors = field(default_factory=Sensors)
    items: Items = field(default_factory=dict)
    match: Match | None = None
    bot: Thinking | None = None
    now: float = 0.0

    @cached_property
    def evaluation(self) -> Evaluation:
        """Everything that the referee says now."""
        return Evaluation(self.sensors, self.match, self.items, self.now)

    def at(self, now: float) -> State:
        """Return the same state at another time."""
        return self if now == self.now else replace(self, now=now)

    @property
    def bot_deadline(self) -> float | None:
        """The time at which the bot that has decided may play; None: none has decided."""
        return self.bot.ready if self.bot is not None and self.bot.decision is not None else None


# --- messages ------------------------------------------------------------------------------------


class Evaluate(NamedTuple):
    """Time has passed. Play the card or the bot's decision that is due, if the journal may be tried now."""

    may_decide: bool = True


class Written(NamedTuple):
    """The journal has taken it: this match is on the table; None: none is.

    `decided`: a decision was made or taken back, the former with the tags `uids`.
    """

    match: Match | None
    decided: bool = True
    uids: tuple[str, ...] = ()


class TagsAre(NamedTuple):
    """The meanings of all known tags."""

    items: Items


class PadTaken(NamedTuple):
    """The pad serves something else than the game: its tags must be lifted first."""


class CardTakenBack(NamedTuple):
    """People take the last card of a set that is being shown back."""


class Dismissed(NamedTuple):
    """People have read the messages that are shown."""


Sensing = PadSeen | TrackSeen | PresenceSeen | SweepIs | PartIs | PadTaken | CardTakenBack | Dismissed
"""Messages that change the sensors, or what people have read about them."""

Event = Sensing | Chosen | NoOdds | Evaluate | Written | TagsAre


# --- effects -------------------------------------------------------------------------------------


class Decide(NamedTuple):
    """Write this decision into the journal, then evaluate again."""

    decision: Decision
    by: By
    uids: tuple[str, ...] = ()


class Think(NamedTuple):
    """Have the bot that is due decide, which a message `Chosen` answers."""


Effect = Decide | Think


# --- the step ------------------------------------------------------------------------------------


def step(state: State, message: Event, now: float) -> tuple[State, Sequence[Effect]]:
    """Return the state after this message, and what is to be done about it."""
    match message:
        case Evaluate():
            return _evaluated(state, now) if message.may_decide else (_concluded(state.at(now)), ())
        case Written(match, decided, uids):
            sensors = state.sensors.after_decision(match, state.items, uids) if decided else state.sensors
            return replace(state, match=match, sensors=sensors), ()
        case TagsAre():
            return replace(state, items=message.items), ()
        case Chosen():
            return replace(state, bot=with_choice(state.bot, message, state.match)), ()
        case NoOdds():
            return replace(state, bot=None), ()
        case _:
            return replace(state, sensors=_sensed(state, message, now)), ()


def _sensed(state: State, message: Sensing, now: float) -> Sensors:
    """Return the sensors after a message of a device, or of people about them."""
    sensors = state.sensors
    match message:
        case PadSeen():
            return sensors.after_pad(message, state.items, now)
        case TrackSeen() | PresenceSeen():
            return sensors.after_track(message, now)
        case SweepIs():
            return sensors.after_sweep(message)
        case PartIs():
            is_lost = message.part == "pad" and message.state != "ok"
            return sensors.after_losing_pad() if is_lost else sensors
        case PadTaken():
            return sensors.handed_over(state.items)
        case CardTakenBack():
            return sensors.after_taking_card_back(state.match)
        case Dismissed():
            read_twice = state.at(now).evaluation.read_twice
            return sensors.after_dismissing(state.match, state.items, read_twice)
        case _:
            assert_never(message)


def _evaluated(state: State, now: float) -> tuple[State, Sequence[Effect]]:
    """Return the state at `now`, and the decision that is due: a card's, else a bot's."""
    state = replace(state, sensors=state.sensors.advanced(state.match, now), now=now)
    sensors, attempt = state.evaluation.judged
    if sensors is not state.sensors:
        state = replace(state, sensors=sensors)
    if attempt is not None:
        return state, [Decide(attempt.decision, "tag", attempt.uids)]
    bot = next_bot(state.bot, state.evaluation)
    if bot is not None and bot.decision is not None and now >= bot.ready:
        return replace(state, bot=None), [Decide(bot.decision, "bot")]
    begins = bot is not None and (state.bot is None or bot.turn != state.bot.turn)
    if bot != state.bot:
        state = replace(state, bot=bot)
    return _concluded(state), [Think()] if begins else []


def _concluded(state: State) -> State:
    """Return the state that remembers what this evaluation has ended: trust in a piece that has moved."""
    ended = state.evaluation.ended_trust
    if ended == state.sensors.ended_trust:
        return state
    return replace(state, sensors=replace(state.sensors, ended_trust=ended))
