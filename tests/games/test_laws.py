"""Laws that every game keeps, over random games: a new game is held to them without a line of test."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games
from companion.games.forms import Keyed
from companion.games.galloping.rules import Galloping, GallopingHorse, GallopingPigs
from companion.games.greyhounds.bets import PAIRS, Bet
from companion.games.judge import IllegalDecision, checked
from companion.games.presenter import presented
from companion.games.race import Race, random_decision
from companion.games.terms import Decision
from companion.match.record import Header, decision_line, decision_of, replayed, written

GAMES = sorted(games.all_games().values(), key=lambda game: game.name)
seeds = st.integers(0, 2**32)
some = settings(max_examples=30, deadline=None)

BOARDS: list[dict[str, Any]] = [
    {"finish": 9, "natural": [], "sand": [1, 3, 5, 7, 9]},
    {"finish": 17, "natural": [6, 2, 3, 4, 5], "sand": [*range(17, 6, -1)]},
    {"finish": 60, "natural": [30], "sand": [*range(1, 30), *range(31, 61)]},
]


ODDS = {
    "win": [Decimal("2.5"), 4, Decimal("6.05"), 1000],
    "place": [1, Decimal("1.9"), 2, 3],
    "double": dict.fromkeys(PAIRS, Decimal("3.333")),
}
CARDS = ((1, 2, 3, 11, 12, 13), (4, 5, 6, 14, 15, 16), (7, 8, 9, 17, 18, 19))
BETS = [
    Bet(*bet) for bet in itertools.product(["win", "double", ""], [(), ("red",), ("red", "blue")], [0, 500])
]
DOGGED: dict[str, list[object]] = {
    "bet": [(), *((bet,) for bet in BETS), (BETS[3], BETS[3]), (Bet("win", ("red",), 2000), BETS[-1])],
    "deal": [None]
    + [Keyed("sets", (CARDS[:n],) * seats) for n in (2, 3) for seats in (3, 4)]
    + [Keyed("last", cards) for cards in (CARDS, (*CARDS, CARDS[0]), (*CARDS, CARDS[0][:5]))],
}


def header_of(game: type[Race], rng: random.Random) -> Header:
    """Return random seats, start and options, now and then at the edge of what is allowed."""
    low, high = game.seat_counts
    seats = tuple(["Ada", "Ben", "Cleo", "Dev", "Emma"][: rng.randint(low, high)])
    options: dict[str, Any] = {}
    for option in game.options:
        if option.kind == "flag":
            options[option.name] = rng.random() < 0.5
        elif option.name == "rounds":
            options[option.name] = rng.randint(1, 3)
        elif option.kind == "number":
            options[option.name] = rng.choice(
                [option.low, option.low + 1, option.default, min(3 * option.low + 20, option.high)]
            )
        elif option.kind == "choice":
            options[option.name] = rng.choice([*option.choices])
        elif option.kind == "seat" and rng.random() < 0.5:
            options[option.name] = rng.randrange(len(seats))
        elif option.kind == "order":
            options[option.name] = rng.sample(range(len(seats)), len(seats))
        elif option.name == "board" and rng.random() < 0.5:
            options[option.name] = rng.choice(BOARDS)
        elif option.name == "odds" and rng.random() < 0.5:
            options[option.name] = ODDS
    for name, low in game.least.get(len(seats), {}).items():
        options[name] = max(low, options[name])
    return Header(game.name, seats, rng.randrange(len(seats)), options)


def races(game: type[Race], seed: int) -> tuple[Header, list[Race], list[Decision]]:
    """Return every position of a random game and the decisions between them; hands now and then unknown."""
    rng = random.Random(seed)
    header = header_of(game, rng)
    race, positions, decisions = header.opening(), [header.opening()], []
    undealt = rng.random() < 0.5  # where a deal is possible but not waited for
    while (decision := random_decision(race, rng)) is not None:
        if undealt and race.may_deal() and (due := race.awaits()) is not None and due.seats:
            decision = race.at_random(rng.choice(due.seats), rng)
        if rng.random() < 0.3:
            decision = race.dealt_unseen() or decision
        race = checked(race, decision)
        positions.append(race)
        decisions.append(decision)
    return header, positions, decisions


def refused(race: Race, decision: Decision) -> str | None:
    """Return the reason that `checked` gives, or None."""
    try:
        checked(race, decision)
    except IllegalDecision as reason:
        return str(reason)
    return None


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
class TestEveryGame:
    @some
    @given(seed=seeds)
    def test_a_record_read_back_gives_the_same_position(self, game: type[Race], seed: int) -> None:
        """Written and replayed, every decision and the last position are what they were."""
        header, positions, decisions = races(game, seed)
        replay = replayed(written(header, decisions).encode())
        assert replay.error is None
        assert list(replay.decisions) == decisions
        assert replay.race == positions[-1]

    @some
    @given(seed=seeds)
    def test_a_decision_and_its_line_say_the_same(self, game: type[Race], seed: int) -> None:
        """decision → line → decision loses nothing."""
        for decision in races(game, seed)[2]:
            assert decision_of(game, decision_line(game, decision)) == decision

    @some
    @given(seed=seeds)
    def test_decisions_and_checked_agree(self, game: type[Race], seed: int) -> None:
        """A well-formed decision is legal exactly if it is listed: also a strange or stale one."""
        _, positions, decisions = races(game, seed)
        rng = random.Random(seed)
        for race in rng.sample(positions, min(6, len(positions))):
            for tried in [*rng.sample(decisions, min(25, len(decisions))), *strange(game, rng)]:
                listed = any(tried in race.decisions(seat) for seat in (None, *range(len(race.seats))))
                assert listed == (refused(race, tried) is None), f"{tried}: {refused(race, tried)}"

    @some
    @given(seed=seeds)
    def test_what_is_listed_is_legal(self, game: type[Race], seed: int) -> None:
        """Every listed decision passes `checked`, and one of the seats that are due always has one."""
        for race in races(game, seed)[1]:
            due = race.awaits()
            for seat in due.seats if due else ():
                listed = list(race.decisions(seat))
                assert listed
                for decision in listed[:200]:
                    checked(race, decision)

    @some
    @given(seed=seeds)
    def test_a_position_never_changes(self, game: type[Race], seed: int) -> None:
        """Looking, refusing and going on leave a position as it was."""
        _, positions, decisions = races(game, seed)
        for race, decision in zip(positions, decisions, strict=False):
            before = repr(race)
            race.seen_by(None), race.state(), race.layout(), race.after(decision)
            assert repr(race) == before

    @some
    @given(seed=seeds)
    def test_the_public_view_can_be_guessed_and_played_on(self, game: type[Race], seed: int) -> None:
        """A view with every hidden value filled allows the real next decision and has its public view."""
        _, positions, decisions = races(game, seed)
        for race, decision in zip(positions, decisions, strict=False):
            public = race.seen_by(None)
            assert public.seen_by(None) == public
            checked(public, decision)
            guess = public.guessed(random.Random(seed))
            assert guess.seen_by(None) == public

    @some
    @given(seed=seeds)
    def test_every_sentence_has_its_words(self, game: type[Race], seed: int) -> None:
        """Every text of a whole game is a sentence of the game's words, not the name of one."""
        from companion.translate import Words

        for race in races(game, seed)[1]:
            its = presented(race)
            words = {text if isinstance(text, str) else text[0] for text in its.words.values()}
            news = [its.sentence(news) for news in race.news]
            for sentence in filter(
                None, [its.prompt(), its.stage(), its.supply(), its.epilogue(), *its.by_hand(), *news]
            ):
                assert sentence.text in words
                assert Words.english().text(sentence, race)


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
@some
@given(seed=seeds)
def test_secret_decisions_are_hidden_from_other_seats(game: type[Race], seed: int) -> None:
    """Choices that show the same are one to everybody who may not know them, and differ for all who may."""
    rng = random.Random(seed)
    _, positions, _ = races(game, seed)
    for race in rng.sample(positions, min(12, len(positions))):
        due = race.awaits()
        for seat in due.seats if due else ():
            alike: dict[Any, list[Race]] = {}
            knows: frozenset[int] = frozenset()
            for decision in some_decisions(race, seat, rng):
                sealed = race.sealed(decision)
                if sealed is not None:
                    knows = sealed.knows | {seat}
                    alike.setdefault((decision.do, sealed.shows), []).append(checked(race, decision))
            for after in alike.values():
                for viewer in (None, *range(len(race.seats))):
                    seen = {(repr(a.seen_by(viewer)), repr(a.seen_by(viewer).news)) for a in after}
                    assert len(seen) == (len(after) if viewer in knows else 1)


