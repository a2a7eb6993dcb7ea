"""Who may do what: roles in a signed cookie, the PIN, and where a request comes from."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar
from urllib.parse import SplitResult, urlsplit

import msgspec
from flask import Flask, abort, current_app, request, session
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import BadSignature
from werkzeug.http import parse_cookie

from companion.errors import CompanionError, refuse
from companion.message import N_, Sentence
from companion.store.keys import Key
from companion.table.table import Table

P = ParamSpec("P")
R = TypeVar("R")

TRIES = 5
WAIT = 60.0  # seconds after five wrong PINs
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}


class Forbidden(CompanionError):
    """The request lacks a role or an Origin; the sentence says which and how to get it."""

    def __init__(self, kind: str, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.kind, self.sentence = kind, sentence


def from_here() -> bool:
    """Whether the request comes from this machine itself: its own screen is the table."""
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)  # IPv4 on a socket that takes both
    return bool((mapped or address).is_loopback)


def roles() -> frozenset[str]:
    """The roles of the device that asks: table, host (which includes table), or none (a watcher)."""
    held = set(session.get("roles", ()))
    if from_here():
        held.add("table")
    if "host" in held:
        held.add("table")
    return frozenset(held)


def needs(role: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A view for devices with this role only: Forbidden for any other."""

    def guard(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            if role not in roles():
                raise Forbidden("role", Sentence(NEEDS_HOST if role == "host" else _NEEDS_TABLE))
            return view(*args, **kwargs)

        return guarded

    return guard


def check_origin() -> None:
    """Forbidden, for a state-changing request whose Origin is missing or another site's (cross-site)."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    origin = _split(request.headers.get("Origin", ""))
    if origin is None or origin.scheme not in ("http", "https") or origin.netloc != request.host:
        raise Forbidden("origin", Sentence(_ORIGIN))


def _split(url: str) -> SplitResult | None:
    """The parts of a URL; None for what is none, such as http://[."""
    try:
        return urlsplit(url)
    except ValueError:
        return None


def known_host(host: str, more: Iterable[str] = ()) -> bool:
    """Whether a Host header names this machine: an address, localhost, its own name, or one of the settings.

    A name that anybody could point here (DNS rebinding) is not answered.

    >>> known_host("192.168.1.5:8000"), known_host("[::1]:8000"), known_host("evil.example")
    (True, True, False)
    >>> known_host("[")
    False
    """
    split = _split(f"//{host}")
    name = ((split and split.hostname) or "").rstrip(".").lower()
    own = socket.gethostname().lower()
    if name in {"localhost", own, f"{own}.local", *(m.lower() for m in more)}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def check_host() -> None:
    """Answer only requests that were meant for this machine."""
    if not known_host(request.host, current_app.config["COMPANION_HOSTS"]):
        abort(400, _OTHER_HOST)


class Tries:
    """Wrong tries at a secret, counted for each device: after five it waits a minute."""

    def __init__(self, kind: str, wrong: str, wait: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._kind, self._said, self._wait, self._clock = kind, wrong, wait, clock
        self._lock = threading.Lock()
        self._wrong: dict[str, list[float]] = {}

    def check(self, device: str, right: Callable[[], bool]) -> None:
        """Let `device` go on if `right()`; Forbidden if not, or if it was wrong too often of late."""
        with self._lock:
            recent = [at for at in self._wrong.get(device, []) if self._clock() - at < WAIT]
            if len(recent) >= TRIES:
                raise Forbidden("wait", Sentence(self._wait))
            if not right():
                self._wrong[device] = [*recent, self._clock()]
                raise Forbidden(self._kind, Sentence(self._said))
            self._wrong.pop(device, None)


class PinHash(msgspec.Struct):
    """A PIN as it is kept: a scrypt hash and its salt, both in hex."""

    salt: str
    hash: str


PIN: Final[Key[PinHash | None]] = Key("pin", PinHash, None)
SIGNING_KEY: Final[Key[str | None]] = Key("signing key", str, None)


class PinLock:
    """The PIN of this companion, kept as a scrypt hash; wrong tries of a device are counted."""

    def __init__(self, table: Table, clock: Callable[[], float] = time.monotonic) -> None:
        self._table = table
        self._tries = Tries("wrong-pin", _WRONG_PIN, _WAIT, clock)

    def is_set(self) -> bool:
        """Whether somebody has chosen a PIN."""
        return self._hashed() is not None

    def _hashed(self) -> PinHash | None:
        return self._table.ask(lambda table: table.journal.recall(PIN))

    def choose(self, pin: str) -> None:
        """Set the PIN; InvalidInput if it is too short."""
        if not 4 <= len(pin) <= 64:
            raise refuse(N_("a PIN has 4 to 64 characters: choose another"))
        salt = secrets.token_bytes(16)
        hashed = PinHash(salt.hex(), _hash(pin, salt))
        self._table.ask(lambda table: table.journal.remember(PIN, hashed))

    def check(self, pin: str, device: str) -> None:
        """Let `device` in with this PIN; without a PIN yet, this becomes it. Forbidden if it is wrong."""
        self._tries.check(device, lambda: self._opens(pin))

    def _opens(self, pin: str) -> bool:
        hashed = self._hashed()
        if hashed is None:
            self.choose(pin)
            return True
        return hmac.compare_digest(_hash(pin, bytes.fromhex(hashed.salt)), hashed.hash)


def _hash(pin: str, salt: bytes) -> str:
    return hashlib.scrypt(pin.encode(), salt=salt, **_SCRYPT).hex()


def signing_key(table: Table) -> str:
    """The key that signs the cookies, made once and kept, so that devices stay known over a restart."""
    key = table.ask(lambda t: t.journal.recall(SIGNING_KEY))
    if key is None:
        made = key = secrets.token_hex(32)
        table.ask(lambda t: t.journal.remember(SIGNING_KEY, made))
    return key


def device() -> str | None:
    """The name of the device that asks, made at random when it first opened the page of a seat."""
    named: str | None = session.get("device")
    return named


def named_device() -> str:
    """The name of the device that asks; one without gets one, in its cookie."""
    if "device" not in session:
        session["device"] = secrets.token_hex(16)
        session.permanent = True
    return str(session["device"])


def device_in(app: Flask, cookie: str) -> str | None:
    """The device that a Cookie header names, where Flask does not read it: beside Flask, in the stream."""
    named: str | None = _held_in(app, cookie).get("device")
    return named


def host_in(app: Flask, cookie: str) -> bool:
    """Whether the device that a Cookie header names is the host's."""
    return "host" in _held_in(app, cookie).get("roles", ())


def _held_in(app: Flask, cookie: str) -> Mapping[str, Any]:
    serializer = SecureCookieSessionInterface().get_signing_serializer(app)
    signed = parse_cookie(cookie).get(app.config["SESSION_COOKIE_NAME"], "")
    try:
        assert serializer is not None, "the app has a key to sign with"
        held: Mapping[str, Any] = serializer.loads(
            signed, max_age=int(app.permanent_session_lifetime.total_seconds())
        )
    except BadSignature:
        return {}
    return held


_NEEDS_TABLE = N_("only the table may do this: enter the PIN on the table page of this device")
NEEDS_HOST = N_("only the host may do this: enter the PIN on the host page of this device")
_ORIGIN = N_("the request does not come from the companion's own pages: send a matching Origin header")
_WAIT = N_("five wrong PINs: wait a minute, then try again")
_WRONG_PIN = N_("that is not the PIN: try again, or reset it with `companion pin` on the Pi")
_OTHER_HOST = N_(
    "the companion does not answer to this name: use its address, or add it to `hosts` in companion.toml"
)
