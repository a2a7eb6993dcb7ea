"""How long each test takes: measured in CPU time, so that a busy machine says the same as an idle one.

A quick test that takes more than `QUICK` seconds fails the run. `--durations-to FILE` writes what was measured into
FILE, of which `tools/testing_page.py` makes the tables of docs/testing.md.
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
"""Seconds of CPU time that a test of `make test` may take, with its fixtures and the processes that it waited for."""
BUSY = 2.0
"""Load of each core above which times prove nothing: slow tests are named, but do not fail the run."""


class Durations:
    """Collects what each test took, from all workers."""

    def __init__(self, to: Path | None) -> None:
        self._to = to
        self._took: dict[str, tuple[float, float]] = {}  # node: seconds, CPU seconds

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measure one test with its fixtures, in the worker that runs it."""
        began, busy = time.monotonic(), _cpu()
        try:
            return (yield)
        finally:
            seconds = time.monotonic() - began
            # a browser that ends is counted in the test that waits for a process next
            cpu = min(_cpu() - busy, seconds * (os.cpu_count() or 1))
            self._took[item.nodeid] = round(seconds, 2), round(cpu, 2)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take what a worker has measured."""
        self._took |= getattr(node, "workeroutput", {}).get("durations", {})

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over what was measured; fail a run of quick tests of which one was slow."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["durations"] = self._took
            return
        if self._to is not None:
            self._to.parent.mkdir(parents=True, exist_ok=True)
            self._to.write_text(json.dumps(self._took, indent=0, sort_keys=True), encoding="utf-8")
        if self.slow(session.config) and not _is_busy() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        """Name the slow ones."""
        for node, seconds in self.slow(config):
            terminalreporter.write_line(
                f"SLOW {node}: {seconds:.1f} s of CPU time, more than {QUICK:.0f}; "
                + ("the machine is busy" if _is_busy() else "make it quicker, or mark it long"),
                red=True,
            )

    def slow(self, config: pytest.Config) -> list[tuple[str, float]]:
        """Return the quick tests that were not quick; none where long ones were asked for."""
        if "not long" not in (config.option.markexpr or "") or config.pluginmanager.hasplugin("_cov"):
            return []
        return [(node, cpu) for node, (_, cpu) in self._took.items() if cpu > QUICK]


def _is_busy() -> bool:
    return os.getloadavg()[0] > BUSY * (os.cpu_count() or 1) + 4  # four workers of our own


def _cpu() -> float:
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system
