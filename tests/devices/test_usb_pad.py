"""The card pad that types: the driver over modelled keyboards, from key strokes to what is on the pad."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices import typed, uid_text, usb
from companion.devices.held import Held
from companion.devices.mock import keyboard
from companion.devices.mock.keyboard import Keyboard, Style, World
from companion.devices.readings import PadSeen, PartIs
from companion.devices.typed import GAP_S, Typist
from companion.devices.uid_text import uid_of, why_impossible
from companion.devices.usb import UsbPad
from companion.message import Sentence
from companion.settings import TagFormat
from tests.support.client import PATIENCE_S
from tests.support.devices.modelled import Messages, uids

TAG, OTHER, SMALL = (bytes.fromhex(uid) for uid in ("04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "14A1B2C3"))
PERSONS = ("/dev/input/event0", "Logitech USB Keyboard", 0x046D, 0xC31C)
AGAIN_S = 0.4


@pytest.fixture
def world() -> Iterator[World]:
    made = World()
    made.install()
    yield made
    made.uninstall()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a card count as on the pad for a moment only, and a plug be seen sooner."""
    monkeypatch.setattr(usb, "HELD_S", 0.2)
    monkeypatch.setattr(usb, "RETRY_S", 0.05)


@pytest.fixture
def pad(world: World, messages: Messages, quick: None) -> Iterator[UsbPad]:
    made = UsbPad(again_s=AGAIN_S)
    made.start(messages)
    yield made
    made.stop()


def seen(*tags: bytes) -> PadSeen:
    return PadSeen(frozenset(tag.hex().upper() for tag in tags))


def wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end
        time.sleep(0.01)


# --- what is typed -------------------------------------------------------------------------------

RULE = [
    # what a reader types, the format in the settings, the UID: the SPI pad reads the same where its bytes are known
    ("04A1B2C3D4E5F6", "auto", "04A1B2C3D4E5F6"),
    ("04a1b2c3d4e5f6", "auto", "04A1B2C3D4E5F6"),
    ("F6E5D4C3B2A104", "auto", "04A1B2C3D4E5F6"),  # NXP's 7 bytes, the last one first
    ("F6E5D4C3B2A104", "hex", "F6E5D4C3B2A104"),
    ("F6E5D4C3B2A104", "hex-reversed", "04A1B2C3D4E5F6"),
    ("14A1B2C3", "auto", "14A1B2C3"),
    ("C3B2A114", "hex-reversed", "14A1B2C3"),
    ("12345678", "auto", "12345678"),
    ("12345678", "decimal", "00BC614E"),
    ("0346141379", "auto", "14A1B2C3"),  # 10 digits: 4 bytes
    ("346141379", "auto", "14A1B2C3"),
    ("3283263764", "decimal-reversed", "14A1B2C3"),
    ("01303689068602870", "auto", "04A1B2C3D4E5F6"),
    ("0102030405060708090A", "auto", "0102030405060708090A"),
    ("1F00A1B2C3", "auto", "00000000001F00A1B2C3"),  # 5 bytes, of a 125 kHz reader: a name as good as any
    ("1F00A1B", "auto", None),  # half a byte is missing
    ("14A1B2C3", "decimal", None),
    ("00000000", "auto", None),
    ("12345", "auto", None),
    ("", "auto", None),
    ("hello world", "auto", None),
    ("FFFFFFFF", "auto", None),
    ("88046E51", "auto", None),  # the cascade tag and the first three bytes of seven
    ("516E0488", "hex-reversed", None),
    ("88040CAC12ED4C", "auto", None),
    ("04A1B288D4E5F6", "auto", None),
    ("08A1B2C3", "auto", None),  # made up at each read
    ("9" * 26, "auto", None),
    ("9" * 25, "decimal", None),
]


@pytest.mark.parametrize(("text", "form", "uid"), RULE)
def test_the_rule(text: str, form: TagFormat, uid: str | None) -> None:
    assert uid_of(text, form) == uid


