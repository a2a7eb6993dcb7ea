"""What watchers do on their phones; any device may, without a PIN."""

from __future__ import annotations

from typing import Annotated, Final

from flask import Blueprint, current_app, session
from msgspec import Meta

from companion.games.panel import Cell, Panel
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.reply import Reply, Seat, one_of
from companion.table.picture import Picture
from companion.translate import Words
from companion.web.crowd import crowd
from companion.web.crowd.crowd import STAKE, Crowd, Tipster, favourites
from companion.web.crowd.gallery import Gallery
from companion.web.request import Body, Done, OnOff, as_json, body, done, table, words
from companion.web.roles import asked_from, needs, new_name
from companion.web.table.panels import PanelView, worded
from companion.web.table.watchers import may_do

TOP: Final = 8  # rows of the tipsters' table

crowd_api = Blueprint("crowd_api", __name__, url_prefix="/api")


class Favourite(Body):
    """A seat of this match."""

    match: int
    seat: int


class Nickname(Body):
    """What a tipster wants to be called."""

    name: str


class CheerRequest(Body):
    """One of the signs, for a seat or for all."""

    sign: str
    seat: int | None = None


class FavouriteView(Reply):
    """A seat, and what it pays to those who pick it now."""

    seat: Seat
    name: str
    pays: Annotated[int, Meta(ge=0)]


class CrowdView(Reply):
    """What a watcher may do now, and the tipsters' table, the richest first.

    `state`: a favourite can be picked (open) or no longer (closed), the game is over; null: the host wants
    none of it, or no game is running. `gain`: what this match brought the device that asks, less the stake,
    null until it is over; `money`: all matches of the evening together. `tipsters`: null until somebody
    picks.
    """

    state: Annotated[str | None, one_of("open", "closed", "over", None)] = None
    match: Annotated[int, Meta(ge=1)] | None = None
    stake: int = STAKE
    nickname: str = ""
    favourites: list[FavouriteView] = []
    mine: FavouriteView | None = None
    gain: int | None = None
    money: int = 0
    tipsters: PanelView | None = None


@crowd_api.get("/crowd")
@as_json
def get_crowd() -> CrowdView:
    """What the device that asks may do, and the tipsters' table."""
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
    """Pick a favourite, or another one, before the first card."""
    asked = body(Favourite)
    _gallery().pick(_called(), asked.match, asked.seat)
    return _seen()


@crowd_api.put("/nickname")
@as_json
def put_nickname() -> CrowdView:
    """Be called like this in the tipsters' table."""
    _gallery().name(_called(), body(Nickname).name)
    return _seen()


@crowd_api.post("/cheer")
@as_json
def post_cheer() -> Done:
    """Cheer: every page shows it for a moment."""
    asked = body(CheerRequest)
    _gallery().cheer(_known() or asked_from(), asked.sign, asked.seat)
    _called()
    return done()


def _seen() -> CrowdView:
    return view(table().picture, _gallery().crowd, _known(), words())


def _gallery() -> Gallery:
    found: Gallery = current_app.extensions["companion.crowd"]
    return found


def _known() -> str:
    """The name that this device has as a watcher; "" before it took part. It opens nothing."""
    return str(session.get("watcher", ""))


def _called() -> str:
    """The same, given now if it has none."""
    if not _known():
        session["watcher"] = new_name()
        session.permanent = True
    return _known()


def view(picture: Picture, known: Crowd, device: str, words: Words) -> CrowdView:
    """The crowd as this device sees it."""
    now, match = may_do(picture), picture.match
    if now is None or match is None:
        return CrowdView()
    mine = known.tipster(device) if device else Tipster(0)
    return CrowdView(
        state=now,
        match=match.id,
        nickname=mine.nickname,
        favourites=[_shown(one, match) for one in favourites(picture, match)] if now == "open" else [],
        mine=_shown(mine.favourites[match.id], match) if match.id in mine.favourites else None,
        gain=known.gain(mine, match.id),
        money=known.money(mine),
        tipsters=_tipsters(known, device, match, words),
    )


def _shown(favourite: crowd.Favourite, match: Match) -> FavouriteView:
    """By the name that the seat has now: it may have been put right since."""
    return FavouriteView(seat=favourite.seat, name=match.race.seats[favourite.seat], pays=favourite.pays)


def _tipsters(known: Crowd, device: str, match: Match, words: Words) -> PanelView | None:
    """The richest, and the one who asks; what the match brought stands there once it is over."""
    ranked = known.ranked()
    shown = [one for n, (whose, one) in enumerate(ranked) if n < TOP or whose == device]
    over = match.id in known.winners
    head = (None, Sentence(_PICKED), *((Sentence(_GAIN),) if over else ()), Sentence(_EVENING))
    rows = tuple(_row(known, one, match.id, over, words) for one in shown)
    return worded(Panel("tipsters", Sentence(_TIPSTERS), rows, head), match.race, words) if rows else None


def _row(known: Crowd, one: Tipster, match: int, over: bool, words: Words) -> tuple[Cell, ...]:
    picked = one.favourites.get(match)
    gain = known.gain(one, match)
    return (
        one.nickname or words.text(Sentence(_GUEST, {"n": one.number})),
        Sentence("{seat}", {"seat": picked.seat}) if picked else None,
        *((_signed(gain) if gain is not None else None,) if over else ()),
        _signed(known.money(one)),
    )


def _signed(money: int) -> str:
    """An amount with its sign.

    >>> [_signed(money) for money in (140, 0, -100)]
    ['+140', '0', '−100']
    """
    return f"{money:+}".replace("-", "−") if money else "0"


_GUEST = N_("Guest {n}")
_TIPSTERS = N_("tipsters")
_PICKED = N_("favourite")
_GAIN = N_("game")
_EVENING = N_("evening")
