"""Games between bots, or played at random: the seating, each game to its end, and the wins of each bot."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from companion.bots.players import kind_of, next_decision
from companion.errors import InvalidInput
from companion.games.judge import checked
from companion.games.race import Race, random_decision
from companion.games.terms import Decision
from companion.odds.chance import victory


class Played(NamedTuple):
    """A game to its end: its number, its decisions, and by bot its part of the victory and its score."""

    number: int
    decisions: Sequence[Decision]
    won: Sequence[float]
    scores: Sequence[int]


def seated(named: str | None, seats: int, rotate: bool = False) -> tuple[str, ...]:
    """Return the bot of each seat from names between commas; () for random play.

    InvalidInput if these cannot sit there.
    """
    if named is None:
        if rotate:
            raise InvalidInput("--rotate moves bots from seat to seat: name them with --bots")
        return ()
    bots = tuple(name.strip() for name in named.split(","))
    for bot in bots:
        kind_of(bot)
    if len(bots) not in (1, seats):
        raise InvalidInput(
            f"--bots names {len(bots)}, but there are {seats} seats: name one for each, or one for all"
        )
    return bots if len(bots) == seats else bots * seats


def contest(
    opening: Callable[[], Race], bots: tuple[str, ...], games: int, seed: int, rotate: bool = False
) -> Iterator[Played]:
    """Play `games` games, one after the other; with `rotate` the bots move on by a seat from game to game.

    Each game has a separate seed: game 7 of 10 is game 7 of 1000. ValidationError if a bot cannot play this
    game.
    """
    for number in range(games):
        race = opening()
        seats = len(race.seats)
        turned = number % seats if rotate else 0  # seat 0 is then played by the bot of this number
        end, decisions = played(race, bots[turned:] + bots[:turned], random.Random(f"{seed}/{number}"))
        parts, scores = victory(end), end.scores()
        order = [(bot - turned) % seats for bot in range(seats)]
        yield Played(number, decisions, [parts[seat] for seat in order], [scores[seat] for seat in order])


def played(race: Race, bots: tuple[str, ...], rng: random.Random) -> tuple[Race, list[Decision]]:
    """Play a game to its end, with these bots or, if there are none, at random; return its end and its
    decisions.
    """
    decisions, positions = [], [race]
    while decision := next_decision(race, bots, rng, past=positions) if bots else random_decision(race, rng):
        decisions.append(decision)
        race = checked(race, decision)
        positions.append(race)
    return race, decisions
