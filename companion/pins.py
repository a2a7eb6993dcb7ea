"""The Raspberry Pi's pins, by BCM number. The Pico's are in firmware/pins.py; hardware/ reads both.

CE1 (GPIO 7) is claimed by SPI0 as well; GPIO 3 is left for a shutdown button.
Parts and resistors of each pin: wiring.md.
"""

from __future__ import annotations

from typing import Final

PI_PINS: Final[dict[str, int]] = {
    "pad_reset": 25,
    "confirm": 5,
    "undo": 6,
    "next": 26,
    "lamp_red": 17,
    "lamp_green": 27,
    "lamp_blue": 22,
    "buzzer": 12,
}

# SPI0, fixed by the Pi: select, clock, data out, data in
SPI0_PINS: Final[dict[str, int]] = {"ce0": 8, "sclk": 11, "mosi": 10, "miso": 9}
