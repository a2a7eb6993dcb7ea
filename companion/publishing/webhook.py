"""Webhooks: posts the events of this table to a web address, signed as Standard Webhooks specifies.

https://www.standardwebhooks.com: three headers, the id of the event (the same when it is sent again), the
time of sending, and a signature of both and the body. Any answer of 200 to 299 acknowledges it; after any
other, or none, it is sent again, and later ones wait behind it. Only addresses in the local network are
allowed, unless the settings say otherwise; a redirect is no acknowledgement.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import ipaddress
import logging
import socket
import time
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from companion import __version__
from companion.publishing.events import Event, happened
from companion.publishing.retry import RetryLoop
from companion.publishing.story import Progress
from companion.reply import encoded
from companion.settings import HookSettings
from companion.store.journal import Journal
from companion.store.keys import Key
from companion.table.picture import Picture

ANSWER_S: Final = 10.0  # seconds to wait for an answer
FAREWELL_S: Final = 3.0  # seconds that a stop waits for one

log = logging.getLogger(__name__)


class NotDelivered(Exception):
    """The event was not acknowledged; the text continues a sentence that begins with the address."""


class Webhook:
    """Posts events to one address, each until it is acknowledged, from a background thread."""

    def __init__(self, hook: HookSettings, journal: Journal, table: str) -> None:
        self._hook = hook
        where = hashlib.sha256(hook.url.encode()).hexdigest()[:16]
        self._progress = Progress(
            journal, table, f"hook {self._where}", Key(f"hook {where}", int | None, None)
        )
        self._why = ""  # the last logged reason of a failure
        self._again = RetryLoop("hook", self._attempt)

    def start(self) -> None:
        """Start, before the table's thread does."""
        self._progress.begin()
        self._again.start()

    def stop(self) -> None:
        """Stop, once the table's thread has ended; undelivered events wait."""
        self._again.stop(FAREWELL_S)
        self._progress.end()

    def shown(self, picture: Picture) -> None:
        """Wake the thread for a new snapshot of the table; called from the table's thread."""
        self._again.woken.set()

    # --- the background thread -------------------------------------------------------------------

    @property
    def _where(self) -> str:
        """The address without its secret parts."""
        parts = urlsplit(self._hook.url)
        return f"{parts.scheme}://{parts.hostname}"

    def _attempt(self) -> None:
        try:
            while not self._again.ended.is_set():
                self._again.woken.clear()
                self._progress.tell(self._tell, self._again.ended)
                self._again.woken.wait()
        except NotDelivered as why:
            if str(why) != self._why:
                log.warning(
                    "hook: %s %s; nothing is lost, events are sent once that is put right", self._where, why
                )
            self._why = str(why)

    def _tell(self, event: Event) -> bool:
        if self._hook.events and happened(event) not in self._hook.events:
            return True
        post(self._hook, f"{event.table}/{event.entry}", encoded(event))
        if self._why:
            log.warning("hook: %s answers again", self._where)
        self._why = ""
        return True


def post(hook: HookSettings, called: str, body: bytes, clock: Callable[[], float] = time.time) -> None:
    """Send the body once, with the id `called`; raises NotDelivered."""
    url = urlsplit(hook.url)
    assert url.hostname is not None
    port = url.port or (443 if url.scheme == "https" else 80)
    at = _address(url.hostname, port, hook.anywhere)
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    line = kind(url.hostname, port, timeout=ANSWER_S)
    # the address that was checked: the name may resolve to another one a moment later
    line._create_connection = lambda _address, *more: socket.create_connection(at, *more)  # type: ignore[attr-defined]
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    try:
        line.request("POST", path, body, headers(hook.secret, called, int(clock()), body))
        status = line.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise NotDelivered(f"cannot be reached: {error or type(error).__name__}") from None
    finally:
        line.close()
    if not 200 <= status < 300:
        raise NotDelivered(f"answers {status}")


def headers(secret: str, called: str, now: int, body: bytes) -> dict[str, str]:
    """Return the headers of Standard Webhooks for the id `called`, sent `now`, in seconds since 1970."""
    found = {
        "Content-Type": "application/json",
        "User-Agent": f"race-companion/{__version__}",
        "Webhook-Id": called,
        "Webhook-Timestamp": str(now),
    }
    if secret:
        signed = hmac.digest(_key(secret), f"{called}.{now}.".encode() + body, "sha256")
        found["Webhook-Signature"] = f"v1,{base64.b64encode(signed).decode()}"
    return found


def _key(secret: str) -> bytes:
    """Return the bytes of a secret: in base64 after `whsec_` as Standard Webhooks writes it, or any other
    text.
    """
    if secret.startswith("whsec_"):
        return base64.b64decode(secret.removeprefix("whsec_"))
    return secret.encode()


def _address(host: str, port: int, anywhere: bool) -> tuple[str, int]:
    """Return an address of this host; NotDelivered if one of them is not in the local network."""
    try:
        found = [info[4] for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except OSError as error:
        raise NotDelivered(f"is not found: {error.strerror or error}") from None
    for address in found:
        told = ipaddress.ip_address(str(address[0]).partition("%")[0])
        told = getattr(told, "ipv4_mapped", None) or told
        if (not anywhere and not (told.is_private or told.is_link_local)) or told.is_multicast:
            raise NotDelivered(
                f"is {told}, not in the own network: that needs anywhere = true under [[hook]]"
            )
    return str(found[0][0]), port
