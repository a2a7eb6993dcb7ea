"""A parcel has all that its tier is built of, and no price or number is left to guess."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from hardware import bom, files, parcel, parcel_page, tiers
from hardware.circuit import Circuit
from hardware.drawing import sheets


def counts(tier: str) -> dict[str, float]:
    """Return the count of each part of a parcel."""
    return {line.part: line.amount for line in parcel.parcel(tier)}


@pytest.mark.parametrize("tier", parcel.TIERS)
def test_every_line_can_be_bought(tier: str) -> None:
    """Each line has a number or a description, a substitute, a price and a seller; none is there twice; the
    CSV adds up to the price.
    """
    lines = parcel.parcel(tier)
    assert max(Counter(line.part for line in lines).values()) == 1
    for part, article, count in lines:
        assert article.number, part
        assert article.instead, part
        assert article.euro > 0, part
        assert count > 0, part
    rows = list(csv.DictReader(io.StringIO(parcel.basket(tier))))
    assert [row["Description"] for row in rows] == [line.part for line in lines]
    assert sum(float(row["Euro"]) for row in rows) == pytest.approx(parcel.euro(tier), abs=0.1)
    assert all(int(row["Quantity"]) > 0 for row in rows)


CIRCUITS: dict[str, Circuit] = {
    **{tier: bom.TIERS[tier] for tier in parcel.TIERS if tier in bom.TIERS},
    parcel.PRINTED: tiers.boarded_track(tiers.READERS),
}


@pytest.mark.parametrize("tier", parcel.TIERS)
def test_a_parcel_has_every_part_of_its_circuit_and_no_other(tier: str) -> None:
    """The parts of the net list are there, as many as the circuit has; every other line is one that the guide
    uses.
    """
    bought = counts(tier)
    circuit = {f"{name} {value}".strip(): n for (name, value), n in bom.counted(CIRCUITS[tier]).items()}
    assert {name: bought.get(name) for name in circuit} == circuit
    others = {row.part for row in bom.OTHERS if row.in_total}
    assert bought.keys() - circuit.keys() <= others | USED.keys()


GUIDES = ("wiring.md", "docs/board.md")
USED: dict[str, dict[str, str]] = {
    "DIL socket, 16 legs": {"wiring.md": "sockets for four chips", "docs/board.md": "Chips or their sockets"},
    "DIL socket, 20 legs": {
        "wiring.md": "of the 74HC244: 20 and 10",
        "docs/board.md": "Chips or their sockets",
    },
    "socket strip 1 × 20": {
        "wiring.md": "two socket strips",
        "docs/board.md": "two strips of the Pico",
    },
    "DC jack 5.5 × 2.1 mm": {"wiring.md": "the jack for the plug"},
    "DC jack with screws, 5.5 × 2.1 mm": {
        "wiring.md": "jack and buck",
        "docs/board.md": "wires of the jack to J11",
    },
    "perforated board 100 × 160 mm": {"wiring.md": "a perforated board"},
    "pin header 1 × 8, angled": {"wiring.md": "pins below each reader"},
    "crimp housing 1 × 8": {"wiring.md": "into a housing"},
    "crimp contact": {"wiring.md": "Crimp a contact to each"},
    "wire AWG26, metres": {"wiring.md": "Cut the wires"},
    "wire AWG22, metres": {"wiring.md": "ring of AWG22", "docs/board.md": "An AWG22 ring"},
    "jumper wire 20 cm": {"wiring.md": "jumper wires"},
    "heat-shrink, metres": {"wiring.md": "heat-shrink"},
    "spacer M3 × 10 with two screws": {"wiring.md": "spacers"},
    "filament, grams": {"wiring.md": "STL files"},
    "flat cable 10 wires, metres": {"docs/board.md": "of 10 wires"},
    "flat cable plug 2 × 5": {"docs/board.md": "press it in a vice"},
    "flat cable 16 wires, metres": {"docs/board.md": "flat cable of 16 wires"},
    "flat cable plug 2 × 8": {"docs/board.md": "press it in a vice"},
    "printed board of a group": {"wiring.md": "a group's board", "docs/board.md": "The board of a group"},
    "printed board of the Pico": {"wiring.md": "the Pico's board", "docs/board.md": "The board of the Pico"},
    "printed carrier of a reader": {"wiring.md": "a carrier", "docs/board.md": "The carrier of a reader"},
}
"""Where the guides use each part that no net list has: words of the step."""


def test_every_listed_part_is_used_in_the_guide() -> None:
    """Each part that no net list has is in a step of wiring.md or docs/board.md, and each of these is in a parcel."""
    texts = {name: " ".join((files.HOME / name).read_text("utf-8").split()) for name in GUIDES}
    for part, places in USED.items():
        for guide, words in places.items():
            assert words in texts[guide], f"{part}: {guide} does not say {words!r}"
    listed = {line.part for tier in parcel.TIERS for line in parcel.parcel(tier)}
    assert USED.keys() <= listed
    assert parcel.EXTRA.keys() == USED.keys()


@pytest.mark.parametrize("tier", parcel.TIERS)
def test_every_price_is_dated_and_called_an_estimate(tier: str) -> None:
    """Each line of a parcel's file has a count, a price, the day of the estimate and a substitute; the page says
    that nothing was looked up.
    """
    for row in csv.DictReader(io.StringIO(parcel.basket(tier))):
        assert int(row["Quantity"]) > 0
        assert float(row["Euro each"]) > 0
        assert date.fromisoformat(row["Estimated"]) <= date.fromisoformat("2027-12-31")
        assert row["Substitute"], row["Description"]
        assert row["Part Number"], row["Description"]
    page = parcel_page.page()
    assert "No price here was looked up in a shop." in page
    assert bom.ESTIMATED in page


@pytest.mark.parametrize("tier", ["pad", "panel", "strip of 3", "switches 22", "track of 22"])
def test_every_part_of_a_circuit_is_on_its_drawings(tier: str) -> None:
    """A builder who goes by the drawings meets each part of the net list: drawn, or named with those drawn alike."""
    drawn = {
        "pad": "pad",
        "panel": "panel",
        "strip of 3": "strip",
        "switches 22": "presence",
        "track of 22": "track",
    }
    names = [name for name in sheets.MADE if Path(name).name.startswith(drawn[tier])]
    text = " ".join((files.HOME / name).read_text("utf-8") for name in names)
    text += (files.HOME / "hardware/cables.md").read_text("utf-8")
    kinds = {part.ref.rstrip("0123456789") for part in bom.TIERS[tier].parts.values()}
    for part in bom.TIERS[tier].parts.values():
        number = int(part.ref[len(part.ref.rstrip("0123456789")) :])
        assert re.search(rf"\b{part.ref}\b", text) or _in_a_run(part.ref, number, kinds, text), part.ref


def _in_a_run(ref: str, number: int, kinds: set[str], text: str) -> bool:
    """Return whether a text names a row of parts with this one in it, as in `R100–R107`."""
    kind = ref.rstrip("0123456789")
    runs = re.findall(rf"\b{kind}(\d+)(?:–| to ){kind}(\d+)\b", text)
    return kind in kinds and any(int(first) <= number <= int(last) for first, last in runs)


def test_what_no_net_list_has_follows_from_the_track() -> None:
    """A socket for each chip, a jack for the plug, a plug and seven wires for each reader; none is too long."""
    track = counts("track of 22")
    chips = [part for part in tiers.reader_track().parts.values() if part.type.name.startswith("74HC")]
    assert track["DIL socket, 16 legs"] + track["DIL socket, 20 legs"] == len(chips) == 10
    assert track["DC jack 5.5 × 2.1 mm"] == 1
    assert track["crimp housing 1 × 8"] == track["pin header 1 × 8, angled"] == tiers.READERS
    lengths = parcel.wire_lengths(tiers.READERS)
    assert sum(lengths.values()) == 154
    assert max(lengths) <= 60  # the longest that docs/signals.md computes
    assert track["wire AWG26, metres"] >= sum(cm * n for cm, n in lengths.items()) / 100


def test_a_track_of_printed_boards_needs_no_other_board_and_no_single_wires() -> None:
    """Each cable has a plug at both ends, each plug a box to go into; nothing of perforated board is left."""
    track = counts(parcel.PRINTED)
    assert parcel.cables() == 22 + 3
    assert track["flat cable plug 2 × 5"] == track["box header 2 × 5"] == 2 * 22
    assert track["flat cable plug 2 × 8"] == track["box header 2 × 8"] == 2 * 3
    assert not {"perforated board 100 × 160 mm", "crimp contact", "wire AWG26, metres"} & track.keys()
    for name, least in {"printed board of a group": 3, "printed board of the Pico": 1}.items():
        assert track[name] >= least
    assert track["printed carrier of a reader"] >= 22
    metres = sum(cm * n for cm, n in parcel.wire_lengths(22).items()) / parcel.READER_WIRES / 100
    assert track["flat cable 10 wires, metres"] >= metres


def test_filament_is_that_of_the_models() -> None:
    """More tiles take more, and a part weighs no more than if it were solid."""
    tile, solid = parcel.grams({"reader-straight": 1}), 45.2 * parcel.PLA
    assert solid / 4 < tile < solid
    assert parcel.grams(parcel.tiles("reader")) > 20 * tile


def test_stickers_are_counted_by_the_game() -> None:
    """A sticker for each card and piece of each box: 84 of Greyhounds, 191 of all."""
    assert parcel.stickers()["Greyhounds"][0] == 84
    assert sum(tags for tags, _ in parcel.stickers().values()) == 191
