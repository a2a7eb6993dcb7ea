"""The sheets of a track of readers: power, Pico, a group of eight, readers. Repeated parts are drawn once.

Each sheet is made for the requested group or reader, so that a test can draw them all and find the circuit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from companion.firmware import pins
from hardware import tiers
from hardware.circuit import Circuit, Terminal
from hardware.drawing.boards import sides
from hardware.drawing.channel import wired
from hardware.drawing.page import Sheet
from hardware.drawing.pen import Pen, Place, legs_text, split
from hardware.parts import HC244_GATES

SAME: Final = (
    "What has the same name is joined, on all sheets of the track; a cross is a leg that stays open."
)
OVER: Final = (
    "At each wire: its net, then its other ends. U11/21-1: leg 1 of U11 and U21; U13-4/8: legs 4, 8 of U13.",
    "Every GND is joined to all others: plug, bucks, Pico (A1-38), Pi. Of a supply only its source is named.",
)
AMPLIFIER: Final = (
    "The amplifier is an SOT-23 on an adapter board: its legs as the data sheet counts them.",
)


def power_refs(circuit: Circuit) -> list[str]:
    """Return the parts on the sheet of the power."""
    refs = ("J2", "F1", "PS1", "R21", "U2", "R25", "C1", "C5", "PS2", "R22", "U3", "R26", "C2", "C6")
    return [ref for ref in refs if ref in circuit.parts]


def pico_refs() -> list[str]:
    """Return the parts on the sheet of the Pico."""
    return ["A1", "U1", *(f"R{n}" for n in range(1, 20)), "C10"]


class GroupRefs(NamedTuple):
    """The parts of a group.

    Decoder, multiplexer and buffer; the resistor that holds MISO low; the resistors where SCK and MOSI begin,
    which are at the Pico; that of the answer; a capacitor at each chip.
    """

    chips: tuple[str, ...]
    held: tuple[str, ...]
    starting: tuple[str, ...]
    answer: str
    capacitors: tuple[str, ...]

    @property
    def all(self) -> list[str]:
        """The parts on the sheet of the group."""
        return [*self.chips, *self.held, *self.starting, self.answer, *self.capacitors]


def group_refs(group: int) -> GroupRefs:
    """Return the parts of a group, numbered from 0."""
    first = 10 * (group + 1)
    chips, capacitors = (tuple(f"{letter}{first + n}" for n in (1, 2, 3)) for letter in "UC")
    resistors = tuple(f"R{10 * first + n}" for n in range(tiers.GROUP + 3))
    return GroupRefs(chips, resistors[: tiers.GROUP], resistors[tiers.GROUP : -1], resistors[-1], capacitors)


def reader_refs(readers: Sequence[int]) -> list[str]:
    """Return the parts on a sheet of readers."""
    return [
        ref
        for n in readers
        for ref in (f"RD{n}", f"R{1000 + n}", f"R{1100 + n}", f"C{1000 + n}", f"C{1100 + n}")
    ]


def groups_of(circuit: Circuit) -> list[int]:
    """Return the groups of a track."""
    return [split(part.ref)[1] // 10 - 1 for part in circuit.of_type("74HC251")]


def readers_of(circuit: Circuit) -> list[int]:
    """Return the readers of a track."""
    return [split(part.ref)[1] for part in circuit.of_type("MFRC522 board")]


# -- power


def power(circuit: Circuit, title: str) -> Sheet:
    """Draw plug, fuse, a buck for every three groups, its monitor if there is one."""
    pen = Pen(circuit, power_refs(circuit))
    bucks = [part.ref for part in circuit.of_type("buck 3.3 V")]
    plug = pen.box("J2", (18, 44), 22, [], ["+5V", "GND"], 9)
    y = 44.0
    left, right = list(plug), []
    for n, ref in enumerate(bucks):
        places = pen.box(ref, (112, y), 24, ["IN", "GND"], ["OUT"], 9)
        right += [place for place in places if place.way < 0]
        left += [place for place in places if place.way > 0]
        if (amplifier := f"U{2 + n}") in circuit.parts:
            legs = ["IN+", "IN-", "VS", "GND"]
            left += pen.box(amplifier, (80, y + 36), 26, legs, ["OUT"], 9, "INA180A1")
        y += 86
    pen.join(left, right)
    pen.columns(list(pen.waiting), 18, y - 2 if len(bucks) == 1 else y, 198)
    return pen.sheet(
        title,
        f"Schematic of the power of a {circuit.name}: plug, polyfuse, buck converter, current monitor.",
        "Schematic. 5 V never goes to the Pico; grounds of Pi, Pico and track are joined.",
        SAME,
    )


def power_wiring(circuit: Circuit, title: str) -> Sheet:
    """Draw the same from above."""
    pen = Pen(circuit, power_refs(circuit), real=True)
    places = pen.box("J2", (20, 44), 22, [], [1, 2], 9)
    y, right = 44.0, []
    for n, part in enumerate(circuit.of_type("buck 3.3 V")):
        legs = pen.box(part.ref, (118, y), 24, ["IN", "GND"], ["OUT"], 9)
        right += [place for place in legs if place.way < 0]
        places += [place for place in legs if place.way > 0]
        if (chip := f"U{2 + n}") in circuit.parts:
            places += pen.box(chip, (110, y + 34), 34, *sides(circuit.parts[chip].type), 8)
        y += 72
    pen.join(places, right)
    y = pen.rows(list(pen.waiting), 30, y + 2, 8)
    return pen.sheet(
        title,
        f"Wiring of the power of a {circuit.name}: boards from above, each wire with its name and ends.",
        "Wiring: boards from above; the order of the buck's legs is as printed on it. The stripe is minus.",
        *OVER,
        *(AMPLIFIER if circuit.of_type("INA180A1") else ()),
    )


# -- Pico and master decoder


def pico(circuit: Circuit, title: str) -> Sheet:
    """Draw the Pico, the resistors at its pins, the master decoder."""
    pen = Pen(circuit, pico_refs())
    outputs = (*pins.ADDRESS, pins.STROBE, pins.SCK, pins.MOSI, pins.RESET)
    bus = [f"GP{gp}" for gp in outputs]
    rest: list[int | str] = [f"GP{gp}" for gp in (pins.MISO, pins.TRACK_VOLTAGE, pins.TRACK_CURRENT)]
    rest += ["3V3", 38]
    rest += pen.rest("A1", [*bus, *rest])
    pitch = 8.0
    pen.join(pen.box("A1", (50, 40), 30, rest, bus, pitch, "Raspberry Pi Pico"))
    out = ["Y0", "Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7"]
    into = ["A", "B", "C", "G1", "G2A", "G2B", "GND", "VCC"]
    pen.join(pen.box("U1", (152, 40), 24, into, out, pitch, "74HC138"))
    pen.columns(list(pen.waiting), 18, 130, 198)
    return pen.sheet(
        title,
        f"Schematic of the Pico of a {circuit.name}, the resistors at its pins and the master decoder.",
        "Schematic. A number beside a wire is the leg's: at A1 the board's pin. U1 is the master decoder.",
        SAME,
    )


def pico_wiring(circuit: Circuit, title: str) -> Sheet:
    """Draw the Pico and the master decoder from above."""
    pen = Pen(circuit, pico_refs(), real=True)
    pen.join(pen.box("A1", (106, 40), 40, *sides(circuit.parts["A1"].type), 5.4, "Raspberry Pi Pico"))
    pen.join(pen.box("U1", (106, 157), 40, *sides(circuit.parts["U1"].type), 5.4, "74HC138"))
    between = ["R16", "R17"]  # two names each: a separate row
    held = [ref for ref in pen.waiting if ref not in between]
    y = pen.rows(held[:8], 12, 209)
    pen.rows(held[8:], 104, 209)
    pen.rows(between, 12, y)
    return pen.sheet(
        title,
        f"Wiring of the Pico of a {circuit.name}: Pico and decoder from above, each wire with its ends.",
        "Wiring: the Pico from above, its USB plug at the top; the chip from above, its notch at the top.",
        *OVER,
    )


# -- a group


def group(circuit: Circuit, number: int, title: str) -> Sheet:
    """Draw decoder, multiplexer and buffer of a group."""
    refs = group_refs(number)
    pen = Pen(circuit, refs.all)
    decoder, multiplexer, buffer = refs.chips
    into = ["A", "B", "C", "G1", "G2A", "G2B", "GND", "VCC"]
    pitch = 5.6
    pen.join(pen.box(decoder, (46, 40), 22, into, [f"Y{n}" for n in range(8)], pitch))
    select = ["Y", "W", "A", "B", "C", "G", "GND", "VCC"]
    pen.join(pen.box(multiplexer, (134, 40), 22, [f"D{n}" for n in range(8)], select, pitch), series=False)
    gates = [[*(gate[side] for gate in HC244_GATES)] for side in (0, 1)]
    pen.join(pen.box(buffer, (84, 98), 26, [*gates[0], 1, 19], [*gates[1], 10, 20], pitch), series=False)
    y = pen.columns(list(pen.waiting), 14, 160, 200)
    _others(pen, circuit, number, y + 3)
    return pen.sheet(
        title,
        f"Schematic of group {number} of a {circuit.name}: decoder, multiplexer, buffer and what is at them.",
        f"Schematic of group {number}. A number beside a wire is the leg's. {_at_pico(number)}",
        SAME,
    )


def _at_pico(number: int) -> str:
    return f"{' and '.join(group_refs(number).starting)} stand at the Pico."


def _others(pen: Pen, circuit: Circuit, number: int, y: float) -> None:
    """Draw the list of groups that are wired as this one, their numbers, and their differences."""
    groups = groups_of(circuit)
    if len(groups) < 2:
        return
    rows = [("group", "chips", "100 kΩ, 100 Ω", "100 nF", "enabled by", "readers")]
    for other in groups:
        refs = group_refs(other)
        readers = [f"RD{n}" for n in readers_of(circuit) if n // tiers.GROUP == other]
        resistors = f"{refs.held[0]}–{refs.held[-1]}, {refs.starting[0]}–{refs.answer}"
        enable = circuit.at(refs.chips[0], "G2A") or "open"
        capacitors = f"{refs.capacitors[0]}–{refs.capacitors[-1]}"
        cells = (f"{refs.chips[0]} to {refs.chips[-1]}", resistors, capacitors, enable)
        rows.append((f"{other}", *cells, f"{readers[0]} to {readers[-1]}"))
    pen.words(14, y, f"As this one: {', '.join(f'group {n}' for n in groups if n != number)}. Their numbers:")
    y = pen.table(14, y + 5, (14, 30, 52, 28, 28, 34), rows)
    for other in groups:
        if differs := differences(circuit, number, other):
            pen.words(15, y, f"Group {other}: {differs}.")
            y += 4.6


def differences(circuit: Circuit, one: int, other: int) -> str:
    """Return the legs of a group's chips that are open or at ground, where those of one group are not."""
    found: dict[str, list[Terminal]] = {"open": [], "at GND": []}
    for ref, there in zip(group_refs(one).chips, group_refs(other).chips, strict=True):
        for number in circuit.parts[ref].type.by_number:
            a, b = circuit.at(ref, number), circuit.at(there, number)
            if b is None and a is not None:
                found["open"].append((there, number))
            elif b == "GND" != a:
                found["at GND"].append((there, number))
    return "; ".join(f"{legs_text(circuit, legs)} {what}" for what, legs in found.items() if legs)


