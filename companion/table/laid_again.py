"""Notifies a reader that types of what others have done, so that its last card can be laid again at once."""

from __future__ import annotations

from collections.abc import Callable, Collection

from companion.table.snapshot import Snapshot


class LaidAgain:
    """Calls `forget` after something has happened, with the tags that caused it.

    Those are still the same cards: a reader may repeat them while they are there.
    """

    def __init__(self, forget: Callable[[Collection[str]], None], picture: Snapshot) -> None:
        self._forget, self._picture = forget, picture

    def update(self, picture: Snapshot) -> None:
        """Compare a snapshot with the one before: entries, cards taken back, and what people did to tags."""
        was, self._picture = self._picture, picture
        if picture.seq != was.seq:
            turns = picture.match.turns if picture.match is not None else ()
            self._forget({uid for turn in turns if turn.seq > was.seq for uid in turn.uids})
        elif _shown(was) - _shown(picture) or _enrolled_by_hand(was, picture) or _put_right(was, picture):
            self._forget(())


def _shown(picture: Snapshot) -> set[str]:
    """Return the tags of the cards that are being shown."""
    return {uid for gathered in picture.gathered for uid in gathered.numbers}


def _put_right(was: Snapshot, now: Snapshot) -> bool:
    """Return True if a piece was moved while a card is to be laid again, for it was not played."""
    return was.seen != now.seen and any(alert.kind == "not-played" for alert in now.alerts)


def _enrolled_by_hand(was: Snapshot, now: Snapshot) -> bool:
    """Return True if the enrolment has changed without a tag: begun, ended, undone, or at another thing."""
    if was.enrolment is None or now.enrolment is None:
        return was.enrolment is not now.enrolment
    return was.enrolment.turns == now.enrolment.turns and was.enrolment != now.enrolment
