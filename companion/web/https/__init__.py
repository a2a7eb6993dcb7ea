"""How a device comes to trust this table's own authority, and its certificate to download."""

from __future__ import annotations

from flask import Blueprint, Response, abort, current_app, render_template, request

from companion.http.certificates import authority_of, port_of

https_pages = Blueprint("https", __name__)


@https_pages.get("/https")
def https_page() -> str:
    """Return the page that leads to https, device by device; where https is off, how to switch it on."""
    port = current_app.config["COMPANION_PORT"]
    host = request.host.rpartition(":")[0] or request.host if request.host.count(":") == 1 else request.host
    secure = port_of(port) if port else 443
    address = f"https://{host}" + ("" if secure == 443 else f":{secure}")
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
