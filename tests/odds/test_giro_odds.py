"""Giro Galoppo's chances: the referee's moves, all that can happen, and errors that are what they say."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from math import sqrt
from typing import Any

import numpy as np
import pytest

from companion.games.giro.rules import CARDS, OBSTACLES, STANDARD, Board, GiroGaloppo, board_of
from companion.games.race import played_out, random_decision
from companion.games.terms import HIDDEN, Decision
from companion.odds.chance import Event, victory
from companion.odds.estimate import Tally
from companion.odds.giro import kernel as giro
from companion.odds.giro.kernel import Course, Giro, course_of, free_sand, may_lie, random_course, ride
from companion.odds.kernel import Playouts

NAMES = ("Ada", "Ben", "Cleo", "Dev", "Emma")
TIGHT = {"finish": 17, "natural": [2, 3, 4, 5, 6], "sand": [*range(8, 18)]}  # no room to spare
LONG = {"finish": 1000, "natural": [s for s in range(1, 985) if s % 6], "sand": [*range(986, 1001)]}


def some_board(rng: random.Random) -> Board:
    """Return a random board, as odd as the rules allow."""
    while True:
        finish = rng.choice([rng.randint(9, 14), rng.randint(15, 60), 28, 1000])
        density = rng.choice([0, 0.1, 0.4, 0.9])
        natural: list[int] = []
        for space in range(1, finish + 1):
            if rng.random() < density and natural[-5:] != list(range(space - 5, space)):
                natural.append(space)
        bare = [space for space in range(1, finish + 1) if space not in natural]
        sand = rng.sample(bare, rng.randint(min(5, len(bare)), len(bare)))
        try:
            return board_of({"finish": finish, "natural": natural, "sand": sand})
        except ValueError:
            continue


def opening(rng: random.Random, **options: Any) -> GiroGaloppo:
    seats = options.pop("seats", rng.randint(2, 5))
    return GiroGaloppo.new(
        NAMES[:seats],
        **{"age": rng.sample(range(seats), seats), "rearmost_only": rng.random() < 0.5, **options},
    )


def laid_out(race: GiroGaloppo, rng: random.Random, obstacles: int = OBSTACLES) -> GiroGaloppo:
    """Return the race with so many obstacles, laid at random."""
    while len(race.obstacles) < obstacles:
        decision = random_decision(race, rng)
        assert decision is not None
        race = race.after(decision)
    return race


@cache
def courses() -> list[GiroGaloppo]:
    """Return races on 120 boards before their first round."""
    rng = random.Random(12)
    return [laid_out(opening(rng, board=some_board(rng)), rng) for _ in range(120)]


def thick_of_it(rng: random.Random, stretch: int = 1000, hands: tuple[int, ...] = CARDS) -> GiroGaloppo:
    """Return a race before a round, the horses close together somewhere in the last `stretch` spaces, or in
    the gate.

    `hands` are the numbers of cards that each seat may have left.
    """
    race = rng.choice(courses())
    finish, blocked = race.board.finish, {*race.board.natural, *race.obstacles}
    front = rng.randint(max(1, finish - stretch), finish)
    free = [space for space in range(max(1, front - 9), front + 1) if space not in blocked]
    stand = rng.sample(free, min(len(free), rng.randint(1, len(race.seats))))
    progress = rng.sample([*stand, *[0] * (len(race.seats) - len(stand))], len(race.seats))
    turned = len(CARDS) - rng.choice(hands)
    used = tuple(tuple(sorted(rng.sample(CARDS, turned))) for _ in race.seats)
    return replace(race, progress=tuple(progress), used=used, rearmost_only=rng.random() < 0.5)


def with_choices(race: GiroGaloppo, rng: random.Random, most: int | None = None) -> GiroGaloppo:
    """Return the race after up to `most` seats have chosen their cards."""
    for _ in range(rng.randint(0, len(race.seats) - 1) if most is None else most):
        decision = random_decision(race, rng)
        assert decision is not None
        race = race.after(decision)
    return race


def asked(views: random.Random, race: GiroGaloppo) -> GiroGaloppo:
    """Return what the public, a seat or the referee sees of the race."""
    return views.choice([race, race.seen_by(None), *(race.seen_by(s) for s in range(len(race.seats)))])


# --- a round -------------------------------------------------------------------------------------


def rounds(rng: random.Random) -> Iterator[tuple[GiroGaloppo, GiroGaloppo]]:
    """Yield a race before and after each round, all cards chosen: a whole one or one in the thick of it."""
    race = rng.choice(courses()) if rng.random() < 0.5 else thick_of_it(rng)
    for _ in range(20):
        if not race.due:
            return
        chosen = with_choices(race, rng, len(race.seats) - 1)
        last = random_decision(chosen, rng)
        assert last is not None
        race = chosen.after(last)
        assert last.seat is not None
        choices = (*chosen.choices[: last.seat], last.what, *chosen.choices[last.seat + 1 :])
        yield replace(chosen, choices=choices), race


def mismatches(pairs: list[tuple[GiroGaloppo, GiroGaloppo]]) -> list[GiroGaloppo]:
    """Return the rounds, all of as many seats and one variant, that kernel and referee play differently."""
    courses = [course_of(before, 1).blocked for before, _ in pairs]
    begin = np.cumsum([0, *map(len, courses[:-1])])
    spaces = np.array([[race.progress[s] for s in race.age] for race, _ in pairs], dtype=np.uint16).T.copy()
    cards = np.array([[race.choices[s] for s in race.age] for race, _ in pairs], dtype=np.uint8).T
    ride(spaces, cards, Course(np.concatenate(courses), begin), pairs[0][0].rearmost_only)
    expected = np.array([[after.progress[s] for s in after.age] for _, after in pairs]).T
    return [pairs[world][0] for world in np.nonzero((spaces != expected).any(axis=0))[0]]


def same_rounds(decisions: int, seed: int) -> Counter[str]:
    """Play so many decisions at random, referee and kernel; return what happened how often."""
    rng = random.Random(seed)
    grouped: dict[tuple[int, bool], list[tuple[GiroGaloppo, GiroGaloppo]]] = defaultdict(list)
    happened: Counter[str] = Counter()
    while happened["decisions"] < decisions:
        for before, after in rounds(rng):
            grouped[len(before.seats), before.rearmost_only].append((before, after))
            happened["decisions"] += len(before.seats)
            happened.update(step.kind if step.pushed is None else "pushed" for step in after.steps)
    for pairs in grouped.values():
        assert mismatches(pairs) == []
    assert len(grouped) == 8
    return happened


def test_a_round_is_what_the_referee_makes_of_it() -> None:
    """10,000 random decisions: boards, seats, ages and both variants; every kind of move among them."""
    happened = same_rounds(10_000, seed=1)
    assert happened["decisions"] >= 10_000
    assert min(happened[kind] for kind in ("moved", "pushed", "refused", "missed")) >= 500


@pytest.mark.long
def test_a_hundred_thousand_decisions_are_the_referees() -> None:
    """100,000 random decisions have the same result in `after` and in the kernel's round.

    Only here: a rare meeting of horses and obstacles that the kernel plays otherwise than the rules.
    """
    happened = same_rounds(100_000, seed=2)
    print(dict(happened))
    assert happened["decisions"] >= 100_000


# --- obstacles -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_an_obstacle_may_lie_where_the_rules_let_it(seed: int) -> None:
    """It may lie there from every number of obstacles on, in several worlds at once."""
    rng = random.Random(seed)
    start = opening(rng, board=rng.choice([some_board(rng), TIGHT, STANDARD._asdict()]))
    for laid in range(OBSTACLES):
        races = [laid_out(start, rng, laid) for _ in range(6)]
        last = max(start.board.natural, default=0)
        free = np.stack([free_sand(race) for race in races], axis=1)
        in_stretch = np.array([sum(o > last for o in race.obstacles) for race in races], dtype=np.int16)
        allowed = may_lie(free, last, in_stretch, OBSTACLES - laid - 1)
        for world, race in enumerate(races):
            due = race.awaits()
            assert due is not None
            legal = {decision.what for decision in race.decisions(due.seats[0])}
            assert set(np.nonzero(allowed[:, world])[0].tolist()) == legal


def test_each_layout_is_as_likely_as_laying_at_random_makes_it() -> None:
    """On a tight board the share of each layout in 40,000 worlds is within five errors of its chance."""
    race = opening(random.Random(0), board=TIGHT)

    def chances(race: GiroGaloppo, p: float) -> Iterator[tuple[tuple[int, ...], float]]:
        if len(race.obstacles) == OBSTACLES:
            yield race.obstacles, p
            return
        due = race.awaits()
        assert due is not None
        legal = race.decisions(due.seats[0])
        for decision in legal:
            yield from chances(race.after(decision), p / len(legal))

    expected: Counter[tuple[int, ...]] = Counter()
    for layout, p in chances(race, 1.0):
        expected[layout] += p  # type: ignore[assignment]  # a Counter adds up chances too
    course = random_course(race, 40_000, np.random.default_rng(5))
    blocked = course.blocked.reshape(40_000, -1)
    found = Counter(tuple(space for space in np.nonzero(row)[0].tolist() if space > 6) for row in blocked)
    assert found.keys() == expected.keys()
    for layout, p in expected.items():
        assert abs(found[layout] / 40_000 - p) < 5 * sqrt(p * (1 - p) / 40_000)


# --- all that can happen -------------------------------------------------------------------------


class Quick(Giro):
    """Exact answers that enumeration in plain Python can check."""

    budget = 4_000
    near = 200


def enumerated(race: GiroGaloppo) -> list[float]:
    """Return each seat's chance to win, then to be placed, over all choices of all seats by the rules."""
    known: dict[Any, list[float]] = {}

    def chances(race: GiroGaloppo) -> list[float]:
        awaited = race.awaits()
        if awaited is None:
            placed = {standing.seat for standing in race.standings() if standing.place}
            return [*victory(race), *(float(seat in placed) for seat in range(len(race.seats)))]
        key = (race.progress, race.used, race.choices)
        if key not in known:
            seat = awaited.seats[0]
            following = [chances(race.after(decision)) for decision in race.decisions(seat)]
            known[key] = [sum(column) / len(following) for column in zip(*following, strict=True)]
        return known[key]

    if HIDDEN in race.choices:
        seat = race.choices.index(HIDDEN)
        unseen = replace(race, choices=(*race.choices[:seat], None, *race.choices[seat + 1 :]))
        hand = [d.what for d in unseen.decisions(seat)]
        filled = (
            replace(race, choices=(*race.choices[:seat], card, *race.choices[seat + 1 :])) for card in hand
        )
        following = [enumerated(one) for one in filled]
        return [sum(column) / len(following) for column in zip(*following, strict=True)]
    return chances(race)


