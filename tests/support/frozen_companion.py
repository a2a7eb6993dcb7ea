"""A companion with fixed odds, luck, address and join code: run as `python -m tests.support.frozen_companion run`.

Screenshots and accessibility snapshots are taken of it, so that they change with the look and the words of a
page and not with a number. No kernel runs: the odds follow a formula of seat and entry. Everything else is the
real companion.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from types import ModuleType
from typing import Any, Final

import companion.serving
import companion.web.seats
from companion.cli import main
from companion.devices.health import PadHealth, TrackHealth
from companion.devices.readings import PartIs
from companion.diagnostics import overview
from companion.diagnostics.overview import PartsView
from companion.games.galloping.rules import Galloping
from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS
from companion.games.race import Race
from companion.games.terms import Decision
from companion.http.network import Reach
from companion.odds.chance import Chance, Event, victory
from companion.odds.styles import Belief
from companion.table.messages import LuckIs, OddsAre, OddsWere
from companion.worker.oracle import Answer

ADDRESS: Final = "192.168.1.20"
PORT: Final = 8000
JOIN_CODE: Final = "RACE"
ERROR: Final = 0.06
EVERY: Final = 7  # entries between two moments that luck and choice mention


def fixed_chances(race: Race, seq: int) -> tuple[Chance, ...]:
    """Return the odds of this view at entry `seq`, by formula.

    The events are those of the game's kernel; the chances to win add up to 1 and change with the entry, so that
    the lines of the tote board rise and fall.
    """
    if race.awaits() is None:
        return tuple(Chance(Event("win", seat), p, 0.0, 0.0) for seat, p in enumerate(victory(race)))
    seats = range(len(race.seats))
    weights = [3 + (2 * seat + seq) % 5 for seat in seats]
    chances = {Event("win", seat): weights[seat] / sum(weights) for seat in seats}
    if isinstance(race, Galloping) and race.due == "play" and race.last_card_decides:
        chances |= {Event("keep", seat): 0.8 - 0.1 * seat for seat in seats if race.hands[seat]}
    if isinstance(race, GiroGaloppo):
        chances |= {Event("placed", seat): 0.8 - 0.1 * seat for seat in seats}
    if isinstance(race, Greyhounds) and race.due == "play":
        first = {dog: (number + 1) / sum(range(len(DOGS) + 1)) for number, dog in enumerate(DOGS)}
        chances |= {Event("win", pieces=(dog,)): p for dog, p in first.items()}
        chances |= {Event("place", pieces=(dog,)): 1.9 * p for dog, p in first.items()}
        chances |= {Event("double", pieces=pair): first[pair[0]] * first[pair[1]] for pair in PAIRS}
    return tuple(Chance(event, p, ERROR, ERROR / 2) for event, p in chances.items())


PAIRS: Final = tuple(combinations(DOGS, 2))


def fixed_luck(opening: Race, decisions: Sequence[Decision]) -> tuple[Any, ...]:
    """Return luck against choice of a finished game, by formula, with the fields of LuckSummary.

    The real words are made of it, as of an account that adds up.
    """
    from companion.odds.luck import Luck, TurningPoint
    from companion.odds.luck_ledger import Account, Check, Share
    from companion.odds.luck_words import luck_summary

    positions = [opening]
    for decision in decisions:
        positions.append(positions[-1].after(decision))
    seats = len(opening.seats)

    def account(seat: int, end: float) -> Account:
        own, others, deals = 0.08 - 0.04 * seat, 0.03 * seat - 0.05, 0.02 * seat
        luck = end - 1 / seats - own - others
        shares = (Share(value, 0.01) for value in (luck, own, others, deals, luck - deals, 0.0, 0.0))
        return Account(1 / seats, end, *shares)

    def moment(at: int) -> TurningPoint:
        before = [0.2 + 0.1 * ((seat + at) % 2) for seat in range(seats)]
        after = [0.2 + 0.1 * ((seat + at + 1) % 2) for seat in range(seats)]
        return TurningPoint(at, (decisions[at - 1],), None, None, tuple(before), tuple(after))

    by_seat = enumerate(victory(positions[-1]))
    moments = [moment(at) for at in range(1, len(decisions) + 1) if decisions[at - 1].seat is not None]
    luck = Luck(
        tuple(account(seat, end) for seat, end in by_seat), tuple(moments[EVERY::EVERY][:3]), 0, Check(0.0, 1)
    )
    return tuple(luck_summary(luck, opening))


class FixedOracle:
    """Stands in for `companion.worker.oracle.Oracle`: every answer comes at once, and no process is started."""

    def __init__(self, tell: Callable[[Answer], None]) -> None:
        self._tell = tell

    def ask(self, match: int, seq: int, race: Race, belief: Belief = ()) -> None:
        """Publish the fixed odds of this public position."""
        self._tell(OddsAre(match, seq, fixed_chances(race, seq)))

    def explain(self, match: int, seq: int, opening: Race, decisions: Sequence[Decision]) -> None:
        """Publish the fixed luck of this finished game."""
        self._tell(LuckIs(match, seq, *fixed_luck(opening, decisions)))

    def review(self, match: int, seq: int, views: Sequence[tuple[int, Race, Belief]]) -> None:
        """Publish the fixed odds of these positions of a match that is over."""
        self._tell(OddsWere(match, seq, {at: fixed_chances(race, at) for at, race, _ in views}))

    def choose(self, *asked: object) -> None:
        """Raise NotImplementedError: no robot plays in a screenshot."""
        raise NotImplementedError

    def stop(self) -> None:
        """Do nothing: no process runs."""


TRACK: Final[Mapping[str, Any]] = {
    "port": "/dev/ttyACM0",
    "sweep_ms": 100,
    "celsius": 31.0,
    "volts": 3.3,
    "milliamperes": 160,
    "lines": 400,
    "hurt": 0,
    "resyncs": 0,
}
PAD: Final[Mapping[str, Any]] = {"polls": 1200, "misses": 0, "restarts": 0, "changed": None}


def fixed_parts(
    track: TrackHealth | None, pad: PadHealth | None, panel: PartIs | None, pi: object, *more: Any
) -> PartsView:
    """Return how the hardware is, with fixed counts, times and port, and as on a machine that is no Pi."""
    if track is not None:
        sensors = (sensor._replace(misses=0, changed=None) for sensor in track.sensors)
        track = track._replace(sensors=tuple(sensors), **TRACK)
    return real_parts(track, pad and pad._replace(**PAD), panel, None, *more)


real_parts: Final = overview.hardware


def freeze() -> None:
    """Replace what differs from run to run in the companion of this process."""
    _replace(overview, hardware=fixed_parts)
    _replace(
        companion.serving,
        Oracle=FixedOracle,
        Reach=lambda port: Reach(PORT, lambda: ADDRESS),
        names=lambda name: (),
    )
    _replace(companion.web.seats, _stored_code=lambda table: JOIN_CODE)


def _replace(module: ModuleType, **values: Any) -> None:
    """Replace names of a module; AttributeError if it has no such name, as after a renaming."""
    for name, value in values.items():
        getattr(module, name)
        setattr(module, name, value)


if __name__ == "__main__":
    freeze()
    sys.exit(main())
