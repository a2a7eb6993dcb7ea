"""The machine code of fast.py does what its plain twin does on one emulated Pico, access by access.

Only here: an instruction of the machine code that reads, writes or waits otherwise than the plain Python on a
Pico.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.devices.mock.iso14443 import POWER_UP_US
from companion.devices.mock.rp2040 import EmulatedWiring
from companion.firmware import link, pins, rc522
from tests.support.devices.emulated import Emulation, need_a_pico, quick
from tests.support.devices.vm import TICKS

pytestmark = pytest.mark.nightly

READER, OTHER = 13, 6  # their numbers have other bits
TAGS = {
    4: bytes.fromhex("0102A1B2"),
    7: bytes.fromhex("04A1B2C3D4E5F6"),
    10: bytes.fromhex("0411223344556677A0B1"),
}
STRANGER = bytes.fromhex("04A1B2C3D4E5F7")  # differs from the one of 7 bytes late
SCRIPTS = {"anybody": rc522.ANYBODY} | {
    f"{n}, {'whole' if whole else 'short'}": rc522.call_of(uid, whole)
    for n, uid in TAGS.items()
    for whole in (False, True)
}
SEVEN = ("anybody", "7, short", "7, whole")
ORDERS = b"".join(bytes((register << 1, value)) for register, value in rc522.SETTINGS)
SUMMED = (b"", b"\0", b"\xff", b"123456789", bytes(range(256)), b"\xff\x00" * 300)
PLAIN, FAST = 0, 1
PROGRAM = f"""
import sys
sys.path.insert(0, "/app")
import board, clock, fast, link, rc522
scripts = {list(SCRIPTS.values())!r}
orders = {ORDERS!r}
summed = {SUMMED!r}
wired = board.Board()
wired.start()
ports = board.Port(wired, {READER}), fast.FastPort(wired, {READER})
other = board.Port(wired, {OTHER})
def play(which, script, after=None):
    heard = bytearray(b"\\xee" * 67)
    other.read(rc522.VersionReg)
    due = None if after is None else clock.ticks_us() + after  # as the scanner: it may be past the wrap
    print("=", ports[which].play(scripts[script], heard, due), heard.hex(), due)