def exact_positions(kernel: Giro, seed: int) -> Iterator[tuple[GiroGaloppo, dict[Event, float]]]:
    """Yield views, at any moment of a round, that this kernel works out exactly; without end."""
    rng = random.Random(seed)
    while True:
        race = asked(rng, with_choices(thick_of_it(rng, stretch=8, hands=(1, 2, 3, 6)), rng))
        if worked_out := dict(kernel.exact(race)):
            yield race, worked_out


def off_enumeration(count: int, seed: int, kernel: Giro) -> float:
    """Return the largest difference between exact values and enumeration over so many views."""
    worst = 0.0
    for race, worked_out in islice(exact_positions(kernel, seed), count):
        assert list(worked_out) == list(events(race))
        worst = max(worst, *(abs(a - b) for a, b in zip(worked_out.values(), enumerated(race), strict=True)))
    return worst


def events(race: GiroGaloppo) -> tuple[Event, ...]:
    return tuple(Event(what, seat) for what in ("win", "placed") for seat in range(len(race.seats)))


def test_exact_values_are_those_of_enumeration() -> None:
    """An exact value counts every outcome, weighed by its chance: on 150 views."""
    assert off_enumeration(150, 3, Quick()) < 1e-9


@pytest.mark.long
def test_more_exact_values_are_those_of_enumeration() -> None:
    """Exact values are those of enumeration over 1,000 views.

    Only here: an exact value that is wrong in a position that few games reach.
    """
    assert off_enumeration(1000, 4, Quick()) < 1e-9


