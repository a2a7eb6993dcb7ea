"""The interface of every game: a position that is a value, decisions, and one way to judge them."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, TypeVar

from companion.errors import validation_error
from companion.games.editions import Edition
from companion.games.forms import Form, Option, shown, whole_number
from companion.games.terms import (
    LONGEST_NAME,
    Awaited,
    Decision,
    News,
    OneOf,
    Payout,
    Place,
    Sealed,
    Standing,
)
from companion.message import N_

T = TypeVar("T")
R = TypeVar("R", bound="Race")


@dataclass(frozen=True)
class Race(ABC):
    """A game in progress, complete or with hidden values; never changed, only followed by another."""

    seats: tuple[str, ...]
    start: int

    # a game's name and components
    name: ClassVar[str]
    title: ClassVar[str]
    animal: ClassVar[str]
    pieces: ClassVar[Mapping[str, str]]  # colour: its name, the article before a bar: "the |red pig"
    numbers: ClassVar[int] = 0  # how many cards there are of each colour, numbered from 1; 0: no cards
    seat_counts: ClassVar[tuple[int, int]]
    least: ClassVar[Mapping[int, Mapping[str, int]]] = {}  # by seats: what an option must be at least
    editions: ClassVar[tuple[Edition, ...]] = ()  # the boxes that are known, the first one as in a record
    options: ClassVar[tuple[Option, ...]] = ()
    forms: ClassVar[Mapping[str, Form]]
    one_card_at_a_time: ClassVar[bool] = False
    private: ClassVar[frozenset[str]] = frozenset()  # decisions never made openly, such as a sealed bet
    from_hand: ClassVar[frozenset[str]] = frozenset(
        {"play"}
    )  # private too where the companion dealt the cards
    chart: ClassVar[tuple[str, ...]] = ()  # options that the owner of the printed game enters once
    suggested: ClassVar[Mapping[int, Mapping[str, Any]]] = {}  # by seats: options where the owner has none
    suggested_return: ClassVar[float | None] = None  # part of the stakes that they pay back
    uses_start: ClassVar[bool] = True  # whether it matters who starts
    unit: ClassVar[Literal["", "food", "money"]] = ""  # unit of the score; "": just a number
    sums_up: ClassVar[bool] = False  # the end of a round shows the result of each seat
    first_space: ClassVar[int] = 0  # the number of the space over the track's first reader
    presenter: ClassVar[Any] = None  # the class that presents it, which enters itself here
    owned: ClassVar[bool] = False  # each seat owns a piece, whose colour it chooses at the new game
    nicknames: ClassVar[Mapping[str, str]] = {}  # by colour; a position may have its own, see `known_as`

    @classmethod
    @abstractmethod
    def new(cls, seats: Sequence[str], start: int = 0, **options: Any) -> Self:
        """Return the opening position; InvalidInput names what is wrong with seats, start or options."""

    @abstractmethod
    def awaits(self) -> Awaited | None:
        """Return the decision that is due; None when the game is finished."""

    @abstractmethod
    def decisions(self, seat: int | None) -> Iterable[Decision]:
        """Return the decisions of this seat (None: chance) now. A large space may list lazily and answer
        `in`.
        """

    @abstractmethod
    def illegal_reason(self, decision: Decision) -> News | None:
        """Return why the rules forbid this decision now, to be worded; None if it is legal."""

    @abstractmethod
    def after(self, decision: Decision) -> Self:
        """Return the position after a decision, which is assumed to be legal; `judge.checked` judges it
        first.
        """

    @property
    @abstractmethod
    def news(self) -> Sequence[News]:
        """News of the last decision, in order."""

    @abstractmethod
    def scores(self) -> Sequence[int]:
        """Return the score of each seat."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Return the `state` of record.md: public, and enough to set the table up again."""

    @abstractmethod
    def layout(self) -> Mapping[str, Place]:
        """Return the place of each piece; one that has no place yet is left out."""

    @abstractmethod
    def seen_by(self, seat: int | None) -> Self:
        """Return the same game with every value hidden that this seat may not know; None: the public."""

    @abstractmethod
    def guessed(self, rng: random.Random) -> Self:
        """Return the same game with every hidden value filled at random, uniformly among all that agree with
        the visible ones.
        """

    def drawn(self, rng: random.Random) -> Decision | None:
        """Return the chance decision that a dealer with `rng` makes now; None: no deal is due."""
        return None

    def may_deal(self) -> bool:
        """Return whether a dealer may deal now although the game does not wait for it."""
        return False

    def dealt_unseen(self) -> Decision | None:
        """Return the chance decision that is due as people make it, its outcome unknown; None:
        none is due.
        """
        return None

    def sealed(self, decision: Decision) -> Sealed | None:
        """Return how far this decision, legal now, stays secret for the time being; None: it is public at
        once.

        Choices that `shows` the same must look the same to everybody who may not know them.
        """
        return None

    def secrets_of(self, seat: int) -> Mapping[str, Any]:
        """Return the secrets of a seat: `hand`, `sets`, `bets`, `choice`, `set_aside`, if any."""
        return {}

    def payouts(self) -> Sequence[Payout]:
        """Return every possible bet and its payout, while pieces are ranked; empty in a game without bets."""
        return ()

    def known_as(self, colours: Sequence[str], nicknames: Mapping[str, str]) -> Self:
        """Return the same position with the colours that the seats chose and names for the animals, which no
        rule uses.

        InvalidInput if the colours are not one for each seat.
        """
        if colours:
            raise validation_error(N_("the seats own no colours in this game"))
        return with_nicknames(self, nicknames)

    def field(self) -> Sequence[str]:
        """Return the pieces that take part, by colour."""
        return tuple(self.pieces)

    def own_piece(self, seat: int) -> str | None:
        """Return the piece that runs for this seat; None where every seat moves them all."""
        return self.field()[seat] if self.owned else None

    def unsensed(self) -> frozenset[str]:
        """Return the pieces on the track that sensors ignore, such as those waiting on the start."""
        return frozenset()

    def laid(self, colour: str, number: int) -> Decision | OneOf | None:
        """Return the decision that laying this card on the pad means now, or that it makes together with
        later cards.

        None: no card is due.
        """
        return None

    def misfit(self, part: OneOf, numbers: Sequence[int]) -> News | None:
        """Return why these cards, the last one just laid, cannot become a legal decision; None if they still
        can.
        """
        return None

    def meant_by(self, seen: Mapping[str, Place]) -> Decision | None:
        """Return the decision that pieces placed as `seen` would mean, where pieces can make the one that is
        due.
        """
        return None

    def cards_back(self) -> int | None:
        """Return a counter that rises when laid cards come back: each is laid once until then. None: the
        rules know.
        """
        return None

    def at_random(self, seat: int, rng: random.Random) -> Decision:
        """Return a random decision of this seat."""
        choices = self.decisions(seat)
        listed: Sequence[Decision] = choices if isinstance(choices, Sequence) else tuple(choices)
        return picked(listed, rng)

    def standings(self) -> tuple[Standing, ...]:
        """Return the seats by place, then seat; equal scores share the place (1, 1, 3)."""
        scores, standings = self.scores(), list[Standing]()
        for seat in sorted(range(len(scores)), key=lambda seat: -scores[seat]):
            is_level = bool(standings) and standings[-1].score == scores[seat]
            place = standings[-1].place if is_level else len(standings) + 1
            standings.append(Standing(seat, self.seats[seat], scores[seat], place))
        return tuple(standings)

    def track(self) -> Mapping[str, Any]:
        """Return the course to draw: its `kind`, the number of `spaces`, and everything on it."""
        return {"kind": "loop", "spaces": 22, "food": []}

    def replaced(self, **changes: Any) -> Self:
        """Return this position with `changes`: the same as dataclasses.replace, in a third of its time."""
        return self._of({**self.__dict__, **changes})

    def _of(self, values: dict[str, Any]) -> Self:
        """Return the position that has these values; `values` is not copied and must not be touched again."""
        position = object.__new__(type(self))
        object.__setattr__(position, "__dict__", values)
        return position


