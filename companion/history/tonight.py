"""The score of an evening over all its games: points by place, and a champion after three games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from companion.history.evening import evening_of
from companion.history.headline import headline
from companion.history.leaderboard import same_name
from companion.history.past import Past
from companion.match.entries import Filed
from companion.message import Sentence
from companion.odds.luck_summary import Swing

POINTS: Final = (3, 2, 1)
"""Points of the first places; any other has none. A shared place has the points of that place."""
BEST_OF: Final = 3
"""So many games make an evening that has a champion."""
GAP: Final = timedelta(hours=5)
"""After such a pause between the starts of two games another evening begins."""
MOST_GAMES: Final = 40
"""Games of an evening that are looked at."""


class Person(NamedTuple):
    """A person's evening: points, first places, and games; `seat`: in the newest game that they played."""

    name: str
    points: int
    wins: int
    games: int
    seat: int


class Tonight(NamedTuple):
    """An evening: its games, the newest first, its people, the best first, and those who lead.

    `to_go`: games until the evening has a champion; `chooser`: who came last in the newest game, and
    chooses the next one; None if several did.
    """

    games: Sequence[Filed]
    people: Sequence[Person]
    leaders: Sequence[str]
    to_go: int
    chooser: str | None


class Best(NamedTuple):
    """The moment of the evening: the greatest turn of a game; `headline` of it, None until it is known."""

    past: Past
    swing: Swing
    headline: Sentence | None


def best_moment(pasts: Iterable[Past]) -> Best | None:
    """Return the moment of these games that moved a chance most, the earlier game's of equal ones.

    Games that are not analysed yet have none; None if no game has one.
    """
    found = [(max(map(abs, swing.gains)), past.id, swing, past) for past in pasts for swing in _swings(past)]
    if not found:
        return None
    _, _, swing, past = max(found, key=lambda one: (one[0], -one[1]))
    evening = evening_of(past)
    return Best(past, swing, None if evening is None else headline(evening))


def _swings(past: Past) -> Sequence[Swing]:
    return () if past.luck is None else past.luck.swings


def tonight(over: Iterable[Filed]) -> Tonight:
    """Return the latest evening of matches that are over, given the newest first.

    A game counts if it was played to its end by two people or more; robots get no points.
    """
    played = list(_of_one_evening(filed for filed in over if _counts(filed)))
    people = _people(played)
    best = [(one.points, one.wins) for one in people[:1]]
    leaders = [one.name for one in people if (one.points, one.wins) in best]
    chooser = _last_of(played[0]) if played else None
    return Tonight(played, people, leaders, max(0, BEST_OF - len(played)), chooser)


def _counts(filed: Filed) -> bool:
    people = [seat for seat in range(len(filed.header.seats)) if not _is_bot(filed, seat)]
    return filed.state in ("finished", "played") and len(people) > 1


def _is_bot(filed: Filed, seat: int) -> bool:
    return bool(filed.bots and filed.bots[seat])


def _of_one_evening(newest_first: Iterable[Filed]) -> Iterable[Filed]:
    later: datetime | None = None
    for filed in newest_first:
        began = datetime.fromisoformat(filed.began)
        if later is not None and later - began > GAP:
            return
        later = began
        yield filed


def _people(played: Sequence[Filed]) -> list[Person]:
    found: dict[str, Person] = {}
    for filed in played:
        for row in filed.standings:
            if _is_bot(filed, row["seat"]):
                continue
            name = same_name(row["name"])
            was = found.get(name, Person(row["name"], 0, 0, 0, row["seat"]))
            place = row["place"]
            points = POINTS[place - 1] if place is not None and place <= len(POINTS) else 0
            found[name] = was._replace(
                points=was.points + points, wins=was.wins + (place == 1), games=was.games + 1
            )
    return sorted(found.values(), key=lambda one: (-one.points, -one.wins, one.games, one.name))


def _last_of(filed: Filed) -> str | None:
    """Return the name of the person who came last; None if several did."""
    rows = [row for row in filed.standings if not _is_bot(filed, row["seat"])]
    worst = [row for row in rows if row["place"] is None]
    if not worst:
        place = max(row["place"] for row in rows)
        worst = [row for row in rows if row["place"] == place]
    return worst[0]["name"] if len(worst) == 1 else None
