"""The state of the hardware, worded for a viewer: for /hardware and `companion doctor --json`."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, field
from msgspec.structs import asdict

from companion import games
from companion.devices.health import PadHealth, RangeTest, SensorHealth, TrackHealth
from companion.devices.pi_health import PiHealth
from companion.devices.readings import PartIs
from companion.devices.uid_text import masked
from companion.diagnostics.doctor import Finding, findings, often_missed, switch_place, wiring
from companion.diagnostics.latency import Painted
from companion.firmware.rc522 import NO_ANSWER, VERSIONS
from companion.message import N_, Sentence
from companion.plugins import Plugin
from companion.reply import Count, Reply, Uid, one_of
from companion.store.dates import ClockState
from companion.tags.item import Item
from companion.tags.worded import thing
from companion.translate import Words

SensorState = Literal["ok", "missed", "fault", "silent", "unknown", "none"]


Grave = Annotated[
    str,
    one_of("dead", "ill", "hint"),
    Meta(description="A part does not work, works badly or may fail, or works."),
]
PartState = Annotated[str, one_of("ok", "tap", "lost")]


class FindingView(Reply):
    """A fault: the symptom, its likely cause, what to try, first things first.

    `spaces` count from 0 by reader.
    """

    part: Annotated[str, one_of("track", "pad", "panel", "pi", "plug-in", "clock", "screen")]
    grave: Grave
    spaces: list[Count]
    what: str
    cause: str
    try_next: Annotated[list[str], Meta(min_length=1)] = field(name="try")


class TagView(Reply):
    """A tag and the card or piece that it is on; `label` is its number where that is unknown.

    A card while a game goes on has no number either: it may have been laid for a secret decision.
    """

    uid: Uid | None
    kind: Annotated[str, one_of("card", "piece")] | None = None
    colour: str | None = None
    animal: str | None = None
    label: str


class SensorView(Reply):
    """The sensor under a space (from 0 by reader): its state in a word and for people, and what it senses.

    `lies`: the tags, or true if something is there; null: unknown. `changed_s`: seconds since that changed.
    """

    space: Count
    kind: Annotated[str, one_of("tag", "present", "none")]
    state: SensorState
    said: str
    fault: Annotated[str, one_of("silent", "group", "memory", "field", "weak", "chain")] | None
    version: str | None
    chip: str | None
    step_ma: float | None
    misses: int
    changed_s: float | None
    lies: list[TagView] | bool | None
    wires: str | None


class TrackView(Reply):
    """The Pico, the USB line to it (`wire`) and its readers; null where it has not reported."""

    state: PartState
    why: str | None
    wire: Annotated[str, one_of("ok", "absent", "no port", "silent", "refused", "no leave", "taken")]
    port: str | None
    firmware: str | None
    board: str | None
    started_by: Annotated[str, Meta(description="power, watchdog or soft.")] | None
    sensors: list[SensorView]
    power: Annotated[str, one_of("on", "off", "over")] | None
    sweep_ms: float | None
    celsius: float | None
    volts: float | None
    milliamperes: float | None
    lines: int
    hurt: int
    resyncs: int
    wire_text: str
    clones: list[Uid]


class PadView(Reply):
    """The card pad: `kind` spi on the Pi's pins, usb one that types, pcsc one of PC/SC, other a plug-in's.

    `device`: the name of a reader on USB; `at_tablet`: true if one at the tablet has typed. `typed`: the last
    text of a reader that types, with dots for its digits during a game. `chosen`: why this keyboard is the
    reader, and how to change it. `found`: the keyboards or readers of which it could be one.
    """

    kind: Annotated[str, one_of("spi", "usb", "pcsc", "other")]
    device: str | None
    at_tablet: bool
    state: PartState
    why: str | None
    library: str | None
    version: str | None
    chip: str | None
    polls: int
    misses: int
    restarts: int
    changed_s: float | None
    lies: list[TagView]
    typed: str | None
    chosen: str | None
    found: list[str]


class PartView(Reply):
    """The state of a part, and the reason."""

    state: PartState
    why: str | None


class PiView(Reply):
    """The Raspberry Pi's report on itself; null where it does not report."""

    model: str | None
    undervoltage: bool | None
    undervoltage_since_start: bool | None
    slowed: bool | None
    celsius: float | None
    spi: Annotated[str, one_of("ok", "off", "no leave")] | None


class PartsView(Reply):
    """The state of every part, and all faults, worst first; null: there is no such part, or this is no Pi."""

    findings: list[FindingView]
    track: TrackView | None
    pad: PadView | None
    panel: PartView | None
    pi: PiView | None


class TagRead(TagView):
    """A tag and how often it was read."""

    n: int


