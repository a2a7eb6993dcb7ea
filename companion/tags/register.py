"""The meaning of every known tag, and the active enrolment."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.errors import ConflictError
from companion.message import N_, Sentence
from companion.store.journal import Journal
from companion.tags.enroller import Enroller, Host
from companion.tags.enrolment import Enrolment
from companion.tags.item import Item


class Register:
    """The meanings of tags, from the journal and learnt since. Runs in the table's thread."""

    def __init__(self, journal: Journal, clock: Callable[[], float], host: Host, still: float) -> None:
        """Give all known tags to `host`, the table. A tag counts once it is there for `still` seconds."""
        self._journal, self._clock, self._host = journal, clock, host
        self.meanings: Mapping[str, str] = {}
        self.enroller = Enroller(self._learn, host, still)

    def open(self) -> None:
        """Load the known tags from the journal."""
        self.meanings = self._journal.tags()
        self._host.update_items({uid: Item.of(means) for uid, means in self.meanings.items()})

    def bind(self, tags: Mapping[str, str]) -> None:
        """Give these tags their meanings; InvalidInput if a meaning is invalid."""
        for means in tags.values():
            Item.of(means)
        self._learn(tags)
        self.enroller.update_tags(self.meanings)
        self._host.evaluate()

    def _learn(self, tags: Mapping[str, str | None]) -> None:
        """Store the meanings of these tags (None: none), and then reload them."""
        self._journal.bind(tags)
        self.open()

    def enrol(self, game: str, edition: str = "") -> None:
        """Enrol the things of this box: tags on the pad are assigned to them, in the order of the box."""
        self.enroller.start(game, edition, self.meanings, self._clock())
        self._host.evaluate()

    def stop_enrolling(self) -> None:
        """Return the pad to the game."""
        self.enroller.stop()
        self._host.evaluate()

    def go_on_enrolling(self, change: Callable[[Enrolment], Enrolment]) -> None:
        """Apply a change to the enrolment, such as another thing or an undo; ConflictError if
        none is active.
        """
        self.enroller.change_to(change(self._enrolling()), self._clock())
        self._host.evaluate()

    def hold(self, uid: str, anyway: bool = False) -> None:
        """Take in a tag read by another device than the pad; ConflictError with the reason if it
        is rejected.
        """
        self._enrolling()
        self.enroller.hold(frozenset({uid}), self._clock(), anyway)
        self._host.evaluate()
        turned = self._enrolling().turned
        if turned is not None:
            raise ConflictError("turned-away", turned.why)

    def _enrolling(self) -> Enrolment:
        if self.enroller.enrolment is None:
            raise ConflictError("not-enrolling", Sentence(_NOT_ENROLLING))
        return self.enroller.enrolment


_NOT_ENROLLING = N_("no box is being enrolled: choose one first")
