"""The enroller: while a box is being enrolled the tags on the pad are its, and not the game's."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from companion.devices.readings import PadSeen
from companion.message import N_, Sentence
from companion.store.file import not_written
from companion.tags.enrolment import PILE, Enrolment, Turned

QUIET = 180.0
"""Seconds without a touch or a tag after which an enrolment stops by itself: the pad is the game's again."""
FLICKER = 0.5
"""Seconds in which a tag that vanished and came back alone was not lifted: it lies at the edge of range."""


class Held:
    """What lies on the pad during an enrolment. Each tag is given out once, until it was lifted."""

    def __init__(self, lying: frozenset[str], still: float) -> None:
        """What is `lying` there already was not held for this enrolment: it is not given out.

        A tag is given out once it lay `still` for so many seconds.
        """
        self._still = still
        self._since: dict[str, float] = {}
        self._answered = set(lying)
        self._gone: dict[str, float] = {}

    def read_pad(self, seen: PadSeen, now: float) -> None:
        """The pad shows these tags now."""
        tags = seen.tags | ({PILE} if seen.unreadable else frozenset())
        self._since = {uid: self._since.get(uid, now) for uid in tags - self._answered}
        self._gone = {uid: at for uid, at in self._gone.items() if now - at < FLICKER}
        self._gone |= dict.fromkeys(self._answered - tags, now)
        back = tags & self._gone.keys()
        self._answered = (self._answered & tags) | back
        for uid in back:
            self._since.pop(uid, None)
            del self._gone[uid]

    def lost(self) -> None:
        """The pad does not answer: what was not given out yet is held again."""
        self._since.clear()

    def ready(self, now: float) -> frozenset[str]:
        """The new tags once all of them have lain there long enough, to see whether two were held at once."""
        if not self._since or any(now < since + self._still for since in self._since.values()):
            return frozenset()
        new = frozenset(self._since)
        self._answered |= new
        self._since.clear()
        self._gone.clear()  # something else was held: what comes back now is laid anew
        return new

    def next_deadline(self) -> float | None:
        """When the new tags will have lain there long enough."""
        return max(self._since.values()) + self._still if self._since else None


class Enroller:
    """The enrolment that is on, if one is. Runs in the table's thread."""

    def __init__(
        self,
        learn: Callable[[Mapping[str, str | None]], None],
        beep: Callable[[Literal["ok", "wrong"]], None],
        leave_pad: Callable[[], frozenset[str]],
        still: float,
    ) -> None:
        """`learn` writes down what tags mean; `leave_pad` takes the tags on the pad away from the game.

        A tag counts once it lies `still` for so many seconds.
        """
        self._learn, self._beep, self._leave_pad, self._still = learn, beep, leave_pad, still
        self.enrolment: Enrolment | None = None
        self._held = Held(frozenset(), still)
        self._until = 0.0

    def start(self, game: str, tags: Mapping[str, str], now: float) -> None:
        """Enrol this box from now on; InvalidInput if there is no such game."""
        self.enrolment = Enrolment.of(game, tags)
        lying = self._leave_pad()
        if lying and self.enrolment.at is not None:
            self.enrolment = replace(self.enrolment, turned=_LIFT_FIRST)
        self._held, self._until = Held(lying, self._still), now + QUIET

    def stop(self) -> None:
        """The pad is the game's again; what still lies there is not played until it was lifted."""
        self.enrolment = None

    def tags_are(self, tags: Mapping[str, str]) -> None:
        """Tags were learnt otherwise."""
        if self.enrolment is not None:
            self.enrolment = self.enrolment.knowing(tags)

    def become(self, enrolment: Enrolment, now: float) -> None:
        """Write down what differs, and only then believe it; if that fails say so, and change nothing."""
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
        """These tags are held, or typed: one is taken, or they are turned away; the sound says which."""
        assert self.enrolment is not None
        self.become(self.enrolment.held(*sorted(uids), anyway=anyway), now)
        self._beep("ok" if self.enrolment.turned is None else "wrong")

    def pad_seen(self, seen: PadSeen, now: float) -> None:
        """The pad shows these tags now: while an enrolment is on they are not the game's."""
        if self.enrolment is not None:
            self._leave_pad()
            self._held.read_pad(seen, now)
            if self.enrolment.turned is _LIFT_FIRST and not seen.tags:
                self.enrolment = replace(self.enrolment, turned=None)

    def pad_lost(self) -> None:
        """The pad does not answer."""
        self._held.lost()

    def evaluate(self, now: float) -> None:
        """Take the tag that is held, if it lay still; stop if nothing has happened for long."""
        if self.enrolment is None:
            return
        if new := self._held.ready(now):
            self.hold(new, now)
        elif now >= self._until:
            self.stop()

    def next_deadline(self) -> float | None:
        """When to look again though nothing comes in."""
        if self.enrolment is None:
            return None
        held = self._held.next_deadline()
        return self._until if held is None else min(held, self._until)


_LIFT_FIRST = Turned(Sentence(N_("lift what lies on the pad, then hold the first thing")))
