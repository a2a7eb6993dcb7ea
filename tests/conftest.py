"""What all tests share: the tiny secret game beside the real ones, and a table whose time the test moves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games
from companion.journal import Journal

HERE = Path(__file__).parent
games.__path__.append(str(HERE / "games"))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "journal.sqlite")
    yield opened
    opened.close()
