"""Write the screenshots and accessibility snapshots that the tests compare with, and the README's images.

`make pictures` writes all of them, `make screenshots` only those of the tests; with `MOMENTS="pigs giro-end"`
either writes those of the moments whose names begin so.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser

from tests.support.browser.chromium import chromium
from tests.support.browser.gallery import DRAWN, FINISH, MOMENTS, NUMBERS, README, Moment
from tests.support.browser.likeness import reduced, small, smaller
from tests.support.browser.screenshots import SCREENSHOTS, SNAPSHOTS

DOCS = Path(__file__).parent.parent / "docs"


def main(wanted: list[str]) -> None:
    """Write what is wanted, and remove the files of moments that are gone."""
    only_tests = "--tests" in wanted
    names = tuple(name for name in wanted if name != "--tests")
    with chromium() as browser:
        for moment in MOMENTS:
            if not names or moment.name.startswith(names):
                compared(moment, browser)
        if not names and not only_tests:
            readme(browser)
            finish(browser)
            numbers(browser)
    for path in stale():
        path.unlink()
        print(f"{path.name}  removed: no test compares it")


def compared(moment: Moment, browser: Browser) -> None:
    """Write what the tests compare at this moment."""
    for shot in moment.shots(browser):
        if shot.png is not None:
            write(SCREENSHOTS / f"{shot.name}.png", small(reduced(shot.png, shot.scale), shot.scale))
        write(SNAPSHOTS / f"{shot.name}.yaml", shot.text.encode())


def stale() -> set[Path]:
    """Return the committed files that no moment has."""
    found = {*SCREENSHOTS.glob("*.png"), *SNAPSHOTS.glob("*.yaml")}
    drawn = {SCREENSHOTS / f"{name}.png" for moment in MOMENTS for name in moment.names(drawn=True)}
    worded = {SNAPSHOTS / f"{name}.yaml" for moment in MOMENTS for name in moment.names()}
    return found - drawn - worded


def readme(browser: Browser) -> None:
    """Write the table page, a phone and the virtual table in the middle of a race."""
    for shot, name in zip(README.shots(browser), ("table", "watch", "mock"), strict=True):
        assert shot.png is not None
        write(DOCS / f"{name}.png", smaller(shot.png))


def finish(browser: Browser) -> None:
    """Write the finish, without the ribbon of the virtual table over it."""
    with FINISH.opened(browser) as pages:
        for _, page in pages:
            page.evaluate(DRAWN)
            page.evaluate("document.querySelector('.mockribbon').remove()")
            write(DOCS / "finish.png", smaller(page.screenshot()))


def numbers(browser: Browser) -> None:
    """Write the odds and the report of a game that is over, for the page that explains them."""
    for moment, part in NUMBERS:
        with moment.opened(browser) as pages:
            for _, page in pages:
                page.evaluate(DRAWN)
                write(DOCS / f"{moment.name}.png", smaller(page.locator(part).screenshot()))


def write(path: Path, content: bytes) -> None:
    """Write a file and say how large it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    print(f"{path.name}  {len(content) / 1000:.1f} kB", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
