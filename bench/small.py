"""The companion on a small machine: how long people wait with a tenth of this machine's speed.

A Pi Zero 2 W is modelled with Linux control groups (bench/small_machine.py): without root it ends with a
sentence that says so. Measured from the outside, over HTTP and the stream: start, taps, a card on the pad,
odds, robots, ten phones that join at once, the page of a finished game, memory, CPU at rest.

All boards take half an hour. `python -m bench.small zero2` measures one of them; the page is written once all
have been, and build/small.json has what was. `none` is this machine without limits: on a real Pi, `python -m
bench.small none --send FILE` writes figures to send in.
"""

from __future__ import annotations

import argparse
import json
import posixpath
import queue
import random
import re
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench.odds_screen import GAMES, GOOD, random_lines
from bench.report import machine, percentile, publish, table
from bench.running import PIN, Running, begin, run_seconds
from bench.small_machine import PI3, PI4, PI5, ZERO2, Bed, CannotLimit, Model, pids_below
from companion import games
from companion.devices.mock.tags import DEMO_SET
from companion.games.galloping.rules import GallopingPigs
from companion.games.judge import checked
from companion.match.record import decision_line
from companion.referee.pad import PAD_STILL
from companion.table.robots import TAPPED_PAUSE

MODELS: dict[str, Model | None] = {"zero2": ZERO2, "pi3": PI3, "pi4": PI4, "pi5": PI5, "none": None}
KEPT = Path(__file__).parents[1] / "build" / "small.json"
"""The figures of each board that was measured, the last time."""
SEATS = ["Ada", "Ben", "Cleo", "Dev"]
PHONES = 10


class Extent(NamedTuple):
    """The number of starts, of decisions by game that are timed with odds, of taps, cards and robots' turns;
    seconds until all is at rest, and at rest; seconds without better odds after which the last ones count.
    """

    starts: int
    decisions: int
    taps: int
    cards: int
    robots: int
    settle: float
    rest: float
    quiet: float


LONG, SHORT = Extent(3, 8, 40, 8, 2, 30.0, 20.0, 3.0), Extent(1, 2, 5, 2, 1, 3.0, 3.0, 2.0)


class Figure(NamedTuple):
    """A measured figure, its unit, and its goal on a Zero 2."""

    what: str
    value: float
    unit: str
    goal: str = ""

    def text(self) -> str:
        """Return value and unit."""
        return f"{self.value:,.{0 if self.unit == 'ms' else 1}f} {self.unit}"


