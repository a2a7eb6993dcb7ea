"""Commands about plug-ins: list them, make a new one, add one to the installed companion or remove it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from companion.cli.common import one_line, say, words
from companion.cli.installed import VARIABLE
from companion.cli.new_plugin import KINDS, Kind
from companion.cli.waiting import Waiting
from companion.message import N_, Sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.install.machine import Machine
    from companion.plugins import Plugin


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_context
def plugins(context: click.Context, as_json: bool) -> None:
    """List the plug-ins: games, robots, readers and languages from other packages.

    Ends with status 1 if one of them is broken; the others work all the same.
    """
    if context.invoked_subcommand is not None:
        return
    from companion.diagnostics.plugged import every_plugin

    found = every_plugin()
    if as_json:
        click.echo(json.dumps({"plugins": [_line(plugin) for plugin in found]}))
    elif found:
        _print(found)
    else:
        say(_NONE)
    raise SystemExit(1 if any(plugin.why for plugin in found) else 0)


@plugins.command()
@click.argument("name")
@click.option("--kind", type=click.Choice(KINDS), help="What it brings; asked for if it is left out.")
def new(name: str, kind: Kind | None) -> None:
    """Make a new plug-in: a folder NAME with a package that works, and tests that pass.

    NAME is what people choose or type, such as river-run for a game; for a language its code.
    """
    from companion.cli.new_plugin import write
    from companion.errors import InvalidInput

    chosen: Kind = (
        click.prompt("What does it bring?", type=click.Choice(KINDS), default="game")
        if kind is None
        else kind
    )
    try:
        folder = write(name, chosen, Path())
    except InvalidInput as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{name} cannot be written here: {error.strerror or error}") from None
    click.echo(f"{folder} has a {chosen} that works. Next:")
    add = f"companion plugins add {folder}" if VARIABLE in os.environ else f"pip install -e {folder}"
    click.echo(f"1. {add}, then companion plugins lists it")
    click.echo(f"2. change {folder}/src/{folder.name.replace('-', '_')}/{chosen}.py to what yours should do")
    tests = f"python -m unittest discover {folder}/tests"
    click.echo(f"3. {tests} runs its tests; {_TRY[chosen].format(name=name)}")


@plugins.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option("--yes", is_flag=True, help="Do not ask.")
def add(source: Path, yes: bool) -> None:
    """Add the plug-in in SOURCE, a folder or a wheel, to the installed companion, which starts again."""
    from companion.install.plugged import add as added

    _change(f"{source} runs as the companion and sees every hand and bet: do you trust it?", yes,
            lambda machine, say: added(machine, source.resolve(), say))  # fmt: skip


@plugins.command()
@click.argument("package")
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove(package: str, yes: bool) -> None:
    """Remove the plug-in PACKAGE, as companion plugins lists it, from the installed companion."""
    from companion.install.plugged import remove as removed

    _change(f"remove {package}? games of it that were played stay, hidden until it is back", yes,
            lambda machine, say: removed(machine, package, say))  # fmt: skip


def _change(question: str, yes: bool, change: Callable[[Machine, Callable[[str], None]], str]) -> None:
    """Change the installed companion's plug-ins, after a question; end the command if that fails."""
    from companion.errors import CompanionError
    from companion.install.machine import Machine

    if VARIABLE not in os.environ:
        raise click.ClickException(
            "this is for an installed companion; elsewhere type pip install or pip uninstall where it runs"
        )
    if not yes:
        click.confirm(question, abort=True)
    try:
        with Waiting() as say:
            outcome = change(Machine(), say)
        click.echo(outcome)
    except CompanionError as problem:
        raise click.ClickException(str(problem)) from None


_TRY: Final[dict[Kind, str]] = {
    "game": "companion simulate {name} plays it, companion run --mock --demo shows it",
    "robot": "companion simulate giro-galoppo --bots {name},easy,easy,easy plays it",
    "reader": 'pad = "{name}" in companion.toml uses it',
    "language": "companion run --mock --demo has it at the bottom of each page",
}


def _line(plugin: Plugin[Any]) -> dict[str, Any]:
    """Return a plug-in for programs; `why` it is broken, in English, null if it is not."""
    from companion.translate import Words

    return {
        "group": plugin.group,
        "name": plugin.name,
        "package": plugin.distribution,
        "version": plugin.version,
        "brings": list(plugin.brings),
        "why": Words.english().text(plugin.why) if plugin.why else None,
    }


def _print(plugins: tuple[Plugin[Any], ...]) -> None:
    from rich.console import Console
    from rich.table import Table as Rows
    from rich.text import Text

    said = words()
    rows = Rows(*(said(head) for head in (N_("group"), N_("name"), N_("package"), N_("state"))))
    for column in rows.columns[:2]:
        column.no_wrap = True  # names to type or search stay in one piece
    for plugin in plugins:
        if plugin.why is None:
            brings = Sentence(N_("works: {names}"), {"names": ", ".join(plugin.brings)})
            state = Text(said(_WORKS) if list(plugin.brings) == [plugin.name] else said.text(brings), "green")
        else:
            state = Text(one_line(said.text(plugin.why)), "red")
        package = f"{plugin.distribution} {plugin.version}"
        rows.add_row(*(Text(one_line(text)) for text in (plugin.group, plugin.name, package)), state)
    Console().print(rows)


_WORKS = N_("works")
_NONE = N_(
    "no plug-ins are installed: a package brings a game, a robot, a reader or a language by its entry "
    "points; docs/plugins.md tells how"
)
