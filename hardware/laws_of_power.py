"""Laws of a circuit with power on: levels, currents, and the state while a supply is off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hardware.bench import Drive, level_of
from hardware.circuit import Kind
from hardware.parts import LED_VOLTS
from hardware.subject import PLUG, SIGNALS, Subject, name_of

CLAMP_VOLTS: Final = 0.6  # a clamp diode conducts
CLAMP_MA: Final = 0.5  # allowed through one for hours


def voltage(it: Subject) -> Iterator[str]:
    """Yield violations: no pin gets more than its absolute maximum: no 5 V on a 3.3 V pin."""
    for scene in it.scenes:
        _, volts, _ = it.played(scene)
        for terminal, net, pin, logic in it.wires:
            v = volts.get(net)
            if logic is not None and pin.kind in SIGNALS and v is not None and v > logic.most_volts:
                who = name_of(it.circuit, terminal)
                yield f"{who} gets {v:.1f} V, {logic.most_volts} at most ({scene.name})"


def no_floating(it: Subject) -> Iterator[str]:
    """Yield violations: no input of a part with power floats, in any combination of supplies."""
    for scene in it.scenes:
        bench, volts, _ = it.played(scene)
        for terminal, net, pin, _ in it.wires:
            needs = pin.kind in (Kind.INPUT, Kind.ANALOG) and terminal[0] in bench.powered
            if needs and volts.get(net) is None:
                yield f"{name_of(it.circuit, terminal)} floats ({scene.name})"


def levels(it: Subject) -> Iterator[str]:
    """Yield violations: every input is surely high or surely low, with the worst outputs and the worst leaks
    of all inputs in either direction; and leaks never make a high of what is low, or a low of what is high.
    """
    for scene in it.scenes:
        bench, intended, drives = it.played(scene)
        for sign in (-1, 1):
            volts = bench.volts(drives, leaks(it, sign))
            for terminal, net, pin, logic in it.wires:
                v = volts.get(net)
                if pin.kind != Kind.INPUT or logic is None or v is None or terminal[0] not in bench.powered:
                    continue
                if logic.vil < v < logic.vih:
                    who = name_of(it.circuit, terminal)
                    yield f"{who} is at {v:.2f} V, neither high nor low ({scene.name})"
                elif level_of(logic, intended, net) is not (v >= logic.vih):
                    who = name_of(it.circuit, terminal)
                    wanted = intended[net] or 0.0
                    yield f"{who} is meant to be at {wanted:.2f} V; leaks put it at {v:.2f} ({scene.name})"


def leaks(it: Subject, sign: int) -> dict[str, float]:
    """Return the worst leaks of all inputs into each net, in amperes; `sign` is their direction."""
    found: dict[str, float] = {}
    for _, net, pin, logic in it.wires:
        if logic is not None and pin.kind in (Kind.INPUT, Kind.THREE_STATE):
            found[net] = found.get(net, 0.0) + sign * logic.leak_ua * 1e-6
    return found


def currents(it: Subject) -> Iterator[str]:
    """Yield violations: no output gives or takes more than it may; no supply gives more than it can."""
    for scene in it.scenes:
        _, volts, drives = it.played(scene)
        for terminal, drive in drives.items():
            logic, net = it.circuit.parts[terminal[0]].type.logic, it.circuit.net_of.get(terminal)
            v = volts.get(net) if net is not None else None
            if (
                logic is not None
                and v is not None
                and abs(drive.volts - v) / drive.ohms * 1000 > logic.most_ma
            ):
                ma = abs(drive.volts - v) / drive.ohms * 1000
                who = name_of(it.circuit, terminal)
                yield f"{who} carries {ma:.0f} mA, {logic.most_ma} at most ({scene.name})"
    for terminal, net, pin, _ in it.wires:
        if pin.kind == Kind.POWER_OUT:
            ma = rail_ma(it, net)
            if ma > pin.most_ma:
                yield f"{net} feeds {ma:.0f} mA at most, {terminal[0]} gives {pin.most_ma:.0f}"


def rail_ma(it: Subject, net: str) -> float:
    """Return the mA that all parts on a supply take by a fault, behind a shunt too; a buck behind it is not
    counted.
    """
    fed = it.rail(net)
    draws = {
        t[0]: it.circuit.parts[t[0]].type.draw
        for t, at, pin, _ in it.wires
        if at in fed and pin.kind == Kind.POWER_IN
    }
    return sum(draw.fault for draw in draws.values() if draw is not None)


def clamps(it: Subject) -> Iterator[str]:
    """Yield violations: while one of two supplies is off, at most 0.5 mA goes through a clamp diode of a part
    without power.
    """
    for scene in it.scenes:
        if not scene.off:
            continue
        bench, volts, drives = it.played(scene)
        for terminal, net, pin, logic in it.wires:
            v = volts.get(net)
            dead = logic is not None and terminal[0] not in bench.powered and pin.kind in SIGNALS
            if not dead or v is None or v <= CLAMP_VOLTS:
                continue
            held = Drive(CLAMP_VOLTS, 1.0)
            clamped = bench.volts({**drives, terminal: held})[net] or 0.0
            ma = (clamped - CLAMP_VOLTS) / held.ohms * 1000
            if ma > CLAMP_MA:
                who = name_of(it.circuit, terminal)
                yield f"{who} is fed with {ma:.1f} mA though it has no power ({scene.name})"


def safe_start(it: Subject) -> Iterator[str]:
    """Yield violations: while no program runs no reader is selected, all readers are in reset, no lamp is
    lit.
    """
    for scene in it.scenes:
        if scene.name.startswith("at work") or PLUG in scene.off:
            continue
        bench, volts, _ = it.played(scene)
        for ref in it.readers:
            if bench.level(volts, ref, "SDA") is not True:
                yield f"{ref} is selected, or may be ({scene.name})"
            if bench.level(volts, ref, "RST") is not False:
                yield f"{ref} is not in reset ({scene.name})"
        for part in it.circuit.of_type("RGB LED"):
            lit = [
                colour
                for colour in LED_VOLTS
                if (volts.get(it.circuit.at(part.ref, colour) or "") or 0) > 0.5
            ]
            if lit:
                yield f"the lamp is {', '.join(lit)} ({scene.name})"
        if "PAD1" in it.circuit.parts and bench.level(volts, "PAD1", "RST") is not False:
            yield f"the pad's reader is not in reset ({scene.name})"
