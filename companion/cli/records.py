"""Commands about a record: play it, its odds, luck against choice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from companion.cli.common import FILE, end_with_error, failure, one_line, read_bytes, reason, words
from companion.message import N_

if TYPE_CHECKING:
    from companion.match.record import Replay


@click.command()
@click.argument("file", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="One JSON object with position, standings and error.")
def replay(file: str, as_json: bool) -> None:
    """Play a race record through the rules; `-` reads standard input."""
    from companion.match.record import replayed

    played = replayed(read_bytes(file))
    if as_json:
        click.echo(json.dumps(played.answer()))
    else:
        for line in _story(played):
            click.echo(one_line(line))
    end_with_error(file, played)


def _story(played: Replay) -> Iterator[str]:
    """Yield the game as text, a line per decision with its consequences, and the standings."""
    from companion.games.judge import checked
    from companion.games.presenter import presented
    from companion.translate import Words

    if played.header is None:
        return
    words, race = Words.english(), played.header.opening()
    yield f"{words(race.title)}: {', '.join(race.seats)}"
    for number, decision in enumerate(played.decisions, 1):
        race = checked(race, decision)
        shown = presented(race)
        who = f"{race.seats[decision.seat]}: " if decision.seat is not None else ""
        yield f"{number:3}. {who}{', '.join(words.text(shown.sentence(news), race) for news in race.news)}"
    yield ""
    for standing in race.standings():
        place = "-" if standing.place is None else f"{standing.place}."
        yield f"{place:>3} {standing.name}: {standing.score}"
    prompt = presented(race).prompt()
    if prompt is not None:
        yield f"Next: {words.text(prompt, race)}"


@click.command()
@click.argument("file", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--seed", type=click.IntRange(0), default=0, help="Seed of the playouts.")
def odds(file: str, as_json: bool, seed: int) -> None:
    """Print every chance at the end of a record, from what the public knows: win, and what else
    the game has.
    """
    try:
        from companion.odds.estimate import answers
        from companion.odds.styles import learned
    except ModuleNotFoundError:
        raise failure(N_("odds need NumPy: pip install numpy")) from None
    from companion.match.record import replayed

    played = replayed(read_bytes(file))
    if played.race is None:
        end_with_error(file, played)
        return
    belief = learned(played.positions())
    *_, worked_out = answers(played.race.seen_by(None), seed, belief=belief)
    if as_json:
        chances = [{"what": str(c.event), "p": c.p, "error": c.error} for c in worked_out]
        click.echo(json.dumps({"chances": chances, "exact": all(c.sampled == 0 for c in worked_out)}))
    else:
        for c in worked_out:
            what, seat = words()(_WHAT[c.event.what]), c.event.seat
            pieces = ", ".join(words()(piece) for piece in c.event.pieces)
            name = pieces if seat is None else one_line(played.race.seats[seat])
            click.echo(f"{what:7} {name:14} {c.p:6.1%} ± {c.error:.1%}")
    end_with_error(file, played)


_WHAT = {
    "win": N_("win"),
    "keep": N_("keep"),
    "placed": N_("placed"),
    "place": N_("place"),
    "double": N_("double"),
}


_PARTS = ("luck", "own", "others", "deals", "unseen", "measured", "gap")


@click.command()
@click.argument("file", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--seed", type=click.IntRange(0), default=0, help="Seed of the playouts.")
def luck(file: str, as_json: bool, seed: int) -> None:
    """Print luck against choice in a finished game: what moved each chance, and the moments that
    decided it.
    """
    from rich.console import Console
    from rich.progress import track

    try:
        from companion.odds.luck import weighed
        from companion.odds.luck_summary import scatter
        from companion.odds.luck_words import luck_summary
    except ModuleNotFoundError:
        raise failure(N_("luck and choice need NumPy: pip install numpy")) from None
    from companion.match.record import replayed
    from companion.translate import Words

    played = replayed(read_bytes(file))
    if played.header is None or played.race is None or played.error is not None:
        end_with_error(file, played)
        return
    errors, steps = Console(stderr=True), weighed(played.header.opening(), played.decisions, seed)
    try:
        number = len(played.decisions) + 1
        *_, last = track(
            steps, words()(N_("weighing")), number, console=errors, disable=not errors.is_terminal
        )
    except ValueError as error:
        raise click.ClickException(reason(error)) from None
    assert last.luck is not None
    race, said = played.race, luck_summary(last.luck, played.race)
    spoken = Words.english() if as_json else words()
    title = spoken.text(said.title, race)
    of_seats = [spoken.text(sentence, race) for sentence in said.seats]
    of_moments = [spoken.text(sentence, race) for sentence in said.moments]
    if not as_json:
        note = scatter(race)
        notes = [] if note is None else [spoken.text(note, race)]
        for line in (title, *of_seats, *notes, "", *of_moments):
            click.echo(one_line(line))
        return
    seats = [
        {"start": account.start, "end": account.end}
        | {part: getattr(account, part)._asdict() for part in _PARTS}
        | {"text": text}
        for account, text in zip(last.luck.seats, of_seats, strict=True)
    ]
    moments = [
        {"at": moment.at, "before": moment.before, "after": moment.after, "text": text}
        for moment, text in zip(last.luck.moments, of_moments, strict=True)
    ]
    answer = {"title": title, "seats": seats, "moments": moments, "playouts": last.luck.playouts}
    click.echo(json.dumps(answer | {"check": last.luck.check._asdict()}))
