"""The effect of the wires between the Pico, the buffers and the readers on the signals, computed
by ngspice.

    python -m hardware.signals            writes the tables of docs/signals.md, and docs/signals-*.svg
    python -m hardware.signals --check    reports whether they still agree with a new computation

A gate of a 74HC244 drives three readers, each through its own resistor and its own wire. The drivers are
those that their data sheets allow at 3.3 V, from the strongest and fastest to the weakest; inputs are
capacitances. Computed for the listed chips, and for quicker ones that fit the same holes. No crosstalk, no
board, no ground that moves: docs/signals.md names the questions that only a bench can settle.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

from hardware.parts import HC, HC_BUS
from hardware.plot import drawn

HOME: Final = Path(__file__).resolve().parent.parent
DOCS: Final = HOME / "docs"
PAGE: Final = DOCS / "signals.md"

VCC: Final = 3.3
LOW: Final = 0.8  # volts: between LOW and HIGH an edge must not turn back
HIGH: Final = 2.0
SERIES: Final = 100.0  # ohms at each reader's SCK and MOSI


class Wire(NamedTuple):
    """A kind of wire, with its ground next to it: ohms of its characteristic impedance, delay in
    ns per cm.
    """

    name: str
    ohms: float
    ns_per_cm: float


RIBBON: Final = Wire("ribbon, ground next to each signal", 110, 0.05)
DUPONT: Final = Wire("loose Dupont wires", 180, 0.045)


class Driver(NamedTuple):
    """An output: its resistance in ohms, and the time of its edges in ns, from rail to rail."""

    name: str
    ohms: float
    edge_ns: float


class Chips(NamedTuple):
    """A group's buffer and multiplexer: each with source, nanoseconds from input to output at most, and
    the strongest and the weakest of its outputs."""

    name: str
    buffer: tuple[str, float]
    gates: tuple[Driver, Driver]
    multiplexer: tuple[str, float]
    outputs: tuple[Driver, Driver]


AT_3V3: Final = 2.2
"""How much slower HC logic is at 3.3 V than at 4.5 V: 50 and 20 ns at 3.0 and 4.5 V, up to 85 °C, of an
onsemi MC74HC240A (page 3 of 7), on the straight line."""

STRONG: Final = Driver("strong", 20, 3)
"""Stronger and faster than the data sheets' typical: cold, 3.6 V."""
LISTED: Final = Chips(
    "74HC244 and 74HC251, as listed",
    ("74HC244, A to Y, 29 ns at 4.5 V and 85 °C: TI SN74HC244 [quoted]", 29 * AT_3V3),
    (STRONG, Driver("weak", HC_BUS.ohms, 15)),
    ("74HC251, data to Y, 53 ns at 4.5 V, 125 °C: TI CD74HC251 SCHS169D (March 2022), 5.5", 53 * AT_3V3),
    (STRONG, Driver("weak", HC.ohms, 15)),
)
"""Weak: at the limit of VOH up to 85 °C, 3.3 V between 3.0 and 4.5 V; at 50 pF the edge then takes the 30 ns
that a sheet allows at 3.0 V (onsemi MC74HC165A Rev. 13, page 4: 32 ns [quoted]). Of the 74HC251 a standard
output, as some makers have it. A CD74HC251 takes 44 ns at 85 °C; what an SN74HC251 takes from its data to Y
was not found in its sheet's text (SCLS132F, 5.5), hence the limit of 125 °C [check]."""
QUICK: Final = Chips(
    "74AHC244 and 74AC251",
    ("74AHC244, A to Y, 50 pF, 3.0 V, 85 °C: TI SCLS226L (July 2024), 5.6 [check]", 13.5),
    (Driver("strong", 25, 2), Driver("weak", 130, 8)),
    ("74AC251, data to Y, 3.0 V, 85 °C: TI SCHS246A (August 2024), 4.5", 17.2),
    (Driver("strong", 12, 1.5), Driver("weak", 130, 6)),
)
"""Weak: VOH 2.48 V at 4 mA, at 3.0 V up to 85 °C, of both families: TI SN74AHC02-Q1 SCLS524C (June 2023),
5.5, and CD74AC08 JAJSVA7D (August 2024), 4.5; of these two SCLS226L, 5.5, and SCHS246A, 4.4, page 4 [check].
A CD74AC gives more at 4.5 V, 24 mA with 3.8 V left. Strong and edges [assumed].
The CD74AC251 is made as SOIC only (SCHS246A, section 2): on an adapter of 16 legs it fits the same
holes. A 74AC244 would not do: its inputs want edges within 8 ns/V (SN74AC240: TI SCAS512G, 5.3), which the
Pico's wires do not give."""

