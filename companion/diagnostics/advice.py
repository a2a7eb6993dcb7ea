"""The doctor's sentences: for each fault the symptom, the likely cause, and what to try next."""

from __future__ import annotations

from typing import Final

from companion.firmware import pins
from companion.message import N_, Sentence


def _says(text: str, **values: object) -> Sentence:
    return Sentence(text, values)


# --- the line to the Pico ------------------------------------------------------------------------

ABSENT: Final = _says(N_("the track is not plugged in"))
ABSENT_WHY: Final = _says(
    N_("no Pico is found on USB: its cable is out, only charges, or it runs no MicroPython")
)
ABSENT_CABLE: Final = _says(N_("plug it in with a cable that carries data too, if need be into another port"))
ABSENT_FLASH: Final = _says(N_("a new Pico needs its program: run companion flash"))

NO_PORT: Final = N_("the track's port {port} is not there")
NO_PORT_WHY: Final = N_(
    "it is named in companion.toml, but the cable is out or the Pico has another one; {then_there}"
)
NO_PORT_NAME: Final = _says(
    N_("name another port under [track], or leave it out there: then the Pico is found by itself")
)

NO_WORD: Final = _says(N_("the Pico is plugged in and says nothing that can be understood"))
NO_WORD_WHY: Final = _says(N_("its program has stopped, is another one, or was never put on it"))
NO_WORD_REPLUG: Final = _says(N_("pull its USB cable and plug it in again"))
NO_WORD_FLASH: Final = _says(N_("put the program on it again: run companion flash"))

TAKEN: Final = N_("the track's port {port} is taken")
TAKEN_WHY: Final = _says(N_("another program has it: a terminal, Thonny, or a second companion"))
TAKEN_END: Final = _says(N_("end that program; if it is a companion, look at its page /hardware instead"))

NO_LEAVE: Final = N_("the track's port {port} may not be opened")
NO_LEAVE_WHY: Final = _says(N_("this user is not in the group dialout"))
NO_LEAVE_GROUP: Final = _says(
    N_("run sudo adduser NAME dialout, with your own name there, then log in again")
)

REFUSED: Final = _says(N_("the Pico and the companion do not speak the same language"))
REFUSED_WHY: Final = _says(N_("the program on the Pico is of another version than the companion"))
REFUSED_FLASH: Final = _says(N_("bring the Pico's program up to date: run companion flash"))

WATCHDOG: Final = _says(N_("the Pico has started again by itself"))
WATCHDOG_WHY: Final = _says(N_("its program stood still and its watchdog woke it, or its supply dipped"))
WATCHDOG_WATCH: Final = _says(N_("play on and see whether it happens again; if so, try another USB cable"))

HURT: Final = N_("{hurt} of {lines} lines from the Pico were damaged")
HURT_WHY: Final = _says(N_("the USB cable is bad or too long, or lies beside something that disturbs it"))
HURT_CABLE: Final = _says(N_("use a shorter USB cable and keep it away from motors and power supplies"))

SLOW: Final = N_("looking at all spaces once takes {ms} ms; up to {most} ms are usual")
SLOW_WHY: Final = _says(
    N_("readers that answer badly are tried again and again, or only one antenna is warm")
)
SLOW_MEND: Final = _says(N_("mend the faults named here first; then let two antennas be warm at a time"))

HOT_PICO: Final = N_("the Pico is {degrees} °C hot")
HOT_PICO_WHY: Final = _says(N_("it stands without air, or feeds something that it should not feed"))
HOT_PICO_COOL: Final = _says(N_("give it air, and see that its 3V3 pin feeds no reader"))

# --- the track's power ---------------------------------------------------------------------------

OVER: Final = _says(N_("the track drew too much current: all its readers are switched off"))
OVER_WHY: Final = _says(N_("a short circuit, a reader the wrong way round, or more antennas on than two"))
OVER_UNPLUG: Final = _says(
    N_("pull the track's supply, look for a short or a hot reader, and unplug reader by reader")
)
OVER_RESTART: Final = _says(N_("then press “Restart the track”: everything is tested anew"))

