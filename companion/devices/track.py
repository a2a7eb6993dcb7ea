"""The sensing track: a Pico on a serial line that reports the tags on every space.

State, not events, is the truth: when a line is missing, damaged or out of step, a new snapshot is requested
from the Pico; while the link is lost the track is unknown, which is not empty. The wire itself is
firmware/link.py.
"""

from __future__ import annotations

import errno
import getpass
import queue
import termios
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import serial
from serial.tools import list_ports

from companion.devices.exclusive import held
from companion.devices.health import Kind, RangeTest, TrackHealth, Wire, clones_of, there
from companion.devices.readings import PartIs, PartState, PresenceSeen, SweepIs, Tell, TrackSeen
from companion.devices.statistics import TrackStatistics
from companion.devices.sweeps import Sweeps
from companion.devices.track_state import (
    Heartbeat,
    Rejected,
    Tags,
    Tested,
    TrackState,
    WrongProtocol,
    understood,
)
from companion.firmware import link
from companion.message import N_, Sentence, ranges
from companion.processes import users

SILENCE_S = 2.0  # no good line for so long: the link is lost
RETRY_S = 1.0
ASK_AGAIN_S = 0.5
READ_S = 1.0
WRITE_S = 0.25
RASPBERRY_PI, MICROPYTHON = 0x2E8A, 0x0005  # USB ids of a Pico that runs MicroPython

TEST_S, POLL_S = 3.0, 0.05  # limits of a range test: in all, and per poll

Port = str | Callable[[], str | None] | None


def pico_port() -> str | None:
    """Return the serial port of the Pico, by its USB id: ttyACM numbers change from plug to plug."""
    found = (port for port in _ports() if (port.vid, port.pid) == (RASPBERRY_PI, MICROPYTHON))
    return next((str(port.device) for port in found), None)


def _ports() -> Sequence[Any]:
    try:
        return list(list_ports.comports())
    except (OSError, TypeError, ValueError):  # pyserial 3.5 trips over a device that is pulled at that moment
        return ()


