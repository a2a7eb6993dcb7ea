"""The moments at which the pages are judged: which story, on which page, on which screen.

`make screenshots` writes a screenshot and an accessibility snapshot of them into tests/browser/screenshots and
tests/browser/snapshots; test_screenshots.py compares the pages with them. The layout law and others check the
same moments at more sizes, in more languages, light and dark.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zlib import crc32

from playwright.sync_api import Browser, FloatRect, Page, expect

from companion.games.greyhounds.bets import charts_as_data
from companion.games.greyhounds.fair import FAIR
from companion.games.race import Race
from companion.match.match import Match
from companion.odds.chance import Chance
from companion.referee.tagged import STRAY_STILL
from companion.store.journal import Journal
from tests.support import amount
from tests.support.browser.chromium import wait_until
from tests.support.client import FROZEN, Client, Companion, HttpError, companion
from tests.support.moments import UID, Story, happens, last_chances

PIN = "2468"


class Screen(NamedTuple):
    """A page on a device: its size, the role it has by PIN, and how it likes its pages."""

    path: str
    width: int
    height: int
    role: str | None = None
    scheme: str = "light"
    language: str = "en"
    whole: bool = False  # the screenshot shows a page that scrolls beyond the screen, down to TALLEST
    ready: str | None = (
        None  # what is seen once a page that does not show the table as it is has all it shows
    )
    seat: int | None = None  # it has taken this seat; a second screenshot shows what is covered, held open
    drawn: bool = True  # there is a screenshot of it, not only an accessibility snapshot

    @property
    def page(self) -> str:
        """The path alone."""
        return self.path.partition("#")[0].partition("?")[0]

    @property
    def name(self) -> str:
        page = self.page.strip("/").replace("/", "-") or "table"
        how = "".join(f"-{what}" for what in (self.scheme, self.language) if what not in ("light", "en"))
        return f"{page}-{self.width}x{self.height}{how}"

    @property
    def scale(self) -> int:
        """By how much a screenshot is reduced, so that it stays small."""
        return 1 + (self.width > 1000) + (self.width > 1500)


TABLET = Screen("/", 1280, 800, "table")
SMALL = Screen("/", 1024, 768, "table")
TALL = Screen("/", 800, 1280, "table")
TV = Screen("/", 1920, 1080)
PHONE = Screen("/watch", 360, 640, whole=True)
SEAT = Screen("/seat", 360, 640, seat=0)
HOST = Screen("/host", 390, 844, "host", whole=True)
MOCK = Screen("/mock", 1280, 800, "host")
SCREENS = (TABLET, TV, PHONE)
LIVE = ("/", "/watch", "/seat", "/host", "/mock", "/tv", "/overlay")  # pages that show the table as it is
LUCK_REPORT = "#finish .fin-badge b:visible, #finish [data-badge]:visible"
"""The selector of what a page has once luck and choice are worked out."""
SENSED = 22  # spaces of the modelled track
LANGUAGES = ("en", "fr", "de")
SCHEMES = ("light", "dark")
LINE = 12  # so many odds make a line on the tote board
ENROLLED = 11  # so many things of a box have their tag


@dataclass(frozen=True)
class Scene:
    """A companion at a moment, and a person at its table."""

    running: Companion
    directory: Path
    story: Story
    decisions: int
    frozen: bool

    @property
    def client(self) -> Client:
        return self.running.client

    @property
    def match(self) -> int:
        """The number of the match, from which the odds take their seed."""
        number: int = self.client.table["match"]["id"]
        return number

    def positions(self) -> list[Race]:
        """Return the match from its opening to its present position, from the decisions in its record."""
        journal = Journal(self.directory / "journal.sqlite")
        try:
            filed = journal.match(self.match)
            return Match.of(filed, journal.entries(filed.id)).positions()
        finally:
            journal.close()

    def go_on(self, count: int = 1, after: int = 0) -> None:
        """Make the next `count` decisions by tap."""
        begin = self.decisions + after
        for turn in self.story.match.turns[begin : begin + count]:
            if turn.by != "companion":
                self.client.decide(**self.story.line(turn))

    def astray(self) -> None:
        """Make the next decision by tap, and put its piece down one space too far."""
        self.go_on()
        piece, to = self.client.until(
            lambda table: table["todo"] and (table["todo"][0]["piece"], table["todo"][0]["to"]["space"])
        )
        self.client.space(to + 1, UID[f"{self.story.game}/piece/{piece}"])
        self.client.until(
            lambda table: any((task["from"] or {}).get("space") == to + 1 for task in table["todo"])
        )
        time.sleep(STRAY_STILL)  # then the table may offer another reading; nothing says that it will not

    def on_the_pad(self) -> None:
        """Make a few decisions by tap, each with its odds, and one by its card; the pig is still to move."""
        for n in range(LINE):
            self.go_on(1, n)
            settled(self)
        self.stand_pieces()
        card = self.story.match.turns[self.decisions + LINE].decision.what
        self.client.pad(UID[f"{self.story.game}/card/{card}/1"])
        self.client.until(lambda table: table["todo"])

    def stand_pieces(self) -> None:
        """Put every piece where it belongs."""
        for piece, place in self.client.table["layout"].items():
            self.client.space(place["space"], UID[f"{self.story.game}/piece/{piece}"])
        self.client.until(lambda table: not table["todo"])

    def sensed(self) -> None:
        """Wait until the track has seen every piece that the story put on it."""

        def stands(table: dict[str, Any]) -> bool:
            moves = [task for task in table["todo"] if task["to"] and task["to"]["zone"] == "track"]
            return table["parts"]["track"] == "ok" and (not moves or not table["next"])

        self.client.until(stands)

    def looked_back(self) -> None:
        """Wait until all luck and odds of the game's history are worked out."""
        while not (past := self.client.get(f"/api/history/{self.match}"))["luck"] or (
            past["odds"]["done"] < past["odds"]["of"]
        ):
            time.sleep(0.02 if self.frozen else 0.1)  # there is no event to wait for but the next answer

    def finished(self) -> None:
        """Make the last decision, and put every piece where it ran."""
        self.go_on()
        off = []
        for piece, place in self.client.table["layout"].items():
            uid = UID[f"{self.story.game}/piece/{piece}"]
            if place["zone"] == "track":
                self.client.space(place["space"], uid)
            else:
                off.append(uid)
        self.client.pad(*off)
        self.client.pad()  # a hand has lifted them
        self.client.until(lambda table: not any(task["held"] for task in table["todo"]))

    def with_luck(self) -> None:
        """Do the same, and wait until luck and choice are worked out."""
        self.finished()
        self.looked_back()

    def enrolled(self) -> None:
        """Enrol some of the box with tags taken from greyhounds; the first one is held once more."""
        taken = [uid for means, uid in UID.items() if means.startswith("greyhounds/")][:ENROLLED]
        self.client.post("/api/tags/enrol", game=self.story.game)
        self.client.post("/api/tags/again")
        for uid in taken:
            self.client.post("/api/tags/hold", uid=uid, anyway=True)
        with suppress(HttpError):
            self.client.post("/api/tags/hold", uid=taken[0])

    def stopped(self) -> None:
        """Enrol some, then stop enrolling; the track works."""
        self.enrolled()
        self.client.post("/api/tags/stop")
        self.client.until(lambda table: table["parts"]["track"] == "ok")

    def nothing(self) -> None:
        """Leave all as it is."""


