"""The steps of `companion install`, in order; undone in the opposite order."""

from __future__ import annotations

from collections.abc import Iterator

from companion.devices.gpio_library import MODEL, model
from companion.install import command, extras, files, nightly, rollback
from companion.install.extras import Extras
from companion.install.files import DATA, GROUPS, NOTED, UNIT
from companion.install.machine import Machine
from companion.install.package_errors import LOG
from companion.install.program import NAME, Program
from companion.install.steps import Directory, File, Line, Packages, Service, Step, Traces, User

CONFIGS = ("/boot/firmware/config.txt", "/boot/config.txt")
SPI, BUTTON = "dtparam=spi=on", "dtoverlay=gpio-shutdown"
AVAHI = Packages(
    ("avahi-daemon", "avahi-utils"),
    "the name companion.local",
    f"{NOTED}-name",
    without="without a network the table is found by its address only; run this again with one",
)
GPIO = ("python3-spidev", "python3-lgpio", "python3-rpi-lgpio")


def steps(machine: Machine, wanted: Extras | None = None) -> list[Step]:
    """Return all steps for this machine, with these extras, or those that were requested before.

    Steps for a Pi only are left out elsewhere.
    """
    program = Program()
    unit = File(
        f"/etc/systemd/system/{UNIT}",
        files.SERVICE,
        "how the companion runs, and what it may",
        tell=("systemctl", "daemon-reload"),
    )
    return [
        Traces((LOG,), "what apt and pip said"),
        Traces((rollback.LINK, rollback.PATH), "the way back while an update is tried"),
        *_of_a_pi(machine),
        AVAHI,
        program,
        command.STEP,
        User(NAME, DATA, GROUPS),
        Directory(DATA, NAME),
        File(
            f"/etc/udev/rules.d/60-{NAME}.rules",
            files.UDEV,
            "the Pico, the pad's bus and the pins are for their groups",
            tell=("systemctl", "try-restart", "systemd-udevd.service"),
        ),
        File(
            f"/etc/systemd/journald.conf.d/{NAME}.conf",
            files.JOURNALD,
            "a log that spares the SD card",
            tell=("systemctl", "try-restart", "systemd-journald.service"),
            alone=True,
        ),
        *nightly.steps(),
        unit,
        Service(UNIT, "the table and its pages, on port 80", (program, unit)),
        *extras.steps(machine, extras.remembered(machine) if wanted is None else wanted),
    ]


def _of_a_pi(machine: Machine) -> Iterator[Step]:
    if "Raspberry Pi" not in model(machine.at(str(MODEL))):
        return
    yield Packages(GPIO, "the pad's bus and the pins", NOTED)
    config = next((path for path in CONFIGS if machine.at(path).exists()), CONFIGS[0])
    yield Line(config, SPI, "the bus of the card pad")
    yield Line(config, BUTTON, "a button between GPIO 3 and GND shuts the Pi down, and starts it")
