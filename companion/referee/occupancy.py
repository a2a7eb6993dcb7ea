"""Who stands where on a track that only tells that something stands there: a switch under each space.

Who is who follows from the last layout that table and game agreed on and from what was lifted and set down
since. What the switches leave open is taken as the position has it that is asked about: nothing that cannot
be seen stops a game. All of it is one value, the `Occupancy`; `steps.py` says what it is after an event,
`placing.py` who may stand where.
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
    """Where a position has its pieces: `at` by sensor, None where no switch tells (gate, home, the start).

    A piece that has no place yet is left out. A `loose` sensor tells nothing: pieces wait over it.
    """

    at: Mapping[str, int | None] = {}
    loose: frozenset[int] = frozenset()

    @classmethod
    def of(cls, race: Race) -> Expected:
        """Where this position has its pieces."""
        waiting, first, layout = race.unsensed(), race.first_space, race.layout()
        at = {
            piece: None if place.space is None or piece in waiting else place.space - first
            for piece, place in layout.items()
        }
        starts = (layout[piece].space for piece in waiting if piece in layout)
        return cls(at, frozenset(space - first for space in starts if space is not None))


class Doubt(Flag):
    """Why a piece may be another one."""

    NONE = 0
    COLOUR = auto()  # it was up together with others, or came while nothing could be seen
    SWAPPED = auto()  # one was put where another was taken away, in a blink
    MIXED = auto()  # it stood on one space with others, and nobody can tell which of them left it
    GUESSED = auto()  # nobody saw it come: what stands there may be something else


class Stand(NamedTuple):
    """Where a piece is believed to stand: `at` a sensor; None: in a hand, off the track, not known.

    `since`: what closed earlier elsewhere is not it. `assumed`: no switch has felt it come there. `agreed`:
    where it was felt last as it should be, since it was lined up.
    """

    at: int | None = None
    since: float = 0.0
    doubt: Doubt = Doubt.NONE
    assumed: bool = False
    agreed: int | None = None

    def is_where_it_was(self) -> bool:
        """Whether it is known to stand where it was felt last as it should be."""
        return self.at is not None and self.at == self.agreed and not self.doubt


class Lifted(NamedTuple):
    """A piece in a hand, from where and when it was lifted, and since when it had stood there.

    `stood` None: nobody saw it stand.
    """

    piece: str
    stood: int | None
    when: float
    came: float


@dataclass(frozen=True)
class Occupancy:
    """What the switches have told, and who must therefore stand where.

    `hand`: lifted and not set down, in order. `joined`: came to stand beside another one, the latest last.
    `crowded`: sensors that feel something since pieces waited there. `blind`: a doubt began while nothing
    could be seen. `next_down`: the piece that was held to the pad. `trusted`: pieces that may stand
    elsewhere, because people said so. `agreed`: since when only the colours are in doubt.
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

    # --- what is asked ---------------------------------------------------------------------------

    @cached_property
    def at(self) -> Mapping[str, int | None]:
        """The sensor that each piece is believed to stand on; None: in a hand, off the track, not known."""
        return {piece: stand.at for piece, stand in self.stands.items()}

    @cached_property
    def in_hand(self) -> tuple[str, ...]:
        """The pieces in the hand, in the order in which they were lifted."""
        return tuple(lifted.piece for lifted in self.hand)

    @cached_property
    def unsure(self) -> frozenset[str]:
        """The pieces that may be another one, for whatever reason."""
        return frozenset(piece for piece, stand in self.stands.items() if stand.doubt)

    def doubted(self, doubt: Doubt = Doubt.COLOUR) -> frozenset[str]:
        """The pieces that may be another one for this reason."""
        return frozenset(piece for piece, stand in self.stands.items() if doubt in stand.doubt)

    def standing_on(self, sensor: int | None) -> list[str]:
        """The pieces that are believed to stand there."""
        return [piece for piece, stand in self.stands.items() if stand.at == sensor]

    def is_off(self, piece: str) -> bool:
        """Whether a piece is neither on the track nor in a hand, so far as anybody knows."""
        return self.stands[piece].at is None and piece not in self.in_hand

    def since(self, sensor: int) -> float:
        """Since when this sensor is as it is told; where there is none, now."""
        return self.switches.since(sensor) if sensor in self.switches.by_sensor else self.now

    def tells_nothing(self, sensor: int, expected: Expected) -> bool:
        """Whether nobody can say what comes there: no switch knows, or it is closed by pieces that wait."""
        unknown = self.switches.settled(sensor) is None
        return unknown or sensor in expected.loose or sensor in self.crowded

    def is_beside(self, sensor: int, stands: Iterable[int | None]) -> bool:
        """Whether a piece stands next to it, whose magnet may close both switches."""
        return any(at is not None and self.switches.are_beside(sensor, at) for at in stands)

    def is_still(self, piece: str) -> bool:
        """Whether this piece has come to rest, or whatever may be it."""
        at = self.at.get(piece)
        return at not in self.switches.pending() if at is not None else not self.switches.closing()

    def is_at_rest(self) -> bool:
        """Whether nothing moves."""
        return not any(True for _ in self.switches.pending())

    # --- what follows ----------------------------------------------------------------------------

    def after_setting(self, piece: str, sensor: int | None) -> Occupancy:
        """The same with a piece believed to stand here, and in no hand any longer."""
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
        """The same with these pieces in the hand."""
        after = self
        for piece in pieces:
            stood, came = after.stands[piece].at, after.stands[piece].since
            lifted = Lifted(piece, stood, self.now if stood is None else self.since(stood), came)
            after = after.after_setting(piece, None)
            after = replace(after, hand=(*after.hand, lifted))
        return after

    def after_going_unseen(self, piece: str, target: int | None) -> Occupancy:
        """The same with a piece believed to stand where it should, although no switch can tell it."""
        waits = target in self.expected.loose | self.crowded
        after = self.after_setting(piece, None if waits else target)
        if target is None or waits:
            return after
        if self.switches.settled(target) is None:
            return after.with_stands({piece: after.stands[piece]._replace(assumed=True)})
        return replace(after, joined=(*after.joined, piece))

    def with_stands(self, changed: Mapping[str, Stand]) -> Occupancy:
        """The same with some pieces standing otherwise."""
        return replace(self, stands={**self.stands, **changed}) if changed else self

    def with_doubt(self, pieces: Iterable[str], doubt: Doubt = Doubt.COLOUR) -> Occupancy:
        """The same with these pieces in doubt, for one reason more."""
        stands = self.stands
        more = {piece: stands[piece] for piece in pieces if doubt not in stands[piece].doubt}
        return self.with_stands({p: stand._replace(doubt=stand.doubt | doubt) for p, stand in more.items()})

    def without_doubt(self, pieces: Iterable[str], doubt: Doubt = ~Doubt.NONE) -> Occupancy:
        """The same with these pieces known, so far as this was the reason of the doubt."""
        stands = self.stands
        less = {piece: stands[piece] for piece in pieces if doubt & stands[piece].doubt}
        return self.with_stands({p: stand._replace(doubt=stand.doubt & ~doubt) for p, stand in less.items()})
