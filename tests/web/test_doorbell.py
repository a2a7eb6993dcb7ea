"""A screen that asks to be the table: its number, the host's answer, and what neither gives away."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.http.roles import Forbidden
from companion.store.journal import Journal
from companion.translate import Words
from companion.views.seat.page import public
from companion.web.doorbell import GONE_S, OF_ALL, OF_ONE, REUSE_S, Doorbell
from tests.web.test_seats import Device, House, refused

WORDS = Words.english()


class Clock:
    """A clock that stands still until it is moved."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(journal: Journal, clock: Clock) -> House:
    house = House(journal)
    house.app.extensions["companion.seats"].doorbell = Doorbell(lambda: None, clock)
    return house


def asks(screen: Device, number: int | None = None) -> dict[str, Any]:
    status, said = screen.post("/api/screens", number=number)
    assert status == 200, said
    return dict(said)


def may_undo(house: House, device: Device) -> bool:
    """Return True if this device has the role of the table."""
    return refused(device.post("/api/undo", seq=house.table.snapshot.seq))[1] != "role"


def may_end(house: House, device: Device) -> bool:
    """Return True if this device has the role of the host."""
    return refused(device.post("/api/end", seq=-1))[1] != "role"


def test_one_touch_of_the_host_makes_the_screen_the_table_and_nothing_more(house: House) -> None:
    screen = house.device()
    number = asks(screen)["number"]
    assert house.host.get("/api/screens")[1] == {"numbers": [number]}
    assert not may_undo(house, screen)
    assert house.host.post("/api/screens/answer", number=number, grant=True)[0] == 200
    assert not may_undo(house, screen), "it has not asked for the answer yet"
    assert asks(screen, number) | {"seq": 0} == {"seq": 0, "state": "table", "number": None}
    assert may_undo(house, screen)
    assert not may_end(house, screen)
    assert house.host.get("/api/screens")[1] == {"numbers": []}


def test_only_a_host_sees_the_numbers_and_answers(house: House) -> None:
    """A number is on its own screen and on the host's: not in what everyone gets."""
    screen, other, phone = house.device(), house.device(), house.phone(0)
    number = asks(screen)["number"]
    for device in (screen, other, phone):
        assert refused(device.get("/api/screens"))[:2] == (403, "role")
        assert refused(device.post("/api/screens/answer", number=number, grant=True))[:2] == (403, "role")
    seating = house.app.extensions["companion.seats"].seating(house.table.match)
    assert seating.screens == 1
    view = public(house.table.snapshot, WORDS, None, seating)
    assert view.screens == 1
    assert other.get("/api/table")[1].keys().isdisjoint({"numbers"})


def test_a_number_is_worth_nothing_on_another_device(house: House) -> None:
    screen, other = house.device(), house.device()
    number = asks(screen)["number"]
    assert asks(other, number)["number"] != number, "it gets its own"
    house.host.post("/api/screens/answer", number=number, grant=True)
    assert asks(other, number)["state"] == "waiting"
    assert not may_undo(house, other)
    assert asks(screen, number)["state"] == "table"


def test_a_cookie_that_was_planted_is_worth_nothing(house: House) -> None:
    """Each new number comes with a new name of the device, and so does the role."""
    screen, planter = house.device(), house.device()
    asks(planter)
    screen.cookie = planter.cookie
    number = asks(screen)["number"]
    house.host.post("/api/screens/answer", number=number, grant=True)
    assert asks(planter, number)["state"] == "waiting"
    planter.cookie = before = screen.cookie
    assert asks(screen, number)["state"] == "table"
    planter.cookie = before
    assert not may_undo(house, planter)


def test_the_number_of_a_screen_that_left_expires(house: House, clock: Clock) -> None:
    screen = house.device()
    number = asks(screen)["number"]
    clock.now += GONE_S - 1
    assert asks(screen, number)["number"] == number
    clock.now += GONE_S
    assert house.host.get("/api/screens")[1] == {"numbers": []}
    answer = house.host.post("/api/screens/answer", number=number, grant=True)
    assert refused(answer) == (
        409,
        "not-asked",
        "no screen shows this number any longer: look at the one it shows now",
    )
    assert asks(screen, number)["number"] != number


def test_a_screen_that_is_let_in_and_leaves_is_not_the_table(house: House, clock: Clock) -> None:
    screen = house.device()
    number = asks(screen)["number"]
    house.host.post("/api/screens/answer", number=number, grant=True)
    clock.now += GONE_S
    assert asks(screen, number)["state"] == "waiting"
    assert not may_undo(house, screen)


def test_a_no_is_said_to_the_screen(house: House) -> None:
    screen = house.device()
    number = asks(screen)["number"]
    house.host.post("/api/screens/answer", number=number, grant=False)
    assert asks(screen, number)["state"] == "declined"
    assert not may_undo(house, screen)
    assert refused(house.host.post("/api/screens/answer", number=number, grant=True))[1] == "not-asked"


def test_a_screen_keeps_its_seat(house: House) -> None:
    phone = house.phone(0)
    number = asks(phone)["number"]
    house.host.post("/api/screens/answer", number=number, grant=True)
    asks(phone, number)
    assert phone.get("/api/seat")[1]["own"]["seat"] == 0


def test_the_table_and_the_host_need_not_ask(house: House) -> None:
    assert asks(house.host) | {"seq": 0} == {"seq": 0, "state": "table", "number": None}
    assert house.host.get("/api/screens")[1] == {"numbers": []}


def test_a_changed_pin_takes_the_role_away(house: House) -> None:
    screen = house.device()
    number = asks(screen)["number"]
    house.host.post("/api/screens/answer", number=number, grant=True)
    asks(screen, number)
    house.app.extensions["companion.pin"].choose("8642")
    assert not may_undo(house, screen)


def test_new_numbers_are_limited_for_a_network_and_for_all(clock: Clock) -> None:
    bell = Doorbell(lambda: None, clock)
    for device in range(OF_ONE.burst):
        bell.ring(f"{device}", "192.168.1.7")
    with pytest.raises(Forbidden, match="too many screens ask at once"):
        bell.ring("more", "192.168.1.7")
    for device in range(OF_ALL.burst - OF_ONE.burst):
        bell.ring(f"other {device}", f"192.168.1.{20 + device}")
    with pytest.raises(Forbidden, match="too many screens ask at once"):
        bell.ring("one", "192.168.1.99")
    clock.now += OF_ALL.seconds
    bell.ring("one", "192.168.1.99")


def test_a_number_is_not_given_to_another_screen_soon(clock: Clock) -> None:
    """The host may touch the number of a screen that has just left."""
    bell, numbers = Doorbell(lambda: None, clock), list[int]()
    while clock.now < 1000 + REUSE_S - 1:
        numbers.append(bell.ring(f"{clock.now}", f"192.168.1.{len(numbers)}"))
        clock.now += OF_ALL.seconds
    assert len(set(numbers)) == len(numbers)


def test_listeners_hear_of_each_change(clock: Clock) -> None:
    heard: list[list[int]] = []
    bell = Doorbell(lambda: heard.append(bell.waiting()), clock)
    number = bell.ring("a", "192.168.1.7")
    bell.answer(number, let_in=True)
    assert json.dumps(heard) == json.dumps([[number], []])
