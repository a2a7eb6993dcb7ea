"""`companion hub` serves, imports and exports files, and says what to do when it cannot.

Only here: a command of the hub that ends with the wrong status, prints a traceback, or does not stop on
SIGTERM.
"""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path

import pytest
from sqlalchemy import func, select

from companion.hub import database, schema
from companion.hub.intake import Intake
from companion.hub.retention import clear
from tests.support.client import PATIENCE_S
from tests.support.hub.stories import Evening
from tests.support.ports import reserved_port

pytestmark = pytest.mark.long  # a process for each command

DAY = timedelta(days=1)


class Hub:
    """`companion hub` with a database for this test."""

    def __init__(self, directory: Path) -> None:
        self.address = f"sqlite:///{directory / 'hub.sqlite'}"

    def __call__(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "companion", "hub", "--database", self.address, *words],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )


@pytest.fixture
def hub(tmp_path: Path) -> Hub:
    return Hub(tmp_path)


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    """Return the files that `companion sealed` writes at a table that was offline for two games."""
    evening = Evening(tmp_path / "garden", "garden", 3)
    for game in ("galloping-pigs", "galloping-horse"):
        evening.play(game, ("Ada", "Ben"))
    evening.close()
    written = subprocess.run(
        [
            *(sys.executable, "-m", "companion", "sealed", str(tmp_path / "stick")),
            *("--table", "garden", "--data", str(tmp_path / "garden")),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert written.stdout == f"2 games of garden are in {tmp_path / 'stick'}\n"
    return tmp_path / "stick"


def test_an_offline_evening_is_brought_on_a_stick_once(hub: Hub, stick: Path, tmp_path: Path) -> None:
    files = sorted(map(str, stick.iterdir()))
    first = hub("import", *files)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.splitlines() == [f"{file}: game {n} of garden" for n, file in enumerate(files, 1)]
    assert hub("import", *files).returncode == 0
    out = hub("export", str(tmp_path / "out"))
    assert out.stdout == f"2 games are in {tmp_path / 'out'}\n"
    for file in stick.iterdir():
        assert json.loads((tmp_path / "out" / file.name).read_bytes()) == json.loads(file.read_bytes())
    with (tmp_path / "out" / "results.csv").open(newline="") as table:
        assert [(row["table"], row["match"], row["name"]) for row in csv.DictReader(table)] == [
            ("garden", match, name) for match in "12" for name in ("Ada", "Ben")
        ]
    assert len(json.loads((tmp_path / "out" / "results.json").read_bytes())) == 4


def test_a_file_that_was_changed_is_refused_with_its_line(hub: Hub, stick: Path) -> None:
    file, other = sorted(stick.iterdir())
    told = json.loads(file.read_bytes())
    told["lines"][2] = told["lines"][2].replace('"seat":0', '"seat":1').replace('"seat": 0', '"seat": 1')
    told["lines"][2] += " "
    file.write_text(json.dumps(told))
    done = hub("import", str(file), str(other))
    assert done.returncode == 1
    assert done.stderr == f"{file}: line 3: this line is not the one that the table signed\n"
    assert done.stdout == f"{other}: game 2 of garden\n", "the others are taken"


def test_what_is_no_record_is_refused(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    done = hub("import", str(tmp_path / "notes.txt"))
    assert done.returncode == 1
    assert "this is no sealed record" in done.stderr


def test_a_new_machine_is_believed_once_somebody_says_so(hub: Hub, stick: Path, tmp_path: Path) -> None:
    """The records of a table that was reset, and signs with another key, are refused until it is accepted."""
    evening = Evening(tmp_path / "anew", "garden", 9)
    evening.play("galloping-pigs", ("Ada", "Cleo"))
    anew = [told.payload for told in evening.told() if told.what == "records"]
    evening.close()
    (tmp_path / "anew.json").write_bytes(anew[0])
    hub("import", *map(str, sorted(stick.iterdir())))
    refused = hub("import", str(tmp_path / "anew.json"))
    assert refused.returncode == 1
    assert "companion hub accept garden" in refused.stderr
    assert hub("accept", "garden").stdout == "garden may have a new key; records that waited: 0\n"
    assert hub("import", str(tmp_path / "anew.json")).returncode == 0
    assert hub("export", str(tmp_path / "out")).stdout.startswith("3 games are in "), "the old ones stay"


def test_each_code_is_another(hub: Hub) -> None:
    one, other = hub("code").stdout, hub("code").stdout
    assert one.startswith("the organiser's code, shown this once: ")
    assert one != other


def test_somebody_is_forgotten(hub: Hub, stick: Path, tmp_path: Path) -> None:
    hub("import", *map(str, stick.iterdir()))
    done = hub("forget", "Ada", "--yes")
    assert done.stdout == "Ada is forgotten, in 2 games\n"
    content = (tmp_path / "hub.sqlite").read_bytes()
    hub("export", str(tmp_path / "out"))
    assert "Ada" not in (tmp_path / "out" / "results.csv").read_text()
    assert b"Ben" in content


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--database", "mysql://x/y"], "no database at 'mysql://x/y'"),
        (["--database", "nonsense"], "write postgresql://user@host/name or sqlite:///file"),
        (["--mqtt", "broker.lan"], "is no broker: write mqtt://host"),
        (["--mqtt", "mqtt://tables:secret@broker.lan"], "--mqtt-password-file"),
        (["--mqtt", "mqtt://broker.lan:99999"], "is no broker"),
    ],
)
def test_what_cannot_be_is_said(hub: Hub, options: list[str], said: str) -> None:
    done = hub(*options)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_it_serves_and_ends(hub: Hub) -> None:
    """Two processes serve; only the first start prints the organiser's code."""
    port = reserved_port()
    for first in (True, False):
        with subprocess.Popen(
            [
                *(sys.executable, "-m", "companion", "hub", "--database", hub.address),
                *("--port", str(port), "--workers", "2"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as running:
            try:
                wait_for(port)
            finally:
                running.send_signal(signal.SIGTERM)
                said, _ = running.communicate(timeout=PATIENCE_S)
        assert ("organiser's code" in said) == first
        assert f"http://localhost:{port}/" in said
        assert "Traceback" not in said


def wait_for(port: int) -> None:
    """Wait until the first page is answered."""
    end = time.monotonic() + PATIENCE_S
    while True:
        line = HTTPConnection("localhost", port, timeout=PATIENCE_S)
        try:
            line.request("GET", "/")
            assert line.getresponse().status == 200
            return
        except OSError:
            assert time.monotonic() < end, "the hub's page does not come"
            time.sleep(0.05)  # only its log says when
        finally:
            line.close()


def test_events_are_kept_for_so_long_and_results_stay(tmp_path: Path) -> None:
    engine, now = database.opened(f"sqlite:///{tmp_path / 'hub.sqlite'}"), datetime.now(UTC)
    evening = Evening(tmp_path / "table", "window-2", 1)
    evening.play("galloping-pigs", ("Ada", "Ben"))
    Intake(engine).take(evening.told(), now - 30 * DAY)
    last = evening.journal.seq()
    evening.play("galloping-horse", ("Ada", "Ben"))
    Intake(engine).take(evening.told(), now)
    evening.close()
    assert clear(engine, 31, now) == 0
    assert clear(engine, 29, now) == last
    with engine.connect() as db:
        assert db.execute(select(func.min(schema.events.c.entry))).scalar() == last + 1
        assert db.execute(select(func.count()).select_from(schema.games)).scalar() == 2
    engine.dispose()
