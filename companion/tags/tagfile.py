"""Lists of tags: a line each, the UID and its meaning, as a text or as a spreadsheet stores a table."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, cast

from companion import games
from companion.devices.uid_text import found_uid, uid_of, why_impossible
from companion.errors import ValidationError, validation_error
from companion.games.boxes import most_cards
from companion.message import N_, Sentence
from companion.settings import TAG_FORMATS, TagFormat
from companion.tags.item import Item

HEADER: Final = "UID (hex);meaning\n"
"""The first line of a table; it says the format of the numbers, so that usb_format does not."""
HEX_LIST: Final = "# UID (hex)\n"  # the same for a list
SEPARATORS: Final = ";\t,"
LONGEST_LINE: Final = 1000  # characters; the patterns below are slow for longer ones
_MEANING: Final = re.compile(r"[^\s;,\"'=]+/(?:card|piece)/[^\s;,\"']+")
_DECLARED: Final = re.compile(rf"\buid\s*\(\s*({'|'.join(TAG_FORMATS)})\s*\)", re.IGNORECASE)
_ZIP: Final = "PK\x03\x04"  # .xlsx and .ods begin so
_ROUNDED: Final = re.compile(r"\b\d+(?:[.,]\d+)?E\+\d+\b", re.IGNORECASE)


def checked_uid(text: str, form: TagFormat = "auto") -> str:
    """Return a UID in its stored form: upper-case hex, 4, 7 or 10 bytes; ValidationError says why it is
    unusable. All that a reader of this format may type is understood.

    >>> checked_uid("04:a1:b2:c3:d4:e5:f6"), checked_uid("30407030", "decimal")
    ('04A1B2C3D4E5F6', '01CFF976')
    """
    if _ROUNDED.search(text):
        raise validation_error(
            N_(
                "{text} was rounded by the spreadsheet: format the column of the numbers as text, then bring "
                "them in again"
            ),
            text=repr(text),
        )
    uid = found_uid(text, form, names=False)
    if uid is None and found_uid(text, form) is not None:  # hex digits of another length
        uid = "".join(re.findall(r"[0-9A-F]", text.upper()))
    if uid is None:
        said = _NO_DECIMAL if form.startswith("decimal") else _NO_UID
        raise validation_error(said, text=repr(text))
    why = why_impossible(uid, repr(text))
    if why is not None:
        raise ValidationError(why)
    return uid


def decoded(data: bytes) -> str:
    r"""Return the text of a file, in UTF-8 or UTF-16 with or without a byte-order mark, or as Windows has it.

    >>> decoded("04A1".encode("utf-16")), decoded("04A1".encode("utf-16-be")), decoded(b"\xef\xbb\xbf04A1")
    ('04A1', '04A1', '04A1')
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if b"\0" in data[:2]:
        return data.decode("utf-16-be" if data[0] == 0 else "utf-16-le", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


class Row(NamedTuple):
    """A line with a tag: its number, counted from 1, the text of the UID, and the meaning."""

    number: int
    uid: str
    means: str


def read_tags(text: str, form: TagFormat = "auto") -> dict[str, str]:
    r"""Return the meaning of each tag, from lines with a UID and a meaning; `#` begins a comment.

    They are parted by spaces, or as in a table by `;`, commas or tabs, with quotes or without. The first line
    may name the columns, and the format of the UIDs; otherwise they have the format `form` of the readers.
    ValidationError says `LINE: reason` at the first invalid line; then nothing was learnt.

    >>> read_tags("04A1B2C3D4E5F6 galloping-pigs/card/red/3")
    {'04A1B2C3D4E5F6': 'galloping-pigs/card/red/3'}
    >>> read_tags('UID;meaning\n"04A1B2C3";"galloping-pigs/piece/red"')
    {'04A1B2C3': 'galloping-pigs/piece/red'}
    """
    lines = text.removeprefix("\ufeff").splitlines()
    if text.startswith(_ZIP):
        raise validation_error("{line}: {then}", line=1, then=Sentence(_SPREADSHEET))
    declared = next((found[1].lower() for line in lines if (found := _DECLARED.search(line))), None)
    rows = list(_rows(lines))
    if declared is not None:
        return _learnt(rows, cast("TagFormat", declared))
    try:
        return _learnt(rows, form)
    except ValidationError:
        if form.startswith("decimal") and all(_is_hex(row.uid) for row in rows):
            return _learnt(rows, "hex")  # such as the list of another table: letters are no decimal digits
        raise


def _rows(lines: Iterable[str]) -> Iterable[Row]:
    """Yield the lines that have a tag; ValidationError for one that has something else."""
    column: tuple[str, int] | None = None
    is_first = True
    for number, line in enumerate(lines, 1):
        said = line.partition("#")[0]
        if not said.strip(" \t;,\"'\0"):
            continue
        if is_first and re.fullmatch(r"sep=.\s*", said, re.IGNORECASE):  # for Excel
            continue
        if is_first and len(said) <= LONGEST_LINE and _is_header(said):
            column, is_first = _column(said), False
            continue
        is_first = False
        try:
            if len(said) > LONGEST_LINE:
                raise validation_error(_TWO)
            yield Row(number, *_parted(said, column))
        except ValidationError as error:
            raise validation_error("{line}: {then}", line=number, then=error.sentence) from None


def _is_header(line: str) -> bool:
    """Return True if a line names the columns: there is no meaning in it, and no number."""
    is_table = any(separator in line for separator in SEPARATORS)
    is_named = re.search(r"\bUID\b", line, re.IGNORECASE) is not None
    return (is_table or is_named) and "/" not in line and uid_of(_DECLARED.sub("", line)) is None


def _column(header: str) -> tuple[str, int] | None:
    """Return the separator of a table, and the place of the column of UIDs; None: it is not named."""
    separator = max(SEPARATORS, key=header.count)
    for place, cell in enumerate(next(csv.reader([header], delimiter=separator))):
        if re.search(r"\bUID\b", cell, re.IGNORECASE):
            return separator, place
    return None


def _parted(line: str, column: tuple[str, int] | None) -> tuple[str, str]:
    """Return the text of the UID and the meaning in a line."""
    found = _MEANING.search(line)
    if found is None:
        cells = line.replace('"', " ").replace(";", " ").replace(",", " ").split()
        if len(cells) < 2:
            raise validation_error(_TWO)
        return line[: line.rindex(cells[-1])].strip(), cells[-1]
    before, after = line[: found.start()], line[found.end() :]
    if (named := _in_column(line, column)) is not None:
        uid = named
    elif any(char.isalnum() for char in before):
        if after.strip(" ") and after.strip(" ")[0] not in SEPARATORS + "\"'":
            raise validation_error(_TWO)
        uid = before
    else:
        uid = after
    uid = uid.strip(" \t;,\"'=")
    if not uid:
        raise validation_error(_TWO)
    return uid, found[0]


def _in_column(line: str, column: tuple[str, int] | None) -> str | None:
    """Return the cell in the column of UIDs; None if the line has none, or the table no such column."""
    if column is None:
        return None
    separator, place = column
    cells = next(csv.reader([line.strip()], delimiter=separator))
    is_there = len(cells) > max(place, 1) and any(char.isalnum() for char in cells[place])
    return cells[place] if is_there and not _MEANING.search(cells[place]) else None


def _learnt(rows: Iterable[Row], form: TagFormat) -> dict[str, str]:
    tags: dict[str, str] = {}
    for row in rows:
        try:
            _check_exists(Item.of(row.means))
            uid = checked_uid(row.uid, form)
            if uid in tags:
                raise validation_error(N_("the tag {uid} stands here twice"), uid=uid)
            if row.means in tags.values():
                raise validation_error(N_("two tags for {text}"), text=row.means)
        except ValueError as error:
            reason = error.sentence if isinstance(error, ValidationError) else str(error)
            raise validation_error("{line}: {then}", line=row.number, then=reason) from None
        tags[uid] = row.means
    return tags


def _is_hex(text: str) -> bool:
    return re.sub(r"[\s:.-]", "", text).upper() == found_uid(text, "hex", names=False)


def _check_exists(item: Item) -> None:
    """Raise InvalidInput if no game has this card or piece: a typing error would show at the table only."""
    game = games.find_by_name(item.game)
    if item.colour not in game.pieces:
        known = ", ".join(game.pieces)
        raise validation_error(
            N_("{game} has {known}, not {text}"), game=item.game, known=known, text=repr(item.colour)
        )
    if item.kind == "card" and not 1 <= item.number <= most_cards(game):
        message = N_("{game} has cards 1 to {high} of each colour, not {number}")
        raise validation_error(message, game=item.game, high=most_cards(game), number=item.number)


def write_tags(tags: Mapping[str, str], form: TagFormat = "auto") -> str:
    """Return the text that `read_tags` reads, also where the readers have the format `form`."""
    lines = "".join(f"{uid} {means}\n" for uid, means in _sorted(tags))
    return lines if all(uid_of(uid, form) == uid for uid in tags) else HEX_LIST + lines


def write_table(tags: Mapping[str, str]) -> str:
    """Return the same as a table for spreadsheets: a header, then a UID and its meaning, parted by `;`.

    >>> tags = {"04A1B2C3": "giro-galoppo/piece/red", "04112233": "giro-galoppo/piece/tan"}
    >>> print(write_table(tags), end="")
    UID (hex);meaning
    04A1B2C3;giro-galoppo/piece/red
    04 11 22 33;giro-galoppo/piece/tan
    """
    return HEADER + "".join(f"{_as_text(uid)};{means}\n" for uid, means in _sorted(tags))


def _sorted(tags: Mapping[str, str]) -> list[tuple[str, str]]:
    return sorted(tags.items(), key=lambda tag: tag[1])


def _as_text(uid: str) -> str:
    """Return a UID that a spreadsheet leaves as it is: in pairs if it would be a number or a date without."""
    if re.fullmatch(r"\d+(?:E\d+)?|.*(?:DEC|FEB).*", uid):
        return " ".join(uid[at : at + 2] for at in range(0, len(uid), 2))
    return uid


_SPREADSHEET: Final = N_("this is a spreadsheet's own file: save the table as CSV there, and bring that in")
_TWO: Final = N_("a line has a UID and its meaning, such as galloping-pigs/card/red/3")
_NO_UID: Final = N_("{text} is no UID: it has 4, 7 or 10 bytes in hex, or is a decimal number")
_NO_DECIMAL: Final = N_(
    "{text} is no decimal number, as usb_format in companion.toml asks for: if the list is in hex, write "
    "UID (hex) into its first line"
)
