"""In the modelled machine: a companion whose pad is on the kernel's /dev/spidev0.0, served by cuse.py.

python -m tests.machine.pad

It says `READ` and the tags each time that other ones are on the pad.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from companion.devices.mock import pi
from tests.machine.cuse import NAME, CuseBus
from tests.machine.inside.table import PAD, Table, table
from tests.machine.player import say

RESET = Path("/run/reset")
TAG, OTHER = bytes.fromhex("04A1B2C3D4E5F6"), bytes.fromhex("11223344")


def lies(hardware: dict[str, Any]) -> list[str]:
    """Return the tags on the pad, while it works."""
    pad = hardware["pad"]
    return sorted(tag["uid"] for tag in pad["lies"]) if pad["state"] == "ok" else [pad["state"]]


def expect(running: Table, *tags: bytes) -> None:
    """Wait until exactly these tags are read, and say so."""
    wanted = sorted(tag.hex().upper() for tag in tags)
    running.until(lambda hardware: lies(hardware) == wanted)
    say("READ", wanted)


def main() -> None:
    """Lay cards, break the chip, mend it; then play a card."""
    os.environ["RESET_PIN"] = str(RESET)
    world = pi.World()
    CuseBus(world, RESET)
    while not Path("/dev", NAME).exists():
        time.sleep(0.01)
    with table(PAD) as running:
        for tags in ((TAG,), (TAG, OTHER), ()):
            world.put(list(tags))
            expect(running, *tags)
        world.break_("dead-miso", True)
        say("SILENT", running.until(lambda hardware: lies(hardware) == ["lost"] and hardware["pad"]["why"]))
        world.break_("dead-miso", False)
        world.put([OTHER])
        expect(running, OTHER)
        world.break_("stuck", True)
        say("RESTARTS", running.until(lambda hardware: hardware["pad"]["restarts"]))
        expect(running, OTHER)
        uids = running.learn()
        running.host.begin("galloping-pigs", ("Ada", "Ben"))
        running.host.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
        seq = running.host.table["seq"]
        world.put([bytes.fromhex(uids["card/red/1"])])
        say("PLAYED", running.running.client.until(lambda seen: seen["seq"] > seq and seen["seq"]) - seq)


if __name__ == "__main__":
    main()
