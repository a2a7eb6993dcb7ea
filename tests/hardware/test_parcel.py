"""A parcel has all that its tier is built of, and no price or number is left to guess."""

from __future__ import annotations

import csv
import io
from collections import Counter

import pytest

from hardware import bom, parcel, tiers


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


@pytest.mark.parametrize("tier", ["pad", "panel", "strip of 3", "switches 22", "track of 22"])
def test_a_parcel_has_every_part_of_its_circuit(tier: str) -> None:
    """The parts of the net list are there, as many as the circuit has."""
    bought = counts(tier)
    for (name, value), count in bom.counted(bom.TIERS[tier]).items():
        assert bought[f"{name} {value}".strip()] == count


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


def test_printed_boards_bring_their_own_plugs() -> None:
    """Three boards have 24 headers for readers, a plug for the bus and a terminal each."""
    track = counts(parcel.PRINTED)
    assert (track["header 1 × 8"], track["box header 2 × 8"], track["screw terminal 2"]) == (24, 3, 3)
    assert track["flat cable plug 2 × 8"] == 6
    assert track["perforated board 100 × 160 mm"] < counts("track of 22")["perforated board 100 × 160 mm"] + 1


def test_filament_is_that_of_the_models() -> None:
    """More tiles take more, and a part weighs no more than if it were solid."""
    tile, solid = parcel.grams({"reader-straight": 1}), 45.2 * parcel.PLA
    assert solid / 4 < tile < solid
    assert parcel.grams(parcel.tiles("reader")) > 20 * tile


def test_stickers_are_counted_by_the_game() -> None:
    """A sticker for each card and piece of each box: 84 of Greyhounds, 191 of all."""
    assert parcel.stickers()["Greyhounds"][0] == 84
    assert sum(tags for tags, _ in parcel.stickers().values()) == 191
