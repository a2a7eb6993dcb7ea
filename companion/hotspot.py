"""The Pi's own Wi-Fi: its name and password, as `companion install --hotspot` stores them."""

from __future__ import annotations

from ipaddress import IPv4Network
from pathlib import Path
from typing import Final

import msgspec

ADDRESS: Final = "10.42.0.1"  # NetworkManager's own choice for a network that it shares
PREFIX: Final = 24
NETWORK: Final = IPv4Network((ADDRESS, PREFIX), strict=False)
KEPT: Final = Path("/etc/race-companion/hotspot.json")
"""Where it is kept, so that the service can read it too: its root's alone are NetworkManager's files."""


class Hotspot(msgspec.Struct, frozen=True):
    """A Wi-Fi's name, and its password for WPA2."""

    name: str
    password: str


def told(text: str) -> Hotspot | None:
    """What is kept, from its text; None if it is nothing of ours.

    >>> told('{"name": "Race companion", "password": "bamusotirolapeda"}').name
    'Race companion'
    >>> told("[]")
    """
    try:
        return msgspec.json.decode(text, type=Hotspot)
    except (msgspec.MsgspecError, UnicodeError):
        return None


def kept(path: Path = KEPT) -> Hotspot | None:
    """The hotspot of this machine; None if it has none."""
    try:
        return told(path.read_text("utf-8"))
    except (OSError, UnicodeError):
        return None
