"""Tests of this package: rules as rows, and the companion's view of it."""

from __future__ import annotations

import os
import queue
import random
import threading
from pathlib import Path

import pytest

from companion.bots.players import decide
from companion.devices.readings import PadSeen
from companion.diagnostics.plugged import every_plugin
from companion.games.judge import IllegalDecision, checked
from companion.games.race import played_out
from companion.games.terms import Decision
from companion.translate import Words
from companion_example.beavers import BeaverCreek
from companion_example.lines import LinesPad, seen
from companion_example.stubborn import stubborn

OURS = {"beaver-creek", "stubborn", "lines", "eo"}


def test_the_companion_takes_all_of_it() -> None:
    """Each plug-in is loaded under its name."""
    ours = [plugin for plugin in every_plugin() if plugin.distribution == "companion-example"]
    assert [str(plugin.why) for plugin in ours if plugin.why] == []
    assert {name for plugin in ours for name in plugin.brings} == OURS


def test_a_beaver_that_lands_on_another_pushes_it_back() -> None:
    """It moves one space, and never from the start."""
    race = BeaverCreek.new(["Ada", "Ben"])
    race = checked(race, Decision("swim", 0, 2))
    race = checked(race, Decision("swim", 1, 2))
    assert race.progress == (1, 2)


def test_a_stroke_is_one_to_three() -> None:
    """Only the seat to move may make it."""
    race = BeaverCreek.new(["Ada", "Ben"])
    for wrong in (Decision("swim", 0, 4), Decision("swim", 1, 1)):
        with pytest.raises(IllegalDecision):
            checked(race, wrong)


def test_every_game_ends() -> None:
    """A hundred random games end."""
    for seed in range(100):
        assert played_out(BeaverCreek.new(["Ada", "Ben", "Cleo"]), random.Random(seed)).awaits() is None


def test_the_robot_takes_the_first_thing() -> None:
    """It does so called directly, and by its name."""
    race, rng = BeaverCreek.new(["Ada", "Ben"]), random.Random(1)
    assert stubborn(race, 0, rng) == decide("stubborn", race, 0, rng) == Decision("swim", 0, 1)


def test_a_line_is_what_lies_there() -> None:
    """All its words are tags; one that is no UID is unreadable."""
    assert seen("04a1b2c3d4e5f6 04A1B2C3") == PadSeen(frozenset({"04A1B2C3D4E5F6", "04A1B2C3"}))
    assert seen("") == PadSeen(frozenset())
    assert seen("beaver") == PadSeen(frozenset(), unreadable=True)


def test_lines_from_the_pipe_are_reported(tmp_path: Path) -> None:
    """They are reported as they come, also in pieces; after the end nothing is watched any more."""
    messages: queue.Queue[object] = queue.Queue()
    pad = LinesPad(tmp_path / "cards")
    pad.start(messages.put)
    try:
        with open(tmp_path / "cards", "wb", buffering=0) as pipe:
            pipe.write(b"04A1B2")
            pipe.write(b"C3\n")
        while messages.get(timeout=30) != PadSeen(frozenset({"04A1B2C3"})):
            pass
    finally:
        pad.stop()
    assert "lines" not in {thread.name for thread in threading.enumerate()}
    assert os.path.exists(tmp_path / "cards")


def test_it_speaks_esperanto() -> None:
    """It translates its own messages and some of the companion's; the others stay English."""
    said = Words.of("eo")
    assert (said("Beaver Creek"), said("Host"), said("Undo")) == ("Kastora rojo", "Gastiganto", "Undo")
