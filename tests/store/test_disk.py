"""A disk that is cut off at any instant, or fails: what was confirmed is there, nothing twice, nothing invented."""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from companion.match.entries import Entry
from companion.match.match import Match
from companion.store.journal import Journal
from companion.store.salvage import open_journal
from tests.support.disk.log import CONFIRMED, Step, after_cut, steps, write

ROOT: Final = Path(__file__).parents[2]
SUPPORT: Final = ROOT / "tests" / "support"
FAULTS: Final = {"full": 1, "write error": 2, "sync error": 3, "read error": 4, "read-only": 5}
CALLS: Final = {
    "sync error": 90,
    "read error": 90,
}  # that a fault concerns until it comes, at most; else 1,200


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the layer between a program and its files."""
    built = tmp_path_factory.mktemp("disk") / "disk.so"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", built, SUPPORT / "disk/disk.c", "-ldl"], check=True)
    return built


def played(shim: Path, directory: Path, seed: int, decisions: int, fault: Path | None = None) -> int:
    """Play evenings of all four games on a disk that remembers; return the exit status of the program."""
    disk = {"LD_PRELOAD": str(shim), "DISK_OF": str(directory), "DISK_LOG": f"{directory}.log"}
    if fault is not None:
        disk["DISK_FAULT"] = str(fault)
    command = [sys.executable, "-m", "tests.support.disk.evening", str(directory), str(seed), str(decisions)]
    return subprocess.run(command, env={**os.environ, **disk}, check=False, cwd=ROOT).returncode


class Kept(NamedTuple):
    """What a journal holds: entries by match, and its last entry's number."""

    seq: int
    entries: dict[int, Sequence[Entry]]


def kept(journal: Journal) -> Kept:
    return Kept(journal.seq(), {filed.id: journal.entries(filed.id) for filed in journal.matches()})


def until(whole: Kept, seq: int) -> Kept:
    """Return what it held when `seq` was the last entry."""
    entries = {match: [e for e in those if e.seq <= seq] for match, those in whole.entries.items()}
    return Kept(seq, {match: those for match, those in entries.items() if those})


def confirmed(done: Sequence[Step]) -> int:
    """Return the last entry that was confirmed."""
    told = b"".join(step.data for step in done if step.path == CONFIRMED and step.kind == "W")
    return int(told.split()[-1]) if told else 0


def assert_as_confirmed(disk: Path, whole: Kept, seq: int, what: str) -> int:
    """Assert that the journal of this disk is as it was at `seq`, and return its last entry.

    It may also have what was just being written.
    """
    with closing(open_journal(disk / "journal.sqlite")) as journal:
        now, troubles = kept(journal), journal.troubles()
        for filed in journal.matches():
            Match.of(filed, journal.entries(filed.id))
    assert troubles == [], f"{what}: called damaged"
    assert now.seq >= seq, f"{what} lost what was confirmed"
    assert now == until(whole, now.seq), what
    return now.seq


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.nightly)])
def test_a_power_cut_at_any_instant_loses_nothing_that_was_confirmed(
    seed: int, shim: Path, tmp_path: Path, soak: int
) -> None:
    """After a cut the journal has each confirmed entry, and perhaps the entry in progress.

    Of the data that were not synced any part is missing, also part of a page. The journal is not reported as
    damaged, and it is played on.

    Only here: a moment of a power cut that the first seed misses and that loses a confirmed entry.
    """
    before: dict[str, bytes] = {}
    cuts, more, first, lives = 12 if soak == 1 else 250, 0, 0, 4
    for life in range(lives):
        disk = tmp_path / f"disk {life}"
        disk.mkdir()
        write(before, disk)
        assert played(shim, disk, 10 * seed + life, 25) == 0
        log = list(steps(Path(f"{disk}.log").read_bytes()))
        with closing(Journal(disk / "journal.sqlite")) as journal:
            whole = kept(journal)
        for number in range(cuts):
            rng, cut = random.Random(f"{seed} {life} {number}"), tmp_path / "cut"
            shutil.rmtree(cut, ignore_errors=True)
            cut.mkdir()
            done = log[: rng.randint(1, len(log))]
            seq = max(first, confirmed(done))
            left = after_cut(done, rng, before)
            write(left, cut)
            more += assert_as_confirmed(cut, whole, seq, f"life {life}, cut {number}") > seq
        before, first = left, seq
    assert more, "no cut fell into what was just being written: the test proves less than it says"
    print(f"{lives * cuts} cut disks, {whole.seq} entries in the end: 0 lost, 0 doubled, 0 called damaged")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_disk_that_fails_confirms_nothing_that_is_not_there(
    fault: str, shim: Path, tmp_path: Path, soak: int
) -> None:
    """From some call on it is full, read-only, or has an error: everything confirmed is there afterwards."""
    times, told = 3 if soak == 1 else 40, 0
    for number in range(times):
        disk, switch = tmp_path / str(number), tmp_path / f"{number}.fault"
        disk.mkdir()
        calls = random.Random(number).randint(40, CALLS.get(fault, 1200))
        switch.write_bytes(struct.pack("=ii", FAULTS[fault], calls))
        assert played(shim, disk, number, 20, switch) == 0
        seq = confirmed(list(steps(Path(f"{disk}.log").read_bytes())))
        with closing(Journal(disk / "journal.sqlite")) as journal:
            whole = kept(journal)
        assert whole.seq >= seq
        assert_as_confirmed(disk, whole, seq, f"{fault} after {calls} calls")
        told += seq
    print(f"{times} disks with {fault}, {told} entries confirmed before: 0 lost")