def some_decisions(race: Race, seat: int, rng: random.Random) -> set[Decision]:
    """Return a few different things this seat may decide now."""
    return {race.at_random(seat, rng) for _ in range(6)}


def strange(game: type[Race], rng: random.Random) -> list[Decision]:
    """Return decisions that are well formed, but of values, seats and kinds that hardly fit."""
    values: dict[str, list[object]] = {
        str(int): [-1, 0, 3, 5, 10**9],
        str(str): ["red", "pink", "?", "", "Red"],
        str([int]): [(), (1,), (1, 2, 3, 11, 12, 13), (1, 1, 2, 11, 12, 13), (0, 2, 3, 11, 12, 21)],
        str([str]): [("red",), ("red", "red"), (), ("pink", "yellow", "green", "blue", "red")],
        str([[str]]): [None, (), (("red",) * 7,), (("red",) * 7, ("blue",) * 7), ((), ())],
    }
    values |= {str(game.forms[do].shape): tried for do, tried in DOGGED.items() if do in game.forms}
    made = []
    for do, form in game.forms.items():
        for seat in (-1, 0, 3, 9) if form.seat else (None,):
            for what in values.get(str(form.shape), []):
                made.append(Decision(do, seat, what))
    return made


@pytest.mark.parametrize("game", [GallopingPigs, GallopingHorse], ids=lambda g: g.name)
class TestGalloping:
    @some
    @given(seed=seeds)
    def test_food_is_conserved(self, game: type[Galloping], seed: int) -> None:
        """Stock, track, provisional and safe food always add up to all the food there is."""
        for race in races(game, seed)[1]:
            assert isinstance(race, Galloping)
            food = race.stock + len(race.track_food) + sum(race.provisional) + sum(race.kept)
            assert food == race.food
            assert min(race.stock, *race.provisional, *race.kept) >= 0

    @some
    @given(seed=seeds)
    def test_never_two_pieces_on_a_space(self, game: type[Galloping], seed: int) -> None:
        """Every animal has a space to itself, food is where none stood when it was laid."""
        for race in races(game, seed)[1]:
            assert set(Counter(race.layout().values()).values()) <= {1}

    @some
    @given(seed=seeds)
    def test_cards_are_conserved(self, game: type[Galloping], seed: int) -> None:
        """No colour is played more often than it is printed, and every hand runs out."""
        for race in races(game, seed)[1]:
            assert isinstance(race, Galloping)
            assert all(race.played.count(animal) <= race.cards_per_colour for animal in game.animals)
            assert race.due or not any(race.hands)

    @some
    @given(seed=seeds)
    def test_hands_show_to_their_owner_only(self, game: type[Galloping], seed: int) -> None:
        """Two deals that differ in two others' hands look the same to a seat and to the public."""
        rng = random.Random(seed)
        _, positions, _ = races(game, seed)
        race = next(race for race in positions if isinstance(race, Galloping) and race.due == "deal")
        deal = race.drawn(rng)
        assert deal is not None
        one = checked(race, deal)
        swapped = checked(race, deal._replace(what=(*deal.what[:-2], deal.what[-1], deal.what[-2])))
        last = len(race.seats) - 1
        for viewer in (None, *range(last - 1)):
            assert repr(one.seen_by(viewer)) == repr(swapped.seen_by(viewer))
        if sorted(deal.what[-1]) != sorted(deal.what[-2]):
            assert one.seen_by(last) != swapped.seen_by(last)
