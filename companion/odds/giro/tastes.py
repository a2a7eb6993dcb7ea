"""The taste in cards of each kind of bot.

Made by tools/fit_styles.py --games 400 --seed tastes.
"""

from __future__ import annotations

from typing import Final

from companion.odds.giro.card_features import CardFeatures

TASTES: Final[dict[str, CardFeatures]] = {
    "random": CardFeatures(0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00),
    "careful": CardFeatures(0.00, 0.00, -4.00, 0.00, 0.00, 20.00, 40.00, -40.00, 0.00),
    "mild": CardFeatures(0.00, 0.00, -0.20, 0.00, 0.00, 1.00, 2.00, -2.00, 0.00),
    "greedy": CardFeatures(-2.69, 0.50, 1.29, 1.25, 1.06, -0.16, -0.40, -2.01, -7.97),
    "thinker": CardFeatures(-0.97, -0.08, -0.11, 0.19, 0.76, 0.64, 1.14, -2.92, -0.78),
}
