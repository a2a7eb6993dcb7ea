"""The budget of every supply: the current of each part, typical, at most, and with all fields on
by a fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from hardware import tiers
from hardware.bench import BRIDGE_OHMS, HIGH
from hardware.circuit import Circuit, Draw, Kind
from hardware.parts import BOARD_LED, FIELD, IDLE, LED_VOLTS, ohms
from hardware.subject import Subject
from hardware.tables import markdown

EFFICIENCY: Final = 0.85  # of a buck [assumed, check]
FIELDS: Final = 2  # on at once while the track is scanned
STATED: Final = {22: (417, 618), 40: (660, 960)}  # wiring.md: readers alone
ENOUGH: Final = "enough"
NOT_FOR_THE_FAULT: Final = (
    "enough at work. By the fault the plug or the polyfuse lets go, unless a current monitor is fitted\n"
    "and the firmware pulls the readers' reset before"
)
PIEZO_MA: Final = Draw(0.5, 2, 15, "20 nF at 4 kHz [assumed]; at most 3.3 V over 220 Ω")


class Line(NamedTuple):
    """A number of equal consumers and the current of each, in mA."""

    what: str
    number: int
    each: Draw


def lines(circuit: Circuit, *nets: str) -> list[Line]:
    """Return the consumers of these supplies, behind fuse and shunt too; two readers have a field on."""
    it = Subject(circuit)
    rail = {each for net in nets for each in it.rail(net)}
    fed = {t[0] for t, at, pin, _ in it.wires if at in rail and pin.kind == Kind.POWER_IN}
    found = []
    for name, count in sorted(Counter(circuit.parts[ref].type.name for ref in fed).items()):
        if name == "MFRC522 board":
            on = min(FIELDS, count)
            idle = replace(IDLE, fault=FIELD.most, source=f"{IDLE.source}; by a fault as above")
            found += [Line("MFRC522, field on", on, FIELD), Line("MFRC522, idle", count - on, idle)]
            found.append(Line("LED of a reader's board", count, BOARD_LED))
        else:
            draw = next(part.type.draw for part in circuit.of_type(name))
            found += [Line(name, count, draw)] if draw else []
    resistors = [r for a, b, r in it.bench().resistors if r > BRIDGE_OHMS and (a in rail or b in rail)]
    if resistors:
        ma = sum(HIGH / r * 1000 for r in resistors)
        draw = Draw(ma / 2, ma, ma, "3.3 V over each at most, half of it typical [computed]")
        found.append(Line("pull-ups and dividers, all", 1, draw))
    return [line for line in found if line.number]


def lamp() -> Line:
    """Return the panel's current from the Pi's pins, which is from its 3.3 V."""
    circuit = tiers.panel()
    values = {part.use: ohms(part.value) for part in circuit.of_type("resistor")}
    ma = sum(
        (HIGH - LED_VOLTS[colour]) / values[f"in series with {name}"] * 1000
        for name, (colour, _) in tiers.LAMPS.items()
    )
    source = "3.3 V less the forward voltage over each resistor, one colour typical [computed]"
    return Line("lamp, all three colours", 1, Draw(ma / 3, ma, ma, source))


def total(parts: list[Line]) -> tuple[float, float, float]:
    """Return the sums in mA: typical, at most, by a fault."""
    return (
        sum(line.number * line.each.typical for line in parts),
        sum(line.number * line.each.most for line in parts),
        sum(line.number * line.each.fault for line in parts),
    )


def _section(title: str, parts: list[Line], limit: float, limited: str) -> Iterator[str]:
    yield f"## {title}\n"
    rows: list[tuple[object, ...]] = [
        (
            line.what,
            line.number,
            _ma(line.each.typical),
            _ma(line.each.most),
            _ma(line.each.fault),
            line.each.source,
        )
        for line in parts
    ]
    typical, most, fault = total(parts)
    rows.append(("**together**", "", f"**{typical:.0f}**", f"**{most:.0f}**", f"**{fault:.0f}**", ""))
    head = ("consumer", "count", "typical, each", "at most, each", "by a fault, each", "source")
    yield markdown(head, rows) + "\n"
    verdict = (
        "enough" if fault <= limit else "enough at work, not for the fault" if most <= limit else "too little"
    )
    yield f"The supply gives {limit:.0f} mA ({limited}): {verdict}.\n"


def _ma(value: float) -> str:
    return f"{value:.3g}"


def report() -> str:
    """Return all budgets as a page."""
    return "\n".join(_report())


def _report() -> Iterator[str]:
    yield "# Power\n"
    yield (
        "Made by `python -m hardware` from the net lists; all figures in mA. **None was measured**: they\n"
        "come from data sheets, are computed or assumed, as each line says. *By a fault*: all fields on.\n"
    )
    yield from _section("Pad and panel: the Pi's 3.3 V", _pi(), 300, "assumed: its makers give no figure")
    row = lines(tiers.presence_track(), "3V3 PICO")
    yield from _section("22 switches: the Pico's 3V3", row, 300, "Raspberry Pi Pico data sheet")
    bus = lines(tiers.reader_track(), "3V3 PICO")
    yield from _section("Track of readers: the Pico's 3V3", bus, 300, "Raspberry Pi Pico data sheet")
    for readers in STATED:
        yield from _track(readers)
    yield from _compared()


def _pi() -> list[Line]:
    return [*lines(tiers.pad(), "3V3 PI"), lamp(), Line("buzzer", 1, PIEZO_MA)]


def _track(readers: int) -> Iterator[str]:
    circuit = tiers.reader_track(readers, monitor=True)
    bucks = _bucks(circuit)
    for net, buck in bucks.items():
        title = f"Track of {readers} readers: {circuit.parts[buck].use}, behind {buck}"
        yield from _section(title, lines(circuit, net), 3000, "the buck's 3 A")
    typical, most, fault = (HIGH / 5 / EFFICIENCY * ma for ma in total(lines(circuit, *bucks)))
    yield f"## Track of {readers} readers: 5 V at the plug\n"
    yield (
        f"Through bucks of {100 * EFFICIENCY:.0f} % [assumed], two fields on in all: {typical:.0f} typical, "
        f"{most:.0f} at most, {fault:.0f} by a fault.\n"
        f"The plug gives 3000: {ENOUGH if fault <= 3000 else NOT_FOR_THE_FAULT}.\n"
    )


def _bucks(circuit: Circuit) -> dict[str, str]:
    """Return the bucks by the net of their output."""
    return {circuit.at(part.ref, "OUT") or "": part.ref for part in circuit.of_type("buck 3.3 V")}


def readers_alone(readers: int) -> tuple[float, float]:
    """Return the current with two fields on and all others idle, the chips alone: typical and at
    most, in mA.
    """
    idle = readers - FIELDS
    return FIELDS * FIELD.typical + idle * IDLE.typical, FIELDS * FIELD.most + idle * IDLE.most


def _compared() -> Iterator[str]:
    yield "## Beside what wiring.md says\n"
    rows: list[tuple[object, ...]] = []
    for readers, stated in STATED.items():
        circuit = tiers.reader_track(readers, monitor=True)
        typical, most, _ = total(lines(circuit, *_bucks(circuit)))
        alone = readers_alone(readers)
        rows.append((readers, *(f"{low:.0f} / {high:.0f}" for low, high in (stated, alone, (typical, most)))))
    yield (
        markdown(("readers", "wiring.md, typical / at most", "readers here", "all that the bucks feed"), rows)
        + "\n"
    )
    yield (
        "wiring.md counts the readers' chips alone: two with their field on, all others idle (20 or 38).\n"
        "The rest is the LED on each reader's board, the logic chips, the monitor and the resistors. The\n"
        "firmware's limits (250 mA + 24 mA a reader: 778 and 1210) lie above both sums.\n"
    )
