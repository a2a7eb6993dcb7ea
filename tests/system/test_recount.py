"""The engine's scores against a second count, written from the rules without it: the cases, and whole random games."""

from __future__ import annotations

import ast
import itertools
import json
import random
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.games.judge import checked
from companion.games.race import Race, random_decision
from companion.games.terms import Decision
from companion.match.record import Header, decision_line, replayed, written
from tests.games.test_laws import header_of, refused
from tests.match.test_cases import CASES
from tests.support.recount import Recount, recount
from tests.support.source import parsed

GAMES = [games.all_games()[name] for name in sorted({case.parent.name for case in CASES})]
EACH = 50
"""Random games of each game: most have a header and options of their own."""
ENOUGH = 200
"""So many decisions of a game may be copied: where all do the same for ever, horses never reach the line."""
KEYS = ("finished", "next", "standings", "state")
ROOM = Path(__file__).parents[1] / "support" / "recount"


def as_json(report: Mapping[str, Any]) -> str:
    """Return it as JSON with types: 1, 1.0 and true differ."""
    return json.dumps({key: report[key] for key in KEYS}, sort_keys=True)


def lines_of(record: bytes, decisions: int) -> list[dict[str, Any]]:
    """Return the header and so many decision lines; a number with a point stays a decimal as written."""
    lines = [line for line in record.split(b"\n") if line.strip()]
    return [json.loads(line, parse_float=Decimal) for line in lines[: 1 + decisions]]


