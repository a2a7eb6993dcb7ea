"""What each kind of bot likes in a card.

Made by tools/fit_styles.py --games 300 --seed tastes.
"""

from __future__ import annotations

from typing import Final

from companion.odds.giro.sight import Sight

TASTES: Final[dict[str, Sight]] = {
    "random": Sight(0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00),
    "careful": Sight(0.00, 0.00, -4.00, 0.00, 0.00, 20.00, 40.00, -40.00, 0.00),
    "greedy": Sight(-1.81, 0.37, 1.43, 1.59, 4.68, -0.18, -1.42, -1.20, -7.75),
    "thinker": Sight(-0.84, -0.08, -0.05, 0.14, 2.18, 0.56, 0.84, -3.04, -0.78),
}
