"""The bets of Greyhounds: the odds chart, the sheets and the payouts."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any, Final, NamedTuple

from companion.errors import validation_error
from companion.games.forms import shown
from companion.games.terms import News
from companion.message import N_

LEAST: Final = 500  # dollars staked in a race, together
MOST: Final = 2000
MONEY: Final = 6000  # start of a seat: enough to lose three races, so that no bet exceeds its money
DOGS_OF: Final[Mapping[str, int]] = {"win": 1, "place": 1, "double": 2}  # kinds of bet, dogs named
RACES: Final = 3
PAIRS: Final = tuple(f"{a}-{b}" for a, b in combinations(range(1, 5), 2))  # of ranks, as the chart has them


class Bet(NamedTuple):
    """A line of a bet sheet: win, place or double, on one dog (two for a double), dollars."""

    kind: str
    dogs: tuple[str, ...]
    stake: int


Sheet = tuple[Bet, ...]


class Odds(NamedTuple):
    """Payout per dollar, the stake included: by rank, and for the doubles in the order of PAIRS."""

    win: tuple[Decimal, ...]
    place: tuple[Decimal, ...]
    double: tuple[Decimal, ...]

    def as_data(self) -> dict[str, Any]:
        """Return the chart in the format of a record's header; whole numbers are ints."""
        win, place, double = ([_plain(odds) for odds in chart] for chart in self)
        return {"win": win, "place": place, "double": dict(zip(PAIRS, double, strict=True))}

    def of(self, kind: str, ranks: Sequence[int]) -> Decimal:
        """Return the payout of a bet of this kind on the dogs of these ranks (1 to 4).

        >>> str(STANDARD.of("double", [3, 1]))
        '6'
        """
        if kind == "double":
            return self.double[PAIRS.index(f"{min(ranks)}-{max(ranks)}")]
        chart: tuple[Decimal, ...] = getattr(self, kind)
        return chart[ranks[0] - 1]


def _plain(odds: Decimal) -> int | Decimal:
    return int(odds) if odds == int(odds) else odds


def charts_of(data: object) -> tuple[Odds, ...]:
    """Parse the chart of each race: a list of one for each race, or one that serves them all.

    >>> charts_of(STANDARD.as_data()) == charts_of([STANDARD.as_data()] * 3)
    True
    """
    if not isinstance(data, list | tuple):
        return (odds_of(data),) * RACES
    if len(data) != RACES:
        raise validation_error(
            N_("odds: there must be one chart, or a list of {count}, one for each race"), count=RACES
        )
    return tuple(map(odds_of, data))


def charts_as_data(charts: Sequence[Odds]) -> dict[str, Any] | list[dict[str, Any]]:
    """Return the charts of all races in the format of a record's header: a single one if it
    serves them all.
    """
    each = [odds.as_data() for odds in charts]
    return each[0] if all(other == each[0] for other in each) else each


def odds_of(data: object) -> Odds:
    """Parse a complete chart whose numbers are each 1 to 1000; InvalidInput names what is wrong.

    Numbers are ints, Decimals, or floats as Python and TOML have them.

    >>> odds_of({**STANDARD.as_data(), "win": [2.5, 4, 6, 10]}).win[0]
    Decimal('2.5')
    """
    chart = _whole_chart("odds", data, tuple(DOGS_OF))
    doubles = _whole_chart("odds: double", chart["double"], PAIRS)
    return Odds(
        _by_rank("win", chart["win"]),
        _by_rank("place", chart["place"]),
        tuple(_number(f"odds: double {pair}", doubles[pair]) for pair in PAIRS),
    )


