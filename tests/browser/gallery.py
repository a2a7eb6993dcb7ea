"""The pictures that the pages are judged by: which moment, on which page, on which screen.

`make pictures` makes them anew in tests/browser/pictures; test_pictures_*.py compare the pages with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, expect

from tests.client import Client, Companion, companion
from tests.moments import UID, Story, happens, last_chances

PIN = "2468"
PAD_AND_TRACK = ""


class Screen(NamedTuple):
    """A page on a device: its size, the role it has by PIN, and how it likes its pages."""

    path: str
    width: int
    height: int
    role: str | None = None
    scheme: str = "light"
    language: str = "en"
    whole: bool = False  # the picture shows all of a page that scrolls

    @property
    def name(self) -> str:
        page = self.path.strip("/").replace("/", "-") or "table"
        how = "".join(f"-{what}" for what in (self.scheme, self.language) if what not in ("light", "en"))
        return f"{page}-{self.width}x{self.height}{how}"


TABLET = Screen("/", 1280, 800, "table")
SMALL = Screen("/", 1024, 768, "table")
TALL = Screen("/", 800, 1280, "table")
TV = Screen("/", 1920, 1080)
PHONE = Screen("/watch", 360, 640, whole=True)
HOST = Screen("/host", 390, 844, "host", whole=True)
SCREENS = (TABLET, TV, PHONE)


@dataclass(frozen=True)
class Scene:
    """A companion at a moment, and somebody at its table."""

    running: Companion
    story: Story
    decisions: int

    @property
    def client(self) -> Client:
        return self.running.client

    def go_on(self, count: int = 1) -> None:
        """The next decisions, by tap."""
        for turn in self.story.match.turns[self.decisions : self.decisions + count]:
            if turn.by != "companion":
                self.client.decide(**self.story.line(turn))

    def astray(self) -> None:
        """The next decision by tap, and its piece put down one space too far."""
        self.go_on()
        piece, to = self.client.until(
            lambda table: table["todo"] and (table["todo"][0]["piece"], table["todo"][0]["to"]["space"])
        )
        self.client.space(to + 1, UID[f"{self.story.game}/piece/{piece}"])
        self.client.until(lambda table: any((task["from"] or {}).get("space") == to + 1 for task in table["todo"]))

    def nothing(self) -> None:
        """All stays as it was left."""


@dataclass(frozen=True)
class Moment:
    """Something to be seen: a story up to some decision, what happens then, and where it is looked at."""

    name: str
    story: Story
    at: Callable[[Story], int]
    then: Callable[[Scene], None] = Scene.go_on
    screens: tuple[Screen, ...] = SCREENS
    lost: bool = False  # the companion is gone

    def pictures(self, browser: Browser) -> Iterator[tuple[str, bytes]]:
        """Every picture of this moment as PNG, with its name."""
        with TemporaryDirectory() as directory:
            count = self.at(self.story)
            self.story.write(Path(directory), count)
            with companion(Path(directory)) as running, _pages(browser, running, self.screens) as pages:
                scene = Scene(running, self.story, count)
                self.then(scene)
                settled(scene.client, pages)
                if self.lost:
                    running.kill()
                    for page in pages:
                        expect(page.locator("#stale")).to_be_visible()
                for screen, page in zip(self.screens, pages, strict=True):
                    yield f"{self.name}-{screen.name}", photograph(page, screen.whole)


@contextmanager
def _pages(browser: Browser, running: Companion, screens: tuple[Screen, ...]) -> Iterator[list[Page]]:
    """A device of its own for each page; nothing on them moves, no time passes on them but by the stream."""
    client = running.client.host(PIN)
    contexts = [
        browser.new_context(
            viewport={"width": screen.width, "height": screen.height},
            color_scheme=screen.scheme,  # type: ignore[arg-type]
            locale=screen.language,
            reduced_motion="reduce",
            bypass_csp=True,  # what is waited for here is evaluated
        )
        for screen in screens
    ]
    pages = [context.new_page() for context in contexts]
    home = f"http://127.0.0.1:{client.port}"
    for screen, page in zip(screens, pages, strict=True):
        page.add_init_script("document.addEventListener('view', event => { window.shown = event.detail.seq })")
        page.clock.install()
        page.goto(home + screen.path)
        if screen.role:
            page.evaluate(UNLOCK, [PIN, screen.role])
            page.reload()
        page.wait_for_function("window.shown !== undefined")
    yield pages
    for context in contexts:
        context.close()


UNLOCK = """([pin, role]) => fetch("/api/unlock", {
  method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({pin, role}),
})"""


def settled(client: Client, pages: list[Page]) -> None:
    """The pages show the newest entry and its last odds."""
    table = client.table
    for page in pages:
        page.wait_for_function(f"window.shown >= {table['seq']}")
    if table["odds"] is None and table["match"] is None:
        return
    client.until(lambda now: now["odds"] and now["odds"]["seq"] == now["seq"])


def photograph(page: Page, whole: bool = False) -> bytes:
    """A page that holds still."""
    page.evaluate("document.fonts.ready")
    page.wait_for_function("document.getAnimations().every(moving => moving.playState !== 'running')")
    return page.screenshot(full_page=whole)


# --- what is looked at ---------------------------------------------------------------------------

PIGS = Story("galloping-pigs", ("Ada", "Ben", "Cleo", "Dev"), 3, {"food_on_track": True})
HORSE = Story("galloping-horse", ("Ada", "Ben", "Cleo"), 5)
GIRO = Story(
    "giro-galoppo",
    ("Ada", "Ben", "Cleo", "Dev", "Edda"),
    3,
    colours=("red", "blue", "green", "yellow", "pink"),
    nicknames={"pink": "Late Again"},
)
HOUNDS = Story("greyhounds", ("Ada", "Ben", "Cleo", "Dev"), 3)


def first(story: Story) -> int:
    """Nothing was decided yet."""
    return 0


def last(story: Story) -> int:
    """Only the last decision of all is missing."""
    return len(story.match.turns) - 1


def at(share: float, *kinds: str) -> Callable[[Story], int]:
    """Before the first decision after this share of the game that brings such news."""
    return lambda story: story.where(happens(*kinds), int(len(story.match.turns) * share))


MOMENTS = (
    Moment("pigs-start", PIGS, first, Scene.nothing),
    Moment("pigs-mid", PIGS, at(0.55, "moved")),
    Moment("pigs-wrong", PIGS, at(0.55, "moved"), Scene.astray),
    Moment("pigs-reward", PIGS, at(0, "kept")),
    Moment("pigs-end", PIGS, last),
    Moment("pigs-lost", PIGS, at(0.55, "moved"), lost=True),
    Moment("horse-start", HORSE, first, Scene.nothing),
    Moment("horse-mid", HORSE, at(0.4, "leads")),
    Moment("horse-wrong", HORSE, at(0.4, "leads"), Scene.astray),
    Moment("horse-round", HORSE, at(0, "round-over")),
    Moment("horse-end", HORSE, last),
    Moment("horse-lost", HORSE, at(0.4, "leads"), lost=True),
    Moment("giro-start", GIRO, first, Scene.nothing),
    Moment("giro-mid", GIRO, at(0.5, "pushed-back")),
    Moment("giro-wrong", GIRO, at(0.5, "refused"), Scene.astray),
    Moment("giro-end", GIRO, last),
    Moment("giro-lost", GIRO, at(0.5, "chosen"), lost=True),
    Moment("hounds-start", HOUNDS, first, Scene.nothing),
    Moment("hounds-bets", HOUNDS, at(0, "has-bet")),
    Moment("hounds-mid", HOUNDS, at(0.5, "moved")),
    Moment("hounds-wrong", HOUNDS, at(0.5, "moved"), Scene.astray),
    Moment("hounds-settlement", HOUNDS, at(0, "balance")),
    Moment("hounds-end", HOUNDS, last),
    Moment("hounds-lost", HOUNDS, at(0.5, "moved"), lost=True),
)
