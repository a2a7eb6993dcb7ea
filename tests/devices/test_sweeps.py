"""From heartbeats to the one figure that the table gets: how long a sweep of the track takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.devices.readings import PresenceSeen, SweepIs, TrackSeen
from companion.devices.sweeps import Sweeps
from companion.devices.track import Track
from companion.firmware import link
from tests.devices.test_track import Script
from tests.support.client import PATIENCE_S
from tests.support.devices.modelled import HB, HI, Messages
from tests.support.evening import Evening

EMPTY: list[Any] = [[] for _ in range(22)]


@pytest.mark.parametrize(
    ("beats", "reported"),
    [
        ([84] * 4, []),  # too early to say
        ([84] * 60, [84]),
        ([280, 83, 84, 105, 82], [84]),  # as a Pico starts
        ([84] * 5 + [280, 280] + [84] * 5, [84]),  # a contest, a reader that is mended
        ([84, 84, 90, 78, 91] * 6, [84]),  # pieces come and go
        ([100] * 5 + [110] * 5, [100]),  # a tenth is nothing new
        ([100] * 5 + [111] * 5, [100, 111]),
        ([84] * 5 + [150] * 5 + [84] * 5, [84, 150, 84]),
        ([80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100], [84, 94]),  # slowly slower
        ([0] * 9, []),  # no readers
        ([0, 84, 0, 84, 84, 0, 84, 84], [84]),
    ],
)
def test_from_heartbeats_to_reports(beats: list[int], reported: list[int]) -> None:
    assert heard(Sweeps(), beats)[1] == reported


def test_another_pico_is_listened_to_anew() -> None:
    """The heartbeats from before the line was lost do not count; what they said does, until the new ones differ."""
    sweeps, reported = heard(Sweeps(), [84] * 5)
    after, more = heard(sweeps.anew(), [84, 200, 84, 200])
    assert (reported, more, after.usual) == ([84], [], 84)
    assert heard(after, [200])[1] == [200]


def heard(sweeps: Sweeps, beats: list[int]) -> tuple[Sweeps, list[int]]:
    """Return the state after these heartbeats, and the figures that were reported meanwhile."""
    reported = []
    for ms in beats:
        before, sweeps = sweeps.usual, sweeps.after(ms)
        if sweeps.usual is not None and sweeps.usual != before:
            reported.append(sweeps.usual)
    return sweeps, reported


# --- over the wire -------------------------------------------------------------------------------


def said(
    messages: Messages, beats: list[int], state: str | None = None, **how: Any
) -> tuple[Track, list[Any]]:
    """Return a track whose Pico of 22 empty spaces sent these sweeps, and what the track reported of them."""
    kind = how.get("kind", "tag")
    empty = EMPTY if kind == "tag" else [False] * 22
    beat = HB | {"state": state or link.state_crc(empty)}
    snap = {"is": "snap", "spaces": empty}
    port = Script([HI | {"spaces": [kind] * 22}, snap, *(beat | {"sweep": ms} for ms in beats)])
    track = Track("a port", 22, port, **how)
    track.start(messages)
    assert port.heard.wait(PATIENCE_S)
    track.stop()
    return track, messages.all()


def sweeps_in(messages: list[Any]) -> list[int]:
    return [message.ms for message in messages if isinstance(message, SweepIs)]


def test_heartbeats_are_reported_once(messages: Messages) -> None:
    """One report is made of any number of them; the hardware page and the doctor show the newest."""
    track, sent = said(messages, [280, 83, 84, 105, 82, *[84] * 50, 91])
    assert sweeps_in(sent) == [84]
    assert sum(isinstance(message, TrackSeen) for message in sent) == 1
    assert track.health.sweep_ms == 91


def test_a_slow_track_that_becomes_fast(messages: Messages) -> None:
    assert sweeps_in(said(messages, [300] * 9 + [84] * 9)[1]) == [300, 84]


def test_switches_have_no_sweep(messages: Messages) -> None:
    _, sent = said(messages, [84] * 9, kind="present")
    assert sweeps_in(sent) == []
    assert any(isinstance(message, PresenceSeen) for message in sent)


def test_an_emulated_pico_sweeps_in_its_own_time(messages: Messages) -> None:
    """Thirty times slower than it thinks."""
    assert sweeps_in(said(messages, [60] * 5, slower=30.0)[1]) == [1800]


def test_a_heartbeat_of_another_state_does_not_count(messages: Messages) -> None:
    """A heartbeat of another state does not count: its Pico may not be set up yet as it was asked."""
    assert sweeps_in(said(messages, [84] * 9, state="0000")[1]) == []


@pytest.mark.parametrize(("ms", "seconds"), [(50, 0.55), (84, 0.618), (300, 1.05)])
def test_what_heartbeats_say_reaches_the_referee(
    messages: Messages, tmp_path: Path, ms: int, seconds: float
) -> None:
    """The path is tested from the wire to the moment at which a piece that was set down counts."""
    evening = Evening(tmp_path)
    for message in said(messages, [280, *[ms] * 5])[1]:
        evening.table.handle(message)
    evening.line_up()
    evening.wait(1.0)
    evening.press("confirm")
    evening.lay("red 1", wait=0.2)
    evening.put("red", 1, wait=seconds - 0.01)
    assert evening.todo == ["move the red pig to 1!"]
    evening.wait(0.02)
    assert evening.todo == []
