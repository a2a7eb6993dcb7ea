"""Commands about the hardware: its faults, and the Pico's firmware."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from companion.cli.common import (
    FILE,
    Taken,
    data_directory,
    data_option,
    failure,
    locked,
    machine_of,
    pico_of,
    pico_option,
    reason,
    say,
    settings_option,
    words,
)
from companion.message import N_

if TYPE_CHECKING:
    from companion.devices.health import TrackHealth
    from companion.devices.mock.virtual_table import VirtualTable
    from companion.devices.readings import PartIs
    from companion.diagnostics.overview import Names, PartsView
    from companion.settings import Settings
    from companion.store.dates import ClockState
    from companion.translate import Words


@click.command()
@click.option("--mock", is_flag=True, help="Look at the modelled hardware.")
@data_option
@settings_option
@click.option(
    "--seconds", type=click.IntRange(1, 600), default=5, show_default=True, help="How long to look."
)
@pico_option
@click.option(
    "--fault",
    "faults",
    type=(str, str),
    multiple=True,
    metavar="KIND AT",
    help="Break something of the modelled hardware first, such as: dead-reader track/1. Any number of times.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def doctor(
    mock: bool,
    data: Path | None,
    settings: Path | None,
    seconds: int,
    pico: str | None,
    faults: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """Check pad, track and panel: what works, what is wrong, why, and what to try next.

    Ends with status 1 if something is wrong. While a companion runs, its page
    /hardware says the same.
    """
    from rich.console import Console

    from companion.diagnostics.report import report
    from companion.translate import Words

    if faults and not mock:
        raise click.UsageError("--fault breaks modelled hardware: that is for --mock only")
    pico = pico_of(mock, pico)
    data = data or data_directory()
    try:
        with locked(data):
            machine = machine_of(settings, data, mock)
            language = Words.english() if as_json else words()
            with at_work(machine, data, mock, pico, faults) as (_, parts, states):
                view = _polled(machine, data, mock, parts, states, seconds, language)
    except Taken:
        raise failure(IN_USE, path=data) from None
    if as_json:
        click.echo(json.dumps({**msgspec.to_builtins(view), "mock": mock}))
    else:
        Console().print(report(view, language, mock))
    raise SystemExit(1 if view.findings else 0)


def _polled(
    machine: Settings,
    data: Path,
    mock: bool,
    parts: dict[str, Any],
    states: dict[str, PartIs],
    seconds: int,
    language: Words,
) -> PartsView:
    """Return the state of the parts, worded, after so many seconds of polling."""
    import threading

    from rich.console import Console
    from rich.progress import track as progress

    from companion.devices.pi_health import Pi
    from companion.diagnostics.overview import hardware
    from companion.diagnostics.plugged import broken
    from companion.store.clock import Clock

    errors, wait = Console(stderr=True), threading.Event().wait
    steps = range(seconds * 10 if parts else 0)
    for _ in progress(steps, words()(N_("looking")), console=errors, disable=not errors.is_terminal):
        wait(0.1)
    track, pad = (parts[name].health if name in parts else None for name in ("track", "pad"))
    pi = Pi(spi=(machine.spi_bus, machine.spi_device)).health
    names = _names(data, mock, language)
    clock: ClockState = "set" if mock or Clock().is_set() else "unset"
    return hardware(track, pad, states.get("panel"), pi, names, broken(), clock)


@contextmanager
def at_work(
    machine: Settings, data: Path, mock: bool, pico: str, faults: Iterable[tuple[str, str]] = ()
) -> Iterator[tuple[VirtualTable | None, dict[str, Any], dict[str, PartIs]]]:
    """Start the parts; yield the virtual table (with `mock`), the parts, and the last state of each; stop all
    at the end.

    An emulated Pico takes most of a minute to start: this waits until it has reported the track.
    """
    import threading
    import time

    from rich.console import Console

    from companion.devices.parts import parts_of

    states: dict[str, Any] = {}
    with ExitStack() as stack:
        hand, parts = parts_of(machine, data, mock, pico)
        if hand is not None:
            hand.start()
            stack.callback(hand.stop)
            for kind, place in faults:
                _break(hand, kind, place)
        for name, part in parts.items():
            part.start(lambda message, name=name: states.update({name: message}) if _is(message) else None)
            stack.callback(part.stop)
        if pico == "emulated" and "track" in parts:
            with Console(stderr=True).status(words()(N_("the emulated Pico starts"))):
                end = time.monotonic() + _STARTS_S
                while not _is_known(parts["track"].health) and time.monotonic() < end:
                    threading.Event().wait(0.1)
        yield hand, parts, states


def _break(hand: VirtualTable, kind: str, place: str) -> None:
    from companion.errors import InvalidInput

    try:
        hand.set_fault(kind, place, True)
    except InvalidInput as error:
        raise click.ClickException(str(error)) from None


def _is(message: Any) -> bool:
    from companion.devices.readings import PartIs

    return isinstance(message, PartIs)


def _is_known(track: TrackHealth) -> bool:
    """Return True if the reading of each sensor is known, or why it cannot be known."""
    from companion.diagnostics.overview import state_of

    return bool(track.sensors) and all(state_of(sensor, track) != "unknown" for sensor in track.sensors)


def _names(data: Path, mock: bool, language: Words) -> Names:
    """Return the names of the tags, from the journal if there is one; secret if it has a running match."""
    from companion.devices.mock.tags import DEMO_SET
    from companion.diagnostics.overview import Names
    from companion.store.file import JournalError
    from companion.store.journal import Journal

    known = DEMO_SET if mock else {}
    if not (data / "journal.sqlite").exists():
        return Names(language, known)
    try:
        journal = Journal(data / "journal.sqlite", check_all=False)
    except JournalError as error:  # the faults of the hardware are known all the same
        click.echo(f"{error}", err=True)
        return Names(language, known)
    try:
        match = journal.current()
        return Names(language, {**known, **journal.tags()}, match is not None and match.state == "running")
    finally:
        journal.close()


@click.command()
@click.option("--port", type=FILE, help="The Pico's serial port; without it the Pico is found by its USB id.")
@click.option("--back", is_flag=True, help="Go back to the version before.")
@click.option("--check", is_flag=True, help="Only say which versions are here and on the Pico.")
def flash(port: str | None, back: bool, check: bool) -> None:
    """Copy the firmware to the Pico under the track; the companion must not be running."""
    from rich.console import Console
    from rich.progress import Progress

    from companion.devices import flash as flashing

    if back and check:
        raise click.UsageError("--back and --check cannot be used together")
    try:
        if check:
            found = flashing.check(port)
            say(N_("here:         {version}"), version=flashing.version_here())
            say(N_("on the Pico:  {version}"), version=found.now)
            say(N_("before:       {version}"), version=found.before)
            say(N_("MicroPython:  {version}"), version=".".join(map(str, found.micropython)))
            return
        if back:
            was, now = flashing.back(port)
        else:
            errors = Console(stderr=True)
            with Progress(console=errors, disable=not errors.is_terminal) as shown:
                task = shown.add_task(words()(N_("copying")), total=None)

                def copied(name: str, done: int, total: int) -> None:
                    shown.update(task, description=name, completed=done, total=total)

                was, now = flashing.copy(port, copied, saved=_print_kept)
    except flashing.FlashError as problem:
        raise click.ClickException(reason(problem)) from None
    say(N_("the Pico ran {was}; now it runs {now}"), was=was, now=now)


def _print_kept(path: str) -> None:
    say(_KEPT, path=path)


_STARTS_S = 600.0  # an emulated Pico on a busy computer

IN_USE = N_(
    "the companion runs with the data in {path} and uses the hardware: look at its page /hardware instead"
)
_KEPT = N_("the Pico started a program that is not ours: it is kept there as {path}, and started no more")
