"""The transitions of a track of switches after an event: `step(state, event) -> state`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, assert_never

from companion.referee.occupancy import Doubt, Expected, Lifted, Occupancy, Stand
from companion.referee.placing import free_sensors, in_the_dark, may_be_there, may_leave, placed, to_check

DOUBT_SHOWN_FOR = 3.0
"""Seconds a doubt must have been shown before the next decision counts as the people's answer to it."""


class SwitchesRead(NamedTuple):
    """A reading of the switches at `now`; None: unknown, which is not open."""

    spaces: Mapping[int, bool | None]
    now: float


class Compared(NamedTuple):
    """A position of this match at `now`: its expected sensors decide open questions.

    The pieces that are `trusted` may be elsewhere: that is no reason to hide a doubt.
    """

    match: int
    field: Sequence[str]
    expected: Expected
    now: float
    trusted: frozenset[str] = frozenset()


class NoMatch(NamedTuple):
    """No match is on the table at `now`."""

    now: float


class Decided(NamedTuple):
    """A decision was made: an unsensed move is assumed made, and a doubt that was shown is over."""


class Checked(NamedTuple):
    """People have looked: the pieces are what they should be."""


class HeldToPad(NamedTuple):
    """A piece was held to the pad: it is in the hand, and is set down next."""

    piece: str


Event = SwitchesRead | Compared | NoMatch | Decided | Checked | HeldToPad


def step(state: Occupancy, event: Event) -> Occupancy:
    """Return the state after this event."""
    match event:
        case SwitchesRead():
            return _switches_read(_advanced_to(state, event.now), event)
        case Compared():
            return _compared(state, event)
        case NoMatch():
            return _advanced_to(
                replace(_only_switches(state), match=None, expected=Expected(), stands={}), event.now
            )
        case Decided():
            return _decided(state)
        case Checked():
            return _checked(state)
        case HeldToPad():
            return _held_to_pad(state, event.piece)
        case _:
            assert_never(event)


# --- switches ------------------------------------------------------------------------------------


def _switches_read(state: Occupancy, event: SwitchesRead) -> Occupancy:
    before, switches = state.switches, state.switches.updated(event.spaces, event.now)
    opening = {s for s in event.spaces if before.is_opening(s) or switches.is_opening(s)}
    state = replace(state, switches=switches)
    for sensor in event.spaces:
        if before.is_opening(sensor) and not switches.is_opening(sensor) and switches.settled(sensor):
            state = _blinked(state, sensor, opening - {sensor})
    return state


def _blinked(state: Occupancy, sensor: int, opening: set[int]) -> Occupancy:
    """Return the state after a switch was open for a moment: the piece there may have been exchanged."""
    others = {*state.in_hand, *(piece for piece, at in state.at.items() if at in opening)}
    return state.with_doubt({*others, *state.standing_on(sensor)}, Doubt.SWAPPED) if others else state


def _advanced_to(state: Occupancy, now: float) -> Occupancy:
    """Return the state with all changes believed that have lasted long enough by `now`, in their order."""
    state = replace(state, now=now)
    for sensors in state.switches.due(now):
        state = _changed_for_good(state, sensors)
    return state


def _changed_for_good(state: Occupancy, sensors: frozenset[int]) -> Occupancy:
    """Return the state after these switches have changed for good at the same time."""
    was_blind = not state.switches.known()
    back = sensors - state.switches.known()
    switches = state.switches.believed(sensors)
    opened = frozenset(sensor for sensor in sensors if not switches.settled(sensor))
    state = replace(state, switches=switches, crowded=state.crowded - opened)
    for sensor in sorted(opened - back):
        state = _vacated(state, state.standing_on(sensor))
    state = replace(state, blind=state.blind or (was_blind and bool(state.stands)))
    state = _reporting_again(state, back)
    state = _set_down(state, sensors)
    return _placed_again(state, back if was_blind else frozenset())


def _vacated(state: Occupancy, pieces: Sequence[str]) -> Occupancy:
    """Return the state after a space became empty: a piece that should be on a shared space went there
    before.
    """
    stood, expected = state.at, state.expected
    for piece in pieces:
        if piece in expected.at and may_be_there(state, piece, expected, stood, frozenset()):
            state = state.after_going_unseen(piece, expected.at[piece])
        else:
            state = state.after_lifting([piece])
    return state


