"""Greyhounds: three races of four dogs, run with cards shown beforehand, and bets on them."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, permutations
from typing import Any, Final, Self, TypeVar

from companion.games.forms import Fields, Form, Keyed, Option, whole_number
from companion.games.greyhounds import chance as hounds_chance
from companion.games.greyhounds import money as hounds_money
from companion.games.greyhounds import news as hounds_news
from companion.games.greyhounds import refusals as hounds_refusals
from companion.games.greyhounds.bets import (
    DOGS_OF,
    MONEY,
    MOST,
    STANDARD,
    Bet,
    Odds,
    Sheet,
    odds_of,
    single_bets,
    staked,
)
from companion.games.greyhounds.money import Result
from companion.games.greyhounds.news import Move
from companion.games.greyhounds.run import DOGS, Run
from companion.games.greyhounds.sets import (
    CARDS,
    DUMMY_CARD,
    DUMMY_SET,
    FIVE,
    SIX,
    Cards,
    Dealt,
    fives,
    ranked,
    sixes,
)
from companion.games.race import Race, checked_options, checked_seats
from companion.games.terms import HIDDEN, Awaited, Decision, News, OneOf, Payout, Place, Sealed
from companion.message import N_

T = TypeVar("T")

RACES: Final = 3
BANK: Final = 6000  # what a bookie starts with for each dog
EXAMPLES: Final = 100
LAP: Final = 28  # a placeholder, like STANDARD


class Choices:
    """Decisions too many to list: iterating gives examples, `in` decides."""

    def __init__(self, race: Greyhounds, do: str, seat: int | None, examples: Callable[[], Iterable[Any]]):
        self._race, self._do, self._seat, self._examples = race, do, seat, examples

    def __iter__(self) -> Iterator[Decision]:
        return (Decision(self._do, self._seat, what) for what in self._examples())

    def __contains__(self, decision: object) -> bool:
        return (
            isinstance(decision, Decision)
            and decision[:2] == (self._do, self._seat)
            and self._race.refusal(decision) is None
        )


@dataclass(frozen=True)
class Greyhounds(Race):
    """A position. Dogs are numbered like the seats that own them; by seat unless it says by dog."""

    told: tuple[News, ...] = field(hash=False)  # holds no secret
    lap: int
    odds: Odds
    bet_step: int
    bookie: int | None
    race: int
    due: str  # show, rank, bet, play; "" when the game is finished
    money: tuple[int, ...]
    dealt: tuple[Dealt | str | None, ...]  # not yet shown, see `sets_of`; None: people dealt
    shown: tuple[tuple[Cards, ...], ...]  # race by race
    bets: tuple[Sheet | str | None, ...]  # of this race
    staked: tuple[int, ...]  # paid to the bookie in this race
    aside: tuple[int | str | None, ...]  # None: nobody told the companion, and it does not follow yet
    played: tuple[Cards, ...]  # turned over in this race, in order
    choice: tuple[int | str | None, ...]  # chosen, not yet turned over
    table: tuple[int | None, ...]  # by dog: turned over in this turn
    run: Run
    moves: tuple[Move, ...]  # of the turn before, in order of the cards
    results: tuple[Result, ...]

    name = "greyhounds"
    title = N_("Greyhounds")
    animal = "greyhound"
    unit = "money"
    pieces = {
        "red": N_("the |red dog"),
        "blue": N_("the |blue dog"),
        "brown": N_("the |brown dog"),
        "green": N_("the |green dog"),
    }
    numbers = len(CARDS)
    seat_counts = (3, 4)
    uses_start = False
    chart = ("lap", "odds")
    forms = {
        "deal": Form(False, "", {"sets": [[[int]]], "last": [[int]]}),
        "show": Form(True, "cards", [int]),
        "rank": Form(False, "order", [str]),
        "bet": Form(True, "bets", [Fields(Bet, {"kind": str, "dogs": [str], "stake": int})]),
        "set-aside": Form(True, "card", int),
        "play": Form(True, "card", int),
    }
    private = frozenset({"bet", "set-aside"})
    from_hand = frozenset({"show", "play"})
    options = (
        Option(
            "bookie",
            None,
            N_("bookie"),
            N_("One player is the bookie: takes the bets, ranks the dogs and pays who wins."),
            kind="seat",
        ),
        Option("lap", LAP, N_("spaces of a lap"), N_("How many spaces the loop has."), 1, 1000),
        Option(
            "odds",
            STANDARD.given(),
            N_("odds chart"),
            N_("What a won bet pays per dollar, as the chart of your game has it."),
            kind="chart",
        ),
        Option("bet_step", 500, N_("step of the stakes"), N_("Every stake is a multiple of it."), 1, MOST),
    )

    @classmethod
    def new(cls, seats: Sequence[str], start: int = 0, **options: Any) -> Self:
        """The position before the sets of race 1 are dealt or shown; `start` has no meaning here.

        >>> Greyhounds.new(["Ada", "Ben", "Cleo"], bookie=1).money
        (6000, 18000, 6000)
        """
        names = checked_seats(cls, seats)
        chosen = checked_options(cls, options)
        bookie = chosen["bookie"]
        if bookie is not None:
            whole_number("bookie", bookie, 0, len(names) - 1)
        nobody = (None,) * len(names)
        return cls(
            seats=names,
            start=whole_number("start", start, 0, len(names) - 1),
            told=(),
            **{**chosen, "odds": odds_of(chosen["odds"])},
            race=1,
            due="show",
            money=tuple(BANK * len(names) if s == bookie else MONEY for s in range(len(names))),
            dealt=nobody,
            shown=((),) * len(names),
            bets=nobody,
            staked=(0,) * len(names),
            aside=nobody,
            played=((),) * len(names),
            choice=nobody,
            table=(None,) * len(DOGS),
            run=Run(1, chosen["lap"]),
            moves=(),
            results=(),
        )

    # --- what may be decided ---------------------------------------------------------------------

    def awaits(self) -> Awaited | None:
        """The decision that is due; all who owe it may decide in any order."""
        if self.due == "play":
            seats = tuple(d for d in self._level() if self.choice[d] is None)
        elif self.due == "bet":
            seats = tuple(s for s in self._bettors() if self.bets[s] is None)
        elif self.due == "show":
            seats = tuple(s for s, sets in enumerate(self.shown) if len(sets) < self.race)
        elif self.due == "rank":
            assert self.bookie is not None
            seats = (self.bookie,)
        else:
            return None
        return Awaited(self.due, seats)

    def _bettors(self) -> tuple[int, ...]:
        return tuple(s for s in range(len(self.seats)) if s != self.bookie)

    def _next(self) -> tuple[int, ...]:
        """The dogs whose cards are turned over next, together."""
        return self.run.level([d for d in self.run.running() if self.table[d] is None])

    def _level(self) -> tuple[int, ...]:
        """The seats whose cards are turned over next."""
        level, seats = self._next(), len(self.seats)
        return tuple([d for d in level if d < seats]) if seats < len(DOGS) else level

    def decisions(self, seat: int | None) -> Iterable[Decision]:
        """What this seat may decide now; sets of unknown cards and bets are given as examples."""
        if seat is None:
            return Choices(self, "deal", None, self._deals) if self.may_deal() else ()
        awaited = self.awaits()
        if awaited is None or seat not in awaited.seats:
            return ()
        if self.due == "show":
            dealt = self.dealt[seat]
            if self.set_size() == SIX and isinstance(dealt, tuple):
                return [Decision("show", seat, cards) for cards in dealt]
            return Choices(self, "show", seat, lambda: self._some_sets(seat))
        if self.due == "rank":
            return [Decision("rank", None, order) for order in permutations(DOGS)]
        if self.due == "bet":
            return Choices(self, "bet", seat, lambda: single_bets(DOGS, self.bet_step))
        cards = self.playable(seat)
        aside = self.set_of(seat) if hounds_refusals.set_aside(self, seat) is None else ()
        return [
            *(Decision("play", seat, card) for card in cards),
            *(Decision("set-aside", seat, card) for card in aside),
        ]

    def _deals(self) -> Iterator[Keyed]:
        yield hounds_chance.deal(self, random.Random(1))

    def _some_sets(self, seat: int) -> Iterator[Cards]:
        sets = sixes(self.unshown(seat)) if self.set_size() == SIX else self.legal_fives(seat)
        return islice(sets, EXAMPLES)

    def legal_fives(self, seat: int) -> Iterator[Cards]:
        """The sets that this seat may show, in a race of five cards."""
        return (five for five in fives(self.free(seat)) if hounds_refusals.show(self, seat, five) is None)

    def set_size(self) -> int:
        """How many cards a set of this race has."""
        return SIX if self.bookie is None or self.race == RACES else FIVE

    def sets_of(self, seat: int) -> Dealt | None:
        """The sets dealt to this seat and not yet shown, with a bookie the one for race 3; None: unknown."""
        dealt = self.dealt[seat]
        return dealt if isinstance(dealt, tuple) else None

    def unshown(self, seat: int) -> frozenset[int]:
        """Cards that this seat has not shown yet."""
        return frozenset(CARDS).difference(*self.shown[seat])

    def free(self, seat: int) -> frozenset[int]:
        """Cards that it may still choose from: those drawn for race 3 are not among them, if known."""
        return self.unshown(seat).difference(*(self.sets_of(seat) or ()))

    def set_of(self, seat: int) -> Cards:
        """The set that this seat has shown for this race."""
        return self.shown[seat][self.race - 1]

    def used(self, seat: int) -> Cards:
        """Cards of this race that were played and have not come back yet."""
        played = self.played[seat]
        return played[len(played) - len(played) % FIVE :]

    def playable(self, seat: int) -> list[int]:
        """Cards of its set that this seat may play."""
        gone = (*self.used(seat), self.aside[seat])
        return [card for card in self.set_of(seat) if card not in gone]

    def refusal(self, decision: Decision) -> News | None:
        """Why this decision is against the rules now; its presenter words it."""
        return hounds_refusals.refused(self, decision)

    # --- what follows ----------------------------------------------------------------------------

    def after(self, decision: Decision) -> Self:
        """The position after a legal decision, with everything that follows by itself.

        What a hole hides counts as little as it can: a hidden sheet wins nothing.
        """
        do, seat, what = decision
        if do == "deal":
            return self._after_deal(what)
        if do == "rank":
            return self._ranked(tuple(DOGS.index(dog) for dog in what), ())
        assert seat is not None
        if do == "show":
            return self._after_show(seat, tuple(sorted(what)))
        if do == "bet":
            return self._after_bet(seat, what)
        if do == "set-aside":
            told = (News("aside", {"seat": seat}),)
            return self._with(aside=_put(self.aside, seat, what), told=told)
        choice = _put(self.choice, seat, what)
        return self._with(choice=choice, told=(News("chosen", {"seat": seat}),))._turned_over()

    def _after_deal(self, deal: Keyed) -> Self:
        if deal.key == "last":
            return self._with(
                dealt=tuple((_sorted(cards),) for cards in deal.value), told=(News("dealt-last"),)
            )
        dealt = tuple(tuple(map(_sorted, sets)) for sets in deal.value)
        return self._with(dealt=dealt, told=(News("dealt", {"count": RACES}),))

    def _after_show(self, seat: int, cards: Cards) -> Self:
        dealt = self.dealt[seat]
        left = tuple(one for one in dealt if one != cards) if isinstance(dealt, tuple) else dealt
        text = ", ".join(map(str, cards))
        position = self._with(
            shown=_put(self.shown, seat, (*self.shown[seat], cards)),
            dealt=_put(self.dealt, seat, left),
            told=(News("shown", {"seat": seat, "text": text, "total": sum(cards)}),),
        )
        if any(len(sets) < self.race for sets in position.shown):
            return position
        if self.bookie is not None:
            return position._with(due="rank")
        return position._ranked(ranked(position._sets_by_dog()), position.told)

    def _sets_by_dog(self) -> list[Cards]:
        sets = [self.set_of(seat) for seat in range(len(self.seats))]
        return [*sets, *[DUMMY_SET] * (len(DOGS) - len(sets))]

    def _ranked(self, rank: tuple[int, ...], told: tuple[News, ...]) -> Self:
        one, two, three, four = _names(rank)
        told = (*told, News("ranked", {"piece1": one, "piece2": two, "piece3": three, "piece4": four}))
        return self._with(due="bet", run=self.run._replace(rank=rank), moves=(), told=told)

    def _after_bet(self, seat: int, sheet: Sheet) -> Self:
        position = self._with(bets=_put(self.bets, seat, sheet), told=(News("has-bet", {"seat": seat}),))
        if self.bookie is not None:
            total = staked(sheet)
            money = _added(_added(self.money, seat, -total), self.bookie, total)
            told = (News("has-staked", {"seat": seat, "stake": total}),)
            position = position._with(money=money, staked=_put(self.staked, seat, total), told=told)
        if any(position.bets[s] is None for s in self._bettors()):
            return position
        return position._with(due="play", told=(*position.told, News("bets-closed")))

    def _turned_over(self) -> Self:
        """Cards are turned over while all who are level have chosen; then the next, then the dogs run."""
        position = self
        while position.due == "play" and all(position.choice[d] is not None for d in position._level()):
            level = position._next()
            position = position._with_table(level) if level else position._after_turn()
        return position

    def _with_table(self, level: Collection[int]) -> Self:
        table, played, aside, told = list(self.table), list(self.played), list(self.aside), []
        for dog in level:
            card = DUMMY_CARD
            if dog < len(self.seats):
                card = self._chosen(dog)
                played[dog] = (*played[dog], card)
                if len(played[dog]) == FIVE < len(self.set_of(dog)):
                    [aside[dog]] = set(self.set_of(dog)).difference(played[dog])
            table[dog] = card
            told.append(News("turned", {"seat": self._owner(dog), "piece": DOGS[dog], "card": card}))
        return self._with(
            table=tuple(table),
            played=tuple(played),
            aside=tuple(aside),
            choice=tuple(None if s in level else c for s, c in enumerate(self.choice)),
            told=(*(news for news in self.told if news.kind != "chosen"), *told),
        )

    def _chosen(self, seat: int) -> int:
        """The card chosen; in a view where it is a hole, the lowest that it may be."""
        card = self.choice[seat]
        return card if isinstance(card, int) else min(self.playable(seat))

    def _owner(self, dog: int) -> int | None:
        return dog if dog < len(self.seats) else None

    def _after_turn(self) -> Self:
        """Every running dog has played: they move, and the race may be over."""
        cards = {dog: card for dog, card in enumerate(self.table) if card is not None}
        run = self.run.after(cards)
        moves = tuple(
            Move(dog, cards[dog], run.progress[dog] - self.run.progress[dog])
            for dog in sorted(cards, key=lambda d: -cards[d])
        )
        position = self._with(
            run=run,
            moves=moves,
            table=(None,) * len(DOGS),
            told=(*self.told, *hounds_news.of_the_run(self.run, run, moves, len(self.seats))),
        )
        return position._settled() if run.over() else position

    def _settled(self) -> Self:
        """The race is over: prizes and bets are paid, and the next race or the end follows."""
        result = self._result()
        nobody = (None,) * len(self.seats)
        settled = self._with(
            money=result.money,
            results=(*self.results, result),
            bets=nobody,
            staked=(0,) * len(self.seats),
            aside=nobody,
            told=(*self.told, *hounds_news.of_the_result(self.race, result, self.bookie)),
        )
        broke = self.bookie is not None and result.money[self.bookie] < 0
        if broke or self.race == RACES:
            bankrupt = (News("bankrupt", {"seat": self.bookie}),) if broke else ()
            return settled._with(due="", told=(*settled.told, *bankrupt, News("game-over")))
        following = self.race + 1
        run, played = Run(following, self.lap), ((),) * len(self.seats)
        return settled._with(race=following, due="show", run=run, played=played)

    def _result(self) -> Result:
        """What the race that is over brought; a sheet that this view does not show brings nothing."""
        sheets = [sheet if isinstance(sheet, tuple) else () for sheet in self.bets]
        places = self.run.home
        paid = tuple(hounds_money.paid(sheets, self.odds, self.run.rank, places))
        if self.bookie is None:
            return hounds_money.with_bank(self.money, sheets, places, paid)
        return hounds_money.with_bookie(self.money, self.staked, places, paid, self.bookie)

    @property
    def news(self) -> Sequence[News]:
        """What the last decision brought."""
        return self.told

    # --- what is seen ----------------------------------------------------------------------------

    def sealed(self, decision: Decision) -> Sealed | None:
        """Sheets and cards set aside stay secret, and a card until all who are level have chosen."""
        if decision.do == "set-aside":
            return Sealed()
        if decision.do == "bet":
            if self.bookie is None:
                return Sealed()
            return Sealed(frozenset({self.bookie}), staked(decision.what))
        if decision.do == "play":
            others = [d for d in self._level() if d != decision.seat]
            return Sealed() if any(self.choice[d] is None for d in others) else None
        return None

    def own(self, seat: int) -> Mapping[str, Any]:
        """Sets dealt and not yet shown, cards that may be played or chosen from, own secrets of the race."""
        known: dict[str, Any] = {}
        dealt, sheet, aside, choice = (
            facts[seat] for facts in (self.dealt, self.bets, self.aside, self.choice)
        )
        if isinstance(dealt, tuple):
            known["sets"] = [list(cards) for cards in dealt]
        if self.due and len(self.shown[seat]) == self.race:
            known["hand"] = [card for card in self.playable(seat) if card != choice]
        elif self.set_size() == FIVE and isinstance(dealt, tuple):
            known["hand"] = sorted(self.free(seat))
        if isinstance(sheet, tuple):
            known["bets"] = self.forms["bet"].written(sheet)["bets"]
        if isinstance(aside, int):
            known["set_aside"] = aside
        if isinstance(choice, int):
            known["choice"] = choice
        return known

    def seen_by(self, seat: int | None) -> Self:
        """The same game without the others' sets, sheets (but for the bookie), cards chosen and set aside."""
        knows_bets = seat is not None and seat == self.bookie
        return self._with(
            dealt=_hidden(self.dealt, lambda s, sets: s != seat and isinstance(sets, tuple) and sets != ()),
            bets=_hidden(self.bets, lambda s, sheet: s != seat and sheet is not None and not knows_bets),
            aside=_hidden(self.aside, lambda s, card: s != seat and card is not None and not self._told(s)),
            choice=_hidden(self.choice, lambda s, card: s != seat and card is not None),
        )

    def _told(self, seat: int) -> bool:
        """Whether five different cards have been played: then everybody knows the sixth."""
        return len(self.played[seat]) >= FIVE

    def guessed(self, rng: random.Random) -> Self:
        """The same game with sets, sheets and cards that may be, in the place of those not seen."""
        return self._with(**hounds_chance.filled(self, rng))

    def drawn(self, rng: random.Random) -> Decision | None:
        """Three sets for each seat; with a bookie only those for race 3."""
        return Decision("deal", None, hounds_chance.deal(self, rng)) if self.may_deal() else None

    def deal_key(self) -> str:
        """What a deal names: all sets, or with a bookie the last ones."""
        return "sets" if self.bookie is None else "last"

    def sets_dealt(self) -> int:
        """How many sets a deal gives each seat."""
        return RACES if self.bookie is None else 1

    def may_deal(self) -> bool:
        """Only as the first decision of all."""
        return self.due == "show" and not any(self.shown) and self.dealt.count(None) == len(self.seats)

    def at_random(self, seat: int, rng: random.Random) -> Decision:
        """A random set, ranking, sheet or card; now and then a card is set aside first."""
        return hounds_chance.decision(self, seat, rng)

    def scores(self) -> Sequence[int]:
        """Money."""
        return self.money

    def state(self) -> dict[str, Any]:
        """The public position as record.md writes it."""
        return {
            "race": self.race,
            "turn": self.run.turn,
            "money": list(self.money),
            "rank": _names(self.run.rank),
            "progress": dict(zip(DOGS, self.run.progress, strict=True)),
            "home": _names(self.run.home),
            "out": _names(self.run.out),
            "races": [
                {"places": _names(r.places), "prizes": list(r.prizes), "bets": list(r.bets)}
                for r in self.results
            ],
        }

    def layout(self) -> Mapping[str, Place]:
        """Each dog on its space; one past the line is home, one lapped is out."""
        return {DOGS[dog]: self._place(dog) for dog in range(len(DOGS))}

    def _place(self, dog: int) -> Place:
        if self.run.crossed(dog):
            return Place("home")
        if dog in self.run.out:
            return Place("out")
        return Place("track", self.run.progress[dog] % self.lap)

    def own_piece(self, seat: int) -> str:
        """A dog for each seat, in order."""
        return DOGS[seat]

    def unsensed(self) -> frozenset[str]:
        """Dogs that have not moved yet: they wait behind the line, where there is room for all."""
        waiting = (d for d in range(len(DOGS)) if self.run.progress[d] == 0 and d not in self.run.out)
        return frozenset(DOGS[d] for d in waiting)

    def track(self) -> Mapping[str, Any]:
        """A loop, run so many `laps`; `placeholder`: its spaces or the odds are not the owner's own."""
        return {
            "kind": "loop",
            "spaces": self.lap,
            "laps": self.run.laps,
            "home": _names(self.run.home),
            "out": _names(self.run.out),
            "progress": dict(zip(DOGS, self.run.progress, strict=True)),
            "placeholder": self.lap == LAP or self.odds == STANDARD,
        }

    def payouts(self) -> Sequence[Payout]:
        """What the chart pays on the dogs, once they are ranked."""
        if not self.run.rank:
            return ()
        dogs = _names(self.run.rank)
        return [
            Payout(kind, [dogs[rank - 1] for rank in ranks], self.odds.of(kind, ranks))
            for kind, count in DOGS_OF.items()
            for ranks in combinations(range(1, len(DOGS) + 1), count)
        ]

    # --- what cards mean -------------------------------------------------------------------------

    def laid(self, colour: str, number: int) -> Decision | OneOf | None:
        """A card of a dog's set while one is due, else the card that it plays; the dummy's is refused."""
        seat = DOGS.index(colour)
        awaited = self.awaits()
        if awaited is None or awaited.do not in ("show", "play"):
            return None
        if awaited.do == "show" and seat in awaited.seats:
            return OneOf("show", seat, self.set_size())
        return Decision(awaited.do, seat, number if awaited.do == "play" else (number,))

    def misfit(self, part: OneOf, numbers: Sequence[int]) -> News | None:
        """Why no set of this race can be made with these cards."""
        return hounds_refusals.begun_set(self, part.seat, numbers)


def _put(facts: tuple[T, ...], seat: int, fact: T) -> tuple[T, ...]:
    return (*facts[:seat], fact, *facts[seat + 1 :])


def _added(money: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return _put(money, seat, money[seat] + more)


def _sorted(cards: Cards) -> Cards:
    return tuple(sorted(cards))


def _names(dogs: Iterable[int]) -> list[str]:
    return [DOGS[dog] for dog in dogs]


def _hidden(facts: Sequence[Any], secret: Callable[[int, Any], bool]) -> tuple[Any, ...]:
    return tuple(HIDDEN if secret(seat, fact) else fact for seat, fact in enumerate(facts))
