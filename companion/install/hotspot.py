"""A Wi-Fi access point on the Pi, for places without one: the table and nothing else, by NetworkManager.

The number of phones depends on the Wi-Fi chip's firmware. Others report 4 to 10 on a Pi 3B+ and 4 with the
firmware of Raspberry Pi OS, up to 19 with another firmware that comes with it (raspberrypi/linux#3010,
raspberrypi/documentation#2520, iiab/iiab#823, home-assistant/operating-system#3502). It was not tried here.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from companion.errors import InvalidInput
from companion.hotspot import ADDRESS, HOTSPOT_FILE, PREFIX, Hotspot, parse_hotspot
from companion.install.machine import InstallError, Machine
from companion.install.program import NAME
from companion.install.steps import File, Packages, Step

FILE: Final = str(HOTSPOT_FILE)
NOTED: Final = f"/etc/{NAME}/packages-hotspot"
CONNECTION: Final = f"/etc/NetworkManager/system-connections/{NAME}.nmconnection"
NAMES: Final = f"/etc/NetworkManager/dnsmasq-shared.d/{NAME}.conf"
UUID: Final = "6d0c7a5e-3f0b-5c43-9a51-3d6c2f8be0a1"
DEFAULT_NAME: Final = "Race companion"
FEW: Final = (
    "a Pi's own Wi-Fi holds few phones: others report 4 to 10 on a Pi 3B+ or 4, and nobody tried it here;"
    " for more use a router"
)
_NAME_BYTES: Final = 32  # of an SSID, by IEEE 802.11
_SYLLABLES: Final = tuple(consonant + vowel for consonant in "bdfghkmnprstvwz" for vowel in "aeiou")

DNSMASQ: Final = f"""\
# made by `companion install --hotspot`: in its Wi-Fi every name leads to the table, so that a phone that
# looks for the internet finds the table's page
address=/#/{ADDRESS}
"""


def new_password() -> str:
    """Return a password that can be read out: eight syllables, 50 bits.

    >>> len(new_password())
    16
    """
    return "".join(secrets.choice(_SYLLABLES) for _ in range(8))


def checked(name: str, password: str) -> Hotspot:
    """Return the hotspot with these; InvalidInput names the rule of Wi-Fi that they break."""
    if not 1 <= len(name.encode()) <= _NAME_BYTES:
        raise InvalidInput(
            f"the name of a Wi-Fi has 1 to {_NAME_BYTES} bytes, an accent or emoji more than one"
        )
    if not name.isprintable() or name != name.strip():
        raise InvalidInput("the name of a Wi-Fi has letters that can be seen, at both ends too")
    if not 8 <= len(password) <= 63:
        raise InvalidInput(f"the password of a Wi-Fi has 8 to 63 letters, not {len(password)}")
    if not (password.isascii() and password.isprintable()) or password != password.strip():
        raise InvalidInput(
            "the password of a Wi-Fi has plain letters, digits and signs only, as English has them"
        )
    return Hotspot(name, password)


def remembered(machine: Machine) -> Hotspot | None:
    """Return the hotspot that was requested before."""
    text = machine.text(FILE)
    return None if text is None else parse_hotspot(text)


def requested(machine: Machine, name: str | None, password: str | None) -> Hotspot:
    """Return the requested hotspot; omitted values stay as they were. Raises InvalidInput."""
    before = remembered(machine)
    name = name if name is not None else before.name if before else DEFAULT_NAME
    password = password if password is not None else before.password if before else new_password()
    return checked(name, password)


def check(machine: Machine) -> None:
    """Raise InstallError with advice where no hotspot is possible."""
    try:
        running = machine.run("nmcli", "-t", "-f", "RUNNING", "general").strip() == "running"
    except InstallError:
        running = False
    if not running:
        raise InstallError(
            "a hotspot needs NetworkManager, which does not run here. Raspberry Pi OS 12 and newer have it;"
            " on an older one: sudo raspi-config, Advanced Options, Network Config, NetworkManager, then this"
            " again"
        )


def doubts(machine: Machine) -> Iterator[str]:
    """Yield possible reasons why a hotspot may be invisible, with advice."""
    yield FEW
    devices = machine.run("nmcli", "-t", "-f", "TYPE", "device").split()
    if "wifi" not in devices:
        yield "no Wi-Fi is found in this machine now: the hotspot begins when there is one"
    elif is_blocked(machine):
        yield f"the Wi-Fi is switched off: {_UNBLOCK}"
    elif (country := _country(machine)) in ("00", "99"):
        yield f"the Wi-Fi does not know its country, without which it may stay silent: {_UNBLOCK}"
    elif country is None:
        yield f"nobody can tell whether the Wi-Fi knows its country; if no phone sees it: {_UNBLOCK}"


_UNBLOCK: Final = "sudo raspi-config nonint do_wifi_country DE (or your country's two letters), then restart"


def is_blocked(machine: Machine) -> bool:
    """Return True if a Wi-Fi is switched off by the kernel (rfkill), as on a Pi without a country setting."""
    switches = (f"/sys/class/rfkill/{path.name}" for path in machine.at("/sys/class/rfkill").glob("*"))
    return any(
        _stripped(machine, f"{switch}/type") == "wlan"
        and "1" in (_stripped(machine, f"{switch}/soft"), _stripped(machine, f"{switch}/hard"))
        for switch in switches
    )


def _stripped(machine: Machine, path: str) -> str:
    return (machine.text(path) or "").strip()


def _country(machine: Machine) -> str | None:
    """Return the two letters of the country whose rules the Wi-Fi obeys; 00, 99: of none. None: unknown."""
    try:
        found = re.search(r"^country (\w\w):", machine.run("iw", "reg", "get"), re.MULTILINE)
    except InstallError:
        return None
    return found[1] if found else None


def keyfile(hotspot: Hotspot) -> str:
    """Return the connection as NetworkManager stores it (nm-settings-keyfile(5)).

    Any known Wi-Fi goes first. `pmf=1` switches protected management frames off: with them, others report, no
    phone can join the Pi's chip (raspberrypi/linux#3619). That on Raspberry Pi OS 13 it does not start
    (#7247) may have the same cause. Without a channel NetworkManager takes one by itself, also 12 to 14,
    on which a Wi-Fi that does not know its country may not begin.
    """
    password = hotspot.password.replace("\\", "\\\\")
    return f"""\
# made by `companion install --hotspot`
[connection]
id={NAME}
uuid={UUID}
type=wifi
autoconnect-priority=-100

[wifi]
mode=ap
band=bg
channel={channel(hotspot.name)}
# {hotspot.name}
ssid={_bytes(hotspot.name)}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn;
pairwise=ccmp;
group=ccmp;
pmf=1
psk={password}

[ipv4]
method=shared
address1={ADDRESS}/{PREFIX}

[ipv6]
method=disabled
"""


def channel(name: str) -> int:
    """Return the channel for a Wi-Fi of this name: one of the three that every country allows, far apart.

    >>> channel("Race companion")
    6
    """
    return (1, 6, 11)[sum(name.encode()) % 3]


def _bytes(name: str) -> str:
    """Return a name as a list of bytes: as text NetworkManager 1.52 rejects the semicolons of 1.42."""
    return "".join(f"{byte};" for byte in name.encode())


class Connection(NamedTuple):
    """The Wi-Fi as a connection of NetworkManager: it starts when no other Wi-Fi is in reach.

    An active connection is restarted when it has changed, and stopped when it is removed.
    """

    hotspot: Hotspot

    @property
    def what(self) -> str:
        name, password = self.hotspot.name, self.hotspot.password
        return f"make a Wi-Fi of its own, “{name}”, password {password}, where no known one is in reach"

    @property
    def undone(self) -> str:
        return f"end its Wi-Fi “{self.hotspot.name}”"

    @property
    def _file(self) -> File:
        return File(CONNECTION, keyfile(self.hotspot), "", 0o600)

    def done(self, machine: Machine) -> bool:
        path = machine.at(CONNECTION)
        if path.exists() and not os.access(path, os.R_OK):
            return True  # --dry-run without root: a user who may not read it cannot change it either
        return self._file.done(machine)

    def do(self, machine: Machine) -> None:
        self._file.do(machine)
        try:
            machine.run("nmcli", "connection", "load", str(machine.at(CONNECTION)))
            machine.run("nmcli", "connection", "show", UUID)  # load does not report an invalid file
        except InstallError:
            machine.at(CONNECTION).unlink()  # or the next time it would count as done
            raise
        if UUID in machine.run("nmcli", "-t", "-f", "UUID", "connection", "show", "--active").split():
            machine.run("nmcli", "connection", "up", UUID)

    def undo(self, machine: Machine) -> None:
        if machine.at(CONNECTION).exists():
            machine.at(CONNECTION).unlink()
            machine.run("nmcli", "connection", "reload")


def steps(hotspot: Hotspot) -> list[Step]:
    """Return all steps that install it."""
    return [
        File(FILE, f"{msgspec.json.encode(hotspot).decode()}\n", "the Wi-Fi's name and password", alone=True),
        Packages(("dnsmasq-base",), "addresses for the phones", NOTED),
        File(NAMES, DNSMASQ, "in its Wi-Fi every name leads to the table"),
        Connection(hotspot),
    ]
