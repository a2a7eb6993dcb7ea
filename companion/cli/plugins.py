"""The command that lists plug-ins."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from companion.cli.common import one_line, say, words
from companion.message import N_, Sentence

if TYPE_CHECKING:
    from companion.plugins import Plugin


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def plugins(as_json: bool) -> None:
    """List the plug-ins: games, robots, readers and languages from other packages.

    Ends with status 1 if one of them is broken; the others work all the same.
    """
    from companion.diagnostics.plugged import every_plugin

    found = every_plugin()
    if as_json:
        click.echo(json.dumps({"plugins": [_line(plugin) for plugin in found]}))
    elif found:
        _print(found)
    else:
        say(_NONE)
    raise SystemExit(1 if any(plugin.why for plugin in found) else 0)


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
