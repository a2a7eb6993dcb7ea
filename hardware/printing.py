"""The parts to print, as STL files: made by OpenSCAD from hardware/models/*.scad.

    python -m hardware.printing              into hardware/models/stl, where the tests read them
    python -m hardware.printing /tmp/parts   into another folder

Every size is a name in hardware/models/sizes.scad or on top of its file: `openscad -D skin=2` makes another.
An impossible size is rejected there, with advice.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

HOME: Final = Path(__file__).resolve().parent
STL: Final = HOME / "models" / "stl"
MADE_OF: Final = "made-of.txt"


class Model(NamedTuple):
    """Something to print: its file, its parameters, the number for a track of 22 spaces or for a table."""

    file: str
    settings: Mapping[str, object]
    pieces: str


BEND: Final = 45
"""Degrees of a bend's tile: four of them turn the track around."""

MODELS: Final[Mapping[str, Model]] = {
    "reader-straight": Model("tile", {}, "14 for a track of 22 readers"),
    "reader-bend": Model("tile", {"bend": BEND}, "8 for a track of 22 readers"),
    "switch-straight": Model("tile", {"sensor": "switch"}, "14 for a track of 22 switches"),
    "switch-bend": Model("tile", {"sensor": "switch", "bend": BEND}, "8 for a track of 22 switches"),
    "key": Model("key", {}, "two for each tile"),
    "base-foot": Model("base", {"part": "foot"}, "one a piece with a sticker"),
    "base-cover": Model("base", {"part": "cover"}, "one a piece with a sticker"),
    "magnet-foot": Model("base", {"part": "foot", "holds": "magnet"}, "one a piece with a magnet"),
    "magnet-cover": Model("base", {"part": "cover", "holds": "magnet"}, "one a piece with a magnet"),
    "pad-lid": Model("pad", {"part": "lid"}, "one"),
    "pad-frame": Model("pad", {"part": "frame"}, "one"),
    "pad-box": Model("pad", {"part": "box"}, "one"),
    "stand": Model("stand", {}, "one"),
}
"""By name."""


class NotMade(Exception):
    """OpenSCAD rejects these sizes; its message says which one to change."""


def made(model: Model, to: Path, **sizes: object) -> Path:
    """Make the STL file of a model, with some of its sizes changed; return its path. NotMade if they cannot
    work.

    FileNotFoundError if there is no OpenSCAD.
    """
    program = shutil.which("openscad")
    if program is None:
        raise FileNotFoundError("there is no openscad: sudo apt install openscad, then try again")
    to.parent.mkdir(parents=True, exist_ok=True)
    settings = [f"-D{name}={_scad(value)}" for name, value in {**model.settings, **sizes}.items()]
    source = HOME / "models" / f"{model.file}.scad"
    finished = subprocess.run(
        [program, "--quiet", "--hardwarnings", "--export-format=binstl", "-o", to, *settings, source],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if finished.returncode:
        raise NotMade(finished.stderr.strip())
    return to


_STL: Final = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def corners(path: Path) -> NDArray[np.float32]:
    """Return the corners of the triangles of an STL file, three of three each."""
    found: NDArray[np.float32] = np.fromfile(path, dtype=_STL, offset=84)["corners"]
    return found


def is_same(one: Path, other: Path) -> bool:
    """Return whether two STL files have the same corners and enclose as much: OpenSCAD divides a flat face
    into triangles differently each time.
    """
    points, others = (np.unique(corners(path).reshape(-1, 3), axis=0) for path in (one, other))
    if points.shape != others.shape or not np.array_equal(points, others):
        return False
    volume, volume_of_other = (
        float(np.linalg.det(corners(path).astype(np.float64)).sum()) / 6 for path in (one, other)
    )
    return abs(volume - volume_of_other) < 0.1


def _scad(value: object) -> str:
    """Return a value in OpenSCAD's syntax."""
    return f'"{value}"' if isinstance(value, str) else str(value)


def sources() -> str:
    """Return what the STL files are made of: a line with the checksum of each file in hardware/models, and of
    the list of models.
    """
    files = {path.name: path.read_bytes() for path in sorted((HOME / "models").glob("*.scad"))}
    files["the list of models"] = repr({name: model[:2] for name, model in MODELS.items()}).encode()
    return "".join(f"{hashlib.sha256(text).hexdigest()}  {name}\n" for name, text in files.items())


def is_made(folder: Path = STL) -> bool:
    """Return whether a folder has the STL files of the present sizes."""
    note = folder / MADE_OF
    return (
        note.exists()
        and note.read_text(encoding="utf-8") == sources()
        and all((folder / f"{name}.stl").exists() for name in MODELS)
    )


def main() -> None:
    """Make all models."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else STL
    if is_made(folder):
        print(f"all models in {folder} are up to date")
        return
    for name, model in MODELS.items():
        path, fresh = folder / f"{name}.stl", folder / f"{name}-new.stl"
        made(model, fresh)
        if path.exists() and is_same(path, fresh):
            fresh.unlink()
        else:
            fresh.replace(path)
        print(f"{path}  {model.pieces}", flush=True)
    (folder / MADE_OF).write_text(sources(), encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except (FileNotFoundError, NotMade) as error:
        sys.exit(f"not made: {error}")
