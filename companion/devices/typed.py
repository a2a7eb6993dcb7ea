"""Key strokes of a reader that types, put together to texts; uid_text.py finds the UID in a text.

Such a reader is a keyboard to the computer and types each card's number once, or again and again while the
card is there. Keys are identified by their codes, not by characters: the character of a key depends on the
layout that is set, its code does not. Codes are those of Linux, include/uapi/linux/input-event-codes.h; their
characters are those of a US keyboard. Pure: time comes in as an argument.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.devices.uid_text import FEWEST, LONGEST, MOST, TORN, plain, uid_of

__all__ = ["FEWEST", "GAP_S", "MOST", "Pace", "Typist", "uid_of"]

GAP_S: Final = 0.3
"""Seconds without a key after which a text is over. Makers let up to 250 ms between two keys be set [MagTek,
MagneSafe V5, inter-key delay]; the rest is for a computer that is late."""
QUICK_S: Final = 0.06
"""Seconds between two keys that no person is below for a whole number [assumed]: a reader as it is sold needs
8 to 50 ms."""
EVEN_S: Final = 0.03
"""The difference between the longest and the shortest time between two keys of a machine: a computer polls a
keyboard each 8 or 10 ms. A person's differ by more than that [assumed]."""

KEYS: Final[dict[int, str]] = {
    **dict(enumerate("1234567890-=", 2)),
    **dict(enumerate("QWERTYUIOP[]", 16)),
    **dict(enumerate("ASDFGHJKL;'`", 30)),
    **dict(enumerate("\\ZXCVBNM,./", 43)),
    **dict(zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True)),  # the keypad
    **dict(zip((55, 74, 78, 83, 98, 117, 57, 86, 15), "*-+./= <\t", strict=True)),
}
SHIFTED: Final = str.maketrans("1234567890-=[];'`\\,./", '!@#$%^&*()_+{}:"~|<>?')
ENDS: Final = frozenset((28, 96))  # Enter, the keypad's
TAB: Final = 15
SHIFTS: Final = frozenset((42, 54))
SILENT: Final = frozenset((58, 69, 29, 97, 56, 100))  # Caps, Num, Ctrl and Alt, both of each
OTHER: Final = "\N{REPLACEMENT CHARACTER}"  # a key that no reader needs


class Pace(NamedTuple):
    """The shortest and the longest time between two keys of a text, in seconds, and how many keys differ."""

    shortest: float
    longest: float
    different: int

    @property
    def is_quick(self) -> bool:
        """True if no person types as fast."""
        return self.longest <= QUICK_S

    @property
    def is_even(self) -> bool:
        """True if no person types as evenly; one who holds or drums on the same few keys may."""
        return self.longest - self.shortest <= EVEN_S and self.different >= 4


class Typist:
    """Key strokes, put together to texts. A reader that has once ended one with Enter must always do so."""

    def __init__(self) -> None:
        self.pace = Pace(0.0, 0.0, 0)
        """The pace of the text that ended last."""
        self.follows = False
        """True if the text that ended last began at once after the one before, such as a second line."""
        self._began = self._ended = -2 * GAP_S
        self._text = ""
        self._is_torn = False
        self._gaps: list[float] = []
        self._last = 0.0
        self._ends = ""
        self._shifts: set[int] = set()  # those that are down, where `released` is reported
        self._is_shifted = False
        self._knows_releases = False

    @property
    def is_typing(self) -> bool:
        """True after a text has begun: it ends with Enter, or when no key has come for GAP_S."""
        return bool(self._text) or self._is_torn

    def key(self, code: int, at: float) -> list[str]:
        """Return the texts that end with this key, or before it, as a US keyboard's characters; TORN is at
        the end of one that broke off.

        >>> typist = Typist()
        >>> [typist.key(code, at / 100) for at, code in enumerate((39, 11, 5, 30, 2, 48, 3, 28))][-1]
        [';04A1B2']
        """
        before = self.quiet() if self.is_typing and at - self._last > GAP_S else []
        if code in SILENT:
            return before
        if self.is_typing:
            self._gaps.append(at - self._last)
        else:
            self._began = at
        self._last = at
        if code in SHIFTS:
            self._shifts.add(code)
            self._is_shifted = True
        elif code in ENDS:
            self._ends = "\n"
            return before + self._end(True)
        else:
            self._add(KEYS.get(code, OTHER))
        return before

    def released(self, code: int) -> None:
        """Note that a key is no longer down; without that, Shift is for one key."""
        self._shifts.discard(code)
        self._knows_releases = True

    def _add(self, char: str) -> None:
        if self._is_shifted or (self._knows_releases and self._shifts):
            char = char.translate(SHIFTED)
        self._is_shifted = False
        if len(self._text) <= LONGEST and (self._text or not char.isspace()):
            self._text += char

    def quiet(self) -> list[str]:
        """Return the text that ends because no key has come for GAP_S, in the format of `key`."""
        is_tab = self._text.endswith("\t")
        if is_tab and not self._ends:
            self._ends = "\t"
        return self._end(is_tab if self._ends == "\t" else not self._ends)

    def dropped(self) -> None:
        """Note that keys were lost: the present text is torn."""
        self._is_torn = True

    def _end(self, is_whole: bool) -> list[str]:
        text = plain(self._text.rstrip())
        is_torn = self._is_torn or not is_whole
        if self._gaps:
            self.pace = Pace(min(self._gaps), max(self._gaps), len(set(text)))
        self._text, self._is_torn, self._gaps = "", False, []
        if not text and not is_torn:
            return []
        self.follows, self._ended = self._began - self._ended <= GAP_S, self._last
        return [text + TORN if is_torn else text]
