"""What a hub knows of itself, by key."""

from __future__ import annotations

import secrets
from typing import Final

from sqlalchemy import Connection, Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from companion.hub import schema

SIGNING: Final = "signing key"


def get(db: Connection, key: str) -> str | None:
    """What is kept under this key; None before it was."""
    return db.execute(select(schema.kept.c.value).where(schema.kept.c.key == key)).scalar()


def put(db: Connection, key: str, value: str) -> None:
    """Keep this instead of what was kept."""
    db.execute(delete(schema.kept).where(schema.kept.c.key == key))
    db.execute(insert(schema.kept).values(key=key, value=value))


def signing_key(engine: Engine) -> str:
    """What signs cookies, the same for every process of this hub; made by the first that asks."""
    with engine.connect() as db:
        known = get(db, SIGNING)
    if known is not None:
        return known
    try:
        with engine.begin() as db:
            db.execute(insert(schema.kept).values(key=SIGNING, value=secrets.token_hex(32)))
    except IntegrityError:
        pass  # another process was faster
    with engine.connect() as db:
        found = get(db, SIGNING)
    assert found is not None
    return found
