"""`companion install` on a real Debian with a real systemd, in order.

make check-install

The Debian has a network while a checkout is set up in it as the README says, and none from then on. Memory is taken away
by a limit that this machine's kernel enforces. The game is begun over HTTP; there is no hardware: no pad, no panel, no Pico.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.appliance.debian import RELEASES, SOURCE, WHEELS, Debian, made, why_not

COMPANION = f"{SOURCE}/.venv/bin/companion"
UNIT = "race-companion.service"
PID = f"systemctl show -P MainPID {UNIT}"
TABLE = "curl -sf http://localhost/api/table"
# what a running machine writes by itself
EVERYTHING = (
    "find / -xdev -path /proc -prune -o -path /sys -prune -o -path /run -prune -o -path /tmp -prune -o -path /dev -prune"
    " -o -path /var/log -prune -o -path /var/tmp -prune -o -path /var/lib/systemd -prune -o -path /var/cache -prune"
    " -o -name __pycache__ -prune -o -print | sort"
)
HEALTH = "curl -s http://localhost/healthz"
BEFORE: dict[str, str] = {}


@pytest.fixture(scope="session", params=RELEASES)
def debian(request: pytest.FixtureRequest) -> Iterator[Debian]:
    """Yield a Debian 12 or 13 that runs, with the project set up in it."""
    if (why := why_not()) is not None:
        pytest.fail(why, pytrace=False)
    one = Debian(made(request.param))
    one.boot()
    yield one
    one.stop()


def play(debian: Debian) -> int:
    """Start a game as host; return the number of the journal's last entry."""
    cookies = (
        "curl -sf -b /root/jar -c /root/jar -H 'Origin: http://localhost' -H 'Content-Type: application/json'"
    )
    debian.run(f"""{cookies} -d '{{"pin":"2468","role":"host"}}' http://localhost/api/unlock""")
    match = json.dumps({"game": "galloping-pigs", "seats": ["Ada", "Ben"], "options": {"rounds": 1}})
    return int(json.loads(debian.run(f"{cookies} -d '{match}' http://localhost/api/matches"))["seq"])


def seq(debian: Debian) -> int:
    """Return the number of the journal's last entry, as the service says it."""
    return int(json.loads(debian.run(TABLE))["seq"])


def test_nothing_is_changed_by_asking(debian: Debian) -> None:
    """--dry-run says what would be, and changes nothing; without root it says that it needs root."""
    BEFORE["files"], BEFORE["users"] = debian.run(EVERYTHING), debian.run("getent passwd; getent group")
    said = debian.run(f"{COMPANION} install --dry-run")
    assert "start race-companion.service" in said
    assert "sudo" in debian.run(f"runuser -u pi -- {COMPANION} install --yes", check=False)
    assert debian.run(EVERYTHING) == BEFORE["files"]


def test_installed_it_serves(debian: Debian) -> None:
    """After one command the page is there, on port 80."""
    print(debian.run(f"{COMPANION} install --yes"))
    assert debian.run(f"systemctl is-active {UNIT}").strip() == "active"
    assert "<html" in debian.run("curl -sf http://localhost/")


def test_installed_twice_is_the_same(debian: Debian) -> None:
    """The second time there is nothing to do, and the service goes on."""
    files, pid = debian.run(EVERYTHING), debian.run(PID)
    said = debian.run(f"{COMPANION} install --yes")
    assert "this will" not in said
    assert debian.run(EVERYTHING) == files
    assert debian.run(PID) == pid


def test_this_systemd_understands_it(debian: Debian) -> None:
    """Its unit, its log's limits and its rules for devices: no word that this systemd does not know."""
    assert debian.run(f"systemd-analyze verify /etc/systemd/system/{UNIT}") == ""
    said = debian.run("journalctl -b --no-pager").splitlines()
    assert [
        line for line in said if "race-companion" in line and ("nknown" in line or "gnoring" in line)
    ] == []
    rules = "/etc/udev/rules.d/60-race-companion.rules"
    if "verify" in debian.run("udevadm --help"):  # from systemd 254 on; the groups are a Pi's
        debian.run(f"udevadm verify --resolve-names=never {rules}")


def test_its_rights_are_few(debian: Debian) -> None:
    """systemd's own judgement is 3.0 at most, and it runs as its own user."""
    line = debian.run(f"systemd-analyze security --no-pager {UNIT} | tail -1")
    print(line)
    assert float(line.split(":")[1].split()[0]) <= 3.0
    assert debian.run(f"ps -o user= -p $({PID})").strip().startswith("race-")


def test_killed_it_comes_back(debian: Debian) -> None:
    """kill -9 in a game: it is back by itself with the game as it was confirmed."""
    last, pid = play(debian), debian.run(PID)
    debian.run("systemctl kill -s KILL --kill-whom=main race-companion")
    debian.until(PID, lambda said: said.strip() not in ("", "0", pid.strip()))
    debian.until(TABLE, lambda said: said.startswith("{"))
    assert seq(debian) == last


def test_hung_it_is_started_anew(debian: Debian) -> None:
    """After SIGSTOP the watchdog is not fed and ends it; it is back by itself with the game."""
    last, pid = seq(debian), debian.run(PID)
    debian.run("systemctl kill -s STOP --kill-whom=main race-companion")
    debian.until(PID, lambda said: said.strip() not in ("", "0", pid.strip()), 90)
    debian.until(TABLE, lambda said: said.startswith("{"))
    assert "watchdog" in debian.run(f"journalctl -u {UNIT} --no-pager").lower()
    assert seq(debian) == last


