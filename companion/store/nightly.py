"""The nightly copies: a few on this machine, and, if there is one, on a second medium.

Each night leaves a note in the folder of its copies: where else they are, or why not.
"""

from __future__ import annotations

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from companion.store.backup import dated

FOLDER: Final = "nightly"
LABEL: Final = "COMPANION"
"""The label of the file system of the second medium."""
_NOTE: Final = "medium.json"


class Night(msgspec.Struct, frozen=True):
    """The time of the last copy (ISO 8601), and whether it is `safe` on a second medium; or `why` not."""

    at: str
    safe: bool
    why: str | None


class _Note(msgspec.Struct):
    """The name of the last copy on the second medium, and the error of the last try, if any."""

    last: str | None
    why: str | None


def note(folder: Path, last: str | None, why: str | None) -> None:
    """Write the note about the last night."""
    number, new = tempfile.mkstemp(dir=folder, prefix=f".{_NOTE}.")
    with open(number, "wb") as file:
        file.write(msgspec.json.encode(_Note(last, why)))
        os.fchmod(number, 0o644)
    os.replace(new, folder / _NOTE)


def last_night(data: Path) -> Night | None:
    """Return the result of the last night; None if there was none."""
    folder = data / FOLDER
    try:
        newest = dated(folder)[-1]
        made = datetime.fromtimestamp(newest.stat().st_mtime, UTC)
    except (OSError, IndexError):
        return None
    try:
        noted = msgspec.json.decode((folder / _NOTE).read_bytes(), type=_Note)
    except (OSError, msgspec.MsgspecError):
        noted = _Note(None, None)
    return Night(made.isoformat(timespec="seconds"), noted.last == newest.name, noted.why)
