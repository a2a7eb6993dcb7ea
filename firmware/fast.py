"""A reader's orders and exchanges in machine code, straight on the registers of an RP2040.

The plain twin of each is in rc522.Port; a test checks that they are equal, access by access. On a Pico 2 the
registers have other addresses: there the plain twin runs.

SPI0, SIO and the timer: RP2040 data sheet, 4.4, 2.3.1 and 4.6. The pins are those of pins.py: A0-A5 on GP2 to
GP7, the strobe on GP17. Machine code takes at most four arguments, calls nothing and accesses no object:
hence its length.
"""

import micropython
from board import Port
from clock import ticks_us
from micropython import const

_SIO = const(0xD0000000)
_SET = const(5)  # GPIO_OUT_SET, in words
_CLEAR = const(6)  # GPIO_OUT_CLR
_SPI0 = const(0x4003C000)
_DATA = const(2)  # SSPDR, in words
_STATUS = const(3)  # SSPSR
_TIMER = const(0x40054028)  # TIMERAWL: the counter of ticks_us
_CAME = const(4)  # SSPSR.RNE: a byte has come
_LINES = const(0xFC)  # A0-A5
_FIRST_LINE = const(2)
_STROBE = const(0x20000)
_READ_COMMAND = const(0x82)  # address bytes: CommandReg, ComIrqReg, ErrorReg, FIFODataReg, FIFOLevelReg
_READ_IRQ = const(0x88)
_READ_ERROR = const(0x8C)
_READ_FIFO = const(0x92)
_READ_LEVEL = const(0x94)
_DONE = const(0x21)  # RxIRq or TimerIRq
_RX = const(0x20)  # RxIRq
_POWER_DOWN = const(0x10)
_LONGEST_WAIT = const(500)
_FIFO = const(64)
_NONE = const(0xFE)  # nothing is expected; above it is anything


class FastPort(Port):
    """A `Port` whose orders and scripts run in machine code."""

    def read(self, register: int) -> int:
        """Read a register, as board.Port does."""
        self.board.address = self.reader
        return _read(self.reader, 0x80 | register << 1)

    def run(self, orders) -> None:
        """Write registers, as rc522.Port does."""
        self.board.address = self.reader
        _run(self.reader, orders, len(orders))

    def play(self, script, heard, due=None) -> int:
        """Play a script, as rc522.Port does."""
        self.board.address = self.reader
        if due is None:
            due = ticks_us()
        return _play(self.reader, script, heard, due)


@micropython.viper
def _read(reader: int, address: int) -> int:
    sio = ptr32(_SIO)
    spi = ptr32(_SPI0)
    sio[_CLEAR] = _LINES
    sio[_SET] = reader << _FIRST_LINE
    sio[_SET] = _STROBE
    spi[_DATA] = address
    spi[_DATA] = 0
    while spi[_STATUS] & _CAME == 0:
        pass
    spi[_DATA]
    while spi[_STATUS] & _CAME == 0:
        pass
    came = int(spi[_DATA])
    sio[_CLEAR] = _STROBE
    return came


@micropython.viper
def _run(reader: int, orders: ptr8, n: int):
    sio = ptr32(_SIO)
    spi = ptr32(_SPI0)
    sio[_CLEAR] = _LINES
    sio[_SET] = reader << _FIRST_LINE
    i = 0
    while i < n:
        sio[_SET] = _STROBE
        spi[_DATA] = orders[i]
        spi[_DATA] = orders[i + 1]
        i += 2
        while spi[_STATUS] & _CAME == 0:
            pass
        spi[_DATA]
        while spi[_STATUS] & _CAME == 0:
            pass
        spi[_DATA]
        sio[_CLEAR] = _STROBE


@micropython.viper
def _play(reader: int, script: ptr8, heard: ptr8, due: int) -> int:
    timer = ptr32(_TIMER)
    sio = ptr32(_SIO)
    spi = ptr32(_SPI0)
    sio[_CLEAR] = _LINES
    sio[_SET] = reader << _FIRST_LINE
    # asleep a chip has the interrupts of its last poll
    sio[_SET] = _STROBE
    spi[_DATA] = _READ_COMMAND
    spi[_DATA] = 0
    while spi[_STATUS] & _CAME == 0:
        pass
    spi[_DATA]
    while spi[_STATUS] & _CAME == 0:
        pass
    at = int(spi[_DATA])
    sio[_CLEAR] = _STROBE
    if at & _POWER_DOWN:
        return -1
    at = 1
    done = 0
    count = int(script[0])
    while done < count:
        # the writes
        n = int(script[at])
        while n:
            end = at + 2 + n
            at += 1
            if done == 0 and script[end] == 0:  # the last write sends
                while (due - timer[0]) << 2 > 0:  # ticks_us has 30 bits of it
                    pass
            sio[_SET] = _STROBE
            while at < end:
                spi[_DATA] = script[at]
                at += 1
                while spi[_STATUS] & _CAME == 0:
                    pass
                spi[_DATA]
            sio[_CLEAR] = _STROBE
            n = int(script[at])
        # the wait, then the result: ComIrqReg repeatedly, ErrorReg, FIFOLevelReg
        left = _LONGEST_WAIT
        what = 0
        address = _READ_IRQ
        heard[1] = 0
        heard[2] = 0
        while what < 3:
            sio[_SET] = _STROBE
            spi[_DATA] = address
            spi[_DATA] = 0
            while spi[_STATUS] & _CAME == 0:
                pass
            spi[_DATA]
            while spi[_STATUS] & _CAME == 0:
                pass
            heard[what] = spi[_DATA]
            sio[_CLEAR] = _STROBE
            if what == 0:
                irq = int(heard[0])
                if irq & _RX:
                    what = 1
                    address = _READ_ERROR
                elif irq & _DONE:
                    what = 3
                else:
                    left -= 1
                    if left == 0:
                        return -1
            else:
                what += 1
                address = _READ_LEVEL
        n = int(heard[2])
        if n > _FIFO:
            return done
        # the FIFO: each byte comes while the next address goes out
        if n:
            sio[_SET] = _STROBE
            spi[_DATA] = _READ_FIFO
            what = 0
            while what <= n:
                if what < n - 1:
                    spi[_DATA] = _READ_FIFO
                elif what == n - 1:
                    spi[_DATA] = 0
                while spi[_STATUS] & _CAME == 0:
                    pass
                if what:
                    heard[2 + what] = spi[_DATA]
                else:
                    spi[_DATA]
                what += 1
            sio[_CLEAR] = _STROBE
        if heard[1]:
            return done
        # is it as expected
        at += 1
        wanted = int(script[at])
        at += 1
        if int(heard[0]) & _RX:
            if wanted == _NONE:
                return done
        elif wanted != _NONE:
            return done
        if wanted < _NONE:
            if wanted != n:
                return done
            what = 0
            while what < n:
                if script[at] != heard[3 + what]:
                    return done
                at += 1
                what += 1
        done += 1
    return done


def crc_hqx(data: bytes, crc: int) -> int:
    """Return CRC-16/CCITT, as binascii.crc_hqx of CPython; link.py's own in machine code."""
    return _crc(data, len(data), crc)


@micropython.viper
def _crc(data: ptr8, n: int, crc: int) -> int:
    i = 0
    while i < n:
        crc ^= int(data[i]) << 8
        bit = 0
        while bit < 8:
            crc <<= 1
            if crc & 0x10000:
                crc ^= 0x11021
            bit += 1
        i += 1
    return crc
