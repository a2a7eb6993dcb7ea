"""Bots decide at any moment of any game, from what their seat may see, and the better ones win more often."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import pytest

from companion import games
from companion.bots.greyhounds import gain
from companion.bots.players import KINDS, STRENGTHS, cards_unknown, decide, kind_of, next_decision
from companion.errors import ValidationError
from companion.games.galloping.rules import GallopingPigs
from companion.games.judge import checked
from companion.games.presenter import presented
from companion.games.race import Race, random_decision
from companion.odds.chance import victory
from tests.games.test_greyhounds import on_course
from tests.games.test_laws import header_of
from tests.support.games.snails import Snails

GAMES: list[type[Race]] = [*sorted(games.all_games().values(), key=lambda game: game.name), Snails]
SEEDS = range(24)  # random games, each with options of its own
EACH = 4  # moments at which a decision of each kind is due
QUICK = 24  # playouts of a thinker: it is asked whether it may, not how well

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
every_kind = pytest.mark.parametrize("kind", KINDS)


@cache
def moments(game: type[Race]) -> list[tuple[Race, int]]:
    """Return positions of random games and a seat that owes a decision; a few for each kind of decision."""
    found: dict[tuple[str, ...], list[tuple[Race, int]]] = {}
    for seed in SEEDS:
        rng = random.Random(seed)
        header = header_of(game, rng)
        race: Race = game.new(header.seats, header.start, **header.options)
        while (decision := random_decision(race, rng)) is not None:
            due = race.awaits()
            assert due is not None
            for seat in due.seats:
                # a card to play and one to set aside are owed in the same breath
                kinds = sorted({decision.do for decision in presented(race).offered(seat)})
                found.setdefault((due.do, *kinds), []).append((race, seat))
            if seed % 4 == 1:
                decision = race.dealt_unseen() or decision
            race = checked(race, decision)
    rng = random.Random(7)
    return [moment for kind in found.values() for moment in rng.sample(kind, min(EACH, len(kind)))]


def with_cards(game: type[Race]) -> list[tuple[Race, int]]:
    """Return those moments at which the companion knows the seat's cards, if it needs any."""
    return [(race, seat) for race, seat in moments(game) if not cards_unknown(race.seen_by(seat), seat)]


@every_game
def test_a_decision_of_each_kind_is_asked_for(game: type[Race]) -> None:
    """The moments below hold every decision that seats make in this game."""
    made = {
        decide("random", race, seat, random.Random(n)).do for n in range(9) for race, seat in with_cards(game)
    }
    never = (
        {"deal"} if any(option.name == "food_on_track" for option in game.options) else {"deal", "place-food"}
    )
    assert made == game.forms.keys() - never


@every_kind
@every_game
class TestEveryBot:
    def test_decides_what_the_rules_allow(self, game: type[Race], kind: str) -> None:
        for race, seat in with_cards(game):
            checked(race, decide(kind, race, seat, random.Random(seat), QUICK))

    def test_decides_the_same_from_the_same_view_whatever_is_hidden(
        self, game: type[Race], kind: str
    ) -> None:
        """Everything that the seat cannot see is dealt again: same view, same chance, same decision."""
        for race, seat in with_cards(game):
            other = race.seen_by(seat).guessed(random.Random(5))
            if race.seen_by(seat) != other.seen_by(seat):  # it knows its cards now, which it did not before
                continue
            one, two = (decide(kind, world, seat, random.Random(6), QUICK) for world in (race, other))
            assert one == two


@every_kind
@pytest.mark.parametrize("game", [game for game in GAMES if "deal" in game.forms], ids=lambda game: game.name)
def test_cards_that_people_dealt_cannot_be_played_by_a_bot(game: type[Race], kind: str) -> None:
    """It says so instead of playing what it does not see."""
    undealt = [(race, seat) for race, seat in moments(game) if cards_unknown(race.seen_by(seat), seat)]
    assert undealt
    for race, seat in undealt:
        with pytest.raises(
            ValidationError, match=f"{race.seats[seat]} is played by the companion, which does not know"
        ):
            decide(kind, race, seat, random.Random(1), QUICK)


