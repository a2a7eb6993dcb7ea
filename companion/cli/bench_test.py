"""The command that walks a maker through a bench test and writes the result down.

In English throughout, like wiring.md: the file is made to be sent in.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec
from click.shell_completion import CompletionItem

from companion import __version__
from companion.cli.common import (
    Taken,
    data_directory,
    data_option,
    failure,
    locked,
    machine_of,
    settings_option,
)
from companion.cli.hardware import IN_USE, at_work
from companion.cli.installed import Installed, installed

if TYPE_CHECKING:
    from companion.devices.health import RangeTest
    from companion.diagnostics.bench_tests import BenchTest, Polls
    from companion.diagnostics.bench_walk import Facts, Result

UNKNOWN: Final = "-"  # the answer for unknown
STARTS_S: Final = 20.0  # a Pico polls every reader when it starts


class _Names(click.ParamType[str]):
    """The names of the tests, for completion; an unknown name is reported when the command is called."""

    name = "name"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from companion.diagnostics.bench_tests import BENCH_TESTS

        return [CompletionItem(test.name) for test in BENCH_TESTS if test.name.startswith(incomplete)]


@click.command("bench-test")
@click.argument("name", type=_Names(), required=False)
@click.option(
    "--reader", type=click.IntRange(1, 38), default=1, show_default=True, help="The middle one of three."
)
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    help="Where to write the result; by default in the current directory.",
)
@click.option("--mock", is_flag=True, help="Try the walk on the modelled hardware; it proves nothing.")
@data_option
@settings_option
def bench_test(
    name: str | None, reader: int, to: Path | None, mock: bool, data: Path | None, settings: Path | None
) -> None:
    """Walk through the test NAME of something not measured yet, and write the result to a file to send in.

    Without a NAME: list the tests. Readers are polled directly, so the companion must not run meanwhile where
    a test says so. Ends with status 1 if the test fails.
    """
    if name is None:
        _list()
        return
    test = _named(name)
    to = to or Path(f"bench-{test.name}-{datetime.now():%Y%m%d-%H%M%S}.json")
    if to.exists():
        raise click.ClickException(f"{to} is there already: name another file with --to")
    if (table := installed(data)) is not None:
        _walk_installed(table, test, to, reader, mock)
        return
    data = data or data_directory()
    click.echo(_head(test, mock))
    with _bench(test, settings, data, mock, reader) as bench:
        results, why = _walk(test, bench)
        machine = bench.machine()
    _write(to, test, results, {"stopped_by": why, "mock": mock, **machine})


def _walk_installed(table: Installed, test: BenchTest, to: Path, reader: int, mock: bool) -> None:
    """Let the table's user walk, who may use the parts; the result is the file of the person here."""
    more = ("--mock",) if mock else ()
    failed = None
    with table.gathered(to.parent) as there:
        try:
            table.run("bench-test", test.name, "--reader", str(reader), "--to", there / to.name, *more)
        except SystemExit as ended:  # a test that fails has a result too
            failed = ended
    if to.exists():
        click.echo(f"It is in {to} now.")
    if failed is not None:
        raise failed


def _list() -> None:
    from rich.console import Console
    from rich.table import Table

    from companion.diagnostics.bench_tests import BENCH_TESTS

    rows = Table.grid(padding=(0, 2))
    for test in BENCH_TESTS:
        rows.add_row(test.name, TIERS[test.tier], test.what)
    Console().print(rows)
    click.echo("\ncompanion bench-test NAME walks through one of them.")


def _named(name: str) -> BenchTest:
    from companion.diagnostics.bench_tests import named

    try:
        return named(name)
    except KeyError:
        raise click.UsageError(f"there is no test {name}: companion bench-test lists them") from None


