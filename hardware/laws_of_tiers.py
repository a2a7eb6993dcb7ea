"""Laws of the function of each tier: the assumptions of its program, tried signal by signal."""

from __future__ import annotations

from collections.abc import Iterator

from companion.firmware import pins as pico_pins
from companion.pins import PI_PINS, SPI0_PINS
from hardware.bench import HALF, HIGH, Bench, Drive, Volts
from hardware.chips import ROW_INPUTS
from hardware.circuit import Kind, Terminal, shorted
from hardware.parts import LED_VOLTS, ohms
from hardware.subject import LINES, PI_STRONG_PULL, Subject, names_of
from hardware.tiers import BUTTONS, LAMPS


def readers_selected(it: Subject) -> Iterator[str]:
    """Yield violations: at each address exactly one reader is selected while the strobe is high, and none
    while it is low.

    The outputs of decoders are checked too, so that a place is right before a reader is put there.
    """
    if not it.has_track:
        return
    bench = it.bench()
    for address, high in _addresses():
        for strobe in (False, True):
            volts, drives = bench.settled(it.working(**high, STROBE=strobe))
            chosen = [ref for ref in it.readers if bench.level(volts, ref, "SDA") is not True]
            wanted = [f"RD{address}"] if strobe and f"RD{address}" in it.readers else []
            if chosen != wanted:
                yield f"address {address}, strobe {'high' if strobe else 'low'}: {_those(chosen)} selected"
            if strobe and wanted and bench.level(volts, wanted[0], "SDA") is not False:
                yield f"address {address}: {wanted[0]} is not surely selected"
            low = {
                t for ref in it.decoders for t in it.outputs[ref] if t not in drives or drives[t].volts < HIGH
            }
            if low != ({t for t in it.low_at(address) if t[0] in it.circuit.parts} if strobe else set()):
                at = f"address {address}, strobe {'high' if strobe else 'low'}"
                yield f"{at}: {names_of(it.circuit, low)} are low"


def one_at_a_time(it: Subject) -> Iterator[str]:
    """Yield violations: of the three-state outputs on one wire one is on at a time, whichever group is
    selected.
    """
    if not it.has_track:
        return
    for address, high in list(_addresses())[:: pico_pins.GROUP]:
        _, drives = it.bench().settled(it.working(**high, STROBE=True))
        on: dict[tuple[str, ...], Terminal] = {}
        for terminal, net, pin, _ in it.wires:
            if pin.kind == Kind.THREE_STATE and terminal in drives:
                wire = it.joined[net]
                if wire in on:
                    both = names_of(it.circuit, {terminal, on[wire]})
                    yield f"address {address}: {both} drive {wire[0]} at once"
                on[wire] = terminal


def _addresses() -> Iterator[tuple[int, dict[str, bool]]]:
    for address in range(2 ** len(pico_pins.ADDRESS)):
        yield address, {f"A{bit}": bool(address >> bit & 1) for bit in range(len(pico_pins.ADDRESS))}


def _those(refs: list[str]) -> str:
    return f"{', '.join(refs)} {'is' if len(refs) == 1 else 'are'}" if refs else "none is"


def miso_reaches(it: Subject) -> Iterator[str]:
    """Yield violations: MISO of the selected reader alone reaches the Pico; a silent reader reads 0, a dead
    group 1.

    Where a place has no reader its input of the multiplexer is driven instead.
    """
    if not it.has_track:
        return
    bench, (pico, miso) = it.bench(), it.gp(pico_pins.MISO)
    for address, high in _addresses():
        if address // pico_pins.GROUP >= len(it.multiplexers):
            break
        world = it.working(**high, STROBE=True)
        speaker = it.speakers[address]
        for level in (True, False):
            says = dict(it.out(t, (t == speaker) == level) for t in it.speakers)
            volts, _ = bench.settled({**world, **it.connected(says)})
            if bench.level(volts, pico, miso) is not level:
                yield f"address {address}: the Pico does not read what {speaker[0]} pin {speaker[1]} says"
        silent = {t: drive for t, drive in world.items() if t != speaker}
        if bench.level(bench.settled(silent)[0], pico, miso) is not False:
            yield f"address {address}: a silent reader does not read 0"
    if bench.level(bench.settled(it.working())[0], pico, miso) is not True:
        yield "MISO is not high while no group answers"


