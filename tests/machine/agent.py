"""In a modelled machine with systemd: runs what the test sends over the second console, a line of JSON each.

Copied into the machine's disk; it is run by the Python there and imports nothing of this project.
A command is `{"n": 1, "run": "uname"}`; its answers are `{"n": 1, "line": "Linux"}` and `{"n": 1, "status": 0}`.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import tty
from pathlib import Path

CONSOLE = "/dev/tty1"
LOCK = threading.Lock()


def main() -> None:
    """Say that the machine is up, then run one command after the other, each in a thread of its own."""
    console = os.open(CONSOLE, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(console)
    boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    answer(console, {"up": boot})
    with os.fdopen(os.dup(console), encoding="utf-8") as commands:
        for line in commands:
            threading.Thread(target=run, args=(console, json.loads(line)), daemon=True).start()


def run(console: int, command: dict[str, object]) -> None:
    """Run a command; send what it prints line by line, and its status."""
    process = subprocess.Popen(
        ["/bin/sh", "-c", str(command["run"])],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    assert process.stdout is not None
    for line in process.stdout:
        answer(console, {"n": command["n"], "line": line})
    answer(console, {"n": command["n"], "status": process.wait()})


def answer(console: int, what: dict[str, object]) -> None:
    """Write a whole line."""
    data = f"{json.dumps(what)}\n".encode()
    with LOCK:
        while data:
            data = data[os.write(console, data) :]


if __name__ == "__main__":
    main()
