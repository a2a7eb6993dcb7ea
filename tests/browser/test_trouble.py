"""A part of a page that the browser cannot draw: the others go on, and the host reads which browser it is.

Only here: a fault in one panel that takes the stream, and with it the whole page, down.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Guests
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

FAULTS = {  # a page; a script and a function of it that fails; what the sign says; what is still drawn
    "tv": ("common/panels.js", "story", "cannot show what has happened", "#stand-list li"),
    "overlay?parts=standings,odds": ("common/odds.js", "bar", "cannot show the odds", "#stand-list li"),
    "watch": ("common/panels.js", "standings", "cannot show the standings", "#tote"),
    "": ("common/panels.js", "story", "cannot show what has happened", "#stand-list li"),
}


def breaks(page: Page, script: str, function: str) -> None:
    """Give this page the script with a call in this function that its browser does not have."""

    def answer(route: Route) -> None:
        sent = route.fetch()
        text, count = re.subn(
            rf"(export function {function}\(.*\) \{{\n)", r"\1[].noSuchMethod();\n", sent.text()
        )
        assert count == 1, f"{script} has no {function}"
        route.fulfill(response=sent, body=text)

    page.route(re.compile(re.escape(script)), answer)


@pytest.mark.parametrize("path", FAULTS, ids=lambda path: path.partition("?")[0] or "table")
def test_one_broken_part_leaves_the_others(path: str, host: Client, home: str, guests: Guests) -> None:
    """The page shows a small sign with a way to the plain page, follows the game, and the host reads of it."""
    script, function, said, drawn = FAULTS[path]
    guests.forgive("noSuchMethod")
    host.begin("galloping-pigs", ("Ada", "Ben"))
    if function == "bar":  # before the first card there is none: it is anyone's race
        host.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
        host.decide(do="play", seat=0, card="red")
    host.until(lambda view: view["odds"] or None)
    page = guests.open(home + "/rules")
    breaks(page, script, function)
    page.goto(f"{home}/{path}")
    expect(page.locator("#trouble a")).to_contain_text(said)
    expect(page.locator(drawn).first).to_be_visible()
    host.stand()
    first = page.locator("#stand-list li, #tote").first
    expect(first).to_be_visible()
    findings = [one["what"] for one in host.get("/api/hardware")["findings"] if one["part"] == "screen"]
    assert any(one.startswith("A computer's browser (Chrome") and said in one for one in findings), findings
