"""What every page and every answer of the API starts from: the request, the table, the viewer's words."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import wraps
from typing import Annotated, ParamSpec, TypeVar

import msgspec
from flask import Response, current_app, request
from msgspec import Meta

from companion import games
from companion.errors import InvalidInput, NotFoundError
from companion.games.race import Race
from companion.http.proxy import is_proxied
from companion.message import Sentence
from companion.reply import Done, Reply, Text, encoded
from companion.table.table import Table
from companion.translate import Words, spoken

B = TypeVar("B")
P = ParamSpec("P")


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """What a request may say, and nothing else."""


class Seq(Body):
    """Something done by somebody who saw this entry of the journal."""

    seq: int


class OnOff(Body):
    """Something that is on or off."""

    on: bool


class Empty(Body):
    """Nothing but the wish."""


def check_body() -> None:
    """InvalidInput for a body that is not JSON, also where none is asked for: a form cannot send JSON."""
    if request.content_length and not request.is_json and request.routing_exception is None:
        raise InvalidInput(_NOT_JSON)


def body(kind: type[B]) -> B:
    """The request's JSON body; InvalidInput names what does not fit."""
    if not request.is_json:
        raise InvalidInput(_NOT_JSON)
    return decoded(kind, request.get_data())


def decoded(kind: type[B], text: bytes) -> B:
    """A JSON body from its bytes; InvalidInput names what does not fit."""
    try:
        return msgspec.json.Decoder(kind, float_hook=Decimal).decode(text)
    except RecursionError:
        raise InvalidInput("the body is nested too deeply") from None
    except UnicodeDecodeError:  # of a key; of a value it is a MsgspecError
        raise InvalidInput("the body is not UTF-8 text") from None
    except msgspec.MsgspecError as error:
        raise InvalidInput(str(error)) from None
    except ArithmeticError:
        raise InvalidInput("the body has a number that is out of all bounds") from None


def game_called(name: str) -> type[Race]:
    """The game whose name stands in the address; NotFoundError if there is none."""
    try:
        return games.find_by_name(name)
    except InvalidInput as unknown:
        raise NotFoundError("unknown", Sentence("{text}", {"text": str(unknown)})) from None


def table() -> Table:
    """The table that this app serves."""
    found: Table = current_app.extensions["companion.table"]
    return found


def reached_at() -> str:
    """How other devices reach these pages, without a slash at the end.

    Through a proxy: as whoever asks has come; else as this machine is reached in its network.
    """
    return told_address() or request.url_root.rstrip("/")


def told_address() -> str | None:
    """What pages are told of how they are reached: "" through a proxy, for then they know it themselves."""
    address: Callable[[], str] | None = current_app.config["COMPANION_ADDRESS"]
    if is_proxied(request.environ.get("asgi.scope", {})):
        return ""
    return address() if address is not None else None


def told_name() -> str | None:
    """How else it is reached, by a name that can be typed; None where it has none, or through a proxy."""
    name: Callable[[], str | None] = current_app.config["COMPANION_NAME"]
    return None if is_proxied(request.environ.get("asgi.scope", {})) else name()


def words() -> Words:
    """The words of the viewer's language."""
    return Words.of(language(request.headers.get("Accept-Language"), request.cookies.get("language")))


def language(accepted: str | None, chosen: str | None = None) -> str:
    """The language to speak to a viewer: chosen on the device, else what its browser asks for."""
    return spoken([chosen or "", *(accepted or "").split(",")])


class NotGranted(Reply):
    """Why a request is not granted; nothing has changed. `reason` is a sentence for people."""

    kind: Annotated[str, Meta(pattern="^[a-z-]+$")]
    reason: Text


def as_json(view: Callable[P, object]) -> Callable[P, Response]:
    """Answer what a view returns as JSON: a `Reply`."""

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> Response:
        return json_response(view(*args, **kwargs))

    return answer


def json_response(reply: object, status: int = 200) -> Response:
    """A reply as the body of an answer."""
    return Response(encoded(reply) + b"\n", status, mimetype="application/json")


def entry() -> int:
    """The journal's last entry by now."""
    return table().picture.seq


def done() -> Done:
    """The answer to something done."""
    return Done(seq=entry())


def not_granted(kind: str, reason: Sentence | str) -> NotGranted:
    """What a request that is not granted gets to read."""
    match = table().picture.match
    said = reason if isinstance(reason, str) else words().text(reason, match.race if match else None)
    return NotGranted(kind=kind, reason=said)


_NOT_JSON = "the body must be JSON: send Content-Type application/json"
