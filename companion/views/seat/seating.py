"""The seats of a match held by devices, and the kinds of decision hidden from the other players."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from companion.match.match import Match


class Seating(NamedTuple):
    """The seats of a match that a device holds, and the numbers of the devices that ask for one, by seat."""

    joined: frozenset[int] = frozenset()
    asking: Mapping[int, int] = MappingProxyType({})


def secret(match: Match, do: str) -> bool:
    """Return True if decisions of this kind are hidden from the other players in this match."""
    race = match.race
    return do in race.private or (match.deal == "companion" and do in race.from_hand)
