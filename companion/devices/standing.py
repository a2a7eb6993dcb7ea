"""Common base of all card pads: their health figures, and reports to the table when their state changes."""

from __future__ import annotations

from importlib import metadata
from typing import Any

from companion.devices.health import PadFault, PadHealth
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


def with_version(package: str) -> str:
    """Return a package with its version, `evdev 1.6.1`; without one where Python does not know it."""
    try:
        return f"{package} {metadata.version(package)}"
    except metadata.PackageNotFoundError:
        return package
