"""The laws of a circuit, by name: each yields violations in plain words. A circuit without any is sound.

Laws of the net list come first, since their violations make the rest meaningless; then power is switched on;
at last whether every tier does what its program counts on. Everything is worst case by data sheet, nothing
was measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from hardware import laws_of_nets as nets
from hardware import laws_of_power as power
from hardware import laws_of_tiers as tiers
from hardware import laws_of_values as values
from hardware.circuit import Circuit
from hardware.subject import Subject

Law = Callable[[Subject], Iterator[str]]

LAWS: Final[dict[str, Law]] = {
    law.__name__: law
    for law in (
        nets.pin_once,
        nets.connected,
        nets.one_ground,
        nets.free_pins,
        nets.supplies,
        nets.one_output,
        nets.capacitors,
        nets.damped,
        nets.fan_out,
        power.voltage,
        power.no_floating,
        power.currents,
        power.levels,
        power.clamps,
        power.safe_start,
        values.damping,
        values.edges,
        values.answers_in_time,
        values.pulls_in_time,
        values.dividers,
        values.fuses,
        tiers.bus_reaches,
        tiers.measures,
        tiers.one_at_a_time,
        tiers.readers_selected,
        tiers.miso_reaches,
        tiers.row_off,
        tiers.row_in_order,
        tiers.pad_reached,
        tiers.buttons_work,
        tiers.lamp_works,
    )
}


def findings(circuit: Circuit) -> Iterator[tuple[str, str]]:
    """Yield each violated law and its violation; a caller who wants only the first stops there."""
    it = Subject(circuit)
    for name, law in LAWS.items():
        for finding in law(it):
            yield name, finding
