"""The effects of a decision on the race, as facts: a table of rules from the strongest to the weakest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import News
from companion.message import listed

FAR: Final = 7  # spaces between the first and the second that are a long way
SWING: Final = 0.15  # of a chance to win, gained at one stroke
SLIM: Final = 0.5  # of a fair chance: a seat with less is an outsider


class Order(NamedTuple):
    """The pieces on the track, the first in front, and how far each has run.

    `gap`: the spaces from the second to the first, None for one piece; `leader`: the piece in front, if it is
    there alone; `last`: the last of three or more, if it is there alone.
    """

    pieces: Sequence[str]
    ran: Mapping[str, int]
    gap: int | None
    leader: str | None
    last: str | None


def order_of(ran: Mapping[str, int]) -> Order:
    """Return the order of pieces that have run so far.

    >>> order = order_of({"red": 3, "blue": 7, "green": 3})
    >>> order.pieces, order.gap, order.leader, order.last
    (['blue', 'red', 'green'], 4, 'blue', None)
    """
    pieces = sorted(ran, key=lambda piece: -ran[piece])
    gap = ran[pieces[0]] - ran[pieces[1]] if len(pieces) > 1 else None
    is_alone = len(pieces) > 2 and ran[pieces[-1]] < ran[pieces[-2]]
    return Order(pieces, ran, gap, pieces[0] if gap else None, pieces[-1] if is_alone else None)


class Moment(NamedTuple):
    """A decision as everybody saw it: the public position after it, and the order of the pieces before and
    after.

    `ran`: whether the same pieces are on the track, in other places: no new race, no piece home or out.
    `hoped`, `hopes`: each seat's chance to win, 0 to 1, before and after; () where it is unknown.
    """

    after: Race
    was: Order
    now: Order
    ran: bool
    hoped: Sequence[float] = ()
    hopes: Sequence[float] = ()


def moment(before: Race, after: Race, hoped: Sequence[float] = (), hopes: Sequence[float] = ()) -> Moment:
    """Return the public view of the decision between these positions."""
    public = after.seen_by(None)
    was, now = presented(before.seen_by(None)).distances(), presented(public).distances()
    ran = was != now and len(now) > 1 and set(was) == set(now) == set(public.field())
    return Moment(public, order_of(was), order_of(now), ran, hoped, hopes)


class Fact(NamedTuple):
    """Something worth saying, and its subject; the values are named as those of a Sentence."""

    kind: str
    values: Mapping[str, Any]


def fact(moment: Moment) -> Fact | None:
    """Return the strongest fact of this decision; None: it deserves no word, or none before its odds are
    known.

    Facts that need the odds wait for them, so that a published fact stays true.
    """
    waits = bool(moment.hoped) and not moment.hopes and moment.after.awaits() is not None
    rules = AT_ONCE if waits else (*AT_ONCE, *WITH_ODDS)
    return next((found for rule in rules if (found := rule(moment)) is not None), None)


# --- facts from the rules ------------------------------------------------------------------------


def ends(moment: Moment) -> Fact | None:
    """Return that the game is over: one has won, perhaps against all odds, or several share."""
    if moment.after.awaits() is not None:
        return None
    first = [standing for standing in moment.after.standings() if standing.place == 1]
    if len(first) > 1:
        return Fact("shared", {"names": listed([standing.name for standing in first])})
    if not first:
        return None
    return Fact("upset" if _slim(moment, first[0].seat) else "wins", {"seat": first[0].seat})


def comes_home(moment: Moment) -> Fact | None:
    """Return that a piece is over the line: the best placed."""
    home = [news.values for news in moment.after.news if news.kind == "home"]
    if not home:
        return None
    best = min(home, key=lambda values: values["place"])
    kind = "home-first" if best["place"] == 1 else "home"
    return Fact(kind, {"piece": best["piece"], "place": best["place"]})


def settles(moment: Moment) -> Fact | None:
    """Return that a last card decided about food at risk."""
    news = _first(moment, "kept", "lost")
    return news and Fact(news.kind, {"seat": news.values["seat"], "piece": news.values["piece"]})


def lapped(moment: Moment) -> Fact | None:
    """Return that a piece is out."""
    news = _first(moment, "lapped")
    return news and Fact("lapped", {"piece": news.values["piece"]})


def pushed(moment: Moment) -> Fact | None:
    """Return that a piece took another's place."""
    for by, news in pairwise(moment.after.news):
        if news.kind in ("pushed-back", "pushed-to-gate"):
            who = {"piece1": by.values["piece"], "piece2": news.values["piece"]}
            return Fact(news.kind, {**who, "space": news.values["space"]})
    return None


