"""The commands, one file for each purpose.

May use every room. A command imports what it needs when it is called, so that others start quickly.
"""

from __future__ import annotations

import click

from companion import __version__
from companion.cli.bench_test import bench_test
from companion.cli.club import join_club
from companion.cli.copies import backup, restore
from companion.cli.edge import Commands
from companion.cli.hardware import doctor, flash
from companion.cli.health import health
from companion.cli.https import https
from companion.cli.hub import hub, sealed
from companion.cli.install import install, update
from companion.cli.odds_chart import odds_chart
from companion.cli.plugins import plugins
from companion.cli.records import luck, odds, replay
from companion.cli.run import run
from companion.cli.service import logs, restart, start, status, stop
from companion.cli.settings import settings
from companion.cli.simulate import simulate
from companion.cli.tags import pin, tags

COMPLETION = (
    'Completion by Tab: eval "$(_COMPANION_COMPLETE=bash_source companion)" in ~/.bashrc, with zsh_source in '
    "~/.zshrc; _COMPANION_COMPLETE=fish_source companion | source in fish's config.fish."
)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=COMPLETION)
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """Run the companion at the table for racing board games."""


for command in (
    replay,
    odds,
    luck,
    odds_chart,
    simulate,
    run,
    doctor,
    bench_test,
    flash,
    plugins,
    hub,
    sealed,
    join_club,
    settings,
    https,
    install,
    update,
    tags,
    pin,
    backup,
    restore,
    health,
    status,
    start,
    stop,
    restart,
    logs,
):
    main.add_command(command)