NO_SUPPLY: Final = _says(N_("the track has no power"))
NO_SUPPLY_WHY: Final = _says(
    N_("its own 5 V supply is out, its fuse has tripped, or its regulator gives no 3.3 V")
)
NO_SUPPLY_PLUG: Final = _says(N_("plug the track's own supply in; a tripped fuse needs a minute to cool"))
NO_SUPPLY_MEASURE: Final = _says(
    N_("measure 3.3 V at a reader and about 1.65 V at GP{gp} of the Pico"), gp=pins.TRACK_VOLTAGE
)

LOW: Final = N_("the track's 3.3 V are only {volts} V")
LOW_WHY: Final = _says(N_("the regulator is weak, or the wires to the readers are long and thin"))
LOW_MEASURE: Final = _says(N_("measure 3.3 V at the reader itself, and use thicker wires in a ring"))
LOW_CAPACITORS: Final = _says(N_("put 10 µF and 100 nF at each reader"))

# --- readers that answer nothing -----------------------------------------------------------------

NOTHING: Final = (N_("space {numbers} answers nothing"), N_("spaces {numbers} answer nothing"))
FROM_TO: Final = N_("{first} to {last}")
GROUPS: Final = (
    _says(N_("the first group")),
    _says(N_("the second group")),
    _says(N_("the third group")),
    _says(N_("the fourth group")),
    _says(N_("the fifth group")),
)

ALL_ZERO: Final = _says(N_("no reader of the track answers; the line reads 0 all the time"))
ALL_ZERO_WHY: Final = _says(
    N_(
        "MISO (GP{miso}) is held to ground, or SCK (GP{sck}), MOSI (GP{mosi}) or nRST (GP{reset}) "
        "does not reach the readers"
    ),
    miso=pins.MISO,
    sck=pins.SCK,
    mosi=pins.MOSI,
    reset=pins.RESET,
)
ALL_ZERO_MISO: Final = _says(
    N_("unplug all readers: if MISO still reads 0, look for a short at pin {pin} of the 74HC251"),
    pin=pins.MULTIPLEXER_OUTPUT_PIN,
)
ALL_ZERO_BUS: Final = _says(
    N_("follow SCK, MOSI and nRST from the Pico to the 74HC244, whose pins 1 and 19 are at ground")
)

ALL_ONES: Final = _says(N_("no reader of the track answers; the line reads 1 all the time"))
ALL_ONES_WHY: Final = _says(
    N_(
        "no group is enabled: the chips have no 3.3 V, or the strobe (GP{strobe}, master decoder pin {pin}) "
        "or MISO (GP{miso}) is loose"
    ),
    strobe=pins.STROBE,
    pin=pins.MASTER_STROBE_PIN,
    miso=pins.MISO,
)
ALL_ONES_SUPPLY: Final = _says(N_("measure 3.3 V between pins 16 and 8 of the master 74HC138"))
ALL_ONES_STROBE: Final = _says(N_("follow the strobe wire and MISO from chip to chip, and check the grounds"))

GROUP_WHY: Final = N_("{group} has no power or its enable wire ({enable}, master decoder pin {pin}) is loose")
GROUP_WIRE: Final = N_(
    "follow {enable} from pin {pin} of the master 74HC138 to pin {own} of the group's 74HC138 "
    "and pin {other} of its 74HC251"
)
GROUP_SUPPLY: Final = _says(N_("measure 3.3 V at both chips of that group"))
GROUP_ZERO_WHY: Final = N_(
    "{group} is enabled, but its readers get no clock: its 74HC244 has no power or a loose wire"
)
GROUP_ZERO_CHIPS: Final = N_(
    "check power, SCK, MOSI and nRST at the group's 74HC244 (pins 1 and 19 at ground), "
    "and 3.3 V at its readers"
)
GROUP_BIT_WHY: Final = N_(
    "the wire {wire} is loose at one of two chips: pin {decoder} of the 74HC138 or pin {mux} of the 74HC251"
)
GROUP_BIT_TRACE: Final = N_("press the wire {wire} into both chips; {group} has its own pair of them")

