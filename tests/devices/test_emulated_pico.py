"""The firmware on an emulated RP2040, under MicroPython's own build for the Pico, over the modelled wiring.

A test of the firmware in CPython cannot see levels of pins, the order of edges, or MicroPython's own USB,
memory, prompt and watchdog.

Only here: a pin that is high without power, an edge in the wrong order, or memory that MicroPython loses on a
Pico.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from companion.devices.mock.rp2040 import EmulatedWiring
from companion.firmware import pins, rc522
from tests.support.devices.emulated import Emulation, planted, tag

pytestmark = pytest.mark.nightly

BUS = (*pins.ADDRESS, pins.STROBE, pins.SCK, pins.MOSI)
LET_GO = dict.fromkeys((*BUS, pins.RESET, pins.SWITCH_LOAD), 0) | {
    pins.MISO: 1
}  # levels in a reset: its pull-up
BORROWED = {15}  # the SDK borrows this pin for 1 ms when USB is reset (RP2040-E5); nothing is wired to it
ANSWER = 'why = "not known"'  # in main.py: what is done about a message that it does not know


def told(emulation: Emulation, readers: int, what: str = "tag") -> dict[str, Any]:
    """Wait for its start, request so many spaces, and return the `hi` of the answer."""
    emulation.next("hi")
    emulation.until(lambda: emulation.wiring.level[pins.RESET] == emulation.wiring.power)
    emulation.say({"do": "tell", "spaces": [what] * readers})
    hello = emulation.where(lambda message: message["is"] == "hi" and len(message["spaces"]) == readers)
    emulation.next("snap")
    return hello


def faulty(emulation: Emulation, *faults: tuple[int, str]) -> None:
    """Run until it reports exactly these faults."""
    wanted = [list(fault) for fault in faults]
    emulation.until(lambda: [m["faulty"] for m in emulation.heard if m["is"] == "hi"][-1] == wanted)


def all_lie(emulation: Emulation, wanted: list[Any]) -> bool:
    """Return True if it reported exactly this."""
    return emulation.spaces == wanted


def power(emulation: Emulation, power: str) -> None:
    """Run until its next heartbeat reports this state of the power."""
    assert emulation.where(lambda m: m["is"] == "hb" and m["power"] == power)


def dark(emulation: Emulation) -> None:
    """Assert that no reader is selected, fed through the bus or let out of its reset."""
    levels = emulation.levels.now()
    assert {pin: levels[pin] for pin in (*BUS, pins.RESET)} == dict.fromkeys((*BUS, pins.RESET), 0)
    assert not any(chip.field_on for chip in emulation.wiring.chips)


# -- checks: on the firmware as it is, and on one with a mistake, where they must fail


def nothing_is_high_without_power(emulation: Emulation) -> None:
    """Assert that without the track's supply the Pico drives or pulls nothing high."""
    emulation.next("hb")
    assert emulation.levels.high() <= BORROWED, "high without the track's power"
    dark(emulation)


