"""A circuit with power on: the voltage of every net, by Ohm and Kirchhoff, and the reactions of the chips.

Each output is a source behind its worst resistance, a supply is a fixed voltage, nets between resistors are
solved as linear equations; the chips' function tables are applied until nothing changes. No time, no radio,
no capacitance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from hardware.chips import CHIPS, Level
from hardware.circuit import Circuit, Kind, Logic, Terminal
from hardware.parts import ohms

HIGH, HALF = 3.3, 1.65
BRIDGE_OHMS = 1.0  # a shunt or a fuse passes a supply on
SUPPLIED = 0.6  # of its nominal voltage a chip needs at least


class Drive(NamedTuple):
    """A source at a terminal: volts behind ohms."""

    volts: float
    ohms: float


Drives = Mapping[Terminal, Drive]
Volts = dict[str, float | None]  # None: nothing drives or pulls this net


class Cluster(NamedTuple):
    """Nets that are joined by resistors: inside it, and to nets of fixed voltage."""

    nets: tuple[str, ...]
    inside: tuple[tuple[int, int, float], ...]  # two nets by place, siemens
    fixed: tuple[tuple[int, float, float], ...]  # a net by place, volts, siemens


class Bench:
    """A circuit whose prime supplies are on except those in `off`, by reference."""

    def __init__(self, circuit: Circuit, off: Iterable[str] = ()) -> None:
        self.circuit = circuit
        self.off = frozenset(off)
        self.resistors = tuple(_resistors(circuit))
        self.fixed = self._supplied()
        self.powered = {ref for ref in circuit.parts if self._has_power(ref)}
        self.chips = [
            part for part in circuit.parts.values() if part.type.name in CHIPS and part.ref in self.powered
        ]
        self.clusters = list(self._clusters())
        self.cluster_of = {net: n for n, cluster in enumerate(self.clusters) for net in cluster.nets}
        self._known: dict[tuple[int, tuple[tuple[str, Drive], ...]], Volts] = {}
        self._answered: dict[tuple[str, tuple[Level, ...]], list[tuple[int, Drive]]] = {}
        self._rest: Volts = dict(self.fixed)  # nets without an outside drive
        for cluster in self.clusters:
            self._rest.update(_solved(cluster, (), {}))
        self._inputs = {
            part.ref: {
                pin.name: circuit.net_of.get((part.ref, pin.number))
                for pin in part.type.pins
                if pin.kind == Kind.INPUT
            }
            for part in self.chips
        }

    # -- supplies

    def _supplied(self) -> dict[str, float]:
        """Return the volts of all nets that a supply or GND holds; those of a supply that is off are at 0."""
        net_of, pin = self.circuit.net_of, self.circuit.pin
        bridges = [(a, b) for a, b, r in self.resistors if r < BRIDGE_OHMS]
        outs = [t for t in net_of if pin(t).kind == Kind.POWER_OUT]
        held = [t for t in net_of if pin(t).kind == Kind.GROUND and _is_source(self.circuit, t[0])]
        fixed = dict.fromkeys((net_of[t] for t in held), 0.0)

        def pass_on() -> None:
            for a, b in (*bridges, *((b, a) for a, b in bridges)):
                if a in fixed:
                    fixed.setdefault(b, fixed[a])

        for _ in range(3):  # plug and fuse, buck and shunt
            for t in outs:
                if t[0] not in self.off and self._is_fed(t[0], fixed):
                    fixed.setdefault(net_of[t], pin(t).volts)
            pass_on()
        for t in outs:
            fixed.setdefault(net_of[t], 0.0)
        pass_on()
        return fixed

    def _is_fed(self, ref: str, fixed: Mapping[str, float]) -> bool:
        """Return whether a supply that needs a supply itself has it."""
        pins = self.circuit.parts[ref].type.pins
        fed = [pin for pin in pins if pin.kind == Kind.POWER_IN]
        return all(
            fixed.get(self.circuit.net_of.get((ref, pin.number), ""), 0) >= SUPPLIED * pin.volts
            for pin in fed
        )

    def _has_power(self, ref: str) -> bool:
        """Return whether a part has its supply and its ground, or makes its own."""
        part, net_of = self.circuit.parts[ref], self.circuit.net_of
        grounds = [net_of.get((ref, pin.number)) for pin in part.type.pins if pin.kind == Kind.GROUND]
        if grounds and not any(net is not None and self.fixed.get(net) == 0.0 for net in grounds):
            return False
        if _is_source(self.circuit, ref):
            return ref not in self.off
        return self._is_fed(ref, self.fixed)

    # -- nets

    def _clusters(self) -> Iterator[Cluster]:
        """Yield the nets that no supply holds, in the groups that resistors join."""
        free = [net for net in self.circuit.nets if net not in self.fixed]
        parent = {net: net for net in free}

        def root(net: str) -> str:
            while parent[net] != net:
                net = parent[net]
            return net

        for a, b, _ in self.resistors:
            if a in parent and b in parent:
                parent[root(a)] = root(b)
        groups: dict[str, list[str]] = {}
        for net in free:
            groups.setdefault(root(net), []).append(net)
        place = {net: n for nets in groups.values() for n, net in enumerate(nets)}
        inside: dict[str, list[tuple[int, int, float]]] = {}
        fixed: dict[str, list[tuple[int, float, float]]] = {}
        for a, b, r in self.resistors:
            if a in parent and b in parent:
                inside.setdefault(root(a), []).append((place[a], place[b], 1 / r))
            elif a in parent or b in parent:
                net, held = (a, b) if a in parent else (b, a)
                fixed.setdefault(root(net), []).append((place[net], self.fixed[held], 1 / r))
        for top, nets in groups.items():
            yield Cluster(tuple(nets), tuple(inside.get(top, ())), tuple(fixed.get(top, ())))

    def volts(self, drives: Drives, leaks: Mapping[str, float] | None = None) -> Volts:
        """Return the volts of every net under these sources; `leaks` are additional amperes that flow into a
        net.
        """
        at: dict[int, list[tuple[str, Drive]]] = {}
        for terminal, drive in drives.items():
            net = self.circuit.net_of.get(terminal)
            if net in self.cluster_of:
                at.setdefault(self.cluster_of[net], []).append((net, drive))
        found = dict(self._rest)
        if leaks is not None:
            for n, cluster in enumerate(self.clusters):
                found.update(_solved(cluster, tuple(at.get(n, ())), leaks))
            return found
        for n, driven in at.items():
            sources = tuple(driven)
            known = self._known.get((n, sources))
            if known is None:
                known = self._known[n, sources] = _solved(self.clusters[n], sources, {})
            found.update(known)
        return found

    def transfer_ohms(self, drives: Drives, into: str) -> dict[str, float]:
        """Return the volts at each net that one more ampere into a net adds: its resistance, and what others
        share of it. Empty where a supply holds the net, or nothing does.
        """
        n = self.cluster_of.get(into)
        if n is None:
            return {}
        at = [(self.circuit.net_of.get(t, ""), Drive(0.0, drive.ohms)) for t, drive in drives.items()]
        here = tuple((net, drive) for net, drive in at if self.cluster_of.get(net) == n)
        grounded = self.clusters[n]._replace(fixed=tuple((p, 0.0, s) for p, _, s in self.clusters[n].fixed))
        found = _solved(grounded, here, {into: 1.0})
        return {net: volts for net, volts in found.items() if volts is not None}

    # -- chips

    def settled(self, outside: Drives) -> tuple[Volts, Drives]:
        """Return volts and all sources, once the chips have reacted to the outside sources.

        A circuit that never settles has its chips' outputs between high and low at the end.
        """
        outside = {t: drive for t, drive in outside.items() if t[0] in self.powered}
        drives: dict[Terminal, Drive] = dict(outside)
        volts = self.volts(drives)
        for _ in range(12):
            answered = dict(outside)
            for part in self.chips:
                answered.update(self._answers(part.ref, volts))
            if answered == drives:
                return volts, drives
            drives = answered
            volts = self.volts(drives)
        unrest = {t: d if t in outside else Drive(HALF, d.ohms) for t, d in drives.items()}
        return self.volts(unrest), unrest

    def _answers(self, ref: str, volts: Volts) -> Iterable[tuple[Terminal, Drive]]:
        part = self.circuit.parts[ref]
        logic = part.type.logic
        if logic is None:
            return ()
        levels = tuple(level_of(logic, volts, net) for net in self._inputs[ref].values())
        known = self._answered.get((part.type.name, levels))
        if known is None:
            at = dict(zip(self._inputs[ref], levels, strict=True))
            known = [
                (part.type.by_name[name], Drive(HALF if out is None else HIGH if out else 0.0, logic.ohms))
                for name, out in CHIPS[part.type.name](at.__getitem__).items()
            ]
            self._answered[part.type.name, levels] = known
        return [((ref, pin), drive) for pin, drive in known]

    def level(self, volts: Volts, ref: str, pin: int | str) -> Level:
        """Return the level that a part's pin reads from its net."""
        logic = self.circuit.parts[ref].type.logic
        return None if logic is None else level_of(logic, volts, self.circuit.at(ref, pin))