@dataclass(frozen=True)
class Moment:
    """Something to be seen: a story up to some decision, what happens then, and where it is looked at."""

    name: str
    story: Story
    at: Callable[[Story], int]
    then: Callable[[Scene], None] = Scene.go_on
    screens: tuple[Screen, ...] = SCREENS
    lost: bool = False  # the companion is gone
    before: tuple[Story, ...] = ()  # games that were played to their end before
    frozen: bool = True  # odds, luck, address and join code are fixed: see tests/support/frozen_companion.py

    def seen_in(self, scheme: str) -> Moment:
        """Return the same moment on devices that like their pages light or dark."""
        return replace(self, screens=tuple(screen._replace(scheme=scheme) for screen in self.screens))

    @property
    def languages(self) -> tuple[str, ...]:
        """One, by moment; in `make soak` all."""
        return LANGUAGES if amount.soaking else (LANGUAGES[self.turn % len(LANGUAGES)],)

    @property
    def schemes(self) -> tuple[str, ...]:
        """Light or dark, by moment, as colours move no box; in `make soak` both."""
        return SCHEMES if amount.soaking else (SCHEMES[self.turn % len(SCHEMES)],)

    @property
    def turn(self) -> int:
        """A number by which moments share out among them what none is looked at in all of."""
        return crc32(self.name.encode())

    def seen_on(self, *screens: Screen) -> Moment:
        """Return the same moment on other devices."""
        return replace(self, screens=screens)

    @contextmanager
    def opened(
        self, browser: Browser, prepared: Callable[[Page], None] = lambda page: None
    ) -> Iterator[list[tuple[Screen, Page]]]:
        """Yield every page that this moment shows; `prepared` gets each one before it is opened."""
        with TemporaryDirectory() as directory:
            count = self.at(self.story)
            for story in self.before:
                story.write(Path(directory), over(story))
            self.story.write(Path(directory), count)
            with ExitStack() as stack:
                module = FROZEN if self.frozen else "companion"
                running = stack.enter_context(companion(Path(directory), module=module))
                scene = Scene(running, Path(directory), self.story, count, self.frozen)
                scene.sensed()
                pages = stack.enter_context(_pages(browser, running, self.screens, prepared))
                settled(scene)  # the line of the odds begins here: not with a first guess
                self.then(scene)
                settled(scene, [page for screen, page in pages if screen.page in LIVE])
                for screen, page in pages:
                    if screen.ready:
                        page.reload()
                        page.locator(screen.ready).first.wait_for()
                if self.lost:
                    for _, page in pages:
                        still(page)  # its QR code comes late
                    running.kill()
                    for _, page in pages:
                        expect(page.locator("#stale")).to_be_visible()
                yield pages

    def shots(self, browser: Browser, prepared: Callable[[Page], None] = lambda page: None) -> Iterator[Shot]:
        """Open every page of this moment and take it, also held open where it is a seat's."""
        with self.opened(browser, prepared) as pages:
            yield from self.taken(pages)

    def taken(self, pages: Sequence[tuple[Screen, Page]]) -> Iterator[Shot]:
        """Take the pages of this moment that are open."""
        style = NO_CARET if self.frozen else NO_CARET + CHANGING
        for screen, page in pages:
            page.evaluate("scrollTo(0, 0)")  # what comes late may have moved it
            page.evaluate(LEFT)
            yield shot(f"{self.name}-{screen.name}", screen, page, style)
            if screen.seat is not None:
                hold(page)
                yield shot(f"{self.name}-{screen.name}-held", screen, page, style)

    def names(self, drawn: bool = False) -> list[str]:
        """Return the names of its shots; with `drawn` only of those that have a screenshot."""
        return [
            f"{self.name}-{screen.name}{held}"
            for screen in self.screens
            if screen.drawn or not drawn
            for held in (("",) if screen.seat is None else ("", "-held"))
        ]


