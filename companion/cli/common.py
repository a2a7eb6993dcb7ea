"""Parts shared by several commands: reading a file, locking the data directory, the settings.

And output for people at the terminal, in the language of its locale. Output for programs (`--json`, records,
logs) and click's own help stay English.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import category

import click

from companion.message import N_, Sentence

if TYPE_CHECKING:
    from companion.match.record import Replay
    from companion.settings import Settings
    from companion.store.journal import Journal
    from companion.translate import Words


FILE = click.Path(readable=False, allow_dash=True)
"""A file to read, which a shell completes; an unreadable one is reported when it is read."""


def words() -> Words:
    """Return the words of the terminal's language, as its locale or $LANGUAGE names it; English otherwise."""
    from companion.translate import Words, spoken

    set_here = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, set_here), "")
    plain = locale.partition(".")[0] in ("C", "POSIX")
    asked = [] if plain else (os.environ.get("LANGUAGE") or locale).split(":")
    return Words.of(spoken(asked))


def say(text: str, /, **values: Any) -> None:
    """Print a sentence of the catalogue."""
    click.echo(words().text(Sentence(text, values)))


def failure(text: str, /, **values: Any) -> click.ClickException:
    """Return an exception with a sentence of the catalogue that ends the command with status 1; the caller
    raises it.
    """
    return click.ClickException(words().text(Sentence(text, values)))


def reason(problem: Exception) -> str:
    """Return the text of an error, in the terminal's language if it is a sentence of the catalogue."""
    said = getattr(problem, "sentence", None) or next(iter(problem.args), None)
    return words().text(said) if isinstance(said, Sentence) else str(problem)


def read_bytes(file: str) -> bytes:
    """Return the bytes of FILE (`-`: standard input); end the command with status 2 if they
    cannot be read.
    """
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        click.echo(f"{file}: {error.strerror or error}", err=True)
        raise SystemExit(2) from None


def one_line(text: str) -> str:
    r"""Return text that holds words of a record as one line for a terminal, without control characters.

    >>> one_line("A\nda")
    'A\\nda'
    """
    unseen = ("Cc", "Cs", "Zl", "Zp")
    return "".join(c.encode("unicode_escape").decode() if category(c) in unseen else c for c in text)


def cannot_use(directory: Path, error: OSError, option: str) -> str:
    """Return the message about a directory that cannot be used, and the option that names another."""
    why = {"path": directory, "why": error.strerror or error, "option": option}
    text = N_("the directory {path} cannot be used: {why}; name one that you may write to, with {option}")
    return words().text(Sentence(text, why))


def end_with_error(file: str, played: Replay) -> None:
    """Print where a record is wrong, if it is, and end the command with status 1."""
    if played.error is not None:
        click.echo(f"{file}:{played.error.line}: {one_line(played.error.reason)}", err=True)
        raise SystemExit(1)


def data_directory() -> Path:
    """Return the default directory of the journal."""
    try:
        home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    except RuntimeError:  # such as a container without HOME for a user without a name
        raise failure(
            N_("you have no home directory: name one that you may write to, with --data DIRECTORY")
        ) from None
    return Path(home) / "race-companion"


data_option = click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), help="The directory of journal and settings."
)


settings_option = click.option(
    "--settings", type=click.Path(dir_okay=False, path_type=Path), help="Default: companion.toml in --data."
)


pico_option = click.option(
    "--pico",
    type=click.Choice(["modelled", "emulated"]),
    help="The Pico of the virtual table, with --mock only: modelled [default], or its very chip emulated "
    "under MicroPython's own build, some 30 times slower than a Pico.",
)


def pico_of(mock: bool, pico: str | None) -> str:
    """Return the Pico of the virtual table; end the command where none is possible."""
    if pico is not None and not mock:
        raise click.UsageError("--pico says which Pico the virtual table has: that is for --mock only")
    if pico == "emulated":
        from companion.devices.parts import check_emulator
        from companion.errors import CompanionError

        try:
            check_emulator()
        except CompanionError as problem:
            raise click.ClickException(str(problem)) from None
    return pico or "modelled"


class Taken(click.ClickException):
    """Another companion uses the data directory."""


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Lock a data directory for this program alone; Taken if another one has it."""
    import fcntl

    from companion.store.backup import BackupError
    from companion.store.restore import finish

    try:
        directory.mkdir(0o700, parents=True, exist_ok=True)  # hands and bets are private
        lock = (directory / "companion.lock").open("w")
    except OSError as error:
        raise click.ClickException(cannot_use(directory, error, "--data DIRECTORY")) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            said = Sentence(
                N_(
                    "another companion runs with the data in {path}: stop it first, by Ctrl+C in its terminal"
                ),
                {"path": directory},
            )
            raise Taken(words().text(said)) from None
        try:
            finish(directory)
        except BackupError as error:
            raise click.ClickException(str(error)) from None
        yield


@contextmanager
def journal_in(directory: Path) -> Iterator[Journal]:
    """Open the journal in a directory, for this program alone."""
    with locked(directory), opened(directory) as journal:
        yield journal


@contextmanager
def opened(directory: Path, check_all: bool = True) -> Iterator[Journal]:
    """Open the journal in a directory that is locked; `check_all`: as `Journal`."""
    from companion.store.clock import Clock
    from companion.store.file import JournalError
    from companion.store.salvage import open_journal

    try:
        journal = open_journal(directory / "journal.sqlite", Clock(), check_all)
    except JournalError as error:
        raise click.ClickException(str(error)) from None
    try:
        yield journal
    finally:
        _rescue(journal)
        journal.close()


def tags_in(directory: Path) -> dict[str, str]:
    """Return the known tags of the journal in a directory, also while a companion runs with it."""
    from tempfile import TemporaryDirectory

    from companion.store.file import JournalError
    from companion.store.journal import Journal

    try:
        with journal_in(directory) as journal:
            return journal.tags()
    except Taken:
        pass
    with TemporaryDirectory(prefix="companion-tags-") as place:
        try:
            copied = Journal.copy_of(directory / "journal.sqlite", Path(place) / "journal.sqlite")
        except (JournalError, OSError) as error:
            raise click.ClickException(str(error)) from None
        try:
            return copied.tags()
        finally:
            copied.close()


def _rescue(journal: Journal) -> None:
    """Write a journal whose file is gone to a new one, and say where: it is lost when this program ends."""
    import sqlite3

    try:
        path = journal.rescue()
    except sqlite3.Error as error:
        lost = N_(
            "the journal's file is gone, and what was confirmed could not be written to a new one: {text}"
        )
        click.echo(words().text(Sentence(lost, {"text": error})), err=True)
        return
    if path is not None:
        rescued = N_("the journal's file was gone: everything that was confirmed was written to {path}")
        click.echo(words().text(Sentence(rescued, {"path": path})), err=True)


def machine_of(settings: Path | None, data: Path, mock: bool) -> Settings:
    """Return the machine as companion.toml describes it."""
    from companion.settings import MOCK, Settings, SettingsError, load

    if settings is not None and not settings.exists():
        raise failure(N_("there are no settings at {path}: name another file"), path=settings)
    try:
        return load(settings or data / "companion.toml", MOCK if mock else Settings())
    except SettingsError as error:
        raise click.ClickException(reason(error)) from None
