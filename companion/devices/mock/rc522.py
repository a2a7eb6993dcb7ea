"""A register-level model of the MFRC522: it answers the bytes of an SPI transfer as the chip does.

Time is virtual and moves with every transfer (bits on the bus plus the cost of an access), so that a driver
which counts loops differs from one which obeys the chip's timer. Registers: data sheet, chapter 9. Not
modelled: authentication, WRITE, interrupt pins, I2C and UART, anything analogue.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.devices.mock.iso14443 import BIT_US, CARRIER_MHZ, WUPA, Bits, Card, crc_a

FRAME_DELAY_US = 1236 / CARRIER_MHZ  # a card answers this long after the last bit
GUARD_US = 1172 / CARRIER_MHZ  # a reader waits this long after an answer
TIMER_STOPS_AFTER_BITS = 5  # TAuto: a start bit and four data bits
TORN_AFTER_BITS = 21  # of the 40 of an anticollision
START_UP_US = 238.0  # leaving reset or soft power-down: 38 us [data sheet] + crystal, 200 us assumed

CommandReg, ComIrqReg, DivIrqReg, ErrorReg, Status1Reg = 0x01, 0x04, 0x05, 0x06, 0x07
FIFODataReg, FIFOLevelReg, WaterLevelReg = 0x09, 0x0A, 0x0B
ControlReg, BitFramingReg, CollReg = 0x0C, 0x0D, 0x0E
RFCfgReg = 0x26
CWGsPReg = 0x28
ModeReg, TxModeReg, RxModeReg, TxControlReg, CRCResultRegH, CRCResultRegL = 0x11, 0x12, 0x13, 0x14, 0x21, 0x22
TModeReg, TPrescalerReg, TReloadRegH, TReloadRegL, VersionReg = 0x2A, 0x2B, 0x2C, 0x2D, 0x37
READ_ONLY = frozenset((ErrorReg, Status1Reg, CRCResultRegH, CRCResultRegL, 0x2E, 0x2F, VersionReg))

RESET = {
    CommandReg: 0x20, 0x02: 0x80, ComIrqReg: 0x14, Status1Reg: 0x21, WaterLevelReg: 0x08, ControlReg: 0x10,
    CollReg: 0x80, ModeReg: 0x3F, TxControlReg: 0x80, 0x16: 0x10, 0x17: 0x84, 0x18: 0x84, 0x19: 0x4D,
    0x1C: 0x62, 0x1F: 0xEB, CRCResultRegH: 0xFF, CRCResultRegL: 0xFF, 0x24: 0x26, 0x26: 0x48, 0x27: 0x88,
    0x28: 0x20, 0x29: 0x20,
}  # fmt: skip
DECIBELS = (18, 23, 18, 23, 33, 38, 43, 48)  # by RxGain, bits 6-4 of RFCfgReg
CRC_PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)


class Clock:
    """Virtual time in microseconds since the beginning."""

    def __init__(self) -> None:
        self.us = 0.0

    def advance(self, us: float) -> None:
        """Let time pass."""
        self.us += us


class Transfer:
    """One transfer to a chip, received byte by byte, as an emulated bus has it.

    A read's value is on MISO while the next byte goes out; a write counts once its byte has been clocked in.
    """

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.first: int | None = None
        self._last = 0

    def answers(self, byte: int) -> int:
        """Return the byte on MISO while `byte` is clocked in."""
        self.chip.catch_up()
        silent = self.chip.dead or self.chip.held or self.chip.stuck
        if silent or self.first is None or not self.first & 0x80:
            return 0
        return self.chip.read(self._last >> 1 & 0x3F)

    def hears(self, byte: int) -> None:
        """Process `byte` after it has been clocked in."""
        if self.first is None:
            self.first = byte
            self.chip.transfers += 1
        elif not self.first & 0x80 and not (self.chip.dead or self.chip.held or self.chip.stuck):
            self.chip.catch_up()
            self.chip.write(self.first >> 1 & 0x3F, byte)
        self._last = byte


class Chip:
    """One MFRC522 with the cards in reach of its antenna.

    Faults: `dead` (MISO stays low), `mute` (the radio is dead), `version` (the value of VersionReg),
    `flicker` (of ten reads so many find no card), `broken` (registers that read 0 and store nothing). More
    faults: `stuck` (no answer until its reset pin is pulled), `holds` (MISO is never released), `forgetful`
    (the FIFO gives back other bytes than were written). Even more: `tear` (this card leaves in the middle of
    its next answer, after so many bits), `weak` (its supply cannot bear the field: a brown-out each time).
    `faint` is the gain in dB below which a card is not heard.
    `needs` is the transmit power (CWGsPReg) below which a card gets no field, `draws` the antenna current.
    """

    def __init__(self, clock: Clock, version: int = 0x92) -> None:
        self.clock = clock
        self.version = version
        self.dead = self.mute = self.stuck = self.holds = self.forgetful = self.weak = False
        self.flicker = 0
        self.needs: dict[bytes, int] = {}
        self.faint: dict[bytes, int] = {}
        self.tear: tuple[bytes, int] | None = None
        self.draws = 60.0
        self.elsewhere: Callable[[bytes], bool] = lambda uid: False
        self.broken: frozenset[int] = frozenset()
        self.cards: dict[bytes, Card] = {}
        self.transfers = 0
        self.reads = 0
        self.held = False
        self._timer_due: float | None = None
        self.field_on = False
        self._special: dict[int, Callable[[int], None]] = {
            CommandReg: self._set_command,
            ComIrqReg: lambda value: self._set_or_clear(ComIrqReg, value),
            DivIrqReg: lambda value: self._set_or_clear(DivIrqReg, value),
            FIFODataReg: self._push,
            FIFOLevelReg: self._flush,
            ControlReg: self._control,
            BitFramingReg: self._frame,
            CollReg: lambda value: self._put(CollReg, self._r[CollReg] & 0x7F | value & 0x80),
            TxControlReg: self._tx_control,
            CWGsPReg: lambda value: self._radio(CWGsPReg, value & 0x3F),
            RFCfgReg: lambda value: self._radio(RFCfgReg, value),
        }
        self._reset()

    # -- the world around the chip

    def put(self, uids: list[bytes], needs: dict[bytes, int] | None = None) -> None:
        """Put exactly these tags on the antenna; `needs` is the power that each needs, where it is not 0."""
        self.needs = needs or {}
        for uid in [uid for uid in self.cards if uid not in uids]:
            self.cards.pop(uid).field(False, self.clock.us)
        for uid in uids:
            if uid not in self.cards:
                self.cards[uid] = Card(uid)
        self._field(self.field_on)

    def hold_in_reset(self, held: bool) -> None:
        """Set the pin NRSTPD: low, and the chip is off."""
        if held != self.held:
            self.held = held
            self.stuck = False
            self._reset()

    def brown_out(self) -> None:
        """Let the supply dip: the chip restarts and has forgotten all settings."""
        self._reset()

    def tear_off(self) -> None:
        """Make the first card here leave in the middle of its next longer answer."""
        for uid in list(self.cards)[:1]:
            self.tear = (uid, TORN_AFTER_BITS)

    def milliamperes(self) -> float:
        """Return the current of the chip [data sheet, typical]; the field on top is `draws`."""
        if self.held:
            return 0.0
        return 0.01 if self._asleep else 13.5 + self.draws * self.field_on

    # -- SPI

    def transfer(self, out: bytes, hz: int, access_us: float) -> bytes:
        """Return the bytes on MISO for one transfer of `out` with the chip selected."""
        self.transfers += 1
        self.clock.us += access_us + len(out) * 8e6 / hz
        if self._due or self._timer_due is not None:
            self.catch_up()
        if self.dead or self.held or self.stuck:
            return bytes(len(out))
        if out[0] & 0x80:
            if len(out) == 2:  # nearly all are: one register, read once
                return bytes((0, self.read(out[0] >> 1 & 0x3F)))
            return bytes([0, *(self.read(address >> 1 & 0x3F) for address in out[:-1])])
        for value in out[1:]:
            self.write(out[0] >> 1 & 0x3F, value)
        return bytes(len(out))

    def read(self, register: int) -> int:
        """Return the value of a register; the FIFO gives its next byte."""
        if register in self.broken:
            return 0
        if register == FIFODataReg:
            return (self._fifo.pop(0) ^ 0x20 * self.forgetful) if self._fifo else 0
        if register == FIFOLevelReg:
            return len(self._fifo)
        if register == CommandReg:
            return self._r[CommandReg] | (0x10 if self._asleep or self.clock.us < self._ready_at else 0)
        if register == Status1Reg:
            return self._status1()
        if register == VersionReg:
            return self.version
        return self._r[register]

    def _status1(self) -> int:
        level = len(self._fifo)
        low, high = level <= self._r[WaterLevelReg], 64 - level <= self._r[WaterLevelReg]
        irq = bool(self._r[ComIrqReg] & self._r[0x02] & 0x7F)
        return self._r[Status1Reg] & 0x68 | irq << 4 | high << 1 | low

    def write(self, register: int, value: int) -> None:
        """Set a register."""
        asleep = self._asleep or self.clock.us < self._ready_at
        if register in self.broken or register in READ_ONLY or (asleep and register != CommandReg):
            return  # a chip without its oscillator takes nothing but the order to wake up
        special = self._special.get(register)
        if special is not None:
            special(value)
        else:
            self._r[register] = value

    def _put(self, register: int, value: int) -> None:
        self._r[register] = value

    def _set_or_clear(self, register: int, value: int) -> None:
        """Set the marked bits if Set1/Set2 = 1, otherwise clear them."""
        marked = value & 0x7F
        self._r[register] = self._r[register] | marked if value & 0x80 else self._r[register] & ~marked & 0xFF

    def _push(self, value: int) -> None:
        if len(self._fifo) >= 64:
            self._r[ErrorReg] |= 0x10  # BufferOvfl
        else:
            self._fifo.append(value)

    def _flush(self, value: int) -> None:
        if value & 0x80:
            self._fifo.clear()
            self._r[ErrorReg] &= ~0x10 & 0xFF

    def _control(self, value: int) -> None:
        if value & 0x40:
            self._start_timer(self.clock.us)
        if value & 0x80:
            self._timer_due = None
        self._r[ControlReg] = self._r[ControlReg] & 7 | value & 0x30

    def _frame(self, value: int) -> None:
        self._r[BitFramingReg] = value
        if value & 0x80 and self._r[CommandReg] & 0x0F == 0x0C:
            self._send()

    def _tx_control(self, value: int) -> None:
        self._r[TxControlReg] = value
        self._field(bool(value & 3))
        if self.weak and self.field_on:
            self.brown_out()

    def _radio(self, register: int, value: int) -> None:
        self._r[register] = value
        self._field(self.field_on)

    def _field(self, on: bool) -> None:
        self.field_on = on
        power, gain = self._r[CWGsPReg], DECIBELS[self._r[RFCfgReg] >> 4 & 7]
        for uid, card in self.cards.items():
            in_reach = power >= self.needs.get(uid, 0) and gain >= self.faint.get(uid, 0)
            card.field(on and in_reach, self.clock.us)

    # -- commands

    def _reset(self) -> None:
        self._r = bytearray(64)
        for register, value in RESET.items():
            self._r[register] = value
        self._fifo: list[int] = []
        self._due: list[tuple[float, Callable[[], None]]] = []
        self._timer_due = None
        self._asleep = False
        self._ready_at = self.clock.us + START_UP_US
        self._answered_at = -1e9
        self._field(False)

    def _set_command(self, value: int) -> None:
        was_asleep, self._asleep = self._asleep, bool(value & 0x10)
        if self._asleep:
            self._due.clear()
            self._field(False)
        elif was_asleep:
            self._ready_at = self.clock.us + START_UP_US
        command = value & 0x0F
        if command == 0x0F:
            self._reset()
            return
        self._r[CommandReg] = value & 0x20 | command
        if command == 0x00:
            self._due.clear()
        elif command == 0x03:
            self._calculate_crc()
        elif command == 0x0C:
            self._r[ErrorReg] = 0

    def _calculate_crc(self) -> None:
        low, high = crc_a(bytes(self._fifo), CRC_PRESETS[self._r[ModeReg] & 3])
        self._r[CRCResultRegL], self._r[CRCResultRegH] = low, high
        self._fifo.clear()
        self._r[DivIrqReg] |= 0x04

    def _start_timer(self, at: float) -> None:
        prescaler = (self._r[TModeReg] & 0x0F) << 8 | self._r[TPrescalerReg]
        reload = self._r[TReloadRegH] << 8 | self._r[TReloadRegL]
        self._timer_due = at + (2 * prescaler + 1) * (reload + 1) / CARRIER_MHZ

    def _send(self) -> None:
        frame = bytes(self._fifo)
        self._fifo.clear()
        tail = self._r[BitFramingReg] & 7
        bits = len(frame) * 8 - (8 - tail if tail else 0)
        if self._r[TxModeReg] & 0x80:  # TxCRCEn
            frame += crc_a(frame)
            bits += 16
        start = max(self.clock.us, self._answered_at + GUARD_US)
        end = start + (2 + bits + bits // 8) * BIT_US  # start, end and parity bits
        self._r[ErrorReg] = 0
        self._due.append((end, self._sent))
        if self._r[TModeReg] & 0x80:  # TAuto
            self._start_timer(end)
        answers = self._answers(frame, bits, start)
        if answers:
            self._expect(answers, end)

    def _answers(self, frame: bytes, bits: int, now: float) -> list[Bits]:
        if frame and bits == 7 and frame[0] & 0x7F == WUPA:
            self.reads += 1
        if not frame or not self.field_on or self.mute or self.reads * 7 % 10 < self.flicker:
            return []
        answers = []
        for uid, card in list(self.cards.items()):
            answer = card.hear(frame, bits, now)
            if answer is not None and not self.elsewhere(uid):
                answers.append(self._torn(uid, answer))
        return answers

    def _torn(self, uid: bytes, answer: Bits) -> Bits:
        """Return the answer, or the part of it that is left when the card is torn off."""
        if self.tear is None or self.tear[0] != uid or answer.n <= self.tear[1]:
            return answer
        n = self.tear[1]
        self.tear = None
        self.cards.pop(uid).field(False, self.clock.us)
        return Bits(answer.value & (1 << n) - 1, n, torn=True)

    def _expect(self, answers: list[Bits], end: float) -> None:
        first = end + FRAME_DELAY_US
        n = max(answer.n for answer in answers)
        if n == 0:
            return  # torn off before its first bit
        arrived = first + (1 + n + n // 8) * BIT_US
        if self._timer_due is not None and first + TIMER_STOPS_AFTER_BITS * BIT_US <= self._timer_due:
            self._timer_due = None
        self._answered_at = arrived
        self._due.append((arrived, lambda: self._received(answers, n)))

    def _sent(self) -> None:
        self._r[ComIrqReg] |= 0x40  # TxIRq

    def _received(self, answers: list[Bits], n: int) -> None:
        """Receive all answers at once. Transceive does not end by itself: the receiver goes on listening."""
        value, differ = answers[0].value, 0
        for answer in answers[1:]:
            both = (1 << min(answers[0].n, answer.n)) - 1  # past the end of a torn answer only one is heard
            differ |= (value ^ answer.value) & both
            value |= answer.value
        error, align = 0, self._r[BitFramingReg] >> 4 & 7
        if differ:
            collision = (differ & -differ).bit_length() - 1
            error |= 0x08
            if not self._r[CollReg] & 0x80:  # ValuesAfterColl
                value &= (1 << collision) - 1
            at = collision + align  # the MFRC631 data sheet: RxAlign is included
            position = (at + 1) & 0x1F if at < 32 else 0x20  # CollPosNotValid
        else:
            position = 0x20
        if any(answer.torn and answer.n == n and n % 8 for answer in answers):
            error |= 0x02  # its last byte has no parity bit
        self._r[CollReg] = self._r[CollReg] & 0x80 | position
        self._r[ControlReg] = self._r[ControlReg] & 0xF8 | (n + align) & 7
        data = (value << align).to_bytes((n + align + 7) // 8, "little")
        if self._r[RxModeReg] & 0x80:  # RxCRCEn: the CRC is checked and not handed on
            error |= 0x04 if len(data) < 3 or crc_a(data[:-2]) != data[-2:] else 0
            data = data[:-2]
        self._fifo.extend(data)
        self._r[ErrorReg] |= error
        self._r[ComIrqReg] |= 0x20 | (0x02 if error else 0)

    def catch_up(self) -> None:
        """Carry out all timed effects up to now."""
        now = self.clock.us
        while self._due and (first := min(self._due, key=lambda due: due[0]))[0] <= now:
            self._due.remove(first)
            first[1]()
        if self._timer_due is not None and self._timer_due <= now:
            self._timer_due = None
            self._r[ComIrqReg] |= 0x01  # TimerIRq
