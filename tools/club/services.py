"""The programs of a club, each started, ended and killed separately, with all its data in its directory."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

from tools.club.configuration import Ports, mosquitto, nginx, site
from tools.club.quickly import PAUSE_S

PATIENCE_S: Final = 60.0  # usually it comes long before
_PATH: Final = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin"
_IS_ROOT: Final = os.getuid() == 0
_CHECKOUT: Final = Path(__file__).parents[2]


class MissingProgram(Exception):
    """A program is not installed, or did not start; the text says which, and where its reason is."""


class Service:
    """A program that runs until it is ended; its output is in `DIRECTORY/NAME.log`.

    `pid` is its first process. Each has its own session: Ctrl+C at a terminal ends none of them.
    """

    ends_by: signal.Signals = signal.SIGTERM

    def __init__(self, name: str, directory: Path) -> None:
        self.name, self.directory = name, directory
        self.log = directory / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None
        directory.mkdir(parents=True, exist_ok=True)

    def command(self) -> Sequence[str]:
        """Return the command line."""
        raise NotImplementedError

    def is_ready(self) -> bool:
        """Return True if it does its work."""
        raise NotImplementedError

    def environment(self) -> Mapping[str, str]:
        """Return its environment variables."""
        return os.environ

    @property
    def pid(self) -> int:
        """The id of its first process."""
        assert self._process is not None
        return self._process.pid

    def pids(self) -> list[int]:
        """Return the ids of all its processes."""
        return list(_with_children(self.pid))

    def runs(self) -> bool:
        """Return True if it was started and has not ended since."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it, and wait until it is ready; MissingProgram if it ends or does not get there."""
        self.begin()
        self.wait()

    def begin(self) -> None:
        """Start it, and do not wait."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self.environment(),
                start_new_session=True,
            )

    def wait(self) -> None:
        """Wait until it is ready."""
        assert self._process is not None
        end = time.monotonic() + PATIENCE_S
        while not self.is_ready():
            if self._process.poll() is not None:
                raise MissingProgram(f"{self.name} has ended with {self._process.returncode}: see {self.log}")
            if time.monotonic() > end:
                raise MissingProgram(f"{self.name} does not answer: see {self.log}")
            time.sleep(0.02)  # it does not report when it is ready

    def stop(self) -> None:
        """Terminate it, and wait until it has ended."""
        if self._process is None:
            return
        self._process.send_signal(self.ends_by)
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def kill(self) -> None:
        """Kill it at once, with all of its processes: it has no time for anything."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(PATIENCE_S)
        self._process = None


class Broker(Service):
    """Mosquitto, which stores messages that the hub has not received."""

    def __init__(self, directory: Path, port: int) -> None:
        super().__init__("mosquitto", directory)
        self.port = port
        self._program = path_of("mosquitto", "mosquitto")
        (directory / "mosquitto.conf").write_text(mosquitto(port, directory, _IS_ROOT), "utf-8")

    def command(self) -> Sequence[str]:
        """Return Mosquitto with its configuration."""
        return [self._program, "-c", str(self.directory / "mosquitto.conf")]

    def is_ready(self) -> bool:
        """Return True if it listens."""
        return listens(self.port)


class Database(Service):
    """PostgreSQL with a private cluster, reached through a socket that its user alone can reach.

    It does not run as root: root runs it as the user that Debian made for it.
    """

    ends_by = signal.SIGINT  # do not wait for who is connected

    def __init__(self, directory: Path, settings: Mapping[str, str] | None = None) -> None:
        super().__init__("postgresql", directory)
        self._programs = _newest_postgresql()
        self._settings = settings or {}
        self._cluster = directory / "cluster"
        # not below the directory: the path of a socket has 107 bytes at most
        self._socket = Path(tempfile.mkdtemp(prefix="companion-club-"))
        if _IS_ROOT:
            shutil.chown(self._socket, "postgres")
            shutil.chown(directory, "postgres")
        if not self._cluster.exists():
            self._make()

    @property
    def address(self) -> str:
        """The address of its database, as the hub wants it."""
        return f"postgresql://club@/postgres?host={self._socket}"

    def command(self) -> Sequence[str]:
        """Return the server, in the foreground."""
        settings = {"listen_addresses": "", "unix_socket_directories": str(self._socket)} | dict(
            self._settings
        )
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return self._as_its_user("postgres", "-D", str(self._cluster), *options)

    def is_ready(self) -> bool:
        """Return True if it accepts connections."""
        asked = [
            str(self._programs / "pg_isready"),
            "-q",
            "-h",
            str(self._socket),
            "-U",
            "club",
            "-d",
            "postgres",
        ]
        return subprocess.run(asked).returncode == 0

    def start(self) -> None:
        """Start it; after a kill as soon as the last process of the one before has gone."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                super().start()
                return
            except MissingProgram:
                if time.monotonic() > end or not self._is_held():
                    raise
                time.sleep(0.1)  # they end without a report

    def stop(self) -> None:
        """Stop it."""
        super().stop()
        shutil.rmtree(self._socket, ignore_errors=True)

    def _is_held(self) -> bool:
        return "pre-existing shared memory block" in self.log.read_text("utf-8", "replace")[-1000:]

    def _make(self) -> None:
        how = [
            "--username=club",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--auth-local=trust",
            "--auth-host=reject",
        ]
        with self.log.open("ab") as log:
            made = subprocess.run(
                self._as_its_user("initdb", "-D", str(self._cluster), *how), stdout=log, stderr=log
            )
        if made.returncode:
            raise MissingProgram(f"initdb has ended with {made.returncode}: see {self.log}")

    def _as_its_user(self, program: str, *words: str) -> list[str]:
        command = [str(self._programs / program), *words]
        if not _IS_ROOT:
            return command
        user = ["--reuid=postgres", "--regid=postgres", "--init-groups"]
        enters = subprocess.run(["setpriv", *user, "test", "-x", str(self.directory)]).returncode == 0
        # a checkout in root's own directory: it may pass through
        more = [] if enters else ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
        return ["setpriv", *user, *more, *command]


class Proxy(Service):
    """nginx: the hub's pages, and streams for spectators."""

    ends_by = signal.SIGTERM

    def __init__(self, directory: Path, ports: Ports, address: str = "127.0.0.1", workers: int = 1) -> None:
        super().__init__("nginx", directory)
        self._program, self._port = path_of("nginx", "nginx"), ports.site
        (directory / "site.conf").write_text(site(ports, directory / "cache", address), "utf-8")
        (directory / "nginx.conf").write_text(nginx(directory, workers, _IS_ROOT), "utf-8")

    def command(self) -> Sequence[str]:
        """Return nginx with its configuration; it writes nothing outside of its directory."""
        place = str(self.directory)
        return [self._program, "-p", place, "-e", f"{place}/error.log", "-c", f"{place}/nginx.conf"]

    def is_ready(self) -> bool:
        """Return True if it listens."""
        return listens(self._port)


