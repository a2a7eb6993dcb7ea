"""The list of parts: counted from the net lists; a maker's number, kinds of sellers and an
estimate for each.

Prices are estimates from memory, in euro with tax, for single pieces; they were not looked up on the day
given for them. Makers' numbers are those that public lists of parts have for such a part, value and package:
look all of them up before you order.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from hardware import tiers
from hardware.circuit import Circuit, circuit

ESTIMATED: Final = "2026-11-26"
PI_BOARD: Final = "Raspberry Pi with supply and card"
DISTRIBUTOR, SHOP, MARKET = "electronics distributor", "maker shop", "online market"


class Article(NamedTuple):
    """The article to buy for a part."""

    number: str
    sellers: tuple[str, str]
    instead: str
    euro: float
    note: str = ""


ONE_BUCK, TWO_BUCKS = "where there is one buck", "where there are two"
_BOTH: Final = (DISTRIBUTOR, SHOP)
_RESISTORS: Final = {
    "47 Ω": "FBF52-47R", "100 Ω": "FBF52-100R", "220 Ω": "FBF52-220R", "330 Ω": "FBF52-330R",
    "1 kΩ": "FBF52-1K", "4.7 kΩ": "FBF52-4K7", "5.6 kΩ": "FBF52-5K6", "10 kΩ": "FBF52-10K",
    "11 kΩ": "FTE52-11K", "47 kΩ": "FBF52-47K", "100 kΩ": "FBF52-100K",
}  # fmt: skip
ARTICLES: Final[Mapping[tuple[str, str], Article]] = {
    ("MFRC522 board", ""): Article(
        "RFID-RC522",
        (SHOP, MARKET),
        "any board with these eight pins and an MFRC522",
        3.00,
        "3.3 V; VersionReg 0x91 or 0x92 preferred; buy three and do the tests of wiring.md first",
    ),
    ("Raspberry Pi Pico", ""): Article(
        "SC0917", _BOTH, "Pico W, Pico 2", 5.50, "the Pico H, its pins soldered; with MicroPython"
    ),
    ("74HC138", ""): Article(
        "SN74HC138N", _BOTH, "74HC138N, CD74HC138E", 0.60, "HC not HCT; one is the master"
    ),
    ("74HC251", ""): Article(
        "SN74HC251N",
        (DISTRIBUTOR, MARKET),
        "CD74HC251E",
        0.80,
        "HC not HCT; for 2 MHz CD74AC251M on an adapter: docs/signals.md",
    ),
    ("74HC244", ""): Article(
        "SN74HC244N", _BOTH, "CD74HC244E", 0.80, "not HCT; for 2 MHz SN74AHC244N: docs/signals.md"
    ),
    ("74HC165", ""): Article("SN74HC165N", _BOTH, "CD74HC165E", 0.70),
    ("DRV5032FA", ""): Article(
        "DRV5032FALPG",
        (DISTRIBUTOR, MARKET),
        "another one for 3.3 V: omnipolar, push-pull, low at a magnet",
        0.90,
        "a switch with an open drain needs 10 kΩ to 3.3 V as well",
    ),
    ("INA180A1", ""): Article(
        "INA180A1IDBVR",
        _BOTH,
        "INA180A1 on an adapter board",
        1.20,
        "20 V/V; a dead antenna and too much current are noticed",
    ),
    ("shunt", "0.05 Ω"): Article("LVR03R0500FE70", (DISTRIBUTOR, MARKET), "any of 1 %, 1 W", 0.90, ONE_BUCK),
    ("shunt", "0.1 Ω"): Article("LVR03R1000FE70", (DISTRIBUTOR, MARKET), "any of 1 %, 1 W", 0.90, TWO_BUCKS),
    ("buck 3.3 V", ""): Article(
        "D36V28F3", (SHOP, DISTRIBUTOR), "any fixed 3.3 V, 3 A from 5 V", 14.00, "never an adjustable one"
    ),
    ("plug 5 V", ""): Article(
        "GST25E05-P1J", _BOTH, "any of 5 V, 3 A or more, class II, listed", 16.00, "class II, listed"
    ),
    ("polyfuse", "1.85 A"): Article(
        "RUEF185", _BOTH, "MF-R185", 0.60, "at the entry; trips at 3.7 A, below the plug's 4 A"
    ),
    ("capacitor", "100 nF"): Article("K104K15X7RF5TH5", _BOTH, "any X7R, 16 V or more", 0.10),
    ("capacitor", "10 µF"): Article("FK24X5R1C106K", _BOTH, "any X5R or X7R, 16 V or more", 0.35),
    ("electrolytic", "470 µF"): Article("EEU-FR1A471", _BOTH, "any of 10 V or more", 0.40, "one a buck"),
    ("header 1 × 8", ""): Article(
        "61300811021",
        _BOTH,
        "the angled one that comes with most boards",
        0.35,
        "angled; between a reader and its carrier",
    ),
    ("header 1 × 2", ""): Article(
        "61300211121", _BOTH, "a piece of 2 of any pin header, 2.54 mm", 0.10, "only for a current monitor"
    ),
    ("box header 2 × 5", ""): Article(
        "30310-6002HB", _BOTH, "any box header, 2 × 5, 2.54 mm, straight", 0.45, "one at each end of a cable"
    ),
    ("box header 2 × 8", ""): Article(
        "30316-6002HB", _BOTH, "any box header, 2 × 8, 2.54 mm, straight", 0.60, "one at each end of a cable"
    ),
    ("screw terminal 2", ""): Article(
        "1715721", _BOTH, "any of 5.08 mm, 2 A or more", 0.80, "takes two AWG22"
    ),
    ("button", ""): Article(
        "PBS-33B",
        (SHOP, MARKET),
        "any for a panel that makes, with a neck of 12 mm, a nut and two lugs",
        0.60,
        "confirm, undo, next; no tact switch: its body does not go through the lid",
    ),
    ("RGB LED", ""): Article(
        "L-154A4SURKQBDZGW", _BOTH, "any with a common cathode", 0.80, "the order of legs differs"
    ),
    ("piezo", ""): Article("PKM13EPYH4000-A0", _BOTH, "any passive piezo", 0.90, "not an active one"),
    **{
        ("resistor", value): Article(f"MFR-25{code}", _BOTH, "any 1 %, 0.25 W", 0.06)
        for value, code in _RESISTORS.items()
    },
}

TIERS: Final[Mapping[str, Circuit]] = {
    "USB reader": circuit("USB reader", ()),
    "pad": tiers.pad(),
    "panel": tiers.panel(),
    "strip of 3": tiers.reader_track(tiers.STRIP),
    "track of 22": tiers.reader_track(),
    "track of 40": tiers.reader_track(40),
    "switches 22": tiers.presence_track(),
    "switches 40": tiers.presence_track(40),
}
MONITORED: Final[Mapping[str, Circuit]] = {
    "track of 22": tiers.reader_track(monitor=True),
    "track of 40": tiers.reader_track(40, monitor=True),
}
TOGETHER: Final = ("pad", "panel", "track of 22")


class Row(NamedTuple):
    """A line of the list: the number for each tier, and whether they are in the totals."""

    part: str
    use: str
    article: Article
    counts: Mapping[str, int]
    in_total: bool = True


# What no net list has
OTHERS: Final = (
    Row(
        PI_BOARD,
        "all, once",
        Article(
            "Zero 2 W, 3, 4 or 5",
            _BOTH,
            "none",
            0,
            "64-bit Raspberry Pi OS; 25 to 110 euro; not in the totals",
        ),
        dict.fromkeys(TIERS, 1),
        in_total=False,
    ),
    Row(
        "USB reader that types",
        "instead of the pad",
        Article(
            "any for 13.56 MHz that types 14 hex digits",
            (MARKET, SHOP),
            "a reader for PC/SC",
            10.00,
            "keyboard emulation; see wiring.md",
        ),
        {"USB reader": 1},
    ),
    Row(
        "USB data cable",
        "Pi to Pico",
        Article("any", _BOTH, "any that carries data", 4.00),
        {tier: 1 for tier in TIERS if tier not in ("USB reader", "pad", "panel")},
    ),
    Row(
        "NTAG213 sticker 25 mm",
        "cards and pieces",
        Article(
            "NTAG213, 25 mm",
            (SHOP, MARKET),
            "NTAG215, NTAG216",
            0.35,
            "one a card and a piece, not in the totals; 7-byte UID",
        ),
        {},
    ),
    Row(
        "magnet 12 × 2 mm",
        "presence track",
        Article(
            "S-12-02-N",
            (SHOP, MARKET),
            "any neodymium disc of this size, N35 to N45",
            0.45,
            "one a piece, not in the totals; glued in: never loose near small children",
        ),
        {},
    ),
)


def counted(circuit: Circuit) -> Counter[tuple[str, str]]:
    """Return the number of each part, by type and value; the Pi itself is bought once for all tiers."""
    kinds = ((part.type.name, part.value) for part in circuit.parts.values())
    return Counter(kind for kind in kinds if kind[0] != "Raspberry Pi")


def rows() -> list[Row]:
    """Return all parts, KeyError for one without an article; the monitor's own parts are optional."""
    needed = {tier: counted(circuit) for tier, circuit in TIERS.items()}
    more = {tier: counted(circuit) - needed[tier] for tier, circuit in MONITORED.items()}
    missing = {key for counts in (*needed.values(), *more.values()) for key in counts} - set(ARTICLES)
    if missing:
        raise KeyError(f"nothing to buy for {sorted(missing)}: add it to ARTICLES")
    found = []
    for key, article in ARTICLES.items():
        name = " ".join(key).strip()
        for use, of, in_total in (("", needed, True), ("current monitor, optional", more, False)):
            counts = {tier: counter[key] for tier, counter in of.items()}
            found += [Row(name, use, article, counts, in_total)] if any(counts.values()) else []
    return [*found, *OTHERS]


