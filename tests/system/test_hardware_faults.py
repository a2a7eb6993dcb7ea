"""Each fault of the hardware, from the model of its part to the words on the screen; the game goes on.

A real companion runs on modelled hardware. With each fault a game of pigs is played on: a card, its piece,
another card. A part that the fault disables becomes a tap; after the repair the screen is quiet again.

Only here: a hardware fault that stops the game, that the screen does not name, or whose alert stays after the
repair.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.devices.mock.faults import READER, READERS, SPI_PAD, SWITCH, SWITCHES, WIRE
from tests.support.client import Client, Companion, HttpError, children, companion

pytestmark = pytest.mark.long

PIGS = ("red", "blue", "green", "yellow", "pink")
SPACES = 22

QUIET = ""  # no message: the firmware or the driver copes with it
FAULTS = [
    # kind, where, what the screen says of it
    ("dead-miso", "pad", "the card pad does not answer: check its seven wires"),
    ("mute-radio", "pad", QUIET),  # looks like an empty pad; the range test on the hardware page tells
    ("counterfeit-version", "pad", "the card pad's chip is a copy (version 12)"),
    ("flicker", "pad", QUIET),
    ("stuck", "pad", QUIET),
    ("brown-out", "pad", QUIET),
    ("torn-tag", "pad", QUIET),
    ("pulled-cable", "track", "the track is not plugged in: plug its USB cable in"),
    ("garbage", "track", QUIET),
    ("traceback", "track", QUIET),
    ("reboot", "track", QUIET),
    ("hang", "track", QUIET),
    ("dead-miso", "track", "no reader of the track answers: check the wires from the Pico"),
    ("no-power", "track", "the track has no power: plug its own supply in"),
    (
        "short-circuit",
        "track",
        "the track drew too much current and was switched off: look for a short circuit",
    ),
    (
        "dead-reader",
        "track/0",
        "reader 0 of the track is silent: the hardware page says what to try; that space is played by taps",
    ),
    ("dead-group", "track/0", "readers 0–7 of the track are silent: the hardware page says what to try"),
    ("no-field", "track/0", "reader 0 of the track is silent"),
    ("weak-supply", "track/0", "reader 0 of the track is silent"),
    ("bad-memory", "track/0", "reader 0 of the track is silent"),
    ("ghost-tag", "track/4", "an unknown tag lies on 4: take it away"),
    ("flicker", "track/0", QUIET),
    ("stuck", "track/0", QUIET),
    ("brown-out", "track/0", QUIET),
    ("torn-tag", "track/0", "put the red pig back on start"),
    ("double-read", "track/0", QUIET),
    ("held-miso", "track/0", QUIET),
    ("counterfeit-version", "track/0", QUIET),
]


def test_no_fault_is_left_out() -> None:
    """The table above has every fault of the virtual table."""
    told = {(kind, at.partition("/")[0]) for kind, at, _ in FAULTS}
    there = {(kind, "pad") for kind in SPI_PAD} | {(kind, "track") for kind in (*WIRE, *READERS, *READER)}
    assert told == there


LONG_TAGS = """
04A1B2C3D4E5F6A7B8C9 galloping-pigs/card/red/1
04A1B2C3D4E5F6A7B8CA galloping-pigs/piece/red
"""  # of 10 bytes, cascade level 3, alike but for their last bits


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Companion]:
    data = tmp_path_factory.mktemp("faults")
    (data / "tags.txt").write_text(LONG_TAGS, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "companion",
        "tags",
        "import",
        str(data / "tags.txt"),
        "--data",
        str(data),
    ]
    subprocess.run(command, check=True, capture_output=True)
    with companion(data) as started:
        yield started


@pytest.fixture(scope="module")
def client(running: Companion) -> Client:
    return running.client.host()


def screen(table: dict[str, Any]) -> str:
    """Return all that the table page says of the parts and the pieces."""
    return " | ".join(told["text"] for told in (*table["alerts"], *table["todo"]))


class Game:
    """Two players at pigs. They lay cards where there is a pad, and tap where there is none."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.uids = client.uids()
        for space in range(SPACES):
            client.space(space)
        client.pad()
        client.begin(seats=("Ada", "Ben"))
        for place, pig in enumerate(PIGS):
            client.space(-place % SPACES, self.uids[f"piece/{pig}"])
        client.until(lambda table: self.confirmed())
        client.until(lambda table: table["next"]["do"] == "play")

    def confirmed(self) -> bool:
        """Return True if the line-up could be confirmed.

        It is refused until the pieces have been still for a moment.
        """
        try:
            self.client.now("/api/confirm")
        except HttpError:
            return False
        return True

    def play(self, pig: str, n: int, on_pad: bool) -> None:
        """Play a card, and put its piece where the companion wants it."""
        before = self.client.table["seq"]
        if on_pad:
            self.client.pad(self.uids[f"card/{pig}/{n}"])
            self.client.until(lambda table: table["seq"] > before)
            self.client.pad()
        else:
            seat = self.client.table["next"]["seats"][0]
            self.client.decide(do="play", seat=seat, card=pig)
        table = self.client.table
        assert table["seq"] > before, screen(table)
        to = table["layout"][pig]["space"]
        self.client.space(to, self.uids[f"piece/{pig}"])
        self.client.until(lambda table: not any(task["held"] for task in table["todo"]))


def table_anew(client: Client) -> Game:
    """Mend all faults, end the last test's game and begin a new one."""
    for fault in client.get("/api/mock")["faults"]:
        if fault["on"]:
            client.fault(fault["kind"], fault["at"], on=False)
    if client.table["match"] is not None:
        client.now("/api/end")
    return Game(client)


