"""How long each test takes: measured in CPU time, so that a busy machine says the same as an idle one.

A quick test that takes more than `QUICK` seconds fails the run. `--durations-to FILE` writes what was measured
into FILE, from which `tools/testing_page.py` makes the tables of docs/testing.md.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

QUICK = 5.0
"""Seconds of CPU time that a test of `make test` may take, the processes that it started and waited for included."""
MEASURED = "cpu"


class Durations:
    """Collects what each test took, from all workers."""

    def __init__(self, to: Path | None) -> None:
        self._to = to
        self._took: dict[str, tuple[float, float]] = {}  # node: seconds, CPU seconds

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """Measure one test, without its fixtures, in the worker that runs it."""
        began, busy = time.monotonic(), _cpu()
        try:
            return (yield)
        finally:
            item.user_properties.append((MEASURED, (time.monotonic() - began, _cpu() - busy)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a worker has measured; judge it where the run was to be of quick tests."""
        if report.when != "teardown":
            return
        for name, value in report.user_properties:
            if name == MEASURED:
                self._took[report.nodeid] = tuple(value)  # type: ignore[assignment,arg-type]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run of quick tests of which one was slow."""
        if hasattr(session.config, "workerinput"):
            return
        if self._to is not None:
            self._to.parent.mkdir(parents=True, exist_ok=True)
            self._to.write_text(json.dumps(self._took, indent=0, sort_keys=True), encoding="utf-8")
        if self.slow(session.config) and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        """Name the slow ones."""
        for node, seconds in self.slow(config):
            terminalreporter.write_line(
                f"SLOW {node} took {seconds:.1f} s of CPU time, more than {QUICK:.0f}: make it quicker, or mark it long",
                red=True,
            )

    def slow(self, config: pytest.Config) -> list[tuple[str, float]]:
        """Quick tests that were not quick; none where long ones were asked for."""
        if "not long" not in (config.option.markexpr or ""):
            return []
        return [(node, cpu) for node, (_, cpu) in self._took.items() if cpu > QUICK]


def _cpu() -> float:
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system
