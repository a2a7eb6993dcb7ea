"""A pytest plugin for mutants: the quickest tests first, of hypothesis a few examples, each time the same ones."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from hypothesis import settings
from mutmut.core import MutmutCallStack

EXAMPLES = 20  # of the slowest 200 otherwise, and each costs five times as much in a changed program
TIMES = Path("mutmut-stats.json")


class _Calls(threading.local):
    """The call that mutmut follows, without a context variable: CPython 3.11 crashed after millions of them."""

    now: tuple[str | None, int] = (None, 0)

    def get(self) -> tuple[str | None, int]:
        return self.now

    def set(self, call: tuple[str | None, int]) -> tuple[str | None, int]:
        before, self.now = self.now, call
        return before

    def reset(self, before: tuple[str | None, int]) -> None:
        self.now = before


MutmutCallStack._ctx = _Calls()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests: those that kill most are quick; ask the slow ones only about surviving mutants."""
    took = json.loads(TIMES.read_text("utf-8"))["duration_by_test"] if TIMES.exists() else {}
    items.sort(key=lambda item: (took.get(item.nodeid, 0), item.nodeid))
    for item in items:
        test = item.function if isinstance(item, pytest.Function) else None
        given = getattr(test, "_hypothesis_internal_use_settings", None)
        if given is not None:
            few = settings(
                given, max_examples=min(given.max_examples, EXAMPLES), derandomize=True, database=None
            )
            test._hypothesis_internal_use_settings = few  # type: ignore[union-attr]
