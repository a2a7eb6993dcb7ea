"""Charts for owners who have none: every bet pays back the same part of the stakes, in every race.

Worked out for the usual lap by `companion odds-chart` (`--seats 3`: with the dummy, whose ten tens rank low);
a test works them out again.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from companion.games.greyhounds.bets import Odds

RETURN: Final = 0.85
"""The part of the stakes that is paid back in random play; the rest stays with the house."""


def _chart(*kinds: str) -> Odds:
    win, place, double = (tuple(map(Decimal, kind.split())) for kind in kinds)
    return Odds(win, place, double)


FAIR: Final[Mapping[int, tuple[Odds, ...]]] = {
    3: (
        _chart("1.55 3.3 7.2 11.6", "1.05 1.4 2.6 3.5", "1.85 3.9 5.4 10 14 32"),
        _chart("1.5 3.3 7.6 13.6", "1.05 1.45 2.7 4.2", "2 4.2 6.8 9.6 16 36"),
        _chart("1.45 3.3 7.6 16", "1.1 1.6 2.7 5", "2.5 4.8 9.2 8.4 17.6 29"),
    ),
    4: (
        _chart("1.8 3.1 5 9.6", "1.15 1.45 2 3.4", "2.3 3.6 6.6 6.2 11.6 17.2"),
        _chart("1.65 3.1 5.6 12.4", "1.1 1.45 2.2 3.9", "2.2 3.8 7.4 6.8 14 21"),
        _chart("1.6 3.2 6.2 15.6", "1.1 1.55 2.4 4.8", "2.3 4.2 9.2 7.6 17.2 26"),
    ),
}
"""The chart of each race, by the number of seats."""
