"""Optional parts of an installation: a Wi-Fi access point, the page on the machine's screen.

A part stays over every later `companion install`: the files on the disk show that it was requested.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.hotspot import Hotspot
from companion.install import console, hotspot, kiosk
from companion.install.machine import Machine
from companion.install.steps import Step


class Extras(NamedTuple):
    """The requested parts; by default none."""

    hotspot: Hotspot | None = None
    kiosk: bool = False


def remembered(machine: Machine) -> Extras:
    """Return the parts that were requested before."""
    return Extras(hotspot.remembered(machine), kiosk.remembered(machine))


def steps(machine: Machine, wanted: Extras) -> list[Step]:
    """Return all steps that install the parts; the login screen shows the table's address in any case."""
    return [
        *(hotspot.steps(wanted.hotspot) if wanted.hotspot is not None else ()),
        console.issue(wanted.hotspot),
        *(kiosk.steps(machine) if wanted.kiosk else ()),
    ]


def unwanted(machine: Machine, wanted: Extras) -> list[Step]:
    """Return the steps of parts that are no longer wanted, in the order in which to undo them."""
    before = remembered(machine)
    undone: list[Step] = []
    if before.hotspot is not None and wanted.hotspot is None:
        undone += hotspot.steps(before.hotspot)
    if before.kiosk and not wanted.kiosk:
        undone += kiosk.installed(machine)
    return undone[::-1]
