"""The API for watchers on their phones; open to any device, without a PIN."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from flask import Blueprint, current_app, session
from msgspec import Meta

from companion.games.panel import Cell, Panel
from companion.http.request import Body, OnOff, as_json, body, done, table, words
from companion.http.roles import client_address, needs, new_name
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.reply import Colour, Done, Reply, Seat, one_of
from companion.table.snapshot import Snapshot
from companion.translate import Words
from companion.views import crowd
from companion.views.crowd import STAKE, Contest, Crowd, Tipster, contest, favourites, may_do, runners
from companion.views.table.panels import PanelView, worded
from companion.web.crowd.gallery import Gallery

TOP: Final = 8  # rows of the tipsters' table

crowd_api = Blueprint("crowd_api", __name__, url_prefix="/api")


class Favourite(Body):
    """A seat of this match; in Greyhounds a dog and the number of its race."""

    match: int
    race: int = 0
    seat: int | None = None
    piece: str | None = None


class Nickname(Body):
    """A tipster's wish for a name."""

    name: str


class CheerRequest(Body):
    """One of the signs, for a seat or a dog, or for all."""

    sign: str
    seat: int | None = None
    piece: str | None = None


class FavouriteView(Reply):
    """A seat, or a piece that runs in the race, and what it pays if it is picked now."""

    seat: Seat | None
    piece: Colour | None
    name: str
    pays: Annotated[int, Meta(ge=0)]


class CrowdView(Reply):
    """A watcher's permissions now, and the tipsters' table, the richest first.

    `state`: a favourite can be picked (open) or no longer (closed), the game is over; null: the host has
    turned it off, or no game is running. `race`: the race of the favourites, 0 if they are of the whole game.
    `gain`: the gain of the favourite of the device that asks, less the stake, null until it is settled;
    `last` and `last_gain`: the same of the race before. `money`: all matches of the evening together.
    `tipsters`: null before the first pick.
    """

    state: Annotated[str | None, one_of("open", "closed", "over", None)] = None
    match: Annotated[int, Meta(ge=1)] | None = None
    race: Annotated[int, Meta(ge=0)] = 0
    stake: int = STAKE
    nickname: str = ""
    favourites: list[FavouriteView] = []
    mine: FavouriteView | None = None
    gain: int | None = None
    last: FavouriteView | None = None
    last_gain: int | None = None
    money: int = 0
    tipsters: PanelView | None = None


@crowd_api.get("/crowd")
@as_json
def get_crowd() -> CrowdView:
    """Return the permissions of the device that asks, and the tipsters' table."""
    return _seen()


@crowd_api.post("/crowd")
@needs("host")
@as_json
def post_crowd() -> Done:
    """Let watchers take part, or only watch."""
    on = body(OnOff).on
    table().ask(lambda t: t.show(crowd=on))
    return done()


@crowd_api.put("/favourite")
@as_json
def put_favourite() -> CrowdView:
    """Pick a favourite, or another one, before the first card of the game or of its race."""
    asked = body(Favourite)
    _gallery().pick(_watcher_made(), Contest(asked.match, asked.race), asked.seat, asked.piece)
    return _seen()


@crowd_api.put("/nickname")
@as_json
def put_nickname() -> CrowdView:
    """Set this device's name in the tipsters' table."""
    _gallery().name(_watcher_made(), body(Nickname).name)
    return _seen()


@crowd_api.post("/cheer")
@as_json
def post_cheer() -> Done:
    """Cheer: every page shows it for a moment."""
    asked = body(CheerRequest)
    _gallery().cheer(_watcher() or client_address(), asked.sign, asked.seat, asked.piece)
    _watcher_made()
    return done()


def _seen() -> CrowdView:
    return view(table().snapshot, _gallery().crowd, _watcher(), words())


def _gallery() -> Gallery:
    gallery: Gallery = current_app.extensions["companion.crowd"]
    return gallery


def _watcher() -> str:
    """Return the name that this device has as a watcher; "" before it took part. It grants nothing."""
    return str(session.get("watcher", ""))


def _watcher_made() -> str:
    """Return the same, given now if it has none."""
    if not _watcher():
        session["watcher"] = new_name()
        session.permanent = True
    return _watcher()


def view(picture: Snapshot, known: Crowd, device: str, words: Words) -> CrowdView:
    """Return the crowd as this device sees it."""
    now, match = may_do(picture), picture.match
    if now is None or match is None:
        return CrowdView()
    mine = known.tipster(device) if device else Tipster(0)
    what = contest(match)
    before = what._replace(race=what.race - 1)
    return CrowdView(
        state=now,
        match=match.id,
        race=what.race,
        nickname=mine.nickname,
        favourites=[_shown(one, match, words) for one in favourites(picture, match)] if now == "open" else [],
        mine=_picked(mine, what, match, words),
        gain=known.gain(mine, what),
        last=_picked(mine, before, match, words),
        last_gain=known.gain(mine, before),
        money=known.money(mine),
        tipsters=_tipsters(known, device, match, words),
    )


def _picked(tipster: Tipster, what: Contest, match: Match, words: Words) -> FavouriteView | None:
    favourite = tipster.favourites.get(what)
    return _shown(favourite, match, words) if favourite else None


def _shown(favourite: crowd.Favourite, match: Match, words: Words) -> FavouriteView:
    """Return a favourite by the present name of its seat or piece, which may have been corrected."""
    pieces, number = runners(match), favourite.runner
    piece = pieces[number] if pieces else None
    if piece is None:
        return FavouriteView(seat=number, piece=None, name=match.race.seats[number], pays=favourite.pays)
    name = words.text(Sentence("{piece}", {"piece": piece}), match.race)
    return FavouriteView(seat=None, piece=piece, name=name, pays=favourite.pays)


def _tipsters(known: Crowd, device: str, match: Match, words: Words) -> PanelView | None:
    """Return the richest, and the one who asks; with the match's gains once it is over."""
    ranked = known.ranked()
    shown = [one for n, (whose, one) in enumerate(ranked) if n < TOP or whose == device]
    over = any(one.match == match.id for one in known.winners)
    head = (None, Sentence(_PICKED), *((Sentence(_GAIN),) if over else ()), Sentence(_EVENING))
    rows = tuple(_row(known, one, match, over, words) for one in shown)
    return worded(Panel("tipsters", Sentence(_TIPSTERS), rows, head), match.race, words) if rows else None


def _row(known: Crowd, one: Tipster, match: Match, over: bool, words: Words) -> tuple[Cell, ...]:
    picked, pieces = one.favourites.get(contest(match)), runners(match)
    played = any(what.match == match.id and what in known.winners for what in one.favourites)
    return (
        one.nickname or words.text(Sentence(_GUEST, {"n": one.number})),
        _runner(picked.runner, pieces) if picked else None,
        *((_signed(known.money(one, match.id)) if played else None,) if over else ()),
        _signed(known.money(one)),
    )


def _runner(number: int, pieces: Sequence[str]) -> Sentence:
    return Sentence("{piece}", {"piece": pieces[number]}) if pieces else Sentence("{seat}", {"seat": number})


def _signed(money: int) -> str:
    """Return an amount with its sign.

    >>> [_signed(money) for money in (140, 0, -100)]
    ['+140', '0', '−100']
    """
    return f"{money:+}".replace("-", "−") if money else "0"


_GUEST = N_("Guest {n}")
_TIPSTERS = N_("tipsters")
_PICKED = N_("favourite")
_GAIN = N_("game")
_EVENING = N_("evening")
