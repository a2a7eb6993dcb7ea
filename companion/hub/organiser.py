"""Who may make leagues and take in files: whoever has the organiser's code."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

from companion.hub import codes
from companion.hub.key_values import get, put

KEY: Final = "organiser"


def organiser_code(db: Connection) -> str:
    """A new code; the one before it, and who came in by it, is worth nothing any more."""
    code, hashed = codes.made()
    put(db, KEY, hashed)
    return code


def is_organiser(db: Connection, code: str) -> bool:
    """Whether this is the organiser's code; nobody's before the first was made."""
    hashed = get(db, KEY)
    return hashed is not None and codes.fits(hashed, code)


def organiser_mark(db: Connection) -> str | None:
    """What tells the code of now from others; None before the first was made."""
    hashed = get(db, KEY)
    return None if hashed is None else codes.mark(hashed)
