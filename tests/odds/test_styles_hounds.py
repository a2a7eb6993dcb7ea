"""What the odds of Greyhounds believe of how each seat plays: from what is open, and nothing else."""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest

from companion.bots.players import decide, next_decision
from companion.games.greyhounds.bets import Bet, random_sheet
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS, steps
from companion.games.greyhounds.sets import DUMMY_CARD, FIVE, SIX
from companion.games.race import random_decision
from companion.games.terms import Decision
from companion.odds.chance import victory
from companion.odds.estimate import answers, kernel_believing
from companion.odds.greyhounds import staking, wagers
from companion.odds.greyhounds.evening import _present
from companion.odds.greyhounds.exact import settled
from companion.odds.greyhounds.kernel import DOG_EVENTS, Hounds
from companion.odds.greyhounds.playing import Party, People, Styled
from companion.odds.greyhounds.styles import (
    COMPANIES,
    FAMILY,
    SPENT,
    Style,
    card_likelihoods,
    depends,
    sheet_likelihoods,
    strongest,
)
from companion.odds.greyhounds.turn import Runs
from companion.odds.styles import Belief, along, learned, unknown
from tests.odds.test_hounds import asked, moments

NAMES = ("Ada", "Ben", "Cleo", "Dev")
GREEDY, CAREFUL, THINKER, MILD = FAMILY[2], FAMILY[4], FAMILY[5], FAMILY[6]


def played(bots: Sequence[str], seed: int, **options: Any) -> list[Greyhounds]:
    """Return the positions of an evening between these bots."""
    rng = random.Random(seed)
    positions = [Greyhounds.new(NAMES[: len(bots)], **options)]
    while (decision := next_decision(positions[-1], bots, rng)) is not None:
        positions.append(positions[-1].after(decision))
    return positions


def share(belief: Belief, seat: int, taste: str) -> float:
    """Return how likely the seat has this taste, with any noise."""
    return sum(p for p, style in zip(belief[seat], FAMILY, strict=True) if style.taste == taste)


def sure(*styles: Style) -> Belief:
    """Return by seat that it plays so and not otherwise."""
    return tuple(tuple(float(style == one) for one in FAMILY) for style in styles)


# --- what is learned -----------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"ties": "strike"}, {"bookie": 3}])
def test_what_a_bot_likes_is_thought_of_it(options: dict[str, Any]) -> None:
    """After an evening: most likely its own taste, and hardly ever another."""
    kinds = ["greedy", "careful", "random", "careful"]
    beliefs = [learned(played(kinds, seed, **options)) for seed in range(3)]
    for seat, kind in enumerate(kinds):
        assert sum(share(belief, seat, kind) for belief in beliefs) > 0.8 * len(beliefs)


def test_a_seat_is_recognised_by_its_cards_before_any_sheet_is_open() -> None:
    """A seat that always plays high is recognised during the first race, while all sheets are sealed."""
    positions = played(["greedy", "random", "random", "random"], 4)
    last = max(n for n, race in enumerate(positions) if race.race == 1 and race.due == "play")
    assert share(learned(positions[: last + 1]), 0, "greedy") > 0.9


def test_no_style_is_ever_certain() -> None:
    """Each style has some chance after all observations, so that a seat may change."""
    for kinds in (["greedy"] * 3, ["careful"] * 3, ["random"] * 3):
        for belief in along(played(kinds, 5)):
            assert all(p > 0 for seat in belief for p in seat)
            assert all(sum(seat) == pytest.approx(1) for seat in belief)


def test_before_anybody_has_played_all_seats_are_alike() -> None:
    """While sets are shown and bets handed in, and the companies count as they are weighed."""
    positions = played(["greedy", "careful", "random"], 6)
    first = next(n for n, race in enumerate(positions) if any(race.played))
    shares = [sum(c.weight * c.shares[n] for c in COMPANIES) for n in range(len(FAMILY))]
    for belief in along(positions[:first]):
        assert belief == unknown(positions[0])
        assert belief[0] == pytest.approx(shares)


