"""A whole machine with a disk of its own and systemd as its first process, on the kernel of make check-machine.

Its disk has a Debian as tests/appliance makes it. A test types commands over the machine's second console, which agent.py
runs there; cutting the power is killing the kernel.
"""

from __future__ import annotations

import hashlib
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from tests.appliance.debian import CACHE, SOURCE, inside, made
from tests.machine.machine import PROJECT, SHARED, users
from tests.machine.own_kernel import KERNEL
from tests.support.client import PATIENCE_S

SIZE: Final = 3 << 30
PACKAGES: Final = "network-manager wpasupplicant dnsmasq-base nftables iw udhcpc bind9-dnsutils libpam-systemd dbus-user-session"
"""What a Raspberry Pi OS Lite has, of what matters here, and what a phone needs."""
AGENT: Final = "usr/local/lib/agent.py"
UNIT: Final = f"""\
[Unit]
DefaultDependencies=no
[Service]
ExecStart=/usr/bin/python3 -I /{AGENT}
OOMScoreAdjust=-1000
[Install]
WantedBy=sysinit.target
"""
MASKED: Final = (
    "getty@tty1 systemd-timesyncd apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer fstrim.timer"
)
BOOTED_S: Final = 20 * PATIENCE_S
WATCHDOG_S: Final = 10
WATCHDOG: Final = (
    "mkdir -p /etc/systemd/system.conf.d && printf '[Manager]\\nRuntimeWatchdogSec=%s\\n'"
    f" {WATCHDOG_S} >/etc/systemd/system.conf.d/watchdog.conf && systemctl daemon-reexec"
)
"""Lets systemd feed the hardware watchdog, which resets a machine whose first process is dead."""


