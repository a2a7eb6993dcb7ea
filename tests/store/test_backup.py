"""Copies: everything for the owner of the machine, what everybody may know for anybody else."""

from __future__ import annotations

import errno
import json
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from bench.years import make
from companion.cli import main
from companion.games.race import random_decision
from companion.http.roles import PIN, SIGNING_KEY
from companion.match.match import Match
from companion.match.record import Header
from companion.store.backup import MADE, WholeCopy, name_for, public, whole, write, write_into
from companion.store.journal import Journal
from companion.store.keys import Key
from companion.store.restore import checked
from companion.table.preferences import Preferences, Switches
from companion.table.table import Table
from companion.web.seat.api import WIFI
from companion.web.seats import HOLDERS, JOIN_CODE
from tests.store.test_damage import contents
from tests.store.test_journal import forget_sums
from tests.store.test_kill import TAPS_ONLY, Tapper
from tests.support.apps import create_app
from tests.support.client import companion

HERE, GUEST = "127.0.0.1", "192.168.1.9"
SETTINGS: Final = 'pad = true  # "as it is"\r\n'


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)


def play_on(table: Table, rng: random.Random, decisions: int = 10_000) -> None:
    """Play the match on the table to its end, or for so many decisions."""
    for _ in range(decisions):
        if (decision := random_decision(table.ledger.running().race, rng)) is None:
            return
        table.ledger.decide(decision, "person")


@pytest.fixture
def evening(tmp_path: Path) -> Table:
    """Return a table with a chart, a game over, one given up after a deal, one set aside and one running."""
    rng, table = random.Random(4), Table(Journal(tmp_path / "journal.sqlite"), dealer=random.Random(4)).open()
    table.journal.bind({"04A1B2C3D4E5F6": "galloping-pigs/card/red/3"})
    for number, game in enumerate(("galloping-pigs", "galloping-horse", "greyhounds", "galloping-pigs"), 1):
        options = {"rounds": 1} if number == 1 else {}
        table.begin(Header(game, ("Ada", "Ben", "Cleo"), 0, options), "companion")
        if number != 1:
            play_on(table, rng, 7)
        else:
            play_on(table, rng)
        if number in (2, 3):
            (table.end if number == 2 else table.set_aside)(table.journal.seq())
    return table


def host(table: Table, settings: Path | None = None) -> FlaskClient:
    """Return the phone of the host, which gave the PIN, entered a board and the Wi-Fi, and holds a seat."""
    client = create_app(table, settings=settings).test_client()
    for method, path, body in (
        ("POST", "/api/unlock", {"pin": "2468", "role": "host"}),
        ("PUT", "/api/wifi", {"name": "Haus am See", "password": "sommerregen"}),
        ("PUT", "/api/charts/greyhounds", None),
    ):
        if body is None:
            body = {"chart": client.get("/api/charts").get_json()["charts"]["greyhounds"]["chart"]}
        answer = client.open(path, method=method, json=body, headers={"Origin": "http://localhost"})
        assert answer.status_code == 200, answer.text
    joined = {"code": client.application.extensions["companion.seats"].code(), "seat": 0}
    answer = client.post("/api/join", json=joined, headers={"Origin": "http://localhost"})
    assert answer.status_code == 200, answer.text
    return client


