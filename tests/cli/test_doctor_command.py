"""`companion doctor`: what it prints, as text and as JSON, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from companion.cli import main
from companion.cli.common import journal_in
from companion.devices.health import PadHealth
from companion.diagnostics.overview import Names, PartsView, hardware
from companion.diagnostics.report import report
from companion.message import Sentence
from companion.translate import Words
from tests.diagnostics.test_doctor import made
from tests.web.test_openapi import PAPER, errors


def doctor(data: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["doctor", "--data", str(data), *more], catch_exceptions=False)


def printed(looked: PartsView) -> str:
    """Return what a terminal of 100 columns shows."""
    console = Console(width=100)
    with console.capture() as shown:
        console.print(report(looked, Words.english()))
    return shown.get()


def test_modelled_hardware_is_fine_and_called_modelled(tmp_path: Path) -> None:
    """The real drivers look at it; status 0, every space, and that it is no real table."""
    ran = doctor(tmp_path, "--mock", "--seconds", "2")
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.startswith("MOCK hardware")
    assert "[21  ]" in ran.stdout
    assert "Everything that can be looked at works." in ran.stdout


def test_what_is_wrong_ends_with_1_as_json_too(tmp_path: Path) -> None:
    """A track that is not plugged in: the same values as at /api/hardware, for programs."""
    (tmp_path / "companion.toml").write_text(
        '[track]\nkind = "tag"\nspaces = 12\nport = "/dev/no-such-port"\n', encoding="utf-8"
    )
    ran = doctor(tmp_path, "--json", "--seconds", "1")
    assert ran.exit_code == 1
    looked = json.loads(ran.stdout)
    [found] = looked["findings"]
    assert found["what"] == "The track's port /dev/no-such-port is not there"
    assert looked["track"]["port"] == "/dev/no-such-port"
    assert looked["mock"] is False
    schema = PAPER["components"]["schemas"]["HardwareView"]
    for name, value in looked.items():
        assert errors(schema["properties"][name], value) == [], name


def test_on_a_machine_that_is_no_pi_the_doctor_says_so(tmp_path: Path) -> None:
    """It says what is true there and what can be done: no library would help."""
    (tmp_path / "companion.toml").write_text("pad = true\npanel = true\n", encoding="utf-8")
    ran = doctor(tmp_path, "--json", "--seconds", "1")
    pad, panel = json.loads(ran.stdout)["findings"]
    assert pad["cause"] == panel["cause"] == "This is no Raspberry Pi: it has no pins to connect anything to"
    assert "companion run --mock" in pad["try"][0]


def test_a_table_without_hardware_shows_how_to_name_it(tmp_path: Path) -> None:
    ran = doctor(tmp_path, "--seconds", "1")
    assert (ran.exit_code, ran.stdout) == (
        0,
        "this table has no hardware: name pad, panel and [track] in companion.toml\n",
    )


def test_a_running_companion_is_left_alone(tmp_path: Path) -> None:
    """It uses the hardware: the doctor says where to look instead, and touches nothing."""
    with journal_in(tmp_path):
        ran = doctor(tmp_path, "--mock")
    assert ran.exit_code == 1
    assert "look at its page /hardware instead" in ran.stderr
    assert ran.stdout == ""


def test_the_picture_shows_each_sensor_with_a_sign() -> None:
    """A sign does not rely on colour alone; eight to a row as they are wired, and the findings below."""
    track = made("22 readers; 8-15 group; 3 missed 100 times; 5 memory; 04A1 on 20").track
    text = printed(hardware(track, None, None, None, Names(Words.english(), {})))
    rows = text.splitlines()
    assert rows[0].strip() == "EN0 [ 0  ] [ 1  ] [ 2  ] [ 3o~] [ 4  ] [ 5 !] [ 6  ] [ 7  ]"
    assert rows[1].strip() == "EN1 [ 8 x] [ 9 x] [10 x] [11 x] [12 x] [13 x] [14 x] [15 x]"
    assert rows[2].strip() == "EN2 [16  ] [17  ] [18  ] [19  ] [20o ] [21  ]"
    assert "Spaces 8 to 15 answer nothing." in text
    assert "  1. Follow EN1 from pin 14" in text


def test_a_part_that_does_not_start_gives_its_own_reason() -> None:
    pad = PadHealth("tap", Sentence("the library {library} is missing", {"library": "spidev"}))
    text = printed(hardware(None, pad, None, None, Names(Words.english(), {})))
    assert "card pad  does not answer" in text
    assert "The card pad does not start." in text
    assert "Likely cause: The library spidev is missing." in text


@pytest.mark.parametrize("seconds", ["0", "601", "long", "nan"])
def test_a_look_that_cannot_be_is_misuse(seconds: str, tmp_path: Path) -> None:
    assert doctor(tmp_path, "--seconds", seconds).exit_code == 2
