"""The hats of people on paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.history.leaderboard import same_name
from companion.history.past import Past
from companion.paper import drawings
from companion.table.faces import COLOURS, Face

SEATS: Final = 5
"""The number of hats for seats; with more seats they repeat."""


def hat_of(past: Past, seat: int, faces: Mapping[str, Face]) -> drawings.Drawing:
    """Return the hat of the person in this seat, else the seat's own. A robot always has the seat's own."""
    known = {} if past.bots[seat] else faces
    face = known.get(same_name(past.race.seats[seat]), Face())
    paint = COLOURS.get(face.colour)
    number = seat % SEATS if face.hat is None else face.hat
    return drawings.hat(number, paint.hat, paint.band) if paint else drawings.hat(number)
