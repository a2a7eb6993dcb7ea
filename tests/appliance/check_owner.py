"""The owner's first hour, as a person who types the lines of the pages: no root, a home, and sudo.

make check-install

The person is `pi`, who may use sudo, as on Raspberry Pi OS. There is no network until a cable is plugged in.
"""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Iterator

import pytest

from tests.appliance.check_install import EVERYTHING, HEALTH, TABLE, play
from tests.appliance.debian import RELEASES, SOURCE, WHEELS, Debian, inside, made, why_not

HOME = "/home/pi"
DATA = "/var/lib/race-companion"
RECORD = f"{SOURCE}/tests/cases/galloping-pigs/game-1.jsonl"
BEFORE: dict[str, str] = {}
TOOK: dict[str, float] = {}


@pytest.fixture(scope="module", params=RELEASES)
def owner(request: pytest.FixtureRequest) -> Iterator[Debian]:
    """Yield a Debian with a person who may use sudo, the project set up, and a plug-in of theirs as a wheel."""
    if (why := why_not()) is not None:
        pytest.fail(why, pytrace=False)
    root = made(request.param, "owner")
    inside(root, "apt-get update -qq && apt-get install -y -qq --no-install-recommends sudo >/dev/null")
    (root / "etc/sudoers.d/pi").write_text("pi ALL=(ALL) NOPASSWD: ALL\n")
    new = f"{SOURCE}/.venv/bin/companion plugins new river-run --kind game"
    wheel = f"{SOURCE}/.venv/bin/pip wheel -q --no-deps -w {WHEELS} /home/pi/river-run"
    inside(root, f"cd /home/pi && runuser -u pi -- {new} && runuser -u pi -- {wheel}")
    one = Debian(root)
    one.boot()
    yield one
    one.stop()


def types(owner: Debian, line: str, check: bool = True) -> str:
    """Return what a line says that the person types in their home; note how long it took."""
    began = time.monotonic()
    said = owner.run(f"cd {HOME} && runuser -u pi -- sh -c {shlex.quote(line)}", check)
    TOOK[line] = time.monotonic() - began
    print(f"$ {line}  [{TOOK[line]:.0f} s]\n{said}")
    return said


def test_installed_without_a_network(owner: Debian) -> None:
    """It ends with what to do next, not with an address that no tablet can open; the login screen says it too."""
    BEFORE["files"], BEFORE["users"] = owner.run(EVERYTHING), owner.run("getent passwd; getent group")
    said = types(owner, f"sudo {SOURCE}/.venv/bin/companion install --yes")
    assert "127.0.0.1" not in said
    assert "network cable" in said
    assert "sudo nmtui" in owner.run("cat /etc/issue.d/60-race-companion.issue")
    assert "runs and works" in types(owner, "companion status")


@pytest.mark.parametrize("mode", ["0700", "0755"])
def test_own_files(owner: Debian, mode: str) -> None:
    """Each command that takes a file reads and writes the person's, in a home that others may enter or not."""
    owner.run(f"chmod {mode} {HOME} && rm -rf {HOME}/mine && install -d -o pi -m 0700 {HOME}/mine")
    owner.run(f"cp {RECORD} {HOME}/mine/game.jsonl && chown pi {HOME}/mine/game.jsonl")
    types(owner, "echo 04A1B2C3D4E5F6 galloping-pigs/card/red/3 > mine/tags.txt")
    types(owner, "companion tags import --yes mine/tags.txt")
    types(owner, "companion tags export mine/tags.csv && grep -q red/3 mine/tags.csv")
    types(owner, "companion backup mine/copy.sqlite && companion backup --into mine --keep 2")
    types(owner, "companion backup /tmp/copy.sqlite && test -r /tmp/copy.sqlite && rm /tmp/copy.sqlite")
    types(owner, "companion restore --yes mine/copy.sqlite")
    types(owner, "companion replay mine/game.jsonl")
    types(owner, "companion odds mine/game.jsonl")
    types(owner, "companion simulate giro-galoppo --games 2 --records mine/records")
    types(owner, "echo > mine/companion.toml && companion settings --settings mine/companion.toml")
    types(owner, "companion sealed mine/sealed")
    owners = owner.run(f"find {HOME}/mine -printf '%u\\n' | sort -u").split()
    assert owners == ["pi"]
    copies = owner.run(f"stat -c %a {HOME}/mine/copy.sqlite {HOME}/mine/race-companion-*.sqlite").split()
    assert set(copies) == {"600"}
    assert set(owner.run(f"stat -c %U {DATA}/*").split()) == {"race-companion"}


