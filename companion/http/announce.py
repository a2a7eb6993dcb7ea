"""A name for this machine in its network, such as companion.local: easier to type than an address.

Avahi answers for the name by multicast DNS (RFC 6762). It always answers for the machine's own name. Other
names are published for as long as its program `avahi-publish` runs: one child process at a time, restarted
when the address changes.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Final

from companion.http.network import LOOPBACK, Reach, url

log = logging.getLogger(__name__)

PROGRAM: Final = "avahi-publish"
MOST: Final = 9  # companions in one network that want the same name
RETRY_S: Final = 30.0  # pause after all names were taken, or the program ended for another reason
OWN_NAME: Final = (
    *("busctl", "--system", "--timeout=5", "call"),
    *("org.freedesktop.Avahi", "/", "org.freedesktop.Avahi.Server", "GetHostNameFqdn"),
)
_TIED_CHILD: Final = (
    "import ctypes, os, signal, sys;"
    " ctypes.CDLL(None).prctl(1, signal.SIGTERM);"  # PR_SET_PDEATHSIG, see prctl(2)
    " os.execvp(sys.argv[1], sys.argv[1:])"
)
"""Python program that becomes another one, which ends when we are killed: no dead name is left behind.

util-linux's setpriv could do it, but not with the few system calls that the service may use.
"""
_ESTABLISHED: Final = "Established under name"
_CONFLICT: Final = ("conflict", "collision")


def names(name: str) -> tuple[str, ...]:
    """Return the names to try for `name`, in order of preference; () for "".

    >>> names("companion")[:2]
    ('companion.local', 'companion-2.local')
    """
    return tuple(f"{name}{'' if n == 1 else f'-{n}'}.local" for n in range(1, MOST + 1)) if name else ()


class NameAnnouncer:
    """Background thread that publishes one of these names for this machine."""

    def __init__(self, names: tuple[str, ...], reach: Reach, port: int) -> None:
        self._names, self._reach, self._port = names, reach, port
        self._condition = threading.Condition()
        self._is_stopped = self._is_stale = False
        self._child: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._listeners: list[Callable[[str], None]] = []
        self.url: str | None = None

    def __call__(self) -> str | None:
        """Return the URL with the name in it; None while no name is published."""
        return self.url

    def listen(self, listener: Callable[[str], None]) -> None:
        """Call the listener with the URL, now or once there is one, and after each change of the URL."""
        with self._condition:
            self._listeners.append(listener)
            if self.url is not None:
                listener(self.url)

    def start(self) -> None:
        """Start the thread; do nothing if no name is wanted or Avahi is not installed."""
        if not self._names:
            return
        if shutil.which(PROGRAM) is None:
            log.info("no name in the network: %s is not installed", PROGRAM)
            return
        self._reach.listeners.append(self._address_changed)
        self._thread = threading.Thread(target=self._run, name="announce", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread and withdraw the name."""
        with self._condition:
            self._is_stopped = True
            self._end_child()
        if self._thread is not None:
            self._thread.join()

    def _address_changed(self, _: str) -> None:
        with self._condition:
            self._is_stale = True
            self._end_child()

    def _end_child(self) -> None:
        if self._child is not None:
            self._child.terminate()
        self._condition.notify_all()

    def _run(self) -> None:
        index = 0
        while True:
            with self._condition:
                if self._is_stopped:
                    return
                if self._is_stale:
                    self._is_stale, index = False, 0
                if self._reach.address == LOOPBACK or index == len(self._names):
                    index = 0
                    self._condition.wait(RETRY_S)
                    continue
                if (own := _own_name()) in self._names:
                    self._set_name(own)
                    # if another machine has this name too, Avahi gives us another
                    self._condition.wait(RETRY_S)
                    continue
                self._child = self._start_child(self._names[index])
            output = self._read_output(self._child, self._names[index])
            with self._condition:
                self._child = self.url = None
                if self._is_stopped or self._is_stale:
                    continue
                if any(word in output.lower() for word in _CONFLICT):
                    log.info("%s is taken in this network", self._names[index])
                    index += 1
                else:
                    log.warning(
                        "the name %s is not published: %s", self._names[index], output or "no reason given"
                    )
                    self._condition.wait(RETRY_S)

    def _start_child(self, name: str) -> subprocess.Popen[str]:
        # -a: an address; -R: no reverse record, the machine's own name has it; -f: Avahi may (re)start later
        return subprocess.Popen(
            [
                sys.executable,
                "-I",
                "-S",
                "-c",
                _TIED_CHILD,
                PROGRAM,
                "-f",
                "-a",
                "-R",
                name,
                self._reach.address,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"LC_ALL": "C"},
        )

    def _read_output(self, child: subprocess.Popen[str], name: str) -> str:
        """Return the program's output after it has ended; set the URL as soon as the name is established."""
        output: list[str] = []
        assert child.stdout is not None
        with child, child.stdout as lines:
            for line in lines:
                output.append(line.strip())
                if line.startswith(_ESTABLISHED):
                    with self._condition:
                        self._set_name(name)
        return "; ".join(output)

    def _set_name(self, name: str) -> None:
        new_url = url(name, self._port)
        if self.url != new_url:
            log.info("it is called %s in this network", name)
            self.url = new_url
            for listener in self._listeners:
                listener(new_url)


def _own_name() -> str:
    """Return Avahi's name for this machine, made unique in the network; "" if Avahi does not answer."""
    try:
        output = subprocess.run(OWN_NAME, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    except OSError:
        return ""
    return output.partition('"')[2].partition('"')[0]
