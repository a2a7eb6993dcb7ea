"""One MFRC522 and every card in its field: register access, exchange, ISO 14443-3 type A cascade.

Written once for the Pico's readers and the Pi's card pad, over a `Port`. Register and bit names are those of
the data sheet (MFRC522 rev. 3.9, chapter 9). It needs no clock: the chip's own timer ends every wait. It
imports nothing of ours: it runs on MicroPython and on CPython alike.
"""

CommandReg = 0x01
ComIrqReg = 0x04
ErrorReg = 0x06
FIFODataReg = 0x09
FIFOLevelReg = 0x0A
BitFramingReg = 0x0D
CollReg = 0x0E
ModeReg = 0x11
TxModeReg = 0x12
RxModeReg = 0x13
TxControlReg = 0x14
TxASKReg = 0x15
RFCfgReg = 0x26
CWGsPReg = 0x28
TModeReg = 0x2A
TPrescalerReg = 0x2B
TReloadRegH = 0x2C
TReloadRegL = 0x2D
VersionReg = 0x37

# CommandReg
IDLE = 0x00
TRANSCEIVE = 0x0C
SOFT_RESET = 0x0F
POWER_DOWN = 0x10  # reads as 1 until the oscillator runs again

# ComIrqReg
ALL_IRQ = 0x7F  # written with Set1 = 0 it clears the marked bits
RX_IRQ = 0x20
TIMER_IRQ = 0x01

# ErrorReg
BUFFER_OVFL = 0x10
COLL_ERR = 0x08
CRC_ERR = 0x04
PARITY_ERR = 0x02
PROTOCOL_ERR = 0x01

FLUSH_BUFFER = 0x80  # FIFOLevelReg
START_SEND = 0x80  # BitFramingReg; RxAlign is bits 6-4, TxLastBits bits 2-0
COLL_POS_NOT_VALID = 0x20  # CollReg
CRC_EN = 0x80  # TxModeReg, RxModeReg
FIELD_ON = 0x83  # TxControlReg: Tx1RFEn, Tx2RFEn, InvTx2RFOn
FIELD_OFF = 0x80

POWER = 0x20  # CWGsPReg: its value after a reset; up to 63 the field is stronger
MOST_POWER = 63
GAIN = 33  # dB of the receiver after a reset
GAINS = {18: 0x28, 23: 0x38, 33: 0x48, 38: 0x58, 43: 0x68, 48: 0x78}  # RFCfgReg: RxGain is bits 6-4
TIMER_TICKS = 10

SETTINGS = (
    (TModeReg, 0x80),  # TAuto: the timer starts when a frame is sent, and stops at the answer's fifth bit
    (TPrescalerReg, 0xA9),  # 13.56 MHz / (2 x 169 + 1): ticks of 25 us
    (TReloadRegH, 0),
    (TReloadRegL, TIMER_TICKS - 1),  # 0.25 ms: a card's first bits are due 0.14 ms after the frame
    (TxASKReg, 0x40),  # Force100ASK
    (ModeReg, 0x3D),  # CRC preset 0x6363
    (CollReg, 0x00),  # ValuesAfterColl = 0: bits after a collision read as 0
    (TxModeReg, 0x00),
    (RxModeReg, 0x00),
)

# What VersionReg may say. 0x00 and 0xFF are no chip at all: a dead line
VERSIONS = {
    0x90: "MFRC522 0.0",
    0x91: "MFRC522 1.0",
    0x92: "MFRC522 2.0",
    0x88: "FM17522",
    0x89: "FM17522E",
    0xB2: "FM17522",
    0x12: "counterfeit",
    0x82: "counterfeit",
}
NO_ANSWER = (0x00, 0xFF)

# ISO 14443-3
REQA = 0x26
WUPA = 0x52
CASCADE_LEVELS = (0x93, 0x95, 0x97)
SELECT = 0x70  # NVB: all 40 bits of the level are given
CASCADE_TAG = 0x88
UID_NOT_COMPLETE = 0x04  # a bit of SAK
HLTA = (0x50, 0x00)
WARM_UP_US = 5100  # a card may need 5 ms of field before it answers; a reader allows 5.1

