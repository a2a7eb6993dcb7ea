"""The box of Giro Galoppo, as far as it is known."""

from __future__ import annotations

from typing import Final

from companion.games.editions import Edition
from companion.message import N_

EDITIONS: Final = (
    Edition(
        "first",
        N_("The one we know"),
        N_("A board, five loose obstacles, and for each player a horse and the cards 1 to 6."),
        N_("For 2 to 5 players."),
        (2, 5),
        6,
    ),
)
