"""The output of `companion doctor`: the track with every sensor, the other parts, and advice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Rows
from rich.text import Text

from companion.diagnostics.overview import FindingView, PartsView, SensorView, TagView, TrackView, capital
from companion.message import N_, Sentence
from companion.translate import Words

GROUP: Final = 8
SIGNS: Final = {  # a sign and a colour: not everybody sees colours, and not every terminal has them
    "ok": (" ", "green"),
    "missed": ("~", "yellow"),
    "fault": ("!", "red"),
    "silent": ("x", "red"),
    "unknown": ("?", "dim"),
    "none": ("-", "dim"),
}
GRAVE: Final = {"dead": "bold red", "ill": "red", "hint": "yellow"}


def report(view: PartsView, words: Words, mock: bool = False) -> RenderableType:
    """Return the whole report for a terminal; `view` is as companion/diagnostics/overview.py has it, in
    these words.
    """
    return Group(*_state_text(view, words, mock))


def _state_text(view: PartsView, words: Words, mock: bool) -> Iterator[RenderableType]:
    if mock:
        yield Text(words(N_("MOCK hardware: this says nothing about real parts")), "bold yellow")
    if view.track:
        yield _drawing(view.track.sensors)
        yield Text("  ".join(f"[{sign}] {words(name)}" for name, (sign, _) in _NAMED.items()), "dim")
        yield Text(words(N_("o: something lies there")) + "\n", "dim")
    parts = Rows.grid(padding=(0, 2))
    for name, said in _parts(view, words):
        parts.add_row(words(name), Text(said))
    if not parts.row_count:
        yield Text(words(_BARE))
        if not view.findings:  # broken plug-ins are known without any hardware
            return
    else:
        yield parts
    yield Text()
    yield from _findings(view.findings, words)


def _drawing(sensors: list[SensorView]) -> RenderableType:
    """Return the spaces in rows of a group, eight to a row, as they are wired."""
    rows = Rows.grid(padding=(0, 1))
    for first in range(0, len(sensors), GROUP):
        cells = [_cell(sensor) for sensor in sensors[first : first + GROUP]]
        rows.add_row(f"EN{first // GROUP}" if sensors[0].kind == "tag" else "", *cells)
    return rows


def _cell(sensor: SensorView) -> Text:
    sign, style = SIGNS[sensor.state]
    lies = "o" if sensor.lies else " "
    return Text(f"[{sensor.space:>2}{lies}{sign}]", style)


def _parts(view: PartsView, words: Words) -> Iterator[tuple[str, str]]:
    track, pad, panel, pi = view.track, view.pad, view.panel, view.pi
    if track:
        yield N_("track"), _track(track, words)
    if pad:
        yield (
            N_("card pad"),
            _joined(
                words(_STATE[pad.state]),
                pad.chip or pad.device or ", ".join(pad.found),
                pad.at_tablet and words(_AT_TABLET),
                pad.library,
                _reading(pad.lies, words),
            ),
        )
        if pad.typed is not None:
            yield N_("typed last"), pad.typed
        if pad.chosen is not None:
            yield N_("why this reader"), pad.chosen
    if panel:
        yield N_("panel"), _joined(words(_STATE[panel.state]), panel.why)
    if pi and (track or pad or panel):
        yield N_("Pi"), _joined(pi.model, _unit(pi.celsius, "°C"))


def _track(track: TrackView, words: Words) -> str:
    power = track.power and words(_SUPPLY[track.power])
    look = Sentence(N_("a look takes {ms} ms"), {"ms": track.sweep_ms})
    figures = (
        _unit(track.volts, "V"),
        _unit(track.milliamperes, "mA"),
        _unit(track.celsius, "°C"),
        track.sweep_ms is not None and words.text(look),
    )
    return _joined(track.wire_text, track.port, track.board, track.firmware, power, *figures)


def _joined(*parts: str | bool | None) -> str:
    return ", ".join(str(one) for one in parts if one)


def _unit(value: float | None, name: str) -> str | None:
    return None if value is None else f"{value} {name}"


def _reading(tags: list[TagView], words: Words) -> str | None:
    there = Sentence(N_("there: {tags}"), {"tags": ", ".join(tag.label for tag in tags)})
    return words.text(there) if tags else None


def _findings(findings: list[FindingView], words: Words) -> Iterator[RenderableType]:
    if not findings:
        yield Text(words(N_("Everything that can be looked at works.")), "bold green")
    for found in findings:
        yield Text(f"{found.what}.", GRAVE[found.grave])
        yield Padding(
            Text(words.text(Sentence(N_("Likely cause: {cause}."), {"cause": found.cause}))), (0, 0, 0, 2)
        )
        for number, one in enumerate(found.try_next, 1):
            yield Padding(Text(f"{number}. {capital(one)}."), (0, 0, 0, 2))
        yield Text()


_BARE = N_("this table has no hardware: name pad, panel and [track] in companion.toml")
_AT_TABLET = N_("a reader at the tablet")
_STATE = {"ok": N_("works"), "tap": N_("does not answer"), "lost": N_("is lost")}
_SUPPLY = {"on": N_("supply on"), "off": N_("supply off"), "over": N_("supply over")}
_NAMED = {
    N_("works"): SIGNS["ok"],
    N_("misses"): SIGNS["missed"],
    N_("works badly"): SIGNS["fault"],
    N_("answers nothing"): SIGNS["silent"],
    N_("not known"): SIGNS["unknown"],
}