def bus_reaches(it: Subject) -> Iterator[str]:
    """Yield violations: SCK, MOSI and nRST of the Pico reach the same pin of every reader, and nothing else
    does.
    """
    if not it.has_track:
        return
    bench = it.bench()
    reaches = {"SCK": "SCK", "MOSI": "MOSI", "RESET": "RST"}
    for alone in reaches:
        volts, _ = bench.settled(it.working(**{signal: signal == alone for signal in reaches}))
        for ref in it.readers:
            for signal, pin in reaches.items():
                if bench.level(volts, ref, pin) is not (signal == alone):
                    wanted = "high" if signal == alone else "low"
                    yield f"{alone} alone is high, but {ref} {pin} is not {wanted}"


def measures(it: Subject) -> Iterator[str]:
    """Yield violations: the Pico's ADC sees half of the track's 3.3 V, and 1 V for 1 A where a monitor is
    fitted.
    """
    if not it.has_track:
        return
    circuit, bench = it.circuit, it.bench()
    amplifiers = circuit.of_type("INA180A1")
    for high in (False, True):  # in every state of the bus
        volts, _ = bench.settled(it.working(**dict.fromkeys(LINES, high)))
        supply = volts.get(circuit.net_of.get(it.gp(pico_pins.TRACK_VOLTAGE), ""))
        if supply is None or abs(supply - HALF) > 0.05:
            yield f"GP{pico_pins.TRACK_VOLTAGE} sees {supply} V of the track's 3.3, not half"
        seen = volts.get(circuit.net_of.get(it.gp(pico_pins.TRACK_CURRENT), ""))
        if seen is None or abs(seen - (0.4 if amplifiers else 0.0)) > 0.04:
            yield f"GP{pico_pins.TRACK_CURRENT} sees {seen} V, not what the monitors say"
    for part in amplifiers:  # each alone, so that none counts more than another
        alone = {(each.ref, each.type.by_name["OUT"]): Drive(0.0, 10) for each in amplifiers}
        alone[part.ref, part.type.by_name["OUT"]] = Drive(0.4, 10)
        volts = bench.volts({**it.working(), **it.connected(alone)})
        seen = volts.get(circuit.net_of.get(it.gp(pico_pins.TRACK_CURRENT), ""))
        if seen is None or abs(seen - 0.4 / len(amplifiers)) > 0.04 / len(amplifiers):
            yield f"{part.ref} alone at 0.4 V: GP{pico_pins.TRACK_CURRENT} sees {seen} V"
    shunts = {
        (circuit.at(part.ref, 1), circuit.at(part.ref, 2)): ohms(part.value)
        for part in circuit.of_type("shunt")
    }
    for part in amplifiers:
        plus, minus = circuit.at(part.ref, "IN+"), circuit.at(part.ref, "IN-")
        value = shunts.get((plus, minus)) or shunts.get((minus, plus))
        if plus == minus or value is None or abs(20 * value - len(amplifiers)) > 0.01:
            yield f"{part.ref} is not across a shunt that makes 1 V of 1 A"
        elif not any(circuit.pin(t).kind == Kind.POWER_OUT for t in circuit.nets[plus or ""]):
            yield f"{part.ref}: IN+ is not on the side of the buck"


def row_in_order(it: Subject) -> Iterator[str]:
    """Yield violations: the Pico reads switch s as bit s of the row, low where a magnet is, and zeros behind
    the last one.
    """
    if not it.switches:
        return
    chips = len(it.circuit.of_type("74HC165"))
    unused = [True] * (8 * chips - len(it.switches))
    for magnet in (None, *it.switches):
        wanted: list[bool | None] = [*(ref != magnet for ref in it.switches), *unused, *[False] * 8]
        read = _shifted_out(it, magnet)
        if read != wanted:
            yield f"magnet at {magnet or 'no switch'}: the row reads {_bits(read)}, not {_bits(wanted)}"


