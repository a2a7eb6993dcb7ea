"""Who may do what: every route, in each role, as a table; what has no row in it must not be there."""

from __future__ import annotations

import asyncio
import json
import random
import re
import shutil
import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.devices.recorder import Recorder
from companion.diagnostics.instruments import Instruments
from companion.http.files import OPENAPI, PREFIX
from companion.http.health import PATH as HEALTH
from companion.store.journal import Journal
from companion.table.table import Table
from companion.web.serve import Site
from companion.web.stream import Hub
from tests.support.apps import create_app
from tests.support.client import PATIENCE_S
from tests.support.photos import a_photo
from tests.web.test_hardware import APad, APanel, ATrack
from tests.web.test_openapi import Hand
from tests.web.test_web import Served

# visitor: a device with no cookie. watcher: one whose seat the host has freed. seat: a phone that holds Ada's
# seat, other: Ben's; Cleo plays at the table. table, host: devices that gave the PIN for it. pi: the machine's own
# screen, 127.0.0.1; everybody else has an address in the house.
ROLES = ("visitor", "watcher", "seat", "other", "table", "host", "pi")
ADDRESSES = {role: f"192.168.1.{7 + n}" for n, role in enumerate(ROLES)} | {"pi": "127.0.0.1"}

# yes: 200. Else what the answer says why not: role, origin, a wrong code are 403 (page: a page that says it in HTML);
# any other word is from behind the door: who asks may ask, but not now. In a body SEQ is the journal's last entry,
# CODE the code to join with, CARD a card of Ada's hand, TAG an unknown tag,
# PLAYED the entry of a card, PHOTO a photo in Base64, SHOWN its stored name, CHART and TOML what is printed in Greyhounds. The evening is `cards` (Ada owes
# a card of her own hand) unless `@` names another; match 1 has ended, match 2 is set aside, match 3 is on the table.
TABLE = """
request                                | visitor  watcher  seat     other    table    host     pi       | body
GET /                                  | yes      yes      yes      yes      yes      yes      yes      |
GET /watch                             | yes      yes      yes      yes      yes      yes      yes      |
GET /tv                                | yes      yes      yes      yes      yes      yes      yes      |
GET /overlay                           | yes      yes      yes      yes      yes      yes      yes      |
GET /plain                             | yes      yes      yes      yes      yes      yes      yes      |
POST /plain/act                        | role     role     role     role     yes      yes      yes      | action=undo&seq=SEQ
POST /plain/unlock                     | yes      yes      yes      yes      yes      yes      yes      | pin=2468
GET /seat                              | yes      yes      yes      yes      yes      yes      yes      |
GET /host                              | yes      yes      yes      yes      yes      yes      yes      |
GET /tags                              | yes      yes      yes      yes      yes      yes      yes      |
GET /https                             | yes      yes      yes      yes      yes      yes      yes      |
GET /authority.crt                     | 404      404      404      404      404      404      404      |
GET /hardware                          | yes      yes      yes      yes      yes      yes      yes      |
GET /mock                              | yes      yes      yes      yes      yes      yes      yes      |
GET /tonight                           | yes      yes      yes      yes      yes      yes      yes      |
GET /api/tonight                       | yes      yes      yes      yes      yes      yes      yes      |
GET /paper/tonight.svg                 | yes      yes      yes      yes      yes      yes      yes      |
GET /history                           | yes      yes      yes      yes      yes      yes      yes      |
GET /history/1                         | yes      yes      yes      yes      yes      yes      yes      |
GET /rules                             | yes      yes      yes      yes      yes      yes      yes      |
GET /rules/greyhounds                  | yes      yes      yes      yes      yes      yes      yes      |
GET /paper/table                       | yes      yes      yes      yes      yes      yes      yes      |
GET /paper/matches/1.pdf               | yes      yes      yes      yes      yes      yes      yes      |
GET /paper/matches/1.svg               | yes      yes      yes      yes      yes      yes      yes      |
GET /paper/matches/3.svg               | running  running  running  running  running  running  running  |
GET /paper/labels/galloping-pigs.pdf   | role     role     role     role     role     yes      role     |
GET /paper/spaces/galloping-pigs.pdf   | role     role     role     role     role     yes      role     |
GET /qr.svg                            | yes      yes      yes      yes      yes      yes      yes      |
GET /qr.svg?to=host                    | yes      yes      yes      yes      yes      yes      yes      |
GET /qr.svg?to=seat                    | page     page     page     page     yes      yes      yes      |
GET /qr.svg?to=wifi @wifi              | page     page     page     page     yes      yes      yes      |
GET /api/table                         | yes      yes      yes      yes      yes      yes      yes      |
GET /api/matches                       | yes      yes      yes      yes      yes      yes      yes      |
GET /api/matches/1/record              | yes      yes      yes      yes      yes      yes      yes      |
GET /api/matches/3/record              | running  running  running  running  running  running  running  |
GET /api/history                       | yes      yes      yes      yes      yes      yes      yes      |
GET /api/leaderboard                   | yes      yes      yes      yes      yes      yes      yes      |
GET /api/history/1                     | yes      yes      yes      yes      yes      yes      yes      |
GET /api/history/3                     | running  running  running  running  running  running  running  |
GET /api/history/1/moments/0           | yes      yes      yes      yes      yes      yes      yes      |
GET /api/history/1/moments/0?cards=open| yes      yes      yes      yes      yes      yes      yes      |
GET /api/history/3/moments/0?cards=open| running  running  running  running  running  running  running  |
GET /api/charts                        | yes      yes      yes      yes      yes      yes      yes      |
GET /api/charts/greyhounds.toml        | yes      yes      yes      yes      yes      yes      yes      |
POST /api/charts                       | role     role     role     role     role     yes      role     | {"toml": TOML}
PUT /api/charts/greyhounds             | role     role     role     role     role     yes      role     | {"chart": CHART}
DELETE /api/charts/greyhounds          | role     role     role     role     role     yes      role     | {}
POST /api/charts/greyhounds/computed   | role     role     role     role     role     yes      role     | {"lap": 30}
POST /api/unlock                       | yes      yes      yes      yes      yes      yes      yes      | {"pin": "2468", "role": "host"}
POST /api/unlock                       | wrong-pin wrong-pin wrong-pin wrong-pin wrong-pin wrong-pin wrong-pin | {"pin": "1357", "role": "table"}
GET /api/join                          | role     role     role     role     yes      yes      yes      |
POST /api/join                         | yes      yes      seated   seated   yes      yes      yes      | {"code": "CODE", "seat": 2}
POST /api/join                         | wrong-code wrong-code wrong-code wrong-code wrong-code wrong-code wrong-code | {"code": "0000", "seat": 2}
POST /api/join                         | taken    taken    yes      taken    taken    taken    taken    | {"code": "CODE", "seat": 0}
POST /api/ask                          | yes      yes      seated   seated   yes      yes      yes      | {"code": "CODE", "seat": 0}
POST /api/ask                          | free     free     seated   seated   free     free     free     | {"code": "CODE", "seat": 2}
POST /api/ask                          | wrong-code wrong-code wrong-code wrong-code wrong-code wrong-code wrong-code | {"code": "0000", "seat": 0}
POST /api/hand-over                    | role     role     role     role     role     not-asked role    | {"seat": 0, "number": 10, "grant": true}
GET /api/screens                       | role     role     role     role     role     yes      role     |
POST /api/screens                      | yes      yes      yes      yes      yes      yes      yes      | {}
POST /api/screens/answer               | role     role     role     role     role     not-asked role    | {"number": 10, "grant": true}
POST /api/free                         | role     role     role     role     role     yes      role     | {"seat": 0}
PATCH /api/seats/0                     | role     role     role     role     role     yes      role     | {"name": "Zoë"}
PUT /api/wifi                          | role     role     role     role     role     yes      role     | {"name": "Haus am See", "password": ""}
GET /api/faces                         | yes      yes      yes      yes      yes      yes      yes      |
PUT /api/faces                         | role     role     yes      role     role     yes      role     | {"name": "Ada", "hat": 6, "colour": "sky", "photo": "PHOTO"}
PUT /api/faces                         | role     role     role     role     role     yes      role     | {"name": "Zoë", "hat": 1}
DELETE /api/faces @faces               | role     role     yes      role     role     yes      role     | {"name": " ADA"}
GET /api/photos/SHOWN @faces           | yes      yes      yes      yes      yes      yes      yes      |
GET /api/photos/0123                   | unknown  unknown  unknown  unknown  unknown  unknown  unknown  |
GET /api/seat                          | role     role     yes      yes      role     role     role     |
GET /api/seat?seat=0                   | role     role     yes      role     role     role     role     |
GET /api/seat?seat=2                   | role     role     role     role     yes      yes      yes      |
GET /api/seat/page                     | role     role     yes      yes      role     role     role     |
GET /api/seat/page?seat=0              | role     role     yes      role     role     role     role     |
GET /api/seat/page?seat=2              | role     role     role     role     yes      yes      yes      |
POST /api/matches @none                | role     role     role     role     role     yes      role     | {"game": "galloping-pigs", "seats": ["Ada", "Ben"]}
POST /api/practice @none               | role     role     role     role     yes      yes      yes      | {}
POST /api/matches/2/resume @none       | role     role     role     role     role     yes      role     | {}
PATCH /api/matches/1                   | role     role     role     role     role     yes      role     | {"name": "Fog"}
DELETE /api/matches/1                  | role     role     role     role     role     yes      role     | {}
POST /api/set-aside                    | role     role     role     role     role     yes      role     | {"seq": SEQ}
POST /api/end                          | role     role     role     role     role     yes      role     | {"seq": SEQ}
POST /api/decide @line-up              | role     role     yes      role     yes      yes      yes      | {"seq": SEQ, "decision": {"do": "line-up", "seat": 0, "order": ["red", "blue", "green", "yellow", "pink"]}}
POST /api/decide                       | role     role     yes      role     role     role     role     | {"seq": SEQ, "decision": {"do": "play", "seat": 0, "card": "CARD"}}
GET /api/undo                          | role     role     role     role     yes      yes      yes      |
POST /api/undo                         | role     role     role     role     yes      yes      yes      | {"seq": SEQ}
POST /api/redo @undone                 | role     role     role     role     yes      yes      yes      | {"seq": SEQ}
GET /api/played                        | role     role     role     role     role     yes      role     |
GET /api/played/PLAYED @played         | role     role     role     role     role     yes      role     |
POST /api/change @played               | role     role     role     role     role     yes      role     | {"seq": SEQ, "entry": PLAYED, "decision": null}
POST /api/confirm                      | role     role     role     role     nothing  nothing  nothing  | {"seq": SEQ}
POST /api/again                        | role     role     role     role     not-over not-over not-over | {"seq": SEQ}
POST /api/trust                        | role     role     role     role     nothing  nothing  nothing  | {"seq": SEQ, "side": "app", "piece": "red"}
POST /api/next                         | role     role     role     role     nothing  nothing  nothing  | {}
POST /api/explain                      | role     role     role     role     yes      yes      yes      | {"on": true}
PUT /api/machine                       | role     role     role     role     role     settings role     | {"pad": "usb", "panel": false, "track": "none", "spaces": 22, "voice": false, "language": "en"}
GET /api/boxes                         | yes      yes      yes      yes      yes      yes      yes      |
PUT /api/boxes/galloping-pigs          | role     role     role     role     role     yes      role     | {"edition": "2009"}
POST /api/used-cards                   | role     role     role     role     role     yes      role     | {"on": false}
POST /api/landings                     | role     role     role     role     role     yes      role     | {"on": false}
POST /api/remember-play                | role     role     role     role     role     yes      role     | {"on": true}
POST /api/crowd                        | role     role     role     role     role     yes      role     | {"on": false}
GET /api/crowd                         | yes      yes      yes      yes      yes      yes      yes      |
PUT /api/favourite @line-up            | yes      yes      yes      yes      yes      yes      yes      | {"match": 3, "seat": 1}
PUT /api/favourite @played             | closed   closed   closed   closed   closed   closed   closed   | {"match": 3, "seat": 1}
PUT /api/nickname                      | yes      yes      yes      yes      yes      yes      yes      | {"name": "Zoë"}
POST /api/trouble                      | yes      yes      yes      yes      yes      yes      yes      | {"page": "tv", "part": "odds", "where": "show/parts.js:90"}
POST /api/cheer                        | yes      yes      yes      yes      yes      yes      yes      | {"sign": "heart", "seat": 0}
POST /api/painted                      | role     role     role     role     yes      yes      yes      | {"seq": SEQ}
POST /api/pad/typed                    | role     role     role     role     absent   absent   absent   | {"text": "04A1B2C3D4E5F6"}
GET /api/backup                        | role     role     role     role     role     yes      role     |
GET /api/tags                          | role     role     role     role     role     yes      role     |
GET /api/tags/list.txt                 | role     role     role     role     role     yes      role     |
GET /api/tags/list.csv                 | role     role     role     role     role     yes      role     |
POST /api/tags                         | role     role     role     role     role     yes      role     | {"tags": "TAG galloping-pigs/piece/red"}
POST /api/tags/enrol                   | role     role     role     role     role     yes      role     | {"game": "greyhounds"}
POST /api/tags/next @enrolling         | role     role     role     role     role     yes      role     | {"means": "greyhounds/card/red/20"}
POST /api/tags/again @enrolling        | role     role     role     role     role     yes      role     | {}
POST /api/tags/hold @enrolling         | role     role     role     role     role     yes      role     | {"uid": "TAG"}
POST /api/tags/undo @held              | role     role     role     role     role     yes      role     | {}
POST /api/tags/stop @enrolling         | role     role     role     role     role     yes      role     | {}
GET /api/hardware                      | role     role     role     role     role     yes      role     |
GET /api/hardware/figures.csv          | role     role     role     role     role     yes      role     |
GET /api/hardware/figures.txt          | role     role     role     role     role     yes      role     |
POST /api/hardware/figures             | role     role     role     role     role     yes      role     | {"what": "piece", "at": "track/3", "polls": 5, "hits": 4}
DELETE /api/hardware/figures           | role     role     role     role     role     yes      role     | {}
POST /api/hardware/test                | role     role     role     role     role     yes      role     | {"what": "lamp", "colour": "blue"}
POST /api/hardware/restart             | role     role     role     role     role     yes      role     | {}
POST /api/hardware/recorder            | role     role     role     role     role     yes      role     | {"on": true}
GET /api/mock                          | role     role     role     role     yes      yes      yes      |
PUT /api/mock/pad                      | role     role     role     role     yes      yes      yes      | {"tags": []}
PUT /api/mock/track/3                  | role     role     role     role     yes      yes      yes      | {"tags": []}
POST /api/mock/blank                   | role     role     role     role     yes      yes      yes      | {"bytes": 7}
POST /api/mock/button                  | role     role     role     role     yes      yes      yes      | {"name": "next"}
POST /api/mock/fault                   | role     role     role     role     yes      yes      yes      | {"kind": "mute", "at": "pad", "on": true}
"""

