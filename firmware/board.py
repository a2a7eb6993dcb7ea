"""The Pico's side of the track's wiring: one reader of up to 40, reset, supply, the row of switches."""

import sys

import clock
import pins
import rc522
from machine import ADC, SPI, Pin

FULL_SCALE = 65535  # of an ADC, at 3.3 V
REFERENCE_MV = 3300
ENOUGH_MV = 2900  # the track's supply is there
IDLE_MA = 40  # a monitor that reads less with every reader awake is not fitted
LONGEST = 64  # bytes in one transfer behind the address: a FIFO
RESET_US = 100  # the data sheet asks for 0.1
START_UP_MS = 5  # the readers' oscillators, after reset


class Board:
    """All pins of pins.py. Nothing is high before `start`: dead readers are not fed through the bus."""

    def __init__(self) -> None:
        self.strobe = Pin(pins.STROBE, Pin.OUT, value=0)
        self.reset = Pin(pins.RESET, Pin.OUT, value=0)
        self.lines = [Pin(n, Pin.OUT, value=0) for n in pins.ADDRESS]
        self.supply = ADC(pins.TRACK_VOLTAGE)
        self.current = ADC(pins.TRACK_CURRENT)
        self.core = ADC(getattr(ADC, "CORE_TEMP", 4))
        self.spi = None
        self.address = 0
        out, received = memoryview(bytearray(1 + LONGEST)), memoryview(bytearray(1 + LONGEST))
        self.out, self.received = out, received
        self.outs = [out[:n] for n in range(2 + LONGEST)]  # cut once: a slice would take memory each time
        self.received_parts = [received[:n] for n in range(2 + LONGEST)]

    # -- measurements

    def millivolts(self) -> int:
        """Return the track's supply in mV, halved by the divider before the pin."""
        return int(self.supply.read_u16() * 2 * REFERENCE_MV // FULL_SCALE)

    def powered(self) -> bool:
        """Return whether the track has its own 3.3 V."""
        return self.millivolts() >= ENOUGH_MV

    def milliamperes(self, samples: int = 1) -> int:
        """Return the current of the track, the mean of some measurements; 1 mV at the pin is 1 mA. Near 0
        without a monitor.
        """
        total = 0
        for _ in range(samples):
            total += self.current.read_u16()
        return total * REFERENCE_MV // FULL_SCALE // samples

    def celsius(self) -> float:
        """Return the Pico's own temperature (RP2040 data sheet, 4.9.5)."""
        volts = self.core.read_u16() * 3.3 / FULL_SCALE
        return 27 - (volts - 0.706) / 0.001721

    # -- the readers

    def start(self) -> None:
        """Release the readers from reset and take the bus."""
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
        clock.sleep_ms(START_UP_MS)

    def pulse_reset(self) -> None:
        """Reset every reader by its pin: some chips recover from a bad state by nothing else."""
        self.strobe.value(0)
        self.reset.value(0)
        clock.sleep_us(RESET_US)
        self.reset.value(1)
        clock.sleep_ms(START_UP_MS)

    def off(self) -> None:
        """Set every bus pin low and every reader in reset: no field is left on."""
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
            for bit in range(len(self.lines)):  # enumerate would take memory, three times a poll
                self.lines[bit].value(reader >> bit & 1)
            self.address = reader
        self.strobe.value(1)

    def deselect(self) -> None:
        """Select no reader."""
        self.strobe.value(0)

    def transfer(self, reader: int, n: int) -> None:
        """Send the first `n` bytes of `out` to a reader; its bytes meanwhile are in `received`."""
        self.select(reader)
        try:
            self.spi.write_readinto(self.outs[n], self.received_parts[n])
        finally:
            self.deselect()


def has_fast() -> bool:
    """Return whether this chip runs fast.py: machine code, for an RP2040's registers."""
    return "RP2040" in getattr(sys.implementation, "_machine", "")


class Port(rc522.Port):
    """The registers of one reader on the board, for rc522.Rc522."""

    def __init__(self, board: Board, reader: int) -> None:
        self.board = board
        self.reader = reader

    def until(self, due: int) -> None:
        """Wait for a moment of clock.ticks_us."""
        left = clock.ticks_diff(due, clock.ticks_us())
        if left > 0:
            clock.sleep_us(left)

    def read(self, register: int) -> int:
        """Read a register once."""
        board = self.board
        board.out[0], board.out[1] = 0x80 | register << 1, 0
        board.transfer(self.reader, 2)
        return board.received[1]

    def write(self, register: int, value: int) -> None:
        """Write a register."""
        board = self.board
        board.out[0], board.out[1] = register << 1, value
        board.transfer(self.reader, 2)

    def fill(self, register: int, data, n: int) -> None:
        """Write the first `n` bytes of `data`, one after another, in one transfer."""
        board = self.board
        board.out[0] = register << 1
        for i in range(n):
            board.out[1 + i] = data[i]
        board.transfer(self.reader, 1 + n)

    def drain(self, register: int, into: bytearray, n: int) -> None:
        """Read a register `n` times in one transfer: the FIFO gives its next byte each time."""
        board = self.board
        for i in range(n):
            board.out[i] = 0x80 | register << 1
        board.out[n] = 0
        board.transfer(self.reader, 1 + n)
        for i in range(n):
            into[i] = board.received[1 + i]


class Row:
    """The row of 74HC165 behind a presence track: one bit per switch."""

    def __init__(self, switches: int) -> None:
        self.load = Pin(pins.SWITCH_LOAD, Pin.OUT, value=1)
        # mode 2: the 74HC165 shows its first bit before any clock, and moves on at the rising edge
        self.spi = SPI(
            pins.SWITCH_SPI,
            baudrate=pins.SWITCH_HZ,
            polarity=1,
            phase=0,
            sck=Pin(pins.SWITCH_CLOCK),
            miso=Pin(pins.SWITCH_DATA),
        )
        self.switches = switches
        self.bits = bytearray((switches + 7) // 8 + 1)  # and one behind the row: all zeros if it is whole

    def read(self) -> bool:
        """Read all switches at one moment; return False when the row does not pass its bits on."""
        self.load.value(0)
        self.load.value(1)
        self.spi.readinto(self.bits)
        return self.bits[-1] == 0

    def closed(self, switch: int) -> bool:
        """Return whether a magnet was there at the last `read`."""
        return not self.bits[switch >> 3] >> (7 - (switch & 7)) & 1
