"""Two readers, one tag: the reader that still sees it at falling power has it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from companion.devices.health import SensorHealth, TrackHealth
from companion.devices.pi_health import PiHealth
from companion.diagnostics.doctor import findings
from tests.devices.test_scanner import TAGS, hexed, sweep

Build = Callable[..., SimpleNamespace]
TAG = TAGS[0]


def between(it: SimpleNamespace, near: int, far: int, far_needs: int) -> None:
    """Put the piece on `near`; `far` reads it too from `far_needs` of its power 32 on."""
    for i, chip in enumerate(it.track.chips):
        chip.put([TAG] if i in (near, far) else [], {TAG: far_needs} if i == far else {})


@pytest.mark.parametrize("far_needs", [30, 24, 16, 9, 5])
@pytest.mark.parametrize(("near", "far"), [(3, 4), (4, 3), (0, 8), (8, 0)])
def test_the_nearer_reader_has_it(pico: Build, near: int, far: int, far_needs: int) -> None:
    """The nearer reader has it in any order of the two, and however little nearer it is."""
    it = pico(9)
    between(it, near, far, far_needs)
    sweep(it, 5)
    for _ in range(20):
        sweep(it)
        assert (it.spaces.now[near], it.spaces.now[far]) == (hexed([TAG]), [])
    assert it.scanner.detections.shared == [[*hexed([TAG]), sorted([near, far])]]


def test_it_is_decided_once(pico: Build) -> None:
    """The contest is not held again at every sweep: a sweep is as short as before."""
    it = pico(9)
    between(it, 3, 4, 20)
    sweep(it, 8)
    assert it.scanner.sweep_ms < 50
    assert it.scanner.detections.contested() is None


def test_a_piece_that_moves_on_is_not_held_back(pico: Build) -> None:
    """After a contest the piece is slid to the reader that had lost: it is seen there."""
    it = pico(9)
    between(it, 3, 4, 20)
    sweep(it, 6)
    between(it, 4, 3, 40)  # out of reach for 3
    sweep(it, 4)
    assert (it.spaces.now[3], it.spaces.now[4]) == ([], hexed([TAG]))


def test_a_piece_that_slides_on_between_the_same_two(pico: Build) -> None:
    """The piece slides to the reader that had lost, which the other hears faintly: it moves in 2 s."""
    it = pico(9)
    between(it, 3, 4, 20)
    sweep(it, 6)
    between(it, 4, 3, 20)
    began = it.track.clock.us
    while it.spaces.now[4] != hexed([TAG]) and it.track.clock.us < began + 60e6:
        sweep(it)
    assert it.spaces.now[3] == []
    assert it.track.clock.us - began < 2e6


def test_halfway_between_two_one_win_is_chance(pico: Build) -> None:
    """A contest that ends differently once in a while moves no piece."""
    it = pico(9)
    between(it, 3, 4, 20)
    sweep(it, 6)
    for _ in range(4):
        it.scanner.detections.won(TAG, 4)
        for _ in range(40):
            sweep(it)
            assert it.spaces.now[3] == hexed([TAG])


def test_one_tag_never_in_two_places(pico: Build) -> None:
    """That holds also during a contest, after each single poll."""
    it = pico(9)
    between(it, 3, 4, 10)
    for _ in range(8):
        for _ in it.scanner.sweep():
            assert sum(TAG.hex().upper() in (tags or ()) for tags in it.spaces.now) <= 1


def test_a_clone_is_reported(pico: Build) -> None:
    """Two tags with one number on readers far apart: the piece is in one place, and the twin is named."""
    it = pico(22)
    it.track.chips[3].put([TAG])
    it.track.chips[12].put([TAG])
    sweep(it, 6)
    assert sum(hexed([TAG]) == tags for tags in it.spaces.now) == 1
    assert it.scanner.detections.shared == [[*hexed([TAG]), [3, 12]]]
    it.track.chips[12].put([])
    sweep(it, 4)
    assert it.scanner.detections.shared == []
    assert it.spaces.now[3] == hexed([TAG])


def test_an_address_wire_that_does_not_switch(pico: Build) -> None:
    """Two readers are one, and each tag is read by both: the doctor names the wire, and no tag as a clone."""
    it = pico(22)
    it.track.stuck_low = {3}
    it.track.chips[2].put([TAGS[0]])
    it.track.chips[5].put([TAGS[1]])
    sweep(it, 8)
    shared = {uid: frozenset(by) for uid, by in it.scanner.detections.shared}
    assert shared == {hexed([TAGS[0]])[0]: {2, 10}, hexed([TAGS[1]])[0]: {5, 13}}
    sensors = tuple(
        SensorHealth(n, "tag", version=0x92, lies=None if tags is None else frozenset(tags))
        for n, tags in enumerate(it.spaces.now)
    )
    track = TrackHealth("ok", wire="ok", power="on", sensors=sensors, shared=shared)
    [found] = findings(track, None, None, PiHealth())
    assert found.what.values["wire"] == "A3"
