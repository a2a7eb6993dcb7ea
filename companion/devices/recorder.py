"""A recording of the sensors' messages during an evening, in a file line by line, and its playback.

The file holds the messages of the parts to the table, no decisions and no names: {"at": 12.345, "PadSeen":
{...}}, with the seconds since the recording began. Every message is a whole snapshot, so a recording that
begins in the middle of an evening starts with the newest of each.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TextIO, get_args, get_type_hints

import msgspec

from companion.devices.readings import Seen, Tell
from companion.errors import InvalidInput
from companion.message import Sentence, read_again, written_down

VERSION: Final = 1
KINDS: Final[dict[str, type[Any]]] = {kind.__name__: kind for kind in get_args(Seen)}


class Recorder:
    """Writes into `directory` while it is on. Its methods may be called from any thread and never raise."""

    def __init__(self, directory: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.directory, self.clock = directory, clock
        self.why: str | None = None  # why it is off although it was switched on
        self.path: Path | None = None  # of the recording that goes on, or of the last one
        self._file: TextIO | None = None
        self._began = 0.0
        self._newest: dict[tuple[str, str], Seen] = {}
        self._lock = threading.Lock()

    @property
    def on(self) -> bool:
        """True while it records."""
        return self._file is not None

    def start(self) -> None:
        """Record from now on; the latest messages of the sensors come first."""
        with self._lock:
            if self._file is not None:
                return
            self.why, self._began = None, self.clock()
            try:
                self._file = self._new_file()
            except OSError as error:
                self.why = error.strerror or str(error)
                return
            self._write(
                {"recording": VERSION, "began": datetime.now().astimezone().isoformat("T", "seconds")}
            )
            for message in self._newest.values():
                self._say(message)

    def stop(self) -> None:
        """Stop recording; the file stays."""
        with self._lock:
            self._close()

    def around(self, tell: Tell) -> Tell:
        """Return a `tell` that passes every message to this recorder too."""

        def recorded(message: Seen) -> None:
            self.hear(message)
            tell(message)

        return recorded

    def hear(self, message: Seen) -> None:
        """Store a message as the latest of its kind, and write it while the recorder is on."""
        with self._lock:
            self._newest[type(message).__name__, getattr(message, "part", "")] = message
            if self._file is not None:
                self._say(message)

    def _new_file(self) -> TextIO:
        """Open a file that does not exist yet: two recordings may begin in one second."""
        name = f"sensors-{datetime.now():%Y%m%d-%H%M%S}"
        for more in ("", *(f"-{n}" for n in range(2, 100))):
            self.path = self.directory / f"{name}{more}.jsonl"
            try:
                return self.path.open("x", encoding="utf-8")
            except FileExistsError:
                continue
        raise FileExistsError(f"{self.path} is there already")

    def _say(self, message: Seen) -> None:
        self._write({"at": round(self.clock() - self._began, 3), **encoded(message)})

    def _write(self, line: dict[str, Any]) -> None:
        """Write and flush one line: a crash takes the last one at most, a power cut seconds."""
        if self._file is None:
            return
        try:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as error:  # a full disk ends the recording, not the evening
            self.why = error.strerror or str(error)
            self._close()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError as error:
                self.why = error.strerror or str(error)


def encoded(message: Seen) -> dict[str, Any]:
    """Return a message in the format of a line of the file.

    >>> from companion.devices.readings import PadSeen
    >>> encoded(PadSeen(frozenset({"04B2", "04A1"})))
    {'PadSeen': {'tags': ['04A1', '04B2'], 'unreadable': False, 'why': None}}
    """
    values = {name: _plain(value) for name, value in message._asdict().items()}
    return {type(message).__name__: values}


def _plain(value: Any) -> Any:
    if isinstance(value, Sentence):
        return written_down(value)
    return msgspec.to_builtins(value, str_keys=True, order="deterministic")


def decoded(line: dict[str, Any]) -> Seen:
    """Return the message of such a line; raise InvalidInput if it holds none that we know.

    >>> decoded({"at": 1.5, "Pressed": {"button": "undo"}})
    Pressed(button='undo')
    """
    [name] = line.keys() - {"at"}
    kind = KINDS.get(name)
    if kind is None:
        raise InvalidInput(f"no message is called {name!r}: there are {', '.join(KINDS)}")
    hints = get_type_hints(kind)
    values = {key: _read(value, hints[key]) for key, value in line[name].items()}
    message: Seen = kind(**values)
    return message


def _read(value: Any, hint: Any) -> Any:
    if Sentence in get_args(hint):
        return None if value is None else read_again(value)
    return msgspec.convert(value, hint, str_keys=True)


def played_back(path: Path) -> Iterator[tuple[float, Seen]]:
    """Yield the messages of a recording with the seconds since it began; a torn last line is left out.

    Raises InvalidInput, with the number of the line, for an invalid recording.
    """
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    for number, text in enumerate(lines[:-1], 1):  # text after the last end of a line is an incomplete line
        try:
            line = json.loads(text)
            if number == 1:
                _check(line)
            else:
                yield float(line["at"]), decoded(line)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidInput(f"{path}:{number}: is no line of a recording: {error}") from None


def _check(line: dict[str, Any]) -> None:
    if line["recording"] != VERSION:
        raise InvalidInput(f"version {line['recording']} is not known, only {VERSION}")
