"""How a request that is not granted is answered: what is foreseen by its kind, anything else by a number.

That number stands in the log beside the traceback. The log has the kind of a refusal and the path, never the
reason or what was sent: they may name cards.
"""

from __future__ import annotations

import logging
import secrets
import sqlite3

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from companion.errors import InvalidInput, Refusal, Refused
from companion.message import N_, Sentence
from companion.store.file import not_written
from companion.web.request import json_response, not_granted, table, words
from companion.web.roles import Forbidden

log = logging.getLogger(__name__)


def answer_failures(app: Flask) -> None:
    """Let this app answer every exception."""
    app.register_error_handler(Refused, lambda e: _refused(e.kind, e.sentence, 409))
    app.register_error_handler(Forbidden, lambda e: _refused(e.kind, e.sentence, 403))
    app.register_error_handler(Refusal, lambda e: _refused("malformed", e.sentence, 400))
    app.register_error_handler(InvalidInput, lambda e: _refused("malformed", str(e), 400))
    app.register_error_handler(sqlite3.Error, _not_written)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _unforeseen)


def _refused(kind: str, reason: Sentence | str, status: int) -> Response:
    log.info("%s %s: %s %s", request.method, request.path, status, kind)
    return json_response(not_granted(kind, reason), status)


def _not_written(error: sqlite3.Error) -> Response:
    log.error("%s %s: the journal could not be written", request.method, request.path, exc_info=error)
    table().ask(lambda t: t.look())  # a file that is gone is told on every page
    return json_response(not_granted("journal", not_written(error)), 500)


def _http_error(error: HTTPException) -> Response | HTTPException:
    if request.path.startswith("/api/"):
        kind = (error.name or "error").lower().replace(" ", "-")
        return json_response(not_granted(kind, words()(str(error.description))), error.code or 500)
    return error


def _unforeseen(error: Exception) -> Response:
    """A mistake of ours: the number brings who reports it and who looks for it together."""
    number = secrets.token_hex(4)
    log.error("%s %s: unforeseen, number %s", request.method, request.path, number, exc_info=error)
    answer = not_granted("unforeseen", Sentence(_UNFORESEEN, {"text": number}))
    return json_response(answer, 500) if request.path.startswith("/api/") else Response(answer.reason, 500)


_UNFORESEEN = N_("something went wrong here that nobody foresaw: try again; the log says more under {text}")