class Shot(NamedTuple):
    """A page at a moment: its screenshot as PNG, if it has one, and its accessibility tree as YAML."""

    name: str
    png: bytes | None
    text: str
    scale: int


def shot(name: str, screen: Screen, page: Page, style: str) -> Shot:
    """Take the page once it holds still."""
    still(page)
    png = photograph(page, screen.whole, style) if screen.drawn else None
    return Shot(name, png, page.locator("body").aria_snapshot() + "\n", screen.scale)


@contextmanager
def _pages(
    browser: Browser, running: Companion, screens: tuple[Screen, ...], prepared: Callable[[Page], None]
) -> Iterator[list[tuple[Screen, Page]]]:
    """Yield a separate device for each page; nothing on them moves, and time passes only by the stream."""
    client = running.client.host(PIN)
    contexts = [
        browser.new_context(
            viewport={"width": screen.width, "height": screen.height},
            color_scheme=screen.scheme,  # type: ignore[arg-type]
            locale=screen.language,
            timezone_id="UTC",
            reduced_motion="reduce",
        )
        for screen in screens
    ]
    pages = [context.new_page() for context in contexts]
    home = f"http://127.0.0.1:{client.port}"
    for screen, page in zip(screens, pages, strict=True):
        page.add_init_script("document.addEventListener('view', event => { window.shown = event.detail })")
        page.clock.install(time=NOW)
        page.add_init_script(LASTING)
        prepared(page)
        page.goto(home + screen.path)
        if screen.role:
            page.evaluate(POST, ["/api/unlock", {"pin": PIN, "role": screen.role}])
            page.reload()
        if screen.seat is not None:
            code = client.get("/api/join")["code"]
            page.evaluate(POST, ["/api/join", {"code": code, "seat": screen.seat}])
            page.reload()
        if screen.page in LIVE:
            wait_until(page, "window.shown !== undefined")
    yield list(zip(screens, pages, strict=True))
    for context in contexts:
        context.close()


