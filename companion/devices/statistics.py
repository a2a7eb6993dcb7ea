"""Statistics of the track from its messages: the figures of its health."""

from __future__ import annotations

import time
from collections import deque
from typing import NamedTuple

from companion.devices.health import Kind, SensorHealth, TrackHealth, Wire
from companion.devices.picture import Ev, Hb, Hi, Message, Snap, Tags, TrackPicture
from companion.devices.readings import PartState
from companion.message import Sentence

HEARTBEATS = 60  # of 0.5 s: misses are counted over half a minute


class _Told(NamedTuple):
    """The latest messages of the Pico; never changed, so that any thread may read them."""

    hi: Hi | None = None
    hb: Hb | None = None
    spaces: tuple[Tags, ...] = ()


class TrackStatistics:
    """Written by the track's own thread at every line; `health` computes the figures on demand."""

    def __init__(self, kind: Kind, spaces: int) -> None:
        self.kind, self.spaces = kind, spaces
        self._state: tuple[PartState, Sentence | None] = ("tap", None)
        self._wire: Wire = "absent"
        self._port: str | None = None
        self._ports: tuple[str, ...] = ()
        self._told = _Told()
        self._lines = self._resyncs = self._hurt = self._hurt_before = 0
        self._misses: deque[list[int]] = deque(maxlen=HEARTBEATS)
        self._changed = [0.0] * spaces

    def is_(self, state: PartState, why: Sentence | None) -> None:
        """Set the track's state."""
        self._state = state, why

    def plugged(self, port: str) -> None:
        """Set the port that is there."""
        self._port = port

    def gone(self, wire: Wire, ports: tuple[str, ...] = ()) -> None:
        """Handle the loss of the line: the state of the sensors is unknown; `ports` are there now."""
        self._wire, self._ports, self._told = wire, ports, _Told(self._told.hi)
        self._hurt_before, self._hurt = self._hurt_before + self._hurt, 0
        if wire == "absent":
            self._port = None

    def asked(self) -> None:
        """Count a request for a snapshot."""
        self._resyncs += 1

    def heard(self, message: Message, picture: TrackPicture, hurt: int) -> None:
        """Process one good line, and the state with it; `hurt` counts the bad ones since the port
        was opened.
        """
        self._lines, self._hurt = self._lines + 1, hurt
        if picture.whole:
            self._wire = "ok"
        if isinstance(message, Ev) and picture.whole:  # otherwise it may name a space that does not exist
            for space, _ in message.changes:
                if self._told.spaces and self._told.spaces[space] is not None:
                    self._changed[space] = time.monotonic()
        elif isinstance(message, Snap):
            self._changed = [
                then if lies == before else time.monotonic()
                for then, lies, before in zip(
                    self._changed, picture.spaces, self._told.spaces or picture.spaces, strict=True
                )
            ]
        elif isinstance(message, Hb):
            self._misses.append(message.misses)
        self._told = _Told(picture.hi, picture.hb, tuple(picture.spaces) if picture.whole else ())

    @property
    def health(self) -> TrackHealth:
        """All figures now."""
        told = self._told
        hi, hb = told.hi, told.hb
        state, why = self._state
        return TrackHealth(
            state=state,
            why=why,
            wire=self._wire,
            port=self._port,
            ports=self._ports,
            firmware=hi.firmware if hi else None,
            board=hi.board if hi else None,
            started_by=hi.cause if hi else None,
            sensors=tuple(self._sensor(i, told) for i in range(self.spaces)),
            power=hb.power if hb else None,
            sweep_ms=(hb.sweep or None) if hb else None,  # 0: it has not looked at all of them yet
            celsius=hb.celsius if hb else None,
            volts=hb.volts if hb else None,
            milliamperes=(hb.ma or None) if hb else None,
            lines=self._lines,
            hurt=self._hurt_before + self._hurt,
            resyncs=self._resyncs,
            shared={tag: frozenset(spaces) for tag, spaces in hb.shared} if hb else {},
        )

    def _sensor(self, i: int, told: _Told) -> SensorHealth:
        hi = told.hi
        return SensorHealth(
            i,
            self.kind,
            fault=dict(hi.faulty).get(i) if hi else None,
            version=(hi.versions[i] or None) if hi and i < len(hi.versions) else None,
            step_ma=hi.steps[i] if hi and i < len(hi.steps) else None,
            misses=sum(misses[i] for misses in list(self._misses) if i < len(misses)),
            changed=self._changed[i] or None,
            lies=told.spaces[i] if i < len(told.spaces) else None,
        )