def test_what_is_hidden_is_not_learned() -> None:
    """Sheets, sets, cards set aside and chosen, exchanged for any others, change no byte of belief and odds."""
    rng, differed = random.Random(7), 0
    for seed in range(6):
        options = rng.choice([{}, {"bookie": 1}])
        positions = played(["careless"] * 3, seed, **options)
        owed = [n for n, race in enumerate(positions) if race.due in ("bet", "play") and race.awaits()]
        at = rng.choice(owed[len(owed) // 8 :])
        match = positions[: at + 1]
        seen, worlds = set(), set()
        for other in range(4):
            hidden = match[-1].seen_by(None).guessed(random.Random(other)) if other else match[-1]
            # all that was hidden at a position and is not open by now may have been otherwise
            now = [_with_secrets(race, hidden) for race in match]
            belief = learned(now)
            worlds.add(now[-1])
            seen.add(pickle.dumps((belief, next(answers(now[-1].seen_by(None), 3, belief=belief)))))
        differed += len(worlds) > 1
        assert len(seen) == 1
    assert differed > 4, "or the test proves little"


def _with_secrets(race: Greyhounds, last: Greyhounds) -> Greyhounds:
    """Return this position with the secrets of a later one; in the same race its own secrets too."""
    if race.race != last.race:
        return race
    return race.replaced(
        bets=tuple(sheet and new for sheet, new in zip(race.bets, last.bets, strict=True)),
        aside=tuple(
            old and (new if new is not None else old) for old, new in zip(race.aside, last.aside, strict=True)
        ),
        choice=last.choice if race is last else race.choice,
    )


def test_the_same_match_is_believed_the_same() -> None:
    """Each position's belief is that of the match up to there, so that what was taken back was never learned."""
    positions = played(["careful", "playful", "random"], 8)
    beliefs = [*along(positions)]
    some = range(0, len(positions), 40)
    assert [beliefs[n] for n in some] == [learned(positions[: n + 1]) for n in some]
    view = positions[60].seen_by(None)
    first, again, other = (
        next(answers(view, seed, belief=belief))
        for seed, belief in ((1, beliefs[60]), (1, beliefs[60]), (1, unknown(view)))
    )
    assert first == again != other


def test_the_cards_of_a_hand_share_a_style_among_them() -> None:
    """In each public position of some evenings, what a style is likely to play adds up to one."""
    rng, seen = random.Random(9), 0
    for seed in range(4):
        for race in moments(random.Random(seed)):
            if race.due != "play" or rng.random() > 0.2:
                continue
            view = race.seen_by(None)
            for seat in view.level():
                each = [card_likelihoods(view, seat, card) for card in view.playable(seat)]
                assert [sum(of) for of in zip(*each, strict=True)] == pytest.approx([1.0] * len(FAMILY))
                seen += 1
    assert seen > 20


@pytest.mark.parametrize("step", [500, 700, 2000])
def test_the_sheets_of_a_seat_share_a_style_among_them(step: int) -> None:
    """A style's preferences over chance have mean one under chance: 4,000 sheets, five errors."""
    race = Greyhounds.new(NAMES[:3], bet_step=step)
    rng = random.Random(10)
    while race.due == "show":
        decision = random_decision(race, rng)
        assert decision is not None
        race = race.after(decision)
    view, many = race.seen_by(None), 4000
    singles = tuple(
        (Bet(single.kind, tuple(DOGS[dog] for dog in single.dogs), wagers.most(step)),)
        for single in wagers.SINGLES
    )
    for n, style in enumerate(FAMILY):
        found = [sheet_likelihoods(view, 1, random_sheet(DOGS, step, rng))[n] for _ in range(many)]
        spread = np.std(found) / sqrt(many)
        assert abs(sum(found) / many - 1) <= 5 * spread + 1e-9
        liked = [sheet_likelihoods(view, 1, sheet)[n] * wagers.at_random(sheet, step) for sheet in singles]
        rest = style.noise * (1 - sum(wagers.at_random(sheet, step) for sheet in singles))
        assert sum(liked) + rest == pytest.approx(1)


def test_a_careful_seat_bets_as_the_careful_bot_does() -> None:
    """In every race of random evenings, by any chart: the bot's sheet is the one that such a style fills in."""
    rng, seen = random.Random(21), set[int]()
    for seats in (3, 4):
        race: Greyhounds = Greyhounds.new(
            ["Ada", "Ben", "Cleo", "Dev"][:seats], **(Greyhounds.suggested[seats] if seats == 3 else {})
        )
        while (due := race.awaits()) is not None:
            if race.due == "bet":
                seen.add(race.race)
                for seat in due.seats:
                    sheet = decide("careful", race, seat, rng).what
                    worth = wagers.worths(
                        race.race, race.pays, race.run.rank, strongest(race, race.race), seat
                    )
                    assert wagers.single_of(sheet, race.bet_step) == worth.index(max(worth))
            decision = random_decision(race, rng)
            assert decision is not None
            race = race.after(decision)
    assert seen == {1, 2, 3}


# --- how it is played out ------------------------------------------------------------------------


@pytest.mark.parametrize("ties", ["move", "strike"])
def test_it_depends_on_the_others_only_where_it_may(ties: str) -> None:
    """Elsewhere the highest card gains most, less what it is worth later, for all cards of the others."""
    rng = random.Random(11)
    for race, running in product((1, 2, 3), (2, 3, 4)):
        if depends(race, running, ties):
            continue
        for _ in range(50):
            own, table = rng.sample(range(1, 21), 3), rng.choices(range(1, 21), k=running - 1)
            moved = {card: steps(race, (card, *table), ties) for card in own}
            worth = {c: m[0] - sum(m[1:]) / (running - 1) - SPENT * c for c, m in moved.items()}
            assert max(worth, key=worth.__getitem__) == max(own)


def test_bets_in_columns_are_worth_what_they_are_one_by_one() -> None:
    """Any sets, rankings and charts."""
    rng = random.Random(12)
    for number in range(60):
        race = next(r for r in moments(random.Random(number), seats=4) if r.due == "bet")
        strong, seat = strongest(race, race.race), rng.randrange(4)
        strengths, ranks = (
            np.array([[order.index(dog)] for dog in range(4)], np.int8) for order in (strong, race.run.rank)
        )
        money = np.array(race.money)[:, None]
        shown = staking.Shown(race.pays, race.race, seat, strengths, ranks, money)
        found = staking.worths(shown)
        expected = wagers.worths(race.race, race.pays, race.run.rank, strong, seat)
        assert found[:, 0].tolist() == pytest.approx(expected, rel=1e-5)


def test_a_bet_of_any_worth_may_be_weighed() -> None:
    """A host's own chart may pay hundreds for one: it is taken for certain, and nothing overflows."""
    worths = [0.5, 900.0, *[0.5] * (len(wagers.SINGLES) - 2)]
    for likely in (wagers.boldly(worths), wagers.as_things_stand(worths, 0, (2000, 2000, 1000))):
        assert likely[1] == pytest.approx(1)
        assert sum(likely) == pytest.approx(1)


@pytest.mark.parametrize("money", [(2000,) * 4, (5000, 4000, 4000, 1000), (0, 3000, 3000, 500)])
def test_a_seat_that_thinks_ahead_bets_by_its_position(money: tuple[int, ...]) -> None:
    """In columns as one by one: 20,000 bets of each seat, five errors; and a leader seldom on his own dog."""
    rng, many = random.Random(3), 20_000
    race: Greyhounds = Greyhounds.new(NAMES, **Greyhounds.suggested[4])
    while race.due == "show":
        decision = random_decision(race, rng)
        assert decision is not None
        race = race.after(decision)
    strong = strongest(race, race.race)
    strengths, ranks = (
        np.array([[order.index(dog)] * many for dog in range(4)], np.int8)
        for order in (strong, race.run.rank)
    )
    on_own = []
    for seat in range(4):
        columns = np.repeat(np.array(money)[:, None], many, axis=1)
        shown = staking.Shown(race.pays, race.race, seat, strengths, ranks, columns)
        assert set(staking.standing(columns, seat).tolist()) == {wagers.standing(money, seat)}
        taken = staking.as_things_stand(shown, np.random.default_rng(seat))
        worth = wagers.worths(race.race, race.pays, race.run.rank, strong, seat)
        likely = np.array(wagers.as_things_stand(worth, seat, money))
        often = np.bincount(taken, minlength=len(wagers.SINGLES)) / many
        assert (np.abs(often - likely) <= 5 * np.sqrt(likely * (1 - likely) / many)).all()
        on_own.append(sum(p for p, bet in zip(likely, wagers.SINGLES, strict=True) if seat in bet.dogs))
    if len({*money}) > 1:
        assert on_own[money.index(max(money))] < on_own[money.index(min(money))]


@pytest.mark.parametrize("seed", range(12))
def test_an_evening_and_its_races_are_won_with_any_styles(seed: int) -> None:
    """At any moment, for any viewer and rules, shares add up to one, and what is settled came so."""
    rng = random.Random(seed)
    for race in moments(rng):
        if rng.random() > 0.04:
            continue
        view = asked(rng, race)
        kernel = Styled(unknown(view))
        events, values, *_ = kernel.playouts(view, 40, np.random.default_rng(seed))
        seats = len(view.seats)
        assert values[:seats].sum(axis=0) == pytest.approx(1)
        if view.due == "play":
            assert events[seats:] == DOG_EVENTS
            assert (values[seats : seats + 4].sum(axis=0) <= 1).all()
            exact = kernel.exact(view)
            assert exact == settled(view.run)
            for event, chance in exact.items():
                assert (values[events.index(event)] == chance).all()


@pytest.mark.parametrize("seed", range(8))
def test_people_play_their_cards(seed: int) -> None:
    """Each of five once, then they come back; one of six stays aside; a card on the table is the next."""
    rng, worlds = random.Random(seed), 40
    race = rng.choice([race for race in moments(rng) if race.due == "play"])
    runs = Runs.of(
        race.run, np.repeat(np.array([[race.run.rank.index(dog)] for dog in range(4)]), worlds, axis=1)
    )
    chance = np.random.default_rng(seed)
    taste = chance.integers(4, size=(4, worlds), dtype=np.int8)
    taste[len(race.seats) :] = 0  # a dummy has none
    slips = chance.random((4, worlds), np.float32)
    people = People(_present(race, worlds), runs, taste, slips, chance)
    rounds = [people.next() for _ in range(2 * FIVE)]
    used = race.run.turn % FIVE
    for seat in race.run.running():
        if seat >= len(race.seats):
            assert all((cards[seat] == DUMMY_CARD).all() for cards in rounds)
            continue
        before = race.played[seat][: race.run.turn]
        for world in range(worlds):
            cards = [*before[len(before) - used :], *(int(played[seat, world]) for played in rounds)]
            assert sorted(cards[:FIVE]) == sorted(cards[FIVE : 2 * FIVE])
            assert len({*cards}) == FIVE
            assert {*cards} <= {*race.set_of(seat)}
            assert race.aside[seat] not in cards
            assert race.table[seat] in (None, cards[used])


class Twin:
    """The same styles played through the rules, one decision after the other."""

    def __init__(self, race: Greyhounds, styles: Sequence[Style], rng: random.Random) -> None:
        self.race, self._styles, self._rng = race, styles, rng

    def to_the_end(self) -> Greyhounds:
        while (due := self.race.awaits()) is not None:
            seat = due.seats[0]
            if self._sets_aside(seat):
                self.race = self.race.after(Decision("set-aside", seat, min(self.race.set_of(seat))))
            self.race = self.race.after(self._decision(seat))
        return self.race

    def _slips(self, often: float) -> bool:
        return self._rng.random() < often

    def _sets_aside(self, seat: int) -> bool:
        race, style = self.race, self._styles[seat]
        begins = race.due == "play" and not race.played[seat] and race.aside[seat] is None
        return (
            begins
            and race.set_size() == SIX
            and style.taste in ("careful", "thinker", "mild")
            and not self._slips(style.slips)
        )

    def _decision(self, seat: int) -> Decision:
        race, style = self.race, self._styles[seat]
        if race.due == "play":
            return Decision("play", seat, self._card(seat, style))
        if race.due not in ("bet", "rank") or style.taste == "random" or self._slips(style.noise):
            return race.at_random(seat, self._rng)
        best = strongest(race, race.race)
        if race.due == "rank":
            careful = Decision("rank", None, tuple(DOGS[dog] for dog in best))
            return careful if style.taste == "careful" else race.at_random(seat, self._rng)
        worth = wagers.worths(race.race, race.pays, race.run.rank, best, seat)
        liked = {
            "thinker": wagers.as_things_stand(worth, seat, race.money),
            "mild": wagers.boldly(worth),
        }
        [bold] = self._rng.choices(range(len(worth)), liked.get(style.taste))
        single = wagers.SINGLES[
            {"greedy": wagers.OWN[seat], "careful": worth.index(max(worth))}.get(style.taste, bold)
        ]
        dogs = tuple(DOGS[dog] for dog in single.dogs)
        return Decision("bet", seat, (Bet(single.kind, dogs, wagers.most(race.bet_step)),))

    def _card(self, seat: int, style: Style) -> int:
        race, rng = self.race, self._rng
        cards = race.playable(seat)
        if style.taste == "random" or self._slips(style.slips):
            return rng.choice(cards)
        running = race.run.running()
        if style.taste == "greedy" or not depends(race.race, len(running), race.ties):
            return max(cards)
        if style.taste in ("thinker", "mild"):
            return rng.choice(cards)
        tables = [*zip(*(self._may_lie(dog) for dog in running if dog != seat), strict=True)]

        def worth(card: int) -> float:
            moves = [steps(race.race, (card, *table), race.ties) for table in tables]
            gains = [own - sum(theirs) / len(theirs) for own, *theirs in moves]
            return sum(gains) / len(gains) - SPENT * card

        return max(sorted(cards, reverse=True), key=worth)

    def _may_lie(self, dog: int) -> list[int]:
        """Return the card of a dog on the table, or those left to it, each once, as the kernel reckons."""
        race = self.race
        again = race.run.turn >= FIVE or race.set_size() == FIVE
        left = (FIVE if again else SIX) - race.run.turn % FIVE
        played_card = race.table[dog]
        if played_card is not None or dog >= len(race.seats):
            return [played_card or DUMMY_CARD] * left
        played = race.played[dog]
        may = [c for c in race.set_of(dog) if c not in race.used(dog) and (len(played) < FIVE or c in played)]
        return self._rng.sample(may, left)


def turn_by_care(view: Greyhounds, rng: random.Random) -> dict[int, int]:
    """Return the cards of this turn if every seat plays with care, as the plain definition has it; by dog."""
    lie = {dog: card for dog, card in enumerate(view.table) if card is not None}
    again = view.run.turn >= FIVE or view.set_size() == FIVE
    left = {
        dog: [DUMMY_CARD] * 6 if dog >= len(view.seats) else view.playable(dog) for dog in view.run.running()
    }
    many = (FIVE if again else SIX) - view.run.turn % FIVE
    for dog in sorted(view.run.running(), key=lambda dog: -view.run.progress[dog]):
        if dog in lie or dog >= len(view.seats):
            lie.setdefault(dog, DUMMY_CARD)
            continue
        ahead = [d for d in left if view.run.progress[d] > view.run.progress[dog]]
        tables = [*zip(*([lie[d]] * many if d in ahead else rng.sample(left[d], many)
                         for d in left if d != dog), strict=True)]  # fmt: skip
        worth = {}
        for card in left[dog] if isinstance(view.aside[dog], int) or again else sorted(left[dog])[1:]:
            moves = [steps(view.race, (card, *table), view.ties) for table in tables]
            gains = [own - sum(theirs) / len(theirs) for own, *theirs in moves]
            worth[card] = sum(gains) / len(gains) - SPENT * card
        lie[dog] = max(sorted(worth, reverse=True), key=lambda card: round(worth[card], 9))
    return lie


@pytest.mark.parametrize("seed", range(12))
def test_care_chooses_the_cards_that_it_is_said_to_choose(seed: int) -> None:
    """In a turn of any race and rules, with any leader, as often as one by one: within 4.5 errors of 150."""
    rng, worlds, games = random.Random(100 + seed), 3000, 150
    options = {"bookie": [None, 0][seed % 2], "ties": ["move", "strike"][seed % 3 == 2], "lap": 28}
    begun = [
        race.seen_by(None)
        for race in moments(rng, **options)
        if race.due == "play" and not any(race.choice) and race.race < 3
        if all(len(race.played[s]) in (race.run.turn, race.run.turn + 1) for s in range(len(race.seats)))
    ]
    level = seed % 4 == 0  # all of them, as a race begins
    view = rng.choice([v for v in begun if len(v.run.running()) == 4 and (v.run.turn == 0) == level])
    rank = np.array([[view.run.rank.index(dog)] for dog in range(4)], np.int8)
    taste = np.full((4, worlds), 2, np.int8)
    taste[len(view.seats) :] = 0
    runs = Runs.of(view.run, np.repeat(rank, worlds, axis=1))
    none = np.zeros((4, worlds), np.float32)
    people = People(_present(view, worlds), runs, taste, none, np.random.default_rng(seed))
    cards = people.next()
    one_by_one = [turn_by_care(view, rng) for _ in range(games)]
    for dog in range(4):
        for card in {*cards[dog].tolist(), *(turn[dog] for turn in one_by_one)}:
            p = float((cards[dog] == card).mean())
            found = sum(turn[dog] == card for turn in one_by_one) / games
            error = sqrt(max(p * (1 - p), 0.005) * (1 / games + 1 / worlds))
            assert abs(found - p) < 4.5 * error, (DOGS[dog], card, p, found)


def agrees(styles: Sequence[Style], games: int, seed: int, **options: Any) -> None:
    """Assert that the kernel is within 4.5 errors of games that these styles play through the rules."""
    rng = random.Random(seed)
    race = Greyhounds.new(NAMES[: len(styles)], **options)
    while race.due in ("show", "rank"):
        decision = random_decision(race, rng)
        assert decision is not None
        race = race.after(decision)
    view = race.seen_by(None)
    ends = [Twin(view.guessed(rng), styles, rng).to_the_end() for _ in range(games)]
    evening = Party(view, 10_000, np.random.default_rng(seed), sure(*styles))
    happened = [list(won) for won in zip(*map(victory, ends), strict=True)]
    said = evening.shares().mean(axis=1).tolist()
    for number in range(len(evening.places)):
        for dog in range(len(DOGS)):
            happened.append(
                [float(e.results[number].places[0] == dog) for e in ends if len(e.results) > number]
            )
            said.append(float((evening.places[number][dog] == 1).mean()))
    for p, came in zip(said, happened, strict=True):
        error = sqrt(max(p * (1 - p), 0.002) * (1 / len(came) + 1 / 10_000))
        assert abs(sum(came) / len(came) - p) < 4.5 * error, (p, sum(came) / len(came))


@pytest.mark.long
@pytest.mark.parametrize(
    ("styles", "options"),
    [
        ((CAREFUL, CAREFUL, CAREFUL, CAREFUL), {}),
        ((CAREFUL, GREEDY, THINKER, FAMILY[0]), {"bookie": 0}),
        ((CAREFUL, FAMILY[3], GREEDY), {"ties": "strike"}),
        ((THINKER, MILD, THINKER, THINKER), {}),
    ],
)
def test_playouts_agree_with_evenings_that_styles_play_through_the_rules(
    styles: Sequence[Style], options: dict[str, Any]
) -> None:
    """Wins of seats and, race by race, of dogs: 25 evenings in which each decision is the plain definition's.

    Only here: playouts that play a style otherwise than the rules and bots do.
    """
    agrees(styles, 25, 13, **options)


@pytest.mark.nightly
@pytest.mark.parametrize("options", [{}, {"bookie": 0}, {"ties": "strike"}])
def test_playouts_agree_with_many_evenings(options: dict[str, Any]) -> None:
    """Playouts agree with 500 evenings by the rules, for three tables of styles.

    Only here: a small bias of the playouts for one style, or for one rule about equal cards or the bookie.
    """
    for seed, styles in enumerate(
        ((CAREFUL,) * 4, (CAREFUL, GREEDY, THINKER, FAMILY[0]), (MILD, THINKER, GREEDY))
    ):
        agrees(styles, 500, 20 + seed, **options)


def test_who_believes_nothing_gets_the_odds_without_styles() -> None:
    """Robots do so, which think of far more positions than the table asks about."""
    running = next(r for r in moments(random.Random(14), seats=4) if r.due == "play")
    assert type(kernel_believing(running)) is Hounds
    assert type(kernel_believing(running, unknown(running))) is Styled


def test_until_the_first_race_runs_only_who_is_known_from_before_has_a_style() -> None:
    """Robots, whose style is public, or people who are remembered; else most people's habits say more."""
    race = Greyhounds.new(NAMES)
    assert type(kernel_believing(race, unknown(race))) is Hounds
    assert type(kernel_believing(race, learned([race], bots=["", "medium", "", ""]))) is Styled
    later = next(r for r in played(["random"] * 3, 6) if r.race == 2 and r.due != "play")
    assert type(kernel_believing(later, unknown(later))) is Styled


def test_where_all_are_thought_thoughtless_the_odds_are_those_of_random_play() -> None:
    """Wins and places within five standard errors."""
    race, many = next(r for r in moments(random.Random(14), seats=4, lap=28) if r.run.turn == 3), 8000
    belief = sure(*[FAMILY[0]] * 4)
    one, other = (
        kernel.playouts(race.seen_by(None), many, np.random.default_rng(2)).values.mean(axis=1)
        for kernel in (Hounds(), Styled(belief))
    )
    assert (np.abs(one - other) < 5 * np.sqrt(2 * np.maximum(one * (1 - one), 0.001) / many)).all()
