"""In the modelled machine: a companion whose disk or clock gives trouble, and what it answers.

python -m tests.machine.trouble full|read-only|clock|small
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.machine.player import DATA, SETTINGS, decisions, on_the_table, say
from tests.support.client import Client, HttpError, companion

DISK = Path("/run/disk")
ORDER = ["red", "blue", "green", "yellow", "pink"]
PHONES = 10


def decide(host: Client, card: str) -> None:
    """Play a card for whose turn it is; say what the companion answers."""
    try:
        host.decide(do="play", seat=host.table["next"]["seats"][0], card=card)
        say("DECIDED", card)
    except HttpError as refusal:
        say("REFUSED", [refusal.status, refusal.reason])


def full(host: Client) -> None:
    """Fill the disk to its last byte, then make room."""
    filler = DISK / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 16, 512):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                pass
    for card in ORDER * 2:  # the journal may have room left in its own files
        decide(host, card)
    filler.unlink()
    decide(host, "red")
    say("SHOWN", host.table["seq"])


def read_only(host: Client) -> None:
    """Let ext4 find a fault of the disk, whereupon it is read-only (errors=remount-ro, as Debian mounts a root)."""
    Path("/sys/fs/ext4/ubdb/trigger_fs_error").write_text("a fault of the disk", encoding="utf-8")
    decide(host, "blue")
    say("SHOWN", host.table["seq"])


def remounted(host: Client) -> None:
    """Let the kernel make every file system read-only at once (SysRq u), under a journal that is open."""
    Path("/proc/sysrq-trigger").write_text("u", encoding="utf-8")
    while not re.search(r" /run/disk ext4 ro\b", Path("/proc/mounts").read_text(encoding="utf-8")):
        time.sleep(0.1)
    decide(host, "blue")
    say("SHOWN", host.table["seq"])


def clock(host: Client) -> None:
    """Begin in 1970, as a Pi does without a network, then get the time in the middle of the game."""
    say("CLOCK", time.gmtime().tm_year)
    decide(host, "red")
    subprocess.run(["date", "-u", "-s", "2026-11-28T12:00:00"], check=True, stdout=subprocess.DEVNULL)
    decide(host, "blue")
    say("HEALTH", host.get("/healthz")["uptime_s"])
    say("SHOWN", host.table["seq"])


def sees_both(port: int) -> bool:
    """Return True once the table, as a phone sees it, shows the second card."""
    return bool(Client(port).until(lambda table: table["seq"] >= 4))


def small(host: Client) -> None:
    """Let ten phones watch while two cards are played."""
    with ThreadPoolExecutor(PHONES) as phones:
        seen = [phones.submit(sees_both, host.port) for _ in range(PHONES)]
        decide(host, "red")
        decide(host, "blue")
        say("PHONES", sum(one.result() for one in seen))
    free = re.search(r"MemAvailable: +(\d+)", Path("/proc/meminfo").read_text(encoding="utf-8"))
    say("FREE_MB", int(free[1]) >> 10 if free else 0)
    say("SHOWN", host.table["seq"])


TROUBLES: dict[str, Callable[[Client], None]] = {
    "full": full,
    "read-only": read_only,
    "remounted": remounted,
    "clock": clock,
    "small": small,
}


def main() -> None:
    """Begin a game, make the trouble, and say what the journal holds at the end; `look` only says it."""
    trouble = sys.argv[1]
    if trouble == "look":
        say("THERE", [line.get("card") for line in decisions(on_the_table())[1:]])
        return
    if trouble == "clock":
        subprocess.run(["date", "-u", "-s", "@120"], check=True, stdout=subprocess.DEVNULL)
    DATA.mkdir(exist_ok=True)
    (DATA / "companion.toml").write_text(SETTINGS, encoding="utf-8")
    with companion(DATA) as running:
        host = running.client.host()
        host.begin("galloping-pigs", ("Ada", "Ben"))
        host.decide(do="line-up", seat=0, order=ORDER)
        TROUBLES[trouble](host)
        time.sleep(3600)  # until the power is cut


if __name__ == "__main__":
    main()
