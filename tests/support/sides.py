"""One game of a pair, played at a separate table, and all that anybody gets of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal
from zlib import crc32

import msgspec
from flask import Flask
from flask.sessions import SecureCookieSessionInterface

from companion.devices.tunes import Tune
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.match import Match
from companion.match.record import Header, decision_line
from companion.message import Sentence
from companion.odds.chance import Chance, Event
from companion.odds.styles import Belief
from companion.publishing.elsewhere import pages
from companion.publishing.story import Story
from companion.reply import encoded
from companion.store.checksums import seal
from companion.store.journal import Journal
from companion.table.messages import Chosen, LuckIs, Message, OddsAre, OddsWere
from companion.table.robots import TAPPED_PAUSE
from companion.table.signals import Lamp
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.translate import Words
from companion.views.seat.page import Seating, page, public
from companion.views.seat.table import table as seat_table
from companion.views.table.public import table as public_table
from companion.web.paper.api import sheet
from companion.web.seats import HOLDERS, whose
from tests.support.apps import create_app

WORDS = Words.english()
BEGAN: Final = "2026-05-01T20:00:00+00:00"  # of both, as they begin a moment apart

Seat = int
Viewer = Seat | None
"""Who gets a picture: a seat, or None: anybody, such as the table, a watcher, any listener on the network."""
Who = Seat | Literal["visitor", "host"]
"""Whose device asks: one without a cookie, the host's, or the phone of a seat."""
COOKIES: Final = {"visitor": {}, "host": {"roles": ["host"], "pin": ""}}  # there is no PIN yet
Dealing = Callable[[Race, Decision], Decision]
"""What is dealt at this position instead of a deal."""


def as_dealt(race: Race, deal: Decision) -> Decision:
    return deal


class Telltale:
    """A stand-in for the odds process: its numbers differ whenever any of its input differs.

    So all its input shows in the pictures. Its robots decide what a test says.
    """

    def __init__(self, tell: Callable[[Message], None]) -> None:
        self._tell = tell

    def ask(self, match: int, seq: int, race: Race, belief: Belief) -> None:
        self._tell(OddsAre(match, seq, _chances(race, belief)))

    def choose(
        self, match: int, seq: int, race: Race, seat: int, bot: str, seed: int, belief: Belief
    ) -> None:
        """Do nothing: the pair's player asks again."""

    def explain(self, match: int, seq: int, opening: Race, decisions: Sequence[Decision]) -> None:
        self._tell(LuckIs(match, seq, Sentence(f"luck {_sum(decisions)}"), (), ()))

    def review(self, match: int, seq: int, views: Sequence[tuple[int, Race, Belief]]) -> None:
        self._tell(OddsWere(match, seq, {at: _chances(race, belief) for at, race, belief in views}))


def _chances(race: Race, belief: Belief) -> tuple[Chance, ...]:
    return tuple(
        Chance(Event("win", seat), _sum((race, belief, seat)) / 2**32, 0.01, 0.01)
        for seat in range(len(race.seats))
    )


def _sum(what: object) -> int:
    return crc32(repr(what).encode())


class Side:
    """One game of a pair, and all that it published: pictures, lamp and tunes, in order."""

    def __init__(self, header: Header, deal: str, bots: Sequence[str], seed: int, dealing: Dealing) -> None:
        self.journal, self.now = Journal(":memory:"), 100.0
        self.published: list[Snapshot | str] = []
        self._seed, self._dealing = seed, dealing
        self._inbox: list[Message] = []
        self._story, self._published_up_to = Story(self.journal, "table"), 0
        people = {name: f"phone {s}" for s, name in enumerate(header.seats) if not (bots and bots[s])}
        self.journal.remember(HOLDERS, people)
        self.restart()
        self.table.begin(header, deal, played_by=bots)
        self.journal._db.execute("update matches set began = ?", (BEGAN,))
        seal(self.journal._db, "matches")
        self.settle()

    def restart(self) -> None:
        """Start the companion again; it finds the game, if there is one."""
        table = Table(self.journal, clock=lambda: self.now, dealer=random.Random(self._seed))
        deals = table.ledger._dealt
        table.ledger._dealt = lambda match: (  # type: ignore[method-assign]  # one side deals other cards
            (deal := deals(match)) and self._dealing(match.race, deal)
        )
        table.signals = self
        self.table = table.open()
        self.table.listeners.append(self.published.append)
        self.published.append(self.table.snapshot)
        self.table.consult(Telltale(self._inbox.append))
        self._app: Flask | None = None
        self.settle()

    def lamp(self, colour: Lamp) -> None:
        self.published.append(colour)

    def beep(self, tune: Tune) -> None:
        self.published.append(tune)

    def settle(self) -> None:
        """Deliver all results that were worked out."""
        while self._inbox:
            self.table.handle(self._inbox.pop(0))

    def messages(self) -> list[bytes]:
        """Return the messages to a broker about all entries since the last call, without their times."""
        later = [one._replace(at=BEGAN) for one in self.journal.entries_after(self._published_up_to, 1000)]
        events = list(self._story.events(self._published_up_to, later))
        self._published_up_to = self.journal.seq()
        return [encoded(event) for event in events]

    @property
    def match(self) -> Match:
        return self.table.ledger.running()

    @property
    def race(self) -> Race:
        return self.match.race

    def decide(self, decision: Decision, thinks: float) -> None:
        """Decide by tap; or let a robot decide, after so many seconds."""
        match, seat = self.match, whose(self.race, decision)
        if seat is None or not match.bots[seat]:
            self.table.play.decide(self.table.snapshot.seq, decision_line(self.race, decision))
        else:
            self.now += thinks
            self.table.handle(Chosen(match.id, match.seq, seat, decision))
            self.now += TAPPED_PAUSE - thinks
            self.table.evaluate()
            assert self.match.seq > match.seq, "the robot has decided"
        self.settle()

    def answer(self, who: Who, method: str, path: str, body: Mapping[str, Any] | None) -> bytes:
        """Return the answer to a device's request."""
        app = self._app = self._app or create_app(self.table)
        signed = SecureCookieSessionInterface().get_signing_serializer(app)
        assert signed is not None
        held = {"device": f"phone {who}"} if isinstance(who, int) else COOKIES[who]
        client = app.test_client()
        client.set_cookie("companion", str(signed.dumps(held)))
        answer = client.open(
            path,
            method=method,
            json=body,
            headers={"Origin": "http://localhost"},
            environ_overrides={"REMOTE_ADDR": "192.168.1.7"},
        )
        self.settle()
        return answer.status.encode() + answer.get_data()


def gets(picture: Snapshot, viewer: Viewer) -> bytes:
    """Return what a seat gets of a picture beyond what everybody gets; for None what everybody gets.

    That is what programs get and what pages draw, the sheet to print among it.
    """
    seating = Seating()
    if viewer is None:
        parts: list[object] = [public_table(picture, WORDS), public(picture, WORDS, None, seating)]
        parts += [sheet(picture, WORDS), pages(picture)]
    elif picture.match is not None:
        parts = [seat_table(picture, WORDS, viewer), page(picture, WORDS, viewer, seating)]
    else:
        parts = []
    return msgspec.json.encode(parts)
