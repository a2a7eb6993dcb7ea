"""Whether a table is served by https too: the files of its authority, and the port."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FOLDER: Final = "https"
AUTHORITY, AUTHORITY_KEY = "authority.crt", "authority.key"
CERTIFICATE, KEY = "table.crt", "table.key"


def port_of(port: int) -> int:
    """Return the port of https for this one of http: 443 for 80, else 443 more, such as 8443 for 8000.

    >>> port_of(80), port_of(8000)
    (443, 8443)
    """
    return 443 if port == 80 else (port + 443 if port + 443 < 65536 else port - 443)


def is_on(data: Path) -> bool:
    """Return True if the table of this directory is served by https too."""
    return (data / FOLDER / AUTHORITY_KEY).exists()


def authority_of(data: Path) -> bytes | None:
    """Return the authority's certificate, which a device has to trust, as PEM; None where https is off."""
    return (data / FOLDER / AUTHORITY).read_bytes() if is_on(data) else None


def remove(data: Path) -> None:
    """Delete the authority and the certificate: https is off from the next start on."""
    for name in (AUTHORITY_KEY, AUTHORITY, KEY, CERTIFICATE):
        (data / FOLDER / name).unlink(missing_ok=True)