LASTING = """const timeout = window.setTimeout;
window.setTimeout = (call, after, ...rest) => after === 3200 ? 0 : timeout(call, after, ...rest);"""
"""The reward is shown for 3.2 seconds: a slow machine would see it or not."""
POST = """([path, body]) => fetch(path, {
  method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
})"""
NOW = datetime(2026, 5, 2, 20, 30, tzinfo=UTC)
"""When the pages are opened, by their own clock: the evening after the games."""
NO_CARET = "* { caret-color: transparent !important }"
CHANGING = ".qr, .code, [data-join-text], [data-code] { visibility: hidden !important }"
"""What differs from run to run unless the companion is frozen: address and join code."""
AT_ITS_FOOT = """
  main:has(> .slider) { position: relative } .slider { position: absolute !important }
  .startbar { position: static !important }
"""  # what is fixed to the screen would cover the middle of a whole page
TALLEST = 1200
"""How many pixels of a page that scrolls a screenshot shows; the accessibility snapshot has all of it."""


def hold(page: Page) -> None:
    """Press the bar until what it covers stays open."""
    bar = page.locator("#hold")
    bar.hover()
    page.mouse.down()
    expect(page.locator("#slip")).to_be_visible()
    page.clock.run_for(1_500)
    page.mouse.up()
    expect(page.locator("#slip")).to_be_visible()


def settled(scene: Scene, pages: Sequence[Page] = ()) -> None:
    """Wait until the last odds of the newest entry are published, and the pages show them."""
    final = None
    if not scene.frozen:  # the odds get better for a while; fixed ones are the last from the first
        final = _seats(last_chances(scene.positions(), scene.match))

    def published(now: dict[str, Any]) -> dict[str, Any]:
        odds = now["odds"]
        is_last = odds and odds["seq"] == now["seq"] and final in (None, _wins(odds))
        return now if is_last else {}

    now = scene.client.until(published)
    shown = [now["seq"], list(_wins(now["odds"]).values())]
    for page in pages:
        wait_until(page, SHOWS, arg=shown)


def _seats(chances: Sequence[Chance]) -> dict[int | None, float]:
    return {c.event.seat: c.p for c in chances if c.event.what == "win" and c.event.seat is not None}


def _wins(odds: dict[str, Any]) -> dict[int, float]:
    return {c["seat"]: c["p"] for c in odds["chances"] if c["what"] == "win" and c["seat"] is not None}


SHOWS = """([seq, chances]) => window.shown.seq >= seq && (!("odds" in window.shown)
  || (window.shown.match.finished && !window.shown.over)
  || window.shown.odds?.rows.every(row => row.p === chances[row.seat]))"""


#: Hide at once the buttons that leave by themselves.
LEFT = "for (const one of document.querySelectorAll('[data-leaves]')) one.hidden = true"
DRAWN = """() => new Promise(done => {
  let frames = 10;  // a page draws step by step, one a frame
  const wait = () => frames-- ? requestAnimationFrame(wait) : done();
  wait();
})"""


def still(page: Page) -> None:
    """Wait until nothing on the page moves."""
    page.evaluate("document.fonts.ready")
    page.evaluate(DRAWN)
    wait_until(page, LOADED)
    wait_until(page, "document.getAnimations().every(moving => moving.playState !== 'running')")


LOADED = "[...document.images].every(image => image.complete || image.loading === 'lazy')"


