"""The state of the table, and the loop that runs what its steps ask for. Written first, then in force."""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import assert_never

from companion import games
from companion.bots import players as bots
from companion.errors import ConflictError, InvalidInput, NotFoundError
from companion.games.terms import Decision
from companion.match.entries import By, Entry, MatchState
from companion.match.match import Match
from companion.match.record import Header, decision_line, standings
from companion.message import N_, Sentence
from companion.referee.pad import Pad
from companion.referee.sensors import Sensors
from companion.store.journal import Journal
from companion.table.archive import NO_SUCH_MATCH
from companion.table.names import LONGEST_SEAT, check_name
from companion.table.robots import Chooser, think
from companion.table.step import Decide, Evaluate, Event, State, Think, Written, step
from companion.table.tutorial import Tutorial

log = logging.getLogger(__name__)

_JUDGED = ("decide", "change", "undo", "redo")  # kinds of entries after which the pieces may stand elsewhere


class Ledger:
    """The state of the table, and its match in the journal. Runs in the table's thread.

    `chooser` decides for the bots; None: they decide here and now.
    """

    def __init__(self, journal: Journal, tutorial: Tutorial, dealer: random.Random) -> None:
        """Notify `tutorial` of decisions; `dealer` deals for the companion."""
        self._journal, self._tutorial, self._dealer = journal, tutorial, dealer
        self.state = State()
        self.chooser: Chooser | None = None

    def take(self, message: Event, now: float) -> None:
        """Take in a message and run the effects that follow, with the messages that these cause.

        sqlite3.Error if a decision cannot be written; it is not in force then.
        """
        self.state, effects = step(self.state, message, now)
        for effect in effects:
            match effect:
                case Decide():
                    self.decide(*effect)
                    self.take(Evaluate(), now)
                case Think():
                    choice = think(self.running(), self._dealer.getrandbits(62), self.chooser)
                    if choice is not None:
                        self.take(choice, now)
                case _:
                    assert_never(effect)

    def open(self) -> None:
        """Load the match that was on the table when the companion stopped, and the tags that caused its
        decisions: they are not processed again.

        A match of a game that is not installed, as of a broken plug-in, stays in the journal until it is.
        """
        pad = Pad(processed=self._journal.recent_tags())
        self.state = replace(self.state, sensors=Sensors(pad))
        filed = self._journal.current()
        if filed is not None and filed.header.game not in games.all_games():
            log.warning(
                "the match of %s waits: no such game is installed, or its plug-in is broken",
                filed.header.game,
            )
            filed = None
        match = Match.of(filed, self._journal.entries(filed.id)) if filed else None
        self.take(Written(match, decided=False), self.state.now)
        self._tutorial.put_on_table(match)

    def running(self) -> Match:
        """Return the match on the table; ConflictError if there is none."""
        if self.state.match is None:
            raise ConflictError("no-match", Sentence(_NO_MATCH))
        return self.state.match

    def current(self, seq: int) -> Match:
        """Return the match on the table, for a caller that knows its present state.

        ConflictError if the caller knows an older one.
        """
        match = self.running()
        self.check_known(seq)
        if seq != self._journal.seq():
            raise ConflictError("late", Sentence(LATE))
        return match

    def check_known(self, seq: int) -> None:
        """Raise InvalidInput if no entry has this number yet."""
        if seq > self._journal.seq():
            raise InvalidInput(f"seq {seq} is not known yet")

    def decide(self, decision: Decision, by: By, uids: tuple[str, ...] = ()) -> None:
        """Enter a decision, which the rules allow; `uids` are the tags that caused it."""
        line = decision_line(self.running().race, decision)
        self.enter([Entry("decide", line, uids, by)], uids)

    def enter(
        self, entries: list[Entry], uids: tuple[str, ...] = (), state: MatchState | None = None
    ) -> None:
        """Write entries, with those that the companion adds itself, and then apply them."""
        match = reduce(Match.after, entries, self.running())
        while (deal := self._dealt(match)) is not None:
            entry = Entry("decide", decision_line(match.race, deal), by="companion")
            entries = [*entries, entry]
            match = match.after(entry)
        state = state or ("finished" if match.finished else "running")
        written_down = self._journal.append(match.id, entries, state, standings(match.race))
        by_people = any(entry.kind == "decide" and entry.by not in ("bot", "companion") for entry in entries)
        before, now = self.running(), reduce(Match.after, written_down, self.running())
        decided = any(entry.kind in _JUDGED for entry in entries)
        self.take(Written(now, decided, uids), self.state.now)
        self._tutorial.decided(by_people, before, now)

    def _dealt(self, match: Match) -> Decision | None:
        """Return the due deal, if any: the companion's, or that of people, who hide the cards themselves."""
        return match.race.dealt_unseen() if match.deal == "people" else match.race.drawn(self._dealer)

    def put(self, match: Match | None) -> None:
        """Put another match on the table; None: clear it."""
        self.take(Written(match), self.state.now)
        self._tutorial.put_on_table(match)

    def begin(
        self,
        header: Header,
        deal: str,
        colours: Sequence[str],
        nicknames: Mapping[str, str],
        played_by: Sequence[str],
    ) -> Match:
        """Put a new match on the table and return it; InvalidInput if it is invalid, ConflictError if one
        runs.
        """
        race = header.opening().known_as(colours, nicknames)
        for name in (*header.seats, *nicknames.values()):
            check_name(name, LONGEST_SEAT)
        bots.check_seats(race, deal, played_by)
        self._check_free()
        owned = race.field() if race.owned else ()
        filed, seq = self._journal.begin(header, deal, owned, race.nicknames, played_by)
        self.put(Match.of(filed, [Entry("new", seq=seq)]))
        self.enter([])
        return self.running()

    def set_aside(self, seq: int) -> None:
        """Put the match away until another day; ConflictError if it is finished."""
        self._unfinished(self.current(seq))
        self.enter([Entry("aside")], state="aside")
        self.put(None)

    def resume(self, number: int) -> None:
        """Bring a match that was set aside back to the table.

        ConflictError with the reason if that is impossible.
        """
        self._check_free()
        try:
            filed = self._journal.match(number)
        except KeyError:
            raise NotFoundError("unknown", Sentence(NO_SUCH_MATCH)) from None
        if filed.state != "aside":
            raise ConflictError("not-aside", Sentence(_NOT_ASIDE))
        match = Match.of(filed, self._journal.entries(number))
        [entry] = self._journal.append(number, [Entry("resume")], "running", standings(match.race))
        self.put(match.after(entry))

    def end(self, seq: int) -> int:
        """End the match for good in its current state, and return its number."""
        number = self.current(seq).id
        self.enter([Entry("end")], state="ended")
        self.put(None)
        return number

    def rename_seat(self, seat: int, name: str) -> str:
        """Rename a seat of the match, also in its past entries, and return its former name.

        ConflictError if the match is finished; ValidationError for an invalid name; NotFoundError if there is
        no such seat.
        """
        match = self._unfinished(self.running())
        names = list(match.header.seats)
        if not 0 <= seat < len(names):
            raise NotFoundError("unknown", Sentence(N_("there is no such seat")))
        check_name(name, LONGEST_SEAT)
        was, names[seat] = names[seat], name
        header = replace(match.header, seats=tuple(names))
        header.opening()
        self._journal.name_seats(match.id, header)
        renamed = Match.of(self._journal.match(match.id), self._journal.entries(match.id))
        self.take(Written(renamed, decided=False), self.state.now)
        return was

    def _check_free(self) -> None:
        if self.state.match is not None and not self.state.match.finished:
            raise ConflictError("running", Sentence(_ALREADY_RUNNING))

    def _unfinished(self, match: Match) -> Match:
        if match.finished:
            raise ConflictError("finished", Sentence(_IS_FINISHED))
        return match


LATE = N_("the table has changed meanwhile: look again, then decide")
_NO_MATCH = N_("no game is running: start one on the host page")
_ALREADY_RUNNING = N_("a game is running: set it aside or end it first")
_IS_FINISHED = N_("the game is finished")
_NOT_ASIDE = N_("only a game that was set aside can be resumed")
