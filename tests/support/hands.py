"""How hands move pieces over the track, and what the readers get of it: written down before anything is tuned.

No person was filmed and no radio was measured for this table. [CMN] is Card, Moran & Newell, The Psychology
of Human-Computer Interaction (1983): their operators (mental 1.35 s, pointing 1.1 s, homing 0.4 s) and the time
to react, 0.105 to 0.47 s, usually 0.24 s. [build] follows from how the track and the pieces are to be built,
[pass] is what three readers on a bench must reach before a track is built, and [assumed] is a guess that only
a bench, or an evening with a camera, can settle.

What a move is: a piece let go on a space for MADE_S or longer. What rests there for less than SLIP_S is none: a
slip, a touch while counting, a piece that slides past. In between, seen and not seen are both right, and the
hands of this table keep out of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from companion.devices.mock import machine
from hardware import coils

MADE_S = 1.25
SLIP_S = 0.5
READY_S = 1.0
"""Seconds after the last piece is let go, until which the next card may have to wait."""


class Spread(NamedTuple):
    """From `low` to `high`, mostly `usual`: a triangle."""

    means: str
    unit: str
    low: float
    usual: float
    high: float
    source: str

    def of(self, rng: random.Random) -> float:
        """Return one random value."""
        return rng.triangular(self.low, self.high, self.usual)

    def times(self, factor: float) -> Spread:
        """Return the same spread, `factor` times as large."""
        return self._replace(low=self.low * factor, usual=self.usual * factor, high=self.high * factor)


class Share(NamedTuple):
    """How many of those it is said of do this."""

    means: str
    unit: str
    of: float
    source: str

    def happens(self, rng: random.Random) -> bool:
        """Return whether it happens this time."""
        return rng.random() < self.of

    def times(self, factor: float) -> Share:
        """Return the same share, `factor` times as large, but always below 1."""
        return self._replace(of=min(0.9, self.of * factor))


class Hands(NamedTuple):
    """The people: times in seconds, lengths in millimetres."""

    think: Spread = Spread(
        "between two things done", "s", 1.25, 1.35, 4.0, "[CMN] mental; longer is more of the same"
    )
    lift: Spread = Spread("lifting a piece out of reach", "s", 0.15, 0.4, 0.8, "[CMN] homing")
    carry: Spread = Spread("carrying it to its space, however far", "s", 0.5, 1.1, 1.6, "[CMN] pointing")
    lower: Spread = Spread("setting it down", "s", 0.1, 0.25, 0.6, "[assumed]")

    slides: Share = Share("moves that slide low over the spaces between", "of moves", 0.20, "[assumed]")
    slide_speed: Spread = Spread(
        "speed of a slide", "mm/s", 150, 300, 700, "[assumed] a space in 0.1 to 0.4 s"
    )
    slide_height: Spread = Spread("height of a slide", "mm", 0, 1, 6, "[assumed]")
    counts: Share = Share("moves that touch each space between, counting", "of moves", 0.25, "[assumed]")
    touch: Spread = Spread(
        "resting on each space counted", "s", 0.05, 0.12, 0.25, "[assumed] 2 to 4 counted a second"
    )
    hop: Spread = Spread(
        "from one counted space to the next", "s", 0.12, 0.2, 0.4, "[assumed] 2 to 4 counted a second"
    )
    hop_height: Spread = Spread("height of that hop", "mm", 5, 20, 50, "[assumed]")

    hovers: Share = Share("moves that hover before setting down", "of moves", 0.30, "[assumed]")
    hover: Spread = Spread("hovering", "s", 0.2, 0.5, 2.0, "[CMN] pointing, half of it")
    hover_height: Spread = Spread(
        "height of hovering", "mm", 20, 35, 80, "[assumed] lower is as good as standing there"
    )
    hovers_next_to: Share = Share("hovers over the neighbouring space", "of hovers", 0.35, "[assumed]")

    touches_twice: Share = Share("pieces lifted again and set down again", "of moves", 0.12, "[assumed]")
    up_again: Spread = Spread("in the air between both", "s", 0.1, 0.3, 0.8, "[assumed]")
    slips: Share = Share("let go on the neighbouring space, and caught", "of moves", 0.06, "[assumed]")
    slip: Spread = Spread("resting there", "s", 0.105, 0.24, 0.47, "[CMN] the time to react")
    miscounts: Share = Share("put on the neighbouring space, seen later", "of moves", 0.05, "[assumed]")
    miscount: Spread = Spread("standing there", "s", 1.35, 2.0, 4.0, "[CMN] mental")
    knocks: Share = Share("another piece knocked off the track", "of moves", 0.03, "[assumed]")
    knocked: Spread = Spread("how far off", "mm", 45, 60, 120, "[build] the track is 60 mm wide")
    lying: Spread = Spread("remaining there", "s", 0.5, 1.5, 4.0, "[assumed]")
    two_at_once: Share = Share("two pieces to move, one in each hand", "of pairs", 0.30, "[assumed]")
    apart: Spread = Spread("one hand after the other", "s", 0.0, 0.2, 0.8, "[assumed]")

    side_by_side: float = 15.0  # mm off the middle, either way, where two share a space [build] bases of 28 mm, held by the dish
    offset: Spread = Spread("set down off the middle, any way", "mm", 0, 3, 10, "[build] pass within 10 mm")


class Radio(NamedTuple):
    """The readers, 60 mm apart: what is read by distance and height, and what goes wrong."""

    pitch: float = 60.0
    rise: float = (
        18.0  # mm above a piece that stands: well at 5 to 12 mm over the coil, no more at 23 [assumed]
    )
    blur: float = 0.04  # of the field that a tag needs, normal: it differs from look to look [assumed]
    misses: Share = Share("polls that miss a piece in reach", "of polls", 0.001, "[pass] 99.9 % are hits")
    ghosts: Share = Share(
        "polls that read one from the neighbouring space", "of polls", 0.0001, "[pass] none in 10,000"
    )
    ghost_reach: float = 75.0  # mm as far as a ghost may come
    power: int = 32  # CWGsP as set; the field shrinks with it in a contest [assumed]
    # what the firmware takes on an emulated Pico (bench/results/pico.md)
    access_us: float = machine.MEASURED["access_us"]  # a register access besides its bits
    look_us: float = machine.MEASURED["look_us"]  # MicroPython, a look
    beat_us: float = machine.MEASURED["beat_us"]  # the longest pause, taken at every heartbeat

    def needs(self, away: float, above: float = 0.0) -> float:
        """Return which part of the power set a tag needs to answer, so far off the middle of a reader, so high
        above where a piece stands; more than 1: it does not answer.

        Computed from the coils (hardware/coils.py), with its null; only where it ends above is assumed.
        """
        field = coils.usual()
        found = abs(field.at(away, coils.STANDS + above))
        return field.at(0.0, coils.STANDS + self.rise) / found if found > 1e-4 else 99.0


class Evenings(NamedTuple):
    """Everything that a simulated evening draws from."""

    hands: Hands = Hands()
    radio: Radio = Radio()


def _shares(hands: Hands, factor: float) -> Hands:
    often: dict[str, Any] = {
        name: value.times(factor) for name, value in hands._asdict().items() if isinstance(value, Share)
    }
    return hands._replace(**often)


def _slow(it: Evenings, f: float) -> Evenings:
    return it._replace(hands=it.hands._replace(slide_speed=it.hands.slide_speed.times(1 / f)))


def _long(it: Evenings, f: float) -> Evenings:
    hands = it.hands
    return it._replace(hands=hands._replace(touch=hands.touch.times(f), slip=hands.slip.times(f)))


def _off(it: Evenings, f: float) -> Evenings:
    return it._replace(hands=it.hands._replace(offset=it.hands.offset.times(f)))


def _low(it: Evenings, f: float) -> Evenings:
    hands = it.hands
    hover, height, hop = hands.hover.times(f), hands.hover_height.times(1 / f), hands.hop_height.times(1 / f)
    return it._replace(hands=hands._replace(hover=hover, hover_height=height, hop_height=hop))


def _often(it: Evenings, f: float) -> Evenings:
    return it._replace(hands=_shares(it.hands, f))


def _deaf(it: Evenings, f: float) -> Evenings:
    radio = it.radio
    weaker = radio._replace(rise=radio.rise * f**-0.5)
    missing = radio.misses._replace(of=min(0.9, radio.misses.of * 10 ** (2 * (f - 1))))
    return it._replace(radio=weaker._replace(misses=missing))


def _far(it: Evenings, f: float) -> Evenings:
    radio = it.radio
    more = radio.ghosts._replace(of=min(0.9, radio.ghosts.of * 10 ** (2 * (f - 1))))
    return it._replace(radio=radio._replace(rise=radio.rise * f, ghosts=more))


def _sluggish(it: Evenings, f: float) -> Evenings:
    radio = it.radio
    slower = {name: getattr(radio, name) * f for name in ("access_us", "look_us", "beat_us")}
    return it._replace(radio=radio._replace(**slower))


def _all(it: Evenings, f: float) -> Evenings:
    for worse in (_slow, _long, _off, _low, _often, _deaf, _sluggish):
        it = worse(it, f)
    return it


WORSE: Mapping[str, Callable[[Evenings, float], Evenings]] = {
    "slides, so many times slower": _slow,
    "touches and slips, so many times longer": _long,
    "set down so many times farther off the middle": _off,
    "hovers so many times lower and longer": _low,
    "every clumsiness so many times as often": _often,
    "readers hear less far (root of it) and miss more (at 2: 10 %)": _deaf,
    "readers hear so many times as far, and more ghosts (at 2: 1 %)": _far,
    "a Pico so many times slower": _sluggish,
    "all but the far hearing at once": _all,
}
"""What is made worse, and how, by a factor of 1 or more."""
