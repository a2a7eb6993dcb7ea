"""What every game is: a position that is a value, decisions, and one way to judge them."""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from companion.sentence import N_, Refusal, Sentence, refuse

T = TypeVar("T")
R = TypeVar("R", bound="Race")

HIDDEN = "?"
"""A card that cannot be named: dealt by people, or another seat's. An ordinary value in a hand."""


class Decision(NamedTuple):
    """One decision, as one record line says it: what is done, by which seat, with what.

    >>> Decision("play", 0, "red")
    Decision(do='play', seat=0, what='red')
    """

    do: str
    seat: int | None = None
    what: Any = None


class News(NamedTuple):
    """Something that just happened: a kind and its values, worded at the edge by `Race.said`."""

    kind: str
    values: Mapping[str, Any] = {}


class Awaited(NamedTuple):
    """The decision that the game waits for and the seats that owe it (several: simultaneous)."""

    do: str
    seats: tuple[int, ...] = ()


class Standing(NamedTuple):
    """A seat's score and place; place is None where the game gives none."""

    seat: int
    name: str
    score: int
    place: int | None


class Place(NamedTuple):
    """Where a piece stands: `zone` is track, gate, home or out; `space` is None but on the track."""

    zone: str
    space: int | None = None


class Option(NamedTuple):
    """A choice made before the game: yes or no, or a whole number from `low` to `high`."""

    name: str
    default: int | bool
    label: str
    help: str
    low: int = 0
    high: int = 0


class Form(NamedTuple):
    """How a decision's record line looks: whether it names a seat, and what stands under which key.

    `shape` is int, str, or a list of one shape; with `nullable` the value may be null.
    """

    seat: bool
    key: str
    shape: Any
    nullable: bool = False

    def misfit(self, value: Any) -> str | None:
        """What `value` should be, if it is not of this shape.

        >>> Form(False, "hands", [[str]]).misfit([["red"], [1]])
        'a list of lists of texts'
        """
        if _fits(value, self.shape) or (self.nullable and value is None):
            return None
        return _SHAPES[str(self.shape)] + (" or null" if self.nullable else "")


_SHAPES = {
    str(int): "a whole number",
    str(str): "text",
    str([str]): "a list of texts",
    str([int]): "a list of whole numbers",
    str([[str]]): "a list of lists of texts",
}


def _fits(value: Any, shape: Any) -> bool:
    if isinstance(shape, list):
        return isinstance(value, list | tuple) and all(_fits(v, shape[0]) for v in value)
    return type(value) is shape


