"""Reliability of chances: calibration error, Brier score, and the plot of both.

A forecast concerns one event at one moment of a game: its kind, the moment, the chance, and the outcome, 0 or
1, or a share of a victory.
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
    """One event at one moment, which is named GAME/MOMENT.

    `spread` is the variance of `chance` if few playouts made it, `sigma` the standard error that was stated
    with the chance; `truth` is how often it happens when these seats really play on, and the variance of
    that, where it was tried.
    """

    moment: str
    kind: str
    chance: float
    happened: float
    spread: float = 0.0
    sigma: float = 0.0
    truth: tuple[float, float] | None = None


class Bin(NamedTuple):
    """Forecasts of about the same chance: how many, the mean forecast, and how often it happened."""

    number: int
    said: float
    happened: float


def bins(forecasts: Sequence[Forecast]) -> list[Bin]:
    """Return the forecasts in ten bins of equal width, empty ones left out.

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
    """Return the mean distance between forecast and outcome, over the bins, weighted by their counts.

    Forecast .2 twice, of which one happened, and 1 twice, of which both did:

    >>> said = [Forecast("", "win", *of) for of in [(0.2, 0), (0.2, 1), (1, 1), (1, 1)]]
    >>> round(calibration_error(said), 9)
    0.15
    """
    return float(_errors(*_columns(forecasts)))


def brier(forecasts: Sequence[Forecast]) -> float:
    """Return squared differences added over the events of a moment, in the mean of the moments; 0
    is perfect.

    The part that few playouts add by chance is subtracted.

    >>> brier([Forecast("a", "win", *of) for of in [(0.5, 1), (0.3, 0), (0.2, 0)]])
    0.38
    """
    total = sum((f.chance - f.happened) ** 2 - f.spread for f in forecasts)
    return round(total / len({(f.moment, f.kind) for f in forecasts}), 12)


def luck(forecasts: Sequence[Forecast], draws: int = 200) -> float:
    """Return the calibration error that perfect forecasts would show by luck alone, were all of them
    independent.
    """
    said: Floats = np.clip(_columns(forecasts)[0], 0.0, 1.0).astype(np.float64)
    rng = np.random.default_rng(1)
    return float(
        np.mean([_errors(said, np.asarray(rng.random(len(said)) < said, np.float64)) for _ in range(draws)])
    )


SINGULAR: Final = 1e12  # so ill conditioned is the information of a fit that runs away
LEAST_SAID: Final = 0.002  # nearer to 0 or 1 a chance of a thousand playouts has no log odds to speak of


class Slope(NamedTuple):
    """The change of log odds when the forecast changes by one, and the half width of its 95 % interval."""

    value: float
    error: float


def calibration_slope(forecasts: Sequence[Forecast]) -> Slope:
    """Return the calibration slope: 1 is right, above it the forecasts are too near to even.

    From a logistic regression of the outcome on the log odds of the forecast (Cox, 1958); the moments of a
    game are correlated, so its error counts games (a sandwich estimate, clustered). So few forecasts that a
    line separates the outcomes completely have no slope: NaN, with an infinite error.

    >>> outcomes = [(0.3, 0), (0.3, 1), (0.7, 1), (0.7, 0)]
    >>> said = [Forecast(f"{n}/0", "win", *of) for n, of in enumerate(outcomes)]
    >>> abs(calibration_slope(said).value) < 1e-9
    True
    """
    said, happened = _columns(forecasts)
    said = np.clip(said, LEAST_SAID, 1 - LEAST_SAID)
    rows = np.stack([np.ones_like(said), np.log(said / (1 - said))])
    fit = np.array([0.0, 1.0])
    for _ in range(50):  # Newton's method; it is done much sooner
        likely = 1 / (1 + np.exp(-fit @ rows))
        information = (rows * likely * (1 - likely)) @ rows.T
        if np.linalg.cond(information) > SINGULAR:
            return Slope(np.nan, np.inf)
        bread = np.linalg.inv(information)
        fit = fit + bread @ (rows @ (happened - likely))
    _, game = np.unique([f.moment.split("/")[0] for f in forecasts], return_inverse=True)
    by_game = np.stack([np.bincount(game, row) for row in rows * (happened - likely)])
    spread = bread @ (by_game @ by_game.T) @ bread
    return Slope(float(fit[1]), 1.96 * float(np.sqrt(spread[1, 1])))


def within(forecasts: Sequence[Forecast], sigmas: float) -> float:
    """Return how often the truth was within so many standard errors of the forecast, where it was tried.

    The uncertainty of the truth from so few trials counts as an additional error.
    """
    tried = [(f, *f.truth) for f in forecasts if f.truth is not None]
    inside = [abs(f.chance - p) <= sigmas * (f.sigma**2 + var) ** 0.5 for f, p, var in tried]
    return float(np.mean(inside))


def bins_within(forecasts: Sequence[Forecast], sigmas: float) -> tuple[int, int]:
    """Return in how many bins the outcome was within so many standard errors of the forecast, and the number
    of bins.

    The error of a bin is the stated one, in the root mean square, and the luck of so few games.
    """
    said, happened = _columns(forecasts)
    stated = np.array([f.sigma for f in forecasts])
    number = _bin_numbers(said)
    game = np.array([f.moment.split("/")[0] for f in forecasts])
    found = []
    for here in (number == n for n in np.unique(number)):
        allowed = sigmas * np.sqrt((stated[here] ** 2).mean() + _luck(said[here], happened[here], game[here]))
        found.append(bool(abs(said[here].mean() - happened[here].mean()) <= allowed))
    return sum(found), len(found)


def _luck(said: Floats, happened: Floats, game: NDArray[np.str_]) -> float:
    """Return the variance that luck gives to the mean outcome, were the forecasts right.

    The moments of a game are correlated: the winner of a game wins at all of them. So it is the variance
    between games (a sandwich estimate, clustered), and at least that of independent moments; of one game
    alone, that of one event.
    """
    alone = float((said * (1 - said)).mean())
    _, of = np.unique(game, return_inverse=True)
    rest = happened - said
    sums = np.bincount(of, rest - rest.mean())
    if len(sums) == 1:
        return alone
    between = float(sums @ sums) / len(said) ** 2 * len(sums) / (len(sums) - 1)
    return max(between, alone / len(said))


def _columns(forecasts: Sequence[Forecast]) -> tuple[Floats, Floats]:
    return np.array([f.chance for f in forecasts]), np.array([f.happened for f in forecasts])


def _bin_numbers(said: Floats) -> NDArray[np.int64]:
    return np.clip((said * BINS).astype(np.int64), 0, BINS - 1)


def _errors(said: Floats, happened: Floats) -> Any:
    """Return the sum of distances over the bins: the count of a bin times its mean distance."""
    return np.abs(np.bincount(_bin_numbers(said), said - happened, BINS)).sum() / len(said)


def drawn(panels: Mapping[str, Mapping[str, Sequence[Forecast]]], path: Path) -> None:
    """Return a plot of panels side by side: forecast against outcome, a line for each kind of event."""
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
