"""The circuits as they are break no law; one planted fault breaks the law that is there for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hardware import parts, tiers
from hardware.checks import LAWS, findings
from hardware.circuit import (
    Circuit,
    Kind,
    PartType,
    opened,
    retyped,
    shorted,
    swapped,
    valued,
    wired,
    without,
)

SOUND: dict[str, Callable[[], Circuit]] = {
    "pad": tiers.pad,
    "panel": tiers.panel,
    "pad and panel": tiers.pi_tiers,
    "readers and switches": tiers.pico_tiers,
    **{f"{n} readers": lambda n=n: tiers.reader_track(n) for n in (1, 3, 8, 9, 22, 24, 25, 40)},  # type: ignore[misc]
    **{f"{n} readers, monitor": lambda n=n: tiers.reader_track(n, monitor=True) for n in (9, 22, 40)},  # type: ignore[misc]
    **{f"{n} switches": lambda n=n: tiers.presence_track(n) for n in (1, 8, 9, 22, 40)},  # type: ignore[misc]
}


@pytest.mark.parametrize("name", SOUND)
def test_sound(name: str) -> None:
    assert list(findings(SOUND[name]())) == []


TRACK, MONITORED, ROW, PAD, PANEL, TRACK22 = (
    tiers.reader_track(9),
    tiers.reader_track(9, monitor=True),
    tiers.presence_track(9),
    tiers.pad(),
    tiers.panel(),
    tiers.reader_track(22),
)


def second_net(before: Circuit, ref: str, pin: str, net: str) -> Circuit:
    """Return a circuit with a pin on one net more."""
    terminal = ref, before.parts[ref].type.number(pin)
    return replace(before, nets={**before.nets, net: before.nets[net] | {terminal}})


def one_gate_for_all(before: Circuit) -> Circuit:
    """Return a circuit with eight readers on the first gate of SCK."""
    return shorted(
        shorted(opened(opened(before, "U13", "1Y4"), "U13", "2Y2"), "SCK 0.0", "SCK 0.1"),
        "SCK 0.0",
        "SCK 0.2",
    )


def at_5_volts(part: PartType) -> PartType:
    """Return a 74HC chip as it is with a supply of 5 V: high begins at 3.5."""
    assert part.logic is not None
    return replace(part, logic=replace(part.logic, vih=3.5))


def outputs(part: PartType) -> PartType:
    """Return a multiplexer whose output is always on."""
    pins = (replace(pin, kind=Kind.OUTPUT) if pin.name == "Y" else pin for pin in part.pins)
    return replace(part, pins=tuple(pins))


PLANTED: list[tuple[str, str, Circuit]] = [
    # what was done, the law that says so, the circuit
    ("the strobe is on GP 20 as well", "pin_once", second_net(TRACK, "A1", "GP20", "STROBE")),
    ("a reader's reset is open", "connected", opened(TRACK, "RD3", "RST")),
    ("the button's wire goes nowhere", "connected", opened(PANEL, "S1", 1)),
    ("a reader has no 3.3 V", "connected", opened(TRACK, "RD8", "3.3V")),
    ("grounds of Pico and track are not joined", "one_ground", wired(TRACK, "A1", 38, "GND PICO")),
    ("confirm is on the pin kept for a shutdown button", "free_pins", swapped(PANEL, "J1", "GPIO5", "GPIO3")),
    ("the track's 5 V is on the Pico's VBUS", "supplies", wired(TRACK, "A1", "VBUS", "5V")),
    ("a reader is fed with 5 V", "supplies", wired(TRACK, "RD0", "3.3V", "5V")),
    ("two bucks are joined", "supplies", shorted(tiers.reader_track(40), "3V3 TRACK 1", "3V3 TRACK 2")),
    ("the polyfuse is bridged", "supplies", shorted(TRACK, "5V PLUG", "5V")),
    ("3.3 V is shorted to GND at a reader", "supplies", shorted(TRACK, "GND", "3V3 TRACK 1")),
    ("two chip selects are joined", "one_output", shorted(TRACK, "SDA 3", "SDA 4")),
    ("MISO of two readers is joined", "one_output", shorted(TRACK, "MISO 1", "MISO 2")),
    ("a multiplexer never lets go of MISO", "one_output", retyped(TRACK, "U12", outputs(parts.HC251))),
    ("a chip has no 100 nF", "capacitors", without(TRACK, "C12")),
    ("a reader has 1 nF instead of 100", "capacitors", valued(TRACK, "C1100", "1 nF")),
    ("470 µF the wrong way round", "capacitors", swapped(TRACK, "C1", "+", "-")),
    ("SCK of a reader without its 100 Ω", "damped", shorted(TRACK, "SCK 0.0", "SCK 1")),
    ("A0 without its 100 Ω", "damped", shorted(TRACK, "A0", "PICO A0")),
    ("a multiplexer without its 100 Ω", "damped", shorted(TRACK, "MISO", "MISO GROUP 0")),
    ("the clock of the row without its 47 Ω", "damped", shorted(ROW, "SWITCH CLOCK", "PICO SWITCH CLOCK")),
    ("all readers of a group on one gate", "fan_out", one_gate_for_all(TRACK)),
    ("5 V on the Pico's ADC", "voltage", shorted(TRACK, "TRACK VOLTAGE", "5V")),
    ("SCK has no pull-down, the Pico no power", "no_floating", without(TRACK, "R12")),
    ("an unused gate's input is open", "connected", opened(TRACK, "U23", "2A1")),
    ("ADC of the current without 100 kΩ, no supply of the monitor", "no_floating", without(MONITORED, "R19")),
    ("4.7 Ω at the strobe instead of 4.7 kΩ", "currents", valued(TRACK, "R14", "4.7 Ω")),
    ("the resistor of red is 33 Ω", "lamp_works", valued(PANEL, "R4", "33 Ω")),
    ("100 kΩ at SCK instead of 47: leaks of 40 readers lift it", "levels", valued(tiers.reader_track(40), "R12", "100 kΩ")),
    ("a decoder as it is at 5 V", "levels", retyped(TRACK, "U1", at_5_volts(parts.HC138))),
    ("MISO's pull-up of 1 kΩ feeds a dead track", "clamps", valued(TRACK, "R16", "1 kΩ")),
    ("the monitor feeds a Pico without power", "clamps", valued(MONITORED, "R25", "1 kΩ")),
    ("the strobe's 4.7 kΩ is 47 kΩ: a Pico 2 sticks at 2 V", "safe_start", valued(TRACK, "R14", "47 kΩ")),
    ("the strobe is pulled up", "safe_start", wired(TRACK, "R14", 2, "3V3 TRACK 1")),
    ("nRST is pulled up", "safe_start", wired(TRACK, "R15", 2, "3V3 TRACK 1")),
    ("1 MΩ at MISO: leaks of three groups make a sure low of the high that is meant", "levels", valued(TRACK22, "R16", "1 MΩ")),
    ("10 MΩ at the MISO of a reader", "levels", valued(TRACK, "R103", "10 MΩ")),
    ("10 MΩ at SCK of a small track", "levels", valued(tiers.reader_track(1), "R12", "10 MΩ")),
    ("a button's resistor is 100 kΩ", "buttons_work", valued(PANEL, "R1", "100 kΩ")),
    ("one of two monitors hardly counts", "measures", valued(tiers.reader_track(40, monitor=True), "R25", "110 kΩ")),
    ("1 Ω at SCK of a reader", "damping", valued(TRACK, "R1003", "1 Ω")),
    ("4.7 Ω at the clock of the row", "damping", valued(ROW, "R901", "4.7 Ω")),
    ("4.7 kΩ at A0", "edges", valued(TRACK22, "R1", "4.7 kΩ")),
    ("100 kΩ at SCK of a reader: one colour ring from 100 Ω", "answers_in_time", valued(TRACK, "R1003", "100 kΩ")),
    ("100 kΩ at MOSI of a reader", "answers_in_time", valued(TRACK, "R1103", "100 kΩ")),
    ("1 MΩ at the MISO of a reader", "pulls_in_time", valued(TRACK, "R103", "1 MΩ")),
    ("1 MΩ at the ADC without a monitor", "dividers", valued(TRACK, "R19", "1 MΩ")),
    ("the divider's halves are 100 Ω and 100 Ω", "dividers", valued(valued(TRACK, "R17", "100 Ω"), "R18", "100 Ω")),
    ("a fuse of 3 A trips at 6, behind a plug of 4 A", "fuses", valued(TRACK, "F1", "3 A")),
    ("SCK and MOSI exchanged at one reader", "bus_reaches", swapped(TRACK, "RD5", "SCK", "MOSI")),
    ("the divider's lower half is 22 kΩ", "measures", valued(TRACK, "R18", "22 kΩ")),
    ("a shunt of 0.5 Ω", "measures", valued(MONITORED, "R21", "0.5 Ω")),
    ("the monitor's inputs exchanged", "measures", swapped(MONITORED, "U2", "IN+", "IN-")),
    ("two chip selects exchanged", "readers_selected", swapped(TRACK, "U11", "Y2", "Y3")),
    ("A0 and A1 exchanged at a decoder", "readers_selected", swapped(TRACK, "U11", "A", "B")),
    ("EN0 and EN1 exchanged at the master", "readers_selected", swapped(TRACK, "U1", "Y0", "Y1")),
    ("two gates of a buffer joined", "one_at_a_time", shorted(TRACK, "SCK 0.0", "SCK 0.1")),
    ("two multiplexers enabled at once", "one_at_a_time", wired(TRACK, "U22", "G", "EN0")),
    ("a group is always enabled", "readers_selected", wired(wired(TRACK, "U21", "G2A", "GND"), "U22", "G", "EN1")),
    ("MISO of two readers exchanged", "miso_reaches", swapped(TRACK, "U12", "D2", "D3")),
    ("a multiplexer's place is pulled up", "miso_reaches", wired(TRACK, "R101", 2, "3V3 TRACK 1")),
    ("MISO is pulled down", "miso_reaches", wired(TRACK, "R16", 2, "GND")),
    ("switch data is pulled down", "row_off", wired(ROW, "R902", 2, "GND")),
    ("two switches exchanged", "row_in_order", swapped(ROW, "U901", "H", "G")),
    ("the last SER at 3.3 V", "row_in_order", wired(ROW, "U902", "SER", "3V3 PICO")),
    ("SCK and MOSI of the pad exchanged", "pad_reached", swapped(PAD, "PAD1", "SCK", "MOSI")),
    ("confirm and undo exchanged", "buttons_work", swapped(PANEL, "J1", "GPIO5", "GPIO6")),
    ("a button without its 1 kΩ", "buttons_work", shorted(PANEL, "CONFIRM", "CONFIRM BUTTON")),
    ("red and green exchanged", "lamp_works", swapped(PANEL, "D1", "red", "green")),
    ("22 Ω at the buzzer", "lamp_works", valued(PANEL, "R7", "22 Ω")),
]  # fmt: skip


@pytest.mark.parametrize(("what", "law", "circuit"), PLANTED, ids=[row[0] for row in PLANTED])
def test_planted(what: str, law: str, circuit: Circuit) -> None:
    """The law that is there for it finds it; others may too."""
    assert law in {name for name, _ in findings(circuit)}, what


def test_every_law_has_a_planted_fault() -> None:
    assert {law for _, law, _ in PLANTED} == set(LAWS)
