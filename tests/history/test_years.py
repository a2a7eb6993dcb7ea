"""The history of years: in pages that lose and double nothing, and leaderboards that read a game once."""

from __future__ import annotations

import functools
import operator
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from bench.years import KINDS, make
from companion.history.leaderboard import leaderboard
from companion.match.entries import Entry
from companion.match.record import Header
from companion.store.journal import Journal
from companion.table.season import Season
from companion.table.table import Table
from tests.support.apps import create_app

GAMES = 60


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("years") / "journal.sqlite"
    make(file, GAMES)
    return file


@pytest.fixture
def journal(tmp_path: Path, years: Path) -> Iterator[Journal]:
    copy = tmp_path / "journal.sqlite"
    copy.write_bytes(years.read_bytes())
    with closing(Journal(copy)) as opened:
        yield opened


@pytest.fixture
def device(journal: Journal) -> Iterator[FlaskClient]:
    table = Table(journal)
    table.start()
    yield create_app(table).test_client()
    table.stop()


def page(device: FlaskClient, before: int | None, **asked: Any) -> tuple[list[int], int | None]:
    """Return the numbers of a page's games, and the cursor for the next one."""
    if before is not None:
        asked["before"] = before
    answer = device.get("/api/history", query_string=asked).get_json()
    return [game["id"] for game in answer["matches"]], answer["more"]


def pages(device: FlaskClient, **asked: Any) -> Iterator[list[int]]:
    """Yield the numbers of the games of each page."""
    more: int | None = None
    while True:
        found, more = page(device, more, **asked)
        yield found
        if more is None:
            return


@pytest.mark.parametrize("most", [1, 7, 59, 60, 61, 100])
def test_pages_have_every_game_once_the_newest_first(device: FlaskClient, most: int) -> None:
    """All pages together are the answer that is not in pages; none is empty or too long."""
    found = list(pages(device, most=most))
    assert functools.reduce(operator.iadd, found, []) == page(device, None)[0] == list(range(GAMES, 0, -1))
    assert all(1 <= len(one) <= most for one in found)


@pytest.mark.parametrize("game", KINDS)
def test_pages_of_one_game_have_all_of_it(device: FlaskClient, journal: Journal, game: str) -> None:
    """A filter leaves out other games, and loses none."""
    wanted = [filed.id for filed in journal.matches() if filed.header.game == game]
    assert functools.reduce(operator.iadd, pages(device, most=4, game=game), []) == wanted


@pytest.mark.parametrize("seed", range(5))
def test_pages_lose_and_double_nothing_while_games_come_and_go(
    device: FlaskClient, journal: Journal, seed: int
) -> None:
    """Each game that was there from the first page to the last is on one page, a forgotten one at most."""
    rng, forgotten, found = random.Random(seed), set[int](), list[int]()
    for one in pages(device, most=rng.randint(3, 9)):
        found += one
        gone = rng.randint(1, GAMES)
        if gone not in forgotten:
            journal.forget(gone)
            forgotten.add(gone)
        new, _ = journal.begin(Header("galloping-pigs", ("Ada", "Ben")), "people")
        journal.append(new.id, [Entry("end")], "ended")
    assert found == sorted(set(found), reverse=True)
    assert set(range(1, GAMES + 1)) - forgotten <= set(found) <= set(range(1, GAMES + 1))


def test_a_page_of_long_names_has_at_most_100_kilobytes(device: FlaskClient, journal: Journal) -> None:
    """The largest page that can be asked for, of games with the longest names."""
    for filed in journal.matches():
        journal.name_match(filed.id, "ß" * 60)
    for game in (None, *KINDS):
        answer = device.get("/api/history", query_string={"most": 100} | ({"game": game} if game else {}))
        assert len(answer.data) * 100 / GAMES < 100_000


@pytest.mark.parametrize("wrong", ["most=0", "most=101", "most=x", "before=0", "before=-1", "before=1e3"])
def test_a_wrong_page_is_refused(device: FlaskClient, wrong: str) -> None:
    """What is no number of the right size is named."""
    answer = device.get(f"/api/history?{wrong}")
    assert answer.status_code == 400
    assert answer.get_json()["reason"].startswith(f"{wrong.partition('=')[0]} must be a number from 1 to ")


def test_the_host_page_asks_for_few_games(device: FlaskClient, journal: Journal) -> None:
    """With `most` it has the newest that are over, and all that go on, however old."""
    begun, _ = journal.begin(Header("galloping-pigs", ("Ada", "Ben")), "people")
    journal.append(begun.id, [Entry("aside")], "aside")
    answer = device.get("/api/matches?most=3").get_json()
    assert [one["id"] for one in answer["matches"]] == [begun.id, GAMES, GAMES - 1, GAMES - 2]
    assert len(device.get("/api/matches").get_json()["matches"]) == GAMES + 1


def test_leaderboards_read_each_game_once(journal: Journal) -> None:
    """A second look reads no game; one that has changed is read alone, and a forgotten one counts no longer."""
    read: list[int] = []
    played = journal.played

    def counted(known: Any) -> Any:
        numbers, changed = played(known)
        read.append(len(changed))
        return numbers, changed

    journal.played = counted  # type: ignore[method-assign]
    season = Season(journal)
    first = season.boards()
    assert season.boards() is first
    journal.name_seats(7, Header(journal.match(7).header.game, ("Zoe", "Ben", "Cleo")))
    journal.forget(9)
    assert season.boards()[0].games == GAMES - 1
    assert season.boards() is season.boards()
    assert read == [GAMES, 0, 1, 0, 0]


def test_leaderboards_are_those_of_all_games(journal: Journal) -> None:
    """After any changes each board has the rows of a count of everything."""
    season, rng = Season(journal), random.Random(3)
    for _ in range(5):
        journal.forget(rng.choice([filed.id for filed in journal.matches()]))
        new, _ = journal.begin(Header("galloping-pigs", ("Ada", "Zoe")), "people")
        standings = [
            {"seat": seat, "name": name, "score": 9 - seat, "place": seat + 1}
            for seat, name in enumerate(("Zoe", "Ada"))
        ]
        journal.append(new.id, [Entry("aside")], "finished", standings)
        everything = journal.matches()
        for board in season.boards():
            wanted = [filed for filed in everything if board.game in (None, filed.header.game)]
            assert (board.games, list(board.rows)) == (len(wanted), leaderboard(wanted))