def _reporting_again(state: Occupancy, sensors: frozenset[int]) -> Occupancy:
    """Return the state after sensors report again: pieces may have come or gone there unsensed."""
    for sensor in sorted(sensors):
        there = state.standing_on(sensor)
        if state.switches.settled(sensor):
            state = state.with_doubt(piece for piece in there if state.stands[piece].assumed)
        else:
            state = state.with_doubt(there).after_lifting(there)
        state = state.with_stands({piece: state.stands[piece]._replace(assumed=False) for piece in there})
    return state


def _set_down(state: Occupancy, sensors: frozenset[int]) -> Occupancy:
    """Return the state with the piece that was held to the pad last on the sensor that closed."""
    piece = state.next_down
    for sensor in sorted(sensors):
        if piece is not None and state.switches.settled(sensor) and not state.standing_on(sensor):
            return state.after_setting(piece, sensor).without_doubt([piece])
    return state


# --- positions -----------------------------------------------------------------------------------


def _compared(state: Occupancy, event: Compared) -> Occupancy:
    if event.match != state.match:
        state = _match_begun(state, event)
    else:
        state = _lined_up_by_tap(state, event.expected)
    closed = frozenset(sensor for sensor in event.expected.loose if state.switches.settled(sensor))
    crowded = state.crowded | closed
    state = replace(state, expected=event.expected, crowded=crowded, trusted=event.trusted)
    return _with_agreement(_placed_again(_advanced_to(state, event.now)))


def _lined_up_by_tap(state: Occupancy, expected: Expected) -> Occupancy:
    """Return the state after a line-up by tap: the pieces are on the spaces that people named."""
    for piece in expected.at.keys() - state.expected.at.keys():
        stand = state.stands[piece]
        state = state.with_stands({piece: stand._replace(agreed=None)})
        if stand.doubt or stand.at is None or stand.at in expected.at.values():
            state = state.after_setting(piece, None).without_doubt([piece])
    return state


def _match_begun(state: Occupancy, event: Compared) -> Occupancy:
    """Return the state at the start of a match, or of the companion: no piece has been sensed yet."""
    at = {piece: event.expected.at.get(piece) for piece in event.field}
    stands = {piece: Stand(sensor, assumed=sensor is not None) for piece, sensor in at.items()}
    state = replace(_only_switches(state), match=event.match, expected=event.expected, stands=stands)
    return replace(_reporting_again(state, state.switches.known()), blind=True)


def _only_switches(state: Occupancy) -> Occupancy:
    """Return a state that remembers only the switches."""
    return Occupancy(state.switches, state.match, state.expected, crowded=state.crowded, now=state.now)


def _placed_again(state: Occupancy, back: frozenset[int] = frozenset()) -> Occupancy:
    """Return the state with the pieces that follow from the switches and the expected sensors."""
    state = _placed_unseen(state)
    at, free, leaving = placed(state, state.expected), free_sensors(state, state.expected), may_leave(state)
    state = _doubting(state, at, leaving)
    for piece, sensor in at.items():
        if sensor != state.at[piece]:
            state = _moved(state, piece, sensor, joins=sensor not in free, mixed=piece in leaving)
            state = state.with_doubt([piece]) if sensor in back else state
    for piece in state.in_hand:  # its arrival cannot be sensed
        target = state.expected.at.get(piece)
        if target is not None and state.tells_nothing(target, state.expected):
            state = state.after_going_unseen(piece, target)
    state = _last_one_known(state)
    return replace(state, blind=state.blind and bool(state.doubted()))


def _doubting(state: Occupancy, at: Mapping[str, int | None], leaving: Sequence[str]) -> Occupancy:
    """Return the state with doubts about pieces that made way for another, or whose arrival is a guess."""
    moved = [piece for piece, sensor in at.items() if sensor != state.at[piece] and sensor is not None]
    sure = [piece for piece in moved if piece not in state.unsure]
    made_way = [piece for piece in sure if state.at[piece] is not None and piece not in leaving]
    left = {state.at[piece] for piece in made_way}
    state = state.with_doubt([*made_way, *(piece for piece in moved if at[piece] in left)])
    wanted = state.expected.at
    came = [piece for piece in sure if state.is_off(piece) and wanted.get(piece) not in (None, at[piece])]
    return state.with_doubt(came, Doubt.GUESSED)


