"""The referee: compares the sensed table with the expected one and says what people should do.

An `Evaluation` is everything that it says at one moment. It asks the rules for everything else; time comes in
as a value (seconds, any origin); nothing here reads a clock or writes a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

from companion.games.judge import reason_against
from companion.games.terms import Decision, OneOf, Place
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.referee.cards import meaning, sets_due, with_card
from companion.referee.comparison import Comparison
from companion.referee.pad import PILE, Items
from companion.referee.reports import Alert, Attempt, Fix, Gathered, Offer, Todo
from companion.referee.sensors import Sensors, twice
from companion.tags.item import Item

TWICE_STILL = 1.0
"""Seconds a tag must be read on pad and track at once: the track needs a while to see that it was lifted."""


class Clone(NamedTuple):
    """A tag that is read on pad and track since `since`; `sensor`: the first one of the track that does."""

    since: float
    sensor: int


@dataclass(frozen=True)
class Evaluation:
    """What the referee says of these sensors, this match and these meanings of tags at `now`.

    Everything is computed once, when it is first asked for.
    """

    sensors: Sensors
    match: Match | None
    items: Items
    now: float

    @cached_property
    def comparison(self) -> Comparison | None:
        """The comparison of the match as it is with the track; None: no match is on the table."""
        if self.match is None:
            return None
        track, race = self.sensors.track, self.match.race
        tags = track.tags(self.items, race.name)
        return Comparison(track, tags, self.match, race, self.now, self.sensors.ended_trust)

    # --- the pieces ------------------------------------------------------------------------------

    @cached_property
    def seen(self) -> Mapping[str, int | None] | None:
        """The space where the track senses each piece of this game; None if no sensor reports."""
        pieces = self.comparison.pieces if self.comparison is not None else {}
        return {piece: sensed.at for piece, sensed in pieces.items()} if pieces else None

    @cached_property
    def todo(self) -> tuple[Todo, ...]:
        """The pieces to move: those of the last change first, then any other on a wrong space."""
        return tuple(self.comparison.todo()) if self.comparison is not None else ()

    @cached_property
    def gathered(self) -> tuple[Gathered, ...]:
        """The sets that are being shown card by card."""
        return tuple(sets_due(self.sensors.sets, self.match))

    @cached_property
    def offer(self) -> Offer | None:
        """The decision that the pieces on the track mean, where pieces can make the due one (a line-up)."""
        if self.comparison is None or not self.comparison.pieces or not self.sensors.track.is_at_rest():
            return None
        pieces, tags = self.comparison.pieces, self.comparison.tags
        if not all(sensed.still for sensed in pieces.values()):
            return None
        places = {p: Place("track", sensed.at) for p, sensed in pieces.items() if sensed.at is not None}
        decision = self.comparison.race.meant_by(places)
        if decision is None:
            return None
        return Offer(decision, tuple(sorted(uid for piece in places for uid in tags.get(piece, ()))))

    @cached_property
    def early(self) -> Decision | None:
        """The one decision that would explain the table: a piece was moved before its card."""
        if self.match is None or self.comparison is None or not self.comparison.differs:
            return None
        race, awaited = self.match.race, self.match.race.awaits()
        if awaited is None or len(awaited.seats) != 1 or awaited.do != "play" or self.match.private():
            return None
        if race.seen_by(None) != race:
            return None  # the suggestion would reveal what others have chosen
        before = self.comparison.before
        due = {piece for piece, place in self.comparison.layout.items() if before.get(piece) != place}
        if self.comparison.differences.keys() & due:  # its last move is not made yet: a piece is just wrong
            return None
        fits = [d for d in race.decisions(awaited.seats[0]) if not self.comparison.after(d).differs]
        return fits[0] if len(fits) == 1 else None

    @cached_property
    def table_says(self) -> Literal["undo"] | Decision | None:
        """The change of the last decision that would agree with the table, "undo", or None."""
        match, comparison = self.match, self.comparison
        if match is None or comparison is None or not comparison.differs:
            return None
        group = match.last_group()
        if not group or match.takes_change_back():
            return None
        if not all(difference.still for difference in comparison.differences.values()):
            return None
        earlier = comparison.of(match.position(len(match.turns) - len(group)))
        last = group[0].decision
        if earlier.layout and not earlier.differs:
            return "undo"
        if last.do != "play" or len(group) > 1 or match.deal != "people":
            return None
        others = (decision for decision in earlier.race.decisions(last.seat) if decision != last)
        return next((decision for decision in others if not earlier.after(decision).differs), None)

    @cached_property
    def fixes(self) -> tuple[Fix, ...]:
        """The ways to trust one side where the table differs."""
        fixes = [Fix("app", task.piece, "ignore") for task in self.todo if task.held]
        if fixes and self.table_says is not None:
            fixes.append(Fix("table", fixes[0].piece, self.table_says))
        return tuple(fixes)

    @cached_property
    def ended_trust(self) -> frozenset[int]:
        """The entries of the match that trusted a piece which has moved since."""
        over = self.comparison.ending_trust() if self.comparison is not None else frozenset()
        return self.sensors.ended_trust | over

    # --- the pad ---------------------------------------------------------------------------------

    @cached_property
    def judged(self) -> tuple[Sensors, Attempt | None]:
        """The card to play now, if one has been there long enough and nothing holds it back.

        With it the sensors afterwards: a card that is rejected gets its alert and is not tried again until it
        has been lifted.
        """
        sensors, new = self.sensors, self.sensors.pad.untried(self.now)
        if PILE in new and sensors.pad.unread is not None:
            sensors = sensors.rejecting(PILE, sensors.pad.unread)
            new = [uid for uid in new if uid != PILE]
        if PILE in new or (len(new) > 1 and (self.match is None or self.match.race.one_card_at_a_time)):
            for uid in new:
                sensors = sensors.rejecting(uid, Sentence(_ONE_CARD))
            return sensors, None
        for uid in new:
            sensors, attempt = self._judged(sensors, uid)
            if attempt is not None:
                return sensors, attempt
        return sensors, None

    def _judged(self, sensors: Sensors, uid: str) -> tuple[Sensors, Attempt | None]:
        """Return the sensors after this tag was judged, and the decision that it makes."""
        item, match, comparison = self.items.get(uid), self.match, self.comparison
        if item is not None and self._identifies_piece_in_hand(item):
            held = {**sensors.held_pieces, uid: item.colour}
            return replace(sensors, pad=sensors.pad.settling(uid), held_pieces=held), None
        meant = meaning(uid, item, match)
        if isinstance(meant, Sentence):
            return sensors.rejecting(uid, meant), None
        assert match is not None
        assert item is not None
        assert comparison is not None
        if isinstance(meant, OneOf):
            sets = with_card(sensors.sets, uid, item.number, meant, match.race)
            if isinstance(sets, Attempt):
                return sensors, sets
            if isinstance(sets, Sentence):
                return sensors.rejecting(uid, sets), None
            return replace(sensors, pad=sensors.pad.settling(uid), sets=sets), None
        reason = reason_against(match.race, meant)
        if reason is not None:
            return sensors.rejecting(uid, reason), None
        if not comparison.differs or not comparison.after(meant).differs:
            return sensors, Attempt(meant, (uid,))
        pad = sensors.pad.holding_back(uid)
        return sensors if pad is sensors.pad else replace(sensors, pad=pad), None

    def _identifies_piece_in_hand(self, item: Item) -> bool:
        """Return True if this is a piece held to the pad to identify the one in the hand."""
        if item.kind != "piece" or self.match is None or item.game != self.match.race.name:
            return False
        return self.sensors.track.may_be_in_hand(item.colour)

    # --- messages --------------------------------------------------------------------------------

    @cached_property
    def alerts(self) -> tuple[Alert, ...]:
        """All messages about cards and tags that are wrong."""
        pad, track, dismissed = self.sensors.pad, self.sensors.track, self.sensors.dismissed
        alerts = pad.alerts(without=frozenset(self.read_twice))
        if self.comparison is not None and self.comparison.is_wrong:
            for item in pad.waiting(self.items):
                alerts.append(Alert("held", "pad", Sentence(_HELD, {"card": item.colour})))
        doubt = track.colours_to_check(self.match.race) if self.match is not None else None
        if doubt is not None:
            alerts.append(Alert("refused", "track", doubt))
        for uid, text in self.read_twice.items():
            if twice(uid) not in dismissed:
                alerts.append(Alert("refused", "pad", text))
        for key, text in self.sensors.strangers(self.match, self.items).items():
            if key not in dismissed and key not in self.read_twice and track.has_stayed(key, self.now):
                alerts.append(Alert("refused", "track", text))
        return tuple(alerts)

    @cached_property
    def clones(self) -> Mapping[str, Clone]:
        """The tags that are read on the pad and on the track at once: two tags with the same number."""
        clones = {}
        for uid in self.sensors.pad.tags:
            on_pad_since, reading = self.sensors.pad.since(uid), self.sensors.track.reading(uid)
            if on_pad_since is not None and reading is not None:
                clones[uid] = Clone(max(on_pad_since, reading.since), min(reading.spaces))
        return clones

    @cached_property
    def read_twice(self) -> Mapping[str, Sentence]:
        """The messages about tags that have been read on pad and track at once for long enough, by tag."""
        messages = {}
        for uid, clone in self.clones.items():
            if self.now >= clone.since + TWICE_STILL:
                messages[uid] = self._twice(uid, clone)
        return messages

    def _twice(self, uid: str, clone: Clone) -> Sentence:
        item, race = self.items.get(uid), self.match.race if self.match is not None else None
        values = {"space": clone.sensor + (race.first_space if race is not None else 0)}
        if item is None or race is None or item.game != race.name:
            return Sentence(_TAG_TWICE, values)
        if item.kind == "card":
            return Sentence(_CARD_TWICE, {**values, "card": item.colour})  # its number may be a secret
        return Sentence(_PIECE_TWICE, {**values, "piece": item.colour})

    @cached_property
    def next_deadline(self) -> float | None:
        """The first time after `now` at which something has been still for long enough; None: nothing."""
        times = (
            *self.sensors.pad.deadlines(),
            *self.sensors.track.deadlines(),
            *(clone.since + TWICE_STILL for clone in self.clones.values()),
        )
        return min((at for at in times if at > self.now), default=None)


_ONE_CARD = N_("one card at a time, please: lift them and lay one")
_HELD = N_("the {card} card waits until the pieces stand right")
_TAG_TWICE = N_("the same tag is on the card pad and on {space}: replace one of the two")
_PIECE_TWICE = N_(
    "{piece} is on the card pad and on {space}: two tags have the same number, replace one of them"
)
_CARD_TWICE = N_(
    "a {card} card is on the card pad and on {space}: two tags have the same number, replace one of them"
)