# Register reads before a chip is given up whose timer never ends the wait: at the fastest access known
# (17 us) these are 8 ms, and the longest frame with its answer takes 2 ms.
LONGEST_WAIT = 500
MOST_CARDS = 8
SILENCE = -1  # result of `exchange` without an answer
FIFO = 64  # bytes
PATTERN = bytes((0x00, 0xFF, 0x55, 0xAA, 0x01, 0x80, 0x0F, 0xF0))  # every bit both ways

# Orders for `Port.run`: address byte and value, one after another
SLEEP = bytes((CommandReg << 1, POWER_DOWN))
ROUSE = bytes((CommandReg << 1, IDLE))
ANTENNA_ON = bytes((TxControlReg << 1, FIELD_ON))
ANTENNA_OFF = bytes((TxControlReg << 1, FIELD_OFF))

# A script for `Port.play`: how many exchanges, then for each the writes (n, address byte, n bytes), 0, and
# expected: ANY answer, NONE, or n and n bytes. heard: ComIrqReg, ErrorReg, FIFOLevelReg, FIFO
ANY, NONE = 0xFF, 0xFE
IRQ, ERROR, LEVEL, ANSWER = 0, 1, 2, 3
AFRESH = bytes(
    (1, CommandReg << 1, IDLE, 1, BitFramingReg << 1, 0, 1, ComIrqReg << 1, ALL_IRQ)
    + (1, FIFOLevelReg << 1, FLUSH_BUFFER)
)  # StartSend must be 0 before it can be 1 again


def an_exchange(frame, last_bits: int = 0, align: int = 0, crc=None, expected=(ANY,)) -> bytes:
    """Return one exchange of a script: send `frame`, of its last byte `last_bits` (0: all 8).

    The answer's first bit lands at bit `align`; `crc` None does not change the CRC setting. `expected`: ANY,
    NONE, or n and n bytes.
    """
    mode = CRC_EN if crc else 0
    modes = b"" if crc is None else bytes((1, TxModeReg << 1, mode, 1, RxModeReg << 1, mode))
    fill = bytes((len(frame), FIFODataReg << 1)) + frame
    begin = (1, CommandReg << 1, TRANSCEIVE, 1, BitFramingReg << 1, START_SEND | align << 4 | last_bits, 0)
    return AFRESH + modes + fill + bytes(begin) + bytes(expected)


def a_script(*exchanges) -> bytes:
    """Return exchanges in the format that a port plays."""
    return bytes((len(exchanges),)) + b"".join(exchanges)


def levels_of(uid: bytes):
    """Return the cascade levels of a UID, each with its check byte (ISO 14443-3, 6.5.4)."""
    parts = []
    while len(uid) > 4:
        parts.append(bytes((CASCADE_TAG,)) + uid[:3])
        uid = uid[3:]
    parts.append(uid)
    return [part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],)) for part in parts]


def call_of(uid: bytes, whole: bool) -> bytes:
    """Return the script that proves, if it is played to its end, that this card is there, and alone.

    The short form leaves the last SELECT, HLTA and the next REQA out. It would miss a card that a stronger
    one drowns completely: only every few polls may be this short.
    """
    exchanges, levels = [an_exchange(bytes((WUPA,)), 7, crc=False)], levels_of(uid)
    for n in range(len(levels)):
        crc, level, select = (False if n else None), levels[n], bytes((CASCADE_LEVELS[n], SELECT))
        ask = bytes((CASCADE_LEVELS[n], 0x20))
        exchanges.append(an_exchange(ask, crc=crc, expected=bytes((5,)) + level))
        if whole or n + 1 < len(levels):
            exchanges.append(an_exchange(select + level, crc=True))
    if whole:
        exchanges.append(an_exchange(bytes(HLTA), expected=(NONE,)))
        exchanges.append(an_exchange(bytes((REQA,)), 7, crc=False, expected=(NONE,)))
    return a_script(*exchanges)


ANYBODY = a_script(an_exchange(bytes((WUPA,)), 7, crc=False))


class Unreadable(Exception):
    """An answer that makes no sense: a torn frame, a card of another kind, too many at once."""


class NoChip(OSError):
    """The chip itself does not answer."""


