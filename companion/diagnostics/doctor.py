"""The doctor: from the state of the parts to their faults, the causes, and advice.

Rules over values, without I/O. Many sensors with one cause are one finding: a whole group that is silent has
a loose enable wire, not eight loose plugs. Pins are those of firmware/pins.py, spaces are counted from 0 by
reader. Heights, distances and currents are from data sheets or assumed: no radio was measured yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from companion.devices import pad as card_pad
from companion.devices import panel as button_panel
from companion.devices.health import PadFault, PadHealth, SensorHealth, TrackHealth, there
from companion.devices.pi_health import PiHealth
from companion.devices.readings import PartIs
from companion.diagnostics import advice as say
from companion.firmware import pins
from companion.firmware.rc522 import NO_ANSWER, VERSIONS
from companion.message import Sentence, ranges
from companion.plugins import Plugin
from companion.store.dates import ClockState

Subject = Literal["track", "pad", "panel", "pi", "plug-in", "clock", "screen"]
Grave = Literal["dead", "ill", "hint"]
"""`dead` a part does not work at all, `ill` something of it is missing or may fail, `hint` it works."""

LOW_VOLTS: Final = 3.15  # the readers' supply; they want 3.3 V, and at least 2.5 V [data sheet]
HOT_PI: Final = 80.0  # °C; a Pi slows down from there on
HOT_PICO: Final = 70.0  # °C; it is made for 85
MISSED: Final = 0.05  # a piece that is missed in so many polls is off-centre
MISSES_WINDOW_MS: Final = 30_000  # the time over which SensorHealth counts its misses
SLOW_MS: Final = 12  # a sensor; computed are 3 to 6, with two antennas warm
FEWEST_LINES: Final = 100  # the number of lines before their quality is judged
HURT: Final = 0.01
PAD_MISSES: Final = 20
PAD_MISSED: Final = 0.02
PAD_RESTARTS: Final = 3
FEW_SWITCHES: Final = 4  # fewer prove nothing together
SCK_RESISTORS: Final = 1000  # R1003 is in the SCK of reader 3, as the drawings name it
MOSI_RESISTORS: Final = 1100


class Finding(NamedTuple):
    """A fault: the symptom, its likely cause, what to try, first things first."""

    part: Subject
    grave: Grave
    spaces: tuple[int, ...]
    what: Sentence
    cause: Sentence
    try_next: tuple[Sentence, ...]


class ReaderWiring(NamedTuple):
    """The ends of a reader's wires: its group's enable wire, and pins of its group's two chips."""

    group: int
    enable: str
    master_pin: int
    select_pin: int  # of the group's 74HC138
    miso_pin: int  # of the group's 74HC251


def wiring(space: int) -> ReaderWiring:
    """Return the ends of the wires of the reader under this space.

    >>> wiring(9)
    ReaderWiring(group=1, enable='EN1', master_pin=14, select_pin=14, miso_pin=3)
    """
    group, number = divmod(space, pins.GROUP)
    return ReaderWiring(
        group,
        f"EN{group}",
        pins.MASTER_OUTPUT_PINS[group],
        pins.DECODER_OUTPUT_PINS[number],
        pins.MULTIPLEXER_INPUT_PINS[number],
    )


def switch_place(space: int) -> tuple[int, int]:
    """Return the 74HC165 of the switch under this space, counted from 1 at the Pico, and the pin of its
    input.

    >>> switch_place(9)
    (2, 5)
    """
    chip, number = divmod(space, pins.GROUP)
    return chip + 1, pins.SWITCH_INPUT_PINS[number]


