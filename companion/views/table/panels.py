"""The small public tables next to the track, in words."""

from __future__ import annotations

from decimal import Decimal

from companion.games.panel import Cell, Panel
from companion.games.presenter import presented
from companion.games.race import Race
from companion.message import Sentence
from companion.reply import Reply
from companion.table.snapshot import Snapshot
from companion.translate import Phrase, Words


class Spanning(Reply):
    """A cell over the head that spans so many columns."""

    cell: list[Phrase]
    columns: int


class PanelView(Reply):
    """A panel, every cell as the phrases of a sentence."""

    name: str
    title: str
    over: list[Spanning]
    head: list[list[Phrase]]
    grouped: bool
    rows: list[list[list[Phrase]]]


def panels(picture: Snapshot, race: Race, words: Words) -> list[PanelView]:
    """Return the panels of a position, and the used cards if the host wants them shown."""
    used = presented(race).used_cards() if picture.switches.used_cards else None
    shown = [*presented(race).panels(), *([used] if used else [])]
    return [worded(panel, race, words) for panel in shown if not (panel.outcome and picture.ending)]


def worded(panel: Panel, race: Race, words: Words) -> PanelView:
    """Return a panel in the viewer's words."""
    title = words.text(panel.title, race)
    return PanelView(
        name=panel.name,
        title=title[:1].upper() + title[1:],
        over=[Spanning(cell=_cell(cell, race, words), columns=columns) for cell, columns in panel.over],
        head=[_cell(cell, race, words) for cell in panel.head],
        grouped=panel.grouped,
        rows=[[_cell(cell, race, words) for cell in row] for row in panel.rows],
    )


def _cell(cell: Cell, race: Race, words: Words) -> list[Phrase]:
    if cell is None:
        return []
    if isinstance(cell, Decimal):
        return [words.number(cell)]
    if not isinstance(cell, Sentence):
        return [str(cell)]
    return words.parts(cell, race, alone=True)
