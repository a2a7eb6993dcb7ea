"""A circuit under examination: its wires, its drivers, and the scenes that the laws examine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from companion.firmware import pins as pico_pins
from companion.pins import PI_PINS, SPI0_PINS
from hardware.bench import BRIDGE_OHMS, HIGH, Bench, Drive, Drives, Volts
from hardware.circuit import Circuit, Kind, Logic, Pin, Terminal
from hardware.parts import PI_HEADER, PICO_BOARD
from hardware.tiers import BUTTONS

PICO, PI, PLUG = "A1", "J1", "J2"
OUTPUTS: Final = (Kind.OUTPUT, Kind.THREE_STATE)
LINES: Final[dict[str, int]] = {  # all that the Pico drives: GP numbers by name
    **{f"A{bit}": gp for bit, gp in enumerate(pico_pins.ADDRESS)},
    **{name: getattr(pico_pins, name) for name in ("STROBE", "SCK", "MOSI", "RESET")},
    **{name: getattr(pico_pins, name) for name in ("SWITCH_LOAD", "SWITCH_CLOCK")},
}
SIGNALS: Final = (*OUTPUTS, Kind.INPUT, Kind.ANALOG, Kind.FREE)
SERIES_OHMS: Final = 1000.0  # less than that keeps no two outputs apart
ERRATUM_OHMS: Final = 19_500
"""RP2350-E9, mended from stepping A3 on (RP2350 data sheet, Appendix C, page 1355): typically 120 µA out of
an input that is neither low nor high, which then sticks near 2.2 V unless 8.2 kΩ or less hold it (Appendix E,
RP2350-E9, page 1366). From 3.3 V it is so much and more into anything below VIL of an HC input, 0.94 V."""
PULL_DOWN: Final = Drive(0.0, 80_000)  # the weakest of an RP2040's own, 50 to 80 kΩ [data sheet, page 616]
# the weakest of a Pi's own: 50 to 65 kΩ, of a Pi 4 33 to 73 [Raspberry Pi documentation, GPIO, Voltage
# Specifications]
PI_PULL: Final = 73_000
PI_STRONG_PULL: Final = 33_000
PI_PULLED_UP: Final = range(
    9
)  # BCM numbers that a reset pulls up; all others down [BCM2835 ARM Peripherals, 6.2]


@dataclass(frozen=True)
class Scene:
    """A state of the world: the supplies that are off, the drivers from outside."""

    name: str
    off: frozenset[str]
    drives: Drives


class Wire(NamedTuple):
    """A connected pin, its net, its function and its limits."""

    terminal: Terminal
    net: str
    pin: Pin
    logic: Logic | None


class Subject:
    """A circuit under examination, with the data that several laws need."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.readers = sorted(
            (p.ref for p in circuit.of_type("MFRC522 board") if p.ref[:2] == "RD"), key=_order
        )
        self.switches = sorted((part.ref for part in circuit.of_type("DRV5032FA")), key=_order)
        self.wires = [
            Wire(t, net, circuit.pin(t), circuit.parts[t[0]].type.logic) for t, net in circuit.net_of.items()
        ]
        self.decoders = [part.ref for part in circuit.of_type("74HC138")]
        self.multiplexers = [part.ref for part in circuit.of_type("74HC251")]
        self.outputs = {
            part.ref: [(part.ref, pin.number) for pin in part.type.pins if pin.kind in OUTPUTS]
            for part in circuit.parts.values()
        }
        self.has_track = bool(self.readers) and PICO in circuit.parts
        self._benches: dict[frozenset[str], Bench] = {}
        self._played: dict[str, tuple[Bench, Volts, Drives]] = {}

    def bench(self, off: frozenset[str] = frozenset()) -> Bench:
        """Return the circuit with power, except some supplies."""
        if off not in self._benches:
            self._benches[off] = Bench(self.circuit, off)
        return self._benches[off]

    def played(self, scene: Scene) -> tuple[Bench, Volts, Drives]:
        """Return a scene after it has settled."""
        if scene.name not in self._played:
            bench = self.bench(scene.off)
            self._played[scene.name] = (bench, *bench.settled(scene.drives))
        return self._played[scene.name]

    @cached_property
    def scenes(self) -> list[Scene]:
        """At work; before a program runs; with one of two supplies off.

        Where only the Pi or only the Pico feeds a tier there is no second supply that could feed the first.
        """
        none: frozenset[str] = frozenset()
        found = [
            Scene("at work", none, self.working()),
            Scene("before any program runs", none, self.waiting()),
        ]
        if PICO in self.circuit.parts:
            found.append(Scene("at work, every line high", none, self.working(**dict.fromkeys(LINES, True))))
        if self.has_track:
            full = {
                (part.ref, 1): Drive(HIGH, 10) for part in self.circuit.of_type("INA180A1")
            }  # as in a short
            alone = self.connected({**self.parts_outside(), **full})
            found.append(Scene("track without the Pico", frozenset({PICO}), alone))
            low = {t: Drive(0.0, d.ohms) if t[0] == PICO else d for t, d in self.working().items()}
            found.append(Scene("Pico without the track", frozenset({PLUG}), low))
            silent = {
                t: d
                for t, d in self.working().items()
                if self.circuit.parts[t[0]].type.name != "MFRC522 board"
            }
            found.append(Scene("at work, readers silent", none, silent))
            stuck = {self.gp(n): Drive(HIGH, ERRATUM_OHMS) for n in (pico_pins.STROBE, pico_pins.RESET)}
            found.append(Scene("a Pico 2 before any program runs", none, {**self.waiting(), **stuck}))
        return found

    @cached_property
    def speakers(self) -> list[Terminal]:
        """The source at each place of the multiplexers: a reader's MISO, or the input if there is none."""
        places = [(ref, pin) for ref in self.multiplexers for pin in pico_pins.MULTIPLEXER_INPUT_PINS]
        miso = {f"RD{n}": n for n in range(len(places))}
        for ref in self.readers:
            places[miso[ref]] = (ref, self.circuit.parts[ref].type.by_name["MISO"])
        return places

    def low_at(self, address: int) -> set[Terminal]:
        """Return the decoders' outputs that are low at an address: one of the master, one in its group."""
        group, n = divmod(address, pico_pins.GROUP)
        master = self.circuit.parts[self.decoders[0]].type.by_name[f"Y{group}"]
        return {(self.decoders[0], master), (f"U{10 * group + 11}", pico_pins.DECODER_OUTPUT_PINS[n])}

    def rail(self, net: str) -> set[str]:
        """Return the nets that are one supply with this one, behind a fuse or a shunt."""
        bridges = [(a, b) for a, b, r in self.bench().resistors if r < BRIDGE_OHMS]
        return {net, *(b for a, b in bridges if a == net), *(a for a, b in bridges if b == net)}

    @cached_property
    def joined(self) -> dict[str, tuple[str, ...]]:
        """For each net those that are one wire with it, behind resistors in series; a supply is by itself."""
        fixed = self.bench().fixed
        wire = {net: [net] for net in self.circuit.nets}
        for one, other, ohms in self.bench().resistors:
            if ohms < SERIES_OHMS and not {one, other} & fixed.keys() and wire[one] is not wire[other]:
                wire[one] += wire[other]
                wire |= dict.fromkeys(wire[other], wire[one])
        return {net: tuple(nets) for net, nets in wire.items()}

    # -- drives

    def gp(self, number: int) -> Terminal:
        """Return the Pico's pin of a GP number."""
        return PICO, PICO_BOARD[number]

    def bcm(self, number: int) -> Terminal:
        """Return the Pi's pin of a BCM number."""
        return PI, PI_HEADER[number]

    def out(self, terminal: Terminal, high: bool) -> tuple[Terminal, Drive]:
        """Return a terminal that drives, with the worst resistance of its part."""
        logic = self.circuit.parts[terminal[0]].type.logic
        return terminal, Drive(HIGH if high else 0.0, logic.ohms if logic else 100.0)

    def parts_outside(self) -> dict[Terminal, Drive]:
        """Return the drives of other parts: readers' MISO low, switches without a magnet,
        monitors at 0.4 A.
        """
        circuit = self.circuit
        found: dict[Terminal, Drive] = {}
        for ref in (part.ref for part in circuit.of_type("MFRC522 board")):
            found.update([self.out((ref, circuit.parts[ref].type.by_name["MISO"]), False)])
        found.update(self.out((ref, circuit.parts[ref].type.by_name["OUT"]), True) for ref in self.switches)
        for part in circuit.of_type("INA180A1"):
            found[part.ref, part.type.by_name["OUT"]] = Drive(0.4, 10)
        for part in circuit.of_type("74HC165"):
            found.update(self.out((part.ref, part.type.by_name[pin]), False) for pin in ("QH", "QH'"))
        return found

    def working(self, **high: bool) -> dict[Terminal, Drive]:
        """Return the drives while programs run and nothing is selected; `high` puts a signal, by its name in
        pins.py, high or low.
        """
        found = self.parts_outside()
        if PICO in self.circuit.parts:
            resting = {"RESET", "SWITCH_LOAD", "SWITCH_CLOCK"}
            found.update(self.out(self.gp(gp), high.get(name, name in resting)) for name, gp in LINES.items())
        if PI in self.circuit.parts:
            outs = {**SPI0_PINS, **PI_PINS}
            resting = {"ce0", "pad_reset"}
            for name, bcm in outs.items():
                if name in BUTTONS:
                    found[self.bcm(bcm)] = Drive(HIGH, PI_PULL)
                elif name != "miso":
                    found.update([self.out(self.bcm(bcm), high.get(name, name in resting))])
        return self.connected(found)

    def waiting(self) -> dict[Terminal, Drive]:
        """Return the drives just after Pi and Pico have started: all their pins are inputs with
        weak pulls.
        """
        found = self.parts_outside()
        if PICO in self.circuit.parts:
            found.update((self.gp(gp), PULL_DOWN) for gp in PICO_BOARD)
        if PI in self.circuit.parts:
            pulls = {bcm: HIGH if bcm in PI_PULLED_UP else 0.0 for bcm in PI_HEADER}
            found.update((self.bcm(bcm), Drive(volts, PI_PULL)) for bcm, volts in pulls.items())
        return self.connected(found)

    def connected(self, drives: Drives) -> dict[Terminal, Drive]:
        """Return only the drives of a net."""
        return {t: drive for t, drive in drives.items() if t in self.circuit.net_of}


def _order(ref: str) -> int:
    return int("".join(c for c in ref if c.isdigit()))


def name_of(circuit: Circuit, terminal: Terminal) -> str:
    """Return a pin in the format of findings."""
    return f"{terminal[0]} pin {terminal[1]} ({circuit.pin(terminal).name})"


def names_of(circuit: Circuit, terminals: Iterable[Terminal]) -> str:
    """Return some pins, in order."""
    return ", ".join(name_of(circuit, terminal) for terminal in sorted(terminals)) or "none"
