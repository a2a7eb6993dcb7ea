"""The way back from a version that is on trial, if the power is cut before it has answered.

    python -P -m companion.install.rollback BEFORE COPY SCHEMA LAST

`companion update` writes a unit of systemd before it changes to another version, and deletes it as soon as
that version has answered. A machine that starts with this unit goes back to the version before, which runs
this file. A version that has written an entry has worked: it stays.
"""

from __future__ import annotations

import shlex
import sqlite3
import sys
from pathlib import Path
from typing import Final, NamedTuple

from companion.install.files import DATA, UNIT
from companion.install.machine import InstallError, Machine, sync_directory
from companion.install.program import CURRENT, HOME, NAME, current, switch

JOURNAL: Final = f"{DATA}/journal.sqlite"
PATH: Final = f"/etc/systemd/system/{NAME}-rollback.service"
LINK: Final = f"/etc/systemd/system/multi-user.target.wants/{NAME}-rollback.service"

_UNIT: Final = f"""\
# made by `companion update`, until the version that it changed to has answered
[Unit]
Description=Race companion: back to the version before, after a power cut in an update
Before={UNIT}
ConditionPathIsSymbolicLink={CURRENT}

[Service]
Type=oneshot
ExecStart={HOME}/{{before}}/bin/python -P -m companion.install.rollback {{arguments}}

[Install]
WantedBy=multi-user.target
"""


class Trial(NamedTuple):
    """What the machine had when a version's trial began.

    The version before; where its data were copied to; the number of the journal's schema, and of its last
    entry.
    """

    before: str
    copy: str
    schema: int
    last: int


def begin(machine: Machine, before: str, copy: str) -> Trial:
    """Begin a trial: from now on a machine that starts goes back to `before`. Raises InstallError."""
    trial = Trial(before, copy, number(machine, "PRAGMA user_version"), last_entry(machine))
    arguments = shlex.join(str(value) for value in trial)
    machine.write(PATH, _UNIT.format(before=before, arguments=arguments))
    link = machine.at(LINK)
    try:
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(PATH)
        sync_directory(link.parent)
    except OSError as error:
        raise InstallError(f"{LINK} cannot be written: {error.strerror or error}") from None
    return trial


def end(machine: Machine) -> None:
    """End a trial: the version that runs stays. Does nothing if there is none."""
    for path in (LINK, PATH):
        real_path = machine.at(path)
        if real_path.is_symlink() or real_path.exists():
            real_path.unlink()
            sync_directory(real_path.parent)


def go_back(machine: Machine, trial: Trial) -> None:
    """Change to the version before, whose service must not run, and to its journal if the other changed it.

    The data that the other version left are in a folder next to it. Raises InstallError.
    """
    switch(machine, trial.before)
    if number(machine, "PRAGMA user_version") != trial.schema:
        python = f"{HOME}/{trial.before}/bin/python"
        restore = ("-m", "companion", "restore", trial.copy, "--yes", "--data", DATA)
        machine.run("runuser", "-u", NAME, "--", python, *restore)


def last_entry(machine: Machine) -> int:
    """Return the number of the last entry that the journal ever had; 0 if it has none, or other tables."""
    try:
        return number(machine, "SELECT coalesce(max(seq), 0) FROM entries")
    except sqlite3.Error:
        return 0


def number(machine: Machine, query: str) -> int:
    """Return what a query of the journal answers; 0 without a journal. Raises sqlite3.Error."""
    if not machine.at(JOURNAL).exists():
        return 0
    db = sqlite3.connect(f"file:{machine.at(JOURNAL)}?mode=ro", uri=True)
    try:
        return int(db.execute(query).fetchone()[0])
    finally:
        db.close()


def after_a_start(machine: Machine, trial: Trial) -> str:
    """Go back if the version on trial has not worked; end the trial; return what was done, for the log."""
    tried = current(machine)
    if tried == trial.before:
        outcome = f"the power was cut before an update: {tried} runs on"
    elif last_entry(machine) > trial.last:
        outcome = f"{tried} has been played with since the update: it stays"
    else:
        go_back(machine, trial)
        outcome = f"the power was cut before {tried} had answered: back to {trial.before}; update again"
    end(machine)
    return outcome


if __name__ == "__main__":
    _before, _copy, _schema, _last = sys.argv[1:]
    print(after_a_start(Machine(Path("/")), Trial(_before, _copy, int(_schema), int(_last))))
