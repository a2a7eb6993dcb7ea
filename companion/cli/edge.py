"""The edge between commands and the terminal: finding a command, letters it does not have, failed writes."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

import click

_UNWRITTEN: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""The errors of a full disk or a lost terminal; click itself handles a pipe without a reader (EPIPE)."""


class Commands(click.Group):
    """The group of all commands; each is loaded when it is asked for."""

    def __init__(self, *args: Any, modules: Mapping[str, str], **more: Any) -> None:
        """Take the module in this package of each command; its function has the command's name."""
        super().__init__(*args, **more)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, with its module loaded; None if there is none."""
        if cmd_name not in self._modules:
            return None
        module = import_module(f"companion.cli.{self._modules[cmd_name]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def main(self, *args: Any, **more: Any) -> Any:
        """Run a command; end with status 2, with the reason, if its output cannot be written."""
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a ? on a terminal without ° or é
        try:
            return super().main(*args, **more)
        except OSError as error:
            if error.filename is not None or error.errno not in _UNWRITTEN:
                raise
            with suppress(OSError):
                click.echo(
                    f"Error: the output cannot be written: {error.strerror}; send it elsewhere", err=True
                )
            _write_no_more()
            raise SystemExit(2) from None


def _write_no_more() -> None:
    """Discard pending output: Python would try again at its end, and report that."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
