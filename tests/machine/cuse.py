"""In the modelled machine: /dev/spidev0.0 by CUSE, a character device that is a program (linux/fuse.h).

For kernels without an SPI host, such as Debian's ready-made ones. The ioctls of the real extension `spidev`
go through the kernel, which copies the messages of SPI_IOC_MESSAGE; the model of the chip answers.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
import threading
from pathlib import Path
from typing import Final

from companion.devices.mock import pi

NAME: Final = "spidev0.0"
IN_HEADER: Final = struct.Struct("<IIQQIIII")  # length, opcode, unique, node, user, group, process, -
OUT_HEADER: Final = struct.Struct("<IiQ")
IOCTL_IN: Final = struct.Struct("<QIIQII")  # file, flags, command, argument, bytes that come, bytes wanted
IOCTL_OUT: Final = struct.Struct("<iIII")  # result, flags, then how many vectors are to come and to go
UNRESTRICTED, RETRY = 1, 4
SPI_MAGIC: Final = 0x6B
JOB: Final = struct.Struct(
    "<QQIIHBBBBBB"
)  # struct spi_ioc_transfer: where to send from and to, how many, Hz, ...
SPEED: Final = 4  # SPI_IOC_WR_MAX_SPEED_HZ
SETTINGS: Final = {1: 0, 2: 0, 3: 8, SPEED: 500_000, 5: 0}  # mode, bit order, bits, speed, mode of 32 bits


class CuseBus:
    """The bus with the pad's chip, and the socket on which its reset pin comes."""

    def __init__(self, world: pi.World, reset: Path) -> None:
        self.world = world
        self._settings = dict(SETTINGS)
        self._pin = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._pin.bind(str(reset))
        self._pin.setblocking(False)
        self._file = os.open("/dev/cuse", os.O_RDWR)
        self._thread = threading.Thread(target=self._serve, name="bus", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            asked = os.read(self._file, 1 << 18)
            _, code, unique, *_ = IN_HEADER.unpack_from(asked)
            body = asked[IN_HEADER.size :]
            match code:
                case 4096:  # CUSE_INIT: version 7.31, unrestricted ioctls, any number that is free, the name
                    # spidev's own number, 153, is taken where the kernel has its driver
                    version = struct.pack("<8I", 7, 31, 0, UNRESTRICTED, 1 << 17, 1 << 17, 0, 0)
                    self._reply(unique, version + bytes(40) + f"DEVNAME={NAME}\0".encode())
                case 14:  # OPEN
                    self._reply(unique, struct.pack("<QII", 1, 0, 0))
                case 39:  # IOCTL
                    self._ioctl(unique, body)
                case 18 | 25:  # RELEASE, FLUSH
                    self._reply(unique)
                case 36:  # INTERRUPT has no answer
                    pass
                case _:
                    self._reply(unique, error=errno.ENOSYS)

    def _reply(self, unique: int, body: bytes = b"", error: int = 0) -> None:
        os.write(self._file, OUT_HEADER.pack(OUT_HEADER.size + len(body), -error, unique) + body)

    def _done(self, unique: int, data: bytes = b"", result: int = 0) -> None:
        self._reply(unique, IOCTL_OUT.pack(result, 0, 0, 0) + data)

    def _fetch(self, unique: int, ins: list[tuple[int, int]], outs: list[tuple[int, int]]) -> None:
        """Ask the kernel to call again with the memory at these addresses."""
        vectors = b"".join(struct.pack("<QQ", *one) for one in ins + outs)
        self._reply(unique, IOCTL_OUT.pack(0, RETRY, len(ins), len(outs)) + vectors)

    def _ioctl(self, unique: int, body: bytes) -> None:
        _, _, command, argument, came, wanted = IOCTL_IN.unpack_from(body)
        data = body[IOCTL_IN.size :][:came]
        number, size, is_write = command & 0xFF, command >> 16 & 0x3FFF, command >> 30 & 1
        if command >> 8 & 0xFF != SPI_MAGIC:
            self._reply(unique, error=errno.ENOTTY)
        elif is_write and len(data) < size:
            self._fetch(unique, [(argument, size)], [])
        elif number == 0:
            self._message(unique, argument, size, data, wanted)
        elif is_write:
            self._settings[number] = int.from_bytes(data, "little")
            self._done(unique)
        elif not wanted:
            self._fetch(unique, [], [(argument, size)])
        else:
            self._done(unique, self._settings[number].to_bytes(size, "little"))

    def _message(self, unique: int, argument: int, size: int, data: bytes, wanted: int) -> None:
        """Send the transfers of a message through the chip."""
        jobs = [(job[0], job[1], job[2], job[3]) for job in JOB.iter_unpack(data[:size])]
        sends = [(source, length) for source, _, length, _ in jobs if source]
        takes = [(target, length) for _, target, length, _ in jobs if target]
        if len(data) < size + sum(length for _, length in sends) or wanted < sum(n for _, n in takes):
            self._fetch(unique, [(argument, size), *sends], takes)
            return
        at, came, total = size, b"", 0
        with self.world.lock:
            self._follow_reset()
            for source, target, length, hz in jobs:
                out = data[at : at + length] if source else bytes(length)
                at += length if source else 0
                speed = hz or self._settings[SPEED]
                answer = self.world.chip.transfer(out, speed, self.world.access_us)
                came += answer if target else b""
                total += length
        self._done(unique, came, total)

    def _follow_reset(self) -> None:
        while True:
            try:
                pin, level = self._pin.recv(2)
            except BlockingIOError:
                return
            if pin == self.world.reset:
                self.world.chip.hold_in_reset(not level)
