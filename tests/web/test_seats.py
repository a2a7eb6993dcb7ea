"""Seats: phones that join, what they may see and decide, and that a secret is hidden until its time."""

from __future__ import annotations

import http.client
import json
import random
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.sessions import SecureCookieSessionInterface

from companion import games
from companion.games.race import Race, random_decision
from companion.games.terms import Decision
from companion.http.roles import SIGNING_KEY
from companion.match.record import Header, decision_line
from companion.store.journal import Journal
from companion.table.preferences import LAST_GAME
from companion.table.table import Table
from companion.web.seats import CODE_LENGTH, JOIN_CODE, LETTERS, REQUEST_S, Seats
from tests.games.test_laws import header_of
from tests.support.apps import create_app
from tests.support.client import PATIENCE_S, Client, HttpError, Stream
from tests.web.test_web import Served

Answer = tuple[int, Any]


class Device:
    """A device in the house, not the table's own screen, with its own cookies."""

    def __init__(self, app: Flask, number: int = 7) -> None:
        self._client = app.test_client()
        self._from = {"REMOTE_ADDR": f"192.168.1.{number}"}

    def get(self, path: str) -> Answer:
        answer = self._client.get(path, environ_overrides=self._from)
        return answer.status_code, answer.get_json(silent=True)

    def post(self, path: str, **body: Any) -> Answer:
        return self._send("POST", path, body)

    def rename(self, seat: int, name: str) -> Answer:
        return self._send("PATCH", f"/api/seats/{seat}", {"name": name})

    def _send(self, method: str, path: str, body: dict[str, Any]) -> Answer:
        answer = self._client.open(
            path,
            method=method,
            json=body,
            headers={"Origin": "http://localhost"},
            environ_overrides=self._from,
        )
        return answer.status_code, answer.get_json()

    @property
    def cookie(self) -> str:
        """What this device is known by."""
        cookie = self._client.get_cookie("companion")
        return cookie.value if cookie else ""

    @cookie.setter
    def cookie(self, planted: str) -> None:
        self._client.set_cookie("companion", planted)

    def decide(self, **line: Any) -> Answer:
        return self.post("/api/decide", seq=self.get("/api/table")[1]["seq"], decision=line)


class House:
    """A table, its host, and any number of devices."""

    def __init__(
        self, journal: Journal, game: str = "snail-sprint", deal: str = "people", **more: Any
    ) -> None:
        self.table = Table(journal).open()
        self.app = create_app(self.table)
        self.host = self.device()
        self.host.post("/api/unlock", pin="2468", role="host")
        self._devices = 10
        self.begin(game, deal=deal, **more)

    def begin(self, game: str = "snail-sprint", **more: Any) -> None:
        new = {"game": game, "seats": ["Ada", "Ben"], **more}
        assert self.host.post("/api/matches", **new)[0] == 200

    def end(self) -> None:
        assert self.host.post("/api/end", seq=self.host.get("/api/table")[1]["seq"])[0] == 200

    @property
    def code(self) -> str:
        code: str = self.host.get("/api/join")[1]["code"]
        return code

    def device(self) -> Device:
        self._devices = getattr(self, "_devices", 10) + 1
        return Device(self.app, self._devices)

    def phone(self, seat: int) -> Device:
        """Return a device that holds this seat."""
        device = self.device()
        assert device.post("/api/join", code=self.code, seat=seat)[0] == 200
        return device


@pytest.fixture
def house(journal: Journal) -> House:
    return House(journal)


def refused(answer: Answer) -> tuple[int, str, str]:
    status, said = answer
    return status, said["kind"], said["reason"]


# --- joining -------------------------------------------------------------------------------------


def test_the_code_has_four_distinct_letters_and_stays(journal: Journal) -> None:
    house = House(journal)
    code = house.code
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(LETTERS)
    assert not set("01OI") & set(LETTERS)
    assert house.host.get("/api/join")[1]["url"] == f"http://localhost/seat?code={code}"
    assert house.code == code
    assert create_app(Table(journal).open()).extensions["companion.seats"].code() == code, (
        "also after a restart"
    )


def test_the_code_is_shown_at_the_table_only(house: House) -> None:
    watcher = house.device()
    for path in ("/api/join", "/qr.svg?to=seat"):
        assert watcher.get(path)[0] == 403
        assert house.host.get(path)[0] == 200
    for path in ("/", "/watch", "/tv", "/overlay", "/seat", "/api/table", "/api/matches"):
        page = house.app.test_client().get(path).get_data(as_text=True)
        assert house.code not in page