INPUTS_PF: Final = (5.0, 15.0)
"""An MFRC522's input alone, and with its board and plug [assumed: its sheet gives none]."""


class Case(NamedTuple):
    """An output, the wires to its loads, and the ohms in series with each."""

    wire: Wire
    cm: tuple[int, ...]
    driver: Driver
    input_pf: float
    series: float = SERIES

    @property
    def title(self) -> str:
        """Its title for people."""
        return f"{self.wire.name}, {' / '.join(map(str, self.cm))} cm, {self.driver.name} driver"


LENGTHS: Final = ((10, 10, 10), (10, 20, 40), (10, 60, 60), (60, 60, 60))


def cases(chips: Chips) -> tuple[Case, ...]:
    """Return each kind of wire, length, driver and input at a gate of these chips."""
    return tuple(Case(*of) for of in product((RIBBON, DUPONT), LENGTHS, chips.gates, INPUTS_PF))


class Curve(NamedTuple):
    """A voltage over time: nanoseconds, volts."""

    ns: tuple[float, ...]
    volts: tuple[float, ...]


def simulated(
    elements: Iterable[str], nodes: Sequence[str], until_ns: float, step_ns: float = 0.2
) -> list[Curve]:
    """Return the voltages of these nodes, from 0 to `until_ns`; FileNotFoundError if there is no ngspice."""
    program = shutil.which("ngspice")
    if program is None:
        raise FileNotFoundError("there is no ngspice: sudo apt install ngspice, then try again")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "curves"
        deck = [
            "wires", *elements, f".tran {step_ns}n {until_ns}n 0 {step_ns}n", ".control",
            "set wr_singlescale", "run", f"wrdata {data} {' '.join(f'v({node})' for node in nodes)}",
            "quit", ".endc", ".end",
        ]  # fmt: skip
        (Path(folder) / "deck").write_text("\n".join(deck) + "\n", encoding="utf-8")
        told = subprocess.run([program, "-b", folder + "/deck"], capture_output=True, text=True, check=False)
        if not data.exists():
            raise ValueError(
                f"ngspice did not run this circuit: {told.stderr.strip() or told.stdout.strip()}"
            )
        rows = [list(map(float, line.split())) for line in data.read_text(encoding="utf-8").splitlines()]
    ns = tuple(1e9 * row[0] for row in rows)
    return [Curve(ns, tuple(row[1 + n] for row in rows)) for n in range(len(nodes))]


@cache
def clock(case: Case, mhz: float = 1.0) -> tuple[Curve, ...]:
    """Return a period of SCK at the gate and at each of its loads; cached."""
    half = 500 / mhz
    edge = case.driver.edge_ns
    elements = [
        f"vdrive a 0 pulse(0 {VCC} 20n {edge}n {edge}n {half - edge}n {2 * half}n)",
        f"rdrive a gate {case.driver.ohms}",
    ]
    for reader, cm in enumerate(case.cm):
        elements += [
            f"rs{reader} gate near{reader} {max(case.series, 0.01)}",
            f"t{reader} near{reader} 0 reader{reader} 0 z0={case.wire.ohms} td={cm * case.wire.ns_per_cm}n",
            f"c{reader} reader{reader} 0 {case.input_pf}p",
        ]
    return tuple(simulated(elements, ["gate", *(f"reader{n}" for n in range(len(case.cm)))], 20 + 2 * half))


# --- measures of a curve -------------------------------------------------------------------------


class Asked(NamedTuple):
    """The requirements on a clock at a reader.

    Volts that an edge turns back between LOW and HIGH; nanoseconds from one of these to the other;
    nanoseconds after the driver's own edge until it is past; extremes in volts.
    """

    turns_back: float
    edge_ns: float
    late_ns: float
    highest: float
    lowest: float


def asked(curve: Curve, mhz: float = 1.0) -> Asked:
    """Return the values of the worse one of a period's two edges."""
    half = 500 / mhz
    rise = [(t, v) for t, v in zip(*curve, strict=True) if t < 20 + half]
    fall = [(t - half, VCC - v) for t, v in zip(*curve, strict=True) if t >= 20 + half]
    edges = [_edge(rise, LOW, HIGH), _edge(fall, VCC - HIGH, VCC - LOW)]
    back, took, late = (max(edge[n] for edge in edges) for n in range(3))
    return Asked(back, took, late, max(curve.volts), min(curve.volts))


