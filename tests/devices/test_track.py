"""The track: the real firmware in a separate process, on a pty, and the real driver on the other end."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import serial

from companion.devices import exclusive
from companion.devices import track as driver
from companion.devices.mock.tags import DEMO_SET
from companion.devices.mock.virtual_table import GHOST, ModelledPico, VirtualTable
from companion.devices.readings import PartIs, TrackSeen
from companion.devices.track import Track
from companion.firmware import link
from tests.support.client import PATIENCE_S
from tests.support.devices.modelled import HB, HI, Messages
from tests.test_processes import open_elsewhere

TAGS = list(DEMO_SET)
SPACES = 22
TIOCGEXCL = 0x80045440  # whether a port is exclusive, ioctl_tty(2); Python has no name for it


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
    yield made
    made.stop()


def lying(**spaces: list[str]) -> Callable[[Any], bool]:
    """Return a test for a whole picture: these tags on these spaces (s3=[...]), all others empty."""
    there = {int(name[1:]): frozenset(tags) for name, tags in spaces.items()}
    picture = {i: there.get(i, frozenset()) for i in range(SPACES)}
    return lambda message: isinstance(message, TrackSeen) and message.spaces == picture


def unknown(message: Any) -> bool:
    return isinstance(message, TrackSeen) and set(message.spaces.values()) == {None}


def is_part(state: str, words: str = "") -> Callable[[Any], bool]:
    return lambda message: (
        isinstance(message, PartIs) and message.state == state and words in str(message.why)
    )


def test_place_move_and_take(track: Track, table: VirtualTable, messages: Messages) -> None:
    """A piece that goes round is seen on every space it stops on, and gone when it is lifted."""
    for space in (0, 1, 7, 8, 15, 16, 21):
        table.put_on_space(space, [TAGS[0]])
        messages.until(lying(**{f"s{space}": [TAGS[0]]}))
    table.put_on_space(21, [])
    messages.until(lying())
    assert table.report()["wrong"] == []


def test_several_tags_on_one_space(track: Track, table: VirtualTable, messages: Messages) -> None:
    """Pieces that share a space are all seen, 4-byte and 7-byte tags alike."""
    sizes = {len(uid) for uid in TAGS[:7]}
    assert sizes == {8, 14}
    table.put_on_space(5, TAGS[:7])
    messages.until(lying(s5=TAGS[:7]))


def test_a_pulled_cable(track: Track, table: VirtualTable, messages: Messages) -> None:
    """Pulled: lost, and every space unknown. Put back under another name: the table as it is now."""
    table.put_on_space(3, [TAGS[0]])
    messages.until(lying(s3=[TAGS[0]]))
    table.set_fault("pulled-cable", "track", True)
    messages.until(is_part("lost", "plug its USB cable in again"))
    messages.until(unknown)
    table.put_on_space(4, [TAGS[0]])
    table.set_fault("pulled-cable", "track", False)
    messages.until(is_part("ok"))
    messages.until(lying(s4=[TAGS[0]]))


def test_a_dead_reader(track: Track, table: VirtualTable, messages: Messages) -> None:
    """One silent reader: its space is unknown and named, the others go on; mended, all is as before."""
    table.put_on_space(3, [TAGS[0]])
    messages.until(lying(s3=[TAGS[0]]))
    table.set_fault("dead-reader", "track/3", True)
    messages.until(is_part("ok", "reader 3 of the track is silent"))
    table.put_on_space(9, [TAGS[1]])
    picture = messages.until(lambda m: isinstance(m, TrackSeen) and m.spaces[9] == frozenset({TAGS[1]}))
    assert picture.spaces[3] is None
    table.set_fault("dead-reader", "track/3", False)
    messages.until(lying(s3=[TAGS[0]], s9=[TAGS[1]]))


def test_dead_miso(track: Track, table: VirtualTable, messages: Messages) -> None:
    """With the common line dead no tag gets through: the track is lost and unknown, never empty."""
    messages.until(lying())
    table.set_fault("dead-miso", "track", True)
    messages.until(is_part("lost", "no reader of the track answers"))
    table.put_on_space(3, [TAGS[0]])
    assert not any(isinstance(m, TrackSeen) and any(m.spaces.values()) for m in messages.all())
    table.set_fault("dead-miso", "track", False)
    messages.until(lying(s3=[TAGS[0]]))


def test_no_power(track: Track, table: VirtualTable, messages: Messages) -> None:
    """Without the track's own supply it is lost, and says why; with it, all tags are seen where they are."""
    table.put_on_space(3, [TAGS[0]])
    messages.until(lying(s3=[TAGS[0]]))
    table.set_fault("no-power", "track", True)
    messages.until(is_part("lost", "has no power"))
    table.set_fault("no-power", "track", False)
    messages.until(lying(s3=[TAGS[0]]))
    assert table.report()["wrong"] == []


