"""Statistics of the track from its messages: the figures of its health."""

from __future__ import annotations

import time
from collections import deque
from typing import NamedTuple

from companion.devices.health import Kind, SensorHealth, TrackHealth, Wire
from companion.devices.readings import PartState
from companion.devices.track_state import ChangeEvent, Heartbeat, Hello, Message, Snapshot, Tags, TrackState
from companion.message import Sentence

HEARTBEATS = 60  # of 0.5 s: misses are counted over half a minute


class _Received(NamedTuple):
    """The latest messages of the Pico; never changed, so that any thread may read them."""

    hi: Hello | None = None
    hb: Heartbeat | None = None
    spaces: tuple[Tags, ...] = ()


class TrackStatistics:
    """Written by the track's own thread at every line; `health` computes the figures on demand."""

    def __init__(self, kind: Kind, spaces: int) -> None:
        self.kind, self.spaces = kind, spaces
        self._state: tuple[PartState, Sentence | None] = ("tap", None)
        self._wire: Wire = "absent"
        self._port: str | None = None
        self._ports: tuple[str, ...] = ()
        self._received = _Received()
        self._lines = self._resyncs = self._hurt = self._hurt_before = 0
        self._misses: deque[list[int]] = deque(maxlen=HEARTBEATS)
        self._changed = [0.0] * spaces

    def is_(self, state: PartState, why: Sentence | None) -> None:
        """Set the track's state."""
        self._state = state, why

    def plugged(self, port: str) -> None:
        """Set the port that is there."""
        self._port = port

    def line_lost(self, wire: Wire, ports: tuple[str, ...] = ()) -> None:
        """Handle the loss of the line: the state of the sensors is unknown; `ports` are there now."""
        self._wire, self._ports, self._received = wire, ports, _Received(self._received.hi)
        self._hurt_before, self._hurt = self._hurt_before + self._hurt, 0
        if wire == "absent":
            self._port = None

    def snapshot_requested(self) -> None:
        """Count a request for a snapshot."""
        self._resyncs += 1

    def message_received(self, message: Message, track_state: TrackState, hurt: int) -> None:
        """Process one good line, and the state with it; `hurt` counts the bad ones since the port
        was opened.
        """
        self._lines, self._hurt = self._lines + 1, hurt
        if track_state.whole:
            self._wire = "ok"
        if isinstance(message, ChangeEvent) and track_state.whole:  # otherwise the space may not exist
            for space, _ in message.changes:
                if self._received.spaces and self._received.spaces[space] is not None:
                    self._changed[space] = time.monotonic()
        elif isinstance(message, Snapshot):
            self._changed = [
                then if content == before else time.monotonic()
                for then, content, before in zip(
                    self._changed,
                    track_state.spaces,
                    self._received.spaces or track_state.spaces,
                    strict=True,
                )
            ]
        elif isinstance(message, Heartbeat):
            self._misses.append(message.misses)
        self._received = _Received(
            track_state.hi, track_state.hb, tuple(track_state.spaces) if track_state.whole else ()
        )

    @property
    def health(self) -> TrackHealth:
        """All figures now."""
        received = self._received
        hi, hb = received.hi, received.hb
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
            sensors=tuple(self._sensor(i, received) for i in range(self.spaces)),
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

    def _sensor(self, i: int, received: _Received) -> SensorHealth:
        hi = received.hi
        return SensorHealth(
            i,
            self.kind,
            fault=dict(hi.faulty).get(i) if hi else None,
            version=(hi.versions[i] or None) if hi and i < len(hi.versions) else None,
            step_ma=hi.steps[i] if hi and i < len(hi.steps) else None,
            misses=sum(misses[i] for misses in list(self._misses) if i < len(misses)),
            changed=self._changed[i] or None,
            lies=received.spaces[i] if i < len(received.spaces) else None,
        )
