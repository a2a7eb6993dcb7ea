"""What all tests share: the tiny secret game next to the real ones, and a table whose time the test moves."""

from __future__ import annotations

import gc
import os
import random
import re
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from companion import games
from companion.store.journal import Journal
from tests.support import amount
from tests.support.durations import Durations
from tests.support.memory import keep_temporary_files_in_memory

os.environ["LC_ALL"] = "C.UTF-8"  # the commands speak English for every user that runs the tests

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each core has a worker; more threads wait for each other
keep_temporary_files_in_memory()

HERE = Path(__file__).parent
# a busy machine is slow, which proves nothing: only what is found counts; `--soak` looks elsewhere every time
settings.register_profile("soak", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("table", settings.get_profile("soak"), derandomize=True)
settings.load_profile("table")

games.__path__.append(str(HERE / "support" / "games"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--soak` and `--durations-to`."""
    parser.addoption("--soak", action="store_true", help="ten times as much of what can be made longer")
    parser.addoption("--durations-to", type=Path, help="write what each test took into this file")


class OnlyModulesWithDoctests:
    """Leaves modules without doctests out, of which there are hundreds: each would be imported to look for them."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[Any], list[Any]]:
        """Return what else a file is collected as."""
        found = yield
        if file_path.suffix == ".py" and ">>> " not in file_path.read_text("utf-8", "replace"):
            return [one for one in found if not isinstance(one, DoctestModule)]
        return found


def pytest_configure(config: pytest.Config) -> None:
    """Try the same every time, unless asked for more; measure what each test takes."""
    config.pluginmanager.register(OnlyModulesWithDoctests())
    config.pluginmanager.register(Durations(config.getoption("--durations-to")))
    amount.soaking = config.getoption("--soak")
    if amount.soaking:
        settings.load_profile("soak")


@pytest.fixture(autouse=True)
def _the_same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards every time at a table of a test that names no dealer."""
    monkeypatch.setattr("companion.table.table.SystemRandom", lambda: random.Random(1))


@pytest.fixture
def soak() -> int:
    """Return how many times as much as otherwise."""
    return 10 if amount.soaking else 1


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out modules of long tests where quick ones are asked for: to import them takes a second."""
    if config.option.markexpr != "not long" or collection_path.suffix != ".py":
        return None
    _, mark, tail = collection_path.read_text("utf-8").partition("\npytestmark = ")
    statement = tail.partition("\n]" if tail.startswith("[\n") else "\n")[0]
    return True if mark and re.search(r"\bmark\.(long|nightly)\b", statement) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is nightly as long too; begin with what takes longest, or it would run on alone at the end."""
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.long)
    items.sort(key=lambda item: item.get_closest_marker("early") is None)


def pytest_collection_finish() -> None:
    """Leave what was collected out of garbage collection: 400,000 objects would be walked again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "journal.sqlite")
    yield opened
    opened.close()
