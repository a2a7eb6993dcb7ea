"""A reader that types, plugged into the tablet: what the table page takes for a card, and what not.

Only here: a USB reader at the tablet whose keys land in a field, or whose cards are lost.
"""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Guests
from tests.support.browser.chromium import wait_until
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

PIGS = ["red", "blue", "green", "yellow", "pink"]
QUICK_MS, PERSONS_MS = 20.0, 400.0  # between two keys of a reader, of a person

CODES = {"Enter": "Enter", ";": "Semicolon", ":": "Semicolon", "?": "Slash", " ": "Space", "-": "Minus"}


@pytest.fixture
def settings() -> str:
    return 'pad = "usb"\npanel = false\n[track]\nkind = "none"\n'


@pytest.fixture
def table(host: Client, home: str, guests: Guests) -> Page:
    host.begin()
    host.decide(do="line-up", seat=0, order=PIGS)
    host.fault("pulled-cable", "pad")  # nothing is plugged into the companion's own machine
    host.until(lambda table: table["parts"]["pad"] == "lost")
    page = guests.open(f"{home}/")  # of this machine: the table's own screen
    expect(page.locator("#course")).to_be_visible()
    return page


def typed(page: Page, text: str, apart_ms: float = QUICK_MS) -> None:
    """Type a burst of keys, Enter at its end, with the times that a keyboard's own events would have."""
    devtools = page.context.new_cdp_session(page)
    keys = [*text, "Enter"]
    long_ms = len(keys) * apart_ms
    # a key from before the page opened would have the time of its opening, and so would the next ones
    page.wait_for_function("ms => performance.now() > ms", arg=long_ms)
    began = time.time() - long_ms / 1000
    for n, key in enumerate(keys):
        is_enter = key == "Enter"
        event = {
            "key": key,
            "code": CODES.get(key) or (f"Digit{key}" if key.isdigit() else f"Key{key.upper()}"),
            "modifiers": 8 if key in ":?" else 0,  # Shift
            "windowsVirtualKeyCode": 13 if is_enter else ord(key.upper()),
            "timestamp": began + n * apart_ms / 1000,
        }
        down = {"type": "keyDown", "text": "\r" if is_enter else key, **event}
        devtools.send("Input.dispatchKeyEvent", down)
        devtools.send("Input.dispatchKeyEvent", {"type": "keyUp", **event})
    devtools.detach()


def played(host: Client) -> int:
    found: int = sum(host.table["state"]["played"])
    return found


def test_a_card_held_to_the_reader_at_the_tablet(table: Page, host: Client) -> None:
    """It is a decision, and the pad is there again; the Enter presses nothing, though a button has the focus."""
    uids = host.uids()
    typed(table, uids["card/red/1"])
    host.until(lambda now: sum(now["state"]["played"]) == 1)
    assert host.table["parts"]["pad"] == "ok"
    undo = table.locator("[data-action=undo]")
    expect(undo).to_be_visible()
    undo.focus()
    typed(table, uids["card/pink/5"].lower())  # of 4 bytes
    host.until(lambda now: sum(now["state"]["played"]) == 2)


def test_who_types_by_hand_lays_no_card(table: Page, host: Client) -> None:
    """For slow keys, keys in a field and half a number nothing is sent."""
    asked: list[str] = []
    table.on("request", lambda request: asked.append(request.url))
    uid = host.uids()["card/red/1"]
    typed(table, uid, PERSONS_MS)
    typed(table, uid[:5])
    table.evaluate("document.body.append(Object.assign(document.createElement('input'), { id: 'field' }))")
    table.locator("#field").focus()
    typed(table, uid)
    expect(table.locator("#field")).to_have_value(uid)
    table.locator("#field").evaluate("field => field.remove()")
    assert not [url for url in asked if "typed" in url]
    typed(table, uid)
    host.until(lambda now: sum(now["state"]["played"]) == 1)


