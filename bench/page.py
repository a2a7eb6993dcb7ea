"""The table page in a real Chromium: first useful paint, long tasks while pieces move, memory.

python -m bench.page

A `companion run` process without hardware serves; Galloping Pigs is played by taps, its pieces travel on the
page. The first paint is useful: it says in big letters what to do now; the track follows. Both are compared
with the first paint of a page of one line from a bare Flask app behind the same server (bench/hello.py).
Every load is a new device's: nothing is cached.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from bench.latency import DEVICE, FLAGS
from bench.report import is_short, machine, percentile, publish, table
from bench.running import PIN, Running, begin, companion, running
from companion.games.galloping.rules import GallopingPigs
from companion.games.judge import checked
from companion.games.race import Race
from companion.match.record import decision_line
from tests.support.browser.chromium import program


class Extent(NamedTuple):
    """The numbers of loads of the page; of moves whose tasks are timed; of moves for memory, and of its
    samples.
    """

    loads: int
    timed: int
    moves: int
    looks: int


LONG, SHORT = Extent(15, 60, 1_000, 5), Extent(2, 4, 20, 2)
SEATS = ["Ada", "Ben", "Cleo", "Dev"]
LONG_TASK = 50  # ms
SLOW = 4  # times slower than this machine: a weak tablet

DRAWN = """
new MutationObserver((all, watcher) => {
  if (!document.querySelector("#track .cell")) return;
  watcher.disconnect();
  const channel = new MessageChannel();
  channel.port1.onmessage = () => { window.drawn = performance.now(); };
  requestAnimationFrame(() => channel.port2.postMessage(0));
}).observe(document, {childList: true, subtree: true});
"""
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
SEEN = """document.addEventListener("view", event => { window.seen = event.detail.seq; });"""
SHOWN = "seq => window.seen >= seq"


def paints(browser: Browser, url: str, loads: int, *whens: str) -> list[float]:
    """Return median milliseconds from the request to each of these moments, of devices new to the page."""
    took: list[list[float]] = [[] for _ in whens]
    for _ in range(loads):
        context = browser.new_context(**DEVICE)
        page = context.new_page()
        page.add_init_script(DRAWN)
        page.goto(url)
        for when, each in zip(whens, took, strict=True):
            each.append(page.wait_for_function(when).json_value())
        context.close()
    return [percentile(each, 50) for each in took]


def play(server: Running, page: Page, moves: int, rng: random.Random, pause: float = 0) -> None:
    """Play so many cards, the next once each is shown and `pause` seconds are gone; one match after the
    other.
    """
    race: Race | None = None
    while moves:
        if race is None or race.awaits() is None:
            server.ask("POST", "/api/matches", {"game": "galloping-pigs", "seats": SEATS})
            race = GallopingPigs.new(SEATS)
        if (deal := race.dealt_unseen()) is not None:
            race = race.after(deal)
            continue
        due = race.awaits()
        assert due is not None
        decision = race.at_random(rng.choice(due.seats), rng)
        line = {"seq": server.ask("GET", "/api/table")["seq"], "decision": decision_line(race, decision)}
        seq = server.ask("POST", "/api/decide", line)["seq"]
        race = checked(race, decision)
        page.wait_for_function(SHOWN, arg=seq)
        page.wait_for_timeout(1_000 * pause)
        moves -= decision.do == "play"
    if race is not None and race.awaits() is not None:
        server.ask("POST", "/api/end", {"seq": server.ask("GET", "/api/table")["seq"]})


def memory(page: Page) -> tuple[float, int]:
    """Return megabytes of the page's heap after a collection, and the number of DOM nodes."""
    chrome = page.context.new_cdp_session(page)
    chrome.send("HeapProfiler.collectGarbage")
    heap: dict[str, Any] = chrome.send("Runtime.getHeapUsage")
    nodes: dict[str, Any] = chrome.send("Memory.getDOMCounters")
    chrome.detach()
    return heap["usedSize"] / 1e6, nodes["nodes"]


@contextmanager
def first() -> Iterator[None]:
    """Give processes that start now priority over the companion: a tablet's browser does not share its
    processor.
    """
    try:
        os.nice(-10)
    except PermissionError:
        print("not root: browser and companion share the processor as they are")
    yield


