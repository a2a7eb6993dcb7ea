"""The games that count, read from a hub's database, also as tables for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, case, select

from companion.hub import schema
from companion.hub.database import utc
from companion.hub.league import Seat
from companion.hub.people import who
from companion.publishing.sealed import file_name

COLUMNS: Final = (
    "game_id",
    "at",
    "table",
    "match",
    "game",
    "seat",
    "name",
    "score",
    "place",
    "victory",
    "luck",
)


class Played(NamedTuple):
    """A game that counts; `scores` and `seats` in the order of the seats.

    `at` is its end by its table's clock. By the hub's clock, its end was `heard` and it `began`: None if the
    hub did not receive its events while it was played.
    """

    id: int
    at: datetime
    table: str
    match: int
    game: str
    seats: tuple[Seat, ...]
    scores: tuple[int, ...]
    heard: datetime
    began: datetime | None

    @property
    def when(self) -> datetime:
        """The end of the game: its table's time, within the limits of the hub's clock."""
        if self.at > self.heard:
            return self.heard
        return self.at if self.began is None else max(self.at, self.began)


def played(
    db: Connection,
    game: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    only: int | None = None,
    heard_from: datetime | None = None,
) -> list[Played]:
    """Return the games that count, the first first.

    Of one kind, that ended (`Played.when`) from `since` on and before `until`, `only` one, or those whose end
    the hub received at `heard_from` or later.
    """
    g, r, t = schema.games.c, schema.results.c, schema.tables.c
    n, p = schema.names.c, schema.people.c
    when = case((g.at > g.heard, g.heard), (g.began > g.at, g.began), else_=g.at)  # as Played.when
    asked = (
        select(g.id, g.at, g.heard, g.began, t.name.label("table"), g.match, g.game)
        .add_columns(r.seat, r.name, r.score, r.place, r.victory, r.luck, r.whose, p.name.label("own"))
        .join_from(schema.games, schema.results)
        .join(schema.tables, t.id == g.table_id)
        .outerjoin(schema.names, n.name == r.name)
        .outerjoin(schema.people, p.id == n.person_id)
        .where(g.counts)
        .order_by(when, g.id, r.seat)
    )
    if game is not None:
        asked = asked.where(g.game == game)
    if only is not None:
        asked = asked.where(g.id == only)
    if since is not None:
        asked = asked.where(when >= since, g.heard >= since)  # the second follows, and has an index
    if until is not None:
        asked = asked.where(when < until)
    if heard_from is not None:
        asked = asked.where(g.heard >= heard_from)
    return [_played(list(rows)) for _, rows in groupby(db.execute(asked), key=attrgetter("id"))]


def _played(rows: Sequence[Any]) -> Played:
    first = rows[0]
    seats = tuple(Seat(who(row.name, row.whose, row.own), row.place, row.victory, row.luck) for row in rows)
    return Played(
        id=first.id,
        at=utc(first.at),
        table=first.table,
        match=first.match,
        game=first.game,
        seats=seats,
        scores=tuple(row.score for row in rows),
        heard=utc(first.heard),
        began=first.began and utc(first.began),
    )


def sealed_games(db: Connection) -> Iterator[tuple[str, str]]:
    """Yield the sealed records of the games that count, each with the name of a file for it."""
    g, t = schema.games.c, schema.tables.c
    asked = (
        select(t.name, g.match, g.sealed)
        .join_from(schema.games, schema.tables)
        .where(g.counts, g.sealed != "")
        .order_by(g.at, g.id)
    )
    for row in db.execute(asked):
        yield file_name(row.name, row.match), row.sealed


def rows(games: Iterable[Played]) -> list[dict[str, Any]]:
    """Return a row for each seat, with the names of COLUMNS."""
    return [
        {
            "game_id": game.id,
            "at": game.at.isoformat(),
            "table": game.table,
            "match": game.match,
            "game": game.game,
            "seat": number,
            "name": seat.who,
            "score": score,
            "place": seat.place,
            "victory": seat.victory,
            "luck": seat.luck,
        }
        for game in games
        for number, (seat, score) in enumerate(zip(game.seats, game.scores, strict=True))
    ]


def as_csv(games: Iterable[Played]) -> str:
    """Return the rows as CSV (RFC 4180); names that a spreadsheet would take for formulas are escaped."""
    text = io.StringIO(newline="")
    table = csv.DictWriter(text, COLUMNS)
    table.writeheader()
    for row in rows(games):
        table.writerow(row | {key: no_formula(row[key]) for key in ("name", "table")})
    return text.getvalue()


def no_formula(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in {"=", "+", "-", "@", "\t", "\r"} else name
