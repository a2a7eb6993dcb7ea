"""The card pad, watched: what lies there since when, and whether it has had its answer.

Time comes in as an argument (seconds, any origin).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from companion.devices.readings import PadSeen
from companion.message import N_, Sentence
from companion.referee.told import Alert
from companion.tags.item import Item

PAD_STILL = 0.1
"""Seconds a card must lie on the pad: long enough to see whether two were laid at once."""
FIRST_LOOK = 0.5
"""Seconds in which a tag counts as one that lay there when the companion started."""

PILE = "pile"
"""Stands in for the UIDs of cards that cannot be read."""


@dataclass
class _Lying:
    """A card on the pad: since when, and whether it has had its answer already."""

    since: float
    settled: bool = False
    waits: bool = False


class PadWatch:
    """What the pad shows, remembered; a card that is refused is not tried again until it was lifted."""

    def __init__(self, item_of: Callable[[str], Item | None]) -> None:
        """`item_of` says what a tag is."""
        self._item_of = item_of
        self._lately: frozenset[str] = frozenset()
        self._looking_until: float | None = None
        self._lying: dict[str, _Lying] = {}
        self._answers = True
        self._missed = False  # whether a decision was made while the pad did not answer
        self._refused: dict[str, Alert] = {}
        self._dismissed: set[str] = set()

    def caused_lately(self, uids: frozenset[str]) -> None:
        """These tags caused decisions before this start: what of them lies there now has had its answer."""
        self._lately = uids

    # --- what lies there -------------------------------------------------------------------------

    def read(self, message: PadSeen, now: float) -> frozenset[str]:
        """The pad shows these tags now. A tag that was there before keeps its answer. Gives what was lifted.

        What lies there when the companion starts and had caused a decision has had its answer too.
        """
        missed, self._missed = self._missed, False
        self._answers = True
        if self._looking_until is None:
            self._looking_until = now + FIRST_LOOK
        answered = self._lately if now <= self._looking_until else frozenset()
        tags = message.tags | ({PILE} if message.unreadable else frozenset())
        lifted = self._lying.keys() - tags
        for uid in [uid for uid in self._lying if uid in lifted]:
            self._lifted(uid)
        for uid in sorted(tags - self._lying.keys()):
            self._lying[uid] = _Lying(now, settled=uid in answered)
            item = self._item_of(uid)
            if missed and item is not None and item.kind == "card" and uid not in answered:
                self.refuse(uid, Sentence(_LAID_MEANWHILE, {"card": item.colour}))
        return frozenset(lifted)

    def _lifted(self, uid: str) -> None:
        lying = self._lying.pop(uid)
        self._refused.pop(uid, None)
        self._dismissed.discard(uid)
        item = self._item_of(uid)
        if lying.waits and item is not None:
            text = Sentence(_NOT_PLAYED, {"card": item.colour})
            self._refused[_LIFTED_EARLY] = Alert("not-played", "pad", text)

    def leave(self) -> frozenset[str]:
        """The pad serves something else: no tag there is tried until it was lifted. Gives the tags."""
        for uid in self._lying:
            self._turn_away(uid)
            self.settle(uid)
        return frozenset(self._lying)

    def lost(self) -> None:
        """The pad does not answer: what lay there is remembered, but nothing is played until then."""
        self._answers = False

    def tags(self) -> frozenset[str]:
        """The tags that lie there."""
        return frozenset(self._lying)

    def since(self, uid: str) -> float | None:
        """Since when this tag lies there; None: it does not, or nobody knows."""
        lying = self._lying.get(uid)
        return lying.since if lying is not None and self._answers else None

    def untried(self, now: float) -> Sequence[str]:
        """The tags that have had no answer, once all of them have lain long enough; none if nobody knows."""
        new = [uid for uid, lying in self._lying.items() if not lying.settled]
        if not self._answers or any(now < self._lying[uid].since + PAD_STILL for uid in new):
            return ()
        return new

    def waiting(self) -> list[Item]:
        """The cards that lie there until the pieces stand right."""
        items = (self._item_of(uid) for uid, lying in self._lying.items() if lying.waits)
        return [item for item in items if item is not None]

    def deadlines(self) -> Iterator[float]:
        """When each card that is to be tried has lain long enough."""
        lying = self._lying.values()
        return (card.since + PAD_STILL for card in lying if not card.settled and not card.waits)

    # --- what it is answered ---------------------------------------------------------------------

    def settle(self, uid: str) -> None:
        """This tag has had its answer."""
        self._lying[uid].settled = True

    def hold_back(self, uid: str) -> None:
        """This card waits until the pieces stand right."""
        self._lying[uid].waits = True

    def refuse(self, uid: str, reason: Sentence) -> None:
        """This tag is refused, and not tried again until it was lifted."""
        self._lying[uid].settled = True
        self._lying[uid].waits = False
        self._refused[uid] = Alert("refused", "pad", reason)

    def _turn_away(self, uid: str) -> None:
        """A card that was waiting was laid for another moment: it must be laid again."""
        item = self._item_of(uid)
        if self._lying[uid].waits and item is not None:
            self.refuse(uid, Sentence(_LAID_FOR_ANOTHER, {"card": item.colour}))

    def decided(self, uids: tuple[str, ...]) -> None:
        """A decision was made or taken back: its cards have had their answer, and old messages go."""
        self._refused.clear()
        self._missed = self._missed or not self._answers
        for uid, lying in self._lying.items():
            if uid in uids:
                self._lying[uid] = _Lying(lying.since, settled=True)
            else:
                self._turn_away(uid)

    def refusals(self, without: frozenset[str]) -> list[Alert]:
        """Each thing said of a card once, but of these tags."""
        alerts: list[Alert] = []
        for uid, alert in self._refused.items():
            if uid not in self._dismissed | without and alert not in alerts:
                alerts.append(alert)
        return alerts

    def dismiss(self) -> None:
        """Take away the messages shown."""
        self._dismissed |= self._refused.keys() - {_LIFTED_EARLY}
        self._refused.pop(_LIFTED_EARLY, None)


_LIFTED_EARLY = "lifted early"

_LAID_MEANWHILE = N_(
    "the {card} card was laid while the pad did not answer: lift it, then lay it again if it is still due"
)
_NOT_PLAYED = N_(
    "the {card} card was lifted too early and not played: put the pieces right, then lay it again"
)
_LAID_FOR_ANOTHER = N_("the {card} card was not played: lift it, and lay it again when it is due")
