"""The real Scanner over readers that hear what is near them at that moment, at two speeds.

`full`: the real driver, register by register, over modelled chips. Otherwise a reader remembers what the real
driver found, and how long it took, when the same tags last lay on one modelled chip; the rest of its register
accesses is counted. Scanner and Claims are the firmware's own in both, on a clock that never waits.
"""

from __future__ import annotations

import importlib
import math
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from companion import firmware
from companion.devices.mock import machine
from companion.devices.mock.rc522 import START_UP_US, Clock
from companion.firmware import rc522
from tests.support.devices.modelled import Bench
from tests.support.hands import Radio

HZ = 1_000_000
FRAME_US = 16e6 / HZ  # an address and a byte
HEARTBEAT_US = 500_000.0
HOME = Path(firmware.__path__[0])


class Point(NamedTuple):
    """Where a piece is at a moment: along the track, across it, above where it would stand (us, mm)."""

    us: float
    along: float
    across: float
    above: float


class Way:
    """The way of a piece, straight from point to point."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.points = points
        self.at = 1

    def where(self, us: float) -> tuple[float, float, float]:
        """Return the place along, across and above at this moment; moments come in order."""
        points = self.points
        while self.at < len(points) - 1 and points[self.at].us < us:
            self.at += 1
        a, b = points[self.at - 1], points[self.at]
        part = 1.0 if us >= b.us else max(0.0, (us - a.us) / (b.us - a.us))
        return (
            a.along + part * (b.along - a.along),
            a.across + part * (b.across - a.across),
            a.above + part * (b.above - a.above),
        )


class World:
    """Where every tag is, and what each reader gets of it when its field comes on."""

    def __init__(self, radio: Radio, readers: int, clock: Clock, rng: random.Random) -> None:
        self.radio, self.readers, self.clock, self.rng = radio, readers, clock, rng
        self.length = readers * radio.pitch
        self.standing: dict[bytes, list[tuple[int, float, float]]] = {}
        self.near: list[dict[bytes, tuple[float, float]]] = [{} for _ in range(readers)]
        self.moving: dict[bytes, Way] = {}

    def stand(self, uid: bytes, along: float, across: float) -> None:
        """Let a tag rest there from now on."""
        self.away(uid)
        for reader in range(self.readers):
            away = math.hypot(self.apart(reader, along), across)
            if away < self.radio.ghost_reach:
                self.near[reader][uid] = (self.radio.needs(away), away)

    def away(self, uid: bytes) -> None:
        """Take a tag off the track."""
        self.lift(uid)
        self.moving.pop(uid, None)

    def lift(self, uid: bytes) -> None:
        """Lift a tag: it rests nowhere."""
        for near in self.near:
            near.pop(uid, None)

    def go(self, uid: bytes, points: Sequence[Point]) -> None:
        """Send a tag on its way from now on."""
        self.lift(uid)
        self.moving[uid] = Way(points)

    def apart(self, reader: int, along: float) -> float:
        """Return how far a place is from the middle of a reader, round the loop."""
        half = self.length / 2
        return (along - reader * self.radio.pitch + half) % self.length - half

    def light(self, reader: int) -> dict[bytes, int]:
        """Return the tags that answer this reader in the field from now on, with the power of each."""
        heard: dict[bytes, int] = {}
        for uid, (share, away) in self.near[reader].items():
            self._hear(heard, uid, share, away)
        for uid, path in self.moving.items():
            along, across, above = path.where(self.clock.us)
            aside = self.apart(reader, along)
            if abs(aside) < self.radio.ghost_reach and above < 2 * self.radio.rise:
                away = math.hypot(aside, across)
                self._hear(heard, uid, self.radio.needs(away, above), away)
        return heard

    def _hear(self, heard: dict[bytes, int], uid: bytes, share: float, away: float) -> None:
        """Add the tag to `heard` if it answers; `share`: the part of the power set that it needs."""
        radio, rng = self.radio, self.rng
        if share < 1.5:
            share *= 1 + radio.blur * rng.gauss(0, 1)
            if share <= 1 and rng.random() >= radio.misses.of:
                heard[uid] = max(1, math.ceil(radio.power * share))
        elif away < radio.ghost_reach and rng.random() < radio.ghosts.of:
            heard[uid] = radio.power


class Answers:
    """What the real driver finds in one look, and how long it takes, once for every case."""

    def __init__(self, driver: Any, access_us: float) -> None:
        self.driver, self.access_us = driver, access_us
        self.known: dict[tuple[frozenset[bytes], bytes | None, bool], tuple[list[bytes], bool, float]] = {}

    def of(self, tags: frozenset[bytes], known: bytes | None, whole: bool) -> tuple[list[bytes], bool, float]:
        """Return the UIDs, whether something cannot be read, and the time in microseconds."""
        case = (tags, known, whole)
        if case not in self.known:
            self.known[case] = self._tried(*case)
        return self.known[case]

    def _tried(
        self, tags: frozenset[bytes], known: bytes | None, whole: bool
    ) -> tuple[list[bytes], bool, float]:
        bench = Bench(self.access_us, HZ)
        bench.clock.advance(1000)
        reader = self.driver.Rc522(bench)
        assert reader.init()
        bench.chip.put(sorted(tags))
        reader.field(True)
        due = bench.clock.us + self.driver.WARM_UP_US
        found, unreadable = reader.uids(known=known, whole=whole, due=due)
        return found, unreadable, bench.clock.us - due


class Remembering:
    """One reader in place of rc522.Rc522: the same answers after the same time."""

    def __init__(self, world: World, answers: Answers, port: Any, power: int) -> None:
        self.world, self.answers = world, answers
        self.clock, self.reader, self.power = world.clock, port.reader, power
        self.now = power
        self.lit: dict[bytes, int] = {}
        self.access, self.look_us = answers.access_us + FRAME_US, world.radio.look_us
        self.ready_at = 0.0

    def init(self) -> bool:
        """Set up; what it takes does not count, it is before the first sweep."""
        return True

    def version(self) -> int:
        """Return the version of a genuine chip."""
        return 0x92

    def remembers(self) -> bool:
        """Return True: its FIFO is whole."""
        return True

    def rouse(self) -> None:
        """Leave soft power-down."""
        self.clock.us += self.access
        if self.ready_at < 0:
            self.ready_at = self.clock.us + START_UP_US

    def awake(self) -> bool:
        """Poll until the oscillator runs, and return whether the settings are still stored."""
        self.clock.us += self.access
        while self.clock.us < self.ready_at:
            self.clock.us += self.access
        self.clock.us += self.access
        return True

    def field(self, on: bool) -> None:
        """Switch the antenna; who is near then is asked."""
        self.clock.us += self.access + (self.look_us if on else 0)
        self.lit = self.world.light(self.reader) if on else {}

    def park(self) -> None:
        """Switch the field off: soft power-down."""
        self.clock.us += 2 * self.access
        self.lit, self.ready_at = {}, -1.0

    def hand_over(self, after: Remembering) -> None:
        """Switch the field off and the other's on: soft power-down."""
        self.field(False)
        after.field(True)
        self.clock.us += self.access
        self.ready_at = -1.0

    def transmit(self, power: int) -> None:
        """Set the transmit power for now."""
        self.clock.us += self.access
        self.now = power

    def uids(
        self, most: int = 8, known: bytes | None = None, whole: bool = True, due: float | None = None
    ) -> tuple[list[bytes], bool]:
        """Poll once, not before it is `due`; return the UIDs and whether something cannot be read."""
        if due is not None:
            self.clock.us = max(self.clock.us, due)
        tags = frozenset(uid for uid, needs in self.lit.items() if needs <= self.now) if self.lit else NO_TAGS
        found, unreadable, us = self.answers.of(tags, known, whole)
        self.clock.us += us
        return found, unreadable