def version() -> str:
    """Return a digest of all that gets onto the disk."""
    digest = hashlib.sha256(f"{PACKAGES} {UNIT} {MASKED}".encode())
    listed = subprocess.run(
        ["git", "ls-files", "companion", "firmware", "pyproject.toml", "requirements.lock"],
        cwd=PROJECT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in (*listed.stdout.splitlines(), "tests/machine/agent.py", "tests/appliance/debian.py"):
        path = PROJECT / name
        digest.update(name.encode() + (path.read_bytes() if path.is_file() else b""))
    return digest.hexdigest()[:12]


def debian() -> Path:
    """Return a disk with a Debian in which the project is set up, not installed; it is cached."""
    image = CACHE / f"machine-{version()}.ext4"
    if not image.exists():
        for old in CACHE.glob("machine-*.ext4"):
            old.unlink()
        root = made("bookworm", "machine")
        apt = "DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends"
        inside(root, f"apt-get update -qq && {apt} {PACKAGES} >/dev/null && apt-get clean")
        _put(root, image)
    return image


def _put(root: Path, image: Path) -> None:
    """Put a Debian in a directory on a disk, with the agent."""
    shutil.copy(Path(__file__).with_name("agent.py"), root / AGENT)
    (root / "etc/systemd/system/agent.service").write_text(UNIT)
    (root / "etc/fstab").write_text("/dev/ubda / ext4 defaults,noatime,errors=remount-ro 0 1\n")
    inside(
        root, f"systemctl enable -q agent; systemctl mask -q {MASKED}; systemctl set-default -q multi-user"
    )
    new = image.with_suffix(".new")
    with new.open("wb") as file:
        file.truncate(SIZE)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", str(root), "-F", str(new)], check=True)
    shutil.rmtree(root)
    new.rename(image)


class Ended(AssertionError):
    """The machine has no power any more, or does not answer."""


class Answer:
    """What a command has printed so far, and its status once it has ended."""

    def __init__(self) -> None:
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.said = ""
        self.status: int | None = None

    def line(self, begins: str, patience_s: float = BOOTED_S) -> str:
        """Return the next line that begins so; raise Ended if there is none."""
        end = time.monotonic() + patience_s
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise Ended(f"no line begins with {begins}:\n{self.said}") from None
            if line is None:
                raise Ended(f"it ended with {self.status}, no line began with {begins}:\n{self.said}")
            self.said += line
            if line.startswith(begins):
                return line

    def end(self, patience_s: float = BOOTED_S) -> str:
        """Return all that it printed once it has ended."""
        end = time.monotonic() + patience_s
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise Ended(f"it has not ended:\n{self.said}") from None
            if line is None:
                return self.said
            self.said += line


class Appliance:
    """A machine that is switched on."""

    def __init__(
        self,
        disk: Path,
        base: Path | None,
        memory: str,
        words: dict[str, str],
        wire: socket.socket | None = None,
    ) -> None:
        ours, theirs = socket.socketpair()
        self.disk = disk
        at = str(disk) if base is None else f"{disk},{base}"
        said = {"mem": memory, "ubd0": at, "con1": f"fd:{theirs.fileno()},fd:{theirs.fileno()}", **words}
        files = [theirs.fileno()]
        if wire is not None:
            files.append(wire.fileno())
            said["vec0:transport"] = f"fd,fd={wire.fileno()}"
        command = [
            str(KERNEL), "root=/dev/ubda", "rw", "quiet", "loglevel=4", "con=null", "con0=null,fd:1", "ssl=null",
            "systemd.show_status=0", "init=/usr/lib/systemd/systemd",
            *(f"{name}={value}" for name, value in said.items()),
        ]  # fmt: skip
        self.console = disk.with_suffix(".console").open("ab")
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=self.console,
            stderr=subprocess.STDOUT,
            pass_fds=files,
            start_new_session=True,
            env={"PATH": os.environ["PATH"], "TMPDIR": SHARED, "HOME": SHARED},
        )
        theirs.close()
        self._socket = ours
        self._answers: dict[int, Answer] = {}
        self._boots: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with (
            suppress(ConnectionResetError),  # its power was cut while a command of ours was on its way
            self._socket.makefile("r", encoding="utf-8", errors="replace") as lines,
        ):
            for line in lines:
                if line.startswith("{"):
                    self._heard(json.loads(line))
        for answer in list(self._answers.values()):
            answer.lines.put(None)

    def _heard(self, what: dict[str, Any]) -> None:
        if "up" in what:
            self._boots.put(what["up"])
        elif "line" in what:
            self._answers[what["n"]].lines.put(what["line"])
        else:
            answer = self._answers[what["n"]]
            answer.status = what["status"]
            answer.lines.put(None)

    def up(self, patience_s: float = BOOTED_S) -> str:
        """Return the number of this boot once the machine is up."""
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            try:
                return self._boots.get_nowait()
            except queue.Empty:
                if self.process.poll() is not None:
                    break
                time.sleep(0.2)
        raise Ended(f"it is not up: {self.said()}")

    def prints(self, text: str, patience_s: float = BOOTED_S) -> None:
        """Wait until its first console shows a text."""
        end = time.monotonic() + patience_s
        while text not in self.said():
            if time.monotonic() > end or self.process.poll() is not None:
                raise Ended(f"it does not print {text!r}: {self.said()}")
            time.sleep(0.2)

    def said(self) -> str:
        """Return the end of what its first console said."""
        return self.disk.with_suffix(".console").read_text("utf-8", "replace")[-4000:]

    def start(self, command: str) -> Answer:
        """Start a command as root."""
        n = len(self._answers) + 1
        answer = self._answers[n] = Answer()
        self._socket.sendall(f"{json.dumps({'n': n, 'run': command})}\n".encode())
        return answer

    def run(self, command: str, check: bool = True, patience_s: float = BOOTED_S) -> str:
        """Return what a command prints; AssertionError if it fails and `check`."""
        answer = self.start(command)
        said = answer.end(patience_s)
        assert not check or answer.status == 0, f"{command}: {answer.status}\n{said}\n{self.said()}"
        return said

    def until(self, command: str, wanted: Callable[[str], Any], seconds: float = BOOTED_S) -> str:
        """Return what a command prints once it is what is wanted."""
        end = time.monotonic() + seconds
        while not wanted(said := self.run(command, check=False)):
            assert time.monotonic() < end, (
                f"{command}: {said}\n{self.run('journalctl -n 40 --no-pager', check=False)}"
            )
            time.sleep(0.3)
        return said

    def cut(self) -> None:
        """Cut the power; do nothing if it is off."""
        if self.console.closed:
            return
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        for process in users(self.disk):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()
        self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._socket.close()
        self.console.close()

    def off(self) -> None:
        """Switch it off in order."""
        self.start("systemctl poweroff")
        self.process.wait(BOOTED_S)
        self.cut()


@contextmanager
def booted(
    disk: Path,
    base: Path | None = None,
    words: Mapping[str, str] | None = None,
    wire: socket.socket | None = None,
) -> Iterator[Appliance]:
    """Yield a machine with this disk that is up; its power is cut at the end.

    With `base` the disk only has the differences to that one, which does not change; it is made if it is not there.
    `words` are for the kernel's command line; `wire` is the machine's network cable, its device vec0.
    """
    one = Appliance(disk, base, "512M", dict(words or {}), wire)
    try:
        one.up()
        yield one
    finally:
        one.cut()


def installed() -> Path:
    """Return a disk on which the companion is installed and serves; it is cached."""
    base = debian()
    image = CACHE / base.name.replace("machine", "installed")
    if not image.exists():
        for old in CACHE.glob("installed-*"):
            old.unlink()
        new = image.with_suffix(".new")
        subprocess.run(["cp", "--sparse=always", base, new], check=True)
        with booted(new) as one:
            began = time.monotonic()
            print(one.run(f"{SOURCE}/.venv/bin/companion install --yes"))
            one.until("curl -s http://localhost/healthz", lambda said: '"ok":true' in said.replace(" ", ""))
            print(f"installed and serving after {time.monotonic() - began:.0f} s")
            one.off()
        new.rename(image)
    return image
