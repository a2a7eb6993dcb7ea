"""Leagues and tournaments: their members, the draw of each round, and the table.

In an open league each game counts that is played while it lasts. In a tournament rounds are drawn: for each
table of a round the first game counts that exactly these people play before the next round (`attribution`).
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, and_, delete, insert, select, update

from companion.errors import NotFoundError, validation_error
from companion.games import all_games
from companion.games.boxes import usual_most
from companion.hub import league as counted
from companion.hub import pairing, schema
from companion.hub.attribution import Drawn, attribute
from companion.hub.database import utc
from companion.hub.intake import is_forgotten_name
from companion.hub.league import POINTS, Row
from companion.hub.people import own_names
from companion.hub.results import Played, no_formula, played
from companion.message import N_, Sentence

KINDS: Final = ("open", "round-robin", "swiss", "hill")
COLUMNS: Final = Row._fields


class League(NamedTuple):
    """A league; `game`: None for any, `until`: None while it goes on, `points` by place."""

    id: int
    slug: str
    name: str
    kind: str
    game: str | None
    since: datetime
    until: datetime | None
    seats: int
    points: tuple[float, ...]


class Table(NamedTuple):
    """A table of a round: its people, and the game that counts for it, None until it is played."""

    seats: tuple[str, ...]
    game: Played | None


class Round(NamedTuple):
    """A round: the time of its draw, and its tables."""

    number: int
    at: datetime
    tables: tuple[Table, ...]

    @property
    def missing(self) -> list[Table]:
        """The tables that have not played."""
        return [table for table in self.tables if table.game is None and not _is_empty(table.seats)]


def create(
    db: Connection,
    name: str,
    kind: str,
    since: datetime,
    *,
    game: str | None = None,
    until: datetime | None = None,
    seats: int = pairing.USUAL,
    points: Sequence[float] = POINTS,
) -> League:
    """Create a league; raise ValidationError if a value is invalid.

    `seats`, the usual number of people at a table, must be one that the game takes. An open league draws no
    tables, so there the nearest such number is stored.
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= 100:
        raise validation_error(_NO_NAME)
    if kind not in KINDS:
        raise validation_error(_NO_KIND, text=kind, known=", ".join(KINDS))
    if until is not None and until <= since:
        raise validation_error(_ENDS_BEFORE)
    fewest, most = _seat_range(game)
    if kind == "open":
        seats = min(max(seats, fewest), most)
    elif not fewest <= seats <= most:
        raise validation_error(_NO_SEATS, kind=_title(game), text=_numbers(fewest, most))
    if not points or list(points) != sorted(points, reverse=True) or not all(abs(n) < 1000 for n in points):
        raise validation_error(NO_POINTS)
    values = {"kind": kind, "game": game, "since": since, "until": until, "seats": seats}
    slug = _free_slug(db, name)
    db.execute(insert(schema.leagues).values(slug=slug, name=name, points=json.dumps(list(points)), **values))
    return find(db, slug)


def every(db: Connection) -> list[League]:
    """Return all leagues, the newest first."""
    c = schema.leagues.c
    return [_league(row) for row in db.execute(select(schema.leagues).order_by(c.since.desc(), c.id.desc()))]


def find(db: Connection, slug: str) -> League:
    """Return the league with this name in addresses; NotFoundError if there is none."""
    row = db.execute(select(schema.leagues).where(schema.leagues.c.slug == slug)).one_or_none()
    if row is None:
        raise NotFoundError("unknown", Sentence(_NO_LEAGUE, {"text": slug}))
    return _league(row)


def remove(db: Connection, league: League) -> None:
    """Delete a league; its games stay."""
    for table in (schema.rounds, schema.members):
        db.execute(delete(table).where(table.c.league_id == league.id))
    db.execute(delete(schema.leagues).where(schema.leagues.c.id == league.id))


