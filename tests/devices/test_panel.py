"""The panel: buttons, lamp and buzzer over gpiozero's own mock pins."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.tones import Tone
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.mock.virtual_table import VirtualTable
from companion.devices.panel import BUTTONS, LATE_S, LIGHTS, SETTLE_S, ButtonPanel, Edge, Settling
from companion.devices.readings import PartIs, Pressed
from companion.devices.tunes import TUNES
from companion.pins import PI_PINS
from tests.support.client import PATIENCE_S
from tests.support.devices.modelled import Messages


@pytest.fixture
def table() -> VirtualTable:
    return VirtualTable(None, 0)


@pytest.fixture
def panel(table: VirtualTable, messages: Messages) -> Iterator[ButtonPanel]:
    made = ButtonPanel(PI_PINS, table.pin_factory)
    made.start(messages)
    messages.until(PartIs("panel", "ok").__eq__)
    yield made
    made.stop()


def test_buttons(panel: ButtonPanel, table: VirtualTable, messages: Messages) -> None:
    """Each button reports its name, once a press."""
    for button in (*BUTTONS, "undo", "undo"):
        table.press(button)
        messages.until(Pressed(button).__eq__)
    assert messages.all() == []


def test_a_bouncing_contact(panel: ButtonPanel, table: VirtualTable, messages: Messages) -> None:
    """A contact that opens and closes many times before it rests is one press."""
    pin = table.pin_factory.pin(f"GPIO{PI_PINS['confirm']}")
    for _ in range(20):
        pin.drive_low()
        pin.drive_high()
    pin.drive_low()
    messages.until(Pressed("confirm").__eq__)
    for _ in range(20):
        pin.drive_high()
        pin.drive_low()
    pin.drive_high()
    table.press("next")
    messages.until(Pressed("next").__eq__)
    assert messages.all() == []


def test_an_edge_that_comes_late_is_no_press() -> None:
    """On a busy machine noise is not counted, whose end is reported later than a press takes."""
    settling = Settling()
    settling.edge(Edge("undo", 1.0, True))
    assert settling.settled(1.03, lambda _: False) == []
    assert settling.due() == 1.03 + SETTLE_S
    assert settling.edge(Edge("undo", 1.0002, False)) == []
    assert settling.settled(1.06, lambda _: False) == []
    settling.edge(Edge("undo", 2.0, True))
    assert settling.settled(2.03, lambda _: True) == ["undo"]


def test_an_edge_that_is_lost_blocks_no_button() -> None:
    """If the end of a press is never reported, the next press counts."""
    settling = Settling()
    settling.edge(Edge("undo", 1.0, True))
    assert settling.settled(1.0 + LATE_S, lambda _: False) == []
    assert settling.settled(1.1 + LATE_S, lambda _: False) == []
    assert settling.due() is None
    settling.edge(Edge("undo", 3.0, True))
    assert settling.settled(3.03, lambda _: True) == ["undo"]


def test_an_edge_has_the_time_of_the_kernel(
    panel: ButtonPanel, table: VirtualTable, messages: Messages
) -> None:
    """A spike of a millisecond is none, however late both of its edges are reported."""
    pin = table.pin_factory.pin(f"GPIO{PI_PINS['undo']}")
    now = time.monotonic()
    pin.when_changed(now - 0.1, 0)
    time.sleep(2 * SETTLE_S)
    pin.when_changed(now - 0.099, 1)
    table.press("next")
    messages.until(Pressed("next").__eq__)
    assert messages.all() == []


WAITS = st.integers(0, 100).map(lambda n: n / 1024)  # sums of these are exact, and none is SETTLE_S


@given(st.lists(WAITS, max_size=30), st.booleans())
def test_what_counts_as_pressed(waits: list[float], late: bool) -> None:
    """Every level that lasts long enough counts once, whether it is polled in time or only afterwards."""
    settling, at, down = Settling(), 0.0, False
    pressed, levels = 0, []
    for wait in waits:
        down = not down
        pressed += len(settling.edge(Edge("undo", at, down)))
        at += wait
        if wait >= SETTLE_S:
            levels.append(down)
            pressed += 0 if late else len(settling.settled(at))
    pressed += len(settling.settled(at))
    presses = [level for level, before in zip(levels, [False, *levels], strict=False) if level and not before]
    assert pressed == len(presses)


@pytest.mark.parametrize("colour", LIGHTS)
def test_lamp(panel: ButtonPanel, table: VirtualTable, colour: Any) -> None:
    """The lamp shows the colour that is asked for."""
    panel.lamp(colour)
    assert table.lamp() == colour


def test_a_lamp_lit_before_the_start(table: VirtualTable, messages: Messages) -> None:
    """A lamp that the table switched before the panel was there is lit once it is."""
    panel = ButtonPanel(PI_PINS, table.pin_factory)
    panel.lamp("blue")
    panel.start(messages)
    assert table.lamp() == "blue"
    panel.stop()
    panel.lamp("red")  # nothing to light, and nothing to complain about


class Ear:
    """Record what sounds on the buzzer's pin."""

    def __init__(self, table: VirtualTable, monkeypatch: pytest.MonkeyPatch) -> None:
        self.heard: list[float] = []
        self._changed, self._silent = threading.Condition(), True
        pin = table.pin_factory.pin(f"GPIO{PI_PINS['buzzer']}")
        sound = type(pin)._set_frequency

        def listening(at: Any, value: float | None) -> None:
            sound(at, value)
            if at is pin:
                with self._changed:
                    self._silent = value is None
                    self.heard += [] if value is None else [value]
                    self._changed.notify_all()

        monkeypatch.setattr(type(pin), "_set_frequency", listening)

    def until_over(self, tune: Any) -> None:
        """Wait until the last tones were those of a tune, and none sounds any more."""
        tones = [pytest.approx(Tone(tone).frequency, abs=1) for tone, _ in TUNES[tune] if tone]
        with self._changed:
            assert self._changed.wait_for(
                lambda: self._silent and self.heard[-len(tones) :] == tones, PATIENCE_S
            ), f"heard {self.heard}, not {tones}"


