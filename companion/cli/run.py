"""The command that referees a table and serves its pages."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.common import (
    data_directory,
    data_option,
    failure,
    locked,
    machine_of,
    opened,
    pico_of,
    pico_option,
    say,
    settings_option,
    words,
)
from companion.cli.tables import MOST, keep_running, places
from companion.message import N_, Sentence

if TYPE_CHECKING:
    from companion.devices.recorder import Recorder
    from companion.settings import Settings


@click.command()
@click.option("--mock", is_flag=True, help="Play on modelled hardware: the virtual table is at /mock.")
@click.option(
    "--demo", is_flag=True, help="A PIN and a game to play at once; keeps nothing unless --data is given."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Where pages are served."
)
@data_option
@settings_option
@click.option(
    "--tables",
    type=click.IntRange(1, MOST),
    help="Run so many tables, each with its directory in --data and its port, from --port on.",
)
@click.option("--table", type=click.IntRange(1, MOST), hidden=True)  # the number of this one
@click.option("--record", is_flag=True, help="Write what the sensors say into a file in --data.")
@click.option("--seed", type=int, help="Deal the same cards every time; with --mock only.")
@pico_option
def run(
    mock: bool,
    demo: bool,
    port: int,
    data: Path | None,
    settings: Path | None,
    tables: int | None,
    table: int | None,
    record: bool,
    seed: int | None,
    pico: str | None,
) -> None:
    """Referee a table and serve its pages until Ctrl+C."""
    import gc
    import tempfile

    from msgspec.structs import replace

    gc.disable()  # the imported objects stay, and scanning them takes a tenth of the start
    from companion.http.sockets import listen
    from companion.logs import start_logging
    from companion.memory import share_one_heap
    from companion.serving import serving
    from companion.web.serve import outlives_the_terminal

    if seed is not None and not mock:
        raise click.UsageError("--seed deals the same cards every time: that is for --mock only")
    pico = pico_of(mock, pico)
    share_one_heap()
    with ExitStack() as stack:
        if data is None and demo:
            data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-")))
        data = data or data_directory()
        if tables is not None:
            _check_hardware(machine_of(settings, data, mock), mock)
            written = settings or data / "companion.toml"
            options = _options(
                {"--mock": mock, "--demo": demo, "--record": record},
                {
                    "--settings": written if written.exists() else None,
                    "--seed": seed,
                    "--pico": pico if mock else None,
                },
            )
            keep_running(places(tables, data, port, options))
            return
        stack.enter_context(locked(data))  # first: a restored copy may bring other settings
        machine = machine_of(settings, data, mock)
        if table is not None:
            machine = replace(machine, mqtt=replace(machine.mqtt, table=f"{machine.mqtt.name}-{table}"))
        start_logging(machine.log)
        journal = stack.enter_context(opened(data, check_all=False))
        try:
            listening = listen(port)
        except OSError as error:
            taken = N_("port {port}: {why}; choose another with --port")
            raise failure(taken, port=port, why=error.strerror) from None
        running = stack.enter_context(
            serving(
                journal,
                machine,
                data,
                listening,
                mock=mock,
                demo=demo,
                record=record,
                seed=seed,
                pico=pico,
                settings=settings,
            )
        )
        gc.enable()
        stack.enter_context(
            outlives_the_terminal()
        )  # before the message after which the terminal may be closed
        if record:
            _print_addresses(running.recorder)
        _greet(running.reach.url, listening.getsockname()[1], mock, running.pin, table is None)
        running.reach.listeners.append(_print_address)
        running.announced.listen(_print_name)
        running.server.serve_here()


def _options(flags: dict[str, bool], given: dict[str, object]) -> list[str]:
    """Return the options of the command line that are set, for another one."""
    words = [str(word) for option in given.items() if option[1] is not None for word in option]
    return [flag for flag, is_set in flags.items() if is_set] + words


def _check_hardware(machine: Settings, mock: bool) -> None:
    if not mock and (machine.pad_kind or machine.panel or machine.track.kind != "none"):
        raise failure(
            N_("one machine has sensors for one table: take pad, track and panel out of companion.toml")
        )


def _print_addresses(recorder: Recorder) -> None:
    if recorder.why is None:
        say(N_("what the sensors say is written to {path}"), path=recorder.path)
    else:
        why = Sentence(N_("what the sensors say cannot be written: {why}"), {"why": recorder.why})
        click.echo(words().text(why), err=True)


def _print_address(address: str) -> None:
    """Print the address for phones, at the start and when it changes."""
    if sys.stdout.isatty():
        import segno

        segno.make(f"{address}/watch", micro=False).terminal(compact=True)
    say(N_("phones watch at: {address}/watch    the host's page: {address}/host"), address=address)


def _print_name(address: str) -> None:
    """Print the name under which phones find it, once it has one."""
    say(N_("also by name:    {address}/"), address=address)


def _greet(address: str, port: int, mock: bool, pin: str | None, alone: bool) -> None:
    """Print address, QR code and PIN on the console."""
    here = f"http://localhost:{port}"
    say(N_("the table page:  {here}/    from other devices:  {address}/"), here=here, address=address)
    _print_address(address)
    if mock:
        say(N_("MOCK hardware:   the virtual table is at {here}/mock"), here=here)
    if pin is not None:
        say(N_("PIN for host and table: {pin}"), pin=pin)
    if alone:
        say(N_("Ctrl+C ends it; what was confirmed is kept."))
