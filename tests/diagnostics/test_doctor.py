"""What the doctor says of each symptom: a table that a player can read (tests/cases/doctor.txt).

A line that is not indented is the state of the parts; below it stands what the doctor says, worst first. The
words of a symptom are those of `made` below; `python -m tests.diagnostics.test_doctor` prints the table as it would be now.
"""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.devices import pad as card_pad
from companion.devices import panel as button_panel
from companion.devices.health import PadHealth, SensorHealth, TrackHealth
from companion.devices.pi_health import Pi, PiHealth
from companion.devices.readings import PartIs, PartState
from companion.devices.usb import UsbPad
from companion.diagnostics.doctor import Finding, findings, wiring
from companion.message import Sentence
from companion.plugins import Plugin
from companion.settings import PadKind
from companion.store.dates import ClockState
from companion.translate import Words
from tests.support.client import PATIENCE_S
from tests.support.source import parsed

TABLE = Path(__file__).parents[1] / "cases" / "doctor.txt"


class PartsState(NamedTuple):
    """The state of the parts: a track with nothing wrong, until a symptom says otherwise."""

    track: TrackHealth | None = None
    pad: PadHealth | None = None
    panel: PartIs | None = None
    pi: PiHealth | None = None
    plugins: tuple[Plugin[object], ...] = ()
    clock: ClockState = "set"


WELL = TrackHealth("ok", wire="ok", power="on", sweep_ms=70, celsius=31.0, volts=3.29, started_by="power")
RULES: list[tuple[str, Callable[..., PartsState]]] = []


def symptom(pattern: str) -> Callable[[Callable[..., PartsState]], Callable[..., PartsState]]:
    def known(change: Callable[..., PartsState]) -> Callable[..., PartsState]:
        RULES.append((pattern, change))
        return change

    return known


def numbers(text: str) -> set[int]:
    """Return `3, 8-15` as a set."""
    found: set[int] = set()
    for one in text.split(","):
        first, _, last = one.strip().partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def with_track(known: PartsState, **values: Any) -> PartsState:
    assert known.track is not None
    return known._replace(track=known.track._replace(**values))


def with_sensors(known: PartsState, which: str, **values: Any) -> PartsState:
    assert known.track is not None
    wanted = numbers(which)
    sensors = (s._replace(**values) if s.space in wanted else s for s in known.track.sensors)
    return with_track(known, sensors=tuple(sensors))


@symptom(r"(\d+) readers")
def _readers(known: PartsState, count: str) -> PartsState:
    sensors = tuple(
        SensorHealth(n, "tag", version=0x92, step_ma=60, lies=frozenset()) for n in range(int(count))
    )
    return known._replace(track=WELL._replace(sensors=sensors))


@symptom(r"(\d+) switches")
def _switches(known: PartsState, count: str) -> PartsState:
    sensors = tuple(SensorHealth(n, "present", changed=5.0, lies=False) for n in range(int(count)))
    return known._replace(track=WELL._replace(sensors=sensors))


@symptom(r"([\d, -]+) (silent|group|memory|field|weak|chain)")
def _fault(known: PartsState, which: str, fault: str) -> PartsState:
    return with_sensors(known, which, fault=fault)


@symptom(r"([\d, -]+) version (\w\w)")
def _version(known: PartsState, which: str, version: str) -> PartsState:
    return with_sensors(known, which, version=int(version, 16))


@symptom(r"([\d, -]+) missed (\d+) times")
def _missed(known: PartsState, which: str, count: str) -> PartsState:
    return with_sensors(known, which, misses=int(count), lies=frozenset({"04A1"}))


@symptom(r"([\d, -]+) (present|never changed)")
def _present(known: PartsState, which: str, what: str) -> PartsState:
    return with_sensors(known, which, **({"lies": True} if what == "present" else {"changed": None}))


@symptom(r"(\w+) on ([\d, ]+)")
def _on_reader(known: PartsState, tag: str, which: str) -> PartsState:
    """Return the state with the tag on one reader; if several read it, the firmware names them too."""
    spaces = frozenset(numbers(which))
    lying = with_sensors(known, str(min(spaces)), lies=frozenset({tag}))
    assert lying.track is not None
    return with_track(lying, shared={**lying.track.shared, tag: spaces}) if len(spaces) > 1 else lying


