"""/healthz, and `companion health` that asks it: 200 while a game can go on, 503 with the reason when it cannot."""

from __future__ import annotations

import http.client
import json
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest
from click.testing import CliRunner, Result

from companion import __version__
from companion.cli import main
from companion.devices.readings import PartIs, PartName, PartState
from companion.match.record import Header
from companion.message import Sentence
from companion.store.file import GONE
from companion.store.journal import Journal
from companion.table.journal_watch import UNWRITTEN_PAUSE
from companion.table.pulse import FRESH, PATIENCE, Pulse
from companion.table.table import Table
from tests.store.test_full_disk import fill, make_room
from tests.support.client import PATIENCE_S
from tests.support.evening import Evening
from tests.web.test_web import Served

NO_PARTS = {"pad": "not there", "track": "not there", "panel": "not there"}


class Answered(NamedTuple):
    """A status, what was said, the headers, and how many seconds it took."""

    status: int
    said: dict[str, Any]
    headers: dict[str, str]
    took: float


def asked(port: int, method: str = "GET") -> Answered:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    began = time.monotonic()
    connection.request(method, "/healthz")
    answer = connection.getresponse()
    body = answer.read()
    took = time.monotonic() - began
    connection.close()
    headers = {name.lower(): value for name, value in answer.getheaders()}
    return Answered(answer.status, json.loads(body) if body else {}, headers, took)


