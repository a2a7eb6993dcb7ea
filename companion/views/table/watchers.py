"""The permissions of watchers, on every public page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from companion.games.presenter import presented
from companion.games.terms import Heat
from companion.match.match import Match
from companion.table.snapshot import Snapshot

MayDo = Literal["open", "closed", "over"]


def may_do(picture: Snapshot) -> MayDo | None:
    """Return "open" while a favourite can be picked, that is until the first card of the game or of its race.

    "closed": only cheers; "over": the game is over; None if watchers take no part.
    """
    match = picture.match
    if match is None or not picture.switches.crowd:
        return None
    if match.finished:
        return "closed" if picture.ending else "over"
    return "closed" if _begun(match) else "open"


def heats_of(match: Match) -> Sequence[Heat]:
    """Return the races of a match in which each has a winner, as far as they are public."""
    return presented(match.race.seen_by(None)).heats()


def _begun(match: Match) -> bool:
    heats = heats_of(match)
    return heats[-1].begun if heats else any(turn.decision.do == "play" for turn in match.turns)
