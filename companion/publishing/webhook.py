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
import logging
import socket
import time
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from companion import __version__
from companion.publishing.events import Event, happened
from companion.publishing.follower import Follower
from companion.publishing.own_network import is_any_host, is_own_network
from companion.publishing.story import Progress
from companion.reply import encoded
from companion.settings import HookSettings
from companion.store.journal import Journal
from companion.store.keys import Key
from companion.table.snapshot import Snapshot

ANSWER_S: Final = 10.0  # seconds to wait for an answer

log = logging.getLogger(__name__)


class NotDelivered(Exception):
    """The event was not acknowledged; the text continues a sentence that begins with the address."""


class Webhook(Follower):
    """Posts events to one address, each until it is acknowledged, from a background thread."""

    def __init__(self, hook: HookSettings, journal: Journal, table: str) -> None:
        self._hook = hook
        where = hashlib.sha256(hook.url.encode()).hexdigest()[:16]
        key: Key[int | None] = Key(f"hook {where}", int | None, None)
        super().__init__("hook", Progress(journal, table, f"hook {self._where}", key))

    def update(self, picture: Snapshot) -> None:
        """Wake the thread for a new snapshot of the table; called from the table's thread."""
        self._retry.woken.set()

    # --- the background thread -------------------------------------------------------------------

    @property
    def _where(self) -> str:
        """The address without its secret parts."""
        parts = urlsplit(self._hook.url)
        return f"{parts.scheme}://{parts.hostname}"

    def _attempt(self) -> None:
        try:
            while not self._retry.ended.is_set():
                self._retry.woken.clear()
                self._progress.publish_pending(self._deliver, self._retry.ended)
                self._retry.woken.wait()
        except NotDelivered as why:
            if str(why) != self._why:
                log.warning(
                    "hook: %s %s; nothing is lost, events are sent once that is put right", self._where, why
                )
            self._why = str(why)

    def _deliver(self, event: Event) -> bool:
        if self._hook.events and happened(event) not in self._hook.events:
            return True
        post(self._hook, f"{event.table}/{event.entry}", encoded(event))
        if self._why:
            log.warning("hook: %s answers again", self._where)
        self._why = ""
        return True


def post(hook: HookSettings, event_id: str, body: bytes, clock: Callable[[], float] = time.time) -> None:
    """Send the body once, with the id `event_id`; raises NotDelivered."""
    url = urlsplit(hook.url)
    assert url.hostname is not None
    port = url.port or (443 if url.scheme == "https" else 80)
    address = _address(url.hostname, port, hook.anywhere)
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = kind(url.hostname, port, timeout=ANSWER_S)
    # the address that was checked: the name may resolve to another one a moment later
    connection._create_connection = lambda _address, *more: socket.create_connection(address, *more)  # type: ignore[attr-defined]
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    try:
        connection.request("POST", path, body, headers(hook.secret, event_id, int(clock()), body))
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise NotDelivered(f"cannot be reached: {error or type(error).__name__}") from None
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise NotDelivered(f"answers {status}")


def headers(secret: str, event_id: str, now: int, body: bytes) -> dict[str, str]:
    """Return the headers of Standard Webhooks for the id `event_id`, sent `now`, in seconds since 1970."""
    fields = {
        "Content-Type": "application/json",
        "User-Agent": f"race-companion/{__version__}",
        "Webhook-Id": event_id,
        "Webhook-Timestamp": str(now),
    }
    if secret:
        signed = hmac.digest(_key(secret), f"{event_id}.{now}.".encode() + body, "sha256")
        fields["Webhook-Signature"] = f"v1,{base64.b64encode(signed).decode()}"
    return fields


def _key(secret: str) -> bytes:
    """Return the bytes of a secret: in base64 after `whsec_` as Standard Webhooks writes it, or any other
    text.
    """
    if secret.startswith("whsec_"):
        return base64.b64decode(secret.removeprefix("whsec_"))
    return secret.encode()


def _address(host: str, port: int, anywhere: bool) -> tuple[str, int]:
    """Return an address of this host; NotDelivered if one of them may not be called."""
    try:
        found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except OSError as error:
        raise NotDelivered(f"is not found: {error.strerror or error}") from None
    for address in found:
        if not is_any_host(address):
            raise NotDelivered(f"is {address}, which is no address of a device: correct url under [[hook]]")
        if not anywhere and not is_own_network(address):
            raise NotDelivered(
                f"is {address}, not in the own network: that needs anywhere = true under [[hook]]"
            )
    return found[0], port
