"""A match: the fold of its journal entries, a value like the positions in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import assert_never

from companion.games.race import Race
from companion.games.terms import Decision, News, Place
from companion.match.entries import By, Entry, EntryKind, Filed
from companion.match.record import Header, decision_of
from companion.match.secrecy import still_sealed
from companion.match.turn import Change, InForce, Trusted, Turn


@dataclass(frozen=True)
class Match:
    """Everything about a match that follows from its entries. `after(entry)` is the next one."""

    id: int
    header: Header
    deal: str
    colours: tuple[str, ...]
    opening: Race
    turns: tuple[Turn, ...] = ()
    changes: tuple[Change, ...] = ()
    undone: tuple[InForce, ...] = ()  # states that redo returns to, the next one last
    before: Mapping[str, Place] | None = None  # the layout before the last change; None: nothing stood yet
    trusted: Mapping[str, Trusted] | None = None
    last: EntryKind = "new"
    seq: int = 0
    undone_at: int = 0
    undos: int = 0  # number of undos
    due_since: tuple[int, ...] = ()  # by seat: the entry since which its own `next` is unchanged
    any_due_since: int = 0
    bots: tuple[str, ...] = ()  # by seat: the strength of the bot that plays it; "" for a person

    @classmethod
    def of(cls, filed: Filed, entries: Iterable[Entry]) -> Match:
        """Return the match of these entries."""
        opening = filed.opening()
        seats = len(opening.seats)
        start = cls(
            filed.id,
            filed.header,
            filed.deal,
            filed.colours,
            opening,
            due_since=(0,) * seats,
            bots=filed.bots or ("",) * seats,
        )
        return reduce(cls.after, entries, start)

    @property
    def race(self) -> Race:
        """The position now."""
        return self.turns[-1].race if self.turns else self.opening

    @property
    def finished(self) -> bool:
        """True if the game has ended."""
        return self.race.awaits() is None

    def after(self, entry: Entry) -> Match:
        """Return the match after one more entry, which is assumed to be legal: it was judged before it was
        written.
        """
        return replace(self._following(entry), last=entry.kind, seq=entry.seq)._with_due(self.race, entry)

    def _following(self, entry: Entry) -> Match:
        match entry.kind:
            case "new" | "aside" | "end":
                return self
            case "resume":
                return replace(self, before=None, trusted=None)  # the table is to be set up again, whole
            case "trust":
                return self._after_trust(entry)
            case "decide":
                return self._after_decide(entry)
            case "change":
                return self._after_change(entry)
            case "undo":
                return self._after_undo(entry)
            case "redo":
                return self._at(self.undone[-1], entry, self.undone[:-1])
            case never:
                assert_never(never)

    def _after_trust(self, entry: Entry) -> Match:
        piece = entry.line["piece"]
        ignored = Trusted(entry.line["seen"], self.race.layout()[piece], entry.seq)
        return replace(self, trusted={**(self.trusted or {}), piece: ignored})

    def _after_decide(self, entry: Entry) -> Match:
        decision = decision_of(self.opening, entry.line)
        secret = self.race.sealed(decision) is not None
        turn = Turn(decision, self.race.after(decision), entry.uids, entry.by, entry.seq, secret)
        before = {"companion": self.before, "pieces": turn.race.layout()}.get(entry.by, self.race.layout())
        return replace(self, turns=(*self.turns, turn), undone=(), before=before)

    def _after_change(self, entry: Entry) -> Match:
        """Replace or (null) drop a decision, and make the first `kept` of the later ones again."""
        index = self.place_of(entry.line["entry"])
        assert index is not None
        was, turns = self.turns[index], self.turns[:index]
        rest = [(turn.decision, turn) for turn in self.turns[index + 1 : index + 1 + entry.line["kept"]]]
        if entry.line["decision"] is not None:
            decision = decision_of(self.opening, entry.line["decision"])
            rest.insert(0, (decision, replace(was, uids=(), by="person")))
        race = self.position(index)
        for decision, turn in rest:
            secret, race = race.sealed(decision) is not None, race.after(decision)
            turns += (replace(turn, decision=decision, race=race, secret=secret),)
        return replace(
            self,
            turns=turns,
            changes=(*self.changes, Change(was, self.turns, len(turns))),
            undone=(),
            before=self.race.layout(),
            undone_at=entry.seq,
        )

    def _after_undo(self, entry: Entry) -> Match:
        earlier = self.before_last()
        assert earlier is not None
        now = InForce(self.turns, self.changes)
        return replace(self._at(earlier, entry, (*self.undone, now)), undos=self.undos + 1)

    def _at(self, moment: InForce, entry: Entry, undone: tuple[InForce, ...]) -> Match:
        return replace(
            self,
            turns=moment.turns,
            changes=moment.changes,
            undone=undone,
            before=self.race.layout(),
            undone_at=entry.seq,
        )

    @cached_property
    def sealed(self) -> frozenset[int]:
        """Indices of the decisions in force that are still secret."""
        return frozenset() if self.finished else still_sealed(self.opening, self.turns)

    def place_of(self, seq: int) -> int | None:
        """Return the index, from 0, of the decision in force that this entry made; None if there is none."""
        return next((index for index, turn in enumerate(self.turns) if turn.seq == seq), None)

    def positions(self) -> list[Race]:
        """Return the position before the first decision in force, and that after each of them."""
        return [self.opening, *(turn.race for turn in self.turns)]

    def position(self, index: int) -> Race:
        """Return the position in which decision number `index`, from 0, was made."""
        return self.turns[index - 1].race if index else self.opening

    def before_last(self) -> InForce | None:
        """Return the decisions in force before the last action of people; None if there was none."""
        group = self.last_group()
        if self.takes_change_back():
            return InForce(self.changes[-1].former, self.changes[:-1])
        return InForce(self.turns[: -len(group)], self.changes) if group else None

    def takes_change_back(self) -> bool:
        """Return whether the last action of people was to change an earlier decision."""
        group = self.last_group()
        last = len(self.turns) - len(group) if group else -1
        return bool(self.changes) and last < self.changes[-1].left

    def last_group(self) -> tuple[Turn, ...]:
        """Return the last decision that a person or a tag made, with all automatic ones after it."""
        return self._since_last(("companion", "bot"))

    def last_played(self) -> tuple[Turn, ...]:
        """Return the last decision of a seat, with the companion's deals after it."""
        return self._since_last(("companion",))

    def _since_last(self, following: Sequence[By]) -> tuple[Turn, ...]:
        for index in range(len(self.turns) - 1, -1, -1):
            if self.turns[index].by not in following:
                return self.turns[index:]
        return ()

    def bot_due(self) -> int | None:
        """Return the first seat that owes a decision and is played by a bot; None while people take things
        back.
        """
        due = self.race.awaits()
        if due is None or self.undone:
            return None
        return next((seat for seat in due.seats if self.bots[seat]), None)

    def _with_due(self, race: Race, entry: Entry) -> Match:
        """Note for every seat whether its due decision has changed, or been made, by this entry."""
        was, now = race.awaits(), self.race.awaits()
        done_by = entry.line.get("seat") if entry.kind == "decide" else None
        begins = entry.kind in ("new", "resume")  # before it the table showed another game
        due_since = list(self.due_since)
        for seat in range(len(due_since)):
            owed = was.do if was and seat in was.seats else None
            owes = now.do if now and seat in now.seats else None
            if begins or done_by == seat or owed != owes:
                due_since[seat] = entry.seq
        any_due_since = entry.seq if begins or was != now or done_by is not None else self.any_due_since
        return replace(self, due_since=tuple(due_since), any_due_since=any_due_since)

    def late(self, decision: Decision, seq: int) -> bool:
        """Return whether a player who last saw entry `seq` decides about something that has changed since."""
        if seq < self.undone_at:
            return True
        if decision.seat is None or not 0 <= decision.seat < len(self.due_since):
            return seq < self.any_due_since
        return seq < self.due_since[decision.seat]

    def happened(self, seat: int | None) -> list[News]:
        """Return the news of the last entry, as far as this seat (None: the public) may know it."""
        if self.last == "undo" and self.undone:
            return [News("undone")]
        if self.last == "change":
            return [News("changed")]
        return [news for turn in self.last_played() for news in turn.race.seen_by(seat).news]

    def spent(self, uid: str) -> bool:
        """Return whether this card was laid already and has not come back yet."""
        back = self.race.cards_back()
        if back is None:
            return False
        return any(
            uid in turn.uids and self.position(index).cards_back() == back
            for index, turn in enumerate(self.turns)
        )

    def private(self) -> bool:
        """Return whether the due decision is made out of others' sight: a sealed bet, or a card of a dealt
        hand.
        """
        due = self.race.awaits()
        return due is not None and self.hides(due.do)

    def hides(self, do: str) -> bool:
        """Return whether decisions of this kind are hidden from the other players."""
        return do in self.race.private or (self.deal == "companion" and do in self.race.from_hand)

    def decisions(self) -> list[Decision]:
        """Return the decisions in force, for the record."""
        return [turn.decision for turn in self.turns]
