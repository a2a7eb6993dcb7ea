"""A replacement for the module smartcard.scard, with a modelled service for PC/SC, one reader and
its cards.

The driver finds the same as with pcscd: names of readers, cards that come and go with a count of that, and
answers to commands. `install` puts the replacement into sys.modules, `uninstall` takes it out again.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from types import ModuleType
from typing import Any

SUCCESS, TIMEOUT, INVALID_HANDLE = 0, 0x8010000A, 0x80100003
UNKNOWN_READER, NO_SERVICE, NO_READERS = 0x80100009, 0x8010001D, 0x8010002E
SHARING_VIOLATION, UNRESPONSIVE, REMOVED = 0x8010000B, 0x80100066, 0x80100069
SECURITY_VIOLATION = 0x8010006A
CHANGED, UNKNOWN, EMPTY, PRESENT, INUSE, MUTE = 0x2, 0x4, 0x10, 0x20, 0x100, 0x200
T1 = 2
READER = "ACS ACR122U PICC Interface 00 00"
GET_UID = [0xFF, 0xCA, 0x00, 0x00, 0x00]
NOT_SUPPORTED = [0x6A, 0x81]
NAMES = ("smartcard", "smartcard.scard")


class World:
    """A computer with pcscd and one reader. Two cards at once cannot be read."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._changes = threading.Condition(self.lock)
        self.readers = [READER]
        self.events = 0  # cards that came and went
        self.refusal: int | None = None  # error code that callers of the service get instead
        self.is_taken = False  # another program has the card to itself
        self.is_mute = False
        self.is_in_use = False
        self._tears = False
        self._uids: list[bytes] = []
        self._contexts: set[int] = set()
        self._before: dict[str, ModuleType] = {}

    # --- hands -----------------------------------------------------------------------------------

    def put(self, uids: list[bytes]) -> None:
        """Put exactly these tags on the reader."""
        with self.lock:
            lifted = bool(self._uids) and self._uids != uids
            self.events += lifted + (bool(uids) and self._uids != uids)
            self._uids = list(uids)
            self._changes.notify_all()

    def break_(self, kind: str, on: bool) -> None:
        """Make or mend a fault of faults.py."""
        with self.lock:
            match kind:
                case "pulled-cable":
                    self.readers = [] if on else [READER]
                case "no-service":
                    self.refusal = NO_SERVICE if on else None
                    self._contexts.clear()
                case "taken":
                    self.is_taken = on
                case "mute-radio":
                    self.is_mute = on
            self._changes.notify_all()

    def tear_off(self) -> None:
        """Make the next tag leave while it is read."""
        self._tears = True

    # --- the service -----------------------------------------------------------------------------

    def _state(self, reader: str) -> int:
        if reader not in self.readers:
            return UNKNOWN
        if not self._uids:
            return EMPTY | self.events << 16
        mute = self.is_mute or len(self._uids) > 1
        return PRESENT | (MUTE if mute else 0) | (INUSE if self.is_in_use else 0) | self.events << 16

    def _establish(self, scope: int) -> tuple[int, int]:
        with self.lock:
            if self.refusal is not None:
                return self.refusal, 0
            context = len(self._contexts) + 1
            self._contexts.add(context)
            return SUCCESS, context

    def _release(self, context: int) -> int:
        with self.lock:
            self._contexts.discard(context)
            return SUCCESS

    def _list(self, context: int, groups: Sequence[str]) -> tuple[int, list[str]]:
        with self.lock:
            return (SUCCESS, list(self.readers)) if self.readers else (NO_READERS, [])

    def _change(
        self, context: int, wait_ms: int, readers: Sequence[tuple[str, int]]
    ) -> tuple[int, list[tuple[str, int, list[int]]]]:
        """Wait until the state of a reader differs from the known one, or the time is over."""
        [(reader, known)] = readers
        end = time.monotonic() + wait_ms / 1000
        with self.lock:
            while True:
                if context not in self._contexts:
                    return self.refusal or INVALID_HANDLE, []
                state = self._state(reader)
                if state != known & ~CHANGED:
                    return SUCCESS, [(reader, state | CHANGED, [])]
                left = end - time.monotonic()
                if left <= 0:
                    return TIMEOUT, [(reader, state, [])]
                self._changes.wait(left)

    def _connect(self, context: int, reader: str, share: int, protocols: int) -> tuple[int, int, int]:
        with self.lock:
            if self.is_taken:
                return SHARING_VIOLATION, 0, 0
            if self._state(reader) & MUTE or not self._uids:
                return UNRESPONSIVE, 0, 0
            self.is_in_use = True
            self._changes.notify_all()
            return SUCCESS, self.events, T1

    def _transmit(self, card: int, protocol: int, command: Sequence[int]) -> tuple[int, list[int]]:
        with self.lock:
            if self._tears:
                self._tears = False
                self.put([])
            if not self._uids or card != self.events:
                return REMOVED, []
            if list(command) != GET_UID or protocol != T1:
                return SUCCESS, NOT_SUPPORTED
            return SUCCESS, [*self._uids[0], 0x90, 0x00]

    def _disconnect(self, card: int, then: int) -> int:
        with self.lock:
            self.is_in_use = False
            self._changes.notify_all()
            return SUCCESS

    def install(self) -> None:
        """Make this process find the world's service."""
        self._before = {name: sys.modules.pop(name) for name in NAMES if name in sys.modules}
        package: Any = ModuleType("smartcard")
        package.__path__ = []
        scard: Any = ModuleType("smartcard.scard")
        scard.SCardEstablishContext, scard.SCardReleaseContext = self._establish, self._release
        scard.SCardListReaders, scard.SCardGetStatusChange = self._list, self._change
        scard.SCardConnect, scard.SCardTransmit = self._connect, self._transmit
        scard.SCardDisconnect = self._disconnect
        package.scard = scard
        sys.modules |= {"smartcard": package, "smartcard.scard": scard}

    def uninstall(self) -> None:
        """Restore the process to its state before `install`."""
        for name in NAMES:
            sys.modules.pop(name, None)
        sys.modules.update(self._before)
        self._before.clear()
