"""The wiring on paper is the wiring in the programs."""

from __future__ import annotations

import csv
import runpy
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parents[2]
MADE: dict[str, Any] = runpy.run_path(str(HOME / "hardware" / "make_tables.py"))
PI: dict[str, Any] = runpy.run_path(str(HOME / "companion" / "pins.py"))
PICO: dict[str, Any] = runpy.run_path(str(HOME / "firmware" / "pins.py"))


def test_wiring_is_up_to_date() -> None:
    """wiring.md has the pins that the programs use; if not: python hardware/make_tables.py."""
    text = (HOME / "wiring.md").read_text(encoding="utf-8")
    assert MADE["with_tables"](text) == text


def test_every_table_is_in_the_text() -> None:
    """No table is made that nobody reads."""
    text = (HOME / "wiring.md").read_text(encoding="utf-8")
    for name in MADE["TABLES"]:
        assert f"<!-- table {name} -->" in text


def test_no_pin_is_used_twice() -> None:
    """Neither on the Pi nor on the Pico; CE1 and the shutdown button stay free."""
    pi = [*PI["PI_PINS"].values(), *PI["SPI0_PINS"].values(), 7, 3]
    assert len(pi) == len(set(pi))
    bus = ("STROBE", "SCK", "MOSI", "MISO", "RESET", "TRACK_VOLTAGE", "TRACK_CURRENT", "SPARE")
    single = (*bus, "SWITCH_DATA", "SWITCH_LOAD", "SWITCH_CLOCK")
    pico = [*PICO["ADDRESS"], *(PICO[name] for name in single)]
    assert len(pico) == len(set(pico))
    assert 2 ** len(PICO["ADDRESS"]) >= PICO["MOST_READERS"]


def test_pins_can_do_what_they_must() -> None:
    """SPI0 and SPI1 of the RP2040 and PWM0 of the Pi are on these pins only."""
    assert (PICO["SWITCH_DATA"] in (8, 12), PICO["SWITCH_CLOCK"] in (10, 14)) == (True, True)
    assert (PICO["MISO"] % 4, PICO["SCK"] % 4, PICO["MOSI"] % 4) == (0, 2, 3)
    assert {PICO["TRACK_VOLTAGE"], PICO["TRACK_CURRENT"]} <= {26, 27, 28}
    assert PI["PI_PINS"]["buzzer"] in (12, 13, 18, 19)


def test_enough_parts() -> None:
    """The list of parts has the decoders and multiplexers that the wiring needs."""
    with open(HOME / "hardware" / "bom.csv", encoding="utf-8", newline="") as file:
        rows = {(row["part"], row["for"]): row for row in csv.DictReader(file)}
    for readers, column in ((22, "track of 22"), (40, "track of 40")):
        groups = -(-readers // PICO["GROUP"])
        assert int(rows["MFRC522 reader board", "track"][column]) == readers
        assert int(rows["74HC138", "decoders"][column]) == groups + 1
        assert int(rows["74HC251", "MISO multiplexers"][column]) == groups
    for switches, column in ((22, "switches 22"), (40, "switches 40")):
        assert int(rows["hall switch", "presence track"][column]) == switches
        assert int(rows["74HC165", "presence track"][column]) == -(-switches // 8)
