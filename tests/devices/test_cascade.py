"""The exchange and the cascade over the modelled chip; pad and firmware run the same code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.devices.mock import machine
from companion.devices.mock.iso14443 import Card, crc_a
from companion.devices.mock.rc522 import Chip, Clock, Transfer
from companion.firmware import rc522
from tests.support.devices.modelled import Bench, some_uids
from tests.support.devices.vm import VirtualMachine, track_of

TAG = bytes.fromhex("04A1B2C3D4E5F6")
MEASURED_US = machine.ACCESS_US
On = Callable[..., Bench]


@pytest.fixture(params=["python", pytest.param("micropython", marks=pytest.mark.long)])
def on(request: pytest.FixtureRequest) -> Iterator[On]:
    """Yield a maker of a chip on a bench, whose driver runs in this Python or in the real MicroPython.

    Only here: an exchange with a tag that works in Python but differs in MicroPython.
    """
    if request.param == "python":
        yield Bench
    else:
        with VirtualMachine(track_of(1)) as vm:
            access_us = machine.ACCESS_US
            yield partial(BenchOfVm, vm)
            machine.ACCESS_US = access_us


class BenchOfVm(Bench):
    """One modelled chip whose driver is in the virtual machine, behind the Pico's own pins."""

    def __init__(self, vm: VirtualMachine, access_us: float = MEASURED_US) -> None:
        self.vm, vm.track = vm, track_of(1)
        self.clock, self.chip = vm.track.clock, vm.track.chips[0]
        machine.ACCESS_US = access_us

    def reader(self) -> Any:
        self.vm.load_anew()
        self.vm.run("import board, rc522\nwired = board.Board()\nwired.start()")
        return self.vm.ask("rc522.Rc522(board.Port(wired, 0))")


def poll(bench: Bench, reader: rc522.Rc522) -> tuple[list[bytes], bool]:
    reader.field(False)
    reader.field(True)
    bench.clock.advance(rc522.WARM_UP_US)
    found: tuple[list[bytes], bool] = reader.uids()
    return found


def ready(bench: Bench) -> rc522.Rc522:
    reader: rc522.Rc522 = bench.reader()
    assert reader.init()
    return reader


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(some_uids(), st.sampled_from([5.0, 30.0, 100.0]))
def test_all_tags(on: On, tags: set[bytes], access_us: float) -> None:
    """Any set of up to five UIDs in the field is read back exactly, at every poll and every access cost."""
    bench = on(access_us)
    reader = ready(bench)
    bench.chip.put(list(tags))
    for _ in range(3):
        found, unreadable = poll(bench, reader)
        assert (set(found), unreadable) == (tags, False)
        assert len(found) == len(tags)


def test_same_first_bytes(on: On) -> None:
    """Tags that differ only in their last byte stay apart (the package mfrc522 gives them one id)."""
    bench = on()
    reader = ready(bench)
    pair = [TAG, TAG[:-1] + b"\xf7"]
    bench.chip.put(pair)
    assert sorted(poll(bench, reader)[0]) == sorted(pair)


def test_more_tags_than_a_reader_may_hold(on: On) -> None:
    """Nine tags are more than anybody lays on one reader: something is there that cannot be read."""
    bench = on()
    reader = ready(bench)
    bench.chip.put([bytes([0x04, n, 1, 2]) for n in range(rc522.MOST_CARDS + 1)])
    found, unreadable = poll(bench, reader)
    assert unreadable
    assert len(found) == rc522.MOST_CARDS


def test_empty_is_not_unreadable(on: On) -> None:
    """No tag, a tag, and something that answers nonsense are three different answers."""
    bench = on()
    reader = ready(bench)
    assert poll(bench, reader) == ([], False)
    bench.chip.put([TAG])
    assert poll(bench, reader) == ([TAG], False)
    level = bench.chip.cards[TAG].levels[1]
    bench.chip.cards[TAG].levels[1] = level[:4] + bytes([level[4] ^ 1])
    assert poll(bench, reader) == ([], True)


def test_a_tag_torn_off_in_the_middle(on: On) -> None:
    """A tag that leaves between two frames is never half a UID."""
    for after in range(5, 200, 5):
        bench = on()
        reader = ready(bench)
        bench.chip.put([TAG])
        last = bench.chip.transfers + after
        transfer = bench.chip.transfer

        def torn(*sent: Any, chip: Any = bench.chip, last: int = last, transfer: Any = transfer) -> Any:
            if chip.transfers >= last:
                chip.put([])
            return transfer(*sent)

        bench.chip.transfer = torn  # type: ignore[assignment, method-assign]
        found, _ = poll(bench, reader)
        assert found in ([], [TAG])


ESSENTIAL = [
    "CommandReg",
    "ComIrqReg",
    "FIFODataReg",
    "FIFOLevelReg",
    "BitFramingReg",
    "TxControlReg",
    "TxModeReg",
    "TModeReg",
    "TReloadRegL",
    "VersionReg",
]


@pytest.mark.parametrize("register", ESSENTIAL)
def test_a_broken_register_breaks_the_read(on: On, register: str) -> None:
    """The model is really asked: with one register dead no tag gets through, and no wrong one either."""
    bench = on()
    bench.chip.broken = frozenset([getattr(rc522, register)])
    bench.chip.put([TAG])
    reader = bench.reader()
    try:
        found = poll(bench, reader)[0] if reader.init() else []
    except rc522.NoChip:
        found = []
    assert found == []


