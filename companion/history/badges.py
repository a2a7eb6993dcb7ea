"""Badges of an evening, such as for a comeback, a lost lead, greed; each with its rule in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from companion.history.evening import Evening
from companion.history.headline import fallen, last_was_open
from companion.message import N_, Sentence

MOST: Final = 2  # badges of a seat
NEAR: Final = 80  # points: a seat that had more and did not win was robbed
FOOD: Final = 3  # given back is too little to be called greedy
OWN: Final = 5  # points by own choices are too few to be called steady
LUCK: Final = 20  # points
LED: Final = 25  # percent of the moments: a lead that was shorter is none to speak of
LEAP: Final = 10  # points


class Badge(NamedTuple):
    """A seat's title for this evening, and the reason: the rule with its numbers."""

    name: str
    rule: Sentence


def badges(evening: Evening) -> tuple[tuple[Badge, ...], ...]:
    """Return the badges of each seat, the strongest first, at least one and at most MOST."""
    return tuple(
        tuple(_by(RULES, evening, seat))[:MOST] or tuple(_by(CONSOLATIONS, evening, seat))[:1]
        for seat in evening.seats
    )


def _by(rules: Rules, evening: Evening, seat: int) -> Iterator[Badge]:
    for name, rule in rules:
        sentence = rule(evening, seat)
        if sentence is not None:
            yield Badge(name, sentence)


def comeback(evening: Evening, seat: int) -> Sentence | None:
    """Return the badge for winning from next to nothing."""
    low = fallen(evening, seat)
    if seat not in evening.winners or low is None:
        return None
    return Sentence(_COMEBACK, {"low": low})


def robbed(evening: Evening, seat: int) -> Sentence | None:
    """Return the badge for having as good as won, and losing."""
    high = max(evening.over_time(seat), default=0)
    if seat in evening.winners or high <= NEAR:
        return None
    return Sentence(_ROBBED, {"high": high})


def photo_finish(evening: Evening, seat: int) -> Sentence | None:
    """Return the badge for winning by the last decision."""
    if seat not in evening.winners or not last_was_open(evening):
        return None
    return Sentence(_PHOTO)


def greedy(evening: Evening, seat: int) -> Sentence | None:
    """Return the badge for giving back more food than anybody else."""
    if not _alone(evening.given_back, seat) or evening.given_back[seat] < FOOD:
        return None
    return Sentence(_FOOD, {"count": evening.given_back[seat]})


def high_stake(evening: Evening, seat: int) -> Sentence | None:
    """Return the badge for losing a higher stake than anybody else."""
    if not _alone(evening.stakes, seat):
        return None
    return Sentence(_STAKE, {"money": evening.stakes[seat]})


def steady(evening: Evening, seat: int) -> Sentence | None:
    """Return the badge for winning more by own choices than anybody else."""
    own = [parts.own or 0 for parts in evening.parts]
    if not _alone(own, seat) or own[seat] < OWN:
        return None
    return Sentence(_STEADY, {"own": own[seat]})


def lucky(evening: Evening, seat: int) -> Sentence | None:
    """Return the badge for having more luck than anybody else."""
    luck = [parts.luck or 0 for parts in evening.parts]
    if not _alone(luck, seat) or luck[seat] < LUCK:
        return None
    return Sentence(_LUCKY, {"luck": luck[seat]})


def leader(evening: Evening, seat: int) -> Sentence | None:
    """Return the badge for having the best chance for longer than anybody else, without winning."""
    times = [sum(chances[one] == max(chances) for chances in evening.chances[:-1]) for one in evening.seats]
    share = 100 * times[seat] // max(1, len(evening.chances) - 1)
    if seat in evening.winners or not _alone(times, seat) or share < LED:
        return None
    return Sentence(_LED, {"share": share})


def leap(evening: Evening, seat: int) -> Sentence | None:
    """Return the badge for the greatest rise of a chance between two moments before the end."""
    over_time = evening.over_time(seat)
    steps = [(high - low, low, high) for low, high in pairwise(over_time)]
    rise, low, high = max(steps, default=(0, 0, 0))
    return Sentence(_LEAP, {"low": low, "high": high}) if rise >= LEAP else None


def winner(evening: Evening, seat: int) -> Sentence | None:
    """Return the badge for winning."""
    return Sentence(_WINNER) if seat in evening.winners else None


def hopeful(evening: Evening, seat: int) -> Sentence | None:
    """Return the badge for having had a better chance than at the beginning."""
    first, *later = evening.over_time(seat) or [100]
    high = max(later, default=0)
    return Sentence(_HOPEFUL, {"high": high}) if high > first else None


def good_sport(evening: Evening, seat: int) -> Sentence | None:
    """Return the badge for playing on to the end: it always applies."""
    return Sentence(_SPORT)


def _alone(counts: Sequence[int], seat: int) -> bool:
    """Return whether this seat has more than every other one."""
    return bool(counts) and all(counts[seat] > count for other, count in enumerate(counts) if other != seat)


Rules = Sequence[tuple[str, Callable[[Evening, int], Sentence | None]]]
_GREEDY = N_("Greedy")
RULES: Final[Rules] = (
    (N_("Comeback"), comeback),
    (N_("Robbed"), robbed),
    (N_("Photo finish"), photo_finish),
    (_GREEDY, greedy),
    (_GREEDY, high_stake),
    (N_("Steady hand"), steady),
    (N_("Lucky star"), lucky),
)
"""From the strongest to the weakest."""
CONSOLATIONS: Final[Rules] = (
    (N_("Winner"), winner),
    (N_("Long in front"), leader),
    (N_("Big leap"), leap),
    (N_("High hopes"), hopeful),
    (N_("Good sport"), good_sport),
)
"""For a seat that no rule of RULES gives a badge; the last one always applies."""

_COMEBACK = N_("Was down to {low}%, and won.")
_ROBBED = N_("Was up to {high}%, and didn't win.")
_PHOTO = N_("Won with the very last decision.")
_FOOD = N_("Gave back the most food: {count}.")
_STAKE = N_("Lost the highest stake: {money}.")
_STEADY = N_("Chose best of all: worth {own}% of a win.")
_LUCKY = N_("The luckiest: worth {luck}% of a win.")
_LED = N_("Favourite for {share}% of the game.")
_LEAP = N_("Went from {low}% to {high}% in one move.")
_WINNER = N_("Simply the best tonight.")
_HOPEFUL = N_("Was up to {high}% at best.")
_SPORT = N_("Played on to the very end.")
