"""The Pi's own Wi-Fi: its name and password, as `companion install --hotspot` stores them."""

from __future__ import annotations

from ipaddress import IPv4Network
from pathlib import Path
from typing import Final

import msgspec

ADDRESS: Final = "10.42.0.1"  # NetworkManager's own choice for a network that it shares
PREFIX: Final = 24
NETWORK: Final = IPv4Network((ADDRESS, PREFIX), strict=False)
HOTSPOT_FILE: Final = Path("/etc/race-companion/hotspot.json")
"""Its file, which the service can read too: NetworkManager's files are root's alone."""


class Hotspot(msgspec.Struct, frozen=True):
    """A Wi-Fi's name, and its password for WPA2."""

    name: str
    password: str


def parse_hotspot(text: str) -> Hotspot | None:
    """Parse the stored hotspot; return None if the text is not ours.

    >>> parse_hotspot('{"name": "Race companion", "password": "bamusotirolapeda"}').name
    'Race companion'
    >>> parse_hotspot("[]")
    """
    try:
        return msgspec.json.decode(text, type=Hotspot)
    except (msgspec.MsgspecError, UnicodeError):
        return None


def load_hotspot(path: Path = HOTSPOT_FILE) -> Hotspot | None:
    """Return the hotspot of this machine; None if it has none."""
    try:
        return parse_hotspot(path.read_text("utf-8"))
    except (OSError, UnicodeError):
        return None