""".encode()

Transfer = tuple[int, list[tuple[int, int]]]  # which reader, and what went out and came, byte by byte


class Bench:
    """An emulated Pico at its prompt, with both ports to one reader and a record of its bus."""

    def __init__(self) -> None:
        self.bus: list[Transfer] = []
        self.at: list[float] = []  # when each was over
        self.emulation = Emulation(READER + 1, files=quick() | {"/main.py": PROGRAM}, wired=self._record)
        self.chip = self.emulation.wiring.chips[READER]
        self.emulation.until(self.emulation.at_prompt)

    def _record(self, wiring: EmulatedWiring) -> None:
        select, talk = wiring._select, wiring._talk

        def selected() -> None:
            if wiring.level.get(pins.STROBE):
                self.bus.append((wiring._number(), []))
                self.at.append(0)
            select()

        def talked(byte: int) -> tuple[int, Callable[[], None]]:
            came, heard = talk(byte)
            self.bus[-1][1].append((byte, came))
            self.at[-1] = wiring.chip.clock.nanos / 1000
            return came, heard

        wiring._select, wiring._talk = selected, talked  # type: ignore[method-assign]

    def ready(self, tags: tuple[bytes, ...] = ()) -> None:
        """Reset the chip as after its start: field on for long enough, with these tags."""
        self.emulation.wiring.dead_groups.clear()
        self.chip.dead, self.chip.broken, self.chip.tear = False, frozenset(), None
        self.chip.put([])
        self.emulation.wiring.tell_time()
        self.chip.brown_out()
        self.emulation.run(0.0005)
        self.emulation.wiring.tell_time()
        for register, value in (*rc522.SETTINGS, (rc522.TxControlReg, rc522.FIELD_ON)):
            self.chip.write(register, value)
        self.chip.put(list(tags))
        for card in self.chip.cards.values():
            card.powered_at -= POWER_UP_US
        self.bus.clear()
        self.at.clear()

    def ask(self, code: str) -> list[str]:
        """Run code at the prompt, and return the words that it prints after `=`."""
        emulation, before = self.emulation, len(self.emulation.words)
        emulation.type(code.encode() + b"\r\n")

        def answer() -> list[str] | None:
            lines = emulation.words[before:].splitlines()[1:]  # the first one is the echo
            if not emulation.at_prompt() or not lines:
                return None
            assert lines[-1].startswith(b"="), lines
            return lines[-1].decode().split()[1:]

        found: list[str] = emulation.until(answer, 2)
        return found

    def did(self) -> list[Transfer]:
        """Return the transfers on the bus; of polls of ComIrqReg in a row only the last."""
        polls = [bytes_[:1] and bytes_[0][0] == 0x80 | rc522.ComIrqReg << 1 for _, bytes_ in self.bus]
        return [
            transfer
            for n, transfer in enumerate(self.bus)
            if not (polls[n] and n + 1 < len(polls) and polls[n + 1])
        ]


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    need_a_pico()
    made = Bench()
    with made.emulation:
        yield made


def asleep(bench: Bench) -> None:
    bench.chip.write(rc522.CommandReg, rc522.POWER_DOWN)


def dead(bench: Bench) -> None:
    bench.chip.dead = True


def dark(bench: Bench) -> None:
    bench.emulation.wiring.dead_groups.add(READER // pins.GROUP)


def torn(bench: Bench) -> None:
    bench.chip.tear_off()


def torn_at_once(bench: Bench) -> None:
    bench.chip.tear = (TAGS[7], 5)


def no_level(bench: Bench) -> None:
    bench.chip.broken = frozenset((rc522.FIFOLevelReg,))


def nothing(_: Bench) -> None:
    pass


# the tags there, the scripts, what is broken, and how far the last script is played
SITUATIONS: dict[str, tuple[tuple[bytes, ...], tuple[str, ...], Callable[[Bench], None], int]] = {
    "empty": ((), SEVEN, nothing, 0),
    "one of 7 bytes": ((TAGS[7],), SEVEN, nothing, 7),
    "one of 4 bytes": ((TAGS[4],), ("anybody", "4, short", "4, whole"), nothing, 5),
    "one of 10 bytes": ((TAGS[10],), ("anybody", "10, short", "10, whole"), nothing, 9),
    "two": ((TAGS[7], STRANGER), SEVEN, nothing, 3),
    "two of other lengths": ((TAGS[7], TAGS[4]), SEVEN, nothing, 0),
    "another one": ((STRANGER,), SEVEN, nothing, 3),
    "another one of 4 bytes": ((TAGS[4],), SEVEN, nothing, 1),
    "asleep": ((TAGS[7],), SEVEN, asleep, -1),
    "dead": ((TAGS[7],), ("anybody",), dead, -1),
    "its group dark": ((TAGS[7],), SEVEN, dark, -1),
    "torn": ((TAGS[7],), SEVEN[1:], torn, 1),
    "torn at once": ((TAGS[7],), SEVEN, torn_at_once, 0),
    "a FIFO that says it is empty": ((TAGS[7],), SEVEN, no_level, 1),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_scripts(bench: Bench, situation: str) -> None:
    """Both play equally far, hear the same, and the chip sees the same bytes."""
    tags, scripts, broken, played = SITUATIONS[situation]
    for name in scripts:
        seen: list[Any] = []
        for which in (PLAIN, FAST):
            bench.ready(tags)
            broken(bench)
            far, heard, *_ = bench.ask(f"play({which}, {list(SCRIPTS).index(name)})")
            # without a chip nothing was heard that means anything
            seen.append((int(far), heard if int(far) >= 0 else "", bench.did()))
        assert seen[PLAIN] == seen[FAST], name
    assert seen[PLAIN][0] == played
    assert {reader for reader, _ in seen[PLAIN][2]} == {OTHER, READER}
    assert bench.emulation.wiring.wrong == []


def test_orders_and_reads(bench: Bench) -> None:
    """`run` writes and `read` reads the same, after any other reader was addressed."""
    for code in (
        "ports[{}].run(orders)",
        "ports[{}].read(rc522.VersionReg)",
        "ports[{}].read(rc522.CommandReg)",
    ):
        seen = []
        for which in (PLAIN, FAST):
            bench.ready()
            told = bench.ask(f"other.read(10); print('=', {code.format(which)}, wired.address)")
            seen.append((told, bench.did()))
        assert seen[PLAIN] == seen[FAST], code
        assert len(seen[PLAIN][1]) > 1


@pytest.mark.parametrize("which", [PLAIN, FAST])
def test_the_moment(bench: Bench, which: int) -> None:
    """The first frame goes out when it is due and not before; an overdue frame goes out at once.

    The machine code counts for itself, also where ticks wrap around. The plain port leaves that to
    MicroPython, whose sleep does not allow the emulated timer to be set.
    """
    timer = bench.emulation.pico.chip.timer
    moments = [(3000, None), (-5, None), (20_000, (1 << 32) - 10_000)]
    for after, now in moments if which == FAST else moments[:2]:
        bench.ready()
        if now is not None:
            timer._epoch_nanos = bench.emulation.pico.chip.clock.nanos - now * 1e3
        *_, due = bench.ask(f"play({which}, 0, {after})")
        (sent,) = (
            at - timer._epoch_nanos / 1e3
            for at, (_, bytes_) in zip(bench.at, bench.bus, strict=True)
            if bytes_[0][0] == rc522.BitFramingReg << 1 and bytes_[1][0] & rc522.START_SEND
        )
        late = (sent - int(due) + TICKS // 2) % TICKS - TICKS // 2
        print(f"{('plain', 'machine code')[which]}, due after {after} us: sent {late:.0f} us later")
        assert 0 <= late < (300 if after > 0 else 5000)


def test_sums(bench: Bench) -> None:
    """crc_hqx in machine code, link.py on the Pico and CPython give the same sums."""
    bench.ready()
    told = bench.ask("print('=', *[(fast.crc_hqx(s, 0xFFFF), link._crc16(s)) for s in summed])")
    wanted = [(link.crc16(data), link.crc16(data)) for data in SUMMED]
    assert " ".join(told) == " ".join(map(str, wanted))
