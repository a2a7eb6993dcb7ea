"""The card pad over time: the tags on it, since when, and which of them are processed.

Time comes in as an argument (seconds, any origin).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

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

Items = Mapping[str, Item]
"""The meaning of each known tag."""


class PadTag(NamedTuple):
    """A tag on the pad: since when, and its state. `settled`: it is processed; `waits`: for the pieces."""

    since: float
    settled: bool = False
    waits: bool = False


@dataclass(frozen=True)
class Pad:
    """The state of the pad. A card that is rejected is not tried again until it was lifted.

    `rejected`: the message about each tag that was; `dismissed`: the tags whose message was read;
    `processed`: tags that triggered a decision before the restart; `decided_while_lost`: a decision was made
    while the pad did not answer; `unread`: why the pad cannot read what is on it, where it says that.
    """

    tags: Mapping[str, PadTag] = field(default_factory=dict)
    rejected: Mapping[str, Alert] = field(default_factory=dict)
    dismissed: frozenset[str] = frozenset()
    processed: frozenset[str] = frozenset()
    startup_until: float | None = None
    is_answering: bool = True
    decided_while_lost: bool = False
    unread: Sentence | None = None

    # --- tags on the pad -------------------------------------------------------------------------

    def after_reading(self, message: PadSeen, items: Items, now: float) -> Pad:
        """Return the pad with the tags that are on it now. A tag that stays keeps its state.

        A tag that is there when the companion starts and has triggered a decision counts as processed.
        """
        startup_until = now + STARTUP_SECONDS if self.startup_until is None else self.startup_until
        processed = self.processed if now <= startup_until else frozenset()
        uids = message.tags | ({PILE} if message.unreadable else frozenset())
        tags = {uid: tag for uid, tag in self.tags.items() if uid in uids}
        tags |= {uid: PadTag(now, settled=uid in processed) for uid in sorted(uids - tags.keys())}
        after = replace(self._after_lifting(self.tags.keys() - uids, items), tags=tags)
        if self.decided_while_lost:
            for uid in sorted(uids - self.tags.keys() - processed):
                if (item := items.get(uid)) is not None and item.kind == "card":
                    after = after.rejecting(uid, Sentence(_LAID_MEANWHILE, {"card": item.colour}))
        after = replace(after, startup_until=startup_until, is_answering=True, decided_while_lost=False)
        return replace(after, unread=message.why)

    def _after_lifting(self, uids: Set[str], items: Items) -> Pad:
        """Return the pad without the messages about these tags; a waiting one was lifted too early."""
        rejected = dict(self.rejected)
        for uid in [uid for uid in self.tags if uid in uids]:
            rejected.pop(uid, None)
            if self.tags[uid].waits and (item := items.get(uid)) is not None:
                text = Sentence(_NOT_PLAYED, {"card": item.colour})
                rejected[_LIFTED_EARLY] = Alert("not-played", "pad", text)
        return replace(self, rejected=rejected, dismissed=self.dismissed - uids)

    def since(self, uid: str) -> float | None:
        """Return since when this tag is on the pad; None: it is not, or the pad does not answer."""
        tag = self.tags.get(uid)
        return tag.since if tag is not None and self.is_answering else None

    def untried(self, now: float) -> Sequence[str]:
        """Return the unprocessed tags, once all of them have been there for `PAD_STILL`; none if the pad is
        lost.
        """
        new = {uid: tag for uid, tag in self.tags.items() if not tag.settled}
        if not self.is_answering or any(now < tag.since + PAD_STILL for tag in new.values()):
            return ()
        return list(new)

    def waiting(self, items: Items) -> list[Item]:
        """Return the cards on the pad that wait until the pieces are right."""
        return [items[uid] for uid, tag in self.tags.items() if tag.waits and uid in items]

    def deadlines(self) -> Iterable[float]:
        """Return the times at which each unprocessed card has been on the pad for `PAD_STILL`."""
        return [tag.since + PAD_STILL for tag in self.tags.values() if not tag.settled and not tag.waits]

    # --- their state -----------------------------------------------------------------------------

    def settling(self, uid: str) -> Pad:
        """Return the pad with this tag processed."""
        return self._with(uid, self.tags[uid]._replace(settled=True))

    def holding_back(self, uid: str) -> Pad:
        """Return the pad on which this card waits until the pieces are right."""
        return self if self.tags[uid].waits else self._with(uid, self.tags[uid]._replace(waits=True))

    def rejecting(self, uid: str, reason: Sentence) -> Pad:
        """Return the pad with this tag rejected: it is not tried again until it was lifted."""
        after = self._with(uid, PadTag(self.tags[uid].since, settled=True))
        return replace(after, rejected={**self.rejected, uid: Alert("refused", "pad", reason)})

    def _with(self, uid: str, tag: PadTag) -> Pad:
        return replace(self, tags={**self.tags, uid: tag})

    def _rejecting_waiting(self, uids: Iterable[str], items: Items) -> Pad:
        """Return the pad with those of these cards rejected that were waiting: they were laid for another
        moment and must be laid again.
        """
        after = self
        for uid in uids:
            if self.tags[uid].waits and (item := items.get(uid)) is not None:
                after = after.rejecting(uid, Sentence(_LAID_FOR_ANOTHER, {"card": item.colour}))
        return after

    def after_decision(self, uids: Sequence[str], items: Items) -> Pad:
        """Return the pad after a decision was made or taken back: its cards are processed, waiting ones
        rejected, and old messages cleared.
        """
        tags = {u: PadTag(tag.since, settled=True) if u in uids else tag for u, tag in self.tags.items()}
        lost = self.decided_while_lost or not self.is_answering
        after = replace(self, tags=tags, rejected={}, decided_while_lost=lost)
        return after._rejecting_waiting(tags, items)

    def handed_over(self, items: Items) -> Pad:
        """Return the pad after it began to serve something else: all its tags must be lifted first."""
        after = self._rejecting_waiting(self.tags, items)
        return replace(after, tags={uid: tag._replace(settled=True) for uid, tag in after.tags.items()})

    # --- messages --------------------------------------------------------------------------------

    def alerts(self, without: frozenset[str]) -> list[Alert]:
        """Return the messages about cards, each once, except those about the tags `without`."""
        hidden, alerts = self.dismissed | without, list[Alert]()
        for uid, alert in self.rejected.items():
            if uid not in hidden and alert not in alerts:
                alerts.append(alert)
        return alerts

    def after_dismissing(self) -> Pad:
        """Return the pad without the messages that are shown."""
        rejected = {uid: alert for uid, alert in self.rejected.items() if uid != _LIFTED_EARLY}
        return replace(self, rejected=rejected, dismissed=self.dismissed | rejected.keys())


_LIFTED_EARLY = "lifted early"

_LAID_MEANWHILE = N_(
    "the {card} card was laid while the pad did not answer: lift it, then lay it again if it is still due"
)
_NOT_PLAYED = N_(
    "the {card} card was lifted too early and not played: put the pieces right, then lay it again"
)
_LAID_FOR_ANOTHER = N_("the {card} card was not played: lift it, and lay it again when it is due")
