"""Commands for the match on the table: decide, take back, change, confirm, trust."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from companion.errors import ConflictError
from companion.games.judge import reason_against
from companion.match.change import ChangeResult, illegal_reason, replay_change, taken_back
from companion.match.entries import Entry
from companion.match.match import Match
from companion.match.record import decision_line, decision_of
from companion.message import N_, Sentence
from companion.referee.evaluation import Evaluation
from companion.table.journal_watch import JournalWatch
from companion.table.ledger import LATE, Ledger
from companion.table.step import CardTakenBack, Dismissed
from companion.table.tutorial import Tutorial


class Play:
    """Commands, each executed or ConflictError with the reason. Runs in the table's thread.

    `seq` is the journal's last entry that the caller has seen.
    """

    def __init__(
        self,
        ledger: Ledger,
        tutorial: Tutorial,
        watch: JournalWatch,
        clock: Callable[[], float],
        evaluate: Callable[[], None],
    ) -> None:
        """Call `evaluate` after every executed command."""
        self._ledger, self._tutorial, self._watch = ledger, tutorial, watch
        self._clock, self._evaluate = clock, evaluate

    def decide(self, seq: int, line: Mapping[str, Any]) -> None:
        """Enter a decision by tap, from a caller who saw entry `seq`.

        ConflictError with the reason, or InvalidInput.
        """
        match = self._ledger.running()
        decision = decision_of(match.race, line)
        self._ledger.check_known(seq)
        if match.late(decision, seq):
            raise ConflictError("late", Sentence(LATE))
        reason = reason_against(match.race, decision)
        if reason is not None:
            raise ConflictError("illegal", reason)
        self._ledger.decide(decision, "person")
        self._evaluate()

    def undo(self, seq: int, to: int | None = None) -> tuple[Match, Match]:
        """Take back the last card of a set that is being shown, else the last decision; return the match
        before and after.

        `to` is the entry of a decision: take it back with everything after it. ConflictError if there is
        nothing to take back, or the table has changed since `seq`.
        """
        match = self._ledger.current(seq)
        if to is None and self._ledger.state.evaluation.gathered:
            self._ledger.take(CardTakenBack(), self._clock())
            self._evaluate()
            return match, match
        if to is not None and match.place_of(to) is None:
            raise ConflictError("nothing", Sentence(_NOT_IN_FORCE))
        earlier, undos = taken_back(match, to)
        if not undos or (to is not None and earlier.place_of(to) is not None):
            raise ConflictError("nothing", Sentence(_NOTHING_TO_UNDO))
        self._ledger.enter([Entry("undo")] * undos)
        now = self._ledger.running()
        self._evaluate()
        return match, now

    def change(self, seq: int, entry: int, line: Mapping[str, Any] | None, dry: bool = False) -> ChangeResult:
        """Replace an earlier decision by another one, or remove it (None), and replay the rest.

        `dry`: only return the outcome.
        """
        made = _changed(self._ledger.current(seq), entry, line)
        if not dry:
            self._ledger.enter([made.entry])
            self._evaluate()
        return made

    def redo(self, seq: int) -> None:
        """Put back the decision that was taken back last.

        ConflictError if there is none, or the table has changed since `seq`.
        """
        if not self._ledger.current(seq).undone:
            raise ConflictError("nothing", Sentence(_NOTHING_TO_REDO))
        self._ledger.enter([Entry("redo")])
        self._evaluate()

    def confirm(self, seq: int, order: Sequence[str] | None = None) -> None:
        """Accept the line-up that the pieces on the track offer.

        `order` is the line-up that a page has shown: a piece may be moved while its button is touched.
        ConflictError if they offer none, or another one.
        """
        self._ledger.current(seq)
        offer = self._ledger.state.at(self._clock()).evaluation.offer
        if offer is None:
            raise ConflictError("nothing", Sentence(_NOTHING_TO_CONFIRM))
        if order is not None and list(order) != list(offer.decision.what):
            raise ConflictError("late", Sentence(LATE))
        self._ledger.decide(offer.decision, "pieces", offer.uids)
        self._evaluate()

    def trust(self, seq: int, side: str, piece: str) -> None:
        """Agree with one side where the table differs from the expected position; "" is every piece.

        ConflictError if it does not differ.
        """
        match = self._ledger.current(seq)
        shown = self._ledger.state.evaluation
        if side == "app" and not piece:
            self._ignore(shown, {task.piece for task in shown.todo if task.astray})
            return
        fixes = (f for f in shown.fixes if f.side == side and (side == "table" or f.piece == piece))
        fix = next(fixes, None)
        if fix is None:
            raise ConflictError("nothing", Sentence(_NOTHING_TO_TRUST))
        if fix.change == "ignore":
            seen = (shown.seen or {}).get(piece)
            self._ledger.enter([Entry("trust", {"piece": piece, "seen": seen})])
        elif fix.change == "undo":
            self._ledger.enter([Entry("undo")])
        else:
            self._ledger.enter([Entry("undo"), Entry("decide", decision_line(match.race, fix.change))])
        self._evaluate()

    def _ignore(self, shown: Evaluation, astray: Set[str]) -> None:
        """Ignore where these pieces are sensed, until they move."""
        pieces = [fix.piece for fix in shown.fixes if fix.side == "app" and fix.piece in astray]
        if not pieces:
            raise ConflictError("nothing", Sentence(_NOTHING_TO_TRUST))
        seen = shown.seen or {}
        self._ledger.enter([Entry("trust", {"piece": piece, "seen": seen.get(piece)}) for piece in pieces])
        self._evaluate()

    def dismiss(self) -> None:
        """Hide the messages that are shown; ConflictError if there are none.

        A journal whose file is gone is rewritten; sqlite3.Error if that fails.
        """
        of_journal, now = self._watch.dismiss(), self._clock()
        shown = self._ledger.state.at(now).evaluation.alerts
        self._ledger.take(Dismissed(), now)
        if not shown and not of_journal:
            raise ConflictError("nothing", Sentence(_NOTHING_TO_DISMISS))
        self._evaluate()

    def explain(self, on: bool) -> None:
        """Turn the explanations for the game on the table on or off."""
        self._tutorial.turn(self._ledger.running(), on)
        self._evaluate()

    def explained(self, key: str) -> None:
        """Mark an explanation as read, so that it is not given again."""
        self._tutorial.read(self._ledger.running(), key)
        self._evaluate()


def _changed(match: Match, entry: int, line: Mapping[str, Any] | None) -> ChangeResult:
    """Return the outcome of changing the decision of this entry.

    ConflictError with the reason, or InvalidInput.
    """
    at = match.place_of(entry)
    if at is None:
        raise ConflictError("nothing", Sentence(_NOT_IN_FORCE))
    decision = None if line is None else decision_of(match.race, line)
    reason = illegal_reason(match, at, decision)
    if reason is None:
        made = replay_change(match, at, decision)
        reason = made.illegal_reason()
    if reason is not None:
        raise ConflictError("illegal", reason)
    return made


_NOTHING_TO_UNDO = N_("there is nothing to take back")
_NOT_IN_FORCE = N_("that decision is not in force any longer: look again")
_NOTHING_TO_REDO = N_("there is nothing to put back")
_NOTHING_TO_CONFIRM = N_("there is nothing to confirm")
_NOTHING_TO_TRUST = N_("the table and the companion agree there")
_NOTHING_TO_DISMISS = N_("there is no message to take away")
