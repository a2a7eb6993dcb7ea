"""All sheets, by the path of their files; each is drawn on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from hardware import tiers
from hardware.drawing import board_sheets, pi_sheets, row_sheets, track_sheets
from hardware.drawing.page import Sheet, svg

FOLDER: Final = "hardware/drawings"
TRACK: Final = tiers.reader_track(monitor=True)
STRIP: Final = tiers.reader_track(3)

MADE: Final[Mapping[str, Callable[[], Sheet]]] = {
    f"{FOLDER}/{name}.svg": made
    for name, made in {
        **pi_sheets.sheets(),
        **track_sheets.sheets(TRACK, "track", "Track"),
        **board_sheets.sheets(TRACK, "track", "Track"),
        **track_sheets.power_sheets(tiers.reader_track(40, monitor=True), "track-40", "Track of 40"),
        **track_sheets.sheets(STRIP, "strip", "Strip of three"),
        **board_sheets.sheets(STRIP, "strip", "Strip of three"),
        **row_sheets.sheets(tiers.presence_track(), "presence", "Presence track"),
    }.items()
}


@cache
def sheet(path: str) -> Sheet:
    """Return the sheet of a file; KeyError for a path that none has, ValueError for a part
    without a place.
    """
    return MADE[path]()


def drawn(path: str) -> str:
    """Return the sheet of a file as SVG."""
    return svg(sheet(path))
