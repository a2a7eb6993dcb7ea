"""ISO 14443-3 type A cards: their states, their answers, bit by bit. Times in microseconds."""

from __future__ import annotations

from typing import NamedTuple

from companion.errors import InvalidInput

CARRIER_MHZ = 13.56
BIT_US = 128 / CARRIER_MHZ  # one bit at 106 kbit/s
POWER_UP_US = 5000.0  # ISO 14443-3: a card is ready after 5 ms of field
WUPA, REQA, HLTA, READ = 0x52, 0x26, 0x50, 0x30
CASCADE_TAG = 0x88


class Bits(NamedTuple):
    """An answer on the air: `n` bits, the first one in bit 0 of `value`; `torn`: there should be more."""

    value: int
    n: int
    torn: bool = False


def bits_of(data: bytes) -> Bits:
    """Return whole bytes as bits on the air."""
    return Bits(int.from_bytes(data, "little"), 8 * len(data))


def crc_a(data: bytes, crc: int = 0x6363) -> bytes:
    """Return CRC_A, least significant byte first (ISO 14443-3, annex B).

    >>> crc_a(bytes([0x00, 0x00])).hex()
    'a01e'
    """
    for byte in data:
        byte ^= crc & 0xFF
        byte = (byte ^ byte << 4) & 0xFF
        crc = (crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4) & 0xFFFF
    return crc.to_bytes(2, "little")


def check_byte(four: bytes) -> int:
    """Return BCC: the exclusive or of the four bytes of a cascade level."""
    return four[0] ^ four[1] ^ four[2] ^ four[3]


def cascade(uid: bytes) -> list[bytes]:
    """Return the levels of a UID with their check bytes; raise InvalidInput for an invalid UID.

    >>> [level.hex() for level in cascade(bytes.fromhex("04a1b2c3d4e5f6"))]
    ['8804a1b29f', 'c3d4e5f604']
    """
    if len(uid) not in (4, 7, 10):
        raise InvalidInput(f"a UID has 4, 7 or 10 bytes, not {len(uid)}")
    parts, rest = [], uid
    while len(rest) > 4:
        parts.append(bytes([CASCADE_TAG]) + rest[:3])
        rest = rest[3:]
    if rest[0] == CASCADE_TAG:
        raise InvalidInput(f"the UID {uid.hex().upper()} holds the cascade tag 88 where it may not stand")
    return [part + bytes([check_byte(part)]) for part in (*parts, rest)]


class Card:
    """One tag. `state` is off, idle, ready, active or halt; `halted`: it falls back to halt, not to idle.

    A 7-byte UID makes it an NTAG with `memory` that READ gives; a 4-byte one a MIFARE Classic without.
    """

    def __init__(self, uid: bytes) -> None:
        self.uid = uid
        self.levels = cascade(uid)
        self.sak = 0x08 if len(uid) == 4 else 0x00
        self.atqa = {4: b"\x04\x00", 7: b"\x44\x00", 10: b"\x84\x00"}[len(uid)]
        self.memory = ntag213(self.levels) if len(uid) == 7 else b""
        self.state = "off"
        self.halted = False
        self.level = 0
        self.powered_at = 0.0

    def field(self, on: bool, now: float) -> None:
        """Switch the field on or off; without it a card forgets everything."""
        if not on:
            self.state = "off"
        elif self.state == "off":
            self.state, self.halted, self.powered_at = "idle", False, now

    def hear(self, frame: bytes, bits: int, now: float) -> Bits | None:
        """Process a frame of `bits` bits; return the answer, or None for silence."""
        if self.state == "off" or now - self.powered_at < POWER_UP_US:
            return None
        if bits == 7:
            return self._request(frame[0] & 0x7F)
        if self.state == "ready":
            return self._anticollision(frame, bits)
        if self.state == "active":
            return self._command(frame)
        return None

    def _request(self, command: int) -> Bits | None:
        if self.state in ("idle", "halt"):
            if command == WUPA or (command == REQA and self.state == "idle"):
                self.halted = self.state == "halt"
                self.state, self.level = "ready", 0
                return bits_of(self.atqa)
            return None
        return self._fall_back()

    def _fall_back(self) -> Bits | None:
        """Return silently to the state before: the reaction of a card to any frame that is not
        meant for it.
        """
        self.state = "halt" if self.halted else "idle"
        return None

    def _anticollision(self, frame: bytes, bits: int) -> Bits | None:
        part = int.from_bytes(self.levels[self.level], "little")
        if frame[0] != (0x93, 0x95, 0x97)[self.level] or bits < 16:
            return self._fall_back()
        if frame[1] == 0x70:
            return self._selected(frame, bits, part)
        known = bits - 16
        asked = ((frame[1] >> 4) - 2) * 8 + (frame[1] & 7)
        mask = (1 << known) - 1
        if asked != known or known >= 40 or int.from_bytes(frame[2:], "little") & mask != part & mask:
            return self._fall_back()
        return Bits(part >> known, 40 - known)

    def _selected(self, frame: bytes, bits: int, part: int) -> Bits | None:
        right = bits == 72 and int.from_bytes(frame[2:7], "little") == part and crc_a(frame[:7]) == frame[7:9]
        if not right:
            return self._fall_back()
        self.level += 1
        sak = 0x04
        if self.level == len(self.levels):
            self.state, sak = "active", self.sak
        answer = bytes([sak])
        return bits_of(answer + crc_a(answer))

    def _command(self, frame: bytes) -> Bits | None:
        if len(frame) >= 3 and crc_a(frame[:-2]) == frame[-2:]:
            if frame[0] == HLTA and frame[1] == 0:
                self.state = "halt"
                return None
            if frame[0] == READ and len(frame) == 4 and frame[1] * 4 < len(self.memory):
                pages = (self.memory * 2)[frame[1] * 4 :][:16]  # past the end it goes on at page 0
                return bits_of(pages + crc_a(pages))
        self._fall_back()
        return Bits(0x0, 4)  # NAK


def ntag213(levels: list[bytes]) -> bytes:
    """Return the 45 pages of an empty NTAG213 with this UID: UID and check bytes, then the NDEF
    capability.
    """
    first, second = levels
    head = first[1:5] + second[:5] + b"\x48\x00\x00" + b"\xe1\x10\x12\x00"
    return head.ljust(45 * 4, b"\x00")
