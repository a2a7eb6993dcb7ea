"""Permissions: roles in a signed cookie, the PIN, and the origin of a request."""

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

from companion.errors import CompanionError, validation_error
from companion.http.address import client, is_this_machine, network
from companion.http.sessions import cookie_values
from companion.message import N_, Sentence
from companion.store.keys import Key
from companion.table.table import Table

P = ParamSpec("P")
R = TypeVar("R")

TRIES = 5
TRIES_OF_ALL = 20  # so that a PIN of four figures resists any number of addresses for four hours on average
WAIT = 60.0  # seconds after five wrong PINs
_HERE = "this machine"
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}


class Forbidden(CompanionError):
    """The request lacks a role or an Origin; the sentence says which and how to get it."""

    def __init__(self, kind: str, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.kind, self.sentence = kind, sentence


def client_address() -> str:
    """Return the address that the request comes from; `UNKNOWN_CLIENT` if that is unknown."""
    return client(request.remote_addr or "", (name.lower() for name, _ in request.headers))


def is_local_request() -> bool:
    """Return True if the request comes from this machine itself: its own screen is the table."""
    return is_this_machine(client_address())


def roles() -> frozenset[str]:
    """Return the roles of the device that asks: table, host (which includes table), or none (a watcher)."""
    granted = set(_granted_roles(session, current_app))
    if is_local_request():
        granted.add("table")
    if "host" in granted:
        granted.add("table")
    return frozenset(granted)


def grant_role(role: str) -> list[str]:
    """Give the device that asks a role, until the PIN changes; return all its roles."""
    granted = sorted({*_granted_roles(session, current_app), role})
    session.permanent = True
    session["roles"], session["pin"] = granted, _pin_of(current_app).mark
    return granted


def _granted_roles(held: Mapping[str, Any], app: Flask) -> Iterable[str]:
    """Return the roles in a cookie; none if they were given for another PIN."""
    roles: Iterable[str] = held.get("roles", ())
    return roles if held.get("pin", "") == _pin_of(app).mark else ()


def _pin_of(app: Flask) -> PinLock:
    lock: PinLock = app.extensions["companion.pin"]
    return lock


def needs(role: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a view so that it raises Forbidden for devices without this role."""

    def guard(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            if role not in roles():
                raise Forbidden("role", Sentence(NEEDS_HOST if role == "host" else _NEEDS_TABLE))
            return view(*args, **kwargs)

        return guarded

    return guard


def check_origin() -> None:
    """Raise Forbidden for a state-changing request whose Origin is missing or another site's (cross-site).

    Addresses that do not exist, and methods that are not allowed, are left to Flask: 404, 405.
    """
    if request.method in ("GET", "HEAD", "OPTIONS") or request.routing_exception is not None:
        return
    origin = _split(request.headers.get("Origin", ""))
    if origin is None or origin.scheme not in ("http", "https"):
        raise Forbidden("origin", Sentence(_ORIGIN))
    if origin.netloc != request.host:
        how = Sentence(current_app.config.get("COMPANION_TRUST", _TRUST), {"text": request.remote_addr})
        values = {"known": origin.netloc, "text": request.host, "then_how": how}
        raise Forbidden("origin", Sentence(_OTHER_ORIGIN, values))


def _split(url: str) -> SplitResult | None:
    """Return the parts of a URL; None for invalid text such as http://[."""
    try:
        return urlsplit(url)
    except ValueError:
        return None


def known_host(host: str, more: Iterable[str] = ()) -> bool:
    """Return True if a Host header names this machine: an address, localhost, its name, one of the settings.

    A name that anyone could point here (DNS rebinding) is not answered.

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
    """Abort with 400 if the request is for another host than this machine."""
    if not known_host(request.host, current_app.config["COMPANION_HOSTS"]):
        abort(400, _OTHER_HOST)


class Tries:
    """Wrong guesses of a secret, counted for each network and for all together; limited for a minute.

    Guesses from this machine itself are counted separately: others cannot lock it out.
    """

    def __init__(self, kind: str, wrong: str, wait: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._kind, self._wrong_text, self._wait, self._clock = kind, wrong, wait, clock
        self._lock = threading.Lock()
        self._wrong: list[tuple[float, str]] = []  # of the last minute: when, and from where

    def check(self, address: str, right: Callable[[], bool]) -> None:
        """Return if `right()`; raise Forbidden if not, or after too many wrong guesses in the last minute."""
        with self._lock:
            here = _HERE if is_this_machine(address) else network(address)
            self._wrong = [(at, there) for at, there in self._wrong if self._clock() - at < WAIT]
            mine = sum(there == here for _, there in self._wrong)
            all_others = sum(there != _HERE for _, there in self._wrong)
            if mine >= TRIES or (here != _HERE and all_others >= TRIES_OF_ALL):
                raise Forbidden("wait", Sentence(self._wait))
            if not right():
                self._wrong.append((self._clock(), here))
                raise Forbidden(self._kind, Sentence(self._wrong_text))
            self._wrong = [(at, there) for at, there in self._wrong if there != here]


class PinHash(msgspec.Struct):
    """A PIN as stored: a scrypt hash and its salt, both in hex."""

    salt: str
    hash: str


PIN: Final[Key[PinHash | None]] = Key("pin", PinHash, None)
SIGNING_KEY: Final[Key[str | None]] = Key("signing key", str, None)


class PinLock:
    """The PIN of this companion, stored as a scrypt hash; wrong guesses of a device are counted."""

    def __init__(self, table: Table, clock: Callable[[], float] = time.monotonic) -> None:
        self._table = table
        self._tries = Tries("wrong-pin", _WRONG_PIN, _WAIT, clock)
        self._hashed = table.ask(lambda t: t.journal.recall(PIN))  # no other program writes it meanwhile

    def is_set(self) -> bool:
        """Return True if a PIN has been chosen."""
        return self._hashed is not None

    @property
    def mark(self) -> str:
        """An identifier of this PIN that reveals nothing of it; "" while there is none."""
        return "" if self._hashed is None else self._hashed.salt[:8]

    def choose(self, pin: str) -> None:
        """Set the PIN; InvalidInput if it is too short or too long."""
        self.set_hash(hash_pin(pin))

    def set_hash(self, hashed: PinHash) -> None:
        """Set the PIN that has this hash."""
        self._table.ask(lambda table: table.journal.remember(PIN, hashed))
        self._hashed = hashed

    def check(self, pin: str, address: str) -> None:
        """Return if the PIN is right, else raise Forbidden; while there is none, this one becomes the PIN."""
        self._tries.check(address, lambda: self._opens(pin))

    def _opens(self, pin: str) -> bool:
        hashed = self._hashed
        if hashed is None:
            self.choose(pin)
            return True
        return hmac.compare_digest(_hash(pin, bytes.fromhex(hashed.salt)), hashed.hash)


def hash_pin(pin: str) -> PinHash:
    """Return the hash of a new PIN; InvalidInput if it is too short or too long."""
    if not 4 <= len(pin) <= 64:
        raise validation_error(N_("a PIN has 4 to 64 characters: choose another"))
    salt = secrets.token_bytes(16)
    return PinHash(salt.hex(), _hash(pin, salt))


def _hash(pin: str, salt: bytes) -> str:
    return hashlib.scrypt(pin.encode(), salt=salt, **_SCRYPT).hex()


def signing_key(table: Table) -> str:
    """Return the key that signs the cookies, made once and stored: devices stay known over a restart."""
    key = table.ask(lambda t: t.journal.recall(SIGNING_KEY))
    if key is None:
        made = key = secrets.token_hex(32)
        table.ask(lambda t: t.journal.remember(SIGNING_KEY, made))
    return key


def device() -> str | None:
    """Return the device's random name, made at its last rise in role; None before the first."""
    named: str | None = session.get("device")
    return named


def new_name() -> str:
    """Return a name for a device that cannot be guessed."""
    return secrets.token_hex(16)


def set_device_name(name: str) -> None:
    """Give the device that asks this name, in its cookie.

    A new name at every rise in role: a cookie that was planted before is worth nothing after it.
    """
    session["device"] = name
    session.permanent = True


def device_of_cookie(app: Flask, cookie: str) -> str | None:
    """Return the device's name in a Cookie header, for the stream, where Flask does not read cookies."""
    named: str | None = cookie_values(app, cookie).get("device")
    return named


def is_host_cookie(app: Flask, cookie: str) -> bool:
    """Return True if the device of a Cookie header has the role of host."""
    return "host" in _granted_roles(cookie_values(app, cookie), app)


_NEEDS_TABLE = N_("only the table may do this: enter the PIN on the table page of this device")
NEEDS_HOST = N_("only the host may do this: enter the PIN on the host page of this device")
_ORIGIN = N_("the request does not come from the companion's own pages: send a matching Origin header")
_OTHER_ORIGIN = N_(
    "this page is open as {known}, but what it sends arrives for {text}: if there is a web server in front, "
    "{then_how}, and have it pass the name on"
)
_TRUST = N_('add the line proxy = "{text}" to companion.toml')
_WAIT = N_("five wrong PINs: wait a minute, then try again")
_WRONG_PIN = N_("that is not the PIN: try again, or reset it with `companion pin` on the Pi")
_OTHER_HOST = N_(
    "the companion does not answer to this name: use its address, or add it to `hosts` in companion.toml"
)
