"""The API of screens that ask to be the table: a number on the screen, one touch on the host's phone."""

from __future__ import annotations

from typing import Annotated

from flask import Blueprint
from msgspec import Meta

from companion.http.request import Body, as_json, body, done, entry
from companion.http.roles import client_address, device, grant_role, needs, new_name, roles, set_device_name
from companion.reply import Done, Reply, one_of
from companion.web.caller import seats
from companion.web.seats import Renamed

admit_api = Blueprint("admit_api", __name__, url_prefix="/api/screens")

Number = Annotated[int, Meta(ge=10, le=99)]


class ScreenAsks(Body):
    """The number that this screen shows; null if it shows none yet."""

    number: int | None = None


class ScreenAnswer(Body):
    """The host's answer to the screen with this number."""

    number: int
    grant: bool


class ScreenState(Done):
    """The state of this screen: it waits and shows `number`, it is the table, or the host said no."""

    state: Annotated[str, one_of("waiting", "table", "declined")]
    number: Number | None


class WaitingScreens(Reply):
    """The numbers of the screens that ask to be the table."""

    numbers: list[Number]


@admit_api.post("")
@as_json
def post_screen() -> ScreenState:
    """Ask the host to make this screen the table; ask again to stay in line, and to learn the answer."""
    asked = body(ScreenAsks)
    if "table" in roles():
        return ScreenState(seq=entry(), state="table", number=None)
    state = seats().doorbell.poll(device(), asked.number)
    if state == "table":
        seats().doorbell.leave(device())
        _rename()
        grant_role("table")
    if state is not None:
        number = asked.number if state == "waiting" else None
        return ScreenState(seq=entry(), state=state, number=number)
    # a new name for each new number: a cookie that was planted before is worth nothing
    renamed = new_name()
    number = seats().doorbell.ring(renamed, client_address())
    _rename(renamed)
    return ScreenState(seq=entry(), state="waiting", number=number)


@admit_api.get("")
@needs("host")
@as_json
def get_screens() -> WaitingScreens:
    """Return the numbers of the screens that ask to be the table."""
    return WaitingScreens(numbers=seats().doorbell.waiting())


@admit_api.post("/answer")
@needs("host")
@as_json
def post_answer() -> Done:
    """Make the screen that shows this number the table, or do not."""
    answer = body(ScreenAnswer)
    seats().doorbell.answer(answer.number, answer.grant)
    return done()


def _rename(name: str | None = None) -> None:
    renamed = Renamed(device(), name or new_name())
    seats().follow(renamed)
    set_device_name(renamed.now)
