"""Those who watch: favourites, play money, cheers; and that the game never knows of them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.games.greyhounds.run import DOGS
from companion.games.race import random_decision
from companion.http.rate_limit import Allowances
from companion.match.record import Header
from companion.odds.chance import Chance, Event
from companion.store.journal import Journal
from companion.table.messages import OddsAre
from companion.table.table import Table
from companion.views.crowd import Contest, Crowd, Favourite
from companion.web.crowd.gallery import OF_ALL, OF_ONE
from tests.support.apps import create_app
from tests.support.client import Stream
from tests.web.test_web import Served

HORSES = ("red", "blue", "green", "yellow")
HEADER = Header("galloping-horse", ("Ada", "Ben"), 0, {"rounds": 1})


class Watcher:
    """A phone in the house that watches."""

    def __init__(self, app: Flask) -> None:
        self._client = app.test_client()

    def ask(self, method: str, path: str, **body: Any) -> tuple[int, Any]:
        answer = self._client.open(
            path,
            method=method,
            json=body if method != "GET" else None,
            headers={"Origin": "http://localhost"},
            environ_overrides={"REMOTE_ADDR": "192.168.1.9"},
        )
        return answer.status_code, answer.get_json()

    def seen(self) -> Any:
        return self.ask("GET", "/api/crowd")[1]

    def pick(self, match: int, seat: int) -> tuple[int, Any]:
        return self.ask("PUT", "/api/favourite", match=match, seat=seat)


@pytest.fixture
def table(journal: Journal) -> Table:
    opened = Table(journal).open()
    opened.begin(HEADER)
    return opened


@pytest.fixture
def app(table: Table) -> Flask:
    return create_app(table)


def number(table: Table) -> int:
    assert table.match is not None
    return table.match.id


def play(table: Table, cards: int = 14) -> None:
    """Play the line-up, and so many cards; fourteen are the whole game."""
    table.play.decide(table.snapshot.seq, {"do": "line-up", "seat": 0, "order": list(HORSES)})
    for turn in range(cards):
        line = {"do": "play", "seat": turn % 2, "card": HORSES[turn // 4]}
        table.play.decide(table.snapshot.seq, line)


def test_a_favourite_pays_what_is_fair_by_the_public_odds(table: Table, app: Flask) -> None:
    """Without odds all seats count alike; the odds of the moment count, and no payout is immense."""
    ann = Watcher(app)
    assert [one["pays"] for one in ann.seen()["favourites"]] == [200, 200]
    chances = (Chance(Event("win", 0), 0.8, 0, 0), Chance(Event("win", 1), 0.0, 0, 0))
    table.handle(OddsAre(number(table), table.snapshot.seq, chances))
    assert [one["pays"] for one in ann.seen()["favourites"]] == [125, 10_000]
    ann.pick(number(table), 0)
    assert ann.seen()["mine"] == {"seat": 0, "piece": None, "name": "Ada", "pays": 125}


def test_it_can_be_changed_until_the_first_card(table: Table, app: Flask) -> None:
    ann = Watcher(app)
    assert ann.pick(number(table), 0)[1]["mine"]["seat"] == 0
    assert ann.pick(number(table), 1)[1]["mine"]["seat"] == 1
    assert ann.pick(number(table), 2)[0] == 400
    assert ann.pick(number(table) + 1, 0)[1]["kind"] == "closed", "another match is not this one"
    play(table, 1)
    status, said = ann.pick(number(table), 0)
    assert (status, said["reason"]) == (
        409,
        "the first card is played: pick a favourite next time",
    )
    assert ann.seen()["mine"]["seat"] == 1


def test_it_is_settled_when_the_game_is_over_and_not_before(table: Table, app: Flask) -> None:
    """A last card that is taken back takes the money along; the next game adds to it."""
    ann, ben = Watcher(app), Watcher(app)
    ann.pick(number(table), 0)
    ben.ask("PUT", "/api/nickname", name=" Lucky   Ben ")
    ben.pick(number(table), 1)
    play(table)
    won = {row.seat for row in table.snapshot.match.race.standings() if row.place == 1}  # type: ignore[union-attr]
    gains = [(200 // len(won) if seat in won else 0) - 100 for seat in (0, 1)]
    assert [one.seen()["gain"] for one in (ann, ben)] == gains
    table.play.undo(table.snapshot.seq)
    assert [(one.seen()["gain"], one.seen()["money"]) for one in (ann, ben)] == [(None, 0)] * 2
    table.play.redo(table.snapshot.seq)
    table.begin(HEADER)
    assert [(one.seen()["gain"], one.seen()["money"]) for one in (ann, ben)] == [(None, g) for g in gains]


def test_the_tipsters_table_is_a_table_like_the_others(table: Table, app: Flask) -> None:
    """It has rank, name, pick, and in the end money: the richest first, at most eight, and the viewer."""
    watchers = [Watcher(app) for _ in range(10)]
    assert watchers[0].seen()["tipsters"] is None
    for watcher in watchers:
        watcher.pick(number(table), 0)
    assert [row[0] for row in watchers[9].seen()["tipsters"]["rows"]] == [
        [f"Guest {n}"] for n in (*range(1, 9), 10)
    ]
    play(table)
    [row, *_] = watchers[0].seen()["tipsters"]["rows"]
    assert row[1] == [{"seat": 0, "text": "Ada"}]
    assert row[2] == row[3]
    assert row[2][0] in ("+100", "0", "−100")


def test_the_richest_is_first() -> None:
    one = Contest(1, 0)
    crowd = Crowd().picked("a", one, Favourite(0, 300)).picked("b", one, Favourite(1, 150)).named("c", "Cleo")
    assert [device for device, _ in crowd.ended(1, {one: frozenset({1})}).ranked()] == ["b", "a"]
    assert [device for device, _ in crowd.ended(1, {one: frozenset({0})}).ranked()] == ["a", "b"]


def run_race(table: Table, rng: random.Random) -> None:
    """Decide at random until one more race of Greyhounds is settled."""
    assert table.match is not None
    run = len(table.match.race.results)  # type: ignore[attr-defined]
    while len(table.match.race.results) == run:  # type: ignore[attr-defined]
        decision = random_decision(table.match.race, rng)
        assert decision is not None
        table.ledger.decide(decision, "person")
        table.evaluate()


def test_greyhounds_has_a_favourite_dog_for_each_race(journal: Journal) -> None:
    """The brown dog has no owner and can be picked; each race is settled alone and paid by its odds."""
    table, rng = Table(journal, dealer=random.Random(7)).open(), random.Random(5)
    match = table.begin(Header("greyhounds", ("Ada", "Ben", "Cleo"), 0, {}))
    watchers = [Watcher(app) for app in [create_app(table)] for _ in range(4)]
    ann, money = watchers[0], [0] * 4
    assert table.match is not None
    for race in (1, 2, 3):
        seen = ann.seen()
        assert (seen["state"], seen["race"], seen["mine"]) == ("open", race, None)
        assert [one["pays"] for one in seen["favourites"]] == [400] * 4, "nothing is known yet"
        for watcher, dog in zip(watchers, DOGS, strict=True):
            assert watcher.ask("PUT", "/api/favourite", match=match, race=race, piece=dog)[0] == 200
        assert ann.ask("PUT", "/api/favourite", match=match, race=race, seat=0)[0] == 400
        assert ann.ask("PUT", "/api/favourite", match=match, race=race % 3 + 1, piece="red")[0] == 409
        run_race(table, rng)
        won = DOGS[table.match.race.results[-1].places[0]]  # type: ignore[attr-defined]
        gains = [300 if dog == won else -100 for dog in DOGS]
        money = [had + gain for had, gain in zip(money, gains, strict=True)]
        key = "gain" if race == 3 else "last_gain"
        assert [watcher.seen()[key] for watcher in watchers] == gains
        assert [watcher.seen()["money"] for watcher in watchers] == money
    seen = ann.seen()
    assert (seen["state"], seen["mine"]["piece"], seen["last"]["piece"]) == ("over", "red", "red")
    [row, *_] = seen["tipsters"]["rows"]
    assert row[2] == row[3]
    table.play.undo(table.snapshot.seq)
    assert ann.seen()["money"] == money[0] - gains[0], "the last card is taken back, and its race with it"


def test_a_favourite_dog_pays_by_the_odds_of_the_race(journal: Journal) -> None:
    """The dog's own chance counts, not that of the seat of its number; the first card closes it."""
    table, rng = Table(journal, dealer=random.Random(7)).open(), random.Random(5)
    match = table.begin(Header("greyhounds", ("Ada", "Ben", "Cleo"), 0, {}))
    ann = Watcher(create_app(table))
    chances = (Chance(Event("win", 0), 0.9, 0, 0), Chance(Event("win", pieces=("red",)), 0.5, 0, 0))
    table.handle(OddsAre(match, table.snapshot.seq, chances))
    assert [one["pays"] for one in ann.seen()["favourites"]] == [200, 400, 400, 400]
    assert table.match is not None
    while not any(table.match.race.played):  # type: ignore[attr-defined]
        assert ann.seen()["state"] == "open"
        decision = random_decision(table.match.race, rng)
        assert decision is not None
        table.ledger.decide(decision, "person")
        table.evaluate()
    assert ann.seen()["state"] == "closed"
    assert ann.ask("POST", "/api/cheer", sign="star", piece="brown")[0] == 200
    assert ann.ask("POST", "/api/cheer", sign="star", piece="pink")[0] == 400


