"""The device that sends a request, and the seats of the table that it may hold."""

from __future__ import annotations

from flask import current_app

from companion.http.roles import device, roles
from companion.web.seats import Asker, Seats


def seats() -> Seats:
    """Return the seats of the table that this app serves."""
    seats: Seats = current_app.extensions["companion.seats"]
    return seats


def asker() -> Asker:
    """Return the device that sends this request, and whether it has the role of the table."""
    return Asker(device(), "table" in roles())
