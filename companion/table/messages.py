"""The messages in the table's inbox, and the answers of background computations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.devices.readings import Seen
from companion.games.terms import Decision
from companion.message import Sentence
from companion.odds.chance import Chance
from companion.odds.luck_summary import Parts, Swing


class OddsAre(NamedTuple):
    """The chances at entry `seq`, computed from the public view."""

    match: int
    seq: int
    chances: tuple[Chance, ...]


class OddsWere(NamedTuple):
    """The chances at these entries of a match that ended with entry `seq`, each from the public view then."""

    match: int
    seq: int
    chances: Mapping[int, tuple[Chance, ...]]


class NoOdds(NamedTuple):
    """There are no odds, and the reason; with `for_now` they may return, which `OddsAgain` reports."""

    why: Sentence
    for_now: bool = False


class OddsAgain(NamedTuple):
    """What computes the odds works again."""


class Chosen(NamedTuple):
    """A bot's decision for a seat at entry `seq`."""

    match: int
    seq: int
    seat: int
    decision: Decision


class LuckIs(NamedTuple):
    """Luck against choice in the match that is finished at entry `seq`, with the fields of LuckSummary."""

    match: int
    seq: int
    title: Sentence
    seats: tuple[Sentence, ...]
    moments: tuple[Sentence, ...]
    parts: tuple[Parts, ...] = ()
    swings: tuple[Swing, ...] = ()


Message = Seen | OddsAre | OddsWere | NoOdds | OddsAgain | Chosen | LuckIs
"""Whatever comes into the inbox."""
