"""The leaderboard: wins over all games of the house, of people by name, of bots by strength."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import sqrt
from typing import Final, NamedTuple

from companion.match.entries import Filed

MORE_GAMES: Final = 5
"""So many games more, with a fair part of wins, each row is judged by: one lucky evening leads no board."""


class Row(NamedTuple):
    """A person or a bot on the leaderboard; `bot` is the strength of a robot, "" for a person.

    `places` counts first places, second places and so on; `best` is None over several games, whose scores
    cannot be compared. `share` is the part of wins as if there had been MORE_GAMES more, `error` the half
    width of its 95 % interval.
    """

    name: str
    bot: str
    games: int
    wins: int
    places: tuple[int, ...]
    best: int | None
    average: float
    share: float
    error: float


def leaderboard(matches: Iterable[Filed]) -> list[Row]:
    """Return the leaderboard of these matches, the newest first; those not played to their end do
    not count.

    A shared victory is a win of each. A seat that ended without a place has played too, and is counted just
    behind those that have one: otherwise slow players would have no games, and no bad ones.
    """
    return ranked(seated for filed in matches for seated in seated_in(filed))


def ranked(seats: Iterable[Seated]) -> list[Row]:
    """Return the leaderboard of these seats, those of the newest match first."""
    played: dict[tuple[str, str], list[Seated]] = {}
    for seated in seats:
        played.setdefault((same_name(seated.name), seated.bot), []).append(seated)
    rows = (_row(games) for games in played.values())
    return sorted(rows, key=lambda row: (-row.share, row.average, -row.games, row.name))


@lru_cache(4096)  # a house has few names, and years of games
def same_name(name: str) -> str:
    """Return the common form of different spellings of a name.

    >>> same_name(" ANNA  lena") == same_name("Anna Lena") == same_name("AnnaLena")
    True
    """
    return "".join(unicodedata.normalize("NFKC", name).split()).casefold()


class Seated(NamedTuple):
    """One seat of one match that was played to its end."""

    name: str
    bot: str
    game: str
    place: int
    score: int
    fair: float


def seated_in(filed: Filed) -> Iterator[Seated]:
    """Yield the seats of this match if it was played to its end."""
    if filed.state not in ("finished", "played"):
        return
    rows = filed.standings
    behind = max(1, sum(row["place"] is not None for row in rows)) + 1  # a win needs a place
    for row in rows:
        bot = filed.bots[row["seat"]] if filed.bots else ""
        place = behind if row["place"] is None else row["place"]
        yield Seated(row["name"], bot, filed.header.game, place, row["score"], 1 / len(rows))


def _row(played: Sequence[Seated]) -> Row:
    """Return the row of one person, or one robot, from all their games, the newest first."""
    games, places = len(played), Counter(seated.place for seated in played)
    share, error = win_share(places[1], games, sum(seated.fair for seated in played) / games)
    one_game = len({seated.game for seated in played}) == 1
    return Row(
        " ".join(played[0].name.split()),
        played[0].bot,
        games,
        places[1],
        tuple(places[place] for place in range(1, max(places) + 1)),
        max(seated.score for seated in played) if one_game else None,
        sum(seated.place for seated in played) / games,
        share,
        error,
    )


def win_share(wins: int, games: int, fair: float) -> tuple[float, float]:
    """Return the part of wins as if there had been MORE_GAMES more with a `fair` part of them,
    and its error.

    The error is the half width of the 95 % interval of the resulting beta distribution.

    >>> [round(win_share(*row, 0.25)[0], 2) for row in ((1, 1), (8, 10), (0, 1), (0, 10))]
    [0.38, 0.62, 0.21, 0.08]
    """
    seen = games + MORE_GAMES
    share = (wins + MORE_GAMES * fair) / seen
    return share, 1.96 * sqrt(share * (1 - share) / (seen + 1))
