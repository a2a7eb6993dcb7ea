"""The meaning of a card on the pad in a match, alone or together with the cards laid before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games import all_games
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision, OneOf
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.referee.reports import Attempt, Gathered
from companion.tags.item import Item


def meaning(uid: str, item: Item | None, match: Match | None) -> Decision | OneOf | Sentence:
    """Return the decision that this tag makes now, alone or with others, or the reason why it makes none."""
    if item is None:
        return Sentence(_UNKNOWN_TAG)
    if match is None or match.finished:
        return Sentence(_NO_GAME)
    if item.game != match.race.name:
        return _of_another_game(item.game, match)
    if item.kind != "card":
        return Sentence(_PIECE_ON_PAD, {"piece": item.colour})
    if match.deal == "companion":
        return Sentence(_DEALT_ON_SCREEN)
    if match.spent(uid):
        return Sentence(_SPENT, {"card": item.colour})
    decision = match.race.laid(item.colour, item.number)
    if decision is not None:
        return decision
    return Sentence(_NO_CARD_DUE, {"then": _prompt(match)})


def _of_another_game(name: str, match: Match) -> Sentence:
    """Return whose card it is, with the decision that is due: that stays on the screen."""
    game = all_games().get(name)
    if game is None:
        return Sentence(_STRANGE_GAME)
    return Sentence(_OTHER_GAME, {"kind": game.title, "then": _prompt(match)})


def _prompt(match: Match) -> Sentence:
    prompt = presented(match.race).prompt()
    assert prompt is not None, "the match goes on"
    return prompt


# --- cards laid one by one -----------------------------------------------------------------------

Sets = Mapping[OneOf, Mapping[str, int]]
"""The sets that are being shown card by card: the number of each card by its tag."""


def with_card(sets: Sets, uid: str, number: int, part: OneOf, race: Race) -> Sets | Attempt | Sentence:
    """Return the sets with this card added, or removed if its set has it already.

    Return the decision that its set makes now, or the reason why the card does not fit.
    """
    before = sets.get(part, {})
    if uid in before:
        return {**sets, part: {other: n for other, n in before.items() if other != uid}}
    cards = {**before, uid: number}
    reason = race.misfit(part, tuple(cards.values()))
    if reason is None and len(cards) == part.needed:
        decision = part.made(tuple(cards.values()))
        reason = race.illegal_reason(decision)
        if reason is None:
            return Attempt(decision, tuple(cards))
    return {**sets, part: cards} if reason is None else presented(race).sentence(reason)


def sets_due(sets: Sets, match: Match | None) -> list[Gathered]:
    """Return the sets that can still make a decision of this match, each with a card at least."""
    due = match.race.awaits() if match is not None else None
    return [
        Gathered(part, numbers)
        for part, numbers in sets.items()
        if numbers and due is not None and due.do == part.do and part.seat in due.seats
    ]


def without_last_card(sets: Sets, match: Match | None) -> Sets:
    """Return the sets without the card that was laid last, if a set is being shown."""
    shortened = {part: dict(list(cards.items())[:-1]) for part, cards in sets_due(sets, match)[-1:]}
    return {**sets, **shortened}


def sets_after_decision(sets: Sets, match: Match | None, uids: Sequence[str]) -> Sets:
    """Return the sets that are still due after a decision, and were not made of the tags `uids`."""
    return {part: cards for part, cards in sets_due(sets, match) if cards.keys().isdisjoint(uids)}


_UNKNOWN_TAG = N_("this tag is new here: nothing was played")
_NO_GAME = N_("no game is running: start one on the host page")
_OTHER_GAME = N_("that's a {kind} card: {then}")
_STRANGE_GAME = N_("this card belongs to another game")
_PIECE_ON_PAD = N_("this is {piece}, not a card: put it on the track")
_SPENT = N_("this {card} card was played already: take another one")
_NO_CARD_DUE = N_("no card is due now: {then}")
_DEALT_ON_SCREEN = N_(
    "the companion dealt: cards are played on the players' phones or on this screen held open, not on the pad"
)
