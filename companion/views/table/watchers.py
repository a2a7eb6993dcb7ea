"""What those who watch may do now, as every public page is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from companion.games.presenter import presented
from companion.games.terms import Heat
from companion.match.match import Match
from companion.table.picture import Picture

MayDo = Literal["open", "closed", "over"]


def may_do(picture: Picture) -> MayDo | None:
    """Pick a favourite until the first card of the game or of its race, then only cheer; None where they
    take no part."""
    match = picture.match
    if match is None or not picture.switches.crowd:
        return None
    if match.finished:
        return "closed" if picture.ending else "over"
    return "closed" if _begun(match) else "open"


def heats_of(match: Match) -> Sequence[Heat]:
    """The races of a match in which each has a winner, as everybody may know them."""
    return presented(match.race.seen_by(None)).heats()


def _begun(match: Match) -> bool:
    heats = heats_of(match)
    return heats[-1].begun if heats else any(turn.decision.do == "play" for turn in match.turns)