def test_stopped_nothing_is_wrong(debian: Debian) -> None:
    """It ends the process of the odds itself, and its log has no warning of it."""
    last, before = seq(debian), debian.run("date +%s").strip()
    debian.run("systemctl restart race-companion")
    debian.until(TABLE, lambda said: said.startswith("{"))
    said = debian.run(f"journalctl -u {UNIT} --no-pager --since @{before}")
    assert "Stopped" in said
    assert "WARNING" not in said, said
    assert seq(debian) == last


def test_out_of_memory_it_comes_back(debian: Debian) -> None:
    """The kernel ends it since it may have no more memory: it is back by itself with the game."""
    last, pid = seq(debian), debian.run(PID)
    debian.starve(int(pid), 64)
    for _ in range(50):
        debian.run(
            "for n in $(seq 20); do curl -s -m 5 http://localhost/rules >/dev/null & done; wait", check=False
        )
        if debian.run(PID).strip() != pid.strip():
            break
    debian.until(PID, lambda said: said.strip() not in ("", "0", pid.strip()))
    debian.until(TABLE, lambda said: said.startswith("{"))
    assert seq(debian) == last


def test_the_odds_are_there(debian: Debian) -> None:
    """The companion needs nothing that the unit forbids: a game has its odds, and the log no complaint."""
    debian.until(TABLE, lambda said: json.loads(said)["odds"] is not None)
    assert "Traceback" not in debian.run(f"journalctl -u {UNIT} --no-pager")


def test_it_is_found_by_name(debian: Debian) -> None:
    """Once there is a network, its Avahi answers for companion.local: the unit may ask it for that."""
    debian.run("ip link add eth0 type veth peer name far0 && ip addr add 10.81.0.2/24 dev eth0")
    debian.run("ip link set far0 up && ip link set eth0 up")
    debian.until("avahi-resolve -4 -n companion.local", lambda said: "10.81.0.2" in said)
    assert "<html" in debian.run(
        "curl -sf --resolve companion.local:80:10.81.0.2 http://companion.local/watch"
    )
    debian.run("ip link del eth0")


def test_a_copy_each_night(debian: Debian) -> None:
    """Its timer waits; what it starts makes a copy that is whole, and says that there is no second medium."""
    assert debian.run("systemctl is-active race-companion-nightly.timer").strip() == "active"
    debian.run("systemctl start race-companion-nightly.service")
    (copy,) = debian.run("ls -d /var/lib/race-companion/nightly/*.sqlite").split()
    assert debian.run(f"stat -c '%U %a' {copy}").split() == ["race-companion", "600"]
    assert "plugged in" in debian.run("journalctl --no-pager -u race-companion-nightly")
    assert "called COMPANION" in debian.run("curl -sf -b /root/jar http://localhost/host")


def test_it_starts_with_the_machine(debian: Debian) -> None:
    """After switching off and on the game is there."""
    last = seq(debian)
    debian.stop()
    debian.boot()
    debian.until(TABLE, lambda said: said.startswith("{"))
    assert seq(debian) == last


def test_no_update_during_a_game(debian: Debian) -> None:
    """It says which game goes on, and what to do; nothing is changed."""
    pid = debian.run(PID)
    said = debian.run(update("8.0.0"), check=False)
    assert "a game (galloping-pigs) goes on" in said
    assert "--force" in said
    assert debian.run(PID) == pid


def test_an_update(debian: Debian) -> None:
    """A wheel and what it needs, without a network: the new version runs, the game is there, so is a copy."""
    last = seq(debian)
    said = debian.run(update("8.0.0") + " --force")
    print(said)
    assert runs(debian) == "8.0.0"
    assert seq(debian) == last
    assert debian.run(f"stat -c %U {said.split()[-1]}").strip() == "race-companion"
    assert "runs already" in debian.run(update("8.0.0") + " --force")


def test_an_update_that_does_not_start(debian: Debian) -> None:
    """It is found before anything is stopped; its own last words are shown."""
    last, pid = seq(debian), debian.run(PID)
    said = debian.run(update("8.1.0") + " --force", check=False)
    print(said)
    assert "nothing was changed" in said
    assert "RuntimeError: planted" in said
    assert (runs(debian), debian.run(PID), seq(debian)) == ("8.0.0", pid, last)


def test_an_update_that_hangs(debian: Debian) -> None:
    """Its trial was well, but /healthz does not turn green: the one before runs again by itself, with the game."""
    last = seq(debian)
    said = debian.run(update("8.2.0") + " --force", check=False)
    print(said)
    assert "runs again" in said
    assert (runs(debian), seq(debian)) == ("8.0.0", last)


def update(version: str) -> str:
    """Return the command that brings a version."""
    return f"companion update --unsigned {WHEELS}/race_companion-{version}-py3-none-any.whl --wheels {WHEELS}"


def runs(debian: Debian) -> str:
    """Return the version that serves."""
    return str(json.loads(debian.run("curl -s http://localhost/healthz"))["version"])


def test_its_command_acts_on_its_data(debian: Debian) -> None:
    """`companion …` in a terminal is about this table and acts as its user: what it writes, the service can read."""
    debian.run("companion tags list")
    debian.run("systemctl stop race-companion")
    debian.run("companion tags list")
    debian.run("systemctl start race-companion")
    owners = debian.run("stat -c %U /var/lib/race-companion/*").split()
    assert set(owners) == {"race-companion"}


def test_uninstalled_nothing_is_left(debian: Debian) -> None:
    """The files and the users are those from before."""
    debian.run("rm -f /root/jar")
    print(debian.run("companion install --uninstall --yes"))
    assert debian.run(EVERYTHING) == BEFORE["files"]
    assert debian.run("getent passwd; getent group") == BEFORE["users"]
    assert debian.run("curl -s http://localhost/", check=False) == ""
