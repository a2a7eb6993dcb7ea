"""Attribution of games to the tables of a tournament's rounds.

A game belongs to a table of exactly its people, one that has no game yet, in a round that was open while the
game was played. If the hub received the game's events while it was played, the hub's clock decides, else the
table's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from companion.hub.intake import is_forgotten_name
from companion.hub.results import Played


class Drawn(NamedTuple):
    """A stored round: the people at each table, and the id of the game that was stored for it."""

    number: int
    at: datetime
    tables: Sequence[Sequence[str]]
    games: Sequence[int | None]


class _Place(NamedTuple):
    """A table of a round, which was open from `since` until before `until`, the draw of the next one."""

    round: int
    table: int
    since: datetime
    until: datetime | None


def attribute(rounds: Sequence[Drawn], games: Sequence[Played]) -> list[list[int | None]]:
    """Return the id of the game of each table, by round; None: it has none.

    - A stored game stays where it is.
    - A game whose events the hub received while it was played belongs to the first round that was open during
      it. If the table has a game already, it belongs to the next round that was drawn before the game ended.
    - Any other game, of a table without a network or out of a file, has only its table's clock. If no round
      of its people was open at that time, it belongs to the last one that has no game.
    - No game belongs to a round that was drawn after the hub had received its end.
    """
    found = [list(drawn.games) for drawn in rounds]
    places = _by_company(rounds)
    stored = {game for ids in found for game in ids if game is not None}
    strays = []
    for game in sorted(
        (game for game in games if game.id not in stored), key=lambda game: (game.when, game.id)
    ):
        company = places[_company(seat.who for seat in game.seats)]
        open_ones = [place for place in company if _was_open(place, game)]
        if open_ones:
            _put(found, open_ones, game)
        elif game.began is None:
            strays.append((game, [place for place in company if place.since <= game.heard]))
    for game, company in sorted(strays, key=lambda stray: (stray[0].heard, stray[0].when, stray[0].id)):
        _put(found, reversed(company), game)
    return found


def _by_company(rounds: Sequence[Drawn]) -> defaultdict[tuple[str, ...], list[_Place]]:
    ends = [drawn.at for drawn in rounds[1:]] + [None]
    places = defaultdict(list)
    for number, (drawn, end) in enumerate(zip(rounds, ends, strict=True)):
        for table, people in enumerate(drawn.tables):
            places[_company(people)].append(_Place(number, table, drawn.at, end))
    return places


def _company(names: Iterable[str]) -> tuple[str, ...]:
    """Return a key for the people at a table; people who were forgotten are all alike."""
    return tuple(sorted("" if is_forgotten_name(name) else name for name in names))


def _was_open(place: _Place, game: Played) -> bool:
    first, last = (game.when, game.when) if game.began is None else (game.began, game.heard)
    return place.since <= last and (place.until is None or first < place.until)


def _put(game_ids: Sequence[list[int | None]], places: Iterable[_Place], game: Played) -> None:
    """Store the game at the first of these tables that has none."""
    for place in places:
        if game_ids[place.round][place.table] is None:
            game_ids[place.round][place.table] = game.id
            return
