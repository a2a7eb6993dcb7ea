"""The source of each figure of a part: the sources of parts.py and the numbers of bom.py, as one page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from hardware import bom, parts
from hardware.circuit import Draw, Logic, PartType
from hardware.tables import markdown

TYPES: Final[tuple[PartType, ...]] = (
    parts.MFRC522,
    parts.HC138,
    parts.HC251,
    parts.HC244,
    parts.HC165,
    parts.pico((), ()),
    parts.pi((), ()),
    parts.INA180A1,
    parts.DRV5032FA,
    parts.BUCK,
    parts.RGB_LED,
)
ABOUT: Final = """# Where the figures come from

Made by `python -m hardware` from the sources in `hardware/parts.py` and the numbers in `hardware/bom.py`.
Each figure was looked up in a copy of the sheet's text; a page is named where the copy has its number.
**quoted** means that a public project quotes that sheet, **assumed** and **computed** that no sheet says it,
**check** that some of the line was not found: look it up in the sheet of the part in your hand.
[The signals](../docs/signals.md) name their own sheets.
"""


class Figure(NamedTuple):
    """A figure of a part that is used, and its source."""

    what: str
    value: str
    source: str


def figures(part: PartType) -> Iterator[Figure]:
    """Yield the figures of a part in parts.py."""
    yield Figure("pins", "", part.source)
    if part.logic:
        yield Figure("levels", _levels(part.logic), part.logic.source)
    if part.draw:
        yield Figure("supply", _supply(part.draw), part.draw.source)


def _levels(logic: Logic) -> str:
    inputs = f"VIH {logic.vih}, VIL {logic.vil} V, " if logic.vil >= 0 else ""
    return (
        f"{inputs}{logic.ohms:.0f} Ω, {logic.most_ma:.0f} mA, at most {logic.most_volts} V, "
        f"{logic.leak_ua:.0f} µA, {logic.input_pf:.0f} pF"
    )


def _supply(draw: Draw) -> str:
    return f"{draw.typical:g} mA, at most {draw.most:g}"


def page() -> str:
    """Return the page."""
    names: dict[Figure, list[str]] = {}
    for part in TYPES:
        for figure in figures(part):
            names.setdefault(figure, []).append(part.name)
    rows = [(", ".join(of), figure.what, figure.value, figure.source) for figure, of in names.items()]
    numbers = [(article.number, " ".join(part).strip()) for part, article in bom.ARTICLES.items()]
    return "\n".join(
        (
            ABOUT,
            markdown(("part", "what", "used here, at 3.3 V", "where it stands"), rows),
            "",
            "## Makers' part numbers",
            "",
            "A public list of parts has each of these numbers for such a part, value and package.",
            "RFID-RC522 and PBS-33B are names that many sellers use for the same part.",
            "",
            markdown(("number", "for"), numbers),
            "",
        )
    )
