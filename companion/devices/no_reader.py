"""The internal error of drivers for readers on USB that are not available."""

from __future__ import annotations

from collections.abc import Iterable

from companion.devices.health import PadFault


class NoReader(Exception):
    """No reader is available here, for this reason; `found` are other readers that are."""

    def __init__(self, fault: PadFault, found: Iterable[str] = ()) -> None:
        super().__init__(fault)
        self.fault, self.found = fault, tuple(found)
