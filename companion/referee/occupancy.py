"""The pieces on a track that senses only that something is there: a switch under each space.

Which piece is where follows from the last layout that table and game agreed on and from the pieces lifted and
set down since. Where the switches leave a choice, the position in question decides: a move that cannot be
sensed stops no game. All of this is one value, the `Occupancy`; `steps.py` computes it after an event,
`placing.py` which piece may be where.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Flag, auto
from functools import cached_property
from typing import NamedTuple

from companion.games.race import Race
from companion.referee.switches import Switches


class Expected(NamedTuple):
    """The expected sensor of each piece in a position; None where no switch reports (gate, home,
    the start).

    A piece that has no place yet is left out. A `loose` sensor reports nothing useful: pieces wait over it.
    """

    at: Mapping[str, int | None] = {}
    loose: frozenset[int] = frozenset()

    @classmethod
    def of(cls, race: Race) -> Expected:
        """Return the expected sensors of this position."""
        waiting, first, layout = race.unsensed(), race.first_space, race.layout()
        at = {
            piece: None if place.space is None or piece in waiting else place.space - first
            for piece, place in layout.items()
        }
        starts = (layout[piece].space for piece in waiting if piece in layout)
        return cls(at, frozenset(space - first for space in starts if space is not None))


class Doubt(Flag):
    """The reasons why a piece may be another one."""

    NONE = 0
    COLOUR = auto()  # it was lifted together with others, or came while nothing could be sensed
    SWAPPED = auto()  # one was put where another was taken away, in a blink
    MIXED = auto()  # it was on one space with others, one of which left it
    GUESSED = auto()  # its arrival was not sensed: the thing there may be no piece


class Stand(NamedTuple):
    """The believed sensor `at` of a piece; None: in a hand, off the track, or unknown.

    `since`: a switch elsewhere that closed earlier is not this piece. `assumed`: no switch has sensed its
    arrival there. `agreed`: the sensor where it was last felt as expected, since it was lined up.
    """

    at: int | None = None
    since: float = 0.0
    doubt: Doubt = Doubt.NONE
    assumed: bool = False
    agreed: int | None = None

    def is_where_it_was(self) -> bool:
        """Return True if it is known to be where it was last felt as expected."""
        return self.at is not None and self.at == self.agreed and not self.doubt


class Lifted(NamedTuple):
    """A piece in a hand: the sensor `stood` it was lifted from, the time `when`, and since when it had been
    there (`came`).

    `stood` is None if no switch sensed it before.
    """

    piece: str
    stood: int | None
    when: float
    came: float


@dataclass(frozen=True)
class Occupancy:
    """The state of the switches, and the pieces that must therefore be on each sensor.

    `hand`: lifted and not set down, in order. `joined`: pieces that came to a space with another one, the
    latest last. `crowded`: sensors that feel something since pieces waited there. `blind`: a doubt began
    while no switch reported. `next_down`: the piece that was held to the pad. `trusted`: pieces that may be
    elsewhere, because people said so. `agreed`: the time since when only the colours are in doubt.
    """

    switches: Switches = field(default_factory=Switches)
    match: int | None = None
    expected: Expected = field(default_factory=Expected)
    stands: Mapping[str, Stand] = field(default_factory=dict)
    hand: tuple[Lifted, ...] = ()
    joined: tuple[str, ...] = ()
    crowded: frozenset[int] = frozenset()
    blind: bool = False
    next_down: str | None = None
    trusted: frozenset[str] = frozenset()
    agreed: float | None = None
    now: float = 0.0

    # --- queries ---------------------------------------------------------------------------------

    @cached_property
    def at(self) -> Mapping[str, int | None]:
        """The believed sensor of each piece; None: in a hand, off the track, or unknown."""
        return {piece: stand.at for piece, stand in self.stands.items()}

    @cached_property
    def in_hand(self) -> tuple[str, ...]:
        """The pieces in the hand, in the order in which they were lifted."""
        return tuple(lifted.piece for lifted in self.hand)

    @cached_property
    def unsure(self) -> frozenset[str]:
        """The pieces that may be another one, for any reason."""
        return frozenset(piece for piece, stand in self.stands.items() if stand.doubt)

    def doubted(self, doubt: Doubt = Doubt.COLOUR) -> frozenset[str]:
        """Return the pieces that may be another one for this reason."""
        return frozenset(piece for piece, stand in self.stands.items() if doubt in stand.doubt)

    def standing_on(self, sensor: int | None) -> list[str]:
        """Return the pieces that are believed to be on this sensor."""
        return [piece for piece, stand in self.stands.items() if stand.at == sensor]

    def is_off(self, piece: str) -> bool:
        """Return True if a piece is neither on the track nor in a hand, as far as is known."""
        return self.stands[piece].at is None and piece not in self.in_hand

    def since(self, sensor: int) -> float:
        """Return the time since when this sensor has its reported state; now if there is no such sensor."""
        return self.switches.since(sensor) if sensor in self.switches.by_sensor else self.now

    def tells_nothing(self, sensor: int, expected: Expected) -> bool:
        """Return True if a piece may come here unsensed: the switch is unknown, or closed by pieces that
        wait.
        """
        unknown = self.switches.settled(sensor) is None
        return unknown or sensor in expected.loose or sensor in self.crowded

    def is_adjacent(self, sensor: int, stands: Iterable[int | None]) -> bool:
        """Return True if one of `stands` is a neighbour of this sensor: its magnet may close both
        switches.
        """
        return any(at is not None and self.switches.are_adjacent(sensor, at) for at in stands)

    def is_still(self, piece: str) -> bool:
        """Return True if this piece, or any that may be it, has come to rest."""
        at = self.at.get(piece)
        return at not in self.switches.pending() if at is not None else not self.switches.closing()

    def is_at_rest(self) -> bool:
        """Return True if no switch has changed just now."""
        return not any(True for _ in self.switches.pending())

    # --- later states ----------------------------------------------------------------------------

    def after_setting(self, piece: str, sensor: int | None) -> Occupancy:
        """Return the state with a piece on this sensor and no longer in a hand."""
        since = 0.0 if sensor is None else self.since(sensor)
        stand = self.stands[piece]._replace(at=sensor, since=since, assumed=False)
        return replace(
            self,
            stands={**self.stands, piece: stand},
            hand=tuple(lifted for lifted in self.hand if lifted.piece != piece),
            joined=tuple(other for other in self.joined if other != piece),
            next_down=None if piece == self.next_down else self.next_down,
        )

    def after_lifting(self, pieces: Iterable[str]) -> Occupancy:
        """Return the state with these pieces in the hand."""
        after = self
        for piece in pieces:
            stood, came = after.stands[piece].at, after.stands[piece].since
            lifted = Lifted(piece, stood, self.now if stood is None else self.since(stood), came)
            after = after.after_setting(piece, None)
            after = replace(after, hand=(*after.hand, lifted))
        return after

    def after_going_unseen(self, piece: str, target: int | None) -> Occupancy:
        """Return the state with a piece where it should be, although no switch can sense it there."""
        waits = target in self.expected.loose | self.crowded
        after = self.after_setting(piece, None if waits else target)
        if target is None or waits:
            return after
        if self.switches.settled(target) is None:
            return after.with_stands({piece: after.stands[piece]._replace(assumed=True)})
        return replace(after, joined=(*after.joined, piece))

    def with_stands(self, changed: Mapping[str, Stand]) -> Occupancy:
        """Return the state with these beliefs about some pieces changed."""
        return replace(self, stands={**self.stands, **changed}) if changed else self

    def with_doubt(self, pieces: Iterable[str], doubt: Doubt = Doubt.COLOUR) -> Occupancy:
        """Return the state with one more reason to doubt these pieces."""
        stands = self.stands
        more = {piece: stands[piece] for piece in pieces if doubt not in stands[piece].doubt}
        return self.with_stands({p: stand._replace(doubt=stand.doubt | doubt) for p, stand in more.items()})

    def without_doubt(self, pieces: Iterable[str], doubt: Doubt = ~Doubt.NONE) -> Occupancy:
        """Return the state without this reason to doubt these pieces."""
        stands = self.stands
        less = {piece: stands[piece] for piece in pieces if doubt & stands[piece].doubt}
        return self.with_stands({p: stand._replace(doubt=stand.doubt & ~doubt) for p, stand in less.items()})
