"""The wire between Pico and Pi, and the host's picture of the track."""

from __future__ import annotations

import doctest
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.track_state import TrackState, understood
from companion.firmware import link
from tests.support.devices.modelled import HB, HI

messages = st.lists(
    st.dictionaries(
        st.text("abc@*{}\"'", max_size=4), st.integers() | st.text(max_size=6) | st.none(), max_size=3
    ),
    max_size=4,
)


def test_examples() -> None:
    """The examples in the wire's own text are true."""
    assert doctest.testmod(link).failed == 0


@given(messages, st.lists(st.binary(max_size=60), min_size=5, max_size=5), st.integers(1, 50))
def test_noise_between_lines(said: list[dict[str, Any]], noise: list[bytes], chunk: int) -> None:
    """With any bytes between good lines, and any cuts of the stream, exactly the messages arrive."""
    stream = b"".join(noise[i] + link.encode(message) for i, message in enumerate(said)) + noise[-1]
    lines, heard = link.Lines(), []
    for at in range(0, len(stream), chunk):
        heard += lines.feed(stream[at : at + chunk])
    assert heard == said


@given(st.data())
def test_a_hurt_line_is_no_line(data: st.DataObject) -> None:
    """A line with one byte changed never becomes another message."""
    message = {"n": data.draw(st.integers(0, 10**6)), "is": "snap", "spaces": [["04A1B2C3D4E5F6"], [], None]}
    line = bytearray(link.encode(message))
    at = data.draw(st.integers(0, len(line) - 1))
    line[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != line[at]))
    assert all(heard == message for heard in link.Lines().feed(bytes(line) + b"\n"))


def test_what_is_no_message_is_not_counted_as_hurt() -> None:
    """A traceback says nothing of the cable; a line that was cut or changed does."""
    lines = link.Lines()
    lines.feed(b'Traceback (most recent call last):\n  File "main.py", line 3\nMicroPython v1.24\n')
    assert lines.hurt == 0
    whole = link.encode({"n": 1, "is": "no"})
    lines.feed(whole[:-6] + b"\n" + whole[3:] + whole.replace(b"1", b"2"))
    assert lines.hurt == 3


def test_an_endless_line_does_not_fill_the_memory() -> None:
    """Bytes without a line end are dropped from the front."""
    lines = link.Lines()
    for _ in range(100):
        assert lines.feed(b"x" * 1000) == []
    assert len(lines.rest) <= link.LONGEST
    assert lines.feed(b"\n" + link.encode({"n": 1})) == [{"n": 1}]


def test_nested_too_deeply() -> None:
    """Brackets beyond what a reader of JSON can follow are no message, and no crash."""
    text = b'{"do":' + b"[" * 3900 + b"]" * 3900 + b"}"
    line = b"@%s*%04x" % (text, link.crc16(text))
    assert len(line) <= link.LONGEST
    assert link.Lines().feed(line + b"\n" + link.encode({"n": 1}))[-1] == {"n": 1}


def test_noise_full_of_beginnings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line in which a message might begin anywhere costs no more than a few looks: a Pico must feed its dog."""
    looked_at, crc16 = [], link.crc16

    def noted(data: bytes) -> int:
        looked_at.append(len(data))
        return crc16(data)

    monkeypatch.setattr(link, "crc16", noted)
    assert link.Lines().feed(b"@{" * 4000 + b"*0000\n") == []
    assert len(looked_at) <= link.TRIES


TAG = "04A1B2C3D4E5F6"
contents = st.sampled_from([None, [], [TAG], ["0102A1B2"], ["0102A1B2", TAG]])
change = st.tuples(st.integers(0, 3), contents)


@given(st.lists(st.tuples(st.sampled_from(["ev", "snap", "hb"]), change, st.booleans()), max_size=30))
def test_a_picture_is_right_or_known_to_be_wrong(lines: list[tuple[str, tuple[int, Any], bool]]) -> None:
    """After any lost lines, while the picture calls itself whole, it is what the Pico last said."""
    truth: list[Any] = [None] * 4
    picture = TrackState(["tag"] * 4)
    picture.hear(understood(HI | {"n": 0, "spaces": ["tag"] * 4}))
    for number, (kind, (space, tags), arrives) in enumerate(lines, 1):
        message: dict[str, Any] = {"n": number, "is": kind}
        if tags and any(set(tags) & set(other or ()) for other in truth):
            continue  # one tag is in one place
        if kind == "ev":
            truth[space] = tags
            message["changes"] = [[space, tags]]
        elif kind == "snap":
            message["spaces"] = list(truth)
        else:
            message |= HB | {"state": link.state_crc(truth)}
        if arrives:
            picture.hear(understood(message))
            if picture.whole:
                assert picture.spaces == [None if tags is None else frozenset(tags) for tags in truth]


def test_another_boot_is_another_track() -> None:
    """A new boot id makes the picture doubtful until the next snapshot, though no line is missing."""
    picture = TrackState(["tag"])
    picture.hear(understood(HI | {"n": 1}))
    picture.hear(understood({"n": 2, "is": "snap", "spaces": [[TAG]]}))
    assert picture.whole
    picture.hear(understood(HI | {"n": 3}))
    assert picture.whole
    picture.hear(understood(HI | {"n": 4, "boot": "bb"}))
    assert not picture.whole


@pytest.mark.parametrize(
    "wrong",
    [
        {"is": "snap", "spaces": [[TAG], [TAG]]},  # one tag in two places
        {"is": "snap", "spaces": [[TAG]]},  # fewer spaces
        {"is": "snap", "spaces": [[TAG], True]},  # a switch on a tag track
        {"is": "snap", "spaces": [["no UID"], []]},
        {"is": "ev", "changes": [[7, [TAG]]]},
        {"is": "ev", "changes": [[-1, [TAG]]]},
        {"is": "ev", "changes": [[1, [TAG]]]},  # it is on 0
        {"is": "ev"},
        HI | {"spaces": ["tag", "tag"], "versions": [146]},
        {"is": "oracle"},
        {},
    ],
)
def test_what_cannot_be_is_not_believed(wrong: dict[str, Any]) -> None:
    """Right by its checksum and wrong in what it says: nothing of it counts, and all is asked for again."""
    picture = TrackState(["tag", "tag"])
    picture.hear(understood(HI | {"n": 0, "spaces": ["tag", "tag"]}))
    picture.hear(understood({"n": 1, "is": "snap", "spaces": [[TAG], []]}))
    with pytest.raises(ValueError):  # noqa: PT011  (each has words of its own)
        picture.hear(understood({"n": 2} | wrong))
    assert picture.spaces == [frozenset({TAG}), frozenset()]
    picture.hear(understood({"n": 3, "is": "ev", "changes": []}))
    assert not picture.whole
