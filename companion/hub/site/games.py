"""Pages of games, their results and their records."""

from __future__ import annotations

from typing import Final

import msgspec
from flask import Blueprint, Response, render_template, request
from sqlalchemy import select

from companion.hub import schema
from companion.hub.results import Played, as_csv, played, rows
from companion.hub.site.shown import as_file, as_json, cached_briefly, engine, missing
from companion.message import N_
from companion.publishing.sealed import Sealed, text

games = Blueprint("games", __name__)

A_PAGE: Final = 30


@games.get("/games")
def all_games() -> str:
    """Return the page of games, the newest first."""
    page = max(1, request.args.get("page", 1, int))
    with engine().connect() as db:
        found = played(db)[::-1]
    shown = found[(page - 1) * A_PAGE : page * A_PAGE]
    return render_template("club/games.html", games=shown, page=page, more=len(found) > page * A_PAGE)


@games.get("/games.csv")
def games_csv() -> Response:
    """Return all games for a spreadsheet."""
    with engine().connect() as db:
        return as_file(as_csv(played(db)), "text/csv", "games.csv")


@games.get("/games.json")
def games_json() -> Response:
    """Return all games for programs, a row for each seat."""
    with engine().connect() as db:
        return as_json(rows(played(db)))


@games.get("/games/<int(max=2147483647):number>")
def game_page(number: int) -> str:
    """Return the page of a game and its result."""
    game, sealed = _game_of(number)
    order = sorted(range(len(game.seats)), key=lambda seat: (game.seats[seat].place or 99, seat))
    return render_template("club/game.html", game=game, order=order, sealed=bool(sealed))


@games.get("/games/<int(max=2147483647):number>/record")
def game_record(number: int) -> Response:
    """Return the lines of a game's record."""
    lines = msgspec.json.decode(_sealed(number), type=Sealed).lines
    return as_file(text(lines).decode(), "application/jsonl", f"game-{number}.jsonl")


@games.get("/games/<int(max=2147483647):number>/sealed.json")
def game_sealed(number: int) -> Response:
    """Return a game's record as its table signed it, which another hub can import."""
    response = cached_briefly(_sealed(number).encode(), "application/json")
    response.headers.set("Content-Disposition", "attachment", filename=f"game-{number}.sealed.json")
    return response


def _game_of(number: int) -> tuple[Played, str]:
    with engine().connect() as db:
        sealed = db.execute(select(schema.games.c.sealed).where(schema.games.c.id == number)).scalar()
        matching = [game for game in played(db, only=number) if sealed is not None]
    if not matching or sealed is None:
        raise missing(_NO_GAME, str(number))
    return matching[0], sealed


def _sealed(number: int) -> str:
    _, sealed = _game_of(number)
    if not sealed:
        raise missing(_FORGOTTEN, str(number))
    return sealed


_NO_GAME: Final = N_("there is no game {text} that counts")
_FORGOTTEN: Final = N_("the record of game {text} is gone: somebody who played it was forgotten")
