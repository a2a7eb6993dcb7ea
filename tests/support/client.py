"""A real `companion run --mock` process and a client that talks to it over HTTP, as a browser would."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from tests.support.forked import Forked, can_fork

T = TypeVar("T")

FROZEN = "tests.support.frozen_companion"
"""The module of a companion whose odds, luck, address and join code are fixed."""
PATIENCE_S = 60.0  # what is waited for comes long before: a machine twice as busy must not fail


class HttpError(Exception):
    """The companion did not grant a request."""

    def __init__(self, status: int, answer: dict[str, Any]) -> None:
        super().__init__(f"{status}: {answer.get('reason')}")
        self.status, self.kind, self.reason = status, answer.get("kind"), answer.get("reason")


class Client:
    """Requests to one companion; keeps its cookie. `seq` is filled in where a body needs it."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.port, self.address = port, address
        self._cookie = ""

    @property
    def origin(self) -> str:
        """The origin of a page that this companion has served."""
        return f"http://{self.address}" + f":{self.port}" * (self.port != 80)

    def connection(self) -> http.client.HTTPConnection:
        """Return a connection to it for one request."""
        return http.client.HTTPConnection(self.address, self.port, timeout=PATIENCE_S)

    def request(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """Return the JSON answer (text for records); raise HttpError for a failure."""
        connection = self.connection()
        sent = {"Cookie": self._cookie} if self._cookie else {}
        if method != "GET":
            sent |= {"Origin": self.origin, "Content-Type": "application/json"}
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, {**sent, **(headers or {})})
            answer = connection.getresponse()
            said = answer.read().decode()
        finally:
            connection.close()
        if cookie := answer.getheader("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]
        is_json = answer.getheader("Content-Type") == "application/json"
        value = json.loads(said) if is_json else said
        if answer.status != 200:
            raise HttpError(answer.status, value if isinstance(value, dict) else {"reason": said})
        return value

    def get(self, path: str) -> Any:
        return self.request("GET", path)

    def post(self, path: str, **body: Any) -> Any:
        return self.request("POST", path, body)

    def put(self, path: str, **body: Any) -> Any:
        return self.request("PUT", path, body)

    @property
    def table(self) -> dict[str, Any]:
        """The public table now."""
        found: dict[str, Any] = self.get("/api/table")
        return found

    def now(self, path: str, **body: Any) -> Any:
        """Post a request as a client that sees the present entry."""
        return self.post(path, seq=self.table["seq"], **body)

    def decide(self, **line: Any) -> Any:
        return self.now("/api/decide", decision=line)

    def until(self, what: Callable[[dict[str, Any]], T], seconds: float = PATIENCE_S) -> T:
        """Return the first true value of `what(table)`; AssertionError shows the table if it never comes."""
        end = time.monotonic() + seconds
        while True:
            table = self.table
            if found := what(table):
                return found
            assert time.monotonic() < end, f"waited {seconds} s in vain: {json.dumps(table, indent=1)}"
            time.sleep(0.02)  # there is no event to wait for but the next answer

    def host(self, pin: str = "2468") -> Client:
        """Log this client in as host, and return it."""
        self.post("/api/unlock", pin=pin, role="host")
        return self

    def share(self, other: Client) -> None:
        """Become another page on the same device, also of a companion that was started again on another port."""
        self._cookie = other._cookie.replace(f"-{other.port}=", f"-{self.port}=")

    def begin(
        self, game: str = "galloping-pigs", seats: tuple[str, ...] = ("Ada", "Ben"), **more: Any
    ) -> int:
        number: int = self.post("/api/matches", game=game, seats=list(seats), **more)["id"]
        return number

    # --- hands on the virtual table --------------------------------------------------------------

    def uids(self, game: str = "galloping-pigs") -> dict[str, str]:
        """Return the UID of each card and piece of a game, by `card/red/3` or `piece/red`."""
        tags = self.get("/api/mock")["tags"]
        prefix = f"{game}/"
        return {
            t["means"].removeprefix(prefix): uid
            for uid, t in tags.items()
            if (t["means"] or "").startswith(prefix)
        }

    def pad(self, *uids: str) -> None:
        self.put("/api/mock/pad", tags=list(uids))

    def blank(self, size: int = 7) -> str:
        """Hold a new tag to the pad that was never seen before, and return its UID."""
        uid: str = self.post("/api/mock/blank", bytes=size)["tag"]
        return uid

    def space(self, space: int, *uids: str) -> None:
        self.put(f"/api/mock/track/{space}", tags=list(uids))

    def stand(self, game: str = "galloping-pigs") -> None:
        """Put every piece where it belongs, and wait until the table sees it."""
        uids = self.uids(game)
        for piece, place in self.table["layout"].items():
            self.space(place["space"], uids[f"piece/{piece}"])
        self.until(lambda table: not table["todo"])

    def press(self, name: str) -> None:
        self.post("/api/mock/button", name=name)

    def fault(self, kind: str, at: str, on: bool = True) -> None:
        self.post("/api/mock/fault", kind=kind, at=at, on=on)


class Stream:
    """An open event stream; `next()` waits for the next event."""

    def __init__(self, port: int, query: str = "", cookie: str = "") -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self.connection.request("GET", f"/events{query}", headers={"Cookie": cookie} if cookie else {})
        self.answer = self.connection.getresponse()

    def next(self) -> tuple[str, bytes]:
        name, data = "", b""
        while line := self.answer.readline().rstrip(b"\n"):
            field, _, value = line.partition(b": ")
            name, data = (value.decode(), data) if field == b"event" else (name, value)
        return name, data

    def shown(self) -> bytes:
        """Return the next view; skip heartbeats, which come when nothing changes for long."""
        while (event := self.next())[0] == "beat":
            pass
        return event[1]

    def view(self) -> Any:
        """Return what is shown next."""
        return json.loads(self.shown())

    def newest(self, seq: int) -> bytes:
        """Return the first view that knows entry `seq`."""
        while json.loads(data := self.shown())["seq"] < seq:
            pass
        return data

    def close(self) -> None:
        self.connection.close()


class Companion:
    """A running process. `kill` is a power cut, `stop` asks politely."""

    def __init__(
        self,
        data: Path,
        *more: str,
        checkout: Path | None = None,
        env: Mapping[str, str] | None = None,
        under: Sequence[str] = (),
        module: str = "companion",
        mock: bool = True,
        apart: bool = False,
    ) -> None:
        """Start it, and wait until it answers; `apart`: in another network, which no request from here reaches."""
        modelled = ["--mock", "--seed", "1"] if mock else []
        arguments = ["run", *modelled, "--port", "0", "--data", str(data), *more]
        self.data = data
        log = data / "console.txt"
        self.process: Forked | subprocess.Popen[str]
        if can_fork() and checkout is None and env is None and not under:
            self.process = Forked(module, arguments, log)
        else:
            with log.open("ab") as written:
                self.process = subprocess.Popen(
                    [*under, sys.executable, "-m", module, *arguments],
                    stdout=subprocess.PIPE,
                    stderr=written,
                    text=True,
                    cwd=checkout,
                    env=env,
                )
        assert self.process.stdout is not None
        self.greeting = []
        for line in self.process.stdout:
            self.greeting.append(line)
            if line.startswith("Ctrl+C"):
                break
        assert self.greeting, f"it did not start: {(data / 'console.txt').read_text()}"
        found = re.search(r"localhost:(\d+)", "".join(self.greeting))
        assert found, self.greeting
        self.client = Client(int(found[1]))
        if not apart:
            self._answers()

    def _answers(self) -> None:
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.client.get("/healthz")
                return
            except OSError:
                assert time.monotonic() < end, "it does not answer"
                time.sleep(0.02)

    def kill(self) -> None:
        self.process.kill()
        self._gone()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self._gone()

    def _gone(self) -> int:
        status = self.process.wait(PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status


def children(pid: int) -> dict[int, str]:
    """Return the processes that this one has started by any of its threads, with their command lines."""
    found: dict[int, str] = {}
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # a thread or a child that ended meanwhile
            for child in listed.read_text().split():
                found[int(child)] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
    return found


@contextmanager
def companion(
    data: Path,
    *more: str,
    checkout: Path | None = None,
    under: Sequence[str] = (),
    module: str = "companion",
) -> Iterator[Companion]:
    """Yield a companion for the time of a test; of another `checkout`, or `under` a command that limits it.

    `module` is what Python runs: `tests.support.frozen_companion` has fixed odds.
    """
    data.mkdir(parents=True, exist_ok=True)
    running = Companion(data, *more, checkout=checkout, under=under, module=module)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.stop()
