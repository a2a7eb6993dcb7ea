"""The interface on the wire: roles, refusals, streams and secrets, through the real server."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.http.connection_limits import DEFAULT_LIMITS, Limits
from companion.http.roles import SIGNING_KEY, Forbidden, PinLock
from companion.http.sockets import listen
from companion.match.record import Header
from companion.store.journal import Journal
from companion.table.table import Table
from companion.web.serve import Server, Site
from companion.web.stream import Hub
from tests.support.apps import create_app
from tests.support.client import Client, HttpError, Stream

PIGS = ["red", "blue", "green", "yellow", "pink"]


class Served(Client):
    """A served table in this process: uvicorn, Flask and the stream as in `companion run`."""

    def __init__(
        self, journal: Journal, dealer: random.Random | None = None, limits: Limits = DEFAULT_LIMITS
    ) -> None:
        self.owner = Table(journal, dealer=dealer).open()
        self.owner.start()
        listening = listen(0)
        app = create_app(self.owner, port=listening.getsockname()[1])
        self.server = Server(Site(app, Hub(self.owner), limits), [listening])
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listening]})
        self.thread.start()
        super().__init__(listening.getsockname()[1])
        self.get("/healthz")

    def close(self) -> None:
        self.server.stop()
        self.thread.join()
        self.owner.stop()


@pytest.fixture
def site(journal: Journal) -> Iterator[Served]:
    served = Served(journal)
    yield served
    served.close()


def begun(site: Served, **more: Any) -> Served:
    site.host()
    site.begin(**more)
    return site


# --- reading -------------------------------------------------------------------------------------


def test_an_empty_table_says_so(site: Served) -> None:
    table = site.table
    assert (table["seq"], table["match"], table["next"], table["state"], table["odds"]) == (
        0,
        None,
        None,
        None,
        None,
    )
    assert (table["standings"], table["layout"], table["todo"], table["mock"]) == ([], {}, [], False)
    assert table["parts"] == {"pad": "tap", "track": "tap", "panel": "tap"}


def test_the_table_is_as_the_record_has_it(site: Served) -> None:
    begun(site, options={"rounds": 1}).decide(do="line-up", seat=0, order=PIGS)
    site.decide(do="play", seat=0, card="pink")
    table = site.table
    assert table["match"]["seats"] == ["Ada", "Ben"]
    assert table["next"] == {"do": "play", "seats": [1]}
    assert table["state"]["progress"] == {"red": 0, "blue": -1, "green": -2, "yellow": -3, "pink": 1}
    assert table["layout"]["pink"] == {"zone": "track", "space": 1}
    assert table["todo"] == [
        {
            "piece": "pink",
            "from": {"zone": "track", "space": 18},
            "to": {"zone": "track", "space": 1},
            "held": False,
            "text": "move the pink pig to 1",
        }
    ]
    assert [news["kind"] for news in table["news"]] == ["moved", "leads"]


# --- writing and refusing ------------------------------------------------------------------------


def error_of(site: Served, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
    with pytest.raises(HttpError) as refused:
        site.request(method, path, body, headers)
    assert refused.value.reason
    return refused.value.status, str(refused.value.kind)


MALFORMED = [
    {},
    {"seq": 1},
    {"seq": "1", "decision": {"do": "play", "seat": 0, "card": "red"}},
    {"seq": 1, "decision": {"do": "play", "seat": 0, "card": "red"}, "more": 1},
    {"seq": 1, "decision": {"do": "fly", "seat": 0, "card": "red"}},
    {"seq": 1, "decision": {"do": "play", "seat": 0.0, "card": "red"}},
    {"seq": 1, "decision": {"do": "play", "seat": True, "card": "red"}},
    {"seq": 1, "decision": {"do": "play", "seat": 0, "card": ["red"]}},
    {"seq": 1, "decision": {"do": "play", "seat": 0}},
    {"seq": 10**6, "decision": {"do": "play", "seat": 0, "card": "red"}},
]


@pytest.mark.parametrize("body", MALFORMED, ids=str)
def test_a_malformed_body_is_400_and_changes_nothing(site: Served, body: Any) -> None:
    begun(site)
    before = site.table
    assert error_of(site, "POST", "/api/decide", body) == (400, "malformed")
    assert site.table == before


@pytest.mark.parametrize("name", ["A" * 41, "Ada\u202e", "A\nda", "\u200d", "\u2060", "\ue000"], ids=ascii)
def test_a_name_that_cannot_be_read_is_refused(site: Served, name: str) -> None:
    site.host()
    match = {"game": "galloping-pigs", "seats": [name, "Ben"]}
    assert error_of(site, "POST", "/api/matches", match) == (400, "malformed")
    begun(site)
    assert error_of(site, "PATCH", "/api/seats/0", {"name": name}) == (400, "malformed")
    assert site.table["match"]["seats"] == ["Ada", "Ben"]


@pytest.mark.parametrize("name", ["A" * 40, "Zoë", "Анна", "愛", "👩‍🚀", "\U0001fae9", "Jean-Luc O'Neil 2."])
def test_a_name_that_people_have_is_taken(site: Served, name: str) -> None:
    site.host().begin(seats=(name, "Ben"))
    assert site.table["match"]["seats"] == [name, "Ben"]


def test_what_the_rules_forbid_is_409_with_the_reason(site: Served) -> None:
    begun(site)
    with pytest.raises(HttpError, match="409: the line-up is due now, not a card"):
        site.decide(do="play", seat=0, card="red")


@pytest.mark.parametrize("text", [b'{"\xff": 1}', b'{"pin": "\xff"}', b"\xff", b'{"\\ud800": 1}'], ids=repr)
def test_a_body_that_is_no_text_is_400(journal: Journal, text: bytes) -> None:
    """That includes a body where only a key is none: a key is read before it is looked up."""
    headers = {"Origin": "http://localhost", "Content-Type": "application/json"}
    answer = create_app(Table(journal).open()).test_client().post("/api/unlock", data=text, headers=headers)
    assert (answer.status_code, answer.get_json()["kind"]) == (400, "malformed")


def test_a_host_name_that_anybody_could_point_here_is_not_answered(site: Served) -> None:
    with pytest.raises(HttpError, match="400"):
        site.request("GET", "/api/table", headers={"Host": "evil.example"})
    with pytest.raises(HttpError, match="400"):
        site.request("GET", "/events", headers={"Host": "evil.example"})


def test_only_the_host_starts_games(site: Served) -> None:
    new = {"game": "galloping-pigs", "seats": ["Ada", "Ben"]}
    assert error_of(site, "POST", "/api/matches", new) == (403, "role")
    site.host().post("/api/matches", **new)
    assert error_of(site, "POST", "/api/matches", new) == (409, "running")


BAD_GAMES = [
    {"game": "pigz", "seats": ["Ada", "Ben"]},
    {"game": "galloping-pigs", "seats": ["Ada"]},
    {"game": "galloping-pigs", "seats": ["Ada", "Ada"]},
    {"game": "galloping-pigs", "seats": ["Ada", " "]},
    {"game": "galloping-pigs", "seats": ["Ada", "Ben"], "options": {"spaces": 5}},
    {"game": "galloping-pigs", "seats": ["Ada", "Ben"], "options": {"speed": 5}},
    {"game": "galloping-pigs", "seats": ["Ada", "Ben"], "start": 2},
]


@pytest.mark.parametrize("body", BAD_GAMES, ids=str)
def test_a_game_that_cannot_be_is_400(site: Served, body: Any) -> None:
    site.host()
    assert error_of(site, "POST", "/api/matches", body) == (400, "malformed")
    assert site.table["seq"] == 0


def test_the_first_pin_is_chosen_and_five_wrong_ones_wait(site: Served) -> None:
    site.post("/api/unlock", pin="2468", role="host")
    stranger = Client(site.port)
    for _ in range(5):
        with pytest.raises(HttpError, match="403: that is not the PIN"):
            stranger.post("/api/unlock", pin="1111", role="host")
    with pytest.raises(HttpError, match="403: five wrong PINs: wait a minute"):
        stranger.post("/api/unlock", pin="2468", role="host")


def test_the_wait_after_five_wrong_pins_ends_after_a_minute(journal: Journal) -> None:
    moment = [0.0]
    pin = PinLock(Table(journal).open(), clock=lambda: moment[0])
    pin.check("2468", "here")
    for _ in range(5):
        with pytest.raises(Exception, match="not the PIN"):
            pin.check("0000", "here")
    pin.check("2468", "another device")
    with pytest.raises(Exception, match="wait a minute"):
        pin.check("2468", "here")
    moment[0] = 61.0
    pin.check("2468", "here")


def test_one_device_has_five_tries_however_many_addresses_it_makes_up(journal: Journal) -> None:
    pin = PinLock(Table(journal).open(), clock=lambda: 0.0)
    pin.check("2468", "::1")
    for host in range(5):
        with pytest.raises(Forbidden, match="not the PIN"):
            pin.check("0000", f"fd00:1:2:3::{host}")
    with pytest.raises(Forbidden, match="wait a minute"):
        pin.check("2468", "fd00:1:2:3:aaaa:bbbb:cccc:dddd")
    pin.check("2468", "fd00:1:2:4::1")


def test_any_number_of_devices_have_twenty_tries_and_the_pi_its_own(
    journal: Journal,
) -> None:
    pin = PinLock(Table(journal).open(), clock=lambda: 0.0)
    pin.check("2468", "::1")
    for host in range(20):
        with pytest.raises(Forbidden, match="not the PIN"):
            pin.check("0000", f"192.168.1.{host}")
    with pytest.raises(Forbidden, match="wait a minute"):
        pin.check("2468", "192.168.1.99")
    pin.check("2468", "::ffff:127.0.0.1")


def test_undo_and_redo_need_the_present_entry(site: Served) -> None:
    begun(site).decide(do="line-up", seat=0, order=PIGS)
    old = site.table["seq"]
    site.decide(do="play", seat=0, card="red")
    played = site.table
    assert error_of(site, "POST", "/api/undo", {"seq": old}) == (409, "late")
    site.now("/api/undo")
    assert site.table["state"]["played"] == [0, 0]
    site.now("/api/redo")
    again = site.table
    assert again["state"] == played["state"]
    assert again["seq"] > played["seq"]


def test_a_second_tap_of_the_same_finger_is_late(site: Served) -> None:
    begun(site).decide(do="line-up", seat=0, order=PIGS)
    body = {"seq": site.table["seq"], "decision": {"do": "play", "seat": 0, "card": "red"}}
    site.request("POST", "/api/decide", body)
    assert error_of(site, "POST", "/api/decide", body) == (409, "late")


def test_a_game_set_aside_is_resumed_and_one_that_ended_is_not(site: Served) -> None:
    begun(site).decide(do="line-up", seat=0, order=PIGS)
    number, state = site.table["match"]["id"], site.table["state"]
    site.now("/api/set-aside")
    assert site.table["match"] is None
    assert error_of(site, "GET", f"/api/matches/{number}/record") == (409, "running")
    site.post(f"/api/matches/{number}/resume")
    assert site.table["state"] == state
    site.now("/api/end")
    assert error_of(site, "POST", f"/api/matches/{number}/resume", {}) == (409, "not-aside")
    [match] = site.get("/api/matches")["matches"]
    assert match["state"] == "ended"
    assert [row["place"] for row in match["standings"]] == [None, None], "no one has won it"


def test_the_record_of_a_running_game_is_given_to_no_client(site: Served) -> None:
    number = begun(site).table["match"]["id"]
    assert error_of(site, "GET", f"/api/matches/{number}/record") == (409, "running")
    site.now("/api/end")
    assert site.get(f"/api/matches/{number}/record").startswith('{"record": 1, "game": "galloping-pigs"')


def test_without_mock_hardware_there_is_no_virtual_table(site: Served) -> None:
    for path in ("/api/mock", "/mock"):
        with pytest.raises(HttpError, match="404"):
            site.get(path)


# --- the stream ----------------------------------------------------------------------------------


def test_a_stream_has_the_whole_view_at_once_and_at_every_change(site: Served) -> None:
    stream = Stream(site.port)
    name, data = stream.next()
    assert (name, json.loads(data)) == ("table", site.table)
    begun(site)
    assert stream.view()["match"]["seats"] == ["Ada", "Ben"]
    site.decide(do="line-up", seat=0, order=PIGS)
    assert stream.view() == site.table
    stream.close()


def test_a_quiet_stream_beats_with_the_entry_number(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Stream(site.port)
    stream.next()
    name, data = stream.next()
    assert (name, json.loads(data)) == ("beat", {"seq": 0})
    stream.close()


def test_a_reader_that_does_not_read_delays_no_other(site: Served) -> None:
    """The slow one gets the newest state when it reads again, the quick one gets every one."""
    begun(site, options={"rounds": 100}).decide(do="line-up", seat=0, order=PIGS)
    slow = socket.create_connection(("127.0.0.1", site.port))
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.sendall(b"GET /events?as=page HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    quick = Stream(site.port)
    quick.next()
    for turn in range(120):
        table = site.table
        due, seat = table["next"]["do"], table["next"]["seats"][0]
        value: Any = {"order": PIGS} if due == "line-up" else {"card": PIGS[turn % 5]}
        site.decide(do=due, seat=seat, **value)
        assert quick.view()["seq"] >= table["seq"]
    quick.close()
    slow.close()


def test_players_are_notified_first(journal: Journal) -> None:
    """Two hundred strangers, open before and after, have the news after the device that the host unlocked and
    the screen at the machine itself, which is the table without a word."""
    table = Table(journal).open()
    app = create_app(table)
    unlocked = app.test_client().post(
        "/api/unlock", json={"pin": "2468", "role": "host"}, headers={"Origin": "http://localhost"}
    )
    cookie = unlocked.headers["Set-Cookie"].partition(";")[0]
    notified: list[str] = []

    async def tell() -> None:
        hub = Hub(table)
        Site(app, hub)
        hub.open()
        guests = [("guest", ""), ("screen", ""), ("host", cookie), *[("guest", "")] * 199]
        streams = [asyncio.create_task(follow(hub, *guest)) for guest in guests]
        while len(notified) < len(streams):
            await asyncio.sleep(0)
        notified.clear()
        hub.changed(table.snapshot)
        while len(notified) < len(streams):
            await asyncio.sleep(0)
        hub.close()
        await asyncio.gather(*streams)

    async def follow(hub: Hub, who: str, cookie: str) -> None:
        async def send(message: Any) -> None:
            if message.get("more_body"):
                notified.append(who)

        headers = [(b"host", b"localhost"), (b"cookie", cookie.encode())]
        client = ("127.0.0.1" if who == "screen" else "192.168.1.5", 50_000)
        await hub.serve({"method": "GET", "headers": headers, "client": client}, stay, send)

    async def stay() -> Any:
        await asyncio.Event().wait()

    asyncio.run(tell())
    assert notified == ["host", "screen", *["guest"] * 200]


def test_the_server_stops_at_once_with_open_streams(journal: Journal) -> None:
    site = Served(journal)
    streams = [Stream(site.port) for _ in range(5)]
    for stream in streams:
        stream.next()
    site.close()
    for stream in streams:
        assert stream.answer.read() == b"", "the stream was ended, not cut"
        stream.close()


# --- secrets -------------------------------------------------------------------------------------


def everything(site: Served, streams: list[Stream]) -> list[bytes]:
    """Return all the bytes that anybody who is not the owner gets: API, streams and pages."""
    answers = [stream.shown() for stream in streams]
    for path in ("/api/table", "/api/matches", "/", "/watch", "/tv", "/overlay", "/host"):
        connection = http.client.HTTPConnection("127.0.0.1", site.port)
        connection.request("GET", path, headers={"Cookie": site._cookie})
        answers.append(connection.getresponse().read())
        connection.close()
    return answers


def test_a_secret_pick_changes_no_byte_for_others(tmp_path: Path) -> None:
    """For all picks of Ada in the tiny game, everybody else receives the same bytes until Ben picks too."""
    received = []
    for leaf in (1, 2, 3):
        journal = Journal(tmp_path / f"{leaf}.sqlite")
        journal.remember(SIGNING_KEY, "the same for all three")
        site = Served(journal)
        site.host()
        journal._db.execute("update matches set began = ''")
        site.owner.ask(lambda table: table.begin(Header("snail-sprint", ("Ada", "Ben"))))
        site.owner.ask(lambda table: table.journal._db.execute("update matches set began = 'then'") and None)
        streams = [Stream(site.port, query) for query in ("", "?as=page")]
        for stream in streams:
            stream.next()
        pick = {"do": "pick", "seat": 0, "leaf": leaf}
        site.owner.ask(lambda table, pick=pick: table.play.decide(table.snapshot.seq, pick))  # type: ignore[misc]
        received.append(everything(site, streams))
        own = site.owner.snapshot.match
        assert own is not None
        assert own.race.seen_by(0).picks[0] == leaf, "the owner's own view does have it"  # type: ignore[attr-defined]
        assert own.race.seen_by(1).picks[0] == "?"  # type: ignore[attr-defined]
        ben = {"do": "pick", "seat": 1, "leaf": 2}
        site.owner.ask(lambda table, ben=ben: table.play.decide(table.snapshot.seq, ben))  # type: ignore[misc]
        shown = streams[0].view()["news"]
        assert f"Ada picked {leaf}" in [news["text"] for news in shown], "then it is public"
        for stream in streams:
            stream.close()
        site.close()
        journal.close()
    assert received[0] == received[1] == received[2]


def test_streams_end_in_the_thread_of_their_loop(journal: Journal) -> None:
    """The server is stopped from another thread, and nothing of asyncio may be touched from there."""
    hub, ended_in = Hub(Table(journal).open()), []

    class Ended(asyncio.Event):
        def set(self) -> None:
            ended_in.append(threading.get_ident())
            super().set()

    class Open:
        def __init__(self) -> None:
            self.ended = Ended()

    async def stopped() -> int:
        hub.open()
        stream = Open()
        hub._streams.add(stream)  # type: ignore[arg-type]
        await asyncio.to_thread(hub.close)
        await stream.ended.wait()
        return threading.get_ident()

    assert [asyncio.run(stopped())] == ended_in
