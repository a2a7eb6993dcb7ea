"""Assumptions of the odds about the people at the table, in a sentence for them."""

from __future__ import annotations

from functools import singledispatch
from typing import Final

from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race
from companion.message import N_, Sentence


@singledispatch
def assumed(race: Race) -> Sentence:
    """Return a sentence on how the odds assume that everybody plays from here."""
    return Sentence(_ANY_CARD)


@assumed.register
def _giro(race: GiroGaloppo) -> Sentence:
    return Sentence(_LEARNED if race.due == "play" else _ANY_SPACE)


@assumed.register
def _hounds(race: Greyhounds) -> Sentence:
    return Sentence(_LEARNED)


MAY_BE: Final = N_("The thin white line shows how sure that is.")
_ANY_CARD: Final = N_(
    "The rest of the game is played thousands of times, with any card of each hand, and the wins are counted."
)
_ANY_SPACE: Final = N_(
    "The rest of the game is played thousands of times at random, and the wins are counted."
)
_LEARNED: Final = N_(
    "The rest of the game is played thousands of times, as people have played so far, and the wins are "
    "counted. Hidden cards stay hidden."
)
