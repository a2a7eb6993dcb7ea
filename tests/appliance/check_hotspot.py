"""`companion install --hotspot` on a Debian with NetworkManager, from a phone's side; and what the login
screen says.

make check-install

This machine has no Wi-Fi: NetworkManager reads the Wi-Fi and waits for a chip. Addresses, names and the page
are tried over a cable that NetworkManager shares by the same words. Only radio can show that the chip makes
the Wi-Fi, that phones get in, how many, that a known Wi-Fi goes first, and what phones do with the answers
they get.
"""

from __future__ import annotations

import json

from tests.appliance.check_install import COMPANION, EVERYTHING
from tests.appliance.debian import Debian

NAME, PASSWORD = 'Räce; 1;2; \\ "Pigs"', 'x\\y;"z" 12'
WIFI = "race-companion"
PHONE = "ip netns exec phone"
ISSUE = "script -qec 'agetty --show-issue' /dev/null"
FOUND = f"{EVERYTHING} | grep -v ^/var/lib/NetworkManager/"  # leases, and when a connection was up last
BEFORE: dict[str, str] = {}


def field(debian: Debian, name: str) -> str:
    """Return what NetworkManager has understood."""
    return debian.run(f"LC_ALL=C.UTF-8 nmcli -s -e no -g {name} connection show {WIFI}").rstrip("\n")


def has_the_password(debian: Debian) -> None:
    """Wait until NetworkManager gives the password: a busy machine may answer late with a secret."""
    asked = f"LC_ALL=C.UTF-8 nmcli -s -e no -g 802-11-wireless-security.psk connection show {WIFI}"
    debian.until(asked, lambda said: said.rstrip("\n") == PASSWORD)


def test_network_manager_understands_it(lite: Debian) -> None:
    """Name and password are as given, with any letters; WPA2; after every known Wi-Fi."""
    BEFORE["files"] = lite.run(FOUND)
    quoted = f"--hotspot-name '{NAME}' --hotspot-password '{PASSWORD}'"
    print(lite.run(f"{COMPANION} install --yes --hotspot {quoted}"))
    assert field(lite, "802-11-wireless.ssid") == NAME
    has_the_password(lite)
    assert field(lite, "802-11-wireless-security.key-mgmt,802-11-wireless-security.proto").split() == [
        "wpa-psk",
        "rsn",
    ]
    assert field(lite, "802-11-wireless.mode,ipv4.method,ipv4.addresses").split() == [
        "ap",
        "shared",
        "10.42.0.1/24",
    ]
    assert int(field(lite, "connection.autoconnect-priority")) < 0
    assert lite.run("stat -c '%a %U' /etc/NetworkManager/system-connections/*").split() == ["600", "root"]


def test_the_login_screen_without_a_network(lite: Debian) -> None:
    """It says name and password, with any letters, and that there is no address."""
    said = lite.run(ISSUE)
    print(said)
    assert "No number there?" in said
    assert f"the Wi-Fi “{NAME}”, password {PASSWORD}," in said


def test_a_phone_gets_an_address(lite: Debian) -> None:
    """The address is from NetworkManager's dnsmasq, with our file; any name leads to the Pi, by IPv4 only."""
    lite.run(
        "ip link add shared type veth peer name air && ip netns add phone && ip link set air netns phone"
        f" && {PHONE} ip link set lo up && {PHONE} ip link set air up && nmcli device set shared managed yes"
        " && nmcli connection add type ethernet ifname shared con-name shared ipv4.method shared"
        f" ipv4.addresses 10.42.0.1/24 ipv6.method disabled && nmcli connection up shared"
        " && mkdir -p /etc/netns/phone && echo nameserver 10.42.0.1 >/etc/netns/phone/resolv.conf"
    )
    lite.run(
        r"""printf '#!/bin/sh\n[ "$1" != bound ] || ip address add $ip/$mask dev $interface\n' >/run/lease"""
        " && chmod +x /run/lease"
    )
    assert "lease of 10.42.0." in lite.run(f"{PHONE} udhcpc -i air -n -q -t 20 -s /run/lease")
    for name in ("captive.apple.com", "connectivitycheck.gstatic.com", "a.name.that.nobody.has"):
        assert lite.run(f"{PHONE} dig +short {name}").split() == ["10.42.0.1"]
        assert lite.run(f"{PHONE} dig +short {name} AAAA") == ""


def test_a_phone_is_led_to_the_page_and_stays(lite: Debian) -> None:
    """The page first, then what an iPhone wants to hear; by a name that is not ours there is no page."""
    probe = f"{PHONE} curl -s http://captive.apple.com/hotspot-detect.html"
    assert lite.run(f"{probe} -o /dev/null -w '%{{redirect_url}}'") == "http://10.42.0.1/watch?sheet"
    assert "<html" in lite.run(f"{probe} -L")
    assert "Success" in lite.run(probe)
    for path in ("/", "/watch", "/api/table"):
        assert (
            lite.run(f"{PHONE} curl -s -o /dev/null -w '%{{http_code}}' http://captive.apple.com{path}")
            == "400"
        )


def test_the_pages_and_the_login_tell_its_address(lite: Debian) -> None:
    """The code for phones has the address in this Wi-Fi as soon as it is on, and the Wi-Fi to scan is this one."""
    joined = f"{PHONE} true; curl -s http://localhost/api/join"
    lite.until(joined, lambda said: json.loads(said)["url"].startswith("http://10.42.0.1/seat"))
    assert json.loads(lite.run(joined))["wifi"] == NAME
    assert "open http://10.42.0.1/ on the tablet" in lite.run(ISSUE)


def test_it_stays(lite: Debian) -> None:
    """A later install leaves it as it is, and has nothing to do, whether it asks for it again or not."""
    for options in ("", "--hotspot"):
        assert "this will" not in lite.run(f"{COMPANION} install --yes {options}")
        has_the_password(lite)


def test_what_a_wifi_does_not_take(lite: Debian) -> None:
    """A sentence, and the Wi-Fi that is there stays."""
    assert "8 to 63" in lite.run(f"{COMPANION} install --hotspot --hotspot-password short", check=False)
    has_the_password(lite)


def test_taken_back_it_is_gone(lite: Debian) -> None:
    """NetworkManager has no such Wi-Fi any longer, the login screen does not speak of it; the table goes on."""
    print(lite.run(f"{COMPANION} install --yes --no-hotspot"))
    assert WIFI not in lite.run("nmcli -t -f NAME connection show")
    assert "password" not in lite.run(ISSUE)
    assert lite.run("systemctl is-active race-companion").strip() == "active"


def test_uninstalled_nothing_is_left(lite: Debian) -> None:
    """That holds also when it was there until then."""
    lite.run(f"{COMPANION} install --yes --hotspot")
    lite.run("companion install --uninstall --yes")
    lite.run(
        "nmcli connection delete shared && ip netns del phone && rm -r /etc/netns /run/lease;"
        " rm -f /etc/NetworkManager/system-connections/shared*"
    )
    assert lite.run(FOUND) == BEFORE["files"]
