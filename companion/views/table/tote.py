"""The tote board: the chances of winning, of seats and of bets."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, UnsetType

from companion.games.race import Race
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.odds.assumed import MAY_BE, assumed
from companion.odds.chance import Chance, Event
from companion.reply import Colour, Reply, Seat
from companion.table.snapshot import Snapshot
from companion.translate import Words


class Likely(Reply):
    """A probability, and half the width of its 95 % interval."""

    p: float
    error: float


class ToteRow(Reply):
    """A seat's chance to win, also over time, and another of the game's chances; `line` has one a moment."""

    seat: Seat
    name: str
    p: float
    error: float
    line: list[float]
    also: Likely | None


class BetNow(Reply):
    """A bet, its pay, and its chance now."""

    what: str
    pieces: list[Colour]
    pays: str
    p: float
    error: float


class Bettable(Reply):
    """A piece and the bets on it alone."""

    piece: Colour
    win: BetNow | UnsetType = UNSET
    place: BetNow | UnsetType = UNSET


class Tote(Reply):
    """The tote board, the likeliest winner first; `off`: the reason if there is none.

    `anyone` is the title before the first card, while the race is open to all. `assumed` is the assumption
    about the people who play, and the content of the errors.
    """

    title: str
    anyone: str | None
    note: str
    assumed: str
    old: bool
    rows: list[ToteRow]
    also: str | None
    pieces: list[Bettable]
    pairs: list[BetNow]
    off: str | None


def tote(picture: Snapshot, race: Race, words: Words) -> Tote | None:
    """Return each seat's chance to win, also over time, and others of the game; None while there are none."""
    title = words(_WHO_MAY_WIN)
    if picture.no_odds is not None:
        why = words.text(picture.no_odds)
        return Tote(
            title=title,
            anyone=None,
            note="",
            assumed="",
            old=False,
            rows=[],
            also=None,
            pieces=[],
            pairs=[],
            off=why,
        )
    if not picture.odds or picture.match is None:
        return None
    newest = picture.odds[-1]
    now = {c.event: c for c in newest.chances}
    also = next((what for what in _ALSO if any(event.what == what for event in now)), None)
    old = newest.seq != picture.match.seq
    exact = all(c.sampled == 0 for c in newest.chances if c.event.what == "win" and c.event.seat is not None)
    rows = (_row(picture, race, seat, also) for seat in range(len(race.seats)))
    bets = _bets(race, now)
    return Tote(
        title=title,
        anyone=None if _is_begun(picture.match) else words(_ANYONE),
        note=words(_COMING if old else _EXACT if exact else _LIVE),
        assumed=f"{words.text(assumed(race))} {words(MAY_BE)}",
        old=old,
        rows=sorted(rows, key=lambda row: -row.p),
        also=also and words.text(Sentence(_ALSO[also]), race),
        pieces=_bettable(bets),
        pairs=[bet for bet in bets if len(bet.pieces) == 2],
        off=None,
    )


def _is_begun(match: Match) -> bool:
    """Return True once a card was played."""
    return any(turn.decision.do == "play" for turn in match.turns)


def _row(picture: Snapshot, race: Race, seat: int, also: str | None) -> ToteRow:
    win = Event("win", seat)
    line = [c.p for odds in picture.odds for c in odds.chances if c.event == win]
    now = {c.event: c for c in picture.odds[-1].chances}
    other = now.get(Event(also, seat)) if also else None
    return ToteRow(
        seat=seat,
        name=race.seats[seat],
        p=now[win].p,
        error=now[win].error,
        line=line,
        also=None if other is None else Likely(p=other.p, error=other.error),
    )


def _bets(race: Race, now: Mapping[Event, Chance]) -> list[BetNow]:
    """Return the chance of each bet, next to its pay."""
    return [
        BetNow(what=bet.kind, pieces=list(bet.pieces), pays=str(bet.odds), p=c.p, error=c.error)
        for bet in race.payouts()
        for c in now.values()
        if c.event.what == bet.kind and set(c.event.pieces) == set(bet.pieces)
    ]


def _bettable(bets: list[BetNow]) -> list[Bettable]:
    on = {bet.pieces[0]: dict[str, BetNow]() for bet in bets if len(bet.pieces) == 1}
    for bet in bets:
        if len(bet.pieces) == 1:
            on[bet.pieces[0]][bet.what] = bet
    return [Bettable(piece=piece, **by_kind) for piece, by_kind in on.items()]


_WHO_MAY_WIN = N_("Who may win")
_ANYONE = N_("Anyone's race")
_ALSO = {"keep": N_("keeps its food"), "placed": N_("past the line")}
_LIVE = N_("live")
_EXACT = N_("exact")
_COMING = N_("just a moment")