@symptom(r"clock (unset|late)")
def _clock(known: PartsState, state: ClockState) -> PartsState:
    return known._replace(clock=state)


@symptom(r"sweep (\d+) ms")
def _sweep(known: PartsState, ms: str) -> PartsState:
    return with_track(known, sweep_ms=int(ms))


@symptom(r"([\d.]+) V")
def _volts(known: PartsState, volts: str) -> PartsState:
    return with_track(known, volts=float(volts))


@symptom(r"power (off|over)")
def _power(known: PartsState, power: str) -> PartsState:
    return with_track(known, power=power)


@symptom(r"started by (\w+)")
def _started(known: PartsState, why: str) -> PartsState:
    return with_track(known, started_by=why)


@symptom(r"(\d+) of (\d+) lines hurt")
def _hurt(known: PartsState, hurt: str, lines: str) -> PartsState:
    return with_track(known, hurt=int(hurt), lines=int(lines))


@symptom(r"clone (\w+)")
def _clone(known: PartsState, tag: str) -> PartsState:
    return with_track(known, shared={tag: frozenset({3, 12})})


@symptom(r"Pico at (\d+) °C")
def _pico(known: PartsState, degrees: str) -> PartsState:
    return with_track(known, celsius=float(degrees))


@symptom(r"line (absent|silent|refused|no leave|taken)")
def _line(known: PartsState, wire: str) -> PartsState:
    return with_track(known, wire=wire, state="lost", port="/dev/ttyACM0")


@symptom(r"line no port(?:, there (.+))?")
def _no_port(known: PartsState, ports: str | None) -> PartsState:
    there = tuple(ports.split(", ")) if ports else ()
    return with_track(known, wire="no port", state="tap", port="/dev/ttyACM7", ports=there)


@symptom(r"pad (\w+)(?:, library ([\w. -]+))?")
def _pad(known: PartsState, state: Any, library: str | None) -> PartsState:
    return known._replace(pad=PadHealth(state, library=library, version=0x92 if state == "ok" else None))


@symptom(r"pad says (.+)")
def _pad_says(known: PartsState, why: str) -> PartsState:
    assert known.pad is not None
    if why == "no Pi":
        return known._replace(pad=known.pad._replace(why=card_pad.NO_PI))
    if why == "busy":
        return known._replace(pad=known.pad._replace(why=card_pad.BUSY))
    texts = {"the wrong library": card_pad.WRONG_LIBRARY, "no pins": card_pad.NO_PINS}
    text = texts.get(why, why)
    return known._replace(pad=known.pad._replace(why=Sentence(text, {"library": "RPi.GPIO"})))


@symptom(r"pad missed (\d+) of (\d+)")
def _pad_missed(known: PartsState, misses: str, polls: str) -> PartsState:
    assert known.pad is not None
    return known._replace(pad=known.pad._replace(misses=int(misses), polls=int(polls)))


@symptom(r"pad restarted (\d+) times")
def _pad_restarted(known: PartsState, count: str) -> PartsState:
    assert known.pad is not None
    return known._replace(pad=known.pad._replace(restarts=int(count)))


@symptom(r"pad version (\w\w)")
def _pad_version(known: PartsState, version: str) -> PartsState:
    assert known.pad is not None
    return known._replace(pad=known.pad._replace(version=int(version, 16)))


@symptom(
    r"(USB|PC/SC) reader (ok|tap|lost)"
    r"(?:, (absent|several|unsure|no leave|taken|no library|no service))?(?:, there (.+))?(?:, typed (.+))?"
)
def _on_usb(
    known: PartsState, of: str, state: Any, fault: Any, there: str | None, typed: str | None
) -> PartsState:
    kind: PadKind = "usb" if of == "USB" else "pcsc"
    found = tuple(there.split(", ")) if there else ()
    device = "HID 1234:5678 (ffff:0035)" if state == "ok" else None
    unread = None if typed is None else UsbPad().why_not(typed)
    pad = PadHealth(state, kind=kind, fault=fault, device=device, found=found, typed=typed, unread=unread)
    return known._replace(pad=pad)