def join(db: Connection, league: League, name: str) -> None:
    """Add a person from the next round on; ValidationError for a name that no person can have."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= 200 or is_forgotten_name(name):
        raise validation_error(_NO_MEMBER)
    if own_names(db).get(name, name) not in members(db, league):
        db.execute(insert(schema.members).values(league_id=league.id, name=name))


def leave(db: Connection, league: League, name: str) -> None:
    """Remove a person from the next round on; their games stay."""
    own, m = own_names(db), schema.members.c
    for joined in db.execute(select(m.name).where(m.league_id == league.id)).scalars().all():
        if name in (joined, own.get(joined)):
            db.execute(delete(schema.members).where(m.league_id == league.id, m.name == joined))


def members(db: Connection, league: League) -> list[str]:
    """Return the people who take part, by their own names."""
    own, m = own_names(db), schema.members.c
    joined = db.execute(select(m.name).where(m.league_id == league.id)).scalars()
    return sorted({own.get(name, name) for name in joined}, key=str.casefold)


def rounds(db: Connection, league: League) -> list[Round]:
    """Return the rounds that were drawn, with the games that count."""
    drawn = _stored(db, league)
    games, ids = _attributed(db, league, drawn)
    return [
        Round(
            one.number,
            one.at,
            tuple(
                Table(tuple(seats), None if game is None else games.get(game))
                for seats, game in zip(one.tables, of_tables, strict=True)
            ),
        )
        for one, of_tables in zip(drawn, ids, strict=True)
    ]


def draw(db: Connection, league: League, now: datetime, force: bool = False) -> Round:
    """Draw and store the next round, and return it; the same league draws the same.

    Tables have as many people as the league's game takes; with any game, three or four, which every game of
    the companion takes (two or five people sit together and choose a game that takes them). Raise
    ValidationError for an open league, for a number of people that does not fit such tables, and while games
    of the last round are missing, unless `force`.

    Store which games count for the rounds before: no later game takes their place.
    """
    if league.kind == "open":
        raise validation_error(_NO_ROUNDS)
    people, before = members(db, league), rounds(db, league)
    if len(people) < 2:
        raise validation_error(_TOO_FEW)
    if before and (missing := before[-1].missing) and not force:
        unplayed = "; ".join(", ".join(table.seats) for table in missing)
        raise validation_error(_GAMES_MISSING, n=before[-1].number, text=unplayed)
    _check_fit(league, len(people))
    number = before[-1].number + 1 if before else 1
    tables = _drawn(league, number, people, before, table(db, league))
    at = max(now, before[-1].at) if before else now
    _store_games(db, league)
    db.execute(
        insert(schema.rounds).values(league_id=league.id, number=number, at=at, tables=json.dumps(tables))
    )
    return rounds(db, league)[-1]


def games(db: Connection, league: League) -> list[Played]:
    """Return the games that count for this league, the first first."""
    if league.kind == "open":
        return played(db, league.game, league.since, league.until)
    found = [table.game for drawn in rounds(db, league) for table in drawn.tables if table.game is not None]
    return sorted(found, key=lambda game: (game.when, game.id))


def table(db: Connection, league: League) -> list[Row]:
    """Return the table of this league, the first first; in a tournament with all who take part.

    A forgotten person has no row any more; what the others won against them stays.
    """
    rows = counted.standings([game.seats for game in games(db, league)], league.points)
    rows = [row for row in rows if not is_forgotten_name(row.who)]
    if league.kind != "open":
        known = {row.who for row in rows}
        rows += [Row(0, who, 0, 0.0, 0.0, 0.0, 0.0) for who in members(db, league) if who not in known]
        rows.sort(key=_best)
    return [row._replace(place=1 + sum(_best(other) < _best(row) for other in rows)) for row in rows]


def as_csv(rows: Iterable[Row]) -> str:
    """Return a table as CSV (RFC 4180)."""
    text = io.StringIO(newline="")
    out = csv.writer(text)
    out.writerow(COLUMNS)
    out.writerows(row._replace(who=no_formula(row.who)) for row in rows)
    return text.getvalue()


def as_json(db: Connection, league: League) -> dict[str, Any]:
    """Return a league with its table and its rounds, for other programs."""
    return {
        "league": {
            **league._asdict(),
            "since": league.since.isoformat(),
            "until": league.until and league.until.isoformat(),
        },
        "table": [row._asdict() for row in table(db, league)],
        "rounds": [
            {
                "number": drawn.number,
                "at": drawn.at.isoformat(),
                "tables": [
                    {"seats": list(one.seats), "game_id": one.game and one.game.id} for one in drawn.tables
                ],
            }
            for drawn in rounds(db, league)
        ],
        "games": [game.id for game in games(db, league)],
    }


def _drawn(
    league: League, number: int, people: Sequence[str], before: Sequence[Round], rows: Sequence[Row]
) -> list[list[str]]:
    rng = random.Random(f"{league.slug} {number}")
    met = [table.seats for drawn in before for table in drawn.tables]
    seats = _seat_range(league.game, len(people), league.seats)
    if league.kind == "round-robin":
        return pairing.round_robin(people, met, rng, league.seats, seats)
    if not before:
        return pairing.swiss(rng.sample(people, len(people)), [], rng, league.seats, seats)
    if league.kind == "swiss":
        order = [row.who for row in rows if row.who in people]
        return pairing.swiss(order, met, rng, league.seats, seats)
    ended = [_order(table) for table in before[-1].tables]
    moved = pairing.king_of_the_hill(ended)
    same_people = sorted(who for table in moved for who in table) == sorted(people)
    wanted = pairing.sizes(len(people), league.seats, seats)
    if same_people and sorted(map(len, moved), reverse=True) == wanted:
        return moved
    order = [who for table in moved for who in table if who in people]
    order += [who for who in people if who not in order]
    return pairing.swiss(order, [], rng, league.seats, seats)


def _seat_range(game: str | None, people: int | None = None, usual: int | None = None) -> tuple[int, int]:
    """Return the fewest and the most people at a table of this game; None: any game.

    A plug-in's game that is no longer installed counts as any. With any game, a number of `people` that fits
    no tables that every game takes may sit at tables that one game takes. Tables that only one of the game's
    boxes takes are drawn where the `usual` number of a league asks for such.
    """
    found = all_games().get(game or "")
    if found is not None:
        fewest, most = found.seat_counts
        if usual is not None and usual <= usual_most(found):
            most = usual_most(found)
        return min(max(fewest, 2), most), most  # a table of one has no opponents
    if people is not None and not pairing.fits(people, pairing.SIZES):
        return pairing.ANY_GAME
    return pairing.SIZES


def _check_fit(league: League, people: int) -> None:
    """Raise ValidationError if so many people do not fit tables of this league, with the numbers that do."""
    seats = _seat_range(league.game, people, league.seats)
    if pairing.fits(people, seats):
        return
    fewer, more = pairing.nearest(people, seats)
    title, text = _title(league.game), _numbers(*seats)
    if fewer is None:
        raise validation_error(_TOO_FEW_FOR, kind=title, text=text, n=people, more=more)
    raise validation_error(_NO_FIT, kind=title, text=text, n=people, fewer=fewer, more=more)


def _title(game: str | None) -> str:
    found = all_games().get(game or "")
    return _ANY_GAME if found is None else found.title


def _numbers(fewest: int, most: int) -> str:
    return str(fewest) if fewest == most else f"{fewest}–{most}"


def _order(table: Table) -> list[str]:
    """Return the people of a table in the order in which its game ended; as drawn if none was played."""
    if table.game is None:
        return list(table.seats)
    ended = sorted(table.game.seats, key=lambda seat: 99 if seat.place is None else seat.place)
    return [seat.who for seat in ended]


def _stored(db: Connection, league: League) -> list[Drawn]:
    """Return the stored rounds, with people's own names."""
    own, r = own_names(db), schema.rounds.c
    asked = select(r.number, r.at, r.tables, r.games).where(r.league_id == league.id).order_by(r.number)
    drawn = []
    for row in db.execute(asked):
        tables = [[own.get(name, name) for name in table] for table in json.loads(row.tables)]
        games = json.loads(row.games) or [None] * len(tables)
        drawn.append(Drawn(row.number, utc(row.at), tables, games))
    return drawn


