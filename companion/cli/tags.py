"""Commands about tags and the PIN, while no companion runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from companion.cli.common import FILE, data_directory, data_option, journal_in, read_bytes, reason, say, words
from companion.message import N_, NN_, Sentence


@click.group()
def tags() -> None:
    """Manage the meanings of the tags on cards and pieces."""


@tags.command("import")
@click.argument("file", type=FILE)
@data_option
def import_tags(file: str, data: Path | None) -> None:
    """Learn tags from FILE: a line `UID MEANING` each, such as `04A1B2C3D4E5F6 galloping-pigs/card/red/3`."""
    from companion.tags.tagfile import read_tags

    try:
        read = read_tags(read_bytes(file).decode("utf-8", "replace"))
    except ValueError as error:
        raise click.ClickException(f"{file}:{reason(error)}") from None
    with journal_in(data or data_directory()) as journal:
        journal.bind(read)
    learnt = Sentence(_LEARNT[0], {"count": len(read)}, _LEARNT[1])
    click.echo(words().text(learnt))


@tags.command("list")
@data_option
def list_tags(data: Path | None) -> None:
    """Print all known tags, as `companion tags import` reads them."""
    from companion.tags.tagfile import write_tags

    with journal_in(data or data_directory()) as journal:
        known: Mapping[str, str] = journal.tags()
        click.echo(write_tags(known), nl=False)


@click.command()
@data_option
def pin(data: Path | None) -> None:
    """Choose a new PIN; the companion must not be running."""
    from companion.http.roles import PinLock
    from companion.table.table import Table

    with journal_in(data or data_directory()) as journal:
        again = words()(N_("the same once more"))
        new = click.prompt(words()(N_("new PIN")), hide_input=True, confirmation_prompt=again)
        try:
            PinLock(Table(journal)).choose(new)
        except ValueError as error:
            raise click.ClickException(reason(error)) from None
    say(N_("the new PIN is kept"))


_LEARNT = NN_("{count} tag learnt", "{count} tags learnt")
