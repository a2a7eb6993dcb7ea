"""Bench figures: how often a reader saw a card, a sleeve or a piece, where and how it was held.

They answer questions that no model can (wiring.md, "What the bench must settle"). They are stored with the
journal and exported as CSV or as a text to paste into a report.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Annotated, Any, Final

from companion.reply import Reply, When, one_of
from companion.store.keys import Key


class Figure(Reply):
    """The number of polls in which a reader saw a thing, and how it was held; `torn` polls were
    unreadable.
    """

    when: When
    what: Annotated[str, one_of("card", "sleeve", "piece", "tag")]
    at: str
    polls: int
    hits: int
    height_mm: float | None = None
    offset_mm: float | None = None
    torn: int = 0
    power: int | None = None
    chip: str | None = None
    note: str = ""
    mock: bool = False


FIGURES: Final[Key[list[Figure]]] = Key("bench figures", list[Figure], [])
MOST: Final = 1000
COLUMNS: Final = (
    "when", "what", "at", "height_mm", "offset_mm", "polls", "hits", "torn", "power", "chip", "note", "mock",
)  # fmt: skip


def as_csv(figures: Sequence[Figure]) -> str:
    """Return a line for each figure, with a header; values that were not measured are empty."""
    text = io.StringIO()
    rows = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    rows.writeheader()
    for figure in figures:
        rows.writerow({name: _cell(getattr(figure, name)) for name in COLUMNS})
    return text.getvalue()


def _cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value


def as_text(figures: Sequence[Figure], version: str, facts: Sequence[tuple[str, str]] = ()) -> str:
    """Return a Markdown table to paste into a report, with a description of the machine, even of a modelled
    one.
    """
    lines = [f"Bench figures, companion {version}", ""]
    lines += [f"- {name}: {value}" for name, value in facts]
    if any(figure.mock for figure in figures):
        lines.append("- MOCK: some figures are of modelled hardware; they say nothing about radio")
    lines += ["", *_row(COLUMNS), *_row(["---"] * len(COLUMNS))]
    for figure in figures:
        lines += _row(
            [str(v).replace("|", "/") if (v := getattr(figure, name)) is not None else "" for name in COLUMNS]
        )
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> list[str]:
    return ["| " + " | ".join(cells) + " |"]
