"""The entries of a match in the journal, and its filed data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from companion.games.race import Race
from companion.match.record import Header

EntryKind = Literal["new", "decide", "change", "undo", "redo", "trust", "aside", "resume", "end"]

By = Literal["person", "tag", "pieces", "bot", "companion"]
# pieces: their places, confirmed by a person; companion: its deals

MatchState = Literal["running", "finished", "played", "aside", "ended"]
# finished: played to its end and still on the table; played: no longer there


class Entry(NamedTuple):
    """One line of the journal: the action, its author, and the tags that caused it."""

    kind: EntryKind
    line: Mapping[str, Any] = {}
    uids: tuple[str, ...] = ()
    by: By = "person"
    seq: int = 0


class Filed(NamedTuple):
    """A match as the journal files it.

    Its header, who deals, the seats' colours, the animals' names, by seat the strength of the bot that plays
    it, "" for a person, and the name that people gave this match, "" if it has none.
    """

    id: int
    header: Header
    deal: str
    colours: tuple[str, ...]
    state: MatchState
    began: str
    standings: tuple[Mapping[str, Any], ...] = ()
    nicknames: Mapping[str, str] = {}
    bots: tuple[str, ...] = ()
    name: str = ""

    def opening(self) -> Race:
        """Return the position before the first decision, with colours and names as these people
        chose them.
        """
        return self.header.opening().known_as(self.colours, self.nicknames)
