"""The cookie of a device: signed, and good for a year whatever the clock of this machine says.

A Pi without a network does not know after a power cut what time it is. Flask's own sessions are over once the
clock is set back, and a browser drops their cookies where it is a year behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature
from werkzeug.http import parse_cookie


class Sessions(SecureCookieSessionInterface):
    """Flask's sessions in signed cookies, without its clock: the browser counts the seconds of the year."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """What the cookie holds; nothing if it was not signed here."""
        return self.session_class(self.held(app, request.cookies))

    def held(self, app: Flask, cookies: Mapping[str, str]) -> Mapping[str, Any]:
        """What one of these cookies holds, if it was signed here, at whatever time."""
        serializer = self.get_signing_serializer(app)
        assert serializer is not None, "the app has a key to sign with"
        try:
            held: Mapping[str, Any] = serializer.loads(cookies.get(self.get_cookie_name(app), ""))
        except BadSignature:
            return {}
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
        response.set_cookie(
            self.get_cookie_name(app),
            str(serializer.dumps(dict(session))),
            max_age=app.permanent_session_lifetime if session.permanent else None,
            httponly=True,
            samesite=self.get_cookie_samesite(app),
        )


def held_in(app: Flask, cookie: str) -> Mapping[str, Any]:
    """What a Cookie header holds, where Flask does not read it: beside Flask, in the stream."""
    sessions = app.session_interface
    assert isinstance(sessions, Sessions)
    return sessions.held(app, parse_cookie(cookie))
