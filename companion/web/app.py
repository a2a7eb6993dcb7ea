"""The Flask app: pages and API of one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, current_app, render_template, request
from msgspec.structs import replace

from companion.devices.tunes import TUNES
from companion.devices.usb import UsbPad
from companion.diagnostics.instruments import Instruments
from companion.hotspot import HOTSPOT_FILE
from companion.http.compressed import compressed
from companion.http.failures import answer_failures
from companion.http.files import POLICY, modules
from companion.http.portal import Guests, lead_to_the_page
from companion.http.rate_limit import Allowances
from companion.http.request import base_url, check_body, published_address, table, words
from companion.http.roles import (
    PinLock,
    check_host,
    check_origin,
    roles,
    signing_key,
)
from companion.http.sessions import Sessions, cookie_name
from companion.http.site import Site
from companion.settings import TagFormat
from companion.table.table import Table
from companion.translate import languages
from companion.views.seat.page import public
from companion.views.table.page import View
from companion.web.caller import seats
from companion.web.crowd.api import crowd_api
from companion.web.crowd.gallery import Gallery
from companion.web.decisions.api import played_api
from companion.web.faces.api import faces_api
from companion.web.hardware import screens
from companion.web.hardware.api import hardware_api, hardware_page
from companion.web.history.api import history_api
from companion.web.host.boxes import boxes_api
from companion.web.host.charts import charts_api
from companion.web.host.copies import copies_api
from companion.web.host.machine import machine_api
from companion.web.host.pages import MockData, game_forms, host_page
from companion.web.https import https_pages
from companion.web.mock.api import VirtualTable, mock_api
from companion.web.paper.api import paper_api
from companion.web.plain.pages import plain_pages
from companion.web.rules.pages import rules_pages
from companion.web.seat.api import join_url, seat_api, wifi_data
from companion.web.seats import Seats
from companion.web.show.pages import overlay_page, tv_page
from companion.web.table.admit import admit_api
from companion.web.table.api import api
from companion.web.tags.api import tags_api, tags_page
from companion.web.tonight.pages import tonight_pages

Join = Callable[[], str | None]


def create_app(
    table: Table,
    *,
    mock: VirtualTable | None = None,
    hosts: Sequence[str] = (),
    address: Callable[[], str] | None = None,
    name: Callable[[], str | None] = lambda: None,
    port: int | None = None,
    parts: Mapping[str, Any] = {},
    instruments: Instruments | None = None,
    settings: Path | None = None,
    hotspot: Path = HOTSPOT_FILE,
    frames: Sequence[str] = (),
    tag_format: TagFormat = "auto",
    data: Path | None = None,
    app: Flask | None = None,
) -> Flask:
    """Return the app with the pages and the API of one table.

    `mock` is the virtual table, if this companion has one; `hosts` are more names that it answers to;
    `address` returns the URL at which other devices reach it now, such as http://192.168.1.5:8000, and `name`
    the one with its name, such as http://companion.local:8000; `port` is its port. `parts` are the pad, the
    track and the panel, as far as this table has them, and `instruments` the tools that observe them.
    `settings` is the file with the table's settings, for copies of it; `hotspot` the file with name and
    password of the machine's own Wi-Fi; `frames` are the sites whose pages may embed the overlay.
    `tag_format` is the format in which readers and lists write a UID; `data` the directory in which the
    authority for https is. `app` is an app that has the `routes`
    already; without it one is made.
    """
    app = app or routes(mock=mock is not None)
    app.config.update(
        SECRET_KEY=signing_key(table),
        SESSION_COOKIE_NAME=cookie_name(port),
        COMPANION_HOSTS=tuple(hosts),
        COMPANION_ADDRESS=address,
        COMPANION_NAME=name,
        COMPANION_SETTINGS=settings,
        COMPANION_HOTSPOT=hotspot,
        COMPANION_PORT=port,
        COMPANION_DATA=data,
        COMPANION_FRAMES=tuple(frames),
    )
    app.extensions["companion.table"] = table
    app.extensions["companion.pin"] = PinLock(table)
    app.extensions["companion.seats"] = Seats(table)
    app.extensions["companion.crowd"] = Gallery(table)
    app.extensions["companion.mock"] = mock
    app.extensions["companion.parts"] = parts
    app.extensions["companion.tag_format"] = tag_format
    app.extensions["companion.instruments"] = instruments or Instruments()
    app.extensions["companion.guests"] = Guests()
    app.extensions["companion.trouble"] = Allowances(screens.OF_ONE, screens.OF_ALL)
    return app


def routes(mock: bool) -> Flask:
    """Return an app with every page and operation, but without a table; with `mock` the virtual table too."""
    # a page has its template, script and style in one folder; http/files.py serves scripts and styles
    app = Site(__name__, template_folder=".", static_folder=None)
    app.add_url_rule("/static/<path:filename>", endpoint="static", build_only=True)
    app.config.update(
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(days=365),
        MAX_CONTENT_LENGTH=64 * 1024,
    )
    app.session_interface = Sessions()
    app.after_request(compressed)
    app.before_request(lead_to_the_page)
    app.before_request(check_host)
    app.before_request(check_origin)
    app.before_request(check_body)
    app.after_request(_add_security_headers)
    answer_failures(app)
    app.context_processor(_for_templates)
    app.register_blueprint(api)
    app.register_blueprint(boxes_api)
    app.register_blueprint(machine_api)
    app.register_blueprint(charts_api)
    app.register_blueprint(crowd_api)
    app.register_blueprint(seat_api)
    app.register_blueprint(admit_api)
    app.register_blueprint(faces_api)
    app.register_blueprint(tags_api)
    app.register_blueprint(played_api)
    app.register_blueprint(paper_api)
    app.register_blueprint(history_api)
    app.register_blueprint(hardware_api)
    app.register_blueprint(screens.screens_api)
    app.register_blueprint(copies_api)
    app.register_blueprint(rules_pages)
    app.register_blueprint(plain_pages)
    app.register_blueprint(tonight_pages)
    app.register_blueprint(https_pages)
    if mock:
        app.register_blueprint(mock_api)
        app.add_url_rule("/mock", view_func=mock_page)
    for rule, page in (("/", table_page), ("/watch", watch_page), ("/seat", seat_page), ("/host", host_page)):
        app.add_url_rule(rule, view_func=page)
    app.add_url_rule("/tv", view_func=lambda: tv_page(_first()), endpoint="tv")
    app.add_url_rule("/overlay", view_func=lambda: overlay_page(_first()), endpoint="overlay")
    app.add_url_rule("/tags", view_func=tags_page)
    app.add_url_rule("/hardware", view_func=hardware_page)
    app.add_url_rule("/qr.svg", view_func=qr)
    return app


def _add_security_headers(response: Response) -> Response:
    """Add security headers: a page loads nothing from another host, and no other site's page may embed it."""
    if response.mimetype in ("text/html", "image/svg+xml"):  # a browser shows these as a page
        response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    if request.path.startswith("/api/"):
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _for_templates() -> dict[str, Any]:
    viewer_words = words()
    pin: PinLock = _extension("companion.pin")
    return {
        "_": viewer_words,
        "lang": viewer_words.language,
        "languages": languages(),
        "roles": roles(),
        "pin_set": pin.is_set(),
        "mock": _extension("companion.mock") is not None,
        "modules": modules,
        "prefix": request.script_root,
    }


