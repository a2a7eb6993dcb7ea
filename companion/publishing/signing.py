"""Signatures of published messages, so that a hub knows the table though others know the broker's
password.

Key and signature are user properties of the MQTT message: its payload stays what every subscriber expects.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

KEY: Final = "key"
SIGNATURE: Final = "signature"
_WHAT: Final = b"companion message 1\n"  # a signature of a message is not one of a record


def signed(key: Ed25519PrivateKey, table: str, kind: str, payload: bytes) -> tuple[tuple[str, str], ...]:
    """Return the user properties of a message of this table and kind, such as `events`."""
    public = base64.b64encode(key.public_key().public_bytes_raw()).decode()
    signature = base64.b64encode(key.sign(_signed(table, kind, payload))).decode()
    return (KEY, public), (SIGNATURE, signature)


def is_signed(key: str, signature: str, table: str, kind: str, payload: bytes) -> bool:
    """Return True if the owner of this key, in base64, has signed the message as this table's.

    >>> mine = Ed25519PrivateKey.from_private_bytes(bytes(32))
    >>> (_, key), (_, signature) = signed(mine, "window-2", "events", b"{}")
    >>> [is_signed(key, signature, table, "events", b"{}") for table in ("window-2", "attic")]
    [True, False]
    """
    try:
        public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key, validate=True))
        public.verify(base64.b64decode(signature, validate=True), _signed(table, kind, payload))
    except (binascii.Error, ValueError, InvalidSignature):
        return False
    return True


def _signed(table: str, kind: str, payload: bytes) -> bytes:
    return _WHAT + f"{table}\n{kind}\n".encode() + payload
