"""Laws of values: a resistor in its right place with a wrong number on it.

Times are Elmore's: of each net its capacitance times the resistance that it shares with the input, summed.
Exact for the middle of an edge, and never too short for what follows it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from companion.firmware import pins as pico_pins
from hardware import signals
from hardware.bench import HIGH, Drives
from hardware.circuit import Kind, Logic, Part, Terminal
from hardware.parts import BOARD_LED, FIELD, FUSES, HC244_GATES, IDLE, LARGEST_PLUG_A, ohms
from hardware.subject import OUTPUTS, PI, PICO, SERIES_OHMS, Subject, name_of

DAMPING_OHMS: Final = (22.0, 2200.0)
"""A strong driver has 20 to 25 ohm; with 22 more it takes back half of what a wire of 110 ohm returns, with
less it rings as without any. Above, the slowest input is the limit: laws of edges and of the answer."""
EDGE_NS: Final = 500.0
"""10 to 90 %, at most, at an HC input at 4.5 V (TI SN74HC244, recommended operating conditions: 1000 ns at 2
V, 500 at 4.5 V): slower, and its output may swing."""
RISE: Final = math.log(9)  # 10 to 90 % in time constants
BYTE_NS: Final = 8e9 / pico_pins.SPI_HZ
ADC_OHMS: Final = 100_000
"""The firmware takes 40 mV (IDLE_MA of board.py) for a monitor: over 100 kohm a leak of 0.4 µA makes them. A
Pico's input leaks 1 µA at most, at 85 °C; in a room it is far less [assumed]."""
MHZ: Final = pico_pins.SPI_HZ / 1e6
DIVIDER_MA: Final = 1.0
WARM: Final = 0.75  # of its current a polymer fuse still holds at 50 °C [assumed, check]
BUCK_EFFICIENCY: Final = 0.85  # as in power.py [assumed, check]


def _pf_of_cm(cm: float) -> float:
    """Return the picofarads of so much ribbon, the wire that has the most: its delay over its impedance."""
    return cm * signals.RIBBON.ns_per_cm / signals.RIBBON.ohms * 1000


def picofarads(it: Subject) -> dict[str, float]:
    """Return the capacitance of every net: its inputs, its outputs that are off, and its wire.

    A reader's input has 20 cm in its own figure already; the longest wire to one has 60.
    """
    found: dict[str, float] = {}
    long = _pf_of_cm(max(map(max, signals.LENGTHS)) - 20)
    bus = _pf_of_cm(max(signals.GROUPS_CM))
    for terminal, net, pin, logic in it.wires:
        if logic is None or net in it.bench().fixed:
            continue
        pf = (
            logic.input_pf
            if pin.kind not in OUTPUTS
            else signals.OFF_PF
            if pin.kind == Kind.THREE_STATE
            else 0
        )
        if terminal[0] in it.readers:
            pf += long
        elif terminal[0] == PICO:
            pf += bus
        found[net] = found.get(net, 0.0) + pf
    return found


def delay_ns(it: Subject, drives: Drives, net: str, picofarad: dict[str, float]) -> float:
    """Return the time constant of a net in ns, under these drives."""
    shared = it.bench().transfer_ohms(drives, net)
    return sum(ohm * picofarad.get(other, 0.0) for other, ohm in shared.items()) / 1000


def damping(it: Subject) -> Iterator[str]:
    """Yield violations: a resistor in series with a fast line is 22 Ω to 2.2 kΩ."""
    least, most = DAMPING_OHMS
    for part in it.circuit.of_type("resistor"):
        nets = [it.circuit.at(part.ref, pin) for pin in (1, 2)]
        if None in nets or any(net in it.bench().fixed for net in nets):
            continue  # a pull or a divider
        if any(_is_fast(it, net or "") for net in nets) and not least <= ohms(part.value) <= most:
            yield f"{part.ref} ({part.use}) of {part.value} does not damp: {least:.0f} Ω to {most:.0f} Ω"


def _is_fast(it: Subject, net: str) -> bool:
    """Return whether a net belongs to a line that damping is for: what the Pico drives, a bus, a MISO."""
    pico = {it.gp(gp) for gp in (*pico_pins.ADDRESS, pico_pins.SCK, pico_pins.MOSI, pico_pins.MISO)}
    pico.add(it.gp(pico_pins.SWITCH_CLOCK))
    return any(it.circuit.pin(t).fast or t in pico for t in it.circuit.nets[net])


