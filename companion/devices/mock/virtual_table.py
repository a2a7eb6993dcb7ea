"""The virtual table: the place of every tag, the faults, and the real drivers over it.

`parts` gives the very classes of a real table (the pads, Track, ButtonPanel) over modelled chip, cable and
pins.
"""

from __future__ import annotations

import json
import logging
import os
import pty
import socket
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Protocol

from gpiozero.pins.mock import MockFactory, MockPWMPin

import companion
from companion.devices.mock import faults, keyboard, pi, smartcard
from companion.devices.mock.faults import Fault
from companion.devices.mock.iso14443 import cascade
from companion.devices.mock.tags import DEMO_SET
from companion.devices.pads import CardPad, pad_of
from companion.devices.panel import BUTTONS, SETTLE_S, ButtonPanel
from companion.devices.track import Track
from companion.errors import InvalidInput
from companion.pins import PI_PINS
from companion.settings import PadKind, Settings

GHOST = "04F00DF00DF00D"  # a tag of no set
LOST_OF_TEN = pi.LOST_OF_TEN
ANSWER_S = 10.0


class PadWorld(Protocol):
    """The operations of the models of all card pads for the virtual table."""

    def put(self, uids: list[bytes]) -> None:
        """Put exactly these tags on it."""

    def break_(self, kind: str, on: bool) -> None:
        """Make or mend a fault of faults.py."""

    def tear_off(self) -> None:
        """Make a tag leave in the middle of its answer."""

    def install(self) -> None:
        """Make this process find it."""

    def uninstall(self) -> None:
        """Restore the process to its state before `install`."""


_WORLDS: Mapping[PadKind, Callable[[tuple[int, int], int], PadWorld]] = {
    "spi": lambda spi, reset: pi.World(*spi, reset=reset),
    "usb": lambda spi, reset: keyboard.World(),
    "pcsc": lambda spi, reset: smartcard.World(),
}


def modelled(pad: str | None) -> PadKind:
    """Return the card pad that is modelled: the one in the settings; for a plug-in's, the Pi's own."""
    return next((kind for kind in _WORLDS if kind == pad), "spi")


