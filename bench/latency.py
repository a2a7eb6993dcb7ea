"""From a tag laid on the modelled table to the change painted on the page `/`, in a real Chromium.

A `companion run --mock` process plays Galloping Pigs; this process lays cards on the pad and puts pieces on
the track (PUT /api/mock/…) and, for comparison, taps some cards (POST /api/decide). The clock starts before
the request is sent. The page is watched from inside: a MutationObserver sees the change, and the first task
after the next animation frame counts as its paint. The clocks of page and process are compared by asking the
page for its time, best of many.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bench.report import is_short, machine, percentile, publish, table
from bench.running import Running, begin, companion
from companion.devices.mock.machine import MEASURED
from companion.devices.mock.tags import DEMO_SET
from companion.games.galloping.decks import HAND
from companion.games.galloping.rules import GallopingPigs
from companion.games.judge import checked
from companion.games.terms import Decision
from companion.referee.pad import PAD_STILL
from companion.referee.settle import settle_times
from tests.support.browser.chromium import program

ROUNDS = 3
SWEEP_S = MEASURED["sweep_ms"]["22 readers, 6 tags"] / 1000  # of the modelled Pico too
TAPPED = 3  # every third card is tapped
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
# waiting evaluates a script on the page, which its Content Security Policy forbids
DEVICE: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "bypass_csp": True}
UIDS = {means: uid for uid, means in DEMO_SET.items()}

WATCH = """
({there, gone}) => {
  const now = () => performance.timeOrigin + performance.now();
  window.painted = new Promise((resolve, reject) => {
    const look = () => {
      if (!document.querySelector(there) || gone && document.querySelector(gone)) return;
      watcher.disconnect();
      const changed = now(), channel = new MessageChannel();
      channel.port1.onmessage = () => resolve({changed, painted: now()});
      requestAnimationFrame(() => channel.port2.postMessage(0));
    };
    const watcher = new MutationObserver(look);
    watcher.observe(document.body, {subtree: true, childList: true, attributes: true});
    setTimeout(() => reject(new Error(`the page never showed ${there} without ${gone}`)), 60_000);
  });
}
"""


class Table:
    """The virtual table, the page that shows it, and the same game here, to know the expected change."""

    def __init__(self, server: Running, page: Page) -> None:
        self.server, self.page = server, page
        self.seq = begin(server, ROUNDS)
        self.race = GallopingPigs.new(("Ada", "Ben", "Cleo", "Dev"), rounds=ROUNDS)
        page.goto(server.url + "/")
        page.wait_for_selector("#course:not([hidden])")
        self.ahead = _clock_difference(page)
        self.copies: dict[str, int] = {}  # of each colour, laid in this round
        self.took: dict[str, list[tuple[float, float]]] = {"card": [], "tap": [], "piece": []}
        self.began = 0.0  # when what is timed now began
        self.asked: list[float] = []  # seconds that the requests for tags took

    def play_round(self, rng: random.Random) -> None:
        """Line up, then lay a card and move its piece; the last card of the round is not timed."""
        self.play_cards(HAND * len(self.race.seats) - 1, rng)
        self._decide(Decision("play", self.race.turn, self._card(rng)))

    def play_cards(self, count: int, rng: random.Random) -> None:
        """Line up, then so many times lay a card and move its piece."""
        self._line_up()
        for ply in range(count):
            self._play(self._card(rng), tapped=ply % TAPPED == 0)

    def _card(self, rng: random.Random) -> str:
        card: str = rng.choice([decision.what for decision in self.race.decisions(self.race.turn)])
        return card

    def _line_up(self) -> None:
        self.copies = dict.fromkeys(self.race.animals, 0)
        self.server.ask("PUT", "/api/mock/pad", {"tags": []})
        for place, colour in enumerate(self.race.animals):
            self._stand(colour, -place % self.race.spaces)
        self.page.wait_for_selector("[data-action=confirm]")
        self._decide(Decision("line-up", self.race.turn, self.race.animals))
        self.race = checked(self.race, Decision("deal"))
        self.page.wait_for_selector("[data-action=play]")

    def _play(self, card: str, tapped: bool) -> None:
        decision = Decision("play", self.race.turn, card)
        to = checked(self.race, decision).layout()[card].space
        self.copies[card] += 1
        self._watch(f'[data-target="{to}"]')
        if tapped:
            self._time("tap", lambda: self._decide(decision))
        else:
            tag = UIDS[f"galloping-pigs/card/{card}/{self.copies[card]}"]
            self._time("card", lambda: self.server.ask("PUT", "/api/mock/pad", {"tags": [tag]}))
            self.race = checked(self.race, decision)
        self._watch(f'[data-piece={card}][data-space="{to}"]', "[data-target]")
        self._time("piece", lambda: self._stand(card, to))
        self.seq = self.server.ask("GET", "/api/table")["seq"]

    def _decide(self, decision: Decision) -> None:
        key = "order" if decision.do == "line-up" else "card"
        line = {"do": decision.do, "seat": decision.seat, key: decision.what}
        self.seq = self.server.ask("POST", "/api/decide", {"seq": self.seq, "decision": line})["seq"]
        self.race = checked(self.race, decision)

    def _stand(self, colour: str, space: int | None) -> None:
        tag = UIDS[f"galloping-pigs/piece/{colour}"]
        self.server.ask("PUT", f"/api/mock/track/{space}", {"tags": [tag]})

    def _watch(self, there: str, gone: str | None = None) -> None:
        self.page.evaluate(WATCH, {"there": there, "gone": gone})

    def _time(self, kind: str, act: Callable[[], Any]) -> None:
        """Run an action; note the milliseconds until the page has changed, and until that is painted."""
        self.began = time.time()
        act()
        self.asked.append(time.time() - self.began)
        page = self.page.evaluate("painted")
        start = 1000 * (self.began + self.ahead)
        self.took[kind].append((page["changed"] - start, page["painted"] - start))


def _clock_difference(page: Page) -> float:
    """Return the seconds that the page's clock is ahead of this process's, from the quickest of many
    requests.
    """
    tries: list[tuple[float, float]] = []
    for _ in range(50):
        asked = time.time()
        there = page.evaluate("performance.timeOrigin + performance.now()") / 1000
        answered = time.time()
        tries.append((answered - asked, there - (asked + answered) / 2))
    return min(tries)[1]


def main() -> None:
    """Play, publish."""
    short = is_short(__doc__)
    with companion("--mock") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=FLAGS)
        page = browser.new_page(**DEVICE)
        played = Table(server, page)
        rng = random.Random(1)
        if short:
            played.play_cards(2 * TAPPED, rng)
        else:
            for _ in range(ROUNDS):
                played.play_round(rng)
        browser_version = browser.version
        browser.close()
    report(played, browser_version, short=short)


def report(played: Table, browser: str, *, short: bool) -> None:
    """Publish the table."""
    tapped = percentile([painted for _, painted in played.took["tap"]], 50)
    rows = [
        row("a card tapped (for comparison)", played.took["tap"], tapped, 0.0),
        row("a card laid on the pad", played.took["card"], tapped, PAD_STILL),
        row("a piece stood on the track", played.took["piece"], tapped, settle_times(SWEEP_S).track),
    ]
    asked = 1000 * percentile(played.asked, 50)
    publish(
        "latency",
        "# Tag laid to change painted on the page `/`",
        table(
            ["what", "times", "change, half", "paint, half", "paint, 99 %", "of a tap", "on purpose"], rows
        ),
        "Milliseconds from before the request to the virtual table (which itself takes "
        f"{asked:.0f}, half of the times) to the first task after the frame that shows the change. A card "
        "must lie and a piece stand still for a while before it counts: that much of it is on purpose.",
        f"Chromium {browser}, headless. " + machine(["playwright", "uvicorn", "flask"]),
        short=short,
    )


def row(what: str, took: list[tuple[float, float]], tapped: float, still: float) -> list[object]:
    """Return the figures of one kind of change; `still` are the seconds that a tag must be there before it
    counts.
    """
    changed, painted = zip(*took, strict=True)
    half, most = percentile(painted, 50), percentile(painted, 99)
    ratio, purpose = f"{half / tapped:.1f} ×", f"{1000 * still:.0f}"
    return [what, len(took), f"{percentile(changed, 50):.0f}", f"{half:.0f}", f"{most:.0f}", ratio, purpose]


if __name__ == "__main__":
    main()
