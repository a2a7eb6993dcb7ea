"""Pairs of games that differ in one secret: nobody who may not know it can tell them apart, to the byte.

The secret is decided one way in one game and another way in the other; then both go on with the same decisions,
are taken back and put back, begun anew from the journal, and ended, until the secret comes out by itself. All
that is published on the way is compared: every picture, in order, as each viewer gets it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import pytest

from companion import games
from companion.errors import CompanionError
from companion.games.judge import reason_against
from companion.games.race import Race, random_decision
from companion.games.terms import Decision
from companion.match.record import Header, decision_line
from companion.store.journal import Journal
from companion.table.picture import Picture
from companion.table.table import Table
from companion.translate import Words
from companion.web.history.view import past_game
from companion.web.seat.page import page, public
from companion.web.seat.table import table as seat_table
from companion.web.seats import Seating
from companion.web.table.public import table as public_table
from tests.test_laws import header_of
from tests.test_seats import Secret, kinds, secret_of

WORDS = Words.english()
Viewer = int | None


class Side:
    """One game of a pair, and all that it published."""

    def __init__(self, header: Header, deal: str, seed: int) -> None:
        self.journal, self.seed = Journal(":memory:"), seed
        self.published: list[Picture] = []
        self._open()
        self.table.begin(header, deal)

    def _open(self) -> None:
        self.table = Table(self.journal, dealer=random.Random(self.seed)).open()
        self.table.listeners.append(self.published.append)
        self.published.append(self.table.picture)

    def restart(self) -> None:
        """The companion stops, and finds the game again."""
        self._open()

    @property
    def race(self) -> Race:
        return self.table.ledger.running().race

    def decide(self, decision: Decision) -> None:
        self.table.play.decide(self.table.picture.seq, decision_line(self.race, decision))

    def is_sealed(self, seq: int) -> bool:
        """Whether the decision of this entry is in force and still secret, or taken back."""
        match = self.table.match
        if match is None:
            return True
        at = match.place_of(seq)
        return at is None or at in match.sealed

    def end(self) -> bytes:
        """Give the game up; what everybody may know of it then."""
        match = self.table.ledger.running().id
        self.table.end(self.table.picture.seq)
        self.journal._db.execute("update matches set began = 'then'")
        past = self.table.archive.past(match)
        told = past_game(past, self.table.picture, WORDS)
        return msgspec.json.encode(told) + self.table.archive.record(match).encode()


def bytes_for(picture: Picture, viewer: Viewer) -> bytes:
    """All that a viewer gets of a picture: the interface's and the page's, of a seat its own too."""
    seating = Seating()
    told: list[object] = [public_table(picture, WORDS), public(picture, WORDS, None, seating)]
    if viewer is not None and picture.match is not None:
        told += [seat_table(picture, WORDS, viewer), page(picture, WORDS, viewer, seating)]
    return msgspec.json.encode(told)


class Compared(NamedTuple):
    """How often two games were compared before the secret came out, and whether it did."""

    pictures: int
    came_out: bool


def compare(game: str, deal: str, do: str, seed: int) -> Compared | None:
    """Play a pair; None if this game comes to no secret of this kind."""
    rng = random.Random(seed)
    header = header_of(games.find_by_name(game), rng)
    sides = [Side(header, deal, seed) for _ in range(2)]
    secret = _up_to(sides, do, rng)
    if secret is None:
        return None
    for side in sides:
        side.published.clear()
    for side, decision in zip(sides, (secret.one, secret.other), strict=True):
        side.decide(decision)
    entry = sides[0].table.ledger.running().turns[-1].seq
    ignorant = [None, *(seat for seat in range(len(header.seats)) if seat not in secret.knows)]
    compared = _assert_alike(sides, ignorant)
    owner = next(iter(secret.knows))
    assert len({bytes_for(side.table.picture, owner) for side in sides}) == 2, "or this would prove nothing"
    came_out = False
    for _ in range(40):
        if not _go_on(sides, rng):
            break
        came_out = _came_out(sides, entry)
        if came_out:
            break
        compared += _assert_alike(sides, ignorant)
    if not came_out:
        assert sides[0].end() == sides[1].end(), "what was never shown stays sealed"
    for side in sides:
        side.journal.close()
    return Compared(compared, came_out)


def _came_out(sides: Sequence[Side], entry: int) -> bool:
    """Whether the secret is shown now, or what it led to: a bet that was paid out."""
    if not all(side.is_sealed(entry) for side in sides):
        return True
    one, other = (side.race.seen_by(None) for side in sides)
    return one.state() != other.state()


def _up_to(sides: Sequence[Side], do: str, rng: random.Random) -> Secret | None:
    """Play both alike until there is a secret of this kind to decide."""
    while (secret := secret_of(sides[0].race, do, rng)) is None:
        decision = random_decision(sides[0].race, rng)
        if decision is None:
            return None
        for side in sides:
            side.decide(decision)
    return secret


def _assert_alike(sides: Sequence[Side], viewers: Sequence[Viewer]) -> int:
    """Whoever may not know got the same pictures in the same order from both games; how many."""
    one, other = (side.published for side in sides)
    assert len(one) == len(other), "the number of messages tells"
    for mine, yours in zip(one, other, strict=True):
        for viewer in viewers:
            assert bytes_for(mine, viewer) == bytes_for(yours, viewer)
    count = len(one)
    for side in sides:
        side.published.clear()
    return count


def _go_on(sides: Sequence[Side], rng: random.Random) -> bool:
    """Do the same in both games: decide, take back, put back, stop and start; False if they cannot go on alike."""
    chance = rng.random()
    if chance < 0.2:
        answers = []
        for side in sides:
            answers.append(_answer(side, "undo" if chance < 0.12 else "redo"))
        assert answers[0] == answers[1], "what is refused tells"
        return True
    if chance < 0.25:
        for side in sides:
            side.restart()
        return True
    for _ in range(20):
        decision = random_decision(sides[0].race, rng)
        if decision is None:
            return False
        if all(reason_against(side.race, decision) is None for side in sides):
            for side in sides:
                side.decide(decision)
            return True
    return False


def _answer(side: Side, step: str) -> str:
    """What undo or redo answers."""
    try:
        getattr(side.table.play, step)(side.table.picture.seq)
    except CompanionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(("game", "deal", "do"), kinds())
def test_two_games_that_differ_in_a_secret_are_the_same_to_whoever_may_not_know_it(
    game: str, deal: str, do: str, soak: int
) -> None:
    pairs = [compare(game, deal, do, seed) for seed in range(3 if soak == 1 else 100)]
    played = [pair for pair in pairs if pair is not None]
    assert played, f"no {do} in any of {len(pairs)} games"
    print(f"{game}, {do}: {len(played)} pairs, {sum(p.pictures for p in played)} pictures alike, "
          f"{sum(p.came_out for p in played)} came out by themselves")  # fmt: skip
