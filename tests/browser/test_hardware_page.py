"""The hardware page names what is broken, tests a reader, stores a measurement and times cards.

Only here: a result that the page shows under another reader, a broken reader that it does not mark, or a
keyboard focus that is lost.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PIN, Guests
from tests.browser.test_accessibility import faults
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def page(host: Client, home: str, guests: Guests) -> Page:
    """Return the host's phone."""
    opened = guests.open(f"{home}/hardware", 390, 844, has_touch=True)
    opened.locator("[name=pin]").fill(PIN)
    opened.locator("[name=pin]").press("Enter")
    expect(opened.locator("#groups button")).to_have_count(22)
    return opened


def test_a_broken_reader_is_named_and_a_good_one_is_tested(host: Client, page: Page) -> None:
    """The page updates without a reload, fits the phone and has no accessibility fault, light or dark."""
    pig = host.uids()["piece/red"]
    host.space(4, pig)
    host.fault("dead-reader", "track/9")
    expect(page.locator("#findings")).to_contain_text("Space 9 answers nothing.")
    expect(page.locator("[data-card='9']")).to_have_attribute("data-state", "silent")
    expect(page.locator("#readers [data-health=silent]")).to_have_count(1)
    expect(page.locator("#readers .healthsum")).to_have_text("21 of 22 work")
    space = page.locator("[data-sensor='4']")
    expect(space).to_have_accessible_name("space 4: works, there: Red pig")
    space.tap()
    detail = page.locator("#detail")
    expect(detail).to_contain_text("MFRC522 2.0 (92)")
    expect(detail).to_contain_text("group enabled by EN0 (master 74HC138 pin 15)")
    detail.locator("[data-action=test]").tap()
    expect(detail.locator("#detail-result")).to_contain_text("Red pig: seen 50 of 50 times")
    detail.get_by_label("height, mm").fill("8.5")
    detail.locator("[data-action=keep]").tap()
    row = page.locator("#figures tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("modelled")
    [figure] = host.get("/api/hardware")["figures"]
    assert (figure["what"], figure["at"], figure["hits"], figure["height_mm"]) == (
        "piece",
        "track/4",
        50,
        8.5,
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert list(faults(page)) == []
    host.fault("dead-reader", "track/9", on=False)
    expect(page.locator("#findings")).to_contain_text("Everything that can be looked at works.")


def test_a_result_stands_under_its_own_reader(host: Client, page: Page) -> None:
    """A result that comes after another reader was opened is not shown under that reader."""
    answers: list[Route] = []
    page.route("**/api/hardware/test", lambda route: answers.append(route))  # playwright marks its handlers
    page.locator("[data-sensor='3']").tap()
    page.locator("#detail [data-action=test]").tap()
    expect(page.locator("#detail-result")).not_to_be_empty()
    page.locator("[data-sensor='7']").tap()
    expect(page.locator("#detail-title")).to_contain_text("7")
    with page.expect_response("**/api/hardware/test"):
        answers[0].continue_()
    page.evaluate("() => new Promise(done => setTimeout(done))")  # what waits for the answer has run
    expect(page.locator("#detail-result")).to_be_empty()


def closed_by_keyboard(page: Page) -> None:
    expect(page.locator("#detail")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("[data-action=close]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#detail")).to_be_hidden()


def test_the_keyboard_opens_and_closes_a_space(host: Client, page: Page) -> None:
    """The drawn track is one Tab stop, arrow keys go round it, and the focus returns to where it was."""
    expect(page.locator("[data-sensor][tabindex='0']")).to_have_count(1)
    page.locator("[data-sensor='0']").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-sensor='21']")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#detail-title")).to_have_text("space 21")
    closed_by_keyboard(page)
    expect(page.locator("[data-sensor='21']")).to_be_focused()
    page.get_by_text("By wiring group").click()
    expect(page.locator("[data-card='3']")).to_be_visible()
    page.locator("[data-card='3']").focus()
    page.keyboard.press("Enter")
    closed_by_keyboard(page)
    expect(page.locator("[data-card='3']")).to_be_focused()


def test_the_course_of_the_game_is_drawn(host: Client, page: Page) -> None:
    """A course with more spaces than sensors says which spaces have none.

    Each space has the number that is printed on it.
    """
    host.begin("giro-galoppo", colours=["red", "blue"])
    expect(page.locator("#readers .gatepost")).to_be_visible()
    expect(page.locator("[data-sensor='22']")).to_be_visible()
    spaces = page.locator("[data-sensor]").count()
    assert spaces > 22
    expect(page.locator("#readers [data-health=none]")).to_have_count(spaces - 22)
    expect(page.locator("[data-sensor='22']")).to_have_accessible_name("space 22: no sensor")
    page.locator("[data-sensor='21']").tap()
    expect(page.locator("#detail-facts")).to_contain_text("space 22")
    host.now("/api/end")
    expect(page.locator("[data-sensor]")).to_have_count(22)


def test_a_card_is_timed_until_the_table_page_has_drawn_it(
    host: Client, page: Page, home: str, guests: Guests
) -> None:
    """The time runs from the modelled pad through driver, table and stream to the page and back.

    A line-up by tap is not timed.
    """
    host.begin()
    host.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
    table = guests.open(f"{home}/")
    expect(table.locator("#big")).to_contain_text("red pig")
    expect(page.locator("#latency-said")).to_contain_text("Nothing yet")
    for place, pig in enumerate(("red", "blue", "green", "yellow", "pink")):
        host.space(-place % 22, host.uids()[f"piece/{pig}"])
    host.pad(host.uids()["card/red/1"])
    expect(page.locator("#latency-chart rect")).to_have_count(1)
    [ms] = host.get("/api/hardware")["latency"]["ms"]
    assert ms > 0
    expect(page.locator("#latency-said")).to_contain_text("1 measured")


def test_a_fault_is_shown_once_and_leads_to_help(host: Client, home: str, guests: Guests) -> None:
    """The virtual table lists active faults and mends them; the table page links to the page that helps."""
    bench = guests.open(f"{home}/mock")
    host.begin()
    host.fault("ghost-tag", "track/5")
    host.fault("dead-reader", "track/9")
    expect(bench.locator("#big")).to_contain_text("An unknown tag lies on 5")
    expect(bench.locator("#alerts")).not_to_contain_text("unknown tag")
    table = guests.open(f"{home}/")
    alert = table.locator("#lost a")
    expect(alert).to_contain_text("reader 9 of the track is silent")
    expect(alert).to_have_attribute("href", "hardware")
    bench.get_by_role("button", name="mend: dead reader space 9").click()
    expect(bench.locator("#faults-now button")).to_have_count(1)
    expect(alert).to_have_count(0)
