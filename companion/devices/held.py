"""The tag on a reader that reports when a card comes and not when it goes.

Pure: time comes in as an argument.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from companion.devices.readings import PadSeen
from companion.message import Sentence

HELD_S: Final = 1.0
"""Seconds for which a typed card counts as being there; another one typed by then is there with it."""
AGAIN_S: Final = 6.0
"""Seconds in which a card typed again is the same card, still there: readers repeat it each 1 to 5 s."""
_EVEN: Final = 0.25  # of the time between two repeats: the difference between one and the next
_FASTEST_S: Final = 0.5  # between two repeats of a reader; sooner it is one card that was read twice


class Held:
    """The tag on the reader.

    A tag that is typed again counts as laid anew only after another one, after something that other people or
    other cards have done (`forget`), or after `again_s` without it. Where the reader repeats a card, one that
    comes at the same interval as before is still there in any case.
    """

    def __init__(self, held_s: float = HELD_S, again_s: float = AGAIN_S) -> None:
        self._held_s, self._again_s = held_s, again_s
        self._until: dict[str, float] = {}
        self._why: Sentence | None = None
        self._why_until = 0.0
        self._reported: PadSeen | None = None
        self._last: str | None = None
        self._last_at = 0.0
        self._is_forgotten = False
        self._interval = 0.0

    @property
    def due(self) -> float | None:
        """The time when the state changes by itself."""
        torn = [self._why_until] if self._why is not None else []
        return min((*self._until.values(), *torn), default=None)

    def typed(self, uid: str, now: float) -> bool:
        """Process a typed card; return False if it is the card that is there already.

        >>> held = Held()
        >>> held.typed("04A1B2C3", 5.0), held.typed("04A1B2C3", 7.0), held.typed("04A1B2C3", 20.0)
        (True, False, True)
        """
        is_same = self._is_same(uid, now)
        self._last, self._last_at = uid, now
        if not is_same:
            self._is_forgotten = False
        if not is_same or uid in self._until:
            self._until[uid] = now + self._held_s
        return not is_same

    def _is_same(self, uid: str, now: float) -> bool:
        """Return True if this card was the last one and has probably not been lifted since."""
        passed = now - self._last_at
        if uid != self._last or passed >= max(self._again_s, self._held_s):
            return False
        is_repeat = abs(passed - self._interval) <= _EVEN * self._interval
        if self._is_forgotten and not is_repeat and uid not in self._until:
            return False
        if passed >= _FASTEST_S:
            self._interval = passed
        return True

    def forget(self, but: Collection[str] = ()) -> None:
        """Let the last card, if it is none of these, count as laid anew when it is typed again."""
        self._is_forgotten = self._is_forgotten or self._last not in but

    def failed(self, why: Sentence, now: float) -> None:
        """Process a text that is no card's, for this reason."""
        self._why, self._why_until = why, now + self._held_s

    def seen(self, now: float) -> PadSeen | None:
        """Return the new state, if it has changed.

        >>> held = Held()
        >>> held.typed("04A1B2C3", 5.0)
        True
        >>> held.seen(5.0).tags, held.seen(5.5), held.seen(6.0).tags
        (frozenset({'04A1B2C3'}), None, frozenset())
        """
        self._until = {uid: until for uid, until in self._until.items() if now < until}
        if now >= self._why_until:
            self._why = None
        seen = PadSeen(frozenset(self._until), self._why is not None, self._why)
        if seen == self._reported:
            return None
        self._reported = seen
        return seen
