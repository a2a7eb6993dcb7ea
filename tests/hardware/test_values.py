"""A resistor or capacitor with a wrong value is found by a law, or harmless for a reason with figures."""

from __future__ import annotations

import pytest

from hardware import tiers, values
from hardware.circuit import valued
from hardware.laws_of_values import edge_times, ways
from hardware.subject import Subject


@pytest.mark.parametrize(
    ("ref", "value"),
    [("R1003", "100 kΩ"), ("R1103", "1 Ω"), ("R103", "10 MΩ"), ("R16", "1 MΩ"), ("R110", "47 kΩ")],
)
def test_no_harmful_value_passes_on_any_track(ref: str, value: str) -> None:
    """The values that laws of topology let pass are found, however many readers leak."""
    for readers in (8, 22):
        circuit = tiers.reader_track(readers)
        wrong = values.Wrong(valued(circuit, ref, value), circuit.parts[ref], 10, value)
        assert values.found_by(wrong), f"{ref} of {value} passes with {readers} readers"


def test_small_tiers_have_no_unknown_value() -> None:
    """On pad and panel a law finds each value a decade off, or a reason excuses it."""
    for make in (tiers.pad, tiers.panel):
        for wrong in values.every_wrong_value(make()):
            assert values.found_by(wrong) or values.excuse(wrong), f"{wrong.part.ref}: {wrong.value}"


def test_time_constants_are_those_of_elmore() -> None:
    """More resistance at a reader delays this reader; more at its group delays the group's readers alike."""
    track = tiers.reader_track(3)
    taken = {(way.ref, way.signal): way.taken for way in ways(Subject(track))}
    slow = {(way.ref, way.signal): way.taken for way in ways(Subject(valued(track, "R1001", "1 kΩ")))}
    assert slow["RD1", "SCK"] > taken["RD1", "SCK"] + 20
    assert slow["RD2", "SCK"] == pytest.approx(taken["RD2", "SCK"], abs=1)
    edges = edge_times(Subject(valued(track, "R1", "1 kΩ")))
    assert edges["A0"] > 3 * edges["A1"]


@pytest.mark.long
@pytest.mark.parametrize("name", values.CIRCUITS)
def test_every_value_is_found_or_harmless(name: str) -> None:
    """Each resistor and capacitor a decade up and down is found, or harmless; parts of one line are alike.

    Only here: one part of many whose wrong value no law finds.
    """
    verdicts: dict[tuple[object, ...], set[str]] = {}
    for wrong in values.every_wrong_value(values.CIRCUITS[name]()):
        law, harmless = values.found_by(wrong), values.excuse(wrong)
        assert law or harmless, f"{wrong.part.ref}: {wrong.value}"
        verdicts.setdefault((*values.kind(wrong.part), wrong.factor), set()).add(law or "harmless")
    assert {key: found for key, found in verdicts.items() if len(found) > 1} == {}


@pytest.mark.long
def test_every_reason_is_needed() -> None:
    """Each reason of HARMLESS excuses a value that no law finds, and the page says so; if not, type python -m
    hardware.values.

    Only here: a reason that is no longer needed and may hide a harmful value.
    """
    page = values.page()
    assert "not found" not in page
    assert page == values.PAGE.read_text(encoding="utf-8")
    used = {
        values.excuse(wrong)
        for make in values.CIRCUITS.values()
        for wrong in values.every_wrong_value(make())
        if values.excuse(wrong) and not values.found_by(wrong)
    }
    assert used == set(values.HARMLESS)
