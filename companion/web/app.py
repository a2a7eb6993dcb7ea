"""The Flask app: pages and API over one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import segno
from flask import Flask, Response, abort, current_app, render_template, request
from flask_compress import Compress

from companion import games
from companion.bots.players import STRENGTHS, has_hands
from companion.devices.tunes import TUNES
from companion.diagnostics.instruments import Instruments
from companion.games.forms import Option
from companion.games.race import Race
from companion.message import N_
from companion.table.table import Table
from companion.translate import LANGUAGES, Words
from companion.web.decisions.api import played_api
from companion.web.failures import answer_failures
from companion.web.files import POLICY, modules
from companion.web.hardware.api import hardware_api, hardware_page
from companion.web.history.api import history_api
from companion.web.host.charts import charts, charts_api
from companion.web.mock.api import VirtualTable, mock_api
from companion.web.paper.api import paper_api
from companion.web.request import seats, table, words
from companion.web.roles import (
    Pin,
    check_host,
    check_origin,
    named_device,
    roles,
    signing_key,
)
from companion.web.rules.pages import listed, rules_pages
from companion.web.seat import view as seat_view
from companion.web.seat.api import join_url, seat_api, wifi_data, wifi_name
from companion.web.seats import Seats
from companion.web.table.api import api
from companion.web.tags.api import tags_api, tags_page

Join = Callable[[], str | None]


def create_app(
    table: Table,
    *,
    mock: VirtualTable | None = None,
    hosts: Sequence[str] = (),
    address: str | None = None,
    parts: Mapping[str, Any] = {},
    instruments: Instruments | None = None,
) -> Flask:
    """The pages and the API of one table.

    `mock` is the virtual table, if this companion has one; `hosts` are more names that it answers to;
    `address` is how other devices reach it, such as http://192.168.1.5:8000. `parts` are the pad, the track
    and the panel, as far as this table has them, and `instruments` what looks at them.
    """
    # a page has its template, script and style beside each other; files.py serves scripts and styles
    app = Flask(__name__, template_folder=".", static_folder=None)
    app.add_url_rule("/static/<path:filename>", endpoint="static", build_only=True)
    app.config.update(
        SECRET_KEY=signing_key(table),
        SESSION_COOKIE_NAME="companion",
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(days=365),
        MAX_CONTENT_LENGTH=64 * 1024,
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_ALGORITHM_STREAMING=["br", "deflate"],  # browsers take br on https and localhost only
        COMPANION_HOSTS=tuple(hosts),
        COMPANION_ADDRESS=address,
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["companion.table"] = table
    app.extensions["companion.pin"] = Pin(table)
    app.extensions["companion.seats"] = Seats(table)
    app.extensions["companion.mock"] = mock
    app.extensions["companion.parts"] = parts
    app.extensions["companion.instruments"] = instruments or Instruments()
    Compress(app)
    app.before_request(check_host)
    app.before_request(check_origin)
    app.after_request(_safer)
    answer_failures(app)
    app.context_processor(_for_templates)
    app.register_blueprint(api)
    app.register_blueprint(charts_api)
    app.register_blueprint(seat_api)
    app.register_blueprint(tags_api)
    app.register_blueprint(played_api)
    app.register_blueprint(paper_api)
    app.register_blueprint(history_api)
    app.register_blueprint(hardware_api)
    app.register_blueprint(rules_pages)
    if mock is not None:
        app.register_blueprint(mock_api)
        app.add_url_rule("/mock", view_func=mock_page)
    for rule, page in (("/", table_page), ("/watch", watch_page), ("/seat", seat_page), ("/host", host_page)):
        app.add_url_rule(rule, view_func=page)
    app.add_url_rule("/tags", view_func=tags_page)
    app.add_url_rule("/hardware", view_func=hardware_page)
    app.add_url_rule("/qr.svg", view_func=qr)
    app.add_url_rule("/healthz", view_func=lambda: {"ok": True}, endpoint="healthz")
    return app


def _safer(response: Response) -> Response:
    """No page of ours loads anything from another host, nor is shown inside another site's page."""
    if response.mimetype in ("text/html", "image/svg+xml"):  # what a browser shows as a page
        response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    if request.path.startswith("/api/"):
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _for_templates() -> dict[str, Any]:
    said = words()
    pin: Pin = _extension("companion.pin")
    return {
        "_": said,
        "lang": said.language,
        "languages": LANGUAGES,
        "roles": roles(),
        "pin_set": pin.is_set(),
        "mock": _extension("companion.mock") is not None,
        "modules": modules,
    }