def test_what_is_no_number_is_said(table: Page, host: Client, guests: Guests) -> None:
    guests.forgive("409")
    typed(table, "00000000")
    expect(table.locator("#toast")).to_contain_text("The reader typed '00000000'. No tag has this number")
    typed(table, "118,45763".replace(",", "-"))
    expect(table.locator("#toast")).to_contain_text("The reader typed '118-45763'. The companion understands")
    assert played(host) == 0


def test_signs_are_understood(table: Page, host: Client) -> None:
    """Signs around and between the digits say nothing; a space presses no button, though one has the focus.

    Slow keys, 250 ms apart, are in strokes.test.js, where no busy machine makes them slower.
    """
    uids = host.uids()
    typed(table, f";{uids['card/red/1']}?")
    host.until(lambda now: sum(now["state"]["played"]) == 1)
    undo = table.locator("[data-action=undo]")
    undo.focus()
    pink = uids["card/pink/5"]
    typed(table, " ".join(pink[at : at + 2] for at in range(0, len(pink), 2)))
    host.until(lambda now: sum(now["state"]["played"]) == 2)


def test_a_card_that_is_typed_again_is_played_once(table: Page, host: Client) -> None:
    """A reader repeats a card that is still there: its second text does nothing."""
    uid = host.uids()["card/red/1"]
    typed(table, uid)
    host.until(lambda now: sum(now["state"]["played"]) == 1)
    seq = host.table["seq"]
    with table.expect_response("**/api/pad/typed"):
        typed(table, uid)
    assert host.table["alerts"] == []
    assert host.table["seq"] == seq


NFC = """
  class NDEFReader extends EventTarget {  // what Web NFC says that Chrome on Android does
    async scan() {
      window.readers = [...(window.readers || []), this];
      if (window.refuses) throw new DOMException("", window.refuses);
    }
  }
  window.NDEFReader = NDEFReader;
  navigator.permissions.query = async () => ({ state: sessionStorage.allowed || "prompt" });
  window.hold = serialNumber => window.readers.at(-1).dispatchEvent(Object.assign(new Event("reading"), { serialNumber }));
  window.cannot = () => window.readers.at(-1).dispatchEvent(new Event("readingerror"));
"""


def test_the_nfc_of_an_android_tablet_reads_cards(table: Page, host: Client) -> None:
    """After one touch a card held to the tablet is played; what the tablet cannot read or do is said."""
    table.add_init_script(NFC)
    table.reload()
    button, toast = table.locator("button.nfc"), table.locator("#toast")
    table.evaluate("window.refuses = 'NotReadableError'")
    button.click()
    expect(toast).to_have_text(
        "NFC is switched off: switch it on in the device’s settings, then touch NFC again."
    )
    table.evaluate("window.refuses = 'NotAllowedError'")
    button.click()
    expect(toast).to_contain_text("Allow it in the settings of this page")
    table.evaluate("window.refuses = ''")
    button.click()
    expect(button).to_have_count(0)
    uid = host.uids()["card/red/1"].lower()
    table.evaluate("uid => hold(uid)", ":".join(uid[at : at + 2] for at in range(0, len(uid), 2)))
    host.until(lambda now: sum(now["state"]["played"]) == 1)
    table.evaluate("cannot()")
    expect(toast).to_contain_text("cards with an NTAG sticker work")
    table.evaluate("sessionStorage.allowed = 'granted'")
    table.reload()
    wait_until(table, "window.readers?.length === 1")
    expect(button).to_have_count(0)


def test_a_tablet_without_nfc_has_no_button_for_it(table: Page) -> None:
    expect(table.locator("#course")).to_be_visible()
    expect(table.locator("button.nfc")).to_have_count(0)


def test_only_the_table_of_such_a_pad_listens(host: Client, home: str, guests: Guests) -> None:
    """A watcher's page does not load the script."""
    page = guests.open(f"{home}/watch")
    assert page.locator("script[src*='reader']").count() == 0
    page = guests.open(f"{home}/")
    assert page.locator("script[src*='table/reader']").count() == 1
