"""The card pad: one MFRC522 on the Pi's SPI bus, through the package `mfrc522`.

Of the package we use the registers, the SPI transfers and the construction; its way of reading tags loses
every second read and all but the first four bytes of a UID, so exchange and cascade are firmware/rc522.py's.
Only this file imports the package, and only when a pad is started: it is optional, its licence is not ours.
"""

from __future__ import annotations

import getpass
import importlib
import logging
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any

from companion.devices import gpio_library, lgpio_in_peace
from companion.devices.health import PadHealth, RangeTest
from companion.devices.readings import PadSeen, Tell
from companion.devices.standing import PolledPad
from companion.firmware import rc522
from companion.message import N_, Sentence

POLL_S = 0.04
REST_AFTER_S = 20.0  # without a card
REST_S = 0.25
RETRY_S = 1.0
WARM_UP_S = rc522.WARM_UP_US / 1e6
MOST_FAILURES = 3  # in a row, without one good poll, before a reader counts as silent
TEST_S = 5.0  # limit of a range test, in addition to its polls
MISSES = 2  # polls in a row without a tag before it counts as gone
SPEED_HZ = 1_000_000
BCM = 11  # RPi.GPIO's name for GPIO pin numbers; the package then resets GPIO 15 by default


def reader_class() -> Any:
    """Return the class of our reader, based on the package's. Raises any error of importing the libraries."""
    lgpio_in_peace()
    package: Any = importlib.import_module("mfrc522")
    gpio: Any = importlib.import_module("RPi.GPIO")

    class PadChip(package.MFRC522, rc522.Port):  # type: ignore[misc]  # the package has no types
        """The package's register layer as a port for firmware/rc522.py."""

        def __init__(self, bus: int, device: int, reset: int) -> None:
            gpio.setwarnings(False)  # a pin still set up from a run that was killed is no news
            self.reset_pin = reset
            handlers = list(logging.getLogger("mfrc522Logger").handlers)
            super().__init__(bus, device, SPEED_HZ, BCM, reset)
            logging.getLogger("mfrc522Logger").handlers[:] = handlers  # each object would add one more

        def read(self, register: int) -> int:
            return int(self.Read_MFRC522(register))

        def write(self, register: int, value: int) -> None:
            self.spi.xfer2([register << 1, value])

        def fill(self, register: int, data: bytes, n: int) -> None:
            self.spi.xfer2([register << 1, *data[:n]])

        def drain(self, register: int, into: bytearray, n: int) -> None:
            into[:n] = bytes(self.spi.xfer2([0x80 | register << 1] * n + [0])[1:])

        def pulse_reset(self) -> None:
            """Pulse the reset pin: some chips recover from a bad state only by it."""
            gpio.output(self.reset_pin, 0)
            gpio.output(self.reset_pin, 1)

        def close(self) -> None:
            """Close our bus and release our pin; the package's own way would clear every pin of
            the process.
            """
            self.spi.close()
            gpio.cleanup(self.reset_pin)

    return PadChip


class TagsOnPad:
    """The tags on the pad, from one poll to the next."""

    def __init__(self) -> None:
        self.misses: dict[str, int] = {}
        self.torn = 0
        self.reported: PadSeen | None = None

    def after(self, tags: Iterable[str], unreadable: bool) -> PadSeen | None:
        """Return the new state if this poll has changed it. A tag is new at once, and gone after MISSES
        polls.

        >>> tags = TagsOnPad()
        >>> tags.after(["04A1B2C3"], False)
        PadSeen(tags=frozenset({'04A1B2C3'}), unreadable=False, why=None)
        >>> tags.after([], False)
        >>> tags.after([], False)
        PadSeen(tags=frozenset(), unreadable=False, why=None)
        """
        self.torn = self.torn + 1 if unreadable else 0
        for tag in self.misses:
            if not unreadable:  # tags hidden by noise are not gone
                self.misses[tag] += 1
        self.misses |= dict.fromkeys(tags, 0)
        self.misses = {tag: n for tag, n in self.misses.items() if n < MISSES}
        seen = PadSeen(frozenset(self.misses), self.torn >= MISSES)
        if seen == self.reported:
            return None
        self.reported = seen
        return seen


