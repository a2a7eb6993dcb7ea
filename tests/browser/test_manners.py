"""Every page keeps still on request, is light or dark, and lets the host run the evening.

Only here: an animation that runs although the device asks for reduced motion, or a button of the host's page
that does nothing.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PIN, Guests, all_on_one_page
from tests.support.browser.chromium import wait_until
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client, Companion

pytestmark = [pytest.mark.browser, pytest.mark.long]

RUNNING = "document.getAnimations().filter(a => a.playState === 'running').length"


def test_nothing_moves_where_less_motion_is_wished(host: Client, home: str, guests: Guests) -> None:
    paths = ("", "watch", "seat", "host", "mock")
    pages = {path: guests.open(f"{home}/{path}", reduced_motion="reduce") for path in paths}
    for page in pages.values():
        wait_until(page, f"{RUNNING} === 0")  # the start screen
    host.begin()
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    host.decide(do="play", seat=0, card="pink")
    for path, page in pages.items():
        if path not in ("host", "seat"):
            expect(page.locator("#big")).to_contain_text("pink pig")
        wait_until(page, f"{RUNNING} === 0")  # a piece to move, a target, a flag


def test_elsewhere_the_piece_to_move_bobs(host: Client, home: str, guests: Guests) -> None:
    """Without that request the piece to move bobs: the test above can fail."""
    host.begin()
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    page = guests.open(f"{home}/", reduced_motion="no-preference")
    wait_until(page, f"{RUNNING} > 0")


def test_light_and_dark(home: str, guests: Guests) -> None:
    grounds = set()
    for scheme in ("light", "dark"):
        page = guests.open(f"{home}/", color_scheme=scheme)
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2


def test_the_host_runs_the_evening(running: Companion, home: str, guests: Guests) -> None:
    """The host sets a PIN, starts a game with options and starts the same game again.

    In between the host takes back, sets aside, resumes and ends.
    """
    client = running.client
    host = guests.open(f"{home}/host", 412, 915)
    all_on_one_page(host)
    host.locator("[name=pin]").fill(PIN)
    host.locator("[data-action=unlock-send]").click()
    host.locator("[name=game][value=galloping-pigs]").check()
    for seat, name in enumerate(("Ada", "Ben", "Cleo")):
        if seat == 2:
            host.locator("[data-action=add-seat]").click()
        host.locator(f"input[type=text][data-seat='{seat}']").fill(name)
    host.locator("[name=start][value='1']").check()
    host.locator("[data-options=galloping-pigs] summary").click()
    host.locator("[data-options=galloping-pigs] [data-option=rounds]").fill("2")
    host.locator("[data-action=start]").click()
    expect(host.locator("#run-say")).to_contain_text("Ben, line up the pigs")
    match = client.table["match"]
    assert (match["seats"], match["options"]["rounds"]) == (["Ada", "Ben", "Cleo"], 2)

    client.host(PIN).decide(do="line-up", seat=1, order=list(LINE_UP))
    host.locator("#running [data-action=undo]").click()
    host.locator("[data-action=take-it-back]").click()
    expect(host.locator("#run-say")).to_contain_text("Ben, line up the pigs")
    host.locator("#running [data-action=redo]").click()
    expect(host.locator("#running [data-action=redo]")).to_be_hidden()

    host.locator("[data-action=set-aside]").click()
    expect(host.locator("#running")).to_be_hidden()
    host.locator(f"#aside [data-match='{match['id']}'] [data-action=resume]").click()
    expect(host.locator("#run-seats")).to_have_text("Ada, Ben, Cleo")
    host.locator("[data-action=end]").click()
    host.locator("[data-action=end-no]").click()
    expect(host.locator("#sure")).to_be_hidden()
    host.locator("[data-action=end]").click()
    host.locator("[data-action=end-sure]").click()
    host.locator("#more > summary").click()
    expect(host.locator(f"#done [data-match='{match['id']}']")).to_be_visible()
    assert not client.table["match"]

    host.locator("#new [data-action=again]").click()
    expect(host.locator("#run-say")).to_contain_text("line up the pigs")
    assert client.table["match"]["seats"] == ["Ada", "Ben", "Cleo"]