def test_a_phone_joins_in_any_case(house: House) -> None:
    assert house.device().post("/api/join", code=f" {house.code.lower()} ", seat=1) == (
        200,
        {"seq": 1, "seat": 1},
    )


def test_five_wrong_codes_wait(house: House) -> None:
    stranger = house.device()
    for _ in range(5):
        assert refused(stranger.post("/api/join", code="0000", seat=0))[:2] == (403, "wrong-code")
    assert refused(stranger.post("/api/join", code=house.code, seat=0)) == (
        403,
        "wait",
        "five wrong codes: wait a minute, then try again",
    )
    assert house.device().post("/api/join", code=house.code, seat=0)[0] == 200, "another device need not wait"


def test_without_a_match_there_is_no_seat_to_take(house: House) -> None:
    code = house.code
    house.end()
    assert refused(house.device().post("/api/join", code=code, seat=0))[:2] == (409, "no-match")


def test_no_seat_is_there_that_the_match_has_not(house: House) -> None:
    for seat in (2, -1, 10**9):
        assert house.device().post("/api/join", code=house.code, seat=seat)[0] == 404
        assert house.host.post("/api/free", seat=seat)[0] == 404


def test_a_seat_has_one_device_and_a_device_one_seat(house: House) -> None:
    ada = house.phone(0)
    assert refused(house.device().post("/api/join", code=house.code, seat=0)) == (
        409,
        "taken",
        "Ada's seat is taken by another device: the host can free it",
    )
    assert refused(ada.post("/api/join", code=house.code, seat=1)) == (
        409,
        "seated",
        "this device holds Ada's seat already: the host can free it",
    )
    assert ada.post("/api/join", code=house.code, seat=0)[0] == 200, "once more changes nothing"


def test_only_the_host_frees_a_seat(house: House) -> None:
    ada = house.phone(0)
    assert ada.post("/api/free", seat=0)[0] == 403
    assert house.host.post("/api/free", seat=0)[0] == 200
    assert ada.get("/api/seat")[0] == 403
    assert house.phone(0).get("/api/seat")[0] == 200


def test_a_phone_keeps_its_seat_by_name_in_the_next_game(house: House) -> None:
    ada = house.phone(0)
    house.end()
    house.begin(seats=["Cleo", "Ada"])
    assert ada.get("/api/seat")[1]["own"]["seat"] == 1
    house.end()
    house.begin(seats=["Cleo", "Dev"])
    assert ada.get("/api/seat")[0] == 403
    assert ada.post("/api/join", code=house.code, seat=0)[0] == 200
    house.end()
    house.begin(seats=["Ada", "Cleo"])
    assert ada.get("/api/seat")[1]["own"]["seat"] == 1, "the later seat counts: a device holds one"


def test_a_phone_keeps_its_seat_over_a_restart(journal: Journal) -> None:
    house = House(journal)
    phone = house.phone(0)
    cookie = phone._client.get_cookie("companion")
    assert cookie is not None
    again = create_app(Table(journal).open()).test_client()
    again.set_cookie("companion", cookie.value)
    answer = again.get("/api/seat", environ_overrides={"REMOTE_ADDR": "192.168.1.9"})
    assert answer.get_json()["own"]["seat"] == 0


def test_a_renamed_seat_is_called_so_from_its_first_move_to_its_record(house: House) -> None:
    """In play; the journal's file has it too, and the next game is offered with the new name."""
    assert house.host.decide(do="pick", seat=0, leaf=2)[0] == 200
    before = house.host.get("/api/table")[1]
    assert house.host.rename(0, " Zoë ")[0] == 200
    table = house.host.get("/api/table")[1]
    assert table == json.loads(json.dumps(before).replace("Ada", "Zoë"))
    assert Table(house.table.journal).open().snapshot.match.header.seats == ("Zoë", "Ben")  # type: ignore[union-attr]
    assert (house.table.journal.recall(LAST_GAME) or {})["seats"] == ["Zoë", "Ben"]
    house.end()
    assert '"seats": ["Zoë", "Ben"]' in house.table.archive.record(1)


