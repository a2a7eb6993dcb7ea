"""The table page, full-screen on a screen at the Pi: in its desktop, or without one.

desktop an XDG autostart file: every user who logs in there sees the page no desktop cage, which shows one
program and nothing else, as a service on the first console
"""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.install.machine import Machine
from companion.install.program import NAME
from companion.install.steps import File, Packages, Service, Step, User

KIOSK: Final = f"{NAME}-kiosk"
USER: Final = "race-kiosk"
UNIT: Final = f"{KIOSK}.service"
LAUNCHER: Final = f"/usr/local/bin/{KIOSK}"
AUTOSTART: Final = f"/etc/xdg/autostart/{NAME}.desktop"
NOTED: Final = f"/etc/{NAME}/packages-kiosk"
BLANKING: Final = (
    "if the screen goes dark after ten minutes: sudo raspi-config nonint do_blanking 1, and restart"
)

# What the browser writes goes with the session: no bubble after the power went, and the SD card is spared.
# Chromium for Raspberry Pi OS 12 may be called chromium-browser.
LAUNCH: Final = f"""\
#!/bin/bash
# made by `companion install --kiosk`: the table page, full-screen, as soon as the companion answers
export HOME="${{XDG_RUNTIME_DIR:-/tmp}}/{KIOSK}"
rm -rf "$HOME"
mkdir -p -m 700 "$HOME"
cd "$HOME" || exit 1
until (: </dev/tcp/127.0.0.1/80) 2>/dev/null; do
    sleep 1
done
browser=$(command -v chromium || command -v chromium-browser)
platform=x11
[ -z "${{WAYLAND_DISPLAY-}}" ] || platform=wayland
exec "$browser" --kiosk --user-data-dir="$HOME/profile" --disk-cache-size=10000000 \\
    --ozone-platform=$platform --no-first-run --no-default-browser-check --noerrdialogs \\
    --disable-session-crashed-bubble --disable-features=Translate,TranslateUI --disable-pinch \\
    --overscroll-history-navigation=0 --password-store=basic --disable-component-update \\
    --autoplay-policy=no-user-gesture-required http://localhost/
"""

DESKTOP: Final = f"""\
# made by `companion install --kiosk`
[Desktop Entry]
Type=Application
Name=Race companion
Exec={LAUNCHER}
NoDisplay=true
"""

# as cage's own wiki has it; -s: Ctrl+Alt+F2 still leads to a console. logind keeps what cage starts in a
# session, where a browser that hangs would outlive it
SERVICE: Final = f"""\
# made by `companion install --kiosk`; changes of your own go into {UNIT}.d/*.conf
[Unit]
Description=The race companion's table page on this machine's screen
After=systemd-user-sessions.service plymouth-quit-wait.service systemd-logind.service dbus.socket
After={NAME}.service
Wants=dbus.socket systemd-logind.service
Conflicts=getty@tty1.service
After=getty@tty1.service
StartLimitIntervalSec=0

[Service]
ExecStart=/usr/bin/cage -s -- {LAUNCHER}
User={USER}
PAMName=login
TTYPath=/dev/tty1
TTYReset=yes
TTYVHangup=yes
TTYVTDisallocate=yes
StandardInput=tty-fail
UtmpIdentifier=tty1
UtmpMode=user
ExecStopPost=+-/bin/sh -c 'systemctl stop user-$$(id -u {USER}).slice'
Restart=always
RestartSec=2
TimeoutStopSec=10

[Install]
WantedBy=multi-user.target
"""


class Screen(NamedTuple):
    """The service that shows the page; when it is removed, the login comes back to the screen."""

    service: Service

    @property
    def what(self) -> str:
        return self.service.what

    @property
    def undone(self) -> str:
        return "give the screen back to the login"

    def done(self, machine: Machine) -> bool:
        return self.service.done(machine)

    def do(self, machine: Machine) -> None:
        self.service.do(machine)

    def undo(self, machine: Machine) -> None:
        if machine.holds("systemctl", "cat", UNIT):
            self.service.undo(machine)
            machine.holds("systemctl", "start", "getty@tty1.service")


def remembered(machine: Machine) -> bool:
    """Return True if it was requested before."""
    return machine.at(LAUNCHER).exists()


def has_desktop(machine: Machine) -> bool:
    """Return True if the machine starts into a desktop."""
    manager = machine.at("/etc/systemd/system/display-manager.service")
    is_there = manager.exists() or manager.is_symlink()
    return is_there and machine.run("systemctl", "get-default").strip() == "graphical.target"


def steps(machine: Machine) -> list[Step]:
    """Return all steps that install it on this machine."""
    return _on_desktop(machine) if has_desktop(machine) else _alone(machine)


def installed(machine: Machine) -> list[Step]:
    """Return the steps that were done, to undo them: a desktop may have come or gone since."""
    return _on_desktop(machine) if machine.at(AUTOSTART).exists() else _alone(machine)


def _browser(machine: Machine) -> tuple[str, ...]:
    """Return the package of the browser; none if there is one that we did not install."""
    noted = (machine.text(NOTED) or "").split()
    here = any(machine.at(f"/usr/bin/{name}").exists() for name in ("chromium", "chromium-browser"))
    return () if here and "chromium" not in noted else ("chromium",)


def _launcher() -> File:
    return File(LAUNCHER, LAUNCH, "the browser, full-screen", 0o755)


def _on_desktop(machine: Machine) -> list[Step]:
    browser = _browser(machine)
    packages = [Packages(browser, "the browser for its screen", NOTED)] if browser else []
    start = File(AUTOSTART, DESKTOP, "the table page on the desktop, from the next login on")
    return [*packages, _launcher(), start]


def _alone(machine: Machine) -> list[Step]:
    names = ("cage", "xwayland", "libpam-systemd", *_browser(machine))  # cage does not start without Xwayland
    unit = File(
        f"/etc/systemd/system/{UNIT}",
        SERVICE,
        "how the page gets onto the screen",
        tell=("systemctl", "daemon-reload"),
    )
    launcher = _launcher()
    return [
        Packages(names, "a browser for its screen, and what shows it", NOTED),
        User(USER, "/nonexistent", ("video", "render", "input")),
        launcher,
        unit,
        Screen(Service(UNIT, "the table page on the screen", (launcher, unit))),
    ]
