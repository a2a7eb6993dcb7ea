"""The card pad that the settings name, of whatever kind: one of our own, or a plug-in's."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from typing import Any, Final, Protocol

from companion import plugins
from companion.devices.health import PadHealth, RangeTest
from companion.devices.readings import Tell
from companion.devices.standing import Standing
from companion.errors import validation_error
from companion.message import N_, Sentence
from companion.settings import PAD_KINDS, Settings

log = logging.getLogger(__name__)


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


MakesPad = Callable[[Settings], CardPad]
"""What a plug-in brings for a reader: given the settings, it makes one that is started later."""


@cache
def plugged() -> tuple[plugins.Plugin[MakesPad], ...]:
    """The plug-ins that bring readers, and those that were to."""
    return plugins.loaded("companion.readers", _reader, PAD_KINDS)


def pad_of(machine: Settings) -> CardPad | None:
    """The pad of this machine; None if its cards are tapped."""
    kind = machine.pad_kind
    if kind is None:
        return None
    return _KINDS[kind](machine) if kind in _KINDS else _plugged_pad(kind, machine)


def _plugged_pad(kind: str, machine: Settings) -> CardPad:
    """A plug-in's pad; where it cannot be had, one that says why, and cards are tapped."""
    makes = plugins.brought(plugged()).get(kind)
    if makes is None:
        whys = (plugin.why for plugin in plugged() if plugin.name == kind)
        return _NoPad(kind, next(filter(None, whys), Sentence(_GONE)))
    try:
        return _Guarded(kind, makes(machine))
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        return _NoPad(kind, plugins.wrong(problem))


class _NoPad(Standing):
    """A plug-in's reader that cannot be had, and why."""

    def __init__(self, kind: str, why: Sentence) -> None:
        super().__init__(PadHealth(kind="other", device=kind))
        self._why = Sentence(_NOT_HAD, {"reader": kind, "then_why": why})

    def start(self, tell: Tell) -> None:
        """Say why."""
        self._tell = tell
        self._is_gone(self._why)

    def stop(self) -> None:
        """There is nothing to stop."""

    def range_test(self, polls: int = 50) -> RangeTest:
        """Raises TimeoutError: there is nobody to ask."""
        raise TimeoutError(self._why)


class _Guarded:
    """A plug-in's reader, of which a mistake is said and stops nothing."""

    def __init__(self, kind: str, pad: CardPad) -> None:
        self._kind, self._pad = kind, pad
        self._instead: _NoPad | None = None  # once it has broken

    @property
    def health(self) -> PadHealth:
        """How it is, in figures; what it does not say of itself is said for it."""
        if self._instead is not None:
            return self._instead.health
        try:
            health = self._pad.health._replace(kind="other")
            return health if health.device else health._replace(device=self._kind)
        except Exception as problem:
            log.warning("the reader %s does not say how it is: %s", self._kind, plugins.wrong(problem))
            return PadHealth(kind="other", device=self._kind)

    def start(self, tell: Tell) -> None:
        """Have it watch, or say why it does not."""
        try:
            self._pad.start(tell)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            self._instead = _NoPad(self._kind, plugins.wrong(problem))
            self._instead.start(tell)

    def stop(self) -> None:
        """Have it stop; what it does wrong then holds nothing up."""
        try:
            self._pad.stop()
        except Exception as problem:
            log.warning("the reader %s does not stop: %s", self._kind, plugins.wrong(problem))

    def range_test(self, polls: int = 50) -> RangeTest:
        """Its test; TimeoutError says why it has none."""
        try:
            return self._pad.range_test(polls)
        except TimeoutError:
            raise
        except Exception as problem:
            raise TimeoutError(plugins.wrong(problem)) from None


def _reader(name: str, found: Any) -> dict[str, MakesPad]:
    """What a plug-in calls a reader, if it may be one; ValidationError if not."""
    if not callable(found):
        raise validation_error(_NO_READER, text=repr(found)[:60])
    return {name: found}


def _spi(machine: Settings) -> CardPad:
    from companion.devices.pad import Pad

    return Pad(machine.spi_bus, machine.spi_device, machine.pins["pad_reset"])


def _usb(machine: Settings) -> CardPad:
    from companion.devices.usb import UsbPad

    return UsbPad(machine.usb_reader, machine.usb_format)


def _pcsc(machine: Settings) -> CardPad:
    from companion.devices.pcsc import PcscPad

    return PcscPad(machine.usb_reader)


_KINDS: dict[str, MakesPad] = {"spi": _spi, "usb": _usb, "pcsc": _pcsc}

_NO_READER: Final = N_("{text} is no reader: a function is wanted that is given the settings and makes one")
_GONE: Final = N_("no package that is installed brings it")
_NOT_HAD: Final = N_("the reader {reader} cannot be used, so tap the cards on the screen: {then_why}")
