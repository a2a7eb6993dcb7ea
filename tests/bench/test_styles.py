"""What the bench of learned styles asks, and of whom."""

from __future__ import annotations

import pytest

from bench.styles import WHO, Job, said
from bench.subjects import SUBJECTS

GAMES = pytest.mark.parametrize("game", SUBJECTS)


@GAMES
def test_everybody_is_asked_about_the_same_moments(game: str) -> None:
    """The late ones where all bots are alike; who plays like no style has no style to be known."""
    subject = SUBJECTS[game]
    for at in [*subject.tables][1], [*subject.tables][-1]:
        who = {*WHO} if at in subject.nearest else {*WHO} - {"known"}
        found = [*said(Job(game, at, "test", 0))]
        moments = range(subject.late, len(subject.moments))
        assert [one.moment for one in found] == [*moments][: len(found)]
        assert all(one.brier.keys() == who and 0 <= max(one.brier.values()) <= 2 for one in found)


@GAMES
def test_a_taste_that_is_held_out_has_no_seat(game: str) -> None:
    """The other tastes have its share."""
    subject = SUBJECTS[game]
    assert subject.held_out in subject.tastes
    for company, whole in zip(subject.without(), subject.companies, strict=True):
        shares = dict(zip(zip(range(99), subject.tastes, strict=False), company.shares, strict=True))
        assert all(share == 0 for (_, taste), share in shares.items() if taste == subject.held_out)
        assert sum(company.shares) == pytest.approx(1) == sum(whole.shares)
        assert company.weight == whole.weight


@GAMES
def test_a_kind_of_bot_has_the_style_of_its_name(game: str) -> None:
    """A bot that is another one now and then may have that one's style."""
    subject, now_and_then = SUBJECTS[game], {"playful": "greedy", "careless": "careful"}
    for bot, style in subject.nearest.items():
        assert subject.tastes[style] == now_and_then.get(bot, bot)
