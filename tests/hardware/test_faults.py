"""No single fault of a soldering iron goes unnoticed: a law finds it, or a rule says why it does no harm."""

from __future__ import annotations

import pytest

from hardware import tiers
from hardware.checks import findings
from hardware.circuit import Circuit
from hardware.faults import HARMLESS, every_fault, missed

SMALL = {
    "pad": tiers.pad(),
    "panel": tiers.panel(),
    "9 switches": tiers.presence_track(9),
    "9 readers": tiers.reader_track(9),  # two groups, the second with places that have no reader
    "9 readers, monitor": tiers.reader_track(9, monitor=True),
}


@pytest.mark.long
@pytest.mark.parametrize("name", SMALL)
def test_every_single_fault_is_found(name: str) -> None:
    """A law finds each single fault of a circuit, or a rule excuses it.

    Only here: a wire off or a short between two nets, anywhere in a circuit, that no law finds.
    """
    known = SMALL["9 readers"].parts.keys() - {"A1"} if name == "9 readers, monitor" else ()  # tried there
    assert [str(fault) for fault in missed(SMALL[name], known)] == []


@pytest.mark.long
def test_every_rule_is_needed() -> None:
    """Each rule of HARMLESS excuses a fault that no law finds and no other rule excuses.

    Only here: a rule of HARMLESS that is no longer needed and may hide a real fault.
    """

    def excused(circuit: Circuit) -> set[str]:
        found = set()
        for fault in every_fault(circuit):
            rules = [rule.__name__ for rule in HARMLESS if rule(circuit, fault)]
            if rules and not any(findings(fault.circuit)):
                assert len(rules) == 1, str(fault)
                found.update(rules)
        return found

    assert excused(SMALL["9 readers"]) == {rule.__name__ for rule in HARMLESS}


def test_faults_are_of_all_kinds() -> None:
    """There is a wire off for each wire and a short for each two of the seven nets of the pad, none twice."""
    faults = list(every_fault(SMALL["pad"]))
    wires = sum(len(terminals) for terminals in SMALL["pad"].nets.values())
    assert [sum(fault.what == what for fault in faults) for what in ("open", "short")] == [wires, 7 * 6 // 2]
    assert len({str(fault) for fault in faults}) == len(faults)
