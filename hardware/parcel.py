"""The whole parcel of each tier: the parts of the net lists, and all else that one buys to build it.

Sockets, plugs, wires, boards and filament follow from the circuit, from the track's sizes and from the STL
files. Prices are estimates from memory (`bom.ESTIMATED`), in euro with tax, for single pieces. Neither they
nor the numbers were looked up in a shop: do that before you order.
"""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from companion import games
from companion.tags.enrolment import things_of
from hardware import bom, fit, tiers
from hardware.bom import DISTRIBUTOR, ESTIMATED, MARKET, SHOP, Article
from hardware.circuit import Circuit
from hardware.sizes import sizes

BOTH: Final = (DISTRIBUTOR, SHOP)
TO_BOARD_CM: Final = 15.0
"""From a reader's plug to the board of its group beside the middle of the group, and to solder."""
READER_WIRES: Final = 7  # IRQ stays free
SPARE: Final = 1.1  # of contacts, which one spoils
PLA: Final = 1.24  # grams a cubic centimetre
SKIN: Final = 1.0  # mm that a slicer fills below each surface: three walls, five layers [assumed]
INFILL: Final = 0.15
GAMES: Final = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")
ANY: Final = (SHOP, MARKET)
MAKERS: Final = ("board maker", "board maker")
BY_FIVES: Final = 5
BUS_CM: Final = 40.0
"""The longest cable from the board of a group to the Pico's that docs/signals.md allows."""
EXTRA: Final[Mapping[str, Article]] = {
    "DIL socket, 16 legs": Article("ED16DT", BOTH, "any for 16 legs, rows 7.62 mm apart", 0.20, "one a chip"),
    "DIL socket, 20 legs": Article("ED20DT", BOTH, "any for 20 legs, rows 7.62 mm apart", 0.25, "one a chip"),
    "socket strip 1 × 20": Article("PPTC201LFBN-RC", BOTH, "any of 20, 2.54 mm", 1.20, "two for the Pico"),
    "DC jack 5.5 × 2.1 mm": Article("PJ-102A", BOTH, "any for such a plug, 2 A or more", 0.90, "+ is inside"),
    "perforated board 100 × 160 mm": Article(
        "RE200-LF", (SHOP, DISTRIBUTOR), "any with a ring of copper at each hole, 2.54 mm", 4.50, "cut in two"
    ),
    "pin header 1 × 8, angled": Article(
        "61300811021", BOTH, "the angled one that comes with most boards", 0.35, "one a reader"
    ),
    "crimp housing 1 × 8": Article("M20-1060800", BOTH, "any of 2.54 mm, called Dupont", 0.30, "one a plug"),
    "crimp contact": Article(
        "M20-1160042", BOTH, "any for that housing, AWG24 to 28", 0.08, "seven a plug, a tenth to spare"
    ),
    "wire AWG26, metres": Article("stranded, 0.14 mm², seven colours", ANY, "flat cable, pulled apart", 0.25),
    "wire AWG22, metres": Article("stranded, 0.34 mm², red and black", ANY, "AWG20", 0.40, "the 3.3 V ring"),
    "jumper wire 20 cm": Article("socket to socket, 2.54 mm", ANY, "AWG26 and contacts", 0.10, "to the Pi"),
    "heat-shrink, metres": Article("2.4 mm, shrinks to half", ANY, "3.2 mm", 0.80),
    "spacer M3 × 10 with two screws": Article(
        "nylon, M3 × 10, screws M3 × 6", ANY, "hot glue on a wooden plate", 0.20, "four a board"
    ),
    "filament, grams": Article("PLA, 1.75 mm", ANY, "PETG", 0.022, "computed of the STL files"),
    "DC jack with screws, 5.5 × 2.1 mm": Article(
        "CN-DC-TERM-F", ANY, "a jack of this size, and two wires", 1.20, "+ is inside; two wires to J11"
    ),
    "flat cable 10 wires, metres": Article(
        "1.27 mm, 10 wires, AWG28",
        BOTH,
        "a wider one, torn to 10 wires",
        1.00,
        "one from each reader to its group",
    ),
    "flat cable plug 2 × 5": Article(
        "IDC socket, 2 × 5, 2.54 mm",
        BOTH,
        "none, if the cable has plugs",
        0.40,
        "one at each end; pressed in a vice",
    ),
    "flat cable 16 wires, metres": Article(
        "1.27 mm, 16 wires, AWG28", BOTH, "any of that pitch", 1.50, "one from each group to the Pico"
    ),
    "flat cable plug 2 × 8": Article(
        "IDC socket, 2 × 8, 2.54 mm",
        BOTH,
        "none, if the cable has plugs",
        0.80,
        "one at each end; pressed in a vice",
    ),
    "printed board of a group": Article(
        "build/board/group.zip", MAKERS, "perforated board", 3.00, "sold by fives"
    ),
    "printed board of the Pico": Article(
        "build/board/pico.zip", MAKERS, "perforated board", 3.00, "sold by fives"
    ),
    "printed carrier of a reader": Article(
        "build/board/reader.zip",
        MAKERS,
        "seven wires and a plug",
        0.80,
        "sold by fives; or reader-mirrored.zip",
    ),
}


