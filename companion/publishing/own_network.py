"""Addresses that a webhook may call: those of the own network, or any host's if the settings allow it.

Python's `is_private` is no such rule: it is true for ranges that no device of a house has, such as 0.0.0.0/8,
the documentation's, and 169.254/16, where a machine in a data centre gets its credentials.
"""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv6Address
from typing import Final

_OWN: Final = tuple(
    ipaddress.ip_network(text)
    for text in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7")
)
"""This machine, and the ranges that routers of a house give out (RFC 1918, RFC 4193)."""
_SHARED: Final = ipaddress.ip_network("100.64.0.0/10")
"""Addresses between a provider and its customers, also of Tailscale (RFC 6598)."""
_TRANSLATED: Final = ipaddress.ip_network("64:ff9b::/96")
"""IPv4 addresses as a network that has only IPv6 writes them (RFC 6052)."""
_NO_DEVICE: Final = tuple(ipaddress.ip_network(text) for text in ("3fff::/20", "fec0::/10"))
"""Ranges that Python takes for public: the documentation's of RFC 9637, and the abolished ones of a site."""


def is_own_network(address: str) -> bool:
    """Return True for an address of this machine or of the own network; ValueError for other text.

    A link-local address is none: without its interface it leads nowhere.

    >>> is_own_network("192.168.1.20"), is_own_network("::ffff:10.0.0.1"), is_own_network("169.254.169.254")
    (True, True, False)
    """
    ip = _parsed(address)
    return any(ip in network for network in _OWN)


def is_any_host(address: str) -> bool:
    """Return True for an address that a host can have, here or on the internet; ValueError for other text.

    >>> is_any_host("8.8.8.8"), is_any_host("255.255.255.255"), is_any_host("0.0.0.0"), is_any_host("ff02::1")
    (True, False, False, False)
    """
    ip = _parsed(address)
    if isinstance(ip, IPv6Address) and ip in _TRANSLATED:
        ip = IPv4Address(int(ip) & 0xFFFFFFFF)
    is_public = (
        ip.is_global
        and not ip.is_multicast
        and not ip.is_reserved
        and not any(ip in network for network in _NO_DEVICE)
    )
    return is_public or ip in _SHARED or is_own_network(str(ip))


def _parsed(address: str) -> IPv4Address | IPv6Address:
    """Return the address without its interface, mapped IPv4 as IPv4."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    return (isinstance(ip, IPv6Address) and ip.ipv4_mapped) or ip
