"""The hardware over HTTP: what is shown of it, tests of it, bench figures, the recorder, sensor to screen."""

from __future__ import annotations

import csv
import io
import json
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from flask.testing import FlaskClient
from msgspec import convert, to_builtins

from companion.devices.health import PadHealth, RangeTest, SensorHealth, TrackHealth
from companion.devices.pi_health import Pi
from companion.devices.readings import PadSeen, PartIs, Pressed, TrackSeen
from companion.devices.recorder import Recorder
from companion.diagnostics.figures import FIGURES, Figure, as_csv, as_text
from companion.diagnostics.instruments import Instruments
from companion.diagnostics.latency import Latency
from companion.match.record import Header
from companion.message import Sentence
from companion.store.journal import Journal
from companion.table.snapshot import Snapshot
from tests.support.apps import create_app
from tests.support.board import Board
from tests.support.evening import UID, Evening
from tests.web.test_openapi import assert_as_written

RED = UID["galloping-pigs/piece/red"]


class ATrack:
    """A track that says what the test wants."""

    def __init__(self) -> None:
        readers = tuple(SensorHealth(n, "tag", version=0x92, step_ma=61, lies=frozenset()) for n in range(22))
        self.health = TrackHealth("ok", wire="ok", power="on", sensors=readers, sweep_ms=71, volts=3.3)
        self.restarts = 0
        self.asked: list[tuple[int, int, int | None]] = []
        self.answers = threading.Event()
        self.answers.set()
        self.begun = threading.Event()
        self.hits: dict[str, int] = {}

    def change(self, space: int, **values: Any) -> None:
        sensors = list(self.health.sensors)
        sensors[space] = sensors[space]._replace(**values)
        self.health = self.health._replace(sensors=tuple(sensors))

    def range_test(self, space: int, polls: int = 50, power: int | None = None) -> RangeTest:
        self.asked.append((space, polls, power))
        self.begun.set()
        assert self.answers.wait(60)
        if space == 13:
            raise TimeoutError(Sentence("reader {number} is {what}", {"number": 13, "what": "deaf"}))
        return RangeTest(f"track/{space}", polls, self.hits or {RED: polls - 1, "04A1B2C3": 3}, 1, power)

    def restart(self) -> None:
        self.restarts += 1


class APad:
    """A pad with a card on it; it answers a test only with what a test sets."""

    def __init__(self) -> None:
        card = frozenset({UID["galloping-pigs/card/red/3"]})
        self.health = PadHealth("ok", None, "rpi-lgpio 0.6", 0x12, 900, 2, 0, None, card)
        self.hits: dict[str, int] = {}

    def range_test(self, polls: int = 50) -> RangeTest:
        if not self.hits:
            raise TimeoutError("the pad is {away}")
        return RangeTest("pad", polls, self.hits, 0, None)


class APanel:
    """A panel that records the messages it gets."""

    def __init__(self) -> None:
        self.commands: list[str] = []

    def lamp(self, colour: str) -> None:
        self.commands.append(f"lamp {colour}")

    def beep(self, tune: str) -> None:
        self.commands.append(f"beep {tune}")


class House:
    """A table with these parts, and the host's device."""

    def __init__(self, directory: Path, **parts: Any) -> None:
        self.pad = parts.get("pad")
        self.evening = Evening(directory, dated_by=parts.pop("dated_by", None))
        self.latency = Latency(self.evening.table.snapshot.seq, lambda: self.evening.now)
        self.recorder = Recorder(directory, lambda: self.evening.now)
        self.evening.table.listeners.append(self.latency.published)
        instruments = Instruments(Pi(directory / "no-pi"), self.recorder, self.latency)
        self.app = create_app(self.evening.table, parts=parts, instruments=instruments)
        self.host = self.device()

    def device(self) -> FlaskClient:
        """Return a device that has given the PIN."""
        client = self.app.test_client()
        with client.session_transaction() as session:
            session["roles"] = ["host"]
        return client

    def ask(self, method: str, path: str, **body: Any) -> tuple[int, Any]:
        """Return status and answer; the answer is as docs/openapi.yaml has it."""
        sent = body if method != "GET" else None
        answer = self.host.open(path, method=method, headers={"Origin": "http://localhost"}, json=sent)
        kind = (answer.content_type or "").partition(";")[0]
        assert_as_written(method, path, answer.status_code, kind, answer.data)
        return answer.status_code, answer.get_json(silent=True) or answer.get_data(as_text=True)

    @property
    def hardware(self) -> Any:
        status, answer = self.ask("GET", "/api/hardware")
        assert status == 200
        return answer

    def refused(self, path: str, **body: Any) -> tuple[int, str, str]:
        status, answer = self.ask("POST", path, **body)
        return status, answer["kind"], answer["reason"]