def group_wiring(circuit: Circuit, number: int, title: str) -> Sheet:
    """Draw the chips of a group from above."""
    refs, y = group_refs(number), 40.0
    pen = Pen(circuit, refs.all, real=True)
    for ref in refs.chips:
        legs = sides(circuit.parts[ref].type)
        pen.join(pen.box(ref, (92, y), 38, *legs, 5.0), series=False)
        y += 5.0 * len(legs[0]) + 7.5
    pen.rows(refs.capacitors, 104, y + 3, 5.6)
    y = pen.rows(refs.held, 12, y + 3, 5.6)
    pen.rows((*refs.starting, refs.answer), 12, y, 5.6)
    return pen.sheet(
        title,
        f"Wiring of group {number} of a {circuit.name}: its chips from above, each wire with its ends.",
        f"Wiring: chips from above, notch at the top. 100 nF beside each chip. {_at_pico(number)}",
        *OVER,
    )


# -- readers


def readers(circuit: Circuit, numbers: Sequence[int], title: str, real: bool = False) -> Sheet:
    """Draw some readers with their four parts each, and the numbers of all others."""
    pen = Pen(circuit, reader_refs(numbers), real)
    y = _readers_wired(pen, numbers) if real else _readers_drawn(pen, numbers)
    others = [number for number in readers_of(circuit) if number not in numbers]
    if others:
        pen.words(
            14, y, f"As this one: RD{others[0]} to RD{others[-1]}. Legs at the other ends of their wires:"
        )
        rows: list[tuple[str, ...]] = [
            ("reader", "100 Ω SCK", "100 Ω MOSI", "10 µF, 100 nF", "SDA", "SCK", "MOSI", "MISO", "RST")
        ]
        rows += [_row(circuit, number) for number in (*numbers, *others)]
        pen.table(14, y + 5, (16, 22, 24, 32, 17, 17, 17, 17, 17), rows)
    kind = "Wiring" if real else "Schematic"
    how = "the reader board with its legs in order" if real else "each with two resistors and two capacitors"
    return pen.sheet(
        title,
        f"{kind} of readers of a {circuit.name}: {how}.",
        f"{kind}: {how}; the capacitors stand at the reader.",
        *(OVER if real else (SAME,)),
    )


