"""The pieces that may be on each sensor, as far as switches and position allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.referee.occupancy import Doubt, Expected, Occupancy
from companion.referee.switches import SWITCH_STILL


class Placement(NamedTuple):
    """The believed sensor of each piece (None: in a hand, or unknown), and the pieces whose move cannot be
    sensed.
    """

    at: Mapping[str, int | None]
    unseen: frozenset[str] = frozenset()


def placement(state: Occupancy, expected: Expected) -> Placement:
    """Return where the pieces are, with open questions decided as this position has them."""
    at = placed(state, expected)
    dark = in_the_dark(state, at)
    unseen = frozenset(piece for piece in expected.at if may_be_there(state, piece, expected, at, dark))
    return Placement({p: None if p in dark or p in unseen else sensor for p, sensor in at.items()}, unseen)


def in_the_dark(state: Occupancy, at: Mapping[str, int | None]) -> frozenset[str]:
    """Return the pieces on sensors that report nothing."""
    settled = state.switches.settled
    return frozenset(p for p, sensor in at.items() if sensor is not None and settled(sensor) is None)


def may_be_there(
    state: Occupancy, piece: str, expected: Expected, at: Mapping[str, int | None], dark: frozenset[str]
) -> bool:
    """Return True if a piece that should be elsewhere may be there although no switch reports it."""
    target, stands = expected.at[piece], at.get(piece)
    if target is None or stands == target:
        return False
    if (
        stands is not None
        and not _may_go(state, piece, at, dark)
        and not _is_relieved(piece, expected, at, dark)
    ):
        return False
    if state.tells_nothing(target, expected):
        return True
    return piece not in state.in_hand and may_join(state, piece, expected, at)


def _may_go(state: Occupancy, piece: str, at: Mapping[str, int | None], dark: frozenset[str]) -> bool:
    """Return True if a piece could leave unsensed: no switch reports, another piece stays, or it
    never came.
    """
    alone = list(at.values()).count(at[piece]) == 1
    return piece in dark or not alone or Doubt.GUESSED in state.stands[piece].doubt


def _is_relieved(piece: str, expected: Expected, at: Mapping[str, int | None], dark: frozenset[str]) -> bool:
    """Return True if another piece may have come unsensed to this one's sensor, so that it leaves unsensed
    too.
    """
    coming = [
        other for other, target in expected.at.items() if target == at[piece] and at.get(other) != target
    ]
    return any(at.get(other) is None or other in dark for other in coming)


def may_join(state: Occupancy, piece: str, expected: Expected, at: Mapping[str, int | None]) -> bool:
    """Return True if a piece may be where it should because another is there, who stays or leaves
    unsensed.
    """
    target = expected.at.get(piece)
    return target is not None and _takes_one_more(state, target, expected, at, frozenset({piece}))


def _takes_one_more(
    state: Occupancy, sensor: int, expected: Expected, at: Mapping[str, int | None], moving: frozenset[str]
) -> bool:
    """Return True if a piece could come here unsensed: the sensor is closed, and stays so in the position.

    A piece that should leave it may have gone where its arrival cannot be sensed; `moving` are on their way.
    """
    there = [piece for piece, stands in at.items() if stands == sensor and piece not in moving]
    return bool(there) and all(_may_give_way(state, piece, sensor, expected, at, moving) for piece in there)


def _may_give_way(
    state: Occupancy,
    piece: str,
    sensor: int,
    expected: Expected,
    at: Mapping[str, int | None],
    moving: frozenset[str],
) -> bool:
    """Return True if a piece stays there, or could leave unsensed once another one is on its space."""
    target = expected.at.get(piece)
    if target is None or target == sensor or state.tells_nothing(target, expected):
        return True
    return _takes_one_more(state, target, expected, at, moving | {piece})


def free_sensors(state: Occupancy, expected: Expected) -> list[int]:
    """Return the closed sensors without a known piece, the earliest closed first."""
    unsure = state.unsure
    known = {at for piece, at in state.at.items() if piece not in unsure}
    known -= {state.at[piece] for piece in unsure}  # another piece is there
    free = (sensor for sensor in state.switches.closed() if sensor not in known)
    informative = (sensor for sensor in free if not state.tells_nothing(sensor, expected))
    return sorted(informative, key=lambda sensor: (state.switches.since(sensor), sensor))


def may_leave(state: Occupancy) -> list[str]:
    """Return the pieces that could be lifted unsensed, the likeliest last."""
    dark = in_the_dark(state, state.at)
    known = [state.at[piece] for piece in state.at if piece not in state.unsure]
    shared = {sensor for sensor in known if sensor is not None and known.count(sensor) > 1}
    may = [p for p, at in state.at.items() if p in dark or (at in shared and p not in state.unsure)]
    return sorted(may, key=lambda piece: state.joined.index(piece) if piece in state.joined else -1)


def may_be_in_hand(state: Occupancy, piece: str) -> bool:
    """Return True if a piece may be in a hand, so that holding it to the pad adds information."""
    if piece not in state.stands:
        return False
    loose = bool(state.hand) or not state.expected.at or piece in state.unsure or state.is_off(piece)
    return loose or piece in may_leave(state)


def strangers(state: Occupancy) -> list[int]:
    """Return the sensors with something that is no piece of the game, once all is at rest and no piece is
    missing.
    """
    if not state.expected.at or state.hand or not state.is_at_rest():
        return []
    at = placed(state, state.expected)
    taken = set(at.values())
    free = free_sensors(state, state.expected)
    return [s for s in free if s not in taken and not state.is_adjacent(s, at.values())]


def to_check(state: Occupancy) -> Mapping[str, int]:
    """Return the pieces of which only the colours are in doubt, with the sensors where they should be.

    If there is something wherever a piece is missing, it may be just this piece.
    """
    doubted = state.doubted() if state.agreed is not None else frozenset()
    wanted = {piece: sensor for piece, sensor in state.expected.at.items() if sensor is not None}
    doubtful = {piece for piece, sensor in wanted.items() if piece in doubted and state.at[piece] == sensor}
    doubtful |= _may_be_right(state, wanted) if state.is_at_rest() else set()
    return {piece: wanted[piece] for piece in state.stands if piece in doubtful}


def _may_be_right(state: Occupancy, wanted: Mapping[str, int]) -> set[str]:
    """Return the missing pieces, if each may be the thing on its expected sensor where no other piece should
    be.

    Return none of them if all surely are where they were: then a due move has not been made.
    """
    at = placed(state, state.expected)
    dark = in_the_dark(state, at)
    felt = set(state.switches.closed()) - {sensor for piece, sensor in wanted.items() if at[piece] == sensor}
    missing = {
        piece
        for piece, sensor in wanted.items()
        if at[piece] != sensor and not may_be_there(state, piece, state.expected, at, dark)
    }
    elsewhere = {piece for piece in missing if wanted[piece] not in felt}
    taken = set(at.values())
    moved = [p for p in missing if wanted[p] not in taken or not state.stands[p].is_where_it_was()]
    return missing - elsewhere if moved and elsewhere <= state.trusted else set()


def placed(state: Occupancy, expected: Expected) -> dict[str, int | None]:
    """Return the sensor of each piece, as far as the switches allow what `expected` has."""
    at = dict(state.at)
    free, leaving, unplaced = free_sensors(state, expected), may_leave(state), _unplaced(state)
    got: dict[str, int | None] = _where_they_should(state, expected, unplaced, free)
    left = [sensor for sensor in free if sensor not in got.values()]
    for piece in leaving:
        if expected.at.get(piece) in left and _leaves_one(state, piece, {**at, **got}):
            got[piece] = expected.at[piece]
    left = [sensor for sensor in left if sensor not in got.values()]
    got |= {piece: at[piece] for piece in unplaced if piece not in got and at[piece] in left}  # they stay
    at |= dict.fromkeys(unplaced) | got
    left = [sensor for sensor in left if sensor not in at.values()]
    at |= _guessed(state, expected, at, got, left, leaving)
    for piece in state.in_hand:
        if at[piece] is None and may_join(state, piece, expected, at):
            at[piece] = expected.at[piece]
    return at


def _unplaced(state: Occupancy) -> list[str]:
    """Return the pieces that may be on any closed sensor: without a place, or in doubt."""
    closed = set(state.switches.closed())
    return [p for p, at in state.at.items() if at is None or (p in state.unsure and at in closed)]


def _where_they_should(
    state: Occupancy, expected: Expected, unplaced: Sequence[str], free: Sequence[int]
) -> dict[str, int | None]:
    """Return the pieces that may be where they should, on a sensor that no other piece has."""
    disputed = {state.at[piece] for piece in state.unsure}  # by those in doubt, whichever it is
    new = [sensor for sensor in free if sensor not in disputed]
    return {
        piece: expected.at[piece]
        for piece in unplaced
        if expected.at.get(piece) in (free if piece in state.unsure else new)
    }


def _leaves_one(state: Occupancy, piece: str, at: Mapping[str, int | None]) -> bool:
    """Return True if another piece stays where this one is, if one must because its switch is closed."""
    stands = at[piece]
    dark = stands is not None and state.switches.settled(stands) is None
    return dark or list(at.values()).count(stands) > 1


def _guessed(
    state: Occupancy,
    expected: Expected,
    at: Mapping[str, int | None],
    got: Mapping[str, int | None],
    left: Sequence[int],
    leaving: Sequence[str],
) -> dict[str, int]:
    """Return a guess for sensors that should be empty: lifted pieces first, then those that move unsensed."""
    lifted = [p for p in state.in_hand if p not in got and (expected.at or p not in state.unsure)]
    lifted += [p for p in state.at if p in state.unsure and state.at[p] is not None and at[p] is None]
    guessed: dict[str, int] = {}
    for piece in lifted:
        new = [sensor for sensor in left if sensor not in guessed.values() and _came(state, sensor, piece)]
        moved = _made_way(state, piece, expected, {**at, **guessed}, new)
        guessed |= moved or (dict.fromkeys([piece], new[0]) if new else {})
    if any(state.switches.is_opening(sensor) for sensor in state.switches.by_sensor):
        return guessed  # a piece was pushed on: in a moment it is lifted too
    coming = _coming(state, expected, at)
    for piece in [*leaving, *coming]:
        if piece not in got and piece not in guessed:
            new = [sensor for sensor in left if sensor not in guessed.values()]
            guessed |= _made_way(state, piece, expected, {**at, **guessed}, new)
    more = [sensor for sensor in left if sensor not in guessed.values()]
    more = more if all(piece in guessed for piece in lifted) else []
    if expected.at:  # in a line-up each piece has a neighbour
        occupied = {**at, **guessed}.values()
        more = [sensor for sensor in more if not state.is_adjacent(sensor, occupied)]
    unseen = [p for p in leaving if p not in got and p not in guessed and _leaves_one(state, p, at)]
    due = [p for p in unseen if expected.at.get(p) not in (None, at[p])]
    rest = [p for p in reversed(unseen) if p not in due]
    coming = [piece for piece in coming if piece not in guessed]
    for piece in [*due, *coming, *rest]:
        new = [
            s for s in more if s not in guessed.values() and _came_after(state, s, state.stands[piece].since)
        ]
        guessed |= dict.fromkeys([piece], new[0]) if new else {}
    return guessed


def _made_way(
    state: Occupancy, piece: str, expected: Expected, at: Mapping[str, int | None], new: Sequence[int]
) -> dict[str, int]:
    """Return the pieces' sensors if `piece` is where it should and the piece that was there went to one of
    `new`.

    Return nothing if that is impossible. The piece that made way may have displaced another one in turn.
    """
    target = expected.at.get(piece)
    if target is None or target in new:
        return {} if target is None else {piece: target}
    before = {other: stands for other, stands in at.items() if other != piece}
    for other in [other for other, stands in before.items() if stands == target]:
        due = expected.at.get(other) != target and state.stands[other].agreed == target
        if due and (moved := _made_way(state, other, expected, before, new)):
            return {piece: target, **moved}
    return {}


def _came(state: Occupancy, sensor: int, piece: str) -> bool:
    """Return True if this switch closed after the piece was lifted, or beforehand through its own magnet.

    A thing that was elsewhere before is not that piece.
    """
    lifted = next((lifted for lifted in state.hand if lifted.piece == piece), None)
    if lifted is None:
        return True
    is_neighbour = state.is_adjacent(sensor, [lifted.stood])
    return _came_after(state, sensor, lifted.came if is_neighbour else lifted.when)


def _came_after(state: Occupancy, sensor: int, when: float) -> bool:
    return state.switches.since(sensor) >= when - SWITCH_STILL


def _coming(state: Occupancy, expected: Expected, at: Mapping[str, int | None]) -> list[str]:
    """Return the pieces that come onto the track now; in a line-up the last one that is missing."""
    off = [piece for piece, sensor in at.items() if sensor is None and state.is_off(piece)]
    if expected.at:
        return [piece for piece in off if expected.at.get(piece) is not None]
    return off if len(off) == 1 and not state.hand else []