@pytest.fixture
def track() -> ATrack:
    return ATrack()


@pytest.fixture
def panel() -> APanel:
    return APanel()


@pytest.fixture
def house(tmp_path: Path, track: ATrack, panel: APanel) -> Iterator[House]:
    opened = House(tmp_path, track=track, pad=APad(), panel=panel)
    yield opened
    opened.recorder.stop()
    opened.evening.journal.close()


# --- what is shown -------------------------------------------------------------------------------


def test_every_sensor_is_shown_as_it_is(house: House, track: ATrack) -> None:
    """Each has one word for its state, the tag there by name and colour, its chip, and its wires."""
    track.change(3, fault="silent", lies=None)
    track.change(4, misses=200, lies=frozenset({RED}), changed=time.monotonic() - 5)
    track.change(5, lies=None)
    track.change(6, fault="memory", version=0x89)
    track.change(7, version=0x35)
    sensors = house.hardware["track"]["sensors"]
    assert [sensors[n]["state"] for n in (2, 3, 4, 5, 6)] == ["ok", "silent", "missed", "unknown", "fault"]
    assert sensors[4]["said"] == "misses what lies there"
    [lying] = sensors[4]["lies"]
    assert (lying["label"], lying["colour"], lying["animal"], lying["kind"]) == (
        "Red pig",
        "red",
        "pig",
        "piece",
    )
    assert 5 <= sensors[4]["changed_s"] < 60
    assert (sensors[4]["version"], sensors[4]["chip"]) == ("92", "MFRC522 2.0")
    assert (sensors[6]["version"], sensors[6]["chip"]) == ("89", "FM17522E")
    assert (sensors[7]["version"], sensors[7]["chip"]) == ("35", "a copy")
    assert sensors[9]["wires"].startswith("group enabled by EN1 (master 74HC138 pin 14)")


def test_what_is_wrong_is_said_worst_first(house: House, track: ATrack) -> None:
    """Each has the next thing to try; the pad's copied chip, which works, comes last."""
    house.evening.table.handle(PartIs("panel", "ok"))
    for space in range(8, 16):
        track.change(space, fault="group")
    group, copy = house.hardware["findings"]
    assert group["what"] == "Spaces 8 to 15 answer nothing"
    assert "EN1, master decoder pin 14" in group["cause"]
    assert group["try"]
    assert (copy["part"], copy["grave"]) == ("pad", "hint")
    house.evening.table.handle(PartIs("panel", "lost", Sentence("the panel is {how}", {"how": "gone"})))
    first = house.hardware["findings"][0]
    assert (first["part"], first["cause"]) == ("panel", "The panel is gone")


def test_a_presence_track_shows_its_switches(house: House, track: ATrack) -> None:
    track.health = track.health._replace(
        sensors=tuple(SensorHealth(n, "present", lies=n % 2 == 0, changed=1.0) for n in range(16))
    )
    sensors = house.hardware["track"]["sensors"]
    assert [sensor["lies"] for sensor in sensors[:3]] == [True, False, True]
    assert sensors[9]["wires"] == "pin 5 of the 74HC165 that is number 2 from the Pico"
    assert house.refused("/api/hardware/test", what="range", at="track/3")[:2] == (404, "absent")


def test_the_course_is_that_of_the_game(house: House) -> None:
    """It has only what is printed on it, and the name of the first sensor's space; without a game nothing."""
    table = house.evening.table
    assert house.hardware["course"] == {"kind": "loop", "spaces": 22, "first": 0}
    table.end(table.snapshot.seq)
    assert house.hardware["course"] is None
    header = Header("giro-galoppo", ("Ada", "Ben"), 0, {})
    table.begin(header, colours=("red", "blue"))
    course: dict[str, Any] = dict(house.hardware["course"] or {})
    assert (course["kind"], course["first"]) == ("course", 1)
    assert set(course) == {"kind", "spaces", "behind", "natural", "sand", "first"}


