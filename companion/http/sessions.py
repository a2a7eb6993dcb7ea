"""The cookie of a device: signed, and good for a year whatever the clock of this machine says.

A Pi without a network does not know after a power cut what time it is. Flask's own sessions are over once the
clock is set back, and a browser drops their cookies where it is a year behind.

Browsers give cookies to every port of a machine: its name has the port, so that two tables on one machine do
not log each other out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature
from werkzeug.http import parse_cookie

BEFORE: Final = "companion"
"""What every cookie was called until its name had the port; one signed here is taken once more."""


def cookie_name(port: int | None) -> str:
    """What the cookie of the table on this port is called.

    >>> cookie_name(8000)
    'companion-8000'
    """
    return BEFORE if port is None else f"{BEFORE}-{port}"


class Sessions(SecureCookieSessionInterface):
    """Flask's sessions in signed cookies, without its clock: the browser counts the seconds of the year."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """What the cookie holds; nothing if it was not signed here."""
        return self.session_class(self.held(app, request.cookies))

    def held(self, app: Flask, cookies: Mapping[str, str]) -> Mapping[str, Any]:
        """What one of these cookies holds, if it was signed here, at whatever time."""
        name = self.get_cookie_name(app)
        return self._signed_here(app, cookies.get(name if name in cookies else BEFORE, "")) or {}

    def _signed_here(self, app: Flask, cookie: str) -> Mapping[str, Any] | None:
        serializer = self.get_signing_serializer(app)
        assert serializer is not None, "the app has a key to sign with"
        try:
            held: Mapping[str, Any] = serializer.loads(cookie)
        except BadSignature:
            return None
        return held

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send the cookie if it has changed; with a page again, so that its year begins anew.

        Nothing else sends it unchanged: an answer that comes late would bring a device's former name back.
        """
        if session.accessed:
            response.vary.add("Cookie")
        if not session or not (session.modified or response.mimetype == "text/html"):
            return
        serializer = self.get_signing_serializer(app)
        assert serializer is not None, "the app has a key to sign with"
        name = self.get_cookie_name(app)
        response.set_cookie(
            name,
            str(serializer.dumps(dict(session))),
            max_age=app.permanent_session_lifetime if session.permanent else None,
            path=f"{request.script_root}/",
            secure=request.is_secure,
            httponly=True,
            samesite=self.get_cookie_samesite(app),
        )
        if name != BEFORE and self._signed_here(app, request.cookies.get(BEFORE, "")) is not None:
            response.delete_cookie(BEFORE)


def held_in(app: Flask, cookie: str) -> Mapping[str, Any]:
    """What a Cookie header holds, where Flask does not read it: beside Flask, in the stream."""
    sessions = app.session_interface
    assert isinstance(sessions, Sessions)
    return sessions.held(app, parse_cookie(cookie))