def _driven(it: Subject) -> tuple[Drives, dict[str, float]]:
    """Return all sources while every line is high and the first reader is selected, and all capacitances."""
    world = it.working(STROBE=True, RESET=True, SCK=True, MOSI=True)
    return it.bench().settled(world)[1], picofarads(it)


def edges(it: Subject) -> Iterator[str]:
    """Yield violations: where an output drives an HC input, its edges take at most 500 ns from 10 to 90 %."""
    for net, took in edge_times(it).items():
        if took > EDGE_NS:
            yield f"{net}: its edges take {took:,.0f} ns, {EDGE_NS:.0f} at most"


def edge_times(it: Subject) -> dict[str, float]:
    """Return the ns of an edge, 10 to 90 %, on each net with an HC input that an output drives."""
    drives, picofarad = _driven(it)
    nets = {net for t, net, pin, _ in it.wires if pin.kind == Kind.INPUT and _is_hc(it, t)}
    driven = (net for net in sorted(nets) if _has_output(it, drives, net))
    return {net: RISE * delay_ns(it, drives, net, picofarad) for net in driven}


def _is_hc(it: Subject, terminal: Terminal) -> bool:
    return it.circuit.parts[terminal[0]].type.name.startswith("74HC")


def _has_output(it: Subject, drives: Drives, net: str) -> bool:
    """Return whether an output, not a pull alone, drives a net or one behind resistors."""
    here = it.bench().cluster_of.get(net)
    return here is not None and any(
        drive.ohms < SERIES_OHMS and it.bench().cluster_of.get(it.circuit.net_of.get(t, "")) == here
        for t, drive in drives.items()
    )


@cache
def _wires_ns() -> float:
    """Return what half a period of the bus leaves for wires and edges with the chips that are listed."""
    return signals.margin_ns(signals.LISTED, 0.0, MHZ)


class Way(NamedTuple):
    """A signal of a reader: the ns that its wires and edges take, and how many there are for them."""

    ref: str
    signal: str
    taken: float
    most: float


def ways(it: Subject) -> Iterator[Way]:
    """Yield for each reader the way of SCK and back by MISO, and that of MOSI."""
    bench, picofarad, miso = it.bench(), picofarads(it), it.gp(pico_pins.MISO)
    most = {"SCK": _wires_ns(), "MOSI": signals.set_up_ns(signals.LISTED, 0.0, MHZ)}
    for ref in it.readers:
        at = int(ref.removeprefix("RD"))
        address = {f"A{bit}": bool(at >> bit & 1) for bit in range(len(pico_pins.ADDRESS))}
        drives = bench.settled(it.working(**address, STROBE=True))[1]
        number = it.circuit.parts[ref].type.by_name
        back = [_input_at(it, (ref, number["MISO"])), miso]
        for signal in most:
            end = ref, number[signal]
            ends = [*_gate_before(it, end), end, *(back if signal == "SCK" else ())]
            taken = sum(_late(it, drives, each, picofarad) for each in ends if each is not None)
            yield Way(ref, signal, taken, most[signal])


def answers_in_time(it: Subject) -> Iterator[str]:
    """Yield violations: SCK falls at the Pico, and the reader's bit is back there within half a period; MOSI
    is at the reader before SCK rises.
    """
    for ref, signal, taken, most in ways(it) if it.has_track else ():
        if taken > most:
            yield f"{ref}: {signal} takes {taken:,.0f} ns by wires and edges, {most:.0f} at most"


def _gate_before(it: Subject, end: Terminal) -> list[Terminal]:
    """Return the input of the gate that drives a reader's pin."""
    here = it.bench().cluster_of.get(it.circuit.net_of.get(end, ""))
    for one, other in HC244_GATES:
        for part in it.circuit.of_type("74HC244"):
            if here is not None and it.bench().cluster_of.get(it.circuit.at(part.ref, other) or "") == here:
                return [(part.ref, one)]
    return []