def main() -> None:
    """Measure and publish."""
    short = is_short(__doc__)
    extent = SHORT if short else LONG
    with companion() as server, first(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=FLAGS)
        server.ask("POST", "/api/unlock", {"pin": PIN, "role": "host"})
        rows = [
            row
            for measured in (paint_rows, long_rows, memory_rows)
            for row in measured(browser, server, extent)
        ]
        browser.close()
    text = table(["the table page", "measured", "compared"], rows)
    publish("page", "# The table page", text, machine(["flask", "uvicorn", "playwright"]), short=short)


def paint_rows(browser: Browser, server: Running, extent: Extent) -> list[list[object]]:
    """Return rows of the first useful paint against the bare page's."""
    begin(server)
    with running("-m", "bench.hello") as bare:
        (plain,) = paints(browser, bare.url, extent.loads, PAINTED)
        said, drawn = paints(browser, server.url, extent.loads, PAINTED, "() => window.drawn")
    server.ask("POST", "/api/end", {"seq": server.ask("GET", "/api/table")["seq"]})
    return [
        ["bare page, first paint, ms", f"{plain:.0f}", "1 ×"],
        ["what is to be done now, painted, ms", f"{said:.0f}", f"{said / plain:.2f} × (goal 3)"],
        ["the whole table with its track, painted, ms", f"{drawn:.0f}", f"{drawn / plain:.2f} ×"],
    ]


def watching(browser: Browser, server: Running, slower: int = 1) -> Page:
    """Open the table page, which notes what it has seen; `slower`: on a processor so many times as slow."""
    page = browser.new_page(**DEVICE)
    page.add_init_script(SEEN)
    page.goto(server.url + "/")
    page.wait_for_function("() => window.seen !== undefined")
    if slower > 1:
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    return page


def long_rows(browser: Browser, server: Running, extent: Extent) -> list[list[object]]:
    """Return rows of tasks of more than 50 ms while a race is played, whose pieces travel.

    As fast as friends play who need not think; each card at once after the one before; as friends play on a
    slow processor. On few cores a task is also interrupted, by the odds or by the browser's own painting: the
    share of work in the longest is reported too.
    """
    rows: list[list[object]] = []
    few, many = extent.timed, 5 * extent.timed // 2
    for moves, pause, slower in ((few, 1.5, 1), (many, 0, 1), (few, 1.5, SLOW)):
        page = watching(browser, server, slower)
        browser.start_tracing(page=page, categories=["toplevel"])
        play(server, page, moves, random.Random(1), pause)
        ran = tasks(browser.stop_tracing())
        page.context.close()
        name = f"long tasks in {moves} moves" + (f", one in {pause} s" if pause else ", one after the other")
        name += f", processor {slower} × slower" if slower > 1 else ""
        longest = f"longest {max(took for took, _ in ran):.0f} ms" + (" (goal 100)" if slower == 1 else "")
        worked = f"most work in one {max(cpu for _, cpu in ran):.0f} ms"
        rows.append([name, sum(took > LONG_TASK for took, _ in ran), f"{longest}, {worked}"])
    return rows


def tasks(trace: bytes) -> list[tuple[float, float]]:
    """Return how long each task of the page's main thread took, and its CPU time, in ms."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    mains = {(e["pid"], e["tid"]) for e in events if e.get("args", {}).get("name") == "CrRendererMain"}
    ran = [
        e for e in events if e["name"] == "ThreadControllerImpl::RunTask" and (e["pid"], e["tid"]) in mains
    ]
    return [(e["dur"] / 1000, e["tdur"] / 1000) for e in ran if "tdur" in e]


def memory_rows(browser: Browser, server: Running, extent: Extent) -> list[list[object]]:
    """Return heap and nodes of the page over many moves of several matches, and against those after the
    first.
    """
    page, rng, rows = watching(browser, server), random.Random(2), list[list[object]]()
    first = (0.0, 0)
    for look in range(1, extent.looks + 1):
        play(server, page, extent.moves // extent.looks, rng)
        heap, nodes = memory(page)
        first = first if look > 1 else (heap, nodes)
        name = f"after {look * extent.moves // extent.looks} moves: heap, MB; DOM nodes"
        rows.append([name, f"{heap:.1f}; {nodes}", f"{heap / first[0]:.2f} ×; {nodes / first[1]:.2f} ×"])
    page.context.close()
    return rows


if __name__ == "__main__":
    main()
