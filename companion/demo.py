"""A demo table: its tags are known, a PIN is set and a game has begun.

May use the table, the journal, and the PIN in `http/`.
"""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from companion.devices.mock.tags import DEMO_SET
from companion.http.roles import PinLock, hash_pin
from companion.match.record import Header
from companion.store.journal import Journal
from companion.table.snapshot import Snapshot
from companion.table.table import Listener, Table

SEATS: Final = ("Ada", "Ben", "Cleo", "Dev")


def learn_tags(journal: Journal) -> None:
    """Store the tags of the virtual table."""
    known = journal.tags()
    enrolled = set(known.values())  # anew, with blank tags
    journal.bind({u: means for u, means in DEMO_SET.items() if u not in known and means not in enrolled})


class RandomPin:
    """A PIN of four digits, hashed by a thread: a Pi Zero 2 has four cores, and one takes half a second."""

    def __init__(self) -> None:
        self.text = f"{secrets.randbelow(10_000):04}"
        executor = ThreadPoolExecutor(1, "pin")
        self.hashed = executor.submit(hash_pin, self.text)
        executor.shutdown(wait=False)


def begin(table: Table, hand: Any, pin: RandomPin) -> None:
    """Begin a game of Galloping Pigs for four with its pieces on the line-up spaces, and set the PIN."""
    if table.match is None:
        header = Header("galloping-pigs", SEATS, 0, {"food_on_track": True})
        table.begin(header)
        asked = {"game": header.game, "seats": list(SEATS), "start": 0, "options": header.options}
        table.preferences.remember_game({**asked, "deal": "people"})
        table.play.explain(True)
        if hand is not None:
            _line_up(table, hand)
    PinLock(table).set_hash(pin.hashed.result())  # last: until then its thread had time


def tidied(table: Table, hand: Any) -> Listener:
    """Return a listener that removes things of other games when another match is on the table."""
    last = table.snapshot.match

    def changed(picture: Snapshot) -> None:
        nonlocal last
        was, now = last, picture.match
        last = now or was
        if now is not None and (was is None or now.id != was.id):
            own = f"{now.race.name}/"
            hand.put_away(uid for uid, means in picture.tags.items() if not means.startswith(own))

    return changed


def _line_up(table: Table, hand: Any) -> None:
    assert table.match is not None
    race, pieces = table.match.race, {}
    for uid, means in table.journal.tags().items():
        game, _, rest = means.partition("/piece/")
        if game == race.name and rest:
            pieces[rest] = uid
    spaces = race.track()["spaces"]
    hand.put_on_spaces({-place % spaces: [pieces[piece]] for place, piece in enumerate(race.pieces)})