SILENT: Final = N_("space {number} answers nothing")
SILENT_WHY: Final = N_(
    "its reader's plug or one wire is loose: chip select (pin {select} of the 74HC138) or "
    "MISO (pin {miso} of the 74HC251)"
)
SILENT_PLUG: Final = _says(N_("pull that reader's plug and push it in again"))
SILENT_WIRES: Final = N_("check both wires at pin {select} of the 74HC138 and pin {miso} of the 74HC251")
SILENT_RESISTORS: Final = N_("measure 100 ohms at its own resistors: R{sck} in SCK, R{mosi} in MOSI")
SILENT_SWAP: Final = N_("swap the reader with a neighbour: if the fault goes with it, the reader is dead")

HALF: Final = N_("spaces {numbers} answer nothing: all those for which {wire} has one level")
HALF_WHY: Final = N_("the address wire {wire} (GP{gp}) is loose or shorted; it {ends}")
DOUBLED: Final = N_("spaces that differ only in the address wire {wire} always show the same tags")
DOUBLED_WHY: Final = N_("the address wire {wire} (GP{gp}) does not switch, so two readers are one; it {ends}")
ENDS_IN_GROUPS: Final = N_("ends at pin {decoder} of every group's 74HC138 and pin {mux} of its 74HC251")
ENDS_IN_MASTER: Final = N_("ends at pin {pin} of the master 74HC138")
WIRE_TRACE: Final = _says(
    N_("follow that wire from the Pico from chip to chip, and look for a bridge to its neighbour")
)

# --- readers that answer, badly ------------------------------------------------------------------

MEMORY: Final = (
    N_("the reader of space {numbers} forgets what is written into it"),
    N_("the readers of spaces {numbers} forget what is written into them"),
)
MEMORY_WHY: Final = _says(N_("weak 3.3 V, wires that are too long, or a counterfeit chip"))
MEMORY_SHORTEN: Final = _says(N_("shorten SCK and MOSI to it; if that does not help, use another reader"))

FIELD: Final = (
    N_("the antenna of space {numbers} draws no current"),
    N_("the antennas of spaces {numbers} draw no current"),
)
FIELD_WHY: Final = _says(N_("the antenna is broken or its chip's transmitter is dead"))
FIELD_SWAP: Final = _says(N_("look for a crack or a bad joint at the coil, else use another reader"))

WEAK: Final = (
    N_("the reader of space {numbers} fails as soon as its field comes on"),
    N_("the readers of spaces {numbers} fail as soon as their fields come on"),
)
WEAK_WHY: Final = _says(
    N_("thin or loose wires for 3.3 V or ground: a field draws five times what its chip does")
)
WEAK_SWAP: Final = _says(N_("push the plug in again; if that does not help, use another reader"))

COPIES: Final = (
    N_("the reader of space {numbers} is a copy"),
    N_("the readers of spaces {numbers} are copies"),
)
COPIES_WHY: Final = _says(
    N_("the chip's version is not one that its maker sells; some copies read badly or not at all")
)
COPIES_LIVE: Final = _says(N_("it may stay as long as it reads well: test its range beside a good one"))

MISSED: Final = (
    N_("the piece on space {numbers} is missed again and again"),
    N_("the pieces on spaces {numbers} are missed again and again"),
)
MISSED_WHY: Final = _says(N_("the piece stands off the centre, its tag is too high, or there is metal below"))
MISSED_CENTRE: Final = _says(
    N_("put the piece on the middle and look again; keep metal 10 mm away from the reader")
)
MISSED_POWER: Final = _says(N_("test that reader's range below, and give it more power if it needs it"))

CLONES: Final = N_("the same tag is seen in two places: {tags}")
CLONES_WHY: Final = _says(N_("two tags have the same number: some cheap ones are copies of each other"))
CLONES_REPLACE: Final = _says(N_("replace one of the two by another tag, and give it its meaning at /tags"))

# --- switches ------------------------------------------------------------------------------------

