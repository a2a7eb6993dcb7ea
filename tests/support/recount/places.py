"""Who is where at the end."""

from __future__ import annotations

from collections.abc import Sequence


def shared_places(scores: Sequence[int]) -> list[int | None]:
    """Return the place of each seat where most wins and equal scores share it.

    >>> shared_places([4, 9, 9, 0])
    [3, 1, 1, 4]
    """
    return [1 + sum(other > score for other in scores) for score in scores]
