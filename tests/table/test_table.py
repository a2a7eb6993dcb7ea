"""The table's own thread: what it must not sleep through."""

from __future__ import annotations

from threading import Event

import pytest

from companion.devices.mock.tags import DEMO_SET
from companion.devices.readings import PadSeen, TrackSeen
from companion.match.record import Header
from companion.referee.pad import PAD_STILL
from companion.referee.tagged import TRACK_STILL
from companion.store.journal import Journal
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from tests.support.client import PATIENCE_S

UID = {means: uid for uid, means in DEMO_SET.items()}
LINE_UP = {0: "red", 21: "blue", 20: "green", 19: "yellow", 18: "pink"}


def test_a_piece_that_comes_to_rest_at_a_busy_table_is_not_missed(journal: Journal) -> None:
    """Pages that are slow to take the picture with the new pieces: meanwhile these have stood long enough."""
    now, offered = [100.0], Event()
    table = Table(journal, clock=lambda: now[0]).open()
    table.tags.bind(DEMO_SET)
    table.begin(Header("galloping-pigs", ("Ada", "Ben")))

    def slow_page(picture: Snapshot) -> None:
        now[0] += TRACK_STILL + 0.05
        if picture.offer is not None:
            offered.set()

    table.listeners.append(slow_page)
    table.start()
    try:
        lying = {
            space: frozenset({UID[f"galloping-pigs/piece/{colour}"]}) for space, colour in LINE_UP.items()
        }
        table.enqueue(TrackSeen({space: lying.get(space, frozenset()) for space in range(22)}))
        assert offered.wait(PATIENCE_S)
    finally:
        table.stop()


@pytest.mark.parametrize(("seconds", "played"), [(PAD_STILL / 2, 0), (PAD_STILL * 2, 1)])
def test_a_card_that_lay_while_the_table_was_late_counts(
    journal: Journal, seconds: float, played: int
) -> None:
    """Behind a slow disk a card is laid and lifted: it counts if it lay long enough, and not if it slipped by."""
    now, disk = [100.0], Event()
    table = Table(journal, clock=lambda: now[0]).open()
    table.tags.bind(DEMO_SET)
    table.begin(Header("galloping-horse", ("Ada", "Ben")))
    table.ledger.decide(next(iter(table.snapshot.match.race.decisions(0))), "person")  # type: ignore[union-attr]
    table.start()
    try:
        table.enqueue(PadSeen(frozenset()))
        table.ask(lambda _: None)
        now[0] += 10  # what lay there at the start has had its answer
        late = table._inbox.post(disk.wait)
        table.enqueue(PadSeen(frozenset({UID["galloping-horse/card/red/1"]})))
        now[0] += seconds
        table.enqueue(PadSeen(frozenset()))
        now[0] += 60
        disk.set()
        assert late.result(PATIENCE_S)
        match = table.ask(lambda t: t.match)
    finally:
        table.stop()
    assert match is not None
    assert sum(turn.decision.do == "play" for turn in match.turns) == played
