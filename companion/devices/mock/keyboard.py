"""A replacement for the module evdev, with modelled keyboards: a reader that types, and other keyboards.

The driver finds the same things as on Linux: nodes, their names and numbers, key events with the kernel's
times, ENODEV once the plug is pulled. `install` puts the replacement into sys.modules, `uninstall` takes it
out. Readers type in different formats, by maker: `style` is the format of this one.
"""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any, NamedTuple

EV_SYN, EV_KEY, SYN_DROPPED, BUS_USB, BUS_I8042 = 0, 1, 3, 3, 0x11
ENTER, SHIFT, LETTER_Q = 28, 42, 16
KEY_S = 0.008  # a key down or up at each poll of the computer: full speed USB, each 8 ms
CODES = dict(zip("1234567890", range(2, 12), strict=True)) | dict(
    zip("ABCDEF", (30, 48, 46, 32, 18, 33), strict=True)
)
SIGNS = {
    char: (code,) for char, code in zip("-=;,./ \t\n", (12, 13, 39, 51, 52, 53, 57, 15, 28), strict=True)
} | {
    char: (SHIFT, code) for char, code in zip(":?%+HN", (39, 53, 6, 13, 35, 49), strict=True)
}  # of the US layout
ALL_KEYS = tuple(range(1, 89))


class Style(NamedTuple):
    """The format in which a reader types a UID: decimal or hex, last byte first or not, digits, ended by
    Enter or not.

    `french`: it is set to a French keyboard: figures with Shift, A where Q is. `signs`: what comes before the
    number, between its bytes, and behind it.
    """

    decimal: bool = False
    backwards: bool = False
    digits: int = 0  # zeros before it up to so many
    enter: bool = True
    french: bool = False
    signs: tuple[str, str, str] = ("", "", "")

    def keys(self, uid: bytes) -> list[int]:
        """Return the codes of the keys, in order.

        >>> Style(decimal=True, digits=10).keys(bytes.fromhex("04A1B2C3"))
        [11, 11, 8, 8, 8, 11, 6, 10, 3, 4, 28]
        """
        number = uid[::-1] if self.backwards else uid
        text = str(int.from_bytes(number, "big")) if self.decimal else number.hex().upper()
        text = text.rjust(self.digits, "0")
        before, between, behind = self.signs
        if between:
            text = between.join(text[at : at + 2] for at in range(0, len(text), 2))
        codes = [code for char in before + text + behind for code in SIGNS.get(char) or (CODES[char],)]
        if self.french:
            codes = [one for code in codes for one in _french(code)]
        return codes + [ENTER] * self.enter


def _french(code: int) -> tuple[int, ...]:
    """Return the keys for a key of the US layout: figures need Shift there."""
    if code <= CODES["0"]:
        return SHIFT, code
    return (LETTER_Q if code == CODES["A"] else code,)


class Event(NamedTuple):
    """A kernel's input_event."""

    at: float
    type: int
    code: int
    value: int

    def timestamp(self) -> float:
        """Return the kernel's time in seconds."""
        return self.at


class Keyboard:
    """A keyboard at a node, with the pipe that carries its events."""

    def __init__(
        self,
        path: str,
        name: str,
        vendor: int,
        product: int,
        bustype: int = BUS_USB,
        keys: Sequence[int] = ALL_KEYS,
    ) -> None:
        self.path, self.name, self.keys = path, name, tuple(keys)
        self.info = Info(bustype, vendor, product, 0x0100)
        self.grabbed_by: object | None = None
        self.typed_elsewhere = 0  # keys that went to other listeners
        self.readers: list[InputDevice] = []
        self._clock = time.time()

    def press(self, codes: Iterable[int], apart: float = KEY_S) -> None:
        """Press and release each key, `apart` seconds by the kernel's clock."""
        self._clock = max(self._clock + 1.0, time.time())  # a hand takes a second at least
        for code in codes:
            self.typed_elsewhere += self.grabbed_by is None
            for value in (1, 0):
                self._clock += apart
                self._send(Event(self._clock, EV_KEY, code, value))
                self._send(Event(self._clock, EV_SYN, 0, 0))

    def drop(self) -> None:
        """Report that the kernel's buffer has overflowed."""
        self._send(Event(self._clock, EV_SYN, SYN_DROPPED, 0))

    def _send(self, event: Event) -> None:
        for device in list(self.readers):
            device.put(event)

    def pull(self) -> None:
        """Pull the plug: readers of the node get ENODEV."""
        for device in list(self.readers):
            device.put(None)


