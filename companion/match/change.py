"""Changing an earlier decision: which changes are possible, and how many later decisions still fit.

The answers reveal only public facts: a decision that is still sealed cannot be changed, and one that was
sealed after the changed decision is always made again, unless everything looked the same to everybody then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from companion.games.judge import reason_against
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.entries import Entry
from companion.match.match import Match
from companion.match.record import decision_line
from companion.match.turn import Turn
from companion.message import N_, Sentence


class ChangeResult(NamedTuple):
    """The result of a change: how many of the later decisions fit, and the first that does not."""

    was: Match
    entry: Entry
    match: Match
    fits: int
    of: int
    breaks: Turn | None = None
    reason: Sentence | None = None

    def illegal_reason(self) -> Sentence | None:
        """Return why this change is impossible, judged by its result; None if it is possible."""
        left_out = self.entry.line["decision"] is None
        if left_out and self.reason is not None:
            return Sentence(_CANNOT_BE_OUT, {"news": self.reason})
        left = len(self.match.turns)
        return None if {n for n in self.was.sealed if n < left} <= self.match.sealed else Sentence(_OPENS)


def turn_sentence(turn: Turn, secret: bool) -> Sentence:
    """Return a decision in public words; of a secret one only that it was made."""
    do, seat, what = turn.decision
    if do == "play" and not secret:
        return Sentence(_PLAYED, {"seat": seat, "card": what})
    news = next(iter(turn.race.seen_by(None).news), None)
    return Sentence("{kind}", {"kind": do}) if news is None else presented(turn.race).sentence(news)


def illegal_reason(match: Match, index: int, decision: Decision | None) -> Sentence | None:
    """Return why decision number `index` cannot become this one (None: be taken out); None if it can."""
    reason = closed_reason(match, index)
    if reason is not None or decision is None:
        return reason
    was = match.turns[index].decision
    if decision[:2] != was[:2]:
        return Sentence(_OTHER_KIND)
    return Sentence(_AS_IT_IS) if decision == was else reason_against(match.position(index), decision)


def closed_reason(match: Match, index: int) -> Sentence | None:
    """Return why decision number `index` cannot be changed at all; None if it can."""
    turn = match.turns[index]
    do, seat, _ = turn.decision
    if turn.by == "companion":
        return Sentence(_DEALT)
    if turn.by == "bot":
        return Sentence(_A_BOT, {"seat": _maker(match.position(index), seat)})
    if match.deal == "companion" and do in match.race.from_hand:
        return Sentence(_FROM_HAND)
    if index in match.sealed:
        return Sentence(_SEALED)
    return Sentence(_FROM_HAND) if _narrowed(match.position(index), seat) else None


def _maker(race: Race, named: int | None) -> int | None:
    """Return the seat that a decision names; if it names none, such as a ranking, the one that owed it."""
    due = race.awaits()
    return due.seats[0] if named is None and due and due.seats else named


def _narrowed(race: Race, seat: int | None) -> bool:
    """Return whether the companion knows of cards that this seat cannot play, and the public does not."""
    known, public = race.decisions(seat), race.seen_by(None).decisions(seat)
    listed = isinstance(known, Sequence) and isinstance(public, Sequence)
    return listed and set(known) != set(public)


def replay_change(match: Match, index: int, decision: Decision | None) -> ChangeResult:
    """Replay the later decisions after a legal change, up to the first decision that no longer fits."""
    race = match.position(index) if decision is None else match.position(index).after(decision)
    rest = match.turns[index + 1 :]
    fitting, reason = 0, None
    for number, turn in enumerate(rest, index + 1):
        anew = number in match.sealed and race.seen_by(None) != match.position(number).seen_by(None)
        reason = Sentence(_MADE_ANEW) if anew else reason_against(race, turn.decision)
        if reason is not None:
            break
        race, fitting = race.after(turn.decision), fitting + 1
    line = None if decision is None else decision_line(race, decision)
    entry = Entry("change", {"entry": match.turns[index].seq, "decision": line, "kept": fitting})
    breaks = rest[fitting] if reason is not None else None
    return ChangeResult(match, entry, match.after(entry), _made(rest[:fitting]), _made(rest), breaks, reason)


def _made(turns: Iterable[Turn]) -> int:
    """Return how many of these are decisions of a seat, not the companion's deals."""
    return sum(turn.by != "companion" for turn in turns)


def taken_back(match: Match, entry: int | None = None) -> tuple[Match, int]:
    """Undo until the decision of `entry` (None: the last) is out; return the match and the number
    of undos.
    """
    undos = 0
    while match.before_last() is not None and (match.place_of(entry) is not None if entry else not undos):
        match, undos = match.after(Entry("undo", seq=match.seq)), undos + 1
    return match, undos


def out_of_force(was: Match, now: Match) -> Iterator[Turn]:
    """Return the decisions of seats that are in force in `was` and not in `now`, the newest first."""
    fitting = {(turn.seq, repr(turn.decision)) for turn in now.turns}
    return (
        turn
        for turn in reversed(was.turns)
        if turn.by != "companion" and (turn.seq, repr(turn.decision)) not in fitting
    )


_PLAYED = N_("{seat} played {card}")
_DEALT = N_("the cards were dealt by the companion: take the deal back instead")
_A_BOT = N_("{seat} is played by the companion: take its decision back instead, and it decides anew")
_FROM_HAND = N_("what else could have been decided there is secret: take it back instead")
_SEALED = N_("this is still sealed: take it back instead, and it is decided anew")
_MADE_ANEW = N_("it is still sealed, so it is decided anew")
_CANNOT_BE_OUT = N_("it cannot be left out, for then the next one would not fit: {news}")
_OPENS = N_("this would open what is still sealed: take back to there instead, and play on")
_OTHER_KIND = N_("a decision becomes another of the same seat and the same kind")
_AS_IT_IS = N_("that is what was decided")