class Listener:
    """A device that listens: it notes when each view arrived on its stream."""

    def __init__(self, server: Running, view: str = "table") -> None:
        self._connection = HTTPConnection("localhost", server.port, timeout=120)
        self._connection.request("GET", f"/events?as={view}", headers={"Cookie": server.cookie})
        self._answer = self._connection.getresponse()
        self.views: queue.Queue[tuple[float, dict[str, Any]]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            event = b""
            while line := self._answer.readline():
                if line.startswith(b"event: "):
                    event = line[7:].strip()
                elif line.startswith(b"data: ") and event in (b"table", b"page"):
                    self.views.put((time.perf_counter(), json.loads(line[6:])))
        except (OSError, ValueError, AttributeError):
            return  # the server has ended, or `close` was called

    def until(self, seq: int, seconds: float = 120.0) -> tuple[float, dict[str, Any]]:
        """Wait for the first view that has this entry; return when it came, and the view."""
        while True:
            came, view = self.views.get(timeout=seconds)
            if view["seq"] >= seq:
                return came, view

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def started(bed: Bed, *options: str) -> tuple[float, float]:
    """Start a companion; return the seconds to `/healthz`, and from there to the whole first page."""
    with bed.companion(*options) as server:
        while _status(server, "/healthz") != 200:
            time.sleep(0.005)
        healthy = time.perf_counter()
        while _status(server, "/") != 200:
            time.sleep(0.005)
        return healthy - server.spawned, time.perf_counter() - healthy


def _status(server: Running, path: str) -> int:
    connection = HTTPConnection("localhost", server.port, timeout=60)
    try:
        connection.request("GET", path, headers={"Cookie": server.cookie})
        answer = connection.getresponse()
        answer.read()
        return answer.status
    except OSError:
        return 0
    finally:
        connection.close()


@contextmanager
def game(server: Running, name: str, bots: list[str] | None = None) -> Iterator[tuple[int, Listener]]:
    """Start a game as the host; yield its entry and a listener, and end it."""
    options = GAMES[name]
    deal = "companion" if bots else "people"
    new = {"game": name, "seats": SEATS, "options": options, "bots": bots or [], "deal": deal}
    seq = server.ask("POST", "/api/matches", new)["seq"]
    listener = Listener(server)
    try:
        yield seq, listener
    finally:
        server.ask("POST", "/api/end", {"seq": server.ask("GET", "/api/table")["seq"]})
        listener.close()


def with_odds(server: Running, name: str, extent: Extent) -> tuple[list[float], list[float]]:
    """Play a game by taps at random, waiting for its odds; return the ms until first and good odds."""
    race, rng = games.find_by_name(name).new(SEATS, 0, **GAMES[name]), random.Random(1)
    first, good = list[float](), list[float]()
    with game(server, name) as (seq, listener):
        for before, decision in random_lines(race, rng):
            if checked(before, decision).awaits() is None or len(first) == extent.decisions:
                break
            line = {"seq": seq, "decision": decision_line(before, decision)}
            began = time.perf_counter()
            seq = server.ask("POST", "/api/decide", line)["seq"]
            came, view = listener.until(seq)
            odds = [(came, view)] if _has_odds(view, seq) else []
            while True:
                try:
                    found = listener.views.get(timeout=extent.quiet if odds else 60)
                except queue.Empty:
                    break
                if _has_odds(found[1], seq):
                    odds.append(found)
            if odds:
                first.append(1000 * (odds[0][0] - began))
                good.append(1000 * (_good_since(odds) - began))
    return first, good


def _has_odds(view: dict[str, Any], seq: int) -> bool:
    return bool(view["odds"]) and view["odds"]["seq"] == seq


def _good_since(odds: list[tuple[float, dict[str, Any]]]) -> float:
    """Return when the odds were first as good as the last ones, and stayed so."""
    chances = [(came, [one["p"] for one in view["odds"]["chances"]]) for came, view in odds]
    last = chances[-1][1]
    since = chances[-1][0]
    for came, now in reversed(chances):
        if max(abs(a - b) for a, b in zip(now, last, strict=True)) > GOOD:
            break
        since = came
    return since


def taps(server: Running, count: int) -> list[float]:
    """Tap so many decisions one after the other; return the ms until each was on the stream."""
    race, rng = games.find_by_name("galloping-pigs").new(SEATS, 0), random.Random(2)
    took: list[float] = []
    with game(server, "galloping-pigs") as (seq, listener):
        for before, decision in random_lines(race, rng):
            if len(took) == count:
                break
            line = {"seq": seq, "decision": decision_line(before, decision)}
            began = time.perf_counter()
            seq = server.ask("POST", "/api/decide", line)["seq"]
            took.append(1000 * (listener.until(seq)[0] - began))
            time.sleep(0.3)  # people tap no faster
    return took


def cards(bed: Bed, count: int) -> list[float]:
    """Lay cards on the modelled pad and move their pieces; return the ms until each was on the stream."""
    uids = {means: uid for uid, means in DEMO_SET.items()}
    race: GallopingPigs = GallopingPigs.new(tuple(SEATS))
    rng = random.Random(3)
    took: list[float] = []
    with bed.companion("--mock") as server:
        server.ask("POST", "/api/unlock", {"pin": PIN, "role": "host"})
        with game(server, "galloping-pigs") as (seq, listener):
            seq = server.ask("GET", "/api/table")["seq"]
            copies: dict[str, int] = {}
            for before, decision in random_lines(race, rng):
                if len(took) == count:
                    break
                if decision.do != "play":
                    _put(server, [])
                    line = {"seq": seq, "decision": decision_line(before, decision)}
                    seq = server.ask("POST", "/api/decide", line)["seq"]
                    listener.until(seq)
                    for place, colour in enumerate(decision.what):
                        _stand(server, uids[f"galloping-pigs/piece/{colour}"], -place % race.spaces)
                    time.sleep(2)
                    continue
                colour = decision.what
                copies[colour] = copies.get(colour, 0) + 1
                _drain(listener)
                began = time.perf_counter()
                _put(server, [uids[f"galloping-pigs/card/{colour}/{copies[colour]}"]])
                came, view = listener.until(seq + 1)
                took.append(1000 * (came - began))
                seq = view["seq"]
                to = checked(before, decision).layout()[colour].space
                _stand(server, uids[f"galloping-pigs/piece/{colour}"], to)
                time.sleep(2)
    return took


def _put(server: Running, tags: list[str]) -> None:
    server.ask("PUT", "/api/mock/pad", {"tags": tags})


def _stand(server: Running, tag: str, space: int | None) -> None:
    server.ask("PUT", f"/api/mock/track/{space}", {"tags": [tag]})


def _drain(listener: Listener) -> None:
    while not listener.views.empty():
        listener.views.get_nowait()


def robots(server: Running, name: str, count: int) -> list[float]:
    """Let robots play all seats; return the seconds that each decision came later than the pause in which
    people move the pieces.
    """
    took: list[float] = []
    with game(server, name, ["strong"] * len(SEATS)) as (seq, listener):
        last, since = seq, time.perf_counter()
        while len(took) < count:
            came, view = listener.until(last + 1)
            took.append(max(0.0, came - since - TAPPED_PAUSE))
            last, since = view["seq"], came
    return took


def joining(server: Running) -> tuple[float, float]:
    """Let ten phones open the watch page while decisions are tapped; return the seconds until the last one
    has its first view, and the ms of the slowest decision.
    """
    race, rng = games.find_by_name("galloping-pigs").new(SEATS, 0), random.Random(4)
    joined: list[float] = []

    def join() -> None:
        _load(server, "/watch")
        phone = Listener(server, "page")
        phone.views.get(timeout=120)
        joined.append(time.perf_counter())
        phone.close()

    _load(server, "/")  # the tablet shows the table
    with game(server, "galloping-pigs") as (seq, listener):
        phones = [threading.Thread(target=join) for _ in range(PHONES)]
        began, slowest = time.perf_counter(), 0.0
        for phone in phones:
            phone.start()
        for before, decision in random_lines(race, rng):
            if not any(phone.is_alive() for phone in phones):
                break
            line = {"seq": seq, "decision": decision_line(before, decision)}
            tapped = time.perf_counter()
            seq = server.ask("POST", "/api/decide", line)["seq"]
            slowest = max(slowest, listener.until(seq)[0] - tapped)
            time.sleep(0.5)
        for phone in phones:
            phone.join()
        assert len(joined) == PHONES, "a phone could not join"
        return max(joined) - began, 1000 * slowest


def _load(server: Running, path: str) -> None:
    """Load a page with the scripts and styles that it names, as a phone does for the first time."""
    connection = HTTPConnection("localhost", server.port, timeout=120)
    seen, wanted = set[str](), [path]
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        connection.request("GET", name, headers={"Cookie": server.cookie})
        text = connection.getresponse().read().decode("utf-8", "replace")
        if name == path:
            wanted += re.findall(r"(?:src|href)=\"?(/[^\"> ]+\.(?:js|css)[^\"> ]*)", text)
        elif ".js" in name:
            folder = posixpath.dirname(name)
            wanted += [
                posixpath.normpath(posixpath.join(folder, one))
                for one in re.findall(r"from ?\"(\.[^\"]+)\"", text)
            ]
    connection.close()


def finished_page(server: Running) -> float:
    """Play a game to its end; return the ms until its page is there."""
    race, rng = games.find_by_name("galloping-horse").new(SEATS, 0), random.Random(5)
    new = {"game": "galloping-horse", "seats": SEATS, "options": {}}
    answer = server.ask("POST", "/api/matches", new)
    seq = answer["seq"]
    for before, decision in random_lines(race, rng):
        line = {"seq": seq, "decision": decision_line(before, decision)}
        seq = server.ask("POST", "/api/decide", line)["seq"]
    _load(server, f"/history/{answer['id']}")
    began = time.perf_counter()
    if _status(server, f"/history/{answer['id']}") != 200:
        raise RuntimeError("the page of a finished game is not there")
    return 1000 * (time.perf_counter() - began)


def all_pids(server: Running) -> list[int]:
    """Return its process and those that it has started."""
    return [server.process.pid, *pids_below(server.process.pid)]


def memory_mb(pids: Iterable[int]) -> float:
    """Return the memory of these processes together, in MB; a file that several use counts once."""
    own, files = 0, dict[str, int]()
    for pid in pids:
        path = ""
        resident: dict[str, int] = {}
        for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
            name, _, value = line.partition(" ")
            if not name.endswith(":"):
                path = line.partition("/")[2]
            elif name == "Rss:":
                resident[path] = resident.get(path, 0) + int(value.split()[0])
            elif name == "Anonymous:":
                own += int(value.split()[0])
                resident[path] -= int(value.split()[0])
        files |= {path: max(used, files.get(path, 0)) for path, used in resident.items()}
    return (own + sum(files.values())) / 1024


def at_rest(server: Running, seconds: float) -> float:
    """Return the CPU that all its processes use at rest, in seconds a second."""
    pids = all_pids(server)
    before = sum(map(run_seconds, pids))
    time.sleep(seconds)
    return (sum(map(run_seconds, pids)) - before) / seconds


def measured(bed: Bed, model: Model | None, extent: Extent) -> Iterator[Figure]:
    """Yield the figures, one after the other."""
    for what, options in (("without hardware", ()), ("--mock --demo", ("--mock", "--demo"))):
        starts = [started(bed, *options) for _ in range(extent.starts)]
        yield Figure(f"start to `/healthz`, {what}", median(one[0] for one in starts), "s", "5 s")
        yield Figure(f"from there to the first page, {what}", median(one[1] for one in starts), "s", "1 s")
    share = model.share if model else 1.0
    with bed.companion() as server:
        begin(server)
        time.sleep(extent.settle)
        used = 100 * at_rest(server, extent.rest) / share
        yield Figure("CPU at rest, without hardware, of its core", used, "%", "3 %")
        server.ask("POST", "/api/end", {"seq": server.ask("GET", "/api/table")["seq"]})
        took = taps(server, extent.taps)
        yield Figure("tap to sentence on the stream, half", percentile(took, 50), "ms", "150 ms")
        yield Figure("tap to sentence on the stream, 99 %", percentile(took, 99), "ms", "300 ms")
        seconds, slowest = joining(server)
        yield Figure(f"{PHONES} phones join at once", seconds, "s", "5 s")
        yield Figure("slowest decision while they join", slowest, "ms", "400 ms")
        for name in GAMES:
            title = games.find_by_name(name).title
            first, good = with_odds(server, name, extent)
            yield Figure(f"{title}: first odds, half", percentile(first, 50), "ms", "1,000 ms")
            yield Figure(f"{title}: good odds, half", percentile(good, 50), "ms", "4,000 ms")
        thought = [took for name in GAMES for took in robots(server, name, extent.robots)]
        yield Figure(
            f"a robot decides, after a pause of {TAPPED_PAUSE:.0f} s: slowest", max(thought), "s", "3 s"
        )
        yield Figure("page of a finished game", finished_page(server), "ms")
        yield Figure("memory of all processes, a game played", memory_mb(all_pids(server)), "MB", "90 MB")
    laid = cards(bed, extent.cards)
    goal = f"{1000 * PAD_STILL + 150:.0f} ms"
    yield Figure("card on the pad to sentence on the stream, half", percentile(laid, 50), "ms", goal)


def of_board(board: str, extent: Extent) -> list[Figure]:
    """Return the figures on the model of this board, printed as they come."""
    print(f"\n{board}", flush=True)
    with ExitStack() as stack:
        try:
            bed = Bed(MODELS[board])
        except CannotLimit as error:
            sys.exit(f"bench.small: {error}")
        stack.callback(bed.close)
        figures = []
        for figure in measured(bed, MODELS[board], extent):
            print(figure.what, figure.text(), figure.goal, sep="  ", flush=True)
            figures.append(figure)
    return figures


def main() -> None:
    """Measure on the models; publish."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("boards", nargs="*", metavar="BOARD", help=f"of {', '.join(MODELS)}; default: all")
    parser.add_argument("--short", action="store_true", help="the same on less, in seconds: not kept")
    parser.add_argument("--send", type=Path, metavar="FILE", help="write the figures as JSON too")
    asked = parser.parse_args()
    if unknown := set(asked.boards) - MODELS.keys():
        parser.error(f"there is no model of {', '.join(unknown)}: there are {', '.join(MODELS)}")
    extent = SHORT if asked.short else LONG
    found = {board: of_board(board, extent) for board in asked.boards or MODELS}
    if asked.send:
        asked.send.write_text(json.dumps(plain(found), indent=1) + "\n", encoding="utf-8")
    if not asked.short:
        found = with_kept(found)
    report(found, short=asked.short or set(found) != set(MODELS))


def plain(found: Mapping[str, list[Figure]]) -> dict[str, list[dict[str, Any]]]:
    """Return the figures by board as JSON has them."""
    return {board: [one._asdict() for one in figures] for board, figures in found.items()}


def with_kept(found: Mapping[str, list[Figure]]) -> dict[str, list[Figure]]:
    """Store these figures, and return them with those of the other boards that were measured before."""
    before = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    kept = {board: [Figure(**one) for one in figures] for board, figures in before.items()} | dict(found)
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps(plain(kept), indent=1) + "\n", encoding="utf-8")
    return {board: kept[board] for board in MODELS if board in kept}


def report(found: Mapping[str, list[Figure]], *, short: bool) -> None:
    """Publish the table: a row a figure, a column a board."""
    rows: list[list[object]] = [
        [of[0].what, *(one.text() for one in of), of[0].goal] for of in zip(*found.values(), strict=True)
    ]
    models = [model for board in found if (model := MODELS[board]) is not None]
    limits = "; ".join(
        f"{model.name}: {model.share:.0%} of a core here for each process, {model.memory_mb} MB for all, "
        f"{model.fsync_ms:.0f} ms more for each fsync"
        for model in models
    )
    names = [model.name if (model := MODELS[board]) is not None else "this PC" for board in found]
    publish(
        "small",
        "# What to expect on a Pi and on a PC",
        f"Modelled, not measured on a Pi. {limits}.",
        table(["figure", *names, "goal on a Zero 2"], rows),
        "On a Pi, `python -m bench.small none --send figures.json` measures the same without limits; please "
        "send the file with an issue.",
        machine(["uvicorn", "a2wsgi", "flask", "numpy"]),
        short=short,
    )


if __name__ == "__main__":
    main()
