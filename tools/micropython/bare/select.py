"""MicroPython's module `select`, as far as `poll` on stdin."""

import outside

POLLIN = 1
_CTRL_C = 2


class poll:  # noqa: N801  its name in MicroPython
    def register(self, stream, events=POLLIN):
        pass

    def poll(self, timeout=-1):
        waiting = outside.waiting()
        if waiting == _CTRL_C:
            raise KeyboardInterrupt
        return [(None, POLLIN)] if waiting else []
