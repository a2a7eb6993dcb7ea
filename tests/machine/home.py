"""A table that is installed, at home or in the garden, with what happens to it in a night.

The companion is killed, hangs and runs out of memory, a good or a bad version is brought, the Wi-Fi goes and comes back,
and the first process dies; another machine wants its name; now and then the power is cut.
"""

from __future__ import annotations

import random
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.appliance.check_install import PID, UNIT, update
from tests.appliance.debian import SOURCE
from tests.machine.appliance import WATCHDOG, Answer, Appliance, booted
from tests.machine.check_kernel.check_names import plug
from tests.machine.check_kernel.check_wifi import (
    NAME,
    PASSWORD,
    PHONE,
    RADIOS,
    air,
    hotspot,
    house,
    knows_the_house,
)
from tests.machine.deck import Deck
from tests.machine.machine import PROJECT

VERSIONS: Final = ("8.0.0", "8.1.0", "8.2.0")
"""A good one, one that does not start, and one that hangs."""
ENDS: Final = ("runs now", "runs already", "runs again", "nothing was changed", "3/3", "2/3", "1/3", "")
"""How an update ends, or how far it got when the power was cut."""
BOTH: Final = (
    'printf \'ctrl_interface=/run/phone\\nnetwork={\\nssid="%s"\\npsk="%s"\\n}\\n'
    'network={\\nssid="House"\\npsk="a house\'"\'"\'s own"\\n}\\n\' '
    f"'{NAME}' '{PASSWORD}' >/run/phone.conf"
    f" && {PHONE} wpa_supplicant -B -Dnl80211 -iwlan1 -c/run/phone.conf -P/run/phone.pid"
)
"""A phone knows the table's Wi-Fi and the house's."""
LEASED: Final = (
    f"while :; do {PHONE} udhcpc -i wlan1 -n -q -t 3 -T 1 -s /run/lease >/dev/null 2>&1; sleep 2; done"
)


HERE: Final = "10.81.0.1"
NEXT_DOOR: Final = "10.81.0.2"


class Kinds:
    """What is to happen at several tables."""

    def __init__(self, rng: random.Random) -> None:
        self.troubles = Deck(("kill", "hang", "starve", "wifi", "wifi", "update", "update", "neighbour"), rng)
        self.versions = Deck(VERSIONS, rng)
        self.ends = Deck(("cut", "cut", "die"), rng)


class Home:
    """An installed table that is switched on again and again."""

    def __init__(self, disk: Path, base: Path, rng: random.Random, kinds: Kinds) -> None:
        self.disk, self.base, self.rng, self.kinds = disk, base, rng, kinds
        self.done: Counter[str] = Counter()
        """What has failed."""
        self.wrong: list[str] = []
        """What should not have."""
        with booted(disk, base, RADIOS) as machine:
            air(machine)
            house(machine, True)
            knows_the_house(machine)
            hotspot(machine)
            machine.run(WATCHDOG)
            machine.off()

    @contextmanager
    def on(self) -> Iterator[Answer]:
        """Yield what people at it say, as home_inside.py has it; the power is cut at the end."""
        cable, self.other_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        with cable, self.other_end, booted(self.disk, self.base, RADIOS, cable) as machine:
            self.at_house = self.rng.random() < 0.5
            self.done["at home" if self.at_house else "in the garden"] += 1
            air(machine)
            if self.at_house:
                house(machine, True)
            machine.run(BOTH)
            machine.start(LEASED)
            seed = self.rng.randrange(1 << 30)
            people = machine.start(
                f"mkdir -p /run/project && mount -t hostfs none /run/project -o {PROJECT} && cd /run/project"
                f" && PYTHONDONTWRITEBYTECODE=1 exec {SOURCE}/.venv/bin/python -m tests.machine.home_inside {seed}"
            )
            over = threading.Event()
            troubles = threading.Thread(target=self._troubles, args=(machine, over))
            troubles.start()
            try:
                yield people
                if self.kinds.ends.draw() == "die":
                    self._die(machine)
            finally:
                over.set()
                machine.cut()
                troubles.join()

    def _troubles(self, machine: Appliance, over: threading.Event) -> None:
        all_of_them = {
            "kill": self._kill,
            "hang": self._hang,
            "starve": self._starve,
            "wifi": self._wifi,
            "update": self._update,
            "neighbour": self._neighbour,
        }
        try:
            while not over.wait(self.rng.uniform(10, 60)):
                all_of_them[self.kinds.troubles.draw()](machine, over)
        except (AssertionError, OSError) as error:
            if not over.is_set():  # else the power was cut
                self.wrong.append(f"a command failed: {error}")

    def _die(self, machine: Appliance) -> None:
        self.done["first process died"] += 1
        machine.start("kill -SEGV 1")
        machine.prints("softdog: Initiating system reboot")

    def _kill(self, machine: Appliance, _: threading.Event) -> None:
        self.done["killed"] += self._signal(machine, "KILL")

    def _hang(self, machine: Appliance, _: threading.Event) -> None:
        self.done["hung"] += self._signal(machine, "STOP")

    def _signal(self, machine: Appliance, name: str) -> bool:
        """Send the companion a signal; return False if it is not there: systemd is about to start it."""
        sent = machine.start(f"systemctl kill -s {name} --kill-whom=main {UNIT}")
        sent.end()
        return sent.status == 0

    def _starve(self, machine: Appliance, over: threading.Event) -> None:
        self.done["out of memory"] += 1
        pid = machine.run(PID)
        machine.run(f"systemctl set-property --runtime {UNIT} MemoryHigh=infinity MemoryMax=16M")
        while machine.run(PID) == pid and not over.wait(1):
            pass
        machine.run(f"systemctl set-property --runtime {UNIT} MemoryMax=400M")

    def _wifi(self, machine: Appliance, over: threading.Event) -> None:
        if self.at_house:
            self.done["the house's Wi-Fi goes"] += 1
            house(machine, False)
            over.wait(self.rng.uniform(2, 40))
            house(machine, True)
        else:
            self.done["the hotspot goes"] += 1
            machine.run("nmcli device disconnect wlan0", check=False)
            over.wait(self.rng.uniform(2, 20))
            machine.run("nmcli device connect wlan0", check=False)

    def _update(self, machine: Appliance, _: threading.Event) -> None:
        to = self.kinds.versions.draw()
        said = machine.run(f"{update(to)} --force", check=False)
        self.done[f"update to {to}: {next(end for end in ENDS if end in said)}"] += 1

    def _neighbour(self, machine: Appliance, over: threading.Event) -> None:
        """Switch on a machine with the same name on the other end of the cable; each has to find the other."""
        machine.until("curl -s -m 5 http://localhost/healthz", len)
        with booted(self.disk.with_name("neighbour"), self.base, wire=self.other_end) as other:
            plug(machine, HERE)
            plug(other, NEXT_DOOR)
            machine.until(f"ping -c 1 -W 1 {NEXT_DOOR} >/dev/null && echo there", len)
            other.until(
                "curl -s http://localhost/api/join", lambda said: over.is_set() or "companion-2.local" in said
            )
            if over.is_set():
                return
            said = (
                machine.run("avahi-resolve -4 -n companion-2.local"),
                other.run("avahi-resolve -4 -n companion.local"),
            )
            if [one.split()[-1] for one in said] != [NEXT_DOOR, HERE]:
                self.wrong.append(f"names lead elsewhere: {said}")
            self.done["a machine with the same name"] += 1
        machine.run(f"ip address del {HERE}/24 dev vec0")  # a link that is down cannot be up again
