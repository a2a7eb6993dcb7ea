"""The report of a page that a part of it cannot be drawn in its browser; the host sees it on /hardware."""

from __future__ import annotations

import logging
import time
from typing import Annotated, Final

from flask import Blueprint, current_app, request
from msgspec import Meta

from companion.diagnostics.screens import Browser, Part, ScreenError, sign
from companion.errors import RateLimitedError
from companion.http.rate_limit import Allowances, Rate
from companion.http.request import Body, as_json, body, entry, words
from companion.http.roles import client_address
from companion.message import N_, Sentence
from companion.reply import Done, Text
from companion.web.hardware.api import instruments

log = logging.getLogger(__name__)

screens_api = Blueprint("screens_api", __name__, url_prefix="/api")

OF_ONE: Final = Rate(10, 30.0)  # a page has nine parts
OF_ALL: Final = Rate(40, 1.0)


class Trouble(Body):
    """A part of a page that could not be drawn; `where`: the script and its line."""

    page: Annotated[str, Meta(pattern=r"^[a-z-]{0,20}$")]
    part: Part
    where: Annotated[str, Meta(pattern=r"^([a-z-]{1,30}(/[a-z-]{1,30}){0,2}[.]js:[0-9]{1,5})?$")] = ""


class Noted(Done):
    """The report is stored; `text` says it to the person at the device."""

    text: Text


@screens_api.post("/trouble")
@as_json
def post_trouble() -> Noted:
    """Keep for the host that a part of a page cannot be drawn; from any device, without personal data."""
    report = body(Trouble)
    allowances: Allowances = current_app.extensions["companion.trouble"]
    if not allowances.take(client_address(), time.monotonic()):
        raise RateLimitedError("wait", Sentence(_ENOUGH))
    browser = Browser.of(request.headers.get("User-Agent", "")[:400])
    error = ScreenError(browser, report.page, report.part, report.where)
    if instruments().screens.add(error):
        log.warning("a browser cannot draw a part of a page: %s", error)
    return Noted(seq=entry(), text=words().text(sign(report.part)))


_ENOUGH = N_("that is known by now")
