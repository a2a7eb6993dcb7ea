"""An evening of a club on which every program is killed once: the league is what the tables' records say.

Broker, database, proxy, hub and tables are the real programs, as `make club` runs them. Each is killed with
SIGKILL. Only the broker is asked to end: Mosquitto saves its state when it ends and from time to time, and no
table repeats what the broker acknowledged after the last save and then lost (docs/mqtt.md).

Only here: a result that a killed broker, database, proxy, hub or table loses or counts twice in the league.
"""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from companion.hub import database, leagues, schema
from companion.hub.league import standings
from companion.hub.results import played
from companion.match.record import replayed
from tests.support.client import Client, HttpError
from tests.support.ports import reserved_port
from tools.club.configuration import Ports, tables
from tools.club.players import Players
from tools.club.services import Broker, Database, Hub, MissingProgram, Proxy, Service, Table

pytestmark = [pytest.mark.nightly, pytest.mark.early]

SEED = 20261127
TABLES, GAMES = 4, 2
ROBOTS_PAUSE_S = 0.25
PATIENCE_S = 400.0


class Cable:
    """A connection to a port of this machine that can be cut and mended."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._plugged = threading.Event()
        self._ends: set[socket.socket] = set()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def mend(self) -> None:
        self._plugged.set()

    def cut(self) -> None:
        self._plugged.clear()
        for end in list(self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._door.close()
        self.cut()

    def _run(self) -> None:
        with suppress(OSError):  # it is closed
            while True:
                came, _ = self._door.accept()
                if not self._plugged.is_set():
                    came.close()
                    continue
                try:
                    there = socket.create_connection(("127.0.0.1", self._to))
                except OSError:
                    came.close()
                    continue
                for one, other in ((came, there), (there, came)):
                    self._ends.add(one)
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while said := one.recv(1 << 16):
                other.sendall(said)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._ends.discard(one)
        one.close()


class Club(NamedTuple):
    broker: Broker
    database: Database
    proxy: Proxy
    hub: Hub
    tables: Sequence[Table]
    cable: Cable
    ports: Ports


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Yield a running club. The cable of its last table is not plugged in yet."""
    ports = Ports(reserved_port(), reserved_port(), reserved_port())
    cable = Cable(ports.broker)
    try:
        base = Database(tmp_path / "database")
        made = Club(
            Broker(tmp_path / "broker", ports.broker),
            base,
            Proxy(tmp_path / "proxy", ports),
            Hub(tmp_path / "hub", ports, base.address),
            [_table(tmp_path, number, ports, cable) for number in range(TABLES)],
            cable,
            ports,
        )
    except MissingProgram as missing:
        pytest.skip(str(missing))
    services: list[Service] = [*made[:4], *made.tables]
    try:
        for service in services:
            service.start()
        yield made
    finally:
        for service in reversed(services):
            service.stop()
        cable.close()


def _table(directory: Path, number: int, ports: Ports, cable: Cable) -> Table:
    name = f"table-{number}"
    broker = cable.port if number == TABLES - 1 else ports.broker
    return Table(name, directory / name, tables(broker, name), reserved_port(), pause_s=ROBOTS_PAUSE_S)


def until(true: Callable[[], object], what: Callable[[], str]) -> None:
    end = time.monotonic() + PATIENCE_S
    while True:
        with suppress(OSError, HttpError, SQLAlchemyError):  # who was killed is being started
            if true():
                return
        assert time.monotonic() < end, f"waited in vain: {what()}"
        time.sleep(0.1)  # neither table nor database tells this test anything


def has_come(club: Club, moment: int) -> bool:
    return entries(club) >= moment


def entries(club: Club) -> int:
    """Return the number of entries at all tables together."""
    return sum(int(Client(table.ports[0]).table["seq"]) for table in club.tables)