def test_there_is_no_other_kind() -> None:
    with pytest.raises(
        ValueError,
        match="no bot called 'clever': there are random, playful, careless, greedy, careful, thinker",
    ):
        kind_of("clever")


def test_nobody_decides_out_of_turn() -> None:
    with pytest.raises(ValueError, match="seat 1 owes no decision"):
        decide("greedy", GallopingPigs.new(["Ada", "Ben"]), 1, random.Random(1))


# --- strength ------------------------------------------------------------------------------------


def share(game: type[Race], one: str, other: str, count: int, playouts: int = 300) -> float:
    """Return, and print, the wins of one kind of bot against another, two of each, changing seats."""
    won = 0.0
    for number in range(count):
        bots = [(one, one, other, other)[(seat + number) % 4] for seat in range(4)]
        won += sum(
            part
            for bot, part in zip(bots, victory(ended(game, bots, number, playouts)), strict=True)
            if bot == one
        )
    print(f"{game.name}: {one} wins {won / count:.1%} of {count} games against {other}")
    return won / count


def ended(game: type[Race], bots: Sequence[str], seed: int, playouts: int) -> Race:
    """Return a game that these bots played to its end, each decision judged."""
    race, rng = game.new(["Ada", "Ben", "Cleo", "Dev"]), random.Random(f"strength {seed}")
    while (decision := next_decision(race, bots, rng, playouts)) is not None:
        race = checked(race, decision)
    return race


# Greed does not pay in Pigs: who leads early has no card left that leads at the end, and secures nothing.
CONTESTS = [
    # game, bot, games, wins among as many that play at random, at least
    ("galloping-pigs", "careful", 200, 0.65),
    ("galloping-horse", "greedy", 200, 0.60),
    ("galloping-horse", "careful", 200, 0.60),
    ("galloping-horse", "thinker", 24, 0.65),
    ("giro-galoppo", "greedy", 60, 0.65),
    ("giro-galoppo", "careful", 200, 0.65),
    ("greyhounds", "greedy", 100, 0.57),
    pytest.param("greyhounds", "careful", 40, 0.62, marks=pytest.mark.nightly),
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "kind", "count", "least"), CONTESTS)
def test_who_looks_beats_chance(game: str, kind: str, count: int, least: float) -> None:
    """A bot that looks at its position wins more often than bots that play at random.

    Only here: a bot that plays no better than chance.
    """
    assert share(games.find_by_name(game), kind, "random", count, playouts=60) >= least


def test_a_dog_keeps_away_from_a_card_that_strikes_its_own_out() -> None:
    """Against 18, 9 and 4 in race 2, an 18 is worth more than a 17 only where equal cards move together."""
    for ties, card in (("move", 18), ("strike", 17)):
        view = on_course("0 0 0 0", 2, ties=ties)
        assert max((17, 18), key=lambda own: gain(view, 0, own, {1: 18, 2: 9, 3: 4})) == card


LADDER = [
    # game, games of easy and medium, of medium and strong, wins of the better at least
    ("galloping-pigs", 400, 120, 0.57),
    ("galloping-horse", 400, 200, 0.55),
    ("giro-galoppo", 200, 40, 0.6),
    ("greyhounds", 100, 10, 0.65),
]


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "easy", "strong", "least"), LADDER)
def test_each_strength_beats_the_one_below(game: str, easy: int, strong: int, least: float) -> None:
    """A medium robot beats an easy one, and a strong robot beats a medium one, in every game.

    Only here: a strength that wins no more often than the one below it, although both beat chance.
    """
    assert list(STRENGTHS) == ["easy", "medium", "strong"]
    assert share(games.find_by_name(game), "medium", "easy", easy) >= least
    assert share(games.find_by_name(game), "strong", "medium", strong) >= least
