"""An interrupted long measurement goes on: stored results are not computed again, and nothing is lost."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from bench.kept import brought


class Job(NamedTuple):
    """Something to do, by name."""

    name: str
    number: int


class Came(NamedTuple):
    """What came of it."""

    square: int
    parts: dict[str, tuple[float, ...]]


JOBS = [Job("squares", number) for number in range(8)]


def squared(job: Job) -> Came:
    return Came(job.number**2, {job.name: (job.number / 3,)})


def refused(job: Job) -> Came:
    raise AssertionError(f"{job} was done already")


def test_what_is_kept_is_not_done_again(tmp_path: Path) -> None:
    kept = tmp_path / "not yet there" / "kept.jsonl"
    first = list(brought(JOBS[::2], squared, Came, kept, 1))
    assert first == [(job, squared(job)) for job in JOBS[::2]]
    assert list(brought(JOBS[::2], refused, Came, kept, 1)) == first
    assert list(brought(JOBS, squared, Came, kept, 2)) == [(job, squared(job)) for job in JOBS]
    assert list(brought(JOBS, refused, Came, kept, 1)) == [(job, squared(job)) for job in JOBS]


def test_a_line_that_was_cut_off_is_done_again(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    whole = list(brought(JOBS, squared, Came, kept, 1))
    kept.write_bytes(kept.read_bytes()[:-10])
    assert list(brought(JOBS[:-1], refused, Came, kept, 1)) == whole[:-1]
    assert list(brought(JOBS, squared, Came, kept, 1)) == whole
