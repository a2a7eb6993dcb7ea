"""What every known tag means, and the box that gets its tags now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from companion.errors import ConflictError
from companion.message import N_, Sentence
from companion.store.journal import Journal
from companion.tags.enroller import Enroller
from companion.tags.enrolment import Enrolment
from companion.tags.item import Item


class Register:
    """What tags mean, from the journal and learnt since. Runs in the table's thread."""

    def __init__(
        self,
        journal: Journal,
        clock: Callable[[], float],
        beep: Callable[[Literal["ok", "wrong"]], None],
        leave_pad: Callable[[], frozenset[str]],
        still: float,
        publish: Callable[[Mapping[str, Item]], None],
        changed: Callable[[], None],
    ) -> None:
        """`publish` gets all known tags; `leave_pad` takes the tags on the pad from the game; `changed` is
        called after every wish.

        A tag counts once it lies `still` for so many seconds.
        """
        self._journal, self._clock, self._publish, self._changed = journal, clock, publish, changed
        self.meanings: Mapping[str, str] = {}
        self.enroller = Enroller(self._learn, beep, leave_pad, still)

    def open(self) -> None:
        """Read what is known."""
        self.meanings = self._journal.tags()
        self._publish({uid: Item.of(means) for uid, means in self.meanings.items()})

    def bind(self, tags: Mapping[str, str]) -> None:
        """Learn what these tags mean; InvalidInput if one means nothing that can be."""
        for means in tags.values():
            Item.of(means)
        self._learn(tags)
        self.enroller.tags_are(self.meanings)
        self._changed()

    def _learn(self, tags: Mapping[str, str | None]) -> None:
        """Write down what these tags mean from now on (None: nothing), and only then believe it."""
        self._journal.bind(tags)
        self.open()

    def enrol(self, game: str) -> None:
        """Enrol the things of this game: tags on the pad are taken for them, in the order of the box."""
        self.enroller.start(game, self.meanings, self._clock())
        self._changed()

    def stop_enrolling(self) -> None:
        """The pad is the game's again."""
        self.enroller.stop()
        self._changed()

    def go_on_enrolling(self, change: Callable[[Enrolment], Enrolment]) -> None:
        """Go to another thing, give the last tag back and the like; ConflictError if no enrolment is on."""
        self.enroller.become(change(self._enrolling()), self._clock())
        self._changed()

    def hold(self, uid: str, anyway: bool = False) -> None:
        """A tag read by something else than the pad; ConflictError with the reason if it cannot be taken."""
        self._enrolling()
        self.enroller.hold(frozenset({uid}), self._clock(), anyway)
        self._changed()
        turned = self._enrolling().turned
        if turned is not None:
            raise ConflictError("turned-away", turned.why)

    def _enrolling(self) -> Enrolment:
        if self.enroller.enrolment is None:
            raise ConflictError("not-enrolling", Sentence(_NOT_ENROLLING))
        return self.enroller.enrolment


_NOT_ENROLLING = N_("no box is being enrolled: choose one first")