def downloaded(client: FlaskClient, address: str, **headers: str) -> bytes:
    answer = client.get("/api/backup", environ_overrides={"REMOTE_ADDR": address}, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "application/vnd.sqlite3"
    content: bytes = answer.data
    return content


def journal_in(content: bytes, tmp_path: Path) -> Journal:
    """Return the journal in a copy that was downloaded, checked as before it is put back."""
    file = tmp_path / "copy.sqlite"
    file.write_bytes(content)
    return checked(file).journal


# --- what is in it -------------------------------------------------------------------------------


def test_the_command_copies_everything_while_a_companion_runs_and_is_played(tmp_path: Path) -> None:
    """Each copy is a journal of that moment, and the game goes on meanwhile."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "companion.toml").write_bytes(TAPS_ONLY.encode())
    with companion(data) as running:
        running.client.host().begin(options={"rounds": 100})
        tapper = Tapper(running.client, random.Random(5))
        tapper.start()
        seen = 0
        for number in range(3):
            file = tmp_path / f"{number}.sqlite"
            ran = run("backup", file, "--data", data)
            assert (ran.exit_code, ran.stderr) == (0, "")
            journal = checked(file).journal
            made = journal.recall(MADE)
            assert made is not None
            assert (made.whole, made.settings, journal.recall(PIN) is None) == (True, TAPS_ONLY, False)
            assert journal.seq() >= seen
            seen = running.client.table["seq"]
            while running.client.table["seq"] == seen:
                pass
        running.kill()
        tapper.join()


def test_what_the_host_shows_or_not_goes_with_a_copy_for_the_phone(evening: Table, tmp_path: Path) -> None:
    """Every switch, turned from how it is at first: a copy over the network keeps them all."""
    turned = {name: not on for name, on in Switches()._asdict().items()}
    evening.show(**turned)
    journal = journal_in(downloaded(host(evening), GUEST), tmp_path)
    assert Preferences(journal).switches == Switches(**turned)


def test_on_the_machine_itself_all_of_it_is_given_out(evening: Table, tmp_path: Path) -> None:
    settings = tmp_path / "companion.toml"
    settings.write_bytes(SETTINGS.encode())
    journal = journal_in(downloaded(host(evening, settings), HERE), tmp_path)
    assert contents(journal) == contents(evening.journal)
    keys: list[Key[Any]] = [PIN, SIGNING_KEY, HOLDERS, JOIN_CODE, WIFI]
    for key in keys:
        assert journal.recall(key) == evening.journal.recall(key) != key.default
    made = journal.recall(MADE)
    assert made is not None
    assert made.settings == SETTINGS, "as it is, to the byte"


@pytest.mark.parametrize(
    ("address", "headers"),
    [(GUEST, {}), (HERE, {"X-Forwarded-For": GUEST}), (HERE, {"Forwarded": f"for={GUEST}"}), (HERE, {"Via": "1.1 house"})],
    ids=["another device", "passed on", "passed on in short", "through a proxy"],
)  # fmt: skip
def test_anywhere_else_nothing_of_a_game_that_goes_on_and_nothing_that_opens_it(
    evening: Table, tmp_path: Path, address: str, headers: dict[str, str]
) -> None:
    """That holds also for the host's phone: neither as a row nor as bytes that are left in the file."""
    content = downloaded(host(evening), address, **headers)
    journal = journal_in(content, tmp_path)
    assert [(filed.id, filed.state) for filed in reversed(journal.matches())] == [(1, "played"), (2, "ended")]
    assert journal.tags() == evening.journal.tags()
    assert {"chart greyhounds", "copy"} <= set(journal.names())
    pin, key = evening.journal.recall(PIN), evening.journal.recall(SIGNING_KEY)
    assert pin is not None
    assert key is not None
    code = evening.journal.recall(JOIN_CODE)
    held = evening.journal.recall(HOLDERS).values()
    for secret in (pin.salt, pin.hash, key, *held, "sommerregen", f'"{code}"'):
        assert secret.encode() not in content
    for number in (3, 4):
        for entry in evening.journal.entries(number)[1:]:
            assert json.dumps(entry.line).encode() not in content or entry.line in open_lines(evening)


def open_lines(table: Table) -> list[Any]:
    """Return what was decided in the game that everybody may read."""
    return [entry.line for entry in table.journal.entries(1)]


def test_games_that_are_over_are_read_from_a_copy_as_they_were(evening: Table, tmp_path: Path) -> None:
    """Record, history and who leads; a game that was given up ends where its record does."""
    client = host(evening)
    again = create_app(Table(journal_in(downloaded(client, GUEST), tmp_path)).open()).test_client()
    for path in ("/api/matches/1/record", "/api/matches/2/record", "/api/leaderboard", "/api/charts"):
        assert again.get(path).data == client.get(path).data
    one, other = (c.get("/api/history/1").get_json() for c in (client, again))
    for game in (one, other):
        for moment in game["moments"]:
            moment.pop("seq", None)  # entries are numbered anew
    assert one == other


def test_a_game_that_was_given_up_has_none_of_its_hands(evening: Table, tmp_path: Path) -> None:
    journal = journal_in(downloaded(host(evening), GUEST), tmp_path)
    race = Match.of(journal.match(2), journal.entries(2)).race
    assert race == race.seen_by(None)
    was = evening.journal
    assert (closed := Match.of(was.match(2), was.entries(2)).race) != closed.seen_by(None)


def test_the_name_of_the_file_says_the_day(evening: Table) -> None:
    answer = host(evening).get("/api/backup", environ_overrides={"REMOTE_ADDR": GUEST})
    assert answer.headers["Cache-Control"] == "no-store"
    name = answer.headers["Content-Disposition"]
    assert name.startswith('attachment; filename="race-companion-2')
    assert name.endswith('.sqlite"')


# --- where it cannot be made ---------------------------------------------------------------------


def test_a_journal_that_is_damaged_is_not_copied(evening: Table, tmp_path: Path) -> None:
    """So no night replaces good copies by a bad one."""
    client = host(evening)
    evening.journal._db.execute("update entries set line = '{}' where seq = 3")
    answer = client.get("/api/backup")
    assert answer.status_code == 409
    assert "1 rows of entries are not as they were written" in answer.get_json()["reason"]
    copies = tmp_path / "copies"
    copies.mkdir()
    ran = run("backup", "--into", copies, "--data", tmp_path)
    assert ran.exit_code == 1
    assert ran.stderr.startswith("Error: no copy was made: the journal ")
    assert list(copies.iterdir()) == []


REFUSED: list[tuple[list[str], int, str]] = [
    # the command; its status; what it says
    (["backup"], 2, "name a FILE, or a directory with --into"),
    (["backup", "{}/copy", "--into", "{}"], 2, "name a FILE, or a directory with --into"),
    (["backup", "{}/copy", "--data", "{}/nowhere"], 1, "no copy was made: there is no journal at"),
    (["backup", "{}/there"], 1, "is there already: name another file"),
    (["backup", "{}/nowhere/copy"], 1, "cannot be written: No such file or directory"),
    (["backup", "--into", "{}/stick"], 1, "is its medium plugged in and mounted?"),
    (["backup", "{}/copy", "--settings", "{}/latin"], 1, "is not UTF-8 text"),
]


@pytest.mark.parametrize(("command", "status", "said"), REFUSED, ids=[said for _, _, said in REFUSED])
def test_a_copy_that_cannot_be_made_says_why(
    command: list[str], status: int, said: str, tmp_path: Path
) -> None:
    Journal(tmp_path / "journal.sqlite").close()
    (tmp_path / "there").write_text("mine")
    (tmp_path / "latin").write_bytes(b"# \xe9")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    filled = [argument.format(tmp_path) for argument in command]
    ran = run(*filled, *([] if "--data" in filled else ["--data", str(tmp_path)]))
    assert (ran.exit_code, said in ran.stderr) == (status, True), ran.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_copy_of_everything_is_not_made_in_memory(
    evening: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Years of games are more than a Pi has free; the copy is the same, byte for byte but its date."""
    at(monkeypatch, 1)
    wanted = whole(evening.journal.copy(), None)
    monkeypatch.setattr(Journal, "content", pytest.fail)
    copied = WholeCopy(tmp_path / "journal.sqlite", None)
    write(copied, tmp_path / "copy.sqlite")
    monkeypatch.undo()
    assert (tmp_path / "copy.sqlite").read_bytes()[:18] == wanted[:18]
    assert (tmp_path / "copy.sqlite").stat().st_mode & 0o777 == 0o600
    made, other = (checked(file).journal for file in (tmp_path / "copy.sqlite", saved(tmp_path, wanted)))
    assert contents(made) == contents(other)
    assert made.recall(MADE) == other.recall(MADE)
    assert copied.games == len(made.matches())


def saved(directory: Path, content: bytes) -> Path:
    (directory / "other.sqlite").write_bytes(content)
    return directory / "other.sqlite"


def test_the_public_part_of_a_game_without_corrections_is_what_playing_it_gives(tmp_path: Path) -> None:
    """The record of each game in the public copy is that of the journal."""
    make(tmp_path / "journal.sqlite", 12)
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        copied = checked(saved(tmp_path, public(journal.copy(), None, lambda name: False))).journal
        for filed in journal.matches():
            played, again = (Match.of(filed, one.entries(filed.id)) for one in (journal, copied))
            assert played.decisions() == again.decisions()
            assert [turn.by for turn in played.turns] == [turn.by for turn in again.turns]


# --- dated files in a directory ------------------------------------------------------------------


def at(monkeypatch: pytest.MonkeyPatch, day: int) -> None:
    monkeypatch.setattr("companion.store.backup.now", lambda: f"2026-11-{day:02}T03:00:00+00:00")


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_the_newest_so_many_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other file there is touched, except the rest of an interrupted night."""
    (tmp_path / "race-companion.sqlite").touch()
    (tmp_path / ".race-companion-20261101-030000.sqlite.part").touch()
    for day in range(1, 7):
        at(monkeypatch, day)
        file, gone = write_into(b"%d" % day, tmp_path, keep=3)
        assert [path.name for path in gone] == ([name_for(f"2026-11-0{day - 3}T03:00:00")] if day > 3 else [])
    assert file.read_bytes() == b"6"
    assert file.stat().st_mode & 0o777 == 0o600
    dated = [name_for(f"2026-11-0{day}T03:00:00") for day in (4, 5, 6)]
    assert names(tmp_path) == [*dated, "race-companion.sqlite"]


def test_a_clock_that_was_set_back_does_not_take_the_new_copy_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day in (8, 9, 10, 1):
        at(monkeypatch, day)
        file, _ = write_into(b"", tmp_path, keep=2)
    assert names(tmp_path) == [file.name, name_for("2026-11-10T03:00:00")]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_where_there_is_no_room_the_copies_that_are_there_stay(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, stick = tmp_path / "data", tmp_path / "stick"
    for directory in (data, stick):
        directory.mkdir()
    Journal(data / "journal.sqlite").close()
    at(monkeypatch, 1)
    assert run("backup", "--into", stick, "--data", data, "--keep", "1").exit_code == 0
    at(monkeypatch, 2)

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os if call == "fsync" else Path, call, full)
    ran = run("backup", "--into", stick, "--data", data, "--keep", "1")
    monkeypatch.undo()
    assert ran.exit_code == 1
    assert f"there is no room in {stick} for its 1 MB; the copies that are there stay" in ran.stderr
    assert names(stick) == [name_for("2026-11-01T03:00:00")]


def test_a_journal_of_an_earlier_version_is_copied_as_it_would_be_opened(tmp_path: Path) -> None:
    """The night comes before the companion has started anew: the file itself stays as it is."""
    file = tmp_path / "journal.sqlite"
    with closing(Journal(file)) as journal:
        journal.begin(Header("galloping-pigs", ("Ada", "Ben")), "people")
    with closing(sqlite3.connect(file)) as older:
        forget_sums(older)
    assert run("backup", tmp_path / "copy", "--data", tmp_path).exit_code == 0
    assert [filed.id for filed in checked(tmp_path / "copy").journal.matches()] == [1]
    with closing(sqlite3.connect(file)) as older:
        assert older.execute("pragma user_version").fetchone() == (1,)
