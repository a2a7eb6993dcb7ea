"""The referee: what is seen on the table against what should be, and what to do about it.

It knows where tags lie and for how long, and asks the rules for everything else. Time comes in as an
argument (seconds, any origin); nothing here reads a clock or writes a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from companion.devices.seen import PadSeen, PresenceSeen, TrackSeen
from companion.games.judge import reason_against
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision, OneOf, Place
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.referee.occupancy import Whereabouts
from companion.tags.item import Item

PAD_STILL = 0.1
"""Seconds a card must lie on the pad: long enough to see whether two were laid at once."""
FIRST_LOOK = 0.5
"""Seconds in which a tag counts as one that lay there when the companion started."""
TRACK_STILL = 0.6
"""Seconds a piece must stand where it should: three sweeps of 40 readers.

One that only touches that space, counted on to another, does not count.
"""
STRAY_STILL = 1.25
"""Seconds anything must stand where it should not before it is told.

Readers go on telling a piece for two sweeps after it was lifted, and while it is still low: one that
touches a space in counting, or is let go there and caught, is seen for up to 1.2 s (docs/hands.md).
"""
BLINK = 0.5
"""Seconds for which a piece may be lost, or read next door: back where it stood for longer, it never left.

Two looks in a row are enough that miss it, or hear it from there; a sweep takes 0.2 s with 40 readers.
"""
SWITCH_STILL = 0.35
"""Seconds a switch must be the same: it knows of no sweeps, and does not go on telling."""
TWICE_STILL = 1.0
"""Seconds a tag must be read on pad and track at once: the track needs a while to see that it was lifted."""


class Alert(NamedTuple):
    """Something the people at the table should know, until it is mended or dismissed."""

    kind: Literal["refused", "held", "not-played", "lost"]
    part: str
    text: Sentence


class Todo(NamedTuple):
    """A piece to move. `seen`: where the track sees it, else None; `held`: the next card waits for it."""

    piece: str
    start: Place | None
    to: Place
    held: bool
    text: Sentence


class Attempt(NamedTuple):
    """What the cards laid on the pad decide now, and the tags that cause it."""

    decision: Decision
    uids: tuple[str, ...]


class Gathered(NamedTuple):
    """Cards laid one by one that will make a decision together, as far as they lie: their numbers by tag."""

    part: OneOf
    numbers: Mapping[str, int]


class Offer(NamedTuple):
    """A way to agree with the table: a decision that the lying pieces mean, with their tags."""

    decision: Decision
    uids: tuple[str, ...]


class _Difference(NamedTuple):
    """A piece seen at another space than it should be, or (not `still`) on its way."""

    piece: str
    at: int | None
    still: bool


@dataclass
class _Lying:
    """A card on the pad: since when, and whether it has had its answer already."""

    since: float
    settled: bool = False
    waits: bool = False


class _Standing(NamedTuple):
    """Where a piece's tag is read, and since when it is just there; `before`, how it stood earlier."""

    spaces: frozenset[int]
    since: float
    before: _Standing | None = None

    def then(self, spaces: frozenset[int], now: float) -> _Standing:
        """As it stands now that it is read here; what was elsewhere for a blink goes on as it was."""
        if self.spaces == spaces:
            return self
        before = self.before
        if before is not None and before.spaces == spaces:
            away = now - self.since
            if away < BLINK and away < self.since - before.since:  # else it had only passed
                return before
        return _Standing(spaces, now, self._replace(before=None))

    def blinks(self, space: int, now: float) -> bool:
        """Whether it rested there, and has not been read anywhere for no longer than a blink."""
        if self.before is None or self.spaces or self.before.spaces != {space}:
            return False
        return self.since >= self.before.since + TRACK_STILL and now < self.since + BLINK


