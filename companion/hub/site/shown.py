"""The basis of every page of a hub: its database, caching of answers, formats of numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from flask import Response, abort, current_app, redirect, request
from sqlalchemy import Engine
from werkzeug.wrappers import Response as Answer

from companion import games
from companion.errors import InvalidInput, NotFoundError
from companion.http.request import words
from companion.http.roles import known_host
from companion.hub.league import Seat
from companion.message import N_, Sentence
from companion.reply import encoded
from companion.translate import languages

WATCHED: Final = "public, max-age=0, s-maxage=1"  # one question a second reaches the hub, however many watch


MOST_NUMBER: Final = 2**31 - 1  # of a row: no database takes greater ones


def row_number(name: str) -> int:
    """Return the number of a row that a form names; 0, which no row has, if it names none that can be.

    A greater one than `MOST_NUMBER` is an error of the database.
    """
    number = request.form.get(name, 0, int)
    return number if 0 < number <= MOST_NUMBER else 0


def engine() -> Engine:
    """Return the hub's database."""
    engine: Engine = current_app.extensions["companion.engine"]
    return engine


def now() -> datetime:
    """Return the present time in UTC."""
    return datetime.now(UTC)


def check_host() -> None:
    """Abort with 400 if the request is for another host than this machine."""
    if not known_host(request.host, current_app.config["COMPANION_HOSTS"]):
        abort(400, _OTHER_HOST)


def asked_language() -> str:
    """Return the language in the address; the viewer's if there is none."""
    asked = request.args.get("language", "")
    return asked if asked in languages() else words().language


def as_json(reply: object) -> Response:
    """Return a reply that watchers poll: it is not sent again while unchanged."""
    return cached_briefly(reply if isinstance(reply, bytes) else encoded(reply), "application/json")


def as_file(body: str, kind: str, name: str) -> Response:
    """Return an answer for the browser to store as a file of this name."""
    response = cached_briefly(body.encode(), kind)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def cached_briefly(body: bytes, kind: str) -> Response:
    """Return an answer that a proxy may cache for a second."""
    response = Response(body, mimetype=kind)
    response.set_etag(hashlib.sha256(body).hexdigest()[:32])
    response.headers["Cache-Control"] = WATCHED
    response.make_conditional(request)
    return response


def private(page: str) -> Response:
    """Return a person's own page, which must not be cached."""
    response = Response(page)
    response.headers["Cache-Control"] = "no-store"
    return response


def to(address: str) -> Answer:
    """Return a redirection to this address, as the answer to a form."""
    answer = redirect(f"{request.script_root}/{address}", 303)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def missing(sentence: str, text: str) -> NotFoundError:
    """Return the error for a missing object, to be raised."""
    return NotFoundError("unknown", Sentence(sentence, {"text": text}))


def by_place(seats: Iterable[Seat]) -> list[Seat]:
    """Return the seats by place, the first first; those without a place last."""
    return sorted(seats, key=lambda seat: (99 if seat.place is None else seat.place, seat.who))


def decimal(number: float, places: int = 1) -> str:
    """Return a number in the format of the viewer's language, with so many decimals at most."""
    rounded = Decimal(f"{number:.{places}f}")
    text = words().number(abs(rounded))
    return f"−{text}" if rounded < 0 else text


def game_title(name: str) -> str:
    """Return a game's title in the viewer's language; its name if the hub does not know the game."""
    try:
        return words()(games.find_by_name(name).title)
    except InvalidInput:
        return name


_OTHER_HOST: Final = N_("the hub does not answer to this name: use its address, or name it with --host")
