"""KiCad's check of a board, and the files for a maker of boards."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from hardware.board.placement import RULES, Design

HERE: Final = Path(__file__).resolve().parent
PYTHON: Final = "/usr/bin/python3"
"""Debian's own: the one that has KiCad's module."""
SETTINGS: Final = (".kicad_pro", ".kicad_dru")
_DATES: Final = re.compile(r"^(; #@! TF\.CreationDate.*|%TF\.CreationDate.*)\n|,? date [^*\n]*", re.MULTILINE)


class NotMade(Exception):
    """KiCad did not take the file; its message is KiCad's output."""


class KicadBoard(NamedTuple):
    """KiCad's reading of a board: net by pad (`U11 1`), size in mm, the rules applied, its findings."""

    pads: Mapping[str, str]
    size: tuple[float, float]
    rules: Mapping[str, float]
    findings: tuple[str, ...]


def kicad_board(design: Design, text: str, folder: Path) -> KicadBoard:
    """Return KiCad's reading of a board's file; all its output is in the folder then.

    FileNotFoundError if there is no KiCad, NotMade if it cannot read the file.
    """
    if shutil.which("pcbnew") is None:
        raise FileNotFoundError("there is no KiCad: sudo apt install kicad, then try again")
    folder.mkdir(parents=True, exist_ok=True)
    board = folder / f"{design.name}.kicad_pcb"
    board.write_text(text, encoding="utf-8")
    for ending in SETTINGS:
        shutil.copy(HERE / f"{design.name}{ending}", folder)
    finished = subprocess.run(
        [PYTHON, "-I", HERE / "kicad_job.py", board, folder],
        # the caller may have another setup of KiCad or of the language
        env={**os.environ, "KICAD_CONFIG_HOME": str(folder / "settings"), "LC_ALL": "C.UTF-8"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if finished.returncode:
        raise NotMade(finished.stderr.strip() or finished.stdout.strip())
    facts: dict[str, Any] = json.loads((folder / "board.json").read_text("utf-8"))
    width, height = facts["size"]
    report = (folder / "drc.txt").read_text("utf-8")
    return KicadBoard(facts["pads"], (width, height), facts["rules"], tuple(_found(report)))


def _found(report: str) -> Iterator[str]:
    """Yield a line per finding: its name, and its subject."""
    for finding in re.split(r"\n(?=\[)", report)[1:]:
        lines = [line.strip() for line in finding.split("\n\n")[0].splitlines()]
        yield "; ".join(
            line for line in lines if not line.startswith(("Local override", "Rule: board setup"))
        )


def wrong(seen: KicadBoard, design: Design) -> Iterator[str]:
    """Yield the deviations from the net list, the rules and the size, in plain words; none for a
    sound board.
    """
    wanted = {f"{pad.ref} {pad.pad.number}": pad.net or "" for pad in design.pads()}
    for pad in sorted(wanted.keys() | seen.pads.keys()):
        if pad not in seen.pads:
            yield f"{pad} is not on the board"
        elif pad not in wanted:
            yield f"{pad} is on the board and not in the net list"
        elif seen.pads[pad] != wanted[pad]:
            yield f"{pad} is on {seen.pads[pad] or 'no net'}, by the net list on {wanted[pad] or 'none'}"
    if max(abs(is_ - to_be) for is_, to_be in zip(seen.size, design.size, strict=True)) > 0.01:
        yield f"the board is {seen.size[0]} × {seen.size[1]} mm, not {design.size[0]} × {design.size[1]}"
    if seen.rules != RULES:
        yield f"KiCad went by other rules: {seen.rules}"
    yield from seen.findings


def packed(folder: Path, archive: Path) -> Path:
    """Write Gerbers and drill files into an archive, without the dates, and return it: the same board makes
    the same bytes.
    """
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as into:
        for path in sorted((*folder.glob("*.gbr"), *folder.glob("*.drl"))):
            into.writestr(zipfile.ZipInfo(path.name), _DATES.sub("", path.read_text("utf-8")))
    return archive