def findings(
    track: TrackHealth | None = None,
    pad: PadHealth | None = None,
    panel: PartIs | None = None,
    pi: PiHealth | None = None,
    plugins: Iterable[Plugin[Any]] = (),
    clock: ClockState = "set",
) -> tuple[Finding, ...]:
    """Return all faults, worst first. A part that the table does not have is None; of `plugins` some are
    broken.

    >>> [str(found.what) for found in findings(TrackHealth(state="lost", wire="absent"))]
    ['the track is not plugged in']
    """
    found = [
        *(_of_track(track) if track is not None else ()),
        *(_of_pad(pad, pi) if pad is not None else ()),
        *(_of_panel(panel) if panel is not None else ()),
        *(_of_pi(pi) if pi is not None else ()),
        *(_of_plugin(plugin, plugin.why) for plugin in plugins if plugin.why is not None),
        *([CLOCKS[clock]] if clock in CLOCKS else ()),
    ]
    return tuple(sorted(found, key=lambda finding: _ORDER.index(finding.grave)))


_ORDER: Final[tuple[Grave, ...]] = ("dead", "ill", "hint")


# --- the track -----------------------------------------------------------------------------------


def _of_track(track: TrackHealth) -> Iterator[Finding]:
    """Yield findings of the USB line first: without it, and without power, the sensors are unknown."""
    if track.wire != "ok":
        yield _line(track)
        return
    yield from _pico(track)
    if track.power == "over":
        yield _track("dead", (), say.OVER, say.OVER_WHY, say.OVER_UNPLUG, say.OVER_RESTART)
        return
    if track.power == "off":
        yield _track("dead", (), say.NO_SUPPLY, say.NO_SUPPLY_WHY, say.NO_SUPPLY_PLUG, say.NO_SUPPLY_MEASURE)
        return
    if track.volts is not None and track.volts < LOW_VOLTS:
        low = Sentence(say.LOW, {"volts": f"{track.volts:.2f}"})
        yield _track("ill", (), low, say.LOW_WHY, say.LOW_MEASURE, say.LOW_CAPACITORS)
    yield from _readers([sensor for sensor in track.sensors if sensor.kind == "tag"], track)
    yield from _switches([sensor for sensor in track.sensors if sensor.kind == "present"])


def _line(track: TrackHealth) -> Finding:
    said = {"port": track.port or "USB"}
    match track.wire:
        case "absent":
            return _track("dead", (), say.ABSENT, say.ABSENT_WHY, say.ABSENT_CABLE, say.ABSENT_FLASH)
        case "no port":
            why = Sentence(say.NO_PORT_WHY, {"then_there": there(track.ports)})
            return _track("dead", (), Sentence(say.NO_PORT, said), why, say.ABSENT_CABLE, say.NO_PORT_NAME)
        case "taken":
            return _track("dead", (), Sentence(say.TAKEN, said), say.TAKEN_WHY, say.TAKEN_END)
        case "no leave":
            return _track("dead", (), Sentence(say.NO_LEAVE, said), say.NO_LEAVE_WHY, say.NO_LEAVE_GROUP)
        case "refused":
            return _track("dead", (), say.REFUSED, say.REFUSED_WHY, say.REFUSED_FLASH)
        case _:
            return _track("dead", (), say.NO_WORD, say.NO_WORD_WHY, say.NO_WORD_REPLUG, say.NO_WORD_FLASH)


def _pico(track: TrackHealth) -> Iterator[Finding]:
    """Yield faults of the Pico and its cable while they work."""
    if track.started_by == "watchdog":
        yield _track("hint", (), say.WATCHDOG, say.WATCHDOG_WHY, say.WATCHDOG_WATCH, say.REFUSED_FLASH)
    if track.hurt > HURT * track.lines and track.lines + track.hurt >= FEWEST_LINES:
        hurt = Sentence(say.HURT, {"hurt": track.hurt, "lines": track.lines})
        yield _track("ill", (), hurt, say.HURT_WHY, say.HURT_CABLE)
    if track.sweep_ms is not None and track.sensors and track.sweep_ms > SLOW_MS * len(track.sensors):
        slow = Sentence(say.SLOW, {"ms": track.sweep_ms, "most": SLOW_MS * len(track.sensors)})
        yield _track("hint", (), slow, say.SLOW_WHY, say.SLOW_MEND)
    if track.celsius is not None and track.celsius > HOT_PICO:
        hot = Sentence(say.HOT_PICO, {"degrees": round(track.celsius)})
        yield _track("hint", (), hot, say.HOT_PICO_WHY, say.HOT_PICO_COOL)


