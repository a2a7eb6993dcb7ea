"""What the sensors said is written down as it was said, and played back it leads to the same decisions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from companion.devices.readings import PadSeen, PartIs, PresenceSeen, Pressed, Seen, SweepIs, TrackSeen
from companion.devices.recorder import Recorder, decoded, encoded, played_back
from companion.message import Sentence
from companion.store.journal import Journal
from tests.support.client import Client, Companion
from tests.support.evening import PIGS, UID, Evening

NO_PLUG = Sentence(
    "{count} plug is out", {"count": 2, "news_a": Sentence("at {at}", {"at": 3})}, "{count} plugs are out"
)
SAID: list[Seen] = [
    PadSeen(frozenset({"04A1B2C3", "04A1B2C3D4E5F6"})),
    PadSeen(frozenset(), unreadable=True),
    TrackSeen({0: frozenset({"04A1B2C3"}), 1: frozenset(), 2: None}),
    PresenceSeen({0: True, 1: False, 2: None}),
    Pressed("undo"),
    PartIs("pad", "ok"),
    PartIs("track", "lost", NO_PLUG),
    SweepIs(84),
]


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def recorder(tmp_path: Path, clock: Clock) -> Iterator[Recorder]:
    made = Recorder(tmp_path, clock)
    yield made
    made.stop()


def recorded(recorder: Recorder) -> Path:
    assert recorder.path is not None
    return recorder.path


# --- the file ------------------------------------------------------------------------------------


def test_every_kind_of_message_is_written_and_read(recorder: Recorder, clock: Clock) -> None:
    """Each is written with its time and unchanged; no kind of companion/devices/readings.py is left out."""
    assert {type(message) for message in SAID} == set(get_args(Seen))
    recorder.start()
    for message in SAID:
        clock.now += 1.5
        recorder.hear(message)
    played = list(played_back(recorded(recorder)))
    assert played == [(1.5 * n, message) for n, message in enumerate(SAID, 1)]


def test_a_line_can_be_read_aloud() -> None:
    line = json.dumps({"at": 12.3, **encoded(SAID[2])})
    assert line == '{"at": 12.3, "TrackSeen": {"spaces": {"0": ["04A1B2C3"], "1": [], "2": null}}}'


def test_a_recording_begins_with_what_was_said_last(recorder: Recorder, clock: Clock) -> None:
    """A recording begun in the middle of an evening starts with the newest message of each kind and part."""
    for message in (SAID[1], SAID[0], SAID[2], SweepIs(280), PartIs("pad", "tap"), SAID[7], SAID[5], SAID[6]):
        recorder.hear(message)
    recorder.start()
    assert list(played_back(recorded(recorder))) == [
        (0.0, one) for one in (SAID[0], SAID[2], SAID[7], SAID[5], SAID[6])
    ]


def test_nothing_is_written_before_and_after(recorder: Recorder, tmp_path: Path) -> None:
    recorder.hear(SAID[0])
    assert list(tmp_path.iterdir()) == []
    recorder.start()
    recorder.stop()
    recorder.hear(SAID[4])
    assert list(played_back(recorded(recorder))) == [(0.0, SAID[0])]


def test_two_recordings_in_one_second_are_two_files(recorder: Recorder, tmp_path: Path) -> None:
    for _ in range(3):
        recorder.start()
        recorder.stop()
    assert len(list(tmp_path.glob("sensors-*.jsonl"))) == 3


def test_each_line_is_on_the_disk_at_once_and_a_torn_last_one_is_left_out(recorder: Recorder) -> None:
    """If a power cut tears the file anywhere, all whole lines play."""
    recorder.start()
    for message in SAID:
        recorder.hear(message)
    whole = recorded(recorder).read_bytes()  # not closed yet
    torn = recorded(recorder).with_name("torn.jsonl")
    for length in range(len(whole) + 1):
        torn.write_bytes(whole[:length])
        lines = whole[:length].count(b"\n")
        assert [message for _, message in played_back(torn)] == SAID[: max(0, lines - 1)]


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "{}",
        "[1]",
        '{"at": 1, "Sneezed": {}}',
        '{"at": 1, "PadSeen": {"tags": 3}}',
        '{"at": null, "Pressed": {"button": "undo"}}',
        '{"at": 1, "Pressed": {"button": "eject"}}',
    ],
)
def test_a_bad_line_in_the_middle_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(f'{{"recording": 1}}\n{line}\n{{"at": 2}}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"bad\.jsonl:2: is no line of a recording"):
        list(played_back(path))


def test_a_recording_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    path.write_text('{"recording": 2}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="version 2 is not known"):
        list(played_back(path))


def test_a_full_disk_ends_the_recording_and_not_the_evening(recorder: Recorder) -> None:
    """The message still reaches the table; the reason why nothing is written is stored for the page."""
    heard: list[Seen] = []
    tell = recorder.around(heard.append)
    recorder.start()
    assert recorder._file is not None
    recorder._file.close()
    recorder._file = open("/dev/full", "w", encoding="utf-8")  # noqa: SIM115  the recorder closes it
    tell(SAID[0])
    assert (heard, recorder.on) == ([SAID[0]], False)
    assert recorder.why == "No space left on device"


def test_what_is_decoded_is_what_was_encoded() -> None:
    for message in SAID:
        assert decoded(json.loads(json.dumps(encoded(message)))) == message


# --- played back ---------------------------------------------------------------------------------


def decisions(journal: Journal) -> list[Any]:
    """Return the decisions in the journal of the match, each with its cause."""
    filed = journal.current()
    assert filed is not None
    return [(e.kind, e.line, e.uids, e.by) for e in journal.entries(filed.id) if e.kind != "new"]


def played_into(evening: Evening, path: Path) -> None:
    """Play the recording to the table at its own times."""
    began = evening.now
    for at, message in played_back(path):
        until(evening, began + at)
        evening.table.handle(message)
    evening.wait(5)


def until(evening: Evening, at: float) -> None:
    evening.wait(max(0.0, at - evening.now))


def an_evening(evening: Evening) -> None:
    """Play a line-up, cards, a card refused and lifted, an undo by button, a silent reader, a lost pad."""
    evening.table.handle(SweepIs(84))
    evening.line_up()
    evening.play("red 1")
    evening.table.handle(SweepIs(150))  # from here on a piece must stand longer
    evening.play("blue 1")
    evening.lay("red 1", "blue 2")  # two at once: neither is tried
    evening.lift()
    evening.play("pink 1")
    evening.press("undo")
    evening.lift()
    evening.put("pink", -4 % 22)
    evening.silent = {5}
    evening.show_track()
    evening.table.handle(PartIs("pad", "lost", NO_PLUG))
    evening.wait(3)
    evening.table.handle(PartIs("pad", "ok"))
    evening.play("green 1")


def test_an_evening_played_back_gives_the_same_decisions(tmp_path: Path) -> None:
    """The evening is recorded at one table, and played into a fresh one whose clock the test moves."""
    first = Evening(fresh(tmp_path / "first"))
    recorder = Recorder(tmp_path, lambda: first.now)
    handle: Callable[[Any], None] = first.table.handle
    first.table.handle = recorder.around(handle)  # type: ignore[assignment]
    recorder.start()
    an_evening(first)
    recorder.stop()
    again = Evening(fresh(tmp_path / "again"))
    again.now = 5000.0
    played_into(again, recorded(recorder))
    assert len(decisions(first.journal)) >= 5
    assert decisions(again.journal) == decisions(first.journal)
    assert again.played == first.played == "red blue green"


def test_a_recording_from_before_the_track_reported_its_sweep(tmp_path: Path) -> None:
    """It plays with the times of a track that reports none: a piece counts after 0.65 s, and not before."""
    path = tmp_path / "old.jsonl"
    lying = {
        str(space): [UID[f"galloping-pigs/piece/{pig}"]]
        for space, pig in zip((0, 21, 20, 19, 18), PIGS, strict=True)
    }
    spaces = {str(space): lying.get(str(space), []) for space in range(22)}
    said = [{"at": at, "Pressed": {"button": "confirm"}} for at in (0.64, 0.66)]
    lines = [{"recording": 1}, {"at": 0.0, "TrackSeen": {"spaces": spaces}}, *said]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    evening = Evening(fresh(tmp_path / "again"))
    for at, message in played_back(path):
        until(evening, 100.0 + at)
        assert evening.race.awaits().do == "line-up"
        evening.table.handle(message)
    assert evening.race.awaits().do == "play"


def fresh(directory: Path) -> Path:
    directory.mkdir()
    return directory


def test_an_evening_on_modelled_hardware_is_recorded_and_played_back(tmp_path: Path) -> None:
    """`companion run --record`: pad, Pico and panel say it through the real drivers."""
    data = fresh(tmp_path / "data")
    running = Companion(data, "--record")
    client = running.client.host()
    client.begin(seats=("Ada", "Ben", "Cleo"))
    played(client)
    assert running.stop() == 0
    [path] = data.glob("sensors-*.jsonl")
    journal = Journal(data / "journal.sqlite")
    again = Evening(fresh(tmp_path / "again"))
    played_into(again, path)
    assert decisions(again.journal) == decisions(journal)
    assert again.played == "red"
    journal.close()


def played(client: Client) -> None:
    """Play the line-up by pieces and the button, and a card."""
    uids = client.uids()
    for place, pig in enumerate(PIGS):
        client.space(-place % 22, uids[f"piece/{pig}"])
    # not before the table offers it: a press just then is late enough for the inbox, and too early by its own time
    client.until(lambda table: "OK, this line-up" in client.get("/"))
    client.press("confirm")
    client.until(lambda table: table["next"] == {"do": "play", "seats": [0]})
    client.pad(uids["card/red/1"])
    client.until(lambda table: table["next"] == {"do": "play", "seats": [1]})
