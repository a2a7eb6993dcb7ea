"""Who stands where on a track that only tells that something stands there: a switch under each space.

Who is who follows from the last layout that table and game agreed on and from what was lifted and set down
since. What the switches leave open is taken as the position has it that is asked about: nothing that cannot
be seen stops a game. Sensors are numbered from 0; time comes in as an argument (seconds, any origin).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from companion.games.race import Race

SHOWN = 3.0
"""Seconds a doubt must have been told before the next decision counts as the people's answer to it."""


class Wanted(NamedTuple):
    """Where a position has its pieces: `at` by sensor, None where no switch tells (gate, home, the start).

    A piece that has no place yet is left out. A `loose` sensor tells nothing: pieces wait over it.
    """

    at: Mapping[str, int | None] = {}
    loose: frozenset[int] = frozenset()

    @classmethod
    def of(cls, race: Race) -> Wanted:
        """Where this position has its pieces."""
        waiting, first, layout = race.unsensed(), race.first_space, race.layout()
        at = {
            piece: None if place.space is None or piece in waiting else place.space - first
            for piece, place in layout.items()
        }
        starts = (layout[piece].space for piece in waiting if piece in layout)
        return cls(at, frozenset(space - first for space in starts if space is not None))

    def joined(self, piece: str, at: Mapping[str, int | None]) -> bool:
        """Whether this piece should share its space with another one that stands there already."""
        target = self.at.get(piece)
        return target is not None and any(
            other != piece and self.at.get(other) == target and stands == target
            for other, stands in at.items()
        )


class Sight(NamedTuple):
    """Where each piece is believed to stand (None: in a hand, not known), and whose move cannot be seen."""

    at: Mapping[str, int | None]
    missed: frozenset[str] = frozenset()


