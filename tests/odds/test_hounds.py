"""Greyhounds' chances: the referee's turns and money, all that can happen, and errors that are what they say."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import combinations, combinations_with_replacement, islice, permutations
from math import sqrt
from typing import Any

import numpy as np
import pytest

from companion.games.greyhounds import bets as hounds_bets
from companion.games.greyhounds import money as hounds_money
from companion.games.greyhounds import run as hounds_run
from companion.games.greyhounds.bets import RACES, Odds, Sheet, odds_of, random_sheet
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS, Run
from companion.games.greyhounds.sets import CARDS
from companion.games.race import played_out, random_decision
from companion.games.terms import HIDDEN, Decision
from companion.odds.chance import Event, victory
from companion.odds.estimate import Tally, answers
from companion.odds.greyhounds import sheets as hounds_sheets
from companion.odds.greyhounds.cards import sets_to_come
from companion.odds.greyhounds.evening import Evening, PlayingStyle, by_strength
from companion.odds.greyhounds.exact import settled, worked_out
from companion.odds.greyhounds.kernel import DOG_EVENTS, USUAL, Hounds, HoundsBatch, events
from companion.odds.greyhounds.sheets import DOUBLES, KINDS, payouts
from companion.odds.greyhounds.turn import GONE, RUNNING, Runs, steps
from companion.odds.kernel import Playouts

NAMES = ("Ada", "Ben", "Cleo", "Dev")
STEPS = (1, 7, 250, 333, 500, 700, 1999, 2000)


def some_odds(rng: random.Random) -> Odds:
    """Return a random chart, with parts of a dollar too."""
    win, place, double = (
        [Decimal(rng.choice([1, 2, 1000, rng.randint(100, 4000) / 100])) for _ in range(n)] for n in (4, 4, 6)
    )
    rounded = [[odd.quantize(Decimal("0.01")) for odd in chart] for chart in (win, place, double)]
    return Odds(*map(tuple, rounded))


def opening(rng: random.Random, **options: Any) -> Greyhounds:
    """Return a random game before its first decision: dealt by people or by the companion."""
    seats = options.pop("seats", rng.randint(3, 4))
    chosen: dict[str, Any] = {
        "bookie": rng.choice([None, rng.randrange(seats)]),
        "lap": rng.choice([1, rng.randint(2, 20), rng.randint(2, 40), 28]),
        "odds": some_odds(rng).as_data(),
        "bet_step": rng.choice(STEPS),
        "ties": rng.choice(["move", "strike"]),
    }
    return Greyhounds.new(NAMES[:seats], **{**chosen, **options})


def forward(race: Greyhounds, rng: random.Random, dealt: bool) -> Greyhounds:
    """Return the position after a random decision; `dealt`: by the companion, else by people."""
    if race.may_deal() and not dealt:
        awaited = race.awaits()
        assert awaited is not None
        return race.after(race.at_random(rng.choice(awaited.seats), rng))
    decision = random_decision(race, rng)
    assert decision is not None
    return race.after(decision)


def moments(rng: random.Random, **options: Any) -> Iterator[Greyhounds]:
    """Yield every position of a random game in which a seat owes a decision."""
    race, dealt = opening(rng, **options), rng.random() < 0.5
    while race.due:
        yield race
        race = forward(race, rng, dealt)


def moment(race: Greyhounds, rng: random.Random, number: int, due: str, dealt: bool) -> Greyhounds:
    """Return the game at this race's first moment at which `due` is due, after one seat's decision."""
    while (race.race, race.due) != (number, due):
        race = forward(race, rng, dealt)
        if not race.due:
            return moment(opening(rng), rng, number, due, dealt)
    following = forward(race, rng, dealt)
    return following if following.due == due else race


def asked(rng: random.Random, race: Greyhounds) -> Greyhounds:
    """Return what the public, a seat or the referee sees of the race."""
    return rng.choice([race, race.seen_by(None), *(race.seen_by(s) for s in range(len(race.seats)))])


def playouts(race: Greyhounds, count: int = 200, seed: int = 0) -> Playouts:
    return Hounds().playouts(race, count, np.random.default_rng(seed))


# --- turns ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ties", ["move", "strike"])
def test_cards_move_the_dogs_as_the_rules_say(ties: str) -> None:
    """That holds for all cards of two to four dogs, in each race, with dogs that do not run in any place."""
    rng = random.Random(0)
    for race in (1, 2, 3):
        hands = [hand for n in (2, 3, 4) for hand in combinations_with_replacement(CARDS, n)]
        rows, expected = np.zeros((len(hands), 4), np.int8), np.zeros((len(hands), 4), int)
        for row, hand in enumerate(hands):
            dogs = rng.sample(range(4), len(hand))
            rows[row, dogs], expected[row, dogs] = hand, hounds_run.steps(race, hand, ties)
        assert np.array_equal(steps(race, rows.T, ties).T, expected)


def place_of(run: Run, dog: int) -> int:
    """Return a dog's place, GONE for one that takes none, RUNNING."""
    if dog in run.home:
        return run.home.index(dog) + 1
    return GONE if run.over() or dog not in run.running() else RUNNING


