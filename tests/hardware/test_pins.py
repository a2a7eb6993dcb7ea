"""The pin maps of the programs, by themselves: each pin once, and each able to do what it must."""

from __future__ import annotations

import json

from companion.devices.mock import emulation
from companion.diagnostics import doctor
from companion.firmware import pins as pico
from companion.pins import PI_PINS, SPI0_PINS
from hardware import files, tiers
from tools.micropython_releases import RELEASES


def test_no_pin_is_used_twice() -> None:
    """No pin is used twice on the Pi or on the Pico; CE1 and the shutdown button stay free."""
    pi = [*PI_PINS.values(), *SPI0_PINS.values(), 7, 3]
    assert len(pi) == len(set(pi))
    bus = (pico.STROBE, pico.SCK, pico.MOSI, pico.MISO, pico.RESET)
    row = (pico.SWITCH_DATA, pico.SWITCH_LOAD, pico.SWITCH_CLOCK)
    every = [*pico.ADDRESS, *bus, pico.TRACK_VOLTAGE, pico.TRACK_CURRENT, pico.SPARE, *row]
    assert len(every) == len(set(every))
    assert 2 ** len(pico.ADDRESS) >= pico.MOST_READERS


def test_pins_can_do_what_they_must() -> None:
    """SPI0 and SPI1 of the RP2040 and PWM0 of the Pi are on these pins only."""
    assert (pico.SWITCH_DATA in (8, 12), pico.SWITCH_CLOCK in (10, 14)) == (True, True)
    assert (pico.MISO % 4, pico.SCK % 4, pico.MOSI % 4) == (0, 2, 3)
    assert {pico.TRACK_VOLTAGE, pico.TRACK_CURRENT} <= {26, 27, 28}
    assert PI_PINS["buzzer"] in (12, 13, 18, 19)


def test_doctor_names_the_resistors_of_a_silent_reader() -> None:
    """The names that `companion doctor` says are those of the 100 Ω in SCK and MOSI of that very reader."""
    track = tiers.reader_track(tiers.MOST_READERS)
    for reader in range(tiers.MOST_READERS):
        for first, pin in ((doctor.SCK_RESISTORS, "SCK"), (doctor.MOSI_RESISTORS, "MOSI")):
            ref = f"R{first + reader}"
            assert track.parts[ref].value == "100 Ω"
            assert track.at(ref, 2) == track.at(f"RD{reader}", pin)


def test_the_guide_names_the_releases_that_were_tried() -> None:
    """wiring.md names the file of each board that it allows, the release of the emulated Pico, and the releases
    whose compilers and virtual machines tools/micropython_releases.py tries; docs/pico.md lists these.
    """
    guide, page = (
        " ".join((files.HOME / name).read_text(encoding="utf-8").split())
        for name in ("wiring.md", "docs/pico.md")
    )
    packages = json.loads((files.HOME / "tools/micropython/package.json").read_text(encoding="utf-8"))
    [machine] = packages["dependencies"].values()
    compilers, machines = zip(*RELEASES.values(), strict=True)
    assert machine in machines
    assert f"Tried: MicroPython {emulation.MICROPYTHON} for the Pico" in guide
    first, *_, last = RELEASES
    assert f"the compiler and the virtual machine of {first} to {last} on a PC" in guide
    assert ", ".join(version.partition(".post")[0] for version in compilers) in page
    for board in ("RPI_PICO", "RPI_PICO_W", "RPI_PICO2", "RPI_PICO2_W"):
        assert f"`{board}-` | <https://micropython.org/download/{board}/>" in guide
