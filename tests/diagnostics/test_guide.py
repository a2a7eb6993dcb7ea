"""wiring.md in mock hardware: with each tier's settings `companion doctor` prints what the guide shows.

`python -m tests.diagnostics.test_guide` writes the present output into the guide. Figures, the port and the
board belong to a real track: they are not compared.

Only here: a line of `companion doctor` in wiring.md that the program no longer prints.
"""

from __future__ import annotations

import re
import tempfile
import textwrap
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.devices import usb
from companion.diagnostics import doctor as rules

pytestmark = pytest.mark.long

GUIDE: Final = Path(__file__).parents[2] / "wiring.md"
TEXT: Final = GUIDE.read_text("utf-8")
MOCK: Final = "MOCK hardware: this says nothing about real parts\n"
BOX: Final = r"<!-- doctor (\w+)(?:: (.*?))? -->\n\n```\n(.*?)```"
SETTINGS: Final = dict(re.findall(r"<!-- settings (\w+) -->\n\n```toml\n(.*?)```", TEXT, re.DOTALL))
COLUMNS: Final = 100


class Box(NamedTuple):
    """One box of the guide: its tier, the faults that are set, and the output that it shows."""

    tier: str
    faults: str
    shown: str


BOXES: Final = [Box(*found) for found in re.findall(BOX, TEXT, re.DOTALL)]


def doctor(tier: str, faults: str, data: Path) -> str:
    """Return what `companion doctor --mock` prints with a tier's settings, as the guide shows it."""
    (data / "companion.toml").write_text(SETTINGS[tier], "utf-8")
    command = ["doctor", "--mock", "--seconds", "2", "--data", str(data), *faults.split()]
    wide = {"COLUMNS": "1000", "LANG": "C.UTF-8"}
    ran = CliRunner().invoke(main, command, env=wide, catch_exceptions=False)
    assert ran.stdout.startswith(MOCK), ran.output
    lines = ran.stdout.removeprefix(MOCK).strip("\n").splitlines()
    return "\n".join(wrapped(line.rstrip()) for line in lines) + "\n"


def wrapped(line: str) -> str:
    line = re.sub(r"/dev/\S+?,", "/dev/ttyACM0,", line).replace("not a Pico", "Raspberry Pi Pico with RP2040")
    indent = " " * (len(line) - len(line.lstrip()))
    return (
        textwrap.fill(line, COLUMNS, subsequent_indent=indent or "  ", drop_whitespace=True) if line else ""
    )


def compared(text: str) -> str:
    """Return the text without the track's figures and without its line breaks."""
    without = re.sub(r", \d+\.\d+\.\d+, supply (\w+),.*?\n\n", r", supply \1\n\n", text, flags=re.DOTALL)
    return " ".join(without.split())


@pytest.fixture(autouse=True)
def as_on_a_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give evdev the version of Debian 12, and call no modelled Pico slow on a busy machine."""
    monkeypatch.setattr(usb, "with_version", "{} 1.6.1".format)
    monkeypatch.setattr(rules, "SLOW_MS", 10_000)


@pytest.mark.parametrize("box", BOXES, ids=[f"{box.tier} {box.faults}".strip() for box in BOXES])
def test_you_see_what_the_guide_says(box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "pulled-cable pad" in box.faults:
        monkeypatch.setattr(usb, "NODES", tmp_path)
    assert compared(doctor(box.tier, box.faults, tmp_path)) == compared(box.shown)


def test_each_tier_shows_what_is_seen_when_all_is_well() -> None:
    assert {box.tier for box in BOXES if not box.faults} == set(SETTINGS)


def test_each_fault_is_told_to_the_reader_too() -> None:
    """The guide names each fault, so that a reader can try it before buying a part."""
    for box in BOXES:
        assert not box.faults or f"{box.faults}`" in TEXT


if __name__ == "__main__":

    def anew(found: re.Match[str]) -> str:
        with tempfile.TemporaryDirectory() as data:
            said = doctor(found[1], found[2] or "", Path(data))
        return f"{found[0].split('```')[0]}```\n{said}```"

    pytest.MonkeyPatch().setattr(usb, "with_version", "{} 1.6.1".format)
    GUIDE.write_text(re.sub(BOX, anew, TEXT, flags=re.DOTALL), "utf-8")
