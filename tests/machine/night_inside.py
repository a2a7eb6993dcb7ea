"""In the modelled machine: people who play whole games on the kernel's own drivers, and what fails meanwhile.

python -m tests.machine.night_inside SEED

It says `THERE`, then `ASKED`, `KEPT` with all decisions of the game, `TABLE` with seconds of table time, `JUDGED` when
the screen shows what pencil and paper give, `WRONG` if not, `DID` for what failed, and `GAME` at the end of one.
"""

from __future__ import annotations

import os
import random
import secrets
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion import games
from companion.devices.mock.faults import MOMENTS, SPI_PAD
from companion.devices.mock.tags import DEMO_SET
from companion.games.boxes import options_for
from companion.games.terms import Decision
from companion.match.match import Match
from companion.match.record import Header, decision_line, decision_of
from companion.pins import PI_PINS
from tests.machine.board import PadBoard, Pins
from tests.machine.gadgets import Pico, SerialDevice, ports
from tests.machine.player import DATA, decisions, on_the_table, say
from tests.support.client import Client, Companion
from tests.support.together.evening import NAMES, VARIANTS, differing
from tests.support.together.people import People, Position

SPACES: Final = 22
SETTINGS: Final = f'pad = "spi"\npanel = true\n[track]\nkind = "tag"\nspaces = {SPACES}\n'
GAMES: Final = ("galloping-pigs", "giro-galoppo", "galloping-horse", "greyhounds")


class Parts:
    """The table's parts behind the kernel, and the tags on them."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.pins = Pins()
        for name in ("confirm", "undo", "next"):
            self.pins.pull(PI_PINS[name], True)
        self.pad = PadBoard(self.pins)
        self.pico = Pico(SPACES)
        self.pico.plug_in()
        self.modem = SerialDevice("modem", 1, 0x12D1, 0x1001, ("HUAWEI", "Mobile", "1"))
        self.at = dict.fromkeys(DEMO_SET, "off")


class Host(Client):
    """The host's page, and hands on the parts: what the virtual table does for tests without a kernel."""

    parts: Parts

    def get(self, path: str) -> Any:
        if path == "/api/mock":
            return {
                "tags": {uid: {"means": DEMO_SET.get(uid), "at": at} for uid, at in self.parts.at.items()}
            }
        return super().get(path)

    def pad(self, *uids: str) -> None:
        with self.parts.lock:
            self._move("pad", uids)
            self.parts.pad.world.put([bytes.fromhex(uid) for uid in uids])

    def space(self, space: int, *uids: str) -> None:
        with self.parts.lock:
            self._move(f"track/{space}", uids)
            self.parts.pico.put(space, *uids)

    def blank(self, size: int = 7) -> str:
        uid = "04" + "".join(f"{1 + secrets.randbelow(0x80):02X}" for _ in range(size - 1))  # none is 88
        self.pad(uid)
        return uid

    def _move(self, place: str, uids: tuple[str, ...]) -> None:
        self.parts.at |= {uid: "off" for uid, at in self.parts.at.items() if at == place}
        for uid in uids:
            before = self.parts.at.get(uid, "off")
            self.parts.at[uid] = place
            if before.startswith("track/") and before != place:
                space = int(before.removeprefix("track/"))
                self.parts.pico.put(space, *(one for one, at in self.parts.at.items() if at == before))


class Players(People):
    """People who say what they are about to do, and play a game on that was there before the power was cut."""

    def __init__(self, host: Client, header: Header, rng: random.Random, match: Match | None = None) -> None:
        self.match = match
        super().__init__(host, header, rng, SPACES)

    def _begin(self) -> int:
        if self.match is None:
            say("ASKED", {"do": "new game"})
            return super()._begin()
        position = self._opening()
        self.past.append(position)
        for line in decisions(self.match):
            position = self.after(position, decision_of(position.race, line), None)
            self.past.append(position)
        return self.match.id

    def _keep(self, position: Position) -> None:
        super()._keep(position)
        say("KEPT", list(position.lines))
        table = self.table
        if self.known.get(table["seq"]) is position:
            if wrong := differing(position, table):
                say("WRONG", wrong)
            else:
                say("JUDGED", table["seq"])

    def decide(self, decision: Decision) -> None:
        say("ASKED", decision_line(self.now.race, decision))
        super().decide(decision)

    def undo(self) -> None:
        say("ASKED", {"do": "undo"})
        super().undo()

    def redo(self) -> None:
        say("ASKED", {"do": "redo"})
        super().redo()

    def change(self) -> None:
        say("ASKED", {"do": "change"})
        super().change()