@pytest.mark.parametrize(("kind", "at", "said"), FAULTS)
def test_the_game_goes_on(client: Client, kind: str, at: str, said: str) -> None:
    """The screen says what is wrong and what to do, or nothing if nothing has to be done."""
    game = table_anew(client)
    client.fault(kind, at)
    if said:
        client.until(lambda table: said in screen(table))
    pad = client.table["parts"]["pad"] == "ok" and kind != "mute-radio"
    if kind == "torn-tag" and at != "pad":
        client.space(0, game.uids["piece/red"])
        client.until(lambda table: not table["todo"])
    game.play("red", 1, pad)
    if kind == "torn-tag" and at == "pad":
        client.blank()  # no card: a slow machine reads all of it before it is torn off
        client.fault(kind, at)
        client.pad()
        client.until(lambda table: table["alerts"] == [])
    game.play("pink", 1, pad)
    if not said:
        assert client.table["alerts"] == [], screen(client.table)
    client.fault(kind, at, on=False)
    if kind == "short-circuit":
        client.fault("no-power", "track")  # the plug is pulled, the short circuit mended, and put back
        client.until(lambda table: "the track has no power" in screen(table))
        client.fault("no-power", "track", on=False)
    client.until(lambda table: table["parts"] == {"pad": "ok", "track": "ok", "panel": "ok"})
    client.until(lambda table: table["alerts"] == [])
    game.play("blue", 1, on_pad=True)


FELT = 0.5  # seconds: more than a switch must be closed to count
STALLED = 1000  # unread bytes: six heartbeats, three seconds


def written_by(pid: int) -> int:
    """Return how many bytes a process has written since it began."""
    [written] = re.findall(r"^wchar: (\d+)$", Path(f"/proc/{pid}/io").read_text(), re.MULTILINE)
    return int(written)


def test_a_host_that_stalls(running: Companion, client: Client) -> None:
    """The Pi halts for seconds: the Pico's messages are lost, and requested again when it goes on."""
    game = table_anew(client)
    pico = next(pid for pid, what in children(running.process.pid).items() if "mock.pico" in what)
    running.process.send_signal(signal.SIGSTOP)
    before = written_by(pico)
    while written_by(pico) < before + STALLED:
        time.sleep(0.05)  # the Pico talks on; only the system shows it
    running.process.send_signal(signal.SIGCONT)
    game.play("red", 1, on_pad=True)
    game.play("pink", 1, on_pad=True)
    client.until(lambda table: table["parts"]["track"] == "ok" and table["alerts"] == [])


SWITCH_FAULTS = [
    ("cut-row", "track", "the switches of the track do not answer: check the wires from the Pico"),
    ("dead-switch", "track/0", "put the red pig"),
    ("stuck-switch", "track/9", "something stands on 9, where no piece should"),
]


@pytest.fixture(scope="module")
def present(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Yield a companion whose track only senses that a piece is there."""
    data: Path = tmp_path_factory.mktemp("present")
    (data / "companion.toml").write_text('[track]\nkind = "present"\n', encoding="utf-8")
    with companion(data) as started:
        yield started.client.host()


def test_no_fault_of_a_switch_is_left_out() -> None:
    """This table or the one before has every fault of a presence track."""
    assert {kind for kind, _, _ in SWITCH_FAULTS} == {*SWITCHES, *SWITCH}


def all_felt(client: Client) -> bool:
    """Return True once the line-up has been sensed for long enough, which no page shows."""
    sensors = {sensor["space"]: sensor for sensor in client.get("/api/hardware")["track"]["sensors"]}
    lined_up = [sensors[-place % SPACES] for place in range(len(PIGS))]
    return all(sensor["lies"] and sensor["changed_s"] > FELT for sensor in lined_up)


@pytest.mark.parametrize(("kind", "at", "said"), SWITCH_FAULTS)
def test_the_game_goes_on_with_switches(present: Client, kind: str, at: str, said: str) -> None:
    """The screen names the fault, the next cards are played, and after the repair it is quiet."""
    if present.table["match"] is not None:
        present.now("/api/end")
    present.begin(seats=("Ada", "Ben"))
    uids = present.uids()
    for space in range(SPACES):
        present.space(space)
    for place, pig in enumerate(PIGS):
        present.space(-place % SPACES, uids[f"piece/{pig}"])
    present.decide(do="line-up", seat=0, order=list(PIGS))
    present.until(lambda table: table["next"]["do"] == "play" and table["alerts"] == [])
    present.until(lambda _: all_felt(present))
    present.fault(kind, at)
    present.until(lambda table: said in screen(table))
    for pig in ("red", "pink"):
        before = present.table
        present.decide(do="play", seat=before["next"]["seats"][0], card=pig)
        after = present.table
        assert after["seq"] > before["seq"]
        present.space(after["layout"][pig]["space"], uids[f"piece/{pig}"])
        if kind == "stuck-switch":  # the others cannot see that it was done
            present.until(lambda table: not any(task["held"] for task in table["todo"]))
    present.fault(kind, at, on=False)
    present.until(lambda table: table["parts"]["track"] == "ok")
    if kind == "cut-row":  # two pieces were moved and nothing saw it
        present.until(lambda table: "check the colours" in screen(table))
        present.press("next")
    present.until(lambda table: table["alerts"] == [] and not any(task["held"] for task in table["todo"]))
