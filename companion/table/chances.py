"""The odds of the match on the table, and luck against choice once it is finished."""

from __future__ import annotations

from typing import Protocol

from companion.games.race import Race
from companion.history.evening import Evening
from companion.match.match import Match
from companion.message import Sentence
from companion.odds.belief import Evidence
from companion.odds.styles import Belief, learned
from companion.table.archive import Archive, Scholar
from companion.table.messages import LuckIs, NoOdds, OddsAre
from companion.table.robots import Chooser


class Oracle(Chooser, Scholar, Protocol):
    """Background computation of odds: gets the newest position, answers by message, and blocks no thread."""

    def ask(self, match: int, seq: int, race: Race, belief: Belief) -> None:
        """Compute the chances at this public position, with this belief about the seats.

        An older request is dropped.
        """


class Chances:
    """The analysis of the match on the table. Runs in the table's thread."""

    def __init__(self) -> None:
        self.oracle: Oracle | None = None
        self.odds: tuple[OddsAre, ...] = ()  # one per moment of the match, the newest last
        self.why_none: Sentence | None = None  # why there are no odds
        self._before: tuple[Evidence, ...] = ()  # the match's people in former games, once that is asked for
        self._luck: LuckIs | None = None
        self._evening: tuple[int, int, Evening | None] | None = None  # of which match, at which entry

    def clear(self) -> None:
        """Drop the odds: another match is on the table, or none."""
        self.odds = ()

    def none(self, message: NoOdds) -> None:
        """Note that there will be no odds for now, or no more at all."""
        self.why_none = message.why
        if not message.for_now:
            self.oracle = None

    def again(self) -> None:
        """Note that the odds are computed again."""
        self.why_none = None

    def odds_are(self, message: OddsAre, match: Match | None) -> None:
        """Store the chances, unless they are of a match that was on the table before."""
        if match is not None and message.match == match.id:
            self.odds = (*(odds for odds in self.odds if odds.seq < message.seq), message)

    def luck_is(self, message: LuckIs) -> None:
        """Store the luck analysis, perhaps of a match that was on the table before."""
        self._luck = message

    def luck(self, match: Match | None) -> LuckIs | None:
        """Return luck against choice in the current state of this match; None: unknown."""
        analysis = self._luck
        return analysis if analysis and match and analysis[:2] == (match.id, match.seq) else None

    def look_back(self, match: Match | None, archive: Archive) -> None:
        """Update the evening of a finished match: a finding has arrived, perhaps the last missing one."""
        if match is not None and match.finished:
            self._evening = (match.id, match.seq, archive.evening(match.id))

    def evening(self, match: Match | None) -> Evening | None:
        """Return the current state of this match as headline and badges need it; None: not fully analysed."""
        known = self._evening
        return known[2] if known and match and known[:2] == (match.id, match.seq) else None

    def ask(self, was: Match | None, match: Match | None, archive: Archive) -> bool:
        """Request the odds if the match has changed; return True if it is finished and may be reviewed."""
        if self.oracle is None or match is None or (was is not None and match.seq == was.seq):
            return False
        if was is None or was.id != match.id or not self._before:
            self._before = (archive.played_before(match),)
        belief = learned(match.positions(), prior=self._before[0], bots=match.bots)
        self.oracle.ask(match.id, match.seq, match.race.seen_by(None), belief)
        if match.finished:
            self.oracle.explain(match.id, match.seq, match.opening, match.decisions())
        return match.finished
