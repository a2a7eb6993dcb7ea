"""Circuits as values: parts, and nets of their pins. A change makes a new circuit; nothing here knows a law.

A net is named and holds terminals: (reference of a part, number of its pin). A short of two nets, a wire on
the wrong pin or a wire that came off is a circuit too (`shorted`, `swapped`, `opened`), so that the checks
can be tried on every fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

Terminal = tuple[str, int]  # reference of a part, number of its pin


class Kind(StrEnum):
    """The function of a pin, as electrical rule checks name it."""

    INPUT = "input"
    OUTPUT = "output"
    THREE_STATE = "three-state"
    OPEN_DRAIN = "open drain"
    ANALOG = "analog input"
    PASSIVE = "passive"
    POWER_IN = "power in"
    POWER_OUT = "power out"
    GROUND = "ground"
    FREE = "free"  # may stay open, and does


@dataclass(frozen=True)
class Pin:
    """A pin of a part type; `volts` is the voltage that a supply gives or takes."""

    number: int
    name: str
    kind: Kind
    volts: float = 0.0  # nominal, of power in and power out
    most_ma: float = 0.0  # limit of a power output
    fast: bool = False  # an input whose edges must be clean: clock or data of a bus


@dataclass(frozen=True)
class Logic:
    """The electrical limits of a chip's pins at 3.3 V, all worst case."""

    vih: float  # least volts that an input takes for high
    vil: float  # most volts that it takes for low
    ohms: float  # resistance of an output, (supply - VOH) / IOH
    most_ma: float  # of one output
    most_volts: float  # absolute maximum at any pin but those of power
    leak_ua: float  # of an input
    input_pf: float
    most_pf: float  # of fast inputs at one output
    source: str


@dataclass(frozen=True)
class Draw:
    """Supply current in mA: at work, and at most; `fault` is the maximum after a wrong command."""

    typical: float
    most: float
    fault: float
    source: str


@dataclass(frozen=True)
class PartType:
    """A kind of part, by its maker's data sheet."""

    name: str
    pins: tuple[Pin, ...]
    source: str
    logic: Logic | None = None
    draw: Draw | None = None
    even: bool = False  # two pins that are alike: a part without polarity
    rows: int = 1  # 2: neighbours of pin n are n - 2, n - 1, n + 1, n + 2

    @cached_property
    def by_number(self) -> Mapping[int, Pin]:
        """Its pins by number."""
        return {pin.number: pin for pin in self.pins}

    @cached_property
    def by_name(self) -> Mapping[str, int]:
        """Number by name; the first one where several pins have the same name."""
        return {pin.name: pin.number for pin in reversed(self.pins)}

    def number(self, pin: int | str) -> int:
        """Return the number of a pin given by number or name; KeyError if it has none such."""
        return self.by_number[pin].number if isinstance(pin, int) else self.by_name[pin]


@dataclass(frozen=True)
class Part:
    """A part in a circuit. `use` is its purpose; `near` is the part that it must be next to."""

    ref: str
    type: PartType
    value: str = ""
    use: str = ""
    near: str = ""


@dataclass(frozen=True)
class Circuit:
    """Parts by reference and nets by name. Treat both as unchangeable."""

    name: str
    parts: Mapping[str, Part]
    nets: Mapping[str, frozenset[Terminal]]

    @cached_property
    def net_of(self) -> Mapping[Terminal, str]:
        """The net of each connected pin."""
        return {terminal: net for net, terminals in self.nets.items() for terminal in terminals}

    def pin(self, terminal: Terminal) -> Pin:
        """Return the data sheet's description of a terminal's pin."""
        return self.parts[terminal[0]].type.by_number[terminal[1]]

    def at(self, ref: str, pin: int | str) -> str | None:
        """Return the net of a part's pin; None if nothing is connected there, or there is no such part."""
        return self.net_of.get((ref, self.parts[ref].type.number(pin))) if ref in self.parts else None

    def of_type(self, *names: str) -> list[Part]:
        """Return all parts of some types."""
        return [part for part in self.parts.values() if part.type.name in names]


Placed = tuple[Part, Mapping[Any, str]]  # a part, and the net of each of its pins, by name or number