class IllegalDecision(Refusal):
    """A decision that the rules forbid; `sentence` is the reason in a player's words."""

    def __init__(self, sentence: Sentence, seats: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        named = {k: seats[v] if seats and k.startswith("seat") else v for k, v in sentence.values.items()}
        self.args = (str(sentence._replace(values=named)),)


@dataclass(frozen=True)
class Race(ABC):
    """A game in progress, seen whole or with holes; never changed, only followed by another."""

    seats: tuple[str, ...]
    start: int

    # what a game is called and made of
    name: ClassVar[str]
    title: ClassVar[str]
    animal: ClassVar[str]
    pieces: ClassVar[Mapping[str, str]]  # colour: its name in a sentence, such as "red pig"
    seat_counts: ClassVar[tuple[int, int]]
    options: ClassVar[tuple[Option, ...]] = ()
    forms: ClassVar[Mapping[str, Form]]
    words: ClassVar[Mapping[str, str | tuple[str, str]]] = {}
    one_card_at_a_time: ClassVar[bool] = False
    secret: ClassVar[frozenset[str]] = frozenset()  # decisions that only the deciding seat may know at first

    @classmethod
    @abstractmethod
    def new(cls, seats: Sequence[str], start: int = 0, **options: Any) -> Self:
        """The opening position; ValueError names what is wrong with seats, start or options."""

    @abstractmethod
    def awaits(self) -> Awaited | None:
        """The decision that is due; None when the game is finished."""

    @abstractmethod
    def decisions(self, seat: int | None) -> Iterable[Decision]:
        """What this seat (None: chance) may decide now. A large space may list lazily and answer `in`."""

    @abstractmethod
    def refusal(self, decision: Decision) -> Sentence | None:
        """Why the rules forbid this decision now; None if they do not."""

    @abstractmethod
    def after(self, decision: Decision) -> Self:
        """The position after a decision, which is trusted to be legal; `checked` judges it first."""

    @property
    @abstractmethod
    def news(self) -> Sequence[News]:
        """What the last decision brought, in order."""

    @abstractmethod
    def scores(self) -> Sequence[int]:
        """The score of each seat."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """What record.md calls `state`: public, and enough to set the table up again."""

    @abstractmethod
    def layout(self) -> Mapping[str, Place]:
        """Where each piece should stand; one that has no place yet is left out."""

    @abstractmethod
    def seen_by(self, seat: int | None) -> Self:
        """The same game with a hole for everything this seat may not know; None: the public."""

    @abstractmethod
    def guessed(self, rng: random.Random) -> Self:
        """The same game with every hole filled at random, evenly among all that agree with what is seen."""

    @abstractmethod
    def drawn(self, rng: random.Random) -> Decision:
        """The chance decision that is due, drawn by a dealer with `rng`."""

    def dealt_unseen(self) -> Decision | None:
        """The chance decision that is due as people make it, its outcome unknown; None: none is due."""
        return None

    def laid(self, colour: str, number: int, owners: Sequence[str]) -> Decision | None:
        """The decision that laying this card on the pad means now; None: no card is due.

        `owners` are the colours that the seats own, in seat order, where the game has that.
        """
        return None

    def meant_by(self, seen: Mapping[str, Place]) -> Decision | None:
        """The decision that pieces lying as `seen` would mean, where pieces can make the one that is due."""
        return None

    def cards_back(self) -> int | None:
        """Counts up when laid cards come back: each is laid once until then. None: the rules know."""
        return None

    def at_random(self, seat: int, rng: random.Random) -> Decision:
        """A decision of this seat as somebody makes it who does not think."""
        choices = self.decisions(seat)
        listed: Sequence[Decision] = choices if isinstance(choices, Sequence) else tuple(choices)
        return picked(listed, rng)

    def standings(self) -> tuple[Standing, ...]:
        """The seats by place, then seat; equal scores share the place (1, 1, 3)."""
        scores = self.scores()
        places = [1 + sum(other > score for other in scores) for score in scores]
        order = sorted(range(len(self.seats)), key=lambda s: (places[s], s))
        return tuple(Standing(s, self.seats[s], scores[s], places[s]) for s in order)

    def track(self) -> Mapping[str, Any]:
        """How the course is drawn: its `kind`, the number of `spaces`, and what lies on it."""
        return {"kind": "loop", "spaces": 22, "food": []}

    def holdings(self, seat: int) -> Mapping[str, Any]:
        """What a seat has that is shown beside its score, such as food at risk or cards played."""
        return {}

    def stage(self) -> Sentence | None:
        """How far the game is, such as "Round 2 of 3"."""
        return None

    def supply(self) -> Sentence | None:
        """What is left in the middle, such as "23 food left"."""
        return None

    def prompt(self) -> Sentence | None:
        """What is due now, said to the table; None when the game is finished."""
        awaited = self.awaits()
        if awaited is None:
            return None
        values = {"seat": awaited.seats[0], "count": len(awaited.seats)} if awaited.seats else {}
        return self.said(News(f"due-{awaited.do}", values))

    def said(self, news: News) -> Sentence:
        """A piece of news as a sentence of this game's words."""
        text = self.words.get(news.kind, news.kind)
        if isinstance(text, tuple):
            return Sentence(text[0], news.values, text[1])
        return Sentence(text, news.values)

    def _with(self, **changes: Any) -> Self:
        """This position but for `changes`: what dataclasses.replace does, at a third of its price."""
        return self._of({**self.__dict__, **changes})

    def _of(self, values: dict[str, Any]) -> Self:
        """The position that has these values; `values` is not copied and must not be touched again."""
        position = object.__new__(type(self))
        object.__setattr__(position, "__dict__", values)
        return position

    def _say(self, kind: str, **values: Any) -> Sentence:
        return self.said(News(kind, values))


OUT_OF_TURN: Mapping[str, str | tuple[str, str]] = {
    "finished": N_("the game is finished"),
    "other-due": N_("{kind} is due now, not {kind_tried}"),
    "not-your-turn": N_("it is {seat}'s turn, not {seat_tried}'s"),
    "no-seat": N_("there is no such seat"),
}
"""Words of the refusals that every game shares; a game's own `words` start from these."""


def out_of_turn(race: Race, decision: Decision) -> Sentence | None:
    """Why this decision is not the one that is due, or not this seat's; None if it is."""
    awaited = race.awaits()
    if awaited is None:
        return race.said(News("finished"))
    if decision.do != awaited.do:
        return race.said(News("other-due", {"kind": awaited.do, "kind_tried": decision.do}))
    if not race.forms[decision.do].seat:
        return None
    if decision.seat is None or not 0 <= decision.seat < len(race.seats):
        return race.said(News("no-seat"))
    if decision.seat not in awaited.seats:
        values = {"seat": awaited.seats[0], "seat_tried": decision.seat}
        return race.said(News("not-your-turn", values))
    return None


def checked(race: R, decision: Decision) -> R:
    """The position after a decision that the rules allow; raises IllegalDecision with the reason.

    A match is a fold: `functools.reduce(checked, decisions, Game.new(seats))`.
    """
    reason = race.refusal(decision)
    if reason is not None:
        raise IllegalDecision(reason, race.seats)
    return race.after(decision)


def picked(choices: Sequence[T], rng: random.Random) -> T:
    """One of the choices: random.choice at half its price, even to one part in 2**53."""
    return choices[int(rng.random() * len(choices))]


def random_decision(race: Race, rng: random.Random) -> Decision | None:
    """What happens next if nobody thinks: a draw, or a random decision of a seat that owes one."""
    awaited = race.awaits()
    if awaited is None:
        return None
    if not awaited.seats:
        return race.drawn(rng)
    return race.at_random(awaited.seats[0] if len(awaited.seats) == 1 else picked(awaited.seats, rng), rng)


def played_out(race: R, rng: random.Random) -> R:
    """The position at the end of a game that goes on at random from here; no hand may have a hole."""
    while (decision := random_decision(race, rng)) is not None:
        race = race.after(decision)
    return race


def shown(value: object) -> str:
    """A value that does not fit, as JSON has it; a long one is cut.

    >>> shown(None), shown("nine"), shown([True, Decimal("9.0")])
    ('null', '"nine"', '[true, 9.0]')
    """
    text = str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False, default=float)
    return text if len(text) <= 40 else f"{text[:37]}…"


