"""Many generated examples in rounds, and the time that the program takes for one of them."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from hypothesis import given, seed, settings
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")

ROUND: Final = 100
"""Examples of a round. Hypothesis remembers all of a run: two thousand filled a gigabyte, and were slow."""
MOST_DELAY_S: Final = 1.0
"""Most seconds of the processor's time, which does not depend on what else a machine does."""


def in_rounds(examples: int, of: SearchStrategy[T], holds: Callable[[T], None]) -> None:
    """Check that `holds` accepts so many generated examples; each round has a seed of its own."""
    for first in range(0, examples, ROUND):
        check = settings(max_examples=min(ROUND, examples - first), deadline=None, database=None)(
            seed(first)(given(of)(holds))
        )
        check()
        gc.collect()


@contextmanager
def without_delay(what: object) -> Iterator[None]:
    """Fail if this takes more than `MOST_DELAY_S`, without the collection of what hypothesis remembers."""
    gc.disable()
    start = time.process_time()
    try:
        yield
        took = time.process_time() - start
    finally:
        gc.enable()
    assert took < MOST_DELAY_S, f"{took:.1f} s: {str(what)[:2000]}"
