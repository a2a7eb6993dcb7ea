"""The boxes of Galloping Pigs and Galloping Horse, as catalogues and reviews list them."""

from __future__ import annotations

from typing import Final

from companion.games.editions import Edition
from companion.games.galloping.decks import COPIES
from companion.message import N_

PIGS_EDITIONS: Final = (
    Edition(
        "2000",
        N_("22 spaces, food cards"),
        N_("22 spaces, 35 race cards (seven of each colour), 55 food cards."),
        N_("The edition of 2000, for 2 to 4 players. Three rounds."),
        (2, 4),
        COPIES,
    ),
    Edition(
        "2009",
        N_("27 tiles, food chips"),
        N_("27 track tiles, 40 race cards (eight of each colour), 35 food chips."),
        N_("In shops since 2009, for 2 to 5 players. One round, or three for a longer game."),
        (2, 5),
        8,
        {"spaces": 27, "food": 35, "cards_per_colour": 8},
        {"rounds": 1},
    ),
)

HORSE_EDITIONS: Final = (
    Edition(
        "first",
        N_("The one we know"),
        N_("22 spaces, 28 race cards (seven of each colour), 40 food cards."),
        N_("For 4 players; 2 or 3 may play. Two rounds."),
        (2, 4),
        COPIES,
    ),
)
