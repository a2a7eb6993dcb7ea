"""The command that plays games between bots, or at random, and counts the wins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from companion.cli.common import cannot_use

if TYPE_CHECKING:
    from companion.bots.contest import Played


class _Options(click.ParamType[tuple[str, Any]]):
    """`name=value` of a game's option, the value in JSON; other values are texts."""

    name = "NAME=VALUE"

    def convert(self, value: str, param: Any, ctx: Any) -> tuple[str, Any]:
        """Return the pair."""
        name, equals, text = value.partition("=")
        try:
            return name, json.loads(text if equals else "true")
        except json.JSONDecodeError:
            return name, text


def _games(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """Return the games whose names begin so, for shell completion."""
    from companion import games

    return [name for name in games.all_games() if name.startswith(begun)]


def _bots(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """Return possible completions of the last of these bots, for the shell."""
    from companion.bots.players import all_kinds, all_strengths

    before, comma, last = begun.rpartition(",")
    return [
        before + comma + name
        for name in dict.fromkeys((*all_kinds(), *all_strengths()))
        if name.startswith(last)
    ]


@click.command()
@click.argument("game", shell_complete=_games)
@click.option(
    "--seats", type=click.IntRange(1), help="How many seats.  [default: 4, or the most that the game has]"
)
@click.option("--games", type=click.IntRange(0), default=100, show_default=True, help="How many games.")
@click.option("--seed", default=0, show_default=True, help="The same seed plays the same games.")
@click.option(
    "--option",
    "options",
    multiple=True,
    type=_Options(),
    help="An option of the game, such as rounds=1 or ties=strike.",
)
@click.option(
    "--bots",
    metavar="BOT,…",
    shell_complete=_bots,
    help="Who plays, seat by seat, or one for all seats: random, playful, careless, greedy, careful, "
    "thinker; or by strength: easy, medium, strong.",
)
@click.option("--rotate", is_flag=True, help="The bots move on by a seat from game to game.")
@click.option(
    "--records", type=click.Path(file_okay=False, path_type=Path), help="Write a record per game there."
)
def simulate(
    game: str,
    seats: int | None,
    games: int,
    seed: int,
    options: tuple[tuple[str, Any], ...],
    bots: str | None,
    rotate: bool,
    records: Path | None,
) -> None:
    """Play games at random, or between bots, through the rules and count the wins."""
    from rich.console import Console
    from rich.table import Table as Rows

    from companion.bots.contest import contest, seated
    from companion.errors import InvalidInput
    from companion.match.record import Header, written

    seats = seats or _usual_seats(game)
    header = Header(game, names(seats), 0, dict(options))
    try:
        header.opening()
        players = seated(bots, seats, rotate)
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None
    if records is not None:
        try:
            records.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.ClickException(cannot_use(records, error, "--records DIRECTORY")) from None
    won, scored, finished = [0.0] * seats, [0] * seats, 0
    ended = None
    played = contest(header.opening, players, games, seed, rotate)
    try:
        for one in _with_progress(played, games):
            if records is not None:
                path = records / f"{game}-{seed}-{one.number:0{len(str(games - 1))}}.jsonl"
                _write_whole(path, written(header, one.decisions))
            won = [a + b for a, b in zip(won, one.won, strict=True)]
            scored = [a + b for a, b in zip(scored, one.scores, strict=True)]
            finished += 1
    except InvalidInput as reason:
        raise click.ClickException(str(reason)) from None
    except KeyboardInterrupt:
        ended = _Ended("stopped", 130)
    except _Ended as full:
        ended = full
    heads = [[name] for name in header.seats]
    if players:
        heads = (
            [[bot] for bot in players] if rotate else [[*h, b] for h, b in zip(heads, players, strict=True)]
        )
    rows = Rows(*(["bot"] if rotate else ["seat", "bot"] if players else ["seat"]), "wins", "score")
    for row, head in enumerate(heads):
        rows.add_row(*head, f"{won[row] / max(finished, 1):.1%}", f"{scored[row] / max(finished, 1):.2f}")
    Console().print(rows)
    if ended is not None:
        where = f", and their records are in {records}" if records is not None else ""
        click.echo(f"{ended}: {finished} of {games} games are counted{where}", err=True)
        raise SystemExit(ended.status)


def _usual_seats(game: str) -> int:
    """Return four seats, or the most that the game allows if that is fewer."""
    from companion.games import all_games

    known = all_games().get(game)  # if there is no such game, the record says so
    return _USUAL_SEATS if known is None else min(_USUAL_SEATS, max(known.seat_counts))


def _with_progress(played: Iterator[Played], count: int) -> Iterator[Played]:
    """Yield the games; a terminal shows a bar with an estimate, anything else a line every half minute."""
    import time

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    errors = Console(stderr=True)
    if errors.is_terminal:
        columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=errors) as bar:
            task = bar.add_task("playing", total=count)
            for one in played:
                yield one
                bar.advance(task)
        return
    began = said = time.monotonic()
    for number, one in enumerate(played, 1):
        yield one
        now = time.monotonic()
        if now - said >= _EVERY_S and number < count:
            said = now
            left = (now - began) / number * (count - number)
            click.echo(f"{number} of {count} games are played, about {left:.0f} s to go", err=True)


_USUAL_SEATS: Final = 4
_EVERY_S: Final = 30.0  # seconds between two lines about a long simulation in a log


class _Ended(Exception):
    """Not all games were played; the results so far are printed, and the command ends with this status."""

    def __init__(self, why: str, status: int) -> None:
        super().__init__(why)
        self.status = status


def _write_whole(path: Path, record: str) -> None:
    """Write a record, or leave no file; _Ended if it cannot be written."""
    try:
        path.write_text(record, encoding="utf-8")
    except BaseException as problem:
        with suppress(OSError):
            path.unlink()
        if isinstance(problem, OSError):
            raise _Ended(f"{path} cannot be written: {problem.strerror or problem}", 1) from None
        raise


def names(seats: int) -> tuple[str, ...]:
    """Return names for so many seats."""
    return tuple((["Ada", "Ben", "Cleo", "Dev", "Emma"] + [f"Seat {n}" for n in range(6, seats + 1)])[:seats])
