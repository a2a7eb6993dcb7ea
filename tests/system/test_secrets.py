"""Pairs of games that differ in one secret: a viewer who may not know it gets the same bytes.

The secret is one thing in one game and another in the other: what a person or a robot decided, or a card that
the companion dealt. Then both go on with the same deeds: decide, take back and put back, change what was
decided earlier, set aside, stop and start; until the secret comes out by the rules, or they are given up.
Compared is

- every picture that is published, in order, with the lamp and the tunes: as a plain listener gets it, who has
no seat (the table, a watcher, a program that passes on what it hears, to a message broker say), and each seat
that may not know; - the answers to requests: the table, all lists, record, history, the page to print, and
every moment of it with and without open cards. They are asked for in the middle and at the end, without a
role, as host or from another seat's phone; with them what is taken back, and what a change would lead to; -
every event that a message broker gets.

The odds here differ with anything that they are worked out from; those of real games are in
test_odds_leak.py.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from companion import games
from companion.games.forms import Keyed
from companion.games.galloping.rules import Galloping
from companion.games.greyhounds.sets import CARDS, LOW
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.record import Header
from companion.store.journal import Journal
from companion.table.table import Table
from companion.web import create_app
from tests.games.test_laws import header_of
from tests.support.pairs import RUNNING, Compared, Difference, Pair
from tests.support.sides import BEGAN
from tests.web.test_seats import Secret, kinds, secret_of

HANDS = [
    ("galloping-pigs", {}),
    pytest.param("galloping-horse", {}, marks=pytest.mark.long),
    ("greyhounds", {"bookie": None}),
    ("greyhounds", {"bookie": 1}),
]
ROBOTS = [(game, do) for game, deal, do in kinds() if deal == "companion"]


class Size(NamedTuple):
    """How many pairs of each kind, and after how many deeds at most a pair is given up."""

    pairs: int
    deeds: int


@pytest.fixture
def size(soak: int, monkeypatch: pytest.MonkeyPatch) -> Size:
    monkeypatch.setattr("reportlab.rl_config.invariant", 1)  # the date of today is in no page that is printed
    monkeypatch.setattr("companion.store.backup.now", lambda: BEGAN)  # nor in a copy
    return Size(1, 10) if soak == 1 else Size(100, 40)


# --- what is decided -----------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "deal", "do"), kinds())
def test_what_a_person_decided_in_secret(game: str, deal: str, do: str, size: Size) -> None:
    counted(f"{game}, {do}", [of_a_decision(game, deal, do, seed, size.deeds) for seed in range(size.pairs)])


@pytest.mark.parametrize(("game", "do"), ROBOTS)
def test_what_a_robot_decided_in_secret(game: str, do: str, size: Size) -> None:
    """All but one seat are played by the companion; a robot of the second game thinks for longer."""
    counted(
        f"{game}, {do} of a robot",
        [of_a_decision(game, "companion", do, seed, size.deeds, robots=True) for seed in range(size.pairs)],
    )


def of_a_decision(
    game: str, deal: str, do: str, seed: int, deeds: int, robots: bool = False
) -> Compared | None:
    """Return two games that differ in such a decision; None if this game comes to none."""
    header = header_of(games.find_by_name(game), random.Random(seed))
    bots = ["", *["easy"] * (len(header.seats) - 1)] if robots else ()
    pair = Pair(header, deal, seed, bots)
    while (secret := one_of_those(pair, do, robots)) is None:
        decision = pair.at_random()
        if decision is None:
            pair.close()
            return None
        pair.decide(decision, decision)
    pair.forget()
    pair.decide(secret.one, secret.other)
    return pair.compared(Difference(pair.sides[0].match.turns[-1].seq, secret[:2], secret.knows), deeds)


def one_of_those(pair: Pair, do: str, robots: bool) -> Secret | None:
    """Return two such decisions that are legal now; some are skipped, so that it need not be the first."""
    match = pair.sides[0].match
    robot = match.bot_due()
    seats = None if not robots else [] if robot is None else [robot]
    return secret_of(match.race, do, pair.rng, seats) if pair.rng.random() < 0.6 else None


# --- what is dealt -------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "options"), HANDS)
def test_what_the_companion_dealt(game: str, options: dict[str, object], size: Size) -> None:
    """One card of one seat is another seat's, or no seat's; every other seat has the same hand.

    Only here: a dealt card of Galloping Horse that another seat or a viewer can detect.
    """
    counted(
        f"{game} {options}, hands", [of_a_hand(game, options, seed, size.deeds) for seed in range(size.pairs)]
    )


def of_a_hand(game: str, options: dict[str, object], seed: int, deeds: int) -> Compared | None:
    """Return two games that differ in a card of a hand or a set; None if there was no such deal."""
    rng = random.Random(seed)
    header = header_of(games.find_by_name(game), rng)
    header = Header(game, header.seats, header.start, {**header.options, **options})
    count = len(header.seats)
    bots = ["", *["easy"] * (count - 1)] if rng.random() < 0.3 else ()
    seat, other = rng.sample(range(count), 2)
    dealing = OtherCards(rng, seat, other if rng.random() < 0.5 else None, rng.randint(1, 2))
    pair = Pair(header, "companion", seed, bots, dealing)
    while (at := first_difference(pair)) is None:
        decision = pair.at_random()
        if decision is None:
            pair.close()
            return None
        pair.forget()
        pair.decide(decision, decision)
    deals = tuple(side.match.turns[at].decision for side in pair.sides)
    knows = {seat} if dealing.other is None else {seat, dealing.other}
    return pair.compared(Difference(pair.sides[0].match.turns[at].seq, deals, frozenset(knows)), deeds)


def first_difference(pair: Pair) -> int | None:
    one, other = (side.match.decisions() for side in pair.sides)
    return next((at for at, (mine, yours) in enumerate(zip(one, other, strict=True)) if mine != yours), None)


class OtherCards:
    """From a `round` on deals a card of `seat` to `other`, who gets one for it; None: that card was left over."""

    def __init__(self, rng: random.Random, seat: int, other: int | None, round: int) -> None:
        self._rng, self._seat, self._round = rng, seat, round
        self.other = other

    def __call__(self, race: Race, deal: Decision) -> Decision:
        if not isinstance(race, Galloping):
            self.other = None  # everybody has cards of their own
            return Decision("deal", None, self._other_set(deal.what))
        return (
            deal if race.round < self._round else Decision("deal", None, self._other_hands(race, deal.what))
        )

    def _other_hands(self, race: Galloping, hands: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        dealt = [list(hand) for hand in hands]
        left = [
            a
            for a in race.animals
            for _ in range(race.cards_per_colour - sum(hand.count(a) for hand in hands))
        ]
        theirs = left if self.other is None else dealt[self.other]
        mine = dealt[self._seat]
        pairs = [(m, t) for m, one in enumerate(mine) for t, other in enumerate(theirs) if one != other]
        if pairs:
            m, t = self._rng.choice(pairs)
            mine[m], theirs[t] = theirs[t], mine[m]
        return tuple(map(tuple, dealt))

    def _other_set(self, deal: Keyed) -> Keyed:
        """Return the deal with a set's card changed for one in none of the seat's sets, as low or high."""
        sets = [deal.value[self._seat]] if deal.key == "last" else list(deal.value[self._seat])
        at = self._rng.randrange(len(sets))
        card = self._rng.choice(sets[at])
        spare = self._rng.choice(
            [c for c in CARDS if (c in LOW) == (card in LOW) and not any(c in one for one in sets)]
        )
        sets[at] = tuple(spare if c == card else c for c in sets[at])
        mine = sets[0] if deal.key == "last" else tuple(sets)
        return Keyed(deal.key, (*deal.value[: self._seat], mine, *deal.value[self._seat + 1 :]))


# --- what is asked, and how much of it -----------------------------------------------------------


def test_every_route_that_tells_of_a_game_is_asked(journal: Journal) -> None:
    """But for pages that have nothing of it in them, and the sheet to go on by hand, compared as it is drawn."""
    routes = create_app(Table(journal).open()).url_map
    telling = {"api", "history", "played_api", "seat_api", "paper", "copies"}
    there = {rule.endpoint for rule in routes.iter_rules() if rule.methods and "GET" in rule.methods}
    asked = (*RUNNING, "/api/seat", "/api/seat/page", "/api/played/1")
    found = {routes.bind("localhost").match(path.partition("?")[0])[0] for path in asked}
    assert {endpoint for endpoint in there if endpoint.partition(".")[0] in telling} - found == {
        "seat_api.get_join",
        "history.history_page",
        "history.past_page",
        "paper.labels_pdf",
        "paper.spaces_pdf",
        "paper.table_page",
    }


def counted(kind: str, pairs: Sequence[Compared | None]) -> None:
    """Assert that there was something to compare, and print how much."""
    played = [pair for pair in pairs if pair is not None]
    assert played, f"no {kind} in any of {len(pairs)} games"
    pictures, answers, events, came_out = map(sum, zip(*played, strict=True))
    assert events, "a message broker got nothing"
    print(
        f"{kind}: {len(played)} pairs, {pictures} pictures, {answers} answers and {events} events alike, "
        f"{came_out} came out"
    )
