"""What each kind of bot likes in a card.

Made by tools/fit_styles.py --games 500 --seed tastes.
"""

from __future__ import annotations

from typing import Final

from companion.odds.giro.sight import Sight

TASTES: Final[dict[str, Sight]] = {
    "random": Sight(0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00),
    "greedy": Sight(-0.69, 0.29, 1.01, 1.17, 2.27, 0.08, -0.05, -2.11),
    "careful": Sight(-2.84, -0.01, -1.45, -0.28, 0.00, 4.20, 8.83, -14.41),
    "thinker": Sight(-0.48, -0.11, 0.03, 0.22, 4.08, 0.67, 0.92, -2.04),
}
