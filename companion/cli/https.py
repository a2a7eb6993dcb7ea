"""The command that switches https on and off."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.common import data_directory, data_option, say
from companion.cli.installed import installed, yes_option
from companion.message import N_

_ON = N_("https is on from the next start on: open /https on each device, which says how to trust this table")


@click.command()
@click.argument("what", type=click.Choice(["on", "off"]), default="on")
@yes_option
@data_option
def https(what: str, yes: bool, data: Path | None) -> None:
    """Serve the pages by https as well, with a certificate of this table's own; `off` ends that.

    Each device has to trust the certificate once: the page /https says how. An
    installed companion is stopped for it, and started again.
    """
    import socket
    from datetime import UTC, datetime

    from companion.http.certificates import create
    from companion.http.https import is_on, remove

    if (table := installed(data)) is not None:
        with table.stopped(yes):
            table.run("https", what)
        return
    directory = data or data_directory()
    directory.mkdir(parents=True, exist_ok=True)
    if what == "off":
        remove(directory)
        say(N_("https is off from the next start on; take the certificate off the devices that trust it"))
    elif is_on(directory):
        say(N_("https is on already: open /https on each device, which says how to trust this table"))
    else:
        create(directory, socket.gethostname(), datetime.now(UTC))
        say(_ON)
