"""A Debian with a real systemd to install the companion on: made by debootstrap, booted by systemd-nspawn.

It needs root, debootstrap and systemd-container. What a test does with it is done by the Debian's own
programs. Its network is a private loopback, so its port 80 is not this machine's.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".check-install"  # what takes minutes to make
PACKAGES = (
    "systemd,systemd-sysv,dbus,udev,ca-certificates,procps,iproute2,curl,make,python3,python3-venv,passwd,"
    "avahi-daemon,avahi-utils"
)
RELEASES = {"bookworm": "3.11", "trixie": "3.13"}
"""Debian 12 and 13, as Raspberry Pi OS is made of them, each with its Python."""
NSPAWN = ("systemd-nspawn", "--quiet", "--register=no", "--keep-unit")
SOURCE = "/home/pi/race-companion"
BOOTED_S = 120.0


def why_not() -> str | None:
    """Return why none can be booted here; None if one can be."""
    if os.geteuid() != 0:
        return "a Debian is booted by root only: sudo make check-install"
    missing = [name for name in ("debootstrap", "systemd-nspawn") if shutil.which(name) is None]
    return (
        f"{' and '.join(missing)} missing: apt-get install debootstrap systemd-container" if missing else None
    )


def base(release: str, architecture: str = "") -> Path:
    """Return a Debian as debootstrap makes it, for this processor or another; it is cached, to be copied."""
    cached = CACHE / "-".join(filter(None, (release, architecture)))
    ready = cached / "ready"
    if not ready.exists() or ready.read_text() != PACKAGES:
        _unmount_below(cached)
        shutil.rmtree(cached, ignore_errors=True)
        CACHE.mkdir(exist_ok=True)
        of = [f"--arch={architecture}"] if architecture else []
        what = ["--variant=minbase", f"--include={PACKAGES}", release, str(cached)]
        subprocess.run(["debootstrap", *of, *what], check=True)
        ready.write_text(PACKAGES)
    return cached


def _unmount_below(place: Path) -> None:
    """Release what a debootstrap that was cut off left mounted: deleting its tree would reach this machine."""
    mounted = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    for path in reversed(mounted):
        if Path(path).is_relative_to(place.resolve()):
            subprocess.run(["umount", path], check=True)


def fresh(cached: Path, name: str) -> Path:
    """Return a copy of a cached one, with a user's home in it."""
    copy = CACHE / f"{cached.name}-{name}"
    if copy.exists():
        shutil.rmtree(copy)
    subprocess.run(["cp", "-a", cached, copy], check=True)
    (copy / "ready").unlink()
    inside(copy, "id pi >/dev/null 2>&1 || useradd --create-home pi")
    return copy


def on_the_network(root: Path) -> None:
    """Give it this machine's way to the network."""
    for configured in ("/etc/pip.conf", "/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt"):
        if Path(configured).exists():
            shutil.copy(configured, root / configured.lstrip("/"))


def made(release: str, name: str = "ready", updates: bool = True) -> Path:
    """Return a fresh Debian with a checkout of this project, set up as its README says.

    `name`: of several; `updates`: with wheels of other versions to update to.
    """
    ready = fresh(base(release), name)
    _check_out(ready / SOURCE.lstrip("/"))
    on_the_network(ready)
    inside(ready, f"chown -R pi: {SOURCE} && runuser -u pi -- make -C {SOURCE} setup")
    inside(
        ready,
        f"runuser -u pi -- {SOURCE}/.venv/bin/pip wheel -q -c {SOURCE}/requirements.lock -w {WHEELS} {SOURCE}",
    )
    for version, changes in VERSIONS.items() if updates else ():
        inside(ready, f"rm -rf /home/pi/made && cp -a {SOURCE} /home/pi/made && rm -rf /home/pi/made/.venv")
        for name, right, wrong in (("companion/__init__.py", None, version), *changes):
            at = ready / "home/pi/made" / name
            text = at.read_text()
            at.write_text(
                re.sub(r'__version__ = ".*"', f'__version__ = "{wrong}"', text)
                if right is None
                else text.replace(right, wrong)
            )
            assert at.read_text() != text, f"{name} does not have this: {right!r}"
        inside(ready, f"runuser -u pi -- {SOURCE}/.venv/bin/pip wheel -q --no-deps -w {WHEELS} /home/pi/made")
    inside(ready, "rm -rf /home/pi/made")
    return ready


