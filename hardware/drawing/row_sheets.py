"""The sheets of a presence track: the Pico, the first and the last 74HC165, a switch of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from companion.firmware import pins
from hardware.circuit import Circuit
from hardware.drawing.boards import sides
from hardware.drawing.page import Sheet
from hardware.drawing.pen import Pen, split, told

SAME: Final = "What has the same name is joined; a cross is a leg that stays open."
OVER: Final = (
    "At each wire: its net, then its other ends. U901/902-1: leg 1 of U901 and of U902.",
    "Every GND is joined to all others, at A1-38. Of the supply only its source is named.",
)


def chips_of(circuit: Circuit) -> list[str]:
    """Return the 74HC165 of a row, from the Pico on."""
    return [part.ref for part in circuit.of_type("74HC165")]


def switches_of(circuit: Circuit, chip: str) -> list[str]:
    """Return the switches at a chip, in their order."""
    nets = [circuit.net_of[chip, n] for n in (3, 4, 5, 6, 11, 12, 13, 14) if (chip, n) in circuit.net_of]
    legs = {t for net in nets for t in circuit.nets[net] if circuit.parts[t[0]].type.name == "DRV5032FA"}
    found = {ref for ref, number in legs if circuit.pin((ref, number)).name == "OUT"}
    return sorted(found, key=split)


def _capacitor(ref: str) -> str:
    return f"C{split(ref)[1]}"


def schematic(circuit: Circuit, chips: Sequence[str], switches: Sequence[str], title: str) -> Sheet:
    """Draw the Pico, some chips, some switches."""
    parts = [*chips, *switches]
    pen = Pen(circuit, ["A1", *parts, "R901", "R902", *map(_capacitor, parts)])
    out: list[int | str] = [
        f"GP{pins.SWITCH_LOAD}",
        f"GP{pins.SWITCH_DATA}",
        "3V3",
        38,
        f"GP{pins.SWITCH_CLOCK}",
    ]
    pen.join(pen.box("A1", (20, 40), 30, [], [*out, *pen.rest("A1", out)], 9, "Raspberry Pi Pico"))
    x, y = 24.0, 106.0
    for chip in chips:
        into = ["H", "G", "F", "E", "D", "C", "B", "A"]
        rest = ["SER", "QH", "QH'", "SH/LD", "CLK", "CLK INH", "GND", "VCC"]
        pen.join(pen.box(chip, (x + 16, y), 26, into, rest, 5.6))
        x += 96
    for n, ref in enumerate(switches):
        pen.join(pen.box(ref, (134, 40 + 20 * n), 22, ["VCC", "GND"], ["OUT"], 6.0))
    y = pen.columns(list(pen.waiting), 18, 160, 198)
    if [ref for ref in chips_of(circuit) if ref not in chips]:
        others = [ref for ref in chips_of(circuit) if ref not in chips]
        pen.words(
            18, y + 4,
            f"Between them, as {chips[0]} and each fed by the next one's QH: {', '.join(others)}.",
            "All other switches, each with 100 nF, as those drawn; their legs are in the table of wiring.md.",
        )  # fmt: skip
        rows = [("chip", "switches", "100 nF", "SER from", "QH to")]
        for chip in chips_of(circuit):
            at_chip = switches_of(circuit, chip)
            fed = circuit.nets[circuit.at(chip, "SER") or ""]
            goes = circuit.nets[circuit.at(chip, "QH") or ""] - {(chip, 9)}
            rows.append(
                (
                    chip,
                    f"{at_chip[0]} to {at_chip[-1]}",
                    f"{_capacitor(chip)}, {_capacitor(at_chip[0])} to {_capacitor(at_chip[-1])}",
                    told(circuit, fed - {(chip, 10)}) if len(fed) < 4 else "GND",
                    told(circuit, goes),
                )
            )
        pen.table(18, y + 15, (20, 38, 50, 30, 40), rows)
    return pen.sheet(
        title,
        f"Schematic of a {circuit.name}: the Pico, the first and the last 74HC165, and a switch of each.",
        "Schematic. Low at a switch's OUT means that a magnet is there. Inputs without a switch go to 3.3 V.",
        SAME,
    )


def wiring(circuit: Circuit, chips: Sequence[str], switches: Sequence[str], title: str) -> Sheet:
    """Draw the same from above."""
    parts = [*chips, *switches]
    pen = Pen(circuit, ["A1", *parts, "R901", "R902", *map(_capacitor, parts)], real=True)
    pen.join(pen.box("A1", (126, 42), 40, *sides(circuit.parts["A1"].type), 4.7, "Raspberry Pi Pico"))
    for n, ref in enumerate(switches):
        pen.join(pen.box(ref, (62, 44 + 23 * n), 20, sides(circuit.parts[ref].type)[0], [], 4.7))
    y = 143.5
    for chip in chips:
        pen.join(pen.box(chip, (92, y), 36, *sides(circuit.parts[chip].type), 4.8))
        y += 46.5
    waiting = list(pen.waiting)
    pen.rows(waiting[1:], 112, pen.rows(waiting[:1], 12, y))
    return pen.sheet(
        title,
        f"Wiring of a {circuit.name}: Pico, chips and switches from above, each wire with its ends.",
        "Wiring: Pico and chips from above, plug and notch at the top; switches from their marked face.",
        *OVER,
    )


def sheets(circuit: Circuit, name: str, what: str) -> dict[str, Callable[[], Sheet]]:
    """Return the functions that draw the sheets of a row, by file name: its first and last chip, and a switch
    of each.
    """
    ends = chips_of(circuit)[:1] + chips_of(circuit)[-1:]
    switches = [ref for chip in ends for ref in switches_of(circuit, chip)[:1]]
    return {
        name: partial(schematic, circuit, ends, switches, what),
        f"{name}-wiring": partial(wiring, circuit, ends, switches, f"{what}: wiring"),
    }
