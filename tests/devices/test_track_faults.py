"""What can go wrong between the readers and the host: the real firmware, the real driver, a fault in between."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import pytest
import serial

from companion.devices.mock.tags import DEMO_SET
from companion.devices.mock.virtual_table import GHOST, VirtualTable
from companion.devices.readings import PartIs, TrackSeen
from companion.devices.track import Track
from companion.message import ranges
from tests.devices.test_track import is_part, lying, unknown
from tests.support.client import PATIENCE_S
from tests.support.devices.modelled import Messages

TAGS = list(DEMO_SET)
SPACES = 22
TAG = TAGS[0]


@pytest.fixture
def table() -> Iterator[VirtualTable]:
    made = VirtualTable(None, SPACES)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def track(table: VirtualTable, messages: Messages) -> Iterator[Track]:
    made = Track(lambda: table.pico_port, SPACES)
    made.start(messages)
    table.put_on_space(3, [TAG])
    messages.until(lying(s3=[TAG]))
    yield made
    made.stop()


@pytest.mark.parametrize(
    ("kind", "at"),
    [
        ("flicker", "track/3"),
        ("stuck", "track/3"),
        ("brown-out", "track/3"),
        ("held-miso", "track/3"),
        ("double-read", "track/3"),
        ("counterfeit-version", "track/3"),
        ("traceback", "track"),
        ("garbage", "track"),
    ],
)
def test_what_the_firmware_copes_with(
    track: Track, table: VirtualTable, messages: Messages, kind: str, at: str
) -> None:
    """Nothing is reported: the piece counts as standing where it stands, and the next one is seen.

    A piece that the next reader begins to read too may count there until the readers have been compared, at
    the end of the sweep; the table waits longer than that before it believes a change.
    """
    table.set_fault(kind, at, True)
    table.put_on_space(9, [TAGS[1]])
    heard = [messages.get(timeout=PATIENCE_S)]
    while heard[-1] != TrackSeen(
        {i: frozenset({TAG} if i == 3 else {TAGS[1]} if i == 9 else ()) for i in range(SPACES)}
    ):
        heard.append(messages.get(timeout=PATIENCE_S))
    assert [m for m in heard if isinstance(m, PartIs)] == []
    next_door = kind == "double-read"
    for m in heard:
        assert m.spaces[3] in ({TAG}, None) or (next_door and m.spaces[4] == {TAG}), m


@pytest.mark.parametrize(
    ("kind", "spaces"),
    [
        ("dead-group", range(8)),
        ("bad-memory", [3]),
        ("weak-supply", [3]),
        ("dead-reader", [3]),
        ("no-field", [3]),
    ],
)
def test_readers_that_are_given_up(
    track: Track, table: VirtualTable, messages: Messages, kind: str, spaces: Sequence[int]
) -> None:
    """They are named, their spaces unknown; the others go on; after mending all tags are seen in place."""
    table.set_fault(kind, "track/3", True)
    messages.until(is_part("ok", f"{ranges(spaces)} of the track"))
    assert {s.space for s in track.health.sensors if s.fault} == set(spaces)
    table.put_on_space(20, [TAGS[1]])
    picture = messages.until(lambda m: isinstance(m, TrackSeen) and m.spaces[20] == frozenset({TAGS[1]}))
    assert {i for i, tags in picture.spaces.items() if tags is None} == set(spaces)
    table.set_fault(kind, "track/3", False)
    messages.until(lying(s3=[TAG], s20=[TAGS[1]]), is_part("ok", "None"))


@pytest.mark.parametrize(("kind", "cause"), [("reboot", "power"), ("hang", "watchdog")])
def test_the_pico_starts_anew(
    track: Track, table: VirtualTable, messages: Messages, kind: str, cause: str
) -> None:
    """In mid-game, under the same port, it has a new boot id, is asked for everything, and shows the tags."""
    table.set_fault(kind, "track", True)
    table.put_on_space(9, [TAGS[1]])
    messages.until(lying(s3=[TAG], s9=[TAGS[1]]))
    assert track.health.started_by == cause
    assert table.report()["wrong"] == []


def test_too_much_current(track: Track, table: VirtualTable, messages: Messages) -> None:
    """Nearly an ampere more than there should be pulls the readers' reset, and it stays pulled until asked."""
    table.set_fault("short-circuit", "track", True)
    messages.until(is_part("lost", "drew too much current"))
    assert track.health.power == "over"
    table.set_fault("short-circuit", "track", False)
    table.put_on_space(9, [TAGS[1]])
    track.restart()
    messages.until(is_part("ok"), lying(s3=[TAG], s9=[TAGS[1]]))
    assert {sensor.step_ma for sensor in track.health.sensors} <= {59, 60, 61}


