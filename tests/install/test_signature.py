"""Releases are from the project's owner: signed with a key that only the owner has, under their own names."""

from __future__ import annotations

import re
import shutil
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from companion.install import signature
from companion.install import update as updating
from companion.install.machine import InstallError
from tools import sign_release

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Return a release that is signed, without its sum."""
    made = tmp_path / "race-companion-9.tar.gz"
    made.write_bytes(b"a release")
    signature.part(made, ".sig").write_text(signature.signature(made, KEY))
    return made


def verify(release: Path, *trusted: Ed25519PublicKey, unsigned: bool = False) -> list[str]:
    """Return what is said about a release that is accepted."""
    said: list[str] = []
    updating.verify(release, unsigned, said.append, trusted)
    return said


def test_a_signed_release_is_accepted_also_after_the_owner_has_a_second_key(release: Path) -> None:
    for trusted in ([KEY], [OTHER, KEY]):
        said = verify(release, *(key.public_key() for key in trusted))
        assert said == ["race-companion-9.tar.gz is signed by the owner of this project"]


def changed(release: Path) -> None:
    release.write_bytes(b"another one")


def signed_by_another(release: Path) -> None:
    signature.part(release, ".sig").write_text(signature.signature(release, OTHER))


def cut_off(release: Path) -> None:
    signature.part(release, ".sig").write_text("AAAA")


def no_text(release: Path) -> None:
    signature.part(release, ".sig").write_bytes(b"\xff\xfe")


def with_its_sum(release: Path) -> None:
    """Change it, and its sum with it, as one can who may change both."""
    changed(release)
    signature.part(release, ".sha256").write_text(signature.sum_of(release))


@pytest.mark.parametrize("how", [changed, signed_by_another, cut_off, no_text, with_its_sum])
def test_a_release_that_the_owner_did_not_sign_is_refused(release: Path, how: object) -> None:
    assert callable(how)
    how(release)
    with pytest.raises(
        InstallError, match="is not signed by the owner of this project, or is not as it was sent"
    ):
        verify(release, KEY.public_key())


def test_an_older_release_is_none_under_a_newer_name(release: Path) -> None:
    newer = release.with_name("race-companion-10.tar.gz")
    shutil.copy(release, newer)
    shutil.copy(signature.part(release, ".sig"), signature.part(newer, ".sig"))
    with pytest.raises(InstallError, match="under their own names"):
        verify(newer, KEY.public_key())


def test_without_a_signature_it_needs_a_word_and_its_sum(release: Path) -> None:
    """The sum shows that it is complete, and nothing more: that is said."""
    signature.part(release, ".sig").unlink()
    with pytest.raises(InstallError, match=r"gz\.sig is missing, .*say --unsigned if you trust the person"):
        verify(release, KEY.public_key())
    with pytest.raises(
        InstallError, match=r"gz\.sha256 is missing, by which .* is checked: put it next to it"
    ):
        verify(release, KEY.public_key(), unsigned=True)
    signature.part(release, ".sha256").write_text(signature.sum_of(release))
    [said] = verify(release, KEY.public_key(), unsigned=True)
    assert "is not checked for who made it (as you said)" in said


def test_while_there_is_no_owners_key_that_is_said(release: Path, tmp_path: Path) -> None:
    with pytest.raises(InstallError, match="sha256 is missing"):
        verify(release)
    signature.part(release, ".sha256").write_text(signature.sum_of(release))
    [said] = verify(release)
    assert "this version knows no owner's key yet" in said
    wheel = tmp_path / "race_companion-9-py3-none-any.whl"
    wheel.touch()
    [said] = verify(wheel)
    assert "trust the person who gave it to you" in said
    assert verify(tmp_path) == [], "a folder is one's own"


# --- the owner's tool ----------------------------------------------------------------------------


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """Return copies of the file with the keys and of the script, as they are without a key."""
    keys, script = tmp_path / "release.pub", tmp_path / "get-companion.sh"
    keys.write_text("# Whose releases are accepted\n# There is none yet.\n")
    shutil.copy(sign_release.SCRIPT, script)
    return keys, script


def test_the_owner_makes_a_key_once_and_signs_with_it(release: Path, places: tuple[Path, Path]) -> None:
    keys, script = places
    file = release.with_name("owner.pem")
    public = sign_release.new_key(file, keys, script, lambda _: "a long password")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert keys.read_text() == f"# Whose releases are accepted\n{public}\n"
    assert f'\nKEY="{public}"' in script.read_text()
    sign_release.sign(release, file, lambda _: "a long password")
    assert verify(release, *signature.keys(keys.read_text()))
    with pytest.raises(FileExistsError):
        sign_release.new_key(file, keys, script, lambda _: "a long password")
    with pytest.raises(SystemExit, match="cannot be used"):
        sign_release.sign(release, file, lambda _: "a wrong password")


def test_a_short_password_makes_no_key(tmp_path: Path, places: tuple[Path, Path]) -> None:
    with pytest.raises(SystemExit, match="too short"):
        sign_release.new_key(tmp_path / "owner.pem", *places, lambda _: "short")
    assert not (tmp_path / "owner.pem").exists()


def test_the_script_has_the_newest_of_the_keys() -> None:
    """It and `companion update` accept the same releases."""
    known = [line for line in signature.KEYS.read_text("utf-8").splitlines() if line and line[0] != "#"]
    written = re.findall(r'^KEY="(.*?)"', sign_release.SCRIPT.read_text("utf-8"), re.MULTILINE)
    assert written == (known[-1:] or [""])
