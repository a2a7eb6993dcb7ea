"""The referee: compares the sensed table with the expected one and says what people should do.

It tracks the tags and for how long they are there, and asks the rules for everything else. Time comes in as
an argument (seconds, any origin); nothing here reads a clock or writes a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from companion.devices.readings import PadSeen, PresenceSeen, SweepIs, TrackSeen
from companion.games.judge import reason_against
from companion.games.race import Race
from companion.games.terms import Decision, OneOf
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.referee.cards import meaning
from companion.referee.clones import TWICE_STILL, clone_message, clones
from companion.referee.comparison import Comparison
from companion.referee.gathering import Gathering
from companion.referee.pad import PILE, PadWatch
from companion.referee.reports import Alert, Attempt, Gathered, Offer, Todo
from companion.referee.sensed import SensedTrack
from companion.referee.settle import settle_times
from companion.referee.switched import SwitchedTrack
from companion.referee.tagged import TaggedTrack
from companion.referee.trust import Trust
from companion.tags.item import Item


class Referee:
    """The state of pad and track, compared with the match on demand."""

    def __init__(self, item_of: Callable[[str], Item | None]) -> None:
        """Watch a table whose tags `item_of` looks up."""
        self._item_of = item_of
        self.pad = PadWatch(item_of)
        self._settle = settle_times()
        self._track: SensedTrack = TaggedTrack(item_of, self._settle)
        self._trust = Trust()
        self._gathering = Gathering()
        self._pieces_on_pad: dict[str, str] = {}  # held there to identify the piece in the hand, by tag
        self._dismissed: set[str] = set()  # strangers on the track, and tags that are read twice

    # --- readings --------------------------------------------------------------------------------

    def read_pad(self, message: PadSeen, now: float) -> None:
        """Take in the tags on the pad now."""
        for uid in self.pad.read(message, now):
            self._dismissed -= {uid, _twice(uid)}
            if (piece := self._pieces_on_pad.pop(uid, None)) is not None:
                self._track.note_held_to_pad(piece)

    def read_track(self, message: TrackSeen | PresenceSeen, now: float) -> None:
        """Take in the state of the track now; its kind of sensor may have changed since the last message."""
        if not self._track.accepts(message):
            tagged = isinstance(message, TrackSeen)
            self._track = TaggedTrack(self._item_of, self._settle) if tagged else SwitchedTrack()
        self._dismissed -= self._track.read(message, now)

    def read_sweep(self, message: SweepIs) -> None:
        """Set the duration of a sweep of the track's readers, from which the settle times follow."""
        self._settle = settle_times(message.ms / 1000)
        self._track.set_settle_times(self._settle)

    def next_deadline(self, evaluated_at: float) -> float | None:
        """Return the first time after `evaluated_at` at which something has been still for long enough; None:
        nothing.
        """
        twice = (clone.since + TWICE_STILL for clone in clones(self.pad, self._track))
        times = (*self.pad.deadlines(), *self._track.deadlines(evaluated_at), *twice)
        return min((at for at in times if at > evaluated_at), default=None)

    # --- the pad ---------------------------------------------------------------------------------

    def attempt(self, match: Match | None, now: float) -> Attempt | None:
        """Return the card to play now, if one has been there long enough and nothing holds it back.

        A card that is rejected gets its alert and is not tried again until it has been lifted.
        """
        self._track.advance(match, now, self._trust.pieces(match))
        new = self.pad.untried(now)
        if PILE in new or (len(new) > 1 and (match is None or match.race.one_card_at_a_time)):
            for uid in new:
                self.pad.reject(uid, Sentence(_ONE_CARD))
            return None
        attempts = (self._judged(uid, match, now) for uid in new)
        return next((attempt for attempt in attempts if attempt is not None), None)

    def _judged(self, uid: str, match: Match | None, now: float) -> Attempt | None:
        item = self._item_of(uid)
        if self._identifies_piece_in_hand(uid, item, match):
            return None
        meant = meaning(uid, item, match)
        if isinstance(meant, Sentence):
            self.pad.reject(uid, meant)
            return None
        assert match is not None
        assert item is not None
        if isinstance(meant, OneOf):
            return self._added(uid, item, meant, match.race)
        reason = reason_against(match.race, meant)
        if reason is not None:
            self.pad.reject(uid, reason)
            return None
        compared = self._compared(match, now)
        if not compared.differs(match.race) or not compared.differs(match.race.after(meant)):
            return Attempt(meant, (uid,))
        self.pad.hold_back(uid)
        return None

    def _identifies_piece_in_hand(self, uid: str, item: Item | None, match: Match | None) -> bool:
        """Return True if this is a piece held to the pad to identify the one in the hand."""
        if item is None or item.kind != "piece" or match is None or item.game != match.race.name:
            return False
        if not self._track.may_be_in_hand(item.colour):
            return False
        self.pad.settle(uid)
        self._pieces_on_pad[uid] = item.colour
        return True

    def _added(self, uid: str, item: Item, part: OneOf, race: Race) -> Attempt | None:
        added = self._gathering.add(uid, item.number, part, race)
        if isinstance(added, Attempt):
            return added
        if added is not None:
            self.pad.reject(uid, added)
        else:
            self.pad.settle(uid)
        return None

    def gathered(self, match: Match) -> list[Gathered]:
        """Return the sets that are being shown card by card now."""
        return self._gathering.due(match)

    def take_back(self, match: Match) -> bool:
        """Remove the card that was laid last from the set that is being shown; return False if
        there is none.
        """
        return self._gathering.take_back(match)

    def decided(self, match: Match | None, uids: tuple[str, ...] = ()) -> None:
        """Settle the cards of a decision that was made or taken back, and clear old messages.

        A card that was waiting meanwhile was laid for another moment: it must be laid again.
        """
        self._track.decided()
        self._gathering.decided(match, uids)
        self.pad.decided(uids)
        self._dismissed |= self._strangers(match).keys()

    # --- the track -------------------------------------------------------------------------------

    def _compared(self, match: Match, now: float) -> Comparison:
        return Comparison(self._track, self._trust, match, now)

    def positions(self, race: Race) -> Mapping[str, int | None] | None:
        """Return the space where the track senses each piece of this game now; None if no sensor reports."""
        return self._track.positions(race) if self._track.is_sensing() else None

    def is_still(self, race: Race, piece: str, now: float) -> bool:
        """Return True if this piece has come to rest."""
        return self._track.is_still(race, piece, now)

    def todo(self, match: Match, now: float) -> list[Todo]:
        """Return the pieces to move: those of the last change first, then any other on a wrong space."""
        return self._compared(match, now).todo()

    def offer(self, match: Match, now: float) -> Offer | None:
        """Return the decision that the pieces on the track mean, where pieces can make the due one (a
        line-up).
        """
        return self._compared(match, now).offer()

    def early(self, match: Match, now: float) -> Decision | None:
        """Return the one decision that would explain the table now: a piece was moved before its card."""
        return self._compared(match, now).early()

    def table_says(self, match: Match, now: float) -> Literal["undo"] | Decision | None:
        """Return the change of the last decision that would agree with the table, "undo", or None."""
        return self._compared(match, now).table_says()

    # --- messages --------------------------------------------------------------------------------

    def alerts(self, match: Match | None, now: float) -> list[Alert]:
        """Return all messages about cards and tags that are wrong."""
        twice = self._read_twice(match, now)
        strangers = self._strangers(match).items()
        on_both = (text for uid, text in twice.items() if _twice(uid) not in self._dismissed)
        on_track = (
            text
            for key, text in strangers
            if key not in self._dismissed | twice.keys() and self._track.has_stayed(key, now)
        )
        return [
            *self.pad.rejections(without=frozenset(twice)),
            *self._waiting(match, now),
            *self._colours_to_check(match),
            *(Alert("refused", "pad", text) for text in on_both),
            *(Alert("refused", "track", text) for text in on_track),
        ]

    def _waiting(self, match: Match | None, now: float) -> list[Alert]:
        """Return a message for each card that waits until the pieces are right."""
        waiting = self.pad.waiting()
        if not waiting or match is None or not self._compared(match, now).is_wrong():
            return []
        return [Alert("held", "pad", Sentence(_HELD, {"card": item.colour})) for item in waiting]

    def _colours_to_check(self, match: Match | None) -> list[Alert]:
        doubt = self._track.colours_to_check(match.race) if match is not None else None
        return [] if doubt is None else [Alert("refused", "track", doubt)]

    def _read_twice(self, match: Match | None, now: float) -> dict[str, Sentence]:
        """Return the messages about tags that have been read on pad and track at once for long enough, by
        tag.
        """
        certain = (clone for clone in clones(self.pad, self._track) if clone.is_certain(now))
        return {clone.uid: clone_message(clone, self._item_of(clone.uid), match) for clone in certain}

    def _strangers(self, match: Match | None) -> Mapping[str, Sentence]:
        """Return the messages about things on the track that are no piece of this game, by tag or space."""
        return self._track.strangers(match.race if match is not None else None)

    def dismiss(self, match: Match | None, now: float) -> bool:
        """Hide the messages that are shown; return False if there were none."""
        shown = bool(self.alerts(match, now))
        self.pad.dismiss()
        self._dismissed |= self._strangers(match).keys()
        self._dismissed |= {_twice(uid) for uid in self._read_twice(match, now)}
        self._track.checked()
        return shown


def _twice(uid: str) -> str:
    """Return the key under which the message about this tag being read twice is dismissed."""
    return f"twice {uid}"


_ONE_CARD = N_("one card at a time, please: lift them and lay one")
_HELD = N_("the {card} card waits until the pieces stand right")
