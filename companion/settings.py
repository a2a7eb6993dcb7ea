"""`companion.toml`: the machine at this table, read once, checked and frozen."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

from companion.errors import InvalidInput
from companion.pins import PI_PINS

TrackKind = Literal["tag", "present", "none"]
TRACK_KINDS = get_args(TrackKind)
_MOST_POWER = 63  # CWGsPReg has six bits
_LAST_PIN = 27  # the highest GPIO on the Pi's header


class SettingsError(InvalidInput):
    """The settings say something that cannot be meant; the text names it and what to write instead."""


@dataclass(frozen=True)
class Track:
    """A sensing track: `spaces` readers or switches under the first spaces of the loop or course.

    `power` is the readers' transmit power, 0 to 63, one for all or one each; None: as the chip has it after a
    reset (32). `antennas`: how many may be on at once, 2 or, as a safe mode, 1.
    """

    kind: TrackKind = "none"
    spaces: int = 22
    port: str | None = None
    power: int | tuple[int, ...] | None = None
    antennas: int = 2

    @property
    def powers(self) -> tuple[int, ...]:
        """The transmit power of each reader; () if none is said."""
        if isinstance(self.power, int):
            return (self.power,) * self.spaces
        return self.power or ()


@dataclass(frozen=True)
class Settings:
    """What this table has. The default is a table without any hardware: every tier plays every game."""

    pad: bool = False
    panel: bool = False
    track: Track = Track()
    spi_bus: int = 0
    spi_device: int = 0
    hosts: tuple[str, ...] = ()
    pins: dict[str, int] = field(default_factory=lambda: dict(PI_PINS))


MOCK = Settings(pad=True, panel=True, track=Track("tag"))


def _known(table: dict[str, Any], known: set[str], where: str) -> None:
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"; do you mean {near[0]!r}?" if near else f"; known are {', '.join(sorted(known))}"
            raise SettingsError(f"{where}: unknown key {key!r}{hint}")


_TYPES = {bool: "true or false", int: "a whole number", str: "text"}


def _typed(table: dict[str, Any], key: str, default: Any, kinds: type | tuple[type, ...], where: str) -> Any:
    value = table.get(key, default)
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    if key in table and type(value) not in wanted:
        names = " or ".join(_TYPES[kind] for kind in wanted)
        raise SettingsError(f"{where}: {key} must be {names}, not {value!r}")
    return value


def read(text: str, default: Settings, where: str = "companion.toml") -> Settings:
    """The settings in `text` (TOML) over `default`; raises SettingsError.

    >>> read('pad = true', Settings()).pad
    True
    >>> read('[track]\\nspcaes = 12', Settings())
    Traceback (most recent call last):
    companion.settings.SettingsError: companion.toml: [track]: unknown key 'spcaes'; do you mean 'spaces'?
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{where}: {error}") from None
    _known(table, {f.name for f in fields(Settings)}, where)
    track = table.get("track", {})
    if not isinstance(track, dict):
        raise SettingsError(f"{where}: [track] must be a table with kind, spaces and port")
    _known(track, {f.name for f in fields(Track)}, f"{where}: [track]")
    kind = _typed(track, "kind", default.track.kind, str, f"{where}: [track]")
    if kind not in TRACK_KINDS:
        raise SettingsError(f"{where}: [track]: kind must be one of {', '.join(TRACK_KINDS)}, not {kind!r}")
    spaces = _typed(track, "spaces", default.track.spaces, int, f"{where}: [track]")
    if not 1 <= spaces <= 40:
        raise SettingsError(f"{where}: [track]: spaces must be 1 to 40, not {spaces}")
    antennas = _typed(track, "antennas", default.track.antennas, int, f"{where}: [track]")
    if antennas not in (1, 2):
        raise SettingsError(f"{where}: [track]: antennas must be 2 or, as a safe mode, 1, not {antennas}")
    pins = table.get("pins", {})
    if not isinstance(pins, dict):
        raise SettingsError(f"{where}: [pins] must be a table of pin numbers")
    _known(pins, set(PI_PINS), f"{where}: [pins]")
    chosen = default.pins | {k: _typed(pins, k, None, int, f"{where}: [pins]") for k in pins}
    for name, pin in chosen.items():
        if not 0 <= pin <= _LAST_PIN:
            raise SettingsError(f"{where}: [pins]: {name} must be a GPIO from 0 to {_LAST_PIN}, not {pin}")
    twice = {n for n in chosen.values() if list(chosen.values()).count(n) > 1}
    if twice:
        raise SettingsError(f"{where}: [pins]: GPIO {min(twice)} is used twice")
    hosts = table.get("hosts", list(default.hosts))
    if not isinstance(hosts, list) or not all(isinstance(h, str) for h in hosts):
        raise SettingsError(f"{where}: hosts must be a list of names")
    return Settings(
        pad=_typed(table, "pad", default.pad, bool, where),
        panel=_typed(table, "panel", default.panel, bool, where),
        track=Track(
            kind,
            spaces,
            _typed(track, "port", default.track.port, str, f"{where}: [track]"),
            _power(track, spaces, default.track.power, f"{where}: [track]"),
            antennas,
        ),
        spi_bus=_typed(table, "spi_bus", default.spi_bus, int, where),
        spi_device=_typed(table, "spi_device", default.spi_device, int, where),
        hosts=tuple(hosts),
        pins=chosen,
    )


def _power(
    track: dict[str, Any], spaces: int, default: int | tuple[int, ...] | None, where: str
) -> int | tuple[int, ...] | None:
    """The transmit power of the readers: one for all, or a list with one for each."""
    if "power" not in track:
        return default
    given = track["power"]
    each = given if isinstance(given, list) else [given]
    if not all(type(power) is int and 0 <= power <= _MOST_POWER for power in each):
        raise SettingsError(f"{where}: power must be 0 to {_MOST_POWER}, or a list of such, not {given!r}")
    if isinstance(given, list) and len(given) != spaces:
        raise SettingsError(f"{where}: power names {len(given)} readers, but there are {spaces} spaces")
    return tuple(given) if isinstance(given, list) else int(given)


def load(path: Path, default: Settings) -> Settings:
    """The settings in the file at `path`, or `default` where there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return default
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: is not UTF-8 text: {error}") from None
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror or error}") from None
    return read(text, default, str(path))
