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
HATS: Final = (
    ("#3a3566", "#e96a2b"),
    ("#0f6e6b", "#ffd84d"),
    ("#8e2a6b", "#ffb3d9"),
    ("#8a4b12", "#ffc524"),
    ("#4f5661", "#9be0ff"),
)
"""The colours of a seat's own hat and of its band, as on the pages (common/draw.js)."""


def hat_of(past: Past, seat: int, faces: Mapping[str, Face]) -> drawings.Drawing:
    """Return the hat of the person in this seat, else the seat's own. A robot always has the seat's own."""
    face = Face() if past.bots[seat] else faces.get(same_name(past.race.seats[seat]), Face())
    return hat(seat, face, is_marked=past.race.own_piece(seat) is not None)


def hat(seat: int, face: Face, is_marked: bool = False) -> drawings.Drawing:
    """Return the hat of a face, else the seat's own; `is_marked`: a piece tells seats apart already."""
    paint = COLOURS.get(face.colour)
    own = ("", "") if is_marked else HATS[seat % SEATS]
    colour, band = (paint.hat, paint.band) if paint else own
    return drawings.hat(seat % SEATS if face.hat is None else face.hat, colour, band)
