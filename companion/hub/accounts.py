"""Accounts of tables at a club's broker: a password for each, so that none publishes in another's name.

The broker's access list lets a user write below the topic of its name alone (tools/club/acl.conf).
Passwords are stored as Mosquitto stores them: PBKDF2 with SHA-512 and a salt (mosquitto_passwd(1)).
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from companion.errors import InvalidInput

ITERATIONS: Final = 101  # as mosquitto_passwd has it: passwords here are random, no one can try them all
SALT_BYTES: Final = 12
LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"  # no l and 1, o and 0, which look alike
LENGTH: Final = 20  # 100 bits
HUB: Final = "hub"  # the hub's own user, which may read everything (tools/club/acl.conf)
NAME: Final = re.compile(r"[\w.-]{1,60}")  # as [mqtt] table in a table's settings


def add(passwords: Path, name: str) -> str:
    """Give this user a new password in Mosquitto's file, which is made if there is none; return the password.

    Other users' passwords do not change. Raises InvalidInput for a name that no table can have, and OSError
    if the file cannot be written; then it is unchanged.
    """
    if name == HUB:
        raise InvalidInput(f"{HUB!r} is the hub's own user at the broker: call the table otherwise")
    if not NAME.fullmatch(name):
        raise InvalidInput(f"a table cannot be called {name!r}: letters, digits and hyphens, 60 at most")
    password = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    lines = passwords.read_text("utf-8").splitlines() if passwords.exists() else []
    others = [line for line in lines if line.partition(":")[0] != name]
    _replace(passwords, "".join(f"{line}\n" for line in [*others, f"{name}:{hashed(password)}"]))
    return password


def hashed(password: str, salt: bytes | None = None) -> str:
    """Return the hash of the password in the format of Mosquitto's file.

    >>> hashed("secret", bytes(12))[:20]
    '$7$101$AAAAAAAAAAAAA'
    """
    salt = secrets.token_bytes(SALT_BYTES) if salt is None else salt
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"$7${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def invitation(broker: str, name: str, password: str) -> str:
    """Return the line that a table joins with: the broker's address with its user and password.

    >>> invitation("mqtts://hub.lan/cafe", "window-2", "abc")
    'mqtts://window-2:abc@hub.lan/cafe'
    """
    url = urlsplit(broker)
    host = url.netloc.rpartition("@")[2]
    return f"{url.scheme}://{quote(name)}:{password}@{host}{url.path}"


def _replace(file: Path, text: str) -> None:
    """Write the file atomically, with the owner and mode that it had; a new one is private."""
    before = file.stat() if file.exists() else None
    beside = file.with_name(f"{file.name}.new")
    beside.unlink(missing_ok=True)
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as new:
        new.write(text)
        new.flush()
        os.fsync(new.fileno())
    if before is not None:
        os.chmod(beside, before.st_mode & 0o777)
        if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
            os.chown(beside, before.st_uid, before.st_gid)
    beside.replace(file)
