"""The commands that make a companion a part of its machine, bring another version, and take it away again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.install.machine import Machine

if TYPE_CHECKING:
    pass


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be changed, and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--uninstall", is_flag=True, help="Take everything away again, the data too.")
@click.option(
    "--keep-data", is_flag=True, help="With --uninstall: leave journal and settings where they are."
)
def install(dry_run: bool, yes: bool, uninstall: bool, keep_data: bool) -> None:
    """Have the companion start with this machine and be looked after, as a service of systemd.

    Says what it will change, and asks. Run it again whenever you like: it does what is missing.
    """
    from companion.errors import CompanionError

    if keep_data and not uninstall:
        raise click.UsageError("--keep-data is for --uninstall: nothing else takes data away")
    try:
        if uninstall:
            _take_away(dry_run, yes, keep_data)
        else:
            _put(dry_run, yes)
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
def update(source: Path, wheels: Path | None, force: bool) -> None:
    """Let the version in SOURCE, a checkout or a wheel, be the one that is installed and runs.

    It is tried first; if it does not work here, the one before runs again.
    """
    from companion.errors import CompanionError
    from companion.install.update import update as changed

    if not is_root():
        raise click.ClickException("only root may change this machine: begin the command with sudo")
    try:
        click.echo(changed(here(), source.resolve(), wheels, force, click.echo))
    except CompanionError as problem:
        raise click.ClickException(str(problem)) from None


def _put(dry_run: bool, yes: bool) -> None:
    """Do what is missing."""
    from companion.install.plan import steps
    from companion.web.network import own_address

    machine = here()
    missing = [step for step in steps(machine) if not step.done(machine)]
    if missing and not _may("this will:", [step.what for step in missing], dry_run, yes):
        return
    for number, step in enumerate(missing, 1):
        click.echo(f"{number}/{len(missing)} {step.what}")
        step.do(machine)
    click.echo(f"the companion is installed and runs: open http://{own_address()}/ on the tablet")


def _take_away(dry_run: bool, yes: bool, keep_data: bool) -> None:
    """Everything that was put there, the last thing first."""
    from companion.install.files import DATA
    from companion.install.plan import steps
    from companion.install.steps import Directory, User

    machine = here()
    kept = (Directory, User) if keep_data else ()
    planned = [step for step in reversed(steps(machine)) if not isinstance(step, kept)]
    if not keep_data:
        how = "copy them with companion backup, or keep them by --keep-data"
        click.echo(f"all games, boards and tags in {DATA} go too: {how}")
    if not _may("this will take back:", [step.what for step in planned], dry_run, yes):
        return
    for step in planned:
        step.undo(machine)
    click.echo("the companion is no longer a part of this machine")


def _may(what: str, lines: Sequence[str], dry_run: bool, yes: bool) -> bool:
    """Say what will be changed; whether to go on."""
    click.echo(what)
    for line in lines:
        click.echo(f"  {line}")
    if dry_run:
        return False
    if not is_root():
        raise click.ClickException("only root may change this machine: begin the command with sudo")
    return yes or click.confirm("go on?", abort=True)


def here() -> Machine:
    """The machine that the command runs on."""
    from companion.install.machine import Machine

    return Machine()


def is_root() -> bool:
    """Whether it may be changed."""
    return os.geteuid() == 0
