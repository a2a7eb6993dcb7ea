"""The commands that install a companion on its machine, update it, and uninstall it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.waiting import Waiting

if TYPE_CHECKING:
    from companion.install.extras import Extras
    from companion.install.machine import Machine
    from companion.install.steps import Step


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be changed, and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--uninstall", is_flag=True, help="Take everything away again, the data too.")
@click.option(
    "--keep-data", is_flag=True, help="With --uninstall: leave journal and settings where they are."
)
@click.option(
    "--hotspot/--no-hotspot",
    default=None,
    help="A Wi-Fi of the machine's own, where no known one is in reach. Kept until --no-hotspot.",
)
@click.option("--hotspot-name", metavar="NAME", help="What it is called; by itself “Race companion”.")
@click.option("--hotspot-password", metavar="PASSWORD", help="8 to 63 letters; by itself one is made up.")
@click.option(
    "--kiosk/--no-kiosk",
    default=None,
    help="The table page on the machine's own screen, full-screen. Kept until --no-kiosk.",
)
def install(
    dry_run: bool,
    yes: bool,
    uninstall: bool,
    keep_data: bool,
    hotspot: bool | None,
    hotspot_name: str | None,
    hotspot_password: str | None,
    kiosk: bool | None,
) -> None:
    """Install the companion as a service of systemd that starts with this machine.

    Prints the changes, and asks. Run it again at any time: it does what is missing.
    """
    from companion.errors import CompanionError

    if keep_data and not uninstall:
        raise click.UsageError("--keep-data is for --uninstall: nothing else takes data away")
    if uninstall and (hotspot or hotspot_name or hotspot_password or kiosk):
        raise click.UsageError("--uninstall takes everything away: leave the others out")
    try:
        if uninstall:
            _take_away(dry_run, yes, keep_data)
        else:
            _put(dry_run, yes, _wanted(hotspot, hotspot_name, hotspot_password, kiosk))
    except CompanionError as problem:
        raise click.ClickException(str(problem)) from None


@click.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--wheels",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A directory with all that it needs: no network is used then.",
)
@click.option("--force", is_flag=True, help="Also while a game goes on.")
@click.option("--unsigned", is_flag=True, help="Also a file that the project's owner has not signed.")
def update(source: Path, wheels: Path | None, force: bool, unsigned: bool) -> None:
    """Install the version in SOURCE (release, folder, checkout or wheel) and run it.

    It is tried first; if it does not work here, the one before runs again.
    """
    from companion.errors import CompanionError
    from companion.install.update import update as changed

    if not is_root():
        raise click.ClickException("only root may change this machine: begin the command with sudo")
    try:
        with Waiting() as say:
            outcome = changed(here(), source.resolve(), wheels, force, say, unsigned)
        click.echo(outcome)
    except CompanionError as problem:
        raise click.ClickException(str(problem)) from None


def _wanted(hotspot: bool | None, name: str | None, password: str | None, kiosk: bool | None) -> Extras:
    """Return the extras wanted from now on: those that are not mentioned stay as they were."""
    from companion.install import hotspot as own_wifi
    from companion.install.extras import Extras, remembered

    machine = here()
    before = remembered(machine)
    if hotspot:
        own_wifi.check(machine)
    on = before.hotspot is not None if hotspot is None else hotspot
    if not on and (name is not None or password is not None):
        raise click.UsageError("--hotspot-name and --hotspot-password are for --hotspot: say that too")
    wifi = own_wifi.requested(machine, name, password) if on else None
    return Extras(wifi, before.kiosk if kiosk is None else kiosk)


def _put(dry_run: bool, yes: bool, wanted: Extras) -> None:
    """Run the missing steps, and undo those that are no longer wanted."""
    from companion.cli.service import say_no_network
    from companion.http.network import LOOPBACK, own_address
    from companion.install.extras import unwanted
    from companion.install.machine import DoneWithout
    from companion.install.plan import steps

    machine = here()
    gone = unwanted(machine, wanted)
    missing = [step for step in steps(machine, wanted) if not step.done(machine)]
    lines = [*(step.undone for step in gone), *(step.what for step in missing)]
    if lines and not _may("this will:", lines, dry_run, yes):
        return
    without: list[str] = []
    with Waiting() as say:
        for number, step in enumerate((*gone, *missing), 1):
            say(f"{number}/{len(lines)} {lines[number - 1]}{_takes(step)}")
            try:
                (step.undo if number <= len(gone) else step.do)(machine)
            except DoneWithout as problem:
                without.append(str(problem))
    for text in without:
        click.echo(text)
    address = own_address()
    if address == LOOPBACK:
        click.echo("the companion is installed and runs")
        say_no_network()
    else:
        click.echo(f"the companion is installed and runs: open http://{address}/ on the tablet")
    _print_advice(machine, wanted)


def _takes(step: Step) -> str:
    """Return how long a step takes on a Pi, if that is more than ten seconds."""
    from companion.install.program import Program
    from companion.install.steps import Packages

    if isinstance(step, Packages):
        return " (one to three minutes, with a network)"
    return " (up to a minute)" if isinstance(step, Program) else ""


def _print_advice(machine: Machine, extras: Extras) -> None:
    """Print what the user of the extras has to know."""
    from companion.hotspot import ADDRESS
    from companion.install import hotspot, kiosk

    if extras.hotspot is not None:
        name, password = extras.hotspot.name, extras.hotspot.password
        click.echo(f"its own Wi-Fi: “{name}”, password {password}, and in it http://{ADDRESS}/")
        for doubt in hotspot.doubts(machine):
            click.echo(doubt)
    if extras.kiosk and kiosk.has_desktop(machine):
        click.echo(f"the page comes with the next login; {kiosk.BLANKING}")


def _take_away(dry_run: bool, yes: bool, keep_data: bool) -> None:
    """Undo all steps, the last one first."""
    from companion.install.extras import Extras, unwanted
    from companion.install.files import DATA
    from companion.install.plan import steps
    from companion.install.steps import Directory, User

    machine = here()
    exceptions = (Directory, User) if keep_data else ()
    all_steps = (*unwanted(machine, Extras()), *reversed(steps(machine, Extras())))
    planned = [step for step in all_steps if not isinstance(step, exceptions)]
    if not keep_data:
        how = "copy them with companion backup, or keep them by --keep-data"
        click.echo(f"all games, boards and tags in {DATA} go too: {how}")
    if not _may("this will:", [step.undone for step in planned], dry_run, yes):
        return
    with Waiting() as say:
        for number, step in enumerate(planned, 1):
            say(f"{number}/{len(planned)} {step.undone}")
            step.undo(machine)
    click.echo("the companion is no longer a part of this machine")


def _may(what: str, lines: Sequence[str], dry_run: bool, yes: bool) -> bool:
    """Print the changes; return True if the user agrees."""
    click.echo(what)
    for line in lines:
        click.echo(f"  {line}")
    if dry_run:
        return False
    if not is_root():
        raise click.ClickException("only root may change this machine: begin the command with sudo")
    return yes or click.confirm("go on?", abort=True)


def here() -> Machine:
    """Return the machine that the command runs on."""
    from companion.install.machine import Machine

    return Machine()


def is_root() -> bool:
    """Return True if the user may change the machine."""
    return os.geteuid() == 0
