"""Greyhounds: three races of four dogs, run with cards shown beforehand, and bets on them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from typing import Any, Final, Self, TypeVar

from companion.games.forms import Fields, Form, Keyed, Option, whole_number
from companion.games.greyhounds import chance, outcome, refusals
from companion.games.greyhounds.bets import (
    MONEY,
    MOST,
    STANDARD,
    Bet,
    charts_as_data,
    charts_of,
    single_bets,
    staked,
)
from companion.games.greyhounds.editions import EDITIONS
from companion.games.greyhounds.fair import FAIR, RETURN
from companion.games.greyhounds.position import Position
from companion.games.greyhounds.run import DOGS, MOVE, STRIKE, Run
from companion.games.greyhounds.sets import (
    CARDS,
    FIVE,
    SIX,
    Cards,
    sixes,
)
from companion.games.race import checked_options, checked_seats
from companion.games.terms import HIDDEN, Decision, News, OneOf, Place, Sealed
from companion.message import N_

T = TypeVar("T")

BANK: Final = 6000  # start of a bookie for each dog
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
            and self._race.illegal_reason(decision) is None
        )


@dataclass(frozen=True)
class Greyhounds(Position):
    """A position. Dogs are numbered like the seats that own them; by seat unless it says by dog."""

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
    editions = EDITIONS
    seat_counts = (3, 4)
    uses_start = False
    chart = ("lap", "odds")
    suggested = {seats: {"odds": charts_as_data(charts)} for seats, charts in FAIR.items()}
    suggested_return = RETURN
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
            STANDARD.as_data(),
            N_("odds chart"),
            N_("What a won bet pays per dollar, as the chart of your game has it."),
            kind="chart",
        ),
        Option(
            "ties",
            MOVE,
            N_("equal cards"),
            N_(
                "Equal cards move together. Or they are struck out, as in the first edition: then the "
                "highest single cards move, each less the lowest."
            ),
            kind="choice",
            choices={MOVE: N_("move together"), STRIKE: N_("are struck out")},
        ),
        Option("bet_step", 500, N_("step of the stakes"), N_("Every stake is a multiple of it."), 1, MOST),
    )

    @classmethod
    def new(cls, seats: Sequence[str], start: int = 0, **options: Any) -> Self:
        """Return the position before the sets of race 1 are dealt or shown; `start` is ignored.

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
            latest=(),
            **{**chosen, "odds": charts_of(chosen["odds"])},
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
            run=Run(1, chosen["lap"], ties=chosen["ties"]),
            moves=(),
            results=(),
        )

    # --- decisions -------------------------------------------------------------------------------

    def decisions(self, seat: int | None) -> Iterable[Decision]:
        """Return the decisions of this seat now; sets of unknown cards and bets are given as examples."""
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
        aside = self.set_of(seat) if refusals.set_aside(self, seat) is None else ()
        return [
            *(Decision("play", seat, card) for card in cards),
            *(Decision("set-aside", seat, card) for card in aside),
        ]

    def _deals(self) -> Iterator[Keyed]:
        yield chance.deal(self, random.Random(1))

    def _some_sets(self, seat: int) -> Iterator[Cards]:
        sets = sixes(self.unshown(seat)) if self.set_size() == SIX else refusals.legal_fives(self, seat)
        return islice(sets, EXAMPLES)

    def illegal_reason(self, decision: Decision) -> News | None:
        """Return why this decision is against the rules now; its presenter words the reason."""
        return refusals.refused(self, decision)

    # --- consequences ----------------------------------------------------------------------------

    def after(self, decision: Decision) -> Self:
        """Return the position after a legal decision and all its automatic consequences.

        Hidden values count as little as they can: a hidden sheet wins nothing.
        """
        do, seat, what = decision
        if do == "deal":
            return outcome.dealt(self, what)
        if do == "rank":
            return outcome.in_rank(self, tuple(DOGS.index(dog) for dog in what), ())
        assert seat is not None
        if do == "show":
            return outcome.shown(self, seat, tuple(sorted(what)))
        if do == "bet":
            return outcome.with_bet(self, seat, what)
        if do == "set-aside":
            return outcome.with_aside(self, seat, what)
        return outcome.chosen(self, seat, what)

    @property
    def news(self) -> Sequence[News]:
        """News of the last decision."""
        return self.latest

    # --- views -----------------------------------------------------------------------------------

    def sealed(self, decision: Decision) -> Sealed | None:
        """Return the secrecy of a decision: sheets and cards set aside stay secret, and a card until all
        seats that are level have chosen.
        """
        if decision.do == "set-aside":
            return Sealed()
        if decision.do == "bet":
            if self.bookie is None:
                return Sealed()
            return Sealed(frozenset({self.bookie}), staked(decision.what))
        if decision.do == "play":
            others = [d for d in self.level() if d != decision.seat]
            return Sealed() if any(self.choice[d] is None for d in others) else None
        return None

    def secrets_of(self, seat: int) -> Mapping[str, Any]:
        """Return sets dealt and not yet shown, cards that may be played or chosen from, own secrets of the
        race.
        """
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
        """Return the same game without the others' sets, sheets (except for the bookie), cards chosen and set
        aside.
        """
        knows_bets = seat is not None and seat == self.bookie
        return self.replaced(
            dealt=_hidden(self.dealt, lambda s, sets: s != seat and isinstance(sets, tuple) and sets != ()),
            bets=_hidden(self.bets, lambda s, sheet: s != seat and sheet is not None and not knows_bets),
            aside=_hidden(
                self.aside, lambda s, card: s != seat and card is not None and not self.aside_is_known(s)
            ),
            choice=_hidden(self.choice, lambda s, card: s != seat and card is not None),
        )

    def guessed(self, rng: random.Random) -> Self:
        """Return the same game with possible sets, sheets and cards in place of the hidden ones."""
        return self.replaced(**chance.filled(self, rng))

    def drawn(self, rng: random.Random) -> Decision | None:
        """Draw three sets for each seat; with a bookie only those for race 3."""
        return Decision("deal", None, chance.deal(self, rng)) if self.may_deal() else None

    def at_random(self, seat: int, rng: random.Random) -> Decision:
        """Return a random set, ranking, sheet or card; now and then a card is set aside first."""
        return chance.decision(self, seat, rng)

    def scores(self) -> Sequence[int]:
        """Return the money."""
        return self.money

    def state(self) -> dict[str, Any]:
        """Return the public position in the format of record.md."""
        return {
            "race": self.race,
            "turn": self.run.turn,
            "money": list(self.money),
            "rank": outcome.names(self.run.rank),
            "progress": dict(zip(DOGS, self.run.progress, strict=True)),
            "home": outcome.names(self.run.home),
            "out": outcome.names(self.run.out),
            "races": [
                {"places": outcome.names(r.places), "prizes": list(r.prizes), "bets": list(r.bets)}
                for r in self.results
            ],
        }

    def layout(self) -> Mapping[str, Place]:
        """Return the space of each dog; one past the line is home, one lapped is out."""
        return {DOGS[dog]: self._place(dog) for dog in range(len(DOGS))}

    def _place(self, dog: int) -> Place:
        if self.run.crossed(dog):
            return Place("home")
        if dog in self.run.out:
            return Place("out")
        return Place("track", self.run.progress[dog] % self.lap)

    def unsensed(self) -> frozenset[str]:
        """Return the dogs that have not moved yet: they wait behind the line, where there is room for all."""
        waiting = (d for d in range(len(DOGS)) if self.run.progress[d] == 0 and d not in self.run.out)
        return frozenset(DOGS[d] for d in waiting)

    def track(self) -> Mapping[str, Any]:
        """Return a loop, run for `laps` laps; `placeholder`: its spaces or the odds are not the owner's."""
        return {
            "kind": "loop",
            "spaces": self.lap,
            "laps": self.run.laps,
            "home": outcome.names(self.run.home),
            "out": outcome.names(self.run.out),
            "progress": dict(zip(DOGS, self.run.progress, strict=True)),
            "placeholder": self.lap == LAP or set(self.odds) == {STANDARD},
        }

    # --- cards -----------------------------------------------------------------------------------

    def laid(self, colour: str, number: int) -> Decision | OneOf | None:
        """Return a card of a dog's set while one is due, otherwise the decision to play it; the dummy's card
        is illegal.
        """
        seat = DOGS.index(colour)
        awaited = self.awaits()
        if awaited is None or awaited.do not in ("show", "play"):
            return None
        if awaited.do == "show" and seat in awaited.seats:
            return OneOf("show", seat, self.set_size())
        return Decision(awaited.do, seat, number if awaited.do == "play" else (number,))

    def misfit(self, part: OneOf, numbers: Sequence[int]) -> News | None:
        """Return why no set of this race can be made with these cards."""
        return refusals.begun_set(self, part.seat, numbers)


def _hidden(facts: Sequence[Any], secret: Callable[[int, Any], bool]) -> tuple[Any, ...]:
    return tuple(HIDDEN if secret(seat, fact) else fact for seat, fact in enumerate(facts))
