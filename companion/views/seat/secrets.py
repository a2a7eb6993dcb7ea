"""The facts that only one seat knows, in the order of its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import UNSET, UnsetType

from companion.games.race import Race
from companion.games.terms import HIDDEN
from companion.message import N_
from companion.reply import Reply
from companion.translate import Words
from companion.views.seat.forms import CardView, PieceNamed, card, word


class BetView(Reply):
    """A bet that was made."""

    title: str
    dogs: list[PieceNamed]
    stake: int


class Known(Reply):
    """A fact that only this seat knows: cards, sets of cards, or bets."""

    key: Literal["choice", "bets", "set_aside", "hand", "sets"]
    title: str
    bets: list[BetView] | UnsetType = UNSET
    sets: list[list[str]] | UnsetType = UNSET
    cards: list[CardView] | UnsetType = UNSET


def known(race: Race, seat: int, words: Words) -> Iterable[Known]:
    """Yield the facts that only this seat knows."""
    secrets = race.secrets_of(seat)
    for key, title in _TITLES.items():
        value = secrets.get(key)
        if value is None or value in ([], ()):
            continue
        if key == "bets":
            yield Known(key=key, title=words(title), bets=[_bet(bet, race, words) for bet in value])
        elif key == "sets":
            yield Known(key=key, title=words(title), sets=[[str(one) for one in cards] for cards in value])
        else:
            shown = [card(one, race, words) for one in (value if key == "hand" else [value]) if one != HIDDEN]
            yield Known(key=key, title=words(title), cards=shown)


def _bet(bet: Mapping[str, Any], race: Race, words: Words) -> BetView:
    dogs = [PieceNamed(piece=piece, text=words.piece(piece, race)) for piece in bet["dogs"]]
    return BetView(title=word(race, bet["kind"], words), dogs=dogs, stake=bet["stake"])


_TITLES: Mapping[Literal["choice", "bets", "set_aside", "hand", "sets"], str] = {
    "choice": N_("your choice"),
    "bets": N_("your bets"),
    "set_aside": N_("set aside"),
    "hand": N_("your hand"),
    "sets": N_("your sets"),
}
