"""The circuits of all tiers: each part, its purpose, and the net of each of its pins.

The numbers of pins are those of firmware/pins.py and companion/pins.py. Where wiring.md left a choice open it
was made here: the reason is next to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from companion.firmware import pins as pico_pins
from companion.pins import PI_PINS, SPI0_PINS
from hardware import parts
from hardware.circuit import Circuit, Kind, Part, Placed, circuit, moved, together, without

READERS: Final = pico_pins.READERS
MOST_READERS: Final = pico_pins.MOST_READERS
GROUP: Final = pico_pins.GROUP
READERS_A_GATE: Final = 3
STRIP: Final = 3  # readers to try before a whole track is bought
GROUPS_A_BUCK: Final = 3  # 24 readers with all fields on by a fault take 2.9 A of 3
BUTTONS: Final = ("confirm", "undo", "next")
LAMPS: Final = {
    "lamp_red": ("red", "330 Ω"),
    "lamp_green": ("green", "100 Ω"),
    "lamp_blue": ("blue", "100 Ω"),
}

PAD_PI: Final = parts.pi(
    inputs=(SPI0_PINS["miso"],),
    outputs=(*(SPI0_PINS[name] for name in ("ce0", "sclk", "mosi")), PI_PINS["pad_reset"]),
)
PANEL_PI: Final = parts.pi(
    inputs=(PI_PINS[name] for name in BUTTONS), outputs=(PI_PINS[name] for name in (*LAMPS, "buzzer"))
)
TRACK_PICO: Final = parts.pico(
    inputs=(pico_pins.MISO,),
    outputs=(*pico_pins.ADDRESS, pico_pins.STROBE, pico_pins.SCK, pico_pins.MOSI, pico_pins.RESET),
    analog=(pico_pins.TRACK_VOLTAGE, pico_pins.TRACK_CURRENT),
)
ROW_PICO: Final = parts.pico(
    inputs=(pico_pins.SWITCH_DATA,), outputs=(pico_pins.SWITCH_LOAD, pico_pins.SWITCH_CLOCK)
)


# -- repeated parts


def resistor(ref: str, value: str, one: str, other: str, use: str) -> Placed:
    """Return a resistor between two nets."""
    return Part(ref, parts.RESISTOR, value, use), {1: one, 2: other}


def bypass(ref: str, value: str, supply: str, near: str) -> Placed:
    """Return a ceramic capacitor from a supply to GND, next to a chip."""
    return Part(ref, parts.CAPACITOR, value, f"at {near}", near), {1: supply, 2: "GND"}


# -- tiers


def pad() -> Circuit:
    """Return one reader on the Pi; decided here: 10 µF and 100 nF at it, as at each reader of the track."""
    supply = "3V3 PI"
    return circuit(
        "card pad",
        [
            (
                Part("J1", PAD_PI, use="the Pi's header"),
                {
                    f"GPIO{SPI0_PINS['ce0']}": "PAD SDA",
                    f"GPIO{SPI0_PINS['sclk']}": "PAD SCK",
                    f"GPIO{SPI0_PINS['mosi']}": "PAD MOSI",
                    f"GPIO{SPI0_PINS['miso']}": "PAD MISO",
                    f"GPIO{PI_PINS['pad_reset']}": "PAD RST",
                    17: supply,
                    20: "GND",
                },
            ),
            (
                Part("PAD1", parts.MFRC522, use="card pad"),
                {
                    "SDA": "PAD SDA",
                    "SCK": "PAD SCK",
                    "MOSI": "PAD MOSI",
                    "MISO": "PAD MISO",
                    "RST": "PAD RST",
                    "3.3V": supply,
                    "GND": "GND",
                },
            ),
            bypass("C1", "10 µF", supply, "PAD1"),
            bypass("C2", "100 nF", supply, "PAD1"),
        ],
    )


def panel() -> Circuit:
    """Return three buttons, a lamp, a buzzer; the buttons' pull-ups are the Pi's own."""
    return circuit("panel", _panel())


def _panel() -> Iterator[Placed]:
    header = {f"GPIO{PI_PINS[name]}": name.upper() for name in (*BUTTONS, *LAMPS, "buzzer")}
    yield Part("J1", PANEL_PI, use="the Pi's header"), {**header, 39: "GND"}
    for n, name in enumerate(BUTTONS, start=1):
        yield resistor(f"R{n}", "1 kΩ", name.upper(), f"{name.upper()} BUTTON", f"in series with {name}")
        yield Part(f"S{n}", parts.BUTTON, use=name), {1: f"{name.upper()} BUTTON", 2: "GND"}
    for n, (name, (_, value)) in enumerate(LAMPS.items(), start=4):
        yield resistor(f"R{n}", value, name.upper(), f"{name.upper()} LED", f"in series with {name}")
    legs = {colour: f"{name.upper()} LED" for name, (colour, _) in LAMPS.items()}
    yield Part("D1", parts.RGB_LED, use="lamp"), {**legs, "cathode": "GND"}
    yield resistor("R7", "220 Ω", "BUZZER", "BUZZER PIEZO", "in series with the buzzer")
    yield Part("BZ1", parts.PIEZO, use="buzzer"), {1: "BUZZER PIEZO", 2: "GND"}


def reader_track(readers: int = READERS, monitor: bool = False) -> Circuit:
    """Return a track of readers, with or without a current monitor; ValueError for more than can be
    addressed.
    """
    if not 1 <= readers <= MOST_READERS:
        raise ValueError(f"a track has 1 to {MOST_READERS} readers, not {readers}")
    groups = -(-readers // GROUP)
    rails = [f"3V3 TRACK {1 + group // GROUPS_A_BUCK}" for group in range(groups)]
    name = f"track of {readers} readers" + (" with current monitor" if monitor else "")
    placed = [*_pico_and_bus(rails[0]), *_power(sorted(set(rails)), monitor), *_master(groups, rails[0])]
    for group, rail in enumerate(rails):
        placed += _group(group, min(GROUP, readers - group * GROUP), rail)
    for reader in range(readers):
        placed += _reader(reader, rails[reader // GROUP])
    return circuit(name, placed)


def _pico_and_bus(rail: str) -> Iterator[Placed]:
    """Yield the Pico with the resistors at its pins.

    Decided here: 47 kΩ to GND at the address, SCK and MOSI, so that no input of the track floats while the
    Pico has no power; the leaks of 15 inputs (1 µA each at most) lift them by 0.7 V, where 100 kΩ would not
    do.
    """
    bus = [f"A{bit}" for bit in range(6)]
    signals = dict(zip(pico_pins.ADDRESS, bus, strict=True))
    signals |= {
        pico_pins.STROBE: "STROBE",
        pico_pins.SCK: "SCK",
        pico_pins.MOSI: "MOSI",
        pico_pins.MISO: "MISO",
    }
    signals |= {pico_pins.RESET: "NRST", pico_pins.TRACK_VOLTAGE: "TRACK VOLTAGE"}
    signals |= {pico_pins.TRACK_CURRENT: "TRACK CURRENT"}
    nets = {f"GP{gp}": f"PICO {name}" if name in SERIES else name for gp, name in signals.items()}
    yield Part("A1", TRACK_PICO, use="scans the track"), {**nets, "3V3": "3V3 PICO", 38: "GND"}
    for n, (name, value) in enumerate(SERIES.items(), start=1):
        yield resistor(f"R{n}", value, f"PICO {name}", name, f"in series with {name}")
    for n, name in enumerate((*bus, "SCK", "MOSI"), start=6):
        yield resistor(f"R{n}", "47 kΩ", name, "GND", f"{name} low without the Pico")
    yield resistor("R14", "4.7 kΩ", "STROBE", "GND", "nothing selected at boot")
    yield resistor("R15", "4.7 kΩ", "NRST", "GND", "readers in reset at boot")
    yield resistor("R16", "10 kΩ", "MISO", "3V3 PICO", "MISO high when no group answers")
    yield resistor("R17", "10 kΩ", rail, "TRACK VOLTAGE", "divider, upper half")
    yield resistor("R18", "10 kΩ", "TRACK VOLTAGE", "GND", "divider, lower half")
    yield resistor("R19", "100 kΩ", "TRACK CURRENT", "GND", "no current without a monitor or its supply")


SERIES: Final = {"A0": "100 Ω", "A1": "100 Ω", "A2": "100 Ω"}


def _power(rails: Sequence[str], monitor: bool) -> Iterator[Placed]:
    """Yield plug, polyfuse, a buck for every three groups, 470 µF at each.

    The fuse trips before the largest plug limits its current, so that it and not the wire ends a short.
    Outputs of two bucks are never joined. Decided here, for a monitor: a resistor before the Pico's pin, so
    that a Pico without power is not fed through it (0.48 mA at most); it and the 100 kΩ make the reading 5
    % low. With two bucks one monitor would see half the readers: then each has one, over 0.1 Ω, and two
    equal resistors make their mean: 1 V is still 1 A of both together.
    """
    yield Part("J2", parts.PLUG, use="the track's supply"), {"+5V": "5V PLUG", "GND": "GND"}
    yield Part("F1", parts.POLYFUSE, "1.85 A", "at the entry"), {1: "5V PLUG", 2: "5V"}
    for n, rail in enumerate(rails, start=1):
        out = f"{rail} BUCK" if monitor else rail
        yield Part(f"PS{n}", parts.BUCK, use=rail), {"IN": "5V", "GND": "GND", "OUT": out}
        yield (
            Part(f"C{n}", parts.ELECTROLYTIC, "470 µF", f"bulk of {rail}", f"PS{n}"),
            {"+": rail, "-": "GND"},
        )
        if monitor:
            shunt, series = ("0.05 Ω", "5.6 kΩ") if len(rails) == 1 else ("0.1 Ω", "11 kΩ")
            yield Part(f"R{20 + n}", parts.SHUNT, shunt, f"current of {rail}"), {1: out, 2: rail}
            amplifier = {"IN+": out, "IN-": rail, "VS": rail, "GND": "GND", "OUT": f"CURRENT {n}"}
            yield Part(f"U{1 + n}", parts.INA180A1, use=f"current of {rail}"), amplifier
            yield bypass(f"C{4 + n}", "100 nF", rail, f"U{1 + n}")
            yield resistor(
                f"R{24 + n}", series, f"CURRENT {n}", "TRACK CURRENT", "protects a Pico without power"
            )


def _master(groups: int, rail: str) -> Iterator[Placed]:
    """Yield the master decoder; its outputs beyond the last group stay open, as outputs may."""
    master: dict[int | str, str] = {
        pin: f"A{3 + bit}" for bit, pin in enumerate(pico_pins.MASTER_ADDRESS_PINS)
    }
    master |= {pico_pins.MASTER_OUTPUT_PINS[group]: f"EN{group}" for group in range(groups)}
    master |= {pico_pins.MASTER_STROBE_PIN: "STROBE", "G2A": "GND", "G2B": "GND", "VCC": rail, "GND": "GND"}
    yield Part("U1", parts.HC138, use="master decoder"), master
    yield bypass("C10", "100 nF", rail, "U1")


def _group(group: int, readers: int, rail: str) -> Iterator[Placed]:
    """Yield decoder, multiplexer and buffer of a group: U11, U12, U13 are those of group 0.

    Outputs of the decoder without a reader stay open; multiplexer inputs all have 100 kΩ to GND; buffer
    gates without a use have their input at GND (decided here: 74HC inputs must not float).
    """
    ref, first = 10 * (group + 1), group * GROUP
    power: dict[int | str, str] = {"VCC": rail, "GND": "GND"}
    decoder: dict[int | str, str] = {pin: f"A{bit}" for bit, pin in enumerate(pico_pins.DECODER_ADDRESS_PINS)}
    decoder |= {pico_pins.DECODER_OUTPUT_PINS[n]: f"SDA {first + n}" for n in range(readers)}
    decoder |= {pico_pins.DECODER_ENABLE_PIN: f"EN{group}", "G2B": "GND", "G1": rail, **power}
    yield Part(f"U{ref + 1}", parts.HC138, use=f"selects in group {group}"), decoder

    multiplexer: dict[int | str, str] = {
        pin: f"A{bit}" for bit, pin in enumerate(pico_pins.MULTIPLEXER_ADDRESS_PINS)
    }
    multiplexer |= {pin: f"MISO {first + n}" for n, pin in enumerate(pico_pins.MULTIPLEXER_INPUT_PINS)}
    multiplexer |= {
        pico_pins.MULTIPLEXER_ENABLE_PIN: f"EN{group}",
        pico_pins.MULTIPLEXER_OUTPUT_PIN: f"MISO GROUP {group}",
        **power,
    }
    yield Part(f"U{ref + 2}", parts.HC251, use=f"MISO of group {group}"), multiplexer
    for n in range(GROUP):
        use = f"MISO {first + n} low when silent"
        yield resistor(f"R{10 * ref + n}", "100 kΩ", f"MISO {first + n}", "GND", use)

    # a separate wire and resistor for each group: hardware/signals.py computes why
    for n, signal in enumerate(("SCK", "MOSI", "MISO"), start=GROUP):
        yield resistor(
            f"R{10 * ref + n}", "100 Ω", signal, f"{signal} GROUP {group}", f"{signal} of group {group}"
        )
    gates = [("NRST", f"NRST {group}")]
    for part in range(-(-readers // READERS_A_GATE)):
        gates += [(f"{signal} GROUP {group}", f"{signal} {group}.{part}") for signal in ("SCK", "MOSI")]
    unused = [("GND", "")] * (len(parts.HC244_GATES) - len(gates))
    buffer: dict[int | str, str] = {"1OE": "GND", "2OE": "GND", **power}
    for (into, out), (signal, driven) in zip(parts.HC244_GATES, [*gates, *unused], strict=True):
        buffer[into] = signal
        if driven:
            buffer[out] = driven
    yield Part(f"U{ref + 3}", parts.HC244, use=f"drives group {group}"), buffer
    for n in (1, 2, 3):
        yield bypass(f"C{ref + n}", "100 nF", rail, f"U{ref + n}")


def _reader(reader: int, rail: str) -> Iterator[Placed]:
    """Yield a reader, RD0 being the first, with its two resistors and two capacitors."""
    group, n = divmod(reader, GROUP)
    gate = f"{group}.{n // READERS_A_GATE}"
    yield (
        Part(f"RD{reader}", parts.MFRC522, use=f"space {reader}"),
        {
            "SDA": f"SDA {reader}",
            "SCK": f"SCK {reader}",
            "MOSI": f"MOSI {reader}",
            "MISO": f"MISO {reader}",
            "RST": f"NRST {group}",
            "3.3V": rail,
            "GND": "GND",
        },
    )
    yield resistor(f"R{1000 + reader}", "100 Ω", f"SCK {gate}", f"SCK {reader}", f"SCK of reader {reader}")
    yield resistor(f"R{1100 + reader}", "100 Ω", f"MOSI {gate}", f"MOSI {reader}", f"MOSI of reader {reader}")
    yield bypass(f"C{1000 + reader}", "10 µF", rail, f"RD{reader}")
    yield bypass(f"C{1100 + reader}", "100 nF", rail, f"RD{reader}")


def _plugs(track: Circuit) -> Iterator[Placed]:
    """Yield the plugs of all printed boards of a track of one buck: of readers, groups and Pico."""
    readers = len(track.of_type("MFRC522 board"))
    for reader in range(readers):
        yield from _reader_plugs(track, reader)
    for group in range(-(-readers // GROUP)):
        yield from _group_plugs(track, group)
    rail = track.at("RD0", "3.3V") or ""
    yield Part("J11", parts.TERMINAL_5V, use="5 V in"), {"+5V": "5V PLUG", "GND": "GND"}
    yield Part("J12", parts.TERMINAL_5V, use="5 V to the buck"), {"+5V": "5V", "GND": "GND"}
    yield Part("J13", parts.TERMINAL, use="3.3 V from the buck"), {"3.3V": rail, "GND": "GND"}
    yield Part("J14", parts.TERMINAL, use="3.3 V to the ring"), {"3.3V": rail, "GND": "GND"}
    yield Part("J15", parts.MONITOR_PLUG, use="a current monitor"), {"CURRENT": "TRACK CURRENT", "GND": "GND"}


def _reader_plugs(track: Circuit, reader: int) -> Iterator[Placed]:
    """Yield the plugs between a reader and its group: two of its carrier, one of the group's board."""
    pins = {pin.name: track.at(f"RD{reader}", pin.number) for pin in parts.MFRC522.pins}
    nets = {name: net for name, net in pins.items() if net is not None}
    group, n = divmod(reader, GROUP)
    yield Part(f"J{1100 + reader}", parts.READER_PLUG, use=f"pins of reader {reader}"), nets
    cable = {pin.number: nets[pin.name] for pin in parts.READER_CABLE.pins}
    yield Part(f"J{1000 + reader}", parts.READER_CABLE, use=f"cable of reader {reader}"), cable
    use = f"reader {n} of group {group}"
    yield Part(f"J{100 * (group + 1) + n}", parts.READER_CABLE, use=use), cable