# Not in Flask, on the same port: the streams, which know a device by its cookie alone, the files of the pages, and
# whether all is well, which must be said also where every thread behind Flask waits
OUTSIDE_FLASK = """
request                                | visitor  watcher  seat     other    table    host     pi       | body
GET /events                            | yes      yes      yes      yes      yes      yes      yes      |
GET /events?as=page                    | yes      yes      yes      yes      yes      yes      yes      |
GET /events?as=seatpage                | yes      yes      yes      yes      yes      yes      yes      |
GET /events?as=seat                    | role     role     yes      yes      role     role     role     |
GET /events?as=tags                    | role     role     role     role     role     yes      role     |
GET /healthz                           | yes      yes      yes      yes      yes      yes      yes      |
GET /api/openapi.yaml                  | yes      yes      yes      yes      yes      yes      yes      |
GET /static/common/look.css            | yes      yes      yes      yes      yes      yes      yes      |
"""


class Row(NamedTuple):
    """One line of the table: a request of an evening, and what each role gets."""

    method: str
    path: str
    evening: str
    gets: dict[str, str]
    body: str

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.body}"


def rows(table: str) -> Iterator[Row]:
    for line in table.strip().splitlines()[1:]:
        request, gets, body = (part.strip() for part in line.split("|", 2))
        asked, _, evening = request.partition(" @")
        words = gets.split()
        assert len(words) == len(ROLES), line
        method, path = asked.split(" ", 1)
        yield Row(
            method, path.strip(), evening.strip() or "cards", dict(zip(ROLES, words, strict=True)), body
        )


