"""Enrolment: the things of a box get their tags, each held to the pad once, in the order of the box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from companion import games
from companion.errors import ValidationError, validation_error
from companion.games.boxes import box_called
from companion.games.race import Race
from companion.message import N_, Sentence
from companion.tags.item import Item
from companion.tags.tagfile import checked_uid


def things_of(game: type[Race], edition: str = "") -> tuple[str, ...]:
    """Return the things in the box, as tags mean them: the pieces first, then the cards by colour
    and number; of the first edition where none is named.

    >>> from companion.games.galloping import GallopingPigs
    >>> things_of(GallopingPigs)[:6:5]
    ('galloping-pigs/piece/red', 'galloping-pigs/card/red/1')
    >>> len(things_of(GallopingPigs)), len(things_of(GallopingPigs, "2009"))
    (40, 45)
    """
    numbers = range(1, box_called(game, edition).numbers + 1)
    pieces = [f"{game.name}/piece/{colour}" for colour in game.pieces]
    cards = [f"{game.name}/card/{c}/{n}" for c in game.pieces for n in numbers]
    return (*pieces, *cards)


def enrolled(game: type[Race], edition: str, tags: Mapping[str, str]) -> int:
    """Return how many things of this box have a tag."""
    return len(set(things_of(game, edition)) & set(tags.values()))


class Turned(NamedTuple):
    """The reason why a tag was rejected, and the tag if it can be accepted all the same."""

    why: Sentence
    uid: str | None = None


@dataclass(frozen=True)
class Enrolment:
    """A box that is being enrolled: its edition, the meaning of every tag, and the thing due for one.

    `again` are things to be held once more: their tags count as free. `turned` is the reason why a tag was
    rejected, `turns` counts the tags held, `before` is the enrolment before the last accepted tag.
    """

    game: str
    things: tuple[str, ...]
    tags: Mapping[str, str]
    at: str | None
    again: frozenset[str] = frozenset()
    turned: Turned | None = None
    turns: int = 0
    edition: str = ""
    before: Self | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, game: str, tags: Mapping[str, str], edition: str = "") -> Self:
        """Return this box with these known tags, at the first thing without one; InvalidInput for no such
        game or edition.
        """
        things = things_of(games.find_by_name(game), edition)
        done = set(tags.values())
        first = next((thing for thing in things if thing not in done), None)
        return cls(game, things, tags, first, edition=edition)

    def done(self) -> frozenset[str]:
        """Return the things that have their tag."""
        return frozenset(self.things).intersection(self.tags.values()) - self.again

    def following(self) -> str | None:
        """Return the next thing without a tag after the current one, round to the first; None:
        there is none.
        """
        start = 0 if self.at is None else self.things.index(self.at) + 1
        done = self.done() | {self.at}
        return next((t for t in (*self.things[start:], *self.things[:start]) if t not in done), None)

    def going_to(self, thing: str) -> Self:
        """Return the enrolment at this thing, also if it has a tag; InvalidInput if the box does
        not have it.
        """
        if thing not in self.things:
            raise validation_error(N_("{text} is not in this box"), text=thing)
        return replace(self, at=thing, turned=None)

    def from_here_again(self) -> Self:
        """Return the enrolment with everything from the current thing on to be held again; else from the
        first on.
        """
        at = self.things[0] if self.at is None else self.at
        rest = frozenset(self.things[self.things.index(at) :])
        return replace(self, at=at, again=self.again | rest, turned=None)

    def held(self, *uids: str, anyway: bool = False) -> Self:
        """Return the enrolment after these tags were held: one is accepted for the current thing, or
        rejected.

        `anyway` accepts a tag also from another thing, which then has none.
        """
        turned = self._turned(uids, anyway)
        if turned is not None:
            return replace(self, turned=turned, turns=self.turns + 1)
        [uid] = uids
        assert self.at is not None
        others = {u: means for u, means in self.tags.items() if u != uid and means != self.at}
        taken = replace(self, tags={**others, uid: self.at}, again=self.again - {self.at})
        return replace(taken, at=taken.following(), turned=None, turns=self.turns + 1, before=self)

    def unread(self, why: Sentence) -> Self:
        """Return the enrolment after something was held that could not be read, for this reason."""
        return replace(self, turned=Turned(why), turns=self.turns + 1)

    def _turned(self, uids: tuple[str, ...], anyway: bool) -> Turned | None:
        if len(uids) != 1 or PILE in uids:
            return Turned(Sentence(_ONE))
        try:
            checked_uid(uids[0])
        except ValidationError as refusal:
            return Turned(refusal.sentence)
        means = self.tags.get(uids[0])
        if self.at is None:
            return Turned(Sentence(_NONE_DUE) if means is None else self._is_already(means))
        if anyway or means is None or means == self.at or means in self.again:
            return None
        return Turned(self._is_already(means), uids[0])

    def _is_already(self, means: str) -> Sentence:
        item = Item.of(means)
        if item.game != self.game:
            return Sentence(_OTHER_GAME, {"kind": _title(item.game)})
        if item.kind == "card":
            return Sentence(_CARD_ALREADY, {"card": item.colour, "number": item.number})
        return Sentence(_PIECE_ALREADY, {"card": item.colour})

    def undone(self) -> Self:
        """Return the enrolment before the last tag; ValidationError if there is none."""
        if self.before is None:
            raise validation_error(_NOTHING_TO_UNDO)
        return replace(self.before, turned=None)

    def knowing(self, tags: Mapping[str, str]) -> Self:
        """Return the same box with other known tags; former steps can no longer be undone."""
        known = replace(self, tags=tags, before=None)
        return known if self.at not in known.done() else replace(known, at=known.following())


PILE = "pile"  # placeholder for the UIDs of tags that cannot be read


def _title(game: str) -> str:
    """Return the title of the game; the name of one that is not installed any longer."""
    found = games.all_games().get(game)
    return found.title if found else game


_ONE = N_("one at a time: lift them all and hold one")
_NONE_DUE = N_("everything has a tag: touch a thing first to give it another one")
_CARD_ALREADY = N_("this tag is the {card} card {number} already: take the next thing")
_PIECE_ALREADY = N_("this tag is the {card} piece already: take the next thing")
_OTHER_GAME = N_("this tag belongs to {kind}: take another one")
_NOTHING_TO_UNDO = N_("no tag was given since this enrolment began")
