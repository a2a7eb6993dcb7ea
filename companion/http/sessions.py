"""The cookie of a device: signed, and valid for a year regardless of this machine's clock.

A Pi without a network does not know the time after a power cut. Flask's own sessions end once the clock is
set back, and a browser drops their cookies if the clock is a year behind.

Browsers send a cookie to every port of a machine: its name contains the port, so that two tables on one
machine do not log each other out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature
from werkzeug.http import parse_cookie

from companion.http.proxy import is_proxied

OLD_NAME: Final = "companion"
"""The name of every cookie before it contained the port; one signed here is accepted once more."""


def cookie_name(port: int | None) -> str:
    """Return the name of the cookie of the table on this port.

    >>> cookie_name(8000)
    'companion-8000'
    """
    return OLD_NAME if port is None else f"{OLD_NAME}-{port}"


class Sessions(SecureCookieSessionInterface):
    """Flask's sessions in signed cookies, without its clock: the browser counts the seconds of the year."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Return the session in the cookie; an empty one if it was not signed here."""
        return self.session_class(self.values(app, request.cookies))

    def values(self, app: Flask, cookies: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the values in one of these cookies if it was signed here, at any time; else none."""
        name = self.get_cookie_name(app)
        return self._signed_here(app, cookies.get(name if name in cookies else OLD_NAME, "")) or {}

    def _signed_here(self, app: Flask, cookie: str) -> Mapping[str, Any] | None:
        serializer = self.get_signing_serializer(app)
        assert serializer is not None, "the app has a key to sign with"
        try:
            values: Mapping[str, Any] = serializer.loads(cookie)
        except BadSignature:
            return None
        return values

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send the cookie if it has changed; with a page in any case, so that its year starts again.

        Other answers never send it unchanged: a late answer would bring back a device's former name.
        """
        if session.accessed:
            response.vary.add("Cookie")
        if not session or not (session.modified or response.mimetype == "text/html"):
            return
        serializer = self.get_signing_serializer(app)
        assert serializer is not None, "the app has a key to sign with"
        name = self.get_cookie_name(app)
        # at home a device keeps its role by http and https alike; a proxy has https only
        response.set_cookie(
            name,
            str(serializer.dumps(dict(session))),
            max_age=app.permanent_session_lifetime if session.permanent else None,
            path=f"{request.script_root}/",
            secure=request.is_secure and is_proxied(request.environ.get("asgi.scope", {})),
            httponly=True,
            samesite=self.get_cookie_samesite(app),
        )
        if name != OLD_NAME and self._signed_here(app, request.cookies.get(OLD_NAME, "")) is not None:
            response.delete_cookie(OLD_NAME)


def cookie_values(app: Flask, cookie: str) -> Mapping[str, Any]:
    """Return the values in a Cookie header, for the stream, where Flask does not read cookies."""
    sessions = app.session_interface
    assert isinstance(sessions, Sessions)
    return sessions.values(app, parse_cookie(cookie))