def photograph(page: Page, whole: bool, style: str) -> bytes:
    """Return the PNG of a page that holds still; with `whole` also what is below the screen, down to TALLEST."""
    if not whole:
        return page.screenshot(style=style)
    width, height = page.evaluate("[innerWidth, document.documentElement.scrollHeight]")
    clip: FloatRect = {"x": 0, "y": 0, "width": width, "height": min(height, TALLEST)}
    return page.screenshot(full_page=True, clip=clip, style=style + AT_ITS_FOOT)


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
CHARTS = json.loads(json.dumps(charts_as_data(FAIR[4]), default=float))  # as the host page begins it
HOUNDS = Story("greyhounds", ("Ada", "Ben", "Cleo", "Dev"), 3, {"odds": CHARTS})


def first(story: Story) -> int:
    """Return 0: nothing was decided yet."""
    return 0


def last(story: Story) -> int:
    """Return the number of decisions before the last one."""
    return len(story.match.turns) - 1


def over(story: Story) -> int:
    """Return the number of all decisions."""
    return len(story.match.turns)


def due(do: str, seat: int, share: float = 0) -> Callable[[Story], int]:
    """Return a function that finds this seat's first such decision after this share of the game."""
    return lambda story: story.where(
        lambda race, turn: turn.decision.do == do and turn.decision.seat == seat,
        int(len(story.match.turns) * share),
    )


def at(share: float, *kinds: str) -> Callable[[Story], int]:
    """Return a function that finds the first decision after this share of the game that brings such news."""
    return lambda story: story.where(happens(*kinds), int(len(story.match.turns) * share))


def moved_to_sensed(story: Story) -> int:
    """Return the place of a mid-game decision whose pieces all move to sensed spaces, below the last one."""
    return story.where(
        lambda race, turn: (
            (moves := [n for n in turn.race.seen_by(None).news if n.kind == "moved"]) != []
            and all(0 < move.values["space"] < SENSED - 1 for move in moves)
        ),
        len(story.match.turns) // 2,
    )


DEALT = Story("galloping-pigs", ("Ada", "Ben", "Cleo", "Dev"), 4, deal="companion")

PAST = Screen("/history", 360, 640, "host", whole=True, ready="#games .game")
GAME = Screen("/history/4#19", 360, 640, "host", whole=True, ready="#track [data-piece]")
TAGS = Screen("/tags", 390, 844, "host", whole=True, ready="#due:visible, #boxes:visible")
RULES = Screen("/rules", 360, 640, whole=True, ready=".gamelist")
GIRO_RULES = Screen("/rules/giro-galoppo", 360, 640, whole=True, ready="[data-scene] svg.track")
HARDWARE = Screen("/hardware", 390, 844, "host", whole=True, ready="#sensors:visible")
OVERLAY = Screen("/overlay?parts=course,standings,odds,sentence,ticker", 1920, 1080)

# Each page and each game once, in one size and one scheme; of a game its table in the middle and at the end, and a
# watcher's phone in the middle. Otherwise only what looks like nothing else: the line-up, a piece in the wrong
# place, a lost companion (Pigs); a finished round, and the dark scheme (Horse); bets and the settlement (Greyhounds).
# Other sizes, schemes and languages are the layout law's, axe's and the zoom test's. An accessibility snapshot is
# cheap: each moment has one of its table, and the middle of Pigs one in French and one in German.
IN_WORDS = (TABLET._replace(drawn=False),)
FRENCH, GERMAN = (TABLET._replace(language=language, drawn=False) for language in ("fr", "de"))
DRAWN_TABLE = (TABLET,)
MIDDLE = (TABLET, PHONE)
PHONES = (SEAT,)

