"""The text of a reader that types: from key strokes to a text, from a text to a tag's UID.

Such a reader is a keyboard to the computer and types each card's number once. Keys are identified by their
codes, not by characters: the character of a key depends on the layout that is set, its code does not. Codes
are those of Linux, include/uapi/linux/input-event-codes.h. Pure: time comes in as an argument.

No standard defines the text. The rule here, in `uid_of`:

- 8, 14 or 20 hex digits are a UID of 4, 7 or 10 bytes, unchanged.
- Otherwise digits alone are a decimal number; as bytes, the highest first, it is a UID of 4 bytes if it is
  smaller than 2³², of 7 below 2⁵⁶, of 10 below 2⁸⁰. So are all where the format in the settings is decimal.
- "-reversed": the last byte comes first. Without a format, 7 bytes that end with 04 and do not begin with it
  are reversed: NXP's tags begin with 04, the maker's number [ISO/IEC 7816-6]. For 4 bytes there is no such
  test.
- Any other even number of hex digits, such as those of 125 kHz readers, is a valid name if it is always the
  same: leading zeros make it 20 digits.
"""

from __future__ import annotations

import re
from typing import Final

from companion.settings import TagFormat

GAP_S: Final = 0.1
"""Seconds without a key after which a text is over: a reader needs some 20 ms a key (computed: USB HID is
polled each 8 or 10 ms, and a key goes down and up), a person more than 100 (assumed)."""
FEWEST, MOST = 6, 25  # digits that may be a tag: 10 bytes in decimal are 25

KEYS: Final[dict[int, str]] = {
    **dict(enumerate("1234567890", 2)),
    **dict(zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True)),  # the keypad
    **dict(zip((30, 48, 46, 32, 18, 33), "ABCDEF", strict=True)),
    16: "A",  # a reader set to French types it where Q is; no other hex letter moves on AZERTY or QWERTZ
}
ENDS: Final = frozenset((28, 96, 15))  # Enter, the keypad's, Tab
SILENT: Final = frozenset((42, 54, 58, 69, 29, 97, 56, 100))  # Shift, Caps, Num, Ctrl and Alt, both of each


class Typist:
    """Key strokes, put together to texts. A reader that has once ended one with Enter must always do so."""

    def __init__(self) -> None:
        self._text = ""
        self._is_spoilt = False
        self._last = 0.0
        self._ends = False

    @property
    def is_typing(self) -> bool:
        """True after a text has begun: it ends with Enter or Tab, or when no key has come for GAP_S."""
        return bool(self._text) or self._is_spoilt

    def key(self, code: int, at: float) -> list[str]:
        """Return the texts that end with this key, or before it; "" is a text that is no tag's.

        >>> typist = Typist()
        >>> [typist.key(code, at / 100) for at, code in enumerate((11, 5, 30, 2, 48, 3, 28))][-1]
        ['04A1B2']
        """
        before = self.quiet() if self.is_typing and at - self._last > GAP_S else []
        if code in ENDS:
            self._ends = True
            return before + self._end(True)
        if code not in SILENT:
            self._text += KEYS.get(code, "")
            self._is_spoilt = self._is_spoilt or code not in KEYS or len(self._text) > MOST
            self._last = at
        return before

    def quiet(self) -> list[str]:
        """Return the text that ends because no key has come for GAP_S, in the format of `key`."""
        return self._end(not self._ends)

    def dropped(self) -> None:
        """Note that keys were lost: the present text is no tag's."""
        self._is_spoilt = True

    def _end(self, whole: bool) -> list[str]:
        text, spoilt = self._text, self._is_spoilt
        self._text, self._is_spoilt = "", False
        if not text and not spoilt:
            return []
        return [text if whole and not spoilt and len(text) >= FEWEST else ""]


def uid_of(text: str, form: TagFormat = "auto") -> str | None:
    """Return the UID in upper-case hex that a reader has typed, by the rule above; None if there is none.

    >>> uid_of("04a1b2c3d4e5f6"), uid_of("0077705923"), uid_of("f6e5d4c3b2a104")
    ('04A1B2C3D4E5F6', '04A1B2C3', '04A1B2C3D4E5F6')
    """
    digits = text.strip().upper()
    if not re.fullmatch(r"[0-9A-F]+", digits) or not FEWEST <= len(digits) <= MOST:
        return None
    is_decimal = form.startswith("decimal") or (
        form == "auto" and digits.isdecimal() and len(digits) not in (8, 14, 20)
    )
    found = _of_decimal(digits) if is_decimal else _of_hex(digits)
    if found is None or not found.strip("0"):
        return None
    return _turned(found) if form.endswith("-reversed") or (form == "auto" and _ends_first(found)) else found


def _of_decimal(digits: str) -> str | None:
    """Return a number as 4, 7 or 10 bytes."""
    if not digits.isdecimal():
        return None
    number = int(digits)
    size = next((size for size in (4, 7, 10) if number < 1 << 8 * size), None)
    return None if size is None else f"{number:0{2 * size}X}"


def _of_hex(digits: str) -> str | None:
    if len(digits) in (8, 14, 20):
        return digits
    return digits.rjust(20, "0") if len(digits) < 20 and len(digits) % 2 == 0 else None


def _ends_first(uid: str) -> bool:
    """Return whether these are the 7 bytes of an NXP tag, the last one first."""
    return len(uid) == 14 and uid.endswith("04") and not uid.startswith("04")


def _turned(uid: str) -> str:
    return bytes.fromhex(uid)[::-1].hex().upper()
