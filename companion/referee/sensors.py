"""The state of pad and track, and what people have already read about it: one frozen value after another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.devices.readings import PadSeen, PresenceSeen, SweepIs, TrackSeen
from companion.match.match import Match
from companion.message import Sentence
from companion.referee.cards import Sets, sets_after_decision, without_last_card
from companion.referee.pad import Items, Pad
from companion.referee.sensed import SensedTrack
from companion.referee.settle import Settle, settle_times
from companion.referee.switched import SwitchedTrack
from companion.referee.tagged import TaggedTrack


@dataclass(frozen=True)
class Sensors:
    """The state of pad and track, and what depends on what was on them before.

    `sets`: cards laid one by one. `held_pieces`: pieces on the pad, by tag, held there to identify the one in
    the hand. `dismissed`: strangers on the track and tags that are read twice whose message was read.
    `ended_trust`: the entries of the match that trusted a piece which has moved since.
    """

    pad: Pad = field(default_factory=Pad)
    track: SensedTrack = field(default_factory=TaggedTrack)
    settle: Settle = field(default_factory=settle_times)
    sets: Sets = field(default_factory=dict)
    held_pieces: Mapping[str, str] = field(default_factory=dict)
    dismissed: frozenset[str] = frozenset()
    ended_trust: frozenset[int] = frozenset()

    # --- messages of the devices -----------------------------------------------------------------

    def after_pad(self, message: PadSeen, items: Items, now: float) -> Sensors:
        """Return the sensors with the tags that are on the pad now."""
        pad, track = self.pad.after_reading(message, items, now), self.track
        lifted = self.pad.tags.keys() - pad.tags.keys()
        for uid, piece in self.held_pieces.items():
            track = track.after_holding(piece) if uid in lifted else track
        return replace(
            self,
            pad=pad,
            track=track,
            held_pieces={uid: piece for uid, piece in self.held_pieces.items() if uid not in lifted},
            dismissed=self.dismissed - lifted - {twice(uid) for uid in lifted},
        )

    def after_track(self, message: TrackSeen | PresenceSeen, now: float) -> Sensors:
        """Return the sensors with the state of the track now; its kind may have changed since the last
        message.
        """
        track = self.track
        if not track.accepts(message):
            track = TaggedTrack(self.settle) if isinstance(message, TrackSeen) else SwitchedTrack()
        track, strangers = track.after_reading(message, now)
        return replace(self, track=track, dismissed=self.dismissed - strangers)

    def after_sweep(self, message: SweepIs) -> Sensors:
        """Return the sensors with the settle times that follow from this duration of a sweep of the track."""
        settle = settle_times(message.ms / 1000)
        return replace(self, settle=settle, track=self.track.with_settle_times(settle))

    def after_losing_pad(self) -> Sensors:
        """Return the sensors without an answering pad: its tags are remembered, and nothing is played."""
        return replace(self, pad=replace(self.pad, is_answering=False))

    # --- the match -------------------------------------------------------------------------------

    def advanced(self, match: Match | None, now: float) -> Sensors:
        """Return the sensors at `now`: the expected places of this match decide what switches leave open."""
        by_piece = (match.trusted if match is not None else None) or {}
        trusted = frozenset(piece for piece, by in by_piece.items() if by.seq not in self.ended_trust)
        track = self.track.advanced(match, now, trusted)
        return self if track is self.track else replace(self, track=track)

    def after_decision(self, match: Match | None, items: Items, uids: Sequence[str] = ()) -> Sensors:
        """Return the sensors after a decision was made with these tags, or one was taken back.

        A card that was waiting meanwhile was laid for another moment: it must be laid again.
        """
        track = self.track.after_decision()
        after = replace(
            self,
            track=track,
            sets=sets_after_decision(self.sets, match, uids),
            pad=self.pad.after_decision(uids, items),
        )
        return replace(after, dismissed=self.dismissed | after.strangers(match, items).keys())

    def after_taking_card_back(self, match: Match | None) -> Sensors:
        """Return the sensors without the card that was laid last of a set, if one is being shown."""
        return replace(self, sets=without_last_card(self.sets, match))

    def rejecting(self, uid: str, reason: Sentence) -> Sensors:
        """Return the sensors with this card on the pad rejected."""
        return replace(self, pad=self.pad.rejecting(uid, reason))

    # --- people ----------------------------------------------------------------------------------

    def handed_over(self, items: Items) -> Sensors:
        """Return the sensors after the pad began to serve something else than the game."""
        return replace(self, pad=self.pad.handed_over(items))

    def after_dismissing(self, match: Match | None, items: Items, read_twice: Iterable[str]) -> Sensors:
        """Return the sensors after people have read all messages, those about tags `read_twice` too."""
        dismissed = self.strangers(match, items).keys() | {twice(uid) for uid in read_twice}
        return replace(
            self,
            pad=self.pad.after_dismissing(),
            track=self.track.after_check(),
            dismissed=self.dismissed | dismissed,
        )

    def strangers(self, match: Match | None, items: Items) -> Mapping[str, Sentence]:
        """Return the messages about things on the track that are no piece of this game, by tag or space."""
        return self.track.strangers(match.race if match is not None else None, items)


def twice(uid: str) -> str:
    """Return the key under which the message about this tag being read twice is dismissed."""
    return f"twice {uid}"
