"""What the firmware does about readers that fall silent, forget, or draw the wrong current."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from companion.devices.mock.rc522 import Chip
from tests.devices.test_scanner import TAGS, hexed, lay, sweep

Build = Callable[..., SimpleNamespace]


def break_it(chip: Chip, how: str) -> None:
    if how == "brown-out":
        chip.brown_out()
    else:
        setattr(chip, how, True)


@pytest.mark.parametrize("how", ["brown-out", "stuck"])
def test_what_mends_itself_is_not_seen(pico: Build, how: str) -> None:
    """A reader that forgot its settings, or that only its reset pin wakes: mended within the sweep, and no
    space changes, neither its own nor that of the readers which were reset with it, 20 in the middle of its look;
    that is no look which missed."""
    it = pico(22)
    lay(it, {TAGS[0]: 2, TAGS[1]: 5, TAGS[5]: 13, TAGS[2]: 20})
    sweep(it, 3)
    before = list(it.spaces.now)
    break_it(it.track.chips[5], how)
    for _ in range(4):
        sweep(it)
        assert (list(it.spaces.now), it.scanner.faults) == (before, {})
    assert sum(it.scanner.detections.missed) == 0
    assert it.track.wrong == []


def test_a_second_one_is_not_forgotten(pico: Build) -> None:
    """One that only a reset wakes, seconds after another one: it waits its turn for the next reset."""
    it = pico(9)
    lay(it, {TAGS[0]: 2, TAGS[1]: 5})
    sweep(it, 3)
    it.track.chips[2].stuck = True
    sweep(it, 2)
    it.track.chips[5].stuck = True
    sweep(it, 2)
    assert it.scanner.faults == {5: "silent"}
    it.track.clock.advance(11e6)
    sweep(it, 4)
    assert (it.scanner.faults, it.spaces.now[5]) == ({}, hexed([TAGS[1]]))


def test_a_dead_reader_does_not_reset_the_others_for_ever(pico: Build) -> None:
    """Resets that do not help become rare: in an hour not more than a dozen."""
    it = pico(9)
    it.track.chips[5].dead = True
    for _ in range(360):
        it.track.clock.advance(10e6)
        sweep(it)
    assert it.scanner.resets <= 12


def test_all_at_once(pico: Build) -> None:
    """The track's supply dips: all 22 forget their settings, and no piece leaves its space."""
    it = pico(22)
    lay(it, {TAGS[0]: 2, TAGS[1]: 5})
    sweep(it, 3)
    before = list(it.spaces.now)
    for chip in it.track.chips:
        chip.brown_out()
    for _ in range(3):
        sweep(it)
        assert (list(it.spaces.now), it.scanner.faults) == (before, {})


@pytest.mark.parametrize(
    ("how", "fault"),
    [("dead", "silent"), ("forgetful", "memory"), ("no-field", "field"), ("no-group", "group")],
)
def test_what_is_wrong_is_named(pico: Build, how: str, fault: str) -> None:
    """A reader that fails the self-test is skipped, its space unknown, and the others are read."""
    it = pico(22)
    chip = it.track.chips[9]
    match how:
        case "no-field":
            chip.mute, chip.draws = True, 0.0
        case "no-group":
            it.track.dead_groups.add(1)
        case _:
            setattr(chip, how, True)
    lay(it, {TAGS[0]: 9, TAGS[1]: 20})
    it.scanner.start()
    sweep(it, 3)
    bad = set(range(8, 16)) if how == "no-group" else {9}
    assert it.scanner.faults == dict.fromkeys(bad, fault)
    assert {i for i, tags in enumerate(it.spaces.now) if tags is None} == bad
    assert it.spaces.now[20] == hexed([TAGS[1]])


def test_an_antenna_that_dies_while_a_piece_stands_there(pico: Build) -> None:
    """Its field draws nothing any more: the space is unknown, not empty; soldered again, it is read again."""
    it = pico(9)
    lay(it, {TAGS[0]: 4})
    sweep(it, 3)
    chip = it.track.chips[4]
    chip.mute, chip.draws = True, 0.0
    sweep(it, 3)
    assert (it.scanner.faults, it.spaces.now[4]) == ({4: "field"}, None)
    chip.mute, chip.draws = False, 60.0
    sweep(it, 4)
    assert (it.scanner.faults, it.spaces.now[4]) == ({}, hexed([TAGS[0]]))


@pytest.mark.parametrize("how", ["weak", "timer"])
def test_a_reader_that_fails_with_its_field_on(pico: Build, how: str) -> None:
    """It sets up well and fails at every look: named after three, its space unknown, until it is mended."""
    it = pico(9)
    chip = it.track.chips[4]
    lay(it, {TAGS[0]: 4})
    sweep(it, 3)
    chip.weak, chip.broken = how == "weak", frozenset({0x04} if how == "timer" else ())
    chip.put([])
    sweep(it, 4)  # in the first its field may have been on before
    for _ in range(6):
        assert (it.scanner.faults, it.spaces.now[4], chip.field_on) == ({4: "weak"}, None, False)
        sweep(it)
    chip.weak, chip.broken = False, frozenset()
    sweep(it, 4)
    assert (it.scanner.faults, it.spaces.now[4]) == ({}, [])


def test_a_bench_of_two(pico: Build) -> None:
    """Two idle readers draw hardly anything: that a monitor is there shows in the step of a field."""
    it = pico(2)
    it.track.chips[0].mute, it.track.chips[0].draws = True, 0.0
    it.scanner.start()
    assert it.scanner.faults == {0: "field"}
    assert it.scanner.steps == [0, pytest.approx(60, abs=1)]