def with_nicknames(race: R, nicknames: Mapping[str, str]) -> R:
    """Return the same position with names for its animals, by colour; InvalidInput says which name is
    invalid.
    """
    for colour, name in nicknames.items():
        if colour not in race.pieces:
            raise validation_error(N_("there is no {text} in this game"), text=colour)
        if not 1 <= len(name.strip()) <= LONGEST_NAME:
            raise validation_error(
                N_("the name {text} must have 1 to {high} letters"), text=repr(name), high=LONGEST_NAME
            )
    named = {colour: name.strip() for colour, name in nicknames.items()}
    if len({name.casefold() for name in named.values()}) < len(named):
        raise validation_error(N_("two animals have the same name"))
    return race.replaced(nicknames=named) if named else race


def out_of_turn(race: Race, decision: Decision) -> News | None:
    """Return why this decision is not the one that is due, or not this seat's; None if it is."""
    awaited = race.awaits()
    if awaited is None:
        return News("finished")
    if decision.do != awaited.do:
        return News("other-due", {"kind": awaited.do, "kind_tried": decision.do})
    if not race.forms[decision.do].seat:
        return None
    if decision.seat is None or not 0 <= decision.seat < len(race.seats):
        return News("no-seat")
    if decision.seat not in awaited.seats:
        values = {"seat": awaited.seats[0], "seat_tried": decision.seat}
        return News("not-your-turn", values)
    return None


