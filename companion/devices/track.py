"""The sensing track: a Pico on a serial line that tells what lies on every space.

State, not events, is the truth: when a line is missing, hurt or out of step, the Pico is asked for everything
again; while the link is lost the track is unknown, which is not empty. The wire itself is firmware/link.py.
"""

from __future__ import annotations

import errno
import getpass
import termios
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import serial
from serial.tools import list_ports

from companion.devices.seen import PartIs, PartState, Tell, TrackSeen
from companion.sentence import N_, Sentence
from firmware import link

SILENCE_S = 2.0  # no good line for so long: the link is lost
RETRY_S = 1.0
ASK_AGAIN_S = 0.5
READ_S = 0.25
RASPBERRY_PI, MICROPYTHON = 0x2E8A, 0x0005  # USB ids of a Pico that runs MicroPython

Tags = frozenset[str] | None
Port = str | Callable[[], str | None] | None


def pico_port() -> str | None:
    """The serial port of the Pico, by its USB id: ttyACM numbers change from plug to plug."""
    for port in list_ports.comports():
        if (port.vid, port.pid) == (RASPBERRY_PI, MICROPYTHON):
            return str(port.device)
    return None


class WrongProtocol(ValueError):
    """The Pico speaks another version of the wire."""


class Picture:
    """What the Pico has told so far, line by line.

    `whole`: nothing is missing since the last snapshot.
    """

    def __init__(self) -> None:
        self.spaces: list[Tags] = []
        self.faulty: tuple[int, ...] = ()
        self.power = True
        self.whole = False
        self._boot: object = None
        self._next = 0

    def hear(self, message: Mapping[str, Any]) -> None:
        """Take one message. Raises WrongProtocol; LookupError, TypeError, ValueError for nonsense."""
        number = int(message["n"])
        if number != self._next:
            self.whole = False
        self._next = number + 1
        match message["is"]:
            case "hi":
                self._hi(message)
            case "snap":
                self.spaces = [tags_of(tags) for tags in message["spaces"]]
                self.whole = self._boot is not None  # from one who has said hi, and in our protocol
            case "ev" if self.whole:
                for space, tags in message["changes"]:
                    self.spaces[space] = tags_of(tags)
            case "hb":
                self.power = bool(message["power"])
                self.whole = self.whole and message["state"] == self._state()

    def _hi(self, message: Mapping[str, Any]) -> None:
        if message["protocol"] != link.PROTOCOL:
            self.whole, self._boot = False, None
            raise WrongProtocol(str(message["protocol"]))
        self.faulty = tuple(int(reader) for reader in message["faulty"])
        if message["boot"] != self._boot:
            self._boot = message["boot"]
            self.whole = False

    def _state(self) -> str:
        return link.state_crc([None if tags is None else sorted(tags) for tags in self.spaces])


def tags_of(tags: list[str] | None) -> Tags:
    """Tags as they come over the wire."""
    return None if tags is None else frozenset(str(tag) for tag in tags)


