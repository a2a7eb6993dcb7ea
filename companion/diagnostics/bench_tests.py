"""Tests that need a bench: assumptions made here, and the steps that prove or refute them.

Values without I/O. `companion bench-test` walks through them, and wiring.md's table is made of them, both in
English like all that builders read. Radio, currents and other people's boards were never measured here.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Tier = Literal["any", "pad", "strip", "track", "switches", "usb"]
"""The required hardware: `strip` are the three readers to try first, `track` all of them."""

Place = Literal["pad", "left", "middle", "right"]
"""A reader: the card pad, or one of three neighbours on the track."""

FactName = Literal["sweep_ms", "faulty_sensors", "missed_polls", "pad_restarts", "hurt_lines"]
"""The figures that the parts report: see `facts_of` in companion/diagnostics/bench_walk.py."""


class Do(NamedTuple):
    """A manual action before the next step."""

    text: str


class Polls(NamedTuple):
    """A reader polls so often: the share of polls that see each of so many tags.

    The share of the tag seen least is within `least` and `most`.
    """

    text: str
    at: Place
    polls: int
    least: float = 0.0
    most: float = 1.0
    power: int | None = None  # CWGsPReg; None: as set
    gain: int | None = None  # of the receiver, dB; None: as set
    tags: int = 1


class Number(NamedTuple):
    """A figure that is read off an instrument; without limits it is only reported."""

    text: str
    unit: str
    least: float | None = None
    most: float | None = None


class Yes(NamedTuple):
    """A question whose right answer is yes."""

    text: str


class Remark(NamedTuple):
    """A remark to pass on; it decides nothing."""

    text: str


class Fact(NamedTuple):
    """A figure that the parts report after so many seconds of polling, within limits."""

    text: str
    fact: FactName
    seconds: int = 5
    least: float | None = None
    most: float | None = None


Step = Do | Polls | Number | Yes | Remark | Fact


class BenchTest(NamedTuple):
    """A bench test. `assumed` is the assumption and its source; `proof` says in short what settles it."""

    name: str
    what: str
    assumed: str
    proof: str
    tier: Tier
    needs: str
    steps: tuple[Step, ...]


OUTER: Final[tuple[Place, ...]] = ("left", "right")
NEARER: Final[tuple[Place, ...]] = ("middle", "right")


READS_UP_TO: Final = (20.0, 55.0)
"""Millimetres over the middle of a board: what a piece needs with some to spare, and from where on a reader
is so strong that it may read a piece in the next dish.
"""
NEARER_HOLDS: Final = (5, 10, 15)
"""Millimetres off the middle, towards the next reader, up to which the nearer one surely gets more of a tag.
"""
NULL_AT: Final = 25
"""Millimetres off the middle where a small tag is half outside of the nearer coil, which then gets nothing of
it.
"""
HALL_CERTAIN: Final = 8.3
"""Millimetres: as far as a dish lets a piece stand, and its play."""
HALL_REACH: Final = 30.0
"""Millimetres: half the pitch. Farther, one piece would close two switches."""


def _heights() -> tuple[Step, ...]:
    """Return steps with a piece over the middle, then off it; good is within 10 mm and 5 to 12 mm high."""
    steps: list[Step] = []
    for height in (3, 6, 9, 12, 15):
        for offset in (0, 10, 17, 25, 30):
            where = f"{height} mm over the board, {offset} mm off the middle"
            steps.append(Do(f"hold a 25 mm NTAG213 {where}"))
            good = height in (6, 9, 12) and offset <= 10
            steps.append(Polls(f"looks {where}", "middle", 1000, least=0.999 if good else 0.0))
    steps.append(Do("hold it 15 mm over the board, over the middle"))
    for gain in (18, 23, 33, 38, 43, 48):
        steps.append(Polls(f"looks 15 mm over the board at {gain} dB", "middle", 200, gain=gain))
    best = "which `gain` saw the most there? Set it for this reader in companion.toml if it is not 33"
    steps.append(Remark(best))
    top = "how high over the middle of the board the sticker is still read, at most"
    return (*steps, Number(top, "mm", least=READS_UP_TO[0], most=READS_UP_TO[1]))


def _pitches() -> tuple[Step, ...]:
    """Return steps in which the outer of three readers may see a piece on the middle one, or in its dish."""
    steps: list[Step] = []
    for pitch in (70, 60, 50, 45):
        steps.append(Do(f"set the three readers {pitch} mm apart, and a piece on the middle one"))
        most = 0.0 if pitch >= 60 else 1.0
        steps += [Polls(f"the {reader} reader at {pitch} mm", reader, 10_000, most=most) for reader in OUTER]
        if pitch == 60:
            steps.append(Do("push the piece 9 mm towards the right reader, as far as a dish lets it"))
            steps.append(Polls("the right reader at 51 mm from the piece", "right", 10_000, most=0.0))
    return tuple(steps)


def _neighbours() -> tuple[Step, ...]:
    """Return steps with a piece on the middle reader, with and without idle neighbours, and one next door."""
    steps: list[Step] = []
    for text, least in (("all three readers plugged in", 0.999), ("both outer readers unplugged", 0.999)):
        steps.append(Do(f"set the three readers 60 mm apart, {text}, and a piece on the middle one"))
        steps.append(Polls(f"the middle reader, {text}", "middle", 1000, least=least))
        steps.append(Number(f"how high the middle reader reads the sticker at most, {text}", "mm", least=20))
    steps.append(Yes("is the height with neighbours at most a tenth less than without?"))
    steps.append(Do("plug all three in again, and put the piece on the right one"))
    steps.append(Polls("the middle reader, the piece over its idle neighbour", "middle", 10_000, most=0.0))
    steps.append(Remark("which boards are they, and is there a resistor in series with the coil (R1, R2)?"))
    return tuple(steps)


def _nearer() -> tuple[Step, ...]:
    """Return steps with falling power, in which the nearer reader should see a piece longest; farther out, in
    the null of the nearer one, it is only reported.
    """
    steps: list[Step] = []
    for off in (*NEARER_HOLDS, NULL_AT):
        steps.append(Do(f"put a piece {off} mm off the middle reader's centre towards the right one"))
        for power in (32, 24, 16, 12, 8, 4):
            steps += [
                Polls(f"the {reader} reader, power {power}", reader, 50, power=power) for reader in NEARER
            ]
        if off in NEARER_HOLDS:
            steps.append(Yes("did the middle reader go on seeing it at powers where the right one did not?"))
        else:
            steps.append(Remark("did the right reader, though farther away, see it at less power?"))
    return tuple(steps)


BENCH_TESTS: Final[tuple[BenchTest, ...]] = (
    BenchTest(
        "first-light",
        "a reader on the Pi's pins: the pad",
        "RPi.GPIO (Pi 4) and rpi-lgpio (Pi 5) drive it alike [run over stand-ins for both]",
        "`companion doctor` names its library, and a card is seen at 50 of 50 polls",
        "pad",
        "a Pi, the card pad, a card with a tag",
        (
            Do("lay one card flat on the pad"),
            Polls("the pad looks", "pad", 50, least=1.0),
            Do("lift the card"),
            Polls("the empty pad looks", "pad", 50, most=0.0),
            Fact("times the pad had to be set up again", "pad_restarts", most=0),
            Remark("which Pi and which system is it (`cat /etc/os-release`)?"),
        ),
    ),
    BenchTest(
        "height",
        "reading height and offset",
        "25 mm NTAG213: 5 to 12 mm high, ±10 mm off the middle [assumed]",
        (
            "one reader, 1,000 polls each over height 3 to 15 mm and offset 0 to 30 mm; at least 99.9 % "
            "up to 10 mm off; in the middle it reads 20 to 55 mm high, else set its power or gain"
        ),
        "strip",
        "three readers, a 25 mm NTAG213 sticker, spacers of 3 mm",
        _heights(),
    ),
    BenchTest(
        "ghosts",
        "ghosts on the neighbour",
        (
            "at 60 mm pitch, in bends too, a piece anywhere in its dish is read by its own reader alone, "
            "unless the next one reads higher than 55 mm [computed, [what fits](hardware/fit.md)]"
        ),
        (
            "three readers at 70, 60, 50 and 45 mm, a piece on the middle one: 10,000 polls of the outer "
            "ones; none down to 60 mm, there also 9 mm off the middle"
        ),
        "strip",
        "three readers on a board where they can be moved, a piece with its tag",
        _pitches(),
    ),
    BenchTest(
        "neighbours",
        "tuned coils of idle neighbours",
        (
            "readers whose antennas are off cost the one that reads 2 to 17 % of its field at a quality of "
            "10 to 30; one that reads higher than 16 to 29 mm may read a piece through them [computed, "
            "[what fits](hardware/fit.md)]"
        ),
        (
            "three readers at 60 mm, all powered, antennas off: 999 of 1,000 polls, a tenth less height at "
            "most than with the outer ones unplugged, and none of 10,000 polls of a piece next door; else "
            "lower `power`, then `gain`, then a resistor across each coil"
        ),
        "strip",
        "three readers on a board where they can be moved, a piece with its tag",
        _neighbours(),
    ),
    BenchTest(
        "nearer",
        "falling power tells who is nearer",
        (
            "the firmware lowers CWGsPReg to 12, 8, 6, 4, 3, 2 sixteenths [assumed that the field falls with "
            "it]; up to 19 mm off the middle the nearer reader gets three times as much of a tag, from 21 to "
            "29 mm the farther one may get more [computed, [what fits](hardware/fit.md)]"
        ),
        (
            "a piece 5, 10 and 15 mm off the middle towards a neighbour: the nearer one always reads it "
            "longest; at 25 mm report which"
        ),
        "strip",
        "three readers at the pitch of your track, a piece with its tag",
        _nearer(),
    ),
    BenchTest(
        "field-current",
        "current of a field",
        "60 mA; a weak board was seen at 7; below 4 it is called dead",
        "the steps that `/hardware` shows for each reader",
        "strip",
        "the track with its current monitor",
        (
            Number("the least step that /hardware shows at any reader", "mA", least=30),
            Number("the greatest step that it shows", "mA", most=90),
        ),
    ),
    BenchTest(
        "over-current",
        "too much current",
        "more than 250 mA + 24 mA a reader at two polls in a row pulls every reset [computed]",
        (
            "4.7 Ω across the 3.3 V ring: *too much current* within 0.2 s, and 3.3 V is back after "
            "*Restart the track*"
        ),
        "track",
        "the track with its current monitor, 4.7 Ω for 5 W, a second pair of hands",
        (
            Do("put 4.7 Ω across the 3.3 V ring for a second, and take it off again"),
            Yes("did the companion's /hardware say *too much current* at once?"),
            Do("press *Restart the track* on /hardware"),
            Number("what a meter shows between the ring and ground now", "V", least=3.15, most=3.45),
        ),
    ),
    BenchTest(
        "currents",
        "currents of the whole",
        "as [power](hardware/power.md) adds them up",
        "a meter in the 5 V line: idle, two fields; within a quarter",
        "track",
        "a meter in the 5 V line, the number of readers of your track",
        (
            Number("how many readers the track has", "readers"),
            Number("the meter in the 5 V line, nothing on the track", "mA", least=100),
            Number("what hardware/power.md adds up for so many readers, typical", "mA"),
            Yes("is the first within a quarter of the second?"),
        ),
    ),
    BenchTest(
        "one-supply-off",
        "a supply off",
        "at most 0.5 mA into a part without power [computed]",
        (
            "the Pico without the track, the track without the Pico: 3.3 V of what is off stays below 0.5"
            " V, and MISO and GP 27 carry less than 0.5 mA"
        ),
        "track",
        "a meter for volts and for tenths of a milliampere",
        (
            Do("unplug the track's supply; the Pico stays on its cable"),
            Number("the track's 3.3 V", "V", most=0.5),
            Do("plug it in, and unplug the Pico's cable"),
            Number("the Pico's 3V3, pin 36", "V", most=0.5),
            Number("the current in the wire of MISO, pin 21", "mA", most=0.5),
            Number("the current in the wire of GP 27, pin 32", "mA", most=0.5),
        ),
    ),
    BenchTest(
        "sweep",
        "time of a sweep",
        (
            "16.3 µs an access in machine code; 22 readers with 6 tags in 77 ms, 40 in 131 [emulated "
            "RP2040; with a model of its cache before the flash 82 and 134]"
        ),
        (
            "the sweep time on `/hardware`; more than 90 ms (40 readers: 155) would be more than the "
            "cache was allowed for"
        ),
        "track",
        "the whole track, six pieces with their tags",
        (
            Do("put six pieces on the track, one a space"),
            Number("how many readers the track has", "readers"),
            Fact("a look at the whole track", "sweep_ms", seconds=20, most=155),
            Remark("which Pico is it, and which MicroPython (`companion flash --check`)?"),
        ),
    ),
    BenchTest(
        "bus",
        "the SPI bus at 1 MHz over buffers and multiplexers",
        "clean [computed, [signals](docs/signals.md)]",
        (
            "no reader fails its memory test in an hour; a scope on SCK at the farthest reader shows no "
            "double edge"
        ),
        "track",
        "the whole track; a scope, if there is one",
        (
            Fact("sensors that do not work", "faulty_sensors", seconds=3600, most=0),
            Fact("lines of the USB cable that came hurt", "hurt_lines", most=0),
            Yes(
                "if you have a scope: is each edge of SCK at the farthest reader single? Without one say yes"
            ),
        ),
    ),
    BenchTest(
        "clones",
        "MISO of clone boards",
        "held or let go, both work behind the 74HC251",
        "a clone as one of the three: its neighbours read on",
        "strip",
        "three readers, the middle one of another maker or version, two pieces",
        (
            Do("put a piece on the left and on the right reader, none on the clone in the middle"),
            Polls("the left reader", "left", 500, least=0.999),
            Polls("the right reader", "right", 500, least=0.999),
        ),
    ),
    BenchTest(
        "power-down",
        "soft power-down of clones",
        "registers survive (checked at every wake-up)",
        "no reader is set up again in an hour",
        "strip",
        "three readers, one of them a clone",
        (
            Do("run the companion for an hour, with a piece on the clone"),
            Number("*set up again* on /hardware at the clone", "times", most=0),
        ),
    ),
    BenchTest(
        "collision",
        "two tags on one reader (collision position with RxAlign)",
        "as in the MFRC631's data sheet",
        "two NTAG213 stickers, one above the other, on one reader: both are read, 1,000 of 1,000",
        "strip",
        "two NTAG213 stickers, one above the other",
        (
            Do("put both stickers on the middle reader, one above the other"),
            Polls("the middle reader", "middle", 1000, least=1.0, tags=2),
        ),
    ),
    BenchTest(
        "reset",
        "a reset pin that wakes",
        "a pulse of 100 µs",
        "cut one reader's 3.3 V for a second while it is polled: it is read again within 10 s",
        "strip",
        "three readers, a piece on the middle one",
        (
            Do("pull the middle reader's 3.3 V for a second, plug it in, count to ten"),
            Polls("the middle reader", "middle", 100, least=0.99),
        ),
    ),
    BenchTest(
        "evening",
        "removal after two misses, a piece still for 0.65 s (1.3 where it should not be), a blink of 0.5",
        "no false removal [model]",
        "an evening recorded on `/hardware`; send the file in",
        "track",
        "an evening with friends",
        (
            Do("switch *Record the sensors* on at /hardware (or companion run --record), play an evening"),
            Number(
                "how often the table asked to put a piece back that had not been touched", "times", most=0
            ),
            Remark("the name of the file sensors-….jsonl in the data directory: send it in with this one"),
        ),
    ),
    BenchTest(
        "flash",
        "`companion flash`",
        "tested on an emulated Pico, the power gone at every write; not on a Pico",
        (
            "flash, check, flash a changed version, back; then pull the cable in the middle of a copy: "
            "`--check` names the version before"
        ),
        "strip",
        "a Pico with MicroPython",
        (
            Do("run companion flash, then companion flash --check in another terminal"),
            Yes("do *here* and *on the Pico* name the same version?"),
            Do("change FIRMWARE in firmware/main.py, run companion flash, then companion flash --back"),
            Yes("does companion flash --check name the version before?"),
            Do("run companion flash and pull the cable in the middle of it; plug it in again"),
            Yes("does companion flash --check name the version before?"),
            Yes("did the watchdog never start the Pico while files were copied?"),
        ),
    ),
    BenchTest(
        "watchdog",
        "the watchdog",
        "5 s [set]",
        (
            "`import machine; machine.disable_irq()` at the prompt: the Pico is back within 10 s and says"
            " *started by its watchdog*"
        ),
        "strip",
        "a Pico with the firmware, mpremote",
        (
            Do("run mpremote, press Ctrl+C, type: import machine; machine.disable_irq()"),
            Yes("was the Pico back within 10 s?"),
            Yes("does companion doctor say that it was started by its watchdog?"),
        ),
    ),
    BenchTest(
        "memory",
        "memory over an evening",
        "flat on the virtual machine, 5,000 sweeps",
        "the Pico runs for 24 h; misses and sweep time at the end as in the first hour",
        "track",
        "the whole track, six pieces, a day",
        (
            Fact("a look at the whole track, in the first hour", "sweep_ms", seconds=20),
            Fact("a look at the whole track, after a day", "sweep_ms", seconds=86_400),
            Yes("are both the same within 5 ms?"),
            Fact("polls of the last half minute that missed a piece", "missed_polls", seconds=30, most=0),
        ),
    ),
    BenchTest(
        "pico-2",
        "a Pico 2",
        (
            "its inputs may stick at 2 V with weak pull-downs (erratum E9): strobe and nRST have 4.7 kΩ, "
            "MISO is pulled up; the machine code is an RP2040's, so its plain twin runs, with a sweep of "
            "some 160 ms on an RP2040's clock"
        ),
        "the bench of the strip with a Pico 2",
        "strip",
        "a Pico 2, three readers, a piece",
        (
            Do("put a piece on the middle reader"),
            Polls("the middle reader", "middle", 1000, least=0.999),
            Polls("the left reader", "left", 1000, most=0.0),
            Fact("sensors that do not work", "faulty_sensors", seconds=60, most=0),
            Fact("a look at the whole track", "sweep_ms"),
        ),
    ),
    BenchTest(
        "tiles",
        "printed tiles and bases",
        (
            "sizes as in hardware/models/sizes.scad; tiles, keys, boards, plugs and wires fit, and a piece "
            "anywhere in the dish is read, or two side by side [computed, [what fits](hardware/fit.md)]"
        ),
        (
            "a straight tile, a bend and two bases: board and plug fit, 1,000 polls in the middle, at the "
            "dish's edge and side by side; keys hold"
        ),
        "strip",
        "a straight tile and a bend with readers and plugs, two keys, two bases with stickers, callipers",
        (
            Number("length of your reader board", "mm"),
            Number("its width", "mm"),
            Yes("does the board lie flat against the roof of its pocket, the coil below the dish's middle?"),
            Do("put the base in the middle of the dish over the middle one of your readers"),
            Polls("in the middle of the dish", "middle", 1000, least=0.999),
            Do("push it to the edge of the dish, along the track"),
            Polls("at the edge of the dish", "middle", 1000, least=0.999),
            Do("push it to the end of the dish, across the track"),
            Polls("at the end of the dish", "middle", 1000, least=0.999),
            Do("put two bases side by side into the dish, across the track"),
            Polls("two side by side", "middle", 1000, least=0.999, tags=2),
            Number("from the end of the board to the end of the plug", "mm", most=17),
            Number("diameter of a wire of the plug", "mm", most=1.2),
            Yes("does the tile stand flat on the table, the plug in its bay and the wires below the board?"),
            Yes("does the roof of the pocket, a bridge of 41 mm, hang down by less than half a millimetre?"),
            Yes("do a straight tile and a bend with two keys hold when lifted, and come apart by hand?"),
            Number("the widest gap between the two", "mm", most=0.3),
            Number("from the middle of a dish to that of the next, in a bend", "mm", least=59.5),
        ),
    ),
    BenchTest(
        "board",
        "printed boards: of a group, of the Pico, of a reader",
        "their nets are the track's, KiCad finds nothing wrong [computed]",
        "no short, every connection of docs/board.md's lists, then eight readers that work for an hour",
        "strip",
        "the Pico's board, one of a group and eight carriers, bare; their parts; eight readers",
        (
            Yes("on the bare boards: is 3.3 V apart from GND?"),
            Yes("does each line of the lists in docs/board.md beep, and none with the line after it?"),
            Yes("do the names on a carrier meet the same names on a reader?"),
            Do("solder them, plug in the bus, the supply and eight readers"),
            Fact("sensors that do not work", "faulty_sensors", seconds=3600, most=0),
            Fact("a look at the whole track", "sweep_ms"),
        ),
    ),
    BenchTest(
        "hall",
        "a magnet over its hall switch",
        (
            "a 12 × 2 mm magnet closes its switch within 8.4 mm of the middle with any parts, and none "
            "from 24 mm on [computed, [what fits](hardware/fit.md)]; a piece in its dish never keeps a "
            "neighbour's closed"
        ),
        "a piece anywhere in its dish closes its switch, without a gap up to 8.3 mm, and no other",
        "switches",
        "three switches in their tiles, three pieces with their magnets",
        (
            Do("with /hardware open beside you, push a piece along the edge of each dish"),
            Number("how often its switch was open", "times", most=0),
            Number("how often another switch was closed while the piece was in its dish", "times", most=0),
            Do("put pieces into the outer dishes, and lift the one in the middle ten times"),
            Number("how often the middle switch stayed closed", "times", most=0),
            Do("cover a dish with card of its depth, and push a piece outwards from the middle"),
            Number("how far off the middle the switch opens for the first time", "mm", least=HALL_CERTAIN),
            Number("how far off the middle any switch still closes, at most", "mm", most=HALL_REACH),
        ),
    ),
    BenchTest(
        "pi-health",
        "a Pi's undervoltage and temperature",
        "read as the kernel's documentation has it",
        "`companion doctor` next to `vcgencmd get_throttled` and `vcgencmd measure_temp` on a weak supply",
        "any",
        "a Pi, a supply that is too weak for it",
        (
            Do("run the Pi from the weak supply until it shows the flash of undervoltage"),
            Yes("does companion doctor say so, and does vcgencmd get_throttled show bit 0 or 16?"),
            Number("degrees that companion doctor shows less those of vcgencmd measure_temp", "°C", -2, 2),
        ),
    ),
    BenchTest(
        "typing",
        "a reader that types",
        (
            "a key takes less than 60 ms, Enter ends a number, after the first card nothing is typed "
            "elsewhere [assumed]"
        ),
        (
            "ten cards of 4 and of 7 bytes, each held ten times: each is named the same each time, as a "
            "phone's NFC app shows it; a text editor stays empty"
        ),
        "usb",
        "the reader, ten cards of 4 bytes and ten of 7, a phone with NFC",
        (
            Yes("does companion doctor name the reader?"),
            Do("hold each of the twenty cards ten times, with /hardware and an empty text editor open"),
            Number("how many numbers /hardware counts as typed", "numbers", 200, 200),
            Yes("was each card the same each time, and as the phone's NFC app shows it?"),
            Yes("is the text editor still empty?"),
            Do("pull the reader, plug it in"),
            Number("seconds until /hardware says *works*", "s", most=2),
        ),
    ),
    BenchTest(
        "typing-at-tablet",
        "a reader that types, at a tablet",
        "keys less than 250 ms apart, `KeyboardEvent.code` is there on Android and iPadOS [assumed]",
        (
            "ten cards on the table page of an Android tablet and of an iPad: each is played or refused "
            "once, none is missed"
        ),
        "usb",
        "the reader, its adapter, a tablet, ten cards",
        (
            Do("open the table page on the tablet, begin a game, and hold ten cards one after another"),
            Number("how many were played or refused once", "cards", 10, 10),
            Remark("which tablet, which browser?"),
        ),
    ),
    BenchTest(
        "pcsc",
        "a PC/SC reader",
        (
            "run over the real pcscd and pyscard with a card over a socket, no reader "
            "[tests/devices/test_pcscd.py]"
        ),
        "50 of 50 polls; a card of 4 and one of 7 bytes have the numbers that another reader shows",
        "usb",
        "the reader, a card of 4 bytes, one of 7",
        (
            Do("lay a card of 4 bytes on the reader"),
            Polls("the reader looks", "pad", 50, least=1.0),
            Do("lay a card of 7 bytes on it instead"),
            Polls("the reader looks", "pad", 50, least=1.0),
            Yes("have both the numbers that another reader, or a phone's NFC app, shows?"),
        ),
    ),
)


def named(name: str) -> BenchTest:
    """Return the test of this name; KeyError if there is none."""
    return {test.name: test for test in BENCH_TESTS}[name]