@given(uids(), st.booleans(), st.booleans(), st.booleans())
def test_the_format_gives_what_the_spi_pad_reads(
    uid: bytes, decimal: bool, backwards: bool, full: bool
) -> None:
    """Any UID, typed in any way by a reader whose way stands in the settings, is that UID again."""
    if decimal and uid[-1 if backwards else 0] == 0:
        return  # the number does not show how many bytes it has
    digits = {4: 10, 7: 17, 10: 25}[len(uid)] if decimal and full else 0
    style = Style(decimal, backwards, digits)
    form: TagFormat = {  # type: ignore[assignment]
        (False, False): "hex", (False, True): "hex-reversed", (True, False): "decimal", (True, True): "decimal-reversed",
    }[decimal, backwards]  # fmt: skip
    text = "".join(typed.KEYS[code] for code in style.keys(uid)[:-1])
    known = uid.hex().upper()
    if len(text) >= uid_text.FEWEST:
        assert uid_of(text, form) == (known if why_impossible(known) is None else None)


@given(st.text("0123456789ABCDEF", min_size=6, max_size=25), st.sampled_from(["auto", "hex", "hex-reversed"]))
def test_a_key_can_be_stored(text: str, form: TagFormat) -> None:
    """For any text that is typed, the key has 4, 7 or 10 bytes, and is the same each time."""
    uid = uid_of(text, form)
    assert uid is None or len(uid) in (8, 14, 20)
    assert uid_of(text.lower(), form) == uid


def strokes(typist: Typist, codes: list[int], at: float = 0.0, apart: float = 0.016) -> list[str]:
    return [text for n, code in enumerate(codes) for text in typist.key(code, at + n * apart)]


@pytest.mark.parametrize("style", [Style(), Style(french=True), Style(decimal=True, digits=10)])
def test_layouts(style: Style) -> None:
    """A reader set to French gives the same text: keys are read by code, and figures need Shift there."""
    [text] = strokes(Typist(), style.keys(bytes.fromhex("0ABCDEF1")))
    assert text in ("0ABCDEF1", "0180150001")


def test_a_text_without_enter_ends_by_a_pause() -> None:
    typist = Typist()
    codes = Style(enter=False).keys(SMALL)
    assert strokes(typist, codes) == []
    assert strokes(typist, codes, at=5.0) == ["14A1B2C3"]
    assert typist.quiet() == ["14A1B2C3"]
    assert typist.quiet() == []


def test_half_a_text_is_no_card() -> None:
    """A reader that ends with Enter always does: text without it is torn, as are other or lost keys."""
    typist = Typist()
    codes = Style().keys(TAG)
    assert strokes(typist, codes) == [TAG.hex().upper()]
    strokes(typist, codes[:8], at=5.0)
    assert typist.quiet() == ["04A1B2C3…"]
    assert strokes(typist, [*codes[:8], 1, *codes[8:]], at=10.0) == ["04A1B2C3\ufffdD4E5F6"]
    strokes(typist, codes[:4], at=20.0)
    typist.dropped()
    assert strokes(typist, codes[4:], at=20.1) == ["04A1B2C3D4E5F6…"]
    texts = strokes(typist, codes, at=30.0, apart=GAP_S * 1.1)
    assert texts == [f"{char}…" for char in "04A1B2C3D4E5F6"]
    assert not any(map(uid_of, texts))


def test_cards_that_come_together() -> None:
    """A card is there for a second; another one typed by then is there with it, as is a text that is none."""
    held = Held()
    held.typed("A", 1.0)
    assert held.seen(1.0) == PadSeen(frozenset("A"))
    held.typed("A", 1.9)
    assert held.seen(1.9) is None
    assert held.due == 2.9
    assert held.seen(2.9) == PadSeen(frozenset())
    held.typed("B", 3.0)
    held.typed("A", 3.1)
    why = Sentence("no card")
    held.failed(why, 3.2)
    assert held.seen(3.2) == PadSeen(frozenset("AB"), True, why)
    assert held.seen(4.05) == PadSeen(frozenset("A"), True, why)
    assert held.seen(4.2) == PadSeen(frozenset())
    assert held.due is None


