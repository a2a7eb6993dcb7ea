"""The tables of wiring.md: each pin and wire, out of the net lists, and the questions for the bench."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final, NamedTuple

from companion.diagnostics.bench_tests import BENCH_TESTS
from companion.firmware import pins as pico_pins
from companion.pins import PI_PINS, SPI0_PINS
from hardware import parcel, tiers
from hardware.circuit import Circuit, Kind, Terminal
from hardware.parts import PI_HEADER, PICO_BOARD

SUPPLY: Final = (Kind.POWER_IN, Kind.POWER_OUT)


def markdown(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """Return a table in Markdown."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


# -- where a wire goes, in words


def ends(circuit: Circuit, terminals: Iterable[Terminal]) -> str:
    """Return pins as a list, those of parts of one row and one pin together: `RD0–RD7 pin 7 (RST)`."""
    return "; ".join(_ends(circuit, sorted(terminals, key=lambda t: (*_split(t[0]), t[1]))))


def _split(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref[len(letters) :])


def _ends(circuit: Circuit, terminals: Iterable[Terminal]) -> Iterator[str]:
    def alike(terminal: Terminal) -> tuple[str, int, str, str]:
        part = circuit.parts[terminal[0]]
        return _split(part.ref)[0], terminal[1], part.type.name, part.value

    for (letters, number, _, value), same in groupby(sorted(terminals, key=alike), key=alike):
        refs = sorted(_split(terminal[0])[1] for terminal in same)
        name = circuit.pin((f"{letters}{refs[0]}", number)).name
        shown_value = f" ({value})" if value else ""
        named = "" if name == str(number) else f" ({name})"
        yield f"{', '.join(_runs(letters, refs))}{shown_value} pin {number}{named}"


def _runs(letters: str, numbers: list[int]) -> Iterator[str]:
    """Yield `RD0–RD7` for three or more that follow each other."""
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        row = [number for _, number in run]
        if len(row) > 2:
            yield f"{letters}{row[0]}–{letters}{row[-1]}"
        else:
            yield from (f"{letters}{number}" for number in row)


def together(refs: Iterable[str]) -> str:
    """Return names of parts of one letter as a list: `R100–R107, R1000`."""
    split = sorted(_split(ref) for ref in refs)
    return ", ".join(_runs(split[0][0], [number for _, number in split]))


def goes_to(circuit: Circuit, start: Terminal) -> str:
    """Return the other end of a pin's wire, through resistors in series; and the pulls there."""
    net = circuit.net_of.get(start)
    return "; ".join(_goes_to(circuit, net, {start})) if net is not None else "open"


def _goes_to(circuit: Circuit, net: str, seen: set[Terminal]) -> Iterator[str]:
    others = circuit.nets[net] - seen
    direct = [t for t in others if circuit.parts[t[0]].type.name != "resistor"]
    if direct:
        yield _by_type(circuit, direct)
    series: dict[str, list[Terminal]] = {}
    for ref, pin in sorted(others - set(direct), key=lambda t: _split(t[0])):
        far, value = circuit.net_of[ref, 3 - pin], circuit.parts[ref].value
        if far == "GND" or any(circuit.pin(t).kind in SUPPLY for t in circuit.nets[far]):
            yield f"{value} to {far}"
        else:
            series.setdefault(value, []).append((ref, 3 - pin))
    for value, ends_there in series.items():
        if len(ends_there) == 1:
            beyond_it = _goes_to(circuit, circuit.net_of[ends_there[0]], {*ends_there})
            yield f"{value}, then {'; '.join(beyond_it)}"
        else:
            beyond = [t for end in ends_there for t in circuit.nets[circuit.net_of[end]] - {end}]
            yield f"{value} each, then {_by_type(circuit, beyond)}"