def test_what_is_too_big_is_given_up_within_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many horses there are, no more moves are made than the budget allows."""
    moves = 0

    def counted(spaces: Any, cards: Any, *rest: Any) -> None:
        nonlocal moves
        moves += cards.size
        ride(spaces, cards, *rest)

    monkeypatch.setattr(giro, "ride", counted)
    rng, kernel = random.Random(6), Giro()
    kernel.near = 1000  # as if all were near
    given_up = 0
    for _ in range(40):
        moves = 0
        given_up += not kernel.exact(thick_of_it(rng, stretch=30))
        assert moves <= kernel.budget
    assert 5 <= given_up <= 35


def test_nothing_is_worked_out_far_from_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first round, and while obstacles are laid, giving up costs nothing."""
    monkeypatch.delattr(giro, "ride")
    race = opening(random.Random(0))
    assert Giro().exact(race) == {}
    assert Giro().exact(laid_out(race, random.Random(0))) == {}


# --- playouts ------------------------------------------------------------------------------------


def playouts(race: GiroGaloppo, count: int = 200, seed: int = 0) -> Playouts:
    return Giro().playouts(race, count, np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(30))
def test_one_wins_and_is_placed(seed: int) -> None:
    """In each playout the winner is one of those past the line; at any moment, for any viewer, on any board."""
    rng = random.Random(seed)
    start = opening(rng, board=some_board(rng) if seed else LONG)
    race = laid_out(start, rng, rng.randint(0, 5)) if rng.random() < 0.5 else thick_of_it(rng)
    race = asked(rng, with_choices(race, rng) if race.due == "play" else race)
    found = playouts(race)
    won, placed = np.split(found.values, 2)
    assert found.events == events(race)
    assert set(np.unique(found.values).tolist()) <= {0.0, 1.0}
    assert (won.sum(axis=0) == 1).all()
    assert (won <= placed).all()


