"""A browser of each engine that is installed, and a person who looks at its page and touches it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Error

from tests.support.browser.engines import Engine, Screen, engines
from tests.support.client import PATIENCE_S, Client, Companion, companion

PIN: Final = "2468"
RESULTS: Final = Path(__file__).parents[2] / "build" / "engines.json"
"""What each test found in each browser, for `tools/browsers_page.py`."""
PICTURE: Final = RESULTS.with_suffix(".png")
"""The window when something was waited for in vain."""

# visible: it has a box, and is not hidden by its own style or that of what is around it
FIND: Final = """
  var all = Array.prototype.slice.call(document.querySelectorAll(arguments[0])).filter(function (el) {
    var box = el.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(el).visibility === "visible";
  });
"""


class Person:
    """Looks at a page and touches it; waits as people do."""

    def __init__(self, screen: Screen, home: str) -> None:
        self.screen, self.home = screen, home

    def open(self, path: str, width: int = 1280, height: int = 800) -> None:
        """Open a page of the companion in a window of this size."""
        self.screen.resize(width, height)
        self.screen.open(f"{self.home}/{path.removeprefix('/')}")

    def open_host(self, width: int, height: int) -> None:
        """Open the host's page and give the PIN where this browser has not yet."""
        self.open("host", width, height)
        self.sees("form, #running")
        if self.count("[data-unlock]"):
            self.screen.run(
                "var pin = document.querySelector('[name=pin]'); pin.value = arguments[0];"
                "pin.dispatchEvent(new Event('input', { bubbles: true }));",
                PIN,
            )
            self.touch("[data-action=unlock-send]")
        self.sees("#form, #running")

    def until(self, script: str, *args: Any) -> Any:
        """Return the first true result of the script; AssertionError names the page if it never comes."""
        end = time.monotonic() + PATIENCE_S
        asked, last = 0, None
        while time.monotonic() < end:
            asked += 1
            try:
                if found := self.screen.run(script, *args):
                    return found
                last = found
            except (RuntimeError, Error) as error:  # the page may be on its way to another
                last = error
            time.sleep(0.05)
        address = self.screen.run("return location.href + ' ' + document.body.innerText.slice(0, 400)")
        PICTURE.write_bytes(self.screen.picture())
        raise AssertionError(f"{address}: asked {asked} times, last {last!r}: {script} {args}; see {PICTURE}")

    def count(self, selector: str) -> int:
        """Return how many such elements are visible."""
        found: int = self.screen.run(FIND + "return all.length", selector)
        return found

    def sees(self, selector: str, text: str = "") -> str:
        """Wait until such an element with this text is visible; return its text."""
        script = FIND + (
            "return all.map(function (el) { return el.textContent || '-'; })"
            ".filter(function (said) { return said.indexOf(arguments[1]) >= 0; }.bind(null))[0]"
        )
        script = script.replace("arguments[1]", json.dumps(text))
        found: str = self.until(script, selector)
        return found

    def place(self, selector: str, number: int = 0) -> tuple[float, float]:
        """Return the middle of such an element, once it stands still and nothing covers it; scroll to it."""
        script = FIND + (
            "var el = all[arguments[1]]; if (!el) return null; el.scrollIntoView({block: 'center'});"
            "var box = el.getBoundingClientRect();"
            "var x = box.left + box.width / 2, y = box.top + box.height / 2;"
            "var hit = document.elementFromPoint(x, y);"
            "return hit && (el.contains(hit) || hit.contains(el)) ? [x, y] : null"
        )
        was = None
        while (now := self.until(script, selector, number)) != was:
            was = now
            time.sleep(0.05)
        return float(now[0]), float(now[1])

    def touch(self, selector: str, number: int = 0, finger: bool = False) -> None:
        """Press such an element and release it."""
        x, y = self.place(selector, number)
        if finger:
            time.sleep(0.5)  # a finger needs that; Chromium takes a sooner tap for the end of a swipe
        self.screen.point([("down", x, y), ("up", x, y)], finger)

    def hold(self, selector: str) -> None:
        """Press such an element until it stays open, then release it."""
        x, y = self.place(selector)
        self.screen.point([("down", x, y)])
        self.sees(selector, "Hide")
        self.screen.point([("up", x, y)])

    def drag(self, selector: str, from_: int, to: int, finger: bool = False) -> None:
        """Drag the element of one number to the place of another."""
        (x, y), (to_x, to_y) = self.place(selector, from_), self.place(selector, to)
        way = [("move", x + (to_x - x) * n / 8, y + (to_y - y) * n / 8) for n in range(1, 9)]
        self.screen.point([("down", x, y), *way, ("move", to_x - 3, to_y), ("up", to_x - 3, to_y)], finger)

    def has_no_trouble(self) -> None:
        """Assert that the page shows no sign of a part that cannot be drawn, and led nowhere else."""
        said = self.screen.run(
            FIND + "return all.map(function (el) { return el.textContent; }).join(' ')",
            "#trouble, #too-old, #stale",
        )
        assert not said, f"{self.screen.run('return location.href')}: {said}"


@pytest.fixture(scope="package", params=engines(), ids=lambda engine: engine.name)
def engine(request: pytest.FixtureRequest) -> Engine:
    found: Engine = request.param
    if found.missing:
        pytest.skip(found.missing)
    return found


@pytest.fixture(scope="package")
def screen(engine: Engine) -> Iterator[Screen]:
    """Yield the window of this browser; note its version for the table."""
    with engine.start() as started:
        _note(engine.name, "version", started.version)
        yield started


@pytest.fixture(scope="package")
def running(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Companion]:
    """Yield a companion for this browser alone: a seat belongs to the browser that took it."""
    data = tmp_path_factory.mktemp("engines")
    (data / "companion.toml").write_text('pad = false\npanel = false\n[track]\nkind = "none"\n', "utf-8")
    with companion(data) as started:
        yield started


@pytest.fixture
def host(running: Companion) -> Iterator[Client]:
    """Yield the host; the game that is on the table is ended after each test."""
    client = running.client.host()
    yield client
    if client.table["match"] is not None and not client.table["match"].get("finished"):
        client.now("/api/end")


@pytest.fixture
def person(screen: Screen, running: Companion) -> Person:
    return Person(screen, f"http://127.0.0.1:{running.client.port}")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    engine = getattr(item, "callspec", None) and item.callspec.params.get("engine")  # type: ignore[attr-defined]
    if report.when == "call" and engine is not None:
        name = item.name.replace(f"{engine.name}-", "").replace(f"[{engine.name}]", "").rstrip("]")
        _note(engine.name, name, report.outcome)


def _note(engine: str, what: str, found: str) -> None:
    results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    results.setdefault(engine, {})[what] = found
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1), encoding="utf-8")
