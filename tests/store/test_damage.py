"""A journal that is not as it was written: what can be trusted is saved, the rest is said, nothing is believed."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.games.race import random_decision
from companion.match.entries import Entry, Filed
from companion.match.match import Match
from companion.match.record import Header
from companion.store import place
from companion.store.checksums import SUMMED
from companion.store.file import DamagedError, JournalError
from companion.store.journal import Journal
from companion.store.salvage import open_journal
from companion.store.schema import STEPS
from companion.store.unsummed import fits
from companion.table.preferences import PEOPLE
from companion.table.table import Table
from tests.store.test_journal import forget_sums

GAMES = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")
PAGE = 4096


class Contents(NamedTuple):
    """Everything that a journal has of games and tags."""

    seq: int
    games: Mapping[int, tuple[Filed, Sequence[Entry]]]
    tags: Mapping[str, str]
    people: list[str]


def contents(journal: Journal) -> Contents:
    games = {filed.id: (filed, journal.entries(filed.id)) for filed in journal.matches()}
    return Contents(journal.seq(), games, journal.tags(), journal.recall(PEOPLE))


def played(directory: Path) -> Journal:
    """Return a journal, partly in `-wal`: games of three, one set aside, two over, one runs; known tags."""
    rng, journal = random.Random(8), Journal(directory / "journal.sqlite")
    table = Table(journal, dealer=random.Random(8)).open()
    journal.bind({f"04{number:012X}": f"galloping-pigs/card/red/{number}" for number in range(60)})
    for name in GAMES:
        if name == GAMES[-1]:
            journal._db.execute("pragma wal_checkpoint(truncate)")
        header = Header(name, ("Ada", "Ben", "Cleo"), 0, {})
        table.begin(header)
        table.preferences.remember_game({"seats": [*header.seats, name]})
        for _ in range(60):
            if (decision := random_decision(table.ledger.running().race, rng)) is None:
                break
            table.ledger.decide(decision, "person", ("04A1B2C3D4E5F6",) if rng.random() < 0.3 else ())
        journal.store_findings(table.ledger.running().id, "odds", journal.seq(), {3: [0.5, 0.25, 0.25]})
        if name != GAMES[-1]:
            (table.set_aside if name == GAMES[0] else table.end)(journal.seq())
    return journal


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Contents]:
    """Return the files of a companion that was cut off, and what they contain."""
    directory, open_one = tmp_path_factory.mktemp("cut off"), tmp_path_factory.mktemp("evening")
    with closing(played(open_one)) as journal:
        for file in open_one.iterdir():
            if not file.name.endswith("-shm"):
                shutil.copy2(file, directory / file.name)
        return directory, contents(journal)


# --- ways to damage a file -----------------------------------------------------------------------


def flip(content: bytearray, rng: random.Random) -> None:
    """Flip one bit."""
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)


def scribble(content: bytearray, rng: random.Random) -> None:
    """Fill a sector of the card with noise."""
    at = rng.randrange(0, len(content), 512)
    content[at : at + 512] = rng.randbytes(512)


def blank(content: bytearray, rng: random.Random) -> None:
    """Empty a page."""
    at = rng.randrange(0, len(content), PAGE)
    content[at : at + PAGE] = bytes(len(content[at : at + PAGE]))


def swap(content: bytearray, rng: random.Random) -> None:
    """Swap two pages."""
    one, other = (rng.randrange(0, len(content), PAGE) for _ in "12")
    content[one : one + PAGE] = content[other : other + PAGE]


def cut(content: bytearray, rng: random.Random) -> None:
    """Cut off the end of the file."""
    del content[rng.randrange(len(content)) :]


def letters(content: bytearray, rng: random.Random) -> None:
    """Change some letters for others: the text can still be read."""
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(content))
        if 97 <= content[at] <= 122:
            content[at] = rng.randint(97, 122)


WAYS: Sequence[Callable[[bytearray, random.Random], None]] = (flip, scribble, blank, swap, cut, letters)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["journal.sqlite", "journal.sqlite-wal"])
def test_damage_is_reported_and_the_rest_is_true(
    way: Callable[[bytearray, random.Random], None], name: str, evening: tuple[Path, Contents], tmp_path: Path,
    soak: int,
) -> None:  # fmt: skip
    """Every game that is shown is one of those that were played, as far as it goes.

    Where it goes less far, or anything else is missing, a message says so.
    """
    written, was = evening
    for seed in range(12 * soak):
        rng, directory = random.Random(seed), tmp_path / str(seed)
        shutil.copytree(written, directory)
        content = bytearray((directory / name).read_bytes())
        way(content, rng)
        (directory / name).write_bytes(content)
        with closing(open_journal(directory / "journal.sqlite")) as journal:
            now, troubles = contents(journal), journal.troubles()
            Table(journal).open()
            assert journal.seq() >= max((e.seq for _, es in now.games.values() for e in es), default=0)
        for number, (filed, entries) in now.games.items():
            assert filed.header == was.games[number][0].header, f"seed {seed}"
            assert entries == was.games[number][1][: len(entries)], f"seed {seed}"
            Match.of(filed, entries)
        assert now.tags.items() <= was.tags.items(), f"seed {seed}"
        assert troubles or now == was, f"seed {seed}"
        shutil.rmtree(directory)


# --- what is noticed, one by one -----------------------------------------------------------------

TAMPERED = [
    # what a person or a program wrote into the file                              what is said of it
    ("update entries set line = replace(line, 'do', 'od') where seq = 3",       "1 game"),
    ("update entries set at = '2020-01-01' where seq = 3",                         "1 game"),
    ("update entries set uids = '[]' where uids != '[]'",                          "games"),
    ("delete from entries where seq = 3",                                          "1 game"),
    ("delete from entries where seq = (select max(seq) from entries)",             "1 game"),
    ("update matches set header = replace(header, 'Ada', 'Eve') where id = 1",     "1 game"),
    ("update matches set standings = '[]' where id = 2",                           "1 game"),
    ("update matches set state = 'ended' where id = 4",                            "1 game"),
    ("update tags set means = 'galloping-pigs/card/blue/9' where rowid = 5",       "every game"),
    ("update kept set value = '[]' where key = 'people'",                          "every game"),
    ("update found_out set value = '[1, 0, 0]'",                                   "every game"),
    ("update sqlite_sequence set seq = 5 where name = 'entries'",                  "every game"),
    ("update sqlite_sequence set seq = 'x' where name = 'entries'",                "every game"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "what"), TAMPERED)
def test_a_word_that_is_another_is_noticed(
    statement: str, what: str, evening: tuple[Path, Contents], tmp_path: Path
) -> None:
    written, was = evening
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(path)) as db:
        assert db.execute(statement).rowcount > 0
        db.commit()
    before = [path.read_bytes(), was.seq]
    with pytest.raises(DamagedError, match=r"cannot be used: .*; name another with --data, or let"):
        Journal(path)
    with closing(open_journal(path)) as journal:
        first = journal.troubles()[0]
        assert what in str(first)
        assert journal.seq() >= was.seq, "no number is given twice"
    [damaged] = tmp_path.glob("journal.damaged-*.sqlite")
    assert [damaged.read_bytes(), was.seq] == before
    assert damaged.name in str(first)
    with closing(open_journal(path)) as journal:
        assert journal.troubles()[0] == first, "until a person has read it"


def test_a_game_that_was_cut_goes_on_from_where_it_stands(
    evening: tuple[Path, Contents], tmp_path: Path
) -> None:
    """The running game's latest decision is lost: the one before is in force, and people go on from there."""
    written, was = evening
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("update entries set line = '{}' where seq = (select max(seq) from entries)")
        db.commit()
    with closing(open_journal(path)) as journal:
        table = Table(journal).open()
        filed, entries = was.games[4]
        assert table.match is not None
        assert table.match == Match.of(filed, entries[:-1])
        decision = random_decision(table.match.race, random.Random(1))
        assert decision is not None
        table.ledger.decide(decision, "person")
        assert table.snapshot.alerts[-1].kind == "journal"


