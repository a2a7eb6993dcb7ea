"""A loop of spaces on which no two animals share one."""

from __future__ import annotations

from collections.abc import Collection


def step(progress: Collection[int], start: int, spaces: int) -> tuple[int, bool]:
    """Return the new progress of an animal at progress `start`, and whether it is then ahead of
    all others.

    It goes to the next space in front of it that holds no animal. `progress` are all animals, itself too, in
    spaces since the start of the race, never wrapped; the loop has `spaces`, more than there are animals.

    >>> step([0, -1, -2, -3, -4], -4, 22)  # the hindmost jumps over the whole run
    (1, True)
    >>> step([0, 5, 3, 4, 2], 2, 6)  # only space 1 is free, a lap later
    (7, True)
    """
    at, front = start + 1, max(progress)
    if front - min(progress) < spaces - 1:  # no animal is met a lap ahead or behind
        while at in progress:
            at += 1
    else:
        taken = {p % spaces for p in progress}
        while at % spaces in taken:
            at += 1
    return at, at > front
