"""The part of RPi.GPIO that a reader's package needs: every level goes to the socket in RESET_PIN."""  # noqa: N999  its name

from __future__ import annotations

import os
import socket

BOARD, BCM, OUT, IN, HIGH, LOW = 10, 11, 0, 1, 1, 0
_wire = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
_modes: list[int] = []


def getmode() -> int | None:
    """Return how pins are numbered."""
    return _modes[-1] if _modes else None


def setmode(mode: int) -> None:
    """Set how pins are numbered."""
    _modes.append(mode)


def setwarnings(on: bool) -> None:
    """Do nothing: there are no warnings."""


def setup(pin: int, direction: int) -> None:
    """Drive a pin."""
    output(pin, HIGH)


def output(pin: int, level: int) -> None:
    """Drive a pin to this level."""
    _wire.sendto(bytes((pin, level)), os.environ["RESET_PIN"])


def cleanup(pin: int) -> None:
    """Let a pin go: the reader's board pulls its reset up."""
    output(pin, HIGH)
