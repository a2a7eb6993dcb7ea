"""The card pad over time: the tags on it, since when, and which of them are processed.

Time comes in as an argument (seconds, any origin).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from companion.devices.readings import PadSeen
from companion.message import N_, Sentence
from companion.referee.reports import Alert
from companion.tags.item import Item

PAD_STILL = 0.1
"""Seconds a card must stay on the pad: long enough to see whether two were laid at once."""
STARTUP_SECONDS = 0.5
"""Seconds in which a tag counts as one that was there when the companion started."""

PILE = "pile"
"""Placeholder for the UIDs of cards that cannot be read."""


@dataclass
class _PadTag:
    """A tag on the pad: since when, and its state. `settled`: it is processed; `waits`: for the pieces."""

    since: float
    settled: bool = False
    waits: bool = False


class PadWatch:
    """The state of the pad. A card that is rejected is not tried again until it was lifted."""

    def __init__(self, item_of: Callable[[str], Item | None]) -> None:
        """Watch a pad whose tags `item_of` looks up."""
        self._item_of = item_of
        self._processed: frozenset[str] = frozenset()
        self._startup_until: float | None = None
        self._on_pad: dict[str, _PadTag] = {}
        self._is_answering = True
        self._decided_while_lost = False  # whether a decision was made while the pad did not answer
        self._rejected: dict[str, Alert] = {}
        self._dismissed: set[str] = set()

    def mark_processed(self, uids: frozenset[str]) -> None:
        """Mark tags that already triggered a decision before the restart, so that they are not processed
        again.
        """
        self._processed = uids

    # --- tags on the pad -------------------------------------------------------------------------

    def read(self, message: PadSeen, now: float) -> frozenset[str]:
        """Take in the tags on the pad now, and return those that were lifted. A tag that stays keeps its
        state.

        A tag that is there when the companion starts and has triggered a decision counts as processed.
        """
        decided_while_lost, self._decided_while_lost = self._decided_while_lost, False
        self._is_answering = True
        if self._startup_until is None:
            self._startup_until = now + STARTUP_SECONDS
        answered = self._processed if now <= self._startup_until else frozenset()
        tags = message.tags | ({PILE} if message.unreadable else frozenset())
        lifted = self._on_pad.keys() - tags
        for uid in [uid for uid in self._on_pad if uid in lifted]:
            self._lifted(uid)
        for uid in sorted(tags - self._on_pad.keys()):
            self._on_pad[uid] = _PadTag(now, settled=uid in answered)
            item = self._item_of(uid)
            if decided_while_lost and item is not None and item.kind == "card" and uid not in answered:
                self.reject(uid, Sentence(_LAID_MEANWHILE, {"card": item.colour}))
        return frozenset(lifted)

    def _lifted(self, uid: str) -> None:
        tag = self._on_pad.pop(uid)
        self._rejected.pop(uid, None)
        self._dismissed.discard(uid)
        item = self._item_of(uid)
        if tag.waits and item is not None:
            text = Sentence(_NOT_PLAYED, {"card": item.colour})
            self._rejected[_LIFTED_EARLY] = Alert("not-played", "pad", text)

    def hand_over(self) -> frozenset[str]:
        """Settle all tags, because the pad now serves something else, and return them. They must be lifted
        first.
        """
        for uid in self._on_pad:
            self._reject_waiting(uid)
            self.settle(uid)
        return frozenset(self._on_pad)

    def mark_lost(self) -> None:
        """Note that the pad does not answer: its tags are remembered, but nothing is played until it does."""
        self._is_answering = False

    def tags(self) -> frozenset[str]:
        """Return the tags on the pad."""
        return frozenset(self._on_pad)

    def since(self, uid: str) -> float | None:
        """Return since when this tag is on the pad; None: it is not, or the pad does not answer."""
        tag = self._on_pad.get(uid)
        return tag.since if tag is not None and self._is_answering else None

    def untried(self, now: float) -> Sequence[str]:
        """Return the unprocessed tags, once all of them have been there for `PAD_STILL`; none if the pad is
        lost.
        """
        new = [uid for uid, tag in self._on_pad.items() if not tag.settled]
        if not self._is_answering or any(now < self._on_pad[uid].since + PAD_STILL for uid in new):
            return ()
        return new

    def waiting(self) -> list[Item]:
        """Return the cards on the pad that wait until the pieces are right."""
        items = (self._item_of(uid) for uid, tag in self._on_pad.items() if tag.waits)
        return [item for item in items if item is not None]

    def deadlines(self) -> Iterator[float]:
        """Return the times at which each unprocessed card has been on the pad for `PAD_STILL`."""
        tag = self._on_pad.values()
        return (card.since + PAD_STILL for card in tag if not card.settled and not card.waits)

    # --- their state -----------------------------------------------------------------------------

    def settle(self, uid: str) -> None:
        """Mark this tag as processed."""
        self._on_pad[uid].settled = True

    def hold_back(self, uid: str) -> None:
        """Let this card wait until the pieces are right."""
        self._on_pad[uid].waits = True

    def reject(self, uid: str, reason: Sentence) -> None:
        """Reject this tag with a message; it is not tried again until it was lifted."""
        self._on_pad[uid].settled = True
        self._on_pad[uid].waits = False
        self._rejected[uid] = Alert("refused", "pad", reason)

    def _reject_waiting(self, uid: str) -> None:
        """Reject a card that was waiting: it was laid for another moment and must be laid again."""
        item = self._item_of(uid)
        if self._on_pad[uid].waits and item is not None:
            self.reject(uid, Sentence(_LAID_FOR_ANOTHER, {"card": item.colour}))

    def decided(self, uids: tuple[str, ...]) -> None:
        """Settle the cards of a decision that was made or taken back, reject waiting ones, and clear old
        messages.
        """
        self._rejected.clear()
        self._decided_while_lost = self._decided_while_lost or not self._is_answering
        for uid, tag in self._on_pad.items():
            if uid in uids:
                self._on_pad[uid] = _PadTag(tag.since, settled=True)
            else:
                self._reject_waiting(uid)

    def rejections(self, without: frozenset[str]) -> list[Alert]:
        """Return the messages about cards, each once, except those about the tags `without`."""
        alerts: list[Alert] = []
        for uid, alert in self._rejected.items():
            if uid not in self._dismissed | without and alert not in alerts:
                alerts.append(alert)
        return alerts

    def dismiss(self) -> None:
        """Hide the messages that are shown."""
        self._dismissed |= self._rejected.keys() - {_LIFTED_EARLY}
        self._rejected.pop(_LIFTED_EARLY, None)


_LIFTED_EARLY = "lifted early"

_LAID_MEANWHILE = N_(
    "the {card} card was laid while the pad did not answer: lift it, then lay it again if it is still due"
)
_NOT_PLAYED = N_(
    "the {card} card was lifted too early and not played: put the pieces right, then lay it again"
)
_LAID_FOR_ANOTHER = N_("the {card} card was not played: lift it, and lay it again when it is due")