class Info(NamedTuple):
    """evdev.device.DeviceInfo."""

    bustype: int
    vendor: int
    product: int
    version: int


class InputDevice:
    """evdev.InputDevice, the part of it that a reader needs."""

    def __init__(self, keyboard: Keyboard) -> None:
        self._keyboard, self._events, self._lock = keyboard, deque[Event | None](), threading.Lock()
        self.path, self.name, self.info = keyboard.path, keyboard.name, keyboard.info
        self.fd, self._in = os.pipe()
        self._is_open = True
        keyboard.readers.append(self)

    def put(self, event: Event | None) -> None:
        """Deliver an event; None: the device disappears."""
        with self._lock:
            if self._is_open:
                self._events.append(event)
                os.write(self._in, b".")

    def capabilities(self) -> dict[int, list[int]]:
        """Return the codes of each type of event that it can have."""
        return {EV_SYN: [0], EV_KEY: list(self._keyboard.keys)}

    def read(self) -> Iterator[Event]:
        """Yield the events that have come; raise OSError ENODEV if the device is gone."""
        with self._lock:
            events, gone = [event for event in self._events if event], None in self._events
            os.read(self.fd, len(self._events))
            self._events.clear()
        yield from events
        if gone:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))

    def active_keys(self) -> list[int]:
        """Return the keys that are down: none between two actions of a hand."""
        return []

    def grab(self) -> None:
        """Grab the device; raise OSError EBUSY if another has it."""
        if self._keyboard.grabbed_by not in (None, self):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self._keyboard.grabbed_by = self

    def close(self) -> None:
        """Close the device."""
        with self._lock:
            if not self._is_open:
                return
            self._is_open = False
            os.close(self.fd)
            os.close(self._in)
        self._keyboard.readers.remove(self)
        if self._keyboard.grabbed_by is self:
            self._keyboard.grabbed_by = None


class World:
    """A computer with one reader that types, and any other keyboards that a test adds to `keyboards`."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.style = Style()
        self.reader = Keyboard("/dev/input/event3", "IC Reader", 0xFFFF, 0x0035)
        self.keyboards = [self.reader]
        self._uids: list[bytes] = []
        self._tears = False

    def put(self, uids: list[bytes]) -> None:
        """Put exactly these tags on the reader; it types the new ones."""
        with self.lock:
            received = [uid for uid in uids if uid not in self._uids]
            self._uids = list(uids)
            for uid in received:
                keys = self.style.keys(uid)
                if self._tears:
                    keys = keys[: len(keys) // 2] + [ENTER] * self.style.enter
                self.reader.press(keys)
                self._tears = False

    def plug(self, is_in: bool) -> None:
        """Plug the reader in, or pull it."""
        with self.lock:
            if is_in and self.reader not in self.keyboards:
                self.keyboards.append(self.reader)
            elif not is_in and self.reader in self.keyboards:
                self.keyboards.remove(self.reader)
                self.reader.pull()

    def break_(self, kind: str, on: bool) -> None:
        """Make or mend a fault of faults.py."""
        match kind:
            case "pulled-cable":
                self.plug(not on)
            case "taken":
                self.reader.grabbed_by = self if on else None
                if on:
                    self.reader.pull()  # so that it is opened again

    def tear_off(self) -> None:
        """Make the next tag leave while it is read: half of its number is typed."""
        self._tears = True

    def install(self) -> None:
        """Make this process find the world's keyboards."""
        uninstall()
        _before.update({name: sys.modules.pop(name) for name in NAMES if name in sys.modules})
        sys.modules["evdev"] = self._module()

    def uninstall(self) -> None:
        """Restore the process to its state before `install`."""
        uninstall()

    def _module(self) -> ModuleType:
        module: Any = ModuleType("evdev")

        def list_devices(input_device_dir: str = "/dev/input") -> list[str]:
            with self.lock:
                return [keyboard.path for keyboard in self.keyboards]

        def input_device(path: str) -> InputDevice:
            with self.lock:
                for keyboard in self.keyboards:
                    if keyboard.path == path:
                        return InputDevice(keyboard)
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)

        module.list_devices, module.InputDevice = list_devices, input_device
        return module  # type: ignore[no-any-return]


NAMES = ("evdev",)
_before: dict[str, ModuleType] = {}


def uninstall() -> None:
    """Remove any replacement from the process again."""
    for name in NAMES:
        sys.modules.pop(name, None)
    sys.modules.update(_before)
    _before.clear()
