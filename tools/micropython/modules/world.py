"""The way out of the virtual machine: messages to the model of the world, and its answers.

A message is a kind (one letter), a number, the length of what follows, and that. Nothing here allocates what
the firmware would be blamed for: the heads and the short answers have buffers of their own.
"""

import json
import struct

_line = open("/dev/world", "r+b", buffering=0)  # noqa: SIM115  as long as the machine
_head = bytearray(6)
_four = bytearray(4)
_one = bytearray(1)

stored = {}


def send(kind, number, payload):
    """Send a message; there is no answer."""
    _begin(kind, number, len(payload))
    _line.write(payload)


def send_byte(kind, number, byte):
    """Send a message of one byte."""
    _one[0] = byte
    send(kind, number, _one)


def fetch(kind, number, payload, into):
    """Send a message and fill `into` with the answer."""
    send(kind, number, payload)
    _line.readinto(into)


def fetch_number(kind, number):
    """Send a message and take a whole number below 2 ** 30."""
    _begin(kind, number, 0)
    _line.readinto(_four)
    return _four[0] | _four[1] << 8 | _four[2] << 16 | _four[3] << 24


def random(n):
    """Return what os.urandom gives on a Pico."""
    came = bytearray(n)
    fetch(ord("U"), n, b"", came)
    return bytes(came)


def _begin(kind, number, length):
    _head[0] = kind
    _head[2] = number & 255
    _head[3] = number >> 8 & 255
    _head[4] = length & 255
    _head[5] = length >> 8
    _line.write(_head)


def ask(kind, number, question):
    """Send a message and return the answer, both JSON; raises what the model raised."""
    send(kind, number, json.dumps(question).encode())
    _line.readinto(_four)
    text = bytearray(struct.unpack("<I", _four)[0])
    _line.readinto(text)
    answer = json.loads(text)
    if "exit" in answer:
        raise SystemExit(answer["exit"])
    if "error" in answer:
        raise OSError(answer["error"])
    return answer["value"]


def tell(value):
    """Report a value to the test: a plain one itself, another by the number under which it is stored here."""
    if _plain(value):
        text = "=" + repr(value)
    else:
        text = f"@{len(stored)}"
        stored[len(stored)] = value
    text = text.encode()
    for at in range(0, len(text), 60000):
        send(ord("a"), 0, text[at : at + 60000])


def _plain(value):
    if isinstance(value, (list, tuple, set)):
        return all(_plain(one) for one in value)
    if isinstance(value, dict):
        return all(_plain(one) for pair in value.items() for one in pair)
    return value is None or isinstance(value, (bool, int, float, str, bytes, bytearray))