def _head(test: BenchTest, mock: bool) -> str:
    lines = [click.style(test.what, bold=True), f"taken for true: {test.assumed}", f"proved by: {test.proof}"]
    lines += [f"you need: {test.needs}", "", f"Enter goes on; {UNKNOWN} means you cannot tell; Ctrl+C stops."]
    if mock:
        lines.insert(0, "MOCK hardware: this says nothing about real parts; the modelled hand lays the tags.")
    return "\n".join(lines) + "\n"


# --- the walk ------------------------------------------------------------------------------------


def _walk(test: BenchTest, bench: _Bench) -> tuple[list[Result], str | None]:
    """Return the result of each step, and why it ended before the last one; answers are never lost."""
    from companion.diagnostics.bench_walk import walked

    results: list[Result] = []
    try:
        for result in walked(test, _Terminal(), bench):
            results.append(result)
            click.echo(_report_line(result), nl=False)
    except TimeoutError as silent:
        click.echo(f"it does not answer: {silent}")
        return results, f"it does not answer: {silent}"
    except (KeyboardInterrupt, click.Abort):
        click.echo("\nstopped")
        return results, "stopped"
    return results, None


class _Terminal:
    """The maker at the terminal."""

    def does(self, text: str) -> None:
        click.prompt(f"* {text}", default="", show_default=False, prompt_suffix=" ")

    def number(self, text: str, unit: str) -> float | None:
        while True:
            answer = self.words(f"{text} [{unit}]" if unit else text)
            if answer is None:
                return None
            try:
                return float(answer.replace(",", "."))
            except ValueError:
                click.echo(f"  {answer} is no number: write it as 3.25, or {UNKNOWN}")

    def yes(self, text: str) -> bool | None:
        while True:
            answer = (self.words(f"{text} [yes/no]") or UNKNOWN).lower()
            if answer in _YES_NO:
                return _YES_NO[answer]
            click.echo(f"  {answer} is neither yes nor no: one of them, or {UNKNOWN}")

    def words(self, text: str) -> str | None:
        answer = str(click.prompt(f"? {text}", prompt_suffix=" ")).strip()
        return None if answer == UNKNOWN else answer


def _report_line(result: Result) -> str:
    """Return a line about a part's report; the maker's own answers are on the screen already."""
    from companion.diagnostics.bench_tests import Fact, Polls

    step = result.step
    if isinstance(step, Polls):
        seen = ", ".join(f"{tag} {n}" for tag, n in sorted(result.answer.items())) or "nothing"
        return f"  {step.text}: in {step.polls} polls {seen}{_judged(result)}\n"
    if isinstance(step, Fact):
        figure = "not known" if result.answer is None else f"{result.answer:g}"
        return f"  {step.text}: {figure}{_judged(result)}\n"
    return ""


def _judged(result: Result) -> str:
    if not result.decides or result.passes is None:
        return ""
    return (
        click.style("  good", fg="green")
        if result.passes
        else click.style("  not as taken for true", fg="red")
    )


# --- the parts -----------------------------------------------------------------------------------


@contextmanager
def _bench(test: BenchTest, settings: Path | None, data: Path, mock: bool, reader: int) -> Iterator[_Bench]:
    """Start the parts, if the test needs them; else a companion may run, and is asked about."""
    from companion.diagnostics.bench_tests import Fact, Polls

    if not any(isinstance(step, Polls | Fact) for step in test.steps):
        yield _Bench({}, None, reader)
        return
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(data))
        except Taken:
            raise failure(IN_USE, path=data) from None
        machine = machine_of(settings, data, mock)
        hand, parts, _ = stack.enter_context(at_work(machine, data, mock, "modelled"))
        bench = _Bench(parts, hand, reader)
        bench.check(test)
        bench.await_start()
        yield bench


