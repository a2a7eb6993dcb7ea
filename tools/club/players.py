"""Robots that play at tables, one game after the other, with the names of a club's people."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPException
from typing import Any, Final

GAMES: Final[Mapping[str, Mapping[str, Any]]] = {
    "galloping-pigs": {"rounds": 1},
    "galloping-horse": {"rounds": 1},
    "giro-galoppo": {},
    "greyhounds": {},
}
PEOPLE: Final = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hana", "Ida", "Jon", "Kim", "Lea")
STRENGTHS: Final = ("easy", "medium", "strong")
PIN: Final = "2468"
LOOK_S: Final = 1.0  # seconds between two polls of a table


class HubRefused(Exception):
    """A table rejected a request; the text is its answer."""


class Guest:
    """A client of a table on this machine; it stores its cookie."""

    def __init__(self, port: int) -> None:
        self._port, self._cookie = port, ""

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Return the JSON answer; HubRefused, or OSError if the table is away."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=30)
        headers = {
            "Origin": f"http://127.0.0.1:{self._port}",
            "Content-Type": "application/json",
            "Cookie": self._cookie,
        }
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
        except HTTPException as error:
            raise OSError(str(error)) from None
        finally:
            connection.close()
        self._cookie = (answer.getheader("Set-Cookie") or self._cookie).partition(";")[0]
        if answer.status != 200:
            raise HubRefused(f"{method} {path}: {answer.status} {text.decode()}")
        return json.loads(text)


def game(table: int, number: int, strengths: Sequence[str] = STRENGTHS) -> dict[str, Any]:
    """Return this table's game of this number: the games take turns, people are drawn.

    >>> [game(0, number)["game"] for number in range(2)]
    ['galloping-pigs', 'galloping-horse']
    """
    drawn = random.Random(f"{table} {number}")
    name = list(GAMES)[(table + number) % len(GAMES)]
    return {
        "game": name,
        "seats": drawn.sample(PEOPLE, 3),
        "options": dict(GAMES[name]),
        "deal": "companion",
        "bots": [drawn.choice(strengths) for _ in range(3)],
    }


class Players:
    """Begins a game at each table when the one before is over, until `stop`, in a background thread.

    At most so many `games` at each; None: no limit. `first`: the first table's number, which decides its
    games (see `game`).
    """

    def __init__(
        self,
        ports: Sequence[int],
        games: int | None = None,
        strengths: Sequence[str] = STRENGTHS,
        rest_s: float = 20.0,
        first: int = 0,
    ) -> None:
        self._first = first
        self._guests = [Guest(port) for port in ports]
        self._games, self._strengths, self._rest_s = games, strengths, rest_s
        self._over: dict[int, float] = {}  # since when
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="players", daemon=True)
        self.idle = threading.Event()  # set once all have played all of theirs

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread; games go on as far as their tables do."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        done: set[int] = set()
        while not self._ended.wait(LOOK_S):
            for table, guest in enumerate(self._guests):
                try:
                    if table not in done and self._look(table, guest):
                        done.add(table)
                except (OSError, HubRefused):
                    pass  # it is away, or starting: it is polled again
            if len(done) == len(self._guests):
                self.idle.set()

    def _look(self, table: int, guest: Guest) -> bool:
        """Begin the next game if it is time; return True if all have been played."""
        seen = guest.ask("GET", "/api/table")
        if seen["match"] is not None and seen["next"] is not None:
            self._over.pop(table, None)
            return False
        number = 0 if seen["match"] is None else seen["match"]["id"]
        if self._games is not None and number >= self._games:
            return True
        rest = self._rest_s if number else 0.0
        if time.monotonic() < self._over.setdefault(table, time.monotonic()) + rest:
            return False
        guest.ask("POST", "/api/unlock", {"pin": PIN, "role": "host"})
        guest.ask("POST", "/api/matches", game(self._first + table, number, self._strengths))
        return False
