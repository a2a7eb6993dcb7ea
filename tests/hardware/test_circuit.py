"""Circuits are values: a change makes another one, and what cannot be is refused."""

from __future__ import annotations

import pytest

from hardware import parts, tiers
from hardware.bench import Bench, Drive
from hardware.circuit import Part, circuit, opened, shorted, swapped, together


def test_a_change_leaves_the_circuit_as_it_was() -> None:
    before, again = tiers.pad(), tiers.pad()
    for changed in (
        swapped(before, "PAD1", "SCK", "MOSI"),
        shorted(before, "PAD SCK", "PAD MOSI"),
        opened(before, "PAD1", "SCK"),
    ):
        assert changed != before
    assert before == again
    assert swapped(swapped(before, "PAD1", "SCK", "MOSI"), "PAD1", "SCK", "MOSI") == before


def test_a_reference_is_one_part() -> None:
    twice = [(Part("R1", parts.RESISTOR, "1 kΩ"), {1: "A", 2: "B"})] * 2
    with pytest.raises(ValueError, match="R1 is there twice"):
        circuit("two", twice)
    with pytest.raises(ValueError, match="C1 is two parts"):
        together("both", tiers.pad(), tiers.reader_track(1))


def test_a_pin_that_no_part_has_is_refused() -> None:
    with pytest.raises(KeyError):
        circuit("one", [(Part("R1", parts.RESISTOR, "1 kΩ"), {3: "A"})])


@pytest.mark.parametrize("readers", [0, 41])
def test_a_track_is_as_long_as_it_can_be_addressed(readers: int) -> None:
    with pytest.raises(ValueError, match="1 to 40"):
        tiers.reader_track(readers)
    with pytest.raises(ValueError, match="1 to 40"):
        tiers.presence_track(readers)


def test_volts_are_those_of_ohm() -> None:
    """3.3 V over 10 kΩ and 20 kΩ is 2.2 V; with 20 kΩ more to 0 V it is half; what nothing drives has none."""
    divider = circuit(
        "divider",
        [
            (Part("J1", tiers.PAD_PI), {17: "3V3", 20: "GND"}),
            (Part("R1", parts.RESISTOR, "10 kΩ"), {1: "3V3", 2: "MIDDLE"}),
            (Part("R2", parts.RESISTOR, "20 kΩ"), {1: "MIDDLE", 2: "GND"}),
            (Part("S1", parts.BUTTON), {1: "OPEN", 2: "MIDDLE"}),
        ],
    )
    bench = Bench(divider)
    assert bench.volts({})["MIDDLE"] == pytest.approx(2.2)
    assert bench.volts({("S1", 2): Drive(0.0, 20_000)})["MIDDLE"] == pytest.approx(1.65)
    assert bench.volts({})["OPEN"] is None
    assert Bench(divider, off={"J1"}).volts({})["MIDDLE"] == 0.0
