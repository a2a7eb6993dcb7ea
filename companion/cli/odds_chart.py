"""The command that works out an odds chart for Greyhounds."""

from __future__ import annotations

import json

import click


@click.command("odds-chart")
@click.option("--lap", default=28, show_default=True, help="How many spaces the loop of your game has.")
@click.option(
    "--return", "returned", default=0.85, show_default=True, help="What part of the stakes bets pay back."
)
@click.option("--seats", default=4, show_default=True, help="How many play: with 3 there is a dummy.")
@click.option(
    "--playouts", type=click.IntRange(100, 200_000), default=10_000, show_default=True, help="Evenings run."
)
@click.option("--seed", default=0, show_default=True, help="The same seed works out the same chart.")
@click.option("--json", "as_json", is_flag=True, help="The options lap and odds as one JSON object.")
@click.option("--toml", "as_toml", is_flag=True, help="A chart file for the host page.")
def odds_chart(
    lap: int, returned: float, seats: int, playouts: int, seed: int, as_json: bool, as_toml: bool
) -> None:
    """Work out an odds chart for Greyhounds from simulated races, for your lap and a return of your choice.

    Printed are payouts per dollar, the stake included, and which part of the stakes each bet then pays back
    in races 1, 2 and 3. To play with it, save it (--toml > chart.toml) and load that file on the host page
    under "What is printed in your Greyhounds", or give the object that --json prints as the options of a
    record or of POST /api/matches.

    People who play for their bets change the chances: the dogs are simulated with cards played at random.
    """
    from companion.games.charts import to_toml
    from companion.games.greyhounds.rules import Greyhounds

    try:
        from companion.odds.greyhounds import chart as odds_chart
    except ModuleNotFoundError:
        raise click.ClickException("working an odds chart out needs NumPy: pip install numpy") from None
    try:
        chart = odds_chart.computed(lap, returned, seats, playouts, seed)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    options = {"lap": lap, "odds": chart.given()}
    if as_json:
        click.echo(json.dumps(options, default=float))
    elif as_toml:
        click.echo(to_toml(Greyhounds, options, returned), nl=False)
    else:
        click.echo(f"{'bet':23} pays   race 1   2     3")
        # other races than those it was made from: their luck is not in it
        back = odds_chart.paid_back(chart, odds_chart.chances(lap, seats, playouts, seed + 1))
        for (kind, ranks), races in zip(odds_chart.BETS, back.T, strict=True):
            dogs = " and ".join(f"Dog {rank}" for rank in ranks)
            each = "  ".join(f"{race:4.0%}" for race in races)
            click.echo(
                f"{kind:6} {dogs:15} {chart.of(kind, ranks):>5}   {each}   on average {races.mean():4.0%}"
            )
