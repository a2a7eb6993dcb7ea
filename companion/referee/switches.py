"""What the switches under the spaces tell, and what of it has lasted long enough to be believed.

Sensors are numbered from 0; time comes in as an argument (seconds, any origin).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

SWITCH_STILL = 0.35
"""Seconds a switch must be the same: it knows of no sweeps, and does not go on telling."""


class Switch(NamedTuple):
    """A switch as it was `told` last, `since` when, and what it was `settled` as before; None: not known."""

    told: bool | None
    since: float
    settled: bool | None

    def is_pending(self) -> bool:
        """Whether it is not yet what it has been long enough."""
        return self.told is not None and self.told != self.settled


@dataclass(frozen=True)
class Switches:
    """All switches of a track by sensor."""

    by_sensor: Mapping[int, Switch] = field(default_factory=dict)

    def shown(self, spaces: Mapping[int, bool | None], now: float) -> Switches:
        """As they are told now; None: not known, which is not open."""
        return Switches({sensor: self._told(sensor, closed, now) for sensor, closed in spaces.items()})

    def _told(self, sensor: int, closed: bool | None, now: float) -> Switch:
        switch = self.by_sensor.get(sensor)
        if switch is not None and switch.told == closed:
            return switch
        settled = None if switch is None or closed is None else switch.settled
        return Switch(closed, now, settled)

    def due(self, now: float) -> Sequence[frozenset[int]]:
        """The sensors that have been long enough what they are told, in the order in which it happened."""
        lasting = [sensor for sensor in self.pending() if now >= self.since(sensor) + SWITCH_STILL]
        lasting.sort(key=self.since)
        return [frozenset(together) for _, together in groupby(lasting, key=self.since)]

    def believed(self, sensors: frozenset[int]) -> Switches:
        """What these are told is what they are."""
        settled = {s: switch._replace(settled=switch.told) for s in sensors if (switch := self.by_sensor[s])}
        return Switches({**self.by_sensor, **settled})

    def pending(self) -> Iterator[int]:
        """The sensors that are not yet what they have been long enough."""
        return (sensor for sensor, switch in self.by_sensor.items() if switch.is_pending())

    def settled(self, sensor: int) -> bool | None:
        """Whether something is felt there; None: not known."""
        switch = self.by_sensor.get(sensor)
        return None if switch is None else switch.settled

    def since(self, sensor: int) -> float:
        """Since when this switch is told as it is."""
        return self.by_sensor[sensor].since

    def is_opening(self, sensor: int) -> bool:
        """Whether something was felt there until a moment ago."""
        switch = self.by_sensor.get(sensor)
        return switch is not None and bool(switch.settled) and switch.told is False

    def closed(self) -> list[int]:
        """The sensors that feel something."""
        return [sensor for sensor, switch in self.by_sensor.items() if switch.settled]

    def known(self) -> frozenset[int]:
        """The sensors that tell anything."""
        return frozenset(s for s, switch in self.by_sensor.items() if switch.settled is not None)

    def closing(self) -> bool:
        """Whether something has just come down somewhere."""
        return any(self.by_sensor[sensor].told for sensor in self.pending())

    def are_beside(self, sensor: int, other: int) -> bool:
        """Whether one magnet may close both; the track may be a loop."""
        around = len(self.by_sensor)
        return (sensor - other) % around in (1, around - 1)

    def deadlines(self) -> Iterator[float]:
        """When each sensor that changed will have been long enough what it is told."""
        return (self.since(sensor) + SWITCH_STILL for sensor in self.pending())