def test_everything_is_killed_once_and_the_league_is_what_the_records_say(club: Club) -> None:
    rng = random.Random(SEED)
    engine = database.connected(club.database.address)
    with engine.begin() as db:
        leagues.create(db, "Winter", "open", datetime(2020, 1, 1, tzinfo=UTC))
    players = Players([table.ports[0] for table in club.tables], GAMES, ["easy"], rest_s=0.5)
    players.start()
    victims: list[Service] = [club.broker, club.database, club.proxy, club.hub, *club.tables]
    rng.shuffle(victims)
    for victim in victims:
        moment = entries(club) + rng.randrange(5, 25)
        until(partial(has_come, club, moment), partial(str, f"the moment of {victim.name}"))
        if victim is club.broker:
            victim.stop()
        else:
            victim.kill()
        victim.start()
    engine.dispose()  # its connections ended with the database
    assert table_names(engine) == {f"table-{number}" for number in range(TABLES - 1)}
    until(players.idle.is_set, lambda: f"the games, {entries(club)}")
    club.cable.mend()  # the last table brings its evening
    ends = {f"table-{n}": int(Client(t.ports[0]).table["seq"]) for n, t in enumerate(club.tables)}
    until(lambda: heard(engine) == ends, lambda: f"{heard(engine)} of {ends}")
    until(partial(counts_all, club), lambda: f"games of the league, {league(club)['games']}")
    players.stop()

    records = [(table.name, *record) for table in club.tables for record in finished(table)]
    assert len(records) == TABLES * GAMES
    with engine.connect() as db:
        games = played(db)
        assert db.execute(select(func.sum(schema.tables.c.gaps))).scalar() == 0
        assert db.execute(select(func.count()).select_from(schema.refused)).scalar() == 0
    engine.dispose()
    assert sorted((game.table, game.match) for game in games) == sorted((t, match) for t, match, _ in records)
    expected = counted([record for _, _, record in records])
    for rows in ([row._asdict() for row in standings([g.seats for g in games])], league(club)["table"]):
        told = {row["who"]: tuple(row[name] for name in ("games", "points", "wins", "place")) for row in rows}
        assert told.keys() == expected.keys()
        for who, row in told.items():
            assert row == pytest.approx(expected[who]), who


def table_names(engine: Engine) -> set[str]:
    with engine.connect() as db:
        return set(db.execute(select(schema.tables.c.name)).scalars())


def heard(engine: Engine) -> dict[str, int]:
    with engine.connect() as db:
        return {row.name: row.told for row in db.execute(select(schema.tables.c.name, schema.tables.c.told))}


def finished(table: Table) -> list[tuple[int, str]]:
    """Return each finished game of this table with its record, from the table's own journal."""
    client = Client(table.ports[0])
    client.host()
    listed = [match for match in client.get("/api/matches")["matches"] if match["state"] == "finished"]
    return [(match["id"], client.get(f"/api/matches/{match['id']}/record")) for match in listed]


def counted(records: Sequence[str]) -> dict[str, tuple[int, float, float, int]]:
    """Return games, points, victories and place of each person from the records.

    The points by place are 5, 3, 2 and 1. Equals share them.
    """
    games: dict[str, int] = defaultdict(int)
    points: dict[str, float] = defaultdict(float)
    wins: dict[str, float] = defaultdict(float)
    for record in records:
        race = replayed(record.encode()).race
        assert race is not None
        assert race.awaits() is None
        rows = race.standings()
        places = [row.place if row.place is not None else 99 for row in rows]
        for row, place in zip(rows, places, strict=True):
            better, equal = sum(other < place for other in places), places.count(place)
            games[row.name] += 1
            points[row.name] += sum((5, 3, 2, 1, 0)[better : better + equal]) / equal
            wins[row.name] += (row.place == 1) / places.count(1)
    ranks = {who: (points[who], wins[who]) for who in games}
    before = {who: 1 + sum(other > rank for other in ranks.values()) for who, rank in ranks.items()}
    return {who: (games[who], points[who], wins[who], before[who]) for who in games}


def counts_all(club: Club) -> bool:
    """Return True once the hub has replayed every record."""
    return len(league(club)["games"]) == TABLES * GAMES


def league(club: Club) -> Mapping[str, Any]:
    """Return the league as the proxy serves it."""
    connection = HTTPConnection("127.0.0.1", club.ports.site, timeout=60)
    try:
        connection.request("GET", "/leagues/winter.json")
        answer = connection.getresponse()
        if answer.status != 200:
            raise OSError(f"the proxy answers {answer.status}")  # the hub is not there yet
        told: Mapping[str, Any] = json.loads(answer.read())
        return told
    finally:
        connection.close()
