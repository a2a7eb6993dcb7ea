"""Notes on how the track has been doing, from what it told: the figures of its health."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from companion.devices.health import Kind, SensorHealth, TrackHealth, Wire
from companion.devices.picture import Ev, Hb, Message, Picture, Snap
from companion.devices.seen import PartState
from companion.sentence import Sentence

HEARTBEATS = 60  # of 0.5 s: misses are counted over half a minute


class Notes:
    """Written by the track's own thread; `health` may be read by any."""

    def __init__(self, kind: Kind, spaces: int) -> None:
        self.health = TrackHealth(sensors=tuple(SensorHealth(i, kind) for i in range(spaces)))
        self._misses: deque[list[int]] = deque(maxlen=HEARTBEATS)
        self._changed: dict[int, float] = {}
        self._hurt_before = 0

    def is_(self, state: PartState, why: Sentence | None) -> None:
        """The track is like this."""
        self._note(state=state, why=why)

    def plugged(self, port: str) -> None:
        """A port is there."""
        self._note(port=port)

    def gone(self, wire: Wire) -> None:
        """The line is lost: what was known of the sensors is not known any more."""
        unknown = tuple(sensor._replace(lies=None) for sensor in self.health.sensors)
        self._note(
            wire=wire, sensors=unknown, power=None, port=None if wire == "absent" else self.health.port
        )
        self._hurt_before = self.health.hurt

    def asked(self) -> None:
        """Everything was asked for."""
        self._note(resyncs=self.health.resyncs + 1)

    def heard(self, message: Message) -> None:
        """One good line."""
        self._note(lines=self.health.lines + 1, wire="ok")
        now = time.monotonic()
        if isinstance(message, Ev):
            self._changed |= {space: now for space, _ in message.changes}
        elif isinstance(message, Snap):
            for sensor, lies in zip(self.health.sensors, message.spaces, strict=False):
                if (frozenset(lies) if isinstance(lies, list) else lies) != sensor.lies:
                    self._changed[sensor.space] = now
        elif isinstance(message, Hb):
            self._misses.append(message.misses)

    def write(self, picture: Picture, hurt: int) -> None:
        """The figures as they are now; `hurt` counts the bad lines since the port was opened."""
        hi, hb = picture.hi, picture.hb
        more: dict[str, Any] = {"hurt": self._hurt_before + hurt}
        if hi is not None:
            more |= {"firmware": hi.firmware, "board": hi.board, "started_by": hi.cause}
        if hb is not None:
            more |= {"power": hb.power, "sweep_ms": hb.sweep, "celsius": hb.celsius, "volts": hb.volts}
            more |= {"milliamperes": hb.ma or None, "clones": frozenset(hb.twins)}
        self._note(sensors=tuple(self._sensor(old, picture) for old in self.health.sensors), **more)

    def _sensor(self, old: SensorHealth, picture: Picture) -> SensorHealth:
        hi, i = picture.hi, old.space
        faults = dict(hi.faulty) if hi else {}
        return old._replace(
            fault=faults.get(i),
            version=(hi.versions[i] or None) if hi and i < len(hi.versions) else None,
            step_ma=hi.steps[i] if hi and i < len(hi.steps) else None,
            misses=sum(misses[i] for misses in self._misses if i < len(misses)),
            changed=self._changed.get(i),
            lies=picture.spaces[i] if picture.whole and i < len(picture.spaces) else None,
        )

    def _note(self, **more: Any) -> None:
        self.health = self.health._replace(**more)