def _whole_chart(what: str, data: object, keys: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        message = N_("{what} must be an object with {keys}, not {text}")
        raise validation_error(message, what=what, keys=", ".join(keys), text=shown(data))
    for key in data:
        if key not in keys:
            message = N_("{what}: unknown key {text}; there are {keys}")
            raise validation_error(message, what=what, text=repr(key), keys=", ".join(keys))
    for key in keys:
        if key not in data:
            raise validation_error(N_("{what}: the key {text} is missing"), what=what, text=repr(key))
    return data


def _by_rank(kind: str, data: object) -> tuple[Decimal, ...]:
    if not isinstance(data, list | tuple) or len(data) != 4:
        message = N_("{what} must be four numbers, for Dog 1 to Dog 4, not {text}")
        raise validation_error(message, what=f"odds: {kind}", text=shown(data))
    return tuple(_number(f"odds: {kind}", odds) for odds in data)


def _number(what: str, data: object) -> Decimal:
    if isinstance(data, bool) or not isinstance(data, int | float | Decimal):
        raise validation_error(N_("{what} must be a number, not {text}"), what=what, text=shown(data))
    odds = Decimal(str(data)) if isinstance(data, float) else Decimal(data)
    if not (odds.is_finite() and 1 <= odds <= 1000):
        raise validation_error(N_("{what} must be 1 to 1000, not {text}"), what=what, text=shown(data))
    return odds


STANDARD: Final = Odds(
    tuple(map(Decimal, (3, 5, 7, 12))),
    tuple(map(Decimal, (2, 2, 3, 5))),
    tuple(map(Decimal, (3, 6, 9, 11, 19, 26))),
)
"""The placeholder chart."""


def payout(stake: int, odds: Decimal) -> int:
    """Return the dollars of a won bet, stake included: exact, rounded down to a whole dollar.

    >>> payout(501, Decimal("1.9"))
    951
    """
    over, under = odds.as_integer_ratio()
    return stake * over // under


def won(bet: Bet, places: Sequence[str]) -> bool:
    """Return whether a bet wins where these dogs took the first places; a double needs both.

    >>> won(Bet("double", ("red", "blue"), 500), ["blue", "red", "green"])
    True
    """
    if bet.kind == "double":
        return set(bet.dogs) == set(places[:2])
    return bet.dogs[0] in places[: 1 if bet.kind == "win" else 2]


def staked(sheet: Sheet) -> int:
    """Return the total stake of a sheet in dollars."""
    return sum(bet.stake for bet in sheet)


def random_sheet(dogs: Sequence[str], step: int, rng: random.Random, total: int | None = None) -> Sheet:
    """Return a legal sheet of one to three bets, with a total of `total` dollars if given.

    >>> staked(random_sheet(["red", "blue", "brown", "green"], 500, random.Random(1), 1500))
    1500
    """
    steps = rng.randint(-(-LEAST // step), MOST // step) if total is None else total // step
    kinds = rng.sample(tuple(DOGS_OF), rng.randint(1, min(len(DOGS_OF), steps)))
    cuts = [0, *sorted(rng.sample(range(1, steps), len(kinds) - 1)), steps]
    return tuple(
        Bet(kind, tuple(rng.sample(dogs, DOGS_OF[kind])), (end - start) * step)
        for kind, start, end in zip(kinds, cuts, cuts[1:], strict=False)
    )


def single_bets(dogs: Sequence[str], step: int) -> list[Sheet]:
    """Return every sheet of one bet with the lowest or the highest stake: examples of all the others."""
    stakes = sorted({step * -(-LEAST // step), step * (MOST // step)})
    return [
        (Bet(kind, backed, stake),)
        for kind, count in DOGS_OF.items()
        for backed in combinations(dogs, count)
        for stake in stakes
    ]


def sheet_refused(sheet: Sheet, dogs: Sequence[str], step: int) -> News | None:
    """Return why this sheet is illegal: a piece of news that the game words, with the seat added.

    >>> sheet_refused((Bet("win", ("red",), 2500),), ["red"], 500)
    News(kind='too-much', values={'total': 2500, 'most': 2000})
    """
    for n, bet in enumerate(sheet):
        if bet.kind not in DOGS_OF:
            return News("no-such-bet", {"text": bet.kind})
        if bet.kind in [earlier.kind for earlier in sheet[:n]]:
            return News("two-of-a-kind", {"kind": bet.kind})
        for dog in bet.dogs:
            if dog not in dogs:
                return News("no-such-dog", {"text": dog})
        if len(set(bet.dogs)) != DOGS_OF[bet.kind] or len(bet.dogs) != DOGS_OF[bet.kind]:
            return News("two-dogs" if DOGS_OF[bet.kind] == 2 else "one-dog", {"kind": bet.kind})
        if bet.stake <= 0 or bet.stake % step:
            return News("stake-step", {"stake": bet.stake, "step": step})
    if not sheet:
        return News("no-bet", {"least": LEAST})
    total = staked(sheet)
    if total < LEAST:
        return News("too-little", {"total": total, "least": LEAST})
    return News("too-much", {"total": total, "most": MOST}) if total > MOST else None
