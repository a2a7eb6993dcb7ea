"""A card pad that types: a reader on USB which is a keyboard to the computer, through the package `evdev`.

It types a card's number once, when the card comes, and nothing when it goes; companion/devices/typed.py
parses the text. No other program receives its keys: this program grabs the keyboard (EVIOCGRAB). One that may
be a person's keyboard is grabbed only after it has typed a card's number as fast as no person can. The same
reader at the tablet is reported through `typed`, by the table page.
"""

from __future__ import annotations

import importlib
import os
import queue
import select
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.devices.health import PadFault, PadHealth, RangeTest
from companion.devices.no_reader import NoReader
from companion.devices.readings import PadSeen, Tell
from companion.devices.standing import Standing, with_version
from companion.devices.typed import GAP_S, Typist, uid_of
from companion.message import N_, Sentence
from companion.settings import TagFormat

RETRY_S: Final = 1.0
HELD_S: Final = 1.0
"""Seconds for which a typed card counts as being there; typed again by then, it was not lifted."""
NODES: Final = Path("/dev/input")
EV_SYN, EV_KEY, SYN_DROPPED, DOWN = 0, 1, 3, 1  # include/uapi/linux/input-event-codes.h
BUS_USB: Final = 3  # include/uapi/linux/input.h
NEEDED: Final = frozenset((*range(2, 12), 28))  # the keys 1 to 0 and Enter: the least that a reader has
LIKE_READERS: Final = ("reader", "rfid", "nfc", "card")  # words in the names of readers


class Keyboard(NamedTuple):
    """A keyboard: the path of its node, its name, its numbers such as "ffff:0035", whether it is on USB."""

    path: str
    name: str
    numbers: str
    on_usb: bool = True

    def __str__(self) -> str:
        return f"{self.name} ({self.numbers})"


def chosen(keyboards: Sequence[Keyboard], named: str | None) -> tuple[Keyboard | None, PadFault | None]:
    """Return the keyboard that is the reader, and a fault against it.

    Named in the settings by its numbers or a part of its name; otherwise the only one whose name says that it
    is a reader; otherwise the only keyboard on USB, which may be a person's: `unsure`. Nodes of one reader
    are one.
    """
    if named is not None:
        word = named.strip().lower()
        fit = [one for one in keyboards if word == one.numbers or word in one.name.lower()]
        return (fit[0], None) if fit else (None, "absent")
    on_usb = [one for one in keyboards if one.on_usb]
    says = [one for one in on_usb if any(word in one.name.lower() for word in LIKE_READERS)]
    for some, doubt in ((says, None), (on_usb, "unsure")):
        if some and len({one.numbers for one in some}) == 1:
            return some[0], doubt  # type: ignore[return-value]  # one of the words of PadFault
        if some:
            return None, "several"
    return None, "absent"


class Held:
    """The tag on a reader that reports when a card comes and not when it goes."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}
        self._torn_until = 0.0
        self._reported: PadSeen | None = None

    @property
    def due(self) -> float | None:
        """The time when the state changes by itself."""
        torn = [self._torn_until] if self._torn_until else []
        return min((*self._until.values(), *torn), default=None)

    def typed(self, uid: str | None, now: float) -> None:
        """Process a typed card; None: a text that is no card's."""
        if uid is None:
            self._torn_until = now + HELD_S
        else:
            self._until[uid] = now + HELD_S

    def seen(self, now: float) -> PadSeen | None:
        """Return the new state, if it has changed.

        >>> held = Held()
        >>> held.typed("04A1B2C3", 5.0)
        >>> held.seen(5.0)
        PadSeen(tags=frozenset({'04A1B2C3'}), unreadable=False)
        >>> held.seen(5.5), held.seen(6.0)
        (None, PadSeen(tags=frozenset(), unreadable=False))
        """
        self._until = {uid: until for uid, until in self._until.items() if now < until}
        if now >= self._torn_until:
            self._torn_until = 0.0
        seen = PadSeen(frozenset(self._until), bool(self._torn_until))
        if seen == self._reported:
            return None
        self._reported = seen
        return seen


