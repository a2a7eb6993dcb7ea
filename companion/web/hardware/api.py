"""The hardware over HTTP: the state of every part, tests of it, bench figures, and the recorder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import msgspec
from flask import Blueprint, Response, current_app, render_template

from companion import __version__
from companion.devices.health import RangeTest
from companion.devices.panel import LIGHTS
from companion.devices.tunes import TUNES
from companion.devices.usb import UsbPad
from companion.diagnostics import overview
from companion.diagnostics.figures import FIGURES, MOST, Figure, as_csv, as_text
from companion.diagnostics.instruments import Instruments
from companion.diagnostics.overview import LatencyView, PartsView, RangeView
from companion.diagnostics.plugged import broken
from companion.errors import ConflictError, InvalidInput, NotFoundError, validation_error
from companion.http.request import Body, Empty, OnOff, Seq, as_json, body, done, entry, table, words
from companion.http.roles import needs
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.reply import Done, Reply
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.views.course.drawn import CourseView, course_of

hardware_api = Blueprint("hardware_api", __name__, url_prefix="/api")

MOST_POLLS = 500  # half a minute at a reader, for which the page waits


class Test(msgspec.Struct, forbid_unknown_fields=True):
    """A test: `lamp` shows a colour, `buzzer` plays a tune, `range` polls the reader `at` for a tag."""

    __test__ = False  # pytest would take it for a test of ours

    what: str
    colour: str | None = None
    tune: str | None = None
    at: str | None = None
    polls: int = 50
    power: int | None = None


class TypedText(Body):
    """The text that a reader has typed, without the Enter at its end."""

    text: str


class NewFigure(msgspec.Struct, forbid_unknown_fields=True):
    """A measurement: the object, its place, and how often it was seen."""

    what: str
    at: str
    polls: int
    hits: int
    height_mm: float | None = None
    offset_mm: float | None = None
    torn: int = 0
    power: int | None = None
    chip: str | None = None
    note: str = ""


class RecorderView(Reply):
    """The recording in progress, or the last one; `why` nothing is written although it was switched on."""

    on: bool
    file: str | None
    why: str | None


class HardwareView(PartsView):
    """The state of every part, the findings, and the measurements; `mock`: all of it is modelled.

    `course`: the print of the track for the game on the table; null without a game.
    """

    mock: bool
    course: CourseView | None
    latency: LatencyView
    recorder: RecorderView | None
    figures: list[Figure]


class Ranged(Done):
    """The test is done; the reader's result, if it was one of a reader."""

    range: RangeView | None


class Figures(Done):
    """Done; all bench figures now."""

    figures: list[Figure]


class Recording(Done):
    """The recorder after it was switched on or off."""

    recorder: RecorderView | None


def hardware_page() -> str:
    """Return the page for the person in charge of the hardware."""
    colours = [(colour, words()(name)) for colour, name in _COLOURS.items()]
    tunes = [(tune, words()(name)) for tune, name in _TUNES.items()]
    signs = [(state, words()(name)) for state, name in overview.SIGNS.items()]
    return render_template("hardware/hardware.html", colours=colours, tunes=tunes, signs=signs)


@hardware_api.get("/hardware")
@needs("host")
@as_json
def get_hardware() -> HardwareView:
    """Return the state of every part, the findings, and the measurements."""
    parts, picture = _all_parts(), table().snapshot
    return HardwareView(
        findings=parts.findings,
        track=parts.track,
        pad=parts.pad,
        panel=parts.panel,
        pi=parts.pi,
        mock=picture.mock,
        course=_course(picture.match),
        latency=overview.latency(instruments().latency.painted),
        recorder=_recorder(),
        figures=_figures(),
    )


def _course(match: Match | None) -> CourseView | None:
    """Return the print of the track, and the number of the space over its first sensor."""
    if match is None:
        return None
    race = match.race.seen_by(None)
    return course_of(race.track(), only=_PRINTED, first=race.first_space)


_PRINTED = ("kind", "spaces", "behind", "natural", "sand")


def _all_parts() -> PartsView:
    parts, picture = _parts(), table().snapshot
    track = parts["track"].health if "track" in parts else None
    pad = parts["pad"].health if "pad" in parts else None
    panel = (picture.parts or {}).get("panel") if "panel" in parts else None
    pi, clock = instruments().pi.health, table().journal.dates.state
    screens = instruments().screens.findings()
    return overview.hardware(track, pad, panel, pi, _names(picture), broken(), clock, screens)


def _names(picture: Snapshot) -> overview.Names:
    """Return the names of tags, secret during a game: the page is usually open on a player's device."""
    goes_on = picture.match is not None and not picture.match.finished
    return overview.Names(words(), picture.tags, secret=goes_on)


