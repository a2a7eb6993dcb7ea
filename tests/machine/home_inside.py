"""In an installed machine: people who play by the table's screen and by phones in its Wi-Fi, all night.

python -m tests.machine.home_inside SEED

Run as root in a machine of appliance.py whose radios are as in check_wifi.py: the phones are in the network namespace
`phone`. At each start of the companion it says `THERE` with the decisions of the game on the table, then what
night_players.py says.
"""

from __future__ import annotations

import ctypes
import http.client
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NoReturn

from companion.devices.mock.tags import DEMO_SET
from companion.games.terms import Decision
from companion.match.match import Match
from tests.machine.night_players import Players, header_of, play
from tests.machine.player import decisions, on_the_table, say
from tests.support.client import PATIENCE_S, Client, HttpError

DATA: Final = Path("/var/lib/race-companion")
USER: Final = "race-companion"
COPY: Final = (
    "import sqlite3, sys; to = sqlite3.connect(sys.argv[2]);"
    " sqlite3.connect('file:' + sys.argv[1] + '?mode=ro', uri=True).backup(to)"
)
PHONE: Final = Path("/run/netns/phone")
PORT: Final = 80
NEWNET: Final = 0x40000000  # CLONE_NEWNET of linux/sched.h
PHONE_S: Final = 5.0


def connected(address: str) -> socket.socket:
    """Return a connection from the phone's network to the table; raise OSError."""
    made: list[socket.socket | OSError] = []

    def connect() -> None:  # in a new thread: its network is another one from now on
        try:
            with PHONE.open() as network:
                if ctypes.CDLL(None, use_errno=True).setns(network.fileno(), NEWNET):
                    raise OSError(ctypes.get_errno(), "setns")
            made.append(socket.create_connection((address, PORT), timeout=PHONE_S))
        except OSError as error:
            made.append(error)

    thread = threading.Thread(target=connect)
    thread.start()
    thread.join()
    if isinstance(made[0], OSError):
        raise made[0]
    return made[0]


class Phone(Client):
    """A phone in the Wi-Fi; the table is at the address that its code for phones has."""

    def __init__(self, address: str) -> None:
        super().__init__(PORT, address)

    def connection(self) -> http.client.HTTPConnection:
        made = super().connection()
        made.sock = connected(self.address)
        return made


class Screen(Client):
    """The table's own screen, next to which there are no parts."""

    def get(self, path: str) -> Any:
        if path == "/api/mock":
            return {"tags": {uid: {"means": means, "at": "off"} for uid, means in DEMO_SET.items()}}
        return super().get(path)


class AtHome(Players):
    """People without parts who say what they do."""

    def deed(self) -> bool:
        if self.rng.random() < 0.05:
            self.join()
        return super().deed()

    def join(self) -> None:
        """Let a phone take a seat, if there is a Wi-Fi."""
        with suppress(OSError, HttpError):
            joined = self.host.get("/api/join")
            address = joined["url"].split("/")[2]
            if address.startswith(("10.", "192.168.")):
                phone, seat = Phone(address), self.rng.randrange(len(self.header.seats))
                phone.post("/api/join", code=joined["code"], seat=seat)
                self.phones[seat] = phone
                say("DID", f"a phone joins {address.rpartition('.')[0]}")

    def mistake(self) -> None:
        """Do nothing wrong: there is no pad."""

    def follow(self, table: dict[str, Any], *, everything: bool = False) -> None:
        """Move the pieces, of which the machine hears nothing."""

    def _means(self, decision: Decision) -> str:
        return self.rng.choice(("tap", "phone") if decision.seat in self.phones else ("tap",))

    def by_phone(self, decision: Decision, before: int) -> None:
        try:
            super().by_phone(decision, before)
            say("DID", "a phone decides")
        except OSError:
            assert decision.seat is not None
            del self.phones[decision.seat]
            self.free(decision.seat)
            say("DID", "a phone has no Wi-Fi")

    def free(self, *seats: int) -> None:
        """Let the host free these seats, so that the table's screen can decide for them."""
        for seat in seats:
            with suppress(HttpError):  # no phone has it
                self.host.post("/api/free", seat=seat)


def journal() -> Path:
    """Return a copy of the journal, made by the service's own user: root's files would shut it out."""
    folder = Path(tempfile.mkdtemp(prefix="journal-"))
    shutil.chown(folder, USER)
    copy = ["runuser", "-u", USER, "--", sys.executable, "-c", COPY]
    subprocess.run([*copy, str(DATA / "journal.sqlite"), str(folder / "journal.sqlite")], check=True)
    return folder


def there() -> Match | None:
    """Return the game on the table, as the journal has it."""
    folder = journal()
    try:
        return on_the_table(folder)
    finally:
        shutil.rmtree(folder)


def wait() -> Screen:
    """Return the table's screen once the companion answers."""
    screen, end = Screen(PORT), time.monotonic() + 5 * PATIENCE_S
    while True:
        with suppress(OSError, http.client.HTTPException, ValueError, HttpError):
            screen.get("/healthz")
            screen.host()
            return screen
        assert time.monotonic() < end, "it does not come back"
        time.sleep(0.3)


def evening(rng: random.Random) -> None:
    """Play one game after the other until the companion does not answer any more."""
    screen = wait()
    match = there()
    say("THERE", decisions(match))
    while True:
        people = AtHome(screen, header_of(rng) if match is None else match.header, rng, match)
        people.free(*range(len(people.header.seats)))
        play(people)
        match = None


def main() -> NoReturn:
    """Play until the power is cut."""
    rng = random.Random(int(sys.argv[1]))
    os.chdir("/run")
    while True:
        try:
            evening(rng)
        except (OSError, http.client.HTTPException, ValueError) as error:  # no answer, or half of one
            say("DID", f"no answer: {type(error).__name__}")


if __name__ == "__main__":
    main()
