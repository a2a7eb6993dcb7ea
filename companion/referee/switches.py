"""The switches under the spaces, and which changes have lasted long enough to be believed.

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
    """A switch: last reported state, `since` when, and the `settled` state before; None: unknown."""

    reported: bool | None
    since: float
    settled: bool | None

    def is_pending(self) -> bool:
        """Return True if the reported state differs from the settled one."""
        return self.reported is not None and self.reported != self.settled


@dataclass(frozen=True)
class Switches:
    """All switches of a track by sensor."""

    by_sensor: Mapping[int, Switch] = field(default_factory=dict)

    def updated(self, spaces: Mapping[int, bool | None], now: float) -> Switches:
        """Return the switches after this report; None: unknown, which is not open."""
        return Switches({sensor: self._reported(sensor, closed, now) for sensor, closed in spaces.items()})

    def _reported(self, sensor: int, closed: bool | None, now: float) -> Switch:
        switch = self.by_sensor.get(sensor)
        if switch is not None and switch.reported == closed:
            return switch
        settled = None if switch is None or closed is None else switch.settled
        return Switch(closed, now, settled)

    def due(self, now: float) -> Sequence[frozenset[int]]:
        """Return the sensors whose report has lasted long enough, grouped by time, the earliest first."""
        lasting = [sensor for sensor in self.pending() if now >= self.since(sensor) + SWITCH_STILL]
        lasting.sort(key=self.since)
        return [frozenset(together) for _, together in groupby(lasting, key=self.since)]

    def believed(self, sensors: frozenset[int]) -> Switches:
        """Return the switches with the reported state of these sensors settled."""
        settled = {
            s: switch._replace(settled=switch.reported) for s in sensors if (switch := self.by_sensor[s])
        }
        return Switches({**self.by_sensor, **settled})

    def pending(self) -> Iterator[int]:
        """Return the sensors whose reported state differs from the settled one."""
        return (sensor for sensor, switch in self.by_sensor.items() if switch.is_pending())

    def settled(self, sensor: int) -> bool | None:
        """Return True if something is sensed there; None: unknown."""
        switch = self.by_sensor.get(sensor)
        return None if switch is None else switch.settled

    def since(self, sensor: int) -> float:
        """Return the time since when this switch has its reported state."""
        return self.by_sensor[sensor].since

    def is_opening(self, sensor: int) -> bool:
        """Return True if something was sensed there until a moment ago."""
        switch = self.by_sensor.get(sensor)
        return switch is not None and bool(switch.settled) and switch.reported is False

    def closed(self) -> list[int]:
        """Return the sensors that feel something."""
        return [sensor for sensor, switch in self.by_sensor.items() if switch.settled]

    def known(self) -> frozenset[int]:
        """Return the sensors with a known state."""
        return frozenset(s for s, switch in self.by_sensor.items() if switch.settled is not None)

    def closing(self) -> bool:
        """Return True if something has just been set down somewhere."""
        return any(self.by_sensor[sensor].reported for sensor in self.pending())

    def are_adjacent(self, sensor: int, other: int) -> bool:
        """Return True if one magnet may close both; the track may be a loop."""
        around = len(self.by_sensor)
        return (sensor - other) % around in (1, around - 1)

    def deadlines(self) -> Iterator[float]:
        """Return the times at which each changed sensor has been stable for `SWITCH_STILL`."""
        return (self.since(sensor) + SWITCH_STILL for sensor in self.pending())