REPEATS = [
    # what comes when: a card, or what forgets it ("/", or "/A" where card A itself has caused it); + new, = the same
    "0 A+  2 A=  4 A=  6 A=",  # a reader that repeats
    "0 A+  5 A=  10 A=  15 A=",
    "0 A+  6 A+",  # a clear pause
    "0 A+  2 A=  8.5 A+",
    "0 A+  2 B+  4 A+",  # another card
    "0 A+  1.5 /  2 A+",  # something that others did
    "0 A+  1.5 /A  2 A=  4 A=",  # the card itself was played, and is still there
    "0 A+  0.2 /  0.8 A=",  # typed twice at once
    "0 A+  2 A=  3 /  4 A=  6 A=",  # it repeats as before
    "0 A+  2 A=  3 /  3.4 A+",
    "0 A+  1.5 /  2 A+  2.5 B+  3 A+",
]


@pytest.mark.parametrize("times", REPEATS)
def test_a_card_that_is_typed_again_is_the_same_card(times: str) -> None:
    """It is laid anew only after another card, after something else has happened, or after a pause."""
    held = Held()
    words = times.split()
    for at, what in zip(words[::2], words[1::2], strict=True):
        if what.startswith("/"):
            held.forget(what[1:])
        else:
            held.seen(float(at))
            is_new = what[1] == "+"
            assert held.typed(what[0], float(at)) == is_new, at
            assert (held.seen(float(at)) is not None) == is_new, at


def test_without_a_pause_each_card_is_new_after_a_second() -> None:
    held = Held(again_s=0)
    assert [held.typed("A", at) for at in (0.0, 0.9, 2.0, 4.0)] == [True, False, True, True]


# --- the driver ----------------------------------------------------------------------------------


def test_held_and_held_again(pad: UsbPad, world: World, messages: Messages) -> None:
    """Each card comes and goes by itself; the same one, held again, comes again."""
    messages.until(PartIs("pad", "ok").__eq__)
    messages.until(seen().__eq__)
    for tag in (TAG, TAG, OTHER, SMALL):
        time.sleep(AGAIN_S)  # the pause that parts a card from itself
        world.put([tag])
        assert messages.get(timeout=PATIENCE_S) == seen(tag)
        assert messages.get(timeout=PATIENCE_S) == seen()
        world.put([])
    assert pad.health.polls == 4
    assert pad.health.device == "IC Reader (ffff:0035)"
    assert pad.health.typed == "14A1B2C3"


