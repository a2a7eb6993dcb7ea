"""The tables of a hub, each with a summary of its page: all of them, or one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select

from companion.errors import InvalidInput
from companion.hub import schema, validation
from companion.hub.database import utc
from companion.hub.validation import Page, parsed_page
from companion.reply import Reply, Unit, one_of

FIRST: Final = 3  # of the standings
LISTED: Final = timedelta(days=30)  # a table that is gone; its page and its games stay


class Standing(Reply):
    """A seat among the first; `place` is null while there is none."""

    seat: int
    name: str
    score: int
    place: int | None


class Chance(Reply):
    """The likeliest winner, and the probability."""

    seat: int
    name: str
    p: float


class Summary(Reply):
    """A table in a list of tables, in no language.

    `here`: it is connected; `state`: no game is on it, a game is played, or one is over. `due`: the players
    whose turn it is; `first`: the first of the standings, with scores in `unit`; `favourite`: null without
    odds.
    """

    name: str
    here: bool
    heard: datetime
    seq: int
    state: Annotated[str, one_of("empty", "playing", "over")] = "empty"
    game: str | None = None
    title: str | None = None
    animal: str | None = None
    seats: list[str] = []
    due: list[str] = []
    first: list[Standing] = []
    unit: Unit = ""
    favourite: Chance | None = None


class Changed(Reply):
    """Tables that have changed, or all of them."""

    tables: list[Summary]


def summary(name: str, here: bool, heard: datetime, page: Page | None) -> Summary:
    """Return the summary of a table's last page; with None before the first page."""
    heard = utc(heard)
    if page is None:
        return Summary(name=name, here=here, heard=heard, seq=0)
    view = page.pages["en"]
    if view.match is None:
        return Summary(name=name, here=here, heard=heard, seq=page.seq)
    foremost = sorted(view.standings, key=lambda row: (row.place or 99, -row.kept, row.seat))
    return Summary(
        name=name,
        here=here,
        heard=heard,
        seq=page.seq,
        state="over" if view.match.finished else "playing",
        game=view.match.game,
        title=view.match.title,
        animal=view.match.animal,
        seats=view.match.seats,
        due=[row.name for row in view.standings if row.now],
        first=[
            Standing(seat=row.seat, name=row.name, score=row.kept, place=row.place)
            for row in foremost[:FIRST]
        ],
        unit=view.unit or "",
        favourite=_favourite(view.odds.rows) if view.odds else None,
    )


def _stored(name: str, here: bool, heard: datetime, body: str | None) -> Summary:
    """Return a table as stored; a page that an earlier version did not validate counts as none."""
    try:
        return summary(name, here, heard, None if body is None else parsed_page(body))
    except InvalidInput:
        return summary(name, here, heard, None)


def _favourite(rows: Sequence[validation.Chance]) -> Chance | None:
    best = max(rows, key=lambda row: row.p, default=None)
    return None if best is None else Chance(seat=best.seat, name=best.name, p=best.p)


def every(db: Connection, now: datetime) -> list[Summary]:
    """Return all tables that are connected or were lately, the connected ones first, by name."""
    t, p = schema.tables.c, schema.pages.c
    asked = (
        select(t.name, t.here, t.heard, p.body)
        .join_from(schema.tables, schema.pages, isouter=True)
        .where(t.here | (t.heard > now - LISTED))
        .order_by(t.here.desc(), t.name)
    )
    return [_stored(*row) for row in db.execute(asked)]


def page(db: Connection, name: str, language: str) -> tuple[int, Any] | None:
    """Return the last entry's number and the content of a table's page, in this language or in English."""
    asked = (
        select(schema.pages.c.seq, schema.pages.c.body)
        .join_from(schema.tables, schema.pages)
        .where(schema.tables.c.name == name)
    )
    if (found := db.execute(asked).one_or_none()) is None:
        return None
    views = msgspec.json.decode(found.body)["pages"]
    return found.seq, views.get(language) or views["en"]


def one(db: Connection, name: str) -> Summary | None:
    """Return the table of this name; None if there is none."""
    t, p = schema.tables.c, schema.pages.c
    asked = (
        select(t.name, t.here, t.heard, p.body)
        .join_from(schema.tables, schema.pages, isouter=True)
        .where(t.name == name)
    )
    found = db.execute(asked).one_or_none()
    return None if found is None else _stored(*found)


class _Pages(Struct):
    pages: dict[str, msgspec.Raw]


def view(db: Connection, name: str, language: str) -> bytes | None:
    """Return the content of a table's page as the table published it, in this language or in English."""
    asked = (
        select(schema.pages.c.body).join_from(schema.tables, schema.pages).where(schema.tables.c.name == name)
    )
    if (body := db.execute(asked).scalar()) is None:
        return None
    views = msgspec.json.decode(body, type=_Pages).pages
    return bytes(views.get(language) or views["en"])