def races_run(rng: random.Random, races: int) -> Counter[str]:
    """Run so many races side by side to their end, referee and kernel; return what happened how often."""
    laps, lap = rng.randint(1, 3), rng.choice([1, rng.randint(2, 12), rng.randint(13, 60)])
    cards = rng.sample(CARDS, rng.choice([1, 2, 3, 8, 20, 20]))
    ties = rng.choice(["move", "strike"])
    runs = [Run(laps, lap, tuple(rng.sample(range(4), 4)), ties=ties) for _ in range(races)]
    columns = Runs.of(runs[0], np.array([[run.rank.index(dog) for run in runs] for dog in range(4)], np.int8))
    happened: Counter[str] = Counter()
    while any(not run.over() for run in runs):
        played = np.zeros((4, races), np.int8)
        for world, run in enumerate(runs):
            if not run.over():
                hand = {dog: rng.choice(cards) for dog in run.running()}
                played[list(hand), world] = list(hand.values())
                runs[world] = run.after(hand)
                happened += what_happened(run, runs[world], hand)
        columns.turn(played)
        assert columns.progress.T.tolist() == [list(run.progress) for run in runs]
        assert columns.place.T.tolist() == [[place_of(run, dog) for dog in range(4)] for run in runs]
    return happened


def what_happened(before: Run, after: Run, hand: dict[int, int]) -> Counter[str]:
    """Return what a turn brought, so that tests can say how much they met."""
    new = [dog for dog in after.home if dog not in before.home]
    over = [dog for dog in hand if after.crossed(dog)]
    return Counter(
        {
            "decisions": len(hand),
            "home": len(new),
            "together": len(over) > 1,
            "level over the line": len(over) > len({after.progress[dog] for dog in over}),
            "last": len(set(new) - set(over)),
            "lapped": len(after.out) - len(before.out),
            "idle": after.idle > 0,
            "ten idle turns": after.idle == hounds_run.IDLE_TURNS,
        }
    )


def same_turns(decisions: int, seed: int) -> Counter[str]:
    rng, happened = random.Random(seed), Counter[str]()
    while happened["decisions"] < decisions:
        happened += races_run(rng, 30)
    return happened


def test_a_turn_is_what_the_referee_makes_of_it() -> None:
    """10,000 random decisions and more: any lap, ranking and cards; every kind of end among them."""
    happened = same_turns(10_000, seed=1)
    assert min(happened.values()) >= 10
    assert len(happened) == 8


@pytest.mark.long
def test_a_hundred_thousand_decisions_are_the_referees() -> None:
    """100,000 random decisions have the same result in `Run.after` and in the kernel's turn.

    Only here: a rare turn of equal or struck-out cards that the kernel plays otherwise than the rules.
    """
    happened = same_turns(100_000, seed=2)
    print(dict(happened))
    assert happened["decisions"] >= 100_000


# --- bets and money ------------------------------------------------------------------------------


def sheets_in_columns(sheets: list[Sheet], step: int) -> hounds_sheets.Sheets:
    """Return the sheets of as many seats in one world."""
    read = np.array([hounds_sheets.of_sheet(sheet, step) for sheet in sheets])
    return hounds_sheets.Sheets(read[:, 0].T[..., None], read[:, 1].T[..., None])