def test_in_a_program_with_many_files(messages: Messages, quick: None) -> None:
    """It works with file numbers that `select` does not know: a table with many watchers has as many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    others = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    world = World()
    world.install()
    pad = UsbPad()
    try:
        pad.start(messages)
        world.put([TAG])
        messages.until(seen(TAG).__eq__)
    finally:
        pad.stop()
        world.uninstall()
        for other in others:
            os.close(other)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_two_cards_at_once(pad: UsbPad, world: World, messages: Messages) -> None:
    """Two that are typed one right after the other lie there together: the referee asks for one at a time."""
    world.put([TAG, OTHER])
    messages.until(seen(TAG, OTHER).__eq__)


@pytest.mark.parametrize(
    ("style", "form"),
    [
        (Style(enter=False), "auto"),
        (Style(backwards=True), "auto"),
        (Style(french=True), "auto"),
        (Style(decimal=True, digits=17), "auto"),
        (Style(decimal=True, backwards=True), "decimal-reversed"),
        (Style(signs=(";", "", "?")), "auto"),
        (Style(signs=("%", ":", "?")), "hex"),
        (Style(signs=("", "-", "")), "auto"),
        (Style(signs=("", " ", "")), "auto"),
        (Style(signs=("", "", "H")), "auto"),
        (Style(signs=("", "", " 118,45763")), "auto"),
        (Style(decimal=True, digits=17, signs=("", "", "\t118,45763")), "auto"),
        (Style(decimal=True, digits=17, enter=False, signs=("N", "", "\t")), "decimal"),
        (Style(signs=("", "", "\n118,45763")), "auto"),
    ],
)
def test_readers_differ(style: Style, form: TagFormat, world: World, messages: Messages, quick: None) -> None:
    world.style = style
    pad = UsbPad(form=form, again_s=0)
    pad.start(messages)
    messages.until(seen().__eq__)
    for _ in range(2):
        world.put([TAG])
        messages.until(seen(TAG).__eq__)
        world.put([])
        messages.until(seen().__eq__)
    pad.stop()


def test_half_a_number_is_named(pad: UsbPad, world: World, messages: Messages) -> None:
    messages.until(seen().__eq__)
    world.tear_off()
    world.put([SMALL])  # four digits and Enter
    said = messages.get(timeout=PATIENCE_S)
    assert (said.tags, said.unreadable) == (frozenset(), True)
    assert str(said.why).startswith(
        "The reader typed '14A1'. The companion understands 8, 14 or 20 hex digits"
    )
    assert messages.get(timeout=PATIENCE_S) == seen()
    assert pad.health.typed == "14A1"


def test_unplugged_and_plugged_in_again(pad: UsbPad, world: World, messages: Messages) -> None:
    """It is lost, with what to do, and comes back by itself; what it types then counts."""
    messages.until(seen().__eq__)
    world.put([TAG])
    messages.until(seen(TAG).__eq__)
    world.plug(False)
    lost = messages.until(lambda message: isinstance(message, PartIs))
    assert (lost.state, pad.health.fault) == ("lost", "absent")
    assert "no USB reader is found: plug it in" in str(lost.why)
    world.put([])
    world.plug(True)
    messages.until(PartIs("pad", "ok").__eq__)
    messages.until(seen().__eq__)
    world.put([TAG])
    messages.until(seen(TAG).__eq__)


def test_never_there(world: World, messages: Messages, quick: None) -> None:
    """A reader that is plugged in later is no loss before."""
    world.plug(False)
    pad = UsbPad()
    pad.start(messages)
    assert messages.get(timeout=PATIENCE_S).state == "tap"
    world.plug(True)
    messages.until(PartIs("pad", "ok").__eq__)
    pad.stop()


DELL = ("/dev/input/event0", "Dell Dell Smart Card Reader Keyboard", 0x413C, 0x2101)
LOGITECH = ("/dev/input/event0", "Logitech USB Keyboard", 0x046D, 0xC31C)
PAIRS = [
    # a person's keyboard, and the name and numbers of the reader next to it
    (DELL, ("HXGCoLtd Keyboard", 0x16C0, 0x27DB)),
    (LOGITECH, ("HXGCoLtd Keyboard", 0x16C0, 0x27DB)),
    (LOGITECH, ("IC Reader", 0xFFFF, 0x0035)),
    (("/dev/input/event0", "Sycreader RFID Technology Keyboard", 1, 2), ("Barcode", 1, 2)),  # of one maker
]


@pytest.mark.parametrize(("persons", "named"), PAIRS)
def test_the_reader_is_what_behaves_like_one(
    persons: tuple[str, str, int, int],
    named: tuple[str, int, int],
    world: World,
    messages: Messages,
    quick: None,
) -> None:
    """Names say nothing: no keyboard is grabbed before it has typed as no person can, and a person's never."""
    typing = Keyboard(*persons)
    world.reader = Keyboard("/dev/input/event3", *named)
    button = Keyboard("/dev/input/event1", "Power Button", 0, 1, 0x19, keys=(116,))
    world.keyboards[:] = [typing, button, world.reader]
    pad = UsbPad()
    pad.start(messages)
    messages.until(PartIs("pad", "ok").__eq__)
    assert pad.health.fault == "unsure"
    assert set(pad.health.found) == {f"{name} ({a:04x}:{b:04x})" for name, a, b in (persons[1:], named)}
    for text, apart in (
        ("0612345678", 0.06),
        ("04A1B2C3D4E5F6", 0.2),
        ("1111111111", 0.04),
        ("12345678", 0.07),
    ):
        typing.press([*codes_of(text), 28], apart=apart)  # as a person types
    assert world.reader.grabbed_by is typing.grabbed_by is None
    world.put([TAG])
    messages.until(seen(TAG).__eq__)
    wait_for(lambda: world.reader.grabbed_by is not None)
    assert typing.grabbed_by is None
    assert typing.readers == button.readers == []
    assert (pad.health.device, pad.health.found) == (f"{named[0]} ({named[1]:04x}:{named[2]:04x})", ())
    assert f'usb_reader = "{named[1]:04x}:{named[2]:04x}"' in str(pad.health.chosen)
    pad.stop()
    assert world.reader.grabbed_by is None


