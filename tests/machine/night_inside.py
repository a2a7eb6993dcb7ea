"""In the modelled machine: people who play whole games on the kernel's own drivers, and what fails meanwhile.

python -m tests.machine.night_inside SEED PAD

At each start of the companion it says `THERE` with the decisions of the game on the table, then what night_players.py says,
and `DID` for what failed. PAD is `spi`, `usb` for a reader that types, or `pcsc`.
"""

from __future__ import annotations

import http.client
import os
import random
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NoReturn

from companion.devices.mock.faults import MOMENTS, SPI_PAD
from companion.devices.mock.keyboard import CODES, Style
from companion.devices.mock.tags import DEMO_SET
from companion.match.match import Match
from companion.pins import PI_PINS
from companion.referee.pad import PAD_STILL
from tests.devices.test_pcscd import Card
from tests.machine.board import PadBoard, Pins
from tests.machine.gadgets import Pico, SerialDevice, TypingDevice, ports, until
from tests.machine.inside.inside_pcsc import GRABS, Service
from tests.machine.night_players import Players, header_of, play
from tests.machine.player import DATA, decisions, on_the_table, say
from tests.support.client import Client, Companion
from tests.support.together.evening import SPACES

SETTINGS: Final = 'pad = "{pad}"\n{reader}panel = true\n[track]\nkind = "tag"\nspaces = {spaces}\n'
HOG: Final = """\
import sys
open("/proc/self/oom_score_adj", "w").write("-1000")
held = []
while open(f"/proc/{sys.argv[1]}/statm").read().split()[0] != "0":
    held.append(bytearray(1 << 20))
"""
"""Takes all memory until a process has none any more."""
READ_S: Final = 3.0
"""Seconds after which a hand takes a card away that was not read."""


class ChipPad:
    """A pad whose chip is on the kernel's SPI bus."""

    kind: Final = "spi"
    setting: Final = ""

    def __init__(self, pins: Pins) -> None:
        self.board = PadBoard(pins)
        self.world = self.board.world

    def put(self, uids: Iterable[str]) -> None:
        """Let exactly these tags be on it."""
        self.world.put([bytes.fromhex(uid) for uid in uids])

    def fail(self, rng: random.Random, wait: Callable[[], None]) -> None:
        """Show a fault for a while."""
        fault = rng.choice(SPI_PAD)
        say("DID", f"pad: {fault}")
        if fault == "torn-tag":
            self.world.tear_off()
            return
        self.world.break_(fault, True)
        wait()
        if fault not in MOMENTS:
            self.world.break_(fault, False)


class TypedPad:
    """A reader that types, next to a person's keyboard."""

    kind: Final = "usb"
    setting: Final = ""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.reader = TypingDevice("reader", 2, 0xFFFF, 0x0035, "Sycreader RFID Technology Reader")
        self.person = TypingDevice("person", 3, 0x046D, 0xC31C, "Logitech USB Keyboard")
        self.nodes: dict[str, int] = {}
        for device in (self.person, self.reader):
            device.plug(True)
            self._open()

    def _open(self) -> None:
        """Let the machine listen to a device that is new, as its console does: else what is typed waits for ever."""
        new = until(lambda: {str(path) for path in Path("/dev/input").glob("event*")} - self.nodes.keys())
        self.nodes |= {node: os.open(node, os.O_RDONLY | os.O_NONBLOCK) for node in new}

    def put(self, uids: Iterable[str]) -> None:
        """Hold these tags to it, one after the other."""
        with self.lock, suppress(OSError):
            for uid in uids:
                self.reader.type_keys(Style().keys(bytes.fromhex(uid)), apart=0.004)
                time.sleep(0.3)

    def fail(self, rng: random.Random, wait: Callable[[], None]) -> None:
        """Pull it out for a while, or let a person type figures."""
        if rng.random() < 0.5:
            say("DID", "a person types")
            self.person.type_keys((CODES[figure] for figure in "0012345678"), apart=0.15)
            return
        say("DID", "reader pulled out")
        with self.lock:
            self.reader.plug(False)
            until(lambda: any(not Path(node).exists() for node in self.nodes))
            for node in [node for node in self.nodes if not Path(node).exists()]:
                os.close(self.nodes.pop(node))
            wait()
            self.reader.plug(True)
            self._open()


class PcscPad:
    """A PC/SC reader, which has one card at a time."""

    kind: Final = "pcsc"
    setting: Final = 'usb_reader = "virtual pcd 00 00"\n'

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.service = Service()
        self.service.start()
        self.uid, self.card = "", None  # type: str, Card | None

    def _lay(self, uid: str) -> None:
        """Let this card be on it; an empty UID lifts the one that is there."""
        if self.card is not None:
            self.card.lift()
        self.uid, self.card = uid, Card(bytes.fromhex(uid)) if uid else None

    def put(self, uids: Iterable[str]) -> None:
        """Lay these cards on it one after the other, the last to stay; a hand waits until each was read."""
        with self.lock:
            self._lay("")
            for uid in uids:
                self._lay(uid)
                assert self.card is not None
                self.card.was_read.wait(READ_S)
                time.sleep(2 * PAD_STILL)

    def fail(self, rng: random.Random, wait: Callable[[], None]) -> None:
        """Stop its service for a while, or let another program take the card."""
        if rng.random() < 0.5:
            say("DID", "another program has the card")
            command = [sys.executable, "-c", GRABS, os.environ["PYTHONPATH"].rpartition(":")[2]]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
                wait()
                program.kill()
            return
        say("DID", "the readers' service stops")
        with self.lock:
            uid = self.uid
            self._lay("")
            self.service.stop()
            wait()
            self.service.start()
            self._lay(uid)