def shortest(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same header, all that is the default left out."""
    defaults = {option.name: option.default for option in games.all_games()[header["game"]].options}
    options = {name: value for name, value in header["options"].items() if value != defaults[name]}
    short = {key: header[key] for key in ("game", "seats")}
    return (
        short | ({"options": options} if options else {}) | ({"start": s} if (s := header["start"]) else {})
    )


def as_the_engine_says(race: Race) -> dict[str, Any]:
    """Return a position of the engine in the words of the record format."""
    due = race.awaits()
    return {
        "finished": due is None,
        "next": None if due is None else {"do": due.do, "seats": due.seats},
        "standings": [standing._asdict() for standing in race.standings()],
        "state": race.state(),
    }


def played(header: Header, rng: random.Random) -> tuple[list[Race], list[Decision]]:
    """Return every position of a random game and the decisions between them; hands now and then unknown.

    In every third game most seats do what the one before them did, where they may: nowhere else are there
    so many equal cards, turns in which nothing moves and shared scores.
    """
    copies = rng.choice([0.0, 0.0, 0.9])  # with 1 a race may never end
    undealt = copies > 0 or rng.random() < 0.5  # of a hand that was dealt there is little to copy
    race, positions = header.opening(), [header.opening()]
    decisions: list[Decision] = []
    last: dict[str, Decision] = {}
    while (decision := random_decision(race, rng)) is not None:
        due = race.awaits()
        if undealt and due is not None and due.seats:
            decision = race.at_random(rng.choice(due.seats), rng)
        if undealt:
            decision = race.dealt_unseen() or decision
        copied = last.get(decision.do, decision)._replace(seat=decision.seat)
        if rng.random() < copies and len(decisions) < ENOUGH and refused(race, copied) is None:
            decision = copied
        last[decision.do] = decision
        race = checked(race, decision)
        positions.append(race)
        decisions.append(decision)
    return positions, decisions


def compared(header: Header, positions: Sequence[Race], decisions: Sequence[Decision]) -> int:
    """Return how many positions of a game were counted alike, the first before any decision; all must be."""
    record = written(header, decisions).encode()
    first, *lines = lines_of(record, len(decisions))
    assert lines == json.loads(json.dumps([decision_line(positions[0], decision) for decision in decisions]))
    for opening in (first, shortest(first)):
        counted = Recount(opening)
        for number, race in enumerate(positions):
            if number > 0:
                counted.take(lines[number - 1])
            found, expected = as_json(counted.report()), as_json(as_the_engine_says(race))
            assert found == expected, f"after decision {number} of\n{record.decode()}"
        assert as_json(counted.report()) == as_json(replayed(record).answer())
    return len(positions)


def test_the_second_count_knows_nothing_of_the_companion() -> None:
    """A dependent count would be the first count, asked twice."""
    for path in ROOM.glob("*.py"):
        for node in ast.walk(parsed(path)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.partition(".")[0] == "companion"], path


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.stem}")
def test_the_second_count_answers_as_the_case_says(case: Path) -> None:
    """Of a record with a bad line it counts the lines before it; without a good header there is no game."""
    expected = json.loads(case.with_suffix(".json").read_text(encoding="utf-8"))
    if expected["game"] is not None:
        header, *lines = lines_of(case.read_bytes(), expected["lines"])
        assert as_json(recount(header, lines)) == as_json(expected)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_engine_and_second_count_agree_after_every_decision(game: type[Race], soak: int) -> None:
    """Whole games, random headers and options."""
    positions = 0
    for seed in range(EACH * soak):
        rng = random.Random(seed)
        header = header_of(game, rng)
        positions += compared(header, *played(header, rng))
    print(f"{game.name}: {EACH * soak} games, {positions} positions counted alike")
    assert positions > EACH * soak


@pytest.mark.parametrize("spaces", range(8, 15))
@pytest.mark.parametrize("food", [2, 55])
def test_both_lay_food_until_stock_or_spaces_end(spaces: int, food: int) -> None:
    """The free spaces range from none to one for each seat and more."""
    options = {"spaces": spaces, "food": food, "rounds": 1, "food_on_track": True}
    header = Header("galloping-pigs", ("Ada", "Ben", "Cleo", "Dev"), 2, options)
    compared(header, *played(header, random.Random(spaces)))


def test_both_ruin_a_bookie_below_zero_and_not_at_zero() -> None:
    """The same first race twice: with odds that leave him nothing the game goes on, with a little more it ends."""
    met = 0
    for seed in range(20):
        positions, decisions = played(with_bookie(1), random.Random(seed))
        race_1 = decisions[: next(n for n, race in enumerate(positions) if race.state()["races"])]
        rich = bookies_money(1, race_1)
        stakes_won = rich - bookies_money(2, race_1)
        if stakes_won == 0 or (rate := 1 + Decimal(rich) / stakes_won) != round(rate, 3):
            continue  # no odds with three decimals leave him exactly nothing
        met += 1
        for paid, ruined in ((rate, False), (rate + Decimal("0.002"), True)):
            along = [*itertools.accumulate(race_1, checked, initial=with_bookie(paid).opening())]
            assert (along[-1].awaits() is None) is ruined
            compared(with_bookie(paid), along, race_1)
    assert met > 3


def with_bookie(rate: Decimal | int) -> Header:
    """Return a game with seat 0 as the bookie, in which every bet pays the same per dollar."""
    pairs = [f"{a}-{b}" for a, b in itertools.combinations(range(1, 5), 2)]
    odds = {"win": [rate] * 4, "place": [rate] * 4, "double": dict.fromkeys(pairs, rate)}
    return Header("greyhounds", ("Ada", "Ben", "Cleo", "Dev"), 0, {"bookie": 0, "odds": odds})


def bookies_money(rate: int, decisions: Sequence[Decision]) -> int:
    """Return what he has after these decisions."""
    first, *lines = lines_of(written(with_bookie(rate), decisions).encode(), len(decisions))
    money: int = recount(first, lines)["state"]["money"][0]
    return money


def test_an_earlier_report_stays_as_it_was() -> None:
    """A program that follows a running game may store an earlier answer."""
    for game in GAMES:
        header = header_of(game, random.Random(1))
        _, decisions = played(header, random.Random(1))
        first, *lines = lines_of(written(header, decisions).encode(), len(decisions))
        counted = Recount(first)
        reports = []
        for line in lines:
            report = counted.report()
            reports.append((report, as_json(report)))
            counted.take(line)
        assert all(as_json(report) == before for report, before in reports)