def _edge(points: Sequence[tuple[float, float]], low: float, high: float) -> tuple[float, float, float]:
    """Return how far a rising edge turns back, its duration, and the time when it is past."""
    most, back, left, past = low, 0.0, 0.0, 0.0
    for time, volts in points:
        inside = min(max(volts, low), high)
        back, most = max(back, most - inside), max(most, inside)
        left = time if most == low else left
        past = time if inside < high else past
    return back, past - left, past - 20


# --- from the Pico to the buffers ----------------------------------------------------------------

PICO: Final = (Driver("strong", 25, 3), Driver("weak", 170, 10))
"""RP2040 at its default of 4 mA: VOH 2.62 V at 4 mA, RP2040 data sheet, Table 625, page 616; the strong one
and the edges are assumed."""
GROUPS_CM: Final = (10, 20, 25, 30, 40)
INPUT_PF: Final = (
    10.0  # of an HC chip at most (TI CD74HC14, Switching Specifications, page 5) or a Pico [assumed]
)
BUFFERS_PF: Final = (7.0, 2 * INPUT_PF)
"""Two inputs of a 74HC244 at each: typical (3.5 pF each, NXP 74HC244 Rev. 3, Table 1), and at most."""
BUSES: Final = tuple(
    Case(wire, GROUPS_CM[:groups], driver, pf)
    for groups, wire, driver, pf in product((3, 5), (RIBBON, DUPONT), PICO, BUFFERS_PF)
)
"""Each group has a separate wire and resistor from the Pico: on one wire from group to group the edge of
a strong driver turns back by two tenths of a volt at the first of them."""


def chained(driver: Driver, wire: Wire, series: float) -> list[Curve]:
    """Return a period of SCK at three groups' buffers on one wire from group to group: a wiring that is not
    used.
    """
    elements = [
        f"vdrive a 0 pulse(0 {VCC} 20n {driver.edge_ns}n {driver.edge_ns}n {500 - driver.edge_ns}n 1000n)",
        f"rdrive a group0 {driver.ohms + series}",
    ]
    for group, cm in enumerate((10, 15, 15), 1):
        elements += [
            f"t{group} group{group - 1} 0 group{group} 0 z0={wire.ohms} td={cm * wire.ns_per_cm}n",
            f"c{group} group{group} 0 {BUFFERS_PF[1]}p",
        ]
    return simulated(elements, [f"group{n}" for n in range(1, 4)], 1020)


# --- the answer comes in time --------------------------------------------------------------------

ANSWER: Final = Driver("weak", 100, 10)
"""An MFRC522's MISO: VOH 0.4 V below its supply at 4 mA, data sheet Rev. 3.9, section 14, Table 153; edge
[assumed]."""
OFF_PF: Final = (
    15.0  # an output that is off, at most: of a CD74AC244 TI SCHS287C, 4.6; of the others [assumed]
)


def answer(
    driver: Driver, wire: Wire, cm: int, pf: float, others_cm: Sequence[int] = (), series: float = 0.01
) -> Curve:
    """Return a period of MISO at the end of its wire, to which other wires are connected, each from an output
    that is off; each output behind `series` ohms.
    """
    elements = [
        f"vdrive a 0 pulse(0 {VCC} 20n {driver.edge_ns}n {driver.edge_ns}n {500 - driver.edge_ns}n 1000n)",
        f"rdrive a gate {driver.ohms + series}",
        f"twire gate 0 end 0 z0={wire.ohms} td={cm * wire.ns_per_cm}n",
        f"cend end 0 {pf}p",
    ]
    for n, other in enumerate(others_cm):
        elements += [
            f"t{n} end 0 near{n} 0 z0={wire.ohms} td={other * wire.ns_per_cm}n",
            f"r{n} near{n} off{n} {series}",
            f"c{n} off{n} 0 {OFF_PF}p",
        ]
    return simulated(elements, ["end"], 1020)[0]


def common(chips: Chips) -> list[Curve]:
    """Return MISO at the Pico from the farthest group of five, over both kinds of wire."""
    *others, farthest = GROUPS_CM
    return [
        answer(output, wire, farthest, INPUT_PF, others, SERIES)
        for output, wire in product(chips.outputs, (RIBBON, DUPONT))
    ]


def there_ns(chips: Chips, cm: Iterable[int]) -> float:
    """Return the maximum delay of SCK and MOSI to readers so many cm from their gate, by wires and edges
    alone.
    """
    to_group = max(asked(curve).late_ns for case in BUSES for curve in clock(case)[1:])
    at_reader = [
        asked(curve).late_ns
        for case in cases(chips)
        for wire_cm, curve in zip(case.cm, clock(case)[1:], strict=True)
        if wire_cm in cm
    ]
    return to_group + max(at_reader)


