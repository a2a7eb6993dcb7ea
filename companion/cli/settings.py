"""The command that checks companion.toml, and corrects what is certain."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import click

from companion.cli.common import (
    data_directory,
    data_option,
    failure,
    machine_of,
    reason,
    say,
    settings_option,
)
from companion.cli.installed import installed
from companion.message import N_


@click.command()
@data_option
@settings_option
@click.option("--fix", is_flag=True, help="Correct what is certain; a copy of the old file stays next to it.")
def settings(data: Path | None, settings: Path | None, fix: bool) -> None:
    """Check the settings, companion.toml: what is wrong in it, where, and what to write."""
    if settings is None and (table := installed(data)) is not None:
        table.hand_over("settings", *(("--fix",) if fix else ()))
    path = settings or (data or data_directory()) / "companion.toml"
    if fix:
        _fix(path)
    machine_of(path, path.parent, mock=False)
    say(N_("{path} can be used"), path=path)


def _fix(path: Path) -> None:
    """Write the file without its mistakes; end the command if how they are meant is not certain."""
    from companion.settings import SettingsError, corrected_text

    try:
        content = path.read_bytes() if path.exists() else b""
        text = corrected_text(content)
    except OSError as error:
        raise failure(N_("{path} cannot be read: {text}"), path=path, text=error.strerror or error) from None
    except SettingsError as error:
        raise click.ClickException(reason(error)) from None
    if text is None:
        return  # what is left is reported as at each start
    old = _free(path)
    new = path.with_name(f"{path.name}.new")
    try:
        shutil.copy2(path, old)
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, new)
        if os.geteuid() == 0:  # it stays the file of the companion's user
            os.chown(new, path.stat().st_uid, path.stat().st_gid)
        new.replace(path)
    except OSError as error:
        raise failure(
            N_("{path} cannot be written: {text}"), path=path, text=error.strerror or error
        ) from None
    say(N_("{path} is corrected; the file as it was is now {text}"), path=path, text=old)


def _free(path: Path) -> Path:
    """Return a free name for a copy of the file."""
    names = (path.with_name(f"{path.name}.old{number}") for number in ("", *range(2, 1000)))
    return next(name for name in names if not name.exists())