class Troubles:
    """A thread in which a part fails and is mended, or the machine gives trouble, one after the other."""

    def __init__(self, parts: Parts, running: Companion, rng: random.Random) -> None:
        self.parts, self.running, self.rng = parts, running, rng
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Mend all, and end."""
        self.over.set()
        self.thread.join()

    def _run(self) -> None:
        kinds = (
            self._pad,
            self._pico,
            self._cable,
            self._noise,
            self._clock,
            self._halt,
            self._probe,
            self._disk,
        )
        while not self.over.wait(self.rng.uniform(1, 8)):
            self.rng.choice(kinds)()

    def _wait(self) -> None:
        self.over.wait(self.rng.uniform(0.3, 4))

    def _pad(self) -> None:
        fault = self.rng.choice(SPI_PAD)
        say("DID", f"pad: {fault}")
        if fault == "torn-tag":
            self.parts.pad.world.tear_off()
            return
        self.parts.pad.world.break_(fault, True)
        self._wait()
        if fault not in MOMENTS:
            self.parts.pad.world.break_(fault, False)

    def _pico(self) -> None:
        kind = self.rng.choice(("reboot", "hang", "traceback", "garbage"))
        say("DID", f"Pico: {kind}")
        with self.parts.lock:
            self.parts.pico.order(do=kind, on=True)
        if kind == "garbage":
            self._wait()
            with self.parts.lock:
                self.parts.pico.order(do=kind, on=False)

    def _cable(self) -> None:
        say("DID", "Pico pulled out")
        with self.parts.lock:
            self.parts.pico.pull_out()
        self.parts.modem.plug(self.rng.random() < 0.5)  # then it is another port
        self._wait()
        with self.parts.lock:
            self.parts.pico.plug_in()

    def _noise(self) -> None:
        say("DID", "noise on the buttons")
        for _ in range(
            self.rng.randint(1, 10)
        ):  # where a press does no harm: a busy machine makes one of a spike
            self.parts.pins.pull(PI_PINS["next"], False)
            self.parts.pins.pull(PI_PINS["next"], True)

    def _clock(self) -> None:
        say("DID", "clock jumps")
        for seconds in (jump := self.rng.choice((-86_400, -3_600, 5, 3_600, 86_400)), -jump):
            time.clock_settime(time.CLOCK_REALTIME, time.time() + seconds)
            self._wait()

    def _halt(self) -> None:
        say("DID", "halt")
        self.running.process.send_signal(signal.SIGSTOP)
        self._wait()
        self.running.process.send_signal(signal.SIGCONT)

    def _probe(self) -> None:
        say("DID", "another program on the Pico's port")
        with suppress(OSError):
            line = os.open(next(iter(sorted(ports()))), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            with os.fdopen(line, "r+b", buffering=0) as port:
                for _ in range(5):
                    port.write(b"AT\r")
                    time.sleep(0.05)
                    port.read(64)

    def _disk(self) -> None:
        say("DID", "cache dropped")
        os.sync()
        Path("/proc/sys/vm/drop_caches").write_text("3", "ascii")


def header_of(rng: random.Random) -> Header:
    """Return a new game."""
    name = rng.choice(GAMES)
    game = games.find_by_name(name)
    low, high = game.seat_counts
    seats = NAMES[: rng.randint(low, high)]
    options = options_for(game, len(seats)) | rng.choice(VARIANTS[name])
    return Header(name, seats, rng.randrange(len(seats)), options)


def play(players: Players) -> None:
    """Play a game to its end."""
    before = players.table_s
    while players.deed():
        say("TABLE", players.table_s - before)
        before = players.table_s
    say("GAME", players.header.game)


def main() -> None:
    """Say what is there, then play until the power is cut."""
    rng = random.Random(int(sys.argv[1]))
    DATA.mkdir(exist_ok=True)
    (DATA / "companion.toml").write_text(SETTINGS, encoding="utf-8")
    match = on_the_table() if (DATA / "journal.sqlite").exists() else None
    say("THERE", decisions(match))
    parts = Parts()
    running = Companion(DATA, env=os.environ, mock=False)
    Host.parts = parts
    host = Host(running.client.port)
    host.host()
    host.post("/api/tags", tags="\n".join(f"{uid} {means}" for uid, means in DEMO_SET.items()))
    Troubles(parts, running, rng)
    while True:
        header = header_of(rng) if match is None else match.header
        play(Players(host, header, rng, match))
        match = None


if __name__ == "__main__":
    main()