def test_a_phone_stays_with_its_seat_when_that_is_renamed(house: House) -> None:
    ada, ben = house.phone(0), house.phone(1)
    assert house.host.rename(0, "Zoë")[0] == 200
    assert [phone.get("/api/seat")[1]["own"]["seat"] for phone in (ada, ben)] == [0, 1]
    assert house.host.rename(0, "Ada")[0] == 200
    assert ada.get("/api/seat")[1]["own"]["seat"] == 0


@pytest.mark.parametrize(
    ("seat", "name", "status"), [(0, "Ben", 400), (0, "  ", 400), (0, "\ud800", 400), (2, "Cleo", 404)]
)
def test_a_seat_is_not_renamed_to_what_cannot_be(house: House, seat: int, name: str, status: int) -> None:
    """It is renamed neither to another seat's name nor to nothing; its phone goes on holding it."""
    ada = house.phone(0)
    assert house.host.rename(seat, name)[0] == status
    assert house.host.get("/api/table")[1]["match"]["seats"] == ["Ada", "Ben"]
    assert ada.get("/api/seat")[1]["own"]["seat"] == 0


def test_a_seat_is_renamed_before_any_game_was_asked_for(house: House) -> None:
    """A game that no one filled in a form for, such as the demo's, is not offered again for that."""
    house.end()
    house.table.journal.remember(LAST_GAME, None)
    house.table.begin(Header("snail-sprint", ("Ada", "Ben")))
    assert house.host.rename(0, "Zoë")[0] == 200
    assert house.table.journal.recall(LAST_GAME) is None


def test_only_the_host_renames_a_seat_and_only_in_a_game(house: House) -> None:
    assert house.phone(0).rename(0, "Zoë")[0] == 403
    house.end()
    assert house.host.rename(0, "Zoë")[0] == 409


# --- what a seat sees ----------------------------------------------------------------------------


def test_a_seat_sees_the_table_and_its_own(house: House) -> None:
    ada = house.phone(0)
    assert ada.decide(do="pick", seat=0, leaf=2)[0] == 200
    seen, table = ada.get("/api/seat")[1], ada.get("/api/table")[1]
    assert seen.pop("own") == {
        "seat": 0,
        "hand": None,
        "sets": None,
        "bets": None,
        "choice": 2,
        "set_aside": None,
        "decisions": [],
    }
    assert seen == table


def test_a_seat_sees_what_it_may_decide(house: House) -> None:
    own = house.phone(1).get("/api/seat")[1]["own"]
    assert own["decisions"] == [{"do": "pick", "seat": 1, "leaf": leaf} for leaf in (1, 2, 3)]


def test_what_cannot_be_listed_is_not(journal: Journal) -> None:
    ada = House(journal, "galloping-pigs").phone(0)
    assert ada.get("/api/seat")[1]["own"]["decisions"] is None, "120 line-ups are too many"


def test_a_dealt_hand_is_its_owners(journal: Journal) -> None:
    house = House(journal, "galloping-pigs", deal="companion")
    ada, ben = house.phone(0), house.phone(1)
    assert ada.decide(do="line-up", seat=0, order=PIGS)[0] == 200
    match = house.table.match
    assert match is not None
    for seat, phone in enumerate((ada, ben)):
        hand = phone.get("/api/seat")[1]["own"]["hand"]
        assert hand == match.race.secrets_of(seat)["hand"]
        assert len(hand) == 7


SEATS_ASKED_FOR = [
    # who, asks for, gets
    ("ada", "", 200),
    ("ada", "?seat=0", 200),
    ("ada", "?seat=1", 403),
    ("host", "", 403),
    ("host", "?seat=0", 403),
    ("host", "?seat=1", 200),
    ("host", "?seat=2", 404),
    ("host", "?seat=x", 400),
    ("watcher", "", 403),
    ("watcher", "?seat=0", 403),
    ("watcher", "?seat=1", 403),
]


@pytest.mark.parametrize(("who", "asked", "status"), SEATS_ASKED_FOR)
@pytest.mark.parametrize("path", ["/api/seat", "/api/seat/page"])
def test_a_seat_is_for_its_device_or_the_table(
    house: House, path: str, who: str, asked: str, status: int
) -> None:
    """Ada has joined, Ben has not: the table may hold Ben's secrets open, and only his."""
    devices = {"ada": house.phone(0), "host": house.host, "watcher": house.device()}
    assert devices[who].get(path + asked)[0] == status