CHAIN: Final = (
    N_("the switch of space {numbers} cannot be read"),
    N_("the switches of spaces {numbers} cannot be read"),
)
CHAIN_WHY: Final = _says(
    N_("the shift registers (74HC165) do not pass their bits on: one has no power or a loose wire")
)
CHAIN_TRACE: Final = _says(
    N_(
        "at the first 74HC165 that fails, counted from the Pico, check 3.3 V, clock (pin {clock}), "
        "load (pin {load}) and the wire from its SER (pin {serial}) to the next one"
    ),
    clock=pins.SWITCH_CLOCK_PIN,
    load=pins.SWITCH_LOAD_PIN,
    serial=pins.SWITCH_SERIAL_PIN,
)
ALL_PRESENT: Final = _says(N_("every space says that something stands there"))
ALL_PRESENT_WHY: Final = _says(
    N_("the switches have no power, or the line that collects them is held at one level")
)
ALL_PRESENT_MAGNET: Final = _says(
    N_("take all pieces off and turn one magnet over: a switch answers one pole only")
)
ALL_PRESENT_WIRE: Final = _says(
    N_("measure 3.3 V at the switches, and check the wire from the first 74HC165 (pin {pin}) to GP{gp}"),
    pin=pins.SWITCH_OUTPUT_PIN,
    gp=pins.SWITCH_DATA,
)
STUCK: Final = (
    N_("the switch of space {numbers} has never changed"),
    N_("the switches of spaces {numbers} have never changed"),
)
STUCK_WHY: Final = _says(N_("nothing has stood there yet, the switch is broken, or it lies too far below"))
STUCK_TRY: Final = _says(
    N_("put a piece there and take it off again: if nothing changes, measure that switch")
)

# --- the pad -------------------------------------------------------------------------------------

PAD_NOT_FOUND: Final = _says(N_("the card pad is not found"))
PAD_NO_SPI: Final = _says(N_("SPI is switched off"))
PAD_SPI_ON: Final = _says(N_("run sudo raspi-config, Interface Options, SPI, then start the Pi again"))
PAD_NO_LEAVE: Final = _says(N_("the card pad may not be used"))
PAD_NO_LEAVE_WHY: Final = _says(N_("this user is not in the groups spi and gpio"))
PAD_GROUPS: Final = _says(
    N_("run sudo adduser NAME spi and sudo adduser NAME gpio, with your own name there, then log in again")
)
PAD_NO_LIBRARY: Final = _says(N_("the card pad does not start"))
PAD_NO_LIBRARY_WHY: Final = _says(N_("a library that it needs is missing, or does not know this machine"))
PAD_SETUP: Final = _says(N_("run make setup, which says what is missing"))
PAD_WITHOUT_SETUP: Final = _says(
    N_("without a checkout, run pip install --no-deps mfrc522==0.0.7 where the companion is installed")
)
PAD_WRONG_LIBRARY: Final = _says(N_("a Pi 5 needs the library rpi-lgpio; RPi.GPIO does not work there"))
PAD_RPI_LGPIO: Final = _says(N_("run sudo apt install python3-rpi-lgpio, which takes the place of RPi.GPIO"))
PAD_TAKEN: Final = _says(N_("another program has the card pad"))
PAD_TAKEN_WHY: Final = _says(
    N_("a second companion, or another program that uses the pins, has its reset pin")
)
PAD_SILENT: Final = _says(N_("the card pad does not answer"))
PAD_SILENT_WHY: Final = _says(N_("one of its seven wires or its 3.3 V is loose, or the chip is dead"))
PAD_WIRES: Final = _says(N_("push each of its wires in again: they are listed in wiring.md"))
PAD_MEASURE: Final = _says(N_("measure 3.3 V at the reader; with 5 V it is dead by now"))
PAD_SWAP: Final = _says(N_("try another reader"))
PAD_COPY: Final = N_("the card pad's chip is a copy, version {version}")
PAD_COPY_TRY: Final = _says(N_("if cards are missed, lay them flat on the middle, or use another reader"))
PAD_RESTARTS: Final = N_("the card pad had to be set up again {count} times")
PAD_RESTARTS_WHY: Final = _says(N_("a wire of it is loose, or its 3.3 V dip"))
PAD_RESTARTS_TRY: Final = _says(N_("push its wires in again and keep its cable under 20 cm"))
PAD_MISSED: Final = _says(N_("the card pad misses cards that still lie there"))
PAD_MISSED_WHY: Final = _says(N_("they lie at its edge or too high, or there is metal below"))
PAD_MISSED_TRY: Final = _says(
    N_("lay cards flat on the middle; keep metal 10 mm away, or put ferrite between")
)

