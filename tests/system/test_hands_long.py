"""Whole games by clumsy hands at one real process, through nothing but the virtual table.

Only here: a mistake of hands that gets into the record, at the real process with its real timing.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.match.record import replayed
from tests.support.client import Client, companion

pytestmark = [pytest.mark.nightly, pytest.mark.early]

GAMES = {
    "galloping-pigs": ("red", "blue", "green", "yellow", "pink"),
    "galloping-horse": ("red", "blue", "green", "yellow"),
}
SPACES = 22
MOMENT = (5, 14)  # polls of the pad between two things that a hand does, with any page
LOOK = 0.05  # seconds between two looks of the pad, at least
PATIENCE = 60.0  # seconds
GLANCE = 1.2  # seconds that a hand leaves a card or a piece where it should count, since the sensors show it


class Hands:
    """Four clumsy hands. They know the game, record what they mean, and read no screen.

    All they do goes through the virtual table. They make mistakes as people do and put them right. A mistake
    is never meant, so it must not be in the record.
    """

    def __init__(self, client: Client, game: str, seed: int) -> None:
        self.client, self.rng = client, random.Random(seed)
        self.animals = GAMES[game]
        self.uids = client.uids(game)
        self.other = client.uids(next(name for name in GAMES if name != game))
        self.meant: list[tuple[str, object]] = []
        self.stand: dict[str, int] = {}
        self.unplayed: list[str] = []
        self.spent: list[str] = []

    # --- time, which passes for hands as it does for the sensors, however busy the machine is ----

    def pause(self, looks: int = 0) -> None:
        """Wait until the pad was polled this many times more."""
        until = self.pad_looks() + (looks or self.rng.randint(*MOMENT))
        self.wait(lambda: LOOK * (until - self.pad_looks()))

    def pad_looks(self) -> int:
        polls: int = self.client.get("/api/hardware")["pad"]["polls"]
        return polls

    def rest(self, seconds: float = GLANCE) -> None:
        """Wait until pad and track have shown the present state for so many seconds."""
        self.wait(lambda: seconds - self.shown_for())

    def wait(self, missing: Callable[[], float]) -> None:
        """Wait until `missing` returns no more seconds."""
        late = time.monotonic() + PATIENCE
        while (left := missing()) > 0:
            assert time.monotonic() < late, f"the sensors stand still: {left:.1f} s are missing"
            time.sleep(left)

    def shown_for(self) -> float:
        """Return for how many seconds pad and track have shown the present state."""
        lies: dict[str, set[str]] = {}
        for uid, tag in self.client.get("/api/mock")["tags"].items():
            lies.setdefault(tag["at"], set()).add(uid)
        hardware = self.client.get("/api/hardware")
        pad, sensors = hardware["pad"], hardware["track"]["sensors"]
        seen = all(
            {tag["uid"] for tag in sensor["lies"]} == lies.get(f"track/{sensor['space']}", set())
            for sensor in sensors
        )
        if not seen or len(pad["lies"]) != len(lies.get("pad", ())):
            return 0.0
        return min((one["changed_s"] for one in (pad, *sensors) if one["changed_s"] is not None), default=0.0)

    # --- what hands do ---------------------------------------------------------------------------

    def line_up(self) -> None:
        """Put the pieces behind the line, sometimes in the wrong order at first."""
        order = self.rng.sample(self.animals, len(self.animals))
        if self.rng.random() < 0.5:
            for place, animal in enumerate(reversed(order)):
                self.put(animal, -place)
            self.rest()
        for place, animal in enumerate(order):
            self.put(animal, -place)
        self.rest()
        for _ in range(2):  # pressed twice, as people do
            self.client.press("confirm")
            self.pause()
        self.stand = {animal: -place for place, animal in enumerate(order)}
        self.meant.append(("line-up", tuple(order)))

    def deal(self) -> None:
        self.unplayed = [f"card/{animal}/{n}" for animal in self.animals for n in range(1, 8)]
        self.rng.shuffle(self.unplayed)
        self.spent = []

    def put(self, animal: str, progress: int | None) -> None:
        """Put a piece on a space with the pieces there; None takes it into the hand."""
        uid = self.uids[f"piece/{animal}"]
        tags = self.client.get("/api/mock")["tags"]
        if progress is None:
            at = tags[uid]["at"]
            there = [u for u, tag in tags.items() if tag["at"] == at and u != uid]
            self.client.put(f"/api/mock/{at}", tags=there)
        else:
            at = f"track/{progress % SPACES}"
            there = [u for u, tag in tags.items() if tag["at"] == at and u != uid]
            self.client.put(f"/api/mock/{at}", tags=[*there, uid])

    def target(self, animal: str) -> int:
        """Return the animal's next space, calculated without the companion's rules."""
        to = self.stand[animal] + 1
        while any((to - other) % SPACES == 0 for other in self.stand.values()):
            to += 1
        return to

    def turn(self) -> None:
        """Play one card and its piece, in one of the ways of people."""
        card = self.unplayed.pop()
        animal = card.split("/")[1]
        to = self.target(animal)
        self.rng.choice([self.neat, self.neat, self.early, self.late, self.wrong, self.double])(
            card, animal, to
        )
        self.stand[animal] = to
        self.spent.append(card)
        self.meant.append(("play", animal))

    def neat(self, card: str, animal: str, to: int) -> None:
        """Lay the card, move the piece, and lift the card or leave it until the next one."""
        self.lay(card)
        self.put(animal, to)
        self.rest()
        if self.rng.random() < 0.6:
            self.client.pad()
            self.pause()

    def early(self, card: str, animal: str, to: int) -> None:
        """Move the piece first, then lay its card."""
        self.put(animal, to)
        self.pause()
        self.lay(card)

    def late(self, card: str, animal: str, to: int) -> None:
        """Lay the card; the piece wanders over the track and is off it for a while."""
        self.lay(card)
        for progress in range(self.stand[animal] + 1, to):
            self.put(animal, progress)
        self.put(animal, None)
        self.rest(2 * GLANCE)
        self.put(animal, to)
        self.rest()

    def wrong(self, card: str, animal: str, to: int) -> None:
        """Lay an impossible card, then the right one; move another piece, then put it back."""
        self.lay(self.rng.choice(self.spent) if self.spent and self.rng.random() < 0.5 else "other")
        self.client.pad()
        self.pause()
        self.lay(card)
        other = self.rng.choice([a for a in self.animals if a != animal])
        self.put(other, max(self.stand.values()) + 5)
        self.rest()
        self.put(other, self.stand[other])
        self.put(animal, to)
        self.rest()

    def double(self, card: str, animal: str, to: int) -> None:
        """Lay two cards at once, lift one after the other, then lay the right one."""
        if self.unplayed:
            self.client.pad(self.uids[card], self.uids[self.unplayed[-1]])
            self.rest()
            self.client.pad(self.uids[self.unplayed[-1]])
            self.pause()
        self.client.pad()
        self.pause()
        self.neat(card, animal, to)

    def lay(self, card: str) -> None:
        """Lay a card, with or without the last one still under it."""
        uid = self.other["card/red/1"] if card == "other" else self.uids[card]
        self.client.pad(uid)
        self.rest()


def games(count: int) -> Iterator[tuple[int, str, int, int]]:
    """Yield seed, game, seats and rounds of so many games."""
    for seed in range(count):
        yield seed, list(GAMES)[seed % 2], 2 + seed % 3, 2 if seed in (1, 4) else 1


def play(client: Client, seed: int, game: str, seats: int, rounds: int) -> list[tuple[str, object]]:
    """Play a whole game by hand, and compare its record with what the hands meant."""
    number = client.begin(game, ("Ada", "Ben", "Cleo", "Dev")[:seats], options={"rounds": rounds})
    hands = Hands(client, game, seed)
    for played in range(rounds):
        if played == 0 or game == "galloping-pigs":
            hands.line_up()
        hands.deal()
        for _ in range(7 * seats):
            hands.turn()
        client.pad()
        hands.pause()
    assert client.table["next"] is None, client.table
    replay = replayed(client.get(f"/api/matches/{number}/record").encode())
    assert replay.error is None
    decided = [(d.do, d.what) for d in replay.decisions if d.do != "deal"]
    assert decided == hands.meant
    return hands.meant


def test_whole_games_by_clumsy_hands(tmp_path: Path, soak: int) -> None:
    """The exported record is what the hands meant.

    With a dead pad and a closed pty nothing gets through. `make soak` plays ten games.
    """
    with companion(tmp_path) as running:
        client = running.client.host()
        for seed, game, seats, rounds in games(2 if soak == 1 else 10):
            meant = play(client, seed, game, seats, rounds)
            assert len(meant) >= 7 * seats * rounds
        nothing_gets_through(client)


def nothing_gets_through(client: Client) -> None:
    """Assert that without MISO no card is read, and without the cable no piece.

    After the repair both are read again.
    """
    client.begin(seats=("Ada", "Ben"))
    hands = Hands(client, "galloping-pigs", 99)
    hands.line_up()
    hands.deal()
    hands.turn()
    client.pad()
    client.fault("dead-miso", "pad")
    client.until(lambda table: table["parts"]["pad"] == "lost")
    before = client.table
    client.pad(hands.uids[hands.unplayed[-1]])
    astray_and_back(client, hands)  # the track looks for longer than a card must lie
    assert client.table["seq"] == before["seq"], "a card on a pad without MISO is not read"
    client.pad()
    client.fault("dead-miso", "pad", on=False)
    client.until(lambda table: table["parts"]["pad"] == "ok")
    client.fault("pulled-cable", "track")
    client.until(lambda table: table["parts"]["track"] == "lost")
    hands.put("red", 15)
    hands.pause(40)
    seen = [task["from"] for task in client.table["todo"]]
    assert {"zone": "track", "space": 15} not in seen, "a piece moved without a cable is not seen"
    client.fault("pulled-cable", "track", on=False)
    astray_and_back(client, hands)
    hands.turn()
    assert client.table["seq"] > before["seq"]


def astray_and_back(client: Client, hands: Hands) -> None:
    """Put a piece on a wrong space until the companion reports it, then put it back."""
    hands.put("red", 15)
    client.until(lambda table: [task["piece"] for task in table["todo"] if task["held"]] == ["red"])
    hands.put("red", hands.stand["red"])
    client.until(lambda table: table["todo"] == [])
