"""What is to come at random, and each as often as the others."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable
from typing import Generic, TypeVar

Kind = TypeVar("Kind")


class Deck(Generic[Kind]):
    """Kinds that are drawn like cards: each once in a random order, then again; by several threads.

    >>> deck = Deck("abc", random.Random(1))
    >>> sorted(deck.draw() for _ in range(6))
    ['a', 'a', 'b', 'b', 'c', 'c']
    """

    def __init__(self, kinds: Iterable[Kind], rng: random.Random) -> None:
        self.kinds, self.rng = tuple(kinds), rng
        self._left: list[Kind] = []
        self._lock = threading.Lock()

    def draw(self) -> Kind:
        """Return the next one."""
        with self._lock:
            if not self._left:
                self._left = self.rng.sample(self.kinds, len(self.kinds))
            return self._left.pop()
