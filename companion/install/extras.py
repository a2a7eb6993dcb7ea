"""What only some tables want of a machine: a Wi-Fi of its own, the page on its own screen.

Whoever asked for one keeps it over every later `companion install`: what is on the disk says that it was
asked for.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.hotspot import Hotspot
from companion.install import console, hotspot, kiosk
from companion.install.machine import Machine
from companion.install.steps import Step


class Extras(NamedTuple):
    """What is wanted; by itself nothing."""

    hotspot: Hotspot | None = None
    kiosk: bool = False


def remembered(machine: Machine) -> Extras:
    """What was asked for before."""
    return Extras(hotspot.remembered(machine), kiosk.remembered(machine))


def steps(machine: Machine, wanted: Extras) -> list[Step]:
    """All that makes it; the login screen says where the table is in any case."""
    return [
        *(hotspot.steps(wanted.hotspot) if wanted.hotspot is not None else ()),
        console.issue(wanted.hotspot),
        *(kiosk.steps(machine) if wanted.kiosk else ()),
    ]


def unwanted(machine: Machine, wanted: Extras) -> list[Step]:
    """What was made before and is no longer wanted, in the order in which it is to be undone."""
    before = remembered(machine)
    made: list[Step] = []
    if before.hotspot is not None and wanted.hotspot is None:
        made += hotspot.steps(before.hotspot)
    if before.kiosk and not wanted.kiosk:
        made += kiosk.made(machine)
    return made[::-1]