def test_one_game_alone_is_on_the_table(evening: tuple[Path, Contents], tmp_path: Path) -> None:
    """A set-aside game that lost its end while an earlier one runs does not come back with that one."""
    written, _ = evening
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "journal.sqlite"
    with closing(Journal(path)) as journal:
        table = Table(journal).open()
        table.set_aside(journal.seq())
        table.resume(1)
        last = journal.entries(4)[-2].seq
    with closing(sqlite3.connect(path)) as db:
        db.execute("update entries set line = '{}' where seq = ?", (last,))
        db.commit()
    with closing(open_journal(path)) as journal:
        assert {filed.id: filed.state for filed in journal.matches() if filed.id in (1, 4)} == {
            1: "running",
            4: "aside",
        }


def as_before_sums(path: Path) -> None:
    """Make the journal one from before its rows had sums."""
    with closing(sqlite3.connect(path)) as db:
        forget_sums(db)
    path.with_name("journal.sqlite-last").unlink(missing_ok=True)


def test_a_journal_from_before_there_were_sums_is_taken_in(
    evening: tuple[Path, Contents], tmp_path: Path
) -> None:
    written, was = evening
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    as_before_sums(tmp_path / "journal.sqlite")
    for _ in range(2):
        with closing(open_journal(tmp_path / "journal.sqlite")) as journal:
            assert (contents(journal), journal.troubles()) == (was, [])