class Line(NamedTuple):
    """A line of a parcel; `amount` is in pieces, metres or grams, as the part's name says."""

    part: str
    article: Article
    amount: float

    @property
    def euro(self) -> float:
        """Its price."""
        return self.amount * self.article.euro


def wire_lengths(readers: int) -> Counter[int]:
    """Return how many wires of which length go to readers, in cm, in steps of five.

    The board of a group is next to the middle of its readers.

    >>> sum(wire_lengths(22).values())
    154
    """
    pitch = sizes()["pitch"] / 10
    found: Counter[int] = Counter()
    for reader in range(readers):
        first = reader // tiers.GROUP * tiers.GROUP
        middle = first + (min(tiers.GROUP, readers - first) - 1) / 2
        found[math.ceil((abs(reader - middle) * pitch + TO_BOARD_CM) / 5) * 5] += READER_WIRES
    return found


def grams(models: Mapping[str, int]) -> float:
    """Return the filament of so many of these models: their skin, and a share of what is inside."""
    total = 0.0
    for name, count in models.items():
        body = fit.model(name)
        skin = min(body.volume(), body.surface_area() * SKIN)
        total += count * (skin + INFILL * (body.volume() - skin)) / 1000 * PLA
    return total


def stickers() -> dict[str, tuple[int, int]]:
    """Return for each of our games the number of its tags, and how many of them are pieces'.

    >>> stickers()["Greyhounds"], sum(tags for tags, _ in stickers().values())
    ((84, 4), 191)
    """
    return {game.title: (len(things_of(game)), len(game.pieces)) for game in map(games.find_by_name, GAMES)}


def tiles(sensor: str, spaces: int = tiers.READERS) -> dict[str, int]:
    """Return the models of a track: two bends of four, all others straight, two keys a seam."""
    bends = 8 if spaces >= 22 else 0
    return {f"{sensor}-straight": spaces - bends, f"{sensor}-bend": bends, "key": 2 * spaces}


def _chips(circuit: Circuit) -> dict[str, int]:
    """Return the sockets for the chips, and for the Pico."""
    small = len(circuit.of_type("74HC138", "74HC251", "74HC165"))
    return {
        "DIL socket, 16 legs": small,
        "DIL socket, 20 legs": len(circuit.of_type("74HC244")),
        "socket strip 1 × 20": 2 * len(circuit.of_type("Raspberry Pi Pico")),
    }


def _boards(count: int) -> dict[str, int]:
    """Return so many half boards of perforated board, and what holds them."""
    return {
        "perforated board 100 × 160 mm": math.ceil(count / 2),
        "spacer M3 × 10 with two screws": 4 * count,
    }


def _readers(circuit: Circuit) -> dict[str, float]:
    """Return plugs and wires of the readers, and the jack of their supply."""
    readers = len(circuit.of_type("MFRC522 board"))
    metres = sum(cm * count for cm, count in wire_lengths(readers).items()) / 100
    return {
        "DC jack 5.5 × 2.1 mm": 1,
        "pin header 1 × 8, angled": readers,
        "crimp housing 1 × 8": readers,
        "crimp contact": math.ceil(READER_WIRES * readers * SPARE),
        "wire AWG26, metres": math.ceil(metres),
        "wire AWG22, metres": _ring(readers),
        "heat-shrink, metres": 1,
    }


def _pad(_: Circuit) -> dict[str, float]:
    return {
        "pin header 1 × 8, angled": 1,
        "jumper wire 20 cm": READER_WIRES,
        "filament, grams": grams({"pad-lid": 1, "pad-frame": 1, "pad-box": 1}),
    }


def _panel(circuit: Circuit) -> dict[str, float]:
    header = circuit.parts["J1"].type
    to_pi = sum(("J1", pin.number) in circuit.net_of for pin in header.pins)
    return {"jumper wire 20 cm": to_pi, "wire AWG26, metres": 2, "heat-shrink, metres": 1, **_boards(1)}


def _strip(circuit: Circuit) -> dict[str, float]:
    printed = {"filament, grams": grams(tiles("reader", tiers.STRIP))}
    return {**_chips(circuit), **_readers(circuit), **_boards(2), **printed}


