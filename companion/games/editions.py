"""Editions of a printed game: what is in a box, and the options that fit it.

Only numbers are known: no sentence and no drawing of a published game is in here. A number that no one has
looked up yet is an option or a chart with a placeholder, which the owner of the game edits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Edition(NamedTuple):
    """A box of a game, named by `name` in settings and addresses.

    `contents` and `differs` are sentences for people: what is in it, and how it is played. `options` are
    those of what is in it, `usual` those of how it is played, where they differ from a record's defaults;
    `numbers` is how many tagged cards of each colour it has.
    """

    name: str
    title: str
    contents: str
    differs: str
    seats: tuple[int, int]
    numbers: int = 0
    options: Mapping[str, Any] = {}
    usual: Mapping[str, Any] = {}