def level_of(logic: Logic, volts: Volts, net: str | None) -> Level:
    """Return the level that an input with these limits reads from a net; None for neither high nor low."""
    v = None if net is None else volts.get(net)
    return None if v is None or logic.vil < v < logic.vih else v >= logic.vih


def _is_source(circuit: Circuit, ref: str) -> bool:
    """Return whether a part brings power from outside: a plug, a Pi, a Pico at its USB."""
    kinds = {pin.kind for pin in circuit.parts[ref].type.pins}
    return Kind.POWER_OUT in kinds and Kind.POWER_IN not in kinds


def _resistors(circuit: Circuit) -> Iterator[tuple[str, str, float]]:
    for part in circuit.of_type("resistor", "shunt", "polyfuse"):
        a, b = circuit.at(part.ref, 1), circuit.at(part.ref, 2)
        if a is not None and b is not None and a != b:
            yield a, b, 0.05 if part.type.name == "polyfuse" else ohms(part.value)


def _solved(cluster: Cluster, drives: tuple[tuple[str, Drive], ...], leaks: Mapping[str, float]) -> Volts:
    """Solve Kirchhoff's current law for the nets of a cluster, by elimination; None where nothing
    holds them.
    """
    if not drives and not cluster.fixed:
        return dict.fromkeys(cluster.nets)
    size = len(cluster.nets)
    place = {net: n for n, net in enumerate(cluster.nets)}
    rows = [[0.0] * size + [leaks.get(net, 0.0)] for net in cluster.nets]
    for a, b, siemens in cluster.inside:
        rows[a][a] += siemens
        rows[b][b] += siemens
        rows[a][b] -= siemens
        rows[b][a] -= siemens
    held = [*cluster.fixed, *((place[net], drive.volts, 1 / drive.ohms) for net, drive in drives)]
    for at, volts, siemens in held:
        rows[at][at] += siemens
        rows[at][size] += siemens * volts
    for n in range(size):  # a conductance matrix needs no pivoting
        for m in range(n + 1, size):
            factor = rows[m][n] / rows[n][n]
            if factor:
                rows[m] = [low - factor * high for low, high in zip(rows[m], rows[n], strict=True)]
    found = [0.0] * size
    for n in reversed(range(size)):
        found[n] = (rows[n][size] - sum(rows[n][m] * found[m] for m in range(n + 1, size))) / rows[n][n]
    return dict(zip(cluster.nets, found, strict=True))
