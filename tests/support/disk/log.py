"""What was written to a disk, in order, and what of it is there after a power cut at any moment.

The log is `disk.c`'s. What was synced is there. Of what was not, any part may be: each write whole, in some of its
sectors, or not at all; names of files that were made, renamed or deleted as far as in order up to some point.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

_HEAD: Final = struct.Struct("=cHQI")
SECTOR: Final = 512
CONFIRMED: Final = "confirmed"  # a write there is no file, but a confirmation


class Step(NamedTuple):
    """One thing that was done: C made, W written, T cut to a length, S synced, U deleted, R renamed."""

    kind: str
    path: str
    offset: int
    data: bytes


def steps(log: bytes) -> Iterator[Step]:
    """Return the steps of a log, without one that was not written to its end."""
    at = 0
    while at + _HEAD.size <= len(log):
        kind, path, offset, length = _HEAD.unpack_from(log, at)
        at += _HEAD.size
        if at + path + length > len(log):
            return
        yield Step(kind.decode(), log[at : at + path].decode(), offset, log[at + path : at + path + length])
        at += path + length


@dataclass
class Content:
    """What a file holds: what is synced, and what was done to it since."""

    synced: bytearray = field(default_factory=bytearray)
    since: list[Step] = field(default_factory=list)


def after_cut(done: Sequence[Step], rng: random.Random, before: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that are there if the power fails after these steps, given the files before."""
    names = {path: Content(bytearray(content)) for path, content in before.items()}  # as the system has them
    lasting = dict(names)  # as the directory was synced last
    since: list[tuple[Step, Content]] = []  # what was done to names after that
    for step in done:
        if step.path == CONFIRMED:
            continue
        if step.kind in "UR" or (step.kind == "C" and step.path not in names):
            content = Content()
            since.append((step, content))
            _rename(names, step, content)
        elif step.kind == "S" and step.path == ".":
            lasting, since = dict(names), []
        elif step.kind == "S":
            content = names[step.path]
            for change in content.since:
                _apply(content.synced, change)
            content.since = []
        elif step.kind in "WT":
            names[step.path].since.append(step)
    for step, content in since[: rng.randint(0, len(since))]:
        _rename(lasting, step, content)
    return {path: _survives(content, rng) for path, content in lasting.items()}


def _rename(names: dict[str, Content], step: Step, made: Content) -> None:
    if step.kind == "C":
        names[step.path] = made
    elif step.kind == "U":
        names.pop(step.path, None)
    elif step.path in names:
        names[step.data.decode()] = names.pop(step.path)


def _survives(content: Content, rng: random.Random) -> bytes:
    """Return what is on the disk of a file: of the steps since the sync all, a part or nothing."""
    left = bytearray(content.synced)
    chance = rng.choice((0.0, 0.5, 0.9, 1.0))  # how much of it the disk had written by itself
    for change in content.since:
        if rng.random() < chance:
            if change.kind == "W" and rng.random() < 0.3:
                for at in range(0, len(change.data), SECTOR):
                    if rng.random() < 0.5:
                        piece = change.data[at : at + SECTOR]
                        _apply(left, Step("W", change.path, change.offset + at, piece))
            else:
                _apply(left, change)
    return bytes(left)


def _apply(content: bytearray, change: Step) -> None:
    if change.kind == "T":
        del content[change.offset :]
        content.extend(bytes(change.offset - len(content)))
        return
    content.extend(bytes(max(0, change.offset - len(content))))
    content[change.offset : change.offset + len(change.data)] = change.data


def write(files: Mapping[str, bytes], directory: Path) -> None:
    """Put these files into a directory."""
    for path, content in files.items():
        (directory / path).write_bytes(content)