# --- a reader on USB -----------------------------------------------------------------------------

USB_PLUG: Final = _says(N_("plug it in, into another port if need be, and look whether it lights up"))
USB_NAME: Final = _says(
    N_(
        "name it in companion.toml by its own numbers, "
        'usb_reader = "ffff:0035", and start the companion again'
    )
)
USB_NOT_NAMED: Final = N_("usb_reader in companion.toml names one that is not there; there are {found}")
USB_NONE: Final = _says(N_("usb_reader in companion.toml names one that is not there"))
USB_ABSENT: Final = _says(N_("no USB reader is found"))
USB_ABSENT_WHY: Final = _says(N_("it is not plugged in, or it is one that does not type"))
USB_ABSENT_TABLET: Final = _says(
    N_("if it is plugged into the tablet, open the table page there and hold a card to it")
)
USB_ABSENT_OTHER: Final = _says(
    N_('if it types nothing into a text editor, it may be one for PC/SC: pad = "pcsc" in companion.toml')
)
USB_SEVERAL_WHY: Final = N_("there are {found}")
USB_SEVERAL_UNPLUG: Final = _says(N_("or unplug the others"))
USB_UNSURE: Final = _says(N_("the USB reader has not shown yet that it is one"))
USB_UNSURE_WHY: Final = N_("a name does not tell a reader from a person's keyboard; there are {found}")
USB_UNSURE_HOLD: Final = _says(N_("hold a card to it: from then on it types for the companion alone"))
TYPED_UNREAD: Final = _says(N_("the USB reader typed something that is no tag's number"))
TYPED_AGAIN: Final = _says(N_("hold the card to it again, until it beeps"))
TYPED_FORMAT: Final = _says(
    N_(
        "set the reader to hex or decimal digits, as its manual says, or write the format it has into "
        "companion.toml as usb_format"
    )
)
USB_NO_LEAVE: Final = _says(N_("the USB reader may not be read"))
USB_NO_LEAVE_WHY: Final = _says(N_("this user is not in the group input"))
USB_GROUP: Final = _says(N_("run sudo adduser NAME input, with your own name there, then log in again"))
USB_TAKEN: Final = _says(N_("another program has the USB reader"))
USB_TAKEN_WHY: Final = _says(N_("a second companion, or a program that catches keys, keeps it for itself"))
USB_TAKEN_END: Final = _says(N_("end that program, or start this machine again"))
USB_LIBRARY: Final = _says(N_("the USB reader is not looked for"))
USB_LIBRARY_WHY: Final = _says(N_("the package evdev, which reads it, is not installed"))
USB_LIBRARY_APT: Final = _says(
    N_("run sudo apt install python3-evdev, then python -m companion.install.bindings")
)
USB_LIBRARY_TABLET: Final = _says(N_("or plug it into the tablet, where it needs nothing"))

# --- a reader of PC/SC ---------------------------------------------------------------------------

PCSC_ABSENT: Final = _says(N_("no PC/SC reader is found"))
PCSC_ABSENT_WHY: Final = _says(
    N_("it is not plugged in, it is one that types, or the kernel's own driver for NFC has it")
)
PCSC_NAME: Final = _says(
    N_(
        "name it in companion.toml by a part of its name, "
        'usb_reader = "ACR122", and start the companion again'
    )
)
PCSC_KERNEL: Final = _says(
    N_(
        "an ACR122U: run echo blacklist pn533_usb | sudo tee /etc/modprobe.d/no-pn533.conf, then start this "
        "machine again"
    )
)
PCSC_OTHER: Final = _says(
    N_('if it types a number into a text editor, it is the cheaper kind: pad = "usb" in companion.toml')
)
PCSC_SEVERAL: Final = _says(N_("which of several is the PC/SC reader cannot be told"))
PCSC_NO_LEAVE: Final = _says(N_("the PC/SC reader may not be used"))
PCSC_NO_LEAVE_WHY: Final = _says(N_("only who is logged in at this machine itself may, as polkit has it"))
PCSC_POLKIT: Final = _says(N_("let the companion's user: wiring.md has the rule for polkit"))
PCSC_TAKEN: Final = _says(N_("another program has the PC/SC reader"))
PCSC_TAKEN_WHY: Final = _says(N_("a program that works with smart cards keeps the card for itself"))
PCSC_LIBRARY: Final = _says(N_("the PC/SC reader is not looked for"))
PCSC_LIBRARY_WHY: Final = _says(N_("the package pyscard, which asks the service, is not installed"))
PCSC_LIBRARY_APT: Final = _says(
    N_("run sudo apt install pcscd python3-pyscard, then python -m companion.install.bindings")
)
PCSC_NO_SERVICE: Final = _says(N_("the service for PC/SC readers does not answer"))
PCSC_NO_SERVICE_WHY: Final = _says(N_("pcscd is not installed, or it was stopped"))
PCSC_SERVICE: Final = _says(N_("run sudo apt install pcscd, then sudo systemctl enable --now pcscd.socket"))

