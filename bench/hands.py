"""How bad hands and radio may become before a move is misread: simulated evenings, made worse.

python -m bench.hands

Writes docs/hands.md too: the distributions of tests/support/hands.py, and their limits.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

from bench.report import is_short, machine, publish, table
from tests.support.hands import MADE_S, READY_S, SLIP_S, WORSE, Evenings, Share, Spread
from tests.support.swift_evening import GAMES, SwiftEvening


class Extent(NamedTuple):
    """The factors of the errors; evenings of each game at each of these, and unchanged."""

    factors: tuple[float, ...]
    each: int
    first: int


LONG, SHORT = Extent((1.25, 1.5, 2.0, 3.0, 4.0), 4, 25), Extent((4.0,), 1, 1)
DOCS = Path(__file__).parent.parent / "docs"


class Job(NamedTuple):
    """One evening to play."""

    what: str | None
    factor: float
    game: str
    seed: int


class Outcome(NamedTuple):
    """The errors of an evening."""

    moves: int = 0
    lost: int = 0
    invented: int = 0
    held: int = 0

    def plus(self, other: Outcome) -> Outcome:
        """Return both together."""
        return Outcome(*(a + b for a, b in zip(self, other, strict=True)))

    def cell(self) -> str:
        """Return moves lost and invented, and cards held back, in 1,000 moves."""
        lost, invented, held = (1000 * n / self.moves for n in self[1:])
        return "0" if not any(self[1:]) else f"{lost:.1f} + {invented:.1f}, {held:.1f}"


def played(job: Job) -> Outcome:
    """Play a job and return its outcome."""
    as_it_is = Evenings()
    worse = as_it_is if job.what is None else WORSE[job.what](as_it_is, job.factor)
    evening = SwiftEvening(job.game, job.seed, worse).play()
    kinds = [wrong.kind for wrong in evening.wrong]
    return Outcome(evening.moves, kinds.count("lost"), kinds.count("invented"), kinds.count("held"))


def jobs(extent: Extent) -> Iterator[Job]:
    """Return the unchanged evenings, then those with one thing made worse, then with all."""
    for game in GAMES:
        yield from (Job(None, 1.0, game, seed) for seed in range(extent.first))
        for what in WORSE:
            for factor in extent.factors:
                yield from (Job(what, factor, game, seed) for seed in range(extent.each))


def outcomes(extent: Extent) -> dict[tuple[str | None, float], Outcome]:
    """Return the outcomes by what was made worse and how much."""
    found: dict[tuple[str | None, float], Outcome] = {}
    todo = list(jobs(extent))
    with Pool(os.cpu_count()) as pool:
        for job, outcome in zip(todo, pool.imap(played, todo), strict=True):
            key = (job.what, job.factor)
            found[key] = found.get(key, Outcome()).plus(outcome)
    return found


def limits(found: dict[tuple[str | None, float], Outcome], factors: Sequence[float]) -> str:
    """Return the table of limits."""
    rows = []
    for what in WORSE:
        cells = [found[what, factor] for factor in factors]
        first = (f"{f:g}" for f, one in zip(factors, cells, strict=True) if one.lost or one.invented)
        rows.append([what, next(first, "—"), *(one.cell() for one in cells)])
    return table(["made worse by", "first misread at", *(f"{factor:g}" for factor in factors)], rows)


def distributions() -> str:
    """Return the table of distributions."""
    rows = []
    for value in (*Evenings().hands, *Evenings().radio):
        match value:
            case Spread():
                rows.append(
                    [
                        value.means,
                        f"{value.low:g}",
                        f"{value.usual:g}",
                        f"{value.high:g} {value.unit}",
                        value.source,
                    ]
                )
            case Share():
                rows.append([value.means, "", f"{100 * value.of:g} %", value.unit, value.source])
    return table(["", "from", "mostly", "to", "source"], rows)


def main() -> None:
    """Play, publish, and write docs/hands.md."""
    short = is_short(__doc__)
    extent = SHORT if short else LONG
    found = outcomes(extent)
    first, radio = found[None, 1.0], Evenings().radio
    said = (
        f"As written down, {len(GAMES) * extent.first} evenings: {first.moves} moves, {first.lost} lost, "
        f"{first.invented} invented, {first.held} cards held back. Below, "
        f"{len(GAMES) * extent.each} evenings in each field: moves lost + moves invented, cards held "
        "back, in 1,000 moves. 0: none of any."
    )
    results = limits(found, extent.factors)
    publish(
        "hands",
        "# Hands made worse until moves are misread",
        said,
        results,
        machine(["msgspec"]),
        short=short,
    )
    if short:
        return
    text = PAGE.format(
        made=MADE_S,
        slip=SLIP_S,
        ready=READY_S,
        drawn=distributions(),
        radio=radio,
        blur=100 * radio.blur,
        said=said,
        results=results,
    )
    (DOCS / "hands.md").write_text(text, encoding="utf-8")


PAGE = """# Hands, and how well they are read

