"""The committed pictures: where they are, and how a page is compared with them."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from tests.support.browser.gallery import Moment
from tests.support.browser.likeness import differing

PICTURES = Path(__file__).parents[2] / "browser" / "pictures"
SEEN = Path("build/pictures")  # what the pages looked like where they differ, for whoever must judge


def compare(moment: Moment, browser: Browser) -> None:
    """Every picture of this moment is like the committed one; AssertionError names the blocks that are not."""
    unlike = []
    for name, png in moment.pictures(browser):
        committed = PICTURES / f"{name}.png"
        found = (
            differing(committed.read_bytes(), png) if committed.exists() else "there is no such picture yet"
        )
        if found:
            SEEN.mkdir(parents=True, exist_ok=True)
            (SEEN / f"{name}.png").write_bytes(png)
            unlike.append(f"{name}: {found}")
    assert not unlike, "\n".join([*unlike, f"look at {SEEN}; if all is meant, run `make pictures`"])