class Pad(PolledPad):
    """The card pad at /dev/spidev`bus`.`device`, its reset on GPIO `reset` (BCM)."""

    def __init__(self, bus: int = 0, device: int = 0, reset: int = 25) -> None:
        super().__init__(PadHealth())
        self.bus, self.device, self.reset = bus, device, reset
        self._chip: Any = None
        self._on_pad = TagsOnPad()

    def start(self, tell: Tell) -> None:
        """Poll the pad in a background thread and report the tags on it; never raise."""
        self._tell = tell
        self._stop.clear()
        try:
            library = gpio_library.chosen(gpio_library.installed(), gpio_library.model())
            self._chip = reader_class()(self.bus, self.device, self.reset)
        except Exception as problem:  # after any error of a GPIO library the game goes on by taps
            self._is("tap", why_not(problem))
            return
        self._note(library=library)
        self._start_thread()

    def stop(self) -> None:
        """Stop polling and release bus and pin."""
        super().stop()
        if self._chip is not None:
            self._chip.close()
            self._chip = None

    def range_test(self, polls: int = 50) -> RangeTest:
        """Poll `polls` times and count the tags seen; raise TimeoutError when the pad does not answer."""
        return self._have_tested(polls, TEST_S + polls * POLL_S, SILENT)

    def _watch(self) -> None:
        """Set the reader up whenever it has stopped answering; only one that stays silent is a fault."""
        reader, failures = rc522.Rc522(self._chip), 0
        while not self._stop.is_set():
            polls, answers = self.health.polls, False
            try:
                answers = self._set_up(reader)
                if answers:
                    self._is("ok", doubt(reader.version()))
                    self._watch_cards(reader)
            except OSError:
                self._note(restarts=self.health.restarts + 1)
            failures = failures + 1 if self.health.polls == polls else 1
            if not answers or failures >= MOST_FAILURES:
                self._silent()
                self._stop.wait(RETRY_S)

    def _set_up(self, reader: rc522.Rc522) -> bool:
        """Reset and set up; return False without an answer. Some chips recover only by their reset pin."""
        self._chip.pulse_reset()
        self._stop.wait(WARM_UP_S)  # its oscillator starts
        answers = reader.init()
        self._note(version=reader.version() if answers else None)
        return answers

    def _silent(self) -> None:
        self._is_gone(SILENT)
        self._on_pad = TagsOnPad()  # when it is back, all tags there are reported again

    def _watch_cards(self, reader: rc522.Rc522) -> None:
        """Poll until the chip fails (OSError) or the pad is stopped."""
        quiet = time.monotonic()
        while not self._stop.is_set():
            if not self._tests.empty():
                self._test(reader, *self._tests.get())
            uids, unreadable = self._poll(reader)
            tags = [uid.hex().upper() for uid in uids]
            missed = sum(self._on_pad.misses.get(tag, 0) for tag in tags)  # a lifted one was not missed
            seen = self._on_pad.after(tags, unreadable)
            self._note(polls=self.health.polls + 1, misses=self.health.misses + missed)
            if seen is not None:
                quiet = time.monotonic()
                self._note(lies=seen.tags, changed=quiet)
                self._tell(seen)
            if not self._on_pad.misses and not unreadable and time.monotonic() - quiet >= REST_AFTER_S:
                self._rest(reader)
            self._stop.wait(POLL_S - WARM_UP_S)

    def _rest(self, reader: rc522.Rc522) -> None:
        """Poll less often, in a field that stays on, because the pad has been empty for long."""
        reader.field(True)
        try:
            while not self._stop.is_set() and self._tests.empty():
                time.sleep(REST_S)  # not the event: half the cost, and at rest that is nearly all there is
                if not reader.has_settings():
                    raise rc522.NoChip("the reader has lost its settings")
                if reader.any_answers(rc522.WUPA):
                    return
        finally:
            reader.field(False)

    def _poll(self, reader: rc522.Rc522) -> tuple[list[bytes], bool]:
        """Return all cards on the pad. The field is fresh each time: every card starts anew, in any state."""
        if not reader.has_settings():
            raise rc522.NoChip("the reader has lost its settings")
        reader.field(True)
        self._stop.wait(WARM_UP_S)
        try:
            uids, unreadable = reader.uids()
        finally:
            reader.field(False)
        return uids, unreadable

    def _test(self, reader: rc522.Rc522, polls: int, answer: Future[RangeTest]) -> None:
        hits: Counter[str] = Counter()
        torn = 0
        for _ in range(polls):
            uids, unreadable = self._poll(reader)
            hits.update(uid.hex().upper() for uid in uids)
            torn += unreadable
        if not answer.cancelled():
            answer.set_result(RangeTest("pad", polls, dict(hits), torn))