def test_a_table_without_hardware_says_so(tmp_path: Path) -> None:
    """Nothing is there, nothing is wrong, and what is asked of it is refused with what to do."""
    bare = House(tmp_path)
    hardware = bare.hardware
    assert [hardware[part] for part in ("track", "pad", "panel", "pi")] == [None] * 4
    assert hardware["findings"] == []
    for what in (
        {"what": "lamp", "colour": "red"},
        {"what": "range", "at": "pad"},
        {"what": "range", "at": "track/1"},
    ):
        status, kind, reason = bare.refused("/api/hardware/test", **what)
        assert (status, kind) == (404, "absent")
        assert "companion.toml" in reason
    assert bare.refused("/api/hardware/restart")[:2] == (404, "absent")
    bare.evening.journal.close()


def test_the_hardware_is_the_hosts(house: House) -> None:
    house.host = house.app.test_client()
    assert house.ask("GET", "/api/hardware")[0] == 403
    assert house.refused("/api/hardware/test", what="lamp", colour="red")[:2] == (403, "role")
    assert house.refused("/api/hardware/restart")[:2] == (403, "role")
    assert house.ask("GET", "/api/hardware/figures.csv")[0] == 403


@pytest.mark.parametrize("running", [True, False])
def test_no_card_is_named_while_a_game_goes_on(house: House, track: ATrack, running: bool) -> None:
    """Byte for byte the same for any card, on the pad, on the track and in a range test; the host plays too."""
    house.evening.line_up()
    if not running:
        house.evening.table.end(house.evening.table.snapshot.seq)
    pad, answers = house.pad, set()
    assert pad is not None
    for card in ("red/3", "red/4", "blue/1"):
        uid = UID[f"galloping-pigs/card/{card}"]
        pad.health = pad.health._replace(lies=frozenset({uid}))
        pad.hits = track.hits = {uid: 40}
        track.change(4, lies=frozenset({uid}))
        seen = [house.hardware]
        for at in ("pad", "track/4"):
            seen.append(house.ask("POST", "/api/hardware/test", what="range", at=at, polls=40)[1])
        answers.add(json.dumps(seen))
    assert len(answers) == (1 if running else 3)


# --- tests ---------------------------------------------------------------------------------------


def test_lamp_buzzer_and_restart_reach_the_parts(house: House, track: ATrack, panel: APanel) -> None:
    house.ask("POST", "/api/hardware/test", what="lamp", colour="blue")
    house.ask("POST", "/api/hardware/test", what="buzzer", tune="last-card")
    house.ask("POST", "/api/hardware/restart")
    assert (panel.commands, track.restarts) == (["lamp blue", "beep last-card"], 1)
    for what in (
        {"what": "lamp", "colour": "mauve"},
        {"what": "lamp"},
        {"what": "buzzer", "tune": "La Paloma"},
        {"what": "siren"},
        {"what": "range", "at": "roof"},
        {"what": "range", "at": "track/x"},
        {"what": "range", "at": "pad/1"},
        {"what": "range", "at": "track/1", "polls": 0},
        {"what": "range", "at": "track/1", "power": 64},
    ):
        assert house.refused("/api/hardware/test", **what)[:2] == (400, "malformed")


def test_a_range_test_tells_each_tags_hits(house: House, track: ATrack) -> None:
    status, answer = house.ask("POST", "/api/hardware/test", what="range", at="track/7", polls=40, power=20)
    assert (status, track.asked) == (200, [(7, 40, 20)])
    result = answer["range"]
    assert {hit["label"]: hit["n"] for hit in result["hits"]} == {"Red pig": 39, "04A1B2C3": 3}
    assert (result["torn"], result["power"], result["polls"]) == (1, 20, 40)


def test_a_part_that_does_not_answer_says_why(house: House) -> None:
    """Its own sentence, worded or not, reaches the person; braces in it do no harm."""
    deaf = house.refused("/api/hardware/test", what="range", at="track/13")
    assert deaf == (409, "silent", "reader 13 is deaf")
    assert house.refused("/api/hardware/test", what="range", at="pad") == (409, "silent", "the pad is {away}")
    assert house.refused("/api/hardware/test", what="range", at="track/22")[1] == "absent"