def test_an_unsigned_cookie_names_no_seat(house: House) -> None:
    house.phone(0)
    forged = house.app.test_client()
    forged.set_cookie("companion", "eyJkZXZpY2UiOiJhZGEifQ.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb")
    assert forged.get("/api/seat").status_code == 403


def test_a_cookie_planted_before_joining_is_worth_nothing_after_it(house: House) -> None:
    """A person who planted a cookie on another's phone neither sees the seat nor decides for it."""
    planter, ada = house.phone(0), house.device()
    house.host.post("/api/free", seat=0)
    ada.cookie = planter.cookie
    assert ada.post("/api/join", code=house.code, seat=0)[0] == 200
    assert ada.get("/api/seat")[1]["own"]["seat"] == 0
    assert planter.get("/api/seat")[0] == 403
    assert planter.decide(do="pick", seat=0, leaf=1)[0] == 403
    assert ada.decide(do="pick", seat=0, leaf=1)[0] == 200


@pytest.mark.parametrize("role", ["table", "host"])
def test_a_seat_stays_with_a_device_that_gets_a_role_and_leaves_its_cookie_of_before(
    house: House, role: str
) -> None:
    ada, copy = house.phone(0), house.device()
    copy.cookie = ada.cookie
    assert copy.get("/api/seat")[0] == 200
    assert ada.post("/api/unlock", pin="2468", role=role)[0] == 200
    assert ada.get("/api/seat")[1]["own"]["seat"] == 0
    assert copy.get("/api/seat")[0] == 403


def test_a_seat_that_is_not_given_changes_no_cookie(house: House) -> None:
    ada = house.phone(0)
    cookie = ada.cookie
    assert ada.post("/api/join", code=house.code, seat=1)[0] == 409
    assert ada.post("/api/join", code="0000", seat=0)[0] == 403
    assert ada.cookie == cookie
    assert ada.get("/api/seat")[0] == 200


# --- a phone that has lost its seat --------------------------------------------------------------


def a_hand(house: House) -> Device:
    """Return Ada's phone, with a hand that only it knows."""
    ada = house.phone(0)
    assert ada.decide(do="line-up", seat=0, order=PIGS)[0] == 200
    assert len(ada.get("/api/seat")[1]["own"]["hand"]) == 7
    return ada


def asks(house: House, device: Device, seat: int = 0) -> int:
    """Return the number that a device shows that asks for a seat."""
    status, asked = device.post("/api/ask", code=house.code, seat=seat)
    assert status == 200
    return int(asked["number"])


def test_a_seat_that_is_freed_and_taken_again_is_as_it_was(journal: Journal) -> None:
    house = House(journal, "galloping-pigs", deal="companion")
    own = a_hand(house).get("/api/seat")[1]["own"]
    assert house.host.post("/api/free", seat=0)[0] == 200
    assert house.phone(0).get("/api/seat")[1]["own"] == own


def test_a_phone_that_lost_its_cookie_gets_its_seat_from_the_host(journal: Journal) -> None:
    """The phone gets all that the seat knows.

    Until the host has handed the seat over it sees nothing; after that the former device sees nothing, nor
    does a device that knows the cookie that the phone had when it asked.
    """
    house = House(journal, "galloping-pigs", deal="companion")
    ada, again, planter = a_hand(house), house.phone(1), house.device()
    own, planter.cookie = ada.get("/api/seat")[1]["own"], again.cookie
    house.host.post("/api/free", seat=1)
    number = asks(house, again)
    assert again.get("/api/seat")[0] == 403
    assert house.host.post("/api/hand-over", seat=0, number=number, grant=True)[0] == 200
    assert again.get("/api/seat")[1]["own"] == own
    assert [device.get("/api/seat")[0] for device in (ada, planter)] == [403, 403]
    assert again.decide(do="play", seat=0, card=own["hand"][0])[0] == 200


def test_the_host_alone_hands_a_seat_over_and_may_say_no(house: House) -> None:
    ada, other = house.phone(0), house.device()
    number = asks(house, other)
    for device in (ada, other):
        assert device.post("/api/hand-over", seat=0, number=number, grant=True)[0] == 403
    assert house.host.post("/api/hand-over", seat=0, number=number, grant=False)[0] == 200
    assert (ada.get("/api/seat")[0], other.get("/api/seat")[0]) == (200, 403)
    assert refused(house.host.post("/api/hand-over", seat=0, number=number, grant=True))[:2] == (
        409,
        "not-asked",
    )


