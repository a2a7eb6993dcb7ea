"""The meaning of a card on the pad in a match."""

from __future__ import annotations

from companion.games.presenter import presented
from companion.games.terms import Decision, OneOf
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.tags.item import Item


def meaning(uid: str, item: Item | None, match: Match | None) -> Decision | OneOf | Sentence:
    """Return the decision that this tag makes now, alone or with others, or the reason why it makes none."""
    if item is None:
        return Sentence(_UNKNOWN_TAG, {"uid": uid})
    if match is None or match.finished:
        return Sentence(_NO_GAME)
    if item.game != match.race.name:
        return Sentence(_OTHER_GAME)
    if item.kind != "card":
        return Sentence(_PIECE_ON_PAD, {"piece": item.colour})
    if match.deal == "companion":
        return Sentence(_DEALT_ON_SCREEN)
    if match.spent(uid):
        return Sentence(_SPENT, {"card": item.colour})
    decision = match.race.laid(item.colour, item.number)
    if decision is not None:
        return decision
    prompt = presented(match.race).prompt()
    assert prompt is not None
    return Sentence(_NO_CARD_DUE, {"then": prompt})


_UNKNOWN_TAG = N_("this tag is not known: nothing was played (tag {uid})")
_NO_GAME = N_("no game is running: start one on the host page")
_OTHER_GAME = N_("this card belongs to another game")
_PIECE_ON_PAD = N_("this is {piece}, not a card: put it on the track")
_SPENT = N_("this {card} card was played already: take another one")
_NO_CARD_DUE = N_("no card is due now: {then}")
_DEALT_ON_SCREEN = N_(
    "the companion dealt: cards are played on the players' phones or on this screen held open, not on the pad"
)
