"""Common bases of card pads: health, reports to the table when the state changes, and a polling thread."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future
from importlib import metadata
from typing import Any

from companion.devices.health import PadFault, PadHealth, RangeTest
from companion.devices.readings import PartIs, PartState, Tell
from companion.message import Sentence


class Standing:
    """The state of a pad. `health` is read by any thread, and changed by the pad's own."""

    def __init__(self, health: PadHealth) -> None:
        self.health = health
        self._tell: Tell
        self._state: tuple[PartState, Sentence | None] | None = None

    def _is(self, state: PartState, why: Sentence | None = None, fault: PadFault | None = None) -> None:
        self._note(state=state, why=why, fault=fault)
        if (state, why) != self._state:
            self._state = state, why
            self._tell(PartIs("pad", state, why))

    def _is_gone(self, why: Sentence, fault: PadFault | None = None) -> None:
        """Report the pad as lost if it worked before, otherwise as never found."""
        been_there = self._state is not None and self._state[0] != "tap"
        self._is("lost" if been_there else "tap", why, fault)

    def _note(self, **more: Any) -> None:
        self.health = self.health._replace(**more)


class PolledPad(Standing):
    """A pad that a background thread polls until `stop`; that thread runs range tests too."""

    def __init__(self, health: PadHealth) -> None:
        super().__init__(health)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._tests: queue.SimpleQueue[tuple[int, Future[RangeTest]]] = queue.SimpleQueue()

    def stop(self) -> None:
        """Stop polling, and wait for the end of the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _start_thread(self) -> None:
        self._thread = threading.Thread(target=self._watch, name="pad", daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        """Poll until `_stop` is set; runs in the thread."""
        raise NotImplementedError

    def _have_tested(self, polls: int, seconds: float, silent: Sentence) -> RangeTest:
        """Have the thread poll `polls` times; raise TimeoutError with this text after so many seconds."""
        answer: Future[RangeTest] = Future()
        self._tests.put((polls, answer))
        try:
            return answer.result(timeout=seconds)
        except TimeoutError:
            answer.cancel()
            raise TimeoutError(silent) from None


def with_version(package: str) -> str:
    """Return a package with its version, `evdev 1.6.1`; without one where Python does not know it."""
    try:
        return f"{package} {metadata.version(package)}"
    except metadata.PackageNotFoundError:
        return package