def test_a_race_that_is_over_stays_as_it_is() -> None:
    """The winner has won, those past the line are placed: exactly, and in every playout."""
    rng = random.Random(8)
    for _ in range(10):
        race = played_out(opening(rng), rng)
        placed = [s.place is not None for s in sorted(race.standings(), key=lambda s: s.seat)]
        expected = [*victory(race), *map(float, placed)]
        assert list(Giro().exact(race).values()) == expected
        assert playouts(race, 3).values.tolist() == [[p] * 3 for p in expected]


@pytest.mark.parametrize("seed", range(20))
def test_secret_choices_change_nothing(seed: int) -> None:
    """The odds are the same bytes for all cards that the seats may have chosen unseen by the viewer."""
    rng = random.Random(seed)
    race = with_choices(thick_of_it(rng, stretch=12), rng)
    viewer = rng.choice([None, *range(len(race.seats))])
    redealt = replace(
        race,
        choices=tuple(
            c if c is None or s == viewer else rng.choice([d for d in CARDS if d not in race.used[s]])
            for s, c in enumerate(race.choices)
        ),
    )
    one, other = race.seen_by(viewer), redealt.seen_by(viewer)
    assert playouts(one).values.tobytes() == playouts(other).values.tobytes()
    assert Giro().exact(one) == Giro().exact(other)


