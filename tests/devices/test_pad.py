"""The card pad: the real package mfrc522 over the modelled chip."""

from __future__ import annotations

import importlib
import logging
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices import gpio_library
from companion.devices import pad as driver
from companion.devices.health import RangeTest
from companion.devices.mock import pi
from companion.devices.mock.rc522 import Clock
from companion.devices.pad import Pad, reader_class
from companion.devices.readings import PadSeen, PartIs
from companion.firmware import rc522
from companion.install.plan import GPIO
from tests.support.client import PATIENCE_S
from tests.support.devices.modelled import Messages, some_uids

TAG, OTHER, SMALL = (bytes.fromhex(uid) for uid in ("04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "04A1B2C3"))


@pytest.fixture
def world() -> Iterator[pi.World]:
    made = pi.World()
    pi.install(made)
    yield made
    pi.uninstall()


@pytest.fixture
def pad(world: pi.World, messages: Messages) -> Iterator[Pad]:
    made = Pad()
    made.start(messages)
    yield made
    made.stop()


def seen(*tags: bytes, unreadable: bool = False) -> PadSeen:
    return PadSeen(frozenset(tag.hex().upper() for tag in tags), unreadable)


def wait_for_reads(world: pi.World, reads: int) -> None:
    """Wait until the pad has polled so often at least: an empty poll takes some 20 transfers, a tag 200."""
    end = time.monotonic() + PATIENCE_S
    until = world.transfers + 200 * reads
    while world.transfers < until:
        assert time.monotonic() < end, "the pad does not poll"
        time.sleep(0.01)


def test_it_is_the_real_package(world: pi.World) -> None:
    """The class under the pad comes from site-packages, and every read goes over its SPI."""
    chip = reader_class()(0, 0, 25)
    package = sys.modules["mfrc522"]
    assert Path(str(package.__file__)).is_relative_to(sysconfig.get_path("purelib"))
    assert isinstance(chip, package.MFRC522)
    before = world.transfers
    assert rc522.Rc522(chip).version() == 0x92
    assert world.transfers == before + 1


@pytest.fixture
def bare_world(monkeypatch: pytest.MonkeyPatch) -> Iterator[pi.World]:
    """Yield a world in a process without the package, as a wheel alone has it."""
    monkeypatch.setattr(pi, "is_package_here", lambda: False)
    made = pi.World()
    pi.install(made)
    yield made
    pi.uninstall()


def test_a_wheel_alone_has_a_modelled_pad(bare_world: pi.World, messages: Messages) -> None:
    """Our driver runs on the modelled chip without the package: `uv tool install`, `pipx` and `pip` need no more."""
    pad = Pad()
    pad.start(messages)
    try:
        bare_world.put([TAG, OTHER])
        messages.until(lambda message: message == seen(TAG, OTHER))
        bare_world.put([])
        messages.until(lambda message: message == seen())
    finally:
        pad.stop()
    assert not hasattr(sys.modules["mfrc522"], "__file__")


def test_the_model_of_the_package_sets_the_chip_up_as_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """After construction every register has the same value, and the same pins are used."""
    found = []
    for is_here in (True, False):
        monkeypatch.setattr(pi, "is_package_here", lambda is_here=is_here: is_here)
        world = pi.World(clock=Clock())
        pi.install(world)
        try:
            chip = reader_class()(0, 0, 25)
            found.append(([chip.read(number) for number in range(0x01, 0x40)], dict(world.pins)))
        finally:
            pi.uninstall()
    assert found[0] == found[1]


def test_our_registers_are_the_packages(world: pi.World) -> None:
    """A register has the same number in our code as in the package's."""
    package: Any = importlib.import_module("mfrc522").MFRC522
    theirs = {"ComIrqReg": "CommIrqReg", "TxASKReg": "TxAutoReg"}  # the package's own names for them
    for name in [name for name in dir(rc522) if name.endswith("Reg") or name.startswith("TReload")]:
        assert getattr(rc522, name) == getattr(package, theirs.get(name, name)), name


@given(some_uids(), st.sampled_from([5.0, 30.0, 100.0]))
def test_all_tags(tags: set[bytes], access_us: float) -> None:
    """Any set of up to five UIDs on the pad is read back exactly, through the package, at any access cost."""
    clock = Clock()
    world = pi.World(clock=clock)
    world.access_us = access_us
    pi.install(world)
    try:
        reader = rc522.Rc522(reader_class()(0, 0, 25))
        assert reader.init()
        world.put(list(tags))
        for _ in range(2):
            reader.field(True)
            clock.advance(rc522.WARM_UP_US)
            found, unreadable = reader.uids()
            reader.field(False)
            assert (set(found), unreadable) == (tags, False)
    finally:
        pi.uninstall()


def test_the_packages_own_reading_loses_every_second_read(world: pi.World) -> None:
    """We do not use it, and the model is strict: a resting card answers every other request."""
    package: Any = importlib.import_module("mfrc522").MFRC522
    chip = package(pin_mode=11, pin_rst=25)
    world.put([TAG])
    time.sleep(0.006)
    answers = [chip.MFRC522_Request(chip.PICC_REQIDL)[0] for _ in range(4)]
    assert answers == [chip.MI_OK, chip.MI_ERR, chip.MI_OK, chip.MI_ERR]


def test_laid_and_lifted(pad: Pad, world: pi.World, messages: Messages) -> None:
    """The pad reports all tags on it, and only when they have changed."""
    messages.until(seen().__eq__)
    for tags in ([TAG], [TAG, OTHER], [TAG, OTHER, SMALL], [OTHER], []):
        world.put(tags)
        messages.until(seen(*tags).__eq__)
    wait_for_reads(world, 5)
    assert messages.all() == []


def lay_and_lift(world: pi.World, messages: Messages, times: int) -> None:
    for _ in range(times):
        world.put([TAG])
        messages.until(seen(TAG).__eq__)
        world.put([])
        messages.until(seen().__eq__)


def test_a_card_that_is_lifted_was_not_missed(pad: Pad, world: pi.World, messages: Messages) -> None:
    """Tags of a box held to the pad one after the other are no sign of a bad pad; a flicker is."""
    messages.until(seen().__eq__)
    lay_and_lift(world, messages, 5)
    assert pad.health.misses == 0
    world.put([TAG])
    with world.lock:
        world.chip.flicker = 3
    wait_for_reads(world, 20)
    assert pad.health.misses > 0


def test_a_broken_register_stops_every_card(pad: Pad, world: pi.World, messages: Messages) -> None:
    """With the FIFO's register dead in the model no card gets through the driver."""
    messages.until(seen().__eq__)
    world.chip.broken = frozenset([rc522.FIFODataReg])
    world.put([TAG])
    wait_for_reads(world, 5)
    assert not any(isinstance(message, PadSeen) and message.tags for message in messages.all())


def test_dead_and_alive_again(pad: Pad, world: pi.World, messages: Messages) -> None:
    """A pad that stops answering is lost, with a sentence; it comes back by itself, the whole picture too."""
    world.put([TAG])
    messages.until(seen(TAG).__eq__)
    world.chip.dead = True
    lost = messages.until(lambda message: isinstance(message, PartIs))
    assert lost.state == "lost"
    assert "check its seven wires" in str(lost.why)
    world.chip.dead = False
    messages.until(PartIs("pad", "ok").__eq__)
    messages.until(seen(TAG).__eq__)


def test_a_brown_out_is_mended_in_silence(pad: Pad, world: pi.World, messages: Messages) -> None:
    """A chip that has forgotten its settings is set up at once: nothing is reported, and reads go on."""
    world.put([TAG])
    messages.until(seen(TAG).__eq__)
    with world.lock:
        world.chip.brown_out()
    world.put([TAG, OTHER])
    assert messages.get(timeout=PATIENCE_S) == seen(TAG, OTHER)
    assert pad.health.restarts == 1


def test_a_chip_that_only_its_reset_wakes(pad: Pad, world: pi.World, messages: Messages) -> None:
    """A reader that answers nothing until its reset pin is pulled gets that pull, and reads go on."""
    world.put([TAG])
    messages.until(seen(TAG).__eq__)
    with world.lock:
        world.chip.stuck = True
    world.put([OTHER])
    assert messages.get(timeout=PATIENCE_S) in (seen(TAG, OTHER), seen(OTHER))
    assert not world.chip.stuck


def test_a_range_test(pad: Pad, world: pi.World, messages: Messages) -> None:
    """Every look counts the tags it sees; a tag at the edge of range is seen less often."""
    world.put([TAG])
    messages.until(seen(TAG).__eq__)
    assert pad.range_test(10) == RangeTest("pad", 10, {TAG.hex().upper(): 10})
    with world.lock:
        world.chip.flicker = 3
    hits = pad.range_test(20).hits[TAG.hex().upper()]
    assert 10 < hits < 18


def test_a_silent_pad_is_not_tested(
    world: pi.World, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pad that does not answer reports it instead of letting the maker wait."""
    monkeypatch.setattr(driver, "TEST_S", 0.05)
    pad = Pad()
    with pytest.raises(TimeoutError, match="the card pad does not answer: check its seven wires"):
        pad.range_test(1)


@pytest.mark.parametrize(
    ("libraries", "machine", "said"),
    [
        ({"RPi.GPIO": "0.7.1"}, "Raspberry Pi 5 Model B Rev 1.0", "the library RPi.GPIO does not work here"),
        ({"RPi.GPIO": "0.7.1", "rpi-lgpio": "0.6"}, "Raspberry Pi 4 Model B", "RPi.GPIO and rpi-lgpio"),
    ],
)
def test_the_wrong_library(
    libraries: dict[str, str],
    machine: str,
    said: str,
    world: pi.World,
    messages: Messages,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """RPi.GPIO on a Pi 5, or both libraries at once: named, with what to do; cards are tapped."""
    monkeypatch.setattr(gpio_library, "installed", lambda: libraries)
    monkeypatch.setattr(gpio_library, "model", lambda: machine)
    pad = Pad()
    pad.start(messages)
    (report,) = messages.all()
    assert report.state == "tap"
    assert said in str(report.why)
    assert "python3-rpi-lgpio" in str(report.why)


def test_which_library_it_is(world: pi.World, messages: Messages, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a Pi 5 with rpi-lgpio, and on an older Pi with RPi.GPIO, the pad reads, and says which it uses."""
    for libraries, machine in (
        ({"rpi-lgpio": "0.6"}, "Raspberry Pi 5 Model B Rev 1.0"),
        ({"RPi.GPIO": "0.7.1"}, "Raspberry Pi 3 Model B Plus Rev 1.3"),
    ):
        monkeypatch.setattr(gpio_library, "installed", lambda libraries=libraries: libraries)
        monkeypatch.setattr(gpio_library, "model", lambda machine=machine: machine)
        pad = Pad()
        pad.start(messages)
        messages.until(PartIs("pad", "ok").__eq__)
        assert pad.health.library == " ".join(*libraries.items())
        pad.stop()


def test_the_model_of_a_pi(tmp_path: Path) -> None:
    """The device tree ends its words with a zero byte; a PC has no device tree."""
    (tmp_path / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert gpio_library.model(tmp_path / "model") == "Raspberry Pi 5 Model B Rev 1.0"
    assert gpio_library.model(tmp_path / "none") == ""


def test_never_there(world: pi.World, messages: Messages) -> None:
    """A chip that never answered is no loss: cards are tapped, and it is tried again."""
    world.chip.dead = True
    pad = Pad()
    pad.start(messages)
    assert messages.until(lambda message: isinstance(message, PartIs)).state == "tap"
    world.chip.dead = False
    messages.until(PartIs("pad", "ok").__eq__)
    pad.stop()


@pytest.mark.parametrize(("version", "said"), [(0x12, "a copy (version 12)"), (0x33, "a copy (version 33)")])
def test_a_counterfeit(world: pi.World, messages: Messages, version: int, said: str) -> None:
    """A chip that is not what it says is used, and said."""
    world.chip.version = version
    pad = Pad()
    pad.start(messages)
    ok = messages.until(lambda message: isinstance(message, PartIs))
    assert ok.state == "ok"
    assert said in str(ok.why)
    pad.stop()


def test_at_the_edge_of_range(pad: Pad, world: pi.World, messages: Messages) -> None:
    """A tag that misses three reads of ten still counts as on the pad."""
    world.put([TAG])
    messages.until(seen(TAG).__eq__)
    world.chip.flicker = 3
    wait_for_reads(world, 30)
    assert messages.all() == []


def test_a_mute_radio_is_an_empty_pad(pad: Pad, world: pi.World, messages: Messages) -> None:
    """A chip without radio cannot be distinguished from an empty pad; no tag gets through."""
    messages.until(seen().__eq__)
    world.chip.mute = True
    world.put([TAG])
    wait_for_reads(world, 5)
    assert messages.all() == []


def test_something_unreadable(pad: Pad, world: pi.World, messages: Messages) -> None:
    """A nonsense answer is reported as unreadable, and does not lift a card known before."""
    world.put([TAG])
    messages.until(seen(TAG).__eq__)
    with world.lock:
        world.chip.cards[TAG].levels[1] = bytes(5)[:4] + b"\x01"
    messages.until(seen(TAG, unreadable=True).__eq__)


def test_stopping_leaves_other_pins_and_handlers_alone(world: pi.World, messages: Messages) -> None:
    """Pins of the panel stay set up, and no log handler is left behind, however often the pad is started."""
    world.pins[17] = 1
    before = list(logging.getLogger("mfrc522Logger").handlers)
    for _ in range(3):
        pad = Pad()
        pad.start(messages)
        messages.until(PartIs("pad", "ok").__eq__)
        pad.stop()
    assert world.pins == {17: 1}
    assert logging.getLogger("mfrc522Logger").handlers == before


def refused(pad: Pad, messages: Messages) -> str:
    """Return the message of a pad that cannot start."""
    pad.start(messages)
    (message,) = messages.all()
    pad.stop()
    assert message.state == "tap"
    return str(message.why)


def test_without_the_package(world: pi.World, messages: Messages, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bare wheel plays: the pad is a tap, and the sentence says how the package is installed."""
    monkeypatch.setitem(sys.modules, "mfrc522", None)
    assert refused(Pad(), messages) == (
        "the card pad needs the package mfrc522: run pip install --no-deps mfrc522==0.0.7, "
        "or tap the cards on the screen"
    )


def test_without_a_gpio_library(messages: Messages, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a Pi without RPi.GPIO the sentence names it, and Debian's packages that have it; elsewhere none would help."""
    monkeypatch.setitem(sys.modules, "RPi", None)
    assert "this is no Raspberry Pi" in refused(Pad(), messages)
    monkeypatch.setattr(gpio_library, "model", lambda: "Raspberry Pi 4 Model B Rev 1.1")
    said = refused(Pad(), messages)
    assert "needs the library RPi" in said
    assert f"sudo apt install {' '.join(GPIO)}, then python -m companion.install.bindings" in said


def test_with_spi_switched_off(world: pi.World, messages: Messages) -> None:
    """No /dev/spidev: the sentence says where SPI is switched on."""
    assert "switch SPI on with sudo raspi-config" in refused(Pad(bus=1), messages)


def test_without_permission(world: pi.World, messages: Messages, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bus that may not be opened: the sentence says which group is missing."""

    def forbidden(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(sys.modules["spidev"].SpiDev, "open", forbidden)
    assert "sudo adduser" in refused(Pad(), messages)


def test_with_another_program_on_its_reset_pin(
    world: pi.World, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lgpio says only 'GPIO busy': the sentence names the pin, and no library."""

    def busy(*_: object) -> None:
        raise RuntimeError("'GPIO busy'")

    monkeypatch.setattr(sys.modules["RPi.GPIO"], "setup", busy)
    assert "another program uses the card pad's reset pin" in refused(Pad(), messages)


def test_with_the_wrong_gpio_library(
    world: pi.World, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RPi.GPIO on a Pi 5: the sentence names the library that works there."""

    def unknown(*_: object) -> None:
        raise RuntimeError("Cannot determine SOC peripheral base address")

    monkeypatch.setattr(sys.modules["RPi.GPIO"], "setup", unknown)
    assert "on a Pi 5 use python3-rpi-lgpio" in refused(Pad(), messages)


def test_at_rest_a_card_is_still_seen(
    world: pi.World, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a long time without a card the pad looks less often; the next card, lifting and dip are noticed."""
    monkeypatch.setattr(driver, "REST_AFTER_S", 0.0)
    pad = Pad()
    pad.start(messages)
    messages.until(seen().__eq__)
    lay_and_lift(world, messages, 3)
    with world.lock:
        world.chip.brown_out()
    world.put([OTHER])
    messages.until(seen(OTHER).__eq__)
    pad.stop()
