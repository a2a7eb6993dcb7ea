"""Which reader has which tag, look by look."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tests.devices.test_contest import TAG, between
from tests.devices.test_scanner import hexed, sweep

Build = Callable[..., SimpleNamespace]
LOOKS: dict[str, tuple[list[bytes], bool]] = {"A": ([TAG], False), "-": ([], False), "?": ([], True)}


@pytest.mark.parametrize(
    ("looks", "reported"),
    [
        ("-", None),
        ("- -", []),
        ("A", [TAG]),
        ("A -", [TAG]),
        ("A - A -", [TAG]),
        ("A - -", []),
        ("A ? -", [TAG]),
        ("A ? - -", []),
        ("A ? ?", None),
        ("A ? ? -", [TAG]),
        ("A ? ? - -", []),
        ("- - ? ? -", None),
        ("- - ? ? - -", []),
    ],
)
def test_what_a_reader_saw_and_what_is_reported(
    pico: Build, looks: str, reported: list[bytes] | None
) -> None:
    """A tag was read (A), nothing was (-), something unreadable was (?): two looks in a row make it so.

    What noise hides is not gone: a look that cannot read is no look without the tag.
    """
    it = pico(1)
    for look in looks.split():
        it.scanner.detections.polled(0, *LOOKS[look])
    assert it.spaces.now[0] == (reported if reported is None else hexed(reported))


def test_a_new_neighbour_is_a_new_contest(pico: Build) -> None:
    """A tag that was won against one reader and slides on between two others is theirs to decide."""
    it = pico(9)
    between(it, 3, 4, 20)
    sweep(it, 6)
    for near, far in ((6, 5), (6, 7), (2, 3)):
        between(it, near, far, 20)
        sweep(it, 8)
        assert (it.spaces.now[near], it.spaces.now[far]) == (hexed([TAG]), [])


def test_of_eight_polls_of_a_lone_tag_one_is_for_others(pico_in_python: Build) -> None:
    """A short look asks for the known tag only; a tag that it drowns would never be seen by short ones alone."""
    it = pico_in_python(1)
    it.track.chips[0].put([TAG])
    sweep(it, 3)
    reader, asked = it.scanner.readers[0], []
    uids = reader.uids

    def look(most: int, of: bytes | None, whole: bool, due: int) -> Any:
        asked.append((of, whole))
        return uids(most, of, whole, due)

    reader.uids = look
    sweep(it, 24)
    assert asked.count((TAG, True)) == 3
    assert asked.count((TAG, False)) == 21
