"""A card pad that types: a reader on USB which is a keyboard to the computer, through the package `evdev`.

Names do not say which one is the reader: readers are called "Keyboard", and persons' keyboards "Smart Card
Reader". So all keyboards on USB and Bluetooth are listened to, without taking their keys away,
until one does what only a reader does: it types a tag's number faster than a person can. That one is grabbed
(EVIOCGRAB), so that no other program receives its keys, and the others are closed. The one that the settings
name is grabbed at once. The same reader at the tablet is reported through `typed`, by the table page.
"""

from __future__ import annotations

import importlib
import os
import queue
import select
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.devices import held
from companion.devices.health import PadFault, PadHealth, RangeTest
from companion.devices.held import AGAIN_S, Held
from companion.devices.no_reader import NoReader
from companion.devices.readings import Tell
from companion.devices.standing import Standing, with_version
from companion.devices.typed import GAP_S, Pace, Typist
from companion.devices.uid_text import LONGEST, TORN, read_uid, uid_of
from companion.errors import ValidationError
from companion.message import N_, Sentence
from companion.settings import TagFormat

RETRY_S: Final = 1.0
HELD_S: Final = held.HELD_S
FEW: Final = 3  # figures in a text that may be a part of a number
NODES: Final = Path("/dev/input")
EV_SYN, EV_KEY, SYN_DROPPED, UP, DOWN = 0, 1, 3, 0, 1  # include/uapi/linux/input-event-codes.h
BUSES: Final = frozenset((3, 5))  # USB and Bluetooth, include/uapi/linux/input.h
LIKE_READERS: Final = ("reader", "rfid", "nfc", "card")  # words in the names of readers
NEEDED: Final = frozenset((*range(2, 12), 28))  # the keys 1 to 0 and Enter: the least that a reader has


class Keyboard(NamedTuple):
    """A keyboard: the path of its node, its name, its numbers such as "ffff:0035", whether a reader may be
    connected in this way.
    """

    path: str
    name: str
    numbers: str
    is_plugged: bool = True

    def __str__(self) -> str:
        return f"{self.name} ({self.numbers})"

    def is_named(self, named: str) -> bool:
        """Return True if the settings name this one, by its numbers or a part of its name."""
        word = named.strip().lower()
        return word == self.numbers or word in self.name.lower()


class Listened:
    """A keyboard that is listened to: its device, the text that it is typing, and whether it is grabbed."""

    def __init__(self, keyboard: Keyboard, device: Any) -> None:
        self.keyboard, self.device = keyboard, device
        self.typist = Typist()
        self.last_key = 0.0
        self.is_grabbed = False
        self.is_card = False  # whether its last text was a card's number

    @property
    def over(self) -> float | None:
        """The time when its text ends if no more keys come."""
        return self.last_key + GAP_S if self.typist.is_typing else None

    def texts(self, is_readable: bool, now: float) -> list[str]:
        """Return the texts that have ended; raise OSError if it is unplugged."""
        if is_readable:
            self.last_key = now
            return [text for event in self.device.read() for text in self._after(event)]
        return self.typist.quiet() if self.over is not None and now >= self.over else []

    def _after(self, event: Any) -> list[str]:
        if event.type == EV_SYN and event.code == SYN_DROPPED:
            self.typist.dropped()
        if event.type == EV_KEY and event.value == UP:
            self.typist.released(event.code)
        if event.type == EV_KEY and event.value == DOWN:
            return self.typist.key(event.code, event.timestamp())
        return []

    def grab(self) -> None:
        """Take its keys away from other programs, unless one of them has it or a key is down, which would
        stay so.
        """
        if not self.is_grabbed and not self.device.active_keys():
            with suppress(OSError):
                self.device.grab()
                self.is_grabbed = True