def back_ns(chips: Chips) -> float:
    """Return the maximum delay of an answer by its wires: to its multiplexer, and from there to the Pico."""
    from_reader = [answer(ANSWER, wire, max(map(max, LENGTHS)), INPUT_PF) for wire in (RIBBON, DUPONT)]
    return sum(max(asked(curve).late_ns for curve in curves) for curves in (from_reader, common(chips)))


PADS: Final = ("the Pico's pads (RP2040 data sheet, Table 633, page 621: 5.6 out, 5.0 in)", 10.6)
ANSWERS: Final = ("the reader (MFRC522 data sheet Rev. 3.9, 14.1, Table 154, SCK low to MISO)", 25.0)
TAKEN: Final = ("the Pico's input (two clocks of 125 MHz to synchronise)", 16.0)
SET_UP: Final = 25.0
"""MOSI to SCK, and as long after it: MFRC522 data sheet Rev. 3.9, section 14.1, Table 154."""


def way(chips: Chips) -> dict[str, float]:
    """Return the nanoseconds at most from SCK's falling edge at the Pico to its bit of MISO there, without
    the wires.
    """
    buffer, multiplexer = chips.buffer, chips.multiplexer
    gate = (f"the buffer ({buffer[0]})", buffer[1])
    output = (f"the multiplexer ({multiplexer[0]})", multiplexer[1])
    return dict((PADS, gate, ANSWERS, output, TAKEN))


def margin_ns(chips: Chips, wires_ns: float, mhz: float) -> float:
    """Return the rest of half a period once the answer is there: SCK falls, the reader answers, SCK rises."""
    return 500 / mhz - sum(way(chips).values()) - wires_ns


def set_up_ns(chips: Chips, there: float, mhz: float) -> float:
    """Return the margin of half a period at a reader beyond its requirements, before SCK rises
    and after it.

    It assumes that of SCK and MOSI one comes at once and the other as late as it may.
    """
    return 500 / mhz - there - chips.buffer[1] - SET_UP


# --- the supply ----------------------------------------------------------------------------------

FIELD_MA: Final = 60.0


def dip(fields: int = 2, local_uf: float = 10, wire_cm: float = 40) -> Curve:
    """Return the 3.3 V at the farthest reader while so many fields there come on within a microsecond."""
    return simulated(
        [
            f"vbuck b 0 {VCC}",
            "rbuck b c 30m",  # the regulator gives more within 20 µs or so: until then an inductance
            "lbuck c ring 0.5u",
            "rbulk ring d 80m",
            f"cbulk d 0 470u ic={VCC}",
            f"rwire ring e {0.00054 * 2 * wire_cm}",  # AWG22: 54 milliohms a metre, there and back
            f"lwire e reader {0.01 * wire_cm}u",
            "rlocal reader f 20m",
            f"clocal f 0 {local_uf * 0.6}u ic={VCC}",  # of 10 microfarads ceramic 6 are left at 3.3 V
            f"csmall reader 0 0.1u ic={VCC}",
            f"ifield reader 0 pwl(0 0 5u 0 6u {fields * FIELD_MA}m 100u {fields * FIELD_MA}m)",
        ],
        ["reader"],
        100_000,
        20,
    )[0]


# --- the page ------------------------------------------------------------------------------------


HEAD: Final = (
    "| wire, lengths, driver | input, pF | turns back, V | edge, ns | late, ns | lowest to highest, V |",
    "|---|---:|---:|---:|---:|---:|",
)


def _rows(cases: Iterable[Case]) -> list[str]:
    """Return a line of a table for each case."""
    rows = []
    for case in cases:
        found = [asked(curve) for curve in clock(case)[1:]]
        late = max(one.late_ns for one in found)
        rows.append(
            f"| {case.title} | {case.input_pf:.0f} | {max(one.turns_back for one in found):.2f} "
            f"| {max(one.edge_ns for one in found):.0f} | {late:.0f} "
            f"| {min(one.lowest for one in found):.1f} to {max(one.highest for one in found):.1f} |"
        )
    return rows


def _worst(cases: Iterable[Case]) -> list[str]:
    """Return, for each kind of wire and driver, the worst of all lengths and inputs."""
    found: dict[tuple[str, str], list[Asked]] = {}
    for case in cases:
        of = found.setdefault((case.wire.name, case.driver.name), [])
        of += [asked(curve) for curve in clock(case)[1:]]
    return [
        "| wire, driver | turns back, V | edge, ns | late, ns | lowest to highest, V |",
        "|---|---:|---:|---:|---:|",
        *(
            f"| {wire}, {driver} driver | {max(one.turns_back for one in of):.2f} "
            f"| {max(one.edge_ns for one in of):.0f} | {max(one.late_ns for one in of):.0f} "
            f"| {min(one.lowest for one in of):.1f} to {max(one.highest for one in of):.1f} |"
            for (wire, driver), of in found.items()
        ),
    ]


