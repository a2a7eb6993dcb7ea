"""The card pad that the settings name, of any kind: one of our own, or a plug-in's."""

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
    """The interface of every card pad."""

    @property
    def health(self) -> PadHealth:
        """Its health figures."""

    def start(self, tell: Tell) -> None:
        """Poll it in a background thread and report the tags on it; never raise."""

    def stop(self) -> None:
        """Stop polling."""

    def range_test(self, polls: int = 50) -> RangeTest:
        """Poll `polls` times and count the tags seen; TimeoutError says why it cannot."""


MakesPad = Callable[[Settings], CardPad]
"""A plug-in's factory of readers: given the settings, it makes one that is started later."""


@cache
def plugged() -> tuple[plugins.Plugin[MakesPad], ...]:
    """Return the plug-ins that add readers, including those that failed to load."""
    return plugins.loaded("companion.readers", _reader, PAD_KINDS)


def pad_of(machine: Settings) -> CardPad | None:
    """Return the pad of this machine; None if its cards are tapped."""
    kind = machine.pad_kind
    if kind is None:
        return None
    return _KINDS[kind](machine) if kind in _KINDS else _plugged_pad(kind, machine)


def _plugged_pad(kind: str, machine: Settings) -> CardPad:
    """Return a plug-in's pad; if it is not available, one that reports why, and cards are tapped."""
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
    """A plug-in's reader that is not available, and the reason."""

    def __init__(self, kind: str, why: Sentence) -> None:
        super().__init__(PadHealth(kind="other", device=kind))
        self._why = Sentence(_NOT_HAD, {"reader": kind, "then_why": why})

    def start(self, tell: Tell) -> None:
        """Report the reason."""
        self._tell = tell
        self._is_gone(self._why)

    def stop(self) -> None:
        """Do nothing."""

    def range_test(self, polls: int = 50) -> RangeTest:
        """Raise TimeoutError: there is no reader."""
        raise TimeoutError(self._why)


class _Guarded:
    """A plug-in's reader whose errors are reported and stop nothing."""

    def __init__(self, kind: str, pad: CardPad) -> None:
        self._kind, self._pad = kind, pad
        self._instead: _NoPad | None = None  # once it has broken

    @property
    def health(self) -> PadHealth:
        """Its health figures; those that it does not report are filled in."""
        if self._instead is not None:
            return self._instead.health
        try:
            health = self._pad.health._replace(kind="other")
            return health if health.device else health._replace(device=self._kind)
        except Exception as problem:
            log.warning("the reader %s does not say how it is: %s", self._kind, plugins.wrong(problem))
            return PadHealth(kind="other", device=self._kind)

    def start(self, tell: Tell) -> None:
        """Start it, or report why it does not start."""
        try:
            self._pad.start(tell)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            self._instead = _NoPad(self._kind, plugins.wrong(problem))
            self._instead.start(tell)

    def stop(self) -> None:
        """Stop it; its errors then hold nothing up."""
        try:
            self._pad.stop()
        except Exception as problem:
            log.warning("the reader %s does not stop: %s", self._kind, plugins.wrong(problem))

    def range_test(self, polls: int = 50) -> RangeTest:
        """Run its test; TimeoutError says why it has none."""
        try:
            return self._pad.range_test(polls)
        except TimeoutError:
            raise
        except Exception as problem:
            raise TimeoutError(plugins.wrong(problem)) from None


def _reader(name: str, loaded: Any) -> dict[str, MakesPad]:
    """Return a plug-in's object as a reader; ValidationError if it cannot be one."""
    if not callable(loaded):
        raise validation_error(_NO_READER, text=repr(loaded)[:60])
    return {name: loaded}


def _spi(machine: Settings) -> CardPad:
    from companion.devices.pad import Pad

    return Pad(machine.spi_bus, machine.spi_device, machine.pins["pad_reset"])


def _usb(machine: Settings) -> CardPad:
    from companion.devices.usb import UsbPad

    return UsbPad(machine.usb_reader, machine.usb_format, machine.usb_repeat)


def _pcsc(machine: Settings) -> CardPad:
    from companion.devices.pcsc import PcscPad

    return PcscPad(machine.usb_reader)


_KINDS: dict[str, MakesPad] = {"spi": _spi, "usb": _usb, "pcsc": _pcsc}

_NO_READER: Final = N_("{text} is no reader: a function is wanted that is given the settings and makes one")
_GONE: Final = N_("no package that is installed brings it")
_NOT_HAD: Final = N_("the reader {reader} cannot be used, so tap the cards on the screen: {then_why}")
