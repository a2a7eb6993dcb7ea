"""The organiser's code, which permits to make leagues and import files."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

from companion.hub import codes
from companion.hub.key_values import get, put

KEY: Final = "organiser"


def organiser_code(db: Connection) -> str:
    """Return a new code; the one before it, and sessions opened by it, become invalid."""
    code, hashed = codes.made()
    put(db, KEY, hashed)
    return code


def is_organiser(db: Connection, code: str) -> bool:
    """Return True if this is the organiser's code; False while there is none."""
    hashed = get(db, KEY)
    return hashed is not None and codes.fits(hashed, code)


def organiser_mark(db: Connection) -> str | None:
    """Return an identifier of the present code; None while there is none."""
    hashed = get(db, KEY)
    return None if hashed is None else codes.mark(hashed)