def test_a_new_pin(owner: Debian) -> None:
    """The companion is stopped for it and started again by itself; the new PIN opens the host's page."""
    types(owner, "printf '2468\\n2468\\n' | companion pin --yes")
    owner.until(TABLE, lambda said: said.startswith("{"))
    play(owner)


def test_stopped_started_and_asked(owner: Debian) -> None:
    """No line needs systemctl or journalctl."""
    types(owner, "companion stop")
    assert "companion start" in types(owner, "companion status", check=False)
    types(owner, "companion start")
    types(owner, "companion restart")
    assert "works" in types(owner, "companion health")
    assert "race-companion" in types(owner, "companion logs --lines 5")


def test_it_is_there_after_a_restart(owner: Debian) -> None:
    """After a restart the table is there again, by itself."""
    owner.stop()
    owner.boot()
    owner.until(TABLE, lambda said: said.startswith("{"))
    assert "runs and works" in types(owner, "companion status")


def test_a_plugin(owner: Debian) -> None:
    """It is added by one line, and listed as working."""
    said = types(owner, f"companion plugins add --yes {WHEELS}/companion_river_run-0.1.0-py3-none-any.whl")
    assert "companion-river-run is added" in said
    assert has_plugin(owner)


def test_an_update_keeps_it(owner: Debian) -> None:
    """The new version runs, with the plug-in."""
    said = types(owner, f"sudo companion update {update('8.0.0')}")
    assert "runs now" in said
    assert (version(owner), has_plugin(owner)) == ("8.0.0", True)


def test_a_bad_update_changes_nothing(owner: Debian) -> None:
    """The version before runs on, with the plug-in; the reason is there."""
    said = types(owner, f"sudo companion update {update('8.1.0')}", check=False)
    assert "nothing was changed" in said
    assert (version(owner), has_plugin(owner)) == ("8.0.0", True)


def test_an_update_that_lacks_a_package(owner: Debian) -> None:
    """What pip says is one sentence, and the rest is in the log that it names."""
    said = types(owner, f"sudo companion update --force {SOURCE}", check=False)
    assert "connect this machine by cable or Wi-Fi" in said
    assert "not a problem with pip" not in said
    assert len(said.splitlines()) <= 4
    assert owner.run("cat /var/log/race-companion-install.log") != ""


def test_a_restored_backup(owner: Debian) -> None:
    """What was there at the time of the backup is there again."""
    types(owner, "rm -rf mine && mkdir mine && companion backup mine/copy.sqlite")
    said = types(owner, "companion restore --yes mine/copy.sqlite")
    assert "the companion runs again" in said
    assert "runs and works" in types(owner, "companion status")


def test_with_a_cable(owner: Debian) -> None:
    """Plugged in, the address is shown, and the page is there."""
    owner.run("ip link add eth0 type veth peer name far0 && ip addr add 10.81.0.2/24 dev eth0")
    owner.run("ip link set far0 up && ip link set eth0 up")
    owner.until("cd / && companion status", lambda said: "http://10.81.0.2/" in said)
    assert "<html" in owner.run("curl -sf http://10.81.0.2/")
    owner.run("ip link del eth0")


def test_uninstalled_nothing_is_left(owner: Debian) -> None:
    """The list says what is deleted; files and users are those from before, systemd's own notes too."""
    said = types(owner, "companion install --uninstall --yes")
    assert "write /" not in said
    owner.run(f"rm -rf /root/jar {HOME}/mine {HOME}/.sudo_as_admin_successful && chmod 0755 {HOME}")
    assert owner.run(EVERYTHING) == BEFORE["files"]
    assert owner.run("getent passwd; getent group") == BEFORE["users"]
    assert owner.run("ls /var/lib/systemd/timers /var/log | grep race-companion", check=False) == ""
    print("\n".join(f"{seconds:5.0f} s  {line}" for line, seconds in TOOK.items()))


def update(version: str) -> str:
    """Return the arguments that bring a version."""
    wheel = f"{WHEELS}/race_companion-{version}-py3-none-any.whl"
    return f"--unsigned --force {wheel} --wheels {WHEELS}"


def version(owner: Debian) -> str:
    """Return the version that serves."""
    return str(json.loads(owner.run(HEALTH))["version"])


def has_plugin(owner: Debian) -> bool:
    """Return True if the plug-in is listed and works."""
    plugins = json.loads(types(owner, "companion plugins --json", check=False))["plugins"]
    return [(one["name"], one["why"]) for one in plugins] == [("river-run", None)]
