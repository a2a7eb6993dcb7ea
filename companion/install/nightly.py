"""A copy of everything each night, also on a stick or disk with the label COMPANION, if one is plugged in.

python -m companion.install.nightly

run as root after the copy was made, writes the newest one to that medium. It is mounted for that alone, so it
may be pulled out at any other time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.install.files import DATA
from companion.install.machine import InstallError, Machine
from companion.install.program import CURRENT, NAME
from companion.install.steps import File, Service, Step, Traces
from companion.store.backup import BackupError, dated, keep_newest, write
from companion.store.nightly import FOLDER, LABEL, note

COPIES = f"{DATA}/{FOLDER}"
MEDIA = (f"/dev/disk/by-label/{LABEL}", f"/dev/disk/by-label/{LABEL.lower()}")
COPIES_HERE, COPIES_ON_MEDIUM = 7, 60
STAMP = f"/var/lib/systemd/timers/stamp-{NAME}-nightly.timer"  # systemd's own, for Persistent=yes
UNIT, TIMER = f"{NAME}-nightly.service", f"{NAME}-nightly.timer"

SERVICE = f"""\
# made by `companion install`
[Unit]
Description=Race companion: a copy of everything
ConditionPathExists={DATA}/journal.sqlite

[Service]
Type=oneshot
User={NAME}
WorkingDirectory={DATA}
Environment=PYTHONDONTWRITEBYTECODE=1
UMask=0077
ExecStartPre=mkdir -p {COPIES}
ExecStart={CURRENT}/bin/python -m companion backup --into {COPIES} --keep {COPIES_HERE} --data {DATA}
# as root, who may mount
ExecStartPost=+{CURRENT}/bin/python -m companion.install.nightly
Nice=10
IOSchedulingClass=idle
MemoryMax=300M
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths={DATA}
ProtectHome=yes
PrivateMounts=yes
PrivateTmp=yes
PrivateNetwork=yes
"""

EACH_NIGHT = """\
# made by `companion install`; a Pi that is off at night makes up for it when it starts
[Unit]
Description=Race companion: a copy of everything each night

[Timer]
OnCalendar=*-*-* 04:30
Persistent=yes

[Install]
WantedBy=timers.target
"""


def steps() -> list[Step]:
    """Return the steps that install the nightly copy."""
    reload = ("systemctl", "daemon-reload")
    copies = File(f"/etc/systemd/system/{UNIT}", SERVICE, "how a copy is made", tell=reload)
    when = File(f"/etc/systemd/system/{TIMER}", EACH_NIGHT, "when one is made", tell=reload)
    why = f"a copy each night, on a stick or disk called {LABEL} too"
    return [
        Traces((STAMP,), "when the last copy was made"),
        copies,
        when,
        Service(TIMER, why, (copies, when)),
    ]


def carry(copies: Path, medium: Path) -> str | None:
    """Write the newest copy to a medium, unless it is there, and delete the oldest; return its name.

    None if there is no copy. BackupError if it cannot be written.
    """
    newest = next(reversed(dated(copies)), None)
    if newest is None:
        return None
    there = medium / newest.name
    if not there.exists():
        # the owner of the copies may have put a link there, and root reads everything
        with open(newest, "rb", opener=lambda path, flags: os.open(path, flags | os.O_NOFOLLOW)) as file:
            write(file.read(), there)
    keep_newest(medium, there, COPIES_ON_MEDIUM)
    return newest.name


def bring(machine: Machine, copies: Path) -> str:
    """Write the copy to the medium, if there is one; return the outcome. Raises InstallError, and
    notes why.
    """
    device = next((path for path in MEDIA if machine.at(path).exists()), None)
    if device is None:
        note(copies, None, None)
        return f"no stick or disk called {LABEL} is plugged in: the copies are on this machine only"
    try:
        with _mounted(machine, device) as medium:
            name = carry(copies, medium)
    except (BackupError, InstallError, OSError) as error:
        note(copies, None, str(error))
        raise InstallError(f"the copy is on this machine only: {error}") from None
    note(copies, name, None)
    return f"{name} is on {LABEL}"


@contextmanager
def _mounted(machine: Machine, device: str) -> Iterator[Path]:
    with TemporaryDirectory(prefix=f"{NAME}-medium-") as place:
        machine.run("mount", "-o", "nosuid,nodev,noexec", str(machine.at(device)), place)
        try:
            yield Path(place)
        finally:
            with suppress(InstallError):  # the medium is unmounted when this program ends, too
                machine.run("umount", place)


if __name__ == "__main__":
    try:
        print(bring(Machine(), Path(COPIES)))
    except InstallError as problem:
        sys.exit(str(problem))