class RangeView(Reply):
    """How often a reader saw each tag in so many polls; `torn` found something unreadable."""

    at: str
    polls: int
    hits: list[TagRead]
    torn: int
    power: int | None
    fault: str | None


class LatencyView(Reply):
    """The last latencies from a sensor's message to its effect on the screen in ms, the newest last.

    Measured by the host's clock until the table page reports that it has drawn the effect, way back included.
    """

    ms: Annotated[list[float], Meta(max_length=200)]
    median: float | None
    p95: float | None


class Names(NamedTuple):
    """The names of the tags for a viewer. `tags` is the meaning of the known ones.

    `secret`: no card is named, since one may have been laid for a secret decision.
    """

    words: Words
    tags: Mapping[str, str]
    secret: bool = False

    def of(self, uid: str) -> TagView:
        """Return a tag and the card or piece that it is on."""
        with suppress(ValueError):  # a box that this companion no longer knows
            if uid in self.tags:
                item = Item.of(self.tags[uid])
                if self.secret and item.kind == "card":
                    return TagView(uid=None, kind="card", label=self.words(_A_CARD))
                game = games.find_by_name(item.game)
                known = thing(self.tags[uid], game, self.words)
                return TagView(
                    uid=uid, kind=known.kind, colour=known.colour, label=known.label, animal=game.animal
                )
        return TagView(uid=uid, label=uid)


def hardware(
    track: TrackHealth | None,
    pad: PadHealth | None,
    panel: PartIs | None,
    pi: PiHealth | None,
    names: Names,
    plugins: Iterable[Plugin[Any]] = (),
    clock: ClockState = "set",
    screens: Iterable[Finding] = (),
) -> PartsView:
    """Return the state of every part, and all faults, worst first: of the parts, plug-ins and the clock.

    `screens`: what the pages have reported; last, for the game goes on.
    """
    words = names.words
    if names.secret and pad is not None:
        pad = pad._replace(typed=pad.typed and masked(pad.typed), unread=pad.unread and _masked(pad.unread))
    found = (*findings(track, pad, panel, pi, plugins, clock), *screens)
    return PartsView(
        findings=[finding_view(one, words) for one in found],
        track=None if track is None else _track(track, names),
        pad=None if pad is None else _pad(pad, names),
        panel=None if panel is None else PartView(state=panel.state, why=_why(panel.why, words)),
        pi=None if pi is None else PiView(**pi._asdict()),
    )


def finding_view(finding: Finding, words: Words) -> FindingView:
    """Return a fault in the words of a viewer."""
    return FindingView(
        part=finding.part,
        grave=finding.grave,
        spaces=list(finding.spaces),
        what=capital(words.text(finding.what)),
        cause=capital(words.text(finding.cause)),
        try_next=[capital(words.text(one)) for one in finding.try_next],
    )


def _track(track: TrackHealth, names: Names) -> TrackView:
    words = names.words
    fields = {name: value for name, value in track._asdict().items() if name not in ("shared", "ports")}
    return TrackView(
        **{
            **fields,
            "why": _why(track.why, words),
            "wire_text": words(_WIRE[track.wire]),
            "sensors": [_sensor(sensor, track, names) for sensor in track.sensors],
            "clones": sorted(track.clones),
        }
    )


def _sensor(sensor: SensorHealth, track: TrackHealth, names: Names) -> SensorView:
    words = names.words
    state = state_of(sensor, track)
    version, chip = _chip(sensor.version, words)
    return SensorView(
        space=sensor.space,
        kind=sensor.kind,
        state=state,
        said=words(_FAULT[sensor.fault] if sensor.fault else _STATE[state]),
        fault=sensor.fault,
        version=version,
        chip=chip,
        step_ma=sensor.step_ma,
        misses=sensor.misses,
        changed_s=_ago(sensor.changed),
        lies=_reading(sensor.lies, names),
        wires=_wires(sensor, words),
    )


def state_of(sensor: SensorHealth, track: TrackHealth) -> SensorState:
    """Return the state of a sensor in one word, as the drawing of the track shows it."""
    if sensor.kind == "none":
        return "none"
    if sensor.fault in ("silent", "group", "chain"):
        return "silent"
    if sensor.fault is not None:
        return "fault"
    if track.wire != "ok" or sensor.lies is None:
        return "unknown"
    return "missed" if often_missed(sensor, track) else "ok"


def _wires(sensor: SensorHealth, words: Words) -> str | None:
    if sensor.kind == "none":
        return None
    if sensor.kind == "present":
        chip, pin = switch_place(sensor.space)
        return words.text(Sentence(_SWITCH_WIRE, {"number": chip, "pin": pin}))
    at = wiring(sensor.space)
    said = {"enable": at.enable, "master": at.master_pin, "select": at.select_pin, "miso": at.miso_pin}
    return words.text(Sentence(_WIRES, said))