def leads(moment: Moment) -> Fact | None:
    """Return that another piece is in front, alone: an unexpected one, or one that passed the
    former leader.
    """
    front, was = moment.now.leader, moment.was.leader
    if front is None or front == was or not moment.ran:
        return None
    owner = _owner(moment.after, front)
    if owner is not None and _slim(moment, owner):
        return Fact("outsider", {"piece": front, "seat": owner})
    return Fact("leads", {"piece": front}) if was is None else Fact("takes", {"piece1": front, "piece2": was})


def last_card(moment: Moment) -> Fact | None:
    """Return that the seat that is due has one card left, which decides about its food at risk."""
    due = moment.after.awaits()
    if due is None or not moment.ran:
        return None
    seat = next((seat for seat in due.seats if presented(moment.after).last_card(seat)), None)
    return None if seat is None else Fact("last-card", {"seat": seat})


def stopped(moment: Moment) -> Fact | None:
    """Return that an obstacle was in the way."""
    news = _first(moment, "refused")
    return news and Fact("stopped", {"piece": news.values["piece"], "space": news.values["space"]})


def level(moment: Moment) -> Fact | None:
    """Return that two have come level in front."""
    if not moment.ran or moment.now.gap != 0 or moment.was.gap in (0, None):
        return None
    return Fact("level", {"piece1": moment.now.pieces[0], "piece2": moment.now.pieces[1]})


def far(moment: Moment) -> Fact | None:
    """Return that the first is a long way ahead by now."""
    if not moment.ran or not (moment.was.gap or 0) < FAR <= (moment.now.gap or 0):
        return None
    return Fact("far", {"piece": moment.now.pieces[0]})


# --- facts that need the odds --------------------------------------------------------------------


def swings(moment: Moment) -> Fact | None:
    """Return that a seat's chance to win has grown by much."""
    gains = [now - was for was, now in zip(moment.hoped, moment.hopes, strict=False)]
    best = max(gains, default=0.0)
    return Fact("swing", {"seat": gains.index(best)}) if best >= SWING else None


def passes_many(moment: Moment) -> Fact | None:
    """Return that a piece has passed several."""
    passed = _passed(moment)
    piece = max(passed, key=lambda piece: len(passed[piece]), default=None)
    return Fact("passes-many", {"piece": piece}) if piece and len(passed[piece]) > 1 else None


def close(moment: Moment) -> Fact | None:
    """Return that the second has come right behind the first."""
    if not moment.ran or moment.now.gap != 1 or (moment.was.gap or 0) < 2:
        return None
    return Fact("close", {"piece1": moment.now.pieces[0], "piece2": moment.now.pieces[1]})


def falls_back(moment: Moment) -> Fact | None:
    """Return that of three or more another one is the last by now, alone."""
    was, now = moment.was.last, moment.now.last
    if not moment.ran or was is None or now is None or was == now:
        return None
    return Fact("falls-back", {"piece": now})


def passes(moment: Moment) -> Fact | None:
    """Return that a piece has passed another."""
    passed = _passed(moment)
    piece = next((piece for piece in moment.now.pieces if passed.get(piece)), None)
    return Fact("passes", {"piece1": piece, "piece2": passed[piece][0]}) if piece else None


Rule = Callable[[Moment], Fact | None]

AT_ONCE: Final[tuple[Rule, ...]] = (
    ends,
    comes_home,
    settles,
    lapped,
    pushed,
    leads,
    last_card,
    stopped,
    level,
    far,
)
WITH_ODDS: Final[tuple[Rule, ...]] = (swings, passes_many, close, falls_back, passes)


# --- the order on the track ----------------------------------------------------------------------


def _first(moment: Moment, *kinds: str) -> News | None:
    return next((news for news in moment.after.news if news.kind in kinds), None)


def _slim(moment: Moment, seat: int) -> bool:
    """Return whether the seat's chance was slim before."""
    return bool(moment.hoped) and moment.hoped[seat] < SLIM / len(moment.hoped)


def _owner(race: Race, piece: str) -> int | None:
    return next((seat for seat in range(len(race.seats)) if race.own_piece(seat) == piece), None)


def _passed(moment: Moment) -> dict[str, list[str]]:
    """Return, by piece, those that it was behind and is ahead of, the foremost first."""
    if not moment.ran:
        return {}
    was, now, order = moment.was.ran, moment.now.ran, moment.now.pieces
    return {
        piece: [other for other in order if was[piece] < was[other] and now[other] < now[piece]]
        for piece in order
    }