def _group_plugs(track: Circuit, group: int) -> Iterator[Placed]:
    """Yield the plugs at both ends of a group's bus, J108 and J110 in group 0, and its terminal."""
    bus: dict[int | str, str] = {
        **{f"A{bit}": f"A{bit}" for bit in range(3)},
        "EN": f"EN{group}",
        "NRST": "NRST",
        "SCK": f"SCK GROUP {group}",
        "MOSI": f"MOSI GROUP {group}",
        "MISO": "MISO",
        **{pin.number: "GND" for pin in parts.BUS_PLUG.pins if pin.name == "GND"},
    }
    first = 100 * (group + 1)
    rail = track.at(f"RD{group * GROUP}", "3.3V") or ""
    yield Part(f"J{first + 8}", parts.BUS_PLUG, use=f"bus of group {group} from the Pico"), bus
    yield Part(f"J{first + 9}", parts.TERMINAL, use=f"3.3 V of group {group}"), {"3.3V": rail, "GND": "GND"}
    yield Part(f"J{first + 10}", parts.BUS_PLUG, use=f"bus to group {group}"), bus


def boarded_track(readers: int = GROUP) -> Circuit:
    """Return a track with the plugs of its printed boards; ValueError for more groups than the Pico's board
    has plugs for.

    The Pico's board joins all of its grounds, where perforated board joins one.
    """
    if readers > GROUPS_A_BUCK * GROUP:
        raise ValueError(f"the Pico's board has plugs for {GROUPS_A_BUCK} groups, not for {readers} readers")
    track = reader_track(readers)
    grounds = [pin.number for pin in TRACK_PICO.pins if pin.kind == Kind.GROUND]
    joined = moved(track, {("A1", number): "GND" for number in grounds})
    return together("track with printed boards", joined, circuit("plugs", _plugs(track)))


