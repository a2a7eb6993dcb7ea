"""What the hardware page and `companion doctor` say of a reader that types."""

from __future__ import annotations

import pytest
from rich.console import Console

from companion.devices.health import PadHealth
from companion.devices.usb import UsbPad
from companion.diagnostics.overview import Names, PartsView, hardware
from companion.diagnostics.report import report
from companion.translate import Words

ENGLISH = Words.english()


def view(typed: str, secret: bool) -> PartsView:
    pad = PadHealth("ok", kind="usb", device="IC Reader (ffff:0035)", typed=typed)
    pad = pad._replace(unread=UsbPad().why_not(typed))
    return hardware(None, pad, None, None, Names(ENGLISH, {}, secret))


def printed(said: PartsView) -> str:
    console = Console(width=200, force_terminal=False)
    with console.capture() as caught:
        console.print(report(said, ENGLISH))
    return caught.get()


@pytest.mark.parametrize("typed", [";04A1B2C3D4E5F6?", "04:A1:B2:C3", "0077705923 118,45763"])
def test_the_last_text_is_shown_and_during_a_game_its_digits_are_not(typed: str) -> None:
    """A card may have been laid for a secret decision."""
    assert typed in printed(view(typed, secret=False))
    said = view(typed, secret=True)
    assert said.pad is not None
    assert said.pad.typed is not None
    assert len(said.pad.typed) == len(typed)
    assert not any(char.isalnum() for char in said.pad.typed)
    assert said.pad.typed in printed(said)
    assert not said.findings


def test_text_that_is_no_card_is_a_fault() -> None:
    """The state is not "all is well"; of a long text only the ends are named."""
    [found] = view("%;118,45763,1234?", secret=False).findings
    assert found.what == "The USB reader typed something that is no tag's number"
    assert found.cause.startswith(
        "The reader typed '%;1…?'. The companion understands 8, 14 or 20 hex digits"
    )


@pytest.mark.parametrize("typed", ["14A1B2C3…", "88046E51", "14A1B2C35"])
def test_a_fault_during_a_game_does_not_name_the_card(typed: str) -> None:
    """A card whose number is not understood may be a secret one, and the host knows the numbers."""
    digits = typed.rstrip("…")
    assert digits in printed(view(typed, secret=False))
    [found] = view(typed, secret=True).findings
    assert digits not in printed(view(typed, secret=True))
    assert "•" * len(digits) in found.cause