def _readers_drawn(pen: Pen, numbers: Sequence[int]) -> float:
    y, pitch = 42.0, 8.0
    for number in numbers:
        mine = reader_refs([number])
        pen.join(pen.box(mine[0], (128, y), 26, range(1, 9), [], pitch))
        pen.columns(mine[3:], 166, y, 200)
        y += pitch * 8 + 14
    return y


def _readers_wired(pen: Pen, numbers: Sequence[int]) -> float:
    """Draw readers and their capacitors below each other, with real wires where several are on one net."""
    y, right = 38.0, list[Place]()
    for number in numbers:
        reader, *_, bulk, ceramic = reader_refs([number])
        for ref, pitch in ((reader, 5.4), (bulk, 4.6), (ceramic, 4.6)):
            legs = sides(pen.circuit.parts[ref].type)[0]
            right += pen.box(ref, (170, y), 26, legs, [], pitch)
            y += pitch * len(legs) + 5.6
        y += 1.0
    wired(pen, [], right, 62)
    return y + 4


def _row(circuit: Circuit, number: int) -> tuple[str, ...]:
    ref, clock, data, bulk, ceramic = reader_refs([number])

    def far(start: str, leg: int | str, kind: str) -> str:
        net = circuit.at(start, leg) or ""
        return legs_text(
            circuit, [t for t in circuit.nets.get(net, ()) if circuit.parts[t[0]].type.name == kind]
        )

    return (
        ref,
        clock,
        data,
        f"{bulk}, {ceramic}",
        far(ref, "SDA", "74HC138"),
        far(clock, 1, "74HC244"),
        far(data, 1, "74HC244"),
        far(ref, "MISO", "74HC251"),
        far(ref, "RST", "74HC244"),
    )