def _bits(levels: list[bool | None]) -> str:
    return "".join("?" if level is None else "01"[level] for level in levels)


def _shifted_out(it: Subject, magnet: str | None) -> list[bool | None]:
    """Return the bits that the Pico reads: load goes low and high, then a bit before each rising edge, as in
    `Row.read`.
    """
    bench, circuit = it.bench(), it.circuit
    chips = [part for part in circuit.of_type("74HC165") if part.ref in bench.powered]
    memory: dict[str, list[bool | None]] = {part.ref: [None] * 8 for part in chips}
    before: dict[str, bool | None] = {}
    read: list[bool | None] = []

    def step(load: bool, clock: bool) -> Volts:
        world = it.working(SWITCH_LOAD=load, SWITCH_CLOCK=clock)
        if magnet is not None:
            world.update([it.out((magnet, circuit.parts[magnet].type.by_name["OUT"]), False)])
        for part in chips:
            last = memory[part.ref][7]
            for pin, level in (("QH", last), ("QH'", None if last is None else not last)):
                terminal, drive = it.out((part.ref, part.type.by_name[pin]), bool(level))
                world[terminal] = Drive(HALF, drive.ohms) if level is None else drive
        volts = bench.volts(it.connected(world))
        for ref in memory:
            edge = _clock(bench, volts, ref)
            if bench.level(volts, ref, "SH/LD") is not True:
                memory[ref] = [bench.level(volts, ref, pin) for pin in ROW_INPUTS]
            elif edge is True and before.get(ref) is False:
                memory[ref] = [bench.level(volts, ref, "SER"), *memory[ref][:7]]
            before[ref] = edge
        return volts

    step(load=False, clock=True)
    step(load=True, clock=True)
    for _ in range(8 * len(chips) + 8):
        volts = step(load=True, clock=False)
        read.append(bench.level(volts, *it.gp(pico_pins.SWITCH_DATA)))
        step(load=True, clock=True)
    return read


def _clock(bench: Bench, volts: Volts, ref: str) -> bool | None:
    """Return the clock of a 74HC165: it shifts when CLK or CLK INH rises while the other is low."""
    levels = bench.level(volts, ref, "CLK"), bench.level(volts, ref, "CLK INH")
    return True if True in levels else None if None in levels else False


def row_off(it: Subject) -> Iterator[str]:
    """Yield violations: without an answer of the row its data is high: the zeros behind it are missing."""
    if not it.switches:
        return
    silent = {t: d for t, d in it.working().items() if it.circuit.parts[t[0]].type.name != "74HC165"}
    if it.bench().level(it.bench().volts(silent), *it.gp(pico_pins.SWITCH_DATA)) is not True:
        yield "switch data is not high while the row does not answer"


def pad_reached(it: Subject) -> Iterator[str]:
    """Yield violations: each signal of the Pi reaches the same pin of the pad's reader, and its
    MISO the Pi.
    """
    if "PAD1" not in it.circuit.parts:
        return
    bench = it.bench()
    reaches = {"ce0": "SDA", "sclk": "SCK", "mosi": "MOSI", "pad_reset": "RST"}
    for alone in reaches:
        volts, _ = bench.settled(it.working(**{signal: signal == alone for signal in reaches}))
        for signal, pin in reaches.items():
            if bench.level(volts, "PAD1", pin) is not (signal == alone):
                wanted = "high" if signal == alone else "low"
                yield f"{alone} alone is high, but the pad's {pin} is not {wanted}"
    for level in (True, False):
        says = dict([it.out(("PAD1", it.circuit.parts["PAD1"].type.by_name["MISO"]), level)])
        volts, _ = bench.settled({**it.working(), **it.connected(says)})
        if bench.level(volts, *it.bcm(SPI0_PINS["miso"])) is not level:
            yield "the Pi does not read what the pad's reader says"