class UsbPad(Standing):
    """The reader that `named` names, or the one that behaves like one.

    `form` is its format of a UID; `again_s`: for so many seconds a card that is typed again is the same card.
    """

    def __init__(self, named: str | None = None, form: TagFormat = "auto", again_s: float = AGAIN_S) -> None:
        super().__init__(PadHealth(kind="usb", named=named is not None))
        self.named, self.form, self.again_s = named, form, again_s
        self._lock = threading.Lock()
        self._held = Held(HELD_S, again_s)
        self._evdev: Any = None
        self._listened: dict[str, Listened] = {}
        self._others: set[str] = set()  # nodes that are no keyboards
        self._reader: Listened | None = None
        self._proven: tuple[str, str] | None = None  # name and numbers of the one that was the reader
        self._orders: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
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

    def why_not(self, text: str) -> Sentence | None:
        """Return why a text typed by a reader of this table is no UID; None if it is one."""
        try:
            read_uid(text, self.form)
        except ValidationError as problem:
            return problem.sentence
        return None

    def typed(self, text: str) -> str | None:
        """Process a text typed by the reader at the tablet, a card held to the pad; return its
        UID, or None.
        """
        uid = self._note_text(text)
        if uid is not None and self._thread is not None:
            self._order(lambda: self._take_tablets(uid))
        return uid

    def forget(self, but: Collection[str] = ()) -> None:
        """Let the last card, if it is none of these, count as laid anew when it is typed again: something
        else has happened since.
        """
        if self._thread is not None:
            self._order(lambda: self._held.forget(but))

    def range_test(self, polls: int = 50) -> RangeTest:
        """Raise TimeoutError: a reader that types cannot be polled."""
        raise TimeoutError(_NO_TEST)

    def _note(self, **more: Any) -> None:
        with self._lock:  # texts from the tablet are noted by other threads
            super()._note(**more)

    def _note_text(self, text: str) -> str | None:
        """Note what was typed last, for people who search a fault; return its UID, or None."""
        self._note(typed=text[:LONGEST], unread=self.why_not(text))
        return self.uid_of(text)

    def _order(self, order: Callable[[], None] | None) -> None:
        self._orders.put(order)
        os.eventfd_write(self._wake, 1)

    # --- the thread ------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Search for the reader each second until it is there, and again whenever it is gone."""
        try:
            while True:
                try:
                    self._search()
                    self._report()
                except NoReader as problem:
                    self._cannot(problem)
                until = None if self._reader is not None else time.monotonic() + RETRY_S
                if not self._listen(until):
                    return
        finally:
            self._close(self._listened)

    def _search(self) -> None:
        """Listen to new keyboards, and choose the one that is the reader; raise NoReader."""
        if self._reader is not None:
            return
        if self._evdev is None:
            raise NoReader("no library")
        paths = self._evdev.list_devices()
        if not paths and any(NODES.glob("event*")):
            raise NoReader("no leave")
        self._others &= set(paths)
        self._close(self._listened.keys() - set(paths))
        for keyboard, device in self._keyboards(set(paths) - self._listened.keys() - self._others):
            self._listened[keyboard.path] = Listened(keyboard, device)
        found = list(self._listened.values())
        if self.named is None:
            self._close([one.keyboard.path for one in found if not one.keyboard.is_plugged])
            chosen = [one for one in found if (one.keyboard.name, one.keyboard.numbers) == self._proven]
        else:
            chosen = [one for one in found if one.keyboard.is_named(self.named)]
        if chosen:
            self._choose(chosen[0], _PROVEN if self.named is None else _NAMED)
            if not chosen[0].is_grabbed and not chosen[0].device.active_keys():
                self._close(self._listened)
                raise NoReader("taken", (str(chosen[0].keyboard),))
        elif self.named is not None or not self._listened:
            self._close(self._listened)
            raise NoReader("absent", (str(one.keyboard) for one in found if self.named is not None))

    def _choose(self, one: Listened, why: str) -> None:
        """Make this one the reader, and close the others."""
        self._close(self._listened.keys() - {one.keyboard.path})
        one.grab()
        self._reader, self._proven = one, (one.keyboard.name, one.keyboard.numbers)
        self._note(device=str(one.keyboard), found=(), chosen=Sentence(why, _numbers(one)))

    def _keyboards(self, paths: Iterable[str]) -> Iterator[tuple[Keyboard, Any]]:
        """Yield the devices that have the keys which a reader needs, opened."""
        for path in sorted(paths):
            try:
                device = self._evdev.InputDevice(path)
            except OSError:  # gone since it was listed
                continue
            info = device.info
            if NEEDED.issubset(device.capabilities().get(EV_KEY, ())):
                numbers = f"{info.vendor:04x}:{info.product:04x}"
                yield Keyboard(path, device.name, numbers, info.bustype in BUSES), device
            else:
                self._others.add(path)
                device.close()

    def _close(self, paths: Iterable[str]) -> None:
        for path in list(paths):
            one = self._listened.pop(path)
            one.device.close()
            if one is self._reader:
                self._reader = None

    def _report(self) -> None:
        """Report the state while something is listened to."""
        if self._reader is not None:
            self._is("ok")
        else:
            names = tuple(dict.fromkeys(str(one.keyboard) for one in self._listened.values()))
            if names != self.health.found:
                self._note(device=names[0] if len(names) == 1 else None, found=names, chosen=None)
            if self.health.at_tablet or self._is_probable():
                self._is("ok")
            elif self._proven is None:
                self._is("ok", fault="unsure")
            else:
                self._is_gone(Sentence(WHY["absent"]), "absent")
        self._show()

    def _is_probable(self) -> bool:
        """Return True if a keyboard is the reader in all probability, though it is not grabbed: it is alone,
        and its name says so; or it has typed a number as evenly as a machine.
        """
        found, why = self.health.found, self.health.chosen
        if why is not None:
            return why.text == _EVEN
        return (
            self._proven is None
            and len(found) == 1
            and any(word in found[0].lower() for word in LIKE_READERS)
        )

    def _cannot(self, problem: NoReader) -> None:
        """Report that there is no reader here, for this reason; the one at the tablet may work."""
        self._note(device=None, found=problem.found, chosen=None)
        if self.health.at_tablet:
            self._is("ok")
            return
        values = {"reader": self.named or "", "found": ", ".join(problem.found)}
        why = WHY_NAMED if problem.fault == "absent" and self.named else WHY[problem.fault]
        self._is_gone(Sentence(why, values), problem.fault)

    def _listen(self, until: float | None) -> bool:
        """Read keys until then, or until the reader or a keyboard is unplugged; return False once the pad is
        stopped.
        """
        while until is None or time.monotonic() < until:
            listened = list(self._listened.values())
            dues = [until, self._held.due, *(one.over for one in listened)]
            files = [one.device.fd for one in listened]
            readable = self._sleep(files, min((due for due in dues if due is not None), default=None))
            if not self._handle_orders():
                return False
            for one in listened:
                try:
                    self._hear(one, one.texts(one.device.fd in readable, time.monotonic()))
                except OSError:
                    self._unplugged(one)
                    return True
                if self._reader is one:
                    one.grab()
                    until = None
                    break  # the others are closed
            if listened or self.health.at_tablet:  # otherwise the tag there is unknown
                self._show()
        return True

    def _unplugged(self, one: Listened) -> None:
        was_reader = one is self._reader
        self._close([one.keyboard.path])
        if was_reader:
            self._held = Held(HELD_S, self.again_s)  # when it is back, the state is reported again
            self._note(lies=frozenset())

    def _hear(self, one: Listened, texts: Iterable[str]) -> None:
        """Process the texts that a keyboard has typed: those of a person are nothing."""
        for text in texts:
            if one is not self._reader:
                if not self._is_readers(text, one.typist.pace):
                    continue
                if self.uid_of(text) is not None and not self._is_taken_for_reader(one):
                    continue
            is_rest = one.is_card and one.typist.follows and self.uid_of(text) is None
            if not is_rest:  # of a card's number, such as a second number on a line of its own
                self._take(self._note_text(text), text)
                one.is_card = self.uid_of(text) is not None

    def _is_taken_for_reader(self, one: Listened) -> bool:
        """Return True if a keyboard that has typed a card's number as a machine does is the reader.

        Only a quick one is grabbed. One that is slow must be alone: a person may type a number, too.
        """
        if one.typist.pace.is_quick:
            self._choose(one, _QUICK)
        else:
            is_alone = len(self.health.found) == 1
            why = Sentence(_EVEN if is_alone else _PERHAPS, _numbers(one))
            self._note(device=str(one.keyboard), chosen=why)
            if not is_alone:
                return False
        self._is("ok")
        return True

    def _is_readers(self, text: str, pace: Pace) -> bool:
        """Return True if no person has typed this: a tag's number, or another number at a reader's speed."""
        if self.uid_of(text) is not None:
            return pace.is_quick or pace.is_even
        figures = sum(char.isdecimal() for char in text)
        return pace.is_quick and figures >= FEW and 2 * figures >= sum(char.isalnum() for char in text)

    def _sleep(self, files: Iterable[int], until: float | None) -> list[int]:
        """Sleep until then, or an order; return the files that can be read, or are gone."""
        left = None if until is None else max(0.0, until - time.monotonic())
        poll = select.poll()  # select itself knows the numbers below 1024 alone
        for file in (self._wake, *files):
            poll.register(file, select.POLLIN)
        readable = [file for file, _ in poll.poll(None if left is None else ceil(1000 * left))]
        if self._wake in readable:
            os.eventfd_read(self._wake)
        return readable

    def _handle_orders(self) -> bool:
        """Process the orders that wait, such as texts from the tablet; return False if the pad is to stop."""
        while not self._orders.empty():
            order = self._orders.get()
            if order is None:
                return False
            order()
        return True

    def _take_tablets(self, uid: str) -> None:
        self._note(at_tablet=True)
        if self._reader is None:
            self._is("ok")
        self._take(uid)

    def _take(self, uid: str | None, text: str = TORN) -> None:
        """Take a card, or a text that is none."""
        now = time.monotonic()
        if uid is not None:
            self._held.typed(uid, now)
        elif (why := self.why_not(text)) is not None:
            self._held.failed(why, now)
        self._show()
        self._note(polls=self.health.polls + 1)

    def _show(self) -> None:
        seen = self._held.seen(time.monotonic())
        if seen is not None:
            self._note(lies=seen.tags, changed=time.monotonic())
            self._tell(seen)


def _numbers(one: Listened) -> dict[str, str]:
    return {"numbers": one.keyboard.numbers}


_NO_TEST: Final = Sentence(
    N_("a reader that types cannot be asked how often it sees a tag: hold a card to it, and see it named")
)
_NAMED: Final = N_("companion.toml names it as usb_reader; to use another one, change that line")
_QUICK: Final = N_(
    "it typed a tag's number faster than a person can; to use another one, set usb_reader in companion.toml, "
    'where this one is usb_reader = "{numbers}"'
)
_PROVEN: Final = N_(
    "it was the reader before it was unplugged; to use another one, set usb_reader in companion.toml, "
    'where this one is usb_reader = "{numbers}"'
)
_EVEN: Final = N_(
    "it typed a tag's number slowly, but as evenly as a machine; other programs get its keys too, unless you "
    'write usb_reader = "{numbers}" into companion.toml'
)
_PERHAPS: Final = N_(
    "it typed a tag's number slowly, as a person may: if it is the reader, write "
    'usb_reader = "{numbers}" into companion.toml'
)
WHY: Final[dict[PadFault, str]] = {
    "absent": N_("no USB reader is found: plug it in here or at the tablet, or tap the cards on the screen"),
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
