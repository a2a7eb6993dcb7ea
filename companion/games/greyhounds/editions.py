"""The box of Greyhounds, as far as it is known."""

from __future__ import annotations

from typing import Final

from companion.games.editions import Edition
from companion.message import N_

EDITIONS: Final = (
    Edition(
        "first",
        N_("The one we know"),
        N_("A loop of spaces, four dogs, the cards 1 to 20 for each, bet sheets, an odds chart and money."),
        N_("For 3 or 4 players. The first edition strikes equal cards out: choose that under the options."),
        (3, 4),
        20,
    ),
)
