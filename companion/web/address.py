"""Where a request comes from: this machine, or which network."""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv6Address


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
