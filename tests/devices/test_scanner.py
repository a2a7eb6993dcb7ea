"""The firmware's sweep in virtual time: all readers, one tag in one place, unknown is not empty.

By `pico` every test runs twice: the firmware in this Python, and on the real MicroPython (long).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

TAGS = [bytes([0x04, n, 0xA0, 0xB0, 0xC0, 0xD0, n]) for n in range(5)] + [
    bytes([0x31, n, 7, 9]) for n in range(5)
]
Build = Callable[..., SimpleNamespace]


def hexed(tags: list[bytes]) -> list[str]:
    return sorted(tag.hex().upper() for tag in tags)


def sweep(pico: SimpleNamespace, times: int = 1) -> None:
    for _ in range(times):
        for _ in pico.scanner.sweep():
            pass


def lay(pico: SimpleNamespace, at: dict[bytes, int]) -> None:
    for i, chip in enumerate(pico.track.chips):
        chip.put([tag for tag, space in at.items() if space == i])


@pytest.mark.parametrize("readers", [1, 2, 3, 7, 12, 21, 22, 30, 40])
def test_the_order_of_a_sweep(pico: Build, readers: int) -> None:
    """Every reader once; with seven or more, readers that are on together are not neighbours on the loop."""
    order = pico(1).module.stride_order(readers)
    assert sorted(order) == list(range(readers))
    if readers >= 7:
        for one, other in pairwise(order):
            assert 1 < abs(one - other) < readers - 1


@pytest.mark.parametrize(("readers", "dead"), [*((n, ()) for n in range(2, 10)), (22, (7, 14))])
def test_no_two_neighbours_are_on_together(pico: Build, readers: int, dead: tuple[int, ...]) -> None:
    """Between two fields a tag answers neither: also on a bench of three, and where readers are left out."""
    it = pico(readers)
    for i in dead:
        it.track.chips[i].dead = True
    sweep(it, 3)
    it.track.on_at_once.clear()
    sweep(it, 3)
    for on in it.track.on_at_once:
        assert all((i - j) % readers not in (1, readers - 1) for i in on for j in on)
    seen = {i for on in it.track.on_at_once for i in on}
    assert seen == set(range(readers)) - set(dead)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.dictionaries(st.sampled_from(TAGS), st.integers(0, 8), max_size=6), min_size=1, max_size=4)
)
def test_tags_on_spaces_are_seen(pico: Build, layouts: list[dict[bytes, int]]) -> None:
    """After tags are put, lifted and moved anywhere, three sweeps make the picture exactly the table."""
    it = pico(9)
    for layout in layouts:
        lay(it, layout)
        sweep(it, 3)
        assert it.spaces.now == [hexed([t for t, at in layout.items() if at == i]) for i in range(9)]
    assert it.track.wrong == []


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.dictionaries(st.sampled_from(TAGS), st.integers(0, 8), max_size=6), min_size=2, max_size=4)
)
def test_a_tag_is_never_in_two_places(pico: Build, layouts: list[dict[bytes, int]]) -> None:
    """That holds also while pieces are on the move, and between any two polls."""
    it = pico(9)
    for layout in layouts:
        lay(it, layout)
        for _ in range(3):
            for _ in it.scanner.sweep():
                seen = [tag for tags in it.spaces.now for tag in tags or ()]
                assert len(seen) == len(set(seen))


def test_a_tag_between_two_readers(pico: Build) -> None:
    """A tag that both read is where it was read last, and it does not wander."""
    it = pico(9)
    it.track.chips[3].put([TAGS[0]])
    sweep(it, 3)
    it.track.chips[4].put([TAGS[0]])
    sweep(it, 3)
    for _ in range(20):
        sweep(it)
        assert (it.spaces.now[3], it.spaces.now[4]) == ([], hexed([TAGS[0]]))
    it.track.chips[4].put([])
    sweep(it, 3)
    assert (it.spaces.now[3], it.spaces.now[4]) == (hexed([TAGS[0]]), [])


def test_nothing_is_known_before_it_is_seen(pico: Build) -> None:
    """Before the first sweep every space is unknown; one miss does not make it empty, two do."""
    it = pico(3)
    assert it.spaces.now == [None] * 3
    sweep(it)
    assert it.spaces.now == [None] * 3
    sweep(it)
    assert it.spaces.now == [[]] * 3


def test_a_tag_at_the_edge_of_range_stays(pico: Build) -> None:
    """A tag that misses three reads of ten is not taken off the table."""
    it = pico(3)
    it.track.chips[1].put([TAGS[0]])
    sweep(it, 3)
    it.track.chips[1].flicker = 3
    for _ in range(50):
        sweep(it)
        assert it.spaces.now[1] == hexed([TAGS[0]])


def test_a_dead_reader_is_unknown_and_comes_back(pico: Build) -> None:
    """A silent reader is faulty, its space unknown, the others go on; mended, it works again by itself."""
    it = pico(9)
    lay(it, {TAGS[0]: 2, TAGS[1]: 5})
    sweep(it, 3)
    it.track.chips[2].dead = True
    sweep(it, 2)
    assert set(it.scanner.faults) == {2}
    assert it.spaces.now[2] is None
    assert it.spaces.now[5] == hexed([TAGS[1]])
    it.track.chips[2].dead = False
    sweep(it, 4)
    assert it.scanner.faults == {}
    assert it.spaces.now[2] == hexed([TAGS[0]])


def test_a_dead_line_for_all(pico: Build) -> None:
    """With the common MISO dead nothing gets through: every space is unknown."""
    it = pico(9)
    lay(it, {TAGS[0]: 2})
    it.track.dead_miso = True
    sweep(it, 2)
    assert it.spaces.now == [None] * 9
    assert set(it.scanner.faults) == set(range(9))


def test_something_unreadable_is_unknown(pico: Build) -> None:
    """A nonsense answer makes its space unknown, not empty, but not at the first bad read."""
    it = pico(3)
    it.track.chips[1].put([TAGS[0], TAGS[1]])
    sweep(it, 3)
    for card in it.track.chips[1].cards.values():
        card.levels[0] = card.levels[0][:4] + b"\x00"
    sweep(it)
    assert it.spaces.now[1] == hexed([TAGS[0], TAGS[1]])
    sweep(it, 2)
    assert it.spaces.now[1] is None


def test_two_fields_at_most(pico: Build) -> None:
    """Two antennas are warm at a time, never more: the supply and the neighbours are made for two."""
    it = pico(22)
    sweep(it, 3)
    assert max(map(len, it.track.on_at_once)) == 2
    assert it.track.wrong == []


def test_no_reader_is_pulsed_after_an_exception(
    pico_in_python: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transfer that fails half way leaves the strobe low, and the next one reaches its own reader only."""
    it = pico_in_python(9)
    port = it.scanner.readers[3].port

    def fails(out: bytes, into: bytearray) -> None:
        raise OSError("the bus is gone")

    with monkeypatch.context() as patch:
        patch.setattr(it.board.spi, "write_readinto", fails)
        with pytest.raises(OSError, match="the bus is gone"):
            port.write(0x0D, 0)
    assert it.track.level[it.track.strobe] == 0
    sweep(it)
    assert it.track.wrong == []


