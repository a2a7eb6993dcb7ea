"""Several tables of one machine: each is whole, and one that breaks down comes back without the others."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.cli.tables import places
from tests.support.client import PATIENCE_S, Client, children

CARDS = ("pink", "red", "blue")


class Console:
    """What `companion run --tables` says, until it ends."""

    def __init__(self, data: Path, *options: str) -> None:
        command = [sys.executable, "-m", "companion", "run", "--mock", "--port", "0", "--data", str(data)]
        self.process = subprocess.Popen(
            [*command, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        self.lines: list[str] = []
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        self.process.stdout.close()

    def until(self, pattern: str, count: int = 1) -> list[re.Match[str]]:
        """Return the first lines like this, as soon as there are so many."""

        def found() -> list[re.Match[str]]:
            return [match for line in self.lines if (match := re.fullmatch(pattern, line))]

        with self._changed:
            assert self._changed.wait_for(lambda: len(found()) >= count, PATIENCE_S), self.lines
            return found()

    def end(self) -> int:
        """Ask it to end; return its status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE_S)
        self._thread.join(PATIENCE_S)
        return status


@contextmanager
def consoled(data: Path, *options: str) -> Iterator[Console]:
    console = Console(data, *options)
    try:
        yield console
    finally:
        if console.process.poll() is None:
            console.end()


@pytest.mark.long
def test_each_is_whole_and_one_that_is_killed_comes_back(tmp_path: Path) -> None:
    """Of three tables that play at once, one is killed and continues where it was.

    Only here: a table whose crash ends or changes another table of the same machine, or that is not
    restarted.
    """
    with consoled(tmp_path, "--tables", "3") as console:
        tables = clients(console, 3)
        for number, client in enumerate(tables.values()):
            client.host()
            client.begin()
            client.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
            for card in CARDS[:number]:
                client.decide(do="play", seat=client.table["next"]["seats"][0], card=card)
        before = {name: client.table["seq"] for name, client in tables.items()}
        [killed] = [pid for pid, words in children(console.process.pid).items() if "--table 2 " in words]
        os.kill(killed, signal.SIGKILL)
        console.until(r"table-2: ended with status -9; it is started again")
        console.until(r"table-2: MOCK hardware: .*", count=2)
        again = clients(console, 4)
        assert {name: client.table["seq"] for name, client in again.items()} == before
        assert sorted(path.name for path in tmp_path.iterdir()) == ["table-1", "table-2", "table-3"]
        left = children(console.process.pid)
        assert console.end() == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in left)


def clients(console: Console, greetings: int) -> dict[str, Client]:
    """Return a client for each table that asks where it is now."""
    told = console.until(r"(table-\d): MOCK hardware: .*localhost:(\d+)/mock", greetings)
    return dict(sorted({match[1]: Client(int(match[2])) for match in told}.items()))


def test_where_they_are() -> None:
    """A directory and a port each, from the one that is given on; any port, if it is 0."""
    [first, second] = [place.command for place in places(2, Path("/data"), 8000, ["--mock"])]
    assert first[3:] == [
        *("run", "--table", "1", "--data", "/data/table-1", "--port", "8000", "--mock"),
    ]
    assert second[3:] == [
        *("run", "--table", "2", "--data", "/data/table-2", "--port", "8001", "--mock"),
    ]
    assert places(2, Path("/data"), 0, [])[1].command[-2:] == ["--port", "0"]


@pytest.mark.parametrize("part", ['pad = "usb"', "panel = true", '[track]\nkind = "tag"'])
def test_one_machine_has_sensors_for_one_table(part: str, tmp_path: Path) -> None:
    """It is undecided which of them would have the pad: it says what to do, and nothing is started."""
    (tmp_path / "companion.toml").write_text(part)
    ran = CliRunner().invoke(main, ["run", "--tables", "2", "--data", str(tmp_path)])
    assert ran.exit_code == 1
    assert ran.output == (
        "Error: one machine has sensors for one table: take pad, track and panel out of companion.toml\n"
    )
