"""The files that are generated from the net lists: their names and their contents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from hardware import bom, fit_page, parcel, parcel_page, power, sources, tables
from hardware.board import page, pcb
from hardware.board.designs import DESIGNS
from hardware.board.placement import Design
from hardware.drawing import sheets

HOME: Final = Path(__file__).resolve().parent.parent


def _drawing(name: str) -> Callable[[Path], str]:
    return lambda _: sheets.drawn(name)


def _basket(tier: str) -> Callable[[Path], str]:
    return lambda _: parcel.basket(tier)


def _board(design: Design) -> dict[str, Callable[[Path], str]]:
    path = f"hardware/board/{design.name}"
    return {
        f"{path}.kicad_pcb": lambda path: pcb.rewritten(design, path.read_text(encoding="utf-8")),
        f"{path}.kicad_pro": lambda _: pcb.project(design),
        f"{path}.kicad_dru": lambda _: pcb.rules(),
    }


DERIVED: Final[Mapping[str, Callable[[Path], str]]] = {
    "wiring.md": lambda path: tables.with_tables(path.read_text(encoding="utf-8")),
    "hardware/bom.csv": lambda _: bom.table(),
    "hardware/cables.md": lambda _: tables.cable_lists(),
    "hardware/power.md": lambda _: power.report(),
    "hardware/sources.md": lambda _: sources.page(),
    "hardware/fit.md": lambda _: fit_page.page(),
    "hardware/parcel.md": lambda _: parcel_page.page(),
    **{f"hardware/parcels/{parcel.slug(tier)}.csv": _basket(tier) for tier in parcel.TIERS},
    "docs/board.md": lambda path: tables.with_tables(path.read_text(encoding="utf-8"), page.TABLES),
    **{name: made for design in DESIGNS.values() for name, made in _board(design).items()},
    **{name: _drawing(name) for name in sheets.MADE},
}


def stale(home: Path = HOME) -> list[str]:
    """Return the files that differ from the output of the net lists, or are missing."""
    return [name for name, made in DERIVED.items() if _read(home / name) != made(home / name)]


def write(home: Path = HOME) -> list[str]:
    """Write the stale files; return their paths."""
    old = stale(home)
    for name in old:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(DERIVED[name](home / name), encoding="utf-8")
    return old


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None
