"""What those who watch may do now, as every public page is told."""

from __future__ import annotations

from typing import Literal

from companion.table.picture import Picture

MayDo = Literal["open", "closed", "over"]


def may_do(picture: Picture) -> MayDo | None:
    """Pick a favourite until the first card is played, then only cheer; None where they take no part."""
    match = picture.match
    if match is None or not picture.switches.crowd:
        return None
    if match.finished:
        return "closed" if picture.ending else "over"
    return "closed" if any(turn.decision.do == "play" for turn in match.turns) else "open"
