"""Matches that are over: review, rename, forget, and export as records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from companion import games
from companion.errors import ConflictError, NotFoundError, validation_error
from companion.games.race import Race
from companion.games.terms import Decision
from companion.history import past as history
from companion.history.evening import Evening, evening_of
from companion.history.past import LONGEST_TITLE, Past
from companion.match.entries import Filed
from companion.match.match import Match
from companion.match.record import CLOCK_NOT_SET, written
from companion.match.secrecy import never_secret
from companion.message import N_, Sentence
from companion.odds.belief import Evidence, remembered
from companion.odds.luck_summary import luck_to_journal
from companion.odds.styles import Belief, along, evidence
from companion.store.journal import Journal
from companion.table.messages import LuckIs, OddsWere
from companion.table.names import check_name

PLAYED_OUT = ("finished", "played")
RECENT = 5  # games by which a person's style is known
REMEMBERED = 500  # latest games of a kind in which a person is looked for
ASK_AGAIN = 30.0  # seconds after which missing findings of a match that is over are requested again


class Scholar(Protocol):
    """Background analysis of matches that does not block the table; answers with messages."""

    def explain(self, match: int, seq: int, opening: Race, decisions: Sequence[Decision]) -> None:
        """Separate luck from choice in this finished game; an older request is dropped."""

    def review(self, match: int, seq: int, views: Sequence[tuple[int, Race, Belief]]) -> None:
        """Compute the chances at all these public positions of a match that is over, for its history.

        Each position comes with its entry and the belief about the seats at that time.
        """


class Archive:
    """The matches in the journal that are over. Runs in the table's thread."""

    def __init__(
        self, journal: Journal, clock: Callable[[], float], remembers: Callable[[], bool] = lambda: False
    ) -> None:
        """Read matches from `journal`; `remembers` is True if play may be remembered by name."""
        self._journal, self._clock, self.remembers = journal, clock, remembers
        self.scholar: Scholar | None = None  # None: missing findings stay missing
        self._requested_at: dict[tuple[int, int], float] = {}  # by match and its last entry
        self._last_read: tuple[int, int, Match] | None = None  # the last one that was read

    def over(
        self, most: int | None = None, before: int | None = None, game: str | None = None
    ) -> list[Filed]:
        """Return matches that are over, the newest first: at most so many, of those `before` this number, and
        of this game. Those of a game that is not installed, as of a plug-in, are left out.
        """
        return self._journal.matches(history.OVER, _kinds(game), before, most)

    def going_on(self, game: str | None = None) -> list[Filed]:
        """Return matches that go on or were set aside, in the same way."""
        return self._journal.matches(("running", "aside"), _kinds(game))

    def past(self, number: int) -> Past:
        """Return a match that is over, with public information only.

        ConflictError while it goes on, or if there is none.
        """
        filed = self._over(number)
        known, last = self._last_read, self._journal.last_decision(number)
        if known is None or known[:2] != (number, last):
            match = history.in_public(self._match(filed))
            known = self._last_read = (number, last, match)
        odds, luck = (self._journal.findings(number, what, last) for what in ("odds", "luck"))
        return history.past(filed, known[2], last, odds, luck.get(0))

    def look_back(self, number: int, on_table: int | None = None) -> Past:
        """Return a match that is over, and request its missing odds and luck from the scholar.

        Luck of the match that is still `on_table` is requested elsewhere.
        """
        past = self.past(number)
        back = (number, past.last)
        if self.scholar is None or self._clock() - self._requested_at.get(back, -ASK_AGAIN) < ASK_AGAIN:
            return past
        positions, prior = past.match.positions(), self.played_before(past.match)
        beliefs = along(positions, prior=prior, bots=past.match.bots)
        known = zip(past.moments, beliefs, past.odds, strict=True)
        missing = [(moment.seq, moment.race, belief) for moment, belief, wins in known if wins is None]
        if missing:
            self._requested_at[back] = self._clock()
            self.scholar.review(*back, missing)
        if past.luck is None and not past.ended and number != on_table:
            self._requested_at[back] = self._clock()
            match = self._match(self._journal.match(number))
            self.scholar.explain(number, match.seq, match.opening, match.decisions())
        return past

    def played_before(self, match: Match) -> Evidence:
        """Return the evidence of former games about the styles of this match's people; () if none may be
        used.

        People are recognised by name and in this game only; robots are not.
        """
        if not self.remembers() or not (unseen := evidence(match.positions()[:1])):
            return ()
        known = [list[Sequence[float]]() for _ in unseen]
        for filed in self._journal.matches(PLAYED_OUT, (match.header.game,), match.id, REMEMBERED):
            self._recognise(filed, match, known)
        return tuple(
            remembered(games) if games else nothing for games, nothing in zip(known, unseen, strict=True)
        )

    def _recognise(self, filed: Filed, match: Match, known: Sequence[list[Sequence[float]]]) -> None:
        """Add the evidence of this former match about people who play now, up to `RECENT` games each."""
        bots = filed.bots or ("",) * len(filed.header.seats)
        people = {name: then for then, name in enumerate(filed.header.seats) if not bots[then]}
        seats = [
            (seat, people[name])
            for seat, name in enumerate(match.header.seats)
            if name in people and not match.bots[seat] and len(known[seat]) < RECENT
        ]
        if seats:
            evidence_by_seat = self._styles(filed)
            for seat, then in seats:
                known[seat].append(evidence_by_seat[then])

    def _styles(self, filed: Filed) -> Evidence:
        """Return the evidence of a match played to its end about each seat's style; computed once, then
        stored.
        """
        last = self._journal.last_decision(filed.id)
        stored = self._journal.findings(filed.id, "styles", last)
        if 0 not in stored:
            stored = {0: evidence(self._match(filed).positions())}
            self._journal.store_findings(filed.id, "styles", last, stored)
        return tuple(map(tuple, stored[0]))

    def evening(self, number: int) -> Evening | None:
        """Return a match as headline and badges need it; None while it goes on, or is not fully analysed."""
        with suppress(ConflictError):
            return evening_of(self.past(number))
        return None

    def with_open_cards(self, number: int, moment: int) -> Race | None:
        """Return a match at this moment with all cards open; None if it was not played to its end."""
        if self.past(number).ended:
            return None
        return history.with_open_cards(self._match(self._journal.match(number)), moment)

    def odds_were(self, message: OddsWere) -> None:
        """Store the odds of past moments."""
        back = (message.match, message.seq)
        if back in self._requested_at:
            self._requested_at[back] = self._clock()  # it is being worked on
        self._store(*back, "odds", {seq: history.wins_of(odds) for seq, odds in message.chances.items()})

    def luck_is(self, message: LuckIs) -> None:
        """Store the analysis of luck and choice."""
        self._store(message.match, message.seq, "luck", {0: luck_to_journal(message)})

    def _store(self, match: int, seq: int, what: str, values: Mapping[int, Any]) -> None:
        """Store a finding about a match, unless the match was forgotten or has gone on since entry `seq`."""
        with suppress(ConflictError):
            end = self.past(match).last
            if seq >= end:
                self._journal.store_findings(match, what, end, values)

    def rename(self, number: int, name: str) -> None:
        """Give a match that is over this title, "" for none. ValidationError if it is too long."""
        name = " ".join(name.split())
        if len(name) > LONGEST_TITLE:
            raise validation_error(_NAME_TOO_LONG, high=LONGEST_TITLE)
        check_name(name, LONGEST_TITLE)
        self._over(number)
        self._journal.name_match(number, name)

    def forget(self, number: int) -> None:
        """Delete a match that is over from the journal for good; ConflictError if it is not over."""
        self._over(number)
        self._last_read = None
        self._journal.forget(number)

    def record(self, number: int) -> str:
        """Return the record of a match that is over; ConflictError while it runs or is set aside.

        The record of a match that was ended early has what `never_secret` lets out, and is the same for any
        hidden cards.
        """
        filed = self._filed(number)
        if filed.state in ("running", "aside"):
            raise ConflictError("running", Sentence(_RECORD_LATER))
        match = self._match(filed)
        decisions = match.decisions()
        decisions = never_secret(match.opening, decisions) if filed.state == "ended" else decisions
        return written(filed.header, decisions, CLOCK_NOT_SET if self._journal.is_undated(number) else None)

    def _match(self, filed: Filed) -> Match:
        return Match.of(filed, self._journal.entries(filed.id))

    def _over(self, number: int) -> Filed:
        """Return a match that is over; ConflictError for any other, of which only the table may be seen."""
        filed = self._filed(number)
        if filed.state not in history.OVER:
            raise ConflictError("running", Sentence(_STILL_GOING_ON))
        return filed

    def _filed(self, number: int) -> Filed:
        try:
            return self._journal.match(number)
        except KeyError:
            raise NotFoundError("unknown", Sentence(NO_SUCH_MATCH)) from None


def _kinds(game: str | None) -> Collection[str]:
    """Return the games that are shown: this one, or all that are installed."""
    installed = games.all_games()
    return [name for name in installed if game in (None, name)] or [""]


NO_SUCH_MATCH = N_("there is no such game")
_RECORD_LATER = N_("the record of a game is given out when it has ended")
_STILL_GOING_ON = N_("this game is still going on: look back on it when it is over")
_NAME_TOO_LONG = N_("a game's name has at most {high} letters")