MOMENTS = (
    Moment("pigs-start", PIGS, first, Scene.nothing, DRAWN_TABLE),
    Moment(
        "pigs-mid",
        PIGS,
        at(0.55, "moved"),
        screens=(*MIDDLE, HOST, MOCK, Screen("/tv", 1920, 1080), OVERLAY, FRENCH, GERMAN),
    ),
    Moment("pigs-wrong", PIGS, at(0.55, "moved"), Scene.astray, DRAWN_TABLE),
    Moment("pigs-reward", PIGS, at(0, "kept"), screens=IN_WORDS),
    Moment("pigs-end", PIGS, last, screens=DRAWN_TABLE),
    Moment("pigs-lost", PIGS, at(0.55, "moved"), screens=DRAWN_TABLE, lost=True),
    Moment("horse-start", HORSE, first, Scene.nothing, IN_WORDS),
    Moment("horse-mid", HORSE, at(0.4, "leads"), screens=(TABLET._replace(scheme="dark"), PHONE)),
    Moment("horse-wrong", HORSE, at(0.4, "leads"), Scene.astray, IN_WORDS),
    Moment("horse-round", HORSE, at(0, "round-over"), screens=DRAWN_TABLE),
    Moment("horse-end", HORSE, last, screens=DRAWN_TABLE),
    Moment("horse-lost", HORSE, at(0.4, "leads"), screens=(), lost=True),
    Moment("giro-start", GIRO, first, Scene.nothing, IN_WORDS),
    Moment("giro-mid", GIRO, at(0.5, "pushed-back"), screens=MIDDLE),
    Moment("giro-wrong", GIRO, at(0.5, "refused"), Scene.astray, IN_WORDS),
    Moment("giro-end", GIRO, last, screens=DRAWN_TABLE),
    Moment("giro-lost", GIRO, at(0.5, "chosen"), screens=(), lost=True),
    Moment("hounds-start", HOUNDS, first, Scene.nothing, IN_WORDS),
    Moment("hounds-bets", HOUNDS, at(0, "has-bet"), screens=DRAWN_TABLE),
    Moment("hounds-mid", HOUNDS, at(0.5, "moved"), screens=MIDDLE),
    Moment("hounds-wrong", HOUNDS, moved_to_sensed, Scene.astray, IN_WORDS),
    Moment("hounds-settlement", HOUNDS, at(0, "balance"), screens=DRAWN_TABLE),
    Moment("hounds-end", HOUNDS, last, screens=IN_WORDS),
    Moment("hounds-lost", HOUNDS, at(0.5, "moved"), screens=(), lost=True),
    Moment("pigs-turn", DEALT, due("play", 0), Scene.nothing, PHONES),
    Moment("hounds-slip", HOUNDS, due("bet", 0), Scene.nothing, PHONES),
    Moment("giro-card", GIRO, due("play", 0, 0.4), Scene.nothing, PHONES),
    Moment(
        "pages-past",
        HORSE,
        over,
        Scene.looked_back,
        (PAST, GAME, HOST),
        before=(PIGS, GIRO, HOUNDS),
    ),
    Moment("pages-boxes", PIGS, first, Scene.stopped, (TAGS, HARDWARE)),
    Moment("pages-enrol", PIGS, first, Scene.enrolled, (TAGS,)),
    Moment(
        "pages-rules",
        GIRO,
        first,
        Scene.nothing,
        (
            RULES,
            *(
                GIRO_RULES._replace(path=f"/rules/{story.game}", drawn=story is not HORSE)  # as Pigs
                for story in (PIGS, HORSE, GIRO, HOUNDS)
            ),
        ),
    ),
)

README = Moment(
    "readme",
    PIGS,
    at(0.7, "moved"),
    Scene.on_the_pad,
    (TABLET, PHONE._replace(width=390, height=844, whole=False), MOCK),
    frozen=False,
)
"""A card is on the pad, its pig is to be moved."""

FINISH = Moment("finish", PIGS, last, Scene.with_luck, (TABLET,), frozen=False)
"""The README's first picture: the end of an evening, with its headline and badges."""

NUMBERS = (
    (replace(README, name="odds", screens=(TABLET,)), ".tote"),
    (
        Moment(
            "luck",
            HORSE,
            over,
            Scene.looked_back,
            (GAME._replace(width=900, height=2000, whole=False),),
            before=(PIGS, GIRO, HOUNDS),
            frozen=False,
        ),
        ".report",
    ),
)
"""What docs/numbers.md explains: a moment, and the part of the page that shows it."""


def moments_of(name: str) -> list[Moment]:
    """Return the moments whose names begin with `name`."""
    return [moment for moment in MOMENTS if moment.name.startswith(f"{name}-")]