def instruments() -> Instruments:
    """Return the instruments that measure the parts."""
    instruments: Instruments = current_app.extensions["companion.instruments"]
    return instruments


def _parts() -> Mapping[str, Any]:
    parts: Mapping[str, Any] = current_app.extensions["companion.parts"]
    return parts


def _part(name: str) -> Any:
    """Return a part of this table; NotFoundError if it has none."""
    if name not in _parts():
        raise NotFoundError("absent", Sentence(_ABSENT[name]))
    return _parts()[name]


@hardware_api.post("/hardware/test")
@needs("host")
@as_json
def post_test() -> Ranged:
    """Light the lamp, play a tune, or poll one reader as often as asked."""
    asked = body(Test)
    match asked.what:
        case "lamp":
            if asked.colour not in LIGHTS:
                raise InvalidInput(f"colour must be one of {', '.join(LIGHTS)}")
            _part("panel").lamp(asked.colour)
        case "buzzer":
            if asked.tune not in TUNES:
                raise InvalidInput(f"tune must be one of {', '.join(TUNES)}")
            _part("panel").beep(asked.tune)
        case "range":
            result = _run_range_test(asked)
            return Ranged(seq=entry(), range=overview.range_test(result, _names(table().snapshot)))
        case _:
            raise InvalidInput("what must be lamp, buzzer or range")
    return Ranged(seq=entry(), range=None)


def _run_range_test(order: Test) -> RangeTest:
    if not 1 <= order.polls <= MOST_POLLS:
        raise InvalidInput(f"polls must be 1 to {MOST_POLLS}")
    if order.power is not None and not 0 <= order.power <= 63:
        raise InvalidInput("power must be 0 to 63")
    run = _reader_test(order)
    testing = instruments().testing
    if not testing.acquire(blocking=False):
        raise ConflictError("busy", Sentence(_BUSY))
    try:
        return run()
    except TimeoutError as error:
        raise ConflictError("silent", _error_sentence(error)) from None
    finally:
        testing.release()


def _reader_test(test: Test) -> Callable[[], RangeTest]:
    """Return the test of the reader that is named by `at`."""
    zone, _, number = (test.at or "").partition("/")
    if zone == "pad" and not number:
        pad = _part("pad")
        return lambda: pad.range_test(polls=test.polls)
    if zone != "track" or not (number.isascii() and number.isdecimal()):
        raise InvalidInput("at must be pad or track/N")
    track, space = _part("track"), int(number[:4])
    if space not in {sensor.space for sensor in track.health.sensors if sensor.kind == "tag"}:
        raise NotFoundError("absent", Sentence(_NO_READER, {"number": space}))
    return lambda: track.range_test(space, polls=test.polls, power=test.power)


def _error_sentence(error: TimeoutError) -> Sentence:
    """Return the sentence with which a part reports that it did not answer."""
    reason = error.args[0] if error.args else Sentence(_NO_ANSWER)
    return reason if isinstance(reason, Sentence) else Sentence("{text}", {"text": str(reason)})


@hardware_api.post("/hardware/restart")
@needs("host")
@as_json
def post_restart() -> Done:
    """Reset all readers of the track and test them; also after too much current."""
    body(Empty)
    try:
        _part("track").restart()
    except TimeoutError as error:
        raise ConflictError("silent", _error_sentence(error)) from None
    return done()


# --- bench figures -------------------------------------------------------------------------------


@hardware_api.post("/hardware/figures")
@needs("host")
@as_json
def post_figures() -> Figures:
    """Store a figure."""
    figure = _checked(body(NewFigure))
    figures = table().ask(lambda t: _store_figure(t, figure))
    return Figures(seq=entry(), figures=figures)


def _store_figure(table: Table, figure: Figure) -> list[Figure]:
    figures = [*table.journal.recall(FIGURES), figure][-MOST:]
    table.journal.remember(FIGURES, figures)
    return figures


def _checked(figure: NewFigure) -> Figure:
    if figure.what not in ("card", "sleeve", "piece", "tag"):
        raise InvalidInput("what must be card, sleeve, piece or tag")
    if (
        not 0 <= figure.hits <= figure.polls
        or not 1 <= figure.polls <= MOST_POLLS
        or not 0 <= figure.torn <= figure.polls
    ):
        raise InvalidInput(f"hits and torn are at most polls, and polls at most {MOST_POLLS}")
    for millimetres in (figure.height_mm, figure.offset_mm):
        if millimetres is not None and not 0 <= millimetres <= 1000:
            raise validation_error(N_("a height or an offset is 0 to 1000 mm"))
    if figure.power is not None and not 0 <= figure.power <= 63:
        raise InvalidInput("power must be 0 to 63")
    if max(len(figure.note), len(figure.at), len(figure.chip or "")) > 200:
        raise validation_error(N_("a note has at most 200 characters"))
    when = datetime.now().astimezone().isoformat("T", "seconds")
    return Figure(when=when, **msgspec.structs.asdict(figure), mock=table().snapshot.mock)


