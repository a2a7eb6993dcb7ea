"""How the hardware is, worded for a viewer: what /hardware draws and `companion doctor --json` prints."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from companion import games
from companion.devices.health import PadHealth, RangeTest, SensorHealth, TrackHealth
from companion.devices.pi_health import PiHealth
from companion.devices.readings import PartIs
from companion.diagnostics.doctor import Finding, findings, often_missed, place, switch_place
from companion.diagnostics.latency import Painted
from companion.firmware.rc522 import NOBODY, VERSIONS
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.tags.item import Item
from companion.tags.worded import thing
from companion.translate import Words

SensorState = Literal["ok", "missed", "fault", "silent", "unknown", "none"]


class Names(NamedTuple):
    """What the tags are called for a viewer. `tags` is what the known ones mean.

    `secret`: no card is named, since one may have been laid for a secret decision.
    """

    words: Words
    tags: Mapping[str, str]
    secret: bool = False

    def of(self, uid: str) -> dict[str, Any]:
        """A tag and the card or piece that it is on; `label` is its number where nobody knows that."""
        nothing = {"uid": uid, "kind": None, "colour": None, "animal": None, "label": uid}
        with suppress(ValueError):  # a box that this companion does not know any more
            if uid in self.tags:
                item = Item.of(self.tags[uid])
                if self.secret and item.kind == "card":
                    return nothing | {"uid": None, "kind": "card", "label": self.words(_A_CARD)}
                game = games.find_by_name(item.game)
                known = thing(self.tags[uid], game, self.words)
                named = {key: known[key] for key in ("kind", "colour", "label")}
                return nothing | named | {"animal": game.animal}
        return nothing


def hardware(
    track: TrackHealth | None,
    pad: PadHealth | None,
    panel: PartIs | None,
    pi: PiHealth | None,
    names: Names,
) -> dict[str, Any]:
    """Every part as it is, and what is wrong with it, worst first."""
    words = names.words
    return {
        "findings": [_finding(found, words) for found in findings(track, pad, panel, pi)],
        "track": None if track is None else _track(track, names),
        "pad": None if pad is None else _pad(pad, names),
        "panel": None if panel is None else {"state": panel.state, "why": _why(panel.why, words)},
        "pi": None if pi is None else pi._asdict(),
    }


def course(match: Match | None) -> dict[str, Any] | None:
    """What is printed on the track, and what the space over its first sensor is called; None: no game."""
    if match is None:
        return None
    race = match.race.seen_by(None)
    printed = {key: value for key, value in race.track().items() if key in _PRINTED}
    return printed | {"first": race.first_space}


_PRINTED = ("kind", "spaces", "behind", "natural", "sand")


def _finding(found: Finding, words: Words) -> dict[str, Any]:
    return {
        "part": found.part,
        "grave": found.grave,
        "spaces": list(found.spaces),
        "what": capital(words.text(found.what)),
        "cause": capital(words.text(found.cause)),
        "try": [capital(words.text(one)) for one in found.try_next],
    }


def _track(track: TrackHealth, names: Names) -> dict[str, Any]:
    words = names.words
    return {
        **{name: value for name, value in track._asdict().items() if name != "shared"},
        "why": _why(track.why, words),
        "wire_text": words(_WIRE[track.wire]),
        "sensors": [_sensor(sensor, track, names) for sensor in track.sensors],
        "clones": sorted(track.clones),
    }


def _sensor(sensor: SensorHealth, track: TrackHealth, names: Names) -> dict[str, Any]:
    words = names.words
    state = state_of(sensor, track)
    return {
        "space": sensor.space,
        "kind": sensor.kind,
        "state": state,
        "said": words(_FAULT[sensor.fault] if sensor.fault else _STATE[state]),
        "fault": sensor.fault,
        **_chip(sensor.version, words),
        "step_ma": sensor.step_ma,
        "misses": sensor.misses,
        "changed_s": _ago(sensor.changed),
        "lies": _lies(sensor.lies, names),
        "wires": _wires(sensor, words),
    }


def state_of(sensor: SensorHealth, track: TrackHealth) -> SensorState:
    """A sensor in one word, as the picture of the track shows it."""
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
    at = place(sensor.space)
    said = {"enable": at.enable, "master": at.master_pin, "select": at.select_pin, "miso": at.miso_pin}
    return words.text(Sentence(_WIRES, said))


def _pad(pad: PadHealth, names: Names) -> dict[str, Any]:
    words = names.words
    return {
        "state": pad.state,
        "why": _why(pad.why, words),
        "library": pad.library,
        **_chip(pad.version, words),
        "polls": pad.polls,
        "misses": pad.misses,
        "restarts": pad.restarts,
        "changed_s": _ago(pad.changed),
        "lies": _lies(pad.lies, names),
    }


def _chip(version: int | None, words: Words) -> dict[str, Any]:
    """VersionReg in hex, and the name of the chip that has it."""
    if version is None or version in NOBODY:
        return {"version": None, "chip": None}
    name = VERSIONS.get(version, "counterfeit")
    return {"version": f"{version:02X}", "chip": words(_COPY) if name == "counterfeit" else name}


def _ago(at: float | None) -> float | None:
    return None if at is None else round(max(0.0, time.monotonic() - at), 1)


def _why(why: Sentence | None, words: Words) -> str | None:
    return None if why is None else capital(words.text(why))


def _lies(lies: Collection[str] | bool | None, names: Names) -> Any:
    """What lies there: tags, or whether anything does."""
    if lies is None or isinstance(lies, bool):
        return lies
    return [names.of(uid) for uid in sorted(lies)]


def range_test(result: RangeTest, names: Names) -> dict[str, Any]:
    """How often each tag was seen."""
    return {
        **result._asdict(),
        "hits": [{**names.of(uid), "n": n} for uid, n in sorted(result.hits.items())],
        "fault": None if result.fault is None else capital(names.words(_FAULT[result.fault])),
    }


def latency(painted: Sequence[Painted]) -> dict[str, Any]:
    """The last times from sensor to screen in ms, the newest last, with their middle and their 95 %."""
    times = [round(one.ms, 1) for one in painted]
    return {"ms": times, "median": quantile(times, 0.5), "p95": quantile(times, 0.95)}


def quantile(times: Iterable[float], part: float) -> float | None:
    """The smallest of the times that at least this part of them does not exceed; None if there are none.

    >>> quantile([30.0, 10.0, 20.0], 0.5), quantile([], 0.5)
    (20.0, None)
    """
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else None


def capital(text: str) -> str:
    """A sentence as it begins."""
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
    "silent": N_("says nothing"),
    "refused": N_("another protocol"),
    "no leave": N_("may not be opened"),
    "taken": N_("taken by another program"),
}
