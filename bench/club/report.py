"""The measurements as the page docs/scale.md has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from bench.club.measures import Used
from bench.report import percentile, table

PAGE: Final = Path(__file__).parents[2] / "docs" / "scale.md"
BEGINS, ENDS = "<!-- measured -->\n", "<!-- so far -->\n"
EVENING_H: Final = 4


class Size(NamedTuple):
    """So many tables and watchers, measured for so many seconds once all are there."""

    tables: int
    watchers: int
    seconds: float


class Measured(NamedTuple):
    """The measurements of a size.

    `published`: events in the time that was measured; `missing`: of all events, those the database has not.
    `rows`, `pages`: lags in s, until the database had it, until a watcher's page had it; `unseen`: pages that
    did not come. `idle`, `before`, `after`: each program without tables, and around the measurement.
    `stored`: of the database's tables the rows and bytes after `all_published` events. `troubles`: the ended
    programs, and the seconds until each was there again.
    """

    size: Size
    published: int
    all_published: int
    missing: int
    gaps: int
    rows: list[float]
    pages: list[float]
    unseen: int
    broken: int
    idle: Mapping[str, Used]
    before: Mapping[str, Used]
    after: Mapping[str, Used]
    span: float
    stored: Mapping[str, tuple[int, int]]
    troubles: Mapping[str, float]


def name(size: Size) -> str:
    """Return a column's head."""
    return f"{size.tables:,} tables, {size.watchers:,} watchers"


def summary(found: Sequence[Measured], period: float) -> str:
    """Return a table with a column for each size."""
    row = _bytes(max(found, key=lambda one: one.all_published))
    lines: list[list[object]] = [
        ["events taken in a second", *(f"{one.published / one.span:.1f}" for one in found)],
        ["missing of all events", *(f"{one.missing:,} of {one.all_published:,}" for one in found)],
        ["until the database has it, ms: half", *(_ms(one.rows, 50) for one in found)],
        ["until the database has it, ms: 99 %", *(_ms(one.rows, 99) for one in found)],
        ["until a watcher's page has it, ms: half", *(_ms(one.pages, 50) for one in found)],
        ["until a watcher's page has it, ms: 99 %", *(_ms(one.pages, 99) for one in found)],
        ["pages that did not come", *(f"{one.unseen:,} of {len(one.pages) + one.unseen:,}" for one in found)],
    ]
    for who in found[0].after:
        lines.append([f"{who}: memory, MB", *(f"{one.after[who].mb:.0f}" for one in found)])
        lines.append(
            [
                f"{who}: of a core",
                *(f"{100 * (one.after[who].cpu - one.before[who].cpu) / one.span:.1f} %" for one in found),
            ]
        )
    lines += [
        ["memory a table, kB (all programs)", *(_each(one, one.size.tables) for one in found)],
        ["nginx: memory a watcher, kB", *(_each_watcher(one, found) for one in found)],
        ["rows an evening", *(f"{_evening(one, period):,.0f}" for one in found)],
        ["MB an evening", *(f"{_evening(one, period) * row / 1e6:,.0f}" for one in found)],
    ]
    return table(["", *(name(one.size) for one in found)], lines)


def troubles(one: Measured) -> str:
    """Return the results of ending each program once."""
    said = ", ".join(f"{who} there again after {took:.1f} s" for who, took in one.troubles.items())
    lags = f"events had to wait {max(one.rows):.1f} s at most" if one.rows else ""
    return (
        f"At {name(one.size)}, broker ended and started, hub and database killed with SIGKILL, while tables "
        f"play on: {said}; {one.missing} of {one.all_published:,} events missing, {one.gaps} gaps, {lags}."
    )


def into_page(text: str) -> None:
    """Put the text where the page has its measurements."""
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGINS)
    _, _, after = rest.partition(ENDS)
    PAGE.write_text(f"{before}{BEGINS}\n{text}\n\n{ENDS}{after}", "utf-8")


def _ms(lags: Sequence[float], percent: int) -> str:
    return f"{1000 * percentile(lags, percent):.0f}" if len(lags) > 1 else ""


def _each(one: Measured, count: int) -> str:
    more = sum(one.after[who].mb - one.idle[who].mb for who in one.after)
    return f"{1024 * more / count:.0f}"


def _each_watcher(one: Measured, found: Sequence[Measured]) -> str:
    """Return the cost of each watcher against a size of as many tables without watchers; "" if
    there is none.
    """
    for other in found:
        if one.size.watchers and (other.size.tables, other.size.watchers) == (one.size.tables, 0):
            return f"{1024 * (one.after['nginx'].mb - other.after['nginx'].mb) / one.size.watchers:.1f}"
    return ""


def _evening(one: Measured, period: float) -> float:
    """Return the rows of an evening's events."""
    return one.size.tables * EVENING_H * 3600 / period


def _bytes(one: Measured) -> float:
    """Return the bytes of a row of events with its indexes, and its part of the game's record."""
    size = sum(one.stored[what][1] for what in ("events", "games", "results"))
    return size / max(one.stored["events"][0], 1)