def test_a_nickname_is_ones_own(app: Flask) -> None:
    ann, ben = Watcher(app), Watcher(app)
    assert ann.ask("PUT", "/api/nickname", name="Ann")[0] == 200
    assert ben.ask("PUT", "/api/nickname", name="ANN")[1]["kind"] == "taken"
    for name in ("", "  ", "x" * 17, "a\u202eb"):
        assert ben.ask("PUT", "/api/nickname", name=name)[0] == 400, repr(name)


def test_cheers_need_a_pause() -> None:
    """Three at once, then one in two seconds; ten a second from all together."""
    breaths = Allowances(OF_ONE, OF_ALL)
    assert [breaths.take("ann", 10.0) for _ in range(4)] == [True, True, True, False]
    assert [breaths.take("ann", 11.9), breaths.take("ann", 12.0), breaths.take("ann", 13.0)] == [
        False,
        True,
        False,
    ]
    many = [breaths.take(f"phone {n}", 20.0) for n in range(12)]
    assert many == [True] * OF_ALL.burst + [False] * 2
    assert OF_ONE == (3, 2.0)


def test_one_cheer_too_many_is_refused(app: Flask) -> None:
    ann = Watcher(app)
    answers = [ann.ask("POST", "/api/cheer", sign="star") for _ in range(5)]
    status, said = answers[-1]
    assert (status, said["kind"]) == (429, "wait")
    assert said["reason"] == "that was a lot of cheering: take a breath, then cheer again"
    assert ann.ask("POST", "/api/cheer", sign="boo")[0] == 400
    assert ann.ask("POST", "/api/cheer", sign="star", seat=2)[0] == 400