def test_a_seat_goes_to_the_phone_that_shows_the_number_and_no_other(house: House) -> None:
    """The first phone that asks is asked about; it may ask again, as long as it asks for one seat."""
    house.phone(0)
    first, second = house.device(), house.device()
    number = asks(house, first)
    assert asks(house, first) == number
    assert refused(second.post("/api/ask", code=house.code, seat=0)) == (
        409,
        "asked",
        "another phone asks for Ada's seat already: wait until the host has answered",
    )
    wrong = 10 + (number - 9) % 90
    assert house.host.post("/api/hand-over", seat=0, number=wrong, grant=True)[0] == 409
    assert house.host.post("/api/hand-over", seat=0, number=number, grant=True)[0] == 200
    assert (first.get("/api/seat")[0], second.get("/api/seat")[0]) == (200, 403)


def test_only_a_held_seat_is_asked_for_by_a_phone_with_the_code_and_no_seat(house: House) -> None:
    ada, other = house.phone(0), house.device()
    assert refused(other.post("/api/ask", code="0000", seat=0))[:2] == (403, "wrong-code")
    assert refused(other.post("/api/ask", code=house.code, seat=1))[:2] == (409, "free")
    assert refused(ada.post("/api/ask", code=house.code, seat=0))[:2] == (409, "seated")
    assert other.post("/api/ask", code=house.code, seat=2)[0] == 404
    code = house.code
    house.end()
    assert refused(other.post("/api/ask", code=code, seat=0))[:2] == (409, "no-match")


