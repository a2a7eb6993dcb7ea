"""Cheers and their signs."""

from __future__ import annotations

from typing import Annotated, Final

from companion.reply import Colour, Reply, Seat, one_of

SIGNS: Final = ("heart", "star", "horseshoe", "rosette", "flag")


class Cheer(Reply):
    """A sign of our own for a seat or a piece, or for all of them."""

    sign: Annotated[str, one_of(*SIGNS)]
    seat: Seat | None
    piece: Colour | None = None


class Cheers(Reply):
    """The cheers since the last such event, oldest first."""

    cheers: list[Cheer]
