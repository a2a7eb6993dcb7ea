"""MicroPython's module `select`, as far as `poll` on stdin and stdout."""

import outside

POLLIN = 1
POLLOUT = 4
_CTRL_C = 2


class poll:  # noqa: N801  its name in MicroPython
    def register(self, stream, events=POLLIN):
        self._room = [(None, POLLOUT)] if events & POLLOUT else None

    def poll(self, timeout=-1):
        if self._room is not None:
            return self._room  # the host reads always
        waiting = outside.waiting()
        if waiting == _CTRL_C:
            raise KeyboardInterrupt
        return [(None, POLLIN)] if waiting else []