def test_a_dead_line_is_told_from_an_empty_reader(on: On) -> None:
    """A chip that stops answering raises NoChip; it is not an empty space."""
    bench = on()
    reader = ready(bench)
    bench.chip.dead = True
    with pytest.raises(rc522.NoChip):
        poll(bench, reader)
    assert not reader.init()


def test_parked_and_woken(on: On) -> None:
    """Soft power-down keeps the settings; a brown-out does not, and is noticed."""
    bench = on()
    reader = ready(bench)
    reader.park()
    reader.rouse()
    assert reader.awake()
    reader.park()
    bench.chip.hold_in_reset(True)
    bench.chip.hold_in_reset(False)
    reader.rouse()
    assert not reader.awake()
    assert reader.init()


def test_an_empty_poll_is_short(on: On) -> None:
    """The chip's timer ends the wait: an empty field costs about a millisecond, not the customary 25."""
    bench = on()
    reader = ready(bench)
    reader.field(True)
    bench.clock.advance(rc522.WARM_UP_US)
    began = bench.clock.us
    assert reader.uids() == ([], False)
    assert bench.clock.us - began < 1500


def request(command: int) -> bytes:
    return bytes([command])


def test_card_states() -> None:
    """A card needs 5 ms of field, a halted one answers WUPA only, and a lost anticollision is a step back."""
    card = Card(TAG)
    card.field(True, 0.0)
    assert card.hear(request(0x26), 7, 4000.0) is None
    assert card.hear(request(0x26), 7, 6000.0) is not None
    assert card.hear(bytes.fromhex("9330FF"), 24, 6000.0) is None  # another card is meant
    assert card.state == "idle"
    card.state = "active"
    assert card.hear(b"\x50\x00" + crc_a(b"\x50\x00"), 32, 6000.0) is None
    assert card.hear(request(0x26), 7, 6000.0) is None
    assert card.hear(request(0x52), 7, 6000.0) is not None
    assert card.hear(bytes.fromhex("9330FF"), 24, 6000.0) is None
    assert card.state == "halt"
    card.field(False, 7000.0)
    assert card.state == "off"


def test_the_memory_of_an_ntag_holds_its_uid() -> None:
    """READ of page 0 gives the UID with its check bytes, as the NTAG21x data sheet lays it out."""
    card = Card(TAG)
    card.field(True, 0.0)
    card.state = "active"
    frame = bytes([0x30, 0])
    answer = card.hear(frame + crc_a(frame), 32, 6000.0)
    assert answer is not None
    page = answer.value.to_bytes(18, "little")
    assert page[:3] + page[4:8] == TAG
    assert page[3] == 0x88 ^ TAG[0] ^ TAG[1] ^ TAG[2]


def by_byte(chip: Chip, out: bytes, byte_us: float) -> bytes:
    """Return the answer to a transfer as an emulated bus has it: each byte takes its time."""
    heard, came = Transfer(chip), bytearray()
    for byte in out:
        came.append(heard.answers(byte))
        chip.clock.advance(byte_us)
        heard.hears(byte)
    return bytes(came)


registers = st.sampled_from(sorted({rc522.__dict__[name] for name in dir(rc522) if name.endswith("Reg")}))
reads = st.lists(registers, min_size=1, max_size=8).map(
    lambda wanted: bytes([*(0x80 | register << 1 for register in wanted), 0])
)
writes = st.builds(
    lambda register, values: bytes([register << 1, *values]), registers, st.binary(min_size=1, max_size=9)
)


@given(
    st.lists(st.tuples(st.one_of(reads, writes), st.sampled_from([0.0, 300.0, 6000.0])), max_size=30),
    st.sampled_from(["", "dead", "stuck", "mute", "weak", "forgetful"]),
    st.booleans(),
)
def test_byte_by_byte_it_answers_as_in_one_go(
    transfers: list[tuple[bytes, float]], fault: str, lies: bool
) -> None:
    """`Transfer`, under the emulated Pico, and `Chip.transfer`, under the modelled one, are one chip.

    That holds for all bytes sent, after any pause. A byte takes no time here: that is the one thing in which
    they differ, for whole transfers end all at once.
    """
    chips = [Chip(Clock()), Chip(Clock())]
    for chip in chips:
        if fault:
            setattr(chip, fault, True)
        chip.put([TAG] if lies else [])
        chip.clock.advance(1000.0)
    for out, pause_us in transfers:
        for chip in chips:
            chip.clock.advance(pause_us)
        assert by_byte(chips[0], out, 0.0) == chips[1].transfer(out, 1e12, 0.0)  # type: ignore[arg-type]
    assert chips[0].field_on == chips[1].field_on
    assert chips[0].transfers == chips[1].transfers


@given(some_uids(), st.sampled_from([5.0, 30.0, 100.0]))
def test_byte_by_byte_all_tags(tags: set[bytes], access_us: float) -> None:
    """The driver reads the same tags when the chip hears it byte by byte, each byte in its own time."""
    bench = Bench(access_us)

    def transfer(out: bytes, hz: int, access_us: float) -> bytes:
        bench.clock.advance(access_us)
        return by_byte(bench.chip, out, 8e6 / hz)

    bench.chip.transfer = transfer  # type: ignore[method-assign]
    reader = ready(bench)
    bench.chip.put(list(tags))
    found, unreadable = poll(bench, reader)
    assert (set(found), unreadable) == (tags, False)
