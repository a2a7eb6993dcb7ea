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


MAY_BE: Final = N_(
    "The thin line is where a chance may lie, as people play as they like: nineteen times in twenty it does."
)
_ANY_CARD: Final = N_("Worked out as if everybody played any card of the hand.")
_ANY_SPACE: Final = N_("Worked out as if everybody laid obstacles and played cards at random.")
_LEARNED: Final = N_(
    "Worked out as if everybody went on as they have so far: by chance, with greed, with care or thinking "
    "ahead. What everybody has seen of each is counted, and how strong robots are set; nothing else."
)
