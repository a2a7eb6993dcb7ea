"""Games one after the other while everything goes wrong, and what is found of it."""

from __future__ import annotations

import json
import math
import random
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion import games
from companion.games.boxes import options_for
from companion.http.network import own_address
from companion.match.record import Header
from tests.support.client import Client, Companion, HttpError, children
from tests.support.together.party import Party
from tests.support.together.people import People, Position
from tests.support.together.troubles import Troubles
from tests.support.together.world import World

SPACES: Final = 22  # readers of the track
NAMES: Final = ("Ada", "Ben", "Cleo", "Dev", "Emma")
VARIANTS: Final[dict[str, Sequence[dict[str, Any]]]] = {
    "galloping-pigs": ({"rounds": 1}, {"rounds": 2, "food_on_track": True}),
    "galloping-horse": ({"rounds": 1}, {"rounds": 2}),
    "giro-galoppo": ({}, {"rearmost_only": True}),
    "greyhounds": ({"lap": 14}, {"lap": 18, "bookie": 0}),
}
QUIET_S: Final = 60.0  # in which everything that was broken must be well again


class Used(NamedTuple):
    """What a process holds."""

    resident_mb: float
    threads: int
    descriptors: int


class Found(NamedTuple):
    """What came of it. `used`: host and odds process after each game, once all is quiet, by life."""

    decisions: int
    shown: int
    judged: int
    table_s: float
    wrong: list[str]
    used: list[list[dict[str, Used]]]
    done: Counter[str]

    def __str__(self) -> str:
        listed = ", ".join(f"{name} {count}" for name, count in sorted(self.done.items()))
        return (
            f"{self.table_s / 3600:.2f} h of table time, {self.decisions} decisions, {self.shown} pictures of "
            f"{self.judged} entries judged: {len(self.wrong)} wrong ({listed})"
        )


