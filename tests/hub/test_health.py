"""The hub says which of its parts does not work, and gives numbers that Prometheus reads."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Engine, event, insert

from companion.hub import schema
from companion.hub import serve as serving
from companion.hub.health import STALE_S, Beat, health, parts_of
from companion.hub.intake import Intake
from companion.hub.key_values import put
from companion.hub.organiser import organiser_code
from companion.hub.serve import Served, Site
from companion.hub.site import create_hub
from companion.hub.validation import TableMessage
from companion.hub.watch import watched
from tests.support.broker import running
from tests.support.client import PATIENCE_S
from tests.support.hub.commands import answer, running_hub, until, workers
from tests.support.hub.stories import Evening
from tests.support.ports import reserved_port

ALL_OK = {"database": "ok", "listener": "ok", "broker": "ok", "judge": "ok"}
ALL_OFF = {"database": "ok", "listener": "off", "broker": "off", "judge": "off"}
SAMPLE = re.compile(r'companion_hub_[a-z_]+(\{[a-z]+="[\w.]+"\})? -?[0-9.e+-]+')


def heard(engine: Engine, tmp_path: Path, name: str, now: datetime | None = None) -> None:
    """Let the hub hear a whole game of this table."""
    evening = Evening(tmp_path / name, name, 1)
    evening.play("galloping-pigs", ("Ada", "Ben"))
    Intake(engine).take(evening.told(), now)
    evening.close()


# --- parts -------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("count", ["1", "2"])
def test_a_real_hub_names_the_part_that_does_not_work(tmp_path: Path, count: str) -> None:
    """Only here: a hub that calls itself well while its real broker or judge is away."""
    port = reserved_port()
    with running(tmp_path) as broker:
        words = ("--workers", count, "--mqtt", f"mqtt://127.0.0.1:{broker.port}")
        with running_hub(tmp_path, port, *words) as hub:

            def says(status: int, **parts: str) -> bool:
                found = answer(port, "/healthz")
                assert found is not None
                told = json.loads(found[1])
                return found[0] == status and told["parts"] == {**ALL_OK, **parts} and told

            well = until(lambda: says(200), "it is not well")
            assert (well["ok"], well["why"]) == (True, None)
            broker.stop()
            away = until(lambda: says(503, broker="away"), "the broker is not missed")
            assert (away["ok"], away["why"]) == (False, "the broker does not answer")
            broker.start()
            until(lambda: says(200), "it is not well again")
            judge = [
                pid for pid in workers(hub.pid) if b"hub.judge" in Path(f"/proc/{pid}/cmdline").read_bytes()
            ]
            os.kill(judge[0], signal.SIGKILL)
            until(lambda: says(503, judge="starting"), "the judge is not missed")
            until(lambda: says(200), "no new judge")
            page = answer(port, "/metrics")
            assert page is not None
            assert 'companion_hub_part_up{part="broker"} 1.0' in page[1]


@pytest.mark.long
def test_a_hub_that_only_serves_is_well(tmp_path: Path) -> None:
    """Only here: a hub without --mqtt that waits for a listener which it does not have."""
    port = reserved_port()
    with running_hub(tmp_path, port):
        found = answer(port, "/healthz")
        assert found is not None
        assert found[0] == 200
        assert json.loads(found[1]) == {"ok": True, "why": None, "parts": ALL_OFF}


def test_a_row_that_is_old_or_of_another_start_of_the_machine_says_nothing(engine: Engine) -> None:
    now = time.monotonic()
    beat = Beat(now, "ok", "away", "off")
    for age, broker in ((0.0, "away"), (STALE_S, "away"), (STALE_S + 1, "stuck"), (-1000.0, "stuck")):
        parts = parts_of(beat, "key", now + age)
        assert (parts.broker, parts.judge) == (broker, "off")
    assert health(engine, "key").why is not None, "the main process has not stored any"
    with engine.begin() as db:
        put(db, "key", msgspec.json.encode(Beat(now, "failing", "ok", "stuck")).decode())
    assert health(engine, "key").why == (
        "the listener cannot store what it hears; the judge shows no sign of life"
    )


def test_a_database_that_hangs_is_said(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it fails: it only never answers, and all threads of the pages wait for it."""
    app = Site(Served(str(engine.url)))
    stuck = threading.Event()
    monkeypatch.setattr(serving, "WATCHED_S", 0.2)
    inside: Engine = app._app.extensions["companion.engine"]
    event.listen(inside, "checkout", lambda *_: stuck.wait(PATIENCE_S))
    sent: list[dict[str, Any]] = []

    async def ask(path: str) -> None:
        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            return {}

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"host", b"localhost")]
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers}
        more = {"client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2), "scheme": "http", "root_path": ""}
        await app({**scope, **more, "http_version": "1.1"}, receive, send)

    async def ask_often() -> None:
        for _ in range(4):
            await ask("/healthz")
        stuck.set()
        await asyncio.to_thread(app._watched.executor.shutdown)

    asyncio.run(ask_often())
    assert [message["status"] for message in sent[::2]] == [503] * 4
    told = json.loads(sent[1]["body"])
    assert told["why"] == "the database does not answer"
    assert told["parts"]["database"] == "away"
    inside.dispose()


# --- numbers -----------------------------------------------------------------------------------------


def numbers(engine: Engine) -> dict[str, float]:
    page = create_hub(engine).test_client().get("/metrics")
    assert page.status_code == 200
    assert page.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert page.headers["Cache-Control"] == "no-store"
    assert page.text.endswith("\n")
    found = {}
    named: set[str] = set()
    for line in page.text.splitlines():
        if line.startswith("# "):
            named.add(line.split()[2])
            continue
        assert SAMPLE.fullmatch(line), line
        assert line.partition(" ")[0].partition("{")[0] in named
        name, _, value = line.rpartition(" ")
        found[name.removeprefix("companion_hub_")] = float(value)
    return found


def test_numbers_of_an_empty_hub(engine: Engine) -> None:
    found = numbers(engine)
    assert found["events_stored"] == found["records_stored"] == found["tables_known"] == 0
    assert found['part_up{part="database"}'] == 1
    assert "newest_message_seconds" not in found


def test_numbers_are_those_of_the_database_and_name_nobody(engine: Engine, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    heard(engine, tmp_path, "window-2", now - timedelta(minutes=5))
    heard(engine, tmp_path, "garden", now)
    with engine.begin() as db:
        for table in (schema.waiting, schema.refused):
            row = {"table": "garden", "at": now, "body": "", "reason": ""}
            db.execute(insert(table).values({key: row[key] for key in row if key in table.c}))
        stored = db.exec_driver_sql("select count(*) from events").scalar()
    found = numbers(engine)
    assert found["events_stored"] == stored
    assert (found["records_stored"], found["records_waiting"], found["messages_refused"]) == (2, 1, 1)
    assert (found["tables_known"], found["tables_present"], found["gaps_total"]) == (2, 2, 0)
    assert found["newest_message_seconds"] == pytest.approx(0, abs=30)
    assert found["oldest_message_seconds"] == pytest.approx(300, abs=30)
    assert found['lag_seconds{quantile="1"}'] == pytest.approx(0, abs=60)
    page = create_hub(engine).test_client().get("/metrics").text
    for name in ("Ada", "Ben", "window-2", "garden"):
        assert name not in page


def test_no_query_of_the_numbers_reads_all_events(engine: Engine, tmp_path: Path) -> None:
    heard(engine, tmp_path, "garden")
    asked: list[tuple[str, Any]] = []

    @event.listens_for(engine, "before_cursor_execute")
    def _(_db: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        asked.append((statement, parameters))

    numbers(engine)
    with engine.connect() as db:
        plans = [
            row[-1]
            for statement, parameters in list(asked)
            if statement.lower().startswith("select")
            for row in db.exec_driver_sql(f"explain query plan {statement}", parameters)
        ]
    of_events = [plan for plan in plans if "events" in plan]
    assert of_events
    assert not [plan for plan in of_events if plan.startswith("SCAN")]


# --- tables ------------------------------------------------------------------------------------------


def test_silent_tables_and_wrong_clocks_are_found(engine: Engine, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    heard(engine, tmp_path, "fine", now)
    heard(engine, tmp_path, "ahead", now - timedelta(minutes=5))
    heard(engine, tmp_path, "late", now + timedelta(hours=2))
    with engine.connect() as db:
        found = {table.name: table for table in watched(db, now)}
    assert {name for name, table in found.items() if table.is_wrong} == {"ahead", "late"}
    assert found["late"].behind_s == pytest.approx(7200, abs=60)
    assert found["ahead"].behind_s == pytest.approx(-300, abs=60)


@pytest.mark.parametrize(
    ("language", "silent", "said"),
    [
        ("en", "silent", ("5 min fast", "2 h slow")),
        ("fr", "muette", ("avance de 5\u00a0min", "retarde de 2\u00a0h")),
        ("de", "stumm", ("geht 5\u00a0min vor", "geht 2\u00a0h nach")),
    ],
)
def test_the_organiser_sees_which_table_is_silent_and_whose_clock_is_wrong(
    engine: Engine, tmp_path: Path, language: str, silent: str, said: tuple[str, ...]
) -> None:
    now = datetime.now(UTC)
    gone = now - timedelta(days=1)
    Intake(engine).take([TableMessage("gone/1", "here", b"gone")], gone)
    for name, at in (
        ("ahead", now - timedelta(minutes=5)),
        ("late", now + timedelta(hours=2)),
        ("fine", now),
    ):
        heard(engine, tmp_path, name, at)
    hub = create_hub(engine).test_client()
    with engine.begin() as db:
        code = organiser_code(db)
    hub.post("/organiser/enter", data={"code": code}, headers={"Origin": "http://localhost"})
    page = hub.get("/organiser", headers={"Accept-Language": language}).text
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', page.split('id="watched"')[1].split("</section>")[0])
    assert [re.findall(r">([^<]+)</a>", row)[0] for row in rows] == ["gone/1", "ahead", "late", "fine"]
    assert [silent in row for row in rows] == [True, False, False, False]
    assert gone.strftime("%Y-%m-%dT%H:%M") in rows[0]
    assert [text in row for text, row in zip(said, rows[1:], strict=False)] == [True, True]
    assert rows[3].endswith("<td>–</td></tr>")
    assert 'href="tables/gone%2F1"' in rows[0]
