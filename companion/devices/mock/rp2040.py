"""The track's wiring behind the pins of an emulated RP2040: level by level, byte by byte.

`rp2040py` emulates the Pico's chip instruction by instruction; this is the circuit soldered to it. A pin has
the level that the chip drives, otherwise that of a resistor of wiring.md, otherwise of the pad's own pull;
one that nothing drives or pulls floats, which is `wrong`. Time is the emulated chip's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.devices.mock.machine import CORE, NO_GROUP, SILENT, TX_CONTROL, Wiring
from companion.devices.mock.rc522 import Transfer

if TYPE_CHECKING:
    from rp2040py.rp2040 import RP2040

HIGH, LOW = 1, 0
PULL_UP, PULL_DOWN = 3, 4  # of rp2040py's GPIOPinState: an input with the pad's own pull
SPI_FUNCTION = 1  # of IO_BANK0's FUNCSEL (RP2040 data sheet, 2.19.2)
SPO, SPH = 1 << 6, 1 << 7  # of SSPCR0
# CLK_PERI_CTRL.AUXSRC (RP2040 data sheet, 2.15.7), Hz: MicroPython runs the buses from the USB PLL
PERI_HZ = {0: 125_000_000, 1: 125_000_000, 2: 48_000_000, 4: 12_000_000}
SAMPLE_NS = 2000.0  # one conversion of the ADC
FULL_SCALE, VOLTS = 4095, 3.3
FIRST_ADC = 26  # ADC channel 0 is GP26


class EmulatedWiring(Wiring):
    """`Wiring` for an emulated RP2040; faults and tags as there.

    More faults: `pulls` (the resistors, by GP number: 1 to 3.3 V, 0 to GND; take one out, or solder it to the
    other side), `outputs` (which output of the decoders each reader's chip select is on).
    """

    def __init__(self, readers: int, switches: int = 0) -> None:
        super().__init__(readers, switches)
        self.outputs = {i: i for i in range(readers)}
        self.pulls: dict[int, int] = {}
        self._transfers: dict[int, Transfer] = {}  # by reader: a selected one receives the bytes on the bus
        self._bits = bytearray()  # of the row of switches, latched

    def wire(self, pins: Any) -> None:
        """Take the pins from the firmware's pins.py, and the resistors from wiring.md."""
        super().wire(pins)
        self.pins = pins
        self.pulls = {pins.STROBE: 0, pins.RESET: 0, pins.MISO: 1, pins.SWITCH_DATA: 1}
        self.watched = (*pins.ADDRESS, pins.STROBE, pins.RESET, pins.SWITCH_LOAD)
        self.driven = (pins.MISO, pins.SWITCH_DATA, pins.TRACK_VOLTAGE, pins.TRACK_CURRENT)

    def attach(self, rp2040: RP2040) -> None:
        """Solder it to a chip that has not started yet."""
        self.chip = rp2040
        for chip in self.chips:
            chip.hold_in_reset(True)
        for pin in self.watched:
            rp2040.gpio[pin].add_listener(self._listener(pin))
        for pin in self.driven:
            rp2040.gpio[pin].add_listener(self._against(pin))
        for number, answer in ((self.pins.SPI, self._talk), (self.pins.SWITCH_SPI, self._row)):
            bus = rp2040.spi[number]
            bus.on_transmit = self._transmission(bus, answer)
        self._sample = rp2040.clock.create_alarm(self._sampled)
        rp2040.adc.on_adc_read = self._read_adc
        self.settle()

    # -- levels

    def level_of(self, pin: int) -> int:
        """Return the level of a pin, 0 or 1; one that floats is wrong, and low."""
        driven = int(self.chip.gpio[pin].value)
        if driven in (HIGH, LOW):
            return driven
        if pin in (self.pins.SCK, self.pins.MOSI) and self.chip.gpio[pin].function_select == SPI_FUNCTION:
            return LOW  # the bus drives it, which rp2040py does not report; between transfers it is low
        pulled = self.pulls.get(pin, {PULL_UP: HIGH, PULL_DOWN: LOW}.get(driven))
        if pulled is None:
            self._is_wrong(f"GP{pin} floats: neither the Pico nor a resistor says what it is")
            return LOW
        return pulled

    def settle(self) -> None:
        """Set the levels to the present ones: after power-up, and after a reset that releases every pin."""
        for pin in (self.strobe, *self.watched):  # released at once: later levels select no reader
            self._change(pin)

    def _listener(self, pin: int) -> Callable[[object, object], None]:
        return lambda _now, _before: self._change(pin)

    def _against(self, pin: int) -> Callable[[object, object], None]:
        """Return a handler for two drivers of one line: the stronger one wins, or dies."""

        def changed(now: object, _before: object) -> None:
            if int(now) in (HIGH, LOW):  # type: ignore[call-overload]
                self._is_wrong(f"GP{pin} is an output of the Pico, and something else drives it")

        return changed

    def _change(self, pin: int) -> None:
        self.tell_time()
        before, level = self.level.get(pin), self.level_of(pin)
        if level == before:
            return
        self.drive(pin, level)
        if pin == self.strobe or (pin in self.address and self.level.get(self.strobe)):
            self._select()
        if pin == self.pins.SWITCH_LOAD and level:
            self._bits = bytearray(self.shift(len(self.closed) // 8 + 8))

    def tell_time(self) -> None:
        """Set the models' clock to the chip's."""
        self.clock.us = self.chip.clock.nanos / 1000

    def _is_wrong(self, what: str) -> None:
        if what not in self.wrong:
            self.wrong.append(what)

    def drive(self, pin: int, level: int) -> None:
        """Drive a pin as in `Wiring`, and record each mistake once: an emulated firmware repeats it for
        hours.
        """
        super().drive(pin, level)
        self.wrong[:] = dict.fromkeys(self.wrong)

    # -- the readers' bus

    def _number(self) -> int:
        lines = enumerate(self.address)
        return sum(self.level.get(pin, 0) << bit for bit, pin in lines if bit not in self.stuck_low)

    def _dark(self, group: int) -> bool:
        """Return whether a group's decoder and multiplexer do nothing: no supply, no enable, or missing."""
        return not self.power or group in self.dead_groups or group > (len(self.chips) - 1) // self.group

    def _select(self) -> None:
        """Update the decoders' outputs after a change of strobe or address: the chip selects that are low."""
        selected: set[int] = set()
        if self.level.get(self.strobe):
            n = self._number()
            if not self._dark(n // self.group):
                selected = {reader for reader, output in self.outputs.items() if output == n}
        still_selected = {
            reader: transfer for reader, transfer in self._transfers.items() if reader in selected
        }
        self._transfers = still_selected | {
            reader: Transfer(self.chips[reader]) for reader in selected - set(still_selected)
        }

    def _talk(self, byte: int) -> tuple[int, Callable[[], None]]:
        """Return the byte on MISO while a byte goes out, and the handler for its end."""
        answers = {reader: transfer.answers(byte) for reader, transfer in self._transfers.items()}
        if not self.level.get(self.strobe):
            self._is_wrong("a transfer with no reader selected")
        return self._miso(answers), lambda: self._hear(byte)

    def _miso(self, answers: dict[int, int]) -> int:
        """Return the level of the common line: the multiplexer of the addressed group, or its resistor."""
        n = self._number()
        if self.dead_miso:
            return SILENT
        if not self.level.get(self.strobe) or self._dark(n // self.group):
            return NO_GROUP if self.level_of(self.pins.MISO) else SILENT
        return answers.get(n, SILENT)

    def _hear(self, byte: int) -> None:
        for transfer in self._transfers.values():
            transfer.hears(byte)
            if transfer.first == TX_CONTROL:
                self.on_at_once.add(tuple(i for i, chip in enumerate(self.chips) if chip.field_on))

    def _row(self, byte: int) -> tuple[int, Callable[[], None]]:
        """Return the next byte of the switches; the 74HC165s listen to nothing."""
        return (self._bits.pop(0) if self._bits else 0xFF), lambda: None

    def _transmission(
        self, bus: Any, answer: Callable[[int], tuple[int, Callable[[], None]]]
    ) -> Callable[[int], None]:
        """Return the handler of a byte on a bus: it takes its bits' time, then it is received and
        answered.
        """
        said: list[tuple[int, Callable[[], None]]] = []

        def over() -> None:
            self.tell_time()
            came, heard = said.pop()
            heard()
            bus.complete_transmit(came)

        alarm = self.chip.clock.create_alarm(over)

        def transmit(byte: int) -> None:
            self.tell_time()
            if bus is self.chip.spi[self.pins.SPI] and bus.read_uint32(0) & (SPO | SPH):
                self._is_wrong("an MFRC522 speaks SPI mode 0")
            said.append(answer(byte))
            self.chip.clk_peri = PERI_HZ[self.chip.clocks.peri_ctrl >> 5 & 7]
            alarm.schedule(8e9 / bus.clock_frequency)

        return transmit

    # -- measurements

    def _read_adc(self, channel: int) -> None:
        self._channel = channel
        self._sample.schedule(SAMPLE_NS)

    def _sampled(self) -> None:
        self.tell_time()
        volts = self.volts_at(CORE if self._channel == CORE else FIRST_ADC + self._channel)
        self.chip.adc.complete_adc_read(min(FULL_SCALE, round(volts / VOLTS * FULL_SCALE)), False)
