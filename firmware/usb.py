"""The serial line over USB: received bytes, and bytes to send."""

import select
import sys

PACKET = 64  # bytes of USB's at full speed; MicroPython's buffer holds four
ROOM_CHECKS = (
    100  # checks for room before the sweep goes on: some ms, in which a host that reads takes kilobytes
)
MOST = 256  # bytes taken at once, so that a talkative host does not hold up the sweep

_waiting = select.poll()
_waiting.register(sys.stdin, select.POLLIN)
_room = select.poll()
_room.register(sys.stdout, select.POLLOUT)
_line, _sent = b"", 0  # the last line to send, and how much of it was sent


def read() -> bytes:
    """Return the bytes that have come since the last call, without waiting.

    0x03 still stops the program (so a person with mpremote gets in); the host sends readable text only.
    """
    received = b""
    while len(received) < MOST and _waiting.poll(0):
        byte = sys.stdin.buffer.read(1)
        if not byte:
            break
        received += byte
    return received


def has_room() -> bool:
    """Return whether the host reads: a port that is open and never read does not."""
    return flush() and bool(_room.poll(0))


def write(line: bytes) -> None:
    """Send a line unchanged, filled up with blanks before its end to whole packets.

    MicroPython would wait half a second for a packet that the host does not take, and only knows whether
    there is room for a byte. Where all packets are whole, that is room for one. A packet that finds no room
    for some ms waits for flush().
    """
    global _line, _sent
    _line, _sent = line[:-1] + b" " * (-len(line) % PACKET) + b"\n", 0
    for _ in range(ROOM_CHECKS):
        if flush():
            return


def flush() -> bool:
    """Send as much as there is room for; return whether nothing waits any more."""
    global _line, _sent
    while _sent < len(_line) and _room.poll(0):
        # not print, which would turn every line end into two characters
        sys.stdout.buffer.write(_line[_sent : _sent + PACKET])
        _sent += PACKET
    if _sent < len(_line):
        return False
    _line, _sent = b"", 0
    return True
