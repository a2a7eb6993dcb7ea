"""Commands about tags and the PIN; an installed companion is stopped for a change, and started again."""

from __future__ import annotations

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
    tags_in,
    words,
)
from companion.cli.installed import installed, yes_option
from companion.message import N_, NN_, Sentence


@click.group()
def tags() -> None:
    """Manage the meanings of the tags on cards and pieces."""


@tags.command("import")
@click.argument("file", type=FILE)
@yes_option
@click.option("--called", hidden=True)  # the file's name, where its content is handed over
@data_option
@settings_option
def import_tags(file: str, yes: bool, called: str | None, data: Path | None, settings: Path | None) -> None:
    """Learn tags from FILE: a line `UID MEANING` each, such as `04A1B2C3D4E5F6 galloping-pigs/card/red/3`.

    FILE may also be a table of a spreadsheet, saved as CSV, with `;`, commas or
    tabs. All that a reader may type is understood, in the format that
    usb_format in companion.toml names; `UID (hex)` in the first line says that
    the list is in hex.
    """
    from companion.tags.tagfile import decoded, read_tags

    content = read_bytes(file)
    if (table := installed(data)) is not None:
        more = () if settings is None else ("--settings", settings.absolute())
        with table.stopped(yes):
            table.run("tags", "import", "-", "--called", file, *more, content=content)
        return
    data = data or data_directory()
    form = machine_of(settings, data, mock=False).usb_format
    try:
        read = read_tags(decoded(content), form)
    except ValueError as error:
        raise click.ClickException(f"{called or file}:{reason(error)}") from None
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

    if (table := installed(data)) is not None:
        more = () if settings is None else ("--settings", settings.absolute())
        table.hand_over("tags", "list", *more)
    data = data or data_directory()
    form = machine_of(settings, data, mock=False).usb_format
    click.echo(write_tags(tags_in(data), form), nl=False)


@tags.command("export")
@click.argument("file", type=FILE, default="-")
@data_option
def export_tags(file: str, data: Path | None) -> None:
    """Write all known tags to FILE as a table for a spreadsheet, which `companion tags import` reads again.

    Without FILE it is printed.
    """
    from companion.tags.tagfile import write_table

    if (table := installed(data)) is not None:
        text = table.said_by("tags", "export")
    else:
        text = write_table(tags_in(data or data_directory()))
    try:
        with click.open_file(file, "w", encoding="utf-8") as written:
            written.write(text)
    except OSError as error:
        click.echo(f"{file}: {error.strerror or error}", err=True)
        raise SystemExit(2) from None


@click.command()
@yes_option
@data_option
def pin(yes: bool, data: Path | None) -> None:
    """Choose a new PIN. An installed companion is stopped for it, and started again."""
    from companion.http.roles import PinLock
    from companion.table.table import Table

    if (table := installed(data)) is not None:
        with table.stopped(yes):
            table.run("pin")
        return
    with journal_in(data or data_directory()) as journal:
        again = words()(N_("the same once more"))
        new = click.prompt(words()(N_("new PIN")), hide_input=True, confirmation_prompt=again)
        try:
            PinLock(Table(journal)).choose(new)
        except ValueError as error:
            raise click.ClickException(reason(error)) from None
    say(N_("the new PIN is kept"))


_LEARNT = NN_("{count} tag learnt", "{count} tags learnt")