class VirtualTable:
    """A table with a card pad, a panel and a track of `spaces` readers; of switches if `kind` is
    "present".

    The places of the tags are stored in the file at `path` (None: not at all): after a crash they are
    restored. `pico` is one of PICOS; `pad` the kind of card pad. Every method may be called from any thread,
    and returns when the models have the new state.
    """

    def __init__(
        self,
        path: Path | None,
        spaces: int,
        pins: Mapping[str, int] = PI_PINS,
        spi: tuple[int, int] = (0, 0),
        kind: str = "tag",
        pico: str = "modelled",
        pad: PadKind = "spi",
    ) -> None:
        self._of_kind = PICOS[pico]
        self.path, self.spaces, self.pins, self.kind = path, spaces, pins, kind
        self.pad = pad
        self.world: PadWorld = _WORLDS[pad](spi, pins["pad_reset"])
        self.pin_factory = MockFactory(pin_class=MockPWMPin)
        self._lock = threading.RLock()
        self._on: set[tuple[str, str]] = set()
        self._pico: PicoProcess | None = None
        self._started = False
        self._at = dict.fromkeys(DEMO_SET, "off") | self._lying_before()

    # -- places of the tags

    def tags(self) -> dict[str, str]:
        """Return the place of every tag: UID to `off`, `pad` or `track/N`."""
        with self._lock:
            return dict(self._at)

    def put_on_pad(self, tags: Iterable[str]) -> None:
        """Put exactly these tags on the card pad; raise InvalidInput for an invalid UID."""
        self._put({"pad": tags})

    def put_on_space(self, space: int, tags: Iterable[str]) -> None:
        """Put exactly these tags on a space. One without a reader holds them too; it is not sensed.

        InvalidInput for a space below 0 and for an invalid UID.
        """
        self.put_on_spaces({space: tags})

    def put_on_spaces(self, tags: Mapping[int, Iterable[str]]) -> None:
        """Put exactly these tags on each of these spaces; their places are written once."""
        if (space := min(tags, default=0)) < 0:
            raise InvalidInput(f"there is no space {space}: spaces count from 0")
        self._put({f"track/{space}": there for space, there in tags.items()})

    def put_away(self, tags: Iterable[str]) -> None:
        """Take these tags from the table, wherever they are."""
        with self._lock:
            gone = {uid: place for uid in tags if (place := self._at.get(uid, "off")) != "off"}
            if not gone:
                return
            self._at |= dict.fromkeys(gone, "off")
            self._keep()
            for place in set(gone.values()):
                self._lay(place)

    def _put(self, tags: Mapping[str, Iterable[str]]) -> None:
        new = {checked(uid): at for at, there in tags.items() for uid in there}
        with self._lock:
            from_where = {self._at.get(uid, "off") for uid in new}
            for uid, place in self._at.items():
                if place in tags:
                    self._at[uid] = "off"
            self._at |= new
            self._keep()
            for place in from_where | tags.keys():
                self._lay(place)

    def _lay(self, at: str) -> None:
        """Update the model of one place with its tags."""
        there = [uid for uid, place in self._at.items() if place == at]
        if at == "pad":
            self.world.put([bytes.fromhex(uid) for uid in there])
        elif at != "off":
            self._order("lay", int(at.removeprefix("track/")), tags=there)

    def _lying_before(self) -> dict[str, str]:
        if self.path is None or not self.path.exists():
            return {}
        try:
            kept = json.loads(self.path.read_text(encoding="utf-8"))["tags"]
            return {checked(uid): str(at) for uid, at in kept.items()}
        except (ValueError, KeyError, AttributeError) as problem:
            bad = self.path.with_suffix(".bad")
            logging.getLogger(__name__).warning(
                "%s is unreadable (%s): kept as %s", self.path, problem, bad.name
            )
            self.path.replace(bad)
            return {}

    def _keep(self) -> None:
        if self.path is None:
            return
        lying = {uid: at for uid, at in self._at.items() if at != "off"}
        new = self.path.with_suffix(".new")
        with open(new, "w", encoding="utf-8") as file:
            json.dump({"tags": lying}, file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path)
        directory = os.open(self.path.parent, os.O_RDONLY)
        os.fsync(directory)
        os.close(directory)

    # -- faults

    def faults(self) -> list[Fault]:
        """Return every fault that can be made, with its state."""
        with self._lock:
            return [
                Fault(kind=kind, at=at, on=(kind, at) in self._on)
                for kind, at in faults.places(self.kind, self.spaces, self.pad)
            ]

    def set_fault(self, kind: str, at: str, on: bool) -> None:
        """Make or mend a fault; raise InvalidInput for one that is not in `faults`."""
        places = faults.places(self.kind, self.spaces, self.pad)
        if (kind, at) not in places:
            kinds = ", ".join(sorted({fault for fault, _ in places}))
            raise InvalidInput(
                f"there is no fault {kind!r} at {at!r}: there are {kinds}; at pad, track, track/N"
            )
        with self._lock:
            if kind in faults.MOMENTS:
                if on:
                    self._apply(kind, at, True)
                return
            if on:
                self._on.add((kind, at))
            else:
                self._on.discard((kind, at))
            self._apply(kind, at, on)

    def _apply(self, kind: str, at: str, on: bool) -> None:
        if kind == "torn-tag":
            self._tear_off(at)
        elif at == "pad":
            self.world.break_(kind, on)
        elif kind == "pulled-cable":
            if on:
                self._unplug()
            elif self._started:
                self._plug_in()
        else:
            space = -1 if at == "track" else int(at.removeprefix("track/"))
            strength = (LOST_OF_TEN if on else 0) if kind == "flicker" else on
            self._order(kind, space, on=strength, tag=GHOST)

    def _tear_off(self, at: str) -> None:
        """Make the first tag there leave in the middle of its answer."""
        torn = [uid for uid, place in self._at.items() if place == at][:1]
        if at == "pad":
            self.world.tear_off()
        else:
            self._order("torn-tag", int(at.removeprefix("track/")))
        self._at |= dict.fromkeys(torn, "off")
        self._keep()

    # -- the panel

    def press(self, button: str) -> None:
        """Press and release a button of the panel; raise InvalidInput if there is no such button."""
        if button not in BUTTONS:
            raise InvalidInput(f"the panel has no button {button!r}: there are confirm, undo, next")
        pin = self.pin_factory.pin(f"GPIO{self.pins[button]}")
        with self._lock:
            pin.drive_low()
            time.sleep(2 * SETTLE_S)
            pin.drive_high()
            time.sleep(2 * SETTLE_S)

    def lamp(self) -> str:
        """Return the colour of the panel's lamp: off, red, green, yellow, blue, or another
        mixture of them.
        """
        lit = [
            colour
            for colour in ("red", "green", "blue")
            if (pin := self.pin_factory.pin(f"GPIO{self.pins[f'lamp_{colour}']}")).function == "output"
            and pin.state
        ]
        return {(): "off", ("red", "green"): "yellow"}.get(tuple(lit), "+".join(lit))

    # -- the Pico

    @property
    def pico_port(self) -> str | None:
        """The serial line to the Pico; None while the cable is pulled. It may be another each time."""
        with self._lock:
            return None if self._pico is None or not self._pico.is_ready else self._pico.port

    def prepare(self) -> None:
        """Switch the Pico on: its start takes a while, in which other things can be done before `start`."""
        with self._lock:
            if self._is_plugged_in():
                self._pico = self._of_kind(self.spaces, self.kind)

    def start(self) -> None:
        """Set the table up: from now on this process finds a Pi's bus, and a Pico on a serial line."""
        with self._lock:
            self._started = True
            self.world.install()
            self._lay("pad")
            if self._is_plugged_in():
                self._plug_in()

    def _is_plugged_in(self) -> bool:
        return bool(self.spaces) and ("pulled-cable", "track") not in self._on

    def stop(self) -> None:
        """Clear the table away."""
        with self._lock:
            self._started = False
            self._unplug()
            self.world.uninstall()
            self.pin_factory.reset()

    def report(self) -> dict[str, Any]:
        """Return the report of the Pico's process: wiring mistakes, most fields on, CPU seconds,
        transfers.
        """
        with self._lock:
            return self._order("report", -1)

    def _plug_in(self) -> None:
        if self._pico is None:
            self._pico = self._of_kind(self.spaces, self.kind)
        if not self._pico.is_ready:
            self._pico.wait_until_ready()
            for place in {at for at in self._at.values() if at.startswith("track/")}:
                self._lay(place)
            for kind, at in self._on:
                if at.startswith("track") and kind != "pulled-cable":
                    self._apply(kind, at, True)

    def _unplug(self) -> None:
        if self._pico is not None:
            self._pico.stop()
            self._pico = None

    def _order(self, do: str, at: int, **more: object) -> dict[str, Any]:
        if self._pico is None or not self._pico.is_ready or at >= self.spaces:
            return {}
        return self._pico.order({"do": do, "at": at, **more})


