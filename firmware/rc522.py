"""One MFRC522 and every card in its field: register access, exchange, ISO 14443-3 type A cascade.

Written once for the Pico's readers and the Pi's card pad, over a *port*: an object with
  read(register) -> int,  write(register, *values),  burst(register, n) -> n bytes.
Register and bit names are those of the data sheet (MFRC522 rev. 3.9, chapter 9). It needs no clock: the
chip's own timer ends every wait. It imports nothing of ours: it runs on MicroPython and on CPython alike.
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
ALL_IRQ = 0x7F  # written with Set1 = 0 it clears what it names
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

SETTINGS = (
    (TModeReg, 0x80),  # TAuto: the timer starts when a frame is sent, and stops at the answer's fifth bit
    (TPrescalerReg, 0xA9),  # 13.56 MHz / (2 x 169 + 1): ticks of 25 us
    (TReloadRegH, 0),
    (TReloadRegL, 15),  # 16 ticks, 0.4 ms: a card's first bits are due 0.14 ms after the frame
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
    0x12: "counterfeit",
    0x82: "counterfeit",
}
NOBODY = (0x00, 0xFF)

# ISO 14443-3
REQA = 0x26
WUPA = 0x52
CASCADE_LEVELS = (0x93, 0x95, 0x97)
CASCADE_TAG = 0x88
UID_NOT_COMPLETE = 0x04  # a bit of SAK
HLTA = (0x50, 0x00)
WARM_UP_US = 5100  # a card may need 5 ms of field before it answers; a reader allows 5.1

# Register reads before a chip is given up whose timer never ends the wait: at the fastest access known
# (21 us) these are 10 ms, and the longest frame with its answer takes 2 ms.
LONGEST_WAIT = 500
MOST_CARDS = 8


class Unreadable(Exception):
    """Something answers that makes no sense: a torn frame, a card of another kind, too many at once."""


class NoChip(OSError):
    """The chip itself does not answer."""


class Rc522:
    """One reader behind `port`."""

    def __init__(self, port) -> None:
        self.port = port
        self._crc = False

    def version(self) -> int:
        """VersionReg; see VERSIONS."""
        return int(self.port.read(VersionReg))

    def init(self) -> bool:
        """Reset the chip and set it up, field off; False when nobody answers."""
        self.port.write(CommandReg, SOFT_RESET)
        if not self._awake() or self.version() in NOBODY:
            return False
        for register, value in SETTINGS:
            self.port.write(register, value)
        self._crc = False
        return self.keeps_settings()

    def keeps_settings(self) -> bool:
        """Whether the chip still holds what `init` wrote: after a brown-out it does not."""
        return bool(self.port.read(TModeReg) == 0x80 and self.port.read(TReloadRegL) == 15)

    def field(self, on: bool) -> None:
        """Switch the antenna. Cards answer WARM_UP_US later."""
        self.port.write(TxControlReg, FIELD_ON if on else FIELD_OFF)

    def park(self) -> None:
        """Field off and soft power-down: 10 uA instead of 13.5 mA; the registers stay."""
        self.field(False)
        self.port.write(CommandReg, POWER_DOWN)

    def wake(self) -> bool:
        """Leave soft power-down; False when the chip does not, or has lost its settings."""
        self.port.write(CommandReg, IDLE)
        return self._awake() and self.keeps_settings()

    def _awake(self) -> bool:
        return any(not self.port.read(CommandReg) & POWER_DOWN for _ in range(LONGEST_WAIT))

    def exchange(self, frame, last_bits: int = 0, align: int = 0, crc: bool = False):
        """Send `frame` and hear the answer: None for silence, else (bytes, collision).

        `last_bits` of the last byte are sent (0: all 8); the answer's first bit lands at bit `align`.
        `collision` is None, or the first bit in doubt, counted from bit 0 of the answer's first byte,
        or -1 when the chip cannot say where. Raises Unreadable, NoChip.
        """
        port = self.port
        port.write(CommandReg, IDLE)
        port.write(ComIrqReg, ALL_IRQ)
        port.write(FIFOLevelReg, FLUSH_BUFFER)
        if crc != self._crc:
            port.write(TxModeReg, CRC_EN if crc else 0)
            port.write(RxModeReg, CRC_EN if crc else 0)
            self._crc = crc
        port.write(FIFODataReg, *frame)
        port.write(CommandReg, TRANSCEIVE)
        port.write(BitFramingReg, START_SEND | align << 4 | last_bits)
        irq = self._wait()
        port.write(BitFramingReg, 0)
        return self._answer() if irq & RX_IRQ else None

    def _wait(self) -> int:
        for _ in range(LONGEST_WAIT):
            irq = int(self.port.read(ComIrqReg))
            if irq & (RX_IRQ | TIMER_IRQ):
                return irq
        raise NoChip("the reader's timer never ends a wait")

    def _answer(self):
        error = self.port.read(ErrorReg)
        collided = error & COLL_ERR
        # After a collision parity and CRC cannot be right: only without one do they mean anything.
        if error & BUFFER_OVFL or (not collided and error & (CRC_ERR | PARITY_ERR | PROTOCOL_ERR)):
            raise Unreadable("the answer is torn")
        n = self.port.read(FIFOLevelReg)
        if n > 64:
            raise Unreadable("the FIFO says more than it holds")
        data = self.port.burst(FIFODataReg, n)
        return data, self._collision() if collided else None

    def _collision(self) -> int:
        """CollPos as a bit index in the answer's bytes.

        CollPos 1-31 is the 1st to 31st bit and 0 the 32nd. That RxAlign counts is said only in the data sheet
        of the MFRC631, its successor (RxColl): unproven on an MFRC522 until two tags have lain on one.
        """
        register = self.port.read(CollReg)
        if register & COLL_POS_NOT_VALID:
            return -1
        return (register & 0x1F or 32) - 1

    def somebody(self, request: int) -> bool:
        """Whether any card answers REQA or WUPA; several may collide, which is an answer too."""
        try:
            return self.exchange((request,), 7) is not None
        except Unreadable:
            return True

    def select(self) -> bytes:
        """The UID of one ready card (4, 7 or 10 bytes), now active; raises Unreadable."""
        uid = b""
        for level in CASCADE_LEVELS:
            part = self._anticollision(level)
            answer = self.exchange((level, 0x70) + tuple(part), crc=True)
            if answer is None or not answer[0] or answer[1] is not None:
                raise Unreadable("no SAK")
            if not answer[0][0] & UID_NOT_COMPLETE:
                return uid + bytes(part[:4])
            if part[0] != CASCADE_TAG:
                raise Unreadable("SAK and cascade tag disagree")
            uid += bytes(part[1:4])
        raise Unreadable("a UID of more than 10 bytes")

    def _anticollision(self, level: int) -> bytearray:
        """The 4 bytes of one cascade level and their check byte, of one of the cards that are ready.

        Where cards differ the ones with a 1 are called on (ISO 14443-3, 6.5.3.1); the others fall back.
        """
        known, bits = bytearray(5), 0
        while True:
            first, odd = bits >> 3, bits & 7
            frame = (level, 0x20 + (first << 4) + odd) + tuple(known[: (bits + 7) >> 3])
            answer = self.exchange(frame, odd, odd)
            if answer is None:
                raise Unreadable("nobody goes on")
            data, collision = answer
            _join(known, data, first, odd)
            if collision is None:
                return _checked(known, first + len(data))
            if collision >= 0:
                collision += first * 8
            if not bits <= collision < 32:
                raise Unreadable("a collision where none can be")
            _cut(known, collision)
            known[collision >> 3] |= 1 << (collision & 7)
            bits = collision + 1

    def uids(self, most: int = MOST_CARDS):
        """Every card in the field: (list of UIDs, whether something is there that cannot be read).

        The field must have been switched on afresh, WARM_UP_US before. Cards that lose an anticollision fall
        back to where they came from, so only cards that were never halted answer REQA in their turn.
        Raises NoChip.
        """
        found: list[bytes] = []
        request = WUPA
        try:
            while self.somebody(request):
                uid = self.select()
                if uid in found or len(found) == most:
                    return found, True
                found.append(uid)
                self.exchange(HLTA, crc=True)
                request = REQA
        except Unreadable:
            if self.version() in NOBODY:
                raise NoChip("the reader is silent") from None
            return found, True
        return found, False


def _join(known: bytearray, data: bytes, first: int, odd: int) -> None:
    """Put the answer's bytes after the `first` bytes and `odd` bits that are known."""
    low = (1 << odd) - 1
    for i, byte in enumerate(data):
        if first + i < 5:
            known[first + i] = (known[first] & low) | (byte & ~low & 0xFF) if i == 0 else byte


def _cut(known: bytearray, bits: int) -> None:
    """Forget everything after the first `bits` bits."""
    for i in range(5):
        keep = min(8, max(0, bits - 8 * i))
        known[i] &= (1 << keep) - 1


def _checked(known: bytearray, length: int) -> bytearray:
    if length != 5 or known[0] ^ known[1] ^ known[2] ^ known[3] != known[4]:
        raise Unreadable("the check byte is wrong")
    return known
