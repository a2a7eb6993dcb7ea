"""The origin of a request: this machine, or a network."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address
from typing import Final

UNKNOWN_CLIENT: Final = "unknown"
"""The address of a client behind a program that is not a trusted proxy; RFC 7239's word for it."""


def is_forwarding_header(name: str) -> bool:
    """Return True if programs that forward requests add a header of this name (in small letters)."""
    return name in ("forwarded", "via", "x-real-ip") or name.startswith("x-forwarded-")


def client(address: str, headers: Iterable[str]) -> str:
    """Return the client's address, given the peer's address and the names of its headers in small letters.

    A request that a program on this machine forwards may come from anywhere: its client is `UNKNOWN_CLIENT`
    unless companion.toml names that program as a proxy (proxy.py, which removes these headers).

    >>> client("127.0.0.1", ["host"]), client("127.0.0.1", ["host", "via"]), client("192.168.1.5", ["via"])
    ('127.0.0.1', 'unknown', '192.168.1.5')
    """
    is_here = is_this_machine(address)
    return UNKNOWN_CLIENT if is_here and any(is_forwarding_header(name) for name in headers) else address


def plain(address: str) -> str:
    """Return the address in its usual notation, mapped IPv4 as IPv4; other text is returned unchanged.

    >>> plain("::ffff:127.0.0.1"), plain("0:0:0:0:0:0:0:1"), plain("")
    ('127.0.0.1', '::1', '')
    """
    return str(_parsed(address) or address)


def is_this_machine(address: str) -> bool:
    """Return True for an address of this machine: its own screen, or a program on it that serves others.

    >>> is_this_machine("127.0.0.1"), is_this_machine("::ffff:127.0.0.1"), is_this_machine("192.168.1.5")
    (True, True, False)
    """
    parsed = _parsed(address)
    return parsed is not None and parsed.is_loopback


def network(address: str) -> str:
    """Return the range from which one device can choose addresses: for IPv6 the /64, else the address itself.

    >>> network("2001:db8:1:2:aaaa:bbbb:cccc:dddd"), network("::ffff:192.168.1.5"), network("fe80::1%eth0")
    ('2001:db8:1:2::/64', '192.168.1.5', 'fe80::/64')
    """
    parsed = _parsed(address)
    if isinstance(parsed, IPv6Address):
        return str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))
    return address if parsed is None else str(parsed)


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """Return the parsed address, mapped IPv4 as IPv4; None if the text is no address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    return (isinstance(parsed, IPv6Address) and parsed.ipv4_mapped) or parsed
