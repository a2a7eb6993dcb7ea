"""Addresses of this machine in its networks, and the one that is published.

A Pi may start before its Wi-Fi, get another lease, a cable, a hotspot. The kernel is queried by netlink,
which costs a third of a millisecond, so that it can be polled; nothing is sent over the network.
"""

from __future__ import annotations

import fcntl
import ipaddress
import logging
import re
import socket
import struct
from collections.abc import Callable, Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Final, Literal, NamedTuple

log = logging.getLogger(__name__)

Kind = Literal["cable", "wifi", "hotspot", "other"]
LOOPBACK: Final = "127.0.0.1"
_RANK: Final[dict[Kind, int]] = {"hotspot": 0, "cable": 1, "wifi": 1, "other": 9}
_INNER: Final = re.compile(
    r"docker|br-[0-9a-f]{12}$|veth|virbr|vnet|lxc|lxd|cni|flannel|podman|tun|tap|wg|ppp|tailscale|zt|vbox|vmnet"
)
"""Interfaces that lead to programs on this machine or through a tunnel, not to a phone in the room."""


class Address(NamedTuple):
    """An address of this machine. `is_routed`: the default route uses its interface."""

    interface: str
    address: str
    kind: Kind
    is_routed: bool = False


def best(addresses: Iterable[Address]) -> str:
    """Return the address to publish to phones; 127.0.0.1 if no phone can reach this machine.

    The order of preference: a hotspot's address, for its owner wants phones in it; then the network with the
    default route, cable before Wi-Fi; IPv4 before IPv6, since it can be typed; last an address that a machine
    without a router gave itself (169.254…). Link-local IPv6 is left out: browsers do not accept it.

    >>> best([Address("eth0", "192.168.1.5", "cable", True), Address("docker0", "172.17.0.1", "other")])
    '192.168.1.5'
    >>> best([])
    '127.0.0.1'
    """
    return min(filter(_is_reached, addresses), key=_rank, default=Address("lo", LOOPBACK, "other")).address


