"""Luck is calculated by itself; that it equals the remainder proves options, shares and kernels.

Only here: a kernel that plays by rules other than the referee's, or a share that forgets a copy of a card,
which shifts luck by a little in every game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any

import numpy as np
import pytest

from bench.luck import away, from_nothing
from companion.games.boxes import options_for
from companion.games.galloping.rules import Galloping, GallopingHorse, GallopingPigs
from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race
from companion.games.terms import Decision
from companion.odds import luck as weighing
from companion.odds.galloping.kernel import Gallop
from companion.odds.giro.batch import GiroBatch
from companion.odds.giro.kernel import Giro
from companion.odds.greyhounds.kernel import Hounds, HoundsBatch
from companion.odds.kernel import Kernel, Playouts
from companion.odds.luck import Luck, weighed
from companion.odds.luck_ledger import Ledger, Worlds
from companion.odds.luck_options import Options, options
from tests.odds.test_luck import TINY, played
from tests.support.amount import some

pytestmark = pytest.mark.nightly

Case = tuple[type[Race], int, dict[str, Any]]

CASES: list[Any] = [
    (GallopingPigs, 2, {}),
    (GallopingPigs, 3, {"food_on_track": True, "rounds": 2, "food": 12}),
    (GallopingHorse, 3, {}),
    (GiroGaloppo, 3, {"board": TINY}),
    (GiroGaloppo, 4, {"board": TINY, "rearmost_only": True}),
    (Greyhounds, 3, {"lap": 2}),
    (Greyhounds, 4, {"lap": 2}),
    (Greyhounds, 3, {"lap": 1, "ties": "strike"}),
    pytest.param(Greyhounds, 3, {"lap": 1, "bookie": 1}, marks=pytest.mark.long),
]
WHOLE: list[Case] = [
    *((GallopingPigs, seats, {}) for seats in (2, 3, 4)),
    *((GallopingHorse, seats, {}) for seats in (2, 3, 4)),
    *((GiroGaloppo, seats, {}) for seats in (2, 3, 4, 5)),
    (GallopingPigs, 5, options_for(GallopingPigs, 5)),
    (GallopingPigs, 3, {"last_card_decides": False}),
    (GiroGaloppo, 3, {"rearmost_only": True}),
    (Greyhounds, 3, {}),
    (Greyhounds, 4, {}),
    (Greyhounds, 4, {"bookie": 0}),
]


class Soon(GiroBatch):
    """A kernel that is exact only where that is quick."""

    budget = 5_000


def looked_back(case: Case, seed: int, effort: float, kernel: Kernel[Any] | None = None) -> Luck:
    """Return the luck of a game at random."""
    game, seats, given = case
    opening, decisions = played(game, seats, seed, **given)
    if kernel is None and game is GiroGaloppo:
        kernel = Soon()
    *_, last = weighed(opening, decisions, seed, kernel, effort)
    assert last.luck is not None
    return last.luck


def too_much(lucks: Sequence[Luck]) -> float:
    """Return by how many standard errors the gaps of these games exceed chance."""
    chi2, freedom = (sum(luck.check[n] for luck in lucks) for n in (0, 1))
    return (chi2 - freedom) / sqrt(2 * freedom)


@pytest.mark.parametrize(("game", "seats", "given"), CASES)
def test_what_is_worked_out_adds_up(game: type[Race], seats: int, given: dict[str, Any]) -> None:
    """Over whole games each seat's gap, and all of them together, is within the error of the playouts."""
    lucks = [looked_back((game, seats, given), seed, 0.1) for seed in (1, 2)]
    assert too_much(lucks) < 3.5
    for luck in lucks:
        assert luck.check.freedom == seats - 1
        for account in luck.seats:
            assert abs(account.gap.value) < 2 * account.gap.error  # more than four standard errors


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats", "given"), some(WHOLE, 2))
def test_whole_games_add_up_at_every_table(game: type[Race], seats: int, given: dict[str, Any]) -> None:
    """The same holds on the boards that people play on."""
    assert too_much([looked_back((game, seats, given), seed, 1) for seed in range(4)]) < 3.5


# --- and what is wrong does not ------------------------------------------------------------------


def without_copies(race: Race, decision: Decision) -> Options | None:
    """Return options whose shares ignore that a hand may have a card twice."""
    found = options(race, decision)
    if found is None or not found.others:
        return found
    share = 1 / (1 + len(found.others))
    return found._replace(others=[(other, share) for other, _ in found.others])


