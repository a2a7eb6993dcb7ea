"""The table's Wi-Fi on simulated radios: NetworkManager, wpa_supplicant and the kernel's mac80211, with a phone.

make check-machine

Three radios are in the machine (mac80211_hwsim): the table's, and in network namespaces that of a phone and that of
the house. Only here: that the hotspot starts and a phone gets in, that a known Wi-Fi goes first, and what the pages say
when a Wi-Fi goes and comes back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance.debian import SOURCE, why_not
from tests.machine.appliance import BOOTED_S, Appliance, booted, installed
from tests.machine.own_kernel import missing

PHONE, HOUSE = "ip netns exec phone", "ip netns exec house"
CURL = "curl -sf -m 20 -b /run/jar-{who} -c /run/jar-{who} -H 'Content-Type: application/json'"
NAME, PASSWORD = "Table 1", "racing pigs"
LEASE = (
    r"""printf '#!/bin/sh\n[ "$1" != bound ] || ip address replace $ip/$mask dev $interface\n' >/run/lease"""
)
REFUSED_S = 30.0
RADIOS = {"mac80211_hwsim.radios": "3"}
AP = """\
network={
ssid="House"
mode=2
frequency=2412
key_mgmt=WPA-PSK
proto=RSN
pairwise=CCMP
psk="a house's own"
}
"""


@pytest.fixture(scope="module")
def base() -> Path:
    if why := missing() or why_not():
        pytest.exit(f"nothing was checked: {why}", returncode=1)
    return installed()


@pytest.fixture
def machine(base: Path, tmp_path: Path) -> Iterator[Appliance]:
    """Yield a machine with a Wi-Fi on which it is installed, and a phone without one."""
    with booted(tmp_path / "disk", base, RADIOS) as one:
        air(one)
        yield one


def air(machine: Appliance) -> None:
    """Give the second radio to a phone and the third to the house."""
    machine.until("nmcli -t -f RUNNING general", lambda said: "running" in said)
    for radio, who in (("wlan1", "phone"), ("wlan2", "house")):
        machine.run(
            f"ip netns add {who} && iw phy $(cat /sys/class/net/{radio}/phy80211/name) set netns name {who}"
            f" && ip netns exec {who} ip link set lo up"
        )
    machine.run(f"{LEASE} && chmod +x /run/lease")
    machine.run(
        "curl -s -o /dev/null --retry 60 --retry-delay 1 --retry-connrefused http://localhost/healthz"
    )


def house(machine: Appliance, is_on: bool) -> None:
    """Switch the house's Wi-Fi on or off."""
    if not is_on:
        machine.run("kill $(cat /run/ap.pid) $(cat /run/dnsmasq.pid)")
        return
    machine.run(f"cat >/run/ap.conf <<'END'\n{AP}END")
    machine.run(f"{HOUSE} wpa_supplicant -B -Dnl80211 -iwlan2 -c/run/ap.conf -P/run/ap.pid")
    machine.run(
        f"{HOUSE} ip address replace 192.168.7.1/24 dev wlan2 && {HOUSE} dnsmasq --conf-file=/dev/null --interface=wlan2"
        " --bind-interfaces --dhcp-range=192.168.7.10,192.168.7.50 --pid-file=/run/dnsmasq.pid"
        " --dhcp-leasefile=/run/leases"
    )


def knows_the_house(machine: Appliance) -> None:
    """Let the table know the house's Wi-Fi, and join it."""
    machine.run(
        "nmcli connection add type wifi con-name House ifname wlan0 ssid House wifi-sec.key-mgmt wpa-psk"
        ' wifi-sec.psk "a house\'s own"'
    )
    machine.until(  # on a busy machine a handshake may take too long, and NetworkManager does not try again
        "ip -4 -br address show wlan0 | grep 192.168.7. || nmcli -w 30 connection up House",
        lambda said: "192.168.7." in said,
    )


def join(machine: Appliance, name: str, password: str, patience_s: float = BOOTED_S) -> str:
    """Let the phone join a Wi-Fi and get an address; return the address of its router."""
    machine.run(
        f"""printf 'ctrl_interface=/run/phone\\nnetwork={{\\nssid="%s"\\npsk="%s"\\n}}\\n' "{name}" "{password}" >/run/phone.conf"""
    )
    machine.run("[ ! -e /run/phone.pid ] || kill $(cat /run/phone.pid); sleep 1", check=False)
    machine.run(f"{PHONE} wpa_supplicant -B -Dnl80211 -iwlan1 -c/run/phone.conf -P/run/phone.pid")
    machine.until(
        f"{PHONE} wpa_cli -p /run/phone -i wlan1 status",
        lambda said: "wpa_state=COMPLETED" in said,
        patience_s,
    )
    said = machine.run(
        f"{PHONE} ip address flush dev wlan1; {PHONE} udhcpc -i wlan1 -n -q -t 20 -s /run/lease"
    )
    return said.rpartition("obtained from ")[2].split(",")[0]


def post(
    machine: Appliance, path: str, body: object, who: str = "host", at: str = "localhost"
) -> dict[str, object]:
    """Return the answer to a body that a page of the host or of the phone sends."""
    within = f"{PHONE} " if who == "phone" else ""
    said = machine.run(
        f"{within}{CURL.format(who=who)} -H 'Origin: http://{at}' -d '{json.dumps(body)}' http://{at}{path}"
    )
    answer: dict[str, object] = json.loads(said)
    return answer


def table(machine: Appliance, who: str = "host", at: str = "localhost") -> dict[str, object]:
    """Return the table as a page shows it."""
    within = f"{PHONE} " if who == "phone" else ""
    seen: dict[str, object] = json.loads(machine.run(f"{within}{CURL.format(who=who)} http://{at}/api/table"))
    return seen


