"""Laws of the net list alone: they need no power."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.firmware import pins as pico_pins
from hardware.circuit import Kind, Terminal
from hardware.subject import OUTPUTS, Subject, name_of, names_of

MUST: Final = (Kind.INPUT, Kind.ANALOG, Kind.PASSIVE, Kind.POWER_IN, Kind.GROUND)


def pin_once(it: Subject) -> Iterator[str]:
    """Yield violations: no pin is on two nets."""
    seen: dict[Terminal, str] = {}
    for net, terminals in it.circuit.nets.items():
        for terminal in terminals:
            if terminal in seen:
                yield f"{name_of(it.circuit, terminal)} is on two nets, {seen[terminal]} and {net}"
            seen[terminal] = net


def connected(it: Subject) -> Iterator[str]:
    """Yield violations: every pin that needs a wire has one, and every wire has two ends."""
    circuit = it.circuit
    for part in circuit.parts.values():
        names = {pin.name for pin in part.type.pins if (part.ref, pin.number) in circuit.net_of}
        for pin in part.type.pins:
            if pin.name not in names and pin.kind in MUST:
                yield f"{name_of(circuit, (part.ref, pin.number))} is not connected"
    for net, terminals in circuit.nets.items():
        if len(terminals) < 2:
            yield f"{net} goes from {name_of(circuit, next(iter(terminals)))} to nowhere"


def one_ground(it: Subject) -> Iterator[str]:
    """Yield violations: all grounds are one net."""
    nets = {net for _, net, pin, _ in it.wires if pin.kind == Kind.GROUND}
    if len(nets) > 1:
        yield f"grounds are not joined: {', '.join(sorted(nets))}"


def free_pins(it: Subject) -> Iterator[str]:
    """Yield violations: a pin that no program and no tier uses has no wire."""
    for terminal, net, pin, _ in it.wires:
        if pin.kind == Kind.FREE:
            yield f"{net} is on {name_of(it.circuit, terminal)}, which is kept free"


def supplies(it: Subject) -> Iterator[str]:
    """Yield violations: no supply is joined with another or GND; each part gets its voltage; a plug goes
    through a fuse.
    """
    circuit = it.circuit
    for net, terminals in circuit.nets.items():
        outs = {t[0] for t in terminals if circuit.pin(t).kind == Kind.POWER_OUT}
        rail = [t for other in it.rail(net) for t in circuit.nets[other]] if outs else []
        outs |= {t[0] for t in rail if circuit.pin(t).kind == Kind.POWER_OUT}
        if len(outs) > 1:
            yield f"{net} joins the supplies {' and '.join(sorted(outs))}"
        if outs and any(circuit.pin(t).kind == Kind.GROUND for t in terminals):
            yield f"{net} shorts {', '.join(outs)} to GND"
        kinds = {circuit.parts[t[0]].type.name for t in terminals}
        if "plug 5 V" in kinds and any(circuit.pin(t).kind == Kind.POWER_OUT for t in terminals):
            others = sorted(kinds - {"plug 5 V", "polyfuse", "screw terminal 2"})
            if others:
                yield f"{net} feeds {', '.join(others)} past the polyfuse"
    fixed = it.bench().fixed
    for terminal, net, pin, _ in it.wires:
        if pin.kind == Kind.POWER_IN and abs(fixed.get(net, 0.0) - pin.volts) > 0.2:
            yield f"{name_of(circuit, terminal)} needs {pin.volts} V, {net} has {fixed.get(net, 0.0)} V"


def one_output(it: Subject) -> Iterator[str]:
    """Yield violations: no two outputs are on one wire, not even behind resistors in series, except
    three-state ones; none is on a supply.
    """
    circuit = it.circuit
    for nets in dict.fromkeys(it.joined.values()):
        terminals = [t for net in nets for t in circuit.nets[net]]
        kinds = [circuit.pin(t).kind for t in terminals]
        outs = [t for t in terminals if circuit.pin(t).kind in OUTPUTS]
        if len(outs) > 1 and Kind.OUTPUT in kinds:
            yield f"{' and '.join(nets)} has the outputs {names_of(circuit, outs)}"
    for terminal, net, pin, _ in it.wires:
        if pin.kind in OUTPUTS and net in it.bench().fixed:
            yield f"{name_of(circuit, terminal)} drives {net}, which is a supply"


def capacitors(it: Subject) -> Iterator[str]:
    """Yield violations: every chip has 100 nF at its supply, every reader 10 µF too, every buck 470 µF, the
    right way round.
    """
    circuit, fixed = it.circuit, it.bench().fixed
    across = {
        (part.near, part.value, frozenset((circuit.at(part.ref, 1), circuit.at(part.ref, 2))))
        for part in circuit.of_type("capacitor", "electrolytic")
    }
    for part in circuit.parts.values():
        supply = next((pin.number for pin in part.type.pins if pin.kind == Kind.POWER_IN), None)
        ground = next((pin.number for pin in part.type.pins if pin.kind == Kind.GROUND), None)
        if supply is None or ground is None:
            continue
        buck = part.type.name == "buck 3.3 V"
        wanted = ("470 µF",) if buck else ("100 nF", "10 µF") if "MFRC522" in part.type.name else ("100 nF",)
        nets = {circuit.at(part.ref, supply), circuit.at(part.ref, ground)}
        for value in wanted:
            found = any(near == part.ref and v == value and (buck or at == nets) for near, v, at in across)
            if not found:
                yield f"{part.ref} has no {value} between its supply and its GND"
    for part in circuit.of_type("electrolytic"):
        plus, minus = (fixed.get(circuit.at(part.ref, pin) or "") for pin in ("+", "-"))
        if plus is None or minus is None or plus <= minus:
            yield f"{part.ref}: its + is at {plus} V, its - at {minus} V"


def damped(it: Subject) -> Iterator[str]:
    """Yield violations: a fast line has a resistor at its driver: address, bus, clock at the Pico, SCK, MOSI
    of a reader, a multiplexer's output.
    """
    circuit = it.circuit
    pico = [*pico_pins.ADDRESS[:3], pico_pins.SCK, pico_pins.MOSI] if it.has_track else []
    pico += [pico_pins.SWITCH_CLOCK] if it.switches else []
    for gp in pico:
        net = circuit.net_of.get(it.gp(gp))
        if net is not None and any(circuit.pin(t).kind == Kind.INPUT for t in circuit.nets[net]):
            yield f"{net} leaves the Pico's GP{gp} without a resistor in series"
    for ref in it.readers:
        for pin in ("SCK", "MOSI"):
            net = circuit.at(ref, pin)
            if net is not None and any(circuit.pin(t).kind in OUTPUTS for t in circuit.nets[net]):
                yield f"{ref} {pin} has no resistor in series"
    miso = circuit.net_of.get(it.gp(pico_pins.MISO)) if it.has_track else None
    for ref in it.multiplexers:
        if miso is not None and circuit.at(ref, "Y") == miso:
            yield f"{ref} Y has no resistor in series"


def fan_out(it: Subject) -> Iterator[str]:
    """Yield violations: no output drives more fast inputs than the times in its data sheet assume: three
    readers per gate.
    """
    bench = it.bench()
    load: dict[int, float] = {}
    for _, net, pin, logic in it.wires:
        if logic is not None and pin.fast and net in bench.cluster_of:
            load[bench.cluster_of[net]] = load.get(bench.cluster_of[net], 0) + logic.input_pf
    for terminal, net, pin, logic in it.wires:
        pf = load.get(bench.cluster_of.get(net, -1), 0)
        if logic is not None and pin.kind in OUTPUTS and pf > logic.most_pf:
            who = name_of(it.circuit, terminal)
            yield f"{who} drives {pf:.0f} pF of fast inputs, {logic.most_pf} at most"
