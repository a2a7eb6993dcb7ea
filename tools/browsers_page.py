"""Write the table of browsers and pages in docs/browsers.md from the last run of tests/engines.

make browsers
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
RESULTS: Final = ROOT / "build" / "engines.json"
PAGE: Final = ROOT / "docs" / "browsers.md"
BEGIN, END = "<!-- begin of the table: make browsers -->", "<!-- end of the table -->"

BROWSERS: Final = {
    "chromium-87": "Chromium",
    "chromium-88": "Chromium",
    "chromium-103": "Chromium",
    "chromium": "Chromium (Debian)",
    "wpe": "WPE WebKit, as Safari 16.0",
    "webkitgtk": "WebKitGTK, as the newest Safari",
    "firefox": "Firefox (Debian)",
}
COLUMNS: Final = {  # the heading, and the tests of it
    "table": r"live_page\[table|start_screen|standings",
    "`/watch`": r"live_page\[watch",
    "`/tv`": r"live_page\[tv",
    "`/overlay`": r"live_page\[overlay",
    "`/mock`": r"live_page\[mock",
    "`/host`": r"live_page\[host|new_game",
    "others": r"another_page",
    "drag": r"dragged",
    "sealed bet": r"sealed_bet",
    "finish": r"finish",
    "back": r"back_and_forward",
    "sleep": r"asleep",
    "two tabs": r"two_tabs",
    "finger": r"by_finger",
    "200 %, across": r"twice_as_large",
    "dark, calm": r"dark_and_calm",
}


def cell(results: Mapping[str, str], tests: str) -> str:
    """Return a sign if all of these tests passed, else how many did; a dash if the driver can try none.

    >>> cell({"live_page[tv-pigs": "passed", "live_page[tv-horse": "passed"}, "tv")
    '✓'
    >>> cell({"live_page[tv-pigs": "passed", "live_page[tv-horse": "failed"}, "tv")
    '1 of 2'
    >>> cell({"live_page[tv-pigs": "skipped"}, "tv")
    '–'
    """
    found = [outcome for name, outcome in results.items() if re.search(tests, name) and outcome != "skipped"]
    if not found:
        return "–"
    passed = found.count("passed")
    return "✓" if passed == len(found) else f"{passed} of {len(found)}"


def table(results: Mapping[str, Mapping[str, str]], day: str) -> str:
    """Return the table in Markdown."""
    lines = [f"Tested on {day}:", "", f"| browser | {' | '.join(COLUMNS)} |", f"|---|{'---|' * len(COLUMNS)}"]
    for engine, name in BROWSERS.items():
        if engine in results:
            found = results[engine]
            cells = " | ".join(cell(found, tests) for tests in COLUMNS.values())
            lines.append(f"| {name} {found['version']} | {cells} |")
    return "\n".join(lines)


def main() -> None:
    """Replace the table between its two marks."""
    if not RESULTS.exists():
        raise SystemExit("there are no results yet: run make browsers")
    results = json.loads(RESULTS.read_text("utf-8"))
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    after = rest.split(END)[1]
    day = datetime.fromtimestamp(RESULTS.stat().st_mtime, UTC).strftime("%-d %B %Y")
    PAGE.write_text(f"{before}{BEGIN}\n{table(results, day)}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
