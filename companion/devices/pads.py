"""The card pad that the settings name, of whatever kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.devices.health import PadHealth, RangeTest
from companion.devices.readings import Tell
from companion.settings import Settings


class CardPad(Protocol):
    """What every card pad can do."""

    @property
    def health(self) -> PadHealth:
        """How it is, in figures."""

    def start(self, tell: Tell) -> None:
        """Watch it in a thread of its own and tell what lies on it; never raises."""

    def stop(self) -> None:
        """Stop watching."""

    def range_test(self, polls: int = 50) -> RangeTest:
        """Look so often and count what is seen; TimeoutError says why it cannot."""


def pad_of(machine: Settings) -> CardPad | None:
    """The pad of this machine; None if its cards are tapped."""
    kind = machine.pad_kind
    return None if kind is None else _KINDS[kind](machine)


def _spi(machine: Settings) -> CardPad:
    from companion.devices.pad import Pad

    return Pad(machine.spi_bus, machine.spi_device, machine.pins["pad_reset"])


def _usb(machine: Settings) -> CardPad:
    from companion.devices.usb import UsbPad

    return UsbPad(machine.usb_reader, machine.usb_format)


def _pcsc(machine: Settings) -> CardPad:
    from companion.devices.pcsc import PcscPad

    return PcscPad(machine.usb_reader)


_KINDS: dict[str, Callable[[Settings], CardPad]] = {"spi": _spi, "usb": _usb, "pcsc": _pcsc}