def circuit(name: str, placed: Iterable[Placed]) -> Circuit:
    """Return a circuit of parts and their pins' nets; ValueError for a duplicate reference, KeyError for an
    unknown pin.
    """
    parts: dict[str, Part] = {}
    nets: dict[str, set[Terminal]] = {}
    for part, pins in placed:
        if part.ref in parts:
            raise ValueError(f"{name}: {part.ref} is there twice: give one of them another reference")
        parts[part.ref] = part
        for pin, net in pins.items():
            nets.setdefault(net, set()).add((part.ref, part.type.number(pin)))
    return Circuit(name, parts, {net: frozenset(terminals) for net, terminals in nets.items()})


def together(name: str, *circuits: Circuit) -> Circuit:
    """Join circuits that share parts and nets of the same name, such as pad and panel on one Pi.

    A board that is in several has the pins of all: an input or output in one of them is so in all. ValueError
    for two parts of one reference.
    """
    parts: dict[str, Part] = {}
    nets: dict[str, frozenset[Terminal]] = {}
    for each in circuits:
        for ref, part in each.parts.items():
            parts[ref] = _both(parts[ref], part) if ref in parts else part
        for net, terminals in each.nets.items():
            nets[net] = nets.get(net, frozenset()) | terminals
    return Circuit(name, parts, nets)


def _both(one: Part, other: Part) -> Part:
    if one.type.name != other.type.name or not any(pin.kind == Kind.FREE for pin in one.type.pins):
        raise ValueError(f"{one.ref} is two parts: give one of them another reference")
    pins = tuple(a if b.kind == Kind.FREE else b for a, b in zip(one.type.pins, other.type.pins, strict=True))
    return replace(one, type=replace(one.type, pins=pins))


# -- changes: each makes a circuit with one fault


def moved(before: Circuit, where: Mapping[Terminal, str | None]) -> Circuit:
    """Move terminals to other nets, or to none."""
    nets = dict(before.nets)
    for terminal in where:
        old = before.net_of.get(terminal)
        if old is not None:
            nets[old] = nets[old] - {terminal}
    for terminal, net in where.items():
        if net is not None:
            nets[net] = nets.get(net, frozenset()) | {terminal}
    return replace(before, nets={net: terminals for net, terminals in nets.items() if terminals})


def swapped(before: Circuit, ref: str, one: int | str, other: int | str) -> Circuit:
    """Exchange the wires of two pins of a part."""
    number = before.parts[ref].type.number
    a, b = (ref, number(one)), (ref, number(other))
    return moved(before, {a: before.net_of.get(b), b: before.net_of.get(a)})


def shorted(before: Circuit, one: str, other: str) -> Circuit:
    """Join two nets, under the name of the first."""
    nets = {net: terminals for net, terminals in before.nets.items() if net != other}
    nets[one] = before.nets[one] | before.nets[other]
    return replace(before, nets=nets)


def opened(before: Circuit, ref: str, pin: int | str) -> Circuit:
    """Take the wire off a pin."""
    return moved(before, {(ref, before.parts[ref].type.number(pin)): None})


def wired(before: Circuit, ref: str, pin: int | str, net: str) -> Circuit:
    """Move a pin to another net, or connect it if it has none."""
    return moved(before, {(ref, before.parts[ref].type.number(pin)): net})


def without(before: Circuit, *refs: str) -> Circuit:
    """Return a circuit with some parts left out."""
    nets = {
        net: frozenset(t for t in terminals if t[0] not in refs) for net, terminals in before.nets.items()
    }
    parts = {ref: part for ref, part in before.parts.items() if ref not in refs}
    return replace(before, parts=parts, nets={net: terminals for net, terminals in nets.items() if terminals})


def valued(before: Circuit, ref: str, value: str) -> Circuit:
    """Return a circuit with another value of a part."""
    return replace(before, parts={**before.parts, ref: replace(before.parts[ref], value=value)})


def retyped(before: Circuit, ref: str, part_type: PartType) -> Circuit:
    """Return a circuit with another type of part in the same place."""
    return replace(before, parts={**before.parts, ref: replace(before.parts[ref], type=part_type)})