class Referee:
    """What the pad and the track show, remembered; compared with the match when asked."""

    def __init__(self, item_of: Callable[[str], Item | None]) -> None:
        """`item_of` says what a tag is."""
        self._item_of = item_of
        self._lately: frozenset[str] = frozenset()
        self._looking_until: float | None = None
        self._lying: dict[str, _Lying] = {}
        self._pad_known = True
        self._missed = False  # whether a decision was made while the pad did not answer
        self._refused: dict[str, Alert] = {}
        self._spaces: Mapping[int, frozenset[str] | bool | None] = {}
        self._whereabouts: Whereabouts | None = None  # None: the pieces' tags say who is who
        self._naming: dict[str, str] = {}  # pieces that lie on the pad to be named, by tag
        self._standing: dict[str, _Standing] = {}
        self._dismissed: set[str] = set()
        self._trust_over: set[int] = set()
        self._gathered: dict[OneOf, dict[str, int]] = {}

    def caused_lately(self, uids: frozenset[str]) -> None:
        """These tags caused decisions before this start: what of them lies there now has had its answer."""
        self._lately = uids

    # --- what is seen ----------------------------------------------------------------------------

    def pad_seen(self, seen: PadSeen, now: float) -> None:
        """The pad shows these tags now. A tag that was there before keeps its answer.

        What lies there when the companion starts and had caused a decision has had its answer too.
        """
        missed, self._missed = self._missed, False
        self._pad_known = True
        if self._looking_until is None:
            self._looking_until = now + FIRST_LOOK
        answered = self._lately if now <= self._looking_until else frozenset()
        tags = seen.tags | ({_PILE} if seen.unreadable else frozenset())
        for uid in [u for u in self._lying if u not in tags]:
            self._lifted(uid)
        for uid in sorted(tags - self._lying.keys()):
            self._lying[uid] = _Lying(now, settled=uid in answered)
            item = self._item_of(uid)
            if missed and item is not None and item.kind == "card" and uid not in answered:
                self._refuse(uid, Sentence(_LAID_MEANWHILE, {"card": item.colour}))

    def leave_pad(self) -> frozenset[str]:
        """The pad serves something else: no tag there is tried until it was lifted. Gives the tags."""
        for uid, lying in self._lying.items():
            item = self._item_of(uid)
            if lying.waits and item is not None:
                self._refuse(uid, Sentence(_LAID_FOR_ANOTHER, {"card": item.colour}))
            lying.settled = True
        return frozenset(self._lying)

    def pad_lost(self) -> None:
        """The pad does not answer: what lay there is remembered, but nothing is played until then."""
        self._pad_known = False

    def _lifted(self, uid: str) -> None:
        lying = self._lying.pop(uid)
        self._dismissed.discard(_twice(uid))
        if (piece := self._naming.pop(uid, None)) is not None and self._whereabouts is not None:
            self._whereabouts.name(piece)
        self._refused.pop(uid, None)
        self._dismissed.discard(uid)
        item = self._item_of(uid)
        if lying.waits and item is not None:
            text = Sentence(_NOT_PLAYED, {"card": item.colour})
            self._refused[_LIFTED_EARLY] = Alert("not-played", "pad", text)

    def track_seen(self, seen: TrackSeen, now: float) -> None:
        """The track shows these tags now. A piece read somewhere else starts to stand anew."""
        if self._whereabouts is not None:
            if not any(tags is not None for tags in seen.spaces.values()):  # whatever it senses, it is gone
                self.presence_seen(PresenceSeen(dict.fromkeys(seen.spaces)), now)
                return
            self._whereabouts = None
        self._spaces = seen.spaces
        where: dict[str, set[int]] = {}
        for space, tags in seen.spaces.items():
            for uid in tags or ():
                where.setdefault(uid, set()).add(space)
        for uid in self._standing.keys() | where.keys():
            spaces = frozenset(where.get(uid, ()))
            stood = self._standing.get(uid)
            self._standing[uid] = stood.then(spaces, now) if stood else _Standing(spaces, now)
            if stood is None or stood.spaces != spaces:
                self._dismissed.discard(uid)

    def presence_seen(self, seen: PresenceSeen, now: float) -> None:
        """The track shows where something stands; who it is follows from what was lifted and set down."""
        if self._whereabouts is None:
            self._whereabouts = Whereabouts(SWITCH_STILL)
            self._standing.clear()
        self._spaces = seen.spaces
        self._whereabouts.show(seen.spaces, now)

    def _follow(self, match: Match | None, now: float) -> None:
        if self._whereabouts is not None:
            number, race = (match.id, match.race) if match is not None else (None, None)
            self._whereabouts.follow(number, race, now, self._trusted(match))

    def _trusted(self, match: Match | None) -> frozenset[str]:
        """The pieces that may stand where they are felt although they should not."""
        trusted = (match.trusted if match is not None else None) or {}
        return frozenset(piece for piece, by in trusted.items() if by.seq not in self._trust_over)

    # --- the pad ---------------------------------------------------------------------------------

    def attempt(self, match: Match | None, now: float) -> Attempt | None:
        """The card that is to be played now, if one lies there long enough and nothing holds it back.

        A card that is refused gets its alert and is not tried again until it has been lifted.
        """
        self._follow(match, now)
        new = [uid for uid, lying in self._lying.items() if not lying.settled]
        if not new or not self._pad_known or any(now < self._lying[uid].since + PAD_STILL for uid in new):
            return None
        if _PILE in new or (len(new) > 1 and (match is None or match.race.one_card_at_a_time)):
            for uid in new:
                self._refuse(uid, Sentence(_ONE_CARD))
            return None
        for uid in new:
            attempt = self._judged(uid, match, now)
            if attempt is not None:
                return attempt
        return None

    def _judged(self, uid: str, match: Match | None, now: float) -> Attempt | None:
        if self._names(uid, match):
            return None
        meant = self._meaning(uid, match)
        if isinstance(meant, Sentence):
            self._refuse(uid, meant)
            return None
        assert match is not None
        if isinstance(meant, OneOf):
            return self._added(uid, meant, match.race)
        decision = meant
        reason = reason_against(match.race, decision)
        if reason is not None:
            self._refuse(uid, reason)
            return None
        if not self._holds(match, match.race, now) or not self._holds(match, match.race.after(decision), now):
            return Attempt(decision, (uid,))
        self._lying[uid].waits = True
        return None

    def _names(self, uid: str, match: Match | None) -> bool:
        """Whether this is a piece held to the pad to say which one is in the hand."""
        item = self._item_of(uid)
        if self._whereabouts is None or item is None or item.kind != "piece":
            return False
        if match is None or item.game != match.race.name or not self._whereabouts.may_be_named(item.colour):
            return False
        self._lying[uid].settled = True
        self._naming[uid] = item.colour
        return True

    def _added(self, uid: str, part: OneOf, race: Race) -> Attempt | None:
        """One more card of a set that is being shown; one that lies in it already is taken out again."""
        item = self._item_of(uid)
        assert item is not None
        before = self._gathered.get(part, {})
        if uid in before:
            self._lying[uid].settled = True
            self._gathered[part] = {other: number for other, number in before.items() if other != uid}
            return None
        numbers = before | {uid: item.number}
        reason = race.misfit(part, tuple(numbers.values()))
        if reason is None and len(numbers) == part.needed:
            decision = part.made(tuple(numbers.values()))
            reason = race.refusal(decision)
            if reason is None:
                return Attempt(decision, tuple(numbers))
        if reason is not None:
            self._refuse(uid, presented(race).said(reason))
            return None
        self._lying[uid].settled = True
        self._gathered[part] = numbers
        return None

    def gathered(self, match: Match) -> list[Gathered]:
        """The sets that are being shown card by card now."""
        due = match.race.awaits()
        return [
            Gathered(part, numbers)
            for part, numbers in self._gathered.items()
            if numbers and due is not None and due.do == part.do and part.seat in due.seats
        ]

    def take_back(self, match: Match) -> bool:
        """Take the card that was laid last out of the set that is being shown; False if there is none."""
        for part, numbers in self.gathered(match)[-1:]:
            self._gathered[part] = dict(list(numbers.items())[:-1])
            return True
        return False

    def _meaning(self, uid: str, match: Match | None) -> Decision | OneOf | Sentence:
        """The decision that this card means now, alone or with others, or why it means none."""
        item = self._item_of(uid)
        if item is None:
            return Sentence(_UNKNOWN_TAG, {"uid": uid})
        if match is None or match.finished:
            return Sentence(_NO_GAME)
        if item.game != match.race.name:
            return Sentence(_OTHER_GAME)
        if item.kind != "card":
            return Sentence(_PIECE_ON_PAD, {"piece": item.colour})
        if match.deal == "companion":
            return Sentence(_DEALT_ON_SCREEN)
        if match.spent(uid):
            return Sentence(_SPENT, {"card": item.colour})
        decision = match.race.laid(item.colour, item.number)
        if decision is not None:
            return decision
        prompt = presented(match.race).prompt()
        assert prompt is not None
        return Sentence(_NO_CARD_DUE, {"then": prompt})

    def _refuse(self, uid: str, reason: Sentence) -> None:
        self._lying[uid].settled = True
        self._lying[uid].waits = False
        self._refused[uid] = Alert("refused", "pad", reason)

    def decided(self, match: Match | None, uids: tuple[str, ...] = ()) -> None:
        """A decision was made or taken back: its cards have had their answer, and old messages go.

        A card that was waiting meanwhile was laid for another moment: it must be laid again.
        """
        self._refused.clear()
        self._missed = self._missed or not self._pad_known
        if self._whereabouts is not None:
            self._whereabouts.decided()
        growing = self.gathered(match) if match is not None else []
        self._gathered = {part: dict(numbers) for part, numbers in growing if not numbers.keys() & set(uids)}
        for uid, lying in self._lying.items():
            item = self._item_of(uid)
            if uid in uids:
                self._lying[uid] = _Lying(lying.since, settled=True)
            elif lying.waits and item is not None:
                self._refuse(uid, Sentence(_LAID_FOR_ANOTHER, {"card": item.colour}))
        self._dismissed |= set(self._strangers(match))

    def dismiss(self, match: Match | None, now: float) -> bool:
        """Take away the messages shown; False if there were none."""
        shown = bool(self.alerts(match, now))
        self._dismissed |= set(self._refused) | set(self._strangers(match))
        self._dismissed |= {_twice(uid) for uid in self._read_twice(match, now)}
        if self._whereabouts is not None:
            self._whereabouts.checked()
        self._refused.pop(_LIFTED_EARLY, None)
        self._dismissed.discard(_LIFTED_EARLY)
        return shown

    # --- the track -------------------------------------------------------------------------------

    def _uid_of(self, game: str) -> dict[str, list[str]]:
        """The tags of each piece of a game that were ever read on the track."""
        found: dict[str, list[str]] = {}
        for uid in self._standing:
            item = self._item_of(uid)
            if item is not None and item.game == game and item.kind == "piece":
                found.setdefault(item.colour, []).append(uid)
        return found

    def _senses(self) -> bool:
        """Whether the track knows of any space what lies there."""
        return any(there is not None for there in self._spaces.values())

    def seen(self, race: Race) -> dict[str, int | None] | None:
        """Where the track sees each piece of this game now; None where nothing is sensed at all."""
        if not self._senses():
            return None
        if self._whereabouts is not None:
            at = self._whereabouts.sight(race).at
            return {p: None if (s := at.get(p)) is None else s + race.first_space for p in race.field()}
        uids = self._uid_of(race.name)
        seen: dict[str, int | None] = {}
        for piece in race.field():
            readers = {r for uid in uids.get(piece, ()) for r in self._standing[uid].spaces}
            seen[piece] = readers.pop() + race.first_space if len(readers) == 1 else None
        return seen

    def _still(self, race: Race, piece: str, now: float) -> bool:
        if self._whereabouts is not None:
            return self._whereabouts.still(piece)
        uids = self._uid_of(race.name).get(piece, [])
        spaces = {s for uid in uids for s in self._standing[uid].spaces}
        long = TRACK_STILL if self._may_stand(race, piece, spaces) else STRAY_STILL
        return len(spaces) <= 1 and all(now >= self._standing[uid].since + long for uid in uids)

    def _blinks(self, race: Race, piece: str, sensor: int, now: float) -> bool:
        """Whether the readers have lost a piece for a blink from where it rested, and should."""
        if self._whereabouts is not None:
            return False
        tags = [self._standing[uid] for uid in self._uid_of(race.name).get(piece, ())]
        return not any(tag.spaces for tag in tags) and any(tag.blinks(sensor, now) for tag in tags)

    def _may_stand(self, race: Race, piece: str, spaces: set[int]) -> bool:
        """Whether a piece is read just where this position has it; it may be anywhere if it has no place."""
        place = race.layout().get(piece)
        if place is None:
            return True
        return spaces == (set() if place.space is None else {place.space - race.first_space})

    def _differences(self, match: Match, race: Race, now: float) -> Iterator[_Difference]:
        """Each piece that is sensed where `race` does not have it, or that has not come to rest yet."""
        seen = self.seen(race)
        if seen is None:
            return
        places = list(race.layout().values())
        missed = self._whereabouts.sight(race).missed if self._whereabouts is not None else ()
        for piece, place in race.layout().items():
            if place.space is None or places.count(place) > 2 or piece in race.unsensed():
                continue
            at, still = seen[piece], self._still(race, piece, now)
            sensor = place.space - race.first_space
            if at is None and self._blinks(race, piece, sensor, now):
                continue
            unsensed = piece in missed or (at is None and self._spaces.get(sensor) is None)
            differs = at != place.space and not unsensed and not self._trusts(match, race, piece, at, now)
            if differs or (at == place.space and not still):
                yield _Difference(piece, at, still)

    def _trusts(self, match: Match, race: Race, piece: str, at: int | None, now: float) -> bool:
        """Whether this piece may stand where it should not: somebody said so, and it has not moved since."""
        trusted = (match.trusted or {}).get(piece)
        if trusted is None or trusted.seq in self._trust_over:
            return False
        expected = trusted.expected == race.layout()[piece]
        if trusted.seen == at:
            return expected
        if self._whereabouts is None:
            if not self._has_left(race, piece, trusted.seen, at, now):
                return expected
            self._trust_over.add(trusted.seq)
        elif race is match.race and self._whereabouts.at_rest() and self._senses():
            self._trust_over.add(trusted.seq)  # in motion another position may explain the switches too
        return False

    def _has_left(self, race: Race, piece: str, was: int | None, at: int | None, now: float) -> bool:
        """Whether a piece has come to rest elsewhere than it was; where a reader is silent nobody knows."""
        if at is None and was is not None and self._spaces.get(was - race.first_space) is None:
            return False
        return self._still(race, piece, now)

    def _holds(self, match: Match, race: Race, now: float) -> bool:
        """Whether the table differs from this position, or may differ: a piece is still moving."""
        return any(True for _ in self._differences(match, race, now))

    def todo(self, match: Match, now: float) -> list[Todo]:
        """The pieces to move: those of the last change first, then any other that stands wrong."""
        differences = {d.piece: d for d in self._differences(match, match.race, now)}
        seen = self.seen(match.race) or {}
        before = self._before(match)
        moved, other = [], []
        for piece, place in match.race.layout().items():
            difference = differences.get(piece)
            if before.get(piece) != place:
                if difference or self._to_be_told(match, piece, seen.get(piece), now):
                    moved.append(self._todo(piece, before.get(piece), place, difference, seen))
            elif difference and difference.still:
                other.append(self._todo(piece, place, place, difference, seen))
        return moved + other

    def _before(self, match: Match) -> Mapping[str, Place]:
        """Where the pieces stood before the last change; lined up by tap, they stand where they were felt."""
        before = match.before or {}
        if self._whereabouts is None:
            return before
        felt = (item for item in match.race.layout().items() if self._whereabouts.has_arrived(item[0]))
        return {**before, **{piece: place for piece, place in felt if piece not in before}}

    def _to_be_told(self, match: Match, piece: str, at: int | None, now: float) -> bool:
        """Whether a move is to be told although no sensor misses it: none can see it, nor is it trusted."""
        place = match.race.layout()[piece]
        if place.zone != "track" and self._sensed_all(match.race):
            return at is not None  # where it goes nothing sees it: but that it is gone
        off = place.zone != "track" or at != place.space
        return off and not self._trusts(match, match.race, piece, at, now)

    def _sensed_all(self, race: Race) -> bool:
        """Whether a piece that no reader sees stands on no space of the track."""
        return all(self._spaces.get(reader) is not None for reader in range(race.track()["spaces"]))

    def _todo(
        self,
        piece: str,
        stood: Place | None,
        to: Place,
        difference: _Difference | None,
        seen: Mapping[str, int | None],
    ) -> Todo:
        at = difference.at if difference else None
        start = stood if at is None else Place("track", at)
        text = self._task(piece, at, stood, to, seen)
        return Todo(piece, start, to, difference is not None, text)

    def _task(
        self,
        piece: str,
        at: int | None,
        stood: Place | None,
        to: Place,
        seen: Mapping[str, int | None],
    ) -> Sentence:
        values = {"piece": piece, "space": to.space, "space_from": at}
        if to.zone != "track":
            return Sentence(_OFF_TRACK[to.zone], values)
        if stood is None and at is None:
            return Sentence(_PUT, values)
        if at is None:
            return Sentence(_PUT_BACK if stood == to else _MOVE, values)
        if at == to.space:
            return Sentence(_MOVE, values)
        if self._whereabouts is not None and self._whereabouts.in_doubt(piece):
            return Sentence(_MOVE_THAT, values)
        if sum(space == at for space in seen.values()) > 1:
            return Sentence(_TWO_ON_SPACE, values)
        return Sentence(_MOVE_FROM, values)

    def offer(self, match: Match, now: float) -> Offer | None:
        """What the lying pieces mean, where pieces can make the decision that is due (a line-up)."""
        seen = self.seen(match.race)
        if seen is None or not all(self._still(match.race, piece, now) for piece in seen):
            return None
        if self._whereabouts is not None and not self._whereabouts.at_rest():
            return None
        places = {piece: Place("track", at) for piece, at in seen.items() if at is not None}
        decision = match.race.meant_by(places)
        if decision is None:
            return None
        uids = self._uid_of(match.race.name)
        return Offer(decision, tuple(sorted(uid for piece in places for uid in uids.get(piece, ()))))

    def early(self, match: Match, now: float) -> Decision | None:
        """The one decision that would explain the table as it lies: a piece was moved before its card."""
        awaited = match.race.awaits()
        if awaited is None or len(awaited.seats) != 1 or awaited.do != "play" or match.private():
            return None
        if match.race.seen_by(None) != match.race:
            return None  # what would follow would tell what others have chosen
        differ = {difference.piece for difference in self._differences(match, match.race, now)}
        before = self._before(match)
        due = {piece for piece, place in match.race.layout().items() if before.get(piece) != place}
        if not differ or differ & due:  # its last move is not made yet: then a piece astray is just wrong
            return None
        fits = [
            decision
            for decision in match.race.decisions(awaited.seats[0])
            if not self._holds(match, match.race.after(decision), now)
        ]
        return fits[0] if len(fits) == 1 else None

    def table_says(self, match: Match, now: float) -> Literal["undo"] | Decision | None:
        """How the decisions would have to be changed to agree with the table: the last one, or not at all."""
        group = match.last_group()
        if not group or match.takes_change_back() or not self._holds(match, match.race, now):
            return None
        if not all(difference.still for difference in self._differences(match, match.race, now)):
            return None
        race = match.position(len(match.turns) - len(group))
        last = group[0].decision
        if race.layout() and not self._holds(match, race, now):
            return "undo"
        if last.do != "play" or len(group) > 1 or match.deal != "people":
            return None
        for decision in race.decisions(last.seat):
            if decision != last and not self._holds(match, race.after(decision), now):
                return decision
        return None

    # --- what is said ----------------------------------------------------------------------------

    def alerts(self, match: Match | None, now: float) -> list[Alert]:
        """Everything to be said about cards and tags that are not as they should be."""
        alerts = []
        twice = self._read_twice(match, now)
        for key, alert in self._refused.items():
            if key not in self._dismissed and alert not in alerts and key not in twice:
                alerts.append(alert)
        if match is not None and any(d.still for d in self._differences(match, match.race, now)):
            for uid, lying in self._lying.items():
                item = self._item_of(uid)
                if lying.waits and item is not None:
                    alerts.append(Alert("held", "pad", Sentence(_HELD, {"card": item.colour})))
        return [
            *alerts,
            *self._colours_to_check(match),
            *(
                Alert("refused", "pad", text)
                for uid, text in twice.items()
                if _twice(uid) not in self._dismissed
            ),
            *(
                Alert("refused", "track", text)
                for key, text in self._strangers(match).items()
                if key not in self._dismissed and key not in twice and self._stands_still(key, now)
            ),
        ]

    def _read_twice(self, match: Match | None, now: float) -> dict[str, Sentence]:
        """The tags read on pad and track at once, which one tag cannot be; nothing waits for it."""
        first = match.race.first_space if match is not None else 0
        twice = {}
        for uid in self._lying.keys() & self._standing.keys():
            since, spaces = self._twice_since(uid), self._standing[uid].spaces
            if since is not None and now >= since + TWICE_STILL:
                twice[uid] = self._named_twice(uid, match, {"uid": uid, "space": min(spaces) + first})
        return twice

    def _twice_since(self, uid: str) -> float | None:
        """Since when this tag is read on the pad and on the track; None: it is not."""
        lying, standing = self._lying.get(uid), self._standing.get(uid)
        if lying is None or standing is None or not standing.spaces or not self._pad_known:
            return None
        return max(lying.since, standing.since)

    def _named_twice(self, uid: str, match: Match | None, values: dict[str, object]) -> Sentence:
        item = self._item_of(uid)
        if item is None or match is None or item.game != match.race.name:
            return Sentence(_TAG_TWICE, values)
        if item.kind == "card":
            return Sentence(_CARD_TWICE, {**values, "card": item.colour})  # its number may be a secret
        return Sentence(_PIECE_TWICE, {**values, "piece": item.colour})

    def _stands_still(self, key: str, now: float) -> bool:
        return key not in self._standing or now >= self._standing[key].since + STRAY_STILL

    def _colours_to_check(self, match: Match | None) -> list[Alert]:
        """That two pieces may have changed places while nobody could see it."""
        doubted = self._whereabouts.to_check() if self._whereabouts is not None else {}
        if match is None or not doubted:
            return []
        if len(doubted) > _NAMED_AT_MOST:
            return [Alert("refused", "track", Sentence(_CHECK_ALL_COLOURS))]
        *others, told = (
            Sentence(_STANDS_ON, {"piece": piece, "space": sensor + match.race.first_space})
            for piece, sensor in doubted.items()
        )
        for stands in reversed(others):
            told = Sentence(_AND_THEN, {"news_a": stands, "then": told})
        return [Alert("refused", "track", Sentence(_CHECK_COLOURS, {"then": told}))]

    def _strangers(self, match: Match | None) -> dict[str, Sentence]:
        """What is on the track and no piece of this game, by tag or space, with what to do."""
        if self._whereabouts is not None:
            first = match.race.first_space if match is not None else 0
            spaces = {sensor: {"space": sensor + first} for sensor in self._whereabouts.strangers()}
            return {f"space {sensor}": Sentence(_SOMETHING, values) for sensor, values in spaces.items()}
        strangers = {}
        for uid, standing in self._standing.items():
            item = self._item_of(uid)
            if not standing.spaces:
                continue
            values: dict[str, object] = {"space": min(standing.spaces)}
            text = _STRANGE_TAG if item is None else _STRANGE.get(item.kind, _STRANGE_TAG)
            if match is not None:
                values["space"] = min(standing.spaces) + match.race.first_space
            if item is not None and item.kind == "piece" and (match is None or item.game == match.race.name):
                if match is None or item.colour in match.race.field():
                    continue
                text, values["piece"] = _NO_PART, item.colour
            strangers[uid] = Sentence(text, values)
        return strangers

    def wakes(self, looked: float) -> float | None:
        """When something will have lain or stood long enough that had not at `looked`; None: nothing."""
        pads = (
            lying.since + PAD_STILL for lying in self._lying.values() if not lying.settled and not lying.waits
        )
        tracks = (
            standing.since + long
            for standing in self._standing.values()
            for long in (TRACK_STILL, STRAY_STILL, BLINK)
        )
        switches = self._whereabouts.wakes(looked) if self._whereabouts is not None else ()
        twice = (since + TWICE_STILL for uid in self._lying if (since := self._twice_since(uid)) is not None)
        return min((at for at in (*pads, *tracks, *switches, *twice) if at > looked), default=None)