@symptom("named in the settings")
def _named(known: PartsState) -> PartsState:
    assert known.pad is not None
    return known._replace(pad=known.pad._replace(named=True))


@symptom(r"panel (\w+)(?:, (no Pi|busy))?")
def _panel(known: PartsState, state: Any, why: str | None) -> PartsState:
    whys = {"no Pi": button_panel.NO_PI, "busy": button_panel.BUSY}
    return known._replace(panel=PartIs("panel", state, whys.get(why or "")))


@symptom(r"(Raspberry Pi [\w ]+?)(?:, SPI (ok|off|no leave))?")
def _model(known: PartsState, model: str, spi: Any) -> PartsState:
    return known._replace(pi=PiHealth(model, False, False, False, 52.0, spi or "ok"))


@symptom(r"undervoltage (now|earlier)")
def _undervoltage(known: PartsState, when: str) -> PartsState:
    assert known.pi is not None
    pi = known.pi._replace(undervoltage=when == "now", undervoltage_since_start=True)
    return known._replace(pi=pi)


@symptom(r"a plug-in's reader (ok|tap)(?:, (.+))?")
def _other(known: PartsState, state: PartState, why: str | None) -> PartsState:
    said = Sentence(why) if why else None
    return known._replace(pad=PadHealth(kind="other", device="lines", state=state, why=said))


@symptom(r"plug-in (\S+) of (\S+) (\S+): (.+)")
def _plugin(known: PartsState, name: str, package: str, version: str, why: str) -> PartsState:
    one: Plugin[object] = Plugin("companion.games", name, package, version, {}, Sentence(why))
    return known._replace(plugins=(*known.plugins, one))


@symptom(r"Pi at (\d+) °C")
def _hot(known: PartsState, degrees: str) -> PartsState:
    assert known.pi is not None
    return known._replace(pi=known.pi._replace(celsius=float(degrees)))


def made(symptoms: str) -> PartsState:
    """Return the state of the parts, from a line of the table."""
    known = PartsState()
    for one in symptoms.split(";"):
        for pattern, change in RULES:
            if match := re.fullmatch(pattern, one.strip()):
                known = change(known, *match.groups())
                break
        else:
            raise AssertionError(f"no such symptom: {one.strip()!r}")
    return known


def said(finding: Finding) -> Iterator[str]:
    words = Words.english()
    yield f"  {finding.part}, {finding.grave}: {words.text(finding.what)}"
    yield f"    because {words.text(finding.cause)}"
    for number, one in enumerate(finding.try_next, 1):
        yield f"    {number}. {words.text(one)}"


def answer(symptoms: str) -> list[str]:
    return [line for finding in findings(*made(symptoms)) for line in said(finding)] or ["  nothing"]


def cases() -> dict[str, list[str]]:
    """Return symptoms, and the lines below them."""
    found: dict[str, list[str]] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            found[list(found)[-1]].append(line)
        elif line and not line.startswith("#"):
            found[line] = []
    return found


@pytest.mark.parametrize("symptoms", cases())
def test_the_doctor_says_what_the_table_has(symptoms: str) -> None:
    """Symptom by symptom: what is seen, the likely cause, and what to try, in this order."""
    assert answer(symptoms) == cases()[symptoms]


def test_the_table_has_every_sentence_of_the_doctor() -> None:
    """Every sentence was read by a person: each one is in the table, with any numbers."""
    text = TABLE.read_text(encoding="utf-8")
    source = parsed(Path(wiring.__code__.co_filename).with_name("advice.py"))
    for node in ast.walk(source):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "N_":
            for form in node.args:
                words = ast.literal_eval(form)
                pattern = re.sub(r"\\{\w+\\}", ".+", re.escape(words))
                assert re.search(pattern, text), words