class PicoProcess:
    """The process of a Pico, the pty that is its USB cable, and the line for orders about its tags."""

    module: ClassVar[str]
    slower: ClassVar[float] = 1.0  # than a Pico, at most
    _slave: int | None = None  # the other end, held open as a cable that is plugged in

    def __init__(self, spaces: int, kind: str = "tag") -> None:
        self._control, theirs = socket.socketpair()
        self._control.settimeout(ANSWER_S)
        self._answers = self._control.makefile("r", encoding="utf-8")
        cable, self.port = self._line()
        self._process = subprocess.Popen(
            [sys.executable, "-m", self.module, str(theirs.fileno()), str(spaces), kind],
            stdin=cable,
            stdout=cable,
            pass_fds=[theirs.fileno()],
            env=os.environ | {"PYTHONPATH": search_path()},
            start_new_session=True,  # Ctrl+C is the companion's business
        )
        theirs.close()
        os.close(cable)
        self.is_ready = False

    def wait_until_ready(self) -> None:
        """Wait until its firmware runs."""
        self.order({"do": "report"})
        self.is_ready = True

    def _line(self) -> tuple[int, str]:
        """Return the Pico's end of its serial line, and the name of the other end."""
        cable, self._slave = pty.openpty()
        tty.setraw(self._slave)
        return cable, os.ttyname(self._slave)

    def order(self, order: dict[str, object]) -> dict[str, Any]:
        """Send an order; return when it is carried out."""
        self._control.sendall(json.dumps(order).encode() + b"\n")
        answer = self._answers.readline()
        if not answer:
            raise RuntimeError(
                "the Pico of the virtual table has ended by itself; its last words are on the console"
            )
        return json.loads(answer)  # type: ignore[no-any-return]

    def stop(self) -> None:
        """Pull the cable: the Pico loses its power."""
        self._answers.close()
        self._control.close()
        if self._slave is not None:
            os.close(self._slave)
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class ModelledPico(PicoProcess):
    """The firmware on this computer's Python, over modelled chips: as fast as a Pico."""

    module = "companion.devices.mock.pico"


class EmulatedPico(PicoProcess):
    """The firmware on MicroPython's own build, on an emulated RP2040."""

    module = "companion.devices.mock.emulated"
    slower = 30.0


PICOS: Mapping[str, type[PicoProcess]] = {"modelled": ModelledPico, "emulated": EmulatedPico}


def search_path() -> str:
    """Return a PYTHONPATH on which a child finds this very companion."""
    home = str(Path(companion.__file__).parent.parent)
    return os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])


def checked(uid: str) -> str:
    """Return a UID in the format of tags; raise InvalidInput for an invalid one."""
    try:
        cascade(bytes.fromhex(uid))
    except (ValueError, TypeError) as problem:
        raise InvalidInput(f"{uid!r} is no UID of 8, 14 or 20 hex digits: {problem}") from None
    return uid.upper()


def parts(
    settings: Settings, path: Path | None, pico: str = "modelled"
) -> tuple[VirtualTable, CardPad | None, Track | None, ButtonPanel | None]:
    """Return a virtual table for these settings, and the real drivers over it. Start the table first."""
    kind = settings.track.kind
    spaces = settings.track.spaces if kind != "none" else 0
    spi = settings.spi_bus, settings.spi_device
    table = VirtualTable(path, spaces, settings.pins, spi, kind, pico, modelled(settings.pad_kind))
    pad = pad_of(settings)
    track = None
    if spaces:
        track = Track(
            lambda: table.pico_port,
            spaces,
            kind=kind,
            powers=settings.track.powers,
            gains=settings.track.gains,
            warm=settings.track.antennas,
            slower=PICOS[pico].slower,
        )
    panel = ButtonPanel(settings.pins, table.pin_factory) if settings.panel else None
    return table, pad, track, panel