def _board(name: str, readers: int, refs: Collection[str]) -> Circuit:
    """Return the circuit on a printed board: these parts of a track."""
    track = boarded_track(readers)
    return replace(without(track, *(ref for ref in track.parts if ref not in refs)), name=name)


ON_GROUP_BOARD: Final = frozenset(
    {
        *(f"{letter}1{n}" for letter in "UC" for n in (1, 2, 3)),
        *(f"R{100 + n}" for n in range(GROUP)),
        "R110",
        *(f"R{row + n}" for row in (1000, 1100) for n in range(GROUP)),
        *(f"J{100 + n}" for n in range(GROUP + 2)),
    }
)
"""The parts of `boarded_track` on the board of group 0. R108 and R109 are not: docs/signals.md computes them
at the Pico, where each group's wire begins; nor are the readers' capacitors, which are at the readers."""

ON_PICO_BOARD: Final = frozenset(
    {
        *("A1", "U1", "C10", "C1", "F1"),
        *(f"R{n}" for n in (1, 2, 3, *range(6, 20))),
        *(f"R{100 * group + n}" for group in range(1, GROUPS_A_BUCK + 1) for n in (8, 9)),
        *(f"J{n}" for n in range(11, 16)),
        *(f"J{100 * group + 10}" for group in range(1, GROUPS_A_BUCK + 1)),
    }
)
ON_READER_BOARD: Final = frozenset({"J1000", "J1100", "C1000", "C1100"})


