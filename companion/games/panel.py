"""The small public tables next to the track."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from companion.message import Sentence

Cell = Sentence | str | int | Decimal | None
"""The content of a cell: a sentence is worded (`{piece}`, `{seat}`, `{card}` are drawn), None is empty."""


class Panel(NamedTuple):
    """A small public table next to the track, such as the odds chart or the order of moving.

    `rows` of cells under `head`; the first cell of a row names it. Above the head there may be cells that
    span several columns each. Where it is `grouped`, the rows that begin with the same cell are shown
    together, under that cell. `name` is for styles and tests. `outcome`: it reveals who has won, and waits
    until the pieces are where they ran.
    """

    name: str
    title: Sentence
    rows: Sequence[Sequence[Cell]]
    head: Sequence[Cell] = ()
    over: Sequence[tuple[Cell, int]] = ()
    grouped: bool = False
    outcome: bool = False
