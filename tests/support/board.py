"""A board without a battery for its clock: its files, its wall clock and its seconds since boot."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from companion.store.clock import Clock


class Board:
    """A Raspberry Pi under `root`, switched on at `said` by a clock that nothing has set; it is `really` then."""

    def __init__(self, root: Path, said: datetime, really: datetime) -> None:
        self.root, self._boots = root, 0
        self._really, self._off = really, 0.0
        self.is_synchronised = False
        self._write("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
        self.switch_on(said)

    def switch_on(self, said: datetime) -> None:
        """Switch it off and on again: its clock says this, and nothing has set it yet."""
        self._boots += 1
        self._write("proc/sys/kernel/random/boot_id", f"boot-{self._boots}\n")
        self._synchronised.unlink(missing_ok=True)
        self.is_synchronised, self.up, self._ahead = False, 20.0, said.timestamp() - 20.0

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.up += seconds
        self._off += seconds

    def set_clock(self) -> None:
        """Set its clock by a time server."""
        self._ahead = self.really.timestamp() - self.up
        self._write("run/systemd/timesync/synchronized", "")
        self.is_synchronised = True

    def turn_clock(self, seconds: float) -> None:
        """Turn the clock by hand; the kernel knows that it follows no time server now."""
        self._ahead += seconds
        self.is_synchronised = False

    def add_battery_clock(self, said: datetime) -> None:
        """Add a battery-backed clock, which says this."""
        self._write("sys/class/rtc/rtc0/since_epoch", f"{int(said.timestamp())}\n")

    @property
    def really(self) -> datetime:
        """The true time."""
        return datetime.fromtimestamp(self._really.timestamp() + self._off, UTC)

    @property
    def clock(self) -> Clock:
        """Its clock, as a program that starts now finds it."""
        return Clock(self.root, lambda: self._ahead + self.up, lambda: self.up, lambda: self.is_synchronised)

    @property
    def _synchronised(self) -> Path:
        return self.root / "run/systemd/timesync/synchronized"

    def _write(self, name: str, text: str) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
