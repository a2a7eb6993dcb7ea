"""Health figures of the parts, for the doctor and the hardware page.

These are values: a part makes a new one with every report, and readers take the newest. They are no messages
to the table; facts that the people at the table must know go there as `PartIs`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from companion.devices.readings import PartState
from companion.message import N_, Sentence
from companion.settings import PadKind

Kind = Literal["tag", "present", "none"]
"""The sensor of a space: a reader that reads tags, a switch that senses a magnet, none."""

Fault = Literal["silent", "group", "memory", "field", "weak", "chain"]
"""The fault of a sensor: `silent` it answers 0x00, `group` its whole group answers 0xFF (no power, or
not enabled), `memory` its FIFO does not give back what was written, `field` its antenna draws no current,
`weak` it fails as soon as its field comes on, `chain` the shift registers of the switches do not pass their
bits on."""

Power = Literal["on", "off", "over"]
"""The track's own supply; `over`: too much current was drawn, all readers are held in reset until asked."""

Wire = Literal["ok", "absent", "no port", "silent", "refused", "no leave", "taken"]
"""The USB line to the Pico: `absent` it is not plugged in, `no port` none has the name in the settings,
`silent` nothing understandable comes, `refused` another protocol, `no leave` this user may not open it,
`taken` another program has it."""


class SensorHealth(NamedTuple):
    """The sensor under one space (numbered from 0 by reader)."""

    space: int
    kind: Kind
    fault: Fault | None = None
    version: int | None = None  # VersionReg, see firmware/rc522.py
    step_ma: int | None = None  # current of its field, at the self-test; None: no current monitor
    misses: int = 0  # polls of the last half minute that missed a tag which is still there
    changed: float | None = None  # time.monotonic() of the last change of its tags
    lies: frozenset[str] | bool | None = None  # the tags, or whether something is there; None: not known


class TrackHealth(NamedTuple):
    """The Pico, its line and its readers; None where it is unknown."""

    state: PartState = "tap"
    why: Sentence | None = None
    wire: Wire = "absent"
    port: str | None = None
    ports: tuple[str, ...] = ()  # those that are there, where `wire` is "no port"
    firmware: str | None = None
    board: str | None = None
    started_by: str | None = None  # "power", "watchdog", "soft": why the Pico started last
    sensors: tuple[SensorHealth, ...] = ()
    power: Power | None = None
    sweep_ms: int | None = None
    celsius: float | None = None
    volts: float | None = None  # the track's 3.3 V
    milliamperes: int | None = None
    lines: int = 0  # good lines since the start
    hurt: int = 0  # lines that look like a message and are none
    resyncs: int = 0  # times that everything was asked for again
    shared: Mapping[str, frozenset[int]] = {}  # tags that several readers go on reading, with their spaces

    @property
    def clones(self) -> frozenset[str]:
        """The tags read in two places where one tag cannot be."""
        return clones_of(self.shared.items(), len(self.sensors))


def there(ports: Sequence[str]) -> Sentence:
    """Return the serial ports of this machine, for a person who looks for one."""
    return Sentence(_THERE, {"ports": ", ".join(ports)}) if ports else Sentence(_NO_PORTS)


_THERE: Final = N_("there are {ports}")
_NO_PORTS: Final = N_("this machine has no serial port at all now")


def clones_of(shared: Iterable[tuple[str, Collection[int]]], spaces: int) -> frozenset[str]:
    """Return the tags read in so distant places that two tags have one number; the ends of a loop meet.

    >>> clones_of([("04A1", [3, 4]), ("04B2", [0, 21]), ("04C3", [3, 12])], 22)
    frozenset({'04C3'})
    """
    return frozenset(tag for tag, by in shared if 1 < max(by) - min(by) < spaces - 1)


PadFault = Literal["absent", "several", "unsure", "no leave", "taken", "no library", "no service"]
"""The fault of a reader on USB: `absent` none is found, `several` could be meant, `unsure` none has
behaved like a reader yet, `no leave` this user may not use it, `taken` another program has it, `no library`
the package that talks to it is missing, `no service` pcscd does not run."""


class PadHealth(NamedTuple):
    """The card pad, of any kind; figures that a kind does not have keep these defaults."""

    state: PartState = "tap"
    why: Sentence | None = None
    library: str | None = None  # "RPi.GPIO", "rpi-lgpio", "evdev", "pyscard", with its version
    version: int | None = None  # VersionReg
    polls: int = 0  # of a reader that types: cards typed
    misses: int = 0  # polls that missed a tag which was still there
    restarts: int = 0  # times the reader was set up again because it did not answer
    changed: float | None = None  # time.monotonic() of the last change of its tags
    lies: frozenset[str] = frozenset()
    kind: PadKind | Literal["other"] = "spi"  # "other": a plug-in's reader
    fault: PadFault | None = None  # of a reader on USB
    device: str | None = None  # the name of a reader on USB, with its numbers
    named: bool = False  # whether the settings name it
    at_tablet: bool = False  # whether a reader at the tablet has typed
    found: tuple[str, ...] = ()  # the readers on USB that there are, where the right one is not or not known
    typed: str | None = None  # the last text of a reader that types
    unread: Sentence | None = None  # why that text is no tag's number
    chosen: Sentence | None = None  # why this keyboard is the reader, and how to change it


class RangeTest(NamedTuple):
    """How often a reader saw each tag in `polls` polls, with the field switched off and on again
    in between.
    """

    at: str  # "pad" or "track/N"
    polls: int
    hits: Mapping[str, int]
    torn: int = 0  # polls that found something unreadable
    power: int | None = None  # CWGsPReg, 0 to 63; None: as set
    fault: Fault | None = None