def buttons_work(it: Subject) -> Iterator[str]:
    """Yield violations: a pressed button makes its own pin low and no other; nothing is harmed if that pin is
    an output.
    """
    for part in it.circuit.of_type("button"):
        one, other = (it.circuit.at(part.ref, pin) for pin in (1, 2))
        if one is None or other is None or one == other:
            yield f"{part.ref} ({part.use}) is always or never closed"
            continue
        bench = Bench(shorted(it.circuit, other, one))
        volts, _ = bench.settled(it.working())
        low = [name for name in BUTTONS if bench.level(volts, *it.bcm(PI_PINS[name])) is not True]
        if low != [part.use]:
            yield f"{part.use} pressed: {', '.join(low) or 'none'} is seen"
        elif not _surely_low(it, bench, it.bcm(PI_PINS[part.use])):
            yield f"{part.use} pressed is not surely low against a Pi's strongest pull-up"
        wrong = it.bcm(PI_PINS[part.use])
        volts, _ = bench.settled({**it.working(), wrong: Drive(HIGH, 0.1)})
        ma = (HIGH - (volts.get(bench.circuit.net_of.get(wrong, "")) or 0.0)) / 0.1 * 1000
        if ma > 16:
            yield f"{part.use} pressed while its pin is an output: {ma:.0f} mA"
    if it.circuit.of_type("button"):
        bench = it.bench()
        volts, _ = bench.settled(it.working())
        stuck = [name for name in BUTTONS if bench.level(volts, *it.bcm(PI_PINS[name])) is not True]
        if stuck:
            yield f"pressed though nobody presses: {', '.join(stuck)}"


def _surely_low(it: Subject, bench: Bench, pin: Terminal) -> bool:
    """Return whether a Pi's pin reads low against its strongest pull-up and a leak."""
    logic, net = it.circuit.parts[pin[0]].type.logic, it.circuit.net_of.get(pin, "")
    leaks = {net: logic.leak_ua * 1e-6} if logic else {}
    volts = bench.volts({**it.working(), pin: Drive(HIGH, PI_STRONG_PULL)}, leaks)
    return bench.level(volts, *pin) is False


def lamp_works(it: Subject) -> Iterator[str]:
    """Yield violations: each colour is lit by its own pin, with 1 to 16 mA; the buzzer's pin gives 16 mA at
    most at an edge.
    """
    bench = it.bench()
    for part in it.circuit.of_type("RGB LED"):
        for name, (colour, _) in LAMPS.items():
            pin, leg = it.bcm(PI_PINS[name]), (part.ref, part.type.by_name[colour])
            volts, _ = bench.settled(it.working(**{name: True}))
            lit = [c for c in LED_VOLTS if (volts.get(it.circuit.at(part.ref, c) or "") or 0.0) > 1.0]
            if lit != [colour]:
                yield f"{name} lights {', '.join(lit) or 'nothing'}"
            ma = _through(it, pin, leg, LED_VOLTS[colour])
            if not 1 <= ma <= 16:
                yield f"{name} carries {ma:.1f} mA"
    for part in it.circuit.of_type("piezo"):
        volts, _ = bench.settled(it.working(buzzer=True))
        if (
            not (volts.get(it.circuit.at(part.ref, 1) or "") or 0.0) > 3.0
            or it.circuit.at(part.ref, 2) != "GND"
        ):
            yield "the buzzer's pin does not move the piezo"
        ma = _through(it, it.bcm(PI_PINS["buzzer"]), (part.ref, 1), 0.0)
        if not 1 <= ma <= 16:
            yield f"the buzzer carries {ma:.1f} mA at an edge"


def _through(it: Subject, pin: Terminal, load: Terminal, volts: float) -> float:
    """Return the mA from a pin at 3.3 V without any resistance to a load of constant voltage."""
    if load not in it.circuit.net_of or pin not in it.circuit.net_of:
        return 0.0
    world = {**it.working(), pin: Drive(HIGH, 0.1)}
    bench = it.bench()
    found = bench.volts({**world, load: Drive(volts, 0.1)})
    return (HIGH - (found.get(it.circuit.net_of[pin]) or 0.0)) / 0.1 * 1000
