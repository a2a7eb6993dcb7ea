"""The games whose odds learn: the bots that play them, the moments of the forecasts, and the kernels."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from bench.calibration import SEATS
from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.bets import LEAST, Bet
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS
from companion.games.race import Race
from companion.games.terms import Decision
from companion.odds.belief import Belief, Company
from companion.odds.giro import styles as giro
from companion.odds.giro.kernel import Giro
from companion.odds.giro.playing import Styled as StyledGiro
from companion.odds.greyhounds import styles as greyhounds
from companion.odds.greyhounds.kernel import USUAL, Hounds
from companion.odds.greyhounds.playing import Styled as StyledHounds
from companion.odds.kernel import Kernel


class Subject(NamedTuple):
    """A game whose odds learn.

    `introduced`: an introduction for the reader. `tables`: how many games of each; `nearest`: the style of
    the family that is nearest to each kind of bot; `tastes` of the family; `held_out`: the taste that the
    family is tried without. `stranger` is a bot of no kind. `moments`: when the odds are asked, `late` from
    that one on, `judged` from that one on; `moment`: which of them a position is, if any. `today`: the odds
    without styles. `turning`: how many games of each table that plays in another way once `has_turned`,
    which is from `turns` on, after the moment `turned`.
    """

    introduced: str
    opening: Callable[[int, random.Random], Race]
    tables: Mapping[str, int]
    nearest: Mapping[str, int]
    tastes: Sequence[str]
    companies: Sequence[Company]
    held_out: str
    stranger: Callable[[Any, int, random.Random], Decision]
    moments: Sequence[str]
    late: int
    judged: int
    moment: Callable[[Any], int | None]
    today: Callable[[], Kernel[Any]]
    styled: Callable[[Belief], Kernel[Any]]
    turning: int
    turns: str
    turned: int
    has_turned: Callable[[Any], bool]

    def without(self) -> tuple[Company, ...]:
        """Return the companies without the taste that is held out."""
        found = []
        for weight, shares in self.companies:
            left = [
                0.0 if taste == self.held_out else share
                for taste, share in zip(self.tastes, shares, strict=True)
            ]
            found.append(Company(weight, tuple(share / sum(left) for share in left)))
        return tuple(found)


# --- Giro Galoppo --------------------------------------------------------------------------------


ROUNDS: Final = (0, 2, 4, 6, 8)  # so many have been played when the odds are asked


def _course(number: int, rng: random.Random) -> GiroGaloppo:
    return GiroGaloppo.new(SEATS, age=rng.sample(range(len(SEATS)), len(SEATS)))


def timid(race: GiroGaloppo, seat: int, rng: random.Random) -> Decision:
    """Return its lowest card that meets no obstacle and no horse, else any."""
    blocked = {*race.board.natural, *race.obstacles, *race.progress}
    free = [d for d in race.decisions(seat) if race.progress[seat] + d.what not in blocked]
    return free[0] if free and race.due == "play" else race.at_random(seat, rng)


def _round(race: GiroGaloppo) -> int | None:
    """Return the moment of a position before one of the named rounds."""
    if race.due != "play" or any(race.choices) or race.round - 1 not in ROUNDS:
        return None
    return ROUNDS.index(race.round - 1)


# --- Greyhounds ----------------------------------------------------------------------------------


TURNS: Final = 4  # so many have been run when the odds are asked again in a race


def _evening(number: int, rng: random.Random) -> Greyhounds:
    """Return options: every other game has the charts that a host gets who has none."""
    return Greyhounds.new(SEATS, **(Greyhounds.suggested[len(SEATS)] if number % 2 else {}))


def cautious(race: Greyhounds, seat: int, rng: random.Random) -> Decision:
    """Return the least bet on a place of the favourite, and always its lowest card; else anything."""
    if race.due == "bet":
        favourite = DOGS[race.run.rank[0]]
        return Decision(
            "bet", seat, (Bet("place", (favourite,), -(-LEAST // race.bet_step) * race.bet_step),)
        )
    if race.due == "play":
        return Decision("play", seat, min(race.playable(seat)))
    return race.at_random(seat, rng)


def _in_race(race: Greyhounds) -> int | None:
    """Return the moment when sets are due, in the first race bets, and after some turns."""
    before = race.due == "bet" and race.bets if race.race == 1 else race.due == "show" and _shown(race)
    if before and not any(before):
        return 2 * race.race - 2
    if race.due == "play" and race.run.turn == TURNS and not any((*race.table, *race.choice)):
        return 2 * race.race - 1
    return None


def _shown(race: Greyhounds) -> list[bool]:
    return [len(sets) == race.race for sets in race.shown]


_GIRO: Final = (
    "Of each card that is turned over the odds ask how likely every style was to choose it. The styles are "
    f"{', '.join(f'{s.taste} ({s.noise:.0%} noise)' for s in giro.FAMILY)}: noise is how often any card is "
    "taken. Care is the rule of thumb of careful bots, and who is mild goes by it less strictly; the other "
    "tastes were fitted to bots by `tools/fit_styles.py`. Without styles everybody plays at random, and "
    "while obstacles are laid he does so in any case. No bot is mild, and *timid* is no kind of bot that "
    "anything was fitted to: it plays its lowest card that meets nothing."
)

_GREYHOUNDS: Final = (
    "The odds learn from each card that is turned over, from the sheets once a race is settled, and from a "
    "bookie's ranking; which set is shown moved no chance. The styles are "
    f"{', '.join(f'{s.taste} ({s.noise:.0%} noise, {s.slips:.0%} slips)' for s in greyhounds.FAMILY)}: noise "
    "is how often any sheet is filled in, slips how often any card is taken. "
    "Greed stakes all on a win of its own dog and plays its highest card. Care stakes all on what "
    "pays most by the cards shown, sets the lowest card aside and "
    f"plays what gains most on the others, less {greyhounds.SPENT} spaces for each of its points. A thinker "
    "stakes all on something, by how he stands: ahead on what takes little from him, behind on what only he "
    "brings home; who is mild on something that pays well; both play their highest card where that always "
    "gains most. Without styles "
    "cards and sheets are any, but two of five seats stake all on their own dog, one on the favourite; so it "
    "is until the first race runs, unless a player is known from before. Half of the games "
    "have the placeholder's chart, half the charts that a host gets who has none. Without care "
    "the family knows neither the careful nor the careless. *Cautious* is no kind of bot that anything was "
    "fitted to: it stakes the least on a place of the favourite and plays its lowest card."
)

SUBJECTS: Final[Mapping[str, Subject]] = {
    GiroGaloppo.title: Subject(
        _GIRO,
        _course,
        {"mixed": 600, "random": 60, "playful": 60, "greedy": 40, "careful": 40, "thinker": 100, "timid": 40},
        {"random": 0, "playful": 1, "greedy": 2, "careful": 4, "thinker": 5},
        [style.taste for style in giro.FAMILY],
        giro.COMPANIES,
        "thinker",
        timid,
        [f"after {rounds} rounds" for rounds in ROUNDS],
        1,
        2,
        _round,
        Giro,
        StyledGiro,
        200,
        "fifth round",
        2,
        lambda race: race.round > 4,
    ),
    Greyhounds.title: Subject(
        _GREYHOUNDS,
        _evening,
        {"mixed": 400, "random": 24, "playful": 16, "careless": 16, "greedy": 16, "careful": 16,
         "thinker": 24, "cautious": 16},
        {"random": 0, "playful": 1, "greedy": 2, "careless": 3, "careful": 4, "thinker": 5},
        [style.taste for style in greyhounds.FAMILY],
        greyhounds.COMPANIES,
        "careful",
        cautious,
        ["before the bets of race 1", f"race 1 after {TURNS} turns", "before race 2",
         f"race 2 after {TURNS} turns", "before race 3", f"race 3 after {TURNS} turns"],
        2,
        2,
        _in_race,
        lambda: Hounds(USUAL),
        StyledHounds,
        24,
        "second race",
        2,
        lambda race: race.race > 1,
    ),
}  # fmt: skip
"""By title."""