def test_ghost_and_flicker(track: Track, table: VirtualTable, messages: Messages) -> None:
    """A strange tag is reported as it is; a tag at the edge of range counts as lying still."""
    table.put_on_space(3, [TAGS[0]])
    table.set_fault("flicker", "track/3", True)
    table.set_fault("ghost-tag", "track/8", True)
    messages.until(lying(s3=[TAGS[0]], s8=[GHOST]))
    table.set_fault("ghost-tag", "track/8", False)
    messages.until(lying(s3=[TAGS[0]]))


def test_noise_on_the_wire(track: Track, table: VirtualTable, messages: Messages) -> None:
    """With noise between lines and every third line hurt, no false message comes; the truth gets through."""
    messages.until(lying())
    table.set_fault("garbage", "track", True)
    for space in (2, 11):
        table.put_on_space(space, [TAGS[0]])
        heard: list[Any] = []
        arrived = lying(**{f"s{space}": [TAGS[0]]})
        while not heard or not arrived(heard[-1]):
            heard.append(messages.get(timeout=PATIENCE_S))
        for message in heard:
            if isinstance(message, TrackSeen):
                where = {i: tags for i, tags in message.spaces.items() if tags}
                assert where in ({}, {2: {TAGS[0]}}, {11: {TAGS[0]}})


class LosesLines(serial.Serial):  # type: ignore[misc]  # pyserial has no types
    """A serial line that can swallow what comes, a whole line at a time."""

    swallow = 0

    def read(self, size: int = 1) -> bytes:
        data = bytes(super().read(size))
        while LosesLines.swallow and b"\n" in data:
            LosesLines.swallow -= 1
            data = data.split(b"\n", 1)[1]
        return data


def test_a_lost_line(table: VirtualTable, messages: Messages) -> None:
    """A line that is lost is noticed by the next one's number, and everything is asked for again."""
    track = Track(lambda: table.pico_port, SPACES, LosesLines)
    track.start(messages)
    messages.until(lying())
    LosesLines.swallow = 1
    table.put_on_space(3, [TAGS[0]])
    messages.until(lying(s3=[TAGS[0]]))
    assert LosesLines.swallow == 0
    track.stop()


def test_a_line_that_is_being_closed_belongs_to_no_track(table: VirtualTable, messages: Messages) -> None:
    """Restarted at the very moment in which the cable is found pulled: its descriptors may be another file's by
    then. Seen once in a teardown: OSError 9."""
    used = threading.Event()

    class IsBeingClosed(serial.Serial):  # type: ignore[misc]  # pyserial has no types
        closing = False

        def close(self) -> None:
            self.closing = True
            pulled.restart()
            super().close()

        def cancel_read(self) -> None:
            if self.closing:
                used.set()
            super().cancel_read()

    pulled = Track(lambda: table.pico_port, SPACES, open=IsBeingClosed)
    pulled.start(messages)
    messages.until(lying())
    table.set_fault("pulled-cable", "track", True)
    messages.until(is_part("lost"))
    pulled.stop()
    assert not used.is_set()


def test_fewer_spaces_than_the_pico_has(table: VirtualTable, messages: Messages) -> None:
    """The Pi says how many readers there are: only those are sensed and reported."""
    track = Track(table.pico_port, 9)
    track.start(messages)
    table.put_on_space(3, [TAGS[0]])
    table.put_on_space(12, [TAGS[1]])
    wanted = {i: frozenset([TAGS[0]] if i == 3 else []) for i in range(9)}
    messages.until(lambda m: isinstance(m, TrackSeen) and m.spaces == wanted)
    track.stop()


class Script:
    """A serial port on which a script speaks: it gives the given lines, then nothing."""

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self.coming = b"".join(link.encode({"n": i} | line) for i, line in enumerate(lines))
        self.asked: list[bytes] = []
        self.heard = threading.Event()  # all of it was read, and what is read was dealt with

    def __call__(self, *_: object, **how: object) -> Script:
        assert how["exclusive"] is True
        return self

    def __enter__(self) -> Script:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    @property
    def in_waiting(self) -> int:
        return len(self.coming)

    def read(self, size: int) -> bytes:
        data, self.coming = self.coming[:size], self.coming[size:]
        if not data:
            self.heard.set()
            time.sleep(0.01)
        return data

    def write(self, data: bytes) -> None:
        self.asked += [data]

    def cancel_read(self) -> None:
        pass


def test_another_protocol_is_refused(messages: Messages) -> None:
    """A Pico with another wire is refused with both numbers, and nothing it says of the track is believed."""
    port = Script([HI | {"protocol": 99}, {"is": "snap", "spaces": [[TAGS[0]]]}])
    track = Track("a port", 1, port)
    track.start(messages)
    messages.until(is_part("tap", "speaks protocol 99 and the companion 2: run companion flash"))
    track.stop()
    assert not any(isinstance(m, TrackSeen) and any(m.spaces.values()) for m in messages.all())


def test_a_refused_pico_stays_refused(messages: Messages) -> None:
    """After any later message that could be understood, the doctor still says what is wrong."""
    port = Script([HI | {"protocol": 99}, HB, HB])
    track = Track("a port", 1, port)
    track.start(messages)
    messages.until(is_part("tap", "speaks protocol 99"))
    assert port.heard.wait(PATIENCE_S)
    track.stop()
    assert track.health.wire == "refused"


