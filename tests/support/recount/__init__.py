"""The games counted a second time, as with pencil and paper: a judge of the scores that owes the companion nothing.

Written from the rules and the record format alone and importing nothing of the companion, so that what both say has
been said twice. A score sheet a game: it is opened with the header of a record and written on with each decision
line. Lines are believed: whether they were legal is not asked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from tests.support.recount.galloping import GallopingSheet
from tests.support.recount.giro import GiroSheet
from tests.support.recount.greyhounds import GreyhoundsSheet


class Sheet(Protocol):
    """A game's score sheet, whichever the game."""

    def take(self, line: Mapping[str, Any]) -> None:
        """Write down a decision and all that follows from it."""

    def due(self) -> tuple[str, list[int]] | None:
        """Return the decision that is due and the seats that owe it, ascending; None at the end."""

    def scores(self) -> list[int]:
        """Return what each seat has, by seat."""

    def places(self) -> list[int | None]:
        """Return the place of each seat, by seat; None where there is none."""

    def state(self) -> dict[str, Any]:
        """Return the public state in the record format, in new lists and dicts."""


class Recount:
    """One game, followed line by line."""

    def __init__(self, header: Mapping[str, Any]) -> None:
        self.names = [*header["seats"]]
        self.sheet = _opened(header)

    def take(self, line: Mapping[str, Any]) -> None:
        """Count on by one decision line."""
        self.sheet.take(line)

    def told(self) -> dict[str, Any]:
        """Return what `replay --json` says of the game so far: `finished`, `next`, `standings`, `state`."""
        due = self.sheet.due()
        return {
            "finished": due is None,
            "next": None if due is None else {"do": due[0], "seats": due[1]},
            "standings": self._standings(),
            "state": self.sheet.state(),
        }

    def _standings(self) -> list[dict[str, Any]]:
        """Return the rows by place, then seat; those without a place come last."""
        rows = zip(self.names, self.sheet.scores(), self.sheet.places(), strict=True)
        told = [
            {"seat": seat, "name": name, "score": score, "place": place}
            for seat, (name, score, place) in enumerate(rows)
        ]
        return sorted(told, key=lambda row: (row["place"] is None, row["place"] or 0, row["seat"]))


def recount(header: Mapping[str, Any], lines: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what `replay --json` should say of a legal record: `finished`, `next`, `standings`, `state`.

    Of the header's `odds` the decimals count as they are printed: parse them as Decimal where a float might
    round.
    """
    counted = Recount(header)
    for line in lines:
        counted.take(line)
    return counted.told()


def _opened(header: Mapping[str, Any]) -> Sheet:
    """Return an empty score sheet of the header's game."""
    if header["game"] == "giro-galoppo":
        return GiroSheet(header)
    if header["game"] == "greyhounds":
        return GreyhoundsSheet(header)
    return GallopingSheet(header)
