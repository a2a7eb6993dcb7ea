"""In the modelled machine: USB devices that are plugged into it (configfs gadgets on dummy_hcd)."""

from __future__ import annotations

import os
import time
import tty
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.devices.mock import keyboard
from companion.devices.mock.virtual_table import ModelledPico, PicoProcess
from companion.devices.track import MICROPYTHON, RASPBERRY_PI
from tests.support.client import PATIENCE_S

GADGETS: Final = Path("/sys/kernel/config/usb_gadget")
_LANGUAGE: Final = "strings/0x409"


def until(there: Any, seconds: float = PATIENCE_S) -> Any:
    """Return the first true value of `there()`."""
    end = time.monotonic() + seconds
    while not (found := there()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
    return found


class UsbDevice:
    """A device with one function, on the USB port `port` of the machine."""

    def __init__(
        self, name: str, port: int, vendor: int, product: int, function: str, texts: Iterable[str]
    ) -> None:
        self.port, self._at = port, GADGETS / name
        self.function = self._at / "functions" / function
        for folder in (_LANGUAGE, f"configs/c.1/{_LANGUAGE}"):
            (self._at / folder).mkdir(parents=True)
        self.function.mkdir()
        for key, value in (("idVendor", vendor), ("idProduct", product)):
            (self._at / key).write_text(hex(value), "ascii")
        for key, text in zip(("manufacturer", "product", "serialnumber"), texts, strict=True):
            (self._at / _LANGUAGE / key).write_text(text, "utf-8")

    def ready(self) -> None:
        """Put the function into the configuration: its own settings are written by now."""
        (self._at / "configs/c.1" / self.function.name).symlink_to(self.function)

    def plug(self, is_in: bool) -> None:
        """Plug it in, or pull it out."""
        if is_in == bool((self._at / "UDC").read_text("ascii").strip()):
            return
        (self._at / "UDC").write_text(f"dummy_udc.{self.port}\n" if is_in else "\n", "ascii")

    def remove(self) -> None:
        """Pull it out and forget it."""
        self.plug(False)
        (self._at / "configs/c.1" / self.function.name).unlink()
        for folder in (f"configs/c.1/{_LANGUAGE}", "configs/c.1"):
            (self._at / folder).rmdir()
        self.function.rmdir()
        (self._at / _LANGUAGE).rmdir()
        self._at.rmdir()


class SerialDevice(UsbDevice):
    """A serial port on USB (CDC-ACM); `side` is the device's own end of it."""

    def __init__(self, name: str, port: int, vendor: int, product: int, texts: Iterable[str]) -> None:
        super().__init__(name, port, vendor, product, f"acm.{name}", texts)
        self.ready()
        self.side = f"/dev/ttyGS{(self.function / 'port_num').read_text('ascii').strip()}"


class _PicoAt(ModelledPico):
    """The modelled Pico on an open serial line."""

    def __init__(self, line: int, spaces: int, kind: str) -> None:
        self._cable = line
        super().__init__(spaces, kind)
        self._control.settimeout(PATIENCE_S)  # four machines at once are slow

    def _line(self) -> tuple[int, str]:
        return self._cable, ""


class Pico:
    """A Pico: the firmware over modelled chips, behind a USB port with a Pico's numbers."""

    def __init__(self, spaces: int, kind: str = "tag", name: str = "pico", port: int = 0) -> None:
        self.spaces, self.kind = spaces, kind
        texts = ("MicroPython", "Board in FS mode", f"e6614c311b7e6f{port:02d}")
        self.device = SerialDevice(name, port, RASPBERRY_PI, MICROPYTHON, texts)
        self._running: PicoProcess | None = None
        self._at: dict[int, list[str]] = {}
        self._port = ""

    def plug_in(self) -> str:
        """Plug it in: it starts, with the tags that are on its readers; return its port, which all may use."""
        before = ports()
        self.device.plug(True)
        line = until(lambda: _opened(self.device.side))
        self._running = _PicoAt(line, self.spaces, self.kind)
        for space, tags in self._at.items():
            self._running.order({"do": "lay", "at": space, "tags": tags})
        self._port = until(lambda: ports() - before).pop()
        os.chmod(self._port, 0o666)
        return self._port

    def pull_out(self) -> None:
        """Pull it out: the port is gone, and it has no power."""
        self.device.plug(False)
        until(lambda: self._port not in ports())
        if self._running is not None:
            with suppress(RuntimeError, OSError):
                self._running.stop()
            self._running = None

    def put(self, space: int, *tags: str) -> None:
        """Put exactly these tags on a space; one past the last reader has none."""
        if space >= self.spaces:
            return
        self._at[space] = list(tags)
        if self._running is not None:
            self._running.order({"do": "lay", "at": space, "tags": list(tags)})

    def order(self, **order: object) -> None:
        """Give it an order of the virtual table."""
        assert self._running is not None
        self._running.order(order)

    def remove(self) -> None:
        """Pull it out and forget it."""
        self.pull_out()
        self.device.remove()


def ports() -> set[str]:
    """Return the serial ports on USB that the machine has now."""
    return {str(path) for path in Path("/dev").glob("ttyACM*")}


def _opened(path: str) -> int | None:
    """Return the device's end of a serial line, raw; None while it is not there."""
    try:
        line = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return None
    tty.setraw(line)
    return line


# --- a reader that types -------------------------------------------------------------------------

_REPORT: Final = bytes.fromhex(
    "05010906a1010507" "19e029e71500250175019508" "8102" "95017508" "8103"
    "95067508" "15002565" "05071900" "2965" "8100" "c0"
)  # fmt: skip
"""The report descriptor of a keyboard with six keys at a time [HID 1.11, appendix B.1, without its lamps]."""
_USAGES: Final = {
    **dict(zip(range(2, 12), range(0x1E, 0x28), strict=True)),  # 1 to 0
    **dict(zip((30, 48, 46, 32, 18, 33), range(0x04, 0x0A), strict=True)),  # A to F
    **dict(
        zip((28, 15, 57, 12, 39, 51, 52, 53), (0x28, 0x2B, 0x2C, 0x2D, 0x33, 0x36, 0x37, 0x38), strict=True)
    ),
}
_SHIFT: Final = 2


class TypingDevice(UsbDevice):
    """A keyboard on USB: a person's, or a reader."""

    def __init__(self, name: str, port: int, vendor: int, product: int, text: str) -> None:
        super().__init__(name, port, vendor, product, f"hid.{name}", ("", text, ""))
        for key, value in (("protocol", "1"), ("subclass", "1"), ("report_length", "8")):
            (self.function / key).write_text(value, "ascii")
        (self.function / "report_desc").write_bytes(_REPORT)
        self.ready()
        number = (self.function / "dev").read_text("ascii").strip().partition(":")[2]
        self.side = f"/dev/hidg{number}"

    def type_keys(self, codes: Iterable[int], apart: float = 0.0) -> None:
        """Press and release these keys (Linux' codes), with so many seconds between."""
        side = until(lambda: Path(self.side).exists() and open(self.side, "wb", buffering=0))  # noqa: SIM115
        with side:
            shift = 0
            for code in codes:
                if code == keyboard.SHIFT:
                    shift = _SHIFT
                    continue
                side.write(bytes((shift, 0, _USAGES[code], 0, 0, 0, 0, 0)))
                side.write(bytes(8))
                shift = 0
                time.sleep(apart)
