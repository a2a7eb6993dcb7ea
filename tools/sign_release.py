"""Sign a release, so that `companion update` and get-companion.sh know that it is from the project's owner.

python tools/sign_release.py new-key FILE
    once: makes the owner's key in FILE, and puts its public half into release.pub and get-companion.sh
python tools/sign_release.py sign RELEASE FILE
    for each release: writes RELEASE.sig with the key in FILE

FILE stays with the owner, with a copy in a safe place: anyone who has it can sign, and without it no
installed companion accepts the next release. It is encrypted with a password.
"""

from __future__ import annotations

import argparse
import base64
import getpass
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from companion.install.signature import KEYS, check, part, signature

ROOT: Final = Path(__file__).parents[1]
SCRIPT: Final = ROOT / "get-companion.sh"
Ask = Callable[[str], str]


def new_key(file: Path, keys: Path = KEYS, script: Path = SCRIPT, ask: Ask = getpass.getpass) -> str:
    """Make a key, write it to a new private file, and add its public half to `keys` and the script.

    Return the public half. SystemExit if the password is too short, FileExistsError if there is a file.
    """
    password = ask("A password for the key, 12 characters or more: ")
    if len(password) < 12:
        raise SystemExit("the password is too short: nothing was made")
    key = Ed25519PrivateKey.generate()
    text = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(password.encode()),
    )
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
        opened.write(text)
    public = base64.b64encode(key.public_key().public_bytes_raw()).decode()
    written = keys.read_text("utf-8").splitlines()
    kept = [line for line in written if not line.startswith("# There is none yet")]
    keys.write_text("\n".join([*kept, public, ""]), "utf-8")
    lines = re.sub(r'^KEY=".*"', lambda _: f'KEY="{public}"', script.read_text("utf-8"), flags=re.MULTILINE)
    script.write_text(lines, "utf-8")
    return public


def sign(release: Path, file: Path, ask: Ask = getpass.getpass) -> Path:
    """Write the signature of a release next to it; return its path. SystemExit if the key is unusable."""
    try:
        key = serialization.load_pem_private_key(file.read_bytes(), ask("The password of the key: ").encode())
    except (OSError, ValueError) as error:
        raise SystemExit(f"{file} cannot be used: {error}") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise SystemExit(f"{file} has no Ed25519 key: new-key makes one")
    there = part(release, ".sig")
    there.write_text(signature(release, key))
    check(release, [key.public_key()])
    return there


def main(arguments: Sequence[str] | None = None) -> None:
    """Make a key, or sign a release."""
    asked = argparse.ArgumentParser(description="signatures of releases")
    does = asked.add_subparsers(dest="does", required=True)
    does.add_parser("new-key").add_argument("key", type=Path)
    signs = does.add_parser("sign")
    signs.add_argument("release", type=Path)
    signs.add_argument("key", type=Path)
    given = asked.parse_args(arguments)
    if given.does == "new-key":
        print(f"{new_key(given.key)} is in {KEYS} and {SCRIPT.name}: commit both, and keep {given.key} safe")
    else:
        print(f"{sign(given.release, given.key)} is written: publish it next to the release")


if __name__ == "__main__":
    main()
