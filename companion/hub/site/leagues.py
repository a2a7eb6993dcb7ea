"""Public pages of leagues and tournaments."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from companion.hub import leagues as hub
from companion.hub.site.shown import as_file, as_json, engine

leagues = Blueprint("leagues", __name__)


@leagues.get("/leagues")
def all_leagues() -> str:
    """Return the page of all leagues."""
    with engine().connect() as db:
        return render_template("club/leagues.html", leagues=hub.every(db))


@leagues.get("/leagues/<slug>")
def league_page(slug: str) -> str:
    """Return the table of a league and its rounds."""
    with engine().connect() as db:
        league = hub.find(db, slug)
        return render_template(
            "club/league.html",
            league=league,
            rows=hub.table(db, league),
            rounds=hub.rounds(db, league)[::-1],
            games=hub.games(db, league)[:-11:-1],
        )


@leagues.get("/leagues/<slug>.csv")
def league_csv(slug: str) -> Response:
    """Return the table of a league for a spreadsheet."""
    with engine().connect() as db:
        rows = hub.table(db, hub.find(db, slug))
    return as_file(hub.as_csv(rows), "text/csv", f"{slug}.csv")


@leagues.get("/leagues/<slug>.json")
def league_json(slug: str) -> Response:
    """Return a league for programs."""
    with engine().connect() as db:
        return as_json(hub.as_json(db, hub.find(db, slug)))
