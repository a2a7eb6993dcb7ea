"""The files made of the net lists are those in the repository."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hardware import bom, files, parts, power, sources, tables, tiers
from hardware.board import page
from hardware.board.designs import DESIGNS
from hardware.circuit import retyped
from hardware.drawing import sheets


def test_files_are_up_to_date() -> None:
    """If not: python -m hardware."""
    assert files.stale() == []


@pytest.mark.long
def test_check_is_content() -> None:
    """Check is content.

    Only here: `python -m hardware --check` that fails although every file is right.
    """
    done = subprocess.run(
        [sys.executable, "-m", "hardware", "--check"], cwd=files.HOME, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


DERIVED = {
    "wiring.md": "U11 pin 15",
    "hardware/bom.csv": "SN74HC138N",
    "hardware/cables.md": "SDA 21",
    "hardware/power.md": "73.5",
    "hardware/sources.md": "SCLS132C",
    "hardware/fit.md": "**passes**",
    "hardware/parcel.md": "ED16DT",
    **{name: "Quantity" for name in files.DERIVED if name.startswith("hardware/parcels/")},
    "docs/board.md": "SN74HC138N",
    **{f"hardware/board/{name}.kicad_pcb": "generator" for name in DESIGNS},
    **{f"hardware/board/{name}.kicad_pro": "min_clearance" for name in DESIGNS},
    **{f"hardware/board/{name}.kicad_dru": "the supply is wide" for name in DESIGNS},
    "hardware/drawings/pad.svg": "PAD SCK",
}


@pytest.mark.long
@pytest.mark.parametrize(("name", "word"), DERIVED.items())
def test_a_differing_file_is_named_and_made_anew(name: str, word: str, tmp_path: Path) -> None:
    """A differing file is named and made anew.

    Only here: a kind of generated file that is not compared.
    """
    for each in files.DERIVED:
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(files.HOME / each, tmp_path / each)
    text = (tmp_path / name).read_text("utf-8")
    (tmp_path / name).write_text(text.replace(word, "typed by hand"), "utf-8")
    assert DERIVED.keys() | sheets.MADE.keys() == files.DERIVED.keys()
    assert files.stale(tmp_path) == [name]
    assert files.write(tmp_path) == [name]
    assert (tmp_path / name).read_text("utf-8") == text


def test_every_table_is_in_the_text() -> None:
    """Every table that is made is used in a text."""
    for paper, made in (("wiring.md", tables.TABLES), ("docs/board.md", page.TABLES)):
        text = (files.HOME / paper).read_text(encoding="utf-8")
        for name in made:
            assert text.count(f"<!-- table {name} -->") == 1


def test_every_wire_is_in_its_list() -> None:
    """A line a net, and every pin of it, one by one, in the list of the pad."""
    for circuit in (tiers.pad(), tiers.panel(), tiers.reader_track(9), tiers.presence_track(9)):
        lines = tables.cables(circuit).splitlines()[2:]
        assert [line.split(" | ")[0].removeprefix("| ") for line in lines] == list(circuit.nets)
    text = tables.cables(tiers.pad())
    for ref, number in tiers.pad().net_of:
        assert ref in text
        assert f"pin {number} " in text


def test_every_figure_names_its_source() -> None:
    """The table has each part with separate levels or current, in any tier, and each maker's number."""
    text = sources.page()
    for circuit in (*bom.TIERS.values(), *bom.MONITORED.values()):
        for part in circuit.parts.values():
            for figure in (part.type.logic, part.type.draw):
                assert figure is None or figure.source in text
    assert all(f"| {article.number} |" in text for article in bom.ARTICLES.values())


def test_parts_by_hand() -> None:
    """Counted by hand from wiring.md: decoders, multiplexers, buffers, readers, resistors, switches."""
    rows = {(row.part, row.use): row.counts for row in bom.rows()}
    hand = {
        "MFRC522 board": {"pad": 1, "strip of 3": 3, "track of 22": 22, "track of 40": 40},
        "74HC138": {"strip of 3": 2, "track of 22": 4, "track of 40": 6},
        "74HC251": {"strip of 3": 1, "track of 22": 3, "track of 40": 5},
        "74HC244": {"strip of 3": 1, "track of 22": 3, "track of 40": 5},
        "74HC165": {"switches 22": 3, "switches 40": 5},
        "DRV5032FA": {"switches 22": 22, "switches 40": 40},
        "resistor 100 Ω": {"panel": 2, "strip of 3": 12, "track of 22": 56, "track of 40": 98},
        "buck 3.3 V": {"strip of 3": 1, "track of 22": 1, "track of 40": 2},
    }
    for part, counts in hand.items():
        assert {tier: n for tier, n in rows[part, ""].items() if n} == counts


def test_totals_add_up() -> None:
    """The last line of the list is the sum of its own lines."""
    *lines, last = csv.DictReader(io.StringIO(bom.table()))
    left_out = ("current monitor, optional", "all, once")
    for tier in (*bom.TIERS, ", ".join(bom.TOGETHER)):
        counted = [line for line in lines if line["for"] not in left_out and line["euro each"]]
        assert float(last[tier]) == round(sum(int(line[tier]) * float(line["euro each"]) for line in counted))


def test_a_part_without_a_shop_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = retyped(tiers.pad(), "C1", parts.SHUNT)
    monkeypatch.setattr(bom, "TIERS", {**bom.TIERS, "pad": odd})
    with pytest.raises(KeyError, match="nothing to buy for"):
        bom.rows()


def test_the_budget_is_that_of_the_wiring() -> None:
    """wiring.md's figures for the readers alone: 22 and 40, two fields on; all that the firmware allows is more."""
    text = (files.HOME / "wiring.md").read_text(encoding="utf-8")
    for readers, stated in power.STATED.items():
        assert tuple(round(ma) for ma in power.readers_alone(readers)) == stated
        assert all(f"{ma}" in text for ma in stated)
        circuit = tiers.reader_track(readers, monitor=True)
        rails = sorted(
            {f"3V3 TRACK {1 + group // tiers.GROUPS_A_BUCK}" for group in range(-(-readers // tiers.GROUP))}
        )
        typical, most, _ = power.total(power.lines(circuit, *rails))
        assert f"{typical:,.0f}" in text
        assert f"{most:,.0f}" in text
        assert most < 250 + 24 * readers
