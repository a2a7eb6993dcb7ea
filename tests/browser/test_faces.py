"""A person's hat or photo is chosen by the host or on the person's phone, and every page shows it.

Only here: a photo that is sent before it is made small, or a hat that is drawn in the wrong colours.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import PIN, Guests, all_on_one_page
from tests.browser.test_accessibility import faults
from tests.browser.test_seat import join
from tests.support.client import Client
from tests.support.photos import photo_bytes

pytestmark = [pytest.mark.browser, pytest.mark.long]


def worn(page: Page, box: str) -> str:
    """Return the file and the drawing that the hat in this box refers to."""
    return page.locator(f"{box} .hatpic use").first.get_attribute("href") or ""


def is_drawn(page: Page, box: str) -> bool:
    """Return True if the photo in this box can be decoded and has the right size."""
    return bool(
        page.evaluate(
            """async box => {
              const shown = document.querySelector(`${box} .hatpic image`);
              const photo = new Image();
              photo.src = shown.href.baseVal;
              await photo.decode();
              return photo.naturalWidth === 192;
            }""",
            box,
        )
    )


def test_the_host_chooses_where_a_name_is_typed(host: Client, home: str, guests: Guests) -> None:
    """A touch on the hat opens the choice.

    Another name has another face, and the first face comes back with its name.
    """
    page = guests.open(f"{home}/host", 390, 844)
    all_on_one_page(page)
    page.locator("[name=pin]").fill(PIN)
    page.locator("[data-action=unlock-send]").click()
    hat = page.locator("[data-face='0']")
    hat.click()
    expect(page.locator("#toast")).to_contain_text("Type the name first")
    name = page.locator("#seats [data-seat='0']")
    expect(name).to_be_focused()
    name.fill("Ada")
    hat.click()
    expect(hat).to_have_attribute("aria-expanded", "true")
    page.get_by_role("button", name="hat 7").click()
    expect(page.get_by_role("button", name="hat 7")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="hat 7")).to_be_focused()
    page.get_by_role("button", name="sky blue").press("Enter")
    expect(page.get_by_role("button", name="sky blue")).to_have_attribute("aria-pressed", "true")
    assert worn(page, "[data-face='0']") == "static/common/hats.svg#hat-6"
    expect(page.locator("[data-face='0'] .initial")).to_have_text("A")
    assert not list(faults(page))
    name.fill("Adam")
    assert worn(page, "[data-face='0']") == "#hat-0"
    expect(page.locator(".facepick")).to_have_count(0)
    name.fill(" ADA")
    assert worn(page, "[data-face='0']") == "static/common/hats.svg#hat-6"
    hat.click()
    page.get_by_role("button", name="Forget all of it").click()
    expect(page.locator("[data-face='0'] .initial")).to_have_count(0)
    assert worn(page, "[data-face='0']") == "#hat-0"


def test_a_photo_is_taken_on_the_own_phone_and_seen_by_all(
    host: Client, home: str, guests: Guests, tmp_path: Path
) -> None:
    """The phone makes the photo small before it sends it, and one touch removes it.

    The table, a viewer and the seat's own page show it.
    """
    large = tmp_path / "photo.jpg"
    large.write_bytes(photo_bytes("JPEG", (3000, 2000), quality=100))
    host.begin("galloping-pigs", ("Ada", "Ben"), deal="companion")
    table, watch = guests.open(f"{home}/"), guests.open(f"{home}/watch", 390, 844)
    seat = join(guests, host, home, 0)
    sent: list[int] = []
    seat.on(
        "request", lambda asked: sent.append(len(asked.post_data or "")) if asked.method == "PUT" else None
    )
    seat.locator("#face summary").click()
    seat.locator("[data-photo][capture]").set_input_files(large)
    row = "#stand-list [data-seat='0']"
    for page, box in ((seat, "#face-now"), (table, row), (watch, row)):
        expect(page.locator(f"{box} .hatpic image")).to_have_count(1)
        assert is_drawn(page, box)
    assert max(sent) < 40_000
    assert not list(faults(seat))
    seat.get_by_role("button", name="Remove the photo").click()
    for page, box in ((seat, "#face-now"), (table, row), (watch, row)):
        expect(page.locator(f"{box} .hatpic image")).to_have_count(0)
    seat.get_by_role("button", name="hat 6").click()
    expect(table.locator(f"{row} .initial")).to_have_text("A")
    assert worn(table, row) == "static/common/hats.svg#hat-5"
    ben = table.locator("#stand-list [data-seat='1'] .initial")
    expect(ben).to_have_count(0)


def test_a_file_that_is_no_picture_is_said(host: Client, home: str, guests: Guests, tmp_path: Path) -> None:
    letter = tmp_path / "letter.jpg"
    letter.write_text("Dear Ada")
    host.begin("galloping-pigs", ("Ada", "Ben"), deal="companion")
    seat = join(guests, host, home, 0)
    seat.locator("#face summary").click()
    seat.locator("[data-photo]:not([capture])").set_input_files(letter)
    expect(seat.locator("#toast")).to_have_text("This picture cannot be read.")
    assert host.get("/api/leaderboard")


def test_a_hat_of_the_few_is_drawn_in_its_colours(host: Client, home: str, guests: Guests) -> None:
    """The hat, its band and the disc have the colours that the page gives the drawing."""
    host.put("/api/faces", name="Ada", hat=7, colour="red")
    host.begin("galloping-pigs", ("Ada", "Ben"))
    table = guests.open(f"{home}/")
    hat = table.locator("#stand-list [data-seat='0'] .hatpic")
    expect(hat.locator(".initial")).to_have_text("A")
    expect(hat).to_have_attribute("style", "--hat:#d2323c;--hat-band:#ffd84d")
    table.wait_for_load_state("networkidle")
    drawn = Image.open(io.BytesIO(hat.screenshot())).convert("RGB")
    colours = {colour for _, colour in drawn.getcolors(1 << 16) or []}
    assert {(0xD2, 0x32, 0x3C), (0xFF, 0xD8, 0x4D), (0xFF, 0xF0, 0xCC)} <= colours
