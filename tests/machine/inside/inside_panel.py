"""The panel through the kernel's GPIO: gpiozero and lgpio as on a Pi, on the pins of gpio-sim."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from companion.devices.panel import LIGHTS, SETTLE_S, ButtonPanel
from companion.devices.readings import PartIs
from companion.devices.tunes import TUNES
from companion.pins import PI_PINS
from tests.machine.board import Edges, Pins
from tests.machine.inside.table import Table, doctor, finding, table
from tests.support.client import PATIENCE_S
from tests.support.devices.modelled import Messages

PANEL = 'pad = false\npanel = true\n[track]\nkind = "none"\n'
ORDER = ["red", "blue", "green", "yellow", "pink"]
BOUNCE = (0.0005, 0.001, 0.002, 0.0005, 0.003)
"""Seconds of each level while a contact comes to rest."""
TRIES = 4
HOLDER = """
import lgpio, sys, time
chip = lgpio.gpiochip_open(0)
lgpio.gpio_claim_input(chip, int(sys.argv[1]))
print("has it", flush=True)
time.sleep(3600)
"""


@pytest.fixture(scope="module")
def pins() -> Pins:
    return Pins()


@pytest.fixture
def running(pins: Pins) -> Iterator[Table]:
    with table(PANEL) as one:
        one.until(lambda hardware: hardware["panel"] and hardware["panel"]["state"] == "ok")
        one.host.begin("galloping-pigs", ("Ada", "Ben"))
        one.host.decide(do="line-up", seat=0, order=ORDER)
        for card in ORDER[:4]:
            one.host.decide(do="play", seat=one.host.table["next"]["seats"][0], card=card)
        yield one


def press(pins: Pins, button: str, held: float = 0.1, bounce: tuple[float, ...] = ()) -> bool:
    """Press a button for so many seconds; its contact bounces when it closes and when it opens.

    Return whether every bounce was short: on a busy machine one may last as long as a press.
    """
    longest = 0.0
    for down in (True, False):
        for seconds in bounce:
            for level in (not down, down):
                began = time.monotonic()
                pins.pull(PI_PINS[button], level)
                time.sleep(seconds)
                longest = max(longest, time.monotonic() - began)
        pins.pull(PI_PINS[button], not down)
        time.sleep(held if down else 0.1)
    return longest < SETTLE_S / 2


def is_later(seen: dict[str, Any], seq: int) -> bool:
    """Return whether the table has a later entry."""
    return int(seen["seq"]) > seq


def undone(running: Table, seq: int) -> int:
    """Return how many entries came after this one, once none comes any more."""
    time.sleep(1.0)
    return int(running.host.table["seq"]) - seq


@pytest.mark.parametrize(
    ("held", "bounce"), [(0.1, ()), (0.1, BOUNCE), (2.0, ()), (0.04, ())], ids=["short", "bounce", "long", "tap"]
)  # fmt: skip
def test_a_press_counts_once(running: Table, pins: Pins, held: float, bounce: tuple[float, ...]) -> None:
    """A press takes one decision back, however long it is and however the contact bounces."""
    for _ in range(TRIES):
        seq = running.host.table["seq"]
        is_sharp = press(pins, "undo", held, bounce)
        running.running.client.until(partial(is_later, seq=seq))
        steps = undone(running, seq)
        if is_sharp or steps == 1:
            break
    assert steps == 1


def test_a_press_counts_while_the_button_is_down(running: Table, pins: Pins) -> None:
    """It counts when the contact closes; when it opens nothing more is taken back."""
    seq = running.host.table["seq"]
    pins.pull(PI_PINS["undo"], False)
    try:
        running.running.client.until(partial(is_later, seq=seq))
    finally:
        pins.pull(PI_PINS["undo"], True)
    assert undone(running, seq) == 1


def test_noise_is_no_press(running: Table, pins: Pins) -> None:
    """Spikes that are shorter than a press take nothing back."""
    seq = running.host.table["seq"]
    long = 0
    for _ in range(10):
        began = time.monotonic()
        pins.pull(PI_PINS["undo"], False)
        pins.pull(PI_PINS["undo"], True)
        long += time.monotonic() - began >= SETTLE_S / 2  # on a busy machine: it may be a press
        time.sleep(0.05)
    assert undone(running, seq) <= long < 5


def test_a_button_that_is_stuck(running: Table, pins: Pins) -> None:
    """A button that stays down counts once at most, and the others work."""
    pins.pull(PI_PINS["confirm"], False)
    try:
        for _ in range(2):
            seq = running.host.table["seq"]
            press(pins, "undo")
            running.running.client.until(partial(is_later, seq=seq))
            assert undone(running, seq) == 1
    finally:
        pins.pull(PI_PINS["confirm"], True)


@pytest.fixture
def panel(pins: Pins) -> Iterator[ButtonPanel]:
    messages = Messages()
    made = ButtonPanel()
    made.start(messages)
    messages.until(PartIs("panel", "ok").__eq__)
    yield made
    made.stop()
    assert [pins.level(PI_PINS[f"lamp_{colour}"]) for colour in ("red", "green", "blue")] == [0, 0, 0]


@pytest.mark.parametrize("colour", LIGHTS)
def test_the_lamp(panel: ButtonPanel, pins: Pins, colour: Any) -> None:
    """Each colour is the levels of its three pins."""
    panel.lamp(colour)
    assert tuple(pins.level(PI_PINS[f"lamp_{one}"]) for one in ("red", "green", "blue")) == LIGHTS[colour]


def test_the_buzzer(pins: Pins) -> None:
    """A tune moves the buzzer's pin and no other, and leaves it low."""
    edges, messages = Edges(), Messages()
    panel = ButtonPanel()
    panel.start(messages)
    list(edges.new())
    panel.beep("ok")
    end = time.monotonic() + PATIENCE_S
    moved: list[tuple[int, int]] = []
    while len(moved) < 20 and time.monotonic() < end:
        moved += list(edges.new())
        time.sleep(0.01)
    time.sleep(sum(seconds for _, seconds in TUNES["ok"]) + 1)
    moved += list(edges.new())
    panel.stop()
    assert {pin for pin, _ in moved[:20]} == {PI_PINS["buzzer"]}
    assert {level for _, level in moved} == {0, 1}
    assert pins.level(PI_PINS["buzzer"]) == 0


def test_another_program_has_a_pin(pins: Pins) -> None:
    """The doctor names another program as the cause; once it has ended, the panel works."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(PI_PINS["next"])], cwd="/run", stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "has it\n"
        found = finding(doctor(PANEL), "panel")
        assert found is not None
        assert "another program uses the panel's pins" in found["cause"].lower()
    finally:
        holder.kill()
        holder.communicate()
    assert finding(doctor(PANEL), "panel") is None
