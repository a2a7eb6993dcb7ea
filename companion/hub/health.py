"""The health of a hub: its main process stores the state of its parts, the worker processes read it.

The listener and the judge run in the main process or below it, the pages in workers: the database, which all
of them have, carries a small row from one to the other.
"""

from __future__ import annotations

import hashlib
import logging
import socket
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Struct
from sqlalchemy import Engine, delete, text
from sqlalchemy.exc import SQLAlchemyError

from companion.hub import schema
from companion.hub.key_values import get, put
from companion.reply import Reply, one_of

if TYPE_CHECKING:
    from companion.hub.judge import Judge
    from companion.hub.listener import Listener

BEAT_S: Final = 5.0  # between two rows while nothing changes
POLL_S: Final = 0.5  # between two checks for changes
STALE_S: Final = 30.0  # an older row is ignored; a large import locks SQLite's file for a while

STATES: Final = {
    "ok": "works",
    "off": "is not wanted: the hub has no --mqtt",
    "starting": "has not started yet",
    "away": "does not answer",
    "failing": "cannot store what it hears",
    "stuck": "shows no sign of life",
    "unknown": "is not known while the database is away",
}

State = Annotated[str, one_of(*STATES)]

log = logging.getLogger(__name__)


class HubParts(Reply):
    """The state of each part of a hub."""

    database: State
    listener: State
    broker: State
    judge: State


class HubHealth(Reply):
    """The health of a hub: `ok` if it receives messages and serves them; `why` names the broken parts."""

    ok: bool
    why: str | None
    parts: HubParts


class Beat(Struct, frozen=True):
    """The stored row: `at` is the machine's monotonic clock, which its processes share."""

    at: float
    listener: str = "off"
    broker: str = "off"
    judge: str = "off"


def key_of(port: int) -> str:
    """Return the key of the row of the hub on this port of this machine: several may share a database."""
    return f"health {hashlib.sha256(f'{socket.gethostname()}:{port}'.encode()).hexdigest()[:16]}"


class Heartbeat:
    """Background thread that stores the state of the parts, after every change and every `BEAT_S` seconds."""

    def __init__(self, engine: Engine, key: str, listener: Listener | None, judge: Judge | None) -> None:
        self._engine, self._key, self._listener, self._judge = engine, key, listener, judge
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Store the first row, so that workers find it, and start the thread."""
        self._store(self._beat())
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread and remove the row."""
        self._ended.set()
        self._thread.join()
        self._try(self._remove)

    def _beat(self) -> Beat:
        listener, broker = ("off", "off") if self._listener is None else self._listener.state
        judge = "off" if self._judge is None else self._judge.state
        return Beat(time.monotonic(), listener, broker, judge)

    def _run(self) -> None:
        last: Beat | None = None
        while not self._ended.wait(POLL_S):
            beat = self._beat()
            is_new = last is None or msgspec.structs.replace(beat, at=last.at) != last
            if is_new or last is None or beat.at - last.at >= BEAT_S:
                last = beat if self._store(beat) else None

    def _store(self, beat: Beat) -> bool:
        return self._try(lambda: self._put(beat))

    def _put(self, beat: Beat) -> None:
        with self._engine.begin() as db:
            put(db, self._key, msgspec.json.encode(beat).decode())

    def _remove(self) -> None:
        with self._engine.begin() as db:
            db.execute(delete(schema.key_values).where(schema.key_values.c.key == self._key))

    def _try(self, store: Callable[[], None]) -> bool:
        """Return True if the database stored it; other processes detect a failure by the row's age."""
        try:
            store()
        except SQLAlchemyError as error:
            log.debug("the heartbeat is not stored: %s", error)
            return False
        return True


def health(engine: Engine, key: str | None) -> HubHealth:
    """Return the health of the hub whose row has this key; None: there is no main process, only pages."""
    try:
        with engine.connect() as db:
            row = get(db, key) if key is not None else None
            db.execute(text("select 1"))
    except SQLAlchemyError:
        return DATABASE_AWAY
    return view(parts_of(None if row is None else msgspec.json.decode(row, type=Beat), key, time.monotonic()))


def parts_of(beat: Beat | None, key: str | None, now: float) -> HubParts:
    """Return the state of the parts by the last row."""
    if key is None:
        states = ["off"] * 3
    elif beat is None:
        states = ["stuck"] * 3
    else:
        is_fresh = 0 <= now - beat.at <= STALE_S  # the clock begins anew with the machine
        states = [beat.listener, beat.broker, beat.judge]
        states = [state if is_fresh or state == "off" else "stuck" for state in states]
    listener, broker, judge = states
    return HubParts(database="ok", listener=listener, broker=broker, judge=judge)


def view(parts: HubParts) -> HubHealth:
    """Return the answer for parts in these states."""
    wrong = [
        f"the {name} {STATES.get(state, state)}"
        for name, state in msgspec.structs.asdict(parts).items()
        if state not in ("ok", "off", "unknown")
    ]
    return HubHealth(ok=not wrong, why="; ".join(wrong) or None, parts=parts)


DATABASE_AWAY: Final = view(HubParts(database="away", listener="unknown", broker="unknown", judge="unknown"))
