"""The installed GPIO library: RPi.GPIO on a Pi 4 and older, rpi-lgpio on a Pi 5. Both are `RPi.GPIO`."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from companion.errors import CompanionError

OLD, NEW = "RPi.GPIO", "rpi-lgpio"
MODEL = Path("/proc/device-tree/model")


class WrongLibrary(CompanionError, ImportError):
    """RPi.GPIO is installed where it cannot work, or both libraries are, one over the other."""


def model(path: Path = MODEL) -> str:
    """Return this machine's model, such as "Raspberry Pi 5 Model B Rev 1.0"; "" where it is unknown."""
    try:
        return path.read_bytes().rstrip(b"\0").decode("utf-8", "replace")
    except OSError:
        return ""


def is_pi() -> bool:
    """Return whether this machine identifies as a Raspberry Pi."""
    return "Raspberry Pi" in model()


def is_busy(problem: Exception) -> bool:
    """Return whether a pin is in use by another program, by the words of lgpio.

    rpi-lgpio reads a pin before it sets it up, so that it says "not allocated" of one that is in use.

    >>> is_busy(RuntimeError("GPIO busy")), is_busy(RuntimeError("GPIO not set as an output"))
    (True, False)
    >>> is_busy(RuntimeError("GPIO not allocated"))
    True
    """
    return any(words in str(problem) for words in ("GPIO busy", "GPIO not allocated"))


def installed() -> dict[str, str]:
    """Return the GPIO libraries that are installed, with their versions."""
    found = {}
    for name in (OLD, NEW):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def chosen(libraries: dict[str, str], machine: str) -> str | None:
    """Return the library that `import RPi.GPIO` gives, by name and version; None if that is unknown.

    Raises WrongLibrary, with advice, for one that cannot work on this machine.

    >>> chosen({"rpi-lgpio": "0.6"}, "Raspberry Pi 5 Model B Rev 1.0")
    'rpi-lgpio 0.6'
    >>> chosen({"RPi.GPIO": "0.7.1"}, "Raspberry Pi 4 Model B Rev 1.1")
    'RPi.GPIO 0.7.1'
    """
    if len(libraries) > 1:
        raise WrongLibrary("both", name=f"{OLD} and {NEW}")
    if OLD in libraries and "Raspberry Pi 5" in machine:
        raise WrongLibrary("old", name=OLD)
    return next((f"{name} {version}" for name, version in libraries.items()), None)
