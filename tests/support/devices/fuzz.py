"""Bytes for the two readers of the wire: half of them noise, half well-framed and wrong in what they say.

All of it comes from a seed. What is *wrong* is wrong for certain: no reader may do what it says.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from companion.firmware import link
from tests.support.devices import modelled
from tests.support.devices.modelled import HB

POISON = "04DEAD0000BEEF"  # is nowhere: only wrong messages have it
PIECE = 4000  # bytes, about: noise and messages take turns

STRANGE: list[Any] = [
    None, True, False, -1, 41, 2**31, 2**70, -(2**70), 0.5, -0.0, 1e300, float("nan"), float("inf"), "", "tag",
    "tell", "\x00", "é\U0001f40e", "x" * 3000, [], {}, [[]], [[[[]]]], [None] * 41, ["tag"] * 41, ["pig"], [1, 2],
    {"do": "tell"}, [POISON], [[POISON]], "@{}*0000",
]  # fmt: skip


def framed(text: bytes) -> bytes:
    """Return a line with the right checksum."""
    return b"@%s*%04x\n" % (text, link.crc16(text))


def no_message(rng: random.Random) -> bytes:
    """Return a right checksum over a text that is no message."""
    deep = rng.choice([10, 500, 3000])
    return framed(
        rng.choice(
            [
                b"",
                b"null",
                b"[]",
                b"7",
                b'"tell"',
                b"{",
                b"{}}",
                b'{"do":}',
                b'{"do" "tell"}',
                b"{'do':'tell'}",
                b'{"do":"\xff\xfe"}',
                b'{"do":"\\u12"}',
                b'{"n":' + b"9" * rng.choice([20, 5000]) + b"}",
                b'{"n":1e999,"is":"snap"}',
                b'{"do":' + b"[" * deep + b"]" * deep + b"}",
                b'{"a":' * deep + b"1" + b"}" * deep,
                rng.randbytes(rng.randrange(300)).replace(b"\n", b" "),
            ]
        )
    )


def hurt(line: bytes, rng: random.Random) -> bytes:
    """Return a line with one byte changed, cut off at either end, or with one byte lost."""
    at = rng.randrange(len(line) - 2)
    match rng.randrange(4):
        case 0:
            return line[:at] + bytes([line[at] ^ rng.randrange(1, 256)]) + line[at + 1 :]
        case 1:
            return line[:at] + b"\n"
        case 2:
            return line[at + 1 :]
        case _:
            return line[:at] + line[at + 1 :]


def noise(rng: random.Random, right: Callable[[random.Random], dict[str, Any]]) -> Iterator[bytes]:
    """Yield random bytes, hurt lines, and what makes a reader of lines slow."""
    for _ in range(PIECE // 250):
        match rng.randrange(8):
            case 0:
                yield rng.randbytes(rng.randrange(600))
            case 1:
                yield (
                    rng.choice([b"@", b"@{", b"*", b"\r", b"\x00", b"@{}*"]) * rng.randrange(300) + b"*ffff\n"
                )
            case 2:
                yield b'Traceback (most recent call last):\r\n  File "main.py", line 7\r\n'
            case _:
                yield hurt(link.encode(right(rng)), rng)
    if rng.randrange(20) == 0:
        yield rng.choice([b"x", b"@{", b"["]) * (link.LONGEST + 100) + rng.choice([b"", b"*0000"])
    yield b"\n"


def wrong_commands(rng: random.Random) -> dict[str, Any]:
    """Return a command whose content cannot be meant."""
    what = rng.choice(STRANGE)
    wrong_spaces = [
        w for w in STRANGE if not (isinstance(w, list) and w and set(map(str, w)) <= {"tag", "none"})
    ]
    wrong_spaces += [[], ["tag"] * 41]
    return rng.choice(
        [
            {"do": what if what != "tell" else "tel"},
            {"is": "hi", "what": what},
            {"do": "tell"},
            {"do": "tell", "spaces": rng.choice(wrong_spaces)},
            {
                "do": "tell",
                "spaces": ["tag"] * 3,
                "gains": rng.choice([[34] * 3, [33], [True] * 3, {"a": 1}, "xyz", 0, False]),
                "powers": rng.choice([[99] * 3, [1], [True] * 3, {"a": 1}, "xyz", None, 0, False, "", {}]),
            },
            {
                "do": "tell",
                "spaces": ["tag"] * 3,
                "warm": rng.choice([0, 3, -1, True, None, "2", [2], {}, 2**70]),
            },
            {"do": "test"},
            {"do": "test", "space": rng.choice([-1, 40, 2**70, "0", None, 0.5, [0], True]), "polls": 1},
            {"do": "test", "space": 0, "polls": rng.choice([0, -1, 1001, 2**70, "1", None, 0.5, [], False])},
            {"do": "test", "space": 0, "polls": 1, "gain": rng.choice([0, 33.5, True, "33", [], 2**70])},
            {"do": "test", "space": 0, "polls": 1, "power": rng.choice([-1, 64, "8", [], 0.5, True, 2**70])},
        ]
    )


def right_commands(rng: random.Random) -> dict[str, Any]:
    """Return a command that can be meant, to be hurt."""
    return rng.choice(
        [
            {"do": "tell", "spaces": ["tag"] * rng.randrange(1, 41)},
            {"do": "test", "space": 1, "polls": 100, "power": 20},
            {"do": "reset"},
        ]
    )


HI = modelled.HI | {"boot": "bb", "spaces": ["tag"] * 3}


def right_news(rng: random.Random) -> dict[str, Any]:
    """Return what a Pico may send of a poisoned track, to be hurt."""
    n = rng.randrange(1000)
    return rng.choice(
        [
            HI | {"n": n},
            {"n": n, "is": "snap", "spaces": [[POISON], [], []]},
            {"n": n, "is": "ev", "changes": [[1, [POISON]]]},
            HB | {"n": n, "state": "0000"},
            {
                "n": n,
                "is": "test",
                "space": 1,
                "polls": 5,
                "hits": [[POISON, 5]],
                "torn": 0,
                "power": 1,
                "fault": None,
            },
            {"n": n, "is": "no", "why": "because"},
        ]
    )


def wrong_news(rng: random.Random) -> dict[str, Any]:
    """Return what no Pico may send: too many spaces, a tag in two places, a missing key, another type."""
    n, what = rng.randrange(1000), rng.choice(STRANGE)
    snap = {"n": n, "is": "snap"}
    ev = {"n": n, "is": "ev"}
    lost = right_news(rng)
    del lost[rng.choice([key for key in lost if key != "is" or "why" not in lost])]
    return rng.choice(
        [
            lost,
            {"n": n, "is": what if what != "no" else "yes", "spaces": [[POISON], [], []]},
            snap | {"spaces": [[POISON]] * 3},
            snap | {"spaces": [[POISON, POISON.lower()], [], []]},
            snap | {"spaces": [[POISON], []]},
            snap | {"spaces": [[POISON]] + [[]] * 40},
            snap | {"spaces": [[POISON], True, []]},
            snap | {"spaces": [[POISON], [what if what != POISON else 1], []]},
            snap | {"spaces": POISON},
            snap | {"n": -1, "spaces": [[POISON], [], []]},
            ev | {"changes": [[rng.choice([3, 40, -1, 2**70, None, "0", True, 0.5]), [POISON]]]},
            ev | {"changes": [[0, [POISON]], [1, [POISON]]]},
            ev | {"changes": [[0, [POISON], 1]]},
            HI | {"n": n, "spaces": rng.choice([["pig"] * 3, "tag", None, [["tag"]]])},
            HI | {"n": n, "versions": [1]},
            HI | {"n": n, "faulty": [[rng.choice([-1, 40, None]), "silent"]]},
            HB | {"n": n, "state": "0000", "power": rng.choice([True, "yes", None, 7])},
            HB | {"n": n, "state": 7},
            {
                "n": n,
                "is": "test",
                "space": what if what not in (True, False) else None,
                "hits": [[POISON, 5]],
            },
        ]
    )


def stream(
    seed: int,
    size: int,
    wrong: Callable[[random.Random], dict[str, Any]],
    right: Callable[[random.Random], dict[str, Any]],
) -> Iterator[bytes]:
    """Yield at least `size` bytes in pieces that end with a line: half noise, half well-framed and wrong."""
    rng = random.Random(seed)
    made = 0
    while made < size:
        piece = b"".join(noise(rng, right))
        said = b"\n"
        while len(said) < len(piece):
            said += no_message(rng) if rng.randrange(4) == 0 else framed(json.dumps(wrong(rng)).encode())
        made += len(piece) + len(said)
        yield piece + said