def euro(tier: str) -> float:
    """Return the cost of the parts of a tier, without the rows outside the total."""
    return sum(row.counts.get(tier, 0) * row.article.euro for row in rows() if row.in_total)


def table() -> str:
    """Return the list as CSV, with the totals of each tier and of pad, panel and a track of 22 at the end."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    together = ", ".join(TOGETHER)
    bought = ("maker's part number (check)", "sold by", "or by", "substitute", "euro each", "estimated")
    write(("part", "for", *bought, *TIERS, together, "note"))
    totals = dict.fromkeys((*TIERS, together), 0.0)
    for row in rows():
        counts = {tier: row.counts.get(tier, 0) for tier in TIERS}
        counts[together] = 1 if row.part == PI_BOARD else sum(counts[tier] for tier in TOGETHER)
        article = row.article
        euro = f"{article.euro:.2f}" if article.euro else ""
        buy = (article.number, *article.sellers, article.instead, euro, ESTIMATED)
        write((row.part, row.use, *buy, *counts.values(), article.note))
        if row.in_total:
            totals = {tier: euro + counts[tier] * article.euro for tier, euro in totals.items()}
    sums = (f"{euro:.0f}" for euro in totals.values())
    without = "without the Pi, stickers, magnets, monitor, wire and board"
    write(("total in euro", without, *[""] * 5, ESTIMATED, *sums, "an estimate"))
    return out.getvalue()
