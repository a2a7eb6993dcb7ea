"""What each kind of bot likes in a card.

Made by tools/fit_styles.py --games 400 --seed tastes.
"""

from __future__ import annotations

from typing import Final

from companion.odds.giro.sight import Sight

TASTES: Final[dict[str, Sight]] = {
    "random": Sight(0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00),
    "careful": Sight(0.00, 0.00, -4.00, 0.00, 0.00, 20.00, 40.00, -40.00, 0.00),
    "greedy": Sight(-2.48, 0.47, 1.18, 1.56, 4.89, -0.11, -1.81, -2.27, -7.53),
    "thinker": Sight(-0.50, -0.22, -0.04, 0.16, 0.71, 0.62, 0.62, -2.99, -0.61),
}
