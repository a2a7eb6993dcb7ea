"""Instruments other than the parts: the Pi's own report, the recorder, the stopwatch, errors of screens."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from companion.devices.pi_health import Pi
from companion.devices.recorder import Recorder
from companion.diagnostics.latency import Latency
from companion.diagnostics.screens import ScreenErrors


@dataclass(frozen=True)
class Instruments:
    """The instruments of one table; without a `recorder` nothing can be recorded."""

    pi: Pi = field(default_factory=Pi)
    recorder: Recorder | None = None
    latency: Latency = field(default_factory=Latency)
    screens: ScreenErrors = field(default_factory=ScreenErrors)
    testing: threading.Lock = field(default_factory=threading.Lock)  # one test of a reader at a time
