"""Random games per second: Galloping Pigs against the same game written for OpenSpiel, then all our games.

Four seats, default options. Ours play `random_decision` and judge every decision with `checked`; positions
are never changed. OpenSpiel's are changed in place (bench/pigs_openspiel.py), its `apply_action` judges
nothing. Two more rows are ours trusting (`played_out`) and OpenSpiel judging. The unit is the CPU time of
this process; the repetitions take turns, the table shows their medians. Before that, the same decisions go
through both, and every position is compared: they play the same rules.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

from bench import pigs_openspiel as spiel
from bench.report import is_short, machine, publish, table
from companion import games
from companion.games.galloping.rules import GallopingPigs
from companion.games.judge import checked
from companion.games.race import Race, played_out, random_decision
from companion.games.terms import Decision

SEATS = ("Ada", "Ben", "Cleo", "Dev")
GOAL = 2.0


class Extent(NamedTuple):
    """The numbers of games replayed through both; of repetitions and their games; of repetitions of all four
    games.
    """

    compared: int
    repetitions: int
    games: int
    every: int


LONG, SHORT = Extent(300, 21, 100, 7), Extent(20, 2, 8, 1)


def random_game(rng: random.Random) -> Race:
    """Return a game of our pigs, played at random to its end, every decision judged."""
    return judged_game(GallopingPigs, rng)[0]


def most_seats(game: type[Race]) -> int:
    """Return how many can play with the usual options."""
    fewest, most = game.seat_counts
    return max(seats for seats in range(fewest, most + 1) if seats not in game.least)


def judged_game(game: type[Race], rng: random.Random) -> tuple[Race, int]:
    """Play a game at random to its end, every decision judged; return the game and its number of
    decisions.
    """
    race: Race = game.new([*SEATS, "Emma"][: most_seats(game)])
    decisions = 0
    while (decision := random_decision(race, rng)) is not None:
        race, decisions = checked(race, decision), decisions + 1
    return race, decisions


# --- the same rules ------------------------------------------------------------------------------


def compare(count: int) -> int:
    """Replay random games of ours through OpenSpiel's; return the number of positions that were equal."""
    game, positions = spiel.load(), 0
    for seed in range(count):
        rng, race, state = random.Random(seed), GallopingPigs.new(SEATS), game.new_initial_state()
        while (decision := random_decision(race, rng)) is not None:
            race = checked(race, decision)
            for action in actions_of(decision):
                assert action in state.legal_actions(), f"game {seed}: {decision} is illegal in OpenSpiel"
                state.apply_action(action)
            assert position(race) == spiel_position(state), f"game {seed}: they differ after {decision}"
            positions += 1
        assert state.is_terminal(), f"game {seed} goes on in OpenSpiel"
    return positions


def actions_of(decision: Decision) -> list[int]:
    """Return the actions of OpenSpiel's game for this decision."""
    if decision.do == "line-up":
        order = tuple(spiel.COLOURS.index(colour) for colour in decision.what)
        return [len(spiel.COLOURS) + spiel.LINE_UPS.index(order)]
    cards = [decision.what] if decision.do == "play" else [card for hand in decision.what for card in hand]
    return [spiel.COLOURS.index(card) for card in cards]


def position(race: GallopingPigs) -> object:
    """Return the contents of a position of ours, as plain values."""
    if not race.due:
        return race.stock, list(race.kept)
    playable = sorted(spiel.COLOURS.index(d.what) for d in race.decisions(race.turn) if d.do == "play")
    hands = [[hand.count(colour) for colour in spiel.COLOURS] for hand in race.hands]
    progress = [race.progress[colour] for colour in spiel.COLOURS] if race.progress else []
    food = race.stock, list(race.provisional), list(race.kept)
    return race.round, race.turn, progress, hands, playable, food


def spiel_position(state: spiel.PigsState) -> object:
    """Return the contents of a position of OpenSpiel's, as plain values."""
    if state.is_terminal():
        return state.stock, state.kept
    cards_due = bool(state.progress) and not state.is_chance_node()
    playable = state.legal_actions() if cards_due else []
    food = state.stock, state.provisional, state.kept
    return state.round + 1, state.turn, state.progress, state.hands, playable, food


# --- the time ------------------------------------------------------------------------------------


def games_per_second(play: Callable[[random.Random], object], count: int, seed: int) -> float:
    """Return how many games this process plays in a second of its CPU time, from `count` of them."""
    rng = random.Random(seed)
    began = time.process_time()
    for _ in range(count):
        play(rng)
    return count / (time.process_time() - began)


def of_every_game(extent: Extent) -> list[tuple[type[Race], list[float], list[float]]]:
    """Measure every game with all its seats: games and decisions in a second, the repetitions
    taking turns.
    """
    every = [(game, list[float](), list[float]()) for game in games.all_games().values()]
    count = extent.games // 4
    for repetition in range(extent.every):
        for game, played, decided in every:
            rng, made = random.Random(repetition), 0
            began = time.process_time()
            for _ in range(count):
                made += judged_game(game, rng)[1]
            seconds = time.process_time() - began
            played.append(count / seconds)
            decided.append(made / seconds)
    return every


def main() -> None:
    """Compare, measure, publish."""
    short = is_short(__doc__)
    extent = SHORT if short else LONG
    positions = compare(extent.compared)
    game = spiel.load()
    players: dict[str, Callable[[random.Random], object]] = {
        "OpenSpiel, changed in place, actions trusted": lambda rng: spiel.random_game(game, rng),
        "OpenSpiel, changed in place, actions judged": lambda rng: spiel.random_game(game, rng, judge=True),
        "companion, immutable, decisions judged": random_game,
        "companion, immutable, decisions trusted": lambda rng: played_out(GallopingPigs.new(SEATS), rng),
    }
    rates: dict[str, list[float]] = {name: [] for name in players}
    for play in players.values():
        games_per_second(play, extent.games, -1)  # warm up
    for repetition in range(extent.repetitions):
        for name, play in players.items():
            rates[name].append(games_per_second(play, extent.games, repetition))
    base, _, judged, _ = rates.values()
    report(rates, sorted(a / b for a, b in zip(judged, base, strict=True)), positions, extent, short=short)


def report(
    rates: dict[str, list[float]], pairs: list[float], positions: int, extent: Extent, *, short: bool
) -> None:
    """Publish the table."""
    base = next(iter(rates.values()))
    rows = [
        [name, f"{median(rate):,.0f}", f"{median(rate) / median(base):.2f} ×"] for name, rate in rates.items()
    ]
    every = of_every_game(extent)
    pigs = next(median(decided) for game, _, decided in every if game is GallopingPigs)
    mine = [
        [game.title, most_seats(game), f"{median(played):,.0f}", f"{median(decided):,.0f}",
         f"{median(decided) / pigs:.2f} ×"]
        for game, played, decided in every
    ]  # fmt: skip
    publish(
        "games",
        "# Random games of Galloping Pigs, 4 seats",
        table(["rules", "games/s", "ratio"], rows),
        f"Process CPU time, medians of {extent.repetitions} interleaved repetitions of {extent.games} games. "
        f"Goal: companion, judged, at least {GOAL:.0f} × OpenSpiel, trusted; pair by pair it is "
        f"{median(pairs):.2f} × ({pairs[0]:.2f} to {pairs[-1]:.2f}). The same rules: {extent.compared} games "
        f"through both, {positions:,} positions equal.",
        table(["every game, judged", "seats", "games/s", "decisions/s", "decisions, to pigs"], mine),
        machine(["open_spiel"]),
        short=short,
    )


if __name__ == "__main__":
    main()