def test_a_device_that_is_pulled_while_ports_are_looked_through(
    messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pyserial reads the numbers of one that is gone: the next look finds the others."""
    looks = iter([None])

    def comports() -> list[object]:
        if next(looks, "found") is None:
            raise TypeError("int() can't convert non-string with explicit base")
        return [SimpleNamespace(vid=driver.RASPBERRY_PI, pid=driver.MICROPYTHON, device="/dev/nowhere")]

    monkeypatch.setattr(driver, "RETRY_S", 0.01)
    monkeypatch.setattr("serial.tools.list_ports.comports", comports)
    track = Track(None, 3)
    track.start(messages)
    messages.until(is_part("tap", "not plugged in"))
    messages.until(is_part("tap", "is unplugged"))
    track.stop()


def test_silence(messages: Messages, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Pico that says nothing any more is lost: the track is unknown, and it is asked again."""
    monkeypatch.setattr(driver, "SILENCE_S", 0.1)
    monkeypatch.setattr(driver, "ASK_AGAIN_S", 0.02)
    port = Script([HI, {"is": "snap", "spaces": [[TAGS[0]]]}])
    track = Track("a port", 1, port)
    track.start(messages)
    messages.until(is_part("ok"))
    messages.until(is_part("lost", "has fallen silent"))
    messages.until(unknown)
    track.stop()
    assert set(port.asked) == {link.encode({"do": "tell", "spaces": ["tag"]})}


@pytest.fixture
def pair() -> Iterator[tuple[int, str]]:
    """Yield the Pico's end of a line, which says nothing, and the name of the other end."""
    pico, slave = pty.openpty()
    yield pico, os.ttyname(slave)
    os.close(pico)
    os.close(slave)


def test_a_silent_line_that_another_program_has_open_is_said_to_be_taken(
    pair: tuple[int, str], messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That program takes the Pico's words away: to pull the cable would not help."""
    monkeypatch.setattr(driver, "SILENCE_S", 0.1)
    monkeypatch.setattr(driver, "READ_S", 0.05)
    track = Track(pair[1], 1)
    with open_elsewhere(pair[1]) as program:
        track.start(messages)
        messages.until(is_part("tap", f"another program uses the track at {pair[1]}: sh, {program.pid}"))
        assert track.health.wire == "taken"
    messages.until(is_part("tap", "has fallen silent"))
    track.stop()


def test_no_other_program_may_open_the_port_meanwhile(pair: tuple[int, str]) -> None:
    """The kernel refuses it, as only a program that asks for the lock would refuse itself."""
    asked = struct.pack("i", 0)
    with serial.Serial(pair[1]) as line:
        with exclusive.held(line):
            assert fcntl.ioctl(line.fileno(), TIOCGEXCL, asked) == struct.pack("i", 1)
        assert fcntl.ioctl(line.fileno(), TIOCGEXCL, asked) == struct.pack("i", 0), "the next one may"


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (serial.SerialException(13, "could not open port: Permission denied"), "sudo adduser"),
        (serial.SerialException(11, "Could not exclusively lock port"), "another program uses the track"),
        (serial.SerialException(2, "No such file or directory"), "the track is not at a port, the port in"),
        (serial.SerialTimeoutException("Write timeout"), "has fallen silent"),
    ],
)
def test_a_port_that_cannot_be_opened(messages: Messages, problem: Exception, said: str) -> None:
    """The obstacle is reported, with what to do; start never raises."""

    def refuses(*_: object, **__: object) -> None:
        raise problem

    track = Track("a port", 3, refuses)
    track.start(messages)
    messages.until(is_part("tap", said))
    messages.until(unknown)
    track.stop()


def test_a_named_port_that_is_not_there(messages: Messages, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named, and so are those that are there; also where looking for them fails."""
    there = [SimpleNamespace(device=f"/dev/tty{name}") for name in ("S0", "ACM1")]
    for ports, said in (
        (lambda: there, "there are /dev/ttyACM1, /dev/ttyS0"),
        (list, "this machine has no serial port"),
    ):
        monkeypatch.setattr("serial.tools.list_ports.comports", ports)
        track = Track("/dev/no-such-port", 3)
        track.start(messages)
        messages.until(is_part("tap", f"not at /dev/no-such-port, the port in companion.toml ({said}"))
        track.stop()
        assert (track.health.wire, track.health.port) == ("no port", "/dev/no-such-port")


def test_without_a_pico(messages: Messages, monkeypatch: pytest.MonkeyPatch) -> None:
    """No Pico on any USB port: the track is a tap, and is looked for again."""
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    track = Track(None, 3)
    track.start(messages)
    messages.until(is_part("tap", "not plugged in"))
    track.stop()


def test_the_modelled_pico_ends_with_the_table() -> None:
    """When its control line ends, as it does when the companion is killed, the process ends by itself."""
    pico = ModelledPico(3)
    pico._answers.close()
    pico._control.close()
    assert pico._process.wait(timeout=PATIENCE_S) == 0
    pico.stop()
