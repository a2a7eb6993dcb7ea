"""Health of the Raspberry Pi: low voltage, heat, and whether SPI is on.

All of it is read from files that need no other program. A machine that is no Pi has none of them.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Final, Literal, NamedTuple

Bus = Literal["ok", "off", "no leave"]
"""The SPI bus of the pad: `off` it is not switched on, `no leave` this user may not open it."""

POLL_S: Final = 2.0  # the kernel asks for the voltage as often and remembers no longer (raspberrypi-hwmon)

# bits of get_throttled, see `vcgencmd get_throttled` in Raspberry Pi's documentation
_VOLTAGE_NOW, _THROTTLED_NOW, _HEAT_NOW, _VOLTAGE_SINCE = 1 << 0, 1 << 2, 1 << 3, 1 << 16


class PiHealth(NamedTuple):
    """The Pi; None where it is unknown."""

    model: str | None = None
    undervoltage: bool | None = None  # its 5 V are under 4.63 V now
    undervoltage_since_start: bool | None = None
    slowed: bool | None = None  # it works slower now, because of heat or voltage
    celsius: float | None = None
    spi: Bus | None = None


class Pi:
    """The machine whose files are under `root`; `spi` is the pad's bus and device."""

    def __init__(self, root: Path = Path("/"), spi: tuple[int, int] = (0, 0)) -> None:
        self.root, self.spi = root, spi
        self._low = False  # the voltage was too low at some poll
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def health(self) -> PiHealth | None:
        """Its health now; None where this is no Pi."""
        model = _text(self.root / "proc/device-tree/model")
        if model is None or "Raspberry Pi" not in model:
            return None
        bits = self._throttled()
        now = _either(self._alarm(), _bit(bits, _VOLTAGE_NOW))
        self._low = self._low or bool(now)
        known = now is not None or bits is not None
        return PiHealth(
            model=model,
            undervoltage=now,
            undervoltage_since_start=self._low or bool(_bit(bits, _VOLTAGE_SINCE)) if known else None,
            slowed=_bit(bits, _THROTTLED_NOW | _HEAT_NOW),
            celsius=self._celsius(),
            spi=self._bus(),
        )

    def start(self) -> None:
        """Poll repeatedly, so that a short drop is not missed; do nothing where this is no Pi."""
        if self.health is not None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._watch, name="pi", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop polling."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _watch(self) -> None:
        while not self._stop.wait(POLL_S):
            self._low = self._low or bool(_either(self._alarm(), _bit(self._throttled(), _VOLTAGE_NOW)))

    def _alarm(self) -> bool | None:
        """Return the kernel's own alarm: whether the voltage was too low within its last two seconds."""
        for chip in sorted((self.root / "sys/class/hwmon").glob("hwmon*")):
            if _text(chip / "name") == "rpi_volt":
                values = _text(chip / "in0_lcrit_alarm")
                return None if values is None else values == "1"
        return None

    def _throttled(self) -> int | None:
        """Return the bits of get_throttled, where the kernel is Raspberry Pi's; each model has
        its own path.
        """
        for path in sorted((self.root / "sys/devices/platform").glob("soc*/*:firmware/get_throttled")):
            try:
                return int(_text(path) or "", 16)
            except ValueError:
                return None
        return None

    def _celsius(self) -> float | None:
        values = _text(self.root / "sys/class/thermal/thermal_zone0/temp")
        return int(values) / 1000 if values is not None and values.lstrip("-").isdecimal() else None

    def _bus(self) -> Bus:
        path = self.root / "dev" / "spidev{}.{}".format(*self.spi)
        if not path.exists():
            return "off"
        return "ok" if os.access(path, os.R_OK | os.W_OK) else "no leave"


def _text(path: Path) -> str | None:
    """Return the text of such a file; None where it is missing or cannot be read now."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return None


def _bit(bits: int | None, mask: int) -> bool | None:
    return None if bits is None else bool(bits & mask)


def _either(*values: bool | None) -> bool | None:
    """Return True if one is True, None if all are None."""
    return any(values) if any(one is not None for one in values) else None
