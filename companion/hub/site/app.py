"""The Flask app: pages over a hub's database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, request
from jinja2 import FileSystemLoader
from sqlalchemy import Engine

from companion.http.compressed import compressed
from companion.http.files import FOLDER, POLICY, modules
from companion.http.request import words
from companion.http.roles import check_origin
from companion.http.sessions import Sessions
from companion.http.site import Site
from companion.hub.key_values import signing_key
from companion.hub.site.claimed import claimed
from companion.hub.site.failures import answer_failures
from companion.hub.site.games import games
from companion.hub.site.guesses import Guesses, Limits
from companion.hub.site.health import watch
from companion.hub.site.leagues import leagues
from companion.hub.site.names import names
from companion.hub.site.organiser import organiser
from companion.hub.site.people import people
from companion.hub.site.shown import by_place, check_host, decimal, game_title
from companion.hub.site.tables import tables
from companion.message import N_
from companion.translate import languages

_TRUST: Final = N_("start the hub with --proxy {text}")
FOLDERS: Final = (Path(__file__).parent / "pages", FOLDER)
"""Folders of templates, scripts and styles: of the hub's pages, and shared with a table's."""
COOKIE: Final = "companion-hub"
CLAIMS: Final = Limits(
    pair=60, device=60, name=600
)  # names claimed in ten minutes; not guesses, but as costly


def create_hub(engine: Engine, *, hosts: Sequence[str] = (), health: str | None = None) -> Flask:
    """Return the pages of the hub with this database; `hosts` are more names that it answers to.

    `health` is the key of its main process's health (health.py).
    """
    app = Site(__name__, static_folder=None)
    app.jinja_loader = FileSystemLoader(FOLDERS)
    app.add_url_rule("/static/<path:filename>", endpoint="static", build_only=True)
    app.config.update(
        SECRET_KEY=signing_key(engine),
        SESSION_COOKIE_NAME=COOKIE,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(days=30),
        MAX_CONTENT_LENGTH=64 * 1024,
        MAX_FORM_MEMORY_SIZE=64 * 1024,
        COMPANION_HOSTS=tuple(hosts),
        COMPANION_HEALTH=health,
        COMPANION_TRUST=_TRUST,
    )
    app.session_interface = Sessions()
    app.extensions["companion.engine"] = engine
    app.extensions["companion.guesses"] = Guesses()
    app.extensions["companion.claims"] = Guesses(CLAIMS)
    app.after_request(compressed)
    app.before_request(check_host)
    app.before_request(check_origin)
    app.after_request(_add_security_headers)
    answer_failures(app)
    app.context_processor(_for_templates)
    app.template_filter("by_place")(by_place)
    app.template_filter("decimal")(decimal)
    app.template_filter("game_title")(game_title)
    for part in (tables, leagues, people, games, claimed, organiser, names, watch):
        app.register_blueprint(part)
    return app


def _add_security_headers(response: Response) -> Response:
    """Add security headers like a table's pages: nothing of another host, no frame in another site's page.

    A browser sends a form's Origin only if the referrer policy allows it.
    """
    if response.mimetype in ("text/html", "image/svg+xml"):
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("Cache-Control", "no-cache")
        response.vary.update(("Accept-Language", "Cookie"))
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    return response


def _for_templates() -> dict[str, Any]:
    viewer_words = words()
    return {
        "_": viewer_words,
        "lang": viewer_words.language,
        "languages": languages(),
        "roles": frozenset[str](),
        "mock": False,
        "modules": partial(modules, folders=FOLDERS),
        "prefix": request.script_root,
        "part": request.blueprint or "",
    }
