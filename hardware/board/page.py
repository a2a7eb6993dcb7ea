"""The tables of docs/board.md, read out of the net lists of the boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hardware import bom, tables, tiers
from hardware.board.designs import DESIGNS
from hardware.board.placement import Design
from hardware.parts import BUS, READER_CABLE


def parts(design: Design) -> str:
    """Return the list of parts to buy for one board, in addition to the board itself."""
    board = design.circuit
    rows = []
    for key, count in bom.counted(board).items():
        alike = [part for part in board.parts.values() if (part.type.name, part.value) == key]
        which, holes = tables.together(part.ref for part in alike), design.footprint(alike[0]).name
        article = bom.ARTICLES[key]
        rows.append((count, " ".join(key).strip(), which, holes, article.number, article.instead))
    head = ("how many", "part", "which", "holes for", "for example (check)", "or")
    return tables.markdown(head, rows)


def bus() -> str:
    """Return the pins of the plugs of a bus, and what is at the Pico's end in every group."""
    track = tiers.reader_track(tiers.MOST_READERS)
    groups = range(tiers.GROUPS_A_BUCK)
    rows: list[tuple[object, ...]] = []
    for n, name in enumerate(BUS):
        if name == "EN":
            pins = [next(t[1] for t in track.nets[f"EN{group}"] if t[0] == "U1") for group in groups]
            far = "U1 pin " + ", ".join(f"{pin} (group {group})" for group, pin in enumerate(pins))
        elif name in ("SCK", "MOSI"):
            number = 8 + (name == "MOSI")
            series = ", ".join(f"R{group + 1}0{number} (group {group})" for group in groups)
            far = f"{series}: 100 Ω each, at the Pico's {_pico(name)}"
        elif name in ("A0", "A1", "A2"):
            far = f"R{int(name[1]) + 1}, 100 Ω, at the Pico's {_pico(f'PICO {name}')}"
        else:
            far = f"the Pico's {_pico(name)}"
        rows.append((2 * n + 1, name, far))
    rows.append(("all even ones", "GND", "GND"))
    return tables.markdown(("pin", "signal", "at the Pico's end"), rows)


def _pico(net: str) -> str:
    track = tiers.reader_track()
    pin = next(t for t in track.nets[net] if t[0] == "A1")
    return f"{track.pin(pin).name} (pin {pin[1]})"


def readers() -> str:
    """Return the plug of each reader in each group."""
    groups = range(tiers.MOST_READERS // tiers.GROUP)
    head = ("plug", *(f"group {group}" for group in groups))
    rows = [
        (f"J{100 + n}", *(f"reader {group * tiers.GROUP + n}" for group in groups))
        for n in range(tiers.GROUP)
    ]
    return tables.markdown(head, rows)


def plug() -> str:
    """Return the wires of a reader's cable."""
    head = ("wire", *(str(pin.number) for pin in READER_CABLE.pins))
    return tables.markdown(head, [("signal", *(pin.name for pin in READER_CABLE.pins))])


def boards() -> str:
    """Return the boards of a track of 22, their size, and how many it takes."""
    readers = tiers.READERS
    groups = -(-readers // tiers.GROUP)
    counts = {
        "group": f"{groups} (of {tiers.MOST_READERS}: 5)",
        "pico": "1",
        "reader": f"{readers}, one a reader",
    }
    counts["reader-mirrored"] = "instead, for readers whose pins are the other way round"
    rows = []
    for design in DESIGNS.values():
        long, high = design.size
        size = f"{long:g} × {high:g} mm"
        rows.append(
            (f"board of {design.title}", f"`build/board/{design.name}.zip`", size, counts[design.name])
        )
    return tables.markdown(("board", "file", "size", "a track of 22 takes"), rows)


TABLES: Final[dict[str, Callable[[], str]]] = {
    "boards": boards,
    "board_parts": lambda: parts(DESIGNS["group"]),
    "pico_parts": lambda: parts(DESIGNS["pico"]),
    "reader_parts": lambda: parts(DESIGNS["reader"]),
    "board_bus": bus,
    "board_readers": readers,
    "board_plug": plug,
    "board_cables": lambda: tables.cables(tiers.group_board()),
    "pico_cables": lambda: tables.cables(tiers.pico_board()),
    "reader_cables": lambda: tables.cables(tiers.reader_board()),
}