def sheets(circuit: Circuit, name: str, what: str) -> dict[str, Callable[[], Sheet]]:
    """Return the functions that draw each sheet of a track, by file name; where there is one group all
    readers are drawn.
    """
    small = len(groups_of(circuit)) == 1
    shown = readers_of(circuit) if small else [0]
    eight = f"{what}: {'its one group' if small else 'a group of eight'}"
    some = f"{what}: {'readers' if small else 'one reader'}"
    return {
        **power_sheets(circuit, name, what),
        f"{name}-pico": partial(pico, circuit, f"{what}: Pico and master decoder"),
        f"{name}-pico-wiring": partial(pico_wiring, circuit, f"{what}: Pico and master decoder, wiring"),
        f"{name}-group": partial(group, circuit, 0, eight),
        f"{name}-group-wiring": partial(group_wiring, circuit, 0, f"{eight}, wiring"),
        f"{name}-reader": partial(readers, circuit, shown, some),
        f"{name}-reader-wiring": partial(readers, circuit, shown, f"{some}, wiring", real=True),
    }


def power_sheets(circuit: Circuit, name: str, what: str) -> dict[str, Callable[[], Sheet]]:
    """Return the functions that draw the sheets of a track's power, by file name."""
    return {
        f"{name}-power": partial(power, circuit, f"{what}: power"),
        f"{name}-power-wiring": partial(power_wiring, circuit, f"{what}: power, wiring"),
    }
