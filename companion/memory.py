"""The C library's memory: one heap for all threads, and free pages given back to the system.

Functions of glibc, mallopt(3) and malloc_trim(3); with another C library nothing happens.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Final

_ARENA_MAX: Final = -8  # M_ARENA_MAX of malloc.h


def share_one_heap() -> None:
    """Make threads that start from now on allocate from the main heap.

    Heaps of their own are for threads that allocate at the same time. Python's take turns, and their heaps
    hold 2 MB that are free.
    """
    with suppress(AttributeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def give_back() -> None:
    """Give the heap's free pages back to the system."""
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
