"""The basis of every page and every answer of the API: the request, the table, the words of the viewer."""

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
    """The content of a request: its fields, and no others."""


class Seq(Body):
    """A command with the journal entry that its sender had seen last."""

    seq: int


class OnOff(Body):
    """A switch that is turned on or off."""

    on: bool


class Empty(Body):
    """A command without content."""


def check_body() -> None:
    """Raise InvalidInput for a body that is not JSON, also if none is expected: a form cannot send JSON.

    The plain pages have no scripts, so their forms are answered; `check_origin` looks at them as well.
    """
    form = request.blueprint == "plain" and request.mimetype == "application/x-www-form-urlencoded"
    if request.content_length and not (request.is_json or form) and request.routing_exception is None:
        raise InvalidInput(_NOT_JSON)


def body(kind: type[B]) -> B:
    """Return the request's JSON body; InvalidInput names the field that does not fit."""
    if not request.is_json:
        raise InvalidInput(_NOT_JSON)
    return decoded(kind, request.get_data())


def decoded(kind: type[B], text: bytes) -> B:
    """Return a JSON body decoded from its bytes; InvalidInput names the field that does not fit."""
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


def whole_number(name: str, high: int = 2**53) -> int | None:
    """Return this number of the query, from 1 to `high`; None without it. InvalidInput for any other."""
    text = request.args.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 16 or not 1 <= int(text) <= high:
        raise InvalidInput(f"{name} must be a number from 1 to {high}")
    return int(text)


def game_called(name: str) -> type[Race]:
    """Return the game whose name is in the address; NotFoundError if there is none."""
    try:
        return games.find_by_name(name)
    except InvalidInput as unknown:
        raise NotFoundError("unknown", Sentence("{text}", {"text": str(unknown)})) from None


def table() -> Table:
    """Return the table that this app serves."""
    table: Table = current_app.extensions["companion.table"]
    return table


def base_url() -> str:
    """Return the URL at which other devices reach these pages, without a slash at the end.

    Through a proxy: the URL that the client used; else the address of this machine in its network.
    """
    return published_address() or request.url_root.rstrip("/")


def published_address() -> str | None:
    """Return the address to publish on pages; "" through a proxy: then the pages know it themselves."""
    address: Callable[[], str] | None = current_app.config["COMPANION_ADDRESS"]
    if is_proxied(request.environ.get("asgi.scope", {})):
        return ""
    return address() if address is not None else None


def published_name() -> str | None:
    """Return the URL with this machine's name, easy to type; None if it has none, or through a proxy."""
    name: Callable[[], str | None] = current_app.config["COMPANION_NAME"]
    return None if is_proxied(request.environ.get("asgi.scope", {})) else name()


def words() -> Words:
    """Return the words of the viewer's language."""
    return Words.of(language(request.headers.get("Accept-Language"), request.cookies.get("language")))


def language(accepted: str | None, chosen: str | None = None) -> str:
    """Return the viewer's language: the one chosen on the device, else one that the browser accepts."""
    return spoken([chosen or "", *(accepted or "").split(",")])


class NotGranted(Reply):
    """The reason why a request failed; nothing has changed. `reason` is a sentence for people."""

    kind: Annotated[str, Meta(pattern="^[a-z-]+$")]
    reason: Text


def as_json(view: Callable[P, object]) -> Callable[P, Response]:
    """Decorate a view so that the `Reply` that it returns is answered as JSON."""

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> Response:
        return json_response(view(*args, **kwargs))

    return answer


def json_response(reply: object, status: int = 200) -> Response:
    """Return a response with a reply as its body."""
    return Response(encoded(reply) + b"\n", status, mimetype="application/json")


def entry() -> int:
    """Return the number of the journal's last entry."""
    return table().snapshot.seq


def done() -> Done:
    """Return the answer to a command that was carried out."""
    return Done(seq=entry())


def not_granted(kind: str, reason: Sentence | str) -> NotGranted:
    """Return the answer to a request that failed, in the viewer's language."""
    match = table().snapshot.match
    text = reason if isinstance(reason, str) else words().text(reason, match.race if match else None)
    return NotGranted(kind=kind, reason=text)


_NOT_JSON = "the body must be JSON: send Content-Type application/json"