@dataclass(frozen=True)
class _Bench:
    """The parts by name; `hand` lays tags in mock mode, else None; `reader` is the middle one of three."""

    parts: dict[str, Any]
    hand: Any
    reader: int

    def check(self, test: BenchTest) -> None:
        """End the command where the test needs a part that the settings do not name."""
        from companion.diagnostics.bench_tests import Fact, Polls

        places = {step.at for step in test.steps if isinstance(step, Polls)}
        if "pad" in places and "pad" not in self.parts:
            raise click.ClickException('this test needs the card pad: set pad = "spi" in companion.toml')
        of_track = bool(places - {"pad"}) or any(
            isinstance(s, Fact) and s.fact != "pad_restarts" for s in test.steps
        )
        if of_track and "track" not in self.parts:
            raise click.ClickException("this test needs the track: see [track] in companion.toml")

    def await_start(self) -> None:
        """Wait until the parts have reported their state, or it is clear that they will not."""
        import threading
        import time

        end = time.monotonic() + STARTS_S
        while time.monotonic() < end and any(part.health.state != "ok" for part in self._readers()):
            threading.Event().wait(0.1)

    def _readers(self) -> list[Any]:
        return [self.parts[name] for name in ("pad", "track") if name in self.parts]

    def poll(self, step: Polls, polls: int) -> RangeTest:
        """Poll as companion/diagnostics/bench_walk.py specifies."""
        self._lay(step)
        if step.at == "pad":
            result: RangeTest = self.parts["pad"].range_test(polls=polls)
        else:
            track = self.parts["track"]
            result = track.range_test(self._space(step), polls=polls, power=step.power, gain=step.gain)
        return result

    def _lay(self, step: Polls) -> None:
        """Let the modelled hand lay the tags that the step wants to see, and remove those that it must not
        see.
        """
        if self.hand is None:
            return
        tags = list(self.hand.tags())[: step.tags if step.most > 0 else 0]
        if step.at == "pad":
            self.hand.put_on_pad(tags)
        else:
            self.hand.put_on_space(self._space(step), tags)

    def _space(self, step: Polls) -> int:
        return self.reader + _OFFSETS[step.at]

    def facts(self, seconds: int) -> Facts:
        """Return the figures that companion/diagnostics/bench_walk.py specifies."""
        import threading

        from rich.console import Console
        from rich.progress import track as progress

        from companion.diagnostics.bench_walk import facts_of

        errors = Console(stderr=True)
        for _ in progress(range(seconds), "looking", console=errors, disable=not errors.is_terminal):
            threading.Event().wait(1)
        return facts_of(*(self.parts[n].health if n in self.parts else None for n in ("track", "pad")))

    def machine(self) -> dict[str, Any]:
        """Return a description of the machine, as `companion doctor --json` has it."""
        from companion.devices.pi_health import Pi
        from companion.diagnostics.overview import Names, hardware
        from companion.translate import Words

        track, pad = (self.parts[n].health if n in self.parts else None for n in ("track", "pad"))
        view = hardware(track, pad, None, Pi().health, Names(Words.english(), {}))
        return {"companion": __version__, "doctor": msgspec.to_builtins(view)}


# --- the file ------------------------------------------------------------------------------------


def _write(to: Path, test: BenchTest, results: list[Result], circumstances: dict[str, Any]) -> None:
    from companion.diagnostics.bench_walk import report

    when = datetime.now().astimezone().isoformat("T", "seconds")
    outcome = report(test, results, when=when, **circumstances)
    text = json.dumps(outcome, ensure_ascii=False, indent=1, default=str) + "\n"
    try:
        with to.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        click.echo(text)
        raise click.ClickException(f"{to} cannot be written: {error.strerror}; it stands above") from None
    click.echo(f"\n{test.name}: {outcome['verdict']}. Written to {to}: please send it in, whatever it says.")
    if outcome["verdict"] == "fails":
        raise SystemExit(1)


_YES_NO: Final = {"yes": True, "y": True, "no": False, "n": False, UNKNOWN: None}
_OFFSETS: Final = {"left": -1, "middle": 0, "right": 1}
TIERS: Final = {
    "any": "any table",
    "pad": "card pad",
    "strip": "three readers",
    "track": "whole track",
    "switches": "hall switches",
    "usb": "USB reader",
}