def _track(circuit: Circuit) -> dict[str, float]:
    groups = len(circuit.of_type("74HC251"))
    printed = {"filament, grams": grams(tiles("reader"))}
    return {**_chips(circuit), **_readers(circuit), **_boards(groups + 1), **printed}


def _row(circuit: Circuit) -> dict[str, float]:
    switches = len(circuit.of_type("DRV5032FA"))
    return {
        **_chips(circuit),
        **_boards(1),
        "wire AWG26, metres": math.ceil(sum(wire_lengths(switches).values()) / READER_WIRES * 3 * 0.3),
        "heat-shrink, metres": 2,
        "filament, grams": grams(tiles("switch")),
    }


MORE: Final = {
    "pad": _pad,
    "panel": _panel,
    "strip of 3": _strip,
    "switches 22": _row,
    "track of 22": _track,
}
PRINTED: Final = "track of 22, printed boards"
TIERS: Final = ("USB reader", *MORE, PRINTED)


def parcel(tier: str) -> list[Line]:
    """Return all that a tier needs but the Pi, and what goes by the game: stickers, magnets, bases. KeyError
    for no tier.
    """
    if tier == PRINTED:
        return _with_printed_boards(tiers.boarded_track(tiers.READERS))
    circuit = bom.TIERS[tier]
    found = [
        Line(row.part, row.article, row.counts[tier])
        for row in bom.rows()
        if row.in_total and row.counts.get(tier)
    ]
    more = MORE[tier](circuit) if tier in MORE else {}
    return [*found, *(Line(part, EXTRA[part], count) for part, count in more.items() if count)]


def _with_printed_boards(circuit: Circuit) -> list[Line]:
    """Return a track's parcel with printed boards: one a group, one for the Pico, a carrier a reader."""
    counts = bom.counted(circuit)
    found = [
        Line(" ".join(key).strip(), article, counts[key])
        for key, article in bom.ARTICLES.items()
        if counts[key]
    ]
    found += [
        Line(row.part, row.article, row.counts["track of 22"])
        for row in bom.OTHERS
        if row.in_total and row.counts.get("track of 22")
    ]
    groups, readers = len(circuit.of_type("74HC251")), len(circuit.of_type("MFRC522 board"))
    metres = sum(cm * count for cm, count in wire_lengths(readers).items()) / READER_WIRES / 100
    more = {
        **_chips(circuit),
        "DC jack with screws, 5.5 × 2.1 mm": 1,
        "flat cable 10 wires, metres": math.ceil(metres),
        "flat cable plug 2 × 5": 2 * readers,
        "flat cable 16 wires, metres": math.ceil(groups * BUS_CM / 100),
        "flat cable plug 2 × 8": 2 * groups,
        "wire AWG22, metres": _ring(readers),
        "printed board of a group": _by_fives(groups),
        "printed board of the Pico": _by_fives(1),
        "printed carrier of a reader": _by_fives(readers),
        "spacer M3 × 10 with two screws": 4 * (groups + 1),
        "filament, grams": grams(tiles("reader")),
    }
    return [*found, *(Line(part, EXTRA[part], count) for part, count in more.items())]


def cables(readers: int = tiers.READERS) -> int:
    """Return how many flat cables a track with printed boards has: one a reader, one a group.

    >>> cables()
    25
    """
    return readers + -(-readers // tiers.GROUP)


def _by_fives(count: int) -> int:
    return math.ceil(count / BY_FIVES) * BY_FIVES


def _ring(readers: int) -> int:
    """Return the metres of wire of the 3.3 V ring, and from the Pico's board to jack and buck."""
    return math.ceil(2 * readers * sizes()["pitch"] / 1000 + 1)


def euro(tier: str) -> float:
    """Return the price of a parcel."""
    return sum(line.euro for line in parcel(tier))


# -- the files


def slug(tier: str) -> str:
    """Return the name of a tier's file.

    >>> slug("track of 22, printed boards")
    'track-of-22-printed-boards'
    """
    return tier.replace(",", "").replace(" ", "-").lower()


def basket(tier: str) -> str:
    """Return a parcel as CSV, as baskets of distributors take it: quantity and part number first."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    write(
        ("Quantity", "Part Number", "Description", "Sold by", "Substitute", "Euro each", "Euro", "Estimated")
    )
    for part, article, count in parcel(tier):
        row = (math.ceil(count), article.number, part, article.sellers[0], article.instead)
        write((*row, f"{article.euro:g}", f"{count * article.euro:.2f}", ESTIMATED))
    return out.getvalue()
