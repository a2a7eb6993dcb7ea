"""In the arm64 machine: a whole game of Galloping Pigs by cards on the pad, served by cuse.py.

python -m tests.machine.arm64.evening

It says `CARD` for each card that was played, `WRONG` where the page shows other scores than pencil and paper
give, then `RECORD`, `REPLAYED` and `FIGURES`.
"""

from __future__ import annotations

import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

from companion.devices.mock import pi
from companion.devices.mock.tags import DEMO_SET
from companion.games.terms import Decision
from companion.match.record import Header
from tests.machine.cuse import NAME, CuseBus
from tests.machine.inside.table import PAD
from tests.machine.player import say
from tests.support.client import PATIENCE_S, Client, Companion, Stream
from tests.support.together.evening import differing, used
from tests.support.together.people import Laid, People, Position

DATA: Final = Path("/var/lib/companion")
RESET: Final = Path("/run/reset")
SEED: Final = 2026
HEADER: Final = Header("galloping-pigs", ("Ada", "Ben", "Cleo"))
MEASURED_S: Final = 20.0


class Host(Client):
    """The host's page, and a hand at the pad."""

    world: pi.World

    def get(self, path: str) -> Any:
        """Answer for the tags of the table; leave the rest to the companion."""
        if path == "/api/mock":
            return {"tags": {uid: {"means": means, "at": "off"} for uid, means in DEMO_SET.items()}}
        return super().get(path)

    def pad(self, *uids: str) -> None:
        """Put exactly these tags on the pad."""
        self.world.put([bytes.fromhex(uid) for uid in uids])


class Players(People):
    """People who play each card on the pad, and wait until it is taken."""

    def __init__(self, host: Client, header: Header, rng: random.Random) -> None:
        self.page = Stream(host.port)
        self.answers_s: list[float] = []
        super().__init__(host, header, rng, spaces=0)

    def _means(self, decision: Decision) -> str:
        return "card" if decision.do == "play" else "tap"

    def by_card(self, decision: Decision, before: int) -> Laid | None:
        """Lay the card, and lift it once the page shows that it is played."""
        names = self.held
        assert names is not None, f"no card is left for {decision}"
        self._takes(self.hands.lift, self.hands.carry, self.hands.lower)
        began = time.monotonic()
        self.host.pad(self.uids[f"card/{names[0]}"])
        self._until_shown(names[0], before)
        self.answers_s.append(time.monotonic() - began)
        say("CARD", [names[0], round(self.answers_s[-1], 2)])
        self.host.pad()
        return (self.now.race.cards_back(), names[0])

    def _until_shown(self, card: str, before: int) -> None:
        """Wait for the first page after entry `before`; AssertionError shows the pad if none comes."""
        end = time.monotonic() + PATIENCE_S
        while True:
            name, data = self.page.next()
            if name != "beat" and json.loads(data)["seq"] > before:
                return
            assert time.monotonic() < end, f"{card} was not played: {pad_of(self.host)}"

    def _keep(self, position: Position) -> None:
        super()._keep(position)
        if wrong := differing(position, self.table):
            say("WRONG", wrong)

    def follow(self, table: dict[str, Any], *, everything: bool = False) -> None:
        """Move the pieces as the screen asks; no track senses them."""
        for _ in table["todo"]:
            self._takes(self.hands.lift, self.hands.carry, self.hands.lower)

    def play(self) -> None:
        """Play the game to its end."""
        while self.now.race.awaits() is not None:
            self._takes(self.hands.think)
            self.decide(self._some())


def pad_of(host: Client) -> dict[str, Any]:
    """Return the pad as the hardware page has it."""
    found: dict[str, Any] = host.get("/api/hardware")["pad"]
    return found


def started() -> tuple[Companion, float]:
    """Start the companion; return it, and after how many seconds it answered."""
    began = time.monotonic()
    running = Companion(DATA, env=os.environ, mock=False)
    return running, time.monotonic() - began


def stop(running: Companion) -> None:
    """Stop it; AssertionError shows its messages if it does not end well."""
    status, written = running.stop(), (DATA / "console.txt").read_text("utf-8")
    assert status == 0, written
    assert "Traceback" not in written, written


def until_ok(host: Client) -> None:
    """Wait until the chip answers."""
    end = time.monotonic() + PATIENCE_S
    while (pad := pad_of(host))["state"] != "ok":
        assert time.monotonic() < end, f"the pad does not answer: {pad}"
        time.sleep(0.5)


def polls_per_second(host: Client) -> float:
    """Return how often the driver asks the chip for cards, for a while."""
    polls, began = pad_of(host)["polls"], time.monotonic()
    time.sleep(MEASURED_S)
    found: float = (pad_of(host)["polls"] - polls) / (time.monotonic() - began)
    return found


def replayed(record: str) -> Any:
    """Return what `companion replay` says of a record here."""
    command = [sys.executable, "-m", "companion", "replay", "-", "--json"]
    done = subprocess.run(command, input=record, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main() -> None:
    """Play, and say what came of it."""
    os.environ["RESET_PIN"] = str(RESET)
    Host.world = pi.World()
    CuseBus(Host.world, RESET)
    end = time.monotonic() + PATIENCE_S
    while not Path("/dev", NAME).exists():
        assert time.monotonic() < end, "the kernel has not made the device"
        time.sleep(0.01)
    DATA.mkdir()
    (DATA / "companion.toml").write_text(PAD, encoding="utf-8")
    running, first_s = started()  # Python compiles it, once
    stop(running)
    running, again_s = started()
    say("SERVES", [first_s, again_s])
    host = Host(running.client.port)
    host.host()
    host.post("/api/tags", tags="\n".join(f"{uid} {means}" for uid, means in DEMO_SET.items()))
    until_ok(host)
    began, transfers = time.monotonic(), Host.world.transfers
    players = Players(host, HEADER, random.Random(SEED))
    players.play()
    wall_s = time.monotonic() - began
    pad, transfers = pad_of(host), Host.world.transfers - transfers
    memory = {name: round(one.resident_mb) for name, one in used(running.process.pid).items()}
    host.pad(players.uids["card/red/1"])
    reads = polls_per_second(host)
    record = host.get(f"/api/matches/{players.begun}/record")
    say("RECORD", record)
    stop(running)
    say("REPLAYED", replayed(record))
    figures = {
        "first_healthz_s": first_s,
        "healthz_s": again_s,
        "cards": len(players.answers_s),
        "decisions": len(players.now.lines),
        "answer_s": [round(of(players.answers_s), 2) for of in (min, statistics.median, max)],
        "wall_s": wall_s,
        "table_s": players.table_s,
        "reads_per_s_of_a_card": reads,
        "transfers_per_s": transfers / wall_s,
        "polls": pad["polls"],
        "misses": pad["misses"],
        "restarts": pad["restarts"],
        "memory_mb": memory,
        "uname": " ".join(os.uname()),
        "debian": Path("/etc/debian_version").read_text("ascii").strip(),
        "python": platform.python_version(),
    }
    say("FIGURES", figures)


if __name__ == "__main__":
    main()