def picked(choices: Sequence[T], rng: random.Random) -> T:
    """Return one of the choices: random.choice in half its time, uniform to one part in 2**53."""
    return choices[int(rng.random() * len(choices))]


def random_decision(race: Race, rng: random.Random) -> Decision | None:
    """Return a random next decision: a draw, or a decision of a seat that owes one."""
    awaited = race.awaits()
    if awaited is None:
        return None
    if not awaited.seats or race.may_deal():
        return race.drawn(rng)
    return race.at_random(awaited.seats[0] if len(awaited.seats) == 1 else picked(awaited.seats, rng), rng)


def played_out(race: R, rng: random.Random) -> R:
    """Return the position at the end of a game that goes on at random from here; no hand may have a hidden
    card.
    """
    while (decision := random_decision(race, rng)) is not None:
        race = race.after(decision)
    return race


def checked_seats(race: type[Race], seats: object) -> tuple[str, ...]:
    """Return the names of the seats if they fit the game; InvalidInput says what does not."""
    if not isinstance(seats, list | tuple) or not all(isinstance(s, str) for s in seats):
        raise validation_error(N_("seats must be a list of names"))
    low, high = race.seat_counts
    if not low <= len(seats) <= high:
        message = N_("{game} has {low} to {high} seats, not {text}")
        raise validation_error(message, game=race.name, low=low, high=high, text=len(seats))
    if len(set(seats)) != len(seats):
        raise validation_error(N_("two seats have the same name"))
    for name in seats:
        if any("\ud800" <= letter <= "\udfff" for letter in name):
            raise validation_error(N_("the name {text} holds half a character"), text=ascii(name))
    return tuple(seats)


def checked_options(race: type[Race], options: Mapping[str, object], seats: int = 0) -> dict[str, Any]:
    """Return every option of the game, given or by default; flags, numbers and choices are validated here.

    With `seats` also that no number is too small for so many.
    """
    known = {option.name: option for option in race.options}
    for name in options:
        if name not in known:
            message = N_("options: unknown key {text}; {game} has {known}")
            raise validation_error(message, text=repr(name), game=race.name, known=", ".join(known) or "none")
    chosen = {name: _checked_option(o, options.get(name, o.default)) for name, o in known.items()}
    for name, low in race.least.get(seats, {}).items():
        if chosen[name] < low:
            message = N_("{count} players need {what} of {low} or more, not {text}")
            raise validation_error(message, count=seats, what=name, low=low, text=chosen[name])
    return chosen


def _checked_option(option: Option, value: object) -> Any:
    if option.kind == "number":
        return whole_number(option.name, value, option.low, option.high)
    if option.kind == "choice" and value not in (*option.choices,):
        message = N_("{what} must be one of {known}, not {text}")
        raise validation_error(message, what=option.name, known=", ".join(option.choices), text=shown(value))
    if option.kind == "flag" and not isinstance(value, bool):
        message = N_("{what} must be true or false, not {text}")
        raise validation_error(message, what=option.name, text=shown(value))
    return value
