"""MicroPython's module `select`, as far as `poll` on stdin and stdout: the VM's own says "ready" always."""

import outside
import world

POLLIN = 1
POLLOUT = 4
_READY = [(None, POLLIN)]
_NOTHING = []
_CTRL_C = 2


class poll:  # noqa: N801  its name in MicroPython
    """Waits for bytes on stdin, or for room on stdout."""

    def register(self, stream, events=POLLIN):
        """Register one of both; stdout always has room."""
        self._room = [(None, POLLOUT)] if events & POLLOUT else None

    def poll(self, timeout=-1):
        """Return whether bytes have come. Raises KeyboardInterrupt where they stop the program."""
        if self._room is not None:
            return self._room
        if outside.typed():
            return _READY
        waiting = world.fetch_number(63, 0)  # ?
        if waiting == _CTRL_C:
            raise KeyboardInterrupt
        return _READY if waiting else _NOTHING

    def ipoll(self, timeout=-1):
        """Do the same as `poll`."""
        return self.poll(timeout)
