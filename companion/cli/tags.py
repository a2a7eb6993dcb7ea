"""Commands about tags and the PIN, while no companion runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from companion.cli.common import (
    FILE,
    data_directory,
    data_option,
    journal_in,
    machine_of,
    read_bytes,
    reason,
    say,
    settings_option,
    words,
)
from companion.message import N_, NN_, Sentence


@click.group()
def tags() -> None:
    """Manage the meanings of the tags on cards and pieces."""


@tags.command("import")
@click.argument("file", type=FILE)
@data_option
@settings_option
def import_tags(file: str, data: Path | None, settings: Path | None) -> None:
    """Learn tags from FILE: a line `UID MEANING` each, such as `04A1B2C3D4E5F6 galloping-pigs/card/red/3`.

    FILE may also be a table of a spreadsheet, saved as CSV, with `;`, commas or
    tabs. All that a reader may type is understood, in the format that
    usb_format in companion.toml names; `UID (hex)` in the first line says that
    the list is in hex.
    """
    from companion.tags.tagfile import decoded, read_tags

    data = data or data_directory()
    form = machine_of(settings, data, mock=False).usb_format
    try:
        read = read_tags(decoded(read_bytes(file)), form)
    except ValueError as error:
        raise click.ClickException(f"{file}:{reason(error)}") from None
    with journal_in(data) as journal:
        journal.bind(read)
    learnt = Sentence(_LEARNT[0], {"count": len(read)}, _LEARNT[1])
    click.echo(words().text(learnt))


@tags.command("list")
@data_option
@settings_option
def list_tags(data: Path | None, settings: Path | None) -> None:
    """Print all known tags, as `companion tags import` reads them."""
    from companion.tags.tagfile import write_tags

    data = data or data_directory()
    form = machine_of(settings, data, mock=False).usb_format
    with journal_in(data) as journal:
        known: Mapping[str, str] = journal.tags()
        click.echo(write_tags(known, form), nl=False)


@tags.command("export")
@click.argument("file", type=FILE, default="-")
@data_option
def export_tags(file: str, data: Path | None) -> None:
    """Write all known tags to FILE as a table for a spreadsheet, which `companion tags import` reads again.

    Without FILE it is printed.
    """
    from companion.tags.tagfile import write_table

    with journal_in(data or data_directory()) as journal:
        known: Mapping[str, str] = journal.tags()
    try:
        with click.open_file(file, "w", encoding="utf-8") as table:
            table.write(write_table(known))
    except OSError as error:
        click.echo(f"{file}: {error.strerror or error}", err=True)
        raise SystemExit(2) from None


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
