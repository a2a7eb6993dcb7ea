"""How a request that is not granted is answered: what is foreseen by its kind, anything else by a number.

That number stands in the log beside the traceback. The log has the kind of a refusal and the path, never the
reason or what was sent: they may name cards.
"""

from __future__ import annotations

import logging
import secrets
import sqlite3

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from companion.errors import ConflictError, InvalidInput, NotFoundError, RateLimitedError, ValidationError
from companion.http.request import json_response, not_granted, table, words
from companion.http.roles import Forbidden
from companion.message import N_, Sentence
from companion.store.file import not_written

log = logging.getLogger(__name__)


def answer_failures(app: Flask) -> None:
    """Let this app answer every exception."""
    app.register_error_handler(NotFoundError, lambda e: _refused(e.kind, e.sentence, 404))
    app.register_error_handler(RateLimitedError, lambda e: _refused(e.kind, e.sentence, 429))
    app.register_error_handler(ConflictError, lambda e: _refused(e.kind, e.sentence, 409))
    app.register_error_handler(Forbidden, lambda e: _refused(e.kind, e.sentence, 403))
    app.register_error_handler(ValidationError, lambda e: _refused("malformed", e.sentence, 400))
    app.register_error_handler(InvalidInput, lambda e: _refused("malformed", str(e), 400))
    app.register_error_handler(sqlite3.Error, _not_written)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _unforeseen)


def _refused(kind: str, reason: Sentence | str, status: int) -> Response:
    log.info("%s %s: %s %s", request.method, request.path, status, kind)
    answer = not_granted(kind, reason)
    return _page(answer.reason, status) if _is_browser() else json_response(answer, status)


def _is_browser() -> bool:
    """Whether a person asked for a page: programs ask for JSON, or for anything."""
    asked = request.accept_mimetypes
    return not _is_api() and asked.quality("text/html") > asked.quality("application/json")


def _is_api() -> bool:
    return request.path.startswith("/api/")


def _page(reason: str, status: int) -> Response:
    """A page that says why this one is not shown, with a way back."""
    return Response(render_template("common/nowhere.html", reason=reason), status)


def _not_written(error: sqlite3.Error) -> Response:
    log.error("%s %s: the journal could not be written", request.method, request.path, exc_info=error)
    table().ask(lambda t: t.evaluate())  # a file that is gone is told on every page
    return json_response(not_granted("journal", not_written(error)), 500)


def _http_error(error: HTTPException) -> Response | HTTPException:
    if error.code is None or error.code < 400:
        return error
    kind = (error.name or "error").lower().replace(" ", "-")
    answer = not_granted(kind, words()(_SAID.get(error.code, str(error.description))))
    response = json_response(answer, error.code) if _is_api() else _page(answer.reason, error.code)
    if isinstance(error, MethodNotAllowed):
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
    return response


def _unforeseen(error: Exception) -> Response:
    """A mistake of ours: the number brings who reports it and who looks for it together."""
    number = secrets.token_hex(4)
    log.error("%s %s: unforeseen, number %s", request.method, request.path, number, exc_info=error)
    answer = not_granted("unforeseen", Sentence(_UNFORESEEN, {"text": number}))
    return json_response(answer, 500) if _is_api() else Response(answer.reason, 500)


_SAID = {
    403: N_("this device may not see that"),
    404: N_("there is nothing at this address"),
    405: N_("this address is not asked like that: the header Allow names how"),
    413: N_("that is more than a request may hold: 64 KiB"),
}
_UNFORESEEN = N_("something went wrong here that nobody foresaw: try again; the log says more under {text}")