def _pad(pad: PadHealth, names: Names) -> PadView:
    words = names.words
    version, chip = _chip(pad.version, words)
    return PadView(
        kind=pad.kind,
        device=pad.device,
        at_tablet=pad.at_tablet,
        state=pad.state,
        why=_why(pad.why, words),
        library=pad.library,
        version=version,
        chip=chip,
        polls=pad.polls,
        misses=pad.misses,
        restarts=pad.restarts,
        changed_s=_ago(pad.changed),
        lies=_tags(pad.lies, names),
        typed=pad.typed,
        chosen=_why(pad.chosen, words),
        found=list(pad.found),
    )


def _chip(version: int | None, words: Words) -> tuple[str | None, str | None]:
    """Return VersionReg in hex, and the name of the chip that has it."""
    if version is None or version in NO_ANSWER:
        return None, None
    name = VERSIONS.get(version, "counterfeit")
    return f"{version:02X}", words(_COPY) if name == "counterfeit" else name


def _ago(at: float | None) -> float | None:
    return None if at is None else round(max(0.0, time.monotonic() - at), 1)


def _masked(why: Sentence) -> Sentence:
    """Return why a text is no tag's number without the digits of that text."""
    values = {
        name: _masked(value) if isinstance(value, Sentence) else masked(value) if name == "text" else value
        for name, value in why.values.items()
    }
    return why._replace(values=values)


def _why(why: Sentence | None, words: Words) -> str | None:
    return None if why is None else capital(words.text(why))


def _reading(sensed: Collection[str] | bool | None, names: Names) -> list[TagView] | bool | None:
    """Return the tags that a sensor reads, or True if a switch senses something."""
    return sensed if sensed is None or isinstance(sensed, bool) else _tags(sensed, names)


def _tags(uids: Collection[str], names: Names) -> list[TagView]:
    return [names.of(uid) for uid in sorted(uids)]


def range_test(result: RangeTest, names: Names) -> RangeView:
    """Return how often each tag was seen."""
    return RangeView(
        at=result.at,
        polls=result.polls,
        hits=[TagRead(**asdict(names.of(uid)), n=n) for uid, n in sorted(result.hits.items())],
        torn=result.torn,
        power=result.power,
        fault=None if result.fault is None else capital(names.words(_FAULT[result.fault])),
    )


def latency(painted: Sequence[Painted]) -> LatencyView:
    """Return the last times from sensor to screen in ms, the newest last, with their median and 95 %
    quantile.
    """
    times = [round(one.ms, 1) for one in painted]
    return LatencyView(ms=times, median=quantile(times, 0.5), p95=quantile(times, 0.95))


def quantile(times: Iterable[float], part: float) -> float | None:
    """Return the smallest of the times that at least this part of them does not exceed; None if there are
    none.

    >>> quantile([30.0, 10.0, 20.0], 0.5), quantile([], 0.5)
    (20.0, None)
    """
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else None


def capital(text: str) -> str:
    """Return a sentence with a capital letter."""
    return text[:1].upper() + text[1:]


_A_CARD = N_("a card")
_COPY = N_("a copy")
_WIRES = N_(
    "group enabled by {enable} (master 74HC138 pin {master}); chip select: pin {select} of its 74HC138; "
    "MISO: pin {miso} of its 74HC251"
)
_SWITCH_WIRE = N_("pin {pin} of the 74HC165 that is number {number} from the Pico")
_FAULT = {
    "silent": N_("answers nothing"),
    "group": N_("its whole group answers nothing"),
    "memory": N_("forgets what is written into it"),
    "field": N_("its antenna draws no current"),
    "weak": N_("fails when its field comes on"),
    "chain": N_("cannot be read"),
}
SIGNS: Mapping[SensorState, str] = {
    "ok": N_("works"),
    "missed": N_("often misses"),
    "fault": N_("works badly"),
    "silent": N_("answers nothing"),
    "unknown": N_("not known"),
    "none": N_("no sensor"),
}
_STATE = {
    "ok": N_("works"),
    "missed": N_("misses what lies there"),
    "unknown": N_("not known"),
    "none": N_("nothing senses this space"),
    "silent": N_("answers nothing"),
    "fault": N_("works badly"),
}
_WIRE = {
    "ok": N_("connected"),
    "absent": N_("not plugged in"),
    "no port": N_("there is no such port"),
    "silent": N_("says nothing"),
    "refused": N_("another protocol"),
    "no leave": N_("may not be opened"),
    "taken": N_("taken by another program"),
}