@pytest.mark.parametrize(
    "way", [pytest.param(way, marks=pytest.mark.long if way is scribble else ()) for way in WAYS]
)
def test_of_a_damaged_one_from_before_there_were_sums_what_can_be_played_is_saved(
    way: Callable[[bytearray, random.Random], None], evening: tuple[Path, Contents], tmp_path: Path
) -> None:
    """The part of an old journal that can be played is saved; other exceptions than the named do not occur.

    Without checksums a change that can still be played is not detectable.

    Only here: a sector of noise in an old journal that ends in an exception without a name.
    """
    written, _ = evening
    shutil.copytree(written, tmp_path / "old")
    as_before_sums(tmp_path / "old" / "journal.sqlite")
    for seed in range(8):
        rng, directory = random.Random(seed), tmp_path / str(seed)
        shutil.copytree(tmp_path / "old", directory)
        content = bytearray((directory / "journal.sqlite").read_bytes())
        way(content, rng)
        (directory / "journal.sqlite").write_bytes(content)
        version = int.from_bytes(content[60:64], "big")
        later = pytest.raises(JournalError, match="later version") if version > len(STEPS) else nullcontext()
        with later, closing(open_journal(directory / "journal.sqlite")) as journal:
            Table(journal).open()
            for filed in journal.matches():
                Match.of(filed, journal.entries(filed.id))
        shutil.rmtree(directory)


NO_ENTRY = [
    # a column of an entry, and what stands there instead of what was written
    ("line", "no JSON"),
    ("line", b"\xff"),
    ("uids", "{"),
    ("kind", "play"),
    ("made_by", b"\xff"),
    ("at", b"\xff"),
]


@pytest.mark.parametrize(("column", "value"), NO_ENTRY)
def test_an_entry_from_before_there_were_sums_that_is_none_ends_its_game_and_not_the_start(
    column: str, value: str | bytes, evening: tuple[Path, Contents], tmp_path: Path
) -> None:
    """The other games are all there, and this one up to the entry before.

    A tag is damaged too, so that the file is not trusted unread: the time of an entry is not read where all
    else is well.
    """
    written, was = evening
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    path, (filed, entries) = tmp_path / "journal.sqlite", was.games[4]
    as_before_sums(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"update entries set {column} = ? where seq = ?", (value, entries[20].seq))
        db.execute("update tags set means = 'x' where rowid = 5")
        db.commit()
    with closing(open_journal(path)) as journal:
        assert [contents(journal).games[number] == was.games[number] for number in (1, 2, 3)] == [True] * 3
        assert Table(journal).open().match == Match.of(filed, entries[:20])
        assert "1 game could not be saved up to its end" in str(journal.troubles()[0])


def test_an_empty_file_is_a_new_journal_and_noise_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"")
    with closing(open_journal(path)) as journal:
        assert (journal.matches(), journal.troubles()) == ([], [])
    noise = random.Random(1).randbytes(20_000)
    path.write_bytes(noise)
    with closing(open_journal(path)) as journal:
        assert journal.matches() == []
        assert "nothing in it could be read" in str(journal.troubles()[0])
    [damaged] = tmp_path.glob("journal.damaged-*.sqlite")
    assert damaged.read_bytes() == noise


@pytest.mark.parametrize("step", range(1, 21))
def test_a_power_cut_while_it_is_saved_loses_nothing(
    step: int, evening: tuple[Path, Contents], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut off after each step that changes a file's name or makes it lasting: the next start saves the same."""
    written, was = evening
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("update entries set at = '2020-01-01' where match = 2")
        db.commit()
    steps = 0

    class PowerCut(BaseException):
        pass

    def cut_off(call: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*args: Any, **kwargs: Any) -> Any:
            nonlocal steps
            steps += 1
            if steps == step:
                raise PowerCut
            return call(*args, **kwargs)

        return guarded

    with monkeypatch.context() as patched:
        patched.setattr("companion.store.salvage.shutil.copy2", cut_off(shutil.copy2))
        patched.setattr("companion.store.place.sync", cut_off(place.sync))
        patched.setattr("companion.store.salvage.sync", cut_off(place.sync))
        for name in ("replace", "unlink"):
            patched.setattr(Path, name, cut_off(getattr(Path, name)))
        try:
            open_journal(path).close()
        except PowerCut:
            pass
        else:
            assert step > 8, "there are steps to cut at"
    with closing(open_journal(path)) as journal:
        now = contents(journal)
        assert now.games.keys() == {1, 3, 4} | ({2} & now.games.keys())
        assert all(now.games[number] == was.games[number] for number in (1, 3, 4))
        assert "could not be saved up to its end" in str(journal.troubles()[0])


def test_where_there_is_no_room_to_save_it_it_says_so_and_leaves_all_as_it_is(
    evening: tuple[Path, Contents], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, _ = evening
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("update tags set means = 'x' || means")
        db.commit()
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.store.salvage.shutil.copy2", full)
    with pytest.raises(JournalError, match=r"cannot be written next to it: .*No space.*; make room there"):
        open_journal(path)
    assert path.read_bytes() == before


def test_a_value_that_is_no_json_does_not_fit() -> None:
    """So that it is left behind when a journal from before there were sums is taken in."""
    assert fits({"key": "people", "value": "{}"}, SUMMED["kept"])
    assert not fits({"key": "people", "value": "{"}, SUMMED["kept"])