def _input_at(it: Subject, output: Terminal) -> Terminal | None:
    """Return the multiplexer's input on the net of a reader's MISO."""
    others = it.circuit.nets.get(it.circuit.net_of.get(output, ""), frozenset())
    return next((t for t in sorted(others) if t[0] in it.multiplexers), None)


def _late(it: Subject, drives: Drives, end: Terminal, picofarad: dict[str, float]) -> float:
    """Return the ns after which an input has surely noticed an edge."""
    logic, net = it.circuit.parts[end[0]].type.logic, it.circuit.net_of.get(end)
    if logic is None or net is None:
        return 0.0
    return delay_ns(it, drives, net, picofarad) * _to_level(logic)


def _to_level(logic: Logic) -> float:
    """Return the time constants until an edge is past the farther of both limits."""
    return max(-math.log(1 - min(logic.vih / HIGH, 0.99)), -math.log(max(logic.vil / HIGH, 0.01)))


def pulls_in_time(it: Subject) -> Iterator[str]:
    """Yield violations: a wire that nothing drives any more is at its pull's level within a byte of the bus,
    so that a missing group or a silent reader is not read as the one before.
    """
    readers = [t for ref in it.multiplexers for t in ((ref, n) for n in pico_pins.MULTIPLEXER_INPUT_PINS)]
    ends = [*readers, it.gp(pico_pins.MISO)] if it.has_track else []
    drives = {t: d for t, d in it.working().items() if t[0] in (PICO, PI)}
    picofarad = picofarads(it)
    for end in ends:
        took = _late(it, drives, end, picofarad)
        if took > BYTE_NS:
            who = name_of(it.circuit, end)
            yield f"{who} takes {took / 1000:,.1f} µs until it rests, a byte takes {BYTE_NS / 1000:.0f}"


def dividers(it: Subject) -> Iterator[str]:
    """Yield violations: no leak at an input of the ADC looks like a monitor, and no divider takes more than
    1 mA.
    """
    if not it.has_track:
        return
    bench = it.bench()
    for terminal, net, pin, _ in it.wires:
        if pin.kind != Kind.ANALOG or terminal[0] != PICO:
            continue
        leaky = bench.transfer_ohms(it.working(), net).get(net, 0.0)
        if leaky > ADC_OHMS * 1.01:
            who = name_of(it.circuit, terminal)
            yield f"{who} is behind {leaky / 1000:.0f} kΩ, {ADC_OHMS / 1000:.0f} at most"
        for a, b, r in bench.resistors:
            held = bench.fixed.get(b if a == net else a) if net in (a, b) else None
            v = bench.volts(it.working()).get(net)
            if held and v is not None and abs(held - v) / r * 1000 > DIVIDER_MA:
                yield f"{name_of(it.circuit, terminal)}: its divider takes {abs(held - v) / r * 1000:.1f} mA"


def fuses(it: Subject) -> Iterator[str]:
    """Yield violations: a fuse holds what its supply feeds at work, also when warm, and trips below what the
    largest plug gives.
    """
    for part in it.circuit.of_type("polyfuse"):
        holds, trips = FUSES[part.value]
        if trips >= LARGEST_PLUG_A:
            yield f"{part.ref} trips at {trips} A, but the plug gives {LARGEST_PLUG_A} at most"
        most = at_work_ma(it) / 1000
        if most > WARM * holds:
            yield f"{part.ref} holds {WARM * holds:.2f} A when warm, the track takes {most:.2f} A"


def at_work_ma(it: Subject) -> float:
    """Return the mA at most that the bucks take of 5 V while two readers have their field on."""
    parts = it.circuit.parts.values()
    fed = [part for part in parts if part.type.draw is not None and _is_fed_by_buck(it, part)]
    fields = min(2, len(it.readers))
    idle = IDLE.most + BOARD_LED.most
    others = sum(part.type.draw.most for part in fed if part.ref not in it.readers and part.type.draw)
    readers = fields * (FIELD.most + BOARD_LED.most) + (len(it.readers) - fields) * idle
    return (readers + others) * HIGH / 5 / BUCK_EFFICIENCY


def _is_fed_by_buck(it: Subject, part: Part) -> bool:
    nets = {it.circuit.at(part.ref, pin.number) for pin in part.type.pins if pin.kind == Kind.POWER_IN}
    return any(net is not None and net.startswith("3V3 TRACK") for net in nets)
