"""An odds chart that is worked out: it pays what was asked for, and can be played with as it is."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.errors import InvalidInput
from companion.games.charts import chart_of, from_toml, to_toml
from companion.games.galloping.rules import GallopingPigs
from companion.games.greyhounds.bets import charts_as_data, odds_of
from companion.games.greyhounds.fair import FAIR, RETURN
from companion.games.greyhounds.rules import Greyhounds
from companion.odds.greyhounds.chart import (
    BETS,
    BLOCK,
    STEPS,
    blocks,
    chances,
    chart,
    computed,
    paid_back,
    together,
)
from companion.store.journal import Journal
from tests.support.client import Client, HttpError
from tests.web.test_web import Served

MADE, OTHER = 20_000, 30_000  # evenings
LAPS = [(1, 4), (5, 3), (28, 4), (28, 3), (60, 4), (300, 4)]


@cache
def other_races(lap: int, seats: int) -> Any:
    """Return how often each bet is won in races that no chart here was made from."""
    return chances(lap, seats, playouts=OTHER, seed=77)


QUICK = [(28, 4, 0.85), (28, 3, 1.0), (5, 3, 0.7), (300, 4, 0.85)]
"""Of the laps and returns, those that `make test` tries."""


@pytest.mark.parametrize(
    ("lap", "seats", "returned"),
    [
        pytest.param(*lap, returned, marks=[] if (*lap, returned) in QUICK else pytest.mark.long)
        for lap in LAPS
        for returned in (0.7, 0.85, 1.0)
    ],
)
def test_every_bet_pays_back_about_what_was_asked_for(lap: int, seats: int, returned: float) -> None:
    """Each bet in each race pays within 3 % and four standard errors over other races, all together within 1
    %.

    Payouts below 1.05 are left out: they hold the stake and cannot be less.

    Only here: a chart for a lap of 1 or 60 spaces, or for a return that no quick row has, that pays too much.
    """
    odds, won = computed(lap, returned, seats, playouts=MADE), other_races(lap, seats)
    back, free = paid_back(odds, won), won * 1.05 < returned
    assert free.sum(axis=1).min() >= 10
    error = 4 * np.sqrt((1 - won) / won * (1 / MADE + 1 / OTHER))
    assert np.all(abs(back / returned - 1)[free] < (0.03 + error)[free])
    assert back[free].mean() == pytest.approx(returned, rel=0.01)


@pytest.mark.long
@pytest.mark.parametrize("seats", FAIR)
def test_the_default_charts_are_what_the_command_works_out(seats: int) -> None:
    """That holds for the usual lap; each bet pays back the same within 3 % in each race, over another seed's
    races.

    Only here: given charts that the command no longer works out.
    """
    assert computed(28, RETURN, seats) == FAIR[seats]
    assert paid_back(FAIR[seats], chances(28, seats, seed=5)) == pytest.approx(
        RETURN,
        rel=0.03 + 0.02,  # what is rounded, and the luck of so many other races
    )


@pytest.mark.parametrize(("lap", "seats"), LAPS)
def test_a_worse_rank_never_pays_less(lap: int, seats: int) -> None:
    """That holds by rank, and for doubles where neither dog is the better one."""
    for returned in (0.1, 0.85):
        for odds in computed(lap, returned, seats, playouts=200):  # few: luck would show
            for kind, ranks in BETS:
                for other, better in BETS:
                    if kind == other and all(a <= b for a, b in zip(better, ranks, strict=True)):
                        assert odds.of(kind, better) <= odds.of(kind, ranks)


def test_payouts_are_from_1_to_1000_and_such_as_people_reckon_with() -> None:
    """That holds also for bets that are never or always won; two neighbours are at most a twentieth apart."""
    assert all(b / a <= Decimal("1.0501") for a, b in pairwise(STEPS))
    odds = chart(np.array([1.0, 0.5, 0.01, 0.0] * 2 + [0.3, 0.2, 0.1, 0.1, 1e-6, 0.0]), 0.9)
    assert list(map(str, odds.win)) == ["1", "1.8", "90", "1000"]
    assert {*odds.win, *odds.place, *odds.double} <= set(STEPS)
    assert odds_of(odds.as_data()) == odds


def test_the_same_seed_makes_the_same_chart() -> None:
    """Another seed makes nearly the same one."""
    assert computed(28, playouts=MADE, seed=3) == computed(28, playouts=MADE, seed=3)
    one, other = (
        np.array([[float(odds.of(*bet)) for bet in BETS] for odds in computed(28, playouts=MADE, seed=seed)])
        for seed in (1, 2)
    )
    assert np.all(abs(one / other - 1) < 0.15)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"returned": 0}, "the return must be more than 0 and at most 1, not 0"),
        ({"returned": 1.01}, "the return must be more than 0 and at most 1, not 1.01"),
        ({"returned": float("nan")}, "the return must be more than 0 and at most 1, not NaN"),
        ({"lap": 0}, "lap must be 1 to 1000, not 0"),
        ({"lap": 1001}, "lap must be 1 to 1000, not 1001"),
        ({"seats": 5}, "greyhounds has 3 to 4 seats, not 5"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        computed(**given)


# --- on the command line -------------------------------------------------------------------------


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["odds-chart", *arguments])


@pytest.mark.long
def test_the_command_prints_options_a_chart_file_and_what_bets_pay_back() -> None:
    """The command prints options that play a game, and a chart file that the host page accepts.

    The file is marked as computed.

    Only here: a chart of `companion odds-chart` that the host page or a game does not accept.
    """
    options = json.loads(run("--lap", "12", "--return", "0.9", "--json").stdout)
    assert options == {
        "lap": 12,
        "odds": json.loads(json.dumps(charts_as_data(computed(12, 0.9)), default=float)),
    }
    assert Greyhounds.new(["Ada", "Ben", "Cleo"], **options).odds == computed(12, 0.9)
    entered = from_toml(run("--lap", "12", "--return", "0.9", "--toml").stdout)
    assert entered.chart == {"lap": 12, "odds": charts_as_data(computed(12, 0.9))}
    assert entered.computed == 0.9
    saved_in_notepad = "\ufeff" + to_toml(Greyhounds, entered.chart, 0.9).replace("\n", "\r\n")
    assert from_toml(saved_in_notepad) == entered
    lines = run("--lap", "12", "--return", "0.9").stdout.splitlines()
    assert len(lines) == 1 + len(BETS)
    assert lines[1].split()[:4] == ["win", "Dog", "1", str(computed(12, 0.9)[0].win[0])]


def test_many_evenings_are_simulated_in_blocks_and_counted_alike() -> None:
    """Each evening counts once, in any block; the first block is the whole of a smaller number."""
    counted = list(blocks(5, 4, 2 * BLOCK + 7, seed=1))
    assert [evenings for evenings, _ in counted] == [BLOCK, BLOCK, 7]
    assert np.array_equal(counted[0][1], next(blocks(5, 4, BLOCK, seed=1))[1])
    assert together([(3, np.array([1.0])), (1, np.array([0.0]))]) == pytest.approx(0.75)


def test_ctrl_c_ends_it_with_130_and_says_that_nothing_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> Iterator[tuple[int, Any]]:
        yield from blocks(5, 4, 100, seed=1)
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.odds.greyhounds.chart.blocks", interrupted)
    ran = run("--lap", "5", "--toml")
    assert (ran.exit_code, ran.stdout) == (130, "")
    assert ran.stderr == "stopped: nothing is saved; fewer --playouts take less time\n"


def test_the_command_ends_with_2_and_a_sentence() -> None:
    ran = run("--return", "0")
    assert (ran.exit_code, ran.stderr.splitlines()[-1]) == (
        2,
        "Error: the return must be more than 0 and at most 1, not 0.0",
    )


def test_without_numpy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "companion.odds.greyhounds.chart", None)
    monkeypatch.delattr("companion.odds.greyhounds.chart", raising=False)
    ran = run()
    assert (ran.exit_code, ran.stderr) == (
        1,
        "Error: working an odds chart out needs NumPy: pip install numpy\n",
    )


# --- in a file -----------------------------------------------------------------------------------


def test_a_file_says_that_its_chart_was_computed() -> None:
    """Only a chart with odds can be computed."""
    odds = charts_as_data(computed(28, 0.85, playouts=100))
    assert from_toml(to_toml(Greyhounds, {"lap": 28, "odds": odds}, 0.85)).computed == 0.85
    assert from_toml(to_toml(Greyhounds, {"lap": 28, "odds": odds})).computed is None
    with pytest.raises(ValueError, match="at most 1, not true"):
        from_toml('game = "greyhounds"\ncomputed = true\n')
    with pytest.raises(ValueError, match="the chart of giro-galoppo has board, not computed"):
        from_toml('game = "giro-galoppo"\ncomputed = 0.5\n')


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("[" * 10_000, "^the file is nested too deeply$"),
        ("9" * 5_000, "digits"),
        ("1e999999999999999999999", "out of all bounds"),
    ],
    ids=["nested 10,000 deep", "5,000 digits", "an endless exponent"],
)
def test_an_unreadable_chart_is_refused(value: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        from_toml(f'game = "greyhounds"\nlap = {value}\n')


# --- over HTTP -----------------------------------------------------------------------------------


@pytest.fixture
def site(journal: Journal) -> Iterator[Served]:
    served = Served(journal)
    served.host()
    yield served
    served.close()


def known(site: Served) -> tuple[bool, float | None]:
    """Return whether the chart is the owner's own, and the error if it was computed."""
    chart = site.get("/api/charts")["charts"]["greyhounds"]
    return chart["own"], chart["computed"]


