"""MicroPython's module `time` over the model's clock. Ticks wrap around at 2 ** 30, as they do on a Pico.

All sums stay below 2 ** 30 either way: beyond, a number is an object, and the heap's figures would be wrong.
"""

import world

_HALF = 0x20000000  # of the period of ticks


def ticks_us():
    """Return microseconds since an arbitrary moment."""
    return world.fetch_number(84, 0)  # T


def ticks_ms():
    """Return milliseconds since an arbitrary moment."""
    return world.fetch_number(116, 0)  # t


def ticks_diff(later, earlier):
    """Return the ticks from `earlier` to `later`, around the wrap."""
    return _around(later - earlier)


def ticks_add(ticks, delta):
    """Return the ticks `delta` later."""
    return _around(ticks - _HALF + delta) + _HALF


def _around(ticks):
    """Return -_HALF to _HALF - 1, on the circle of ticks."""
    if ticks >= _HALF:
        return ticks - _HALF - _HALF
    return ticks + _HALF + _HALF if ticks < -_HALF else ticks


def sleep_us(us):
    """Let virtual time pass."""
    world.fetch_number(83, 0) if us <= 0 else _sleep(us)  # S


def _sleep(us):
    while us > 0:
        world.fetch_number(83, min(us, 65535))
        us -= 65535


def sleep_ms(ms):
    """Let virtual time pass."""
    sleep_us(ms * 1000)


def sleep(seconds):
    """Let virtual time pass."""
    sleep_us(int(seconds * 1000000))
