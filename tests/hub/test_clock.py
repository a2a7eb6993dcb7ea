"""Games of a table whose clock is months behind count when the hub receives them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import Engine

from companion.hub import leagues
from companion.hub.intake import Intake
from companion.hub.results import Played
from companion.hub.validation import TableMessage
from companion.match.record import Header
from companion.publishing.sealed import Sealed, opened
from tests.support.board import Board
from tests.support.hub.stories import Evening

REALLY = datetime(2026, 11, 28, 19, tzinfo=UTC)
MONTHS_BEHIND = datetime(2026, 3, 1, 19, tzinfo=UTC)


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path / "root", MONTHS_BEHIND, REALLY)


def game_of(tmp_path: Path, board: Board) -> list[TableMessage]:
    """Return the messages of an evening with one game."""
    evening = Evening(tmp_path / "table", "window-2", 1, board.clock)
    evening.play("galloping-pigs", ("Ada", "Ben"))
    messages = list(evening.messages())
    evening.close()
    return messages


def counted(engine: Engine) -> Sequence[Played]:
    """Return the games that count in a league that began yesterday."""
    with engine.begin() as db:
        league = leagues.create(db, "Autumn", "open", REALLY - timedelta(days=1))
        return leagues.games(db, league)


@pytest.mark.parametrize("said", [MONTHS_BEHIND, datetime(1970, 1, 1, 0, 1, tzinfo=UTC)])
def test_a_game_of_a_table_that_is_months_behind_counts_in_a_league(
    tmp_path: Path, engine: Engine, board: Board, said: datetime
) -> None:
    """It is dated when the hub received it; nothing of it is quarantined, and its record says why."""
    board.switch_on(said)
    messages = game_of(tmp_path, board)
    Intake(engine).take(messages, REALLY)
    [game] = counted(engine)
    assert game.when == game.at == REALLY
    [record] = [msgspec.json.decode(one.payload, type=Sealed) for one in messages if one.what == "records"]
    assert '"note": "the clock of this table was not set' in record.lines[0]
    assert opened(record).error is None


def test_a_game_whose_clock_was_set_before_it_was_published_has_its_time(
    tmp_path: Path, engine: Engine, board: Board
) -> None:
    """Once the times are put right, nothing is marked, and the hub believes the table."""
    evening = Evening(tmp_path / "table", "window-2", 1, board.clock)
    evening.play("galloping-pigs", ("Ada", "Ben"))
    board.wait(3600)
    board.set_clock()
    assert evening.journal.settle_clock()
    Intake(engine).take(evening.messages(), REALLY + timedelta(hours=2))
    evening.close()
    [game] = counted(engine)
    assert game.when == REALLY


def test_a_game_during_which_the_clock_was_set_was_played_when_it_was_received(
    tmp_path: Path, engine: Engine, board: Board
) -> None:
    """Its first events are marked, its end is not: the hub knows when it began, as it heard them."""
    evening = Evening(tmp_path / "table", "window-2", 1, board.clock)
    evening.table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion")
    early = [one for one in evening.messages() if one.what == "events"]
    board.wait(3600)
    board.set_clock()
    evening.go_on()
    hub, end = Intake(engine), REALLY + timedelta(hours=1)
    hub.take(early, REALLY)
    hub.take(evening.messages(), end)
    evening.close()
    [game] = counted(engine)
    assert (game.began, game.when) == (REALLY, end)


def test_a_table_that_knows_no_marks_is_believed_as_before(
    tmp_path: Path, engine: Engine, board: Board
) -> None:
    """A claim without the mark has the bytes that its table signed, and counts by its table's clock."""
    board.set_clock()
    messages = game_of(tmp_path, board)
    [record] = [msgspec.json.decode(one.payload, type=Sealed) for one in messages if one.what == "records"]
    assert b"clock" not in msgspec.json.encode(record.claim)
    assert all(b'"clock"' not in one.payload for one in messages)
    Intake(engine).take(messages, REALLY + timedelta(hours=5))
    [game] = counted(engine)
    assert game.when == REALLY


def test_the_mark_is_signed(tmp_path: Path, board: Board) -> None:
    """A record from which the mark was taken is no longer the table's."""
    [record] = [
        msgspec.json.decode(one.payload, type=Sealed)
        for one in game_of(tmp_path, board)
        if one.what == "records"
    ]
    with pytest.raises(ValueError, match="has not signed this"):
        opened(replace(record, claim=replace(record.claim, clock=msgspec.UNSET)))
