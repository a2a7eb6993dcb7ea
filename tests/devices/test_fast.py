"""What stands as a number in fast.py, the machine code, is what pins.py and rc522.py say. CPython cannot import it."""

from __future__ import annotations

import ast

from companion.firmware import pins, rc522
from tests.support.devices.emulated import FIRMWARE
from tests.support.source import parsed

NUMBERS = {
    target.id: ast.literal_eval(node.value.args[0])
    for node in parsed(FIRMWARE / "fast.py").body
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
    for target in node.targets
    if isinstance(target, ast.Name)
}


def test_pins() -> None:
    """The address lines in one piece from the lowest bit up, the strobe; the readers' bus is SPI0."""
    first = pins.ADDRESS[0]
    assert tuple(range(first, first + len(pins.ADDRESS))) == pins.ADDRESS
    assert NUMBERS["_FIRST_LINE"] == first
    assert NUMBERS["_LINES"] == sum(1 << pin for pin in pins.ADDRESS)
    assert NUMBERS["_STROBE"] == 1 << pins.STROBE
    assert 1 << len(pins.ADDRESS) >= pins.MOST_READERS
    assert (pins.SPI, NUMBERS["_SPI0"]) == (0, 0x4003C000)


def test_registers() -> None:
    """Address bytes, bits and limits of the chip."""
    reads = {
        "COMMAND": "Command",
        "IRQ": "ComIrq",
        "ERROR": "Error",
        "FIFO": "FIFOData",
        "LEVEL": "FIFOLevel",
    }
    for name, register in reads.items():
        assert NUMBERS[f"_READ_{name}"] == 0x80 | getattr(rc522, f"{register}Reg") << 1, name
    assert NUMBERS["_RX"] == rc522.RX_IRQ
    assert NUMBERS["_DONE"] == rc522.RX_IRQ | rc522.TIMER_IRQ
    assert NUMBERS["_POWER_DOWN"] == rc522.POWER_DOWN
    assert NUMBERS["_LONGEST_WAIT"] == rc522.LONGEST_WAIT
    assert NUMBERS["_FIFO"] == rc522.FIFO
    assert NUMBERS["_NONE"] == rc522.NONE == rc522.ANY - 1
    assert (rc522.IRQ, rc522.ERROR, rc522.LEVEL, rc522.ANSWER) == (0, 1, 2, 3)  # written out in fast.py


def test_every_number_is_looked_at() -> None:
    """A new one needs its line above; the rest are the RP2040's own, which the emulated Pico proves."""
    chip = {"_SIO", "_SET", "_CLEAR", "_DATA", "_STATUS", "_TIMER", "_CAME"}
    ours = {"_FIRST_LINE", "_LINES", "_STROBE", "_SPI0", "_RX", "_DONE", "_POWER_DOWN", "_LONGEST_WAIT"}
    ours |= {"_FIFO", "_NONE", "_READ_COMMAND", "_READ_IRQ", "_READ_ERROR", "_READ_FIFO", "_READ_LEVEL"}
    assert set(NUMBERS) == chip | ours