@pytest.mark.parametrize("step", STEPS)
def test_a_settlement_is_what_the_rules_make_of_it(step: int) -> None:
    """Any sheets, places, ranks and charts, with the bank and with a bookie, who has the stakes or gets them."""
    rng = random.Random(step)
    for _ in range(150):
        seats, chart = rng.randint(3, 4), some_odds(rng)
        money, bookie = [rng.randint(0, 20_000) for _ in range(seats)], rng.randrange(seats)
        rank, places = rng.sample(range(4), 4), rng.sample(range(4), rng.randint(0, 3))
        sheets = [random_sheet(DOGS, step, rng) for _ in range(seats)]
        place = np.array([[places.index(d) + 1 if d in places else GONE] for d in range(4)], np.int8)
        by_dog = np.array([[rank.index(dog)] for dog in range(4)], np.int8)
        column = np.array(money, np.int32)[:, None]

        paid = tuple(hounds_money.paid(sheets, chart, rank, places))
        bank = hounds_money.with_bank(money, sheets, places, paid)
        brought = hounds_sheets.brought(
            sheets_in_columns(sheets, step), payouts(chart, step), step, by_dog, place
        )
        assert hounds_sheets.with_bank(column, brought).T.tolist() == [list(bank.money)]

        sheets[bookie] = ()
        stakes = [hounds_bets.staked(sheet) for sheet in sheets]
        paid = tuple(hounds_money.paid(sheets, chart, rank, places))
        held = [
            m - s + (s_ == bookie) * sum(stakes) for s_, (m, s) in enumerate(zip(money, stakes, strict=True))
        ]
        settled_ = hounds_money.with_bookie(held, stakes, places, paid, bookie)
        brought = hounds_sheets.brought(
            sheets_in_columns(sheets, step), payouts(chart, step), step, by_dog, place
        )
        assert hounds_sheets.with_bookie(column, brought, bookie).T.tolist() == [list(settled_.money)]