def _readers(readers: Sequence[SensorHealth], track: TrackHealth) -> Iterator[Finding]:
    everywhere = tuple(sensor.space for sensor in readers)
    doubled = _doubled(track)
    if doubled is not None:
        yield _track("ill", everywhere, *_wire_says(doubled, say.DOUBLED, say.DOUBLED_WHY), say.WIRE_TRACE)
    elif track.clones:
        clones = Sentence(say.CLONES, {"tags": ", ".join(sorted(track.clones))})
        yield _track("ill", (), clones, say.CLONES_WHY, say.CLONES_REPLACE)
    yield from _mute(readers)
    memory = _with(readers, "memory")
    if memory:
        yield _track(
            "ill", memory, _of(say.MEMORY, memory), say.MEMORY_WHY, say.LOW_MEASURE, say.MEMORY_SHORTEN
        )
    field = _with(readers, "field")
    if field:
        yield _track("ill", field, _of(say.FIELD, field), say.FIELD_WHY, say.FIELD_SWAP)
    weak = _with(readers, "weak")
    if weak:
        yield _track("ill", weak, _of(say.WEAK, weak), say.WEAK_WHY, say.LOW_MEASURE, say.WEAK_SWAP)
    copies = tuple(sensor.space for sensor in readers if sensor.fault is None and _copy(sensor.version))
    if copies:
        yield _track("hint", copies, _of(say.COPIES, copies), say.COPIES_WHY, say.COPIES_LIVE)
    missed = tuple(sensor.space for sensor in readers if not sensor.fault and often_missed(sensor, track))
    if missed:
        yield _track(
            "ill", missed, _of(say.MISSED, missed), say.MISSED_WHY, say.MISSED_CENTRE, say.MISSED_POWER
        )


def often_missed(sensor: SensorHealth, track: TrackHealth) -> bool:
    """Return True if the tag was missed in so many polls of the last half minute that it is probably
    off-centre.
    """
    return sensor.misses > MISSED * MISSES_WINDOW_MS / (track.sweep_ms or 100)


