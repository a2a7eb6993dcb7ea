"""The UID of a tag in a text: what a reader types, or what a line of a list begins with. Pure.

No standard defines the text. Readers write the number in hex or in decimal, in either order of its bytes,
and can put signs around it or between its bytes. The rule of `read_uid`:

1. Signs, words, and letters that are no hex digit part the text into groups: sentinels such as `;` and `?`,
   prefixes such as `UID:` or `0x`, brackets.
2. Pairs of hex digits with signs between them, 4, 7 or 10 of them, are one number. So are equal groups of an
   even size that make 8, 14 or 20 digits.
3. Otherwise the first group that can be a number is the UID. Further ones, such as the code of the site, say
   nothing more.
4. One letter more than 8, 14 or 20 hex digits, or after digits, is a mark before or after the number.

A number becomes a UID like this:

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
from collections.abc import Iterator
from typing import Final

from companion.errors import ValidationError
from companion.message import N_, Sentence
from companion.settings import TagFormat

FEWEST, MOST = 6, 25  # digits that may be a tag: 10 bytes in decimal are 25
SIZES: Final = (8, 14, 20)  # hex digits of a UID of 4, 7 and 10 bytes
LONGEST: Final = 120
"""Characters of a text that are examined: ten bytes with signs around each, and two numbers more."""
TORN: Final = "…"
"""Stands at the end of a text that broke off."""
SHOWN: Final = 12  # characters of a text that a message shows in full

_CASCADE: Final = "88"
_WORD: Final = re.compile(
    r"(?:[A-Z]{0,7}[G-Z](?=[0-9A-F]{6}))?(?P<digits>[0-9A-F]+)(?:(?<=[0-9A-F]{6})[G-Z][A-Z]{0,2})?"
)
_FRENCH: Final = str.maketrans("!@#$%^&*()1234567890Q", "1234567890!@#$%^&*()A")
"""From a US keyboard to a French one: there figures need Shift, and A is where Q is."""


def uid_of(text: str, form: TagFormat = "auto") -> str | None:
    """Return the UID in upper-case hex that a reader has typed; None if there is none.

    >>> uid_of("04a1b2c3d4e5f6"), uid_of("0077705923"), uid_of("f6e5d4c3b2a104")
    ('04A1B2C3D4E5F6', '04A1B2C3', '04A1B2C3D4E5F6')
    >>> uid_of(";04:A1:B2:C3:D4:E5:F6?"), uid_of("0077705923 118,45763"), uid_of("hello")
    ('04A1B2C3D4E5F6', '04A1B2C3', None)
    """
    try:
        return read_uid(text, form)
    except ValidationError:
        return None


def read_uid(text: str, form: TagFormat = "auto") -> str:
    """Return the UID in upper-case hex; raise ValidationError with what arrived, and why it is no UID."""
    if TORN in text:
        raise ValidationError(Sentence(_TORN, {"text": abridged(text)}))
    uid = found_uid(text, form)
    if uid is None:
        raise ValidationError(Sentence(_FORMATS[form.removesuffix("-reversed")], {"text": abridged(text)}))
    why = why_impossible(uid)
    if why is not None:
        raise ValidationError(Sentence(_IMPOSSIBLE, {"text": abridged(text), "then": why}))
    return uid


def why_impossible(uid: str, text: str | None = None) -> Sentence | None:
    """Return why no tag can have this UID (upper-case hex), or none that keeps it; None: one can.

    `text` is how it was written.

    The cascade tag 88 says that a UID goes on: it begins none, and is no fourth byte of seven
    [ISO/IEC 14443-3]. 08 begins a UID of 4 bytes that is made up at each read.

    >>> str(why_impossible("08046E51"))
    '08046E51 changes at every read (4 bytes that start with 08): use another tag'
    """
    reasons = (
        (len(uid) not in SIZES, _LENGTH),
        (not uid.strip("0"), _ALL_ZERO),
        (not uid.strip("F"), _ALL_ONES),
        (uid.startswith(_CASCADE), _PART),
        (len(uid) == 14 and uid[6:8] == _CASCADE, _CASCADE_INSIDE),
        (len(uid) == 8 and uid.startswith("08"), _CHANGES),
    )
    why = next((reason for is_so, reason in reasons if is_so), None)
    return None if why is None else Sentence(why, {"text": text or uid, "count": len(uid) // 2})


def abridged(text: str) -> str:
    """Return a typed text as a message shows it: of a long one the beginning and the end.

    >>> abridged(";04A1B2C3D4E5F6?"), abridged("hello")
    (';04…?', 'hello')
    """
    text = "".join(char if char.isprintable() else " " for char in text.strip())
    return text if len(text) <= SHOWN else f"{text[:3]}…{text[-1].replace(TORN, '')}"


def masked(text: str) -> str:
    """Return a typed text without its digits and letters, which may be a secret card's.

    >>> masked(";04:A1?")
    ';••:••?'
    """
    return "".join("•" if char.isalnum() else char for char in text)


def plain(text: str) -> str:
    """Return a text of a US keyboard's characters as the reader meant it: one set to French has figures where
    the US keyboard has signs.

    >>> plain(")$Q!B@C#"), plain("%04A1B2C3?")
    ('04A1B2C3', '%04A1B2C3?')
    """
    return _as_french(text) if _is_french(text) else text


def _is_french(text: str) -> bool:
    figures = sum(char.isdecimal() for char in text)
    signs = sum(char in "!@#$%^&*()" for char in text)
    if figures or signs:
        return signs > figures
    return "Q" in text.upper() and not re.search(r"[^QBCDEF\s]", text.upper())


def _as_french(text: str) -> str:
    return text.upper().translate(_FRENCH)


def found_uid(text: str, form: TagFormat = "auto", names: bool = True) -> str | None:
    """Return the UID that a text has by the rule above, also one that no tag can have; None if there is none.

    `names`: also of hex digits of another length, as 125 kHz readers write them.
    """
    if len(text) > LONGEST or "\N{REPLACEMENT CHARACTER}" in text:
        return None
    readings = (_as_french(text), text) if _is_french(text) else (text, _as_french(text))
    for reading in readings:
        for number in _numbers(reading.upper()):
            uid = _of_number(number, form, names)
            if uid is not None:
                return uid
    return None


def _numbers(text: str) -> Iterator[str]:
    """Yield the groups of the text that may be the number, the most likely one first."""
    text = re.sub(r"\b0X(?=[0-9A-F])", "", text)
    groups = _groups(text)
    joined = "".join(groups)
    sizes = {len(group) for group in groups[:-1]}
    if len(groups) > 1 and len(joined) in SIZES and len(sizes) == 1 and _are_bytes(groups):
        yield joined
    pairs = [len(group) == 2 for group in groups]
    for size in (10, 7, 4):  # bytes, and then another number
        if len(groups) > size and all(pairs[:size]) and not pairs[size]:
            yield "".join(groups[:size])
    if len(groups) > 4 and all(pairs):
        yield joined
    for fewest in (8, FEWEST):
        yield from (core for group in groups for core in _without_mark(group) if len(core) >= fewest)


def _groups(text: str) -> list[str]:
    """Return the runs of hex digits, without a word before them or a short one behind them."""
    found = (_WORD.fullmatch(word) for word in re.findall(r"[^\W_]+", text))
    return [word["digits"] for word in found if word]


def _are_bytes(groups: list[str]) -> bool:
    """Return whether these groups are parts of one number: of a small even size, the last one not longer."""
    first, last = len(groups[0]), len(groups[-1])
    return first in (2, 4) and last <= first and last % 2 == 0


def _without_mark(group: str) -> Iterator[str]:
    """Yield a group of digits without a letter that marks its beginning or end, and unchanged."""
    half = _twice(group)
    if half is not None:
        yield half
    elif len(group) - 1 in SIZES and group[-1].isalpha() != group[0].isalpha():
        yield group[:-1] if group[-1].isalpha() else group[1:]
    elif len(group) > 8 and len(group) % 2 and group[:-1].isdecimal() and group[-1].isalpha():
        yield group[:-1]
    elif len(group) > 8 and len(group) % 2 and group[1:].isdecimal() and group[0].isalpha():
        yield group[1:]
    yield group


def _twice(group: str) -> str | None:
    """Return the hex digits of a number that is written twice, in hex and behind it in 10 decimal digits."""
    number, decimal = group[:8], group[8:]
    if len(group) == 18 and decimal.isdecimal() and int(number, 16) == int(decimal):
        return number
    return None


def _of_number(number: str, form: TagFormat, names: bool) -> str | None:
    """Return the UID of a number without signs; None if it is none in this format."""
    if not FEWEST <= len(number) <= MOST:
        return None
    is_decimal = form.startswith("decimal") or (
        form == "auto" and number.isdecimal() and len(number) not in SIZES
    )
    found = _of_decimal(number) if is_decimal else of_hex(number, names)
    if found is None:
        return None
    return _turned(found) if form.endswith("-reversed") or (form == "auto" and _ends_first(found)) else found


def _of_decimal(digits: str) -> str | None:
    """Return a number as 4, 7 or 10 bytes."""
    if not digits.isdecimal():
        return None
    number = int(digits)
    size = next((size for size in (4, 7, 10) if number < 1 << 8 * size), None)
    return None if size is None else f"{number:0{2 * size}X}"


def of_hex(digits: str, names: bool = True) -> str | None:
    """Return hex digits as a UID: as they are, or with `names` with zeros before them; None if they cannot be
    one.
    """
    if len(digits) in SIZES:
        return digits
    return digits.rjust(20, "0") if names and len(digits) < 20 and len(digits) % 2 == 0 else None


def _ends_first(uid: str) -> bool:
    """Return whether these are the 7 bytes of an NXP tag, the last one first."""
    return len(uid) == 14 and uid.endswith("04") and not uid.startswith("04")


def _turned(uid: str) -> str:
    return bytes.fromhex(uid)[::-1].hex().upper()


_TORN: Final = N_("The reader typed '{text}' and broke off: hold the card to it until it beeps")
_IMPOSSIBLE: Final = N_("The reader typed '{text}'. No tag has this number: {then}")
_FORMATS: Final[dict[str, str]] = {
    "auto": N_(
        "The reader typed '{text}'. The companion understands 8, 14 or 20 hex digits or a decimal number, "
        "also with signs around or between them: set the reader to one of these"
    ),
    "hex": N_(
        "The reader typed '{text}'. The companion understands hex digits, 8, 14 or 20 of them, also with "
        "signs around or between them, for usb_format in companion.toml says hex"
    ),
    "decimal": N_(
        "The reader typed '{text}'. The companion understands a decimal number, also with signs around it, "
        "for usb_format in companion.toml says decimal"
    ),
}
_LENGTH: Final = N_(
    "{text} is no UID: it has {count} bytes, not 4, 7 or 10; put zeros before the number of a 125 kHz "
    "reader, so that it has 20 digits"
)
_ALL_ZERO: Final = N_("{text} is nothing but zeros, as a reader shows that has not read the tag")
_ALL_ONES: Final = N_("{text} is nothing but Fs, as a reader shows that has not read the tag")
_PART: Final = N_(
    "{text} is only a part of a longer UID, for 88 says that more follows: set the reader to whole UIDs, or "
    "usb_format if it writes the last byte first"
)
_CASCADE_INSIDE: Final = N_("{text} has 88 as its fourth byte, where no UID of 7 bytes can have it")
_CHANGES: Final = N_("{text} changes at every read (4 bytes that start with 08): use another tag")