@pytest.mark.parametrize("since", ["five minutes", "another game", "freed", "asker sits", "asker is host"])
def test_a_wish_for_a_seat_does_not_outlive(
    since: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time, the game, the device that held the seat then, and the name of the one that asked."""
    house.phone(0)
    other = house.device()
    number, code = asks(house, other), house.code
    if since == "five minutes":
        seats: Seats = house.app.extensions["companion.seats"]
        now = seats._clock()
        monkeypatch.setattr(seats, "_clock", lambda: now + REQUEST_S)
    elif since == "another game":
        house.end()
        house.begin()
    elif since == "freed":
        house.host.post("/api/free", seat=0)
        house.phone(0)
    elif since == "asker sits":
        assert other.post("/api/join", code=code, seat=1)[0] == 200
    else:
        assert other.post("/api/unlock", pin="2468", role="host")[0] == 200
    assert refused(house.host.post("/api/hand-over", seat=0, number=number, grant=True))[:2] == (
        409,
        "not-asked",
    )


# --- who decides what ----------------------------------------------------------------------------

PIGS = ["red", "blue", "green", "yellow", "pink"]

PICKS = [
    # who, seat: Ada has a phone, Ben none; a pick is secret
    ("ada", 0, 200),
    ("ada", 1, 403),
    ("host", 0, 403),
    ("host", 1, 200),
    ("watcher", 0, 403),
    ("watcher", 1, 403),
]


@pytest.mark.parametrize(("who", "seat", "status"), PICKS)
def test_a_secret_is_decided_on_the_phone_or_held_open_at_the_table(
    house: House, who: str, seat: int, status: int
) -> None:
    devices = {"ada": house.phone(0), "host": house.host, "watcher": house.device()}
    assert devices[who].decide(do="pick", seat=seat, leaf=1)[0] == status


@pytest.mark.parametrize(("who", "status"), [("ada", 200), ("ben", 403), ("host", 200), ("watcher", 403)])
def test_what_is_public_is_decided_by_its_seat_or_the_table(journal: Journal, who: str, status: int) -> None:
    house = House(journal, "galloping-pigs")
    devices = {"ada": house.phone(0), "ben": house.phone(1), "host": house.host, "watcher": house.device()}
    assert devices[who].decide(do="line-up", seat=0, order=PIGS)[0] == status


def test_a_refusal_says_who_may(house: House) -> None:
    ada, watcher = house.phone(0), house.device()
    said = [
        refused(device.decide(do="pick", seat=seat, leaf=1))[2]
        for device, seat in ((ada, 1), (house.host, 0), (watcher, 0))
    ]
    assert said == [
        "this device decides for Ada only: the table decides for the others",
        "only the device that holds Ada's seat may do this: the host can free it",
        "only the table or the seat that is due may do this: join with the code first",
    ]


def test_the_table_learns_nothing_of_a_hand_by_trying(journal: Journal) -> None:
    """For all cards that it tries for a seat with a phone, the answer is the same, and nothing was judged."""
    house = House(journal, "galloping-pigs", deal="companion")
    ada = house.phone(0)
    ada.decide(do="line-up", seat=0, order=PIGS)
    answers = [house.host.decide(do="play", seat=0, card=card) for card in (*PIGS, "brown", "?")]
    assert {json.dumps(answer) for answer in answers} == {json.dumps(answers[0])}
    assert refused(answers[0])[:2] == (403, "role")


def test_a_line_without_a_seat_is_decided_by_the_one_that_is_due(journal: Journal) -> None:
    """The bookie ranks the dogs: on the bookie's phone or at the table, nowhere else."""
    house = House(journal, "greyhounds", seats=["Ada", "Ben", "Cleo"], options={"bookie": 1})
    for seat in range(3):
        cards = [[1, 2, 11, 12, 13], [3, 4, 5, 18, 19], [5, 6, 7, 15, 16]][seat]
        assert house.host.decide(do="show", seat=seat, cards=cards)[0] == 200
    rank = {"do": "rank", "order": ["blue", "red", "brown", "green"]}
    assert house.phone(0).decide(**rank)[0] == 403
    assert house.phone(1).decide(**rank)[0] == 200


def test_a_bet_comes_from_the_phone_that_holds_the_seat(journal: Journal) -> None:
    house = House(journal, "greyhounds", seats=["Ada", "Ben", "Cleo"], deal="companion")
    ada = house.phone(0)
    for seat in range(3):
        device = ada if seat == 0 else house.host
        own = device.get(f"/api/seat?seat={seat}")[1]["own"]
        assert own["decisions"] == [{"do": "show", "seat": seat, "cards": cards} for cards in own["sets"]]
        assert device.decide(**own["decisions"][0])[0] == 200
    bet = {"do": "bet", "seat": 0, "bets": [{"kind": "win", "dogs": ["red"], "stake": 500}]}
    assert house.host.decide(**bet)[0] == 403
    assert ada.get("/api/seat")[1]["own"]["decisions"] is None, "too many to list"
    assert ada.decide(**bet)[0] == 200
    assert ada.get("/api/seat")[1]["own"]["bets"] == bet["bets"]


def test_a_malformed_line_is_malformed_for_a_phone_too(house: House) -> None:
    ada = house.phone(0)
    for line in ({"do": "fly"}, {"do": "pick", "seat": "0", "leaf": 1}, {"do": "pick", "seat": 0}):
        assert ada.decide(**line)[0] == 400


# --- the stream ----------------------------------------------------------------------------------


@pytest.fixture
def site(journal: Journal) -> Iterator[Served]:
    served = Served(journal)
    served.host()
    served.owner.ask(lambda table: table.begin(Header("snail-sprint", ("Ada", "Ben"))))
    yield served
    served.close()


def stream_of(device: Client, query: str) -> Stream:
    return Stream(device.port, query, device._cookie)


def joined(site: Served, seat: int) -> Client:
    phone = Client(site.port)
    phone.post("/api/join", code=site.get("/api/join")["code"], seat=seat)
    return phone


def test_the_stream_of_a_seat_is_what_the_seat_sees(site: Served) -> None:
    ada = joined(site, 0)
    stream = stream_of(ada, "?as=seat")
    name, data = stream.next()
    assert (name, json.loads(data)) == ("seat", ada.get("/api/seat"))
    ada.decide(do="pick", seat=0, leaf=3)
    assert json.loads(stream.newest(ada.table["seq"]))["own"]["choice"] == 3
    stream.close()


def test_the_stream_of_a_seat_is_for_its_device(site: Served) -> None:
    for query in ("?as=seat", "?as=seat&seat=0"):
        with pytest.raises(HttpError, match="403: this device holds no such seat"):
            site.get(f"/events{query}")


def test_the_stream_of_a_freed_seat_ends(site: Served) -> None:
    stream = stream_of(joined(site, 0), "?as=seat")
    stream.next()
    site.post("/api/free", seat=0)
    assert stream.answer.read() == b"", "ended, not cut"
    stream.close()


def test_a_page_of_a_freed_seat_forgets_its_own(site: Served) -> None:
    stream = stream_of(joined(site, 0), "?as=seatpage")
    assert stream.view()["own"]["name"] == "Ada"
    site.post("/api/free", seat=0)
    assert stream.view()["own"] is None
    stream.close()


def test_the_stream_of_a_page_whose_device_has_a_new_name_ends_and_goes_on_with_it(site: Served) -> None:
    """Another page of the phone became the host: this one asks again, with the cookie that it has now."""
    ada = joined(site, 0)
    stream = stream_of(ada, "?as=seatpage")
    assert stream.view()["own"]["name"] == "Ada"
    ada.post("/api/unlock", pin="2468", role="host")
    assert stream.view()["own"] is None
    assert stream.answer.read() == b"", "ended, not cut"
    stream.close()
    stream = stream_of(ada, "?as=seatpage")
    assert stream.view()["own"]["name"] == "Ada"
    stream.close()


def test_who_asks_for_a_seat_is_shown_at_once_and_the_phone_has_it_at_once(site: Served) -> None:
    joined(site, 0)
    again, table = Client(site.port), stream_of(site, "?as=page")
    assert table.view()["seats"][0]["asks"] is None
    number = again.post("/api/ask", code=site.get("/api/join")["code"], seat=0)["number"]
    phone = stream_of(again, "?as=seatpage")
    assert phone.view()["own"] is None
    assert table.view()["seats"][0]["asks"] == number
    site.post("/api/hand-over", seat=0, number=number, grant=True)
    view = phone.view()
    while view["own"] is None:
        view = phone.view()
    assert view["own"]["name"] == "Ada"
    phone.close()
    table.close()


def test_a_wish_that_is_over_goes_from_the_pages_by_itself(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.stream.BEAT_S", 0.05)
    monkeypatch.setattr("companion.web.seats.REQUEST_S", 0.2)
    site = Served(journal)
    site.host()
    site.owner.ask(lambda table: table.begin(Header("snail-sprint", ("Ada", "Ben"))))
    joined(site, 0)
    table = stream_of(site, "?as=page")
    Client(site.port).post("/api/ask", code=site.get("/api/join")["code"], seat=0)
    seen: list[int | None] = []
    while seen[-1:] != [None] or not any(seen):
        seen.append(table.view()["seats"][0]["asks"])
    table.close()
    site.close()


def test_a_seat_outlives_a_clock_that_was_set(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """That holds for the page and for the stream; the browser alone counts how long it stores a cookie."""
    ada = joined(site, 0)
    signed = ada._cookie.partition("=")[2]
    app = create_app(site.owner)
    serializer = SecureCookieSessionInterface().get_signing_serializer(app)
    assert serializer is not None
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: 0)
    old = serializer.dumps(serializer.loads(signed))
    assert isinstance(old, str)
    monkeypatch.undo()
    ada._cookie = f"companion={old}"
    assert ada.get("/api/seat")["own"]["seat"] == 0
    stream = stream_of(ada, "?as=seat")
    assert stream.view()["own"]["seat"] == 0
    stream.close()


# --- secrets -------------------------------------------------------------------------------------


class Secret(NamedTuple):
    """Two decisions that show the same of themselves, and who may know them at once."""

    one: Decision
    other: Decision
    knows: frozenset[int]


def secret_of(race: Race, do: str, rng: random.Random, seats: Collection[int] | None = None) -> Secret | None:
    """Return two sealed decisions of a kind that may be made now and look alike to the others, if there are
    two.

    They are of one of these `seats`; None: of any.
    """
    due = race.awaits()
    for seat in (s for s in due.seats if seats is None or s in seats) if due else ():
        alike: dict[Any, Decision] = {}
        for decision in (race.at_random(seat, rng) for _ in range(30)):
            sealed = race.sealed(decision) if decision.do == do else None
            if sealed is None:
                continue
            first = alike.setdefault(sealed.shows, decision)
            if first != decision:
                return Secret(first, decision, sealed.knows | {seat})
    return None


def kinds() -> list[tuple[str, str, str]]:
    """Return every kind of decision of every game that is sealed somewhere in a game: game, deal, kind."""
    found = set()
    for name, game in games.all_games().items():
        for deal in ("people", "companion"):
            rng = random.Random(1)
            race = header_of(game, rng).opening()
            while (decision := random_decision(race, rng)) is not None:
                if race.sealed(decision) is not None:
                    found.add((name, deal, decision.do))
                if deal == "people":
                    decision = race.dealt_unseen() or decision
                race = race.after(decision)
    return sorted(found)


class Evening(NamedTuple):
    """What everybody who may not know received after a secret decision, and what its owner sees."""

    received: list[bytes]
    own: bytes


def evening(directory: Path, game: str, deal: str, do: str, which: int) -> Evening:
    """Return the same game up to a secret of this kind, of which one or the other is decided."""
    journal = Journal(directory / "journal.sqlite")
    journal.remember(SIGNING_KEY, "the same for both")
    journal.remember(JOIN_CODE, "ABCD")
    site = Served(journal, random.Random(1))
    site.host()
    rng = random.Random(1)
    header = header_of(games.find_by_name(game), rng)
    site.owner.ask(lambda table: table.begin(header, deal))
    site.owner.ask(lambda table: table.journal._db.execute("update matches set began = 'then'") and None)
    devices = [joined(site, seat) for seat in range(len(header.seats))]
    secret = played_up_to(site, do, rng)
    decision = (secret.one, secret.other)[which]
    assert decision.seat is not None
    race = site.owner.match.race if site.owner.match else None
    assert race is not None
    line = decision_line(race, decision)
    unknowing = [device for seat, device in enumerate(devices) if seat not in secret.knows]
    streams = [stream_of(site, query) for query in ("", "?as=page")]
    streams += [stream_of(device, f"?as={view}") for device in unknowing for view in ("seat", "seatpage")]
    for stream in streams:
        stream.next()
    devices[decision.seat].decide(**line)
    seq = site.table["seq"]
    received = [stream.newest(seq) for stream in streams]
    watcher = Client(site.port)
    for device in (site, watcher, *unknowing):
        for path in ("/api/table", "/api/matches", "/", "/watch", "/tv", "/overlay", "/host", "/seat"):
            received.append(body_of(device, path))
    for device in unknowing:
        for path in ("/api/seat", "/api/seat/page"):
            received.append(body_of(device, path))
    for path in (f"/api/seat?seat={decision.seat}", "/api/matches/1/record"):
        received.append(body_of(site, path))
        assert b'"reason"' in received[-1], "refused to everybody"
    own = body_of(devices[decision.seat], "/api/seat")
    for stream in streams:
        stream.close()
    site.close()
    journal.close()
    return Evening(received, own)


def played_up_to(site: Served, do: str, rng: random.Random) -> Secret:
    """Play at random until there is a secret of this kind to decide."""
    while True:
        assert site.owner.match is not None
        race = site.owner.match.race
        secret = secret_of(race, do, rng)
        if secret is not None:
            return secret
        decision = random_decision(race, rng)
        assert decision is not None, f"no {do} was due in the whole game"
        line = decision_line(race, decision)
        site.owner.ask(lambda table, line=line: table.play.decide(table.snapshot.seq, line))  # type: ignore[misc]


def body_of(device: Client, path: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", device.port, timeout=PATIENCE_S)
    connection.request("GET", path, headers={"Cookie": device._cookie})
    body = connection.getresponse().read()
    connection.close()
    return body


@pytest.mark.parametrize(("game", "deal", "do"), kinds())
def test_a_secret_reaches_its_owner_alone(
    game: str, deal: str, do: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Two choices that show the same give everybody who may not know the same bytes.

    That is every view, every stream, every page, what is refused, and the log. The owner's own view differs,
    or this would prove nothing.
    """
    evenings, logs = [], []
    for which in (0, 1):
        (tmp_path / str(which)).mkdir()
        evenings.append(evening(tmp_path / str(which), game, deal, do, which))
        logs.append(capfd.readouterr())
    one, other = evenings
    assert len(one.received) == len(other.received)
    for mine, yours in zip(one.received, other.received, strict=True):
        assert mine == yours
    assert logs[0] == logs[1]
    assert one.own != other.own


def test_the_snails_secrets_are_among_them() -> None:
    assert ("snail-sprint", "people", "pick") in kinds()
