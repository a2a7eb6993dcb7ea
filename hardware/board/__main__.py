"""The board of a group: checked by KiCad, then the files for a maker of boards, and its pictures.

python -m hardware.board writes build/board/group.zip and docs/board-*.svg python -m hardware.board --check
reports whether the pictures are those of the board, and writes none python -m hardware.board --lay finds all
tracks again, a minute or more, and writes group.kicad_pcb

All end with status 1 where the board is not sound.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import Final

from hardware.board import kicad, pcb, placement
from hardware.board.picture import SIDES, drawn
from hardware.board.router import NoWay, routed
from hardware.tiers import group_board

HOME: Final = Path(__file__).resolve().parent.parent.parent
BOARD: Final = HOME / "hardware" / "board" / "group.kicad_pcb"
DOCS: Final = HOME / "docs"
BUILD: Final = HOME / "build" / "board"


def main() -> int:
    """Check, write or route as requested; return the exit status."""
    asked = argparse.ArgumentParser(prog="python -m hardware.board", description=__doc__.partition("\n")[0])
    asked.add_argument("--check", action="store_true", help="say whether the pictures differ, write none")
    asked.add_argument("--lay", action="store_true", help="find all tracks anew")
    options = asked.parse_args()
    board = group_board()
    if options.lay:
        BOARD.write_text(pcb.written(board, *routed(placement.pads(board))), encoding="utf-8")
    shutil.rmtree(BUILD, ignore_errors=True)
    found = list(kicad.wrong(kicad.looked(BOARD.read_text("utf-8"), BUILD), board))
    for side in () if found else SIDES:
        path, picture = DOCS / f"board-{side}.svg", drawn(BUILD, side)
        if not options.check:
            path.write_text(picture, encoding="utf-8")
        elif not path.exists() or path.read_text("utf-8") != picture:
            found.append(f"docs/{path.name} is not the board: run python -m hardware.board")
    for line in found:
        print(line, file=sys.stderr)
    if not found:
        print(f"{kicad.packed(BUILD).relative_to(HOME)}: the board is sound")
    return int(bool(found))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (FileNotFoundError, kicad.NotMade, NoWay) as error:
        sys.exit(f"not made: {error}")
