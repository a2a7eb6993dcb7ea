"""The commands, one file for each purpose.

May use every room. A command imports what it needs when it is called, so that others start quickly.
"""

from __future__ import annotations

import click

from companion import __version__
from companion.cli.edge import Commands

COMPLETION = (
    'Completion by Tab: eval "$(_COMPANION_COMPLETE=bash_source companion)" in ~/.bashrc, with zsh_source in '
    "~/.zshrc; _COMPANION_COMPLETE=fish_source companion | source in fish's config.fish."
)


COMMANDS = {
    "replay": "records",
    "odds": "records",
    "luck": "records",
    "odds-chart": "odds_chart",
    "simulate": "simulate",
    "run": "run",
    "doctor": "hardware",
    "bench-test": "bench_test",
    "flash": "hardware",
    "plugins": "plugins",
    "hub": "hub",
    "sealed": "hub",
    "join-club": "club",
    "settings": "settings",
    "https": "https",
    "install": "install",
    "update": "install",
    "tags": "tags",
    "pin": "tags",
    "backup": "copies",
    "restore": "copies",
    "health": "health",
    "status": "service",
    "start": "service",
    "stop": "service",
    "restart": "service",
    "logs": "service",
}
"""The module of each command: only the one that is run is loaded."""


@click.group(
    cls=Commands,
    modules=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=COMPLETION,
)
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """Run the companion at the table for racing board games."""
