"""A finished game's record as it leaves its table: every line is signed by the table's key.

With the table's public key anyone can verify that the record is that table's, complete and unchanged, and if
not, from which line on. A signature says who wrote it, not that it follows the rules: its replay says that.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final, Literal

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import UNSET, Struct, UnsetType

from companion.errors import InvalidInput
from companion.match.record import RecordError, Replay, replayed
from companion.store.restore import TABLE_KEY

_PLAIN: Final = re.compile(r"[a-z0-9](?:[a-z0-9 _-]{0,58}[a-z0-9])?")
_WHAT: Final = b"companion sealed record 1\n"  # a signature of anything else is not one of a record


class Luck(Struct, frozen=True):
    """The analysis of a seat, in points of a hundred: its chance at the `start`, its share of the victory at
    the `end`.

    `luck`, its `own` choices and those of `others`: by how much each moved it; None: no clear difference.
    """

    start: int
    end: int
    luck: int | None
    own: int | None
    others: int | None


class Claim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part of a finished game that a table signs.

    `entry` is the number of the event that ended it, `at` the time; `digests` the SHA-256 of each line of the
    record without its end, in hex; `luck` by seat, None while it is unknown. `clock`: "unset" if the clock of
    the table was not set, so that `at` is wrong; else missing.
    """

    table: str
    match: int
    entry: int
    at: str
    digests: list[str]
    luck: list[Luck] | None = None
    clock: Literal["unset"] | UnsetType = UNSET


class Sealed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A record, `lines` without their ends, with its table's claim; key and signature are in base64.

    `redacted`: the numbers of lines in which a hub has replaced the name of a former player. The table signed
    all other lines.
    """

    claim: Claim
    lines: list[str]
    key: str
    signature: str
    redacted: list[int] = []


def table_key(data: Path) -> Ed25519PrivateKey:
    """Return the key of the table with this data directory; created on first use, readable by its owner
    alone.
    """
    file = data / TABLE_KEY
    try:
        return Ed25519PrivateKey.from_private_bytes(file.read_bytes())
    except FileNotFoundError:
        pass
    except ValueError:
        raise InvalidInput(
            f"{file} is no key of a table: take it away, and a new one is made that hubs ask about"
        ) from None
    made = Ed25519PrivateKey.generate()
    new_file = file.with_suffix(".new")
    new_file.unlink(missing_ok=True)
    with open(os.open(new_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
        new.write(made.private_bytes_raw())
        new.flush()
        os.fsync(new.fileno())
    new_file.rename(file)
    return made


def sealed(
    record: str,
    key: Ed25519PrivateKey,
    *,
    table: str,
    match: int,
    entry: int,
    at: str,
    luck: list[Luck] | None,
    undated: bool = False,
) -> Sealed:
    """Return the record of a finished game, signed; `undated` if the clock was not set at its end."""
    lines = record.removesuffix("\n").split("\n")
    claim = Claim(
        table=table,
        match=match,
        entry=entry,
        at=at,
        digests=[digest(line) for line in lines],
        luck=luck,
        clock="unset" if undated else UNSET,
    )
    signature = key.sign(_signed(claim))
    return Sealed(
        claim=claim,
        lines=lines,
        key=_text(key.public_key().public_bytes_raw()),
        signature=_text(signature),
    )


def opened(sealed: Sealed) -> Replay:
    """Return the game of a sealed record, replayed to its end.

    RecordError with the first line that was not signed so or is against the rules; InvalidInput if the
    signature is invalid, if a line was redacted, or if the game is not over.
    """
    _check_signature(sealed)
    if sealed.redacted:
        raise InvalidInput(
            "a hub has taken the name of a former player out of this record: import the table's own record"
        )
    for number, (line, signed_digest) in enumerate(zip_longest(sealed.lines, sealed.claim.digests), 1):
        if line is None:
            raise RecordError(number, "this line is missing: the table signed more")
        if signed_digest is None:
            raise RecordError(number, "this line is too many: the table signed fewer")
        if digest(line) != signed_digest:
            raise RecordError(number, "this line is not the one that the table signed")
    game = replayed(text(sealed.lines))
    if game.error is not None:
        raise game.error
    if game.race is None or game.race.awaits() is not None:
        raise InvalidInput("the game of this record is not over: a result is signed once there is one")
    return game


def text(lines: Sequence[str]) -> bytes:
    """Return lines as a record's file has them."""
    return "".join(f"{line}\n" for line in lines).encode()


def digest(line: str) -> str:
    """Return the digest of a line that is signed."""
    return hashlib.sha256(line.encode()).hexdigest()


def _check_signature(sealed: Sealed) -> None:
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(sealed.key, validate=True))
        key.verify(base64.b64decode(sealed.signature, validate=True), _signed(sealed.claim))
    except (binascii.Error, ValueError):
        raise InvalidInput("the key or the signature is none: take the file again from its table") from None
    except InvalidSignature:
        raise InvalidInput(
            "the table has not signed this: its name, its time, its luck or the list of its lines is another"
        ) from None


def _signed(claim: Claim) -> bytes:
    return _WHAT + msgspec.json.encode(claim, order="sorted")


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def file_name(table: str, match: int) -> str:
    """Return the name of a file for a sealed record; no two tables share one, however names are compared.

    Tables choose their names. A short one of small letters, digits, spaces, `-` and `_` is used unchanged.
    Another one loses what is neither letter nor digit, and gets a part of its SHA-256 after `~`, which no
    plain name has.

    >>> file_name("window-2", 7), file_name("../../etc/Cron", 7)
    ('window-2-7.json', 'etc_Cron~fb1f0e0ebf94c77a-7.json')
    """
    if _PLAIN.fullmatch(table):
        return f"{table}-{match}.json"
    safe = "".join(letter if letter.isalnum() else "_" for letter in table[:40]).strip("_")
    digest = hashlib.sha256(table.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{safe}~{digest}-{match}.json"
