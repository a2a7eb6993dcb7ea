"""Plausibility checks for rows of a journal from before there were sums."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from companion.store.checksums import SUMMED

_MEANING = re.compile(r"[^/\x00-\x1f]+/(card/[^/\x00-\x1f]+/\d+|piece/[^/\x00-\x1f]+)")


def fits(row: Mapping[str, Any], columns: Iterable[str]) -> bool:
    """Return True if these columns hold text and numbers, a meaning of a tag is a thing, and a value is JSON.

    >>> fits({"uid": "04A1", "means": "giro/piece/red"}, SUMMED["tags"])
    True
    >>> fits({"uid": "04A1", "means": "giro/pi"}, SUMMED["tags"]), fits({"uid": b"\\xff"}, SUMMED["tags"])
    (False, False)
    """
    try:
        values: dict[str, Any] = {c: v.decode() if isinstance(v := row.get(c), bytes) else v for c in columns}
        json.loads(values.get("value", "0"))
        return _MEANING.fullmatch(values.get("means", "a/piece/b")) is not None and all(
            isinstance(value, str | int) for value in values.values()
        )
    except (ValueError, TypeError):
        return False


def unfit(db: sqlite3.Connection) -> str | None:
    """Return the table with an implausible row; None if there is none."""
    for table in ("tags", "kept", "found_out"):
        columns = SUMMED[table]
        for row in db.execute(f"select {', '.join(columns)} from {table}"):
            if not fits(dict(zip(columns, row, strict=True)), columns):
                return table
    return None
