"""The page of all parcels, and what a game needs of stickers, bases and magnets: hardware/parcel.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hardware import bom, tiers
from hardware.bom import ESTIMATED
from hardware.parcel import READER_WIRES, TIERS, cables, euro, grams, parcel, slug, stickers, wire_lengths
from hardware.tables import markdown

HEAD: Final = """# Parcels

All that each tier needs but the Pi, tools, solder and hot glue. Made by `python -m hardware` from the net
lists, the STL files and the track's sizes. Each list is a CSV file too, with quantity and part number first,
as baskets of distributors take it.

**No price here was looked up in a shop.** They are estimates from memory of {when}, in euro with tax, for
single pieces; so are the makers' numbers. Compare both before you order: a parcel may cost a third more or
less.
"""
WIRES: Final = """## From the readers to the boards

Each reader has seven wires of one length to the board of its group, which is next to the middle of its
readers. With printed boards, one flat cable of that length takes their place: {cables} cables in all, with
those to the Pico, for {wires} wires. Wires: AWG26; AWG24 for 3.3 V and GND if you have it.
"""
GAMES: Final = """## Stickers, bases and magnets

By the game: a sticker in each card and piece (NTAG213, 25 mm), and a base for each piece. A presence track
has a magnet in each piece instead, in its own base.
"""


def page() -> str:
    """Return the page."""
    return "\n\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield HEAD.format(when=ESTIMATED).strip()
    for tier in TIERS:
        yield f"## {tier[0].upper()}{tier[1:]}: {euro(tier):.0f} €"
        yield f"[As CSV](parcels/{slug(tier)}.csv)."
        yield _table(tier)
    all_wires = sum(wire_lengths(tiers.READERS).values())
    yield WIRES.format(cables=cables(), wires=all_wires).strip()
    lengths = sorted(wire_lengths(tiers.READERS).items())
    yield markdown(("length", "readers", "wires"), [(f"{cm} cm", n // READER_WIRES, n) for cm, n in lengths])
    yield GAMES.strip()
    yield from _games()


def _table(tier: str) -> str:
    head = ("part", "number", "count", "€ each", "€", "instead", "note")
    rows = []
    for part, article, count in parcel(tier):
        each = (f"{count:.4g}", f"{article.euro:g}", f"{count * article.euro:.2f}")
        rows.append((part, article.number, *each, article.instead, article.note))
    return markdown(head, rows)


def _games() -> Iterator[str]:
    base = grams({"base-foot": 1, "base-cover": 1})
    other = grams({"magnet-foot": 1, "magnet-cover": 1})
    sticker, disc = (
        next(row.article for row in bom.OTHERS if row.part.startswith(name)) for name in ("NTAG213", "magnet")
    )
    rows = []
    for title, (tags, pieces) in stickers().items():
        magnets = f"{pieces}: {pieces * disc.euro:.2f} €, {pieces * other:.0f} g"
        rows.append(
            (title, tags, f"{tags * sticker.euro:.2f} €", f"{pieces}: {pieces * base:.0f} g", magnets)
        )
    yield markdown(("game", "stickers", "their price", "bases", "or magnets and their bases"), rows)
    together = sum(tags for tags, _ in stickers().values())
    yield f"All games together: {together} stickers, {together * sticker.euro:.2f} €."
