"""The command that works out an odds chart for Greyhounds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.games.greyhounds.bets import Odds
    from companion.odds.kernel import Values


@click.command("odds-chart")
@click.option("--lap", default=28, show_default=True, help="How many spaces the loop of your game has.")
@click.option(
    "--return", "returned", default=0.85, show_default=True, help="What part of the stakes bets pay back."
)
@click.option("--seats", default=4, show_default=True, help="How many play: with 3 there is a dummy.")
@click.option(
    "--playouts",
    type=click.IntRange(100, 5_000_000),
    default=200_000,
    show_default=True,
    help="Evenings run.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="The same seed works out the same chart.",
)
@click.option("--json", "as_json", is_flag=True, help="The options lap and odds as one JSON object.")
@click.option("--toml", "as_toml", is_flag=True, help="A chart file for the host page.")
def odds_chart(
    lap: int, returned: float, seats: int, playouts: int, seed: int, as_json: bool, as_toml: bool
) -> None:
    """Work out odds charts for Greyhounds from simulated races, for your lap and a return of your choice.

    There is one for each race. Printed are payouts per dollar, the stake included, and which part of the
    stakes each bet then pays back. To play with them, save them (--toml > chart.toml) and load that file on
    the host page under "What is printed in your Greyhounds", or give the object that --json prints as the
    options of a record or of POST /api/matches.

    People who play for their bets change the chances: the dogs are simulated with cards played at random.
    """
    from companion.games.charts import checked_return, to_toml
    from companion.games.greyhounds.bets import charts_as_data
    from companion.games.greyhounds.rules import Greyhounds

    try:
        from companion.odds.greyhounds import chart as odds_chart
    except ModuleNotFoundError:
        raise click.ClickException("working an odds chart out needs NumPy: pip install numpy") from None
    try:
        checked_return(returned)
        won = _won(lap, seats, playouts, seed)
        charts = odds_chart.charts(won, returned)
        options = {"lap": lap, "odds": charts_as_data(charts)}
        if as_json:
            click.echo(json.dumps(options, default=float))
        elif as_toml:
            click.echo(to_toml(Greyhounds, options, returned), nl=False)
        else:
            # other races than those it was made from: their luck is not in it
            _print(charts, odds_chart.paid_back(charts, _won(lap, seats, playouts, seed + 1)))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except KeyboardInterrupt:
        click.echo("stopped: nothing is kept; fewer --playouts take less time", err=True)
        raise SystemExit(130) from None


def _won(lap: int, seats: int, playouts: int, seed: int) -> Values:
    """How likely each bet is won, with a bar on a terminal while that is worked out."""
    from rich.console import Console
    from rich.progress import track

    from companion.odds.greyhounds.chart import BLOCK, blocks, together

    errors, steps = Console(stderr=True), blocks(lap, seats, playouts, seed)
    number = -(-playouts // BLOCK)
    return together(track(steps, "simulating", number, console=errors, disable=not errors.is_terminal))


def _print(charts: Sequence[Odds], back: Values) -> None:
    """Each bet, race by race: what it pays, and what part of the stakes it pays back."""
    from companion.odds.greyhounds.chart import BETS

    click.echo(f"{'bet':22}" + "".join(f"{f'race {n} pays':>14} back" for n in range(1, len(charts) + 1)))
    for (kind, ranks), races in zip(BETS, back.T, strict=True):
        dogs = " and ".join(f"Dog {rank}" for rank in ranks)
        each = (f"{odds.of(kind, ranks):>14} {part:4.0%}" for odds, part in zip(charts, races, strict=True))
        click.echo(f"{kind:6} {dogs:15}" + "".join(each))