def _way(chips: Chips) -> list[str]:
    """Return the delays of an answer, and the margin."""
    there, back = there_ns(chips, {cm for lengths in LENGTHS for cm in lengths}), back_ns(chips)
    return [
        "| on the way | at most, ns |",
        "|---|---:|",
        *(f"| {name} | {ns:.0f} |" for name, ns in way(chips).items()),
        f"| all wires and their edges, to the reader | {there:.0f} |",
        f"| and back, to the multiplexer and to the Pico | {back:.0f} |",
        f"| left of half a period at 1 MHz (500 ns) | {margin_ns(chips, there + back, 1):.0f} |",
        f"| left at 2 MHz (250 ns) | {margin_ns(chips, there + back, 2):.0f} |",
    ]


def computed() -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return the tables of docs/signals.md and its drawings, by name."""
    readers, buffers = _rows(cases(LISTED)), _rows(BUSES)
    chain = max(asked(curve).turns_back for curve in chained(PICO[0], DUPONT, 47))
    bare = Case(DUPONT, (10, 20, 60), STRONG, 15, series=0)
    sck = {"with 100 Ω": clock(bare._replace(series=SERIES))[3], "without": clock(bare)[3]}
    ringing = asked(sck["without"]).turns_back
    supply = {"as drawn": dip(), "without the 10 µF": dip(local_uf=0.2)}
    tables = {
        "readers": [*HEAD, *readers],
        "buffers": [*HEAD, *buffers],
        "instead": [
            "| instead | turns back, V |",
            "|---|---:|",
            f"| 60 cm of loose wire to a reader, without its 100 Ω, strong driver | {ringing:.2f} |",
            f"| one loose wire from group to group, 47 Ω at the Pico, strong driver | {chain:.2f} |",
        ],
        "quick": _worst(cases(QUICK)),
        **{name: _way(chips) for name, chips in (("way", LISTED), ("quickly", QUICK))},
        "setup": [
            "| chips | reader | left at 1 MHz, ns | left at 2 MHz, ns |",
            "|---|---|---:|---:|",
            *(
                f"| {chips.name} | {which}, {cm} cm | {set_up_ns(chips, there, 1):.0f} "
                f"| {set_up_ns(chips, there, 2):.0f} |"
                for chips in (LISTED, QUICK)
                for which, cm in (("nearest", 10), ("farthest", 60))
                for there in (there_ns(chips, [cm]),)
            ),
        ],
        "supply": [
            "| at the farthest reader | its 3.3 V falls by, mV |",
            "|---|---:|",
            *(f"| {name} | {1000 * (VCC - min(curve.volts)):.0f} |" for name, curve in supply.items()),
        ],
    }
    microseconds = {name: ([ns / 1000 for ns in curve.ns], curve.volts) for name, curve in supply.items()}
    edges = drawn(
        "SCK at the end of 60 cm of loose wire", sck, (0, 240, 20), (-2, 6, 1), ("ns", "V"), (LOW, HIGH)
    )
    fall = drawn("3.3 V at the farthest reader", microseconds, (0, 100, 10), (3.1, 3.4, 0.05), ("µs", "V"))
    return tables, {"signals-sck": edges, "signals-supply": fall}


def with_tables(text: str, tables: Mapping[str, Sequence[str]]) -> str:
    """Return the text with each table between its marks replaced."""

    def made(found: re.Match[str]) -> str:
        return "\n".join([f"<!-- computed {found[1]} -->", "", *tables[found[1]], "", "<!-- end -->"])

    return re.sub(r"<!-- computed (\w+) -->.*?<!-- end -->", made, text, flags=re.DOTALL)


def main() -> int:
    """Write, or with --check compare; return the exit status."""
    tables, drawings = computed()
    text = with_tables(PAGE.read_text(encoding="utf-8"), tables)
    files = {PAGE: text, **{DOCS / f"{name}.svg": svg for name, svg in drawings.items()}}
    if "--check" in sys.argv[1:]:
        other = [
            path.name for path, now in files.items() if not path.exists() or path.read_text("utf-8") != now
        ]
        if other:
            print(
                f"{', '.join(other)}: not what is computed now; run python -m hardware.signals",
                file=sys.stderr,
            )
        return int(bool(other))
    for path, now in files.items():
        path.write_text(now, encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except FileNotFoundError as error:
        sys.exit(f"not computed: {error}")
