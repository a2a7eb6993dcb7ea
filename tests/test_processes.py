"""Which other program has a file open: named, so that people can close it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.processes import Program, users


@contextmanager
def open_elsewhere(path: Path | str) -> Iterator[Program]:
    """Yield another program that has this file open."""
    command = ["sh", "-c", 'exec 3<>"$0"; echo open; read end', str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        try:
            yield Program("sh", process.pid)
        finally:
            process.kill()


def test_another_program_is_named_and_this_one_is_not(tmp_path: Path) -> None:
    """Also by a link to the file."""
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    with file.open("w"):
        assert users(file) == []
        with open_elsewhere(file) as program:
            assert users(link) == users("/nowhere", file) == [program]
            assert str(program) == f"sh, {program.pid}"
        assert users(file) == []
