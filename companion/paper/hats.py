"""The hats that people wear on paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.history.leaderboard import same_name
from companion.history.past import Past
from companion.paper import drawings
from companion.table.faces import COLOURS, Face

SEATS: Final = 5
"""Hats that seats have of their own; with more seats they begin again."""


def hat_of(past: Past, seat: int, faces: Mapping[str, Face]) -> drawings.Drawing:
    """What whoever sat there wears, else the seat's own. A robot wears the seat's, whatever it is called."""
    known = {} if past.bots[seat] else faces
    face = known.get(same_name(past.race.seats[seat]), Face())
    paint = COLOURS.get(face.colour)
    number = seat % SEATS if face.hat is None else face.hat
    return drawings.hat(number, paint.hat, paint.band) if paint else drawings.hat(number)
