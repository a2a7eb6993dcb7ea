"""Why a reader on USB cannot be had: what its drivers raise to themselves."""

from __future__ import annotations

from collections.abc import Iterable

from companion.devices.health import PadFault


class NoReader(Exception):
    """No reader can be had here, for this reason; `found` are those that there are instead."""

    def __init__(self, fault: PadFault, found: Iterable[str] = ()) -> None:
        super().__init__(fault)
        self.fault, self.found = fault, tuple(found)
