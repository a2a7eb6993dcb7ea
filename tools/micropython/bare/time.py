"""MicroPython's module `time` in real time; asleep, it does not keep the machine busy."""

import outside


def ticks_ms():
    return outside.milliseconds()


def ticks_us():
    return outside.milliseconds() * 1000 & 0x3FFFFFFF


def ticks_diff(later, earlier):
    return ((later - earlier + 0x20000000) & 0x3FFFFFFF) - 0x20000000


def sleep_ms(ms):
    outside.nap(ms)


def sleep_us(us):
    outside.nap(us // 1000)


def sleep(seconds):
    outside.nap(int(seconds * 1000))
