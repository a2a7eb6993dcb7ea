"""MicroPython's module `machine` where there is no Pico: everything is asked of the model in the test.

Classes, constants and functions are those of companion/devices/mock/machine.py; pins,
the bus and the ADC have shortcuts here.
"""

import world


def _written(value):
    """Return an argument as JSON carries it: a part by its number, a function not at all."""
    if isinstance(value, Part):
        return {"part": value._number}
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": value.hex()}
    return None if callable(value) else value


def _asked(kind, number, name, args, how):
    question = [name, [_written(one) for one in args], {key: _written(one) for key, one in how.items()}]
    return world.ask(ord(kind), number, question)


class Part:
    """Something of the module `machine` in the model, by its number."""

    def __init__(self, *args, **how):
        self._number = _asked("N", 0, self._name, args, how)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **how: _asked("C", self._number, name, args, how)


class _Pin(Part):
    def value(self, level=None):
        if level is None:
            return world.fetch_number(112, self._number)  # p
        world.send_byte(80, self._number, 1 if level else 0)  # P
        return None

    __call__ = value

    def on(self):
        world.send_byte(80, self._number, 1)

    def off(self):
        world.send_byte(80, self._number, 0)

    high = on
    low = off


class _SPI(Part):
    def write_readinto(self, out, into):
        world.fetch(88, self._number, out, into)  # X

    def readinto(self, into, write=0):
        world.fetch(82, self._number, into, into)  # R: as long as this


class _ADC(Part):
    def read_u16(self):
        return world.fetch_number(65, self._number)  # A


class _WDT(Part):
    def feed(self):
        world.send(68, self._number, b"")  # D


def _classes():
    there = world.ask(ord("G"), 0, None)
    bases = {"Pin": _Pin, "SPI": _SPI, "ADC": _ADC, "WDT": _WDT}
    for name, constants in there["classes"].items():
        constants["_name"] = name
        globals()[name] = type(name, (bases.get(name, Part),), constants)
    for name, value in there["constants"].items():
        globals()[name] = value
    for name in there["functions"]:
        globals()[name] = _function(name)


def _function(name):
    return lambda *args, **how: _asked("F", 0, name, args, how)


class _Memory:
    def __getitem__(self, address):
        return _asked("F", 0, "peek", [address], {})


_classes()
mem32 = _Memory()
