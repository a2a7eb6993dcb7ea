"""How people played is remembered by name, if the host lets it: from the stored games, and no other."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.bots.players import next_decision
from companion.match.match import Match
from companion.match.record import Header
from companion.odds.belief import Evidence
from companion.odds.giro.styles import FAMILY
from companion.odds.styles import Belief, along, learned
from companion.store.journal import Journal
from companion.table.table import Table

GIRO = "giro-galoppo"


def begun(table: Table, seats: Sequence[str], bots: Sequence[str] = (), game: str = GIRO) -> Match:
    """Return a match of these people on the table."""
    if table.match is not None and not table.match.finished:
        table.end(table.snapshot.seq)
    table.begin(Header(game, tuple(seats)), played_by=bots)
    assert table.match is not None
    return table.match


def played(table: Table, kinds: Sequence[str], seed: int) -> None:
    """Play the match on the table to its end, each seat as this kind of bot would."""
    rng = random.Random(seed)
    while table.match is not None and not table.match.finished:
        race = table.match.race
        decision = next_decision(race, kinds, rng)
        assert decision is not None
        table.ledger.decide(decision, "person")


def careful(belief: Belief, seat: int) -> float:
    """Return how likely the seat plays with care."""
    return sum(p for p, style in zip(belief[seat], FAMILY, strict=True) if style.taste == "careful")


def at_first(match: Match, before: Evidence) -> Belief:
    """Return what is believed before anybody has played."""
    return learned(match.positions()[:1], prior=before)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Return a table after a game in which Ada played with care and Ben anything."""
    table = Table(Journal(tmp_path / "journal.sqlite")).open()
    begun(table, ["Ada", "Ben"])
    played(table, ["careful", "random"], 3)
    return table


def test_who_played_with_care_is_thought_to_do_so_again(table: Table) -> None:
    """It holds in any seat, if the host lets it be remembered; a player who was not there is not known."""
    match = begun(table, ["Cleo", "Ben", "Ada"])
    unknown = careful(at_first(match, ()), 0)
    assert table.archive.played_before(match) == (), "not unless the host says so"
    table.show(remember_play=True)
    belief = at_first(match, table.archive.played_before(match))
    assert careful(belief, 2) > unknown + 0.1 > unknown > careful(belief, 1)
    assert belief[0] == pytest.approx(at_first(match, ())[0], abs=0.2)


def test_robots_and_other_games_are_not_remembered(table: Table) -> None:
    """A robot called Ada is not Ada, and how she played here says nothing of another game."""
    table.show(remember_play=True)
    robot = begun(table, ["Ada", "Ben"], ["easy", ""])
    known = table.archive.played_before(robot)
    assert len(set(known[0])) == 1 < len(set(known[1]))
    played(table, ["random", "random"], 5)
    match = begun(table, ["Ada", "Eve"])
    after = at_first(match, table.archive.played_before(match))
    assert careful(after, 0) > careful(after, 1) + 0.1, "what the robot played is not hers"
    hounds = begun(table, ["Ada", "Ben", "Cleo"], game="greyhounds")
    assert all(set(seat) == {1.0} for seat in table.archive.played_before(hounds))
    assert table.archive.played_before(begun(table, ["Ada", "Ben"], game="galloping-pigs")) == ()


def test_a_game_that_is_forgotten_is_not_remembered(table: Table) -> None:
    """A later game is not remembered either: a past game's odds are those that the table had."""
    table.show(remember_play=True)
    later = begun(table, ["Ada", "Ben"])
    played(table, ["random", "careful"], 4)
    before = table.archive.played_before(later)
    assert careful(at_first(later, before), 0) > careful(at_first(later, before), 1)
    table.forget(1)
    assert all(set(seat) == {1.0} for seat in table.archive.played_before(later))


def test_no_style_is_certain_after_any_number_of_games(table: Table) -> None:
    """After five more careful games a game of anything is soon believed."""
    table.show(remember_play=True)
    for seed in range(5):
        begun(table, ["Ada", "Ben"])
        played(table, ["careful", "random"], seed)
    match = begun(table, ["Ada", "Ben"])
    before = table.archive.played_before(match)
    assert careful(at_first(match, before), 0) > 0.8
    played(table, ["random", "random"], 9)
    assert table.match is not None
    *_, last = along(table.match.positions(), prior=before)
    assert careful(last, 0) < 0.2
