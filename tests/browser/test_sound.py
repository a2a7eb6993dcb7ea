"""The sounds of the table page, recorded by a stand-in and played by Chromium itself.

Only here: a melody or a spoken line that is missing, is repeated after a reload, or leaves the house.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.devices.tunes import TUNES
from tests.browser.conftest import Guests
from tests.support.browser.chromium import wait_until
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

PIGS = ["red", "blue", "green", "yellow", "pink"]
LISTENING = """
window.heardTones = []; window.heardWords = []; window.voices = [{ lang: "en-GB", localService: true }];
window.AudioContext = class {
  state = "suspended"; currentTime = 0; destination = {};
  resume() { if (navigator.userActivation.isActive) this.state = "running"; this.onstatechange?.(); return Promise.resolve(); }
  createGain() { return { gain: { setValueAtTime() {}, linearRampToValueAtTime() {} }, connect: to => to, disconnect() {} }; }
  createOscillator() { const made = { frequency: {}, connect: to => to, start: () => window.heardTones.push(Math.round(made.frequency.value)), stop() {} }; return made; }
};
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => window.voices, cancel() { window.said = null; },
  speak(said) { window.heardWords.push(said.text); window.said = said; },
} });
"""
HERTZ = {
    "A4": 440,
    "C5": 523,
    "C#5": 554,
    "D5": 587,
    "D#5": 622,
    "E5": 659,
    "A5": 880,
    "C#6": 1109,
    "E6": 1319,
    "G6": 1568,
    "A6": 1760,
}


def tones(name: Any) -> list[int]:
    """Return the frequencies of a melody."""
    return [HERTZ[tone] for tone, _ in TUNES[name] if tone]


def heard(page: Page) -> list[int]:
    """Return the tones since the last call."""
    found: list[int] = page.evaluate("window.heardTones.splice(0)")
    return found


def hears(page: Page, name: Any) -> None:
    wait_until(page, "window.heardTones.length > 0")
    assert heard(page) == tones(name), name


def drawn(page: Page, host: Client) -> None:
    """Wait until the page has drawn the newest entry; its sounds have been played by then."""
    wait_until(
        page,
        "seq => Number(document.querySelector('[data-story]')?.dataset.story ?? 0) >= seq",
        arg=host.table["seq"],
    )


def plays(page: Page, host: Client, seat: int, card: str) -> None:
    host.decide(do="play", seat=seat, card=card)
    drawn(page, host)


@pytest.fixture
def settings() -> str:
    """Return settings without sensors, where a tap is decided at once."""
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


@pytest.fixture
def table(home: str, host: Client, guests: Guests) -> Page:
    """Return a table page that records its sounds, at a game of one round for two."""
    host.begin(seats=("Ada", "Ben"), options={"rounds": 1})
    host.decide(do="line-up", seat=0, order=PIGS)
    page = guests.open(f"{home}/watch")
    page.add_init_script(LISTENING)
    page.goto(f"{home}/")
    expect(page.locator("#big")).to_contain_text("pig")
    return page


def test_melodies_and_a_voice_from_the_first_touch_to_the_end(table: Page, host: Client) -> None:
    """The first touch switches on melodies, the second a voice that comments on the race.

    Of several lines that wait, the voice says only the newest.
    """
    sound = table.locator("[data-action=sound]")
    expect(sound).to_have_accessible_name("sound: off")
    plays(table, host, 0, "pink")
    assert heard(table) == [], "off until it is touched"

    sound.click()
    expect(sound).to_have_accessible_name("sound: melodies")
    hears(table, "ok")
    plays(table, host, 1, "pink")
    hears(table, "ok")
    host.now("/api/undo")
    expect(table.locator("[data-action=redo]")).to_be_visible()
    assert heard(table) == [], "what is taken back is not heard"
    plays(table, host, 1, "red")
    hears(table, "ok")
    assert table.evaluate("window.heardWords") == []

    sound.click()
    hears(table, "ok")
    expect(sound).to_have_accessible_name("sound: melodies and a voice")
    for seat, card in ((0, "blue"), (1, "blue"), (0, "red"), (1, "blue")):
        plays(table, host, seat, card)
    table.wait_for_function("window.heardWords.length > 0")
    [first] = table.evaluate("window.heardWords")
    assert "blue pig" in first
    assert "play a card" not in first, "the instructions are read, not said"
    table.evaluate("window.said.onend()")
    said = table.evaluate("window.heardWords")
    assert len(said) == 2, "of two that waited only the newest is said"
    assert "blue pig" in said[1]
    assert said[1].partition("pig")[2] != first.partition("pig")[2], "nor twice the same way"

    heard(table)
    for turn in range(6, 14):
        plays(table, host, turn % 2, ("red", "yellow")[turn % 2])
    table.locator("#finish").click()  # who does not want to wait hears the end at once
    everything = heard(table)
    for name in ("last-card", "end"):
        assert str(tones(name))[1:-1] in str(everything), name


def test_a_reload_asks_for_a_touch_and_tells_nothing_old(table: Page, host: Client) -> None:
    """The device stores the choice; after a reload the page asks for a touch and repeats nothing."""
    sound = table.locator("[data-action=sound]")
    sound.click()
    sound.click()
    table.reload()
    expect(sound).to_have_accessible_name("touch once to hear the sound again")
    plays(table, host, 0, "pink")
    assert (heard(table), table.evaluate("window.heardWords")) == ([], [])
    table.locator("#story-title").click()
    expect(sound).to_have_accessible_name("sound: melodies and a voice")
    assert heard(table) == [], "no old news is said again"
    plays(table, host, 1, "red")
    hears(table, "ok")
    assert len(table.evaluate("window.heardWords")) == 1


def test_a_voice_that_would_send_words_out_of_the_house_is_none(table: Page, host: Client) -> None:
    """A voice that is not local, or speaks another language, is not used.

    The page says so and keeps to melodies; the next touch switches off.
    """
    table.evaluate(
        "window.voices = [{ lang: 'en-US', localService: false }, { lang: 'de-DE', localService: true }]"
    )
    sound = table.locator("[data-action=sound]")
    sound.click()
    sound.click()
    expect(table.locator("#toast")).to_contain_text("no voice for this language")
    expect(sound).to_have_accessible_name("sound: melodies")
    plays(table, host, 0, "pink")
    assert table.evaluate("window.heardWords") == []
    sound.click()
    expect(sound).to_have_accessible_name("sound: off")


def test_with_chromiums_own_sound(home: str, host: Client, guests: Guests) -> None:
    """A touch opens Chromium's audio context, and it plays a card without an error."""
    host.begin(seats=("Ada", "Ben"))
    host.decide(do="line-up", seat=0, order=PIGS)
    page = guests.open(f"{home}/watch")
    page.add_init_script(
        "const Real = AudioContext; window.AudioContext = class extends Real { constructor() { super(); window.real = this; } };"
        "window.started = 0; const start = OscillatorNode.prototype.start;"
        "OscillatorNode.prototype.start = function (at) { window.started += 1; return start.call(this, at); };"
    )
    page.goto(f"{home}/")
    expect(page.locator("#big")).to_contain_text("pig")
    page.locator("[data-action=sound]").click()
    wait_until(page, "window.real?.state === 'running' && window.started === 2")
    plays(page, host, 0, "pink")
    wait_until(page, "window.started === 4")
