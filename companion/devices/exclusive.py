"""A serial port for one program: no other may open it meanwhile."""

from __future__ import annotations

import fcntl
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


@contextmanager
def held(line: Any) -> Iterator[None]:
    """Let no other program open this port until the block ends (TIOCEXCL, see ioctl_tty(2)).

    A lock, as pyserial sets one, stops only programs that look for it: a terminal would take half of the
    Pico's words away. Root can always open it.
    """
    number = line.fileno() if hasattr(line, "fileno") else None  # a model of a port may have none
    if number is None:
        yield
        return
    fcntl.ioctl(number, termios.TIOCEXCL)
    try:
        yield
    finally:
        with suppress(OSError, termios.error):  # it was pulled out
            fcntl.ioctl(number, termios.TIOCNXCL)