def _twice(uid: str) -> str:
    """How the message is known, to be dismissed, that this tag is read twice."""
    return f"twice {uid}"


_PILE = "pile"  # stands in for the UIDs of cards that cannot be read
_LIFTED_EARLY = "lifted early"

_ONE_CARD = N_("one card at a time, please: lift them and lay one")
_LAID_MEANWHILE = N_(
    "the {card} card was laid while the pad did not answer: lift it, then lay it again if it is still due"
)
_NOT_PLAYED = N_(
    "the {card} card was lifted too early and not played: put the pieces right, then lay it again"
)
_LAID_FOR_ANOTHER = N_("the {card} card was not played: lift it, and lay it again when it is due")
_HELD = N_("the {card} card waits until the pieces stand right")
_UNKNOWN_TAG = N_("this tag is not known: nothing was played (tag {uid})")
_NO_GAME = N_("no game is running: start one on the host page")
_OTHER_GAME = N_("this card belongs to another game")
_PIECE_ON_PAD = N_("this is {piece}, not a card: put it on the track")
_SPENT = N_("this {card} card was played already: take another one")
_NO_CARD_DUE = N_("no card is due now: {then}")
_DEALT_ON_SCREEN = N_(
    "the companion dealt: cards are played on the players' phones or on this screen held open, not on the pad"
)
_OFF_TRACK = {
    "gate": N_("put {piece} into the gate"),
    "home": N_("{piece} is home: take it off the track"),
    "out": N_("{piece} is out: take it off the track"),
}
_MOVE = N_("move {piece} to {space}")
_MOVE_FROM = N_("move {piece} from {space_from} to {space}")
_PUT = N_("put {piece} on {space}")
_PUT_BACK = N_("put {piece} back on {space}")
_TWO_ON_SPACE = N_("two pieces on {space_from}: move {piece} to {space}")
_MOVE_THAT = N_("move the piece on {space_from} to {space}")
_CHECK_COLOURS = N_("check the colours: {then}")
_CHECK_ALL_COLOURS = N_("check the colours: each piece should stand where it is drawn")
_NAMED_AT_MOST = 3  # pieces in one sentence; all are drawn where they should stand
_STANDS_ON = N_("{piece} on {space}")
_AND_THEN = N_("{news_a}, {then}")
_SOMETHING = N_("something stands on {space}, where no piece should: take it away")
_STRANGE_TAG = N_("an unknown tag lies on {space}: take it away")
_CARD_ON_TRACK = N_("a card lies on {space}: cards go on the pad")
_STRANGE_PIECE = N_("a piece of another game stands on {space}: take it away")
_NO_PART = N_("{piece} takes no part in this game: take it off {space}")
_TAG_TWICE = N_("two tags have the number {uid}, one on the card pad, one on {space}: replace one of them")
_PIECE_TWICE = N_(
    "{piece} is read on the card pad and on {space} at once: two tags have the same number, "
    "replace one of them"
)
_CARD_TWICE = N_(
    "a {card} card is read on the card pad and on {space} at once: "
    "two tags have the same number, replace one of them"
)
_STRANGE = {"card": _CARD_ON_TRACK, "piece": _STRANGE_PIECE}
