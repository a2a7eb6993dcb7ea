"""Make every picture of the pages anew: those that the tests compare with, and those of the README.

Run it with `make pictures`; with names of moments behind it (`pigs giro-end`) only those are made.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser

from tests.support.browser.chromium import chromium
from tests.support.browser.gallery import DRAWN, MOMENTS, NUMBERS, README
from tests.support.browser.likeness import smaller
from tests.support.browser.pictures import PICTURES

DOCS = Path(__file__).parent.parent / "docs"


def main(wanted: list[str]) -> None:
    """Look, shrink, write."""
    with chromium() as browser:
        for moment in MOMENTS:
            if not wanted or any(moment.name.startswith(name) for name in wanted):
                for name, png in moment.pictures(browser):
                    write(PICTURES / f"{name}.png", png)
        if not wanted:
            readme(browser)
            numbers(browser)
            for old in set(PICTURES.glob("*.png")) - WRITTEN:
                old.unlink()
                print(f"{old.name}  nobody looks at it any more")


def readme(browser: Browser) -> None:
    """The table page, a phone and the virtual table in the middle of a race."""
    for (_, png), name in zip(README.pictures(browser), ("table", "watch", "mock"), strict=True):
        write(DOCS / f"{name}.png", png)


def numbers(browser: Browser) -> None:
    """The odds and the report of a game that is over, for the page that explains them."""
    for moment, part in NUMBERS:
        with moment.opened(browser) as pages:
            for _, page in pages:
                page.evaluate(DRAWN)
                write(DOCS / f"{moment.name}.png", page.locator(part).screenshot())


WRITTEN: set[Path] = set()


def write(path: Path, png: bytes) -> None:
    """Write a picture, made smaller."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(smaller(png))
    WRITTEN.add(path)
    print(f"{path.name}  {path.stat().st_size // 1024} KiB", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