def test_the_model_notices_a_wrong_order(pico: Build) -> None:
    """The law above means something: an address changed under a high strobe is reported."""
    it = pico(9)
    it.board.strobe.value(1)
    it.board.lines[0].value(1 - it.board.lines[0].value())
    assert it.track.wrong == ["the address changed while a reader was selected"]


@pytest.mark.parametrize(("tags", "most_ms"), [(0, 80), (6, 120), (22, 220)])
def test_how_long_a_sweep_takes(pico: Build, tags: int, most_ms: int) -> None:
    """22 readers stay within the budget, at the costs that were measured; the warm-up alone is 56 ms."""
    it = pico(22)
    lay(it, {bytes([0x04, n, 1, 2, 3, 4, n]): n * 22 // tags for n in range(tags)})
    sweep(it, 3)
    assert 56 <= it.scanner.sweep_ms <= most_ms


@pytest.mark.parametrize("access_us", [5.0, 30.0, 100.0])
def test_slow_and_fast_access(pico: Build, access_us: float) -> None:
    """The tags seen do not depend on how long a register access takes."""
    it = pico(9, access_us)
    lay(it, dict(zip(TAGS, [0, 0, 3, 3, 3, 8, 8, 1, 2, 3], strict=True)))
    sweep(it, 3)
    assert it.spaces.now[3] == hexed([TAGS[2], TAGS[3], TAGS[4], TAGS[9]])
