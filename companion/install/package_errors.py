"""What apt and pip say when they fail, in one sentence for the owner; their own text goes into a log file."""

from __future__ import annotations

import re
from typing import Final

LOG: Final = "/var/log/race-companion-install.log"

_REASONS: Final = (
    (
        r"No space left on device|not enough free space",
        "the card is full: make room, or use a larger one, then type the same command again",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED|certificate is not yet valid|is not valid yet",
        "the other side cannot be trusted, often because the clock of this machine is wrong: "
        "connect it to a network, wait a minute, then type the same command again",
    ),
    (
        r"Temporary failure (in name resolution|resolving)|Name or service not known|Network is unreachable"
        r"|Failed to establish a new connection|Could not connect to|Connection timed out|No route to host"
        r"|Could not resolve|Connection refused|Read timed out",
        "there is no way into the internet: connect this machine by cable or Wi-Fi, "
        "then type the same command again",
    ),
    (
        r"Could not get lock|is another process using it",
        "another program is installing something: wait some minutes, then type the same command again",
    ),
    (
        r"dpkg was interrupted",
        "an earlier installation was cut off: type sudo dpkg --configure -a, then the same command again",
    ),
    (
        r"(?:Unable to locate package|Couldn't find any package by regex|E: Package) '?(?P<name>[\w.+-]+)",
        "this system does not know the package {name}: is it Raspberry Pi OS or Debian, version 12 or newer?",
    ),
    (
        r"requires a different Python: (?P<name>[\d.]+)",
        "this machine has Python {name}, which is too old: write the newest Raspberry Pi OS onto the card",
    ),
    (
        r"(?:Could not find a version that satisfies the requirement|No matching distribution found for) "
        r"(?P<name>[\w.-]+)",
        "the package {name} is missing: use a release made for this machine, or connect it to the internet, "
        "then type the same command again",
    ),
    (
        r"Failed (?:to build|building wheel for) '?(?P<name>[\w.-]+)",
        "the package {name} could not be built: use a release made for this machine, "
        "which needs nothing to be built",
    ),
)


def reason(output: str) -> str | None:
    """Return in one sentence what is missing and what to do; None if the text of apt or pip is not known.

    >>> reason("E: Unable to locate package avahi-daemon")[:54]
    'this system does not know the package avahi-daemon: is'
    >>> reason("something else")
    """
    for pattern, sentence in _REASONS:
        if found := re.search(pattern, output):
            return sentence.format(**found.groupdict())
    return None
