"""The printed boards: checked by KiCad, then the files for a maker of boards, and their pictures.

python -m hardware.board writes build/board/*.zip and docs/board-*.svg
python -m hardware.board --check reports whether the pictures are those of the boards, and writes none
python -m hardware.board --lay finds all tracks again, minutes, and writes hardware/board/*.kicad_pcb

All take the names of boards after them, for these alone: group, pico, reader, reader-mirrored. All end with
status 1 where a board is not sound.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hardware.board import kicad, pcb, picture
from hardware.board.designs import DESIGNS
from hardware.board.placement import Design
from hardware.board.router import NoWay, routed

HOME: Final = Path(__file__).resolve().parent.parent.parent
BOARDS: Final = HOME / "hardware" / "board"
DOCS: Final = HOME / "docs"
BUILD: Final = HOME / "build" / "board"


def main() -> int:
    """Check, write or route as requested; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m hardware.board", description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="say whether the pictures differ, write none")
    parser.add_argument("--lay", action="store_true", help="find all tracks anew")
    parser.add_argument("boards", nargs="*", metavar="BOARD", help=f"{', '.join(DESIGNS)}; else all")
    options = parser.parse_args()
    if unknown := [name for name in options.boards if name not in DESIGNS]:
        parser.error(f"no board is called {unknown[0]}: {', '.join(DESIGNS)}")
    found = False
    for design in (DESIGNS[name] for name in options.boards or DESIGNS):
        if options.lay:
            (BOARDS / f"{design.name}.kicad_pcb").write_text(
                pcb.written(design, *routed(design)), encoding="utf-8"
            )
        for line in _wrong(design, options.check):
            print(f"{design.name}: {line}", file=sys.stderr)
            found = True
    return int(found)


def _wrong(design: Design, check: bool) -> Iterator[str]:
    """Yield what is wrong with a board, or with its pictures; pack it if it is sound."""
    folder, archive = BUILD / design.name, BUILD / f"{design.name}.zip"
    shutil.rmtree(folder, ignore_errors=True)
    archive.unlink(missing_ok=True)
    text = (BOARDS / f"{design.name}.kicad_pcb").read_text("utf-8")
    found = list(kicad.wrong(kicad.kicad_board(design, text, folder), design))
    for side in () if found else picture.SIDES:
        path, image = DOCS / picture.name(design, side), picture.drawn(design, folder, side)
        if not check:
            path.write_text(image, encoding="utf-8")
        elif not path.exists() or path.read_text("utf-8") != image:
            found.append(f"docs/{path.name} is not the board: run python -m hardware.board")
    if not found:
        kicad.packed(folder, archive)
        print(f"{archive.relative_to(BUILD.parent.parent)}: the board is sound")
    yield from found


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (FileNotFoundError, kicad.NotMade, NoWay) as error:
        sys.exit(f"not made: {error}")