def test_after_a_week(pico: Build) -> None:
    """A Pico's milliseconds wrap around after twelve days: the reset pin is pulled again all the same."""
    it = pico(9)
    for _ in range(2):
        it.track.chips[2].stuck = True
        sweep(it, 3)
        assert it.scanner.faults == {}
        it.track.clock.advance(7 * 86400e6)


def test_without_a_monitor_nothing_is_made_up(pico: Build) -> None:
    """Without a current monitor there are no steps, and no field is called dead."""
    it = pico(9)
    it.track.monitored = False
    it.scanner.start()
    sweep(it, 3)
    assert (it.scanner.steps, it.scanner.faults) == ([None] * 9, {})


def test_the_current_of_each_field(pico: Build) -> None:
    """The self-test finds the weak board that draws 7 mA, and does not give it up."""
    it = pico(9)
    it.track.chips[3].draws = 7.0
    it.scanner.start()
    assert it.scanner.steps[3] == pytest.approx(7, abs=1)
    assert it.scanner.steps[4] == pytest.approx(60, abs=1)
    assert it.scanner.faults == {}


def test_a_dead_group_does_not_hold_the_others_up(pico: Build) -> None:
    """With a group of 8 silent a sweep is shorter than with all, not longer."""
    it = pico(22)
    sweep(it, 3)
    before = it.scanner.sweep_ms
    it.track.dead_groups.add(1)
    sweep(it, 3)
    assert it.scanner.sweep_ms < before


def test_a_miso_that_is_never_let_go(pico: Build) -> None:
    """Behind a multiplexer a reader that never releases its MISO disturbs no other reader."""
    it = pico(9)
    it.track.chips[3].holds = True
    lay(it, {TAGS[0]: 2, TAGS[1]: 3})
    sweep(it, 3)
    assert (it.spaces.now[2], it.spaces.now[3]) == (hexed([TAGS[0]]), hexed([TAGS[1]]))


def test_one_antenna_as_a_safe_mode(pico: Build) -> None:
    """With one field at a time everything is read as with two, and never are two on."""
    it = pico(9, warm=1)
    lay(it, {TAGS[0]: 2, TAGS[1]: 3, TAGS[2]: 3})
    sweep(it, 3)
    assert it.spaces.now[3] == hexed([TAGS[1], TAGS[2]])
    assert max(map(len, it.track.on_at_once)) == 1


def test_misses_are_counted_where_the_tag_stayed(pico: Build) -> None:
    """A tag at the edge of range costs misses at its reader; one that is lifted costs none."""
    it = pico(9)
    lay(it, {TAGS[0]: 2, TAGS[1]: 3})
    sweep(it, 3)
    it.track.chips[2].flicker = 3
    sweep(it, 20)
    it.track.chips[3].put([])
    sweep(it, 3)
    missed = it.scanner.detections.missed
    assert 3 <= missed[2] <= 9
    assert sum(missed) == missed[2]


def test_a_tag_torn_off_at_any_bit(pico: Build) -> None:
    """A tag that leaves in the middle of any answer, after any of its bits, is never another tag."""
    it = pico(3)
    for after in range(40):
        chip = it.track.chips[1]
        chip.put([TAGS[0], TAGS[5]])
        sweep(it, 3)
        chip.tear = (TAGS[0], after)
        for _ in range(12):
            sweep(it)
            assert set(it.spaces.now[1] or ()) <= set(hexed([TAGS[0], TAGS[5]]))
        assert it.spaces.now[1] == hexed([TAGS[5]])


def test_ten_byte_uids(pico: Build) -> None:
    """Three cascade levels and two tags that differ in the last bit are read together with a short one."""
    it = pico(3)
    long = bytes.fromhex("04A1B2C3D4E5F6A7B8C8")
    tags = [long, long[:-1] + b"\xc9", TAGS[5]]
    it.track.chips[1].put(tags)
    sweep(it, 3)
    assert it.spaces.now[1] == hexed(tags)


def examined(
    it: SimpleNamespace, polls: int, power: int | None = None, gain: int | None = None
) -> dict[str, object]:
    for _ in it.scanner.examine(1, polls, power, gain):
        pass
    found: dict[str, object] = it.scanner.found
    return found


def test_a_faint_tag_is_heard_at_more_gain(pico: Build) -> None:
    """A range test counts hits at a gain of the maker's choice; each reader keeps its own, also through a reset
    of the chip.
    """
    it = pico(3)
    it.track.chips[1].faint = {TAGS[0]: 43}
    it.track.chips[1].put([TAGS[0]])
    sweep(it, 3)
    assert it.spaces.now[1] == []
    assert examined(it, 10, gain=38)["hits"] == []
    assert examined(it, 10, gain=43)["hits"] == [[TAGS[0].hex().upper(), 10]]
    sweep(it, 2)
    assert it.spaces.now[1] == []
    it.scanner.readers[1].gain = 48
    it.scanner.start()
    sweep(it, 3)
    assert it.spaces.now[1] == hexed([TAGS[0]])
    assert it.scanner.gains() == [33, 48, 33]


def test_examining_a_reader(pico: Build) -> None:
    """A range test counts hits at a power of the maker's choice, and leaves everything as it was."""
    it = pico(3)
    it.track.chips[1].put([TAGS[0]], {TAGS[0]: 20})
    sweep(it, 3)
    assert examined(it, 10)["hits"] == [[TAGS[0].hex().upper(), 10]]
    assert examined(it, 10, 21)["hits"] == [[TAGS[0].hex().upper(), 10]]
    assert examined(it, 10, 19)["hits"] == []
    sweep(it, 2)
    assert it.spaces.now[1] == hexed([TAGS[0]])
    it.track.chips[1].dead = True
    assert examined(it, 10)["fault"] == "silent"
