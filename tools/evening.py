"""Play an evening by hand: the table, its tablet and two phones, each with an address of its own.

`python -m tools.evening [DIRECTORY]` reads Python, line by line, and runs each with the names of `Evening`:
`look`, `touch`, `words`, `hand`. Screenshots are numbered PNG files in DIRECTORY (build/evening).
It needs root.
"""

from __future__ import annotations

import signal
import sys
import traceback
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Locator

from tests.support.browser.chromium import PATIENCE
from tests.support.browser.house import FromPage, House, house, why_not

SHOTS = Path("build/evening")
SOON = 15_000  # ms until something that should be there is missing


class Evening:
    """The hands and eyes of the people at the table; their touches are counted by device."""

    def __init__(self, place: House, shots: Path) -> None:
        self.place, self.shots = place, shots
        self.touches: Counter[str] = Counter()
        self.number = 0
        shots.mkdir(parents=True, exist_ok=True)

    def go(self, name: str, path: str = "/") -> None:
        """Open a page of the companion on a device, as if its code was scanned."""
        self.place.pages[name].goto(self.place.home + path)

    def look(self, name: str, whole: bool = False) -> str:
        """Store what a device shows, and return the file's name."""
        self.number += 1
        path = self.shots / f"{self.number:03}-{name}.png"
        self.place.pages[name].screenshot(path=path, full_page=whole)
        return str(path)

    def words(self, name: str) -> str:
        """Return all that a device shows in words."""
        return str(self.place.pages[name].locator("body").inner_text())

    def find(self, name: str, what: str) -> Locator:
        """Return what is visible and has these words as its name; or a CSS selector after `css:`."""
        page = self.place.pages[name]
        if what.startswith("css:"):
            return page.locator(what[4:]).locator("visible=true").first
        button = page.get_by_role("button", name=what).or_(page.get_by_role("link", name=what))
        return button.or_(page.get_by_text(what)).locator("visible=true").first

    def touch(self, name: str, what: str) -> None:
        """Press it with a finger, and count."""
        self.find(name, what).tap(timeout=SOON)
        self.touches[name] += 1

    def write(self, name: str, what: str, text: str) -> None:
        """Write into a field."""
        self.find(name, what).fill(text, timeout=SOON)
        self.touches[name] += 1

    def hand(self, name: str) -> FromPage:
        """Return requests from this device, to move modelled pieces and cards."""
        return FromPage(self.place.pages[name])


def main(shots: Path) -> None:
    """Read lines until the end of the input."""
    if reason := why_not():
        sys.exit(reason)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # else the networks would be left behind
    with TemporaryDirectory() as data, house(Path(data)) as place:
        for page in place.pages.values():
            page.set_default_timeout(PATIENCE)
        evening = Evening(place, shots)
        names: dict[str, Any] = {
            "evening": evening,
            **{
                name: getattr(evening, name)
                for name in ("go", "look", "words", "find", "touch", "write", "hand")
            },
            **place.pages,
        }
        print("".join(place.running.greeting), place.home, flush=True)
        for line in sys.stdin:
            run(line.rstrip(), names)


def run(line: str, names: dict[str, Any]) -> None:
    """Run one line; print its value, or what went wrong."""
    try:
        if (value := evaluate(line, names)) is not None:
            print(value)
    except Exception:
        traceback.print_exc(limit=1, file=sys.stdout)
    print(">", flush=True)


def evaluate(line: str, names: dict[str, Any]) -> object:
    """Return the value of an expression; run statements, which have none."""
    try:
        code = compile(line, "evening", "eval")
    except SyntaxError:
        code = compile(line, "evening", "exec")
    return eval(code, names)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SHOTS)
