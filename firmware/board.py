"""The Pico's side of the track's wiring: choosing one reader of up to 40, power, reset."""

import pins
from machine import ADC, SPI, Pin

ENOUGH = 28800  # of 65535 at 3.3 V: the track's supply, halved, stands at 2.9 V or more


class Board:
    """All pins of pins.py. Nothing is high before `start`: dead readers are not fed through the bus."""

    def __init__(self) -> None:
        self.strobe = Pin(pins.STROBE, Pin.OUT, value=0)
        self.reset = Pin(pins.RESET, Pin.OUT, value=0)
        self.lines = [Pin(n, Pin.OUT, value=0) for n in pins.ADDRESS]
        self.supply = ADC(pins.TRACK_VOLTAGE)
        self.spi = None
        self.address = 0

    def powered(self) -> bool:
        """Whether the track has its own 3.3 V."""
        return self.supply.read_u16() >= ENOUGH

    def start(self) -> None:
        """Let the readers out of reset and take the bus."""
        self.spi = SPI(
            pins.SPI,
            baudrate=pins.SPI_HZ,
            polarity=0,
            phase=0,
            sck=Pin(pins.SCK),
            mosi=Pin(pins.MOSI),
            miso=Pin(pins.MISO),
        )
        self.reset.value(1)

    def off(self) -> None:
        """Every bus pin low and every reader in reset: no field is left on."""
        self.strobe.value(0)
        self.reset.value(0)
        for line in self.lines:
            line.value(0)
        self.address = 0
        if self.spi is not None:
            self.spi.deinit()
            self.spi = None
        for n in (pins.SCK, pins.MOSI):
            Pin(n, Pin.OUT, value=0)

    def select(self, reader: int) -> None:
        """Select one reader: strobe low, address, strobe high. In any other order others would be pulsed."""
        self.strobe.value(0)
        if reader != self.address:
            self.address = -1  # unknown, should a line fail half way
            for bit, line in enumerate(self.lines):
                line.value(reader >> bit & 1)
            self.address = reader
        self.strobe.value(1)

    def deselect(self) -> None:
        """No reader is selected."""
        self.strobe.value(0)


class Port:
    """The registers of one reader on the board; rc522.Rc522 works on it."""

    def __init__(self, board: Board, reader: int) -> None:
        self.board = board
        self.reader = reader
        self._out = bytearray(2)
        self._in = bytearray(2)

    def write(self, register: int, *values: int) -> None:
        """Write `values` one after the other into a register."""
        self._transfer(bytes((register << 1,) + values), None)

    def read(self, register: int) -> int:
        """Read a register once."""
        self._out[0] = 0x80 | register << 1
        self._transfer(self._out, self._in)
        return self._in[1]

    def burst(self, register: int, n: int) -> bytearray:
        """Read a register `n` times in one transfer: the FIFO gives its next byte each time."""
        out = bytearray([0x80 | register << 1] * n + [0])
        came = bytearray(n + 1)
        self._transfer(out, came)
        return came[1:]

    def _transfer(self, out, came) -> None:
        self.board.select(self.reader)
        try:
            if came is None:
                self.board.spi.write(out)
            else:
                self.board.spi.write_readinto(out, came)
        finally:
            self.board.deselect()