ROWS, ROWS_OUTSIDE_FLASK = list(rows(TABLE)), list(rows(OUTSIDE_FLASK))
CHANGING = [row for row in ROWS if row.method != "GET"]
TAG = "04ABCDEF123456"


class Everything(Hand):
    """A virtual table on which anything can be done."""

    def blank(self, uid: str) -> None:
        pass

    def set_fault(self, kind: str, at: str, on: bool) -> None:
        pass


class Answer(NamedTuple):
    """What came back: the status, and the word for it as in the table."""

    status: int
    word: str


def word(status: int, body: bytes) -> str:
    if status in (200, 303):  # a form of the plain page leads back to it
        return "yes"
    try:
        return str(json.loads(body)["kind"])
    except ValueError:
        return "page" if status == 403 else str(status)


class House:
    """A table with all its parts and a device for each role, each with its cookie."""

    def __init__(self, directory: Path, cookies: dict[str, str]) -> None:
        self.journal = Journal(directory / "journal.sqlite")
        self.table = Table(self.journal, mock=True, dealer=random.Random(1)).open()
        parts = {"track": ATrack(), "pad": APad(), "panel": APanel()}
        self.recorder = Recorder(directory)
        instruments = Instruments(recorder=self.recorder)
        self.app = create_app(self.table, mock=Everything(), parts=parts, instruments=instruments)
        self.cookies = cookies

    def ask(self, role: str, method: str, path: str, body: str = "", **headers: str) -> Answer:
        """Return the answer to one request by this role's device; by default with a browser's headers."""
        client = self.app.test_client(use_cookies=False)
        kept = "kept=yes; " if path.startswith("/plain/") else ""  # what the plain page itself has set
        sent = {"Cookie": kept + self.cookies.get(role, "")}
        if method not in ("GET", "HEAD"):
            kind = "x-www-form-urlencoded" if path.startswith("/plain/") else "json"
            sent |= {"Origin": "http://localhost", "Content-Type": f"application/{kind}"}
        answer = client.open(
            self.filled(path),
            method=method,
            data=self.filled(body).encode(),
            headers={k: v for k, v in (sent | headers).items() if v},
            environ_overrides={"REMOTE_ADDR": ADDRESSES[role]},
        )
        if cookie := answer.headers.get("Set-Cookie"):
            self.cookies[role] = cookie.partition(";")[0]
        return Answer(answer.status_code, word(answer.status_code, answer.data))

    def host(self, method: str, path: str, body: str = "{}") -> None:
        """Do something as host so that the evening comes about."""
        assert self.ask("host", method, path, body).word == "yes", path

    def filled(self, text: str) -> str:
        """Return the text with its capitals filled in."""
        found: dict[str, Callable[[], object]] = {
            "SEQ": lambda: self.table.snapshot.seq,
            "CODE": lambda: self.app.extensions["companion.seats"].code(),
            "CARD": lambda: self._race().secrets_of(0)["hand"][0],
            "TAG": lambda: TAG,
            "PLAYED": lambda: self.table.snapshot.seq,
            "CHART": lambda: json.dumps(self._got("/api/charts").get_json()["charts"]["greyhounds"]["chart"]),
            "PHOTO": a_photo,
            "SHOWN": lambda: self.table.snapshot.faces["ada"].photo,
            "TOML": lambda: json.dumps(self._got("/api/charts/greyhounds.toml").text),
        }
        return re.sub("|".join(found), lambda name: str(found[name[0]]()), text)

    def _got(self, path: str) -> Any:
        return self.app.test_client().get(path)

    def _race(self) -> Any:
        assert self.table.match is not None
        return self.table.match.race

    def stored(self) -> list[str]:
        """Return all that the journal has."""
        return list(self.journal._db.iterdump())

    def close(self) -> None:
        self.recorder.stop()
        self.journal.close()