WRONG_LIBRARY = N_(
    "the library {library} does not work here: run pip uninstall RPi.GPIO, then sudo apt install "
    "python3-rpi-lgpio, or tap the cards on the screen"
)
SILENT = Sentence(
    N_("the card pad does not answer: check its seven wires and its 3.3 V, or tap the cards on the screen")
)


def doubt(version: int) -> Sentence | None:
    """Return a warning about a chip that works but does not identify as an MFRC522; None: it does."""
    name = rc522.VERSIONS.get(version)
    if name not in (None, "counterfeit"):
        return None
    return Sentence(
        N_(
            "the card pad's chip is a copy (version {version}): if cards are missed, "
            "lay them flat on the middle or use another reader"
        ),
        {"version": f"{version:02X}"},
    )


NO_PI = Sentence(N_("this is no Raspberry Pi, which a card pad needs: tap the cards on the screen"))
NO_PINS = N_("the pins may not be used by {user}: run sudo adduser {user} gpio, then log in again")
BUSY = Sentence(N_("another program uses the card pad's reset pin: end it, or tap the cards on the screen"))


def why_not(problem: Exception) -> Sentence:
    """Return why the pad cannot be used, and advice, for a person."""
    if isinstance(problem, gpio_library.WrongLibrary):
        return Sentence(WRONG_LIBRARY, {"library": problem.name})
    if isinstance(problem, ImportError):
        if problem.name == "mfrc522":
            return Sentence(
                N_(
                    "the card pad needs the package mfrc522: run pip install --no-deps mfrc522==0.0.7, "
                    "or tap the cards on the screen"
                )
            )
        if not gpio_library.is_pi():
            return NO_PI
        return Sentence(
            N_(
                "the card pad needs the library {library}: run sudo apt install python3-spidev "
                "python3-lgpio python3-rpi-lgpio, then python -m companion.install.bindings, "
                "or tap the cards on the screen"
            ),
            {"library": problem.name or str(problem)},
        )
    if isinstance(problem, FileNotFoundError):
        return Sentence(
            N_("the card pad is not found: switch SPI on with sudo raspi-config, then start the Pi again")
        )
    if isinstance(problem, PermissionError):
        return Sentence(
            N_("the card pad may not be used by {user}: run sudo adduser {user} spi, then log in again"),
            {"user": getpass.getuser()},
        )
    if any(word in str(problem) for word in ("/dev/mem", "gpiochip")):
        return Sentence(NO_PINS, {"user": getpass.getuser()})
    if gpio_library.is_busy(problem):
        return BUSY
    return Sentence(
        N_(
            "the GPIO library does not know this machine ({problem}): on a Pi 5 use python3-rpi-lgpio "
            "in place of RPi.GPIO, or tap the cards on the screen"
        ),
        {"problem": str(problem)},
    )