def test_a_fault_of_a_whole_group_is_one_finding() -> None:
    """For any group, and any number of readers, there is one finding, with its own wire."""
    for readers in (8, 13, 22, 40):
        for group in range((readers + 7) // 8):
            members = [n for n in range(readers) if n // 8 == group]
            if len(members) == readers:
                continue
            found = findings(made(f"{readers} readers; {members[0]}-{members[-1]} group").track)
            assert [finding.spaces for finding in found] == [tuple(members)]
            assert f"(EN{group}, master decoder pin {wiring(members[0]).master_pin})" in str(found[0].cause)


def test_every_single_silent_reader_is_named_with_its_pins() -> None:
    for space in range(40):
        [found] = findings(made(f"40 readers; {space} silent").track)
        at = wiring(space)
        assert found.spaces == (space,)
        assert f"pin {at.select_pin} of the 74HC138" in str(found.cause)
        assert f"pin {at.miso_pin} of the 74HC251" in str(found.cause)


# --- the Pi --------------------------------------------------------------------------------------


def a_pi(root: Path, **files: str) -> Pi:
    """Return a tree of files as a Pi has them."""
    paths = {
        "model": "proc/device-tree/model",
        "chip": "sys/class/hwmon/hwmon1/name",
        "alarm": "sys/class/hwmon/hwmon1/in0_lcrit_alarm",
        "throttled": "sys/devices/platform/soc/soc:firmware/get_throttled",
        "heat": "sys/class/thermal/thermal_zone0/temp",
        "spi": "dev/spidev0.0",
    }
    for name, text in ({"model": "Raspberry Pi 4 Model B Rev 1.4\0"} | files).items():
        path = root / paths[name]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Pi(root)


def test_a_pi_tells_voltage_and_heat(tmp_path: Path) -> None:
    """Both ways that the kernel has; what happened once stays known though the kernel forgets it."""
    pi = a_pi(tmp_path, chip="rpi_volt\n", alarm="0\n", heat="48312\n", spi="")
    health = PiHealth("Raspberry Pi 4 Model B Rev 1.4", False, False, None, 48.312, "ok")
    assert pi.health == health
    a_pi(tmp_path, alarm="1\n")
    assert pi.health == health._replace(undervoltage=True, undervoltage_since_start=True)
    a_pi(tmp_path, alarm="0\n")
    assert pi.health == health._replace(undervoltage_since_start=True)
    a_pi(tmp_path, throttled="50005\n")
    assert pi.health == health._replace(undervoltage=True, undervoltage_since_start=True, slowed=True)


def test_a_pi_that_tells_less_and_a_machine_that_is_none(tmp_path: Path) -> None:
    """A missing value is None, never false; no file is needed, and nonsense in one is no value."""
    assert a_pi(tmp_path / "bare").health == PiHealth("Raspberry Pi 4 Model B Rev 1.4", spi="off")
    odd = a_pi(tmp_path / "odd", chip="rpi_volt", throttled="?", heat="warm")
    assert odd.health == PiHealth("Raspberry Pi 4 Model B Rev 1.4", spi="off")
    since = a_pi(tmp_path / "since", throttled="10000").health
    assert since is not None
    assert (since.undervoltage, since.undervoltage_since_start) == (False, True)
    assert Pi(tmp_path / "nothing").health is None
    other = a_pi(tmp_path / "other", model="Some Other Board\0")
    other.start()  # and nothing watches there
    assert other.health is None
    other.stop()


def test_a_short_drop_is_seen_between_two_polls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It watches by itself: the kernel remembers a drop for two seconds only."""
    monkeypatch.setattr("companion.devices.pi_health.POLL_S", 0.01)
    pi = a_pi(tmp_path, chip="rpi_volt", alarm="1")
    pi._low = False
    pi.start()
    a_pi(tmp_path, alarm="0")
    end = time.monotonic() + PATIENCE_S
    while not pi._low:
        assert time.monotonic() < end
        time.sleep(0.01)  # the thread sends no message: there is no event to wait for
    pi.stop()
    health = pi.health
    assert health is not None
    assert (health.undervoltage, health.undervoltage_since_start) == (False, True)


if __name__ == "__main__":
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            print(line)
            if line and not line.startswith("#"):
                print("\n".join(answer(line)))
