"""A hub's database, empty, and a table that has played for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from companion.hub import database
from companion.hub.intake import Intake
from tests.support.hub.stories import Evening


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = database.opened(f"sqlite:///{tmp_path / 'hub.sqlite'}")
    yield made
    made.dispose()


@pytest.fixture
def evening(tmp_path: Path, engine: Engine) -> Iterator[Evening]:
    """Yield a table where Ada played as Ada and as Addy, and then Ben with Cleo."""
    made = Evening(tmp_path / "table", "window-2", 1)
    for seats in (("Ada", "Ben"), ("Addy", "Ben", "Cleo"), ("Cleo", "Ben")):
        made.play("galloping-pigs", seats)
    Intake(engine).take(made.told())
    yield made
    made.close()
