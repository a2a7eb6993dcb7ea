"""From a tapped decision to its odds painted on the page `/`, in a real Chromium: part of bench.odds.

Each game is played by taps at random, without sensors in the way. The page reports when it has drawn a view;
the first task after the next animation frame counts as its paint. A decision's clock starts before its
request is sent. The companion asks for odds once it has written the decision. They are good once none is
further than `GOOD` from the last that is drawn for this decision.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from operator import sub
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bench.latency import DEVICE, FLAGS, _clock_difference
from bench.report import percentile
from bench.running import PIN, Running, companion
from companion import games
from companion.games.judge import checked
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.record import decision_line
from tests.support.browser.chromium import program

GOOD = 0.02  # a change that people do not see
QUIET_MS = 1000  # without better odds: the last were drawn
GAMES: dict[str, dict[str, Any]] = {
    "galloping-pigs": {},
    "galloping-horse": {},
    "giro-galoppo": {},
    "greyhounds": {},
}

WATCH = """
() => {
  window.drawn = {};
  const now = () => performance.timeOrigin + performance.now();
  document.addEventListener("view", ({ detail: view }) => {
    const odds = view.odds && !view.odds.old && view.odds.rows.map(row => row.p);
    const seen = window.drawn[view.seq] ??= { view: null, odds: [] }, channel = new MessageChannel();
    channel.port1.onmessage = () => {
      seen.view ??= now();
      if (odds) seen.odds.push([now(), odds]);
    };
    requestAnimationFrame(() => channel.port2.postMessage(0));
  });
  window.drawnLast = (seq, quiet) => {
    const last = window.drawn[seq]?.odds.at(-1);
    return last !== undefined && now() - last[0] > quiet;
  };
}
"""


def random_lines(race: Race, rng: random.Random) -> Iterator[tuple[Race, Decision]]:
    """Yield decisions of a game in which people deal, and the position before each, until it is over."""
    while (due := race.awaits()) is not None:
        if (deal := race.dealt_unseen()) is not None and not due.seats:
            race = race.after(deal)
            continue
        decision = race.at_random(rng.choice(due.seats), rng)
        yield race, decision
        race = checked(race, decision)


def measured(decisions: int) -> list[list[object]]:
    """Return by game the milliseconds from a decision, of so many, until view, first and good odds are
    painted.
    """
    with companion("--mock") as server, sync_playwright() as playwright:
        server.ask("POST", "/api/unlock", {"pin": PIN, "role": "host"})
        browser = playwright.chromium.launch(executable_path=program(), args=FLAGS)
        page = browser.new_page(**DEVICE)
        rows = [_of_game(server, page, name, options, decisions) for name, options in GAMES.items()]
        browser.close()
    return rows


def _of_game(server: Running, page: Page, name: str, options: dict[str, Any], decisions: int) -> list[object]:
    game, rng = games.find_by_name(name), random.Random(1)
    seats = ["Ada", "Ben", "Cleo", "Dev"]
    match = {"game": name, "seats": seats, "options": options}
    seq = server.ask("POST", "/api/matches", match)["seq"]
    page.goto(server.url + "/")
    page.wait_for_selector("#course:not([hidden])")
    page.evaluate(WATCH)
    ahead, took = _clock_difference(page), list[dict[str, float]]()
    for race, decision in random_lines(game.new(seats, 0, **options), rng):
        if checked(race, decision).awaits() is None:
            break  # the page keeps the last odds back until the race is over there, too
        line = {"seq": seq, "decision": decision_line(race, decision)}
        began = time.time()
        seq = server.ask("POST", "/api/decide", line)["seq"]
        page.wait_for_function("([seq, quiet]) => window.drawnLast(seq, quiet)", arg=[seq, QUIET_MS])
        painted = times(page.evaluate("seq => window.drawn[seq]", seq))
        took.append({what: at - 1000 * (began + ahead) for what, at in painted.items()})
        if len(took) == decisions:
            break
    server.ask("POST", "/api/end", {"seq": server.ask("GET", "/api/table")["seq"]})
    return _row(game.title, took)


def times(drawn: dict[str, Any]) -> dict[str, float]:
    """Return when a view, its first odds and good ones were painted.

    >>> times({"view": 1.0, "odds": [[2.0, [0.50, 0.50]], [3.0, [0.61, 0.39]], [4.0, [0.60, 0.40]]]})
    {'view': 1.0, 'first': 2.0, 'good': 3.0}
    """
    last = drawn["odds"][-1][1]
    far = [at for at, odds in drawn["odds"] if max(map(abs, map(sub, odds, last))) > GOOD]
    good = next(at for at, _ in drawn["odds"] if not far or at > far[-1])
    return {"view": drawn["view"], "first": drawn["odds"][0][0], "good": good}


def _row(title: str, took: list[dict[str, float]]) -> list[object]:
    halves = {what: percentile([one[what] for one in took], 50) for what in ("view", "first", "good")}
    most = percentile([one["first"] for one in took], 95)
    return [
        title,
        len(took),
        *(f"{halves[what]:.0f}" for what in ("view", "first")),
        f"{most:.0f}",
        f"{halves['good']:.0f}",
        f"{halves['first'] / halves['view']:.1f} ×",
    ]


HEAD = [
    "decision to painted, ms",
    "times",
    "the move",
    "first odds",
    "95 % of them",
    f"odds within {GOOD:.0%} of the last",
    "first odds, to the move",
]
