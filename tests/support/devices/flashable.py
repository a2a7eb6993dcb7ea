"""An emulated Pico to flash, with what is on its drive to look at: a process of its own, and its cable a pty.

    python -m tests.support.devices.flashable CONTROL SPACES DRIVE

DRIVE is a file with what is on its drive at the start. It knows one order more than every emulated Pico: `keep`
writes what was changed on the drive so far, and which wired pins were ever high meanwhile, and forgets both.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from littlefs import LittleFS, UserContext

from companion.devices.mock import emulated
from companion.devices.mock.emulation import BLOCK, BLOCKS, DRIVE_AT, PROGRAM, drive
from companion.devices.mock.orders import Orders
from companion.devices.mock.virtual_table import PicoProcess
from tests.support.devices.emulated import Levels

ERASE, ERASE_64K, WRITE = 0x20, 0xD8, 0x02  # what MicroPython tells its flash chip
SIZES = {ERASE: BLOCK, ERASE_64K: 16 * BLOCK}


class Change(NamedTuple):
    """A block erased, or a page written, on the drive."""

    at: int
    wrote: bytes | None
    erased: int = 0

    def to(self, content: bytearray, part: float = 1.0) -> None:
        """Make it so on a drive, or only its beginning: the power went."""
        if self.wrote is None:
            n = int(self.erased * part)
            content[self.at : self.at + n] = b"\xff" * n
        else:
            n = int(len(self.wrote) * part)
            old = content[self.at : self.at + n]
            content[self.at : self.at + n] = bytes(a & b for a, b in zip(old, self.wrote, strict=False))


class Keeping(Orders):
    """The orders of every Pico, and `keep`."""

    pico: Flashable

    def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        if order["do"] == "keep":
            lines = [json.dumps([c.at, c.wrote and c.wrote.hex(), c.erased]) for c in self.pico.changes]
            Path(order["path"]).write_text("\n".join([json.dumps(sorted(self.pico.high)), *lines]))
            Path(order["drive"]).write_bytes(self.pico.emulated.drive())
            self.pico.changes.clear()
            self.pico.high.clear()
        return super().obey(order)


class Flashable(emulated.Pico):
    """An emulated Pico that notes every change of its drive."""

    def __init__(self, control: int, spaces: int, content: bytes) -> None:
        super().__init__(control, spaces, "tag", content)
        self.orders = Keeping(control, self.wiring, self)
        self.changes: list[Change] = []
        self.high: set[int] = (
            set()
        )  # by GP number: wired pins between the first change of the drive and the last
        self.levels = Levels(self.emulated)
        self.memory = self.emulated.chip.ssi
        self.done, self.memory._apply_command = self.memory._apply_command, self.change  # type: ignore[method-assign]

    def change(self) -> None:
        """Carry out the command that the flash chip received: it is deselected now."""
        told = bytes(self.memory._tx_buffer)
        if len(told) > 3 and self.memory._write_enabled and told[0] in (ERASE, ERASE_64K, WRITE):
            at = int.from_bytes(told[1:4], "big") - DRIVE_AT
            assert at >= 0, "MicroPython itself was overwritten"
            erased = SIZES.get(told[0], 0)
            if self.changes:
                self.high |= self.levels.high()
            self.levels.seen.clear()
            self.high |= {pin for pin, level in self.levels.now().items() if level}
            self.changes.append(Change(at - at % (erased or 1), None if erased else told[4:], erased))
        self.done()


class FlashablePico(PicoProcess):
    """The process, from the side of a test. Without `files` it is as new: MicroPython makes its file system."""

    module = "tests.support.devices.flashable"

    def __init__(self, files: dict[str, bytes] | None, home: Path) -> None:
        self.home = home
        self.high: set[int] = set()  # the wired pins that were high while the drive was changed
        self.content = bytearray(b"\xff" * BLOCK * BLOCKS if files is None else drive(files))
        (home / "drive").write_bytes(self.content)
        super().__init__(1, str(home / "drive"))

    def changes(self) -> list[Change]:
        """Return what was changed on its drive since the last call."""
        self.order({"do": "keep", "path": str(self.home / "changes"), "drive": str(self.home / "drive")})
        high, *lines = (json.loads(line) for line in (self.home / "changes").read_text().splitlines())
        self.high |= set(high)
        found = [Change(at, wrote and bytes.fromhex(wrote), erased) for at, wrote, erased in lines]
        for change in found:
            change.to(self.content)
        assert self.content == (self.home / "drive").read_bytes(), "not every change was noted"
        return found

    def files(self) -> dict[str, bytes]:
        """Return what is on its drive now, by path."""
        self.changes()
        return files_on(bytes(self.content))


def files_on(content: bytes) -> dict[str, bytes]:
    """Return the files of a drive, by path."""
    context = UserContext(buffer=bytearray(content))
    # mounted by itself it would be made anew where it cannot be read
    drive = LittleFS(context=context, mount=False, block_size=BLOCK, block_count=BLOCKS, prog_size=PROGRAM)
    drive.mount()

    def files() -> Iterator[tuple[str, bytes]]:
        for place, _, names in drive.walk("/"):
            for name in names:
                path = f"{place.rstrip('/')}/{name}"
                with drive.open(path, "rb") as file:
                    yield path, file.read()

    return dict(files())


if __name__ == "__main__":
    Flashable(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]).read_bytes()).run()
