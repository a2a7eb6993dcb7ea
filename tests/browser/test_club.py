"""A hub's pages in a browser: a table's page follows the database, and every page fits a small phone.

Only here: a page of the hub that stops following a table, raises a script error, or is wider than a phone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Engine

from companion.games.race import random_decision
from companion.hub import leagues, tables
from companion.hub.intake import Intake
from companion.hub.site import create_hub
from companion.hub.site import tables as tables_live
from companion.hub.validation import TableMessage
from companion.match.record import Header, decision_line
from companion.reply import encoded
from companion.store.restore import TABLE_KEY
from tests.hub.test_site import NOW
from tests.support.browser.chromium import PATIENCE, wait_until
from tests.support.hub.hub_site import after_an_evening, served
from tests.support.hub.stories import PEOPLE, Evening

pytestmark = [pytest.mark.browser, pytest.mark.long]

PAGES = (
    *("/", "/tables/window-2", "/tables/table-0", "/leagues", "/leagues/winter", "/leagues/swiss-cup"),
    *("/people", "/people/Ada", "/games", "/games/1", "/claim", "/me", "/organiser", "/nothing"),
)
WIDTHS = (320, 390, 1280)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Yield the database after an evening, with two leagues."""
    made = after_an_evening(tmp_path_factory.mktemp("hub"))
    with made.begin() as db:
        leagues.create(db, "Winter", "open", NOW)
        cup = leagues.create(db, "Swiss cup", "swiss", NOW)
        for name in PEOPLE:
            leagues.join(db, cup, name)
        leagues.draw(db, cup, NOW)
    yield made
    made.dispose()


@pytest.fixture(scope="module")
def address(engine: Engine) -> Iterator[str]:
    with served(create_hub(engine)) as url:
        yield url


@pytest.fixture
def evening(tmp_path: Path, engine: Engine) -> Iterator[Evening]:
    """Yield a table in the middle of a game: the same machine in every test, by its key."""
    data = tmp_path / "live"
    data.mkdir()
    (data / TABLE_KEY).write_bytes(bytes(32))
    made = Evening(data, "window-2", 7)
    made.table.begin(Header("galloping-pigs", ("Ada", "Ben", "Cleo")), "companion")
    go_on(made, 6)
    Intake(engine).take(made.messages())
    yield made
    made.close()


def go_on(evening: Evening, decisions: int) -> None:
    for number in range(decisions):
        race = evening.table.ledger.running().race
        decision = random_decision(race, random.Random(number))
        assert decision is not None
        evening.table.play.decide(evening.table.snapshot.seq, decision_line(race, decision))


class Visitor:
    """A device that polls the hub every second, because no proxy streams to it."""

    def __init__(self, browser: Browser, width: int = 390, language: str = "en") -> None:
        self._context = browser.new_context(
            viewport={"width": width, "height": 800}, locale=language, reduced_motion="reduce"
        )
        self._context.set_default_timeout(PATIENCE)
        self.page: Page = self._context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self._said(said.type, said.text, said.location["url"]))

    def _said(self, kind: str, text: str, url: str) -> None:
        if kind == "error" and "/live/" not in url and not url.endswith("/nothing"):
            self.complaints.append(f"{self.page.url}: {text}")

    def leave(self) -> None:
        self._context.close()
        assert self.complaints == []


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    made = Visitor(browser)
    yield made
    made.leave()


def test_a_tables_page_is_drawn_and_follows(
    address: str, engine: Engine, evening: Evening, visitor: Visitor
) -> None:
    page, intake = visitor.page, Intake(engine)
    page.goto(f"{address}/tables/window-2")
    expect(page.locator("#track [data-piece]").first).to_be_visible()
    expect(page.locator("#stand-list li")).to_have_count(3)
    said = page.locator("#big").inner_text()
    assert said
    story = page.locator("#story-list").inner_text()
    go_on(evening, 2)
    intake.take(evening.messages())
    expect(page.locator("#story-list")).not_to_have_text(story, use_inner_text=True)
    expect(page.locator("#gone")).to_be_hidden()
    intake.take([TableMessage("window-2", "here", b"gone")])
    expect(page.locator("#gone")).to_contain_text("gone since")
    evening.go_on()
    intake.take(evening.messages())
    expect(page.locator("[data-podium]")).to_be_visible()
    expect(page.locator("#gone")).to_be_hidden()


def test_cards_and_pieces_on_the_table_are_shown(
    address: str, engine: Engine, tmp_path: Path, visitor: Visitor
) -> None:
    """The page shows the small tables of a game: odds, cards on the table, sets."""
    made = Evening(tmp_path / "dogs", "dogs", 7)
    made.table.begin(Header("greyhounds", ("Ada", "Ben", "Cleo")), "companion")
    go_on(made, 6)
    Intake(engine).take(made.messages())
    made.close()
    visitor.page.goto(f"{address}/tables/dogs")
    expect(visitor.page.locator("#panels .pbox").first).to_be_visible()
    visitor.page.goto(address)
    expect(visitor.page.locator("[data-table=dogs] .first3")).to_contain_text("$")


def test_the_list_follows_and_says_when_the_hub_is_away(
    tmp_path: Path, engine: Engine, evening: Evening, visitor: Visitor
) -> None:
    page = visitor.page
    with served(create_hub(engine)) as url:
        page.goto(url)
        card = page.locator("[data-table=window-2]")
        expect(card).to_contain_text("here")
        Intake(engine).take(
            [TableMessage("window-2", "here", b"gone"), TableMessage("attic", "here", b"here")]
        )
        expect(card).to_contain_text("gone since")
        expect(page.locator("[data-table=attic]")).to_be_visible()
        expect(page.locator("#stale")).to_be_hidden()
    expect(page.locator("#stale")).to_be_visible()
    assert all("ERR_" in complaint for complaint in visitor.complaints)
    visitor.complaints.clear()


def test_a_stream_is_followed_where_there_is_one(
    address: str, engine: Engine, evening: Evening, visitor: Visitor
) -> None:
    """A stream, as the hub's worker sends it, has only what changed.

    The page requests the whole list when the stream opens.
    """
    with engine.connect() as db:
        table = tables.one(db, "window-2")
    assert table is not None
    newer = replace(table, seq=table.seq + 1, due=["Zoe"])
    asked: list[str] = []
    page = visitor.page
    page.on("request", lambda request: asked.append(request.url))
    page.route(
        "**/live/tables",
        lambda route: route.fulfill(
            content_type="text/event-stream",
            body=f"retry: 600000\ndata: {encoded(tables_live.Tables(tables=[newer])).decode()}\n\n",
        ),
    )
    page.goto(address)
    expect(page.locator("[data-table=window-2]")).to_contain_text("Zoe")
    expect(page.locator("[data-table=table-0]")).to_be_visible()
    assert any(url.endswith("/tables.json") for url in asked)


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_every_page_fits_every_width(address: str, evening: Evening, browser: Browser, language: str) -> None:
    """No page is wider than the device, and no page logs an error."""
    for width in WIDTHS:
        guest = Visitor(browser, width, language)
        for path in PAGES:
            guest.page.goto(address + path)
            wait_until(guest.page, "document.fonts.status === 'loaded'")
            wide = guest.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{path} at {width}, {language}"
        guest.leave()