@pytest.fixture
def site(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Yield a table whose every answer is asked for anew."""
    monkeypatch.setattr("companion.table.pulse.FRESH", 0.0)
    served = Served(journal)
    yield served
    served.close()


class Stuck:
    """A listener that holds the table's thread, as a mistake of ours could."""

    def __init__(self, table: Table) -> None:
        self.holds, self._go = threading.Event(), threading.Event()
        table.listeners.append(self._wait)
        table.enqueue(PartIs("pad", "ok"))
        assert self.holds.wait(PATIENCE_S)

    def _wait(self, picture: object) -> None:
        self.holds.set()
        assert self._go.wait(PATIENCE_S)

    def let_go(self) -> None:
        self._go.set()


# --- well ----------------------------------------------------------------------------------------


def test_all_is_well(site: Served) -> None:
    status, said, headers, _ = asked(site.port)
    assert status == 200
    assert said.pop("uptime_s") >= 0
    assert said == {
        "ok": True,
        "why": None,
        "version": __version__,
        "table": "answers",
        "journal": "writable",
        "parts": NO_PARTS,
    }
    assert headers["cache-control"] == "no-store"
    assert "set-cookie" not in headers


def test_head_says_the_same_without_a_body(site: Served) -> None:
    status, said, headers, _ = asked(site.port, "HEAD")
    assert (status, said) == (200, {})
    assert int(headers["content-length"]) > 100


def test_a_part_that_is_lost_is_reported_and_changes_nothing(site: Served) -> None:
    parts: tuple[PartName, ...] = get_args(PartName)
    words: dict[PartState, str] = {"ok": "working", "lost": "lost", "tap": "not there"}
    for part, (state, word) in product(parts, words.items()):
        site.owner.enqueue(PartIs(part, state, Sentence("its cable is out")))
        site.owner.ask(lambda table: None)
        status, said, _, _ = asked(site.port)
        assert (status, said["ok"], said["parts"]) == (200, True, {**NO_PARTS, part: word})


def test_nothing_of_a_game_is_in_it(site: Served) -> None:
    """It has no names, and not even whether a game runs."""
    before = asked(site.port).said
    site.host().begin(seats=("Ada", "Ben"), deal="companion")
    after = asked(site.port).said
    assert {**before, "uptime_s": 0} == {**after, "uptime_s": 0}


# --- the table's thread --------------------------------------------------------------------------


def test_a_thread_that_hangs_is_reported_within_two_seconds_even_if_all_others_wait_for_it(
    site: Served,
) -> None:
    """More taps wait than Flask has threads; a later request is answered at once; then all is well again."""
    stuck = Stuck(site.owner)
    waiting = [threading.Thread(target=lambda: site.get("/host"), daemon=True) for _ in range(6)]
    for tap in waiting:
        tap.start()
    first = asked(site.port)
    assert (first.status, first.said["ok"], first.said["table"], first.said["journal"]) == (
        503,
        False,
        "hangs",
        "unknown",
    )
    assert first.said["why"].startswith("the table's thread has not answered for ")
    assert (first.said["version"], first.said["parts"]["pad"]) == (__version__, "working")
    assert first.took >= PATIENCE / 2, "it was given its time"
    assert site.owner.pulse.latest_answer()[1] == 0, "that has been waited for already"
    assert asked(site.port).status == 503
    assert site.owner._inbox._queue.qsize() <= len(waiting) + 1, "one question for all who ask"
    health = site.owner.pulse.health()
    assert (health.alive, health.table) == (False, "hangs")
    stuck.let_go()
    for tap in waiting:
        tap.join(PATIENCE_S)
    assert asked(site.port).status == 200


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # that is what is tested
def test_a_thread_that_has_ended_is_reported_at_once(site: Served) -> None:
    """The thread ended by an uncaught mistake."""

    def ends(picture: object) -> None:
        raise SystemExit

    site.owner.listeners.append(ends)
    site.owner.enqueue(PartIs("pad", "ok"))
    site.owner._inbox._thread.join(PATIENCE_S)
    status, said, _, _ = asked(site.port)
    assert (status, said["table"], said["journal"]) == (503, "ended", "unknown")
    assert said["why"] == "the table's thread has ended: restart the companion"
    assert not site.owner.pulse.health().alive


def test_an_answer_is_as_good_as_new_for_a_moment(journal: Journal) -> None:
    """A client that asks a thousand times a second does not stop the table from its work."""
    table, now, asked_for = Table(journal).open(), 100.0, []
    pulse = Pulse(table._inbox, lambda: asked_for.append(now), lambda: now)
    for _ in range(1_000):
        assert pulse.health().alive
    assert len(asked_for) == 1
    now += FRESH
    assert pulse.health().alive
    assert len(asked_for) == 2


# --- the journal ---------------------------------------------------------------------------------


def test_a_disk_that_is_full_is_reported_until_there_is_room(tmp_path: Path) -> None:
    """Known from the decision that was not taken; tried again without anybody at the table."""
    evening = Evening(tmp_path, spaces=None)
    evening.line_up()
    pulse = evening.table.pulse

    def health() -> tuple[bool, str, str | None]:
        evening.now += UNWRITTEN_PAUSE
        felt = pulse.health_from(evening.table._inbox.post(pulse._trouble))
        return felt.alive, felt.journal, felt.why

    assert health() == (True, "writable", None)
    fill(evening)
    assert health() == (
        False,
        "unwritable",
        "the journal could not be written, nothing was changed: database or disk is full; "
        "look for space on the disk",
    )
    seq = evening.journal.seq()
    make_room(evening)
    assert health() == (True, "writable", None)
    assert evening.journal.seq() == seq, "nothing was entered for it"


def test_a_disk_without_room_is_reported_before_a_decision_meets_it(
    site: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.store.place.ROOM", 2**70)
    status, said, _, _ = asked(site.port)
    assert (status, said["journal"], "disk is full" in said["why"]) == (503, "unwritable", True)


@pytest.mark.parametrize("name", ["journal.sqlite", "journal.sqlite-wal"])
def test_a_file_that_is_gone_is_reported_until_it_is_written_anew(
    name: str, site: Served, tmp_path: Path
) -> None:
    (tmp_path / name).unlink()
    status, said, _, _ = asked(site.port)
    assert (status, said["table"], said["journal"], said["why"]) == (503, "answers", "gone", GONE)
    site.post("/api/next")
    assert asked(site.port).status == 200


def test_what_does_not_fit_is_no_fault_of_the_disk(journal: Journal) -> None:
    """A tag that is bound twice in one go is refused by the tables; the journal is well."""
    with pytest.raises(sqlite3.IntegrityError):
        journal.bind({"04A1": "galloping-pigs/piece/red", "04A2": "galloping-pigs/piece/red"})
    assert journal.trouble() is None
    journal.begin(Header("galloping-pigs", ("Ada", "Ben")), "people")


# --- the command ---------------------------------------------------------------------------------


def health(port: int) -> Result:
    return CliRunner().invoke(main, ["health", "--port", str(port)], catch_exceptions=False)


def test_the_command_ends_with_0_where_all_is_well(site: Served) -> None:
    ran = health(site.port)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"companion {__version__} works; it has served for ")


def test_the_command_says_why_and_ends_with_1(site: Served, tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").unlink()
    ran = health(site.port)
    assert (ran.exit_code, ran.stderr) == (1, f"Error: {GONE}\n")


OTHERS = [
    # what another program answers; what is said of it
    (b"", "what answers there speaks no HTTP (RemoteDisconnected)"),
    (b"220 mail.example ESMTP\r\n", "what answers there speaks no HTTP (BadStatusLine)"),
    (b"HTTP/1.0 200 OK\r\n\r\n<p>It works!", "what answers there is another program"),
    (b"HTTP/1.0 200 OK\r\n\r\n[1]", "what answers there is another program"),
    (b'HTTP/1.0 200 OK\r\n\r\n{"ok": true}', "what answers there is another program"),
    (b"HTTP/1.0 200 OK\r\n\r\n\xff", "what answers there is another program"),
]


@pytest.mark.parametrize(("answer", "said"), OTHERS, ids=[str(answer) for answer, _ in OTHERS])
def test_another_program_at_that_port_is_no_companion(answer: bytes, said: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            taken, _ = server.accept()
            with taken:
                taken.recv(4096)
                taken.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        port = server.getsockname()[1]
        ran = health(port)
        thread.join()
    assert (ran.exit_code, ran.stderr) == (
        1,
        f"Error: no companion answers at port {port}: {said}; is it running?\n",
    )


def test_a_port_without_a_companion_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    ran = health(port)
    assert (ran.exit_code, ran.stderr) == (
        1,
        f"Error: no companion answers at port {port}: [Errno 111] Connection refused; is it running?\n",
    )
