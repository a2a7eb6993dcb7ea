"""The table's own thread: what it must not sleep through."""

from __future__ import annotations

from threading import Event

from companion.devices.mock.tags import DEMO_SET
from companion.devices.readings import TrackSeen
from companion.match.record import Header
from companion.referee.tagged import TRACK_STILL
from companion.store.journal import Journal
from companion.table.picture import Picture
from companion.table.table import Table

UID = {means: uid for uid, means in DEMO_SET.items()}
LINE_UP = {0: "red", 21: "blue", 20: "green", 19: "yellow", 18: "pink"}


def test_what_comes_to_rest_while_a_busy_table_looks_is_not_overlooked(journal: Journal) -> None:
    """Pages that are slow to take the picture with the new pieces: meanwhile these have stood long enough."""
    now, offered = [100.0], Event()
    table = Table(journal, clock=lambda: now[0]).open()
    table.tags.bind(DEMO_SET)
    table.begin(Header("galloping-pigs", ("Ada", "Ben")))

    def slow_page(picture: Picture) -> None:
        now[0] += TRACK_STILL + 0.05
        if picture.offer is not None:
            offered.set()

    table.listeners.append(slow_page)
    table.start()
    try:
        lying = {
            space: frozenset({UID[f"galloping-pigs/piece/{colour}"]}) for space, colour in LINE_UP.items()
        }
        table.tell(TrackSeen({space: lying.get(space, frozenset()) for space in range(22)}))
        assert offered.wait(10)
    finally:
        table.stop()