def test_a_persons_keyboard_alone_is_never_grabbed(world: World, messages: Messages, quick: None) -> None:
    """What a person types is nothing, not even if the name says that it is a reader."""
    world.keyboards[:] = [keyboard := Keyboard(*DELL)]
    pad = UsbPad()
    pad.start(messages)
    messages.until(seen().__eq__)
    keyboard.press(Style().keys(TAG), apart=0.2)
    keyboard.press([30, 31, 32, 28])  # the word "asd" and Enter, at any speed
    world.keyboards.append(world.reader)
    wait_for(lambda: bool(world.reader.readers))
    assert keyboard.grabbed_by is None
    assert pad.health.typed is None
    world.put([TAG])
    assert messages.get(timeout=PATIENCE_S) == seen(TAG)
    pad.stop()


def test_a_slow_reader_that_no_one_named(world: World, messages: Messages, quick: None) -> None:
    """A number that the only keyboard types slowly, but evenly, is a card; its keys are not taken away, as a
    person may type a number too. With another keyboard it is only named.
    """
    world.reader.name = "HXGCoLtd Keyboard"
    pad = UsbPad()
    pad.start(messages)
    messages.until(seen().__eq__)
    world.reader.press(Style().keys(TAG), apart=0.125)  # 250 ms a key
    messages.until(seen(TAG).__eq__)
    messages.until(seen().__eq__)
    assert world.reader.grabbed_by is None
    assert "as evenly as a machine" in str(pad.health.chosen)
    assert pad.health.device == "HXGCoLtd Keyboard (ffff:0035)"
    assert pad.health.fault is None
    world.keyboards.append(other := Keyboard(*LOGITECH))
    wait_for(lambda: bool(other.readers))
    world.reader.press(Style().keys(OTHER), apart=0.125)
    wait_for(lambda: "if it is the reader" in str(pad.health.chosen))
    assert pad.health.polls == 1
    pad.stop()


def codes_of(text: str) -> list[int]:
    return [keyboard.CODES[char] for char in text]


def test_the_settings_name_it(world: World, messages: Messages, quick: None) -> None:
    """The one that is named, by numbers or name, is grabbed at once and counts at any speed."""
    world.reader.name = "HID 1234:5678"
    world.keyboards.append(persons := Keyboard(*PERSONS))
    for name in ("FFFF:0035", "hid 1234"):
        pad = UsbPad(name)
        pad.start(messages)
        messages.until(PartIs("pad", "ok").__eq__)
        assert pad.health.device == "HID 1234:5678 (ffff:0035)"
        wait_for(lambda: world.reader.grabbed_by is not None)
        assert persons.readers == []
        world.reader.press(Style().keys(TAG), apart=0.11)
        messages.until(seen(TAG).__eq__)
        pad.stop()