WHEELS = "/home/pi/wheels"
VERSIONS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "8.0.0": (),
    # it does not start at all
    "8.1.0": (("companion/cli/run.py", "    import gc\n", "    raise RuntimeError('planted')\n"),),
    # it is well on its trial, and hangs on port 80
    "8.2.0": (
        (
            "companion/table/table.py",
            "        self._inbox.start()\n",
            "        self._inbox.start()\n"
            "        import sys, time\n"
            "        '80' in sys.argv and self._inbox.post(lambda: time.sleep(1e6))\n",
        ),
    ),
}
"""Other versions to update to, as wheels: what is changed in each."""


def _check_out(to: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        at = ROOT / name
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        if at.is_symlink():
            (to / name).symlink_to(at.readlink())
        elif at.exists():
            shutil.copy2(at, to / name)


def inside(root: Path, command: str, network: bool = True) -> str:
    """Run a command in it while it is not booted, with this machine's network or none; return its output."""
    alone = [] if network else ["--private-network"]
    done = subprocess.run(
        [*NSPAWN, "--pipe", *alone, "-D", root, "sh", "-ec", command],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


class Debian:
    """A Debian in a directory: what is run in it runs as root, while it is booted."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.process: subprocess.Popen[bytes] | None = None
        self.leader = 0

    def boot(self) -> None:
        """Start it; returns when all that it starts has started."""
        ours, theirs = pty.openpty()  # without a terminal it does not boot
        self.process = subprocess.Popen(
            [*NSPAWN, "--private-network", "-b", "-D", self.root],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        threading.Thread(target=_drain, args=(ours,), daemon=True).start()
        self.leader = _leader(self.process.pid)
        booted = ("running", "degraded")
        self.until("systemctl is-system-running --wait", lambda said: said.strip() in booted, BOOTED_S)

    def stop(self) -> None:
        """Switch it off."""
        if self.process is not None and self.process.poll() is None:
            self.run("systemctl poweroff", check=False)
            try:
                self.process.wait(BOOTED_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def run(self, command: str, check: bool = True) -> str:
        """Return what its shell says to a command; AssertionError if it fails and `check`."""
        enter = [
            "nsenter",
            "-t",
            str(self.leader),
            "-m",
            "-u",
            "-i",
            "-n",
            "-p",
            "-r",
            "-w",
            "env",
            "-i",
            *ITS,
        ]
        done = subprocess.run(
            [*enter, "sh", "-c", command], capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        assert not check or done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def starve(self, pid: int, kilobytes: int) -> None:
        """Let one of its processes have no more memory than this from now on, by the kernel's own means."""
        there = Path("/sys/fs/cgroup/memory")  # of this machine: it gives a container none of its controllers
        cage = there / f"starved-{self.leader}"
        cage.mkdir()
        (cage / "memory.limit_in_bytes").write_text(f"{kilobytes}K")
        (cage / "cgroup.procs").write_text(str(self._seen_from_here(pid)))

    def _seen_from_here(self, pid: int) -> int:
        """Return the number that one of its processes has on this machine."""
        for status in Path("/proc").glob("[0-9]*/status"):
            with suppress(OSError):
                numbers = next(line for line in status.read_text().splitlines() if line.startswith("NSpid:"))
                here, *there = map(int, numbers.split()[1:])
                if there == [pid] and os.readlink(f"/proc/{here}/ns/pid") == self._namespace():
                    return here
        raise AssertionError(f"it has no process {pid}")

    def _namespace(self) -> str:
        return os.readlink(f"/proc/{self.leader}/ns/pid")

    def until(self, command: str, wanted: Callable[[str], bool], seconds: float = 60.0) -> str:
        """Return its answer once it is the wanted one."""
        end = time.monotonic() + seconds
        while not wanted(said := self.run(command, check=False)):
            assert time.monotonic() < end, f"{command}: {said}\n{self.run('journalctl -n 40', check=False)}"
            time.sleep(0.2)
        return said.strip()


ITS = ("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root")


def _drain(terminal: int) -> None:
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        return


def _leader(nspawn: int) -> int:
    """Return the container's first process."""
    end = time.monotonic() + BOOTED_S
    while time.monotonic() < end:
        children = Path(f"/proc/{nspawn}/task/{nspawn}/children").read_text().split()
        for child in children:
            if Path(f"/proc/{child}/comm").read_text().strip() in ("systemd", "init"):
                return int(child)
        time.sleep(0.1)
    raise AssertionError("the Debian has not begun to boot")
