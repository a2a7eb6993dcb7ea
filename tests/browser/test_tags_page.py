"""The tags page: a box takes two touches at the modelled pad, and a tag that is refused has a reason.

Only here: a tags page that needs more touches for a box, hides why it refused a tag, or loses an imported
list.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PIN, Guests
from tests.browser.test_accessibility import faults
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

COUNT_TOUCHES = """
  window.touches = 0;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { window.touches++; }, true);
"""


@pytest.fixture
def page(host: Client, home: str, guests: Guests) -> Page:
    """Return the host's phone next to the pad."""
    opened = guests.open(f"{home}/tags", 390, 844, has_touch=True)
    opened.locator("[name=pin]").fill(PIN)
    opened.add_init_script(COUNT_TOUCHES)
    opened.locator("[name=pin]").press("Enter")
    expect(opened.locator("#boxes")).to_be_visible()
    return opened


def begin(page: Page, game: str) -> None:
    page.locator(f"[data-game={game}]").first.tap()
    expect(page.locator("#due")).to_be_visible()


def thing(page: Page, means: str) -> str:
    """Return the state that a thing of the box is drawn in: done, due or missing."""
    return page.locator(f"[data-card='{means}']").get_attribute("data-state") or ""


def test_a_whole_box_takes_two_touches(host: Client, page: Page) -> None:
    """Each thing of the horses' box gets a blank tag, and the page always names the next thing."""
    begin(page, "galloping-horse")
    page.locator("[data-action=again]").tap()
    expect(page.locator("#count")).to_have_text("0 of 32")
    for number in range(32):
        if number in (0, 5, 31):
            words = {0: "Red horse", 5: "Red card, number 2 of 7", 31: "Yellow card, number 7 of 7"}
            expect(page.locator("#thing b")).to_have_text(words[number])
        host.blank((4, 7, 10)[number % 3])
        expect(page.locator("#count")).to_have_text(f"{number + 1} of 32")
    expect(page.locator("#thing")).to_contain_text("All 32 have their tag")
    expect(page.locator("#boxes")).to_be_visible()  # the next one is one touch away
    assert page.evaluate("window.touches") == 2
    expect(page.locator("#things [data-state=done]")).to_have_count(32)


def test_what_is_turned_away_is_said_and_one_tag_is_replaced(host: Client, page: Page) -> None:
    cards = host.uids("giro-galoppo")
    begin(page, "giro-galoppo")
    lost = "giro-galoppo/card/blue/4"
    page.locator(f"[data-card='{lost}']").tap()
    expect(page.locator("#thing b")).to_have_text("Blue card 4")
    host.pad(cards["card/red/2"])
    turned = page.locator("#turned")
    expect(turned).to_contain_text("This tag is the red card 2 already")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert list(faults(page)) == []
    host.pad()
    host.pad(cards["card/red/1"], cards["card/red/3"])
    expect(turned).to_contain_text("One at a time")
    host.pad()
    new = host.blank()
    expect(turned).to_be_hidden()
    expect(page.locator("#thing")).to_contain_text("All 35 have their tag")
    assert host.uids("giro-galoppo") == {**cards, "card/blue/4": new}
    page.locator("[data-action=undo]").tap()
    expect(page.locator("#thing b")).to_have_text("Blue card 4")
    assert host.uids("giro-galoppo") == cards
    host.pad()
    host.pad(cards["card/red/2"])
    turned.locator("[data-action=anyway]").tap()
    expect(page.locator("#thing b")).to_have_text("Red card 2")
    assert thing(page, "giro-galoppo/card/red/2") == "due"
    page.locator("[data-action=stop]").tap()
    expect(page.locator("[data-game=giro-galoppo]")).to_contain_text("34 of 35")
    expect(page.locator("#stopped")).to_be_hidden()


def test_without_a_pad_tags_are_typed_or_brought_in(
    host: Client, page: Page, tmp_path: Path, guests: Guests
) -> None:
    """A UID can be typed, followed by Enter, or imported from a list.

    A list with a wrong line changes nothing, and the page names the line.
    """
    guests.forgive("400|409")
    host.fault("dead-miso", "pad")
    expect(page.locator("#pad-says")).to_contain_text("The card pad does not answer")
    begin(page, "greyhounds")
    page.locator("[data-card='greyhounds/piece/red']").tap()
    field = page.locator("#uid")
    field.fill("red")
    field.press("Enter")
    expect(page.locator("#toast")).to_contain_text("'red' is no UID")
    expect(field).to_have_value("")
    field.fill("04:a1:b2:c3:d4:e5:f6")
    field.press("Enter")
    expect(page.locator("#thing")).to_contain_text("All 84 have their tag")
    with page.expect_download() as saved:
        page.get_by_text("Labels and lists").tap()
        page.get_by_text("Save the list of all tags").tap()
    text = saved.value.path().read_text()
    assert "04A1B2C3D4E5F6 greyhounds/piece/red\n" in text
    bad, good = tmp_path / "bad.txt", tmp_path / "good.txt"
    bad.write_text("04A1B2C3D4E5F7 greyhounds/piece/red\nred", encoding="utf-8")
    good.write_text("04A1B2C3D4E5F7 greyhounds/piece/red  # dog 1\n", encoding="utf-8")
    page.locator("[data-action=import]").set_input_files(bad)
    expect(page.locator("#toast")).to_contain_text("2: ")
    assert host.get("/api/tags/list.txt") == text
    page.locator("[data-action=import]").set_input_files(good)
    expect(page.locator("#toast")).to_contain_text("Tags learnt: 1")
    assert host.uids("greyhounds")["piece/red"] == "04A1B2C3D4E5F7"


def test_it_can_be_tried_at_the_virtual_table(page: Page, home: str, guests: Guests) -> None:
    """At the virtual table one press lays the next blank tag on the pad, another press lifts it."""
    begin(page, "galloping-pigs")
    page.locator("[data-action=again]").tap()
    table = guests.open(f"{home}/mock")
    table.locator("[data-action=blank]").click()
    expect(page.locator("#count")).to_have_text("1 of 40")
    table.locator("[data-action=blank]").click()
    expect(page.locator("#count")).to_have_text("2 of 40")
    expect(table.locator("#pad [data-tag]")).to_have_count(1)
    table.locator("[data-action=lift-all]").click()
    expect(table.locator("#pad [data-tag]")).to_have_count(0)
