"""Past games: the story that everybody saw, who leads, and what nobody may see even afterwards."""

from __future__ import annotations

import pytest

from companion.history import leaderboard, win_share
from companion.journal import Filed
from companion.record import Header


def finished(standing: str, game: str = "galloping-pigs", state: str = "played", bots: str = "") -> Filed:
    """A match that ended so: "Ada 12, Ben 7" is first and second place; `bots` has one word a seat."""
    rows = [(row.rpartition(" ")[0].strip(), int(row.rpartition(" ")[2])) for row in standing.split(",")]
    standings = tuple(
        {"seat": seat, "name": name, "score": score, "place": 1 + sum(other > score for _, other in rows)}
        for seat, (name, score) in enumerate(rows)
    )
    header = Header(game, tuple(name for name, _ in rows), 0, {})
    played_by = tuple("" if bot == "-" else bot for bot in bots.split())
    return Filed(1, header, "people", (), state, "2026-05-01", standings, {}, played_by)  # type: ignore[arg-type]


BOARDS = [
    # what was played, newest first; what the board says: name, games, wins, places, best, average place
    ("nothing", [], []),
    (
        "two games",
        ["Ada 12, Ben 7", "Ben 9, Ada 3"],
        [("Ada", 2, 1, (1, 1), 12, 1.5), ("Ben", 2, 1, (1, 1), 9, 1.5)],
    ),
    ("one name", ["Ada 5, Ben 1", " aDA 7, BEN 2"], [("Ada", 2, 2, (2,), 7, 1), ("Ben", 2, 0, (0, 2), 2, 2)]),
    (
        "a shared victory is everybody's",
        ["Ada 5, Ben 5, Cleo 1"],
        [("Ada", 1, 1, (1,), 5, 1), ("Ben", 1, 1, (1,), 5, 1), ("Cleo", 1, 0, (0, 0, 1), 1, 3)],
    ),
    (
        "one lucky evening leads no board",
        ["Zoe 9, Ada 1"] + 8 * ["Ada 9, Ben 1"] + 2 * ["Ben 9, Ada 1"],
        [
            ("Ada", 11, 8, (8, 3), 9, 14 / 11),
            ("Zoe", 1, 1, (1,), 9, 1),
            ("Ben", 10, 2, (2, 8), 9, 1.8),
        ],
    ),
]


@pytest.mark.parametrize(("played", "board"), [row[1:] for row in BOARDS], ids=[row[0] for row in BOARDS])
def test_the_leaderboard_counts_what_was_played(played: list[str], board: list[tuple[object, ...]]) -> None:
    rows = leaderboard(finished(standing) for standing in played)
    assert [(r.name, r.games, r.wins, r.places, r.best, r.average) for r in rows] == board


def test_only_games_that_came_to_their_end_count() -> None:
    for state in ("running", "aside", "ended"):
        assert leaderboard([finished("Ada 1, Ben 0", state=state)]) == []
    assert len(leaderboard([finished("Ada 1, Ben 0", state="finished")])) == 2, "also while it is still shown"


def test_a_robot_is_nobody_of_that_name() -> None:
    """Ada the person, Ada played strong and Ada played easy are three."""
    rows = leaderboard(
        [
            finished("Ada 5, Ben 1"),
            finished("Ada 5, Ben 1", bots="strong -"),
            finished("Ada 1, Ben 5", bots="easy -"),
        ]
    )
    assert sorted((r.name, r.bot, r.games, r.wins) for r in rows) == [
        ("Ada", "", 1, 1), ("Ada", "easy", 1, 0), ("Ada", "strong", 1, 1), ("Ben", "", 3, 1),
    ]  # fmt: skip


def test_scores_of_different_games_are_not_compared() -> None:
    rows = leaderboard([finished("Ada 950, Ben 400", "greyhounds"), finished("Ada 5, Ben 7")])
    assert [row.best for row in rows] == [None, None]


SHARES = [
    # wins, games, fair part, share, give or take
    (0, 0, 0.5, 0.5, 0.4),
    (1, 1, 0.25, 0.375, 0.36),
    (8, 10, 0.25, 0.617, 0.24),
    (80, 100, 0.25, 0.774, 0.08),
    (0, 10, 0.5, 0.167, 0.18),
]


@pytest.mark.parametrize(("wins", "games", "fair", "share", "error"), SHARES)
def test_a_share_of_few_games_leans_on_the_fair_one_and_says_how_sure_it_is(
    wins: int, games: int, fair: float, share: float, error: float
) -> None:
    assert win_share(wins, games, fair) == pytest.approx((share, error), abs=0.006)