class UsbPad(Standing):
    """The reader that `named` names, or the one that is found; `form` is its format of a UID."""

    def __init__(self, named: str | None = None, form: TagFormat = "auto") -> None:
        super().__init__(PadHealth(kind="usb", named=named is not None))
        self.named, self.form = named, form
        self._held = Held()
        self._evdev: Any = None
        self._orders: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def start(self, tell: Tell) -> None:
        """Watch the reader in a background thread and report the tags held to it; never raise."""
        self._tell = tell
        self._wake = os.eventfd(0)
        try:
            self._evdev = importlib.import_module("evdev")
            self._note(library=with_version("evdev"))
        except ImportError:
            self._evdev = None  # a reader at the tablet works all the same
        self._thread = threading.Thread(target=self._watch, name="pad", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and release the reader."""
        if self._thread is not None:
            self._order(None)
            self._thread.join()
            self._thread = None
            os.close(self._wake)

    def uid_of(self, text: str) -> str | None:
        """Return the UID for a text typed by a reader of this table; None if it is none."""
        return uid_of(text, self.form)

    def typed(self, text: str) -> str | None:
        """Process a text typed by the reader at the tablet, a card held to the pad; return its
        UID, or None.
        """
        uid = self.uid_of(text)
        if uid is not None and self._thread is not None:
            self._order(uid)
        return uid

    def range_test(self, polls: int = 50) -> RangeTest:
        """Raise TimeoutError: a reader that types cannot be polled."""
        raise TimeoutError(_NO_TEST)

    def _order(self, uid: str | None) -> None:
        self._orders.put(uid)
        os.eventfd_write(self._wake, 1)

    # --- the thread ------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Search for the reader each second until it is there, and again whenever it is gone."""
        goes_on = True
        while goes_on:
            try:
                device, doubt = self._open()
            except NoReader as problem:
                self._cannot(problem)
                goes_on = self._wait(time.monotonic() + RETRY_S)
                continue
            self._is("ok", fault=doubt)
            self._show()
            try:
                goes_on = self._listen(device, doubt is None)
            except OSError:  # unplugged
                self._held = Held()  # when it is back, the state is reported again
                self._note(lies=frozenset())
            finally:
                device.close()

    def _open(self) -> tuple[Any, PadFault | None]:
        """Return the reader, opened, and a doubt about it; raise NoReader."""
        if self._evdev is None:
            raise NoReader("no library")
        paths = self._evdev.list_devices()
        if not paths and any(NODES.glob("event*")):
            raise NoReader("no leave")
        opened = dict(self._keyboards(paths))
        one, doubt = chosen(list(opened), self.named)
        for keyboard in opened.keys() - {one}:
            opened[keyboard].close()
        if one is None:
            raise NoReader(doubt or "absent", map(str, opened))
        if doubt is None and not _grabbed(opened[one]):
            opened[one].close()
            raise NoReader("taken", (str(one),))
        self._note(device=str(one), found=())
        return opened[one], doubt

    def _keyboards(self, paths: Iterable[str]) -> Iterator[tuple[Keyboard, Any]]:
        """Yield the devices that have the keys which a reader needs, opened."""
        for path in paths:
            try:
                device = self._evdev.InputDevice(path)
            except OSError:  # gone since it was listed
                continue
            info = device.info
            if NEEDED.issubset(device.capabilities().get(EV_KEY, ())):
                numbers = f"{info.vendor:04x}:{info.product:04x}"
                yield Keyboard(path, device.name, numbers, info.bustype == BUS_USB), device
            else:
                device.close()

    def _cannot(self, problem: NoReader) -> None:
        """Report that there is no reader here, for this reason; the one at the tablet may work."""
        self._note(device=None, found=problem.found)
        if self.health.at_tablet:
            self._is("ok")
            return
        values = {"reader": self.named or "", "found": ", ".join(problem.found)}
        why = WHY_NAMED if problem.fault == "absent" and self.named else WHY[problem.fault]
        self._is_gone(Sentence(why, values), problem.fault)

    def _listen(self, device: Any, is_ours: bool) -> bool:
        """Read its keys until it is unplugged (OSError); return False once the pad is stopped."""
        typist, last_key, is_proven = Typist(), 0.0, is_ours
        while True:
            over = last_key + GAP_S if typist.is_typing else None
            dues = [due for due in (self._held.due, over) if due is not None]
            readable = self._sleep([device.fd], min(dues, default=None))
            if not self._handle_orders():
                return False
            texts: list[str] = []
            if readable:
                last_key = time.monotonic()
                for event in device.read():
                    if event.type == EV_SYN and event.code == SYN_DROPPED:
                        typist.dropped()
                    if event.type == EV_KEY and event.value == DOWN:
                        texts += typist.key(event.code, event.timestamp())
            elif over is not None and time.monotonic() >= over:
                texts = typist.quiet()
            for uid in map(self.uid_of, texts):
                if uid is not None and not is_proven:
                    is_proven = True
                    self._is("ok")
                if is_proven:  # else a person types
                    self._take(uid)
            if is_proven and not is_ours and not device.active_keys():  # a key that is down would stay so
                is_ours = _grabbed(device)
            self._show()

    def _wait(self, until: float) -> bool:
        """Process texts from the tablet until then; return False once the pad is stopped."""
        while time.monotonic() < until:
            self._sleep([], min(until, self._held.due or until))
            if not self._handle_orders():
                return False
            if self.health.at_tablet:  # otherwise the tag there is unknown
                self._show()
        return True

    def _sleep(self, files: list[int], until: float | None) -> bool:
        """Sleep until then, or an order; return True if a file can be read, or is gone."""
        left = None if until is None else max(0.0, until - time.monotonic())
        poll = select.poll()  # select itself knows the numbers below 1024 alone
        for file in (self._wake, *files):
            poll.register(file, select.POLLIN)
        readable = [file for file, _ in poll.poll(None if left is None else ceil(1000 * left))]
        if self._wake in readable:
            os.eventfd_read(self._wake)
        return any(file in readable for file in files)

    def _handle_orders(self) -> bool:
        """Process the orders that wait, such as texts from the tablet; return False if the pad is to stop."""
        while not self._orders.empty():
            uid = self._orders.get()
            if uid is None:
                return False
            self._note(at_tablet=True)
            if self.health.fault != "unsure":
                self._is("ok")
            self._take(uid)
        return True

    def _take(self, uid: str | None) -> None:
        self._held.typed(uid, time.monotonic())
        self._note(polls=self.health.polls + 1)
        self._show()

    def _show(self) -> None:
        seen = self._held.seen(time.monotonic())
        if seen is not None:
            self._note(lies=seen.tags, changed=time.monotonic())
            self._tell(seen)


def _grabbed(device: Any) -> bool:
    """Grab the keyboard; return False if another program has it."""
    try:
        device.grab()
    except OSError:
        return False
    return True


_NO_TEST: Final = Sentence(
    N_("a reader that types cannot be asked how often it sees a tag: hold a card to it, and see it named")
)
WHY: Final[dict[PadFault, str]] = {
    "absent": N_("no USB reader is found: plug it in here or at the tablet, or tap the cards on the screen"),
    "several": N_(
        "which of these is the USB reader cannot be told: {found}; name it as usb_reader in companion.toml"
    ),
    "no leave": N_(
        "the USB reader may not be read by this user: run sudo adduser NAME input, with your own name there, "
        "then log in again"
    ),
    "taken": N_("another program has the USB reader {found}: end it, or tap the cards on the screen"),
    "no library": N_(
        "a USB reader at this machine needs the package evdev: run sudo apt install python3-evdev, then "
        "python -m companion.install.bindings; one at the tablet works without"
    ),
}
WHY_NAMED: Final = N_(
    "no USB reader {reader} is found, as usb_reader in companion.toml names it: plug it in, or name another"
)