def pad_of(kind: str, pins: Pins) -> ChipPad | TypedPad | PcscPad:
    """Return a pad of this kind."""
    match kind:
        case "usb":
            return TypedPad()
        case "pcsc":
            return PcscPad()
        case _:
            return ChipPad(pins)


class Parts:
    """The table's parts behind the kernel, and the tags on them."""

    def __init__(self, pad: str) -> None:
        self.lock = threading.RLock()
        self.pins = Pins()
        for name in ("confirm", "undo", "next"):
            self.pins.pull(PI_PINS[name], True)
        self.pad = pad_of(pad, self.pins)
        self.pico = Pico(SPACES)
        self.pico.plug_in()
        self.modem = SerialDevice("modem", 1, 0x12D1, 0x1001, ("HUAWEI", "Mobile", "1"))
        self.second = Pico(SPACES, name="second", port=4)
        self.second.put(0, "04A1B2C3D4E5F6")
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
        self.parts.pad.put(uids)

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


class Troubles:
    """A thread in which a part fails and is mended, or the machine gives trouble, until the companion is dead."""

    def __init__(self, parts: Parts, running: Companion, rng: random.Random) -> None:
        self.parts, self.running, self.rng = parts, running, rng
        self.host = running.client.host()
        self.over, self.deadly = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Mend all, and end."""
        self.over.set()
        self.thread.join()

    def _run(self) -> None:
        harmless = (
            self._pad,
            self._pico,
            self._cable,
            self._second,
            self._noise,
            self._clock,
            self._halt,
            self._probe,
            self._disk,
        )
        deadly = (self._kill, self._hang, self._starve)
        while not self.over.wait(self.rng.uniform(1, 8)):
            if self.rng.random() < 0.08:
                self.deadly.set()
                self.rng.choice(deadly)()
                return
            self.rng.choice(harmless)()

    def _wait(self) -> None:
        self.over.wait(self.rng.uniform(0.3, 4))

    # --- what the companion lives through --------------------------------------------------------

    def _pad(self) -> None:
        self.parts.pad.fail(self.rng, self._wait)

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

    def _second(self) -> None:
        """Plug in a second Pico while the first is in use: which of two is the track at a start is not said."""
        if self.host.get("/api/hardware")["track"]["state"] == "ok":
            say("DID", "a second Pico")
            self.parts.second.plug_in()
            self._wait()
            self.parts.second.pull_out()

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

    # --- what it does not: systemd starts it again -----------------------------------------------

    def _kill(self) -> None:
        say("DID", "killed")
        self.running.process.kill()

    def _hang(self) -> None:
        say("DID", "hung, and killed by its watchdog")
        self.running.process.send_signal(signal.SIGSTOP)
        self._wait()
        self.running.process.kill()

    def _starve(self) -> None:
        say("DID", "out of memory")
        pid = self.running.process.pid
        Path(f"/proc/{pid}/oom_score_adj").write_text("1000", "ascii")
        subprocess.run([sys.executable, "-c", HOG, str(pid)], stderr=subprocess.DEVNULL)


def evening(parts: Parts, match: Match | None, rng: random.Random) -> None:
    """Play one game after the other, `match` first, until the companion is dead.

    A card that was on the pad when it died is taken away first: it would be played as soon as it is back.
    """
    parts.pad.put(())
    running = Companion(DATA, env=os.environ, mock=False)
    Host.parts = parts
    host = Host(running.client.port)
    troubles = Troubles(parts, running, rng)
    try:
        host.host()
        host.post("/api/tags", tags="\n".join(f"{uid} {means}" for uid, means in DEMO_SET.items()))
        while True:
            people = Players(host, header_of(rng) if match is None else match.header, rng, match)
            people.tidy()
            play(people)
            match = None
    except (OSError, http.client.HTTPException, ValueError):  # no answer, or half of one
        if not troubles.deadly.is_set():
            raise
    finally:
        troubles.stop()
    running.kill()


def main() -> NoReturn:
    """Play until the power is cut."""
    rng = random.Random(int(sys.argv[1]))
    parts = Parts(sys.argv[2])
    DATA.mkdir(exist_ok=True)
    settings = SETTINGS.format(pad=parts.pad.kind, reader=parts.pad.setting, spaces=SPACES)
    (DATA / "companion.toml").write_text(settings, encoding="utf-8")
    while True:
        match = on_the_table() if (DATA / "journal.sqlite").exists() else None
        say("THERE", decisions(match))
        evening(parts, match, rng)


if __name__ == "__main__":
    main()
