"""The companion on an emulated Pico that notes when tags are laid before it and when it has told them.

    python -m bench.noting run --mock --pico emulated …

as `companion run …`; the Pico's process writes a JSON line for each into the file that NOTES names.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from companion.cli import main
from companion.devices.mock import emulated
from companion.devices.mock.orders import Orders
from companion.devices.mock.virtual_table import EmulatedPico

NOTES = "COMPANION_BENCH_NOTES"


class Noting(emulated.Pico):
    """An emulated Pico that notes each in its own time, and what it tells in this computer's too."""

    def __init__(self, control: int, spaces: int, kind: str) -> None:
        self.notes = Path(os.environ[NOTES])
        super().__init__(control, spaces, kind)
        self.orders = NotingOrders(control, self.wiring, self)
        self.rest = b""
        take = self.emulated.on_output

        def on_output(data: bytes) -> None:
            *lines, self.rest = (self.rest + data).split(b"\n")
            for line in lines:
                self.note(told=line.decode("ascii", "replace"), at=time.time())
            take(data)

        self.emulated.on_output = on_output

    def note(self, **what: Any) -> None:
        """Write it down with the emulated time, in microseconds."""
        with self.notes.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"us": self.emulated.us, **what}) + "\n")


class NotingOrders(Orders):
    """The orders of every Pico; what is laid is noted."""

    pico: Noting

    def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        if order["do"] == "lay":
            self.pico.note(laid=order["at"], tags=order["tags"])
        return super().obey(order)


if __name__ == "__main__":
    if sys.argv[1] == "run":
        EmulatedPico.module = "bench.noting"
        main(prog_name="companion")
    else:
        Noting(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]).run()