def _attributed(
    db: Connection, league: League, drawn: Sequence[Drawn]
) -> tuple[Mapping[int, Played], list[list[int | None]]]:
    """Return the games since the first round, by id, and the id of each table's game, by round."""
    if not drawn:
        return {}, []
    games = played(db, league.game, heard_from=drawn[0].at)
    in_time = [game for game in games if league.until is None or game.when < league.until]
    return {game.id: game for game in games}, attribute(drawn, in_time)


def _store_games(db: Connection, league: League) -> None:
    """Store which game counts for each table of the rounds so far."""
    drawn, r = _stored(db, league), schema.rounds.c
    _, ids = _attributed(db, league, drawn)
    for one, games in zip(drawn, ids, strict=True):
        if games != one.games:
            this = and_(r.league_id == league.id, r.number == one.number)
            db.execute(update(schema.rounds).where(this).values(games=json.dumps(games)))


def _is_empty(seats: Sequence[str]) -> bool:
    return all(is_forgotten_name(name) for name in seats)


def _best(row: Row) -> tuple[float, float, bool]:
    return (-round(row.points, 9), -round(row.wins, 9), row.games == 0)


def _free_slug(db: Connection, name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", plain).strip("-")[:50].strip("-") or "league"
    taken = set(db.execute(select(schema.leagues.c.slug)).scalars())
    return next(
        one for n in range(1, len(taken) + 2) if (one := slug if n == 1 else f"{slug}-{n}") not in taken
    )


def _league(row: Any) -> League:
    values = row._asdict()
    values |= {"since": utc(row.since), "until": row.until and utc(row.until)}
    return League(**values | {"points": tuple(json.loads(row.points))})


_NO_NAME: Final = N_("a league's name has 1 to 100 letters")
_NO_KIND: Final = N_("no kind of league is called {text}: there are {known}")
_ENDS_BEFORE: Final = N_("a league ends after it begins: choose another day")
_NO_SEATS: Final = N_("{kind}: a table seats {text} people; choose one of these numbers")
_ANY_GAME: Final = N_("any game")
_TOO_FEW_FOR: Final = N_("{kind}: a table seats {text} people, not {n}; let more join, {more} in all")
_NO_FIT: Final = N_(
    "{kind}: a table seats {text} people, and {n} cannot be divided so; "
    "let more join ({more} in all) or leave ({fewer} in all), or make a league of another game"
)
NO_POINTS: Final = N_("points by place are numbers that do not rise, such as 5 3 2 1 0")
_NO_LEAGUE: Final = N_("there is no league called {text}")
_NO_MEMBER: Final = N_("a name has 1 to 200 letters")
_NO_ROUNDS: Final = N_("an open league has no rounds: each game counts")
_TOO_FEW: Final = N_("a round takes two people at least: let more join")
_GAMES_MISSING: Final = N_(
    "of round {n} these have not played yet: {text}; wait for them, or draw the next round all the same"
)
