"""The edge between commands and the terminal: letters that it does not have, and failed writes."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from typing import Any, Final

import click

_UNWRITTEN: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""The errors of a full disk or a lost terminal; click itself handles a pipe without a reader (EPIPE)."""


class Commands(click.Group):
    """The group of all commands."""

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
