"""The only place where the firmware reads a clock or sleeps, so that another clock can be put in."""

from time import sleep_ms, sleep_us, ticks_diff, ticks_ms, ticks_us

__all__ = ["sleep_ms", "sleep_us", "ticks_diff", "ticks_ms", "ticks_us"]
