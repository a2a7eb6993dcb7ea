"""The wire between Pico and Pi: one message a line, `@{json}*crc16`, so that a person can read it.

From the Pico, every line with its number `n`:
  {"n", "is": "hi", "protocol", "firmware", "boot", "board", "cause", "spaces": [kind, ...],
   "faulty": [[space, fault], ...], "versions": [VersionReg or 0, ...], "steps": [mA or null, ...],
   "powers": [CWGsPReg, ...], "gains": [dB, ...], "warm": 1 or 2}
                      kind: "tag", "present" or "none";
                      fault: "silent", "group", "memory", "field", "weak", "chain"
  {"n", "is": "snap", "spaces": [[UID, ...], true, false or null, ...]}
                      tags of a tag space, true or false of a presence space;
                      null: not known, which is not empty
  {"n", "is": "ev", "changes": [[space, as in snap], ...]}      at once: a tag is never in two places
  {"n", "is": "hb", "sweep", "state", "power", "misses": [n, ...], "celsius", "volts", "ma",
   "shared": [[UID, [space, ...]], ...]}
                      every 500 ms, every second where nothing has changed for long: sweep in ms, CRC of the
                      state, "on", "off" or "over", misses since the last hb; shared: the tags that
                      several readers keep reading
  {"n", "is": "test", "space", "polls", "hits": [[UID, n], ...], "torn", "power", "gain", "fault"}
  {"n", "is": "no", "why"}                                      the command cannot be carried out
To the Pico:
  {"do": "tell", "spaces": [kind, ...], "powers": [CWGsPReg, ...], "gains": [dB, ...],
   "warm": 1 or 2}    answer with hi and snap, and sense these from now on; all but the spaces may be missing
  {"do": "test", "space", "polls", "power", "gain"}             poll `polls` times, answer with test
  {"do": "reset"}     reset all readers and test them, after too much current too; answer with hi and snap

The same file runs on the Pico and on the Pi; it imports nothing of ours.
"""

import json

PROTOCOL = 2
LONGEST = 8192  # bytes of a line: 40 spaces with 8 tags each fit
TRIES = 16  # places in a line where a message may begin, from the right: noise must not hold us up

try:
    from binascii import crc_hqx  # the same sum, where Python has it
except ImportError:
    crc_hqx = None

# CRC-16/CCITT (polynomial 0x1021), four bits at a time
_NIBBLE = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip


def crc16(data: bytes) -> int:
    """Return CRC-16/CCITT of `data`, starting from 0xFFFF.

    >>> hex(crc16(b"123456789"))
    '0x29b1'
    """
    if crc_hqx is not None:
        return crc_hqx(data, 0xFFFF)
    return _crc16(data)


def _crc16(data: bytes) -> int:
    crc = 0xFFFF
    for byte in data:
        crc = (crc << 4 & 0xFFFF) ^ _NIBBLE[crc >> 12 ^ byte >> 4]
        crc = (crc << 4 & 0xFFFF) ^ _NIBBLE[crc >> 12 ^ byte & 15]
    return crc


def encode(message: dict[str, object]) -> bytes:
    r"""Return the line for `message`.

    >>> encode({"do": "reset"})
    b'@{"do":"reset"}*eede\n'
    """
    text = json.dumps(message, separators=(",", ":")).encode()
    return b"@%s*%04x\n" % (text, crc16(text))


def decode(line: bytes) -> dict[str, object] | None:
    """Return the message at the end of `line`, after any noise; None if there is none.

    >>> decode(b'noise@{"n":1,"is":"hb"}*11e7')
    {'n': 1, 'is': 'hb'}
    """
    line = line.rstrip()
    at, star, crc = len(line), line[-5:-4], line[-4:]
    for _ in range(TRIES if star == b"*" else 0):
        at = line.rfind(b"@{", 0, at)
        if at < 0:
            break
        text = line[at + 1 : -5]
        if crc == b"%04x" % crc16(text):
            return _read(text)
    return None


def _read(text: bytes) -> dict[str, object] | None:
    try:
        message = json.loads(text)
    except (ValueError, RuntimeError):  # nested too deeply, not our mistake
        return None
    return message if isinstance(message, dict) else None


def state_crc(spaces) -> str:  # a sequence as in snap
    """Return the checksum of a whole state, computed over a special text and never over re-encoded JSON.

    >>> state_crc([["04AA"], [], None]) == state_crc([["04AA"], [], []])
    False
    """
    words = [_word(what) for what in spaces]
    crc = crc16(";".join(words).encode())
    return f"{crc:04x}"


def _word(what) -> str:
    if what is None:
        return "?"
    if what is True or what is False:
        return "+" if what else "-"
    return ",".join(what)


class Lines:
    """Cuts a stream of bytes into messages; bytes of no message are dropped, never guessed at."""

    def __init__(self) -> None:
        self.rest = b""
        self.hurt = 0  # lines that resemble a message and are none

    def feed(self, data: bytes) -> list[dict[str, object]]:
        """Return the messages completed by `data`."""
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()[-LONGEST:]
        messages = []
        for line in lines:
            message = decode(line[-LONGEST:])
            if message is not None:
                messages.append(message)
            elif b"@{" in line or line.rstrip()[-5:-4] == b"*":  # MicroPython's own words are no bad cable
                self.hurt += 1
        return messages