class Port:
    """The registers of one reader. A subclass implements the access; the rest is here in plain Python.

    read(register) -> int, write(register, value); fill(register, data, n): write the first n bytes of data,
    one after another, drain(register, into, n): read n times into `into` (the FIFO gives its next byte each);
    until(due): wait for a moment of the port's clock, for callers that give `play` one.
    """

    def run(self, orders) -> None:
        """Write register after register: address byte and value each."""
        for i in range(0, len(orders), 2):
            self.write(orders[i] >> 1, orders[i + 1])

    def play(self, script, heard, due=None) -> int:
        """Play a script as long as its answers are as expected; return the number of exchanges played, -1: no
        chip.

        Everything is prepared before the moment `due`, when the first frame is sent (None: at once). `heard`
        then holds the result of the last exchange. An answer with an error is never as expected.
        """
        if self.read(CommandReg) & POWER_DOWN:
            return -1  # asleep it has the interrupts of its last poll: they would hide its silence
        at, done = 1, 0
        while done < script[0]:
            n = script[at]
            while n:
                if due is not None and script[at + 2 + n] == 0:  # the last write sends
                    self.until(due)
                    due = None
                if n == 1:
                    self.write(script[at + 1] >> 1, script[at + 2])
                else:
                    self.fill(script[at + 1] >> 1, script[at + 2 : at + 2 + n], n)
                at += 2 + n
                n = script[at]
            if not self._wait(heard):
                return -1
            n = script[at + 1]  # behind the 0 of the writes
            heard[ERROR] = heard[LEVEL] = 0
            if heard[IRQ] & RX_IRQ:
                heard[ERROR], heard[LEVEL] = self.read(ErrorReg), self.read(FIFOLevelReg)
                if heard[LEVEL] > FIFO:
                    return done
                if heard[LEVEL]:
                    self.drain(FIFODataReg, memoryview(heard)[ANSWER:], heard[LEVEL])
            if (heard[IRQ] & RX_IRQ == 0) != (n == NONE) or heard[ERROR]:
                return done
            at += 2
            if n < NONE:
                if heard[LEVEL] != n:
                    return done
                for i in range(n):
                    if heard[ANSWER + i] != script[at + i]:
                        return done
                at += n
            done += 1
        return done

    def _wait(self, heard) -> bool:
        for _ in range(LONGEST_WAIT):
            heard[IRQ] = self.read(ComIrqReg)
            if heard[IRQ] & (RX_IRQ | TIMER_IRQ):
                return True
        return False