def _extension(name: str) -> Any:
    return current_app.extensions[name]


def table_page() -> str:
    """Return the page of the tablet in the middle."""
    typing = isinstance(_extension("companion.parts").get("pad"), UsbPad)
    return render_template("table/table.html", tunes=TUNES, first=_first(), typing=typing)


def watch_page() -> str:
    """Return the page for any phone; `?sheet`: in the window in which it joins the Wi-Fi (see portal.py)."""
    address = base_url().partition("//")[2] if "sheet" in request.args else None
    return render_template("watch/watch.html", first=_first(), address=address)


def _first() -> View:
    """Return the first view of a public page; its stream continues from there.

    The odds follow with the stream: a browser takes 25 ms to learn the number format of its language.
    """
    picture = table().snapshot
    seating = seats().seating(picture.match)
    view = public(picture, words(), published_address(), seating)
    return replace(view, odds=None)


def seat_page() -> str:
    """Return the page of a player's phone."""
    return render_template("seat/seat.html")


def mock_page() -> str:
    """Return the page of the virtual table."""
    return render_template("mock/mock.html", data=MockData(games=game_forms(words())))


def qr() -> Response:
    """Return a QR code: the URL to watch at; `to=host`: the host's page, `seat`: to join, `wifi`: Wi-Fi."""
    address = base_url()
    to = request.args.get("to")
    if to in ("seat", "wifi") and "table" not in roles():
        abort(403)
    coded: dict[str, Callable[[], str | None]] = {
        "seat": join_url,
        "wifi": wifi_data,
        "host": lambda: f"{address}/host",
    }
    content = coded.get(to or "", lambda: f"{address}/watch")()
    if content is None:
        abort(404)
    import segno  # it imports http.client, which would delay the first page

    code = segno.make(content)
    svg = code.svg_inline(scale=4, border=2, dark="#23203f", light="#ffffff", omitsize=True)
    namespaced = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return Response(namespaced, mimetype="image/svg+xml")