def test_one_reader_is_tested_at_a_time(house: House, track: ATrack) -> None:
    """The second is refused while the first goes on, and welcome after it."""
    track.answers.clear()
    device = house.device()
    first = threading.Thread(
        target=lambda: device.post(
            "/api/hardware/test",
            json={"what": "range", "at": "track/1"},
            headers={"Origin": "http://localhost"},
        )
    )
    first.start()
    assert track.begun.wait(60)
    assert house.refused("/api/hardware/test", what="range", at="track/2")[:2] == (409, "busy")
    track.answers.set()
    first.join()
    assert house.ask("POST", "/api/hardware/test", what="range", at="track/2")[0] == 200


# --- bench figures -------------------------------------------------------------------------------

FIGURE = {
    "what": "piece",
    "at": "track/7",
    "polls": 50,
    "hits": 49,
    "height_mm": 8.5,
    "offset_mm": 3.0,
    "power": 20,
}


def test_figures_are_stored_and_taken_out(house: House) -> None:
    """They survive a restart, are given as CSV and as a text, and forgotten when asked."""
    house.ask("POST", "/api/hardware/figures", **FIGURE, chip="MFRC522 2.0", note="=HYPERLINK(1)")
    house.ask("POST", "/api/hardware/figures", what="sleeve", at="pad", polls=50, hits=0)
    figures = house.hardware["figures"]
    assert [(figure["what"], figure["hits"], figure["mock"]) for figure in figures] == [
        ("piece", 49, False),
        ("sleeve", 0, False),
    ]
    reopened = Journal(house.evening.directory / "journal.sqlite")
    assert to_builtins(reopened.recall(FIGURES)) == figures
    reopened.close()
    rows = list(csv.DictReader(io.StringIO(house.ask("GET", "/api/hardware/figures.csv")[1])))
    assert [(row["at"], row["height_mm"], row["note"]) for row in rows] == [
        ("track/7", "8.5", "'=HYPERLINK(1)"),
        ("pad", "", ""),
    ]
    text = house.ask("GET", "/api/hardware/figures.txt")[1]
    assert "- readers: 22" in text
    assert "| piece | track/7 | 8.5 | 3.0 | 50 | 49 |" in text
    assert "MOCK" not in text
    assert house.ask("DELETE", "/api/hardware/figures")[1]["figures"] == []
    assert house.hardware["figures"] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"hits": 51},
        {"hits": -1},
        {"polls": 0},
        {"what": "elephant"},
        {"height_mm": -1},
        {"offset_mm": 1e9},
        {"power": 64},
        {"torn": 51},
        {"note": "x" * 201},
    ],
    ids=str,
)
def test_a_figure_that_cannot_be_is_refused(house: House, wrong: dict[str, Any]) -> None:
    assert house.refused("/api/hardware/figures", **{**FIGURE, **wrong})[:2] == (400, "malformed")
    assert house.hardware["figures"] == []


def test_modelled_figures_are_marked_everywhere() -> None:
    """A figure of mock hardware is never mistaken for a measurement."""
    figures = [convert({**FIGURE, "when": "2026-01-01T20:00:00+00:00", "mock": True}, Figure)]
    assert as_csv(figures).splitlines()[1].endswith(",True")
    assert "MOCK" in as_text(figures, "1.0")


# --- the recorder --------------------------------------------------------------------------------


def test_the_recorder_is_switched_on_and_off(house: House) -> None:
    assert house.hardware["recorder"] == {"on": False, "file": None, "why": None}
    assert house.ask("POST", "/api/hardware/recorder", on=True)[1]["recorder"]["on"]
    path = Path(house.hardware["recorder"]["file"])
    assert path.parent == house.evening.directory
    assert not house.ask("POST", "/api/hardware/recorder", on=False)[1]["recorder"]["on"]
    assert path.exists()


def test_a_recording_that_cannot_be_written_says_why(house: House) -> None:
    house.recorder.directory = house.evening.directory / "nowhere"
    status, kind, reason = house.refused("/api/hardware/recorder", on=True)
    assert (status, kind) == (409, "not-written")
    assert "No such file" in reason
    assert house.hardware["recorder"]["on"] is False


# --- from sensor to screen -----------------------------------------------------------------------


def send(house: House, message: Any) -> None:
    """Send a part's message to the table, as in `companion run`: the stopwatch is around it."""
    house.latency.around(house.evening.table.handle)(message)


def lay(house: House, card: str, wait: float = 0.5) -> None:
    house.evening.on_pad = {house.evening.card(card)}
    send(house, PadSeen(frozenset(house.evening.on_pad)))
    house.evening.wait(wait)


