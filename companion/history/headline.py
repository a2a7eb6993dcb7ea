"""The headline of an evening: one sentence, by the strongest rule that applies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.history.evening import Evening
from companion.message import N_, Sentence

STOLEN: Final = 30  # points that the winner gained at one stroke
FAR: Final = 15  # points: with less a seat was as good as out of it
NEAR: Final = 85  # points: with more a seat had as good as won
SLACK: Final = 3  # points that a chance may be off
OPEN: Final = 60  # points: before the last decision no seat had more
MUCH: Final = 15  # points that luck or choices brought


def headline(evening: Evening) -> Sentence:
    """Return the headline of this evening."""
    return next(sentence for rule in RULES if (sentence := rule(evening)) is not None)


def shared(evening: Evening) -> Sentence | None:
    """Return the headline for a shared victory."""
    if evening.winner is not None:
        return None
    if len(evening.winners) == len(evening.seats) > 2:
        return Sentence(_SHARED_BY_ALL)
    if len(evening.winners) == 2:
        return Sentence(_SHARED_BY_TWO, {"seat1": evening.winners[0], "seat2": evening.winners[1]})
    return Sentence(_SHARED, {"count": len(evening.winners)})


def stolen(evening: Evening) -> Sentence | None:
    """Return the headline for a winner who was behind and gained much at one stroke by a piece: the greatest
    such stroke.
    """
    seat = evening.winner
    if seat is None:
        return None
    strokes = [
        (swing.gains[seat], piece, swing.stage)
        for swing, piece in zip(evening.swings, evening.pieces, strict=True)
        if piece is not None and swing.before[seat] < max(swing.before) and swing.gainer == seat
    ]
    gain, piece, stage = max(strokes, default=(0, "", Sentence("")), key=lambda stroke: stroke[0])
    if gain < STOLEN:
        return None
    frame = next((sentence for sentence, many in _OF_SEVERAL if stage.values.get(many, 1) > 1), _STOLEN)
    numbers = {name: stage.values[name] for name in ("round", "race") if name in stage.values}
    return Sentence(frame, {"seat": seat, "piece": piece} | numbers)


def comeback(evening: Evening) -> Sentence | None:
    """Return the headline for a winner who had been as good as out of it."""
    seat = evening.winner
    low = None if seat is None else fallen(evening, seat)
    return None if low is None else Sentence(_COMEBACK, {"seat": seat, "low": low})


def slipped(evening: Evening) -> Sentence | None:
    """Return the headline if another seat had as good as won."""
    lost = [(max(evening.over_time(seat)), seat) for seat in evening.seats if seat not in evening.winners]
    high, seat = max(lost, default=(0, 0), key=lambda one: one[0])
    if evening.winner is None or high < NEAR:
        return None
    return Sentence(_SLIPPED, {"seat": seat, "high": high, "seat_winner": evening.winner})


def unbroken(evening: Evening) -> Sentence | None:
    """Return the headline if no other seat had the better chance at any moment."""
    seat = evening.winner
    if seat is None or any(chances[seat] < max(chances) - SLACK for chances in evening.chances):
        return None
    return Sentence(_UNBROKEN, {"seat": seat})


def open_to_the_last(evening: Evening) -> Sentence | None:
    """Return the headline if before the last decision no seat had as good as won."""
    if evening.winner is None or not last_was_open(evening):
        return None
    return Sentence(_OPEN, {"seat": evening.winner})


def well_played(evening: Evening) -> Sentence | None:
    """Return the headline if the winner's own choices had the greatest effect."""
    return _by(evening, "own", _PLAYED)


def helped(evening: Evening) -> Sentence | None:
    """Return the headline if the others' choices had the greatest effect."""
    return _by(evening, "others", _HELPED)


def lucky(evening: Evening) -> Sentence | None:
    """Return the headline if luck had the greatest effect."""
    return _by(evening, "luck", _LUCKY)


def _by(evening: Evening, what: str, sentence: str) -> Sentence | None:
    """Return the sentence `sentence`, if this part of the winner's account is the greatest and large."""
    if evening.winner is None:
        return None
    parts = evening.parts[evening.winner]
    brought = {name: getattr(parts, name) or 0 for name in ("luck", "own", "others")}
    if brought[what] < max(MUCH, *brought.values()):
        return None
    return Sentence(sentence, {"seat": evening.winner})


def won(evening: Evening) -> Sentence | None:
    """Return the headline for an evening without anything special."""
    return Sentence(_WON, {"seat": evening.winners[0]})


RULES: Final[tuple[Callable[[Evening], Sentence | None], ...]] = (
    shared,
    stolen,
    comeback,
    slipped,
    unbroken,
    open_to_the_last,
    well_played,
    helped,
    lucky,
    won,
)
"""From the strongest to the weakest; the last one always applies."""


def far(evening: Evening) -> int:
    """Return the points below which a chance is next to none: half a fair one at most."""
    return min(FAR, 50 // len(evening.seats))


def fallen(evening: Evening, seat: int) -> int | None:
    """Return the least chance that this seat had, if that was next to none."""
    low = min(evening.over_time(seat), default=100)
    return low if low < far(evening) else None


def last_was_open(evening: Evening) -> bool:
    """Return whether no seat had as good as won before the last decision."""
    return len(evening.chances) > 1 and max(evening.chances[-2]) < OPEN


_SHARED_BY_TWO = N_("{seat1} and {seat2} share the victory")
_SHARED_BY_ALL = N_("everyone shares the victory")
_SHARED = N_("{count} share the victory")
_OF_SEVERAL = (
    (N_("{seat} and {piece} stole round {round}"), "rounds"),
    (N_("{seat} and {piece} stole race {race}"), "races"),
)
_STOLEN = N_("{seat} and {piece} stole the race")
_COMEBACK = N_("{seat} came back from {low}%")
_SLIPPED = N_("{seat} was at {high}%, and {seat_winner} won all the same")
_UNBROKEN = N_("{seat} led from start to finish")
_OPEN = N_("open to the last decision: {seat} by a nose")
_PLAYED = N_("well played: {seat} won it with the best choices")
_HELPED = N_("with a little help: the others made {seat} the winner")
_LUCKY = N_("luck was with {seat} tonight")
_WON = N_("{seat} wins")
