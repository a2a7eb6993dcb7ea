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
    """Whoever does the thinking: asked about the newest position, answers by message, blocks nobody."""

    def ask(self, match: int, seq: int, race: Race, belief: Belief) -> None:
        """Work out the chances at this public position, if so much is believed of the seats.

        An older question is forgotten.
        """


class Chances:
    """What was worked out for the match on the table. Runs in the table's thread."""

    def __init__(self) -> None:
        self.oracle: Oracle | None = None
        self.odds: tuple[OddsAre, ...] = ()  # one per moment of the match, the newest last
        self.why_none: Sentence | None = None  # why there are no odds
        self._before: tuple[Evidence, ...] = ()  # the match's people in former games, once that is asked for
        self._luck: LuckIs | None = None
        self._evening: tuple[int, int, Evening | None] | None = None  # of which match, at which entry

    def clear(self) -> None:
        """Another match lies on the table, or none."""
        self.odds = ()

    def none(self, message: NoOdds) -> None:
        """There will be no more odds."""
        self.why_none, self.oracle = message.why, None

    def odds_are(self, message: OddsAre, match: Match | None) -> None:
        """Chances were worked out, perhaps of a match that was on the table before."""
        if match is not None and message.match == match.id:
            self.odds = (*(odds for odds in self.odds if odds.seq < message.seq), message)

    def luck_is(self, message: LuckIs) -> None:
        """Luck was told from choice, perhaps in a match that was on the table before."""
        self._luck = message

    def luck(self, match: Match | None) -> LuckIs | None:
        """Luck against choice in this match as it stands; None: not known."""
        told = self._luck
        return told if told and match and told[:2] == (match.id, match.seq) else None

    def look_back(self, match: Match | None, archive: Archive) -> None:
        """Something was worked out about a game that is over, perhaps the last of what this match lacked."""
        if match is not None and match.finished:
            self._evening = (match.id, match.seq, archive.evening(match.id))

    def evening(self, match: Match | None) -> Evening | None:
        """This match as it stands, as headline and badges look at it; None: not all is worked out."""
        known = self._evening
        return known[2] if known and match and known[:2] == (match.id, match.seq) else None

    def ask(self, was: Match | None, match: Match | None, archive: Archive) -> bool:
        """Ask for the odds, if the match has changed; whether it is finished and may be looked back on."""
        if self.oracle is None or match is None or (was is not None and match.seq == was.seq):
            return False
        if was is None or was.id != match.id or not self._before:
            self._before = (archive.played_before(match),)
        belief = learned(match.positions(), prior=self._before[0], bots=match.bots)
        self.oracle.ask(match.id, match.seq, match.race.seen_by(None), belief)
        if match.finished:
            self.oracle.explain(match.id, match.seq, match.opening, match.decisions())
        return match.finished