def stakes_by_the_rules(step: int, total: int | None) -> Counter[tuple[int, ...]]:
    """Return each way to stake, in steps by kind, and how likely `random_sheet` stakes so."""
    chances: Counter[tuple[int, ...]] = Counter()
    totals = range(-(-500 // step), 2000 // step + 1) if total is None else [total // step]
    for steps_ in totals:
        counts = range(1, min(3, steps_) + 1)
        for count in counts:
            cuts, orders = list(combinations(range(1, steps_), count - 1)), list(permutations(KINDS, count))
            for cut in cuts:
                ends = (0, *cut, steps_)
                for order in orders:
                    staked = {k: b - a for k, a, b in zip(order, ends, ends[1:], strict=False)}
                    key = tuple(staked.get(kind, 0) for kind in KINDS)
                    chances[key] += 1 / (len(totals) * len(counts) * len(cuts) * len(orders))  # type: ignore[assignment]
    return chances


@pytest.mark.parametrize(
    ("step", "total"), [(500, None), (500, 1500), (250, None), (700, None), (2000, None)]
)
def test_sheets_are_as_likely_as_people_who_do_not_think_fill_them_in(step: int, total: int | None) -> None:
    """The share of each way to stake in 60,000 worlds within five standard errors; every dog as often."""
    worlds = 60_000
    made = hounds_sheets.sheets([None, total or None, ()], step, worlds, np.random.default_rng(3))
    seat = 0 if total is None else 1
    found = Counter(map(tuple, made.stakes[:, seat].T.tolist()))
    expected = stakes_by_the_rules(step, total)
    assert found.keys() == expected.keys()
    for key, p in expected.items():
        assert abs(found[key] / worlds - p) < 5 * sqrt(p * (1 - p) / worlds)
    for kind, count in enumerate((4, 4, 6)):
        share = np.bincount(made.dogs[kind, seat], minlength=count) / worlds
        assert share == pytest.approx(1 / count, abs=5 * sqrt(1 / count / worlds))
    assert not made.stakes[:, 2].any()


# --- sets to come --------------------------------------------------------------------------------


def sets_by_the_rules(view: Greyhounds, rng: random.Random) -> Greyhounds:
    """Return the view with its hidden values filled, and shown for all races, without running any."""
    race = view.guessed(rng)
    if race.may_deal():
        drawn = race.drawn(rng)
        assert drawn is not None
        race = race.after(drawn)
    for number in range(race.race, RACES + 1):
        race = replace(race, race=number, due="show", run=Run(number, race.lap, ties=race.ties))
        for seat, shown in enumerate(race.shown):
            if len(shown) < number:
                race = race.after(race.at_random(seat, rng))
    return race


def share_of_cards(shown: list[tuple[int, ...]]) -> Any:
    return np.bincount([card for cards in shown for card in cards], minlength=21)[1:] / len(shown)


@pytest.mark.long
@pytest.mark.parametrize("bookie", [None, 1])
@pytest.mark.parametrize("dealt", [True, False])
@pytest.mark.parametrize("viewer", [None, 2])
def test_sets_to_come_are_as_likely_as_the_rules_deal_and_show_them(
    bookie: int | None, dealt: bool, viewer: int | None
) -> None:
    """Each card in the set of each race, and the sum of a set, within 4.5 standard errors of 600 by the rules.

    Only here: sets of cards that the kernel deals more often than the rules do.
    """
    rng, worlds, games = random.Random(5), 6000, 600
    start = Greyhounds.new(NAMES[:3], bookie=bookie, lap=6)
    for number, due in ((1, "show"), (1, "bet"), (2, "show"), (2, "play"), (3, "show")):
        race = moment(start, random.Random(number), number, due, dealt)
        view = race.seen_by(viewer)
        shown = [sets_by_the_rules(view, rng).shown for _ in range(games)]
        for seat in range(3):
            sets = sets_to_come(view, seat, worlds, np.random.default_rng(6))
            assert sorted(sets) == list(range(view.race, RACES + 1))
            for later in range(len(view.shown[seat]) + 1, RACES + 1):
                truth = [game[seat][later - 1] for game in shown]
                cards = sets[later].packed[:, None] >> 5 * np.arange(6) & 31
                share = np.bincount(cards.ravel(), minlength=21)[1:] / worlds
                error = np.sqrt(share * (1 - share) * (1 / games + 1 / worlds)) + 1e-9
                assert (abs(share_of_cards(truth) - share) < 4.5 * error).all()
                sums, true_sums = cards.sum(axis=1), np.array([sum(cards) for cards in truth])
                spread = sqrt(sums.var() / worlds + true_sums.var() / games)
                assert abs(sums.mean() - true_sums.mean()) < 4.5 * spread + 1e-9


def test_a_ranking_is_what_the_rules_make_of_the_sets() -> None:
    """That holds without a bookie for any sets, those of equal sums and the dummy's among them."""
    rng = random.Random(7)
    equal = 0
    for _ in range(300):
        seats = rng.randint(3, 4)
        race = Greyhounds.new(NAMES[:seats])
        for seat in range(seats):
            lows = rng.sample(range(1, 11), 3)
            highs = [c + 10 for c in lows] if rng.random() < 0.3 else rng.sample(range(11, 21), 3)
            race = race.after(Decision("show", seat, (*lows, *highs)))
        strengths = [
            sets_to_come(race, seat, 1, np.random.default_rng(0))[1].strength for seat in range(seats)
        ]
        dummy = np.array([60 << 20], np.int32)
        rank = by_strength(np.stack([*strengths, *[dummy] * (4 - seats)]), np.random.default_rng(0))
        assert [race.run.rank.index(dog) for dog in range(4)] == rank[:, 0].tolist()
        equal += len({sum(shown[0]) for shown in race.shown}) < seats
    assert equal >= 10


# --- all that can happen -------------------------------------------------------------------------


def filled(view: Greyhounds) -> Iterator[Greyhounds]:
    """Yield the view with every card that may be chosen or set aside in place of a hidden one, all alike."""
    for seat in range(len(view.seats)):
        holes = (view.aside[seat] == HIDDEN) + (view.choice[seat] == HIDDEN)
        if holes:
            for cards in permutations(view.playable(seat), holes):
                left = list(cards)
                facts: dict[str, Any] = {
                    name: tuple(
                        left.pop() if s == seat and fact == HIDDEN else fact
                        for s, fact in enumerate(getattr(view, name))
                    )
                    for name in ("aside", "choice")
                }
                yield from filled(replace(view, **facts))
            return
    yield view


def enumerated(view: Greyhounds) -> dict[Event, float]:
    """Return the dogs' chances in the present race over every card of every seat, through the rules."""
    known: dict[Any, Any] = {}

    def chances(race: Greyhounds) -> Any:
        if len(race.results) > len(view.results):
            return happened(race.results[-1].places)
        if len(race.run.home) >= 2:
            return happened(race.run.home)
        left = tuple(tuple(race.playable(s)) for s in range(len(race.seats)) if s in race.run.running())
        before = tuple(len(played) < 5 for played in race.played)
        key = (
            race.run.progress,
            race.run.home,
            race.run.out,
            race.run.idle,
            race.table,
            race.choice,
            left,
            before,
        )
        if key not in known:
            awaited = race.awaits()
            assert awaited is not None
            seat = awaited.seats[0]
            following = [chances(race.after(Decision("play", seat, card))) for card in race.playable(seat)]
            known[key] = sum(following) / len(following)
        return known[key]

    every = [chances(race) for race in filled(view)]
    return dict(zip(DOG_EVENTS, (sum(every) / len(every)).tolist(), strict=True))


def happened(places: tuple[int, ...]) -> Any:
    """Return which of DOG_EVENTS a race brought in which these dogs took the first places."""
    first_two = [DOGS[dog] for dog in places[:2]]
    return np.array(
        [
            event.pieces[0] in first_two[:1] if event.what == "win" else set(event.pieces) <= set(first_two)
            for event in DOG_EVENTS
        ],
        float,
    )


def small_positions(seed: int, most: int) -> Iterator[tuple[Greyhounds, dict[Event, float]]]:
    """Yield endless views, at any moment of a race, with no more than `most` turns to be worked out."""
    rng = random.Random(seed)
    while True:
        for race in moments(rng, lap=rng.randint(1, 30)):
            several = any(choice is not None for choice in race.choice)  # which is seldom
            if race.due == "play" and (several or rng.random() < 0.2):
                view = asked(rng, race)
                if (found := worked_out(view, most)) is not None:
                    yield view, found


def off_enumeration(count: int, seed: int, most: int) -> float:
    """Return the largest difference between exact values and enumeration over so many views."""
    worst, kinds = 0.0, Counter[str]()
    for view, found in islice(small_positions(seed, most), count):
        truth = enumerated(view)
        assert tuple(found) == DOG_EVENTS
        assert Hounds().exact(view) == found
        worst = max(worst, *(abs(found[event] - p) for event, p in truth.items()))
        kinds.update(
            {
                f"race {view.race}": 1,
                "aside unknown": any(a == HIDDEN for a in view.aside),
                "choice unknown": any(c == HIDDEN for c in view.choice),
                "bookie": view.bookie is not None,
                "dummy": len(view.seats) == 3,
                "equal cards struck out": view.ties == "strike",
            }
        )
    print(dict(kinds))
    assert min(kinds.values()) >= count // 50
    return worst


@pytest.mark.long
def test_exact_values_are_those_of_enumeration() -> None:
    """An exact value counts every outcome, weighed by its chance: on 200 views of all three races.

    Only here: an exact value that differs from counting every outcome.
    """
    assert off_enumeration(200, 3, 250) < 1e-9


@pytest.mark.long
def test_more_exact_values_are_those_of_enumeration() -> None:
    """Exact values are those of enumeration over 1,000 views, some of them larger.

    Only here: an exact value that is wrong in a position with many open cards.
    """
    assert off_enumeration(1000, 4, 600) < 1e-9


def test_what_is_settled_is_certain_and_stays_so() -> None:
    """Along random games, what is called settled is what then happens, and never less as the race goes on."""
    rng, facts = random.Random(8), 0
    for _ in range(60):
        facts_known: list[dict[Event, float]] = []
        number = 0
        for race in moments(rng):
            if race.race != number:
                number, facts_known = race.race, []
            if race.due == "play":
                facts_known.append(settled(race.run))
                facts += len(facts_known[-1])
                if len(facts_known) > 1:
                    assert facts_known[-2].items() <= facts_known[-1].items()
            last = race
        assert last.due == "play"
        end = forward(last, rng, True)
        if not end.due:
            truth = dict(zip(DOG_EVENTS, happened(end.results[-1].places), strict=True))
            assert facts_known[-1].items() <= truth.items()
    assert facts > 500


def test_what_is_settled_is_all_that_exact_values_call_certain() -> None:
    """Whenever a dog has taken a place, every 0 or 1 that follows from the places taken is said."""
    run = Run(2, 28, (0, 1, 2, 3), (57, 20, 30, 1), home=(0,), out=(3,))
    certain = {str(event): p for event, p in settled(run).items()}
    assert certain == {
        "win/red": 1.0,
        "win/blue": 0.0,
        "win/brown": 0.0,
        "win/green": 0.0,
        "place/red": 1.0,
        "place/green": 0.0,
        "double/red-green": 0.0,
        "double/blue-green": 0.0,
        "double/brown-green": 0.0,
        "double/blue-brown": 0.0,
    }


def test_what_is_too_big_is_given_up() -> None:
    """At the start of a race nothing is called certain."""
    race = moment(Greyhounds.new(NAMES), random.Random(1), 1, "play", True)
    assert worked_out(race.seen_by(None)) is None
    assert Hounds().exact(race.seen_by(None)) == {}


# --- playouts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.long), *range(1, 7)])
def test_any_moment_may_be_asked(seed: int) -> None:
    """For any viewer and options the seats share one victory, and the events of the dogs fit each other.

    Only here: a moment on the longest lap at which the playouts fail or give shares that do not add up.
    """
    rng = random.Random(seed)
    options: dict[str, Any] = {"lap": 1000} if seed == 0 else {"lap": rng.choice([1, rng.randint(2, 28)])}
    for race in moments(rng, **options):
        if rng.random() > (0.003 if seed == 0 else 0.07):
            continue
        view = asked(rng, race)
        found = playouts(view, 40, seed)
        assert found.events == events(view)
        assert found.values.shape == (len(found.events), 40)
        seats = len(view.seats)
        assert found.values[:seats].sum(axis=0) == pytest.approx(1)
        if view.due == "play":
            won, placed, double = np.split(found.values[seats:], [4, 8])
            assert (won.sum(axis=0) <= 1).all()
            assert (won <= placed).all()
            assert (placed.sum(axis=0) <= 2).all()
            for row, (a, b) in zip(double, DOUBLES, strict=True):
                assert np.array_equal(row, placed[a] * placed[b])
        else:
            assert len(found.events) == seats


def covered(positions: int, seed: int, most: int) -> float:
    """Return the share of positions in which the stated error covers the difference from the exact value.

    One event of each counts, as those of one position go together, and only one that is open: of what is all
    but sure a normal interval says little.
    """
    rng, hits = random.Random(seed), 0
    open_views = (
        (view, *rng.choice(open_events))
        for view, found in small_positions(seed, most)
        if (open_events := [(event, p) for event, p in found.items() if 0.05 < p < 0.95])
    )
    for number, (view, event, p) in enumerate(islice(open_views, positions)):
        tally = Tally()
        for batch in range(2):
            tally.add(Hounds().playouts(view, 400, np.random.default_rng([seed, number, batch])))
        found = next(chance for chance in tally.chances() if chance.event == event)
        hits += abs(found.p - p) <= found.sampled
    print(f"{positions} positions, {hits / positions:.1%} within the stated error")
    return hits / positions


@pytest.mark.long
def test_playouts_are_right_within_their_stated_error() -> None:
    """The stated error covers the exact value at 95 % of 100 positions, within three standard errors.

    Only here: an error of Greyhounds' odds that is stated far too small in positions with few outcomes left.
    """
    assert covered(100, 9, 1000) >= 0.89


@pytest.mark.nightly
def test_playouts_of_many_positions_are_right_within_their_stated_error(soak: int) -> None:
    """The stated error covers the exact value at 95 % of 400 positions, but not at all of them.

    `make soak` tries 1,200.

    Only here: an error of Greyhounds' odds that is stated a little too small or too large.
    """
    assert 0.95 <= covered(400 if soak == 1 else 1200, 10, 20_000) <= 0.98


GENEROUS = Odds(
    (Decimal(30),) * 4, (Decimal(20),) * 4, (Decimal(30),) * 6
).as_data()  # a bookie is soon broke
GAMES: list[dict[str, Any]] = [
    # options, race, due, dealt by the companion, viewer
    {"seats": 3, "lap": 4, "bookie": 1, "odds": GENEROUS, "at": (1, "bet", True, None)},
    {"seats": 4, "lap": 6, "bookie": None, "at": (1, "show", True, None)},
    {"seats": 3, "lap": 9, "bookie": None, "at": (1, "bet", False, None)},
    {"seats": 4, "lap": 3, "bookie": 2, "at": (1, "show", False, None)},
    {"seats": 3, "lap": 6, "bookie": 0, "at": (1, "rank", True, None)},
    {"seats": 4, "lap": 7, "bookie": 1, "at": (2, "bet", True, None)},
    {"seats": 4, "lap": 5, "bookie": None, "at": (2, "play", True, 1)},
    {"seats": 3, "lap": 8, "bookie": 2, "at": (2, "play", False, 2)},
    {"seats": 4, "lap": 12, "bookie": None, "at": (3, "play", True, None)},
    {"seats": 3, "lap": 10, "bookie": 1, "at": (3, "show", True, 0)},
    {"seats": 4, "lap": 7, "bookie": None, "ties": "strike", "at": (1, "bet", True, None)},
    {"seats": 3, "lap": 9, "bookie": 1, "ties": "strike", "at": (2, "play", False, None)},
]
MORE: list[dict[str, Any]] = [
    {"seats": seats, "lap": lap, "bookie": bookie, "at": (number, due, dealt, viewer)}
    for seats, lap in ((3, 11), (4, 5))
    for bookie in (None, 1)
    for number, due in ((1, "show"), (1, "play"), (2, "show"), (2, "bet"), (3, "bet"), (3, "play"))
    for dealt, viewer in ((True, None), (False, 2))
]


def compared(options: dict[str, Any], games: int) -> None:
    """Assert that shares, money and what the dogs do are within four standard errors of played games."""
    at, rest = options["at"], {key: value for key, value in options.items() if key != "at"}
    chance, worlds = random.Random(str(options)), 10_000
    number, due, dealt, viewer = at
    race = Greyhounds.new(NAMES[: rest.pop("seats")], **rest)
    view = moment(race, chance, number, due, dealt).seen_by(viewer)
    ended = [played_out(view.guessed(chance), chance) for _ in range(games)]
    evening = Evening(view, worlds, np.random.default_rng(1), PlayingStyle())
    pairs = [
        (np.array([victory(one) for one in ended]).T, evening.shares()),
        (np.array([one.money for one in ended]).T, evening.money),
    ]
    if due == "play":
        placed = np.array([happened(one.results[len(view.results)].places) for one in ended]).T
        pairs.append((placed, playouts(view, worlds, 1).values[len(view.seats) :]))
    for truth, found in pairs:
        error = np.sqrt(found.var(axis=1, dtype=float) * (1 / games + 1 / worlds))
        off = abs(truth.mean(axis=1) - found.mean(axis=1, dtype=float))
        assert (off < 4 * error + 1 / games).all()


@pytest.mark.parametrize(
    "options",
    GAMES[::3],
    ids=lambda o: "-".join(map(str, (o["seats"], o["bookie"], *o["at"], o.get("ties", "move")))),
)
def test_playouts_agree_with_evenings_through_the_rules(options: dict[str, Any]) -> None:
    """From twelve moments, 150 evenings each, sets, rankings, sheets and cards agree with the rules."""
    compared(options, 150)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "options", MORE, ids=lambda o: "-".join(map(str, (o["seats"], o["bookie"], *o["at"])))
)
def test_playouts_agree_with_many_evenings_through_the_rules(options: dict[str, Any]) -> None:
    """Playouts agree with 600 evenings by the rules, from each of 48 moments.

    Only here: a bias of the playouts that is smaller than the error of a few evenings, at any kind of moment.
    """
    compared(options, 600)


# --- secrets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(n, marks=pytest.mark.nightly) for n in range(2, 6))])
def test_secrets_change_nothing(seed: int) -> None:
    """Other sets, bet slips and cards that the viewer cannot see change no byte of the odds.

    Only here: a secret of Greyhounds that changes the odds in a deal that few games have.
    """
    rng, compared_ = random.Random(seed), 0
    dues: set[str] = set()
    for race in moments(rng, lap=rng.randint(1, 28)):
        if race.due in dues and rng.random() > 0.05:
            continue
        dues.add(race.due)
        viewer = rng.choice([None, *range(len(race.seats))])
        view = race.seen_by(viewer)
        again = view.guessed(random.Random(seed)).seen_by(viewer)
        assert again == view
        assert playouts(again, 100).values.tobytes() == playouts(view, 100).values.tobytes()
        assert Hounds().exact(again) == Hounds().exact(view)
        compared_ += 1
    assert compared_ >= 3


def test_the_same_question_has_the_same_answer() -> None:
    """View and seed decide every byte; another seed is another sample; who asks first does not matter."""
    for bookie in (None, 0):
        race = Greyhounds.new(NAMES, bookie=bookie)
        first, again, other = (playouts(race, seed=seed).values.tobytes() for seed in (1, 1, 2))
        assert first == again != other


def test_the_answers_get_better_and_what_is_certain_has_no_error() -> None:
    """Errors fall from answer to answer; at the end of a race its dogs' chances are exact."""
    start = Greyhounds.new(NAMES, lap=10)
    race = moment(start, random.Random(2), 3, "play", True)
    errors = [chances[0].sampled for chances in answers(race.seen_by(None), 1, Hounds())]
    assert len(errors) >= 3
    assert errors == sorted(errors, reverse=True)
    rng = random.Random(3)
    while not Hounds().exact(race.seen_by(None)):
        race = forward(race, rng, True)
    *_, best = answers(race.seen_by(None), 1, Hounds())
    assert {chance.sampled for chance in best if chance.event.pieces} == {0.0}


@pytest.mark.parametrize("seed", range(6))
def test_views_side_by_side_are_what_each_is_alone(seed: int) -> None:
    """Any moments of an evening together: their worlds are the same, to the last one."""
    rng, kernel = random.Random(seed), HoundsBatch()
    views = rng.sample([race.seen_by(None) for race in moments(rng, lap=rng.randint(1, 12))], 5)
    rngs = [np.random.default_rng(n) for n in range(len(views))]
    together = kernel.play_batch(views, 60, rngs)
    for n, (view, played) in enumerate(zip(views, together, strict=True)):
        alone = kernel.playouts(view, 60, np.random.default_rng(n))
        assert played.events == alone.events
        assert (played.values == alone.values).all()


@pytest.mark.long
@pytest.mark.parametrize("bookie", [None, 1])
@pytest.mark.parametrize("due", ["bet", "play"])
@pytest.mark.parametrize("seed", range(2))
def test_what_a_robot_compares_is_what_each_is_alone(due: str, bookie: int | None, seed: int) -> None:
    """A seat's decisions in one position, side by side: within four standard errors of both.

    Only here: a decision whose odds change with what it is compared with.
    """
    rng = random.Random(seed)
    race = Greyhounds.new(NAMES, bookie=bookie, lap=8)
    while race.due != due or (due == "play" and not any(race.run.progress)):
        race = forward(race, rng, True)
    waits = race.awaits()
    assert waits is not None
    seat = waits.seats[0]
    decisions = dict.fromkeys(race.at_random(seat, rng) for _ in range(20))
    views = [race.after(decision).seen_by(seat) for decision in list(decisions)[:5]]
    counts = [1500 + 100 * n for n in range(len(views))]
    kernel = Hounds(USUAL)
    found = kernel.together(views, counts, [np.random.default_rng(seed) for _ in views])
    for n, (view, joint) in enumerate(zip(views, found, strict=True)):
        [single] = kernel.together([view], [counts[n]], [np.random.default_rng(seed)])
        assert (joint.values == single.values).all()
        alone = kernel.playouts(view, 4000, np.random.default_rng(100 + n))
        chances = alone.values[: len(NAMES)]
        assert joint.events == alone.events[: len(NAMES)]
        error = np.sqrt(joint.values.var(axis=1) / joint.values.shape[1] + chances.var(axis=1) / 4000)
        assert (abs(joint.values.mean(axis=1) - chances.mean(axis=1)) < 4 * error + 1e-3).all()


@pytest.mark.parametrize("worlds", [1, 4, 9, 10, 25])
def test_few_worlds_tell_something(worlds: int) -> None:
    """A robot that thinks little compares few: each seat's part, together a victory."""
    [found] = Hounds(USUAL).together([Greyhounds.new(NAMES, lap=8)], [worlds], [np.random.default_rng(1)])
    assert found.values.mean(axis=1).sum() == pytest.approx(1, abs=1e-5)


def test_a_bookie_may_rank_in_other_ways() -> None:
    """With `by_strength` the favourite of the cards is Dog 1: the chances are others than with any ranking."""
    race = Greyhounds.new(
        NAMES,
        bookie=0,
        lap=6,
        odds=odds_of(
            {"win": [1, 9, 99, 999], "place": [1, 9, 99, 999], "double": dict.fromkeys(hounds_bets.PAIRS, 1)}
        ).as_data(),
    )
    any_, strong = (
        Hounds(style).playouts(race, 4000, np.random.default_rng(1)).values[0].mean()
        for style in (PlayingStyle(), PlayingStyle(ranking=by_strength))
    )
    assert abs(any_ - strong) > 0.05
