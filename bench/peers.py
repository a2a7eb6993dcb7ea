"""Is the strong robot as good as an outside search? OpenSpiel's ISMCTS plays it, best responses
exploit it.

`make peers` writes docs/peers.md, the same for the same seed but for the times. `--part` plays a part of the
games and analyses a part of the endgames. Finished games are stored until the page is written: an interrupted
run goes on with the next.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Final, NamedTuple

import numpy as np
from open_spiel.python.algorithms.ismcts import ISMCTSBot

from bench.endgames import LARGEST, LEFT, OPEN, PLAYED, POLICIES, Weighed, endgames, weighed
from bench.kept import brought
from bench.report import machine, table
from bench.spiel import RaceGame, RaceState, Rollout
from companion import games
from companion.bots.heuristics import MANY
from companion.bots.players import decide, next_decision
from companion.games.greyhounds.bets import RACES
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race

PAGE: Final = Path(__file__).parent.parent / "docs" / "peers.md"
KEPT: Final = PAGE.parent.parent / "build" / "peers.jsonl"
ITERATIONS: Final = 1000  # of ISMCTS, for each decision
UCT: Final = 0.7  # how much it explores, with payoffs from 0 to 1
ENDGAMES: Final = 20  # of each game


class Match(NamedTuple):
    """A game of so many seats: one is played by `one`, the others by `other`.

    In a game of several races it begins with race number `race`: medium robots play those before it.
    """

    game: str
    seats: int
    one: str
    other: str
    race: int = 1


MATCHES: Final = {
    Match("galloping-pigs", 2, "strong", "ISMCTS"): 200,
    Match("galloping-horse", 2, "strong", "ISMCTS"): 400,
    Match("giro-galoppo", 2, "strong", "ISMCTS"): 200,
    Match("greyhounds", 3, "strong", "ISMCTS", race=RACES): 30,
    Match("greyhounds", 3, "ISMCTS", "strong", race=RACES): 30,
}
"""How many games of each."""

Player = Callable[[RaceState, int], int]
"""Gives the action of a seat, shown the position; it looks at what the seat may see."""


def player(name: str, game: RaceGame, rng: random.Random) -> Player:
    """Return ISMCTS as OpenSpiel has it, or one of our robots."""
    if name != "ISMCTS":
        return lambda state, seat: game.number(decide(name, state.race, seat, rng))
    bot = ISMCTSBot(
        game,
        Rollout(rng),
        UCT,
        ITERATIONS,
        random_state=np.random.RandomState(rng.getrandbits(32)),
        use_observation_string=True,
    )
    return lambda state, seat: int(bot.step(state))


class Ended(NamedTuple):
    """A game played: the one's part of the victory, and the seconds of CPU for each decision, by player."""

    won: float
    seconds: Mapping[str, Sequence[float]]


class Job(NamedTuple):
    """Game `number` of a match."""

    match: Match
    seed: int
    number: int


def played(job: Job) -> Ended:
    """Play a job; the one sits in each seat in turn, and each seat starts in turn."""
    match, seed, number = job
    rng = random.Random(f"peers {seed}/{match.game}/{match.one}/{number}")
    at, start = number % match.seats, number // match.seats % match.seats
    race = games.find_by_name(match.game).new([str(seat) for seat in range(match.seats)], start=start)
    game = RaceGame(_begun(race, match.race, rng), rng)
    names = [match.one if seat == at else match.other for seat in range(match.seats)]
    players = [player(name, game, rng) for name in names]
    seconds: dict[str, list[float]] = {match.one: [], match.other: []}
    state = game.new_initial_state()
    while not state.is_terminal():
        seat, actions = state.current_player(), state.legal_actions()
        if len(actions) == 1:  # a draw, too
            state.apply_action(actions[0])
            continue
        began = time.process_time()
        action = players[seat](state, seat)
        seconds[names[seat]].append(time.process_time() - began)
        state.apply_action(action)
    return Ended(state.player_return(at), seconds)