NO_TAGS: frozenset[bytes] = frozenset()


class Unwired:
    """A board without wires and without a current monitor."""

    def milliamperes(self, samples: int = 1) -> int:
        """Return 0: nothing measures."""
        return 0

    def pulse_reset(self) -> None:
        """Do nothing: there is nothing to reset."""


def modules(clock: Clock) -> SimpleNamespace:
    """Return the firmware's modules in this process, on this clock."""
    virtual: Any = ModuleType("clock")
    virtual.ticks_us = lambda: int(clock.us)
    virtual.ticks_ms = lambda: int(clock.us) // 1000
    virtual.ticks_diff = lambda later, earlier: later - earlier
    virtual.sleep_us = clock.advance
    virtual.sleep_ms = lambda ms: clock.advance(1000 * ms)
    names = ["clock", "machine", *(path.stem for path in HOME.glob("*.py"))]
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    sys.path.insert(0, str(HOME))
    sys.modules |= {"clock": virtual, "machine": machine}
    try:
        wanted = ("pins", "board", "spaces", "rc522", "scanner")
        return SimpleNamespace(**{name: importlib.import_module(name) for name in wanted})
    finally:
        sys.path.remove(str(HOME))
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(before)


class SwiftTrack:
    """A Pico's scanner over a world of tags. `spaces` is what it knows; `poll` is one poll of one reader."""

    def __init__(self, radio: Radio, readers: int, seed: int, full: bool = False) -> None:
        self.clock = Clock()
        self._modelled: machine.Wiring | None = None
        self.world = World(radio, readers, self.clock, random.Random(seed))
        self.firmware = modules(self.clock)
        self.spaces = self.firmware.spaces.Spaces(readers)
        board = self._wired(readers, radio) if full else self._remembering(radio)
        self.scanner = self.firmware.scanner.Scanner(
            board, self.spaces, set(range(readers)), [radio.power] * readers
        )
        self.scanner.start()
        self.clock.us = 0.0 if not full else self.clock.us
        self._sweep: Iterator[int] = iter(())
        self._beat_at = self.clock.us + HEARTBEAT_US
        self.sweeps = 0

    def _remembering(self, radio: Radio) -> Any:
        answers = ANSWERS.setdefault(radio.access_us, Answers(self.firmware.rc522, radio.access_us))
        self.firmware.scanner.Rc522 = lambda port, power, gain: Remembering(
            self.world, answers, port, power
        )  # who is near at which power is the world's: its gain is as set
        return Unwired()

    def _wired(self, readers: int, radio: Radio) -> Any:
        world, driver = self.world, self.firmware.rc522.Rc522
        track = machine.Wiring(readers)
        track.clock = self.clock
        for chip in track.chips:
            chip.clock = self.clock
        track.monitored = False
        machine.ACCESS_US, machine.LOOK_US = radio.access_us, radio.look_us
        track.wire(self.firmware.pins)
        machine.be(track)
        self._modelled = track

        class Lit(driver):  # type: ignore[misc, valid-type]
            """The real driver; when its field comes on, who is near is put on its chip."""

            def field(self, on: bool) -> None:
                if on:
                    lit = world.light(self.port.reader)
                    track.chips[self.port.reader].put(list(lit), lit)
                super().field(on)

            def hand_over(self, after: Any) -> None:
                self.field(False)
                after.field(True)
                self.port.run(rc522.SLEEP)

        self.firmware.scanner.Rc522 = Lit
        board = self.firmware.board.Board()
        board.start()
        return board

    def harm(self) -> list[str]:
        """Return what would have harmed or confused real readers, where all registers are modelled."""
        return self._modelled.wrong if self._modelled is not None else []

    def poll(self) -> None:
        """Poll the next reader that is due, or send the heartbeat that comes between two."""
        if self.clock.us >= self._beat_at:
            self._beat_at = self.clock.us + HEARTBEAT_US
            self.clock.us += self.world.radio.beat_us
        for _ in self._sweep:
            return
        self.sweeps += 1
        self._sweep = self.scanner.sweep()
        next(self._sweep)


ANSWERS: dict[float, Answers] = {}
