"""The journal: one file that survives power cuts, in which nothing is ever changed or taken out."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from companion.errors import ConflictError
from companion.games.race import random_decision
from companion.http.roles import PIN
from companion.match.entries import Entry
from companion.match.match import Match
from companion.match.record import Header, decision_line, replayed
from companion.store import schema
from companion.store.file import JournalError
from companion.store.journal import Journal
from companion.store.keys import Key
from companion.store.schema import STEPS
from companion.table.preferences import PEOPLE
from companion.table.table import Table

PIGS = ["red", "blue", "green", "yellow", "pink"]
HEADER = Header("galloping-pigs", ("Ada", "Ben"), 0, {"rounds": 1})
LINE_UP = {"do": "line-up", "seat": 0, "order": PIGS}
RED = {"do": "play", "seat": 0, "card": "red"}


def pragma(journal: Journal, name: str) -> Any:
    return journal._db.execute(f"pragma {name}").fetchone()[0]


def match_of(journal: Journal, number: int = 1) -> Match:
    return Match.of(journal.match(number), journal.entries(number))


# --- the file ------------------------------------------------------------------------------------


def test_every_write_is_on_the_disk_when_it_returns(journal: Journal) -> None:
    """WAL with synchronous=FULL, as SQLite itself says it, also in a journal that is opened again."""
    path = pragma_path(journal)
    for opened in (journal, Journal(path)):
        assert pragma(opened, "journal_mode") == "wal"
        assert pragma(opened, "synchronous") == 2, "FULL"
        assert pragma(opened, "foreign_keys") == 1
        assert not opened._db.in_transaction
        if opened is not journal:
            opened.close()


def pragma_path(journal: Journal) -> Path:
    return Path(journal._db.execute("pragma database_list").fetchone()[2])


def test_a_write_leaves_no_transaction_open(journal: Journal) -> None:
    """A call that returned is committed: another reader of the file sees it at once."""
    number = journal.begin(HEADER, "people", ())[0].id
    journal.append(number, [Entry("decide", LINE_UP)])
    journal.bind({"04A1B2C3D4E5F6": "galloping-pigs/card/red/3"})
    journal.remember(Key("a", int, 0), 1)
    with closing(sqlite3.connect(pragma_path(journal))) as other:
        for table, rows in (("matches", 1), ("entries", 2), ("tags", 1), ("kept", 2)):
            assert other.execute(f"select count(*) from {table}").fetchone() == (rows,)


def test_a_journal_from_before_opens_again(tmp_path: Path) -> None:
    """Everything is there as it was: entries with their tags, matches, tags, stored values."""
    path = tmp_path / "journal.sqlite"
    with closing(Journal(path)) as journal:
        number = journal.begin(Header("galloping-pigs", ("Zoë", "🐷"), 1, {"food": 9}), "people", ("red",))[
            0
        ].id
        journal.append(
            number, [Entry("decide", LINE_UP, ("04A1B2C3D4E5F6", "11223344"), "tag"), Entry("undo")]
        )
        journal.bind({"04A1B2C3D4E5F6": "galloping-pigs/piece/red"})
        journal.remember(PEOPLE, ["Zoë"])
        before = contents(journal, number)
    with closing(Journal(path)) as journal:
        assert contents(journal, number) == before
        assert journal.match(number).header == Header("galloping-pigs", ("Zoë", "🐷"), 1, {"food": 9})
        entry = journal.entries(number)[1]
        assert entry == Entry("decide", LINE_UP, ("04A1B2C3D4E5F6", "11223344"), "tag", 2)
        assert journal.append(number, [Entry("redo")])[0].seq == 4


def contents(journal: Journal, number: int) -> list[Any]:
    """Return everything that a journal contains."""
    return [
        journal.seq(), journal.matches(), journal.current(), journal.entries(number), journal.tags(),
        journal.recall(PEOPLE), journal.recent_tags(),
    ]  # fmt: skip


def test_a_file_that_is_no_journal_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "diary").write_text("dear diary, today I met somebody who plays with pigs\n" * 20)
    (tmp_path / "directory").mkdir()
    for name in ("diary", "directory", "missing/journal.sqlite"):
        with pytest.raises(
            JournalError, match=rf"the journal .*{name} cannot be used: .*; name another with --data"
        ):
            Journal(tmp_path / name)
    assert (tmp_path / "diary").read_text().startswith("dear diary")


# --- seq -----------------------------------------------------------------------------------------


def any_deed(table: Table, rng: random.Random) -> Callable[[], object]:
    """Return something that a person may do now; much of it is refused."""
    seq = table.snapshot.seq
    deeds: list[Callable[[], object]] = [
        lambda: table.begin(HEADER),
        lambda: table.play.undo(seq),
        lambda: table.play.redo(seq),
        lambda: table.set_aside(seq),
        lambda: table.end(seq),
        lambda: table.resume(rng.randint(1, 3)),
        lambda: table.play.decide(seq, {"do": "play", "seat": rng.randint(0, 1), "card": rng.choice(PIGS)}),
        lambda: table.play.decide(seq, LINE_UP),
    ]
    weights = [3, 5, 3, 1, 1, 3, 60, 20]
    return rng.choices(deeds, weights)[0]


@pytest.mark.parametrize("seed", range(6))
def test_seq_never_falls_and_the_fold_is_the_table(seed: int, tmp_path: Path) -> None:
    """After any deed, refused or cut off, numbers rise by what was written, and the journal has it all."""
    path, rng, last = tmp_path / "journal.sqlite", random.Random(seed), 0
    journal = Journal(path)
    table = Table(journal).open()
    for _ in range(150):
        before = len(rows(journal))
        with suppress(ConflictError):
            any_deed(table, rng)()
        written = len(rows(journal)) - before
        assert journal.seq() == last + written
        assert table.snapshot.seq == journal.seq()
        last = journal.seq()
        if rng.random() < 0.1:
            journal.close()
            journal = Journal(path)
            was, table = table, Table(journal).open()
            assert same(was.match, table.match)
            assert table.snapshot.seq == last
    assert [seq for (seq,) in rows(journal)] == list(range(1, last + 1)), "nothing is taken out"
    for filed in journal.matches():
        Match.of(filed, journal.entries(filed.id))
    journal.close()


def rows(journal: Journal) -> list[tuple[int]]:
    return journal._db.execute("select seq from entries order by seq").fetchall()


def same(one: Match | None, other: Match | None) -> bool:
    """Return whether two matches are the same in all that matters after a restart."""
    if one is None or other is None:
        return one is other
    mine, yours = ((m.id, m.turns, m.undone, m.seq, m.race, m.due_since, m.undone_at) for m in (one, other))
    return mine == yours


def test_seq_goes_on_over_matches(journal: Journal) -> None:
    """One number for the whole journal: a page of the last game never mistakes it for the new one."""
    table = Table(journal).open()
    table.begin(HEADER)
    table.play.decide(1, LINE_UP)
    table.end(table.snapshot.seq)
    ended = table.snapshot.seq
    table.begin(HEADER)
    assert table.snapshot.seq == ended + 1
    with pytest.raises(ConflictError, match="the table has changed meanwhile"):
        table.play.decide(1, LINE_UP)
    table.set_aside(table.snapshot.seq)
    table.resume(2)
    with pytest.raises(ConflictError, match="the table has changed meanwhile"):
        table.play.decide(ended + 1, LINE_UP)
    table.play.decide(table.snapshot.seq, LINE_UP)


# --- all or nothing ------------------------------------------------------------------------------


def test_entries_are_written_together_or_not_at_all(journal: Journal) -> None:
    """If the second of three cannot be written, neither is the first, and the next write works."""
    number = journal.begin(HEADER, "people", ())[0].id
    bad = Entry("decide", {"what": object()})
    with pytest.raises(TypeError):
        journal.append(number, [Entry("decide", LINE_UP), bad, Entry("undo")], "ended")
    assert journal.seq() == 1
    assert journal.match(number).state == "running"
    assert [entry.seq for entry in journal.append(number, [Entry("decide", LINE_UP)])] == [2]


def test_tags_are_learnt_together_or_not_at_all(journal: Journal) -> None:
    journal.bind({"04A1B2C3D4E5F6": "galloping-pigs/piece/red"})
    with pytest.raises(sqlite3.Error):
        journal.bind({"04A1B2C3D4E5F7": "galloping-pigs/piece/red", "04": object()})  # type: ignore[dict-item]
    assert journal.tags() == {"04A1B2C3D4E5F6": "galloping-pigs/piece/red"}


def full(journal: Journal) -> None:
    """Leave no free page on this disk."""
    journal._db.execute(f"pragma max_page_count = {pragma(journal, 'page_count')}")


def test_a_full_disk_changes_nothing_and_the_game_goes_on_when_there_is_space(journal: Journal) -> None:
    """A write that failed changed nothing: same picture, same journal, and the next tap works again."""
    table = Table(journal).open()
    table.begin(Header("galloping-pigs", ("Ada", "Ben"), 0, {"rounds": 100}))
    table.play.decide(1, LINE_UP)
    full(journal)
    rng = random.Random(0)
    before: Any = None
    with suppress(sqlite3.OperationalError):
        for _ in range(2000):
            before = table.snapshot, table.match, rows(journal)
            tap(table, rng)
        pytest.fail("the disk was never full")
    assert (table.snapshot, table.match, rows(journal)) == before
    for way in (table.play.undo, table.end, table.set_aside):
        seq = table.snapshot.seq
        with suppress(sqlite3.OperationalError):
            way(seq)  # an undo may just fit
        assert same(table.match, match_of(journal)) or journal.current() is None
        if table.match is None:
            break
    journal._db.execute("pragma max_page_count = 1000000")
    if table.match is not None:
        tap(table, rng)
        assert same(table.match, match_of(journal))


def test_a_match_that_cannot_be_written_as_resumed_stays_aside(journal: Journal) -> None:
    """No game is begun either of which the disk knows nothing."""
    table = Table(journal).open()
    table.begin(HEADER)
    table.play.decide(1, LINE_UP)
    table.set_aside(table.snapshot.seq)
    full(journal)
    with suppress(sqlite3.OperationalError):
        for _ in range(1000):
            journal.append(1, [Entry("aside")], "aside")
    picture = table.snapshot
    for way in (lambda: table.resume(1), lambda: table.begin(HEADER)):
        with pytest.raises(sqlite3.OperationalError, match="full"):
            way()
        table.evaluate()
        assert table.match is None
        assert table.snapshot.match is None
        assert states(table) == "aside"
    assert picture.match is None


def tap(table: Table, rng: random.Random) -> None:
    assert table.match is not None
    decision = random_decision(table.match.race, rng)
    assert decision is not None
    table.play.decide(table.snapshot.seq, decision_line(table.match.race, decision))


def test_a_torn_end_of_the_file_costs_no_earlier_decision_and_swallows_no_later_one(tmp_path: Path) -> None:
    """A power cut may tear the log anywhere: whole transactions are left, and the next write is stored."""
    source = tmp_path / "journal.sqlite"
    with closing(Journal(source)) as journal:
        table = Table(journal).open()
        table.begin(HEADER)
        table.play.decide(1, LINE_UP)
        sizes = [len(rows(journal))]
        for _ in range(5):
            tap(table, random.Random(1))
            sizes.append(len(rows(journal)))
        log = (tmp_path / "journal.sqlite-wal").read_bytes()
        seen = set()
        for cut in [*range(0, len(log), 1024 + 7), len(log) - 1, len(log)]:
            torn = tmp_path / f"torn-{cut}"
            torn.mkdir()
            shutil.copy(source, torn)
            rubbish = random.Random(cut).randbytes(min(700, len(log) - cut))
            (torn / "journal.sqlite-wal").write_bytes(log[:cut] + rubbish)
            seen.add(entries_after(torn / "journal.sqlite"))
    assert seen >= set(sizes), "cuts came after every decision"
    assert seen <= {0, 1, *sizes}, "the line-up and the deal that follows it are one"


def entries_after(path: Path) -> int:
    """Return how many entries a torn journal still has; and assert that it takes a new one and stores it."""
    with closing(Journal(path)) as journal:
        entries = len(rows(journal))
        if journal.current() is not None:
            match_of(journal)
        Table(journal).open().begin(HEADER) if journal.current() is None else Table(journal).open().end(
            journal.seq()
        )
    with closing(Journal(path)) as journal:
        assert len(rows(journal)) == entries + 1
        assert pragma(journal, "integrity_check") == "ok"
    return entries


# --- undo and redo -------------------------------------------------------------------------------


def test_undo_and_redo_are_entries_that_fold(journal: Journal) -> None:
    """Nothing is deleted: the fold of decide, undo and redo is the decisions in force."""
    number = journal.begin(HEADER, "people", ())[0].id
    deal = Entry("decide", {"do": "deal", "hands": None}, by="companion")
    blue = Entry("decide", {"do": "play", "seat": 1, "card": "blue"}, ("04",), "tag")
    kinds = [
        # what is written, the decisions in force then
        ([Entry("decide", LINE_UP), deal], "line-up deal"),
        ([Entry("decide", RED)], "line-up deal play"),
        ([blue], "line-up deal play play"),
        ([Entry("undo")], "line-up deal play"),
        ([Entry("undo")], "line-up deal"),
        ([Entry("undo")], ""),
        ([Entry("redo")], "line-up deal"),
        ([Entry("redo"), Entry("redo")], "line-up deal play play"),
        (
            [Entry("undo"), Entry("decide", {"do": "play", "seat": 1, "card": "pink"})],
            "line-up deal play play",
        ),
    ]
    for entries, in_force in kinds:
        journal.append(number, entries)
        assert " ".join(d.do for d in match_of(journal).decisions()) == in_force
    assert match_of(journal).decisions()[-1].what == "pink"
    assert match_of(journal).undone == (), "a decision after an undo leaves nothing to put back"
    assert len(journal.entries(number)) == 13
    assert match_of(journal).seq == journal.seq()


def test_what_was_put_back_keeps_its_tags(journal: Journal) -> None:
    """A card that was undone and redone is still the card that lay there."""
    number = journal.begin(HEADER, "people", ())[0].id
    journal.append(
        number, [Entry("decide", LINE_UP), Entry("decide", {"do": "deal", "hands": None}, by="companion")]
    )
    journal.append(number, [Entry("decide", RED, ("04",), "tag"), Entry("undo"), Entry("redo")])
    turn = match_of(journal).turns[-1]
    assert (turn.uids, turn.by, turn.seq) == (("04",), "tag", 4)
    assert journal.recent_tags() == {"04"}


# --- the states of a match -----------------------------------------------------------------------


def states(table: Table) -> str:
    """Return the states of all matches, the oldest first."""
    return " ".join(filed.state for filed in reversed(table.journal.matches()))


def play_to_the_end(table: Table) -> None:
    rng = random.Random(1)
    while table.match is not None and not table.match.finished:
        tap(table, rng)


def test_a_match_runs_is_finished_and_then_played(journal: Journal) -> None:
    """Finished it stays on the table; the next one takes its place; nothing on the table is shown as running."""
    table = Table(journal).open()
    table.begin(HEADER)
    assert states(table) == "running"
    play_to_the_end(table)
    assert states(table) == "finished"
    assert journal.current() == journal.match(1)
    assert [s["score"] for s in journal.match(1).standings] == [s.score for s in table.match.race.standings()]  # type: ignore[union-attr]
    table.begin(HEADER)
    assert states(table) == "played running"
    assert journal.current() == journal.match(2)


def test_a_match_set_aside_comes_back_as_it_was(journal: Journal) -> None:
    table = Table(journal).open()
    table.begin(HEADER)
    table.play.decide(1, LINE_UP)
    table.play.decide(table.snapshot.seq, RED)
    assert table.match is not None
    turns = table.match.turns
    table.set_aside(table.snapshot.seq)
    assert states(table) == "aside"
    assert journal.current() is None
    table.begin(HEADER)
    with pytest.raises(ConflictError, match="a game is running"):
        table.resume(1)
    play_to_the_end(table)
    table.resume(1)
    assert states(table) == "running played"
    assert table.match.turns == turns
    table.play.undo(table.snapshot.seq)
    assert [d.do for d in table.match.decisions()] == ["line-up", "deal"]


def test_an_ended_match_never_comes_back_and_gives_its_record(journal: Journal) -> None:
    table = Table(journal).open()
    table.begin(HEADER)
    table.play.decide(1, LINE_UP)
    for state in ("running", "aside"):
        with pytest.raises(ConflictError, match="the record of a game is given out when it has ended"):
            table.archive.record(1)
        if state == "running":
            table.set_aside(table.snapshot.seq)
    table.resume(1)
    table.end(table.snapshot.seq)
    assert table.match is None
    assert states(table) == "ended"
    with pytest.raises(ConflictError, match="only a game that was set aside can be resumed"):
        table.resume(1)
    replay = replayed(table.archive.record(1).encode())
    assert [d.do for d in replay.decisions] == ["line-up", "deal"]


def test_finished_and_played_matches_give_their_record(journal: Journal) -> None:
    table = Table(journal).open()
    table.begin(HEADER)
    play_to_the_end(table)
    finished = table.archive.record(1)
    assert replayed(finished.encode()).answer()["finished"]
    table.begin(HEADER)
    assert table.archive.record(1) == finished
    with pytest.raises(ConflictError, match="there is no such game"):
        table.archive.record(3)


def test_a_finished_match_is_not_set_aside_but_may_be_ended(journal: Journal) -> None:
    table = Table(journal).open()
    table.begin(HEADER)
    play_to_the_end(table)
    with pytest.raises(ConflictError, match="the game is finished"):
        table.set_aside(table.snapshot.seq)
    table.end(table.snapshot.seq)
    assert states(table) == "ended"
    assert journal.current() is None


@pytest.mark.parametrize("state", ["running", "finished", "played", "aside", "ended"])
def test_a_restart_finds_the_table_as_it_was_left(state: str, tmp_path: Path) -> None:
    """Running and finished matches lie on the table again; the others do not."""
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        table = Table(journal).open()
        table.begin(HEADER)
        table.play.decide(1, LINE_UP)
        if state in ("finished", "played"):
            play_to_the_end(table)
        if state == "played":
            table.begin(HEADER)
            table.end(table.snapshot.seq)
        if state == "aside":
            table.set_aside(table.snapshot.seq)
        if state == "ended":
            table.end(table.snapshot.seq)
        before, match = table.snapshot.seq, table.match
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        table = Table(journal).open()
        assert journal.match(1).state == state
        assert (table.match is not None) == (state in ("running", "finished"))
        assert same(table.match, match)
        assert table.snapshot.seq == before


# --- small things --------------------------------------------------------------------------------


def test_small_values_are_stored_under_their_keys(journal: Journal) -> None:
    anything: Key[Any] = Key("thing", Any, "nothing yet")
    assert journal.recall(anything) == "nothing yet"
    for value in (["Ada"], {"a": [1, None, True]}, "ü\u2028", 0):
        journal.remember(anything, value)
        assert journal.recall(anything) == value
    journal.remember(anything, None)
    assert journal.recall(anything) == "nothing yet"


def test_a_value_of_another_type_is_refused_not_ignored(journal: Journal) -> None:
    """A PIN that cannot be read must not leave the house open."""
    other: Key[Any] = Key("pin", Any, None)
    journal.remember(other, ["1234"])
    with pytest.raises(JournalError, match="keeps as 'pin' cannot be used"):
        journal.recall(PIN)


def test_a_match_that_there_is_not_is_a_key_error(journal: Journal) -> None:
    for number in (1, 2**63):  # the second one is more than the file could hold
        with pytest.raises(KeyError, match=str(number)):
            journal.match(number)
    assert journal.entries(1) == []
    with pytest.raises(sqlite3.IntegrityError):
        journal.append(1, [Entry("undo")])


def forget_sums(db: sqlite3.Connection) -> None:
    """Make the journal one from before its rows had sums."""
    for table in ("matches", "entries", "found_out", "tags", "kept"):
        db.execute(f"alter table {table} drop column sum")
    db.execute("alter table matches drop column end_sum")
    db.execute("delete from kept where key = 'commits'")
    db.commit()
    db.execute("pragma user_version = 1")


def test_a_journal_of_an_earlier_version_is_read_on(tmp_path: Path) -> None:
    """Before animals had names a match had no place for them: its games are there, and new ones have names."""
    path = tmp_path / "journal.sqlite"
    with closing(Journal(path)) as journal:
        journal.begin(HEADER, "people")
    with closing(sqlite3.connect(path)) as older:
        for column in ("nicknames", "bots", "name"):
            older.execute(f"alter table matches drop column {column}")
        forget_sums(older)
        older.execute("pragma user_version = 0")
    with closing(Journal(path)) as journal:
        assert pragma(journal, "user_version") == len(STEPS)
        older_match = journal.match(1)
        assert (older_match.nicknames, older_match.bots, older_match.name) == ({}, (), "")
        filed, _ = journal.begin(HEADER, "people", nicknames={"red": "Not Yet"})
        assert filed.nicknames == {"red": "Not Yet"}


def test_a_journal_of_a_later_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with closing(Journal(path)) as journal:
        journal.begin(HEADER, "people")
    with closing(sqlite3.connect(path)) as later:
        later.execute(f"pragma user_version = {len(STEPS) + 1}")
    with pytest.raises(JournalError, match="written by a later version of the companion: update this one"):
        Journal(path)
    with closing(sqlite3.connect(path)) as later:
        assert later.execute("pragma user_version").fetchone() == (len(STEPS) + 1,)
        assert later.execute("select count(*) from matches").fetchone() == (1,)


def test_a_step_that_fails_leaves_the_tables_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.sqlite"
    Journal(path).close()

    def half(db: sqlite3.Connection) -> None:
        db.execute("create table half (a)")
        db.execute("nonsense")

    monkeypatch.setattr(schema, "STEPS", (*STEPS, half))
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(path)
    monkeypatch.undo()
    with closing(Journal(path)) as journal:
        assert pragma(journal, "user_version") == len(STEPS)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("select count(*) from sqlite_master where name = 'half'").fetchone() == (0,)


def test_another_reader_sees_what_is_committed_and_nothing_else(journal: Journal) -> None:
    """In order, over matches, as each is filed now; what is just being written is not there yet."""
    table = Table(journal).open()
    for seed in range(2):
        table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion")
        rng = random.Random(seed)
        for _ in range(3):
            tap(table, rng)
        table.end(journal.seq())
    whole = [
        (filed.id, entry) for filed in reversed(journal.matches()) for entry in journal.entries(filed.id)
    ]
    later = journal.entries_after(0, 100)
    assert [(one.filed.id, one.entry) for one in later] == whole
    assert [one.entry.seq for one in journal.entries_after(3, 2)] == [4, 5]
    assert later[-1].filed == journal.match(2)
    first = journal.entries(2)[0].seq
    assert journal.entries_before(2, first + 2) == journal.entries(2)[:2]
    with suppress(InterruptedError), journal._commit():
        journal._insert(2, Entry("trust"))
        assert len(journal.entries_after(0, 100)) == len(whole)
        raise InterruptedError


def test_a_value_goes_along_with_the_next_commit(tmp_path: Path) -> None:
    """It does not go before, for no caller waits for it; any next commit takes it along."""
    path, key = tmp_path / "journal.sqlite", Key("along", int, 0)
    with closing(Journal(path)) as journal:
        journal.remember_with_next_commit(key, 7)
        journal.remember_with_next_commit(key, 8)
        assert journal.recall(key) == 0
        journal.remember(Key("other", int, 0), 1)
        assert journal.recall(key) == 8
    with closing(Journal(path)) as journal:
        assert journal.recall(key) == 8
