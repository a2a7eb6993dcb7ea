"""`companion install --kiosk` on a Debian without a desktop: cage and Chromium show the table page by themselves.

make check-install

There is no screen: cage draws into memory, and the service has no console; that is all that is different (DROP_IN).
What only a Pi can show: that its console and its graphics are given to cage, and the picture on the screen.
"""

from __future__ import annotations

import json

from tests.appliance.check_install import COMPANION, EVERYTHING
from tests.appliance.debian import Debian

UNIT = "race-companion-kiosk.service"
DROP_IN = r"""[Service]
Environment=WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman
TTYPath=
TTYReset=no
TTYVHangup=no
TTYVTDisallocate=no
UtmpIdentifier=
StandardInput=null
"""
PID = f"systemctl show -P MainPID {UNIT}"
OPEN = "curl -s http://127.0.0.1:9222/json"  # Chromium's own word on what it shows
# what Debian's packages leave when they are purged, and what apt keeps of what it fetched
LEFT = r"^/var/lib/(apt|dpkg|systemd|NetworkManager)/|^/etc/systemd/system/race-companion-kiosk.service.d|^/etc/chromium.d"
FOUND = f"{EVERYTHING} | grep -Ev '{LEFT}'"
BEFORE: dict[str, str] = {}


def shows(said: str) -> bool:
    """Return whether Chromium shows the table page."""
    pages = json.loads(said) if said.startswith("[") else []
    return [page["url"] for page in pages if page["type"] == "page"] == ["http://localhost/"]


def test_the_page_is_on_the_screen(lite: Debian) -> None:
    """It is there after one command, by a separate user, and its stream goes on updating it."""
    BEFORE["files"], BEFORE["users"] = lite.run(FOUND), lite.run("getent passwd; getent group")
    lite.run(f"mkdir -p /etc/systemd/system/{UNIT}.d /etc/chromium.d")
    (lite.root / f"etc/systemd/system/{UNIT}.d/check.conf").write_text(DROP_IN)
    flags = 'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --remote-debugging-port=9222"\n'
    (lite.root / "etc/chromium.d/check").write_text(flags)
    print(lite.run(f"{COMPANION} install --yes --kiosk"))
    lite.until(OPEN, shows)
    streams = "ss -Htnp state established '( dport = :80 )'"
    lite.until(streams, lambda said: "chromium" in said)
    assert (
        lite.run("pgrep -f -- '--kiosk.*--ozone-platform=wayland'") != ""
    )  # straight to cage, not by Xwayland
    assert lite.run(f"ps -o user= -p $({PID})").strip().startswith("race-ki")


def test_installed_twice_is_the_same(lite: Debian) -> None:
    """That holds also without the option: nothing to do, and the page stays."""
    pid = lite.run(PID)
    assert "this will" not in lite.run(f"{COMPANION} install --yes")
    assert lite.run(PID) == pid


def test_killed_it_comes_back(lite: Debian) -> None:
    """cage or the browser: both are there again, with the page, and only one of each."""
    for name in ("cage", "chromium"):
        pid = lite.run(PID)
        lite.run(f"pkill -KILL -o -u race-kiosk {name}")
        lite.until(PID, lambda said, pid=pid: said.strip() not in ("", "0", pid.strip()))  # type: ignore[misc]
        lite.until(OPEN, shows)
        assert len(lite.run("pgrep -u race-kiosk cage").split()) == 1
        assert len(lite.run("pgrep -u race-kiosk -f -- --kiosk").split()) == 1


def test_it_comes_with_the_machine(lite: Debian) -> None:
    """After switching off and on the page is there; it waited for the companion."""
    lite.stop()
    lite.boot()
    lite.until(OPEN, shows)


def test_taken_back_it_is_gone(lite: Debian) -> None:
    """The packages that it brought too; the table goes on."""
    print(lite.run(f"{COMPANION} install --yes --no-kiosk"))
    assert lite.run("pgrep -x cage", check=False) == ""
    for package in ("cage", "xwayland", "chromium"):
        assert "no packages found" in lite.run(f"dpkg-query -W {package}", check=False)
    assert lite.run("systemctl is-active race-companion").strip() == "active"


def test_uninstalled_nothing_is_left(lite: Debian) -> None:
    """The files and the users are those from before, apart from what Debian's own packages leave."""
    lite.run(f"rm -r /etc/systemd/system/{UNIT}.d /etc/chromium.d", check=False)
    lite.run("companion install --uninstall --yes")
    assert lite.run(FOUND) == BEFORE["files"]
    assert lite.run("getent passwd; getent group") == BEFORE["users"]