def _placed_unseen(state: Occupancy) -> Occupancy:
    """Return the state with the pieces that no switch senses believed to be where they should."""
    waiting = state.expected.loose | state.crowded
    for piece in [piece for piece, at in state.at.items() if at in waiting]:
        state = state.after_setting(piece, None)  # among those that wait there
    for piece in state.in_hand:
        if piece in state.expected.at and state.expected.at[piece] is None:
            state = state.after_setting(piece, None).without_doubt([piece])  # it has left the track
    return state.with_doubt(state.in_hand) if len(state.hand) > 1 else state


def _moved(state: Occupancy, piece: str, sensor: int | None, *, joins: bool, mixed: bool) -> Occupancy:
    """Return the state after a piece must have come here: to another piece, or `mixed` up with others."""
    if Doubt.SWAPPED in state.stands[piece].doubt and piece not in state.in_hand:
        state = state.with_doubt(state.doubted(Doubt.SWAPPED))
    if mixed:
        state = state.with_doubt(state.standing_on(state.at[piece]), Doubt.MIXED)
    if sensor is None:
        return state.after_lifting([piece])
    state = state.after_setting(piece, sensor)
    return replace(state, joined=(*state.joined, piece)) if joins else state


def _last_one_known(state: Occupancy) -> Occupancy:
    """Return the state without doubt about the last piece in doubt, since all others are known."""
    doubted = state.doubted()
    return state.without_doubt(doubted, Doubt.COLOUR) if len(doubted) == 1 and not state.blind else state


def _with_agreement(state: Occupancy) -> Occupancy:
    """Return the state with `agreed`: since when only the colours are in doubt."""
    felt, at, wanted = set(state.switches.closed()), state.at, state.expected.at
    right = {piece: sensor for piece, sensor in wanted.items() if sensor in felt and at[piece] == sensor}
    state = state.with_stands({p: state.stands[p]._replace(agreed=s) for p, s in right.items()})
    state = state.without_doubt(right, Doubt.GUESSED)
    doubted = [piece for piece in state.doubted() - state.trusted if wanted.get(piece) is not None]
    agreed = bool(doubted) and state.is_at_rest() and all(at[piece] == wanted[piece] for piece in doubted)
    since = state.now if state.agreed is None else state.agreed
    return replace(state, agreed=since if agreed else None)


# --- people --------------------------------------------------------------------------------------


def _decided(state: Occupancy) -> Occupancy:
    if state.agreed is not None and state.now >= state.agreed + DOUBT_SHOWN_FOR:
        state = _checked(state)
    state = state.without_doubt(state.stands, Doubt.SWAPPED | Doubt.MIXED)
    if not state.stands:
        return state
    expected, at = state.expected, placed(state, state.expected)
    dark = in_the_dark(state, at)
    unseen = [piece for piece in expected.at if may_be_there(state, piece, expected, at, dark)]
    for piece in unseen:
        state = state.after_going_unseen(piece, expected.at[piece])
    for piece, target in expected.at.items():
        if target is None and piece in may_leave(state):
            state = state.after_setting(piece, None)
    return state


def _checked(state: Occupancy) -> Occupancy:
    """Return the state after people have checked the colours: all doubted pieces are where they should be."""
    doubtful = to_check(state)
    if not doubtful:
        return state
    for piece, sensor in doubtful.items():
        state = state.after_setting(piece, sensor)
    return replace(state.without_doubt(state.stands, Doubt.COLOUR), agreed=None, blind=False)


def _held_to_pad(state: Occupancy, piece: str) -> Occupancy:
    if piece not in state.stands:
        return state  # its game is over
    if piece not in state.in_hand:
        state = _lifted_instead(state, piece)
    state = _last_one_known(state.without_doubt([piece]))
    return replace(state, next_down=piece)


def _lifted_instead(state: Occupancy, piece: str) -> Occupancy:
    """Return the state with this piece lifted, and the one believed to be lifted in its place."""
    stood = state.at[piece]
    lifted = Lifted(piece, stood, state.now, state.stands[piece].since)
    if state.hand and stood is not None:
        mistaken = state.hand[-1]
        state, lifted = state.after_setting(mistaken.piece, stood), mistaken._replace(piece=piece)
    state = state.after_setting(piece, None)
    return replace(state, hand=(*state.hand, lifted))
