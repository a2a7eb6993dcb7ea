"""All sheets, by the name of their file in hardware/drawings."""

from __future__ import annotations

from functools import cache
from typing import Final

from hardware.drawing import pi_sheets, row_sheets, track_sheets
from hardware.drawing.page import Sheet, svg

FOLDER: Final = "hardware/drawings"


@cache
def drawings() -> dict[str, Sheet]:
    """Each sheet, by the path of its file."""
    found = {**pi_sheets.sheets(), **track_sheets.sheets(), **row_sheets.sheets()}
    return {f"{FOLDER}/{name}.svg": sheet for name, sheet in found.items()}


def drawn(path: str) -> str:
    """A sheet as SVG; KeyError for a path that none has."""
    return svg(drawings()[path])
