"""The pages without controls: a screen in the bar, and parts of the table over a stream."""

from __future__ import annotations

from typing import Final

from flask import Response, current_app, make_response, render_template, request

from companion.http.files import POLICY
from companion.views.table.page import View

PARTS: Final = ("course", "standings", "odds", "sentence", "ticker")
USUAL: Final = "standings,odds,ticker"


def tv_page(first: View) -> str:
    """Return the page of a screen in the bar; `first` is its first content."""
    return render_template("show/tv.html", first=first)


def overlay_page(first: View) -> Response:
    """Return the overlay with the parts in the address, `?parts=course,ticker`; unknown ones are left out.

    Pages of the sites in the settings may embed it.
    """
    asked = request.args.get("parts", USUAL).split(",")
    page = render_template("show/overlay.html", first=first, parts=[part for part in PARTS if part in asked])
    response = make_response(page)
    sites = " ".join(("frame-ancestors 'self'", *current_app.config["COMPANION_FRAMES"]))
    response.headers["Content-Security-Policy"] = POLICY.replace("frame-ancestors 'self'", sites)
    return response