def test_the_same_question_has_the_same_answer() -> None:
    """View and seed decide every byte; another seed is another sample."""
    race = opening(random.Random(0), seats=5)
    first, again, other = (playouts(race, seed=seed).values.tobytes() for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("many", [1, 5, 12])
def test_each_part_of_the_worlds_is_a_sample_of_its_own(monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    """Worlds ridden in parts: every column is filled, and they differ."""
    monkeypatch.setattr(giro, "WORLDS", many)
    values = playouts(opening(random.Random(0), seats=3), 60).values
    assert (values[:3].sum(axis=0) == 1).all()
    assert (values[:3].sum(axis=1) > 5).all()


def covered(positions: int, seed: int) -> float:
    """Return the share of positions in which the stated error covers the difference from the exact value.

    One event of each counts, as those of one position go together, and only one that is open: of what is all
    but sure a normal interval says little.
    """
    rng, hits, kernel = random.Random(seed), 0, Quick()
    open_views = (
        (race, *rng.choice(open_events))
        for race, worked_out in exact_positions(kernel, seed)
        if (open_events := [(event, p) for event, p in worked_out.items() if 0.05 < p < 0.95])
    )
    for number, (race, event, p) in enumerate(islice(open_views, positions)):
        tally = Tally()
        for batch in range(2):
            tally.add(kernel.playouts(race, 400, np.random.default_rng([seed, number, batch])))
        found = next(chance for chance in tally.chances() if chance.event == event)
        hits += abs(found.p - p) <= found.sampled
    print(f"{positions} positions, {hits / positions:.1%} within the stated error")
    return hits / positions


def test_playouts_are_right_within_their_stated_error() -> None:
    """In 95 % of 150 positions, give or take two standard errors, and not in all of them."""
    assert 0.92 <= covered(150, seed=9) <= 0.98


@pytest.mark.nightly
def test_playouts_of_many_positions_are_right_within_their_stated_error() -> None:
    """The stated error covers the exact value at 95 % of 2,000 positions, but not at all of them.

    Only here: an error of Giro Galoppo's odds that is stated a little too small or too large.
    """
    assert 0.95 <= covered(2000, seed=10) <= 0.98


OPENINGS: list[dict[str, Any]] = [
    {"seats": 2, "rearmost_only": False},
    {"seats": 3, "rearmost_only": True, "board": {"finish": 9, "natural": [], "sand": [1, 3, 5, 7, 9]}},
    {"seats": 4, "rearmost_only": False, "board": TIGHT},
    {"seats": 5, "rearmost_only": True},
]


@pytest.mark.long
@pytest.mark.parametrize("options", OPENINGS, ids=lambda o: f"{o['seats']} seats")
@pytest.mark.parametrize("laid", [0, 3, 5])
def test_playouts_agree_with_races_through_the_rules(options: dict[str, Any], laid: int) -> None:
    """From the opening, wins and places are within four standard errors of 300 races played by the referee.

    Only here: playouts of Giro Galoppo that are biased with some number of seats.
    """
    chance = random.Random(11)
    race, tally = laid_out(opening(chance, **options), chance, laid), Tally()
    tally.add(playouts(race, 20_000))
    ended = [played_out(race, chance) for _ in range(300)]
    placed = Counter(s.seat for one in ended for s in one.standings() if s.place)
    won = Counter(s.seat for one in ended for s in one.standings() if s.place == 1)
    for found in tally.chances():
        assert found.event.seat is not None
        share = (won if found.event.what == "win" else placed)[found.event.seat] / 300
        assert abs(share - found.p) < 4 * sqrt(found.p * (1 - found.p) / 300) + found.sampled


@pytest.mark.parametrize(("viewer", "chance"), [(None, 0.25), (1, 0.25), (0, 0.0)])
def test_a_choice_is_known_to_its_own_seat_alone(viewer: int | None, chance: float) -> None:
    """Ada, on 29, holds 1 (stopped on 30) and 2, Ben, on 27, 1 (stopped on 28) and 5; Ada has chosen her 1.

    Where it is known she comes home too late if at all; to others it may be the 2, with which she wins if Ben
    plays his 1.
    """
    sand = (21, 23, 25, 28, 30)
    race = GiroGaloppo.new(NAMES[:2], board={"finish": 30, "natural": [], "sand": sand})
    race = replace(race, obstacles=sand, progress=(29, 27), used=((3, 4, 5, 6), (2, 3, 4, 6)))
    view = race.after(Decision("play", 0, 1)).seen_by(viewer)
    assert Giro().exact(view)[Event("win", 0)] == chance
    assert abs(playouts(view, 4000).values[0].mean() - chance) < 0.03
