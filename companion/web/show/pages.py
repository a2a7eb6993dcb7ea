"""The pages that only show: a screen in the bar, and parts of the table over a stream."""

from __future__ import annotations

from typing import Final

from flask import Response, current_app, make_response, render_template, request

from companion.http.files import POLICY
from companion.views.table.page import View

PARTS: Final = ("course", "standings", "odds", "sentence", "ticker")
USUAL: Final = "standings,odds,ticker"


def tv_page(first: View) -> str:
    """A screen in the bar; `first` is what it draws at once."""
    return render_template("show/tv.html", first=first)


def overlay_page(first: View) -> Response:
    """Over a stream: the parts that the address names, `?parts=course,ticker`; unknown ones are left out.

    Pages of the sites that the settings name may show it inside of them.
    """
    asked = request.args.get("parts", USUAL).split(",")
    page = render_template("show/overlay.html", first=first, parts=[part for part in PARTS if part in asked])
    response = make_response(page)
    sites = " ".join(("frame-ancestors 'self'", *current_app.config["COMPANION_FRAMES"]))
    response.headers["Content-Security-Policy"] = POLICY.replace("frame-ancestors 'self'", sites)
    return response
