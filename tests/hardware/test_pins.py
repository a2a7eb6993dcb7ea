"""The pin maps of the programs, by themselves: each pin once, and each able to do what it must."""

from __future__ import annotations

from companion.firmware import pins as pico
from companion.pins import PI_PINS, SPI0_PINS


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