def test_a_card_is_timed_from_its_tag_to_the_drawn_page(house: House) -> None:
    """The first page to say so counts, once; later words about the same entry do not."""
    house.evening.line_up()
    lay(house, "red 1")
    entry = house.evening.table.snapshot.seq
    house.evening.now += 0.02
    assert house.ask("POST", "/api/painted", seq=entry)[0] == 200
    house.evening.now += 5
    house.ask("POST", "/api/painted", seq=entry)
    assert house.hardware["latency"] == {"ms": [520.0], "median": 520.0, "p95": 520.0}


def test_a_tap_is_not_timed(house: House) -> None:
    """A card that was laid long ago does not make the tap after it slow."""
    evening = house.evening
    evening.line_up()
    send(house, PadSeen(frozenset()))
    send(house, TrackSeen({n: frozenset() for n in range(22)}))
    evening.tap({"do": "play", "seat": 0, "card": "red"})
    house.ask("POST", "/api/painted", seq=evening.table.snapshot.seq)
    assert house.hardware["latency"] == {"ms": [], "median": None, "p95": None}


def test_the_button_confirm_is_timed(house: House) -> None:
    evening = house.evening
    for place, piece in enumerate(("red", "blue", "green", "yellow", "pink")):
        evening.put(piece, -place % 22, wait=0)
    evening.wait()
    send(house, Pressed("confirm"))
    evening.now += 0.25
    house.ask("POST", "/api/painted", seq=evening.table.snapshot.seq)
    assert house.hardware["latency"]["ms"] == [250.0]


@pytest.mark.parametrize("button", ["undo", "confirm"])
def test_what_has_caused_nothing_is_not_timed(house: House, button: Any) -> None:
    """A line-up that is confirmed by a tap, minutes after a button was pressed."""
    send(house, Pressed(button))
    house.evening.now += 600
    house.evening.line_up()
    house.ask("POST", "/api/painted", seq=house.evening.table.snapshot.seq)
    assert house.hardware["latency"]["ms"] == []


def test_a_card_that_waited_for_the_pieces_is_not_timed(house: House) -> None:
    """It was people who took that time."""
    house.evening.line_up()
    house.evening.put("green", 9)
    lay(house, "red 1", wait=30)
    assert house.evening.played == ""
    house.evening.put("green", 20)
    assert house.evening.played == "red"
    house.ask("POST", "/api/painted", seq=house.evening.table.snapshot.seq)
    assert house.hardware["latency"]["ms"] == []


def test_times_without_a_page_are_forgotten_and_two_hundred_stored() -> None:
    """Memory does not grow with the evening, whether a table page is open or not."""
    latency = Latency(clock=lambda: 1.0)
    tell = latency.around(lambda message: None)
    for seq in range(1, 101):
        tell(PadSeen(frozenset()))
        latency.published(caused_by_a_tag(seq))
    latency.drawn(100)  # a page is opened at last
    assert [painted.seq for painted in latency.painted] == list(range(81, 101))
    for seq in range(101, 401):
        tell(PadSeen(frozenset()))
        latency.published(caused_by_a_tag(seq))
        latency.drawn(seq)
    assert [painted.seq for painted in latency.painted] == list(range(201, 401))


def caused_by_a_tag(seq: int) -> Snapshot:
    """Return as much of a picture as the stopwatch looks at."""
    turns = (SimpleNamespace(seq=seq, by="tag"),)
    return cast(Snapshot, SimpleNamespace(seq=seq, match=SimpleNamespace(turns=turns)))


def test_host_and_hardware_say_that_the_clock_was_not_set(tmp_path: Path) -> None:
    """Both say what to do, until the clock is set; the games since get their dates without a restart."""
    really = datetime(2026, 11, 28, 19, tzinfo=UTC)
    board = Board(tmp_path / "root", datetime(2026, 3, 1, tzinfo=UTC), really)
    house = House(tmp_path, dated_by=board.clock)
    evening, words = house.evening, "has not been set since it was switched on"
    assert [found["part"] for found in house.hardware["findings"]] == ["clock"]
    assert words in house.host.get("/host").get_data(as_text=True)
    assert evening.journal.is_undated(1)
    board.set_clock()
    evening.wait(10)
    assert not evening.journal.is_undated(1)
    assert house.hardware["findings"] == []
    assert words not in house.host.get("/host").get_data(as_text=True)
    assert evening.journal.match(1).began.startswith("2026-11-28T19:00")
    evening.journal.close()
