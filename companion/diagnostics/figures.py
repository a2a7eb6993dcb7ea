"""Bench figures: how often a reader saw a card, a sleeve or a piece, where and how it was held.

They answer what no model can (wiring.md, "What the bench must settle"). They are kept with the journal and
taken out as CSV or as a text to paste into a report.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.store.keys import Key

FIGURES: Final[Key[list[dict[str, Any]]]] = Key("bench figures", list[dict[str, Any]], [])
MOST: Final = 1000
COLUMNS: Final = (
    "when", "what", "at", "height_mm", "offset_mm", "polls", "hits", "torn", "power", "chip", "note", "mock",
)  # fmt: skip

Figure = Mapping[str, Any]


def as_csv(figures: Sequence[Figure]) -> str:
    """A line each, with a head; what was not measured is empty."""
    text = io.StringIO()
    rows = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    rows.writeheader()
    for figure in figures:
        rows.writerow({name: _cell(figure.get(name)) for name in COLUMNS})
    return text.getvalue()


def _cell(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value


def as_text(figures: Sequence[Figure], version: str, facts: Sequence[tuple[str, str]] = ()) -> str:
    """A Markdown table to paste into a report, under what machine it was, also if it was a modelled one."""
    lines = [f"Bench figures, companion {version}", ""]
    lines += [f"- {name}: {value}" for name, value in facts]
    if any(figure.get("mock") for figure in figures):
        lines.append("- MOCK: some figures are of modelled hardware; they say nothing about radio")
    lines += ["", *_row(COLUMNS), *_row(["---"] * len(COLUMNS))]
    for figure in figures:
        lines += _row(
            [str(v).replace("|", "/") if (v := figure.get(name)) is not None else "" for name in COLUMNS]
        )
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> list[str]:
    return ["| " + " | ".join(cells) + " |"]
