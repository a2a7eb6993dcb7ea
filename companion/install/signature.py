"""Signatures of releases: Ed25519, by the key of the project's owner, which is in release.pub.

The signature of FILE is in FILE.sig, in base64. It is of the file's name and sum, so that an older release
cannot be given out as a newer one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from companion.install.machine import InstallError

KEYS: Final = Path(__file__).with_name("release.pub")
_WHAT: Final = "companion release 1\n"  # a signature of a release is not one of something else


def keys(text: str) -> list[Ed25519PublicKey]:
    """Return the keys in the text of release.pub; [] if there is none yet.

    >>> keys("# none yet"), len(keys(base64.b64encode(bytes(32)).decode()))
    ([], 1)
    """
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [
        Ed25519PublicKey.from_public_bytes(base64.b64decode(line, validate=True)) for line in lines if line
    ]


def signature(release: Path, key: Ed25519PrivateKey) -> str:
    """Return the text of the file with the release's signature."""
    return base64.b64encode(key.sign(_signed(release))).decode() + "\n"


def check(release: Path, trusted: Sequence[Ed25519PublicKey]) -> None:
    """Check the signature in the file next to the release; InstallError says what is wrong with it."""
    there = part(release, ".sig")
    if not there.is_file():
        raise InstallError(
            f"{there} is missing, the signature by which {release.name} is checked: put it next to it, "
            "or say --unsigned if you trust the person who gave it to you"
        )
    try:
        written = base64.b64decode(there.read_bytes().strip(), validate=True)
    except binascii.Error:
        written = b""
    if not any(_verifies(key, written, _signed(release)) for key in trusted):
        raise InstallError(
            f"{release} is not signed by the owner of this project, or is not as it was sent: fetch it and "
            "its signature again under their own names, from where the project publishes them"
        )


def check_sum(release: Path) -> None:
    """Check the sum in the file next to the release; InstallError if it is missing or another one."""
    there = part(release, ".sha256")
    if not there.is_file():
        raise InstallError(f"{there} is missing, by which {release.name} is checked: put it next to it")
    if there.read_text(encoding="utf-8", errors="replace").split()[:1] != [sum_of(release)]:
        raise InstallError(f"{release} is not as it was sent: copy or fetch it again")


def sum_of(file: Path) -> str:
    """Return the SHA-256 of a file, in hex."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def part(release: Path, ending: str) -> Path:
    """Return the file next to a release that has this ending too."""
    return release.with_name(release.name + ending)


def _signed(release: Path) -> bytes:
    return f"{_WHAT}{sum_of(release)}  {release.name}\n".encode()


def _verifies(key: Ed25519PublicKey, written: bytes, message: bytes) -> bool:
    try:
        key.verify(written, message)
    except InvalidSignature:
        return False
    return True
