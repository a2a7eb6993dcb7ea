"""The calibration tool: its arithmetic on chances that are known to be right or wrong, and a few games of each kind."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bench import calibration
from bench.calibration import (
    Job,
    Row,
    by_kind,
    food_kept,
    forecasts,
    judged,
    moments,
    page,
    played,
    sorted_out,
)
from bench.reliability import (
    Forecast,
    bins,
    bins_within,
    brier,
    calibration_error,
    calibration_slope,
    drawn,
    luck,
    within,
)
from companion import games
from companion.games.galloping.rules import GallopingPigs
from companion.games.greyhounds.bets import Bet
from companion.games.greyhounds.rules import Greyhounds
from companion.odds.greyhounds import sheets as hounds_sheets
from companion.odds.greyhounds.evening import Evening
from companion.odds.greyhounds.kernel import USUAL

FOUR = ["galloping-horse", "galloping-pigs", "giro-galoppo", "greyhounds"]


def said(*rows: tuple[float, float, int]) -> list[Forecast]:
    """Return forecasts, each at a separate moment: the chance, what happened, how often."""
    return [Forecast(f"{n}/{m}", "win", p, y) for n, (p, y, times) in enumerate(rows) for m in range(times)]


# --- arithmetic ----------------------------------------------------------------------------------

KNOWN = [
    # what was said and happened (chance, result, how often), calibration error, Brier score
    ("sure and right", [(1, 1, 5), (0, 0, 5)], 0.0, 0.0),
    ("sure and wrong", [(1, 0, 5), (0, 1, 5)], 1.0, 1.0),
    ("a half, and half of them", [(0.5, 1, 10), (0.5, 0, 10)], 0.0, 0.25),
    ("three in four said, one in four happened", [(0.75, 1, 1), (0.75, 0, 3)], 0.5, 0.4375),
    ("wrong both ways in one bin", [(0.42, 1, 42), (0.48, 0, 58)], 0.0348, None),
    ("a bin wrong by .2, another right", [(0.3, 1, 5), (0.3, 0, 5), (1, 1, 30)], 0.05, None),
    ("too high here, too low there, weighed by how full they are", [(0.9, 0, 1), (0.1, 1, 3)], 0.9, 0.81),
    ("a shared victory", [(0.5, 0.5, 4)], 0.0, 0.0),
]


@pytest.mark.parametrize(
    ("rows", "error", "score"), [row[1:] for row in KNOWN], ids=[row[0] for row in KNOWN]
)
def test_known_chances_have_known_errors(
    rows: list[tuple[float, float, int]], error: float, score: float | None
) -> None:
    assert calibration_error(said(*rows)) == pytest.approx(error)
    if score is not None:
        assert brier(said(*rows)) == pytest.approx(score)


def test_the_brier_score_adds_the_events_of_a_moment_and_averages_moments() -> None:
    """Seats of one moment add up; what few playouts add by chance is taken off."""
    one = [Forecast("1/1", "win", p, y, 0.01) for p, y in [(0.5, 1), (0.5, 0)]]
    other = [Forecast("1/2", "win", p, y) for p, y in [(1.0, 1), (0.0, 0)]]
    assert brier(one) == pytest.approx(0.5 - 0.02)
    assert brier(one + other) == pytest.approx(0.24)


def test_right_chances_err_by_luck_and_by_no_more() -> None:
    """Outcomes drawn as said: the error is about what luck foretells, and shrinks with their number."""
    rng = random.Random(1)
    some, many = (
        [Forecast(str(n), "win", p, float(rng.random() < p)) for n in range(count) for p in [rng.random()]]
        for count in (200, 20_000)
    )
    assert calibration_error(some) < 2 * luck(some)
    assert calibration_error(many) < 2 * luck(many) < 0.02 < luck(some)


def test_bins_are_tenths() -> None:
    """A chance of 1 is in the last one, one of .1 in the second."""
    assert [
        b.number for b in bins(said((0, 0, 1), (0.0999, 0, 1), (0.1, 0, 1), (0.95, 1, 1), (1, 1, 2)))
    ] == [
        2,
        1,
        3,
    ]


@pytest.mark.parametrize(
    ("error", "allowed", "text"),
    [
        (0.0123, 0.02, ".012 (≤ .02)"),
        (0.02, 0.02, ".020 (≤ .02)"),
        (0.031, 0.03, "**.031** (missed: ≤ .03)"),
        (0.2, None, ".200"),
    ],
)
def test_an_error_stands_next_to_its_goal(error: float, allowed: float | None, text: str) -> None:
    assert judged(error, allowed) == text


# --- games ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=FOUR)
def game_forecasts(request: pytest.FixtureRequest) -> list[Row]:
    return forecasts(Job("test", request.param, "mixed", 0, 2, 0.0))


def test_what_happened_adds_up(game_forecasts: list[Row]) -> None:
    """One victory; one dog wins its race, two are placed, one double, or fewer where dogs were lapped."""
    events: dict[tuple[str, str], list[Forecast]] = {}
    for *_, forecast in game_forecasts:
        events.setdefault((forecast.moment, forecast.kind), []).append(forecast)
    assert len({moment for moment, _ in events}) == 2 * calibration.MOMENTS
    for (_, kind), of in events.items():
        if kind == "win":
            assert sum(f.happened for f in of) == pytest.approx(1)
            assert sum(f.chance for f in of) == pytest.approx(1, abs=1e-5)
        elif kind in (most := {"dog wins": 1, "dog places": 2, "double": 1}):
            assert sum(f.happened for f in of) <= most[kind]
            assert sum(f.chance for f in of) < most[kind] + 1e-5


def test_every_chance_of_the_game_is_judged(game_forecasts: list[Row]) -> None:
    kinds = {"galloping-horse": {"win"}, "galloping-pigs": {"win", "keep"}, "giro-galoppo": {"win", "placed"}}
    dogs = {"win", "dog wins", "dog places", "double"}
    assert {forecast.kind for *_, forecast in game_forecasts} == kinds.get(game_forecasts[0][0], dogs)


def test_safe_food_is_that_of_the_rounds() -> None:
    """Asked in the opening, a seat keeps its food exactly if the referee gives it some, or it led without food."""
    kinds: Counter[float] = Counter()
    for seed in range(20):
        positions = played(
            GallopingPigs.new(["Ada", "Ben"], rounds=1), ["random", "careful"], random.Random(seed)
        )
        for seat in range(2):
            keeps = food_kept(seat, positions)
            kinds[keeps] += 1
            assert keeps or not positions[-1].scores()[seat]
    assert len(kinds) == 2


@pytest.mark.parametrize("game", FOUR)
def test_the_same_seed_plays_the_same_games(game: str) -> None:
    """The same seed gives the same games; their moments are spread over each, from early to late."""
    job = Job("again", game, "two and two", 3, 1, 0.0)
    assert forecasts(job) == forecasts(job) != forecasts(job._replace(seed="other"))
    positions = played(games.find_by_name(game).new(calibration.SEATS), ["random"] * 4, random.Random(1))
    at = moments(positions)
    assert at == sorted(set(at))
    assert at[0] < len(positions) / 6
    assert at[-1] > len(positions) * 5 / 6


def test_five_sit_at_the_table_with_the_box_in_shops() -> None:
    """Each moment has a chance to win for five seats, and its games are those of 27 tiles."""
    job = Job("test", "galloping-pigs", calibration.FIVE, 0, 1, 0.0)
    assert len(calibration.seats_of(job)) == 5
    wins = [forecast for *_, forecast in forecasts(job) if forecast.kind == "win"]
    assert Counter(forecast.moment for forecast in wins) == dict.fromkeys({f.moment for f in wins}, 5)
    counted = {(job.game, job.table, job.compared) for job in calibration.jobs("s", 0.01, list(FOUR), False)}
    assert {("galloping-pigs", calibration.FIVE, compared) for compared in (False, True)} <= counted
    assert not any(at == calibration.FIVE for game, at, _ in counted if game != "galloping-pigs")


def test_the_page_holds_a_row_for_each_table_and_each_forecaster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "BY_BOTS", 3)
    jobs = [Job("page", "galloping-horse", at, 0, 1, 0.0) for at in ("mixed", "careful")]
    compared = forecasts(Job("page", "galloping-horse", "mixed", 0, 6, 0.0, compared=True))
    measured = sorted_out([row for job in jobs for row in forecasts(job)], compared)
    text = page(measured, "page")
    assert [line.split(" | ")[:4] for line in text.splitlines() if " a seat wins" in line] == [
        ["| Galloping Horse, mixed", "a seat wins the game", "1", "6"],
        ["| Galloping Horse, careful", "a seat wins the game", "1", "6"],
    ]
    assert [
        line.split(" | ")[:3] for line in text.splitlines() if line.startswith("| Galloping Horse: ")
    ] == [
        [f"| Galloping Horse: {who}", "6", f"{score:.3f}"]
        for key, who in calibration.WHO.items()
        for score in [brier(measured.compared["galloping-horse"][key])]
    ]


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="only `make calibration` needs matplotlib")
    forecasts = said((0.2, 0, 4), (0.2, 1, 1), (0.8, 1, 4), (0.8, 0, 1))
    drawn({"Pigs": by_kind(forecasts), "Horse": by_kind(forecasts)}, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"


# --- what the odds take for granted --------------------------------------------------------------


def test_bold_seats_stake_all_on_their_own_dog_or_on_dog_1() -> None:
    """A known part of a sheet stays: all of it, or how much is staked."""
    given: list[hounds_sheets.KnownSheet] = [(Bet("place", ("green",), 500),), 1000, None, None]
    worlds, rng = 3, np.random.default_rng(1)
    drawn_sheets = hounds_sheets.sheets(given, 500, worlds, rng)
    before = drawn_sheets.stakes.copy(), drawn_sheets.dogs.copy()
    own = np.array([[True] * 3, [True, False, False], [False, True, False], [False] * 3])
    favourite = np.array([[False] * 3, [False, True, False], [False] * 3, [True, False, False]])
    rank = np.array([[3, 3, 3], [2, 2, 2], [1, 1, 1], [0, 0, 0]], np.int8)  # the last dog is Dog 1
    hounds_sheets.staked_boldly(drawn_sheets, given, 500, own, favourite, rank)
    for seat in range(4):
        for world in range(worlds):
            if seat and (own[seat, world] or favourite[seat, world]):
                dog = seat if own[seat, world] else 3
                assert drawn_sheets.stakes[:, seat, world].tolist() == [2 if seat == 1 else 4, 0, 0]
                assert drawn_sheets.dogs[0, seat, world] == dog
            else:
                assert drawn_sheets.stakes[:, seat, world].tolist() == before[0][:, seat, world].tolist()
                assert drawn_sheets.dogs[:, seat, world].tolist() == before[1][:, seat, world].tolist()


def test_boldness_lasts_an_evening_and_is_as_frequent_as_assumed() -> None:
    evening = Evening(
        Greyhounds.new(["Ada", "Ben", "Cleo"]).seen_by(None), 20_000, np.random.default_rng(1), USUAL
    )
    assert evening.own.mean() == pytest.approx(USUAL.own_dog, abs=0.01)
    assert evening.favourite.mean() == pytest.approx(USUAL.favourite, abs=0.01)
    assert not (evening.own & evening.favourite).any()


# --- how sure the odds are -----------------------------------------------------------------------


def drawn_from(chances: np.ndarray, said: np.ndarray, sigma: float = 0.0) -> list[Forecast]:
    """Return forecasts of events that happen as often as `chances` say, each in a separate game."""
    rng = np.random.default_rng(1)
    return [
        Forecast(f"{n}/0", "win", float(s), float(rng.random() < p), 0.0, sigma, (float(p), 1e-4))
        for n, (p, s) in enumerate(zip(chances, said, strict=True))
    ]


@pytest.mark.parametrize("stretch", [0.8, 1.0, 1.3])
def test_the_slope_is_how_much_too_even_the_odds_were(stretch: float) -> None:
    """The factor by which log odds were too small is found within the stated error."""
    said = np.random.default_rng(2).beta(1, 3, 4000).clip(0.02, 0.98)
    truth = said**stretch / (said**stretch + (1 - said) ** stretch)
    slope = calibration_slope(drawn_from(truth, said))
    assert abs(slope.value - stretch) < 1.6 * slope.error < 0.3


def test_so_few_forecasts_that_a_line_parts_them_have_no_slope() -> None:
    """All that was likelier than a half happened, nothing else did: any steeper slope fits better still."""
    pairs = [(0.2, 0.0), (0.3, 0.0), (0.7, 1.0), (0.9, 1.0)]
    slope = calibration_slope([Forecast(f"{n}/0", "win", *of) for n, of in enumerate(pairs)])
    assert np.isnan(slope.value)
    assert np.isinf(slope.error)


def test_one_sigma_holds_two_of_three_truths() -> None:
    """One sigma holds two of three, two hold nineteen of twenty, if the odds err as much as they say."""
    rng = np.random.default_rng(3)
    truth = rng.uniform(0.3, 0.7, 4000)
    found = drawn_from(truth, truth + rng.normal(0, 0.05, 4000), 0.05)
    assert within(found, 1) == pytest.approx(0.68, abs=0.03)
    assert within(found, 2) == pytest.approx(0.95, abs=0.02)


def test_bins_that_are_off_are_counted() -> None:
    """Ten right ones lie within two standard errors; all said too high by .2, and few do."""
    truth = np.random.default_rng(4).uniform(0.0, 0.8, 20_000)
    right, of = bins_within(drawn_from(truth, truth), 2)
    wrong, _ = bins_within(drawn_from(truth, truth + 0.2), 2)
    assert right >= of - 1
    assert wrong <= 1


@pytest.mark.long
def test_a_game_that_is_asked_about_six_times_is_one_game() -> None:
    """Right odds in 300 games, said six times each: nineteen of twenty bins hold, and two of three at one σ.

    Only here: errors of the calibration that take six moments of a game for six games.
    """
    held = np.zeros(2)
    for seed in range(200):
        rng = np.random.default_rng(seed)
        said = rng.uniform(0.0, 1.0, 300)
        won = rng.random(300) < said
        found = [
            Forecast(f"{n}/{moment}", "win", float(p), float(came))
            for n, (p, came) in enumerate(zip(said, won, strict=True))
            for moment in range(6)
        ]
        held += [bins_within(found, sigmas)[0] / bins_within(found, sigmas)[1] for sigmas in (1, 2)]
    assert 0.62 < held[0] / 200 < 0.78
    assert 0.88 < held[1] / 200 < 0.98
