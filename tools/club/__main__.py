"""A whole club on this machine until Ctrl+C: broker, database, proxy, hub, and four tables with robots.

`make club` installs what it needs and runs it. The games stay in the directory: the next run goes on.
"""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tools.club.configuration import Ports, tables
from tools.club.players import PIN, Players
from tools.club.services import (
    Broker,
    Database,
    Hub,
    MissingProgram,
    Proxy,
    Service,
    Table,
    end_in_order,
    free,
)

TABLES = 4


class Club(NamedTuple):
    """The services, in the order in which they start, and their places."""

    services: Sequence[Service]
    ports: Ports
    tables: Sequence[int]
    directory: Path


def club(directory: Path, address: str, count: int = TABLES, workers: int = 2) -> Club:
    """Return a club that has not started yet; MissingProgram if a program is not installed."""
    ports = Ports(broker=free(1884), site=free(8080), hub=free(8100))
    first = free(8300, count)
    database = Database(directory / "database")
    services = [
        Broker(directory / "broker", ports.broker),
        database,
        Proxy(directory / "proxy", ports, address),
        Hub(directory / "hub", ports, database.address, workers),
        Table("tables", directory / "tables", tables(ports.broker), first, count),
    ]
    return Club(services, ports, [first + number for number in range(count)], directory)


def addresses(ports: Ports, tables: Sequence[int], directory: Path, code: str = "") -> str:
    """Return the addresses of everything, in words; `code`: the organiser's.

    >>> print(addresses(Ports(1884, 8080, 8100), [8300], Path("club"), "RHMMFSBR"))
    the club's site:    http://localhost:8080/
    its leagues:        http://localhost:8080/organiser    (the organiser's code: RHMMFSBR)
    table 1:            http://localhost:8300/    (PIN of its host: 2468)
    the broker:         mqtt://127.0.0.1:1884     (mosquitto_sub -p 1884 -v -t 'companion/#')
    what they say:      club/*/*.log
    """
    lines = [
        f"the club's site:    http://localhost:{ports.site}/",
        f"its leagues:        http://localhost:{ports.site}/organiser    (the organiser's code: {code})",
        *(
            f"table {number}:            http://localhost:{port}/    (PIN of its host: {PIN})"
            for number, port in enumerate(tables, 1)
        ),
        f"the broker:         {ports.mqtt}     (mosquitto_sub -p {ports.broker} -v -t 'companion/#')",
        f"what they say:      {directory}/*/*.log",
    ]
    return "\n".join(lines)


def organisers_code(log: Path) -> str:
    """Return the newest code in the hub's log; it prints each only once, perhaps in an earlier run."""
    said = "the organiser's code"
    codes = [line.split()[-1] for line in log.read_text("utf-8").splitlines() if line.startswith(said)]
    return codes[-1] if codes else "companion hub code makes a new one"


def run(this: Club) -> None:
    """Start everything, and wait for Ctrl+C."""
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    players = Players(this.tables)
    started: list[Service] = []
    try:
        for service in this.services:
            say(f"{service.name} starts")
            started.append(service)
            service.start()
            if ended.is_set():
                return
        players.start()
        code = organisers_code(this.directory / "hub" / "hub.log")
        say(f"\n{addresses(this.ports, this.tables, this.directory, code)}")
        say("\nRobots play, one game after the other. Ctrl+C ends everything; what was played stays.")
        while not ended.wait(1):
            for service in started:
                if not service.runs():
                    say(f"{service.name} has ended, see {service.log}: it is started again")
                    service.start()
        players.stop()
    finally:
        end_in_order(started, say)


def say(line: str) -> None:
    """Print a line at the terminal, at once."""
    print(line, flush=True)


def main() -> None:
    """Parse the arguments, and run the club."""
    parser = argparse.ArgumentParser(prog="make club", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--directory", type=Path, default=Path("build/club"), help="where everything is kept")
    parser.add_argument(
        "--address", default="0.0.0.0", help="of this machine, at which the site can be reached"
    )
    asked = parser.parse_args()
    try:
        run(club(asked.directory.resolve(), asked.address))
    except MissingProgram as missing:
        sys.exit(str(missing))


if __name__ == "__main__":
    main()
