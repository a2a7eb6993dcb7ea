"""Pages of people and their games."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final, NamedTuple

from flask import Blueprint, Response, render_template

from companion.hub.intake import is_forgotten_name
from companion.hub.league import Row, Seat, head_to_head, standings
from companion.hub.people import own_names
from companion.hub.results import Played, played
from companion.hub.site.shown import as_json, engine, missing
from companion.message import N_

people = Blueprint("people", __name__)


class InGame(NamedTuple):
    """A person's results in one kind of game; `average` of the places that they had, `best` score."""

    game: str
    row: Row
    average: float | None
    best: int


class Against(NamedTuple):
    """A person's record against another: games together, and how often before, behind, equal."""

    who: str
    games: int
    before: int
    behind: int
    beside: int


@people.get("/people")
def everybody() -> str:
    """Return the page of all players."""
    with engine().connect() as db:
        games, claimed = played(db), set(own_names(db).values())
    rows = [row for row in standings([game.seats for game in games]) if not is_forgotten_name(row.who)]
    rows.sort(key=lambda row: (-row.rating, row.who.casefold()))
    return render_template("club/people.html", rows=rows, claimed=claimed)


@people.get("/people.json")
def everybody_json() -> Response:
    """Return the standings of all players as JSON, without those who were forgotten."""
    with engine().connect() as db:
        games = played(db)
    rows = standings([game.seats for game in games])
    return as_json([_row(row) for row in rows if not is_forgotten_name(row.who)])


@people.get("/people/<path:name>")
def person_page(name: str) -> str:
    """Return a person's page."""
    games = _games_of(name)
    return render_template(
        "club/person.html",
        name=name,
        all=_row_of(name, games),
        games=in_games(name, games),
        against=against(name, games),
        last=games[:-11:-1],
    )


@people.get("/people/<path:name>.json")
def person_json(name: str) -> Response:
    """Return a person's results for programs."""
    games = _games_of(name)
    return as_json(
        {
            "name": name,
            "all": _row(_row_of(name, games)),
            "games": [
                {"game": one.game, **_row(one.row), "average_place": one.average, "best": one.best}
                for one in in_games(name, games)
            ],
            "against": [one._asdict() for one in against(name, games)],
            "played": [game.id for game in games],
        }
    )


def in_games(name: str, games: list[Played]) -> list[InGame]:
    """Return a person's results in each kind of game, the most played one first."""
    by_game: dict[str, list[Played]] = defaultdict(list)
    for game in games:
        by_game[game.game].append(game)
    return sorted((_in_game(name, *found) for found in by_game.items()), key=lambda one: -one.row.games)


def against(name: str, games: list[Played]) -> list[Against]:
    """Return a person's record against every opponent, the most frequent one first."""
    seats = [game.seats for game in games]
    others = {seat.who for game in seats for seat in game} - {name}
    found = []
    for other in others:
        if not is_forgotten_name(other):
            before, behind, beside = head_to_head(seats, name, other)
            found.append(Against(other, before + behind + beside, before, behind, beside))
    return sorted(found, key=lambda one: (-one.games, one.who.casefold()))


def _in_game(name: str, game: str, games: list[Played]) -> InGame:
    mine = [(seat, score) for one in games for seat, score in _seats(name, one)]
    places = [seat.place for seat, _ in mine if seat.place is not None]
    average = sum(places) / len(places) if places else None
    return InGame(game, _row_of(name, games), average, max(score for _, score in mine))


def _seats(name: str, game: Played) -> list[tuple[Seat, int]]:
    return [(seat, score) for seat, score in zip(game.seats, game.scores, strict=True) if seat.who == name]


def _row_of(name: str, games: list[Played]) -> Row:
    return next(row for row in standings([game.seats for game in games]) if row.who == name)


def _row(row: Row) -> dict[str, Any]:
    return {key: value for key, value in row._asdict().items() if key != "place"}


def _games_of(name: str) -> list[Played]:
    """Return a person's games; NotFoundError if there is none."""
    with engine().connect() as db:
        own = own_names(db).get(name, name)
        games = [game for game in played(db) if any(seat.who == own for seat in game.seats)]
    if not games or is_forgotten_name(name) or own != name:
        raise missing(_NO_PERSON if own == name else _ANOTHER_NAME, own)
    return games


_NO_PERSON: Final = N_("nobody called {text} has played a game that counts")
_ANOTHER_NAME: Final = N_("that is another name of {text}: look there")
