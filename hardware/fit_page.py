"""The page on what fits: magnets over switches, tags over coils, tiles and plugs, with computed figures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from companion.diagnostics.bench_tests import READS_UP_TO
from hardware import coils, magnets, neighbours, oval
from hardware.sizes import sizes
from hardware.tables import markdown

PAGE: Final = """# What fits

Made by `python -m hardware` from the sizes in `hardware/models/sizes.scad`, `hardware/magnets.py` and
`hardware/coils.py`; change a part or a tile, and the verdict changes. **Nothing was measured.** What rests on
an assumption is marked [assumed], with the [bench test](../wiring.md#what-the-bench-must-settle) that settles
it.

## A magnet over its hall switch

A piece may stand {switch_near:g} mm off the middle of its space; the dish has {play:g} mm of play. The
switch is {low:.1f} to {high:.1f} mm below the magnet: the roof of {switch_skin:g} mm less the dish, the floor
of the base, glue and the place of the sensor in its body [assumed]. A DRV5032FA closes at 4.8 mT at most and
opens at 0.5 mT in the worst case [data sheet]; magnets are of grades N35 to N45; a switch may be half a
millimetre off and 5° aslant [assumed].

{magnets}

- *Certain*: the weakest magnet closes the dullest switch from the middle so far, with the strongest ones in
  both neighbouring dishes.
- *Null*: there the field turns over. Farther out its other pole closes a keen switch again, up to *reach*.
- *Neighbours*: what two of them do to a switch between them; from 0.5 mT on it may stay closed.
- *Pull*: between two pieces whose bases touch; friction holds {grip:g} g [assumed].

Only the disc of {chosen} passes. A stronger magnet is no improvement. The bench test `hall` settles it.

**Two pieces on one space**, side by side with the switch between them, give it {pair:.1f} mT, less than it
needs. So one of them stands in the dish, the other outside of it; when that one is alone, it goes into the
dish.

## A tag over its reader's coil

Computed over boards with coils of {readers} mm, stickers of 25 mm whose coils
are {tags} mm wide, and {heights} mm from coil to sticker [assumed]. The middle of a dish is 1; the
next reader is {pitch:g} mm away.

{holds}

- **The null.** A small tag that is half outside of its coil gets as much field upwards as downwards, which is
  nothing. That is {null_low:.0f} mm off the middle when the coil is close, {null_high:.0f} mm when it is
  12 mm away.
- **Which reader is nearer.** Up to {sure:g} mm off the middle the nearer reader gets at least three times as
  much: a step of falling power, and readers of which one is twice as strong as another [assumed]. Between
  {wrong_low:g} and {wrong_high:g} mm the farther one may get more, and falling power then names the wrong
  space. The dish keeps a piece within {near:g} mm.
- **The next dish.** A reader that reads a sticker more than {ghosts:.0f} mm above its middle may also read
  one at the near edge of the next dish: set its power lower.
- **In bends** coils are {pitch:g} mm apart too. At 55.4 mm, where they were in an earlier version of the
  tiles, coils couple by {closer:.0f} % more.

The bench tests `height`, `ghosts` and `nearer` settle it.

**Two pieces on one space** stand side by side across the track, their stickers {near_across:g} mm off the
middle at most: the dish is long enough for two bases of {base:g} mm, and not longer. There a sticker still
gets as much as one alone {low_enough:g} mm above the middle, which each reader must read (bench test
`height`). Farther out comes the null: without a dish that ends there, hands in 80 simulated evenings lost 26
of 3,668 moves, all in games in which pieces share a space; with it they lost none.

**Without tiles**, under a board from a game's box, nothing keeps a piece in its place. Mark a ring of
{ring:g} mm across on each space, around the middle of the coil, and stand pieces within it: the middle of a
piece is then at most 10 mm off. A piece that stands on a line between two spaces is read by neither, by
either, or by the wrong one.

## Idle neighbours' tuned coils

A reader whose antenna is off still has a tuned circuit. The reader that works drives a current in it, which
weakens its own field, and lights a tag over the idle coil. Computed for equal coils {pitch:g} mm apart, tuned
exactly, with a coupling factor of {coupled:.1f} %, by their quality Q: an upper limit. Common boards have 10
to 35 with the driver off [assumed].

{neighbours}

**So a reader of high reach may read the next dish through an idle coil, from a Q of about 20 on.** The bench
test `neighbours` settles it, with all readers powered and their antennas off. If it fails, set a lower
`power`, then a lower `gain`; at last put a resistor across each coil, which lowers Q and reach alike:
{resistor:.0f} Ω for a Q of 10 at most.

## Tiles, keys, boards and plugs

{tiles}

Tests put the STL files of all tiles and keys together and cut them with each other: no solids overlap, keys
go into both tiles, edges are flush, and board, plug and wires, or carrier and cable, are inside of their tile
(`tests/hardware/test_fit.py`). Each part can be printed as it stands, without supports
(`tests/hardware/test_overhangs.py`). The bench test `tiles` settles how much a print grows, and whether your
board and plug have the sizes taken here [assumed].
"""


def page() -> str:
    """Return the page."""
    size, tile = sizes(), sizes("tile")
    low, high = magnets.gaps()
    wrong = coils.wrongly_nearer(size["pitch"])
    far, closer = coils.inductance(coils.READERS[0], coils.READERS[0], [size["pitch"], 55.4], 1e-3)
    return PAGE.format(
        **size,
        low=low,
        high=high,
        grip=magnets.GRIP,
        magnets=_magnets(),
        chosen=magnets.chosen().name,
        pair=magnets.pair(magnets.chosen()),
        readers=_listed([f"{coil.along:g} × {coil.across:g}" for coil in coils.READERS]),
        tags=_listed([f"{tag.diameter:g}" for tag in coils.TAGS]),
        heights=_listed([f"{height:g}" for height in coils.HEIGHTS]),
        holds=_holds(),
        null_low=coils.null(coils.HEIGHTS[0])[0],
        null_high=coils.null(coils.HEIGHTS[-1])[1],
        sure=coils.surely_nearer(size["pitch"]),
        wrong_low=wrong[0],
        wrong_high=wrong[1],
        ghosts=coils.ghosts_from(size["pitch"]),
        coupled=100 * neighbours.coupling(size["pitch"]),
        neighbours=_neighbours(),
        resistor=neighbours.across(10),
        closer=100 * (closer / far - 1),
        low_enough=READS_UP_TO[0],
        ring=size["base"] + 20,
        tiles=_tiles(tile),
    )


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _magnets() -> str:
    """Return the table of magnets."""
    rows = []
    for verdict in map(magnets.verdict, magnets.CANDIDATES):
        faults = "; ".join(verdict.faults())
        figures = (f"{figure:.1f}" for figure in (verdict.certain, verdict.null, verdict.reach))
        rows.append(
            (
                verdict.magnet.name,
                *figures,
                f"{verdict.beside:.2f}",
                f"{verdict.pull:.1f}",
                faults or "**passes**",
            )
        )
    return markdown(("disc", "certain, mm", "null, mm", "reach, mm", "neighbours, mT", "pull, g", ""), rows)


def _holds() -> str:
    """Return the table of places of a tag."""
    rows = [
        (f"{hold.aside:g}", f"{hold.own:.2f}", f"{hold.ratio:.1f}")
        for hold in coils.holds(sizes()["pitch"])
        if hold.aside in PLACES
    ]
    head = ("mm off the middle, towards the next", "its own reader's field, at least")
    return markdown((*head, "times the next reader's, at least"), rows)


def _neighbours() -> str:
    """Return the table of idle coils by their quality."""
    rows = [
        (f"{each.quality:g}", f"{each.current:.2f}", f"{100 * each.lost:.0f} %", f"{each.ghosts_from:.0f} mm")
        for each in neighbours.effects()
    ]
    head = ("Q", "current in an idle coil, of the reader's", "field lost to two of them")
    return markdown((*head, "reads the next dish if it reads so high"), rows)


PLACES: Final = (0, 5, 9, 12, 15, 18, 20, 22, 25, 28, 30)


def _tiles(tile: Mapping[str, float]) -> str:
    """Return the table of figures of the oval."""
    tiles = oval.oval()
    apart = [math.dist(a.pose[:2], b.pose[:2]) for a, b in pairwise([*tiles, tiles[0]])]
    across = 2 * (oval.radius() + tile["outer_reader"])
    length = across + oval.STRAIGHTS * tile["pitch"]
    straight = tile["plug_base"] + tile["plug_long"]
    rows = [
        ("from coil to coil, in a straight and in a bend", f"{min(apart):.1f} mm"),
        ("the same, where straight and bend meet", f"{max(apart):.1f} mm"),
        ("radius of the circle of coils in a bend", f"{oval.radius():.1f} mm"),
        ("the whole track", f"{length:.0f} × {across:.0f} mm"),
        ("between two tiles, as drawn", f"{2 * tile['seam']:.1f} mm"),
        ("play around a key, as drawn", f"{tile['key_play']:.1f} mm"),
        ("below a reader's board", f"{tile['pins_deep']:g} mm"),
        ("a plug on angled pins, with its wires turned back", f"{_plug_deep(tile):.1f} mm"),
        ("the carrier of a reader, upright on the same pins", f"{_carrier_deep(tile):.1f} mm"),
        ("a plug on straight pins, without its wires", f"{straight:.1f} mm: it does not fit"),
        ("outside of the board's end", f"{tile['bay_long'] + tile['play']:.1f} mm"),
        ("a plug on angled pins, with the bend of its wires", f"{tile['bay_long']:.1f} mm"),
    ]
    return markdown(("what", "how much"), rows)


def _carrier_deep(tile: Mapping[str, float]) -> float:
    return tile["plug_axis"] + tile["carrier_high"] - tile["carrier_pins"]


def _plug_deep(tile: Mapping[str, float]) -> float:
    return tile["plug_axis"] + 2 * tile["wire_bend"] + 1.5 * tile["wire"]
