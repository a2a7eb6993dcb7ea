"""Cards laid one by one that make a decision together."""

from __future__ import annotations

from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import OneOf
from companion.match.match import Match
from companion.message import Sentence
from companion.referee.reports import Attempt, Gathered


class Gathering:
    """The sets of cards that are being shown, with the cards that are on the pad."""

    def __init__(self) -> None:
        self._numbers: dict[OneOf, dict[str, int]] = {}

    def add(self, uid: str, number: int, part: OneOf, race: Race) -> Attempt | Sentence | None:
        """Add a card to a set, or remove it if the set has it already.

        Return the decision that the set makes now, the reason why the card does not fit, or None while cards
        are missing.
        """
        before = self._numbers.get(part, {})
        if uid in before:
            self._numbers[part] = {other: n for other, n in before.items() if other != uid}
            return None
        numbers = before | {uid: number}
        reason = race.misfit(part, tuple(numbers.values()))
        if reason is None and len(numbers) == part.needed:
            decision = part.made(tuple(numbers.values()))
            reason = race.illegal_reason(decision)
            if reason is None:
                return Attempt(decision, tuple(numbers))
        if reason is not None:
            return presented(race).said(reason)
        self._numbers[part] = numbers
        return None

    def due(self, match: Match) -> list[Gathered]:
        """Return the sets that are being shown card by card now."""
        due = match.race.awaits()
        return [
            Gathered(part, numbers)
            for part, numbers in self._numbers.items()
            if numbers and due is not None and due.do == part.do and part.seat in due.seats
        ]

    def take_back(self, match: Match) -> bool:
        """Remove the card that was laid last from the set that is being shown; return False if
        there is none.
        """
        for part, numbers in self.due(match)[-1:]:
            self._numbers[part] = dict(list(numbers.items())[:-1])
            return True
        return False

    def decided(self, match: Match | None, uids: tuple[str, ...]) -> None:
        """Drop the sets that are no longer due after a decision, or that made it with the tags `uids`."""
        growing = self.due(match) if match is not None else []
        self._numbers = {part: dict(numbers) for part, numbers in growing if not numbers.keys() & set(uids)}
