"""Trace a card from the pad to the bytes that a page receives: which files and functions take part.

`python tools/trace_card.py` plays Galloping Pigs with five pieces on a modelled track of 22 readers, lays a
card, and counts the calls inside `companion/` from the pad's message to the event of the table page: files,
functions, and calls from one file to another. `--edges` lists the most frequent of these.
docs/architecture.md has the figures.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple

from companion.table.snapshot import Snapshot
from companion.web.stream import Hub, Kind
from tests.support.evening import Evening

ROOT: Final = Path(__file__).parents[1]
OURS: Final = str(ROOT / "companion") + "/"
TOP: Final = 25


class Trace(NamedTuple):
    """What ran: calls by function, and calls from file to file."""

    calls: Counter[CodeType]
    hops: Counter[tuple[str, str]]

    @property
    def files(self) -> set[str]:
        """The files whose code ran."""
        return {code.co_filename.removeprefix(OURS) for code in self.calls}

    @property
    def named(self) -> int:
        """The number of functions that have a name: all but comprehensions, generators and lambdas."""
        return sum(not code.co_name.startswith("<") for code in self.calls)


def traced(work: Callable[[], object]) -> Trace:
    """Run `work` and return what it called in `companion/`; comprehensions and lambdas count as functions."""
    calls, hops = Counter[CodeType](), Counter[tuple[str, str]]()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or not frame.f_code.co_filename.startswith(OURS):
            return
        calls[frame.f_code] += 1
        caller = frame.f_back
        here = frame.f_code.co_filename.removeprefix(OURS)
        if caller is not None and caller.f_code.co_filename.startswith(OURS):
            there = caller.f_code.co_filename.removeprefix(OURS)
            if there != here:
                hops[there, here] += 1

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return Trace(calls, hops)


def card(directory: Path) -> Trace:
    """Trace one card: laid on the pad, judged, written, compared with the track, rendered for the page."""
    evening = Evening(directory)
    evening.line_up()
    evening.play("red 1")
    hub = Hub(evening.table)
    rendered: list[bytes] = []

    def render(picture: Snapshot) -> None:
        hub.snapshot = picture
        rendered.append(hub.message(Kind("page", "en")) or b"")

    evening.table.listeners.append(render)
    trace = traced(lambda: evening.lay("blue 2", wait=0.2))
    assert evening.played.endswith("blue")
    assert rendered
    return trace


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as directory:
        trace = card(Path(directory))
    files, functions, hops = len(trace.files), len(trace.calls), sum(trace.hops.values())
    print(f"{files} files, {functions} functions ({trace.named} with a name), {hops} calls between files")
    if "--edges" in sys.argv[1:]:
        for (there, here), count in trace.hops.most_common(TOP):
            print(f"{count:6} {there} -> {here}")
        for code, count in trace.calls.most_common(TOP):
            print(f"{count:6} {code.co_filename.removeprefix(OURS)} {code.co_name}")


if __name__ == "__main__":
    main()