def test_what_the_host_switches_off_is_refused(table: Table, app: Flask, journal: Journal) -> None:
    """That holds also after a restart; earlier favourites are there again once it is on."""
    ann = Watcher(app)
    ann.pick(number(table), 1)
    table.show(crowd=False)
    for method, path, body in (
        ("PUT", "/api/favourite", {"match": number(table), "seat": 0}),
        ("PUT", "/api/nickname", {"name": "Ann"}),
        ("POST", "/api/cheer", {"sign": "star"}),
    ):
        status, said = ann.ask(method, path, **body)
        assert (status, said["reason"]) == (409, "the host has switched this off: just watch")
    assert ann.seen()["state"] is None
    assert not Table(journal).open().snapshot.switches.crowd
    table.show(crowd=True)
    assert ann.seen()["mine"]["seat"] == 1


@pytest.mark.long
@pytest.mark.parametrize("game", ["galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds"])
def test_a_whole_game_is_the_same_with_a_crowd(tmp_path: Path, game: str) -> None:
    """The record and every entry are the same, byte for byte; the journal has nothing of what watchers do.

    Only here: a game that goes otherwise because people watch it.
    """
    alone, watched = (played(tmp_path / name, game, crowd=name == "watched") for name in ("alone", "watched"))
    assert watched == alone


def played(directory: Path, game: str, *, crowd: bool) -> tuple[str, int]:
    """Return the record of a game that is decided at random, and the journal's last entry."""
    directory.mkdir()
    journal = Journal(directory / "journal.sqlite")
    table = Table(journal, dealer=random.Random(7)).open()
    noise, rng = random.Random(3), random.Random(game)
    watchers = [Watcher(app) for app in [create_app(table)] for _ in range(3)] if crowd else []
    match = table.begin(Header(game, ("Ada", "Ben", "Cleo"), 0, {}))
    while table.match is not None and (decision := random_decision(table.match.race, rng)) is not None:
        for watcher in watchers:
            before = journal.seq(), journal._db.total_changes
            whom = {"piece": noise.choice(DOGS)} if game == "greyhounds" else {"seat": noise.randrange(3)}
            race = watcher.seen()["race"]
            watcher.ask("PUT", "/api/favourite", match=match, race=race, **whom)
            watcher.ask("POST", "/api/cheer", sign="heart", **whom)
            assert (journal.seq(), journal._db.total_changes) == before
        table.ledger.decide(decision, "person")
        table.evaluate()
    for watcher in watchers:
        assert watcher.seen()["mine"] is not None
    table.begin(Header(game, ("Ada", "Ben", "Cleo"), 0, {}))
    record, seq = table.archive.record(match), table.snapshot.seq
    journal.close()
    return record, seq


# --- over the stream -----------------------------------------------------------------------------


@pytest.fixture
def site(journal: Journal) -> Iterator[Served]:
    served = Served(journal)
    yield served
    served.close()


def test_a_cheer_reaches_public_pages_alone_and_draws_nothing_anew(site: Served) -> None:
    """It is a separate event: no view is sent again; the stream of programs has no cheers."""
    site.host()
    site.begin()
    page, programs = Stream(site.port, "?as=page"), Stream(site.port)
    assert (page.next()[0], programs.next()[0]) == ("page", "table")
    seq = site.table["seq"]
    site.post("/api/cheer", sign="rosette", seat=1)
    site.post("/api/cheer", sign="flag")
    cheers: list[Any] = []
    while len(cheers) < 2:  # a beat may come between
        name, data = page.next()
        assert name in ("cheers", "beat")
        cheers += json.loads(data).get("cheers", [])
    assert cheers == [
        {"sign": "rosette", "seat": 1, "piece": None},
        {"sign": "flag", "seat": None, "piece": None},
    ]
    assert site.table["seq"] == seq
    assert programs.next()[0] == "beat"
    page.close()
    programs.close()
