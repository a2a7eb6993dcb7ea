"""The tables next to the track, in words: the standings, and the small ones of a game."""

from __future__ import annotations

from decimal import Decimal

from msgspec import UNSET, UnsetType

from companion.games.panel import Cell, Panel
from companion.games.presenter import presented
from companion.games.race import Race
from companion.message import Sentence
from companion.reply import Reply, Seat
from companion.table.snapshot import Snapshot
from companion.translate import Phrase, Words


class StandingsRow(Reply, rename="camel"):
    """A seat: its score and place, food at risk, cards played out of all, money, bets, and if it is due.

    `chosen`: it has chosen a card that no one has seen yet; `last_card`: it is about to play a card that
    decides about its food at risk.
    """

    seat: Seat
    name: str
    score: int
    place: int | None
    provisional: int | None = None
    played: int | None = None
    cards: int | None = None
    money: int | UnsetType = UNSET
    bet: bool | UnsetType = UNSET
    staked: int | UnsetType | None = UNSET
    chosen: bool | UnsetType = UNSET
    kept: int
    now: bool
    last_card: bool


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


def rows(race: Race, *, ending: bool = False) -> list[StandingsRow]:
    """Return all seats, the first first; `ending`: as before the last card, in no order of places."""
    due = None if ending else race.awaits()
    now, says = due.seats if due else (), presented(race)
    return [
        StandingsRow(
            **standing._asdict() | ({"place": None} if ending else {}),
            **says.holdings(standing.seat),
            kept=standing.score,
            now=standing.seat in now,
            last_card=not ending and says.last_card(standing.seat),
        )
        for standing in race.standings()
    ]


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
