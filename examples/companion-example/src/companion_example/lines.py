"""A reader for other hardware: it reads the tags on the pad as lines from a named pipe.

A line lists the tags on the pad now, as UIDs in hex; an empty line means that there are none. Any program
that talks to a reader of yours can write them: `echo 04A1B2C3D4E5F6 > ~/companion-cards`.
"""

from __future__ import annotations

import os
import select
import threading
import time
from pathlib import Path

from companion.devices.health import PadHealth, RangeTest
from companion.devices.pads import CardPad
from companion.devices.readings import PadSeen, Tell
from companion.devices.standing import Standing
from companion.devices.typed import uid_of
from companion.message import Sentence
from companion.settings import Settings

PIPE = Path.home() / "companion-cards"


def reader(machine: Settings) -> CardPad:
    """Return the reader of this machine: `usb_reader` in companion.toml names the pipe."""
    return LinesPad(Path(machine.usb_reader or PIPE))


def seen(line: str) -> PadSeen:
    """Return the state of the pad from a line; a word that is no UID counts as an unreadable tag."""
    uids = [uid_of(word, "hex") for word in line.split()]
    return PadSeen(frozenset(uid for uid in uids if uid is not None), unreadable=None in uids)


class LinesPad(Standing):
    """Watches the pipe in a background thread and reports the whole state of the pad."""

    def __init__(self, pipe: Path) -> None:
        super().__init__(PadHealth(kind="other", device=str(pipe)))
        self._pipe = pipe
        self._thread: threading.Thread | None = None
        self._wake = -1

    def start(self, tell: Tell) -> None:
        """Watch the pipe; errors are reported, not raised."""
        self._tell = tell
        try:
            if not self._pipe.exists():
                os.mkfifo(self._pipe, 0o600)  # a user who may write into it plays cards
            source = os.open(self._pipe, os.O_RDWR | os.O_NONBLOCK)  # stays open while writers come and go
        except OSError as error:
            why = {"path": self._pipe, "why": error.strerror or error}
            self._is_gone(Sentence("the pipe {path} cannot be read: {why}", why))
            return
        self._wake = os.eventfd(0)
        self._thread = threading.Thread(target=self._watch, args=(source,), name="lines", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching; the pipe stays."""
        if self._thread is not None:
            os.eventfd_write(self._wake, 1)
            self._thread.join()
            self._thread = None
            os.close(self._wake)

    def range_test(self, polls: int = 50) -> RangeTest:
        """Raise TimeoutError: a pipe cannot be polled."""
        raise TimeoutError(Sentence("this reader cannot be asked how often it sees a tag"))

    def _watch(self, source: int) -> None:
        self._is("ok")
        self._tell(PadSeen(frozenset()))
        poll, begun = select.poll(), b""
        for file in (source, self._wake):
            poll.register(file, select.POLLIN)
        while self._wake not in {file for file, _ in poll.poll()}:
            *lines, begun = (begun + os.read(source, 4096)).split(b"\n")
            for line in lines:
                picture = seen(line.decode("ascii", "replace"))
                self._note(lies=picture.tags, changed=time.monotonic(), polls=self.health.polls + 1)
                self._tell(picture)
        os.close(source)
