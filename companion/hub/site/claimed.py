"""Names that people claim, and their own settings."""

from __future__ import annotations

import hmac
from typing import Final

from flask import Blueprint, Response, current_app, render_template, request, session
from werkzeug.wrappers import Response as Answer

from companion.errors import ValidationError, validation_error
from companion.http.address import network
from companion.http.request import words
from companion.http.roles import client_address
from companion.hub import forgetting, people
from companion.hub.people import Person
from companion.hub.results import played
from companion.hub.site.guesses import Guesses, device, opened
from companion.hub.site.shown import engine, now, private, row_number, to
from companion.message import N_

claimed = Blueprint("claimed", __name__)

LATEST: Final = 30  # games that can be marked as another person's


@claimed.get("/claim")
def claim_page() -> Response:
    """Return the page to claim a name."""
    return private(render_template("club/claim.html", name=request.args.get("name", "")))


@claimed.post("/claim")
def claim() -> Response:
    """Claim a name and show its code, once; the form again if that fails."""
    name = request.form.get("name", "")
    claims: Guesses = current_app.extensions["companion.claims"]
    claims.attempt("", network(client_address()))
    try:
        with engine().begin() as db:
            made = people.claim(db, name, now(), _device())
            who = None if made.waits else people.person(db, name, made.code)
    except ValidationError as error:
        return _form_again("club/claim.html", error, name=name)
    if who is not None:
        opened(name)
        _remember(who)
    page = render_template("club/claimed.html", name=people.tidy(name), code=made.code, waits=made.waits)
    return private(page)


@claimed.get("/me")
def me() -> Response:
    """Return a person's own page; the form to enter, if this device is not signed in."""
    who = _me()
    if who is None:
        return private(render_template("club/enter.html", name=request.args.get("name", "")))
    return _my_page(who)


@claimed.post("/me")
def enter() -> Answer:
    """Sign in, by name and code."""
    name = request.form.get("name", "")
    tried: Guesses = current_app.extensions["companion.guesses"]
    guess = tried.attempt(name, device(name))
    try:
        with engine().connect() as db:
            who = people.person(db, name, request.form.get("code", ""))
    except ValidationError as error:
        return _form_again("club/enter.html", error, name=name)
    tried.right(guess)
    opened(name)
    _remember(who)
    return to("me")


@claimed.post("/me/leave")
def leave() -> Answer:
    """Sign out on this device."""
    session["person"] = None  # an empty one would not be sent
    return to("me")


@claimed.post("/me/names")
def also_known_as() -> Answer:
    """Add another spelling."""
    who, other = _required_me(), request.form.get("name", "")
    try:
        with engine().begin() as db:
            people.also_known_as(db, who, other, now(), _device())
    except ValidationError as error:
        return _my_page(who, error)
    return to("me")


@claimed.post("/me/names/away")
def not_known_as() -> Answer:
    """Remove another spelling."""
    who = _required_me()
    with engine().begin() as db:
        people.not_known_as(db, who, request.form.get("name", ""), now())
    return to("me")


@claimed.post("/me/games")
def not_me() -> Answer:
    """Mark a game as another person's of this name; or as one's own again."""
    who = _required_me()
    with engine().begin() as db:
        people.not_me(db, who, row_number("game"), request.form.get("guest") == "yes")
    return to("me")


@claimed.post("/me/forget")
def forget() -> Answer:
    """Ask to be forgotten, if confirmed; it is done after a delay."""
    who = _required_me()
    if request.form.get("sure") != "yes":
        return _my_page(who, validation_error(_NOT_SURE))
    with engine().begin() as db:
        forgetting.ask(db, who, now())
    return to("me")


@claimed.post("/me/forget/cancel")
def cancel_forget() -> Answer:
    """Cancel the request to be forgotten."""
    who = _required_me()
    with engine().begin() as db:
        forgetting.cancel(db, who, now())
    return to("me")


def _my_page(who: Person, error: ValidationError | None = None) -> Response:
    with engine().connect() as db:
        spellings, waiting = people.spellings(db, who), people.waiting_spellings(db, who)
        leaving = forgetting.asked_by(db, who, now())
        names = {who.name, *(f"{name}{people.GUEST}" for name in (who.name, *spellings))}
        games = [game for game in played(db) if any(seat.who in names for seat in game.seats)]
    page = render_template(
        "club/me.html",
        me=who,
        spellings=spellings,
        waiting=waiting,
        leaving=leaving,
        games=[
            (game, not any(seat.who == who.name for seat in game.seats)) for game in games[: -LATEST - 1 : -1]
        ],
        error=_error_text(error),
    )
    response = private(page)
    response.status_code = 400 if error else 200
    return response


def _form_again(page: str, error: ValidationError, name: str) -> Response:
    response = private(render_template(page, name=name, error=_error_text(error)))
    response.status_code = 400
    return response


def _error_text(error: ValidationError | None) -> str | None:
    return None if error is None else words().text(error.sentence)


def _device() -> str:
    """Return what waiting claims of this device are counted by: a keyed hash of its address."""
    key = str(current_app.config["SECRET_KEY"]).encode()
    return hmac.new(key, network(client_address()).encode(), "sha256").hexdigest()[:16]


def _remember(who: Person) -> None:
    session["person"] = [who.id, who.mark]


def _me() -> Person | None:
    match session.get("person"):
        case [int(number), str(mark)]:
            with engine().connect() as db:
                return people.known_again(db, number, mark)
    return None


def _required_me() -> Person:
    if (who := _me()) is None:
        raise validation_error(_NOBODY)
    return who


_NOT_SURE: Final = N_("tick the box if you are sure")
_NOBODY: Final = N_("say first who you are, with your name and its code")