@pytest.mark.long
def test_a_computed_chart_is_stored_with_its_mark_until_another_is_entered(site: Served) -> None:
    """Computing stores nothing; the mark stays with the chart, also in its file, and goes with it.

    Only here: a chart worked out on the host page that loses its mark.
    """
    made = site.post("/api/charts/greyhounds/computed", **{"lap": 40, "return": 0.8})
    assert made["chart"] == json.loads(
        json.dumps({"lap": 40, "odds": charts_as_data(computed(40, 0.8))}, default=float)
    )
    assert (made["computed"], known(site)) == (0.8, (False, RETURN))
    site.put("/api/charts/greyhounds", chart=made["chart"], computed=made["computed"])
    assert known(site) == (True, 0.8)
    file = site.get("/api/charts/greyhounds.toml")
    site.put("/api/charts/greyhounds", chart=made["chart"])
    assert known(site) == (True, None)
    site.post("/api/charts", toml=file)
    assert known(site) == (True, 0.8)
    site.request("DELETE", "/api/charts/greyhounds", {})
    assert known(site) == (False, RETURN)


def test_the_table_does_not_wait_for_a_chart(site: Served) -> None:
    """While the table's thread is busy a chart is worked out."""
    go_on = threading.Event()
    busy = threading.Thread(target=site.owner.ask, args=(lambda t: go_on.wait(60),))
    busy.start()
    assert site.post("/api/charts/greyhounds/computed", lap=28)["computed"] == 0.85
    assert busy.is_alive()
    go_on.set()
    busy.join()


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        (
            "greyhounds",
            {"lap": 28, "return": 0},
            "400: the return must be more than 0 and at most 1, not 0.0",
        ),
        ("greyhounds", {"lap": 0}, "400: lap must be 1 to 1000, not 0"),
        ("giro-galoppo", {"lap": 28}, "400: no chart can be worked out for giro-galoppo: it has no odds"),
    ],
)
def test_what_the_page_cannot_have_is_said(site: Served, path: str, body: dict[str, Any], said: str) -> None:
    with pytest.raises(HttpError) as refused:
        site.post(f"/api/charts/{path}/computed", **body)
    assert str(refused.value) == said


def test_a_game_without_a_chart_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"^galloping-pigs has no chart"):
        chart_of(GallopingPigs, {})


def test_only_the_host_may_have_a_chart_worked_out(site: Served) -> None:
    with pytest.raises(HttpError) as refused:
        Client(site.port).post("/api/charts/greyhounds/computed", lap=28)
    assert refused.value.status == 403


def test_without_numpy_the_page_says_why_there_is_no_chart(
    site: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "companion.odds.greyhounds.chart", None)
    monkeypatch.delattr("companion.odds.greyhounds.chart", raising=False)
    with pytest.raises(HttpError) as refused:
        site.post("/api/charts/greyhounds/computed", lap=28)
    assert str(refused.value) == (
        "503: NumPy is not installed, without which no chart can be worked out; run make setup and start again"
    )