class Whereabouts:
    """What the switches have told, and who must therefore stand where."""

    def __init__(self, still: float) -> None:
        """A switch counts once it has been the same for `still` seconds: what slides past does not."""
        self._still = still
        self._raw: dict[int, bool | None] = {}
        self._since: dict[int, float] = {}
        self._settled: dict[int, bool | None] = {}
        self._match: int | None = None
        self._wanted = Wanted()
        self._at: dict[str, int | None] = {}
        self._hand: list[str] = []  # lifted and not set down, in order
        self._lifted: dict[str, tuple[int | None, float]] = {}  # from where and when each was, last
        self._doubted: set[str] = set()  # each of these may be another one of them
        self._blind = False  # whether a doubt began while nothing could be seen
        self._swappable: set[str] = set()  # one was put where another was taken away, in a blink
        self._mixed: set[str] = set()  # stood on one space, and nobody can tell which of them left it
        self._assumed: set[str] = set()  # believed to stand where no switch has felt them come
        self._crowded: set[int] = set()  # something stands there since pieces waited there
        self._joined: list[str] = []  # came to stand beside another one, the latest last
        self._arrived: set[str] = set()  # have been felt where they were lined up
        self._named: str | None = None
        self._now = 0.0
        self._agreed: float | None = None  # since when only the colours are in doubt

    # --- what is seen ----------------------------------------------------------------------------

    def show(self, spaces: Mapping[int, bool | None], now: float) -> None:
        """The switches are so now; None: not known, which is not open."""
        self._settle(now)
        for sensor in self._raw.keys() - spaces.keys():
            del self._raw[sensor], self._since[sensor]
            self._settled.pop(sensor, None)
        for sensor, closed in spaces.items():
            if sensor in self._raw and self._raw[sensor] == closed:
                continue
            self._raw[sensor], self._since[sensor] = closed, now
            if closed is None:
                self._settled[sensor] = None
            elif closed and self._settled.get(sensor):
                self._blinked(sensor)

    def _blinked(self, sensor: int) -> None:
        """A switch was open for less than a moment: somebody may have exchanged what stands there."""
        others = {p for p, at in self._at.items() if at != sensor and at is not None and self._opening(at)}
        if others or self._hand:
            self._swappable |= others | set(self._hand) | set(self._on(sensor))

    def follow(
        self, match: int | None, race: Race | None, now: float, trusted: frozenset[str] = frozenset()
    ) -> None:
        """Come up to `now`, in a position of this match: where its pieces should stand says what is open.

        The pieces that are `trusted` may stand elsewhere: that is no reason to keep a doubt to oneself.
        """
        if match is None or race is None:
            self._match, self._wanted, self._at = None, Wanted(), {}
            self._forget()
            self._settle(now)
            return
        wanted = Wanted.of(race)
        if match != self._match:
            self._begin(match, wanted, race.field())
        else:
            self._take_at_their_word(wanted)
        self._wanted = wanted
        self._crowded |= {sensor for sensor in wanted.loose if self._settled.get(sensor)}
        self._settle(now)
        self._place()
        self._see_whether_it_agrees(now, trusted)

    def _take_at_their_word(self, wanted: Wanted) -> None:
        """Pieces that had no place were lined up: who stands on the line-up spaces is who people said."""
        for piece in wanted.at.keys() - self._wanted.at.keys():
            if piece in self._unsure() or self._at[piece] in wanted.at.values():
                self._at[piece] = None
            self._arrived.discard(piece)
            if self._at[piece] is None:
                self._put(piece, None)
                self._know(piece)

    def _begin(self, match: int, wanted: Wanted, field: Sequence[str]) -> None:
        """A match comes to the table, or the companion to it: nobody has seen who is who."""
        self._match, self._wanted = match, wanted
        self._forget()
        self._at = {piece: wanted.at.get(piece) for piece in field}
        self._assumed = {piece for piece, at in self._at.items() if at is not None}
        self._back(frozenset(s for s, closed in self._settled.items() if closed is not None))
        self._blind = True

    def _forget(self) -> None:
        self._hand, self._joined, self._named, self._agreed = [], [], None, None
        self._doubted, self._swappable, self._assumed, self._arrived = set(), set(), set(), set()
        self._mixed, self._blind = set(), False

    def _settle(self, now: float) -> None:
        """Believe what has been so long enough, in the order in which it happened."""
        self._now = now
        due = sorted(
            (s for s in self._pending() if now >= self._since[s] + self._still), key=self._since.__getitem__
        )
        for _, together in groupby(due, key=self._since.__getitem__):
            self._happened(frozenset(together))

    def _happened(self, sensors: frozenset[int]) -> None:
        saw_nothing = all(closed is None for closed in self._settled.values())
        back = frozenset(s for s in sensors if self._settled.get(s) is None)
        self._settled |= {sensor: self._raw[sensor] for sensor in sensors}
        self._crowded -= {sensor for sensor in sensors if not self._settled[sensor]}
        for sensor in sensors - back:
            if not self._settled[sensor]:
                self._leave(self._on(sensor))
        self._blind = self._blind or (saw_nothing and bool(self._at))
        self._back(back)
        self._set_named_down(sensors)
        self._place(back if saw_nothing else frozenset())

    def _back(self, sensors: frozenset[int]) -> None:
        """These can be seen again: what came there meanwhile, or went, did so unseen."""
        for sensor in sensors:
            there = self._on(sensor)
            if self._settled[sensor]:
                self._doubted |= self._assumed & set(there)
            else:
                self._doubted |= set(there)
                self._lift(there)
            self._assumed -= set(there)

    def _leave(self, pieces: Sequence[str]) -> None:
        """A space is empty that was not: of several, who should be beside another one went there before."""
        stood = dict(self._at)
        for piece in pieces:
            if piece in self._wanted.at and self._misses(piece, self._wanted, stood, set()):
                self._go_unseen(piece, self._wanted.at[piece])
            else:
                self._lift([piece])

    def _lift(self, pieces: Iterable[str]) -> None:
        for piece in pieces:
            stood = self._at[piece]
            self._lifted[piece] = (stood, self._now if stood is None else self._since.get(stood, self._now))
            self._put(piece, None)
            self._hand.append(piece)

    def _put(self, piece: str, sensor: int | None) -> None:
        """Believe that a piece stands here, and in no hand any longer."""
        self._at[piece] = sensor
        self._assumed.discard(piece)
        if piece in self._hand:
            self._hand.remove(piece)
        if piece in self._joined:
            self._joined.remove(piece)
        if piece == self._named:
            self._named = None

    def _set_named_down(self, sensors: frozenset[int]) -> None:
        """What was held to the pad last is what is set down next."""
        for sensor in sorted(sensors):
            piece = self._named
            if piece is not None and self._settled[sensor] and not self._on(sensor):
                self._put(piece, sensor)
                self._know(piece)

    def _place(self, back: frozenset[int] = frozenset()) -> None:
        """Believe of the pieces what follows from the switches and from where they should stand."""
        wanted = self._wanted
        for piece in [p for p, at in self._at.items() if at in wanted.loose | self._crowded]:
            self._put(piece, None)  # among those that wait there
        for piece in [p for p in self._hand if p in wanted.at and wanted.at[p] is None]:
            self._put(piece, None)  # it has left the track, as it should
            self._know(piece)
        if len(self._hand) > 1:
            self._doubted |= set(self._hand)
        found, free, leaving = self._found(wanted), self._free(wanted), self._may_leave()
        for piece, sensor in found.items():
            if sensor == self._at[piece]:
                continue
            if piece in self._swappable and piece not in self._hand:
                self._doubted |= self._swappable & found.keys()
            if piece in leaving:
                self._mixed |= set(self._on(self._at[piece]))
            if sensor in back:
                self._doubted.add(piece)
            if sensor is None:
                self._lift([piece])
                continue
            self._put(piece, sensor)
            if sensor not in free:
                self._joined.append(piece)
        for piece in list(self._hand):  # where it goes nobody can see it
            target = wanted.at.get(piece)
            if target is not None and self._tells_nothing(target, wanted):
                self._go_unseen(piece, target)
        self._know_the_last_one()
        self._blind = self._blind and bool(self._doubted)

    def _know(self, piece: str) -> None:
        for uncertain in (self._doubted, self._swappable, self._mixed):
            uncertain.discard(piece)

    def _know_the_last_one(self) -> None:
        if len(self._doubted) == 1 and not self._blind:
            self._doubted.clear()  # all the others are known

    # --- what follows from it --------------------------------------------------------------------

    def _on(self, sensor: int | None) -> list[str]:
        return [piece for piece, at in self._at.items() if at == sensor]

    def _pending(self) -> Iterator[int]:
        """The switches that are not yet what they have been long enough."""
        return (s for s, closed in self._raw.items() if closed is not None and closed != self._settled.get(s))

    def _opening(self, sensor: int) -> bool:
        return bool(self._settled.get(sensor)) and self._raw.get(sensor) is False

    def _unsure(self) -> set[str]:
        return self._doubted | self._swappable | self._mixed

    def _tells_nothing(self, sensor: int, wanted: Wanted) -> bool:
        """Whether nobody can say what comes there: no switch knows, or it is closed by pieces that wait."""
        return self._settled.get(sensor) is None or sensor in wanted.loose or sensor in self._crowded

    def _free(self, wanted: Wanted) -> list[int]:
        """The spaces where something stands and nobody is known to, the longest taken first."""
        unsure = self._unsure()
        known = {at for piece, at in self._at.items() if piece not in unsure}
        known -= {self._at[piece] for piece in unsure}  # beside another one stands somebody
        free = (sensor for sensor, closed in self._settled.items() if closed and sensor not in known)
        told = (sensor for sensor in free if not self._tells_nothing(sensor, wanted))
        return sorted(told, key=lambda sensor: (self._since[sensor], sensor))

    def _may_leave(self) -> list[str]:
        """The pieces that could be lifted without any switch telling it, the likeliest last."""
        known = [p for p, at in self._at.items() if at is not None and p not in self._unsure()]
        stands = [self._at[piece] for piece in known]
        unseen = {sensor for sensor in stands if sensor is not None and self._settled.get(sensor) is None}
        may = [piece for piece in known if stands.count(self._at[piece]) > 1 or self._at[piece] in unseen]
        return sorted(may, key=lambda piece: self._joined.index(piece) if piece in self._joined else -1)

    def _found(self, wanted: Wanted) -> dict[str, int | None]:
        """Where each piece stands, so far as the switches allow as `wanted` has it."""
        at, free = dict(self._at), self._free(wanted)
        unsure = self._unsure()
        open_ = [
            p for p, sensor in at.items() if sensor is None or (p in unsure and self._settled.get(sensor))
        ]
        claimed = {at[piece] for piece in unsure}  # by one of those in doubt, whichever it is
        new = [sensor for sensor in free if sensor not in claimed]
        got = {p: wanted.at[p] for p in open_ if wanted.at.get(p) in (free if p in unsure else new)}
        left = [sensor for sensor in free if sensor not in got.values()]
        leaving = self._may_leave()
        for piece in leaving:
            if wanted.at.get(piece) in left and self._leaves_one(piece, {**at, **got}):
                got[piece] = wanted.at[piece]
        left = [sensor for sensor in left if sensor not in got.values()]
        stay = {piece: at[piece] for piece in open_ if piece not in got and at[piece] in left}
        got |= stay
        at |= dict.fromkeys(open_) | got
        left = [sensor for sensor in left if sensor not in at.values()]
        at |= self._guessed(wanted, at, got, left, leaving)
        for piece in self._hand:
            if at[piece] is None and wanted.joined(piece, at):
                at[piece] = wanted.at[piece]
        return at

    def _leaves_one(self, piece: str, at: Mapping[str, int | None]) -> bool:
        """Whether somebody stays where this piece stands, if it must: something is felt there."""
        stands = at[piece]
        unseen = stands is not None and self._settled.get(stands) is None
        return unseen or list(at.values()).count(stands) > 1

    def _guessed(
        self,
        wanted: Wanted,
        at: Mapping[str, int | None],
        got: Mapping[str, int | None],
        left: Sequence[int],
        leaving: Sequence[str],
    ) -> Mapping[str, int]:
        """Who may stand where nothing should: what was lifted, else what nobody sees leave or come."""
        lifted = [p for p in self._hand if p not in got and (wanted.at or p not in self._unsure())]
        lifted += [p for p in self._at if p in self._unsure() and self._at[p] is not None and at[p] is None]
        guessed: dict[str, int] = {}
        for piece in lifted:
            new = [sensor for sensor in left if sensor not in guessed.values() and self._came(sensor, piece)]
            guessed |= dict.fromkeys([piece], new[0]) if new else {}
        if any(self._opening(sensor) for sensor in self._raw):
            return guessed  # a piece was pushed on: in a moment it is lifted too
        more = [sensor for sensor in left if sensor not in guessed.values()]
        more = more if len(guessed) == len(lifted) else []
        if wanted.at:  # while pieces are lined up, each stands beside another
            more = [sensor for sensor in more if not self._beside(sensor, {**at, **guessed})]
        unseen = [p for p in leaving if p not in got and self._leaves_one(p, at)]
        due = [p for p in unseen if wanted.at.get(p) not in (None, at[p])]
        rest = [p for p in reversed(unseen) if p not in due]
        return guessed | dict(zip([*due, *self._coming(wanted, at), *rest], more, strict=False))

    def _came(self, sensor: int, piece: str) -> bool:
        """Whether this switch closed since the piece was lifted, or beside it by its own magnet.

        What stood elsewhere before is not that piece.
        """
        if piece not in self._hand:
            return True
        stood, when = self._lifted[piece]
        return self._since[sensor] >= when - self._still or self._beside(sensor, {piece: stood})

    def _coming(self, wanted: Wanted, at: Mapping[str, int | None]) -> list[str]:
        """The pieces that come onto the track now; of a line-up the last one that is missing."""
        off = [piece for piece, sensor in at.items() if sensor is None and self._off(piece)]
        if wanted.at:
            return [piece for piece in off if wanted.at.get(piece) is not None]
        return off if len(off) == 1 and not self._hand else []

    def _off(self, piece: str) -> bool:
        return self._at[piece] is None and piece not in self._hand

    def _beside(self, sensor: int, at: Mapping[str, int | None]) -> bool:
        """Whether a piece stands next to it, whose magnet may close both switches."""
        around = len(self._raw)
        return any(
            stands is not None and (sensor - stands) % around in (1, around - 1) for stands in at.values()
        )

    def sight(self, race: Race) -> Sight:
        """Where the pieces stand, what is open being taken as this position has it."""
        wanted = Wanted.of(race)
        found = self._found(wanted)
        unseen = {p for p, at in found.items() if at is not None and self._settled.get(at) is None}
        missed = frozenset(p for p in wanted.at if self._misses(p, wanted, found, unseen))
        return Sight({p: None if p in unseen or p in missed else at for p, at in found.items()}, missed)

    def _misses(self, piece: str, wanted: Wanted, at: Mapping[str, int | None], unseen: set[str]) -> bool:
        """Whether a piece that should be elsewhere may be there without any switch telling it."""
        target, stands = wanted.at[piece], at.get(piece)
        if target is None or stands == target:
            return False
        leaves_unseen = piece in unseen or (stands is not None and list(at.values()).count(stands) > 1)
        if stands is not None and not leaves_unseen:
            return False
        if self._tells_nothing(target, wanted):
            return True
        return piece not in self._hand and wanted.joined(piece, at)

    def still(self, piece: str) -> bool:
        """Whether this piece has come to rest, or whatever may be it."""
        at = self._at.get(piece)
        if at is not None:
            return at not in self._pending()
        return not any(self._raw[sensor] for sensor in self._pending())

    def at_rest(self) -> bool:
        """Whether nothing moves."""
        return not any(True for _ in self._pending())

    def wakes(self, looked: float) -> Iterator[float]:
        """When a switch will have been long enough what it was not at `looked`."""
        return (at for sensor in self._pending() if (at := self._since[sensor] + self._still) > looked)

    # --- who is who ------------------------------------------------------------------------------

    def in_doubt(self, piece: str) -> bool:
        """Whether this piece may be another one."""
        return piece in self._doubted

    def has_arrived(self, piece: str) -> bool:
        """Whether this piece was felt where it should stand since it was lined up."""
        return piece in self._arrived

    def to_check(self) -> Mapping[str, int]:
        """The pieces of which only the colours are in doubt, and where they should stand by sensor."""
        if self._agreed is None:
            return {}
        placed = ((piece, self._wanted.at.get(piece)) for piece in self._at if piece in self._doubted)
        return {piece: at for piece, at in placed if at is not None and self._at[piece] == at}

    def _see_whether_it_agrees(self, now: float, trusted: frozenset[str]) -> None:
        wanted = self._wanted
        felt = {sensor for sensor, closed in self._settled.items() if closed}
        self._arrived |= {p for p, at in wanted.at.items() if at in felt and self._at[p] == at}
        doubted = [p for p in self._doubted - trusted if wanted.at.get(p) is not None]
        if doubted and self.at_rest() and all(self._at[p] == wanted.at[p] for p in doubted):
            self._agreed = now if self._agreed is None else self._agreed
        else:
            self._agreed = None

    def checked(self) -> None:
        """People have looked: the pieces are what they should be."""
        if self._agreed is not None:
            self._doubted.clear()
            self._agreed, self._blind = None, False

    def decided(self) -> None:
        """The game goes on: a move that nobody can see was made, and a doubt that was told is over."""
        if self._agreed is not None and self._now >= self._agreed + SHOWN:
            self.checked()
        self._swappable.clear()
        self._mixed.clear()
        if not self._at:
            return
        wanted, found = self._wanted, self._found(self._wanted)
        unseen = {p for p, at in found.items() if at is not None and self._settled.get(at) is None}
        for piece, target in wanted.at.items():
            if self._misses(piece, wanted, found, unseen):
                self._go_unseen(piece, target)
            elif target is None and piece in self._may_leave():
                self._put(piece, None)

    def _go_unseen(self, piece: str, target: int | None) -> None:
        """Believe that a piece came where it should, although no switch can tell it."""
        waits = target in self._wanted.loose | self._crowded
        self._put(piece, None if waits else target)
        if target is None or waits:
            return
        if self._settled.get(target) is None:
            self._assumed.add(piece)
        else:
            self._joined.append(piece)

    def may_be_named(self, piece: str) -> bool:
        """Whether holding this piece to the pad tells something: it may be in a hand."""
        if piece not in self._at:
            return False
        return bool(self._hand or not self._wanted.at or piece in self._unsure() or self._off(piece)) or (
            piece in self._may_leave()
        )

    def name(self, piece: str) -> None:
        """This piece was held to the pad: it is in the hand, and set down next."""
        if piece not in self._at:
            return  # its game is over
        stood = self._at[piece]
        if piece not in self._hand:
            mistaken = self._hand[-1] if self._hand and stood is not None else None
            if mistaken is not None:  # it was lifted, not the one that was believed to be
                self._put(mistaken, stood)
            self._put(piece, None)
            self._hand.append(piece)
        self._know(piece)
        self._know_the_last_one()
        self._named = piece

    def strangers(self) -> list[int]:
        """Where something stands that is no piece of the game, once nothing moves and no piece is missing."""
        if not self._wanted.at or self._hand or not self.at_rest():
            return []
        found = self._found(self._wanted)
        taken = set(found.values())
        return [s for s in self._free(self._wanted) if s not in taken and not self._beside(s, found)]