def _mute(readers: Sequence[SensorHealth]) -> Iterator[Finding]:
    """Yield findings of readers that answer nothing: the whole bus, else one address wire, else group by
    group.
    """
    everywhere = tuple(sensor.space for sensor in readers)
    silent, cut_off = _with(readers, "silent"), _with(readers, "group")
    if len(readers) > 1 and len(silent) == len(readers):
        yield _track("dead", everywhere, say.ALL_ZERO, say.ALL_ZERO_WHY, say.ALL_ZERO_MISO, say.ALL_ZERO_BUS)
        return
    if len(readers) > 1 and len(cut_off) == len(readers):
        yield _track(
            "dead", everywhere, say.ALL_ONES, say.ALL_ONES_WHY, say.ALL_ONES_SUPPLY, say.ALL_ONES_STROBE
        )
        return
    mute = frozenset(silent + cut_off)
    wire = _address_wire(mute, everywhere)
    if wire is not None:
        spaces = tuple(sorted(mute))
        what, cause = _wire_says(wire, say.HALF, say.HALF_WHY)
        what = what._replace(values={**what.values, "numbers": _numbers(spaces)})
        yield _track("ill", spaces, what, cause, say.WIRE_TRACE)
        return
    for group in sorted({space // pins.GROUP for space in mute}):
        members = tuple(space for space in everywhere if space // pins.GROUP == group)
        yield from _mute_in_group(group, members, mute, frozenset(cut_off))


def _mute_in_group(
    group: int, members: tuple[int, ...], mute: frozenset[int], cut_off: frozenset[int]
) -> Iterator[Finding]:
    gone = tuple(space for space in members if space in mute)
    said = {"group": say.GROUPS[group]}
    at = wiring(members[0])
    enable = {"enable": at.enable, "pin": at.master_pin, "group": say.GROUPS[group]}
    if cut_off.issuperset(members):
        cause = Sentence(say.GROUP_WHY, enable)
        check = Sentence(
            say.GROUP_WIRE, {**enable, "own": pins.DECODER_ENABLE_PIN, "other": pins.MULTIPLEXER_ENABLE_PIN}
        )
        yield _track("ill", gone, _of(say.NOTHING, gone), cause, check, say.GROUP_SUPPLY)
        return
    if len(members) > 1 and len(gone) == len(members):
        cause = Sentence(say.GROUP_ZERO_WHY, said)
        yield _track("ill", gone, _of(say.NOTHING, gone), cause, Sentence(say.GROUP_ZERO_CHIPS, said))
        return
    bit = _half_of(gone, members)
    if bit is not None:
        wire = {
            "wire": f"A{bit}",
            "decoder": pins.DECODER_ADDRESS_PINS[bit],
            "mux": pins.MULTIPLEXER_ADDRESS_PINS[bit],
        }
        cause = Sentence(say.GROUP_BIT_WHY, {**said, **wire})
        yield _track(
            "ill", gone, _of(say.NOTHING, gone), cause, Sentence(say.GROUP_BIT_TRACE, {**said, **wire})
        )
        return
    for space in gone:
        yield _one_silent(space)


def _one_silent(space: int) -> Finding:
    at = wiring(space)
    said = {"number": space, "select": at.select_pin, "miso": at.miso_pin}
    said |= {"sck": SCK_RESISTORS + space, "mosi": MOSI_RESISTORS + space}
    mend = (Sentence(each, said) for each in (say.SILENT_WIRES, say.SILENT_RESISTORS, say.SILENT_SWAP))
    what, cause = Sentence(say.SILENT, said), Sentence(say.SILENT_WHY, said)
    return _track("ill", (space,), what, cause, say.SILENT_PLUG, *mend)


def _address_wire(mute: frozenset[int], everywhere: Iterable[int]) -> int | None:
    """Return the address wire whose level selects the silent readers, over more than one group; None: no such
    pattern.

    >>> _address_wire(frozenset(range(1, 22, 2)), range(22))
    0
    >>> _address_wire(frozenset(range(8, 16)), range(22))
    """
    spaces = frozenset(everywhere)
    groups = {space // pins.GROUP for space in mute}
    if len(groups) < 2 or not mute < spaces:
        return None
    for bit in range(len(pins.ADDRESS)):
        high = frozenset(space for space in spaces if space >> bit & 1)
        if mute in (high, spaces - high):
            return bit
    return None


def _half_of(gone: Sequence[int], members: Sequence[int]) -> int | None:
    """Return the address wire whose level selects the silent half of a group; None: it is not that half."""
    if len(gone) < 2 or len(members) < pins.GROUP:
        return None
    for bit in range(len(pins.DECODER_ADDRESS_PINS)):
        high = {space for space in members if space >> bit & 1}
        if set(gone) in (high, set(members) - high):
            return bit
    return None


def _doubled(track: TrackHealth) -> int | None:
    """Return the address wire that does not switch: readers that differ in it alone always see
    the same tags.

    Two neighbours may both see one piece between them, so one such pair proves nothing.
    """
    readers = {s.space: s.lies for s in track.sensors if s.kind == "tag" and s.fault is None}
    for bit in range(len(pins.ADDRESS)):
        telling = {
            tag: frozenset({space, space ^ 1 << bit})
            for space, lies in readers.items()
            if isinstance(lies, frozenset) and space ^ 1 << bit in readers
            for tag in lies
        }
        if len(set(telling.values())) >= 2 and all(
            track.shared.get(tag) == by for tag, by in telling.items()
        ):
            return bit
    return None


def _wire_says(bit: int, what: str, why: str) -> tuple[Sentence, Sentence]:
    wire = {"wire": f"A{bit}", "gp": pins.ADDRESS[bit]}
    if bit < len(pins.DECODER_ADDRESS_PINS):
        decoder, mux = pins.DECODER_ADDRESS_PINS[bit], pins.MULTIPLEXER_ADDRESS_PINS[bit]
        ends = Sentence(say.ENDS_IN_GROUPS, {"decoder": decoder, "mux": mux})
    else:
        ends = Sentence(
            say.ENDS_IN_MASTER, {"pin": pins.MASTER_ADDRESS_PINS[bit - len(pins.DECODER_ADDRESS_PINS)]}
        )
    return Sentence(what, wire), Sentence(why, {**wire, "ends": ends})


def _switches(switches: Sequence[SensorHealth]) -> Iterator[Finding]:
    """Yield findings of the hall switches of a presence track, read through a chain of shift registers."""
    everywhere = tuple(sensor.space for sensor in switches)
    chain = _with(switches, "chain")
    if chain:
        yield _track(
            "dead" if len(chain) == len(switches) else "ill",
            chain,
            _of(say.CHAIN, chain),
            say.CHAIN_WHY,
            say.CHAIN_TRACE,
        )
    well = [sensor for sensor in switches if sensor.fault is None]
    if len(well) < FEW_SWITCHES:
        return
    if all(sensor.lies is True for sensor in well):
        yield _track(
            "dead",
            everywhere,
            say.ALL_PRESENT,
            say.ALL_PRESENT_WHY,
            say.ALL_PRESENT_MAGNET,
            say.ALL_PRESENT_WIRE,
        )
        return
    stuck = tuple(sensor.space for sensor in well if sensor.changed is None)
    if 0 < len(stuck) * 4 <= len(well):  # the others have all been walked over
        yield _track("hint", stuck, _of(say.STUCK, stuck), say.STUCK_WHY, say.STUCK_TRY)


def _with(sensors: Iterable[SensorHealth], fault: str) -> tuple[int, ...]:
    return tuple(sensor.space for sensor in sensors if sensor.fault == fault)


def _copy(version: int | None) -> bool:
    """Return True if this version is of no chip that is known to be good."""
    known = version is None or version in NO_ANSWER
    return not known and VERSIONS.get(version or 0, "counterfeit") == "counterfeit"


def _track(
    grave: Grave, spaces: tuple[int, ...], what: Sentence, cause: Sentence, *tries: Sentence
) -> Finding:
    return Finding("track", grave, spaces, what, cause, tries)


# --- the other parts -----------------------------------------------------------------------------


def _of_pad(pad: PadHealth, pi: PiHealth | None) -> Iterator[Finding]:
    if pad.kind == "other":
        yield from _of_other(pad)
        return
    if pad.unread is not None:
        yield Finding("pad", "ill", (), say.TYPED_UNREAD, pad.unread, (say.TYPED_AGAIN, say.TYPED_FORMAT))
    if pad.fault is not None:
        yield _reader(pad, pad.fault)
        return
    if pad.state != "ok":
        yield _pad_gone(pad, pi or PiHealth())
        return
    if _copy(pad.version):
        copy = Sentence(say.PAD_COPY, {"version": f"{pad.version:02X}"})
        yield Finding("pad", "hint", (), copy, say.COPIES_WHY, (say.PAD_COPY_TRY,))
    if pad.restarts >= PAD_RESTARTS:
        restarts = Sentence(say.PAD_RESTARTS, {"count": pad.restarts})
        yield Finding("pad", "ill", (), restarts, say.PAD_RESTARTS_WHY, (say.PAD_RESTARTS_TRY,))
    if pad.misses >= PAD_MISSES and pad.misses > PAD_MISSED * pad.polls:
        yield Finding("pad", "ill", (), say.PAD_MISSED, say.PAD_MISSED_WHY, (say.PAD_MISSED_TRY,))


def _of_other(pad: PadHealth) -> Iterator[Finding]:
    """Yield findings of a plug-in's reader, of which only its own report is known."""
    if pad.state != "ok":
        what = Sentence(say.OTHER_GONE, {"device": pad.device})
        yield Finding("pad", "dead", (), what, pad.why or say.OTHER_WHY, (say.OTHER_PAPER, say.OTHER_LIST))


def _pad_gone(pad: PadHealth, pi: PiHealth) -> Finding:
    """Return why the pad does not work: the Pi's report on its bus comes first, then the library, then the
    chip.
    """

    def says(what: Sentence, cause: Sentence, *tries: Sentence) -> Finding:
        return Finding("pad", "dead", (), what, cause, tries)

    if pad.why == card_pad.NO_PI:
        return says(say.PAD_NO_LIBRARY, say.NO_PI_WHY, say.NO_PI_MOCK, say.NO_PI_MOVE)
    library, new = pad.library or "", "Raspberry Pi 5" in (pi.model or "")
    if pi.spi == "off":
        return says(say.PAD_NOT_FOUND, say.PAD_NO_SPI, say.PAD_SPI_ON)
    if pad.why == card_pad.BUSY:
        return says(say.PAD_TAKEN, say.PAD_TAKEN_WHY, say.USB_TAKEN_END)
    if pi.spi == "no leave" or (pad.why is not None and pad.why.text == card_pad.NO_PINS):
        return says(say.PAD_NO_LEAVE, say.PAD_NO_LEAVE_WHY, say.PAD_GROUPS)
    if new and (
        library.startswith("RPi.GPIO") or (pad.why is not None and pad.why.text == card_pad.WRONG_LIBRARY)
    ):
        return says(say.PAD_NO_LIBRARY, say.PAD_WRONG_LIBRARY, say.PAD_RPI_LGPIO)
    if not library and pad.why != card_pad.SILENT:  # modelled pins need none, and a chip may be silent there
        return says(
            say.PAD_NO_LIBRARY, pad.why or say.PAD_NO_LIBRARY_WHY, say.PAD_SETUP, say.PAD_WITHOUT_SETUP
        )
    return says(say.PAD_SILENT, say.PAD_SILENT_WHY, say.PAD_WIRES, say.PAD_MEASURE, say.PAD_SWAP)


def _reader(pad: PadHealth, fault: PadFault) -> Finding:
    """Return the finding about a reader on USB."""
    grave: Grave = "hint" if pad.state == "ok" else "dead"
    what, cause, *tries = (_of_pcsc if pad.kind == "pcsc" else _of_usb)(pad, fault)
    return Finding("pad", grave, (), what, cause, tuple(tries))


def _of_usb(pad: PadHealth, fault: PadFault) -> tuple[Sentence, ...]:
    """Return symptom, likely cause and advice for a reader that types."""
    found = {"found": ", ".join(pad.found)}
    match fault:
        case "unsure":
            unsure = pad.chosen or Sentence(say.USB_UNSURE_WHY, found)
            return say.USB_UNSURE, unsure, say.USB_UNSURE_HOLD, say.USB_NAME
        case "no leave":
            return say.USB_NO_LEAVE, say.USB_NO_LEAVE_WHY, say.USB_GROUP
        case "taken":
            return say.USB_TAKEN, say.USB_TAKEN_WHY, say.USB_TAKEN_END
        case "no library":
            return say.USB_LIBRARY, say.USB_LIBRARY_WHY, say.USB_LIBRARY_APT, say.USB_LIBRARY_TABLET
    if pad.named:
        return say.USB_ABSENT, _not_named(pad), say.USB_PLUG, say.USB_NAME
    return say.USB_ABSENT, say.USB_ABSENT_WHY, say.USB_PLUG, say.USB_ABSENT_TABLET, say.USB_ABSENT_OTHER


def _of_pcsc(pad: PadHealth, fault: PadFault) -> tuple[Sentence, ...]:
    """Return symptom, likely cause and advice for a reader of PC/SC."""
    match fault:
        case "several":
            several = Sentence(say.USB_SEVERAL_WHY, {"found": ", ".join(pad.found)})
            return say.PCSC_SEVERAL, several, say.PCSC_NAME, say.USB_SEVERAL_UNPLUG
        case "no leave":
            return say.PCSC_NO_LEAVE, say.PCSC_NO_LEAVE_WHY, say.PCSC_POLKIT
        case "taken":
            return say.PCSC_TAKEN, say.PCSC_TAKEN_WHY, say.USB_TAKEN_END
        case "no library":
            return say.PCSC_LIBRARY, say.PCSC_LIBRARY_WHY, say.PCSC_LIBRARY_APT
        case "no service":
            return say.PCSC_NO_SERVICE, say.PCSC_NO_SERVICE_WHY, say.PCSC_SERVICE
    if pad.named:
        return say.PCSC_ABSENT, _not_named(pad), say.USB_PLUG, say.PCSC_NAME
    return say.PCSC_ABSENT, say.PCSC_ABSENT_WHY, say.USB_PLUG, say.PCSC_KERNEL, say.PCSC_OTHER


def _not_named(pad: PadHealth) -> Sentence:
    return Sentence(say.USB_NOT_NAMED, {"found": ", ".join(pad.found)}) if pad.found else say.USB_NONE


def _of_panel(panel: PartIs) -> Iterator[Finding]:
    if panel.state == "ok":
        return
    cause = panel.why or say.PANEL_WHY
    tries: tuple[Sentence, ...] = say.PANEL_OTHER, say.PANEL_GROUP
    if panel.why == button_panel.BUSY:
        tries = (say.PANEL_OTHER,)
    if panel.why == button_panel.NO_PI:
        cause, tries = say.NO_PI_WHY, (say.NO_PI_MOCK, say.NO_PI_MOVE)
    yield Finding("panel", "dead", (), say.PANEL_GONE, cause, tries)


def _of_plugin(plugin: Plugin[Any], why: Sentence) -> Finding:
    values = {"name": plugin.name, "package": plugin.distribution, "version": plugin.version}
    what = Sentence(say.PLUGIN_BROKEN, values)
    tries = Sentence(say.PLUGIN_OTHER, values), say.PLUGIN_LIST, Sentence(say.PLUGIN_AWAY, values)
    return Finding("plug-in", "ill", (), what, why, tries)


def _of_pi(pi: PiHealth) -> Iterator[Finding]:
    if pi.undervoltage:
        yield Finding("pi", "ill", (), say.PI_LOW, say.PI_LOW_WHY, (say.PI_SUPPLY, say.PI_UNLOAD))
    elif pi.undervoltage_since_start:
        yield Finding("pi", "ill", (), say.PI_WAS_LOW, say.PI_LOW_WHY, (say.PI_SUPPLY, say.PI_UNLOAD))
    if pi.celsius is not None and pi.celsius >= HOT_PI:
        hot = Sentence(say.PI_HOT, {"degrees": round(pi.celsius)})
        yield Finding("pi", "ill", (), hot, say.PI_HOT_WHY, (say.PI_COOL,))


CLOCKS: Final[Mapping[ClockState, Finding]] = {
    "unset": Finding(
        "clock", "ill", (), say.CLOCK_UNSET, say.CLOCK_UNSET_WHY, (say.CLOCK_NETWORK, say.CLOCK_BATTERY)
    ),
    "late": Finding(
        "clock", "ill", (), say.CLOCK_LATE, say.CLOCK_LATE_WHY, (say.CLOCK_NETWORK, say.CLOCK_SET)
    ),
}


# --- how spaces are said -------------------------------------------------------------------------


def _of(what: tuple[str, str], spaces: tuple[int, ...]) -> Sentence:
    """Return the symptom for one space or several."""
    return Sentence(what[len(spaces) > 1], {"numbers": _numbers(spaces)})


def _numbers(spaces: tuple[int, ...]) -> str | Sentence:
    """Return the spaces as people say them: `8 to 15`, `3, 5, 9–12`."""
    if len(spaces) > 2 and spaces[-1] - spaces[0] == len(spaces) - 1:
        return Sentence(say.FROM_TO, {"first": spaces[0], "last": spaces[-1]})
    return ranges(spaces)
