"""A hub's own data, by key."""

from __future__ import annotations

import secrets
from typing import Final

from sqlalchemy import Connection, Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from companion.hub import schema

SIGNING: Final = "signing key"


def get(db: Connection, key: str) -> str | None:
    """Return the value stored under this key; None if there is none."""
    return db.execute(select(schema.key_values.c.value).where(schema.key_values.c.key == key)).scalar()


def put(db: Connection, key: str, value: str) -> None:
    """Store the value under this key."""
    db.execute(delete(schema.key_values).where(schema.key_values.c.key == key))
    db.execute(insert(schema.key_values).values(key=key, value=value))


def signing_key(engine: Engine) -> str:
    """Return the key that signs cookies, the same for every process of this hub; made by the first."""
    with engine.connect() as db:
        known = get(db, SIGNING)
    if known is not None:
        return known
    try:
        with engine.begin() as db:
            db.execute(insert(schema.key_values).values(key=SIGNING, value=secrets.token_hex(32)))
    except IntegrityError:
        pass  # another process was faster
    with engine.connect() as db:
        found = get(db, SIGNING)
    assert found is not None
    return found