def test_two_tags_with_one_number(track: Track, table: VirtualTable, messages: Messages) -> None:
    """A clone on a space far away is recognised by its number, and no piece jumps about."""
    table.set_fault("ghost-tag", "track/8", True)
    table.set_fault("ghost-tag", "track/15", True)
    said = is_part("ok", f"two tags on the track have the same number ({GHOST})")
    heard = [messages.get(timeout=PATIENCE_S)]
    while not said(heard[-1]):
        heard.append(messages.get(timeout=PATIENCE_S))
    assert track.health.clones == {GHOST}
    where = [
        [i for i, tags in m.spaces.items() if GHOST in (tags or ())]
        for m in heard
        if isinstance(m, TrackSeen)
    ]
    assert len(where) <= 4  # both came in one sweep: it goes back and forth until both are sure, no longer
    assert where[-1] == [15]
    table.set_fault("ghost-tag", "track/8", False)
    messages.until(is_part("ok", "None"))


def test_a_tag_torn_off_in_the_middle_of_its_answer(
    track: Track, table: VirtualTable, messages: Messages
) -> None:
    """It is gone, and no other tag was ever there."""
    table.set_fault("torn-tag", "track/3", True)
    messages.until(lying())
    assert table.tags()[TAG] == "off"


class Stalls(serial.Serial):  # type: ignore[misc]  # pyserial has no types
    """A host that can stop reading: what is sent meanwhile piles up, and then is lost."""

    going = threading.Event()

    def read(self, size: int = 1) -> bytes:
        assert Stalls.going.wait(PATIENCE_S)
        return bytes(super().read(size))


def test_a_host_that_stalls(table: VirtualTable, messages: Messages) -> None:
    """The Pico gives each write half a second and goes on; what was lost is asked for when the host is back."""
    Stalls.going.set()
    track = Track(lambda: table.pico_port, SPACES, Stalls)
    track.start(messages)
    messages.until(lying())
    Stalls.going.clear()
    for turn in range(3):
        for space in range(SPACES):
            table.put_on_space(space, [TAGS[turn]])
    table.put_on_space(3, [TAG])
    Stalls.going.set()
    messages.until(lying(s3=[TAG], s21=[TAGS[2]]))
    track.stop()


def test_a_range_test(track: Track, table: VirtualTable) -> None:
    """Looks through one reader, at the power of the maker's choice; a space that is not there is refused."""
    seen = track.range_test(3, 10)
    assert (seen.at, seen.polls, dict(seen.hits), seen.fault) == ("track/3", 10, {TAG: 10}, None)
    assert track.range_test(4, 5, 63).hits == {}
    with pytest.raises(TimeoutError, match="cannot test this reader"):
        track.range_test(30, 5)


def test_while_the_link_is_lost_nothing_is_known(
    track: Track, table: VirtualTable, messages: Messages
) -> None:
    """Health too: no figure of a Pico that is not there."""
    table.set_fault("pulled-cable", "track", True)
    messages.until(unknown)
    health = track.health
    assert (health.wire, health.power, health.sweep_ms) == ("absent", None, None)
    assert {sensor.lies for sensor in health.sensors} == {None}
