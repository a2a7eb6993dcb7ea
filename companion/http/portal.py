"""Answers to phones in the Pi's own Wi-Fi that check for internet access: the table's page.

There every name resolves to the Pi, also those at which a phone checks for internet access. Redirected by a
302, it opens the page that it finds, like the sign-in page of a hotel. That window forgets its cookies, so
the page is led there with `?sheet`, offers no seat, and says what to type into the browser. Once a phone has
seen the page, it gets the answer that it expects from the internet: a phone that never gets it leaves the
Wi-Fi for mobile data, as others found (ConnectBox/connectbox-pi#251,
PirateBox-Dev/PirateBoxScripts_Webserver#59, publiclab/pi-builder#41). Android closes its sign-in page as soon
as it gets that answer, so it gets it only after some seconds.

No page is ever answered to a name that is not ours (roles.py): these few paths get a redirection or a fixed
word. There is no captive portal API (RFC 8908, by DHCP's option 114): it is https only, and no authority
certifies 10.42.0.1.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from ipaddress import ip_address
from typing import Final, NamedTuple

from flask import Response, current_app, request

from companion.hotspot import ADDRESS, NETWORK
from companion.http.address import plain
from companion.http.network import url
from companion.http.roles import known_host


class Probe(NamedTuple):
    """The path at which a phone checks for internet access: the answer that it expects if there is access.

    `after`: seconds from the first page until it gets that answer; None: never, it is always led to the page.
    """

    status: int
    text: str = ""
    kind: str = "text/plain"
    after: float | None = 0.0


_APPLE: Final = Probe(
    200, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>", "text/html"
)
_ANDROID: Final = Probe(204, after=10.0)
_MOZILLA: Final = "https://support.mozilla.org/kb/captive-portal"
PROBES: Final[dict[str, Probe]] = {
    "/hotspot-detect.html": _APPLE,
    "/library/test/success.html": _APPLE,
    "/generate_204": _ANDROID,
    "/gen_204": _ANDROID,
    "/connecttest.txt": Probe(200, "Microsoft Connect Test"),
    "/ncsi.txt": Probe(200, "Microsoft NCSI"),
    "/redirect": Probe(302, after=None),  # what Windows opens then
    "/success.txt": Probe(200, "success\n"),
    "/canonical.html": Probe(200, f'<meta http-equiv="refresh" content="0;url={_MOZILLA}"/>', "text/html"),
}
PAGES: Final = frozenset({"/watch", "/seat", "/", "/host"})


class Guests:
    """The phones in the Wi-Fi that have opened a page since the companion started; it has 253 addresses."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: dict[str, float] = {}

    def opened(self, address: str) -> None:
        """Record that a page was sent to this address."""
        self._since.setdefault(address, self._clock())

    def has_had(self, address: str, seconds: float | None) -> bool:
        """Return True if this address got its first page at least so many seconds ago; never for None."""
        since = self._since.get(address)
        return since is not None and seconds is not None and self._clock() - since >= seconds


def lead_to_the_page() -> Response | None:
    """Answer a phone in the Pi's own Wi-Fi that checks for internet access; None for any other request."""
    port = _asked_at_hotspot()
    if port is None or request.method not in ("GET", "HEAD"):
        return None
    guests: Guests = current_app.extensions["companion.guests"]
    guest = plain(request.remote_addr or "")
    if known_host(request.host, current_app.config["COMPANION_HOSTS"]):
        if request.path in PAGES:
            guests.opened(guest)
        return None
    probe = PROBES.get(request.path)
    if probe is None:
        return None
    if guests.has_had(guest, probe.after):
        answer = Response(probe.text, probe.status, mimetype=probe.kind)
    else:
        answer = Response(status=302, headers={"Location": f"{url(ADDRESS, port)}/watch?sheet"})
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _asked_at_hotspot() -> int | None:
    """Return the port if a device in the Pi's Wi-Fi asked at the Wi-Fi's own address; else None."""
    address, port = request.environ.get("asgi.scope", {}).get("server") or ("", 0)
    guest = plain(request.remote_addr or "")
    if plain(address) != ADDRESS or ":" in guest or not guest or ip_address(guest) not in NETWORK:
        return None
    return int(port)
