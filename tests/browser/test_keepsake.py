"""The picture of the result: made a PNG in the browser, saved as a file, or sent where the device can.

Only here: a result that Chromium cannot draw as a PNG, or that is not saved or sent.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import Guests
from tests.support.client import Companion, companion
from tests.support.moments import Story

pytestmark = [pytest.mark.browser, pytest.mark.long]

GAME = Story("galloping-pigs", ("Ada", "<b>Zoë</b>"), 11, {"rounds": 1}, "companion")
SHARING = """() => {
  navigator.canShare = () => true;
  window.sent = new Promise(done => {
    navigator.share = async ({ files: [file] }) => done([file.name, file.type, file.size]);
  });
}"""
"""A device that can send files, as phones can over https."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Companion]:
    """Yield a companion whose table has a finished game on it."""
    GAME.write(tmp_path, len(GAME.match.turns))
    with companion(tmp_path) as started:
        yield started


def saved(page: Page) -> Image.Image:
    """Return the file that the button gives."""
    with page.expect_download() as loading:
        page.get_by_role("button", name="Keep a picture").click()
    file = loading.value
    assert file.suggested_filename == "race-1.png"
    return Image.open(io.BytesIO(Path(file.path()).read_bytes()))


def test_the_button_gives_a_png(home: str, guests: Guests) -> None:
    """The page of a past game and the table at the finish give the same picture, with something on it."""
    phone = guests.open(f"{home}/history/1", 390, 844)
    picture = saved(phone)
    assert (picture.format, picture.size) == ("PNG", (1080, 1350))
    colours = picture.convert("RGB").getcolors(1 << 20)
    assert colours is not None
    assert len(colours) > 100
    ink = sum(n for n, colour in colours if colour == (0x23, 0x20, 0x3F))
    assert ink > 5_000, "its letters and outlines are drawn"
    table = guests.open(f"{home}/")
    expect(table.locator("#look-back")).to_be_visible()
    assert saved(table).size == picture.size


def test_where_a_device_can_send_it_does(home: str, guests: Guests) -> None:
    phone = guests.open(f"{home}/history/1", 390, 844)
    phone.evaluate(SHARING)
    phone.get_by_role("button", name="Keep a picture").click()
    name, kind, size = phone.evaluate("window.sent")
    assert (name, kind) == ("race-1.png", "image/png")
    assert size > 10_000


def test_a_companion_that_does_not_answer_is_said(home: str, guests: Guests, running: Companion) -> None:
    guests.forgive("ERR_CONNECTION_REFUSED|Failed to load|ERR_")
    phone = guests.open(f"{home}/history/1", 390, 844)
    phone.route("**/paper/**", lambda route: route.abort())
    phone.get_by_role("button", name="Keep a picture").click()
    expect(phone.locator("#toast")).to_have_text("That did not work.")
