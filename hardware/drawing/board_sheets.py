"""The perforated boards of a track of readers: one for each group, one for the Pico."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from hardware.circuit import Circuit
from hardware.drawing.board import Plan, drawn
from hardware.drawing.page import Sheet
from hardware.drawing.track_sheets import group_refs, groups_of

SAYS: Final = (
    "The board from above, holes 2.54 mm apart, drawn larger. A square: leg 1; thick lines: drops of solder.",
    "All other wires run underneath: join the holes of each line of the list, then lead it off the board.",
)
BELOW: Final = (
    "The board from below, mirrored, as it lies for soldering: 1A is at the upper right. A square: leg 1.",
    "Join the holes of each line of the list, then lead it off the board; thick lines: drops of solder.",
)


def group_plan(circuit: Circuit, number: int) -> Plan:
    """Return a group's chips side by side, resistors next to the legs that they serve."""
    refs = group_refs(number)
    decoder, multiplexer, buffer = refs.chips
    plan = Plan(circuit)
    plan.chip(decoder, 3, 3, 3)
    plan.chip(multiplexer, 16, 3, 3)
    plan.chip(buffer, 34, 3, 3)
    for ref in refs.held:
        plan.next_to(ref, 1)
    plan.next_to(refs.answer, 2)
    for ref, chip in zip(refs.capacitors, refs.chips, strict=True):
        plan.above(ref, chip)
    return plan


def pico_plan(circuit: Circuit) -> Plan:
    """Return the Pico with the resistors at its legs and of each group's SCK and MOSI, and the master
    decoder.
    """
    plan = Plan(circuit)
    plan.chip("A1", 12, 2, 7)
    plan.chip("U1", 33, 6, 3)
    plan.above("C10", "U1")
    for ref in ("R1", "R2", "R3"):
        plan.next_to(ref, 1)
    for number in range(6, 17):
        plan.next_to(f"R{number}", 1)
    for ref, leg in (("R18", 1), ("R17", 2), ("R19", 1)):
        plan.next_to(ref, leg)
    for row, number in enumerate(groups_of(circuit), 16):
        for column, ref in zip((27, 33), group_refs(number).starting, strict=True):
            plan.alone(ref, column, row)
    return plan


def group(circuit: Circuit, title: str, below: bool = False) -> Sheet:
    """Return the board of a group, from above or from below."""
    says = f"Perforated board of group 0 of a {circuit.name}: which leg is in which hole, and what to join."
    others = "All groups lie alike: the other ones' numbers are on the schematic of the group."
    return drawn(group_plan(circuit, 0), title, says, 39, *(BELOW if below else SAYS), others, below=below)


def pico(circuit: Circuit, title: str, below: bool = False) -> Sheet:
    """Return the board of the Pico, from above or from below."""
    says = f"Perforated board of the Pico of a {circuit.name}: which leg is in which hole, and what to join."
    return drawn(pico_plan(circuit), title, says, 39, *(BELOW if below else SAYS), below=below)


def sheets(circuit: Circuit, name: str, what: str) -> dict[str, Callable[[], Sheet]]:
    """Return the functions that draw both boards of a track, by file name."""
    return {
        f"{name}-group-board": partial(group, circuit, f"{what}: board of a group"),
        f"{name}-pico-board": partial(pico, circuit, f"{what}: board of the Pico"),
        f"{name}-group-board-below": partial(
            group, circuit, f"{what}: board of a group, from below", below=True
        ),
        f"{name}-pico-board-below": partial(
            pico, circuit, f"{what}: board of the Pico, from below", below=True
        ),
    }