def test_plugged_in_again_it_is_the_reader_at_once(pad: UsbPad, world: World, messages: Messages) -> None:
    messages.until(seen().__eq__)
    world.put([TAG])
    messages.until(seen(TAG).__eq__)
    world.plug(False)
    messages.until(lambda message: isinstance(message, PartIs) and message.state == "lost")
    world.plug(True)
    messages.until(PartIs("pad", "ok").__eq__)
    wait_for(lambda: world.reader.grabbed_by is not None)


def test_a_name_that_none_has(world: World, messages: Messages, quick: None) -> None:
    pad = UsbPad("1111:2222")
    pad.start(messages)
    assert "no USB reader 1111:2222 is found, as usb_reader in companion.toml names it" in str(
        messages.get().why
    )
    pad.stop()


def test_another_program_has_it(pad: UsbPad, world: World, messages: Messages) -> None:
    messages.until(seen().__eq__)
    world.put([TAG])  # it is the reader
    messages.until(seen(TAG).__eq__)
    world.break_("taken", True)
    lost = messages.until(lambda message: isinstance(message, PartIs))
    assert "another program has the USB reader IC Reader (ffff:0035)" in str(lost.why)
    world.break_("taken", False)
    messages.until(PartIs("pad", "ok").__eq__)


def test_no_leave(
    world: World, messages: Messages, quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """evdev lists only what this user may open: nodes without a list are those of others."""
    (tmp_path / "event0").touch()
    monkeypatch.setattr(usb, "NODES", tmp_path)
    world.keyboards.clear()
    pad = UsbPad()
    pad.start(messages)
    assert "sudo adduser NAME input" in str(messages.get(timeout=PATIENCE_S).why)
    pad.stop()


def test_without_the_package(messages: Messages, quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says how to get it; the reader at the tablet works all the same."""
    monkeypatch.setitem(sys.modules, "evdev", None)
    pad = UsbPad()
    pad.start(messages)
    assert "sudo apt install python3-evdev" in str(messages.get(timeout=PATIENCE_S).why)
    assert pad.typed("04A1B2C3D4E5F6") == "04A1B2C3D4E5F6"
    messages.until(PartIs("pad", "ok").__eq__)
    messages.until(seen(TAG).__eq__)
    messages.until(seen().__eq__)
    assert pad.typed("1234") is None
    pad.stop()


def test_it_cannot_be_asked(pad: UsbPad) -> None:
    with pytest.raises(TimeoutError, match="a reader that types cannot be asked"):
        pad.range_test(1)


def test_the_stand_in_is_as_the_package_is() -> None:
    """The parts of evdev that the driver uses are there in the real one, under the same numbers."""
    assert "evdev" not in sys.modules
    evdev = pytest.importorskip("evdev", reason="evdev is not installed: it needs a compiler")
    codes = evdev.ecodes
    for digit, code in keyboard.CODES.items():
        assert getattr(codes, f"KEY_{digit}") == code
    for code, char in typed.KEYS.items():
        assert not char.isalnum() or codes.KEY[code] in (f"KEY_{char}", f"KEY_KP{char}")
    assert {codes.KEY_ENTER, codes.KEY_KPENTER} == typed.ENDS
    assert (codes.EV_SYN, codes.EV_KEY, codes.SYN_DROPPED) == (usb.EV_SYN, usb.EV_KEY, usb.SYN_DROPPED)
    assert {codes.BUS_USB, codes.BUS_BLUETOOTH} == usb.BUSES
    for name in ("capabilities", "read", "active_keys", "grab", "close"):
        assert callable(getattr(evdev.InputDevice, name))
    assert callable(evdev.InputEvent(0, 0, 0, 0, 0).timestamp)
    assert callable(evdev.list_devices)