class Track:
    """A track of `spaces` sensors of one kind, "tag" or "present".

    `port` is a name, a function that returns the present name, or None: find it. `powers` is the transmit
    power of each reader (CWGsPReg, 0 to 63), `gains` the gain of each receiver in dB, `warm` the number of
    fields that may be on at once; without it the Pico decides. A Pico that is `slower`, because it is
    emulated, gets that many times the time.
    """

    def __init__(
        self,
        port: Port,
        spaces: int,
        open: Callable[..., Any] = serial.Serial,
        *,
        kind: Kind = "tag",
        powers: Sequence[int] = (),
        gains: Sequence[int] = (),
        warm: int | None = None,
        slower: float = 1.0,
    ) -> None:
        self.port, self.spaces, self.open, self.kind = port, spaces, open, kind
        self.slower = slower
        self._wish: dict[str, Any] = {"do": "tell", "spaces": [kind] * spaces}
        if powers:
            self._wish["powers"] = list(powers)
        if gains:
            self._wish["gains"] = list(gains)
        if warm is not None:
            self._wish["warm"] = warm
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._state: tuple[PartState, Sentence | None] | None = None
        self._reported: dict[int, Tags] | None = None
        self._sweeps = Sweeps()
        self._line: Any = None  # never one that is closed: its descriptor may be another file's by then
        self._in_use = threading.Lock()
        self._orders: queue.SimpleQueue[Mapping[str, Any]] = queue.SimpleQueue()
        self._tests: queue.SimpleQueue[Tested | Rejected] = queue.SimpleQueue()
        self._testing = threading.Lock()
        self._statistics = TrackStatistics(kind, spaces)

    def start(self, tell: Tell) -> None:
        """Listen in a background thread and report the tags on the track; never raise."""
        self._tell = tell
        self._stop.clear()
        self._thread = threading.Thread(target=self._keep_connected, name="track", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop listening and close the port."""
        self._stop.set()
        self._rouse()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    # -- requests of a maker

    @property
    def health(self) -> TrackHealth:
        """The health figures of the track; from any thread."""
        return self._statistics.health

    def restart(self) -> None:
        """Have all readers reset and tested, also after an overcurrent."""
        self._order({"do": "reset"})

    def _order(self, order: Mapping[str, Any]) -> None:
        self._orders.put(order)
        self._rouse()

    def _rouse(self) -> None:
        """Make the thread return from waiting for its line, which takes long when nothing happens."""
        with self._in_use:
            if self._line is not None:
                self._line.cancel_read()

    def range_test(
        self, space: int, polls: int = 50, power: int | None = None, gain: int | None = None
    ) -> RangeTest:
        """Poll `polls` times through one reader, at this power and gain; raise TimeoutError without an
        answer.
        """
        with self._testing:
            while not self._tests.empty():
                self._tests.get()
            order = {"do": "test", "space": space, "polls": polls, "power": power}
            self._order(order if gain is None else {**order, "gain": gain})
            try:
                result = self._tests.get(timeout=self.slower * (TEST_S + polls * POLL_S))
            except queue.Empty:
                raise TimeoutError(NO_ANSWER) from None
        if isinstance(result, Rejected):
            raise TimeoutError(Sentence(NO_TEST, {"text": result.why}))
        return RangeTest(
            f"track/{result.space}", result.polls, dict(result.hits), result.torn, result.power, result.fault
        )

    # -- reporting

    def _is(self, state: PartState, why: Sentence | None = None) -> None:
        self._statistics.is_(state, why)
        if (state, why) != self._state:
            self._state = state, why
            self._tell(PartIs("track", state, why))

    def _show(self, spaces: dict[int, Tags]) -> None:
        if spaces == self._reported:
            return
        self._reported = spaces
        if self.kind == "present":
            self._tell(
                PresenceSeen(
                    {i: content for i, content in spaces.items() if not isinstance(content, frozenset)}
                )
            )
        else:
            self._tell(
                TrackSeen({i: content for i, content in spaces.items() if not isinstance(content, bool)})
            )

    def _beats(self, sweep: int) -> None:
        """Process the sweep time of a heartbeat; a slower Pico's seconds are longer than ours."""
        before, self._sweeps = self._sweeps, self._sweeps.after(round(self.slower * sweep))
        if self._sweeps.usual is not None and self._sweeps.usual != before.usual:
            self._tell(SweepIs(self._sweeps.usual))

    def _gone(self, why: Sentence, wire: Wire, refused: bool = False, ports: tuple[str, ...] = ()) -> None:
        """Report the track as unknown: `lost` if it was there, otherwise it is played by taps."""
        been_there = self._state is not None and self._state[0] != "tap"
        self._statistics.line_lost(wire, ports)
        self._sweeps = self._sweeps.anew()
        self._is("lost" if been_there and not refused else "tap", why)
        self._show(dict.fromkeys(range(self.spaces)))

    # -- the link

    def _keep_connected(self) -> None:
        while not self._stop.is_set():
            name = self._name()
            if name is None:
                self._gone(NO_PICO, "absent")
            else:
                self._statistics.plugged(name)
                try:
                    with (
                        self.open(name, timeout=READ_S, write_timeout=WRITE_S, exclusive=True) as line,
                        held(line),
                        self._using(line),
                    ):
                        self._listen(line, name)
                except (OSError, termios.error) as problem:  # SerialException is an OSError
                    if name == self.port and getattr(problem, "errno", None) == errno.ENOENT:
                        self._no_port(name)
                    else:
                        self._gone(*why_not(problem, name))
            self._stop.wait(RETRY_S)

    def _no_port(self, name: str) -> None:
        """Report that there is no port of the given name."""
        ports = tuple(sorted(str(port.device) for port in _ports()))
        why = Sentence(NO_PORT, {"port": name, "then_there": there(ports)})
        self._gone(why, "no port", ports=ports)

    @contextmanager
    def _using(self, line: Any) -> Iterator[None]:
        """Publish this line to threads that want to interrupt the waiting, until before it is closed."""
        with self._in_use:
            self._line = line
        try:
            yield
        finally:
            with self._in_use:
                self._line = None

    def _name(self) -> str | None:
        if callable(self.port):
            return self.port()
        return self.port or pico_port()

    def _listen(self, line: Any, name: str) -> None:
        """Process lines until the port fails (OSError) or the track is stopped."""
        lines, track_state = link.Lines(), TrackState([self.kind] * self.spaces)
        last_received = time.monotonic()
        again, silence = self.slower * ASK_AGAIN_S, self.slower * SILENCE_S
        asked = -again
        while not self._stop.is_set():
            if not track_state.whole and time.monotonic() - asked >= again:
                asked = time.monotonic()
                self._statistics.snapshot_requested()
                line.write(link.encode(self._wish))
            while not self._orders.empty():
                line.write(link.encode(dict(self._orders.get())))
            messages = lines.feed(line.read(line.in_waiting or 1))
            for message in messages:
                if self._understood(track_state, message, lines.hurt):
                    last_received = time.monotonic()
            if messages and track_state.whole:
                self._report_all(track_state)
            if time.monotonic() - last_received >= silence:
                self._gone(*why_silent(name))
                last_received = (
                    time.monotonic()
                )  # it is said, and who has the port is looked for, now and then

    def _understood(self, track_state: TrackState, line: Mapping[str, Any], hurt: int) -> bool:
        """Process one message; return False when it does not help to know the track."""
        try:
            message = understood(line)
            track_state.hear(message)
        except WrongProtocol as other:
            track_state.whole = False
            why = Sentence(OTHER_PROTOCOL, {"theirs": str(other), "ours": link.PROTOCOL})
            self._gone(why, "refused", refused=True)
            return True
        except ValueError:
            track_state.whole = False  # right by its checksum, and nothing that can be: ask again
            return False
        self._statistics.message_received(message, track_state, hurt)
        if isinstance(message, Tested | Rejected):
            self._tests.put(message)
        if isinstance(message, Heartbeat) and track_state.whole and self.kind == "tag":
            self._beats(message.sweep)
        return track_state.whole

    def _report_all(self, track_state: TrackState) -> None:
        self._is(*self._health(track_state))
        self._show(dict(enumerate(track_state.spaces)))

    def _health(self, track_state: TrackState) -> tuple[PartState, Sentence | None]:
        power = track_state.hb.power if track_state.hb else "on"
        if power == "off":
            return "lost", NO_POWER
        if power == "over":
            return "lost", OVER
        assert track_state.hi is not None  # whole
        silent = sorted(space for space, _ in track_state.hi.faulty)
        if len(silent) == self.spaces:
            return "lost", NO_SWITCH if self.kind == "present" else NO_READER
        if silent:
            one, many = _SILENT[self.kind]
            return "ok", Sentence(one if len(silent) == 1 else many, {"numbers": ranges(silent)})
        if track_state.hb and (clones := clones_of(track_state.hb.shared, self.spaces)):
            return "ok", Sentence(TWINS, {"tags": ", ".join(sorted(clones))})
        return "ok", None


def why_not(problem: Exception, port: str) -> tuple[Sentence, Wire]:
    """Return why the port cannot be used and advice, for a person; and the same in a word."""
    if isinstance(problem, serial.SerialTimeoutException):
        return NO_WORD, "silent"  # it is there, and does not listen
    number = getattr(problem, "errno", None)
    if number == errno.EACCES:
        return Sentence(NO_LEAVE, {"port": port, "user": getpass.getuser()}), "no leave"
    if number in (errno.EBUSY, errno.EAGAIN):
        return taken(port), "taken"
    return UNPLUGGED, "absent"


def why_silent(port: str) -> tuple[Sentence, Wire]:
    """Return why nothing understandable comes, and advice: another program may take it away."""
    return (taken(port), "taken") if users(port) else (NO_WORD, "silent")


def taken(port: str) -> Sentence:
    """Return that another program uses this port; its name, where it can be seen."""
    for program in users(port):
        return Sentence(TAKEN_BY, {"port": port, "text": program})
    return Sentence(TAKEN, {"port": port})


NO_PICO = Sentence(N_("the track is not plugged in: plug its USB cable in, or move the pieces by taps"))
NO_PORT = N_(
    "the track is not at {port}, the port in companion.toml ({then_there}): plug its USB cable in, or "
    "correct or leave out `port` there, or move the pieces by taps"
)
UNPLUGGED = Sentence(N_("the track is unplugged: plug its USB cable in again, or move the pieces by taps"))
NO_WORD = Sentence(
    N_("the track has fallen silent: pull its USB cable and plug it in again, or move the pieces by taps")
)
NO_LEAVE = N_("the track at {port} may not be used: run sudo adduser {user} dialout, then log in again")
TAKEN = N_("another program uses the track at {port}: end it, or move the pieces by taps")
TAKEN_BY = N_(
    "another program uses the track at {port}: {text} (its process); end it, or move the pieces by taps"
)
OTHER_PROTOCOL = N_(
    "the track speaks protocol {theirs} and the companion {ours}: run companion flash, "
    "or move the pieces by taps"
)
NO_POWER = Sentence(N_("the track has no power: plug its own supply in, or move the pieces by taps"))
NO_ANSWER = Sentence(N_("the track does not answer: look at its cable and its power"))
NO_TEST = N_("the track cannot test this reader ({text}): look at its health first")
OVER = Sentence(
    N_(
        "the track drew too much current and was switched off: look for a short circuit, then press "
        "“Restart the track” on the hardware page, or move the pieces by taps"
    )
)
NO_SWITCH = Sentence(
    N_("the switches of the track do not answer: check the wires from the Pico, or move the pieces by taps")
)
NO_READER = Sentence(
    N_("no reader of the track answers: check the wires from the Pico, or move the pieces by taps")
)
SILENT_READER = N_(
    "reader {numbers} of the track is silent: the hardware page says what to try; "
    "that space is played by taps"
)
SILENT_READERS = N_(
    "readers {numbers} of the track are silent: the hardware page says what to try; "
    "those spaces are played by taps"
)
SILENT_SWITCH = N_(
    "switch {numbers} of the track cannot be read: the hardware page says what to try; "
    "that space is played by taps"
)
SILENT_SWITCHES = N_(
    "switches {numbers} of the track cannot be read: the hardware page says what to try; "
    "those spaces are played by taps"
)
_SILENT = {"tag": (SILENT_READER, SILENT_READERS), "present": (SILENT_SWITCH, SILENT_SWITCHES)}
TWINS = N_("two tags on the track have the same number ({tags}): replace one of them")