class Evening:
    """One companion and everybody who has to do with it, from power on to power off."""

    def __init__(self, directory: Path, seed: int, phones: int, hostile: int) -> None:
        self.directory, self.rng = directory, random.Random(seed)
        self.world = World(directory)
        self.sizes = (phones, hostile)
        self.wrong: list[str] = []
        self.done: Counter[str] = Counter()
        self.used: list[list[dict[str, Used]]] = []
        self.decisions = self.shown = self.judged = 0
        self.table_s = 0.0
        self.data = directory / "data"
        self.running = self._started("--port", "0")
        self.port = self.running.client.port
        self.host = self.running.client.host()

    def _started(self, *more: str) -> Companion:
        self.data.mkdir(exist_ok=True)
        self.used.append([])
        return Companion(self.data, *more, env=self.world.env)

    def play(self, names: Iterable[str], cuts: int, enough_s: float = math.inf) -> Found:
        """Play these games until there is enough table time; cut the power in each of the first `cuts`."""
        try:
            for number, name in enumerate(names):
                if self.table_s > enough_s:
                    break
                self._game(name, cut=number < cuts)
        finally:
            self.running.stop()
        return Found(self.decisions, self.shown, self.judged, self.table_s, self.wrong, self.used, self.done)

    def _game(self, name: str, *, cut: bool) -> None:
        rng = self.rng
        people = People(self.host, self._header(name), random.Random(rng.random()), SPACES)
        self._join(people)
        troubles = Troubles(self._another_host(), self.world, self.running.process.pid, rng, SPACES)
        party = Party(own_address(), self.port, random.Random(rng.random()), *self.sizes)
        party.start()
        troubles.start()
        cut_after = rng.randrange(5, 40) if cut else -1
        try:
            while people.deed():
                if len(people.known) == cut_after:
                    cut_after = -1
                    self._power_cut(troubles)
        finally:
            troubles.stop()
            party.stop()
        self._quiet(people)
        self._judge(people, party)
        self.done += people.done + troubles.made + party.done
        self.table_s += people.table_s
        self.decisions += len(people.known)
        self.used[-1].append(used(self.running.process.pid))
        print(
            f"{name}: {self.decisions} decisions, {self.judged} judged, {self.table_s:.0f} s, {self.used[-1][-1]}"
        )

    def _header(self, name: str) -> Header:
        low, high = games.find_by_name(name).seat_counts
        seats = NAMES[: self.rng.randint(low, high)]
        options = options_for(games.find_by_name(name), len(seats)) | self.rng.choice(VARIANTS[name])
        return Header(name, seats, self.rng.randrange(len(seats)), options)

    def _another_host(self) -> Client:
        """Return another page of the same device."""
        client = Client(self.port)
        client.share(self.host)
        return client

    def _join(self, people: People) -> None:
        """Let phones take some seats."""
        code = self.host.get("/api/join")["code"]
        for seat in range(len(people.header.seats)):
            self.host.post("/api/free", seat=seat)
            if self.rng.random() < 0.6:
                phone = Client(self.port)
                phone.post("/api/join", code=code, seat=seat)
                people.phones[seat] = phone

    def _power_cut(self, troubles: Troubles) -> None:
        self.done["power cut"] += 1
        self.running.kill()
        self.running = self._started("--port", str(self.port))
        troubles.pid = self.running.process.pid

    def _quiet(self, people: People) -> None:
        """Mend everything and take everybody away: nothing of it stays on the screen."""
        people.tidy()
        end = time.monotonic() + QUIET_S
        while True:
            table = self.host.table
            people.follow(table, everything=True)
            with suppress(HttpError):  # there is no message to take away
                self.host.post("/api/next")
            held = [task for task in table["todo"] if task["held"]]
            if set(table["parts"].values()) == {"ok"} and not table["alerts"] and not held:
                return
            if time.monotonic() > end:
                self.wrong.append(f"not quiet: {table['parts']}, {table['alerts']}, {held}")
                return
            time.sleep(0.1)

    def _judge(self, people: People, party: Party) -> None:
        """Check that the record is what people decided, and each entry what pencil and paper give."""
        record = self.host.get(f"/api/matches/{people.begun}/record")
        lines = [json.loads(line) for line in record.splitlines()][1:]
        recorded = [as_a_set(line) for line in lines if line["do"] != "deal"]
        decided = [as_a_set(line) for line in people.now.lines]
        if recorded != decided:
            self.wrong.append(f"{people.header}: the record has {recorded}, decided was {decided}")
        for seq, shown in party.seen.items():
            if seq not in people.known or shown.match != people.begun:
                continue
            self.judged += 1
            wrong = differing(people.known[seq], shown._asdict())
            if wrong:
                self.wrong.append(f"{people.header}, entry {seq}: {wrong}")
        self.shown += party.done["shown"]
        self.wrong += party.odd


def as_a_set(line: dict[str, Any]) -> dict[str, Any]:
    """Return a decision line in which the cards of a shown set have no order, least of all on the pad."""
    return line | {"cards": sorted(line["cards"])} if line["do"] == "show" else line


def differing(position: Position, shown: dict[str, Any]) -> str:
    """Return what is shown otherwise than it is counted; "" if nothing is."""
    report = position.sheet.report()
    wrong = {
        key: (report[key], shown[key]) for key in ("next", "standings", "state") if report[key] != shown[key]
    }
    return str(wrong) if wrong else ""


def used(pid: int) -> dict[str, Used]:
    """Return what the companion and its odds process hold."""
    odds = [child for child, command in children(pid).items() if "companion.worker" in command]
    return {name: held_by(process) for name, process in zip(("host", "odds"), (pid, *odds), strict=False)}


def held_by(pid: int) -> Used:
    """Return what a process holds now."""
    status = Path(f"/proc/{pid}/status").read_text()
    resident, threads = (
        int(re.search(rf"^{name}:\s+(\d+)", status, re.MULTILINE)[1])  # type: ignore[index]
        for name in ("VmRSS", "Threads")
    )
    return Used(resident / 1024, threads, len(list(Path(f"/proc/{pid}/fd").iterdir())))
