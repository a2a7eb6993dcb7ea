"""Which other program has a file open: named, so that people can close it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

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


IN_A_CONTAINER = 'mount -t tmpfs none "$0" && exec 3<>"$1"; echo open; read end'


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a mount namespace")
def test_a_file_of_the_same_name_in_a_container_is_another_one(tmp_path: Path) -> None:
    """A login prompt on a container's first terminal is no program that uses the Pico on this one's."""
    file = tmp_path / "file"
    file.touch()
    command = ["unshare", "--mount", "sh", "-c", IN_A_CONTAINER, str(tmp_path), str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        assert users(file) == []
        process.kill()
