"""The plain page: the race in text, which any browser shows; at the table also what can be done by tap.

It reloads itself, and each button is a form. Older browsers are led here by common/old.js and `<noscript>`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final, NamedTuple

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as Redirect

from companion.errors import ConflictError, ValidationError
from companion.http.request import not_granted, published_address, table, words
from companion.http.roles import (
    PinLock,
    client_address,
    device,
    grant_role,
    needs,
    new_name,
    set_device_name,
)
from companion.message import N_, Sentence
from companion.translate import Phrase
from companion.views.course.drawn import PieceAt, WayTo
from companion.views.seat.page import public
from companion.views.table.actions import Tap
from companion.views.table.page import View
from companion.web.caller import asker, seats
from companion.web.seats import Renamed

plain_pages = Blueprint("plain", __name__, url_prefix="/plain")

KEPT: Final = "kept"
"""The cookie by which a browser shows that it keeps cookies; common/cookies.js sets the same."""
EVERY: Final = (5, 15, 60)
"""Seconds between two reloads that can be chosen: electronic paper flickers with each one."""


class Button(NamedTuple):
    """A form that is one button: the action, its label, and the record line of a decision, if it is one."""

    action: str
    text: str
    line: str = ""


@plain_pages.get("")
def plain_page() -> Response:
    """Return the page as it is now."""
    return _page(None, 200)


@plain_pages.post("/act")
@needs("table")
def act() -> Response | Redirect:
    """Do what a button of the page says, then show the page; a refusal is shown above the rest."""
    action, line = request.form.get("action", ""), request.form.get("line", "")
    try:
        seq = int(request.form.get("seq", ""))
        if action == "decide":
            seated, who, decision = seats(), asker(), _decision(line)
            table().ask(lambda t: seated.decide(t, who, seq, decision))
        else:
            _press(action, seq)
    except ValueError:
        return _page(Sentence(_RELOAD), 400)
    except (ConflictError, ValidationError) as error:
        return _page(error.sentence, 409)
    return _again()


@plain_pages.post("/unlock")
def unlock() -> Response | Redirect:
    """Make this device the table for the PIN; refused if its browser has not stored the page's cookie."""
    if KEPT not in request.cookies:
        return _page(Sentence(_NO_COOKIES), 409)
    pin: PinLock = current_app.extensions["companion.pin"]
    pin.check(request.form.get("pin", "").strip(), client_address())
    renamed = Renamed(device(), new_name())
    seats().follow(renamed)
    set_device_name(renamed.now)
    grant_role("table")
    return _again()


def _press(action: str, seq: int) -> None:
    """Press one of the buttons of the table page; ValueError for an unknown one."""
    match action:
        case "confirm":
            table().ask(lambda t: t.play.confirm(seq))
        case "undo":
            table().ask(lambda t: t.play.undo(seq))
        case "redo":
            table().ask(lambda t: t.play.redo(seq))
        case "next":
            table().ask(lambda t: t.play.dismiss())
        case _:
            raise ValueError(action)


def _decision(line: str) -> dict[str, Any]:
    """Return the record line that a form has, with the values of its fields; ValueError if it has none."""
    decision = json.loads(line, parse_float=Decimal)
    if not isinstance(decision, dict):
        raise ValueError(line)
    key = request.form.get("key")
    if key:
        chosen = request.form.getlist("part")
        decision[key] = [int(part) if part.isdecimal() else part for part in chosen]
    return decision


def _again() -> Redirect:
    return redirect(f"{request.script_root}/plain?every={_every()}", 303)


def _every() -> int:
    try:
        chosen = int(request.args.get("every", EVERY[0]))
    except ValueError:
        return EVERY[0]
    return chosen if chosen in EVERY else EVERY[0]


def _page(problem: Sentence | None, status: int) -> Response:
    """Return the page, above it the sentence on what went wrong, if anything."""
    picture = table().snapshot
    view = public(picture, words(), published_address(), seats().seating(picture.match))
    taps = view.actions.taps
    page = render_template(
        "plain/plain.html",
        view=view,
        problem=None if problem is None else not_granted("refused", problem).reason,
        say=text(view.say.parts),
        then=text(view.say.then),
        moves=[_move(way, view) for way in view.moves],
        places=_places(view),
        story=[text(line.parts) for line in view.story],
        buttons=list(_buttons(view)),
        choices=[
            (one, [(c.label, json.dumps(c.line, default=float)) for c in one.choices or ()]) for one in taps
        ],
        lists=[(one, json.dumps(one.line)) for one in taps if _is_list(one)],
        numbers=picture.match.race.numbers if picture.match else 0,
        reloads=not any(_is_list(one) for one in taps),
        every=_every(),
        all_every=EVERY,
    )
    response = make_response(page, status)
    response.set_cookie(KEPT, "yes", max_age=3600, path=f"{request.script_root}/", samesite="Lax")
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "same-origin"  # with none at all a browser sends no Origin either
    return response


def text(parts: Iterable[Phrase]) -> str:
    """Return a sentence as plain text.

    >>> from companion.translate import Mark
    >>> text(["Ada: move ", Mark(piece="red", text="the red pig")])
    'Ada: move the red pig'
    """
    return "".join(part if isinstance(part, str) else part.text for part in parts)


def _choices(tap: Tap) -> list[tuple[str, str]]:
    """Return the decisions of a seat that are listed, each with its label and its record line."""
    return [(choice.label, json.dumps(choice.line, default=float)) for choice in tap.choices or ()]


def _is_list(tap: Tap) -> bool:
    """Return whether a decision is put together of several things, which a reload would take away."""
    return bool(tap.pieces or tap.needed)


def _buttons(view: View) -> Iterable[Button]:
    """Yield the buttons at the table, without the decisions."""
    if view.say.tone == "wrong":
        yield Button("next", words()(_CLOSE))
    for action in ("confirm", "undo", "redo"):
        press = getattr(view.actions, action)
        if press is not None:
            yield Button(action, press.text)


def _move(way: WayTo, view: View) -> str:
    """Return in words which piece has to be moved where."""
    names = {piece.piece: piece.label for piece in view.pieces}
    where = _place(way.zone, way.to)
    return words().text(Sentence(_MOVE, {"text": names.get(way.piece, words()(way.piece)), "where": where}))


def _place(zone: str, space: int | None) -> str:
    """Return a place in words, a space by what is printed on it."""
    match = table().snapshot.match
    if space is None or match is None:
        return words()(_ZONES[zone])
    return words().space(space, match.race)


def _places(view: View) -> list[tuple[str, str]]:
    """Return each piece and its place, the highest space first."""

    def order(piece: PieceAt) -> tuple[bool, int]:
        return piece.space is None, -(piece.space or 0)

    return [(piece.label, _place(piece.zone, piece.space)) for piece in sorted(view.pieces, key=order)]


_CLOSE = N_("close this message")
_MOVE = N_("{text}: move to {where}")
_ZONES = {"track": N_("start"), "gate": N_("gate"), "home": N_("home"), "out": N_("off the track")}
_RELOAD = N_("this page is out of date: reload it")
_NO_COOKIES = N_(
    "This browser keeps no cookies, so it cannot remember who you are. "
    "Allow cookies for this page, or leave private mode."
)
