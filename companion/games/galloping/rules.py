"""Galloping Pigs and Galloping Horse: cards move any animal, and food goes to the player who
takes the lead.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Final, Self

from companion.games.forms import Form, Option, whole_number
from companion.games.galloping.decks import COPIES, HAND, MOST_COPIES, LineUps, deal_refused, shuffled
from companion.games.galloping.editions import HORSE_EDITIONS, PIGS_EDITIONS
from companion.games.race import Race, checked_options, checked_seats, out_of_turn, picked
from companion.games.terms import HIDDEN, Awaited, Decision, News, Place
from companion.message import N_

FIRST_FOOD: Final = 5  # no food on the first four spaces after the starting line
UNKNOWN_HAND: Final = (HIDDEN,) * HAND
_FIXED: Final = {"food_on_track": False, "cards_per_colour": COPIES, "last_card_decides": False}
"""Options that only Galloping Pigs has, as Galloping Horse is played."""

Brought = tuple[int, bool, int, int, int | None]
"""The result of a card: how far its animal came, whether it leads then, food for the lead, food found on the
space, and the food a last card decided about (None: it was no last card). A plain tuple: one a move."""

_SPACES = N_("spaces")
_SPACES_HELP = N_("How many spaces the track has.")
_ROUNDS = N_("rounds")
_ROUNDS_HELP = N_("How many rounds are played.")
_FOOD = N_("food")
_FOOD_HELP = N_("How many food cards there are.")


class Deals:
    """Every deal that may come from outside: unknown (None), or seven cards for each seat. Never listed."""

    def __init__(self, race: Galloping) -> None:
        self._race = race

    def __iter__(self) -> Iterator[Decision]:
        yield Decision("deal", None, None)

    def __contains__(self, decision: object) -> bool:
        return isinstance(decision, Decision) and self._race.illegal_reason(decision) is None


@dataclass(frozen=True)
class Galloping(Race):
    """A position of either game. Progress is in spaces since the start of the race, by animal."""

    spaces: int
    rounds: int
    food: int
    food_on_track: bool
    cards_per_colour: int
    last_card_decides: bool  # whether food is safe only once a last card leads
    round: int
    due: str  # line-up, deal, place-food, play; "" when the game is finished
    turn: int  # the seat that is due, or that starts where none is
    progress: Mapping[str, int] = field(hash=False)  # empty before the line-up
    stock: int
    provisional: tuple[int, ...]
    kept: tuple[int, ...]
    track_food: frozenset[int]
    hands: tuple[tuple[str, ...], ...]  # cards not yet played, HIDDEN where they cannot be named
    played: tuple[str, ...]  # cards of this round, in order; all public
    last: Decision | None  # last decision, without its secret part
    brought: Brought | None  # by the last card played
    over: int  # the round that ended with it; 0: none did

    animals: ClassVar[tuple[str, ...]]
    lined_up_anew: ClassVar[bool]  # whether each round begins with a line-up
    numbers = COPIES
    one_card_at_a_time = True
    unit = "food"
    sums_up = True
    forms: ClassVar[Mapping[str, Form]] = {
        "line-up": Form(True, "order", [str]),
        "deal": Form(False, "hands", [[str]], nullable=True),
        "place-food": Form(True, "space", int),
        "play": Form(True, "card", str),
    }

    @classmethod
    def new(cls, seats: Sequence[str], start: int = 0, **options: Any) -> Self:
        """Return the position before the first line-up, started by seat `start`.

        >>> GallopingPigs.new(["Ada", "Ben"], spaces=12).stock
        55
        """
        names = checked_seats(cls, seats)
        chosen = {**_FIXED, **checked_options(cls, options, len(names))}
        nothing = (0,) * len(names)
        return cls(
            seats=names,
            start=whole_number("start", start, 0, len(names) - 1),
            **chosen,
            round=1,
            due="line-up",
            turn=start,
            progress={},
            stock=chosen["food"],
            provisional=nothing,
            kept=nothing,
            track_food=frozenset(),
            hands=((),) * len(names),
            played=(),
            last=None,
            brought=None,
            over=0,
        )

    # --- decisions -------------------------------------------------------------------------------

    def awaits(self) -> Awaited | None:
        """Return the decision that is due; `deal` is owed by no seat."""
        if not self.due:
            return None
        return _awaited(self.due, self.turn)

    def decisions(self, seat: int | None) -> Iterable[Decision]:
        """Return the decisions of this seat now, one of a kind: two equal cards are one decision."""
        if self.due == "deal":
            return Deals(self) if seat is None else ()
        if seat is None or seat != self.turn or not self.due:
            return ()
        if self.due == "line-up":
            return LineUps(seat, self.animals)
        if self.due == "place-food":
            return [Decision("place-food", seat, space) for space in self._free_for_food()]
        return [Decision("play", seat, card) for card in self._playable(seat)]

    def _playable(self, seat: int) -> list[str]:
        hand = self.hands[seat]
        unnamed = HIDDEN in hand
        return [c for c in self.animals if c in hand or (unnamed and self._unseen(c) > 0)]

    def _unseen(self, card: str) -> int:
        """Return how many cards of this colour are neither played nor in a hand that shows them."""
        return self.cards_per_colour - self.played.count(card) - sum(hand.count(card) for hand in self.hands)

    def _free_for_food(self) -> list[int]:
        taken = {p % self.spaces for p in self.progress.values()} | self.track_food
        return [space for space in range(FIRST_FOOD, self.spaces) if space not in taken]

    def illegal_reason(self, decision: Decision) -> News | None:
        """Return why this decision is against the rules now; its presenter words the reason."""
        do, seat, card = decision
        if do == self.due == "play" and seat == self.turn:
            hand = self.hands[seat]
            if card in hand and card != HIDDEN:
                return None
            if card not in self.animals:
                return News("no-such-card", {"text": str(card)})
            if HIDDEN not in hand:
                return News("not-in-hand", {"seat": seat, "card": card})
            if self._unseen(card) > 0:
                return None
            return News("colour-gone", {"card": card, "count": self.cards_per_colour})
        reason = out_of_turn(self, decision)
        if reason is not None:
            return reason
        if decision.do == "line-up":
            if decision in LineUps(self.turn, self.animals):
                return None
            return News("line-up-incomplete", {"count": len(self.animals)})
        if decision.do == "place-food":
            if decision.what in self._free_for_food():
                return None
            return News("no-food-there", {"space": decision.what})
        return deal_refused(decision.what, len(self.seats), self.animals, self.cards_per_colour)

    # --- consequences ----------------------------------------------------------------------------

    def after(self, decision: Decision) -> Self:
        """Return the position after a legal decision and all its automatic consequences."""
        if decision.do == "play":
            return self._after_play(decision)
        if decision.do == "place-food":
            return self._after_food(decision.what)
        if decision.do == "deal":
            return self._after_deal(decision.what)
        progress = {animal: -place for place, animal in enumerate(decision.what)}
        in_order = {animal: progress[animal] for animal in self.animals}
        return self.replaced(due="deal", progress=in_order, last=decision, over=0)

    def _after_deal(self, hands: tuple[tuple[str, ...], ...] | None) -> Self:
        dealt = (UNKNOWN_HAND,) * len(self.seats) if hands is None else hands
        return self.replaced(hands=dealt, last=Decision("deal"), over=0)._laying_food()

    def _after_food(self, space: int) -> Self:
        return self.replaced(
            track_food=self.track_food | {space},
            stock=self.stock - 1,
            turn=(self.turn + 1) % len(self.seats),
            last=Decision("place-food", self.turn, space),
        )._laying_food()

    def _laying_food(self) -> Self:
        """Return the position for laying food: each seat lays one, unless the stock is empty or no space is
        free; then cards are played.
        """
        to_come = self.food_on_track and len(self.track_food) < len(self.seats)
        if to_come and self.stock and self._free_for_food():
            return self.replaced(due="place-food")
        return self.replaced(due="play", turn=self.starter())

    def starter(self) -> int:
        """Return the seat that starts this round."""
        return (self.start + self.round - 1) % len(self.seats)

    def _after_play(self, decision: Decision) -> Self:
        seat, card, progress, hands = self.turn, decision.what, self.progress, self.hands
        at, leads = step(tuple(progress.values()), progress[card], self.spaces)
        after = self.__dict__.copy()
        food = 1 if leads and self.stock else 0
        found = 1 if self.track_food and at % self.spaces in self.track_food else 0
        if found:
            after["track_food"] = self.track_food - {at % self.spaces}
        if food or found:
            after["stock"] = self.stock - food
            purse = "provisional" if self.last_card_decides else "kept"
            after[purse] = _added(after[purse], seat, food + found)
        left = _without(hands[seat], card)
        risked = self._settle(after, seat, leads) if self.last_card_decides and not left else None
        after["progress"] = {**progress, card: at}
        after["hands"] = (*hands[:seat], left, *hands[seat + 1 :])
        after["played"] = (*self.played, card)
        after["turn"] = (seat + 1) % len(hands)
        after["last"], after["brought"] = decision, (at, leads, food, found, risked)
        position = self._of(after)
        return position if left or any(position.hands) else position._next_round()

    def _settle(self, after: dict[str, Any], seat: int, leads: bool) -> int:
        """Settle everything provisional of this seat after its last card: write it into `after` and return
        the amount.
        """
        risked: int = after["provisional"][seat]
        after["provisional"] = _added(after["provisional"], seat, -risked)
        if leads:
            after["kept"] = _added(self.kept, seat, risked)
        else:
            after["stock"] += risked
        return risked

    def _next_round(self) -> Self:
        """Return the position after the end of a round: food on the track goes back, the next seat starts."""
        swept = {"stock": self.stock + len(self.track_food), "track_food": frozenset(), "over": self.round}
        if self.round == self.rounds:
            return self.replaced(**swept, due="")
        opening = {"due": "line-up", "progress": {}} if self.lined_up_anew else {"due": "deal"}
        starter, nothing = (self.starter() + 1) % len(self.seats), ((),) * len(self.seats)
        return self.replaced(**swept, round=self.round + 1, turn=starter, hands=nothing, played=(), **opening)

    @property
    def news(self) -> Sequence[News]:
        """News of the last decision, built on demand because rollouts never read it."""
        if self.last is None:
            return []
        seat, what = self.last.seat, self.last.what
        if self.last.do == "line-up":
            return [News("lined-up", {"seat": seat, "piece": what[0]})]
        if self.last.do == "deal":
            return [News("dealt", {"count": HAND})]
        if self.last.do == "place-food":
            return [News("food-laid", {"seat": seat, "space": what})]
        assert self.brought is not None
        return [
            *_news_of_card(seat, what, self.brought, self.spaces),
            *_news_of_end(self.over, not self.due),
        ]

    # --- views -----------------------------------------------------------------------------------

    def secrets_of(self, seat: int) -> Mapping[str, Any]:
        """Return the hand, once the companion knows it."""
        hand = self.hands[seat]
        return {} if HIDDEN in hand else {"hand": sorted(hand, key=self.animals.index)}

    def seen_by(self, seat: int | None) -> Self:
        """Return the same game with the cards in the other seats' hands hidden; only their number
        is known.
        """
        return self.replaced(
            hands=tuple(h if s == seat else (HIDDEN,) * len(h) for s, h in enumerate(self.hands))
        )

    def guessed(self, rng: random.Random) -> Self:
        """Return the same game with the unseen cards shuffled and dealt in place of the hidden ones."""
        unseen = [c for c in self.animals for _ in range(self._unseen(c))]
        rng.shuffle(unseen)
        return self.replaced(
            hands=tuple(tuple(unseen.pop() if c == HIDDEN else c for c in hand) for hand in self.hands)
        )

    def drawn(self, rng: random.Random) -> Decision | None:
        """Return a deal of all the cards, well shuffled; those that no seat gets stay unseen."""
        if self.due != "deal":
            return None
        deck = shuffled(self.animals * self.cards_per_colour, rng)
        return Decision("deal", None, tuple(deck[HAND * s : HAND * (s + 1)] for s in range(len(self.seats))))

    def dealt_unseen(self) -> Decision | None:
        """Return the deal of people who deal themselves: its cards are unknown to the companion."""
        return Decision("deal", None, None) if self.due == "deal" else None

    def at_random(self, seat: int, rng: random.Random) -> Decision:
        """Return a random card of the hand: a colour held twice is played twice as often."""
        if self.due == "line-up":
            return Decision("line-up", seat, shuffled(self.animals, rng))
        if self.due == "play" and HIDDEN not in self.hands[seat]:
            return Decision("play", seat, picked(self.hands[seat], rng))
        return super().at_random(seat, rng)

    def scores(self) -> Sequence[int]:
        """Return the food that is safe; provisional food does not count."""
        return self.kept

    def state(self) -> dict[str, Any]:
        """Return the public position in the format of record.md."""
        return {
            "round": self.round,
            "to_play": self.turn if self.due == "play" else None,
            "progress": {a: self.progress.get(a) for a in self.animals},
            "stock": self.stock,
            "provisional": list(self.provisional),
            "kept": list(self.kept),
            "track_food": sorted(self.track_food),
            "played": self.cards_played(),
        }

    def cards_played(self) -> list[int]:
        """Return how many cards each seat has played in this round."""
        played, seats = len(self.played), len(self.seats)
        return [(played + seats - 1 - (s - self.starter()) % seats) // seats for s in range(seats)]

    def layout(self) -> Mapping[str, Place]:
        """Return the space of each animal; empty before the line-up."""
        return {a: Place("track", p % self.spaces) for a, p in self.progress.items()}

    def track(self) -> Mapping[str, Any]:
        """Return a loop with food on it."""
        return {"kind": "loop", "spaces": self.spaces, "food": sorted(self.track_food)}

    # --- cards and pieces ------------------------------------------------------------------------

    def laid(self, colour: str, number: int) -> Decision | None:
        """Return the decision to play this card, by the seat whose turn it is."""
        return Decision("play", self.turn, colour) if self.due == "play" else None

    def cards_back(self) -> int | None:
        """Return a number that rises with each deal: only then does a card come back."""
        return self.round

    def meant_by(self, seen: Mapping[str, Place]) -> Decision | None:
        """Return a line-up, if one is due and each line-up space holds one animal."""
        if self.due != "line-up":
            return None
        by_space = {place.space: animal for animal, place in seen.items() if place.zone == "track"}
        order = tuple(by_space.get(-place % self.spaces) for place in range(len(self.animals)))
        return Decision("line-up", self.turn, order) if set(order) == set(self.animals) else None


def step(progress: Collection[int], start: int, spaces: int) -> tuple[int, bool]:
    """Return the new progress of an animal at progress `start`, and whether it is then ahead of
    all others.

    It goes to the next space in front of it that holds no animal. `progress` are all animals, itself too, in
    spaces since the start of the race, never wrapped; the loop has `spaces`, more than there are animals.

    >>> step([0, -1, -2, -3, -4], -4, 22)  # the hindmost jumps over the whole run
    (1, True)
    >>> step([0, 5, 3, 4, 2], 2, 6)  # only space 1 is free, a lap later
    (7, True)
    """
    at, front = start + 1, max(progress)
    if front - min(progress) < spaces - 1:  # no animal is met a lap ahead or behind
        while at in progress:
            at += 1
    else:
        taken = {p % spaces for p in progress}
        while at % spaces in taken:
            at += 1
    return at, at > front


def _news_of_card(seat: int | None, card: str, brought: Brought, spaces: int) -> Iterator[News]:
    """Yield where the animal went, and the food that the seat gained or lost by it."""
    at, leads, food, found, risked = brought
    space = at % spaces
    yield News("moved", {"seat": seat, "piece": card, "stop": at, "space": space})
    if leads:
        yield News("leads" if food else "leads-no-food", {"seat": seat, "piece": card, "gain": food})
    if found:
        yield News("found-food", {"seat": seat, "space": space, "gain": found})
    if risked:  # nothing at risk is no news
        kind, key = ("kept", "count") if leads else ("lost", "loss")
        yield News(kind, {"seat": seat, "piece": card, key: risked})


def _news_of_end(round_over: int, game_over: bool) -> Iterator[News]:
    """Yield the end of this round (0: no round has ended) and of the game."""
    if round_over:
        yield News("round-over", {"round": round_over})
    if game_over:
        yield News("game-over")


@cache
def _awaited(due: str, turn: int) -> Awaited:
    return Awaited(due, () if due == "deal" else (turn,))


def _without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = hand.index(card if card in hand else HIDDEN)
    return hand[:at] + hand[at + 1 :]


def _added(counts: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + more, *counts[seat + 1 :])


@dataclass(frozen=True)
class GallopingPigs(Galloping):
    """Five pigs, three rounds; food is safe only if the last card leads."""

    name = "galloping-pigs"
    title = N_("Galloping Pigs")
    animal = "pig"
    animals = ("red", "blue", "green", "yellow", "pink")
    pieces = {
        "red": N_("the |red pig"),
        "blue": N_("the |blue pig"),
        "green": N_("the |green pig"),
        "yellow": N_("the |yellow pig"),
        "pink": N_("the |pink pig"),
    }
    seat_counts = (2, 5)
    least = {5: {"cards_per_colour": 8}}
    lined_up_anew = True
    editions = PIGS_EDITIONS
    options = (
        Option("rounds", 3, _ROUNDS, _ROUNDS_HELP, 1, 100),
        Option(
            "food_on_track",
            False,
            N_("food on the track"),
            N_("Before each round everybody lays food on the track; whoever lands on it takes it."),
            kind="flag",
        ),
        Option(
            "last_card_decides",
            True,
            N_("the last card decides"),
            N_("Food is safe once your last card of a round leads. Off, for children: it is safe at once."),
            kind="flag",
        ),
        Option("food", 55, _FOOD, _FOOD_HELP, 0, 1000),
        Option("spaces", 22, _SPACES, _SPACES_HELP, 6, 1000),
        Option(
            "cards_per_colour",
            COPIES,
            N_("cards of each colour"),
            N_("How many race cards each colour has. Everybody gets seven; five players need eight."),
            COPIES,
            MOST_COPIES,
        ),
    )


@dataclass(frozen=True)
class GallopingHorse(Galloping):
    """Four horses, two rounds without a new line-up; food counts at once and for good."""

    name = "galloping-horse"
    title = N_("Galloping Horse")
    animal = "horse"
    animals = ("red", "blue", "green", "yellow")
    pieces = {
        "red": N_("the |red horse"),
        "blue": N_("the |blue horse"),
        "green": N_("the |green horse"),
        "yellow": N_("the |yellow horse"),
    }
    seat_counts = (2, 4)
    lined_up_anew = False
    editions = HORSE_EDITIONS
    options = (
        Option("rounds", 2, _ROUNDS, _ROUNDS_HELP, 1, 100),
        Option("food", 40, _FOOD, _FOOD_HELP, 0, 1000),
        Option("spaces", 22, _SPACES, _SPACES_HELP, 5, 1000),
    )
