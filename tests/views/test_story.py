"""What the table page says of what happened last: a reward, and who leads after it."""

from __future__ import annotations

from dataclasses import replace

from companion.translate import Words
from companion.views.table.story import reward
from tests.support.moments import Story

WORDS = Words.english()


def text(parts: list[object]) -> str:
    return "".join(part if isinstance(part, str) else part.text for part in parts)  # type: ignore[attr-defined]


def test_a_reward_says_who_leads_after_it() -> None:
    """In a whole game: by how much one leads, or which lead together; nothing while all are alike, or at the end."""
    match = Story("galloping-pigs", ("Ada", "Ben", "Cleo"), 4, deal="companion").match
    seen = set()
    for at, turn in enumerate(match.turns, 1):
        if not any(news.kind in ("kept", "lost") for news in turn.race.news):
            continue
        then = replace(match, turns=match.turns[:at], last="decide")
        of = reward(then, turn.race.seen_by(None), WORDS)
        assert of is not None
        scores = dict(zip(match.header.seats, turn.race.scores(), strict=True))
        best = [name for name, score in scores.items() if score == max(scores.values())]
        rest = sorted(scores.values(), reverse=True)[1]
        said = (
            ""
            if len(best) == 3 or at == len(match.turns)
            else f"{best[0]} leads by {scores[best[0]] - rest}"
            if len(best) == 1
            else f"{', '.join(best)} lead together"
        )
        assert text(list(of.lead)) == said
        seen.add(bool(said) + (len(best) == 1))
    assert seen >= {0, 2}
