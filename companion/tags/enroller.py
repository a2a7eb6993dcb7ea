"""The enroller: during an enrolment the tags on the pad belong to it, and not to the game."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, Protocol

from companion.devices.readings import PadSeen
from companion.message import N_, Sentence
from companion.store.file import not_written
from companion.tags.enrolment import PILE, Enrolment, Turned
from companion.tags.item import Item

QUIET = 180.0
"""Seconds without a touch or a tag after which an enrolment stops, and the pad belongs to the game again."""
FLICKER = 0.5
"""Seconds in which a tag that vanished and came back alone was not lifted: it is at the edge of range."""


class Held:
    """The tags on the pad during an enrolment. Each tag is returned once, until it was lifted."""

    def __init__(self, on_pad: frozenset[str], still: float) -> None:
        """Ignore the tags that are `on_pad` already: they were not held for this enrolment.

        A tag is returned once it was there for `still` seconds.
        """
        self._still = still
        self._since: dict[str, float] = {}
        self._returned = set(on_pad)
        self._gone: dict[str, float] = {}

    def read_pad(self, seen: PadSeen, now: float) -> None:
        """Take in the tags on the pad now."""
        tags = seen.tags | ({PILE} if seen.unreadable else frozenset())
        self._since = {uid: self._since.get(uid, now) for uid in tags - self._returned}
        self._gone = {uid: at for uid, at in self._gone.items() if now - at < FLICKER}
        self._gone |= dict.fromkeys(self._returned - tags, now)
        back = tags & self._gone.keys()
        self._returned = (self._returned & tags) | back
        for uid in back:
            self._since.pop(uid, None)
            del self._gone[uid]

    def mark_lost(self) -> None:
        """Note that the pad does not answer: tags that were not returned yet start again."""
        self._since.clear()

    def ready(self, now: float) -> frozenset[str]:
        """Return the new tags once all of them have been there long enough to see whether two were held at
        once.
        """
        if not self._since or any(now < since + self._still for since in self._since.values()):
            return frozenset()
        new = frozenset(self._since)
        self._returned |= new
        self._since.clear()
        self._gone.clear()  # another tag was held: one that comes back now counts as new
        return new

    def next_deadline(self) -> float | None:
        """Return when the new tags will have been there long enough; None: there are none."""
        return max(self._since.values()) + self._still if self._since else None


class Host(Protocol):
    """The table, as far as tags need it."""

    def beep(self, tune: Literal["ok", "wrong"]) -> None:
        """Play a short tune."""

    def take_pad(self) -> frozenset[str]:
        """Take the tags on the pad away from the game, and return them."""

    def update_items(self, items: Mapping[str, Item]) -> None:
        """Use these meanings of all known tags from now on."""

    def evaluate(self) -> None:
        """Publish what a command has changed."""


class Enroller:
    """The active enrolment, if any. Runs in the table's thread."""

    def __init__(
        self,
        learn: Callable[[Mapping[str, str | None]], None],
        host: Host,
        still: float,
    ) -> None:
        """Store the meanings of tags by `learn`. A tag counts once it is there for `still` seconds."""
        self._learn, self._host, self._still = learn, host, still
        self.enrolment: Enrolment | None = None
        self._held = Held(frozenset(), still)
        self._until = 0.0
        self._unread: Sentence | None = None

    def start(self, game: str, edition: str, tags: Mapping[str, str], now: float) -> None:
        """Start to enrol this box; InvalidInput if there is no such game or edition."""
        self.enrolment = Enrolment.of(game, tags, edition)
        on_pad = self._host.take_pad()
        if on_pad and self.enrolment.at is not None:
            self.enrolment = replace(self.enrolment, turned=_LIFT_FIRST)
        self._held, self._until = Held(on_pad, self._still), now + QUIET

    def stop(self) -> None:
        """Return the pad to the game; tags that are still there are not played until they were lifted."""
        self.enrolment = None

    def update_tags(self, tags: Mapping[str, str]) -> None:
        """Update the enrolment after the meanings of tags were changed elsewhere."""
        if self.enrolment is not None:
            self.enrolment = self.enrolment.knowing(tags)

    def change_to(self, enrolment: Enrolment, now: float) -> None:
        """Store the changes of the next enrolment, and then make it current; if that fails keep
        the old one.
        """
        assert self.enrolment is not None
        self._until = now + QUIET
        was, tags = self.enrolment.tags, enrolment.tags
        changed = {uid: tags.get(uid) for uid in was.keys() | tags.keys() if was.get(uid) != tags.get(uid)}
        try:
            if changed:
                self._learn(changed)
        except sqlite3.Error as error:
            reason = Turned(not_written(error))
            enrolment = replace(self.enrolment, turned=reason, turns=enrolment.turns)
        self.enrolment = enrolment

    def hold(self, uids: frozenset[str], now: float, anyway: bool = False) -> None:
        """Take in tags that are held, or typed: one is accepted, several are rejected; the sound
        says which.
        """
        assert self.enrolment is not None
        if uids == {PILE} and self._unread is not None:
            self.change_to(self.enrolment.unread(self._unread), now)
        else:
            self.change_to(self.enrolment.held(*sorted(uids), anyway=anyway), now)
        self._host.beep("ok" if self.enrolment.turned is None else "wrong")

    def pad_seen(self, seen: PadSeen, now: float) -> None:
        """Take in the tags on the pad now: during an enrolment they do not belong to the game."""
        if self.enrolment is not None:
            self._host.take_pad()
            self._held.read_pad(seen, now)
            self._unread = seen.why or self._unread
            if self.enrolment.turned is _LIFT_FIRST and not seen.tags:
                self.enrolment = replace(self.enrolment, turned=None)

    def pad_lost(self) -> None:
        """Note that the pad does not answer."""
        self._held.mark_lost()

    def evaluate(self, now: float) -> None:
        """Accept the tag that is held, once it was still; stop after `QUIET` without activity."""
        if self.enrolment is None:
            return
        if new := self._held.ready(now):
            self.hold(new, now)
        elif now >= self._until:
            self.stop()

    def next_deadline(self) -> float | None:
        """Return when to evaluate again without a message; None: no enrolment is active."""
        if self.enrolment is None:
            return None
        held = self._held.next_deadline()
        return self._until if held is None else min(held, self._until)


_LIFT_FIRST = Turned(Sentence(N_("lift what lies on the pad, then hold the first thing")))
