"""Write the pin tables of wiring.md from the pin maps that the programs use.

    python hardware/make_tables.py           writes them
    python hardware/make_tables.py --check   says whether they are up to date

A table stands between `<!-- table NAME -->` and `<!-- end -->`; what stands around it is written by hand.
"""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

HOME: Final = Path(__file__).resolve().parent.parent
WIRING: Final = HOME / "wiring.md"

PI: Final[dict[str, Any]] = runpy.run_path(str(HOME / "companion" / "pins.py"))
PICO: Final[dict[str, Any]] = runpy.run_path(str(HOME / "firmware" / "pins.py"))

# Pin numbers of the 40-pin header, by BCM number
PI_HEADER: Final = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10,
    16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
# Pin numbers of the Pico's board, by GP number
PICO_BOARD: Final = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19,
    15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip

LAMP: Final = "common-cathode LED; {} Ω in series"
PI_PARTS: Final = {
    "pad_reset": "reader RST",
    "confirm": "button to GND, 1 kΩ in series; internal pull-up",
    "undo": "button to GND, 1 kΩ in series; internal pull-up",
    "next": "button to GND, 1 kΩ in series; internal pull-up",
    "lamp_red": LAMP.format(330),
    "lamp_green": LAMP.format(100),
    "lamp_blue": LAMP.format(100),
    "buzzer": "passive piezo to GND, 220 Ω in series",
}
SPI0_PARTS: Final = {
    "ce0": "reader SDA (its chip select)",
    "sclk": "reader SCK",
    "mosi": "reader MOSI",
    "miso": "reader MISO",
}


def markdown(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """A table as Markdown writes it."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def pi_table() -> str:
    """The Pi's pins."""
    pins = {**PI["SPI0_PINS"], **PI["PI_PINS"]}
    rows = [(name, f"GPIO {n}", PI_HEADER[n], {**SPI0_PARTS, **PI_PARTS}[name]) for name, n in pins.items()]
    return markdown(("function", "BCM", "header pin", "goes to"), rows)


def pico_table() -> str:
    """The Pico's pins."""
    reader = "group's 74HC138 pin {}, 74HC251 pin {}; 100 Ω"
    rows = [
        (
            f"A{bit}",
            gp,
            reader.format(PICO["DECODER_ADDRESS_PINS"][bit], PICO["MULTIPLEXER_ADDRESS_PINS"][bit]),
        )
        for bit, gp in enumerate(PICO["ADDRESS"][:3])
    ]
    rows += [
        (f"A{bit + 3}", gp, f"master 74HC138 pin {PICO['MASTER_ADDRESS_PINS'][bit]}")
        for bit, gp in enumerate(PICO["ADDRESS"][3:])
    ]
    strobe, miso = PICO["MASTER_STROBE_PIN"], PICO["MULTIPLEXER_OUTPUT_PIN"]
    rows += [
        ("strobe", PICO["STROBE"], f"master 74HC138 pin {strobe} (G1); 4.7 kΩ to GND"),
        ("SCK", PICO["SCK"], "74HC244 inputs; 47 Ω"),
        ("MOSI", PICO["MOSI"], "74HC244 inputs; 47 Ω"),
        ("MISO", PICO["MISO"], f"every 74HC251 pin {miso}; 10 kΩ to the Pico's 3V3"),
        ("nRST", PICO["RESET"], "a 74HC244 gate a group; 4.7 kΩ to GND"),
        ("track voltage", PICO["TRACK_VOLTAGE"], "track 3.3 V through a divider by 2"),
        ("track current", PICO["TRACK_CURRENT"], "INA180A1 OUT; 100 kΩ to GND where it is not fitted"),
        ("switch data", PICO["SWITCH_DATA"], f"first 74HC165 pin {PICO['SWITCH_OUTPUT_PIN']}; 10 kΩ to 3V3"),
        ("switch load", PICO["SWITCH_LOAD"], f"every 74HC165 pin {PICO['SWITCH_LOAD_PIN']}"),
        ("switch clock", PICO["SWITCH_CLOCK"], f"every 74HC165 pin {PICO['SWITCH_CLOCK_PIN']}; 47 Ω"),
        ("spare", PICO["SPARE"], "kept for lights"),
    ]
    return markdown(
        ("signal", "GP", "board pin", "goes to"), [(s, gp, PICO_BOARD[gp], to) for s, gp, to in rows]
    )


def reader_table() -> str:
    """Where each reader hangs."""
    rows = []
    for reader in range(PICO["MOST_READERS"]):
        group, n = divmod(reader, PICO["GROUP"])
        enable = f"EN{group} (master pin {PICO['MASTER_OUTPUT_PINS'][group]})"
        rows.append(
            (reader, group, enable, PICO["DECODER_OUTPUT_PINS"][n], PICO["MULTIPLEXER_INPUT_PINS"][n])
        )
    head = ("reader", "group", "enabled by", "chip select: 74HC138 pin", "MISO: 74HC251 pin")
    return markdown(head, rows)


def switch_table() -> str:
    """Where each switch of a presence track hangs."""
    pins = PICO["SWITCH_INPUT_PINS"]
    rows = [(switch, switch // 8 + 1, pins[switch % 8]) for switch in range(PICO["MOST_SWITCHES"])]
    return markdown(("switch", "74HC165, counted from the Pico", "its pin"), rows)


TABLES: Final[dict[str, Callable[[], str]]] = {
    "pi": pi_table,
    "pico": pico_table,
    "readers": reader_table,
    "switches": switch_table,
}


def with_tables(text: str) -> str:
    """The text with every table as the pin maps have it; raises KeyError for a table nobody can make."""

    def made(found: re.Match[str]) -> str:
        return f"<!-- table {found[1]} -->\n\n{TABLES[found[1]]()}\n\n<!-- end -->"

    return re.sub(r"<!-- table (\w+) -->.*?<!-- end -->", made, text, flags=re.DOTALL)


def main() -> int:
    """Write wiring.md, or check it; the exit status."""
    text = WIRING.read_text(encoding="utf-8")
    new = with_tables(text)
    if "--check" in sys.argv[1:]:
        if text != new:
            print("wiring.md is not up to date: run python hardware/make_tables.py", file=sys.stderr)
        return int(text != new)
    WIRING.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