NO_PI_WHY: Final = _says(N_("this is no Raspberry Pi: it has no pins to connect anything to"))
NO_PI_MOCK: Final = _says(
    N_("to try everything here without hardware, add --mock: companion doctor --mock, companion run --mock")
)
NO_PI_MOVE: Final = _says(
    N_("on a Pi: connect it as wiring.md says, run make setup there, and name it in that Pi's companion.toml")
)

# --- panel and Pi --------------------------------------------------------------------------------

PANEL_GONE: Final = _says(N_("buttons, lamp and buzzer of the panel do not work"))
PANEL_WHY: Final = _says(N_("its pins cannot be used"))
PANEL_OTHER: Final = _says(N_("end other programs that use these pins; they are listed in wiring.md"))
PANEL_GROUP: Final = _says(N_("see that this user is in the group gpio"))

PI_LOW: Final = _says(N_("the Pi has too little voltage"))
PI_WAS_LOW: Final = _says(N_("the Pi has had too little voltage since it started"))
PI_LOW_WHY: Final = _says(
    N_("its supply is too weak or its cable too thin: it slows down, and readers may miss tags")
)
PI_SUPPLY: Final = _says(N_("use the supply that is made for this Pi, with its own cable"))
PI_UNLOAD: Final = _says(N_("take other USB devices off, and feed the track from its own supply"))
PI_HOT: Final = N_("the Pi is {degrees} °C hot and slows down")
PI_HOT_WHY: Final = _says(N_("its case lets no air through, or the sun is on it"))
PI_COOL: Final = _says(N_("open the case, or give it a heat sink or a fan"))

CLOCK_UNSET: Final = _says(N_("the clock of this machine has not been set since it was switched on"))
CLOCK_UNSET_WHY: Final = _says(
    N_("it has no battery, and no network has set it yet: you can play, but the games get a wrong date")
)
CLOCK_LATE: Final = _says(N_("the clock of this machine is behind its latest game"))
CLOCK_LATE_WHY: Final = _says(
    N_("it was turned back, its battery is empty, or it was wrong before: new games get a wrong date")
)
CLOCK_SET: Final = _says(N_("or set the time of this machine by hand"))
CLOCK_NETWORK: Final = _says(
    N_(
        "connect it to the internet once before you switch it off: it sets its clock, and the games since "
        "the start get their right dates by themselves"
    )
)
CLOCK_BATTERY: Final = _says(
    N_("if there is never a network: a Raspberry Pi 5 keeps its time with a battery in its socket BAT")
)

# --- what other packages bring -------------------------------------------------------------------

OTHER_GONE: Final = N_("the reader {device} does not work")
OTHER_WHY: Final = _says(N_("it does not say why"))
OTHER_PAPER: Final = _says(N_("see what the package that brings it says about setting it up"))
OTHER_LIST: Final = _says(N_("run companion plugins, which says who brings it and whether it is broken"))

PLUGIN_BROKEN: Final = N_("the plug-in {name} of the package {package} {version} is broken and left out")
PLUGIN_OTHER: Final = N_("install a version of {package} that fits this companion, then start it again")
PLUGIN_LIST: Final = _says(N_("tell whoever wrote it what companion plugins says"))
PLUGIN_AWAY: Final = N_("or take it away: pip uninstall {package}, where the companion is installed")
