"""Take a name out of a sealed record without taking away what the record proves to the others.

A table signs the digest of every line. The names are in the first line alone, and the other lines name seats
by number. So the first line is replaced, and every other line is still the one that the table signed.
"""

from __future__ import annotations

import json
from collections.abc import Collection

import msgspec
from msgspec.structs import replace

from companion.publishing.sealed import Sealed

HEADER = 1  # its line


def former(seat: int) -> str:
    """Return the name of a former player in a record: names differ within a game.

    >>> former(0)
    'a former player (1)'
    """
    return f"a former player ({seat + 1})"


def redacted(record: Sealed, seats: Collection[int]) -> Sealed:
    """Return the record without the names of these seats, and with the line that is no longer as signed."""
    if not seats:
        return record
    header = json.loads(record.lines[0])
    header["seats"] = [former(seat) if seat in seats else name for seat, name in enumerate(header["seats"])]
    first = json.dumps(header, ensure_ascii=False)
    return replace(record, lines=[first, *record.lines[1:]], redacted=[HEADER])


def redacted_json(body: str, seats: Collection[int]) -> str:
    """Return the same for a stored record."""
    return msgspec.json.encode(redacted(msgspec.json.decode(body, type=Sealed), seats)).decode()