def _begun(race: Race, number: int, rng: random.Random) -> Race:
    """Return the position in which race `number` of the game begins."""
    while isinstance(race, Greyhounds) and race.race < number:
        decision = next_decision(race, ["medium"] * len(race.seats), rng)
        assert decision is not None
        race = race.after(decision)
    return race


class Result(NamedTuple):
    """A match measured: the one's part of the victories with its 95 % interval; CPU seconds a decision."""

    match: Match
    games: int
    won: float
    interval: tuple[float, float]
    seconds: Mapping[str, float]
    minutes: float  # of CPU time, all games together

    @property
    def strong_is_beaten(self) -> bool:
        """True if the strong robot wins less than its seat would, beyond doubt."""
        fair, (low, high) = 1 / self.match.seats, self.interval
        return high < fair if self.match.one == "strong" else low > fair


def wilson(won: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a part of so many games, by Wilson: it is valid where all were won, too.

    >>> [round(end, 3) for end in wilson(1.0, 10)]
    [0.722, 1.0]
    """
    z2 = 1.96**2
    middle = (won + z2 / (2 * count)) / (1 + z2 / count)
    half = sqrt(z2 * (won * (1 - won) / count + z2 / (4 * count**2))) / (1 + z2 / count)
    return middle - half, middle + half


def measured(match: Match, count: int, seed: int, kept: Path, processes: int) -> Result:
    """Return a match, once so many games are played."""
    jobs = [Job(match, seed, number) for number in range(count)]
    ended = [one for _, one in brought(jobs, played, Ended, kept, processes)]
    won = fmean(game.won for game in ended)
    spent = {
        name: [seconds for game in ended for seconds in game.seconds[name]]
        for name in (match.one, match.other)
    }
    each = {name: fmean(seconds) for name, seconds in spent.items()}
    return Result(match, count, won, wilson(won, count), each, sum(map(sum, spent.values())) / 60)


# --- the page ------------------------------------------------------------------------------------


def row(result: Result) -> list[object]:
    """Return a line of the table of matches."""
    match, (low, high) = result.match, result.interval
    share = f"{result.won:.1%} ({low:.0%} to {high:.0%})"
    return [
        f"{games.find_by_name(match.game).title}, {match.seats} seats{_part_of(match)}: "
        f"{match.one} {'against' if match.seats == 2 else 'among'} {match.other}",
        result.games,
        f"{1 / match.seats:.0%}",
        f"**{share}**" if result.strong_is_beaten else share,
        f"{result.seconds['strong']:.3f}",
        f"{result.seconds['ISMCTS']:.3f}",
    ]


def _part_of(match: Match) -> str:
    return "" if match.race == 1 else f", from race {match.race}"


def summed(name: str, weighed_by_game: Sequence[Weighed], policy: str) -> list[object]:
    """Return a line of the table of endgames."""
    lost = [100 * one.responses[policy].exploitability for one in weighed_by_game]
    states = [one.information_states for one in weighed_by_game]
    error = 1.96 * stdev(lost) / sqrt(len(lost)) if len(lost) > 1 else 0.0
    return [
        f"{games.find_by_name(name).title}: {policy}",
        f"{len(weighed_by_game)} of {weighed_by_game[-1].number + 1}",
        f"{min(states):,} to {max(states):,}",
        f"{fmean(lost):.1f} ± {error:.1f}",
        f"{max(lost):.1f}",
    ]


SEARCH: Final = f"""\
ISMCTS is OpenSpiel's `ISMCTSBot`: {ITERATIONS:,} iterations for each decision, UCT with c = {UCT} on
payoffs from 0 to 1, then the decision that was visited most. It plays by our rules through an adapter
that is the same for every game (`bench/spiel.py`). It knows what its seat may see, what is hidden is
dealt again in each iteration, its rollouts are random games through the rules, and its payoff is its
part of the victory. If there are more than {MANY} decisions, as for bets in Greyhounds, it gets what
our rules of thumb call sensible; of line-ups in Galloping Pigs that is one, because before the deal all
are equal. Seats and starts change from game to game. *Its seat alone* is what it would win if strength
did not matter. Of Greyhounds they play only the last race, and medium robots the two before it, because
a search through a whole evening takes minutes a game. Seconds are CPU time, for decisions with a
choice. In **bold**: strong is beaten, beyond doubt."""

RESPONSE: Final = f"""\
These are endgames of two seats, from games between strong robots. In Galloping Pigs and Horse they are
the last {LEFT} cards of each hand in the last round: neither player knows the other's hand, and each
pair of hands that the played cards allow is as likely as the deck makes it. In Giro Galoppo they are
the last rounds, as many as make a tree of up to {LARGEST:,} decisions; only the other's simultaneous
card is hidden. We take the first endgames that are open: the equilibrium, found by an exact linear
program, leaves each seat at least {100 * OPEN:.0f} victories of a hundred, and random play loses as
many. Few are in Giro Galoppo, where one seat has usually won by then. OpenSpiel computes each seat's
best response to each policy, over all information states; *exploitability* is what it wins above the
seat's equilibrium, averaged over both seats, in points of a hundred victories. A robot decides once in
each information state, with its own seed, and always repeats that decision: its exploiter knows even
its dice. That costs most where both decide at once, as in Giro Galoppo: the equilibrium mixes there, a
robot hardly does. *Random* makes each decision equally often."""


class Asked(NamedTuple):
    """The requested parts, and the minutes of CPU time that the matches and the endgames took."""

    seed: int
    part: float
    minutes: tuple[float, float]


def page(results: Sequence[Result], weighed_by_game: Mapping[str, Sequence[Weighed]], asked: Asked) -> str:
    """Return docs/peers.md."""
    part = "" if asked.part == 1 else f", {asked.part:.0%} of it"
    beaten = sum(result.strong_is_beaten for result in results)
    who = (
        "who",
        "games",
        "its seat alone",
        "victories (95%)",
        "strong: s a decision",
        "ISMCTS: s a decision",
    )
    what = ("endgames", "of games", "information states", "exploitability", "the worst")
    lines = [summed(name, ones, policy) for name, ones in weighed_by_game.items() for policy in POLICIES]
    return (
        "\n\n".join(
            (
                "# Robots against an outside search, and an exact best response",
                f"Made by `make peers`{part}, seed {asked.seed}: {asked.minutes[0]:.0f} minutes of CPU "
                f"time for the games and {asked.minutes[1]:.0f} for the endgames, on "
                f"{machine(['open_spiel', 'numpy', 'scipy'])}",
                "## The strong robot and OpenSpiel's ISMCTS",
                SEARCH.replace("\n", " "),
                f"Strong is beaten beyond doubt in {beaten} of {len(results)} matches.",
                table(who, map(row, results)),
                "## What a best response wins",
                RESPONSE.replace("\n", " "),
                table(what, lines),
            )
        )
        + "\n"
    )


def main() -> None:
    """Play, analyse endgames, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", type=float, default=1.0, help="what part of the games and endgames")
    parser.add_argument("--games", nargs="*", default=None, help="which games; all if none is named")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--kept", type=Path, default=KEPT, help="what was played")
    parser.add_argument("--to", type=Path, default=PAGE, help="where to write the page")
    asked = parser.parse_args()
    results = []
    for match, games_ in MATCHES.items():
        if asked.games is None or match.game in asked.games:
            rounds = max(1, round(games_ * asked.part / match.seats))  # each seat as often as any other
            count = rounds * match.seats
            results.append(measured(match, count, asked.seed, asked.kept, asked.processes))
            print(*row(results[-1]), file=sys.stderr, flush=True)
    began = time.process_time()
    count = max(1, round(ENDGAMES * asked.part))
    weighed_by_game = {
        name: [weighed(one, asked.seed) for one in islice(endgames(name, asked.seed), count)]
        for name in PLAYED
        if asked.games is None or name in asked.games
    }
    minutes = sum(result.minutes for result in results), (time.process_time() - began) / 60
    text = page(results, weighed_by_game, Asked(asked.seed, asked.part, minutes))
    asked.to.write_text(text, encoding="utf-8")
    asked.kept.unlink()  # the next time they may be other robots


if __name__ == "__main__":
    main()