class Track:
    """A track of `spaces` readers. `port` is a name, something that gives today's name, or None: find it."""

    def __init__(self, port: Port, spaces: int, open: Callable[..., Any] = serial.Serial) -> None:
        self.port, self.spaces, self.open = port, spaces, open
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._state: tuple[PartState, Sentence | None] | None = None
        self._told: dict[int, Tags] | None = None

    def start(self, tell: Tell) -> None:
        """Listen in a thread of its own and tell what lies on the track; never raises."""
        self._tell = tell
        self._stop.clear()
        self._thread = threading.Thread(target=self._keep_connected, name="track", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop listening and close the port."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    # -- telling

    def _is(self, state: PartState, why: Sentence | None = None) -> None:
        if (state, why) != self._state:
            self._state = state, why
            self._tell(PartIs("track", state, why))

    def _show(self, spaces: dict[int, Tags]) -> None:
        if spaces != self._told:
            self._told = spaces
            self._tell(TrackSeen(spaces))

    def _gone(self, why: Sentence, refused: bool = False) -> None:
        """The track is unknown: `lost` if it was there, else it is played by taps."""
        been_there = self._state is not None and self._state[0] != "tap"
        self._is("lost" if been_there and not refused else "tap", why)
        self._show(dict.fromkeys(range(self.spaces)))

    # -- the link

    def _keep_connected(self) -> None:
        while not self._stop.is_set():
            name = self._name()
            if name is None:
                self._gone(NO_PICO)
            else:
                try:
                    with self.open(name, timeout=READ_S, write_timeout=READ_S, exclusive=True) as line:
                        self._listen(line)
                except (OSError, termios.error) as problem:  # SerialException is an OSError
                    self._gone(why_not(problem, name))
            self._stop.wait(RETRY_S)

    def _name(self) -> str | None:
        if callable(self.port):
            return self.port()
        return self.port or pico_port()

    def _listen(self, line: Any) -> None:
        """Take in lines until the port fails (OSError) or the track is stopped."""
        lines, picture = link.Lines(), Picture()
        heard = time.monotonic()
        asked = -ASK_AGAIN_S
        while not self._stop.is_set():
            if not picture.whole and time.monotonic() - asked >= ASK_AGAIN_S:
                asked = time.monotonic()
                line.write(link.encode({"do": "tell", "spaces": self.spaces}))
            messages = lines.feed(line.read(line.in_waiting or 1))
            for message in messages:
                if self._understood(picture, message):
                    heard = time.monotonic()
            if messages and picture.whole:
                self._tell_all(picture)
            if time.monotonic() - heard >= SILENCE_S:
                self._gone(NO_WORD)

    def _understood(self, picture: Picture, message: Mapping[str, Any]) -> bool:
        """Take one message in; False when it does not help to know the track."""
        try:
            picture.hear(message)
        except WrongProtocol as other:
            self._gone(Sentence(OTHER_PROTOCOL, {"theirs": str(other), "ours": link.PROTOCOL}), refused=True)
            return True
        except (ValueError, LookupError, TypeError):
            picture.whole = False  # right by its checksum, and nothing we know: ask again
        return picture.whole

    def _tell_all(self, picture: Picture) -> None:
        self._is(*self._health(picture))
        self._show({i: picture.spaces[i] if i < len(picture.spaces) else None for i in range(self.spaces)})

    def _health(self, picture: Picture) -> tuple[PartState, Sentence | None]:
        if not picture.power:
            return "lost", NO_POWER
        silent = [i for i in picture.faulty if i < self.spaces]
        if len(silent) == self.spaces:
            return "lost", NO_READER
        if silent:
            numbers = ", ".join(str(i) for i in silent)
            return "ok", Sentence(SILENT_READER, {"count": len(silent), "numbers": numbers}, SILENT_READERS)
        return "ok", None


def why_not(problem: Exception, port: str) -> Sentence:
    """Why the port cannot be used, and what to do, for a person."""
    number = getattr(problem, "errno", None)
    if number == errno.EACCES:
        return Sentence(NO_LEAVE, {"port": port, "user": getpass.getuser()})
    if number in (errno.EBUSY, errno.EAGAIN):
        return Sentence(TAKEN, {"port": port})
    return UNPLUGGED


NO_PICO = Sentence(N_("the track is not plugged in: plug its USB cable in, or move the pieces by taps"))
UNPLUGGED = Sentence(N_("the track is unplugged: plug its USB cable in again, or move the pieces by taps"))
NO_WORD = Sentence(
    N_("the track has fallen silent: pull its USB cable and plug it in again, or move the pieces by taps")
)
NO_LEAVE = N_("the track at {port} may not be used: run sudo adduser {user} dialout, then log in again")
TAKEN = N_("another program uses the track at {port}: end it, or move the pieces by taps")
OTHER_PROTOCOL = N_(
    "the track speaks protocol {theirs} and the companion {ours}: run companion flash, "
    "or move the pieces by taps"
)
NO_POWER = Sentence(N_("the track has no power: plug its own supply in, or move the pieces by taps"))
NO_READER = Sentence(
    N_("no reader of the track answers: check the wires from the Pico, or move the pieces by taps")
)
SILENT_READER = N_("reader {numbers} of the track is silent: check its plug; that space is played by taps")
SILENT_READERS = N_(
    "readers {numbers} of the track are silent: check their plugs; those spaces are played by taps"
)
