"""The tables live: all on one page, or one with its own page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from flask import Blueprint, Response, render_template

from companion import games
from companion.http.request import words
from companion.hub.site.shown import as_json, asked_language, engine, missing
from companion.hub.tables import Summary, every, one, view
from companion.message import N_
from companion.reply import Reply

tables = Blueprint("tables", __name__)


class Tables(Reply):
    """The tables of a hub."""

    tables: list[Summary]


@tables.get("/")
def all_tables() -> str:
    """Return the page of all tables."""
    titles = {f"game {name}": words()(game.title) for name, game in games.all_games().items()}
    return render_template("club/tables.html", first=_all(), titles=titles)


@tables.get("/tables.json")
def tables_json() -> Response:
    """Return all tables for programs, and for pages."""
    return as_json(_all())


@tables.get("/tables/<name>")
def table_page(name: str) -> str:
    """Return the page of a table, for people elsewhere."""
    with engine().connect() as db:
        found = one(db, name)
        shown = view(db, name, words().language)
    if found is None:
        raise missing(_NO_TABLE, name)
    first: Any = None if shown is None else msgspec.json.decode(shown)
    return render_template("club/table.html", table=found, first=first)


@tables.get("/tables/<name>.json")
def table_json(name: str) -> Response:
    """Return a table's entry in the list."""
    with engine().connect() as db:
        found = one(db, name)
    if found is None:
        raise missing(_NO_TABLE, name)
    return as_json(found)


@tables.get("/tables/<name>/page.json")
def table_view(name: str) -> Response:
    """Return the content of a table's page, in the language of the address."""
    with engine().connect() as db:
        shown = view(db, name, asked_language())
    if shown is None:
        raise missing(_NO_TABLE, name)
    return as_json(shown)


def _all() -> Tables:
    with engine().connect() as db:
        return Tables(tables=every(db, datetime.now(UTC)))


_NO_TABLE: Final = N_("no table called {text} has told this hub anything")
