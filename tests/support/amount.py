"""How much is tried: asked while tests are collected, where no fixture is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Thing = TypeVar("Thing")

soaking = False
"""Whether `--soak` was given: set by conftest.py before anything is collected."""


def some(things: Sequence[Thing], one_of: int, first: int = 0) -> Sequence[Thing]:
    """Return every `one_of`-th thing from index `first` on, so that several checks share them; all in `make
    soak`.

    >>> some("abcdefgh", 3, first=1)
    'beh'
    """
    return things if soaking else things[first::one_of]
