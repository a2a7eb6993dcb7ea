"""The API of seats: join with the code, see a seat's view, free a seat."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import urlsplit

import msgspec
from flask import Blueprint, current_app, request
from msgspec import Meta

from companion.errors import InvalidInput, validation_error
from companion.hotspot import ADDRESS, load_hotspot
from companion.http.request import (
    as_json,
    base_url,
    body,
    done,
    entry,
    published_address,
    published_name,
    table,
    words,
)
from companion.http.roles import client_address, device, needs, new_name, set_device_name
from companion.message import N_
from companion.reply import Done, Reply, Seat
from companion.store.keys import Key
from companion.table.snapshot import Snapshot
from companion.views.seat.page import SeatPage, page
from companion.views.seat.table import SeatTable
from companion.views.seat.table import table as table_of_seat
from companion.web.caller import asker, seats
from companion.web.seats import Renamed

seat_api = Blueprint("seat_api", __name__, url_prefix="/api")

NAME_BYTES = 32  # of an SSID, by IEEE 802.11


class Join(msgspec.Struct, forbid_unknown_fields=True):
    """A seat to take."""

    code: str
    seat: int


class HandOver(msgspec.Struct, forbid_unknown_fields=True):
    """The host's answer to a device that asks for a seat and shows this number."""

    seat: int
    number: int
    grant: bool


class Wifi(msgspec.Struct, forbid_unknown_fields=True):
    """The house's Wi-Fi, for a QR code; without a name none is shown, without a password it is open."""

    name: str
    password: str = ""


WIFI: Final[Key[Wifi | None]] = Key("wifi", Wifi, None)


class Free(msgspec.Struct, forbid_unknown_fields=True):
    """A seat to free."""

    seat: int


class SeatName(msgspec.Struct, forbid_unknown_fields=True):
    """The new name of a seat."""

    name: str


class JoinCode(Reply):
    """The code to join with, the address that contains it, and the name of the Wi-Fi.

    `home` is the URL of these pages by name, such as http://companion.local.
    """

    code: Annotated[str, Meta(pattern="^[2-9A-HJ-NP-Z]{4}$")]
    url: str
    wifi: str | None
    home: str | None


class Joined(Done):
    """The seat that this device holds now."""

    seat: Seat


class Asked(Done):
    """The number to show to the host, who can hand the seat over."""

    number: Annotated[int, Meta(ge=10, le=99)]


@seat_api.get("/seat")
@as_json
def get_seat() -> SeatTable:
    """Return the table as a seat may see it."""
    picture, seat = _asked_for()
    return table_of_seat(picture, words(), seat)


@seat_api.get("/seat/page")
@as_json
def get_seat_page() -> SeatPage:
    """Return the content of a seat's page: for the table, while a secret is held open."""
    picture, seat = _asked_for()
    return page(picture, words(), seat, seats().seating(picture.match))


def _asked_for() -> tuple[Snapshot, int]:
    """Return the picture and the seat to show it to; Forbidden if this device may not have it."""
    picture, asked = table().snapshot, request.args.get("seat")
    try:
        seat = None if asked is None else int(asked)
    except ValueError:
        raise InvalidInput("seat must be a whole number") from None
    return picture, seats().readable(asker(), picture.match, seat)


@seat_api.get("/join")
@needs("table")
@as_json
def get_join() -> JoinCode:
    """Return the code to join with, the address that contains it, and the name of the Wi-Fi."""
    return JoinCode(code=seats().code(), url=join_url(), wifi=wifi_name(), home=published_name())


def join_url() -> str:
    """Return the URL to join at, including the code: only for a device that may show it."""
    return f"{base_url()}/seat?code={seats().code()}"


def _wifi() -> Wifi | None:
    """Return the Wi-Fi in which a phone finds the table: the machine's own if it is on, else the house's."""
    own = own_wifi()
    return own if own is not None else table().ask(lambda t: t.journal.recall(WIFI))


def own_wifi() -> Wifi | None:
    """Return the machine's own Wi-Fi while its address is published to phones; else None."""
    address = urlsplit(published_address() or "").hostname
    found = load_hotspot(current_app.config["COMPANION_HOTSPOT"]) if address == ADDRESS else None
    return None if found is None else Wifi(found.name, found.password)


def entered_name() -> str | None:
    """Return the name of the house's Wi-Fi that the host has entered."""
    wifi = table().ask(lambda t: t.journal.recall(WIFI))
    return wifi.name if wifi else None


def wifi_name() -> str | None:
    """Return the name of the Wi-Fi in which a phone finds the table, if it is known."""
    wifi = _wifi()
    return wifi.name if wifi else None


def wifi_data() -> str | None:
    """Return the content of a QR code that connects a phone to that Wi-Fi; None if it is not known."""
    wifi = _wifi()
    if wifi is None:
        return None
    from segno.helpers import make_wifi_data  # late, as in app.qr

    return make_wifi_data(wifi.name, wifi.password or None, "WPA" if wifi.password else None)


@seat_api.put("/wifi")
@needs("host")
@as_json
def put_wifi() -> Done:
    """Enter the Wi-Fi for guests, or forget it."""
    wifi = body(Wifi)
    if len(wifi.name.encode()) > NAME_BYTES:
        raise validation_error(N_("the name of a Wi-Fi has at most {count} letters"), count=NAME_BYTES)
    if wifi.password and not 8 <= len(wifi.password) <= 63:
        raise validation_error(
            N_("the password of a Wi-Fi has 8 to 63 letters; leave it empty if there is none")
        )
    table().ask(lambda t: t.journal.remember(WIFI, wifi if wifi.name else None))
    return done()


@seat_api.post("/join")
@as_json
def post_join() -> Joined:
    """Take a seat with this device, which gets a new name with it."""
    asked, renamed = body(Join), Renamed(device(), new_name())
    seats().join(renamed, client_address(), asked.code, asked.seat)
    set_device_name(renamed.now)
    return Joined(seq=entry(), seat=asked.seat)


@seat_api.post("/ask")
@as_json
def post_ask() -> Asked:
    """Ask the host for a seat that another device holds; this one gets a new name."""
    asked, renamed = body(Join), Renamed(device(), new_name())
    number = seats().ask(renamed, client_address(), asked.code, asked.seat)
    set_device_name(renamed.now)
    return Asked(seq=entry(), number=number)


@seat_api.post("/hand-over")
@needs("host")
@as_json
def post_hand_over() -> Done:
    """Hand a seat over to the device that asks for it, or decline."""
    answer = body(HandOver)
    seats().answer(answer.seat, answer.number, answer.grant)
    return done()


@seat_api.post("/free")
@needs("host")
@as_json
def post_free() -> Done:
    """Free a seat."""
    seats().free(body(Free).seat)
    return done()


@seat_api.patch("/seats/<int:seat>")
@needs("host")
@as_json
def patch_seat(seat: int) -> Done:
    """Rename a seat of the game on the table."""
    name = body(SeatName).name.strip()
    if not name:
        raise validation_error(N_("a seat needs a name"))
    seats().rename(seat, name)
    return done()
