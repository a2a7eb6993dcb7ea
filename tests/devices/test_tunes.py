"""What the buzzer plays in a game: the weightiest of what a decision brought."""

from __future__ import annotations

import random
from pathlib import Path

from companion.devices.tunes import Tune
from companion.games.presenter import presented
from companion.games.race import random_decision
from tests.support.evening import PIGS, Evening


class Panel:
    """Remembers what it is to play."""

    def __init__(self) -> None:
        self.played: list[Tune] = []

    def lamp(self, colour: str) -> None:
        pass

    def beep(self, tune: Tune) -> None:
        self.played.append(tune)


def test_every_moment_of_a_game_has_its_tune(tmp_path: Path) -> None:
    """Two rounds of pigs: each decision one tune, and which one is what the rules say happened."""
    evening, panel, rng = (
        Evening(tmp_path, seats=("Ada", "Ben"), spaces=None, options={"rounds": 2}),
        Panel(),
        random.Random(4),
    )
    evening.tap({"do": "line-up", "seat": 0, "order": list(PIGS)})
    evening.table.signals = panel
    expected: list[Tune] = []
    while (match := evening.table.match) and (decision := random_decision(match.race, rng)):
        evening.tap(
            {
                "do": decision.do,
                "seat": decision.seat,
                "order" if decision.do == "line-up" else "card": decision.what,
            }
        )
        now = evening.table.match
        assert now is not None
        kinds = {news.kind for news in now.happened(None)}
        before_the_last = presented(now.race).prompt() is not None and "last card" in str(
            presented(now.race).prompt()
        )
        if now.finished:
            expected.append("end")
        elif kinds & {"kept", "lost"}:
            expected.append("kept" if "kept" in kinds else "lost")
        elif "round-over" in kinds:
            expected.append("round")
        else:
            expected.append("last-card" if before_the_last else "ok")
    assert panel.played == expected
    assert {"ok", "last-card", "end"} < set(expected)
    assert set(expected) & {"kept", "lost"}


def test_the_end_is_played_once_the_last_piece_stands(tmp_path: Path) -> None:
    """The last card is a card; that of the piece that is put where it ran is the tune of the end, once."""
    evening, panel = Evening(tmp_path, seats=("Ada", "Ben"), options={"rounds": 1}), Panel()
    evening.line_up()
    rng = random.Random(4)
    while (match := evening.table.match) and (decision := random_decision(match.race, rng)):
        evening.tap({"do": decision.do, "seat": decision.seat, "card": decision.what})
    evening.table.signals = panel
    assert evening.table.snapshot.ending
    for piece, place in evening.table.match.race.layout().items():  # type: ignore[union-attr]
        evening.put(piece, place.space)
    assert not evening.table.snapshot.ending
    assert panel.played == ["end"]