def group_board() -> Circuit:
    """Return the circuit on the board of one group, numbered as group 0: it is the same for every group."""
    return _board("board of a group", GROUP, ON_GROUP_BOARD)


def pico_board() -> Circuit:
    """Return the circuit on the board of the Pico: of the supply too, and the plugs of three groups."""
    return _board("board of the Pico", GROUPS_A_BUCK * GROUP, ON_PICO_BOARD)


def reader_board() -> Circuit:
    """Return the circuit on the carrier of a reader, numbered as reader 0: it is the same for all."""
    return _board("carrier of a reader", 1, ON_READER_BOARD)


def presence_track(switches: int = READERS) -> Circuit:
    """Return a row of hall switches behind 74HC165, all from the Pico's 3V3; ValueError for more than a row
    has.
    """
    if not 1 <= switches <= pico_pins.MOST_SWITCHES:
        raise ValueError(f"a track has 1 to {pico_pins.MOST_SWITCHES} switches, not {switches}")
    return circuit(f"track of {switches} switches", _presence_track(switches))


def _presence_track(switches: int) -> Iterator[Placed]:
    """Yield the parts of the row; decided here: 100 nF at each switch, as its data sheet requires."""
    rail = "3V3 PICO"
    nets = {
        pico_pins.SWITCH_DATA: "SWITCH DATA",
        pico_pins.SWITCH_LOAD: "SWITCH LOAD",
        pico_pins.SWITCH_CLOCK: "PICO SWITCH CLOCK",
    }
    yield (
        Part("A1", ROW_PICO, use="reads the row"),
        {**{f"GP{gp}": net for gp, net in nets.items()}, "3V3": rail, 38: "GND"},
    )
    yield resistor("R901", "47 Ω", "PICO SWITCH CLOCK", "SWITCH CLOCK", "in series with the clock")
    yield resistor("R902", "10 kΩ", "SWITCH DATA", rail, "data high when the row is off")
    chips = -(-switches // 8)
    for chip in range(chips):
        ref = f"U{901 + chip}"
        row = {pin: 8 * chip + n for n, pin in enumerate(pico_pins.SWITCH_INPUT_PINS)}
        pins: dict[int | str, str] = {
            pin: f"SWITCH {switch}" if switch < switches else rail for pin, switch in row.items()
        }
        pins |= {
            pico_pins.SWITCH_LOAD_PIN: "SWITCH LOAD",
            pico_pins.SWITCH_CLOCK_PIN: "SWITCH CLOCK",
            "CLK INH": "GND",
        }
        pins[pico_pins.SWITCH_OUTPUT_PIN] = f"ROW {chip}" if chip else "SWITCH DATA"
        pins[pico_pins.SWITCH_SERIAL_PIN] = f"ROW {chip + 1}" if chip + 1 < chips else "GND"
        yield Part(ref, parts.HC165, use=f"switches from {8 * chip}"), {**pins, "VCC": rail, "GND": "GND"}
        yield bypass(f"C{901 + chip}", "100 nF", rail, ref)
    for switch in range(switches):
        ref = f"U{300 + switch}"
        pins = {"VCC": rail, "GND": "GND", "OUT": f"SWITCH {switch}"}
        yield Part(ref, parts.DRV5032FA, use=f"space {switch}"), pins
        yield bypass(f"C{300 + switch}", "100 nF", rail, ref)


def pi_tiers() -> Circuit:
    """Return pad and panel on one Pi."""
    return together("pad and panel", pad(), panel())


def pico_tiers(readers: int = READERS, switches: int = READERS) -> Circuit:
    """Return readers and switches on one Pico: wired for, though one track is of one kind."""
    return together("readers and switches", reader_track(readers), presence_track(switches))