LINE_UP = '{"seq": SEQ, "decision": {"do": "line-up", "seat": 0, "order": ["red", "blue", "green", "yellow", "pink"]}}'
NEW = '{"game": "galloping-pigs", "seats": ["Ada", "Ben", "Cleo"], "deal": "companion"}'
ENROL = ("POST", "/api/tags/enrol", '{"game": "greyhounds"}')
EVENINGS: dict[str, list[tuple[str, str, str]]] = {
    "none": [],
    "line-up": [("POST", "/api/matches", NEW)],
    "cards": [("POST", "/api/matches", NEW), ("POST", "/api/decide", LINE_UP)],
    "wifi": [("PUT", "/api/wifi", '{"name": "Haus am See", "password": ""}')],
    "faces": [
        ("POST", "/api/matches", NEW),
        ("PUT", "/api/faces", '{"name": "Ada", "hat": 6, "photo": "PHOTO"}'),
    ],
    "enrolling": [ENROL],
    "held": [ENROL, ("POST", "/api/tags/hold", '{"uid": "TAG"}')],
    "played": [
        ("POST", "/api/matches", NEW.replace("companion", "people")),
        ("POST", "/api/decide", LINE_UP),
        ("POST", "/api/decide", '{"seq": SEQ, "decision": {"do": "play", "seat": 0, "card": "red"}}'),
    ],
}
EVENINGS["undone"] = [*EVENINGS["played"], ("POST", "/api/undo", '{"seq": SEQ}')]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Return a journal with all roles given, one match over and another set aside; and the cookies."""
    directory = tmp_path_factory.mktemp("roles")
    house = House(directory, {})
    for role in ("host", "table"):
        assert house.ask(role, "POST", "/api/unlock", json.dumps({"pin": "2468", "role": role})).word == "yes"
    house.host("POST", "/api/matches", NEW)
    for role, seat in (("seat", 0), ("other", 1), ("watcher", 2)):
        assert house.ask(role, "POST", "/api/join", json.dumps({"code": "CODE", "seat": seat})).word == "yes"
    house.host("POST", "/api/free", '{"seat": 2}')
    house.host("POST", "/api/decide", LINE_UP)
    house.host("POST", "/api/end", '{"seq": SEQ}')
    house.host("POST", "/api/matches", NEW)
    house.host("POST", "/api/set-aside", '{"seq": SEQ}')
    house.close()
    assert sorted(house.cookies) == ["host", "other", "seat", "table", "watcher"]
    return directory, house.cookies


@pytest.fixture
def house_of(begun: tuple[Path, dict[str, str]], tmp_path: Path) -> Iterator[Callable[[str], House]]:
    """Yield a function that makes a new house on this evening."""
    opened: list[House] = []

    def open_house(evening: str) -> House:
        directory = tmp_path / str(len(opened))
        shutil.copytree(begun[0], directory)
        opened.append(house := House(directory, dict(begun[1])))
        for step in EVENINGS[evening]:
            house.host(*step)
        return house

    yield open_house
    for house in opened:
        house.close()


FORBIDDEN = ("role", "page", "wrong-pin", "wrong-code")


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_role_gets_what_the_table_says(house_of: Callable[[str], House], row: Row) -> None:
    """A role that may not gets its kind of no, and nothing at all has changed; one that may gets it done."""
    house = house_of(row.evening)
    before = house.stored()
    for role, expected in row.gets.items():
        answer = house.ask(role, row.method, row.path, row.body)
        assert answer.word == expected, role
        assert (answer.status == 403) == (expected in FORBIDDEN)
        if expected != "yes":
            assert house.stored() == before, f"{role} got {answer} and changed something"
        elif row.method == "GET":
            assert house.ask(role, "HEAD", row.path).status == 200
        else:
            house = house_of(row.evening)  # what was done for one is not done for the next
            before = house.stored()


def test_every_route_has_a_row(house_of: Callable[[str], House]) -> None:
    """Every row has a route too: the test walks the routes that the app itself has."""
    app = house_of("cards").app
    adapter = app.url_map.bind("localhost")
    with_rows = {(row.method, matched(adapter, row)) for row in ROWS}
    there = {
        (method, rule.endpoint)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if not rule.build_only
    }
    assert with_rows == there


def matched(adapter: Any, row: Row) -> str:
    path = row.path.partition("?")[0].replace("PLAYED", "1").replace("SHOWN", "0123")
    return str(adapter.match(path, method=row.method)[0])


def test_a_method_without_a_row_is_for_no_role(house_of: Callable[[str], House]) -> None:
    """No role may use it, not even the host; nor a path that the table of roles lacks."""
    house = house_of("cards")
    adapter = house.app.url_map.bind("localhost")
    for path in {row.path.partition("?")[0].replace("PLAYED", "1").replace("SHOWN", "0123") for row in ROWS}:
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - set(adapter.allowed_methods(path)):
            assert house.ask("host", method, path).status == 405, f"{method} {path}"
            assert house.ask("host", method, path, Origin="").status == 405, f"{method} {path}, no Origin"
    for path in ("/api", "/api/", "/api/journal", "/admin", "/api/matches/-1", "/api/seats/x"):
        assert house.ask("host", "GET", path).status == 404


# --- other sites ---------------------------------------------------------------------------------

ORIGINS = {
    "none": "",
    "another site": "http://evil.example",
    "no site": "null",
    "another port": "http://localhost:8001",
    "a longer name": "http://localhost.evil.example",
    "another scheme": "file://localhost",
    "no URL": "http://[",
}


@pytest.mark.parametrize("row", CHANGING, ids=str)
def test_nothing_is_changed_for_another_site(house_of: Callable[[str], House], row: Row) -> None:
    """A foreign Origin, a form's body, or a name that anybody could point here is refused, also to hosts.

    The plain page has forms: of them only the Origin says that they are ours.
    """
    house = house_of(row.evening)
    before = house.stored()
    ask = partial(house.ask, "host", row.method, row.path, row.body)
    for name, origin in ORIGINS.items():
        assert ask(Origin=origin) == Answer(403, "origin"), name
    form = () if row.path.startswith("/plain/") else ("application/x-www-form-urlencoded",)
    for kind in (*form, "multipart/form-data", "text/plain", ""):
        assert ask(**{"Content-Type": kind}) == Answer(400, "malformed"), kind
    assert ask(Host="evil.example").status == 400
    assert house.stored() == before


@pytest.mark.parametrize("row", [row for row in ROWS if row.method == "GET"], ids=str)
def test_nothing_is_answered_under_another_name(house_of: Callable[[str], House], row: Row) -> None:
    """A name that anybody could point here (DNS rebinding)."""
    assert house_of(row.evening).ask("host", "GET", row.path, Host="evil.example").status == 400


# --- outside Flask -------------------------------------------------------------------------------


def asked_whole_site(house: House, role: str, method: str, path: str, host: str = "localhost") -> Answer:
    """Return the status of the whole site to a request, and the first piece of its body."""

    async def ask() -> Answer:
        hub = Hub(house.table)
        site = Site(house.app, hub)
        hub.open()
        said: list[Any] = []
        enough = asyncio.Event()

        async def send(message: Any) -> None:
            said.append(message)
            if message["type"] == "http.response.body":
                enough.set()

        async def receive() -> Any:
            await enough.wait()
            return {"type": "http.disconnect"}

        name, _, query = path.partition("?")
        headers = [(b"host", host.encode()), (b"cookie", house.cookies.get(role, "").encode())]
        scope = {"type": "http", "method": method, "path": name, "query_string": query.encode()}
        scope |= {"headers": headers, "client": (ADDRESSES[role], 50_000)}
        await asyncio.wait_for(site(scope, receive, send), PATIENCE_S)
        hub.close()
        return Answer(said[0]["status"], word(said[0]["status"], said[1]["body"]))

    return asyncio.run(ask())


@pytest.mark.parametrize("row", ROWS_OUTSIDE_FLASK, ids=str)
def test_each_role_gets_what_the_table_says_outside_flask(house_of: Callable[[str], House], row: Row) -> None:
    house = house_of(row.evening)
    for role, expected in row.gets.items():
        answer = asked_whole_site(house, role, row.method, row.path)
        assert answer.word == expected, role
        assert (answer.status == 403) == (expected in FORBIDDEN)
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert asked_whole_site(house, role, method, row.path).status == 405
        assert asked_whole_site(house, role, row.method, row.path, "evil.example").status == 400


def test_paths_outside_flask_have_rows(house_of: Callable[[str], House]) -> None:
    """Each stream that there is, the files, the API's description, and whether all is well."""
    from companion.web.stream import VIEWS

    asked = {
        row.path.partition("as=")[2] or "table"
        for row in ROWS_OUTSIDE_FLASK
        if row.path.startswith("/events")
    }
    assert asked == set(VIEWS)
    assert any(row.path.startswith(PREFIX) for row in ROWS_OUTSIDE_FLASK)
    assert {HEALTH, OPENAPI} <= {row.path for row in ROWS_OUTSIDE_FLASK}


def test_there_is_no_websocket(journal: Journal, house_of: Callable[[str], House]) -> None:
    """Its pages could not be asked where they come from: none is opened, by the server nor by the site."""
    site = Served(journal)
    try:
        for path in ("/", "/events", "/api/table"):
            with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE_S) as wire:
                wire.sendall(
                    b"GET %s HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nConnection: Upgrade\r\n"
                    b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" % path.encode()
                )
                assert wire.recv(65536).partition(b"\r\n")[0] in (
                    b"HTTP/1.1 200 OK",
                    b"HTTP/1.1 400 Bad Request",
                )
    finally:
        site.close()
    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    house = house_of("cards")
    scope = {"type": "websocket", "path": "/events", "headers": []}
    asyncio.run(Site(house.app, Hub(house.table))(scope, receive, send))
    assert said == [{"type": "websocket.close"}]
