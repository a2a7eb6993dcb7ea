"""The firmware on an emulated RP2040, under MicroPython's own build for the Pico, over the modelled wiring."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.devices.emulated import Emulation, tag, why_not

pytestmark = [pytest.mark.long, pytest.mark.skipif(why_not() is not None, reason=str(why_not()))]

READERS = 4


@pytest.fixture
def pico() -> Iterator[Emulation]:
    """A Pico with a track of four readers, told so."""
    with Emulation(READERS) as emulation:
        emulation.next("snap")
        emulation.say({"do": "tell", "spaces": ["tag"] * READERS})
        emulation.next("snap")
        yield emulation
        assert emulation.wiring.wrong == []


def test_a_piece_goes_round(pico: Emulation) -> None:
    """Laid on each space in turn it is told there and nowhere else."""
    for space in range(READERS):
        pico.lay(space - 1 if space else READERS - 1)
        pico.lay(space, tag(1))
        pico.lies(space, tag(1))
    assert pico.words == b""
