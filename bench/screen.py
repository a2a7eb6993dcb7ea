"""From a piece put on the emulated Pico's track to the change painted on the page `/`, in a real Chromium.

python -m bench.screen

The emulated Pico is some 30 times slower than a Pico, the rest has its real speed. So the time is added up:
emulated milliseconds from the piece laid down to the end of the line on USB that reports it, real ones from
there to the paint, as bench.latency takes them: driver, referee, journal, stream, page. A piece must be still
for a while before it counts, over an emulated Pico for longer: its own sweep determines the time.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

from playwright.sync_api import Page, sync_playwright

from bench.latency import DEVICE, FLAGS, Table
from bench.noting import NOTES
from bench.report import is_short, machine, publish, table
from bench.running import Running, companion
from companion.devices.mock.virtual_table import EmulatedPico
from companion.devices.sweeps import BEATS
from companion.firmware import link
from companion.referee.settle import settle_times
from tests.support.browser.chromium import program
from tests.support.devices.emulated import why_not

READY_S = 600.0  # for its start, or five pieces lined up, on a busy machine


class Pieces(Table):
    """As in bench.latency, over an emulated Pico: the times of each side for each piece that was moved."""

    def __init__(self, server: Running, page: Page, notes: Path) -> None:
        self.notes = notes
        _until_known(notes)
        super().__init__(server, page)
        self.moves: list[tuple[float, float]] = []  # ms, emulated and real
        self.sweep_s = 0.0

    def _stand(self, colour: str, space: int | None) -> None:
        super()._stand(colour, space)
        self.stood = space

    def _time(self, kind: str, act: Any) -> None:
        super()._time(kind, act)
        if kind == "piece":
            began, took = self.began, self.took[kind][-1][1]
            laid, reported, at = self._noted()
            self.moves.append(((reported - laid) / 1000, took - 1000 * (at - began)))

    def _noted(self) -> tuple[float, float, float]:
        """Return when the newest piece was laid and reported, in emulated us, and when that was,
        in seconds.
        """
        laid, found = 0.0, (0.0, 0.0)
        for line in self.notes.read_text("utf-8").splitlines():
            note = json.loads(line)
            if note.get("laid") == self.stood and note["tags"]:
                laid, found = note["us"], (0.0, 0.0)
            message: Any = link.decode(note["reported"].encode()) if "reported" in note else None
            if message is None:
                continue
            self.sweep_s = message.get("sweep", 1000 * self.sweep_s) / 1000
            reported = [space for space, what in message.get("changes", ()) if what]
            if self.stood in reported and not found[0]:
                found = note["us"], note["at"]
        return laid, *found


def _until_known(notes: Path) -> None:
    """Wait until the table knows the sweep of its track, and so how long a piece must be still."""
    until = time.monotonic() + READY_S
    while _beats(notes) <= BEATS:
        if time.monotonic() > until:
            raise RuntimeError("the emulated Pico has not begun to sense")
        time.sleep(1)


def _beats(notes: Path) -> int:
    return notes.read_text("utf-8").count('\\"is\\":\\"hb\\"') if notes.exists() else 0


def main() -> None:
    """Play, publish."""
    short = is_short(__doc__)
    if (why := why_not()) is not None:
        print(f"not measured: {why}")
        sys.exit(0)
    with (
        tempfile.TemporaryDirectory(prefix="companion-bench-") as home,
        patch.dict(os.environ, {NOTES: f"{home}/notes"}),
        companion("--mock", "--pico", "emulated", program="bench.noting") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program(), args=FLAGS)
        page = browser.new_page(**DEVICE)
        page.set_default_timeout(1000 * READY_S)
        played = Pieces(server, page, Path(home) / "notes")
        rng = random.Random(1)
        if short:
            played.play_cards(2, rng)
        else:
            played.play_round(rng)
        version = browser.version
        browser.close()
    report(played.moves, played.sweep_s, version, short=short)


def report(moves: list[tuple[float, float]], sweep_s: float, browser: str, *, short: bool) -> None:
    """Publish the table."""
    waited, wait = (1000 * settle_times(s).track for s in (EmulatedPico.slower * sweep_s, sweep_s))
    sides = [(pico, host - waited) for pico, host in moves]
    rows = {
        "Pico: from laid to the end of the line on USB, emulated": [pico for pico, _ in sides],
        "it must stand still so long": [wait] * len(sides),
        "host: from the line to the paint besides, real": [host for _, host in sides],
        "added up": [pico + wait + host for pico, host in sides],
    }
    publish(
        "screen",
        "# From a piece on the emulated Pico's track to the page",
        table(
            ["milliseconds", "half", "most"],
            [[what, f"{median(times):.0f}", f"{max(times):.0f}"] for what, times in rows.items()],
        ),
        f"{len(sides)} pieces moved in Galloping Pigs, 22 readers, a sweep of {1000 * sweep_s:.0f} ms as the "
        f"heartbeat tells. Waiting over the emulated Pico took {waited:.0f} ms, which is left out.",
        f"Chromium {browser}, headless. " + machine(["rp2040py", "playwright", "uvicorn"]),
        short=short,
    )


if __name__ == "__main__":
    main()
