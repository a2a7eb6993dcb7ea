"""Answers to failed requests: a page with the sentence, or JSON if JSON was asked for."""

from __future__ import annotations

import logging
import secrets

from flask import Flask, Response, render_template, request
from sqlalchemy.exc import DBAPIError
from werkzeug.exceptions import HTTPException

from companion.errors import InvalidInput, NotFoundError, RateLimitedError, ValidationError
from companion.http.request import NotGranted, json_response, words
from companion.http.roles import Forbidden
from companion.message import N_, Sentence

log = logging.getLogger(__name__)


def answer_failures(app: Flask) -> None:
    """Register handlers for every exception with this app."""
    app.register_error_handler(NotFoundError, lambda e: _answer(e.kind, e.sentence, 404))
    app.register_error_handler(RateLimitedError, lambda e: _answer(e.kind, e.sentence, 429))
    app.register_error_handler(Forbidden, lambda e: _answer(e.kind, e.sentence, 403))
    app.register_error_handler(ValidationError, lambda e: _answer("malformed", e.sentence, 400))
    app.register_error_handler(InvalidInput, lambda e: _answer("malformed", str(e), 400))
    app.register_error_handler(DBAPIError, _no_database)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _unforeseen)


def _answer(kind: str, reason: Sentence | str, status: int) -> Response:
    text = reason if isinstance(reason, str) else words().text(reason)
    if request.path.endswith((".json", ".csv", "/record")) or request.path == "/healthz":
        response = json_response(NotGranted(kind=kind, reason=text), status)
    else:
        response = Response(render_template("club/nowhere.html", reason=text), status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _http_error(error: HTTPException) -> Response | HTTPException:
    if error.code is None or error.code < 400:
        return error
    text = words()(_MESSAGES.get(error.code, str(error.description)))
    return _answer((error.name or "error").lower().replace(" ", "-"), text, error.code)


def _no_database(error: DBAPIError) -> Response:
    log.error("%s %s: the database: %s", request.method, request.path, error.orig)
    return _answer("database", Sentence(_NO_DATABASE), 503)


def _unforeseen(error: Exception) -> Response:
    number = secrets.token_hex(4)
    log.error("%s %s: unforeseen, number %s", request.method, request.path, number, exc_info=error)
    return _answer("unforeseen", Sentence(_UNFORESEEN, {"text": number}), 500)


_MESSAGES = {
    404: N_("there is nothing at this address"),
    405: N_("this address is not asked like that: the header Allow names how"),
    413: N_("that is more than the hub takes at once"),
}
_NO_DATABASE = N_("the hub's database does not answer: try again in a moment")
_UNFORESEEN = N_("something went wrong here that nobody foresaw: try again; the log says more under {text}")
