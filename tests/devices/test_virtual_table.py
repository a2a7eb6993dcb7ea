"""The virtual table: where tags lie, what is broken, and that it lasts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion import games
from companion.devices.mock.faults import MOMENTS
from companion.devices.mock.tags import DEMO_SET
from companion.devices.mock.virtual_table import GHOST, VirtualTable, parts, search_path
from companion.devices.readings import PadSeen, PartIs, Pressed, TrackSeen
from companion.games.boxes import most_cards
from companion.settings import MOCK, Settings
from tests.support.devices.modelled import Messages

TAGS = list(DEMO_SET)


def test_the_demo_set() -> None:
    """Every card and piece of four games has its tag, and in every game both sizes of UID occur."""
    sets = {name: game for name, game in games.all_games().items() if game.numbers}
    assert sorted(sets) == ["galloping-horse", "galloping-pigs", "giro-galoppo", "greyhounds"]
    for name, game in sets.items():
        uids = [uid for uid, means in DEMO_SET.items() if means.startswith(f"{name}/")]
        assert len(uids) == len(game.pieces) * (most_cards(game) + 1)
        assert {len(uid) for uid in uids} == {8, 14}
    assert len(set(DEMO_SET.values())) == len(DEMO_SET)
    assert not any(uid[:2] in ("08", "88") for uid in DEMO_SET if len(uid) == 8)
    assert GHOST not in DEMO_SET


def test_a_tag_is_in_one_place() -> None:
    """Laid somewhere it is lifted elsewhere; what lay there before and is not named is off the table."""
    table = VirtualTable(None, 5)
    assert set(table.tags().values()) == {"off"}
    table.put_on_pad(TAGS[:2])
    table.put_on_space(3, TAGS[1:3])
    assert [table.tags()[uid] for uid in TAGS[:4]] == ["pad", "track/3", "track/3", "off"]
    table.put_on_pad([TAGS[3]])
    assert [table.tags()[uid] for uid in TAGS[:4]] == ["off", "track/3", "track/3", "pad"]
    table.put_on_space(99, [TAGS[1]])
    assert table.tags()[TAGS[1]] == "track/99"


@pytest.mark.parametrize("uid", ["", "04", "XYZ", "04A1B2C3D4", "88A1B2C3"])
def test_what_is_no_tag(uid: str) -> None:
    """A text that is no UID is refused with a sentence, and nothing has moved."""
    table = VirtualTable(None, 5)
    table.put_on_pad([TAGS[0]])
    with pytest.raises(ValueError, match="is no UID of 8, 14 or 20 hex digits"):
        table.put_on_pad([TAGS[1], uid])
    assert table.tags()[TAGS[0]] == "pad"
    assert table.tags()[TAGS[1]] == "off"


def test_unknown_faults_and_buttons() -> None:
    """An error for an unknown part or button lists the known ones."""
    table = VirtualTable(None, 5)
    with pytest.raises(
        ValueError, match="there is no fault 'fire' at 'pad': there are bad-memory, brown-out, "
    ):
        table.set_fault("fire", "pad", True)
    with pytest.raises(ValueError, match="there is no fault 'dead-reader' at 'track/5'"):
        table.set_fault("dead-reader", "track/5", True)
    with pytest.raises(ValueError, match="the panel has no button 'reset'"):
        table.press("reset")


def test_faults_are_listed() -> None:
    """Every fault is listed with its place, and whether it is on."""
    table = VirtualTable(None, 2)
    listed = {(fault["kind"], fault["at"]) for fault in table.faults()}
    assert {
        ("dead-miso", "pad"),
        ("flicker", "pad"),
        ("pulled-cable", "track"),
        ("ghost-tag", "track/1"),
    } <= listed
    for fault in table.faults():
        assert fault["on"] is False
        table.set_fault(fault["kind"], fault["at"], True)
    for fault in table.faults():
        assert fault["on"] is (fault["kind"] not in MOMENTS)
    assert not any(fault["at"].startswith("track") for fault in VirtualTable(None, 0).faults())


def test_a_killed_companion(tmp_path: Path) -> None:
    """After kill -9 at any moment the tags are where they were."""
    path = tmp_path / "mock-table.json"
    code = """
import sys
from pathlib import Path
from companion.devices.mock.virtual_table import VirtualTable
table = VirtualTable(Path(sys.argv[1]), 5)
table.put_on_pad([sys.argv[2]])
table.put_on_space(3, [sys.argv[3]])
print("laid", flush=True)
n = 0
while True:
    n += 1
    table.put_on_space(n % 2, [sys.argv[4]])
"""
    environment = os.environ | {"PYTHONPATH": search_path()}
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path), *TAGS[:3]], stdout=subprocess.PIPE, env=environment
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"laid\n"
        child.send_signal(signal.SIGKILL)
    table = VirtualTable(path, 5)
    assert table.tags()[TAGS[0]] == "pad"
    assert table.tags()[TAGS[1]] == "track/3"
    assert table.tags()[TAGS[2]] in ("track/0", "track/1", "off")
    assert {at for uid, at in table.tags().items() if uid not in TAGS[:3]} == {"off"}


def test_an_unreadable_file_is_set_aside(tmp_path: Path) -> None:
    """A file that a person has spoiled does not stop the table: it is stored under another name."""
    path = tmp_path / "mock-table.json"
    path.write_text("{", encoding="utf-8")
    assert set(VirtualTable(path, 5).tags().values()) == {"off"}
    assert path.with_suffix(".bad").read_text(encoding="utf-8") == "{"


def test_the_parts_of_a_table(tmp_path: Path, messages: Messages) -> None:
    """The real drivers over the models: a card, a piece and a button get through."""
    table, pad, track, panel = parts(MOCK, tmp_path / "mock-table.json")
    assert pad
    assert track
    assert panel
    table.put_on_pad([TAGS[0]])
    table.put_on_space(4, [TAGS[1]])
    table.start()
    for part in (pad, track, panel):
        part.start(messages)
    messages.until(
        PadSeen(frozenset([TAGS[0]])).__eq__,
        lambda m: isinstance(m, TrackSeen) and m.spaces.get(4) == frozenset({TAGS[1]}),
    )
    table.press("undo")
    messages.until(Pressed("undo").__eq__)
    panel.lamp("yellow")
    assert table.lamp() == "yellow"
    table.set_fault("counterfeit-version", "pad", True)
    messages.until(
        lambda m: isinstance(m, PartIs) and m.part == "pad" and "a copy (version 12)" in str(m.why)
    )
    for part in (pad, track, panel):
        part.stop()
    table.stop()


def test_a_table_without_hardware(tmp_path: Path) -> None:
    """Parts that the settings do not name are not there."""
    _, *none = parts(Settings(), tmp_path / "mock-table.json")
    assert none == [None, None, None]