class Hub(Service):
    """`companion hub` over the broker and the database."""

    def __init__(self, directory: Path, ports: Ports, database: str, workers: int = 2) -> None:
        super().__init__("hub", directory)
        self._ports, self._database, self._workers = ports, database, workers

    def environment(self) -> Mapping[str, str]:
        """Return the database's address, which others could read in the command."""
        return with_checkout({"COMPANION_HUB_DATABASE": self._database})

    def command(self) -> Sequence[str]:
        """Return the listener, and its workers."""
        words = {
            "--mqtt": self._ports.mqtt,
            "--port": self._ports.hub,
            "--workers": self._workers,
        }
        said = [str(word) for option in words.items() for word in option]
        return [sys.executable, "-m", "companion", "hub", *said]

    def is_ready(self) -> bool:
        """Return True if it serves: it listens before."""
        return answers(self._ports.hub, "/claim")


class Table(Service):
    """`companion run` for one table with its settings, or for `count` of them; pages from `port` on.

    Robots decide after `pause_s`; None: when people had the time to follow.
    """

    def __init__(
        self,
        name: str,
        directory: Path,
        settings: str,
        port: int,
        count: int | None = None,
        pause_s: float | None = None,
    ) -> None:
        super().__init__(name, directory)
        self._port, self._count, self._pause_s = port, count, pause_s
        (directory / "companion.toml").write_text(settings, "utf-8")

    @property
    def ports(self) -> list[int]:
        """The ports of the tables' pages."""
        return [self._port + number for number in range(self._count or 1)]

    def environment(self) -> Mapping[str, str]:
        """Return an environment with this checkout."""
        return with_checkout({} if self._pause_s is None else {PAUSE_S: str(self._pause_s)})

    def command(self) -> Sequence[str]:
        """Return the command that runs all tables."""
        program = "companion" if self._pause_s is None else "tools.club.quickly"
        many = [] if self._count is None else ["--tables", str(self._count)]
        words = ["--port", str(self._port), "--data", str(self.directory), *many]
        return [sys.executable, "-m", program, "run", "--mock", *words]

    def is_ready(self) -> bool:
        """Return True if all serve."""
        return all(listens(port) for port in self.ports)


def with_checkout(more: dict[str, str]) -> Mapping[str, str]:
    """Return an environment in which Python finds this checkout."""
    return os.environ | {"PYTHONPATH": str(_CHECKOUT)} | more


def path_of(program: str, package: str) -> str:
    """Return the path of a program; MissingProgram names the Debian package that has it."""
    if (path := shutil.which(program, path=_PATH)) is None:
        raise MissingProgram(f"{program} is not installed: apt-get install {package}")
    return path


def listens(port: int, address: str = "127.0.0.1") -> bool:
    """Return True if a program listens at this port of this machine."""
    with socket.socket() as asked:
        asked.settimeout(1)
        return asked.connect_ex((address, port)) == 0


def answers(port: int, path: str) -> bool:
    """Return True if this page is answered within a second."""
    line = HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        line.request("GET", path)
        return line.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        line.close()


def free(first: int, count: int = 1) -> int:
    """Return the first port from `first` on from which on so many are free."""
    return next(port for port in range(first, 65536 - count) if all(map(_is_free, range(port, port + count))))


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET6) as asked:
        asked.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        asked.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            asked.bind(("::", port))
        except OSError:
            return False
    return True


def _newest_postgresql() -> Path:
    programs = list(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not programs:
        raise MissingProgram("PostgreSQL is not installed: apt-get install postgresql")
    return max(programs, key=lambda path: int(path.parts[-3])).parent


def _with_children(pid: int) -> Iterator[int]:
    yield pid
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # it ended meanwhile
            for child in listed.read_text().split():
                yield from _with_children(int(child))


def end_in_order(services: Sequence[Service], said: Callable[[str], None]) -> None:
    """End them, the last one first."""
    for service in reversed(services):
        said(f"{service.name} ends")
        service.stop()
