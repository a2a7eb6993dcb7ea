"""Where a request comes from: this machine, or which network."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address
from typing import Final

PASSED_ON: Final = "unknown"
"""The address of whoever asks through a program that is not known to say so truly; as RFC 7239 calls it."""


def is_passing_on(name: str) -> bool:
    """Whether a header of this name, in small letters, is one that programs add that pass requests on."""
    return name in ("forwarded", "via", "x-real-ip") or name.startswith("x-forwarded-")


def client(address: str, headers: Iterable[str]) -> str:
    """Who asks from this address with headers of these names, in small letters.

    What this machine passes on may come from anywhere: who asks is then nobody in particular, unless
    companion.toml names the program that passes it on (proxy.py, which takes these headers away).

    >>> client("127.0.0.1", ["host"]), client("127.0.0.1", ["host", "via"]), client("192.168.1.5", ["via"])
    ('127.0.0.1', 'unknown', '192.168.1.5')
    """
    is_here = is_this_machine(address)
    return PASSED_ON if is_here and any(is_passing_on(name) for name in headers) else address


def plain(address: str) -> str:
    """The address as it is written usually, IPv4 as itself; what is none stays as it is.

    >>> plain("::ffff:127.0.0.1"), plain("0:0:0:0:0:0:0:1"), plain("")
    ('127.0.0.1', '::1', '')
    """
    return str(_parsed(address) or address)


def is_this_machine(address: str) -> bool:
    """Whether this is an address of this machine itself: its own screen, or what serves others on it.

    >>> is_this_machine("127.0.0.1"), is_this_machine("::ffff:127.0.0.1"), is_this_machine("192.168.1.5")
    (True, True, False)
    """
    parsed = _parsed(address)
    return parsed is not None and parsed.is_loopback


def network(address: str) -> str:
    """What one device can have addresses from: of IPv6 the first half, since it makes up the rest itself.

    >>> network("2001:db8:1:2:aaaa:bbbb:cccc:dddd"), network("::ffff:192.168.1.5"), network("fe80::1%eth0")
    ('2001:db8:1:2::/64', '192.168.1.5', 'fe80::/64')
    """
    parsed = _parsed(address)
    if isinstance(parsed, IPv6Address):
        return str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))
    return address if parsed is None else str(parsed)


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """None for what is no address; IPv4 as itself on a socket that takes both."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    return (isinstance(parsed, IPv6Address) and parsed.ipv4_mapped) or parsed