@pytest.mark.long
def test_shares_that_forget_copies_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that is held twice is drawn twice as often; shares that count it once leave a gap."""
    case: Case = (GallopingPigs, 2, {"rounds": 1})
    assert too_much([looked_back(case, seed, 3) for seed in range(4)]) < 3.5
    monkeypatch.setattr(weighing, "options", without_copies)
    assert too_much([looked_back(case, seed, 3) for seed in range(4)]) > 6


class Slow(Gallop):
    """A kernel that reads one red card of each hand that it sees as a blue one."""

    def playouts(self, race: Galloping, count: int, rng: np.random.Generator) -> Playouts:
        hands = tuple(
            ("blue", *hand[:at], *hand[at + 1 :]) if (at := _first_red(hand)) is not None else hand
            for hand in race.hands
        )
        return super().playouts(race.replaced(hands=hands), count, rng)


def _first_red(hand: Sequence[str]) -> int | None:
    return hand.index("red") if "red" in hand else None


class Rearmost(Soon):
    """A kernel that always lets only the rearmost of several equal horses move."""

    def play_batch(
        self, races: Sequence[GiroGaloppo], count: int, rngs: Sequence[np.random.Generator]
    ) -> list[Playouts]:
        return super().play_batch([race.replaced(rearmost_only=True) for race in races], count, rngs)


FAULTS: list[tuple[Case, Callable[[], Kernel[Any]]]] = [
    ((GallopingPigs, 2, {"rounds": 1}), Slow),
    ((GiroGaloppo, 3, {"board": TINY}), Rearmost),
]


@pytest.mark.parametrize(("case", "kernel"), FAULTS)
def test_a_kernel_that_plays_by_other_rules_does_not_add_up(
    case: Case, kernel: Callable[[], Kernel[Any]]
) -> None:
    """Its chances change where nothing happened, or stay where something did."""
    assert too_much([looked_back(case, seed, 3, kernel()) for seed in range(4)]) > 6


# --- the ledger ----------------------------------------------------------------------------------


def test_the_gap_puts_a_part_right_by_what_it_tells_of_its_error() -> None:
    """A deal that moved 10 to 30 points, and a start that is exact, give a deal of 20 points."""
    ledger = Ledger(2)
    ledger.start(Worlds.of(np.array([[0.5], [0.5]])))
    ledger.deal(Worlds.of(np.array([[0.1, 0.2], [-0.1, -0.2]])))
    one, other = ledger.accounts(np.array([0.5, 0.5]), np.array([0.7, 0.3]))
    assert one.measured.value == pytest.approx(0.15)
    assert one.gap.value == pytest.approx(0.05)
    assert one.deals == one.luck == pytest.approx((0.2, 0))
    assert other.luck == pytest.approx((-0.2, 0))


def test_views_of_giro_side_by_side_are_what_each_is_alone() -> None:
    """Moments of a race that are played out together have the same worlds as each alone."""
    opening, decisions = played(GiroGaloppo, 4, 3)
    positions = [opening]
    for decision in decisions:
        positions.append(positions[-1].after(decision))
    views = [view for view in positions[2:-1:3] if isinstance(view, GiroGaloppo)]
    assert {view.due for view in views} == {"place-obstacle", "play"}
    together = GiroBatch().play_batch(views, 700, [np.random.default_rng(n) for n in range(len(views))])
    for n, (view, joint) in enumerate(zip(views, together, strict=True)):
        alone = Giro().playouts(view, 700, np.random.default_rng(n))
        assert joint.events == alone.events
        assert (joint.values == alone.values).all()


def test_the_bench_finds_what_is_not_nothing_on_average() -> None:
    """Games with no luck but chance pass; two points more for one seat are found."""
    rng = np.random.default_rng(1)
    points = rng.normal(0, 20, (2000, 3))
    points -= points.mean(axis=1, keepdims=True)  # what one seat wins the others lose
    chi2, freedom = from_nothing(points)
    assert freedom == 2
    assert away(chi2, freedom) < 3
    assert away(*from_nothing(points + np.array([2, -1, -1]))) > 3


@pytest.mark.parametrize("bookie", [None, 1])
def test_worlds_that_meet_in_blocks_are_worth_the_same(bookie: int | None) -> None:
    """Where later races are shared among all outcomes of this one, the chances are those of plain worlds."""
    opening, decisions = played(Greyhounds, 3, 4, lap=3, bookie=bookie)
    positions = [opening]
    for decision in decisions:
        positions.append(positions[-1].after(decision))
    views = [view for view in positions[5:-1:4] if isinstance(view, Greyhounds)]
    assert {(view.race, view.due) for view in views} >= {(1, "play"), (2, "play"), (3, "play")}
    rngs = [np.random.default_rng([7, n]) for n in range(len(views))]
    for view, met in zip(views, HoundsBatch().play_batch(views, 4000, rngs), strict=True):
        plain = Hounds().playouts(view, 4000, np.random.default_rng(8)).values[:3]
        away_by = met.values.mean(axis=1) - plain.mean(axis=1)
        spread = met.values.var(axis=1) / met.values.shape[1] + plain.var(axis=1) / plain.shape[1]
        assert (np.abs(away_by) < 4.5 * np.sqrt(spread) + 1e-6).all()