def _by_type(circuit: Circuit, terminals: Iterable[Terminal]) -> str:
    """Return pins by type of part: `74HC138 pin 1 (A): U11, U21`."""

    def kind(terminal: Terminal) -> tuple[str, int]:
        return circuit.parts[terminal[0]].type.name, terminal[1]

    entries = []
    for (name, number), same in groupby(sorted(terminals, key=lambda t: (kind(t), _split(t[0]))), key=kind):
        refs = [_split(terminal[0]) for terminal in same]
        first = f"{refs[0][0]}{refs[0][1]}"
        pin, use = circuit.pin((first, number)).name, circuit.parts[first].use
        named = f"{name} pin {number}" + ("" if pin == str(number) else f" ({pin})")
        runs = ", ".join(_runs(refs[0][0], [n for _, n in refs]))
        entries.append(f"{named}: {runs}" + (f", {use}" if len(refs) == 1 and use else ""))
    return "; ".join(entries)


# -- tables


def pi_table() -> str:
    """Return the Pi's pins."""
    circuit = tiers.pi_tiers()
    rows = [
        (name, f"GPIO {bcm}", PI_HEADER[bcm], goes_to(circuit, ("J1", PI_HEADER[bcm])))
        for name, bcm in {**SPI0_PINS, **PI_PINS}.items()
    ]
    return markdown(("function", "BCM", "header pin", "goes to"), rows)


def pico_table() -> str:
    """Return the Pico's pins, with readers and with switches, each tier with its defaults."""
    readers, switches = tiers.reader_track(monitor=True), tiers.presence_track()
    signals = {f"A{bit}": (gp, readers) for bit, gp in enumerate(pico_pins.ADDRESS)}
    signals |= {
        "strobe": (pico_pins.STROBE, readers),
        "SCK": (pico_pins.SCK, readers),
        "MOSI": (pico_pins.MOSI, readers),
        "MISO": (pico_pins.MISO, readers),
        "nRST": (pico_pins.RESET, readers),
        "track voltage": (pico_pins.TRACK_VOLTAGE, readers),
        "track current": (pico_pins.TRACK_CURRENT, readers),
        "switch data": (pico_pins.SWITCH_DATA, switches),
        "switch load": (pico_pins.SWITCH_LOAD, switches),
        "switch clock": (pico_pins.SWITCH_CLOCK, switches),
    }
    rows = [
        (signal, gp, PICO_BOARD[gp], goes_to(circuit, ("A1", PICO_BOARD[gp])))
        for signal, (gp, circuit) in signals.items()
    ]
    rows.append(("spare", pico_pins.SPARE, PICO_BOARD[pico_pins.SPARE], "reserved for lights"))
    return markdown(("signal", "GP", "board pin", "goes to"), rows)


