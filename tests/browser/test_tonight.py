"""The evening's page on a phone, and the practice round from the tablet.

Only here: a page that stays as it was when a game ends, a photo of the evening that leaves the phone, or a practice
round that cannot be begun by a touch.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageColor
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import Guests
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client
from tests.support.photos import photo_bytes

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def settings() -> str:
    """Return a table without sensors: nothing waits for pieces to be moved."""
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


def play(host: Client) -> None:
    """Play a game of one round to its end."""
    host.begin(seats=("Ada", "Ben"), options={"rounds": 1})
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    turn = 0
    while due := host.table["next"]:
        host.decide(do="play", seat=due["seats"][0], card=LINE_UP[turn % 5])
        turn += 1


def test_the_evening_counts_each_game_and_names_a_champion(host: Client, home: str, guests: Guests) -> None:
    """The page follows by itself: nothing yet, one game, three games; the picture is saved."""
    phone = guests.open(f"{home}/tonight", 360, 640)
    say = phone.locator("#tonight-say")
    expect(say).to_have_text("Tonight's first game is still to come.")
    play(host)
    expect(say).to_contain_text("tonight.")
    expect(phone.locator("#cup")).to_be_hidden()
    expect(phone.locator("#tonight-people li")).to_have_count(2)
    play(host)
    play(host)
    expect(say).to_contain_text("of the evening!")
    expect(phone.locator("#cup")).to_be_visible()
    expect(phone.locator("#tonight-games li")).to_have_count(3)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
    with phone.expect_download() as saved:
        phone.locator("[data-action=keep-tonight]").click()
    assert saved.value.suggested_filename == "tonight.png"


def test_a_photo_is_in_the_picture_and_never_leaves_the_phone(
    host: Client, home: str, guests: Guests
) -> None:
    """The photo is over the picture of the evening; no request has a byte of it, nor does a page loaded again."""
    play(host)
    phone = guests.open(f"{home}/tonight", 390, 844)
    asked: list[Request] = []
    phone.on("request", lambda request: asked.append(request))
    canvas, drop = phone.locator("#tonight-keep canvas"), phone.locator("[data-action=drop-photo]")
    without = saved(phone)
    expect(canvas).to_be_hidden()

    with phone.expect_file_chooser() as chooser:
        phone.get_by_text("Add a photo").click()
    photo = photo_bytes(size=(900, 600))
    chooser.value.set_files({"name": "us.jpg", "mimeType": "image/jpeg", "buffer": photo})
    expect(canvas).to_be_visible()
    with_photo = saved(phone)
    above = with_photo.height - without.height
    assert (with_photo.width, above) == (without.width, round(without.width * 2 / 3))
    left, right = (with_photo.getpixel((x, above // 2)) for x in (20, with_photo.width - 20))
    assert near(left, "orange"), left
    assert near(right, "teal"), right
    top = (0, 0, without.width, 100)  # what is below it changes once the odds are worked out
    below = with_photo.crop((0, above, with_photo.width, with_photo.height)).crop(top)
    assert ImageChops.difference(below, without.crop(top)).getbbox() is None, "the evening is below the photo"

    assert {request.method for request in asked} <= {"GET"}
    assert not any(request.post_data_buffer for request in asked)
    sent = " ".join(request.url for request in asked if not request.url.startswith("blob:"))
    assert "us.jpg" not in sent
    assert max(len(request.url) for request in asked) < 200, "no address has room for a photo"

    drop.click()
    expect(canvas).to_be_hidden()
    assert saved(phone).size == without.size
    phone.reload()
    expect(phone.locator("#tonight-keep")).to_be_visible()
    expect(canvas).to_be_hidden()


def test_a_file_that_is_no_photo_is_said(host: Client, home: str, guests: Guests) -> None:
    play(host)
    phone = guests.open(f"{home}/tonight", 390, 844)
    photo = phone.locator("[data-action=add-photo]")
    photo.set_input_files({"name": "us.jpg", "mimeType": "image/jpeg", "buffer": b"not a photo"})
    expect(phone.locator("#toast")).to_have_text("This picture cannot be read.")
    expect(phone.locator("#tonight-keep canvas")).to_be_hidden()


def saved(phone: Page) -> Image.Image:
    """Return the evening's picture that the phone keeps."""
    with phone.expect_download() as loading:
        phone.locator("[data-action=keep-tonight]").click()
    return Image.open(io.BytesIO(Path(loading.value.path()).read_bytes())).convert("RGB")


def near(pixel: object, colour: str) -> bool:
    """Return whether a pixel has this colour, as far as JPEG keeps it."""
    assert isinstance(pixel, tuple)
    return bool(max(abs(a - b) for a, b in zip(pixel, ImageColor.getrgb(colour), strict=False)) < 30)


def test_newcomers_practise_from_the_tablet_at_a_touch(host: Client, home: str, guests: Guests) -> None:
    """One round against a robot, with explanations; the host's next game is not offered against it."""
    tablet = guests.open(f"{home}/")
    tablet.locator("[data-action=practice]").click()
    expect(tablet.locator("#big")).to_contain_text("Guest, line up the pigs")
    expect(tablet.locator("#explain")).to_be_visible()
    assert host.table["match"]["bots"] == ["", "easy"]
