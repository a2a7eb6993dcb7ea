"""A companion in the modelled machine, with the settings of a real table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from companion.devices.mock.tags import DEMO_SET
from tests.support.client import PATIENCE_S, Companion

DATA: Final = Path("/run/disk/data")
PAD: Final = 'pad = "spi"\npanel = false\n[track]\nkind = "none"\n'
WITHOUT_RIGHTS: Final = 65534
READS: Final = "+dac_read_search"
"""What lets a user who is not root run the programs of a checkout under /root, and open no device."""


def as_user(user: int, *groups: int) -> list[str]:
    """Return a command that runs another one as this user in these groups."""
    return [
        "env", "TMPDIR=/dev/shm", "HOME=/dev/shm",  # where everyone may write
        "setpriv", f"--reuid={user}", f"--regid={user}", f"--inh-caps={READS}", f"--ambient-caps={READS}",
        f"--groups={','.join(map(str, groups))}" if groups else "--clear-groups",
    ]  # fmt: skip


class Table:
    """A companion that plays with real drivers: its client, and what it says of its hardware."""

    def __init__(self, running: Companion) -> None:
        self.running = running
        self.host = running.client.host()

    @property
    def hardware(self) -> dict[str, Any]:
        """The parts as the hardware page has them."""
        found: dict[str, Any] = self.host.get("/api/hardware")
        return found

    def until(self, what: Callable[[dict[str, Any]], Any], seconds: float = PATIENCE_S) -> Any:
        """Return the first true value of `what(hardware)`; AssertionError shows the hardware."""
        end = time.monotonic() + seconds
        while True:
            hardware = self.hardware
            if found := what(hardware):
                return found
            assert time.monotonic() < end, f"waited {seconds} s in vain: {json.dumps(hardware, indent=1)}"
            time.sleep(0.05)

    def learn(self, game: str = "galloping-pigs") -> dict[str, str]:
        """Import the tags of a game; return their UIDs by meaning, such as `card/red/1`."""
        tags = {uid: means for uid, means in DEMO_SET.items() if means.startswith(f"{game}/")}
        self.host.post("/api/tags", tags="\n".join(f"{uid} {means}" for uid, means in tags.items()))
        return {means.removeprefix(f"{game}/"): uid for uid, means in tags.items()}


@contextmanager
def table(settings: str, data: Path = DATA, under: Sequence[str] = ()) -> Iterator[Table]:
    """Yield a companion with these settings, in a new data directory."""
    subprocess.run(["rm", "-rf", str(data)], check=True)
    data.mkdir()
    (data / "companion.toml").write_text(settings, encoding="utf-8")
    os.chmod(data, 0o777)
    running = Companion(data, env=os.environ, under=under, mock=False)
    try:
        yield Table(running)
    finally:
        status = running.stop()
        written = (data / "console.txt").read_text("utf-8", "replace")
        print(written)
    assert status == 0, written
    assert "Traceback" not in written, written


def doctor(settings: str, under: Sequence[str] = (), seconds: int = 2) -> dict[str, Any]:
    """Return what `companion doctor` says with these settings."""
    data = Path("/run/doctor")
    subprocess.run(["rm", "-rf", str(data)], check=True)
    data.mkdir()
    os.chmod(data, 0o777)
    (data / "companion.toml").write_text(settings, encoding="utf-8")
    said = subprocess.run(
        [*under, sys.executable, "-m", "companion", "doctor", "--data", str(data), "--seconds", str(seconds), "--json"],
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert said.stdout, said.stderr
    found: dict[str, Any] = json.loads(said.stdout)
    return found


def finding(found: dict[str, Any], part: str) -> dict[str, Any] | None:
    """Return the first finding about a part."""
    return next((one for one in found["findings"] if one["part"] == part), None)


def lies(hardware: dict[str, Any]) -> set[str]:
    """Return the tags on the pad."""
    return {tag["uid"] for tag in hardware["pad"]["lies"]}


def says(found: dict[str, Any] | None) -> str:
    """Return all that a finding says."""
    return "" if found is None else " ".join((found["what"], found["cause"], *found["try"]))