def a_dead_group_is_told_from_a_dead_reader(emulation: Emulation) -> None:
    """Assert that a dead group and a dead reader are distinguished.

    The last reader is alone in its group, which loses its supply; reader 1 dies by itself.
    """
    last = len(emulation.wiring.chips) - 1
    told(emulation, last + 1)
    emulation.wiring.chips[1].dead = True
    emulation.wiring.dead_groups.add(last // pins.GROUP)
    emulation.until(lambda: len([m for m in emulation.heard if m["is"] == "hi"][-1]["faulty"]) == 2)
    assert emulation.next("hb")
    hello = [m for m in emulation.heard if m["is"] == "hi"][-1]
    assert hello["faulty"] == [[1, "silent"], [last, "group"]], "named wrongly"


def each_reader_answers_for_its_own_space(emulation: Emulation) -> None:
    """Assert that no fault is reported, and that each tag is reported at its own space."""
    readers = len(emulation.wiring.chips)
    told(emulation, readers)
    for space in range(readers):
        emulation.lay(space, tag(space))
    emulation.next("hb")
    emulation.next("hb")
    assert emulation.spaces == [[tag(space).hex().upper()] for space in range(readers)], "not where it lies"


def nothing_is_wired_against(emulation: Emulation) -> None:
    """Strobe and address change in the right order, and no transfer is without a reader.

    No pin floats or is driven by two outputs.
    """
    told(emulation, len(emulation.wiring.chips))
    emulation.next("hb")
    assert emulation.wiring.wrong == [], "wrong on the wires"


def every_line_is_whole(emulation: Emulation) -> None:
    """Assert that the wire has only messages, numbered without a gap."""
    emulation.next("snap")
    emulation.run(0.6)
    assert emulation.words == b"", "words among the messages"
    assert [message["n"] for message in emulation.heard] == list(range(len(emulation.heard)))
    assert any(message["is"] == "hb" for message in emulation.heard)


# -- 22 readers


def test_it_boots_and_a_lap() -> None:
    """From power-up to `hi` takes at most a second; then all 22 readers answer without a fault.

    Eleven pieces on every other space each move one on: all spaces are reported, and those they left are
    empty. No more than two fields are on at once, and never those of neighbours.
    """
    readers = pins.READERS
    with Emulation(readers) as emulation:
        first = emulation.next("hi")
        assert (first["n"], first["cause"], first["board"]) == (0, "power", "Raspberry Pi Pico with RP2040")
        assert emulation.at[0] < 1e6
        emulation.next("hb")
        emulation.say({"do": "tell", "spaces": ["tag"] * readers})
        second = emulation.next("hi")
        assert (second["versions"], second["faulty"]) == ([0x92] * readers, [])
        a_lap(emulation)
        on = emulation.wiring.on_at_once
        assert {reader for fields in on for reader in fields} == set(range(readers))
        assert max(len(fields) for fields in on) == 2
        gaps = {(b - a) % readers for a, b in (fields for fields in on if len(fields) == 2)}
        assert not gaps & {1, readers - 1}
        assert emulation.wiring.wrong == []
        assert emulation.words == b""


def a_lap(emulation: Emulation) -> None:
    """Put a piece on every other space, then each one space on; each space is reported."""
    readers = len(emulation.wiring.chips)
    for moved in range(2):
        wanted: list[list[str]] = [[] for _ in range(readers)]
        for space in range(0, readers, 2):
            emulation.lay(space if moved else space + 1)
            emulation.lay(space + moved, tag(space))
            wanted[space + moved] = [tag(space).hex().upper()]
        emulation.until(partial(all_lie, emulation, wanted))


def test_40_readers() -> None:
    """All answer; a tag is read on the last reader and on the first of the last group."""
    with Emulation(pins.MOST_READERS) as emulation:
        told(emulation, pins.MOST_READERS)
        emulation.lay(39, tag(1))
        emulation.lay(32, tag(2))
        emulation.lies(39, tag(1))
        emulation.lies(32, tag(2))
        emulation.say({"do": "tell", "spaces": ["tag"] * pins.MOST_READERS})
        hello = emulation.next("hi")
        assert (hello["versions"], hello["faulty"]) == ([0x92] * pins.MOST_READERS, [])
        assert emulation.wiring.wrong == []


# -- levels


def test_levels_and_the_prompt() -> None:
    """Each wired pin is low from power-up to the prompt while no reader may be selected or fed."""
    with Emulation(3, powered=False) as emulation:
        nothing_is_high_without_power(emulation)
        emulation.wiring.switch_power(True)
        told(emulation, 3)
        emulation.until(lambda: emulation.levels.now()[pins.RESET])
        emulation.lay(0, tag(1))
        emulation.lies(0, tag(1))

        emulation.type(b"\x03")  # a person takes it
        emulation.until(lambda: emulation.words.count(b"\n") >= 2 and emulation.at_prompt(), 1)
        since = emulation.pico.us
        dark(emulation)
        emulation.type(b"print(6*7)\r\n")
        emulation.until(lambda: b"\n42\r\n" in emulation.words, 1)
        emulation.run(6.5)  # the watchdog's patience is 5 s
        assert emulation.pico.resets == 0
        assert emulation.levels.high(since) == set()
        dark(emulation)

        emulation.type(b"import machine; machine.reset()\r\n")
        assert emulation.next("hi")["cause"] == "soft"
        assert emulation.levels.let_go == LET_GO
        assert emulation.levels.high() <= BORROWED
        assert emulation.wiring.wrong == []


def test_pins_that_are_driven_by_two_or_by_none() -> None:
    """An output that works against another one, and a pin that floats, are found."""
    with Emulation(1, files={"/main.py": b""}) as emulation:
        emulation.run(0.3)
        emulation.type(b"from machine import Pin\r\n")
        emulation.until(emulation.at_prompt, 1)
        emulation.wiring.pulls.pop(pins.RESET)
        emulation.type(b"_ = Pin(16, Pin.OUT), Pin(8, Pin.OUT), Pin(20, Pin.IN, None)\r\n")
        emulation.until(lambda: len(emulation.wiring.wrong) == 3, 2)
        assert sorted(emulation.wiring.wrong) == [
            "GP16 is an output of the Pico, and something else drives it",
            "GP20 floats: neither the Pico nor a resistor says what it is",
            "GP8 is an output of the Pico, and something else drives it",
        ]


# -- what fails


def test_readers_and_groups_die_and_come_back() -> None:
    """A dead reader is silent, a dead group is a group; after the repair both are read."""
    with Emulation(9) as emulation:
        a_dead_group_is_told_from_a_dead_reader(emulation)
        emulation.wiring.chips[1].dead = False
        emulation.wiring.dead_groups.clear()
        faulty(emulation)
        emulation.lay(1, tag(1))
        emulation.lay(8, tag(8))
        emulation.lies(1, tag(1))
        emulation.lies(8, tag(8))
        assert emulation.wiring.wrong == []


def test_the_supply() -> None:
    """Without the supply all is low, and reported.

    Too much current holds the reset until a person clears it.
    """
    with Emulation(2) as emulation:
        told(emulation, 2)
        power(emulation, "on")
        emulation.wiring.switch_power(False)
        power(emulation, "off")
        dark(emulation)
        emulation.wiring.switch_power(True)
        power(emulation, "on")

        emulation.wiring.short_ma = 2000
        power(emulation, "over")
        dark(emulation)
        emulation.wiring.short_ma = 0
        began = len(emulation.heard)
        emulation.run(1.5)
        assert {m["power"] for m in emulation.heard[began:] if m["is"] == "hb"} == {"over"}
        dark(emulation)
        emulation.say({"do": "reset"})
        power(emulation, "on")
        emulation.lay(1, tag(1))
        emulation.lies(1, tag(1))
        assert emulation.wiring.wrong == []


def test_the_watchdog() -> None:
    """A firmware that hangs is restarted with each pin released, and the `hi` names the cause."""
    with Emulation(2, files=planted("main.py", ANSWER, "clock.sleep_ms(60000)")) as emulation:
        told(emulation, 2)
        emulation.say({"do": "hang"})
        emulation.until(lambda: emulation.pico.resets, 6)
        assert emulation.levels.let_go == LET_GO
        assert all(chip.held for chip in emulation.wiring.chips)
        assert emulation.next("hi")["cause"] == "watchdog"
        assert emulation.levels.high() <= BORROWED


def test_a_traceback() -> None:
    """A Python traceback goes over the wire, no field stays on, and the watchdog restarts the Pico."""
    with Emulation(2, files=planted("main.py", ANSWER, 'raise ValueError("planted")')) as emulation:
        told(emulation, 2)
        emulation.say({"do": "raise"})
        emulation.until(lambda: b"ValueError: planted" in emulation.words, 1)
        emulation.run(0.01)
        dark(emulation)
        assert b"Traceback (most recent call last)" in emulation.words
        assert b'File "main.py"' in emulation.words
        assert emulation.next("hi", 6)["cause"] == "watchdog"
        assert emulation.pico.resets == 1


# -- switches


def test_switches() -> None:
    """A magnet closes a switch on either 74HC165 and is reported.

    A cut row is reported, and so is its repair.
    """
    with Emulation(1, switches=9) as emulation:
        told(emulation, 9, "present")
        emulation.until(lambda: emulation.spaces == [False] * 9)
        for closed in ({2}, {2, 8}, {8}, set()):
            wanted = [space in closed for space in range(9)]
            emulation.wiring.closed = list(wanted)
            emulation.until(partial(all_lie, emulation, wanted), 1)
        emulation.wiring.closed[8] = True
        emulation.wiring.cut = True
        faulty(emulation, *((space, "chain") for space in range(9)))
        assert emulation.spaces == [None] * 9
        emulation.wiring.cut = False
        faulty(emulation)
        assert emulation.spaces == [False] * 8 + [True]
        dark(emulation)
        assert emulation.wiring.wrong == []


# -- the cable


def test_nobody_reads(soak: int) -> None:
    """A host that opens the port and never reads never delays the Pico: minutes of it in `make soak`.

    A message without room is not sent. When the host reads again it sees a gap in the numbers, and the Pico
    reports everything again on request.
    """
    with Emulation(2) as emulation:
        told(emulation, 2)
        emulation.lay(0, tag(1))
        emulation.lies(0, tag(1))
        last = emulation.heard[-1]["n"]
        emulation.pico.listen(False)
        emulation.lay(0, tag(2))
        looks = []
        for _ in range(5 if soak == 1 else 4 * 120):
            before = emulation.wiring.chips[1].reads
            emulation.run(0.25)
            looks.append(emulation.wiring.chips[1].reads - before)
        print(f"polls of a reader in each unread quarter of a second: {looks}")
        assert min(looks) >= 10
        assert emulation.pico.resets == 0
        emulation.pico.listen(True)
        heard = len(emulation.heard)
        emulation.until(lambda: len(emulation.heard) > heard and emulation.heard[-1]["n"] > last + 5, 3)
        assert emulation.heard[-1]["n"] - last > len(emulation.heard) - heard, "no gap in the numbers"
        emulation.say({"do": "tell", "spaces": ["tag"] * 2})
        assert emulation.next("snap", 3)
        emulation.lies(0, tag(2), seconds=1)
        assert emulation.wiring.wrong == []


def test_unplugged() -> None:
    """A closed port delays nothing, and the state is right when it is opened again.

    After a loss of power the Pico starts again.
    """
    with Emulation(2) as emulation:
        told(emulation, 2)
        emulation.lay(0, tag(1))
        emulation.lies(0, tag(1))
        emulation.pico.usb.set_control_lines(dtr=False, rts=False)
        emulation.run(0.01)
        emulation.pico.listen(False)
        emulation.run(0.5)
        polls = emulation.wiring.chips[1].reads
        emulation.lay(0, tag(2))
        emulation.run(1)
        assert emulation.wiring.chips[1].reads - polls > 20  # the sweep goes on as ever
        emulation.pico.listen(True)
        emulation.pico.usb.set_control_lines(dtr=True, rts=True)
        emulation.say({"do": "tell", "spaces": ["tag"] * 2})
        emulation.lies(0, tag(2), seconds=2)

        emulation.pico.lose_power()
        assert emulation.next("hi")["n"] == 0
        hello = [message for message in emulation.heard if message["is"] == "hi"][-1]
        assert hello["cause"] == "power"
        assert emulation.wiring.wrong == []


# -- memory

MEASURED = (
    "began = clock.ticks_us(); gc.collect(); took = clock.ticks_diff(clock.ticks_us(), began); "
    "print('memory', gc.mem_free(), took)"
)
AT_EACH_BEAT = "        if not self.beats:\n            gc.collect()", "        " + MEASURED


def fields_on(emulation: Emulation, reader: int) -> Callable[[], int]:
    """Return a counter of how often the reader's field comes on from now: once a sweep."""
    chip, count = emulation.wiring.chips[reader], 0
    write = chip.write

    def counted(register: int, value: int) -> None:
        nonlocal count
        count += (register, value) == (rc522.TxControlReg, rc522.FIELD_ON)
        write(register, value)

    chip.write = counted  # type: ignore[method-assign]
    return lambda: count


def test_memory(soak: int) -> None:
    """After 70 sweeps (1,000 in `make soak`) as many bytes are free as after 30 (100), within a few.

    A collection takes 10 ms.
    """
    first, last = (30, 70) if soak == 1 else (100, 1000)
    with Emulation(1, files=planted("main.py", *AT_EACH_BEAT)) as emulation:
        told(emulation, 1)
        emulation.lay(0, tag(1))
        emulation.lies(0, tag(1))
        sweeps = fields_on(emulation, 0)
        emulation.until(lambda: sweeps() >= first)
        before = emulation.words.count(b"memory")
        emulation.until(lambda: sweeps() >= last, 120)
        after = emulation.words.count(b"memory")
        emulation.until(lambda: emulation.words.count(b"memory") > after)
        lines = [line.split() for line in emulation.words.splitlines() if line.startswith(b"memory")]
        free, took = [int(line[1]) for line in lines[before:]], [int(line[2]) for line in lines]
        print(f"bytes free from sweep {first} to the {sweeps()}th: {free}; to collect took {max(took)} us")
        # in blocks of 16 bytes: what messages needed, which differ in length
        assert max(free) - min(free) <= 128
        assert min(free) > 100_000
        assert max(took) < 20_000


# -- mistakes


def without_pull_up(wiring: EmulatedWiring) -> None:
    wiring.pulls.pop(pins.MISO)


def swapped(wiring: EmulatedWiring) -> None:
    wiring.outputs |= {1: 2, 2: 1}


TO_THE_LINES = "    sio[_CLEAR] = _LINES\n    sio[_SET] = reader << _FIRST_LINE\n"
STROBED = "    sio[_SET] = _STROBE\n"
Check = Callable[[Emulation], None]
MISTAKES: dict[str, tuple[dict[str, Any], tuple[str, str, str] | None, Check, str]] = {
    "strobe before address": (
        {"readers": 3},
        (
            "board.py",
            "        self.strobe.value(0)\n        if reader != self.address:",
            "        self.strobe.value(1)\n        if reader != self.address:",
        ),
        nothing_is_wired_against,
        "wrong on the wires",
    ),
    "strobe before address, in orders": (
        {"readers": 3},
        ("fast.py", TO_THE_LINES + "    i = 0", STROBED + TO_THE_LINES + "    i = 0"),
        nothing_is_wired_against,
        "wrong on the wires",
    ),
    "strobe before address, in a script": (
        {"readers": 3},
        ("fast.py", TO_THE_LINES + "    # asleep", STROBED + TO_THE_LINES + "    # asleep"),
        nothing_is_wired_against,
        "wrong on the wires",
    ),
    "reset high at boot": (
        {"readers": 1, "powered": False},
        ("board.py", "Pin(pins.RESET, Pin.OUT, value=0)", "Pin(pins.RESET, Pin.OUT, value=1)"),
        nothing_is_high_without_power,
        "high without the track's power",
    ),
    "no pull-up at MISO": (
        {"readers": 9, "wired": without_pull_up},
        None,
        a_dead_group_is_told_from_a_dead_reader,
        "named wrongly",
    ),
    "two selects swapped": (
        {"readers": 3, "wired": swapped},
        None,
        each_reader_answers_for_its_own_space,
        "not where it lies",
    ),
    "print in a line": (
        {"readers": 1},
        (
            "usb.py",
            "        _sent += PACKET\n",
            "        _sent += PACKET\n        if b'misses' in _line:\n            print('here')\n",
        ),
        every_line_is_whole,
        "words among the messages",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_planted_mistakes(mistake: str) -> None:
    """Each is found:

    | mistake | found by | how |
    |---|---|---|
    | strobe before address | nothing_is_wired_against | the address changes while a reader is selected |
    | the same in fast.py, in orders and in a script | nothing_is_wired_against | the same |
    | reset high at boot | nothing_is_high_without_power | GP20 is driven high before the supply is there |
    | no pull-up at MISO | a_dead_group_is_told_from_a_dead_reader | the group's reader is called silent |
    | two selects swapped | each_reader_answers_for_its_own_space | both readers are silent |
    | print in a line | every_line_is_whole | the halves are words, the message is lost |
    """
    given, plant, check, found = MISTAKES[mistake]
    files = planted(*plant) if plant else None
    with Emulation(files=files, **given) as emulation, pytest.raises(AssertionError, match=found):
        check(emulation)


@pytest.mark.parametrize(
    "check", [each_reader_answers_for_its_own_space, nothing_is_wired_against, every_line_is_whole]
)
def test_without_a_mistake(check: Check) -> None:
    """The checks that no other test uses pass on the firmware unchanged."""
    with Emulation(3) as emulation:
        check(emulation)
