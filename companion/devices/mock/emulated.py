"""The emulated Pico: a process that runs MicroPython's own build and the firmware on an emulated RP2040.

python -m companion.devices.mock.emulated CONTROL SPACES KIND

stdin and stdout are the USB cable (a pty). On CONTROL, a file descriptor, the virtual table gives its orders
(orders.py). Its drive holds the files that `companion flash` copies there. It never runs ahead of real time;
it is always behind: some 30 times slower than a Pico.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress

from companion.devices.mock.emulation import EmulatedPico, drive, installed
from companion.devices.mock.orders import Orders
from companion.devices.mock.rp2040 import EmulatedWiring
from companion.firmware import pins

SLACK_S = 0.003  # sleeps shorter than this are saved up
PIECE = 4096


class Cable:
    """A pty as a USB cable: bytes that the host does not read stay in the Pico, which then blocks."""

    def __init__(self, fd: int, pico: Pico) -> None:
        self.fd, self.pico = fd, pico
        self.unread = b""  # by the Pico, and not taken by the host yet
        self.line = b""  # the beginning of one, while lines are disturbed
        os.set_blocking(fd, False)

    def take(self, data: bytes) -> None:
        """Take bytes that the Pico sends."""
        if self.pico.orders.garbage or self.line:
            *lines, self.line = (self.line + data).split(b"\n")
            data = b"".join(self.pico.orders.disturbed(line + b"\n") for line in lines)
        self.unread += data

    def carry(self) -> None:
        """Carry bytes both ways: to the host, and as many to the Pico as its end has room for."""
        with suppress(BlockingIOError):
            while self.unread:
                self.unread = self.unread[os.write(self.fd, self.unread[:PIECE]) :]
        pico = self.pico.emulated
        if pico.listening == bool(self.unread):
            pico.listen(not self.unread)
        if pico.connected and (room := pico.room()):
            with suppress(OSError):  # the host has said nothing
                pico.say(os.read(self.fd, room))


class Pico:
    """An emulated Pico between its control line and its cable; on its drive the firmware, or `content`."""

    def __init__(self, control: int, spaces: int, kind: str, content: bytes | None = None) -> None:
        tagged = kind == "tag"
        self.wiring = EmulatedWiring(spaces if tagged else 0, 0 if tagged else spaces)
        self.wiring.wire(pins)
        self.orders = Orders(control, self.wiring, self)
        self.cable = Cable(0, self)
        self.emulated = EmulatedPico(self.wiring, content or drive(installed()), self.cable.take)

    def write(self, data: bytes) -> None:
        """Put bytes on the cable that the firmware never sent."""
        self.cable.unread += data

    def reboot(self) -> None:
        """Switch the power off and on; its port stays."""
        self.emulated.lose_power()

    def hang(self) -> None:
        """Make the watchdog notice that the firmware hangs; it does nothing if it does not run."""
        self.emulated.bite()

    def run(self) -> None:
        """Run until the control line ends."""
        began, us = time.monotonic(), self.emulated.us
        while True:
            self.emulated.run()
            self.cable.carry()
            self.wiring.tell_time()  # changes of tags and faults hold from now on
            ahead = (self.emulated.us - us) / 1e6 - (time.monotonic() - began)
            self.orders.handle_commands(ahead if ahead > SLACK_S else 0.0)
            if ahead < 0:  # lost time is not made up for
                began, us = time.monotonic(), self.emulated.us


if __name__ == "__main__":
    Pico(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]).run()
