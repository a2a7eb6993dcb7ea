"""The tunes of each event: short melodies, the same from the buzzer and from the table page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

Tune = Literal["ok", "wrong", "last-card", "kept", "lost", "round", "end"]
Note = tuple[str | None, float]  # a tone (scientific pitch, within the buzzer's A4 to A6) or a pause; seconds

TUNES: Final[Mapping[Tune, tuple[Note, ...]]] = {
    # taken: two steps up, over before the hand is back
    "ok": (("E5", 0.06), ("A5", 0.1)),
    # the same twice, then hold: a knock
    "last-card": (("E6", 0.09), (None, 0.05), ("E6", 0.09), (None, 0.05), ("G6", 0.24)),
    # the lowest tone, twice: no
    "wrong": (("A4", 0.14), (None, 0.05), ("A4", 0.26)),
    # up a chord and home
    "kept": (("A5", 0.09), ("C#6", 0.09), ("E6", 0.09), ("A6", 0.34)),
    # down by half tones
    "lost": (("E5", 0.16), ("D#5", 0.16), ("D5", 0.16), ("C#5", 0.42)),
    # a bell: high, low, high
    "round": (("C#6", 0.16), ("A5", 0.16), ("E5", 0.16), ("A5", 0.4)),
    # a fanfare
    "end": (
        *(("A5", 0.14), (None, 0.04), ("A5", 0.07), (None, 0.03), ("A5", 0.07), (None, 0.03)),
        *(("C#6", 0.22), ("A5", 0.22), ("C#6", 0.22), ("E6", 0.34), (None, 0.06), ("C#6", 0.16), ("E6", 0.7)),
    ),
}
