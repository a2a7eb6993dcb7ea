"""`companion settings`: says what is wrong in companion.toml, and corrects only what is certain."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main

WRONG = "name = “pub”\r\npad = yes,\r\n"


def settings(directory: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["settings", "--data", str(directory), *more])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "companion.toml"
    path.write_bytes(WRONG.encode())
    path.chmod(0o640)
    return path


def test_mistakes_are_named_in_the_language_of_the_terminal(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    said = settings(file.parent)
    assert said.exit_code == 1
    assert "Zeile 1: dieses Anführungszeichen" in said.output
    assert "    name = “pub”\n           ^\n" in said.output
    assert file.read_bytes() == WRONG.encode()


def test_what_is_certain_is_corrected_and_the_old_file_stays(file: Path) -> None:
    said = settings(file.parent, "--fix")
    assert said.exit_code == 0, said.output
    assert file.read_text() == 'name = "pub"\npad = true\n'
    assert file.stat().st_mode & 0o777 == 0o640
    assert (file.parent / "companion.toml.old").read_bytes() == WRONG.encode()
    assert settings(file.parent).output.endswith("can be used\n")
    file.write_text("pad = yes")
    settings(file.parent, "--fix")
    assert (file.parent / "companion.toml.old2").read_text() == "pad = yes", "no older copy is lost"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pad = yes\npanel =", "a value is missing"),
        ("pad = yes\nspaces = 3", "unknown key 'spaces'"),
        ("spi_bus = –1", "spi_bus must be 0 or more"),
        ("{\\rtf1 pad = true}", "this is a document (RTF)"),
    ],
)
def test_what_is_not_certain_stays_as_it_is(file: Path, text: str, said: str) -> None:
    """The file is changed only if all of it can be used then."""
    file.write_text(text)
    answer = settings(file.parent, "--fix")
    assert answer.exit_code == 1
    assert said in answer.output
    assert file.read_text() == text
    assert not (file.parent / "companion.toml.old").exists()


def test_a_file_without_mistakes_is_left_alone(file: Path) -> None:
    file.write_bytes(b"pad = true\r\n")
    assert settings(file.parent, "--fix").exit_code == 0
    assert file.read_bytes() == b"pad = true\r\n"


def test_a_directory_that_cannot_be_written_is_named(file: Path) -> None:
    (file.parent / "companion.toml.new").mkdir()
    answer = settings(file.parent, "--fix")
    assert answer.exit_code == 1
    assert "cannot be written: Is a directory" in answer.output
    assert file.read_bytes() == WRONG.encode()