@pytest.mark.parametrize("tune", TUNES)
def test_a_tune_plays_in_the_background_and_a_newer_one_ends_it(
    panel: ButtonPanel, table: VirtualTable, messages: Messages, tune: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The panel listens while it plays; after the newest tune there is silence."""
    ear = Ear(table, monkeypatch)
    panel.beep(tune)
    table.press("next")
    messages.until(Pressed("next").__eq__)  # the panel still listens while it plays
    panel.beep("ok")  # a newer tune ends an older one
    ear.until_over("ok")


@pytest.mark.parametrize("tune", TUNES)
def test_every_note_of_a_tune_sounds_on_the_pin(
    panel: ButtonPanel, table: VirtualTable, tune: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The buzzer's pin has each tone in its order, within its two octaves, and then none."""
    ear = Ear(table, monkeypatch)
    panel.beep(tune)
    ear.until_over(tune)
    assert len(ear.heard) == len([tone for tone, _ in TUNES[tune] if tone])
    assert all(430 < tone < 1770 for tone in ear.heard)


def test_tunes_are_short_and_each_its_own() -> None:
    """No tune but the last is longer than 1.2 s, that one not longer than 3; no two begin alike."""
    for name, notes in TUNES.items():
        assert sum(seconds for _, seconds in notes) <= (3 if name == "end" else 1.2), name
        assert all(0.03 <= seconds <= 0.8 for _, seconds in notes), name
    assert len({notes[:3] for notes in TUNES.values()}) == len(TUNES)


def test_without_pins(messages: Messages) -> None:
    """On a machine without GPIO the panel is a tap, with a sentence, and beeping does no harm."""
    panel = ButtonPanel({**PI_PINS, "undo": 99}, MockFactory(pin_class=MockPWMPin))
    panel.start(messages)
    (message,) = messages.all()
    assert message.state == "tap"
    assert "use the buttons on the screen" in str(message.why)
    panel.beep("ok")
    panel.lamp("red")
    panel.stop()


def test_with_another_program_on_its_pins(messages: Messages, monkeypatch: pytest.MonkeyPatch) -> None:
    """lgpio says only 'GPIO busy': the sentence says what to do about it."""

    def busy(*_: object) -> None:
        raise RuntimeError("'GPIO busy'")

    monkeypatch.setattr(MockFactory, "pin", busy)
    panel = ButtonPanel(PI_PINS, MockFactory(pin_class=MockPWMPin))
    panel.start(messages)
    (message,) = messages.all()
    assert message.state == "tap"
    assert "another program uses the panel's pins" in str(message.why)


def test_without_lgpio(messages: Messages) -> None:
    """Without the library, or a Pi, the sentence says so; no other library is taken in silence."""
    panel = ButtonPanel(PI_PINS)
    panel.start(messages)
    (message,) = messages.all()
    assert message.state in ("tap", "ok")
    if message.state == "tap":
        assert "lgpio" in str(message.why) or "no Raspberry Pi" in str(message.why)
    panel.stop()
