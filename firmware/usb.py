"""The serial line over USB: whatever bytes have come, and bytes to send."""

import select
import sys

MOST = 256  # bytes taken at once, so that a talkative host does not hold up the sweep

_waiting = select.poll()
_waiting.register(sys.stdin, select.POLLIN)
_room = select.poll()
_room.register(sys.stdout, select.POLLOUT)


def read() -> bytes:
    """The bytes that have come since the last call, without waiting.

    0x03 still stops the program (so a person with mpremote gets in); the host sends readable text only.
    """
    came = b""
    while len(came) < MOST and _waiting.poll(0):
        byte = sys.stdin.buffer.read(1)
        if not byte:
            break
        came += byte
    return came


def has_room() -> bool:
    """Whether the host takes what it is sent: a port that is open and never read does not.

    MicroPython would wait half a second for it, line by line.
    """
    return bool(_room.poll(0))


def write(data: bytes) -> None:
    """Send `data` as it is: `print` would turn every line end into two characters."""
    sys.stdout.buffer.write(data)