def url(address: str, port: int, scheme: Literal["http", "https"] = "http") -> str:
    """Return the URL of this port at an address.

    >>> url("192.168.1.5", 80), url("2001:db8::5", 8000), url("companion.local", 443, "https")
    ('http://192.168.1.5', 'http://[2001:db8::5]:8000', 'https://companion.local')
    """
    host = f"[{address}]" if ":" in address else address
    usual = {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{host}" if port == usual else f"{scheme}://{host}:{port}"


def own_address() -> str:
    """Return this machine's address in the house now; 127.0.0.1 if it has no network."""
    return best(addresses())


class Reach:
    """The URL at which other devices reach this port; `refresh` polls it and notifies the listeners."""

    def __init__(self, port: int, ask: Callable[[], str] = own_address) -> None:
        self._port, self._ask = port, ask
        self.listeners: list[Callable[[str], None]] = []
        self.address, self.url = LOOPBACK, url(LOOPBACK, port)
        self.refresh()

    def __call__(self) -> str:
        """Return the URL as of the last poll."""
        return self.url

    def refresh(self) -> bool:
        """Poll the address again; return True if it has changed."""
        try:
            address = self._ask()
        except OSError as error:
            log.warning("the network cannot be asked: %s", error)
            return False
        if address == self.address:
            return False
        self.address, self.url = address, url(address, self._port)
        log.info("other devices reach it at %s", self.url)
        for listener in self.listeners:
            listener(self.url)
        return True


def _is_reached(one: Address) -> bool:
    address = ipaddress.ip_address(one.address)
    is_useless = address.is_loopback or (address.version == 6 and address.is_link_local)
    return one.kind != "other" and not is_useless


def _rank(one: Address) -> tuple[bool, bool, int, bool, bool, str]:
    address = ipaddress.ip_address(one.address)
    is_ipv6 = address.version == 6
    return (
        address.is_link_local,
        is_ipv6,
        _RANK[one.kind],
        not one.is_routed,
        one.kind != "cable",
        one.interface,
    )


# --- netlink ---------------------------------------------------------------------------------------

_GETLINK: Final = 18
_GETADDR: Final = 22
_DUMP: Final = 0x301  # NLM_F_REQUEST | NLM_F_DUMP
_DONE: Final = 3
_ERROR: Final = 2
_IFNAME: Final = 3
_ADDRESS: Final = 1
_LOCAL: Final = 2  # of a point-to-point line the own end
_ETHERNET: Final = 1
_LOWER_UP: Final = 0x10000  # there is a signal on the cable, or a Wi-Fi
_PASSING: Final = 0x01 | 0x08 | 0x20 | 0x40  # temporary, found twice, deprecated, not yet checked
_MODE: Final = 0x8B07  # SIOCGIWMODE
_MASTER: Final = 3


def addresses() -> tuple[Address, ...]:
    """Return the addresses of this machine on interfaces that are up; OSError if the kernel gives none."""
    interfaces = {}
    for body, attributes in _netlink_dump(_GETLINK, struct.calcsize("=BxHiII")):
        _, hardware, index, flags, _ = struct.unpack_from("=BxHiII", body)
        name = attributes[_IFNAME].rstrip(b"\0").decode()
        if flags & _LOWER_UP:
            interfaces[index] = (name, _kind(name, hardware))
    routed, found = _routed(), []
    for body, attributes in _netlink_dump(_GETADDR, struct.calcsize("=BBBBI")):
        _, _, flags, _, index = struct.unpack_from("=BBBBI", body)
        packed = attributes.get(_LOCAL, attributes.get(_ADDRESS, b""))
        name, kind = interfaces.get(index, ("", "other"))
        if name and (len(packed) == 4 or (len(packed) == 16 and not flags & _PASSING)):
            ip = IPv4Address(packed) if len(packed) == 4 else IPv6Address(packed)
            found.append(Address(name, str(ip), kind, name in routed))
    return tuple(found)


def _netlink_dump(what: int, head: int) -> Iterator[tuple[bytes, dict[int, bytes]]]:
    """Query the kernel for all objects of a kind (rtnetlink(7)); yield each one's head and attributes."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as kernel:
        kernel.send(struct.pack("=IHHIIB3x12x", 32, what, _DUMP, 1, 0, socket.AF_UNSPEC))
        while True:
            answer = kernel.recv(1 << 16)
            while answer:
                length, kind = struct.unpack_from("=IH", answer)
                if kind == _DONE:
                    return
                if kind == _ERROR:
                    raise OSError(-struct.unpack_from("=i", answer, 16)[0], "netlink")
                yield answer[16 : 16 + head], _attributes(answer[16 + head : length])
                answer = answer[length + 3 & ~3 :]


def _attributes(text: bytes) -> dict[int, bytes]:
    found = {}
    while len(text) >= 4:
        length, kind = struct.unpack_from("=HH", text)
        found[kind] = text[4:length]
        text = text[max(length, 4) + 3 & ~3 :]
    return found


def _kind(name: str, hardware: int) -> Kind:
    if hardware != _ETHERNET or _INNER.match(name):
        return "other"
    if not Path(f"/sys/class/net/{name}/phy80211").exists():
        return "cable"
    return "hotspot" if _is_master(name) else "wifi"


def _is_master(name: str) -> bool:
    """Return True if this Wi-Fi interface is an access point."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            answer = fcntl.ioctl(probe, _MODE, struct.pack("16sI12x", name.encode(), 0))
        except OSError:
            return False  # a kernel without the old call: then it counts as any Wi-Fi
    mode: int = struct.unpack_from("16xI", answer)[0]
    return mode == _MASTER


def _routed() -> frozenset[str]:
    """Return the interfaces of the default route."""
    try:
        lines = Path("/proc/net/route").read_text().splitlines()[1:]
    except OSError:
        return frozenset()
    routes = (line.split() for line in lines)
    return frozenset(route[0] for route in routes if route[1] == route[7] == "00000000")
