"""How a device comes to trust this table's own authority, and its certificate to download."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, current_app, render_template, request

from companion.http.https import authority_of, port_of
from companion.http.network import url

https_pages = Blueprint("https", __name__)


@https_pages.get("/https")
def https_page() -> str:
    """Return the page that leads to https, device by device; where https is off, how to switch it on."""
    here = urlsplit(request.host_url).hostname or ""
    port = current_app.config["COMPANION_PORT"]
    address = url(here, port_of(port or 80), "https")
    return render_template("https/https.html", is_on=_authority() is not None, address=address)


@https_pages.get("/authority.crt")
def authority() -> Response:
    """Return the authority's certificate; 404 where https is off."""
    content = _authority()
    if content is None:
        abort(404)
    answer = Response(content, mimetype="application/x-x509-ca-cert")
    answer.headers["Content-Disposition"] = 'attachment; filename="race-companion.crt"'
    return answer


def _authority() -> bytes | None:
    directory = current_app.config["COMPANION_DATA"]
    return None if directory is None else authority_of(directory)