def begin(machine: Appliance) -> None:
    """Begin a game as host; the pigs are lined up."""
    post(machine, "/api/unlock", {"pin": "2468", "role": "host"})
    post(
        machine, "/api/matches", {"game": "galloping-pigs", "seats": ["Ada", "Ben"], "options": {"rounds": 1}}
    )
    decide(machine, {"do": "line-up", "seat": 0, "order": ["red", "blue", "green", "yellow", "pink"]})


def decide(machine: Appliance, line: dict[str, object], who: str = "host", at: str = "localhost") -> int:
    """Send a decision; return the number of its entry."""
    seq = table(machine, who, at)["seq"]
    return int(str(post(machine, "/api/decide", {"seq": seq, "decision": line}, who, at)["seq"]))


def play_as_a_phone(machine: Appliance, at: str) -> None:
    """Take the seat whose turn it is by the code on the table, and play a card on that seat's phone."""
    code = json.loads(machine.run("curl -s http://localhost/api/join"))["code"]
    seat = table(machine)["next"]["seats"][0]  # type: ignore[index]
    post(machine, "/api/join", {"code": code, "seat": seat}, "phone", at)
    seq = decide(machine, {"do": "play", "seat": seat, "card": "red"}, "phone", at)
    assert table(machine)["seq"] == seq


def url(machine: Appliance) -> str:
    """Return the address that the code for phones has."""
    return str(json.loads(machine.run("curl -s http://localhost/api/join"))["url"])


def hotspot(machine: Appliance) -> None:
    """Install the table's own Wi-Fi."""
    print(
        machine.run(
            f"{SOURCE}/.venv/bin/companion install --yes --hotspot --hotspot-name '{NAME}'"
            f" --hotspot-password '{PASSWORD}'"
        )
    )


def test_a_phone_joins_the_hotspot_and_plays_a_card(machine: Appliance) -> None:
    """It gets in with the password, has an address, is led to the page as by a hotel, and plays its card."""
    hotspot(machine)
    begin(machine)
    machine.until("iw dev wlan0 info", lambda said: "type AP" in said and f"ssid {NAME}" in said)
    router = join(machine, NAME, PASSWORD)
    assert router == "10.42.0.1"
    machine.run(f"mkdir -p /etc/netns/phone && echo nameserver {router} >/etc/netns/phone/resolv.conf")
    probe = f"{PHONE} curl -s -m 20 http://captive.apple.com/hotspot-detect.html"
    assert machine.run(f"{probe} -o /dev/null -w '%{{redirect_url}}'") == "http://10.42.0.1/watch?sheet"
    assert "<html" in machine.run(f"{probe} -L")
    assert "Success" in machine.run(probe)
    machine.until(
        "curl -s http://localhost/api/join", lambda said: '"http://10.42.0.1/seat' in said.replace(" ", "")
    )
    play_as_a_phone(machine, router)
    stations = machine.run("iw dev wlan0 station dump")
    assert stations.count("authorized:\tyes") == 1, stations


def test_a_wrong_password_does_not_get_in(machine: Appliance) -> None:
    """A phone without the password is no station, and has no address."""
    hotspot(machine)
    machine.until("iw dev wlan0 info", lambda said: "type AP" in said)
    with pytest.raises(AssertionError):
        join(machine, NAME, "racing cows", REFUSED_S)
    assert "authorized:\tyes" not in machine.run("iw dev wlan0 station dump")


def test_the_wifi_goes_and_comes_back(machine: Appliance) -> None:
    """The table plays on without it; with it back, the phone sees what was played, at the same address."""
    house(machine, True)
    knows_the_house(machine)
    machine.until("ip -4 -br address show wlan0", lambda said: "192.168.7." in said)
    machine.until("curl -s http://localhost/api/join", lambda said: "http://192.168.7." in said)
    before = url(machine)
    at = before.removeprefix("http://").partition("/")[0]
    begin(machine)
    join(machine, "House", "a house's own")
    assert table(machine, "phone", at)["seq"] == table(machine)["seq"]
    for _ in range(3):
        house(machine, False)
        machine.until("iw dev wlan0 link", lambda said: "Not connected" in said)
        seat = table(machine)["next"]["seats"][0]  # type: ignore[index]
        seq = decide(machine, {"do": "play", "seat": seat, "card": "red"})
        house(machine, True)
        machine.until("iw dev wlan0 link", lambda said: "Connected" in said)
        machine.until("curl -s http://localhost/api/join", lambda said: before in said)
        join(machine, "House", "a house's own")
        assert table(machine, "phone", at)["seq"] == seq
        post(machine, "/api/undo", {"seq": seq})
    play_as_a_phone(machine, at)


def test_the_hotspot_begins_where_the_house_is_out_of_reach(base: Path, tmp_path: Path) -> None:
    """A known Wi-Fi goes first; without it the hotspot begins by itself, and the phone plays on there."""
    disk = tmp_path / "disk"
    with booted(disk, base, RADIOS) as one:
        air(one)
        house(one, True)
        knows_the_house(one)
        hotspot(one)
        begin(one)
        one.off()
    with booted(disk, base, RADIOS) as one:  # in the garden
        air(one)
        one.until("iw dev wlan0 info", lambda said: "type AP" in said)
        play_as_a_phone(one, join(one, NAME, PASSWORD))
        one.off()
    with booted(disk, base, RADIOS) as one:  # at home
        air(one)
        house(one, True)
        one.run("nmcli device disconnect wlan0; systemctl restart NetworkManager", check=False)
        one.until("ip -4 -br address show wlan0", lambda said: "192.168.7." in said)
        assert "type managed" in one.run("iw dev wlan0 info")