def reader_table() -> str:
    """Return the connection of each reader."""
    circuit = tiers.reader_track(tiers.MOST_READERS)

    def other_end(ref: str, pin: str, part: str) -> str:
        """Return the pin of a type of part on the net of a reader's pin, or behind the resistor that is on
        it.
        """
        net = circuit.at(ref, pin) or ""
        ends_there = set(circuit.nets[net])
        for name, number in circuit.nets[net]:
            if circuit.parts[name].type.name == "resistor" and circuit.net_of[name, 3 - number] != "GND":
                ends_there |= circuit.nets[circuit.net_of[name, 3 - number]]
        return next(f"{t[0]} pin {t[1]}" for t in ends_there if circuit.parts[t[0]].type.name == part)

    rows = []
    for reader in range(tiers.MOST_READERS):
        ref = f"RD{reader}"
        select = other_end(ref, "SDA", "74HC138")
        enable = circuit.at(select.split()[0], pico_pins.DECODER_ENABLE_PIN) or ""
        master = next(t[1] for t in circuit.nets[enable] if t[0] == "U1")
        bus = [other_end(ref, pin, "74HC244") for pin in ("SCK", "MOSI", "RST")]
        enabled = f"{enable} (master pin {master})"
        rows.append((reader, reader // tiers.GROUP, enabled, select, other_end(ref, "MISO", "74HC251"), *bus))
    head = ("reader", "group", "enabled by", "SDA: 74HC138", "MISO: 74HC251")
    return markdown((*head, "SCK, 100 Ω: 74HC244", "MOSI, 100 Ω: 74HC244", "RST: 74HC244"), rows)


def switch_table() -> str:
    """Return the connection of each switch of a presence track."""
    circuit = tiers.presence_track(pico_pins.MOST_SWITCHES)
    chips = [part.ref for part in circuit.of_type("74HC165")]
    rows = []
    for part in circuit.of_type("DRV5032FA"):
        chip, pin = next(t for t in circuit.nets[circuit.at(part.ref, "OUT") or ""] if t[0] in chips)
        rows.append((_split(part.ref)[1] - 300, f"{chips.index(chip) + 1} ({chip})", pin))
    return markdown(("switch", "74HC165, counted from the Pico", "its pin"), rows)


def cables(circuit: Circuit) -> str:
    """Return every wire of a circuit: its name and all its ends."""
    return markdown(
        ("wire", "ends"), [(net, ends(circuit, terminals)) for net, terminals in circuit.nets.items()]
    )


def tier_table() -> str:
    """Return the function, the cost and the current of each tier."""
    rows = [
        (f"[{tier.title}](#{tier.anchor})", tier.gives, f"{parcel.euro(tier.bought):.0f} €", tier.hours)
        for tier in TIERS
    ]
    return markdown(("tier", "what it gives", "parcel [estimated]", "hours [guessed]"), rows)


class Tier(NamedTuple):
    """A tier in the words of the guide; `bought` is its name in the list of parts."""

    title: str
    anchor: str
    gives: str
    bought: str
    hours: str


TIERS: Final = (
    Tier("USB reader", "a-usb-reader", "a card that is held to it is played", "USB reader", "¼"),
    Tier("card pad", "card-pad-one-mfrc522-on-the-pi", "a card that is on it is played", "pad", "1 to 2"),
    Tier(
        "panel",
        "panel-three-buttons-a-lamp-a-buzzer",
        "OK, take back, next under the fingers; a lamp, a buzzer",
        "panel",
        "2",
    ),
    Tier("three readers", "three-readers-to-try", "pitch, tags and power are settled", "strip of 3", "6"),
    Tier(
        "presence-only track",
        "a-presence-only-track",
        "22 spaces feel their pieces; the rules know who stands there",
        "switches 22",
        "8 to 12",
    ),
    Tier(
        "whole reading track",
        "the-whole-reading-track",
        "22 spaces know their pieces (the three readers are in it)",
        parcel.PRINTED,
        "20 to 30",
    ),
)


def bench_table() -> str:
    """Return the questions that the bench must settle."""
    rows = [(test.what, test.assumed, test.proof, f"`{test.name}`") for test in BENCH_TESTS]
    return markdown(("what", "taken for true here", "the test that settles it", "its name"), rows)


TABLES: Final[dict[str, Callable[[], str]]] = {
    "pi": pi_table,
    "pico": pico_table,
    "readers": reader_table,
    "switches": switch_table,
    "bench": bench_table,
    "tiers": tier_table,
    "cables_pad": lambda: cables(tiers.pad()),
    "cables_panel": lambda: cables(tiers.panel()),
}


def cable_lists() -> str:
    """Return every wire of every tier, on a page."""
    lists = {
        "Card pad": tiers.pad(),
        "Panel": tiers.panel(),
        "Three readers to try": tiers.reader_track(tiers.STRIP),
        "A track of 22 readers, with a current monitor": tiers.reader_track(monitor=True),
        "A row of 22 switches": tiers.presence_track(),
    }
    head = (
        "# Every wire\n\nMade by `python -m hardware` from the net lists. What the names mean: "
        "[wiring](../wiring.md#names-of-parts). Without a current monitor `U2`, `R21`, `R25` and `C5` are "
        "left out and the buck's output is `3V3 TRACK 1`."
    )
    return "\n\n".join((head, *(f"## {name}\n\n{cables(c)}" for name, c in lists.items()))) + "\n"


def with_tables(text: str, by_name: Mapping[str, Callable[[], str]] = TABLES) -> str:
    """Return the text with every table from the net lists; raise KeyError for an unknown table."""

    def made(found: re.Match[str]) -> str:
        return f"<!-- table {found[1]} -->\n\n{by_name[found[1]]()}\n\n<!-- end -->"

    return re.sub(r"<!-- table (\w+) -->.*?<!-- end -->", made, text, flags=re.DOTALL)
