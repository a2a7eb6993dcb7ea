"""The consequences of a new snapshot: listeners, odds, and lamp and tunes of a table without a screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple, Protocol

from companion.devices.tunes import Tune
from companion.games.presenter import presented
from companion.match.match import Match
from companion.table.snapshot import Snapshot

Lamp = Literal["off", "green", "yellow", "red", "blue"]

_TUNES: Final[Mapping[str, Tune]] = {"kept": "kept", "lost": "lost", "round-over": "round"}


class Signals(Protocol):
    """Outputs of the table without a screen."""

    def lamp(self, colour: Lamp) -> None:
        """Light the lamp in this colour."""

    def beep(self, tune: Tune) -> None:
        """Play a short tune, without waiting for its end."""


class Publish(NamedTuple):
    """Notify all listeners of this snapshot."""

    picture: Snapshot


class Light(NamedTuple):
    """Light the lamp in this colour."""

    colour: Lamp


class Beep(NamedTuple):
    """Play this tune."""

    tune: Tune


class AskForOdds(NamedTuple):
    """Request the odds of this match, unless it is the same as it `was`."""

    was: Match | None
    match: Match | None


Consequence = Publish | Light | Beep | AskForOdds


def consequences(was: Snapshot, now: Snapshot) -> Iterator[Consequence]:
    """Yield what is to be done when the snapshot changes from `was` to `now`, in order."""
    if was == now:
        return
    yield Publish(now)
    yield Light(lamp_of(now))
    if (tune := tune_of(was, now)) is not None:
        yield Beep(tune)
    yield AskForOdds(was.match, now.match)


def lamp_of(picture: Snapshot) -> Lamp:
    """Return red: something is wrong; yellow: move pieces; blue: confirm the line-up; green: go
    on; or off.
    """
    if any(alert.kind != "held" for alert in picture.alerts):
        return "red"
    if any(task.held for task in picture.todo):
        return "yellow"
    if picture.offer is not None:
        return "blue"
    return "off" if picture.match is None or picture.match.finished else "green"


def tune_of(was: Snapshot, now: Snapshot) -> Tune | None:
    """Return the tune for the change from one snapshot to the next; None: silence."""
    if _has_ended(now) and was.match is not None and now.match is not None and was.match.id == now.match.id:
        if not _has_ended(was):
            return "end"
    elif now.seq != was.seq and now.match is not None and now.match.last == "decide":
        return _after_decision(now.match)
    refused = any(alert.kind != "held" and alert not in was.alerts for alert in now.alerts)
    return "wrong" if refused else None


def _has_ended(picture: Snapshot) -> bool:
    """Return True if the winner is announced: every piece is at its final place."""
    return picture.match is not None and picture.match.finished and not picture.ending


def _after_decision(match: Match) -> Tune:
    """Return the tune for the most important event of a decision, else for a card that was read."""
    kinds = {news.kind for news in match.happened(None)}
    for kind, tune in _TUNES.items():
        if kind in kinds:
            return tune
    due = match.race.awaits()
    return "last-card" if due and any(presented(match.race).last_card(seat) for seat in due.seats) else "ok"
