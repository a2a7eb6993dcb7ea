"""The part types, with pins and limits from their makers' data sheets, each named by sheet and section.

In a source "check" means: not seen in a sheet yet, to be looked up in the sheet of the part in hand; "quoted"
means: as a public project quotes that sheet. A page is named where it was seen. All limits are at 3.3 V.
hardware/sources.md has all of it in one table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from hardware.circuit import Draw, Kind, Logic, PartType, Pin

INPUT, OUTPUT, PASSIVE, FREE = Kind.INPUT, Kind.OUTPUT, Kind.PASSIVE, Kind.FREE
THREE_STATE, ANALOG, GROUND = Kind.THREE_STATE, Kind.ANALOG, Kind.GROUND


def _vcc(number: int, name: str = "VCC", volts: float = 3.3) -> Pin:
    return Pin(number, name, Kind.POWER_IN, volts=volts)


def _ground(number: int, name: str = "GND") -> Pin:
    return Pin(number, name, GROUND)


# -- logic chips

# VIH and VIL: TI and NXP give 2.0 V and 4.5 V (1.5 and 3.15, 0.5 and 1.35 V), 3.3 V is between, on the
# straight line; onsemi has 3.0 V as well (2.1 and 0.9 V), which is kinder. Outputs, up to 85 °C: at 4.5 V a
# standard one gives 4 mA with 3.84 V left, a bus driver 6 mA: 165 and 110 ohm; at 3.0 V both give 2.4 mA with
# 2.34 V left: 275 ohm. At 3.3 V, on the straight line: 253 and 242.
_HC_LEVELS: Final = (
    "VIH, VIL at 2, 4.5 and 6 V: TI SN74HC251 SCLS132C (February 1999), recommended operating conditions, "
    "and TI SN74HC165 SCLS116E (September 2003), page 4 [quoted]; VOH at 4.5 V, leak: NXP 74HC138-Q100, "
    "Table 6, page 6 of 18; VOH at 3.0 V: onsemi MC74HC240A, DC Electrical Characteristics, page 3 of 7; "
    "10 pF: TI CD74HC14, Switching Specifications, page 5; most volts: onsemi MC74HC165A Rev. 13, page 3 "
    "[quoted]; 3.3 V on the straight line [computed]"
)
HC: Final = Logic(2.36, 0.94, 255, 4, 3.8, 1.0, 10, 50, _HC_LEVELS)
HC_BUS: Final = replace(HC, ohms=245, most_ma=6)
HC_DRAW: Final = Draw(
    0.1,
    1,
    1,
    "ICC 80 µA at most at rest: NXP 74HC138-Q100 data sheet, Table 6, page 6 of 18; the rest for switching "
    "[computed]",
)


def _pins(kind: Kind, names: dict[int, str], fast: bool = False) -> tuple[Pin, ...]:
    return tuple(Pin(number, name, kind, fast=fast) for number, name in names.items())


HC138: Final = PartType(
    "74HC138",
    (
        *_pins(INPUT, {1: "A", 2: "B", 3: "C", 4: "G2A", 5: "G2B", 6: "G1"}),
        *_pins(OUTPUT, {15: "Y0", 14: "Y1", 13: "Y2", 12: "Y3", 11: "Y4", 10: "Y5", 9: "Y6", 7: "Y7"}),
        _ground(8),
        _vcc(16),
    ),
    "TI SN74HC138 data sheet SCLS107G (October 2021), Pin Functions, page 3, and Table 8-1, page 10 "
    "[quoted]; function: ST M74HC138 data sheet, Truth Table",
    HC,
    HC_DRAW,
)
HC251: Final = PartType(
    "74HC251",
    (
        *_pins(
            INPUT, {4: "D0", 3: "D1", 2: "D2", 1: "D3", 15: "D4", 14: "D5", 13: "D6", 12: "D7"}, fast=True
        ),
        *_pins(INPUT, {11: "A", 10: "B", 9: "C", 7: "G"}),
        Pin(5, "Y", THREE_STATE),
        Pin(6, "W", THREE_STATE),
        _ground(8),
        _vcc(16),
    ),
    "TI SN74HC251 data sheet SCLS132C (February 1999), page 1; function: SCLS132F (February 2022), section "
    "7.3, Table 7-1",
    HC,
    HC_DRAW,
)
HC244_GATES: Final = ((2, 18), (4, 16), (6, 14), (8, 12), (11, 9), (13, 7), (15, 5), (17, 3))  # input, output
HC244: Final = PartType(
    "74HC244",
    (
        *_pins(INPUT, {1: "1OE", 19: "2OE"}),
        *(
            Pin(number, f"{1 + gate // 4}{letter}{1 + gate % 4}", kind, fast=kind == INPUT)
            for gate, pair in enumerate(HC244_GATES)
            for number, letter, kind in zip(pair, "AY", (INPUT, THREE_STATE), strict=True)
        ),
        _ground(10),
        _vcc(20),
    ),
    "TI SN74HC244 data sheet SCLS130D (August 2003), page 1: pins, and what OE does; function: National "
    "MM74HC244 data sheet (January 1988), Truth Table, page 1",
    HC_BUS,
    HC_DRAW,
)
HC165: Final = PartType(
    "74HC165",
    (
        *_pins(INPUT, {6: "H", 5: "G", 4: "F", 3: "E", 14: "D", 13: "C", 12: "B", 11: "A"}),
        *_pins(INPUT, {10: "SER"}),
        Pin(1, "SH/LD", INPUT),
        Pin(2, "CLK", INPUT, fast=True),
        Pin(15, "CLK INH", INPUT),
        Pin(9, "QH", OUTPUT),
        Pin(7, "QH'", OUTPUT),
        _ground(8),
        _vcc(16),
    ),
    "TI SN74HC165 data sheet SCLS116E (September 2003), page 1 [quoted]; the load is asynchronous while "
    "SH/LD is low: onsemi MC74HC165A Rev. 13, Function Table, page 2 [quoted]",
    HC,
    HC_DRAW,
)

# -- boards

# Supply current of one reader; wiring.md and the firmware count with the chip alone
_CURRENTS: Final = "NXP MFRC522 data sheet Rev. 3.9, Table 1, page 3, at 3 V"
IDLE: Final = Draw(13.5, 19, 19, f"{_CURRENTS}: IDDD, IDDA with the receiver on")
FIELD: Final = Draw(73.5, 119, 119, f"{_CURRENTS}: IDDD, IDDA, IDD(TVDD)")
BOARD_LED: Final = Draw(1.5, 2, 2, "a red LED behind 1 kΩ, on most boards [assumed, check]")

MFRC522: Final = PartType(
    "MFRC522 board",
    (
        Pin(1, "SDA", INPUT),
        Pin(2, "SCK", INPUT, fast=True),
        Pin(3, "MOSI", INPUT, fast=True),
        Pin(4, "MISO", OUTPUT),  # of the chip a three-state output; many boards hold it
        Pin(5, "IRQ", FREE),
        _ground(6),
        Pin(7, "RST", INPUT),
        _vcc(8, "3.3V"),
    ),
    "the order that is printed on the common RC522 board, as many wirings of it have it",
    # VIH 0.7, VIL 0.3 of PVDD; VOH PVDD - 0.4 V at 4 mA; at most 0.5 V more than PVDD. 15 pF with its pin and
    # 20 cm of wire: the sheet gives no capacitance of its digital inputs
    Logic(
        2.31,
        0.99,
        100,
        4,
        3.8,
        1.0,
        15,
        50,
        "NXP MFRC522 data sheet Rev. 3.9, section 11, Limiting values, and section 14, Table 153; 15 pF "
        "[assumed]",
    ),
    Draw(
        IDLE.typical + BOARD_LED.typical,
        FIELD.most + BOARD_LED.most,
        FIELD.most + BOARD_LED.most,
        f"{FIELD.source}; {BOARD_LED.source}",
    ),
)

# Pin of the board by GP number
PICO_BOARD: Final = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19,
    15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip


def pico(inputs: Iterable[int], outputs: Iterable[int], analog: Iterable[int] = ()) -> PartType:
    """Return a Pico whose program has these GP numbers as inputs, outputs and inputs of the ADC; USB feeds
    it.
    """
    kinds = dict.fromkeys(PICO_BOARD, FREE)
    kinds |= dict.fromkeys(inputs, INPUT) | dict.fromkeys(outputs, OUTPUT) | dict.fromkeys(analog, ANALOG)
    return PartType(
        "Raspberry Pi Pico",
        (
            *(Pin(number, f"GP{gp}", kinds[gp]) for gp, number in PICO_BOARD.items()),
            *(_ground(number, "GND") for number in (3, 8, 13, 18, 23, 28, 38)),
            Pin(33, "AGND", FREE),
            Pin(30, "RUN", FREE),
            Pin(35, "ADC_VREF", FREE),
            Pin(36, "3V3", Kind.POWER_OUT, volts=3.3, most_ma=300),
            Pin(37, "3V3_EN", FREE),
            Pin(39, "VSYS", FREE),
            Pin(40, "VBUS", Kind.POWER_OUT, volts=5.0, most_ma=500),
        ),
        "pin numbers as in NuttX's page of the board; 3V3, no more than 300 mA advised: Raspberry Pi Pico "
        "data sheet, section 2.1 (page 8); VBUS: 500 mA of a USB port",
        # VIH 2.0, VIL 0.8, VOH 2.62 at 4 mA: 170 ohm. No limit of the load is stated: 150 pF behind 100 ohm
        # are 50 ns from 10 to 90 %, a tenth of half a clock at 1 MHz [computed]
        Logic(
            2.0,
            0.8,
            170,
            4,
            3.63,
            1.0,
            10,
            150,
            "RP2040 data sheet, Table 625, pages 615 and 616, and Table 622, page 614; 10 pF [assumed]",
        ),
        Draw(
            25,
            96,
            96,
            "from 5 V at USB, at most: Raspberry Pi Pico data sheet, section 3.1.1, Table 2; typical "
            "[assumed], between 10 mA of BOOTSEL mode (Table 3) and that; the chip alone takes 52 mA of 3.3 "
            "V at most: RP2040 data sheet, section 5.7.2, Table 637, page 623",
        ),
        rows=1,
    )


# Pin of the 40-pin header by BCM number
PI_HEADER: Final = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10,
    16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip


def pi(inputs: Iterable[int], outputs: Iterable[int]) -> PartType:
    """Return the 40-pin header of a Pi whose programs have these BCM numbers as inputs and outputs."""
    kinds = dict.fromkeys(PI_HEADER, FREE) | dict.fromkeys(inputs, INPUT) | dict.fromkeys(outputs, OUTPUT)
    return PartType(
        "Raspberry Pi",
        (
            *(Pin(number, f"GPIO{bcm}", kinds[bcm]) for bcm, number in PI_HEADER.items()),
            *(_ground(number) for number in (6, 9, 14, 20, 25, 30, 34, 39)),
            *(Pin(number, "3V3", Kind.POWER_OUT, volts=3.3, most_ma=300) for number in (1, 17)),
            *(Pin(number, "5V", Kind.POWER_OUT, volts=5.0, most_ma=500) for number in (2, 4)),
            Pin(27, "ID_SD", FREE),
            Pin(28, "ID_SC", FREE),
        ),
        "pin numbers as in KiCad's Raspberry_Pi_2_3; no limit for 3V3 is given: 300 mA [assumed]",
        # a Pi 4's are the narrowest (BCM2711: VOH 2.6 V at 4 mA, leak 10 µA; a Pi 3 takes 0.9 and 1.6 V and
        # gives 3.0 V at 2 mA); every pad is made for 16 mA. A Pi 5's are not among them
        Logic(
            2.0,
            0.8,
            175,
            16,
            3.6,
            10.0,
            10,
            150,
            "Raspberry Pi documentation, GPIO, Voltage Specifications, and GPIO Pads Control; 3.6 V, 10 pF "
            "and a Pi 5 [assumed, check]",
        ),
        rows=2,
    )


# -- power

PLUG: Final = PartType(
    "plug 5 V",
    (Pin(1, "+5V", Kind.POWER_OUT, volts=5.0, most_ma=3000), _ground(2)),
    "a listed class II plug supply, 5 V 3 A",
)
BUCK: Final = PartType(
    "buck 3.3 V",
    (
        _vcc(1, "IN", 5.0),
        _ground(2),
        Pin(3, "OUT", Kind.POWER_OUT, volts=3.3, most_ma=3000),
    ),
    "a module with a fixed output, 3.3 V 3 A; Pololu's item 3781, D36V28F3: 4.5 to 50 V in, 3.3 V ± 4 % out "
    "[quoted]; order of its pins as printed on it [check]",
)
INA180A1: Final = PartType(
    "INA180A1",
    (
        Pin(1, "OUT", OUTPUT),
        _ground(2),
        Pin(3, "IN+", ANALOG),
        Pin(4, "IN-", ANALOG),
        _vcc(5, "VS"),
    ),
    "TI INA180 data sheet SBOS741H (July 2022), section 5, Device Comparison: 20 V/V; section 6, Pin "
    "Functions, pinout A",
    # it has no logic input, and its measuring inputs may be at 26 V: VIH and VIL are out of reach
    Logic(
        9,
        -9,
        10,
        5,
        26,
        80.0,
        10,
        1000,
        "TI INA180 data sheet SBOS741H, Features and section 7.5: 26 V, 80 µA into an input, 1 nF at the "
        "output; 10 Ω, 5 mA [assumed]",
    ),
    Draw(0.2, 0.5, 0.5, "TI INA180 data sheet SBOS741H, Features: 260 µA at most, twice that counted"),
)
DRV5032FA: Final = PartType(
    "DRV5032FA",
    (_vcc(1), _ground(2), Pin(3, "OUT", OUTPUT)),
    "TI DRV5032 data sheet SLVSDC7H (December 2024), section 4, Device Comparison: FA is omnipolar, "
    "push-pull, 20 Hz, 4.8 mT; Table 5-1 and Figure 5-5, LPG, its marked face in front: VCC left, GND, OUT "
    "right [quoted]",
    # VOH 0.35 V below its supply at 1 mA, VOL 0.3 V: the sheet promises nothing for more
    Logic(
        9,
        -9,
        350,
        1,
        3.6,
        0,
        10,
        50,
        "TI DRV5032 data sheet SLVSDC7H, section 6.5, page 5: VOH, VOL [quoted]; 3.6 V [assumed]",
    ),
    Draw(
        0.002,
        0.004,
        0.004,
        "TI DRV5032 data sheet SLVSDC7E, page 1, 20 Hz versions: 1.6 µA at 3 V; SLVSDC7H, section 6.5: 3.5 "
        "µA at most, at 3 V [quoted]",
    ),
)

# -- plugs of the printed boards

READER_PLUG: Final = PartType(
    "header 1 × 8",
    tuple(replace(pin, kind=FREE if pin.kind == FREE else PASSIVE, fast=False) for pin in MFRC522.pins),
    "2.54 mm, in the order of the reader's board, which it is soldered to",
)
CABLE_WIRES: Final = ("SDA", "GND", "SCK", "GND", "MOSI", "GND", "MISO", "RST", "3.3V", "GND")
READER_CABLE: Final = PartType(
    "box header 2 × 5",
    tuple(Pin(n, name, PASSIVE) for n, name in enumerate(CABLE_WIRES, start=1)),
    "2.54 mm; its flat cable has GND on both sides of SCK and of MOSI, and its plug goes in one way only",
)
BUS: Final = ("A0", "A1", "A2", "EN", "NRST", "SCK", "MOSI", "MISO")
BUS_PLUG: Final = PartType(
    "box header 2 × 8",
    tuple(
        pin
        for n, name in enumerate(BUS)
        for pin in (Pin(2 * n + 1, name, PASSIVE), Pin(2 * n + 2, "GND", PASSIVE))
    ),
    "2.54 mm; every even wire of its flat cable is GND, so that ground lies on both sides of each signal",
    rows=2,
)
TERMINAL: Final = PartType(
    "screw terminal 2", (Pin(1, "3.3V", PASSIVE), Pin(2, "GND", PASSIVE)), "5.08 mm; takes the AWG22 ring"
)
TERMINAL_5V: Final = PartType(
    "screw terminal 2",
    (Pin(1, "+5V", PASSIVE), Pin(2, "GND", PASSIVE)),
    "5.08 mm; 5 V in, and on to the buck",
)
MONITOR_PLUG: Final = PartType(
    "header 1 × 2", (Pin(1, "CURRENT", PASSIVE), Pin(2, "GND", PASSIVE)), "2.54 mm; of a current monitor"
)

# -- passive parts


def _two_pole(
    name: str, source: str = "", even: bool = True, names: tuple[str, str] = ("1", "2")
) -> PartType:
    return PartType(name, (Pin(1, names[0], PASSIVE), Pin(2, names[1], PASSIVE)), source, even=even)


RESISTOR: Final = _two_pole("resistor", "metal film, 1 %, 0.25 W")
SHUNT: Final = _two_pole("shunt", "1 %, 1 W")
CAPACITOR: Final = _two_pole("capacitor", "ceramic, X7R or (10 µF) X5R, 16 V or more")
ELECTROLYTIC: Final = _two_pole("electrolytic", "aluminium, 10 V or more", even=False, names=("+", "-"))
POLYFUSE: Final = _two_pole("polyfuse", "RUEF series: holds its value at 20 °C, trips at twice that")
FUSES: Final = {"1.85 A": (1.85, 3.7), "3 A": (3.0, 6.0)}  # holds, trips; Littelfuse RUEF185, RUEF300 [check]
LARGEST_PLUG_A: Final = 4.0  # that of bom.py, GST25E05: 5 V, 4 A
BUTTON: Final = _two_pole("button", "a contact that makes")
PIEZO: Final = _two_pole("piezo", "passive")
RGB_LED: Final = PartType(
    "RGB LED",
    # the order of the common 5 mm one: the longest leg is the cathode
    (Pin(1, "red", PASSIVE), Pin(2, "cathode", GROUND), Pin(3, "green", PASSIVE), Pin(4, "blue", PASSIVE)),
    "common cathode; order of legs differs between makers, green and blue most of all [check]",
)
# forward, at the few mA here [assumed]; at 20 mA the one in bom.py has 1.95, 3.3 and 3.3 V, its sellers say
LED_VOLTS: Final = {"red": 2.0, "green": 3.0, "blue": 3.0}

_UNITS: Final = {"Ω": 1.0, "kΩ": 1e3, "MΩ": 1e6}


def ohms(value: str) -> float:
    """Return `4.7 kΩ` in ohms; ValueError for anything else."""
    number, _, unit = value.partition(" ")
    if unit not in _UNITS:
        raise ValueError(f"no resistance: {value}: write it as 4.7 kΩ")
    return float(number) * _UNITS[unit]
