"""A reserved port is there for one server, as often as it starts, and for no other program."""

from __future__ import annotations

import socket

import pytest

from tests.support.ports import reserved_port


def test_a_server_listens_on_a_reserved_port_again_and_again() -> None:
    port = reserved_port()
    for _ in range(3):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
        with socket.create_server(("127.0.0.1", port)), socket.create_connection(("127.0.0.1", port)):
            pass


def test_a_program_that_asks_for_any_port_does_not_get_it() -> None:
    """The kernel gives one only after it found that no socket is bound to it."""
    reserved = {reserved_port() for _ in range(20)}
    assert len(reserved) == 20
    given = [socket.create_server(("127.0.0.1", 0)) for _ in range(100)]
    assert reserved.isdisjoint(one.getsockname()[1] for one in given)
    for one in given:
        one.close()
    for port in reserved:
        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind(("127.0.0.1", port))