def whole_number(what: str, value: object, low: int, high: int) -> int:
    """`value` if it is a whole number from `low` to `high`; ValueError names `what`."""
    if type(value) is not int:
        raise refuse(N_("{what} must be a whole number, not {text}"), what=what, text=shown(value))
    if not low <= value <= high:
        raise refuse(
            N_("{what} must be {low} to {high}, not {text}"), what=what, low=low, high=high, text=value
        )
    return value


def checked_seats(race: type[Race], seats: object) -> tuple[str, ...]:
    """The names of the seats if they fit the game; ValueError says what does not."""
    if not isinstance(seats, list | tuple) or not all(isinstance(s, str) for s in seats):
        raise refuse(N_("seats must be a list of names"))
    low, high = race.seat_counts
    if not low <= len(seats) <= high:
        message = N_("{game} has {low} to {high} seats, not {text}")
        raise refuse(message, game=race.name, low=low, high=high, text=len(seats))
    if len(set(seats)) != len(seats):
        raise refuse(N_("two seats have the same name"))
    for name in seats:
        if any("\ud800" <= letter <= "\udfff" for letter in name):
            raise refuse(N_("the name {text} holds half a character"), text=ascii(name))
    return tuple(seats)


def checked_options(race: type[Race], options: Mapping[str, object]) -> dict[str, Any]:
    """Every option of the game, the given ones checked, the others by default."""
    known = {option.name: option for option in race.options}
    for name in options:
        if name not in known:
            message = N_("options: unknown key {text}; {game} has {known}")
            raise refuse(message, text=repr(name), game=race.name, known=", ".join(known) or "none")
    return {name: _checked_option(o, options.get(name, o.default)) for name, o in known.items()}


def _checked_option(option: Option, value: object) -> int | bool:
    if isinstance(option.default, bool):
        if not isinstance(value, bool):
            message = N_("{what} must be true or false, not {text}")
            raise refuse(message, what=option.name, text=shown(value))
        return value
    return whole_number(option.name, value, option.low, option.high)