def _figures() -> list[Figure]:
    return table().ask(lambda t: t.journal.recall(FIGURES))


@hardware_api.delete("/hardware/figures")
@needs("host")
@as_json
def delete_figures() -> Figures:
    """Delete all figures."""
    body(Empty)
    table().ask(lambda t: t.journal.remember(FIGURES, []))
    return Figures(seq=entry(), figures=[])


@hardware_api.get("/hardware/figures.csv")
@needs("host")
def get_figures_csv() -> Response:
    """Return all figures for a spreadsheet."""
    headers = {"Content-Disposition": 'attachment; filename="figures.csv"'}
    return Response(as_csv(_figures()), mimetype="text/csv", headers=headers)


@hardware_api.get("/hardware/figures.txt")
@needs("host")
def get_figures_txt() -> Response:
    """Return all figures to paste into a report."""
    return Response(as_text(_figures(), __version__, _facts()), mimetype="text/plain")


def _facts() -> list[tuple[str, str]]:
    """Return facts on the machine for the reader of a report, in English like all of it."""
    now = _all_parts()
    track, pad, pi = now.track, now.pad, now.pi
    facts = {
        "Pi": pi and pi.model,
        "pad": pad and " ".join(filter(None, (pad.chip or pad.device, pad.library))),
        "Pico": track and " ".join(filter(None, (track.board, track.firmware))),
        "readers": track and len(track.sensors),
        "track volts": track and track.volts,
    }
    return [(name, str(value)) for name, value in facts.items() if value]


# --- recorder and stopwatch ----------------------------------------------------------------------


@hardware_api.post("/hardware/recorder")
@needs("host")
@as_json
def post_recorder() -> Recording:
    """Start or stop recording the sensors' reports."""
    on = body(OnOff).on
    recorder = instruments().recorder
    if recorder is None:
        raise NotFoundError("absent", Sentence(_NO_RECORDER))
    if on:
        recorder.start()
        if recorder.why is not None:
            raise ConflictError("not-written", Sentence(_NOT_RECORDED, {"text": recorder.why}))
    else:
        recorder.stop()
    return Recording(seq=entry(), recorder=_recorder())


def _recorder() -> RecorderView | None:
    recorder = instruments().recorder
    if recorder is None:
        return None
    file = str(recorder.path) if recorder.path else None
    return RecorderView(on=recorder.on, file=file, why=recorder.why)


@hardware_api.post("/pad/typed")
@needs("table")
@as_json
def post_typed() -> Done:
    """Take a text that a reader at the tablet has typed. Only if the pad is a reader that types."""
    text = body(TypedText).text
    pad = _part("pad")
    if not isinstance(pad, UsbPad):
        raise NotFoundError("absent", Sentence(_NO_TYPING))
    if pad.typed(text) is None and (why := pad.why_not(text)) is not None:
        raise ConflictError("no-tag", why)
    return done()


@hardware_api.post("/painted")
@needs("table")
@as_json
def post_painted() -> Done:
    """Record that the table page has drawn this entry; an entry that no sensor has caused is not counted."""
    seq = body(Seq).seq
    if not 0 <= seq <= table().snapshot.seq:
        raise InvalidInput(f"seq {seq} is not known yet")
    instruments().latency.drawn(seq)
    return done()


_ABSENT = {
    "pad": N_("this table has no card pad: name it in companion.toml"),
    "track": N_("this table has no track that senses: name it in companion.toml"),
    "panel": N_("this table has no panel: name it in companion.toml"),
}
_NO_READER = N_("there is no reader at space {number}")
_NO_TYPING = N_('the card pad of this table is none that types: pad = "usb" in companion.toml')
_BUSY = N_("a reader is being tested already: wait for its result")
_NO_ANSWER = N_("the part does not answer: see what is said of it above")
_NO_RECORDER = N_("nothing can be recorded here: start the companion with a data directory")
_NOT_RECORDED = N_("the recording cannot be written ({text}): make room on the disk")
_COLOURS = {
    "green": N_("green"),
    "yellow": N_("yellow"),
    "red": N_("red"),
    "blue": N_("blue"),
    "off": N_("lamp off"),
}
_TUNES = {
    "ok": N_("card accepted"),
    "wrong": N_("card refused"),
    "last-card": N_("last card"),
    "kept": N_("food kept"),
    "lost": N_("food lost"),
    "round": N_("end of a round"),
    "end": N_("end of the game"),
}