def _extension(name: str) -> Any:
    return current_app.extensions[name]


def table_page() -> str:
    """The tablet in the middle."""
    return render_template("table/table.html", tunes=TUNES, first=_first())


def watch_page() -> str:
    """Any phone."""
    return render_template("watch/watch.html", first=_first())


def _first() -> dict[str, Any]:
    """What a public page draws at once; its stream goes on from there.

    The odds follow with the stream: a browser takes 25 ms to learn how its language writes numbers.
    """
    picture = table().picture
    joined = seats().joined(picture.match)
    return seat_view.public(picture, words(), current_app.config["COMPANION_ADDRESS"], joined) | {
        "odds": None
    }


def seat_page() -> str:
    """A player's phone; it is named here, so that joining changes nothing but who holds the seat."""
    named_device()
    return render_template("seat/seat.html")


def mock_page() -> str:
    """The virtual table."""
    return render_template("mock/mock.html", games=_described_games(words()))


def host_page() -> str:
    """Whoever runs the table."""
    said = words()
    people, last = table().ask(lambda t: (t.preferences.people, t.preferences.last_game))
    explained = table().ask(lambda t: {name: t.tutorial.offers(name) for name in games.all_games()})
    return render_template(
        "host/host.html",
        games=_described_games(said),
        explained=explained,
        people=people,
        last=last,
        wifi=wifi_name(),
        charts=charts(),
        funny=[said(name) for name in _FUNNY],
        bots=[
            {"name": name, "title": said(bot.title), "means": said(bot.means)}
            for name, bot in STRENGTHS.items()
        ],
    )


def _described_games(said: Words) -> list[dict[str, Any]]:
    return [described(game, said) for game in games.all_games().values()]


def described(game: type[Race], said: Words) -> dict[str, Any]:
    """A game as the host page offers it."""
    return listed(game, said) | {
        "labels": [said.without_article(name) for name in game.pieces.values()],
        "owned": game.owned,
        "numbered": "play" in game.forms and game.forms["play"].shape is int,
        "linesUp": "line-up" in game.forms,
        "usesStart": game.uses_start,
        "chart": list(game.chart),
        "options": [_described_option(option, said) for option in game.options],
        "hands": has_hands(game),
        "playable": True,
    }


def _described_option(option: Option, said: Words) -> dict[str, Any]:
    known = {
        "name": option.name,
        "label": said(option.label),
        "help": said(option.help),
        "default": option.default,
    }
    return known | {"type": option.kind, "min": option.low, "max": option.high}


def qr() -> Response:
    """Where to watch as a QR code; `to=host`: the host's page, `to=seat`: to join, `to=wifi`: the house's."""
    address = current_app.config["COMPANION_ADDRESS"] or request.host_url.rstrip("/")
    to = request.args.get("to")
    if to in ("seat", "wifi") and "table" not in roles():
        abort(403)
    coded: dict[str, Callable[[], str | None]] = {
        "seat": join_url,
        "wifi": wifi_data,
        "host": lambda: f"{address}/host",
    }
    said = coded.get(to or "", lambda: f"{address}/watch")()
    if said is None:
        abort(404)
    code = segno.make(said)
    svg = code.svg_inline(scale=4, border=2, dark="#23203f", light="#ffffff", omitsize=True)
    namespaced = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return Response(namespaced, mimetype="image/svg+xml")


_FUNNY = (
    N_("Sofa Comet"),
    N_("Muddy Thunder"),
    N_("Late Again"),
    N_("Lord Wobble"),
    N_("Carrot Express"),
    N_("Not Yet"),
    N_("Turbo Granny"),
    N_("Professor Oats"),
    N_("Wrong Way"),
    N_("Button Nose"),
    N_("Dizzy Duchess"),
    N_("Second Helping"),
    N_("Captain Hiccup"),
    N_("Slow Motion"),
    N_("Biscuit Thief"),
    N_("Hurry Up"),
)
