"""How long a piece must stand before it counts follows from how long the track's readers take to look at all."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.devices.readings import PresenceSeen, SweepIs
from companion.referee.settle import Settle, settle_times
from tests.support.evening import Evening
from tests.support.hands import READY_S, Hands
from tests.support.swift_track import Point, SwiftTrack
from tests.system.test_evenings import CERTAIN, TAGS

SLIP = Hands().slip.high  # until it is caught
PIECE = TAGS[0]
LOW = 0.5  # within reach before and after: let go out of a low hover, lifted slowly


@pytest.fixture
def evening(tmp_path: Path) -> Callable[[int], Evening]:
    """Return a function that begins an evening: red is to move from the line to 1; `sweep` ms, 0: unknown."""

    def begun(sweep: int) -> Evening:
        evening = Evening(tmp_path)
        if sweep:
            evening.table.handle(SweepIs(sweep))
        evening.line_up()
        evening.wait(1.0)  # after the slowest sweep too
        evening.press("confirm")
        evening.lay("red 1", wait=0.2)
        assert evening.todo == ["move the red pig from start to 1!"]
        return evening

    return begun


@pytest.mark.parametrize(
    ("sweep", "where_it_should", "where_it_should_not", "lost"),
    [
        (0.0, 0.65, 1.3, 0.5),  # undecided
        (0.01, 0.55, 1.2, 0.4),  # a few readers: no faster than was tried
        (0.05, 0.55, 1.2, 0.4),
        (0.084, 0.618, 1.268, 0.468),  # 22 readers
        (0.1, 0.65, 1.3, 0.5),
        (0.15, 0.75, 1.4, 0.6),  # 40 readers
        (0.3, 1.05, 1.7, 0.9),
        (0.5, 1.45, 2.1, 1.3),
        (1e6, 1.45, 2.1, 1.3),  # nonsense: pieces come to rest all the same
    ],
)
def test_from_sweep_to_seconds(
    sweep: float, where_it_should: float, where_it_should_not: float, lost: float
) -> None:
    assert settle_times(sweep) == Settle(where_it_should, where_it_should_not, lost)


def test_a_slower_sweep_never_waits_less() -> None:
    """A blink is shorter than coming to rest, which is shorter where a piece should stand than elsewhere."""
    times = [settle_times(ms / 1000) for ms in range(1, 700)]
    for faster, slower in itertools.pairwise(times):
        assert all(a <= b for a, b in zip(faster, slower, strict=True))
    assert all(after.blink < after.track < after.stray for after in times)


def test_a_card_is_playable_a_second_after_the_last_piece() -> None:
    """22 readers, each sweep with a heartbeat in it: two of them until the new reader has the piece for certain."""
    assert 2 * 0.105 + settle_times(0.105).track < READY_S


@pytest.mark.parametrize(
    ("sweep", "real", "taken"),
    [
        (50, 0.05, False),
        (84, 0.084, False),
        (150, 0.15, False),
        (300, 0.3, False),
        (0, 0.3, True),  # as it was while no track reported its sweep
    ],
)
def test_a_slip_is_no_move(evening: Callable[[int], Evening], sweep: int, real: float, taken: bool) -> None:
    """The readers report it for as long as it is near, and for two sweeps more."""
    begun = evening(sweep)
    begun.put("blue", 5, wait=SLIP + LOW + 2 * real)
    assert ("move the blue pig from 5 to 21!" in begun.todo) is taken


@pytest.mark.parametrize(("access_us", "sweep"), [(30.0, 0.08), (450.0, 0.18), (700.0, 0.3)])
def test_a_slip_under_the_real_scanner(access_us: float, sweep: float) -> None:
    """Out of a low hover, caught as late as may be, it is reported for less than `stray` of such a sweep."""
    took, reported = [], []
    for seed in range(10):
        track = SwiftTrack(CERTAIN._replace(access_us=access_us), 22, seed)
        for n, tag in enumerate(TAGS[1:5]):
            track.world.stand(tag, CERTAIN.pitch * (12 + 2 * n), 0.0)
        scanned(track, 1.5 + random.Random(seed).random())
        track.world.go(PIECE, way(track.clock.us, (0.4, 0.0), (SLIP, 0.0), (0.5, 100.0)))
        before = track.sweeps
        reported.append(scanned(track, 3.0))
        took.append(3.0 / (track.sweeps - before))
    usual = sum(took) / len(took)
    assert usual == pytest.approx(sweep, rel=0.2)
    assert SLIP < max(reported) < settle_times(usual).stray


def way(us: float, *steps: tuple[float, float]) -> list[Point]:
    """Return a way over space 5: from 20 mm above it, in so many seconds each, to so many millimetres."""
    points = [Point(us, 5 * CERTAIN.pitch, 0.0, 20.0)]
    for seconds, above in steps:
        points.append(points[-1]._replace(us=points[-1].us + 1e6 * seconds, above=above))
    return points


def scanned(track: SwiftTrack, seconds: float) -> float:
    """Return for how many seconds space 5 was reported as taken, in as many as these."""
    end, taken = track.clock.us + 1e6 * seconds, 0.0
    while (before := track.clock.us) < end:
        lying = track.spaces.now[5]
        track.poll()
        taken += (track.clock.us - before) / 1e6 if lying else 0.0
    return taken


@pytest.mark.parametrize(
    ("sweep", "not_yet", "seen"), [(50, 0.54, 0.56), (84, 0.61, 0.63), (0, 0.64, 0.66), (300, 1.04, 1.06)]
)
def test_a_fast_track_shows_a_move_sooner(
    evening: Callable[[int], Evening], sweep: int, not_yet: float, seen: float
) -> None:
    begun = evening(sweep)
    begun.put("red", 1, wait=not_yet)
    assert begun.todo == ["move the red pig to 1!"]
    begun.wait(seen - not_yet)
    assert begun.todo == []


@pytest.mark.parametrize(("sweep", "held"), [(50, True), (300, False)])
def test_a_slow_track_may_lose_a_piece_for_longer(
    evening: Callable[[int], Evening], sweep: int, held: bool
) -> None:
    """Unread for two sweeps of 300 ms it never left; on a fast track that is a piece in a hand."""
    begun = evening(sweep)
    begun.put("red", 1)
    begun.lift("red 1")
    begun.put("blue", None, wait=0.6)
    begun.lay("red 2", wait=0.25)
    assert begun.played == ("red" if held else "red red")


def test_a_track_that_slows_down_is_waited_for_from_then_on(evening: Callable[[int], Evening]) -> None:
    """That holds for a piece that stands already, too."""
    begun = evening(50)
    begun.put("red", 1, wait=0.4)
    begun.table.handle(SweepIs(300))
    begun.wait(0.5)
    assert begun.todo == ["move the red pig to 1!"]
    begun.wait(0.15)
    assert begun.todo == []


def test_the_sweep_stays_known_with_any_track_meanwhile(evening: Callable[[int], Evening]) -> None:
    """Switches for a while, then tags again: the slow track is still slow."""
    begun = evening(300)
    begun.table.handle(PresenceSeen(dict.fromkeys(range(22), False)))
    begun.show_track()
    begun.wait(2.0)
    begun.put("red", 1, wait=1.04)
    assert begun.todo == ["move the red pig to 1!"]
    begun.wait(0.02)
    assert begun.todo == []


def test_settle_times_are_whole_milliseconds() -> None:
    """As docs and pages write them."""
    assert all(round(time, 3) == time for time in settle_times(0.12345))
