"""The companion that screenshots are taken of: its numbers come from a formula, and no kernel is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.race import Race
from companion.odds.chance import Event, wins
from companion.odds.estimate import answers
from tests.support.browser.gallery import GIRO, HORSE, HOUNDS, PIGS, due
from tests.support.client import FROZEN, children, companion
from tests.support.frozen_companion import ADDRESS, JOIN_CODE, PORT, FixedOracle, fixed_chances
from tests.support.moments import Story

STORIES = (PIGS, HORSE, GIRO, HOUNDS)
by_story = pytest.mark.parametrize("story", STORIES, ids=lambda story: story.game)
DECISIONS = PIGS.where(lambda race, turn: True, len(PIGS.match.turns) // 2)


def views(story: Story) -> list[Race]:
    """Return the public view of opening, middle and end; of Greyhounds also of a bet and a card."""
    turns = story.match.turns
    found = [story.match.opening, turns[len(turns) // 2].race, turns[-1].race]
    if story is HOUNDS:
        found += [turns[due(do, 0)(story) - 1].race for do in ("bet", "play")]
    return [race.seen_by(None) for race in found]


def answered(story: Story) -> list[object]:
    """Return all that the fixed oracle says of this game."""
    said: list[object] = []
    oracle, turns = FixedOracle(said.append), story.match.turns
    middle = turns[len(turns) // 2]
    oracle.ask(1, middle.seq, middle.race)
    oracle.explain(1, turns[-1].seq, story.match.opening, story.match.decisions())
    oracle.review(1, turns[-1].seq, [(turn.seq, turn.race, ()) for turn in turns])
    return said


@by_story
def test_its_odds_are_about_what_the_kernel_s_are_about(story: Story) -> None:
    for view in views(story):
        fixed = fixed_chances(view, 1)
        assert {chance.event for chance in fixed} == {chance.event for chance in next(answers(view, 1))}
        assert sum(wins(fixed, len(view.seats))) == pytest.approx(1)


@by_story
def test_a_change_of_the_kernels_changes_nothing(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    before = answered(story)

    def changed(*asked: Any, **named: Any) -> Any:
        raise AssertionError("a kernel was asked")

    for name in ("estimate.answers", "estimate.kernel_of", "estimate.kernel_believing", "luck.weighed"):
        monkeypatch.setattr(f"companion.odds.{name}", changed)
    assert answered(story) == before


def test_it_starts_no_odds_process_and_shows_the_formula(tmp_path: Path) -> None:
    PIGS.write(tmp_path, DECISIONS)
    with companion(tmp_path, module=FROZEN) as running:
        table = running.client.until(lambda now: now if now["odds"] else {})
        assert not [line for line in children(running.process.pid).values() if "worker" in line]
        joining = running.client.host().get("/api/join")
        assert joining["code"] == JOIN_CODE
        assert joining["url"] == f"http://{ADDRESS}:{PORT}/seat?code={JOIN_CODE}"
    view = PIGS.match.turns[DECISIONS - 1].race.seen_by(None)
    shown = {_event(line): line["p"] for line in table["odds"]["chances"]}
    assert shown == {chance.event: chance.p for chance in fixed_chances(view, table["seq"])}


def _event(line: dict[str, Any]) -> Event:
    return Event(line["what"], line["seat"], tuple(line["pieces"]))


def test_the_formula_goes_by_seat_and_entry() -> None:
    """The weights are 4, 6, 3 and 5 at entry 1, in any position."""
    for view in views(PIGS)[:2]:
        assert [chance.p for chance in fixed_chances(view, 1)][:4] == [4 / 18, 6 / 18, 3 / 18, 5 / 18]