`python -m bench.hands` makes this page. It proves what scanner, wire and referee make of the readers'
output, not what readers get: no person was filmed and no radio was measured. Four games are played at
random by the rules, with the real `Scanner` and `Detections` in virtual time, and the real wire, picture
and referee. A reader repeats what the real driver found, and how long it took, when the same tags were last
on a modelled chip. `test_evenings.py` and `test_evenings_limit_long.py` in `tests/system` check that the
result is the same as register by register.

**A move** is a piece that is let go on a space for {made:g} s or longer. A rest of less than {slip:g} s is
none: a slip that is caught, a touch while counting, a slide. In between, both readings are right, and the
hands below avoid it. They do not hover within a reader's reach either, because no reader can distinguish
that from standing. A card must be playable {ready:g} s after the last piece is let go.

## What is drawn

[CMN]: Card, Moran & Newell, *The Psychology of Human-Computer Interaction* (1983). [build]: how track and
pieces must be built. [pass]: what three readers on a bench must reach before you buy more. [assumed]: a
guess that only a bench, or an evening with a camera, can settle. Times and lengths are drawn from
triangles.

{drawn}

Readers {radio.pitch:g} mm apart [build] read a tag up to {radio.rise:g} mm above a standing piece [assumed].
How that falls off to the sides is computed from the coils, with the null of a small tag
([what fits](../hardware/fit.md)). The edge is blurred by {blur:g} % of the field from poll to poll [assumed],
and the field falls with the transmit power (CWGsP, {radio.power}) [assumed]. A register access takes
{radio.access_us:g} us plus its bits, MicroPython {radio.look_us:g} us a poll, and the firmware pauses for
{radio.beat_us:g} us at every heartbeat: measured on an emulated Pico ([pico.md](../bench/results/pico.md)).

## Where it ends

{said}

{results}

A touch or slip that lasts longer than the zone above begins to count as a move, and it must: the piece did
stand there.

**The first run** found that spaces touched in counting, slips and slow slides counted as moves (455 in
2,607), because readers report a piece for two sweeps after it was lifted. We changed how long a piece must
stand (`companion/referee/settle.py`), not the table above.

**Many more evenings** (`make soak`) found a slip out of a low hover that counted once. Three times, the
next card was held back by a piece that two polls in a row had missed or read next door. Three times, a
space that was only passed counted as one where the piece had stood. So a piece must now stand longer where
it should not be, and a piece that is lost or read elsewhere for a blink has not left.

**Since then** those times follow from the sweep that the Pico reports: the time for hands, and two sweeps.
Over a Pico half as slow again as the emulated one, which is more than its flash's cache takes
([pico.md](pico.md)), 5,000 evenings invented one move: a piece touched its space in counting, low and for
long, and went on to the next. So a piece stands 0.05 s longer. With that, 10,000 evenings over such a Pico
(`make soak`, 444,971 moves) lost none, invented none, and held back no card.

**Hands that are half as clumsy again** are too much. A slip then rests for up to 0.7 s, which is in the
zone above. A hover comes down to 13 mm over the neighbouring space for up to 3 s, within the 18 mm that
readers reach: for any reader the piece stands there. Without those low hovers, and with readers that reach
as far as written down, 240 evenings with everything half as bad again lost none and invented none.

To settle an [assumed], use three readers and one piece: `companion doctor` records what they say while a
camera films the hand. Reach and misses come from its range test, at heights of 0 to 20 mm and every 5 mm
sideways.
"""


if __name__ == "__main__":
    main()
