"""Codes that people read off a screen and note down: made once, shown once, stored here as a hash."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from werkzeug.security import check_password_hash, generate_password_hash

LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # no I and 1, L, O and 0, which look alike
LENGTH: Final = 8


def made() -> tuple[str, str]:
    """Return a new code and its hash."""
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    return code, generate_password_hash(code)


def fits(hashed: str, code: str) -> bool:
    """Return True if this is the code of the hash, regardless of small letters, spaces and dashes."""
    typed = "".join(letter for letter in code.upper() if letter.isalnum())
    return len(typed) == LENGTH and check_password_hash(hashed, typed)


def mark(hashed: str) -> str:
    """Return an identifier of a code for a cookie, which reveals nothing of the code."""
    return hashlib.sha256(hashed.encode()).hexdigest()[:16]
