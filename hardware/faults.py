"""Every single fault of a soldering iron: two neighbouring pins exchanged, two nets shorted, a wire off.

A fault is a circuit. A fault that no law finds is harmless by a rule with its reason, or a law is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from hardware.checks import findings
from hardware.circuit import Circuit, opened, shorted, swapped


@dataclass(frozen=True)
class Fault:
    """The action at a part, its two pins or nets, and the resulting circuit."""

    what: str  # "swap", "short", "open"
    ref: str
    between: tuple[int | str, ...]
    circuit: Circuit

    def __str__(self) -> str:
        return f"{self.what} at {self.ref}: {' and '.join(str(each) for each in self.between)}"


def every_fault(circuit: Circuit) -> Iterator[Fault]:
    """Yield all single faults of a circuit, each once: a short is listed at the first part where it can
    happen.
    """
    for ref, part in circuit.parts.items():
        numbers = sorted(part.type.by_number)
        steps = (1, 2) if part.type.rows == 2 else (1,)
        for one, other in combinations(numbers, 2):
            a, b = circuit.net_of.get((ref, one)), circuit.net_of.get((ref, other))
            if other - one in steps and a != b:
                yield Fault("swap", ref, (one, other), swapped(circuit, ref, one, other))
        for one in numbers:
            if (ref, one) in circuit.net_of:
                yield Fault("open", ref, (one,), opened(circuit, ref, one))
    done = set()
    for ref, part in circuit.parts.items():
        nets = sorted({circuit.net_of[ref, n] for n in part.type.by_number if (ref, n) in circuit.net_of})
        for pair in combinations(nets, 2):
            if pair not in done:
                done.add(pair)
                yield Fault("short", ref, pair, shorted(circuit, *pair))


def _without_polarity(before: Circuit, fault: Fault) -> bool:
    """Return whether the part has two pins without polarity: a resistor, a ceramic capacitor, a fuse, a
    button, a piezo.
    """
    return fault.what == "swap" and before.parts[fault.ref].type.even


def _equal_enables(before: Circuit, fault: Fault) -> bool:
    """Return whether the pins are 4 and 5 of a 74HC138, both enables, low when active: either may be the one
    at GND.
    """
    return fault.what == "swap" and before.parts[fault.ref].type.name == "74HC138" and fault.between == (4, 5)


def _no_reader_there(before: Circuit, fault: Fault) -> bool:
    """Return whether the pins are multiplexer inputs of two places without a reader: each has only its
    resistor; they are alike.
    """
    ends = [before.net_of.get((fault.ref, pin), "") for pin in fault.between if isinstance(pin, int)]
    return fault.what == "swap" and all(_is_empty_place(before, net) for net in ends)


def _no_monitor(before: Circuit, fault: Fault) -> bool:
    """Return whether it is the monitor's pin without a monitor: it is at GND by a resistor, and may be there
    by a short.
    """
    bare = not before.of_type("INA180A1")
    return fault.what == "short" and bare and set(fault.between) == {"GND", "TRACK CURRENT"}


def _is_empty_place(circuit: Circuit, net: str) -> bool:
    types = [circuit.parts[ref].type.name for ref, _ in circuit.nets.get(net, ())]
    return sorted(types) == ["74HC251", "resistor"]


HARMLESS: Final[tuple[Callable[[Circuit, Fault], bool], ...]] = (
    _without_polarity,
    _equal_enables,
    _no_reader_there,
    _no_monitor,
)


def missed(circuit: Circuit, known: Container[str] = ()) -> list[Fault]:
    """Return the faults that break no law and are harmless by no rule, except those at `known` parts."""
    return [
        fault
        for fault in every_fault(circuit)
        if fault.ref not in known
        and not any(rule(circuit, fault) for rule in HARMLESS)
        and not any(findings(fault.circuit))
    ]
