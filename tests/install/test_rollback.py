"""The way back from a version on trial, after a power cut; tests/machine cuts the power of a machine that updates."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.install import plan, rollback
from companion.install.machine import InstallError, Machine
from companion.install.program import HOME, current, switch
from companion.install.rollback import LINK, PATH, Trial, after_a_start, begin, end

OLD, NEW = "0.1.0-aaaaaaaa", "0.2.0-bbbbbbbb"
COPY = "/var/lib/race-companion/before-update/a copy"


class Noted(Machine):
    """A machine on which programs do nothing but are noted."""

    asked: list[str] = []

    def run(self, *command: str) -> str:
        self.asked.append(" ".join(command))
        return ""


@pytest.fixture
def machine(tmp_path: Path) -> Noted:
    """Return a machine with two versions side by side, of which the old one runs, and a journal of three entries."""
    made = Noted(tmp_path)
    Noted.asked = []
    for name in (OLD, NEW):
        made.at(f"{HOME}/{name}").mkdir(parents=True)
    switch(made, OLD)
    made.at(rollback.JOURNAL).parent.mkdir(parents=True)
    journal(
        made, "create table entries (seq integer primary key)", *["insert into entries default values"] * 3
    )
    return made


def journal(machine: Machine, *statements: str) -> None:
    """Change the journal as a version would."""
    db = sqlite3.connect(machine.at(rollback.JOURNAL))
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def is_armed(machine: Machine) -> bool:
    """Return True if the next start of the machine goes back."""
    return machine.at(LINK).is_symlink() and machine.at(PATH).is_file()


def test_a_trial_that_ends_leaves_nothing(machine: Noted) -> None:
    trial = begin(machine, OLD, COPY)
    assert trial == Trial(OLD, COPY, 0, 3)
    assert is_armed(machine)
    assert machine.at(LINK).readlink() == Path(PATH)
    end(machine)
    assert not machine.at(LINK).is_symlink()
    assert not machine.at(PATH).exists()
    end(machine)


def test_the_unit_runs_the_version_before_and_comes_first(machine: Noted) -> None:
    """It is the old version that goes back: the new one may hang. The folder of the copy may have a blank."""
    begin(machine, OLD, COPY)
    unit = machine.text(PATH)
    assert unit is not None
    assert f"ExecStart={HOME}/{OLD}/bin/python -P -m companion.install.rollback {OLD} '{COPY}' 0 3\n" in unit
    assert "Before=race-companion.service\n" in unit


def test_after_a_power_cut_the_version_before_is_back(machine: Noted) -> None:
    trial = begin(machine, OLD, COPY)
    switch(machine, NEW)
    assert after_a_start(machine, trial).endswith(f"back to {OLD}; update again")
    assert current(machine) == OLD
    assert Noted.asked == [], "its journal was not changed, so it is not restored"
    assert not is_armed(machine)


def test_a_journal_that_was_changed_is_put_back(machine: Noted) -> None:
    trial = begin(machine, OLD, COPY)
    switch(machine, NEW)
    journal(machine, "pragma user_version = 7")
    after_a_start(machine, trial)
    assert current(machine) == OLD
    [restored] = Noted.asked
    assert restored.startswith(
        f"runuser -u race-companion -- {HOME}/{OLD}/bin/python -m companion restore {COPY} --yes"
    )


def test_a_version_that_was_played_with_stays(machine: Noted) -> None:
    """The update was ended by a lost connection, say, and the table was used for days: nothing is put back."""
    trial = begin(machine, OLD, COPY)
    switch(machine, NEW)
    journal(machine, "pragma user_version = 7", "insert into entries default values")
    assert after_a_start(machine, trial).endswith("it stays")
    assert current(machine) == NEW
    assert Noted.asked == []
    assert not is_armed(machine)


def test_a_power_cut_before_the_change(machine: Noted) -> None:
    trial = begin(machine, OLD, COPY)
    assert after_a_start(machine, trial).endswith(f"{OLD} runs on")
    assert current(machine) == OLD
    assert not is_armed(machine)


def test_without_a_journal_or_with_other_tables(machine: Noted) -> None:
    machine.at(rollback.JOURNAL).unlink()
    assert begin(machine, OLD, COPY) == Trial(OLD, COPY, 0, 0)
    journal(machine, "create table later (x)")
    assert begin(machine, OLD, COPY) == Trial(OLD, COPY, 0, 0)


def test_no_way_back_no_update(machine: Noted) -> None:
    machine.at(LINK).parent.parent.mkdir(parents=True)
    machine.at(LINK).parent.touch()
    with pytest.raises(InstallError, match="cannot be written"):
        begin(machine, OLD, COPY)


def test_an_uninstalled_companion_leaves_no_way_back(machine: Noted) -> None:
    begin(machine, OLD, COPY)
    step = next(step for step in plan.steps(machine) if PATH in step.undone)
    step.undo(machine)
    assert not is_armed(machine)