class Rc522:
    """One reader behind `port`; `power` is the transmit conductance CWGsP, 0 to 63, `gain` that of the
    receiver in dB, one of GAINS.

    `heard` is allocated once: an empty poll takes no memory.
    """

    def __init__(self, port, power: int = POWER, gain: int = GAIN) -> None:
        self.port = port
        self.power = power
        self.gain = gain
        self.heard = bytearray(ANSWER + FIFO)
        self.answer = memoryview(self.heard)[ANSWER:]
        self.collision = None
        self._known = None
        self._calls = ()  # of the card that is known, short and whole

    def version(self) -> int:
        """Return VersionReg; see VERSIONS."""
        return int(self.port.read(VersionReg))

    def init(self) -> bool:
        """Reset the chip and set it up, field off; return False without an answer."""
        self.port.write(CommandReg, SOFT_RESET)
        if not self._awake() or self.version() in NO_ANSWER:
            return False
        for register, value in SETTINGS:
            self.port.write(register, value)
        self.transmit(self.power)
        self.amplify(self.gain)
        return self.has_settings()

    def transmit(self, power: int) -> None:
        """Set the transmit conductance for now; `init` sets it back to `power`."""
        self.port.write(CWGsPReg, power)

    def amplify(self, gain: int) -> None:
        """Set the receiver's gain in dB for now; `init` sets it back to `gain`."""
        self.port.write(RFCfgReg, GAINS[gain])

    def has_settings(self) -> bool:
        """Return whether the chip still holds the values that `init` wrote: after a brown-out it does not."""
        return bool(self.port.read(TReloadRegL) == TIMER_TICKS - 1)

    def remembers(self) -> bool:
        """Return whether the FIFO gives back the bytes written into it: bad wires and bad chips do not."""
        port, n = self.port, len(PATTERN)
        port.write(FIFOLevelReg, FLUSH_BUFFER)
        port.fill(FIFODataReg, PATTERN, n)
        if port.read(FIFOLevelReg) != n:
            return False
        port.drain(FIFODataReg, self.answer, n)
        return bytes(self.answer[:n]) == PATTERN

    def field(self, on: bool) -> None:
        """Switch the antenna. Cards answer WARM_UP_US later."""
        self.port.run(ANTENNA_ON if on else ANTENNA_OFF)

    def park(self) -> None:
        """Switch the field off and go to soft power-down: 10 uA instead of 13.5 mA; the registers stay."""
        self.port.run(ANTENNA_OFF)
        self.port.run(SLEEP)

    def hand_over(self, after) -> None:
        """Park as `park`, while the field of another reader, which is awake, comes on as this
        one's goes off.
        """
        self.port.run(ANTENNA_OFF)
        after.port.run(ANTENNA_ON)
        self.port.run(SLEEP)

    def rouse(self) -> None:
        """Begin to leave soft power-down: START_UP_US later `awake` is true."""
        self.port.run(ROUSE)

    def awake(self) -> bool:
        """Return whether the chip has left soft power-down and still has its settings; False too when it is
        silent.
        """
        return self._awake() and self.has_settings()

    def _awake(self) -> bool:
        for _ in range(LONGEST_WAIT):
            command = self.port.read(CommandReg)
            if not command & POWER_DOWN:
                return True
            if command == NO_ANSWER[1]:  # bits 7 and 6 are 0 in every chip: there is none to wait for
                return False
        return False

    def exchange(self, frame: bytes, last_bits: int = 0, align: int = 0, crc: bool = False) -> int:
        """Send a frame; return how many bytes of `answer` came, or SILENCE.

        `last_bits` of the last byte are sent (0: all 8); the answer's first bit lands at bit `align`.
        `collision` is then None, or the first bit in doubt, counted from bit 0 of the answer's first byte, or
        -1 when the chip cannot locate it. Raises Unreadable, NoChip.
        """
        return self._result(self.port.play(a_script(an_exchange(frame, last_bits, align, crc)), self.heard))

    def _result(self, played: int) -> int:
        """Process the last exchange of a script."""
        heard = self.heard
        if played < 0:
            raise NoChip("the reader's timer never ends a wait")
        if not heard[IRQ] & RX_IRQ:
            return SILENCE
        collided = heard[ERROR] & COLL_ERR
        # After a collision parity and CRC cannot be right: only without one do they mean anything.
        if heard[ERROR] & BUFFER_OVFL or (
            not collided and heard[ERROR] & (CRC_ERR | PARITY_ERR | PROTOCOL_ERR)
        ):
            raise Unreadable("the answer is torn")
        if heard[LEVEL] > FIFO:
            raise Unreadable("the FIFO says more than it holds")
        self.collision = self._collision() if collided else None
        return heard[LEVEL]

    def _collision(self) -> int:
        """Return CollPos as a bit index in the answer's bytes.

        CollPos 1-31 is the 1st to 31st bit and 0 the 32nd. Only the data sheet of the MFRC631, its successor
        (RxColl), says that RxAlign counts: unproven on an MFRC522 until two tags have been on one.
        """
        register = self.port.read(CollReg)
        if register & COLL_POS_NOT_VALID:
            return -1
        return (register & 0x1F or 32) - 1

    def any_answers(self, request: int) -> bool:
        """Return whether any card answers REQA or WUPA; several may collide, which is an answer too."""
        try:
            return self.exchange(bytes((request,)), 7) != SILENCE
        except Unreadable:
            self.collision = -1
            return True

    def select(self) -> bytes:
        """Return the UID of one ready card (4, 7 or 10 bytes), now active; raise Unreadable."""
        uid, level = b"", 0
        while True:
            part = self._anticollision(level)
            if self._selected(level, part):
                return uid + bytes(part[:4])
            uid, level = uid + bytes(part[1:4]), level + 1

    def _call(self, known: bytes, whole: bool) -> bytes:
        if known != self._known:
            self._known, self._calls = known, (call_of(known, False), call_of(known, True))
        return self._calls[whole]

    def _answered(self, played: int) -> bool:
        """Return whether any card answered the part of a call played so far; raise Unreadable, NoChip."""
        try:
            silent = self._result(played) == SILENCE
        except Unreadable:
            if played:
                raise
            return True  # several at once are an answer too
        if silent and played:
            raise Unreadable("nobody goes on")
        return not silent

    def anybody(self, due=None) -> bool:
        """Return whether any card answers WUPA, as quickly as possible."""
        played = self.port.play(ANYBODY, self.heard, due)
        if played < 0:
            raise NoChip("the reader's timer never ends a wait")
        return bool(self.heard[IRQ] & RX_IRQ)

    def _selected(self, level: int, part: bytearray) -> bool:
        """Select a level that is known completely; return True when it was the last one of the UID."""
        n = self.exchange(bytes((CASCADE_LEVELS[level], SELECT)) + part, crc=True)
        if n < 1 or self.collision is not None:
            raise Unreadable("no SAK")
        if not self.answer[0] & UID_NOT_COMPLETE:
            return True
        if part[0] != CASCADE_TAG:
            raise Unreadable("SAK and cascade tag disagree")
        if level + 1 == len(CASCADE_LEVELS):
            raise Unreadable("a UID of more than 10 bytes")
        return False

    def _anticollision(self, level: int) -> bytearray:
        """Return the 4 bytes of one cascade level and their check byte, of one of the cards that
        are ready.

        Where cards differ the ones with a 1 are called on (ISO 14443-3, 6.5.3.1); the others fall back.
        `collision` is None at the end if they never differed.
        """
        known, bits, met = bytearray(5), 0, None
        while True:
            first, odd = bits >> 3, bits & 7
            frame = bytes((CASCADE_LEVELS[level], 0x20 + (first << 4) + odd)) + known[: bits + 7 >> 3]
            n = self.exchange(frame, odd, odd)
            if n == SILENCE:
                raise Unreadable("nobody goes on")
            collision = self.collision
            _join(known, self.answer, n, first, odd)
            if collision is None:
                self.collision = met
                return _checked(known, first + n)
            if collision >= 0:
                collision += first * 8
            if not bits <= collision < 32:
                raise Unreadable("a collision where none can be")
            _cut(known, collision)
            known[collision >> 3] |= 1 << (collision & 7)
            met, bits = collision, collision + 1

    def halt(self) -> None:
        """Send the active card to sleep; it answers nothing, and no more REQA until its field was off."""
        self.exchange(bytes(HLTA), crc=True)

    def uids(self, most: int = MOST_CARDS, known: bytes | None = None, whole: bool = True, due=None):
        """Return every card in the field: (list of UIDs, whether something is there that cannot be read).

        The field must have been switched on afresh, WARM_UP_US before. Cards that lose an anticollision fall
        back to their state before, so only cards that were never halted answer REQA in their turn. `known`:
        the one card that is expected; if it is there and alone, that is the answer. Not `whole`: if it seems
        alone. `due`: not before this moment of the port's clock. Raises NoChip.
        """
        found: list[bytes] = []
        try:
            if known is None:
                there = self.anybody(due)
            else:
                call = self._call(known, whole)
                played = self.port.play(call, self.heard, due)
                if played == call[0]:
                    return [known], False
                there = whole and played == call[0] - 1
                if there:
                    found.append(known)  # and a card answers the REQA behind it
                elif not self._answered(played):
                    return found, False
                else:
                    self.halt()  # a card in the middle of an anticollision falls back, silently
                    there = self.anybody()
            while there:
                uid = self.select()
                if uid in found or len(found) == most:
                    return found, True
                found.append(uid)
                self.halt()
                there = self.any_answers(REQA)
        except Unreadable:
            if self.version() in NO_ANSWER:
                raise NoChip("the reader is silent") from None
            return found, True
        return found, False


def _join(known: bytearray, data: bytearray, n: int, first: int, odd: int) -> None:
    """Put the answer's `n` bytes after the `first` bytes and `odd` bits that are known."""
    low = (1 << odd) - 1
    for i in range(min(n, 5 - first)):
        known[first + i] = (known[first] & low) | (data[0] & ~low & 0xFF) if i == 0 else data[i]


def _cut(known: bytearray, bits: int) -> None:
    """Forget everything after the first `bits` bits."""
    for i in range(5):
        keep = min(8, max(0, bits - 8 * i))
        known[i] &= (1 << keep) - 1


def _checked(known: bytearray, length: int) -> bytearray:
    if length != 5 or known[0] ^ known[1] ^ known[2] ^ known[3] != known[4]:
        raise Unreadable("the check byte is wrong")
    return known
