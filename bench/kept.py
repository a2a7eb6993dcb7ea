"""Results of long measurements so far, stored in a file, so that an interrupted run can go on."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

J = TypeVar("J")
T = TypeVar("T")


def brought(
    jobs: Sequence[J], do: Callable[[J], T], kind: Any, kept: Path, processes: int
) -> Iterator[tuple[J, T]]:
    """Yield each job and its result, in their order: from the file `kept`, or computed now and
    added to it.

    `kind` is the type of the results. A job is identified by its JSON. Delete the file at the end: the next
    time it may be another program.
    """
    kept.parent.mkdir(parents=True, exist_ok=True)
    lines = kept.read_bytes().splitlines(keepends=True) if kept.exists() else []
    whole = [line for line in lines if line.endswith(b"\n")]  # it may have ended in the midst of the last one
    kept.write_bytes(b"".join(whole))
    read = [msgspec.json.decode(line, type=tuple[msgspec.Raw, kind]) for line in whole]
    known = {bytes(job): said for job, said in read}
    names = [msgspec.json.encode(job) for job in jobs]
    todo = [job for job, name in zip(jobs, names, strict=True) if name not in known]
    with multiprocessing.Pool(processes) as pool, kept.open("ab") as file:
        doing = pool.imap(do, todo)
        for job, name in zip(jobs, names, strict=True):
            if name in known:
                said = known[name]
            else:
                said = next(doing)
                file.write(msgspec.json.encode((job, said)) + b"\n")
                file.flush()
            yield job, said
