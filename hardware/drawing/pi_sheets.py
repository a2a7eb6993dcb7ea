"""The sheets of card pad and panel, each alone and both on one header."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from companion.pins import PI_PINS, SPI0_PINS
from hardware import tiers
from hardware.circuit import Circuit
from hardware.drawing.boards import sides
from hardware.drawing.channel import across, wired
from hardware.drawing.page import Sheet
from hardware.drawing.pen import Pen, Place

HEADER = "J1"
# Wires of the header are half its pitch apart; those at the right are shifted a quarter: none overlap
PITCH: Final = 5.6
WIDER: Final = 1.5 * PITCH
GAP: Final = 5.4


def _gpio(*pins: int) -> tuple[str, ...]:
    return tuple(f"GPIO{pin}" for pin in pins)


# Legs of the header in the order of the reader's, then in that of buttons, lamp and buzzer
PAD_ORDER: Final = (
    *_gpio(*(SPI0_PINS[name] for name in ("ce0", "sclk", "mosi", "miso"))),
    None,
    20,
    *_gpio(PI_PINS["pad_reset"]),
    17,
)
_BUTTONS, _LAMP = (_gpio(*(PI_PINS[name] for name in names)) for names in (tiers.BUTTONS, tiers.LAMPS))
LOAD_ORDER: Final = (*_BUTTONS, _LAMP[0], None, *_LAMP[1:], *_gpio(PI_PINS["buzzer"]), 39)


def schematic(circuit: Circuit, title: str) -> Sheet:
    """Draw the Pi's header at the left, everything connected to it at the right."""
    pen = Pen(circuit, circuit.parts)
    part = circuit.parts[HEADER].type
    order: list[int | str | None] = list(PAD_ORDER) if "PAD1" in circuit.parts else []
    if "D1" in circuit.parts:
        order += [*([None] if order else []), *LOAD_ORDER]
    order += pen.rest(HEADER, order)
    drawn = [n if n is None or (HEADER, part.number(n)) in circuit.net_of else None for n in order]
    pitch = 8.5
    left = pen.box(HEADER, (20, 38), 26, [], drawn, pitch, "header of the Pi")
    right: list[Place] = []
    if "PAD1" in circuit.parts:
        right += pen.box("PAD1", (120, 38), 24, range(1, 9), [], pitch)
    if "D1" in circuit.parts:
        row = order.index(LOAD_ORDER[3])
        right += pen.box("D1", (164, 38 + pitch * row), 20, [1, 2, 3, 4], [], pitch, "RGB LED")
    pen.join(left, right)
    pen.columns([*pen.waiting], 20, 44 + pitch * len(drawn), 198)
    return pen.sheet(
        title,
        f"Schematic of {circuit.name}: every part, its legs by number, and the nets between them.",
        "Schematic. A number beside a wire is the leg's: at J1 the pin of the 40-pin header.",
        "What has the same name is joined; a cross is a leg that stays open.",
    )


def wiring(circuit: Circuit, title: str) -> Sheet:
    """Draw the header from above, and a wire for every connection."""
    pen = Pen(circuit, circuit.parts, real=True)
    pitch, top = PITCH, 36.0
    odd, even = sides(circuit.parts[HEADER].type)
    board = pen.box(HEADER, (16, top), 37, odd, even, pitch, "header of the Pi")
    left = across(pen, board, 53, pitch)
    right: list[Place] = []
    y = top - GAP
    for ref in [ref for ref in circuit.parts if ref[0] in "PCSDB"]:
        legs = sides(circuit.parts[ref].type)[0]
        step = WIDER if len(legs) > 2 else PITCH
        first = y + GAP + step / 2
        y = round(y + GAP + (top + PITCH / 4 - first) % (PITCH / 2), 2)
        use = circuit.parts[ref].use if ref[0] in "SB" else ""
        right += pen.box(ref, (176, y), 20, legs, [], step, use)
        y += step * len(legs)
    wired(pen, left, right, 56)
    pen.rows(list(pen.waiting), 12, 168)  # those that a fault has cut off
    return pen.sheet(
        title,
        f"Wiring of {circuit.name}: the Pi's header from above, the parts, every wire with its name.",
        "Wiring. The header from above, pin 1 at the upper left; wires of odd pins are drawn under it.",
        "Over each wire: its net, and the leg at its other end. A dot joins; lines that cross do not.",
    )


def sheets() -> dict[str, Callable[[], Sheet]]:
    """Return the functions that draw each sheet of the Pi, by file name."""
    found: dict[str, Callable[[], Sheet]] = {}
    for name, title, circuit in (
        ("pad", "Card pad", tiers.pad()),
        ("panel", "Panel", tiers.panel()),
        ("pad-and-panel", "Card pad and panel on one header", tiers.pi_tiers()),
    ):
        found[name] = partial(schematic, circuit, title)
        found[f"{name}-wiring"] = partial(wiring, circuit, f"{title}: wiring")
    return found
