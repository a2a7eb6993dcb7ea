"""Commands about copies: one is made while a companion runs, one is restored while none does.

An installed companion is stopped while a copy is restored.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from companion.cli.common import data_directory, data_option, locked, one_line, settings_option
from companion.cli.installed import Installed, installed

if TYPE_CHECKING:
    from companion.store.restore import CheckedCopy


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    help="A directory that gets a dated file, instead of FILE; say, on another medium.",
)
@click.option(
    "--keep", type=click.IntRange(1), default=14, show_default=True, help="How many dated files stay there."
)
@data_option
@settings_option
def backup(file: Path | None, into: Path | None, keep: int, data: Path | None, settings: Path | None) -> None:
    """Copy everything into FILE: games, boards, tags, settings, seats and the PIN, also while it runs.

    It contains hands and sealed bets of a game that goes on: protect it as you protect the machine.
    """
    from companion.store.backup import BackupError, WholeCopy, settings_in, write, write_into
    from companion.store.file import JournalError
    from companion.store.restore import JOURNAL, SETTINGS, is_unfinished

    if (file is None) == (into is None):
        raise click.UsageError("name a FILE, or a directory with --into")
    if (table := installed(data)) is not None:
        _back_up_installed(table, file, into, keep, settings)
        return
    data = data or data_directory()
    if is_unfinished(data):
        raise click.ClickException(
            f"a copy is half put back in {data}: start the companion once, then try again"
        )
    gone: list[Path] = []
    try:
        copied = WholeCopy(data / JOURNAL, settings_in(settings or data / SETTINGS))
        if into is not None:
            file, gone = write_into(copied, into, keep)
        elif file is not None:
            write(copied, file)
        size = 0 if file is None else file.stat().st_size
    except (BackupError, JournalError) as error:
        raise click.ClickException(f"no copy was made: {error}") from None
    click.echo(f"everything is in {file}: {_counted(copied.games, 'game')}, {_size(size)}")
    _print_deleted(gone)


def _back_up_installed(
    table: Installed, file: Path | None, into: Path | None, keep: int, settings: Path | None
) -> None:
    """Let the table's user make a copy, and write it as the person who typed the command."""
    from companion.store.backup import keep_newest, name_for
    from companion.store.file import now

    where = file.parent if file is not None else into
    assert where is not None
    if not where.is_dir():
        raise click.ClickException(f"no copy was made: there is no directory {where}")
    file = file if file is not None else where / name_for(now())
    if file.exists():
        raise click.ClickException(
            f"no copy was made: {file} is there already: name another file, or a directory with --into"
        )
    more = () if settings is None else ("--settings", settings.absolute())
    with table.gathered(where) as there:
        said = table.said_by("backup", there / file.name, *more)
    click.echo(said.replace(str(there / file.name), str(file)), nl=False)
    if into is not None:
        _print_deleted(keep_newest(into, file, keep))


def _print_deleted(gone: list[Path]) -> None:
    if gone:
        click.echo(f"taken away for it: {', '.join(path.name for path in gone)}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--yes", is_flag=True, help="Do not ask.")
@data_option
def restore(file: Path, yes: bool, data: Path | None) -> None:
    """Put a copy back. An installed companion is stopped for it, and started again.

    FILE is checked first, and the present data are saved in a dated folder next to them. With `-` it is read
    from standard input, and nothing is asked.
    """
    from companion.store.backup import BackupError
    from companion.store.file import now
    from companion.store.restore import checked, restore

    is_handed = str(file) == "-"
    if (table := installed(data)) is not None and not is_handed:
        _restore_installed(table, file, yes)
        return
    data = data or data_directory()
    with locked(data), _given(file) as copy:
        try:
            found = checked(copy) if is_handed else _shown(copy, data, yes)
            folder = restore(found, data, now())
        except BackupError as error:
            raise click.ClickException(one_line(str(error))) from None
    click.echo(f"it is put back in {data}")
    if folder is not None:
        click.echo(f"the former data are in {folder}")


@contextmanager
def _given(file: Path) -> Iterator[Path]:
    """Yield the file to read; what comes from standard input is in a file for that time."""
    if str(file) != "-":
        yield file
        return
    with TemporaryDirectory(prefix="companion-restore-") as directory:
        there = Path(directory) / "standard-input"
        with there.open("wb") as opened:
            shutil.copyfileobj(sys.stdin.buffer, opened)
        yield there


def _shown(file: Path, data: Path, yes: bool) -> CheckedCopy:
    """Return a checked copy, after its contents were shown and agreed on; BackupError if it is damaged."""
    from companion.store.restore import checked

    found = checked(file)
    for line in _contents(file, found):
        click.echo(one_line(line))
    if not yes:
        click.confirm(f"let this be what is in {data}?", abort=True)
    return found


def _restore_installed(table: Installed, file: Path, yes: bool) -> None:
    """Check a copy as the person who typed the command, and let the table's user put it back."""
    from companion.store.backup import BackupError, whole

    if file.absolute().is_relative_to(table.data):  # such as one of the nightly ones
        with table.stopped(yes):
            table.run("restore", file.absolute(), *(("--yes",) if yes else ()))
        return
    try:
        found = _shown(file, table.data, yes)
        copy = whole(found.journal, found.settings) if found.made is None else file.read_bytes()
    except BackupError as error:
        raise click.ClickException(one_line(str(error))) from None
    with table.stopped(yes):
        table.run("restore", "-", content=copy)


def _contents(file: Path, copy: CheckedCopy) -> Iterator[str]:
    """Yield lines about the contents of a copy, and about what is missing."""
    from companion.http.roles import PIN

    if copy.made is None:
        yield f"{file}: a journal from a data directory"
    else:
        yield f"{file}: made {copy.made.at} by version {copy.made.version}"
    going_on = {"set aside": copy.games["aside"], "running": copy.games["running"]}
    states = [f"{count} {state}" for state, count in going_on.items() if count]
    games = _counted(copy.games.total(), "game") + (f" ({', '.join(states)})" if states else "")
    settings = "no settings" if copy.settings is None else "settings"
    yield f"in it: {games}, {_counted(len(copy.journal.tags()), 'tag')}, {settings}"
    if copy.journal.recall(PIN) is None:
        yield "no PIN is in it: the host chooses a new one, on /host"


def _counted(count: int, what: str) -> str:
    """Return a count with its noun.

    >>> _counted(1, "game"), _counted(0, "tag")
    ('1 game', '0 tags')
    """
    return f"{count} {what}{'' if count == 1 else 's'}"


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count // 1000} kB"
