"""How far chances can be trusted: calibration error, Brier score, and the picture of both.

A forecast is what was said of one event at one moment of a game: its kind, the moment, the chance, and what
became of it, 0 or 1, or a share of a victory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BINS: Final = 10
INK, PAPER, COLOURS = "#23203F", "#FFF9EC", ("#2A6BE8", "#C91F37", "#27B07C", "#B57A00", "#7B3FB5")


class Forecast(NamedTuple):
    """One event at one moment; `spread` is the variance of `chance` if few playouts made it."""

    moment: str
    kind: str
    chance: float
    happened: float
    spread: float = 0.0


class Bin(NamedTuple):
    """Forecasts of about the same chance: how many, what was said in the mean, and how often it happened."""

    number: int
    said: float
    happened: float


def bins(forecasts: Sequence[Forecast]) -> list[Bin]:
    """The forecasts in ten bins of equal width, empty ones left out.

    >>> bins([Forecast("a", "win", 0.11, 0), Forecast("b", "win", 0.19, 1), Forecast("c", "win", 1.0, 1)])
    [Bin(number=2, said=0.15, happened=0.5), Bin(number=1, said=1.0, happened=1.0)]
    """
    said, happened = _columns(forecasts)
    number = _bin_numbers(said)
    return [
        Bin(int(here.sum()), float(said[here].mean()), float(happened[here].mean()))
        for here in (number == n for n in range(BINS))
        if here.any()
    ]


def calibration_error(forecasts: Sequence[Forecast]) -> float:
    """The mean distance between what was said and what happened, over the bins, each as heavy as it is full.

    Said .2 twice, of which one happened, and 1 twice, of which both did:

    >>> said = [Forecast("", "win", *of) for of in [(0.2, 0), (0.2, 1), (1, 1), (1, 1)]]
    >>> round(calibration_error(said), 9)
    0.15
    """
    return float(_errors(*_columns(forecasts)))


def brier(forecasts: Sequence[Forecast]) -> float:
    """Squared differences added over the events of a moment, in the mean of the moments; 0 is perfect.

    What few playouts add by chance is taken off again.

    >>> brier([Forecast("a", "win", *of) for of in [(0.5, 1), (0.3, 0), (0.2, 0)]])
    0.38
    """
    total = sum((f.chance - f.happened) ** 2 - f.spread for f in forecasts)
    return round(total / len({(f.moment, f.kind) for f in forecasts}), 12)


def luck(forecasts: Sequence[Forecast], draws: int = 200) -> float:
    """The calibration error that perfect forecasts would show by luck alone, were all of them independent."""
    said: Floats = np.clip(_columns(forecasts)[0], 0.0, 1.0).astype(np.float64)
    rng = np.random.default_rng(1)
    return float(
        np.mean([_errors(said, np.asarray(rng.random(len(said)) < said, np.float64)) for _ in range(draws)])
    )


def _columns(forecasts: Sequence[Forecast]) -> tuple[Floats, Floats]:
    return np.array([f.chance for f in forecasts]), np.array([f.happened for f in forecasts])


def _bin_numbers(said: Floats) -> NDArray[np.int64]:
    return np.clip((said * BINS).astype(np.int64), 0, BINS - 1)


def _errors(said: Floats, happened: Floats) -> Any:
    """Over the bins: the count of a bin times the mean distance in it is the sum of the distances in it."""
    return np.abs(np.bincount(_bin_numbers(said), said - happened, BINS)).sum() / len(said)


def drawn(panels: Mapping[str, Mapping[str, Sequence[Forecast]]], path: Path) -> None:
    """A picture of panels side by side: what was said against what happened, a line a kind of event."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4 * len(panels), 4.4), layout="constrained", facecolor=PAPER)
    for number, (title, lines) in enumerate(panels.items(), 1):
        axes = figure.add_subplot(1, len(panels), number, facecolor=PAPER, aspect="equal")
        axes.plot([0, 1], [0, 1], color=INK, linewidth=0.8, linestyle=":")
        for colour, (name, forecasts) in zip(COLOURS, lines.items(), strict=False):
            points = bins(forecasts)
            label = f"{name} ({calibration_error(forecasts):.3f})"
            axes.plot([b.said for b in points], [b.happened for b in points], color=colour, label=label)
            heavy = [4 + 90 * (b.number / len(forecasts)) ** 0.5 for b in points]
            axes.scatter([b.said for b in points], [b.happened for b in points], s=heavy, color=colour)
        axes.set(title=title, xlim=(0, 1), ylim=(0, 1), xlabel="chance that was shown")
        axes.set_ylabel("how often it happened" if number == 1 else "")
        axes.legend(
            fontsize="small", title="event (calibration error)", title_fontsize="small", frameon=False
        )
    figure.savefig(path, dpi=100, metadata={"Software": None})
