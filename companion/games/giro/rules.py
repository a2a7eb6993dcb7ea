"""Giro Galoppo: every player picks a card in secret, the lowest moves first, obstacles stop and
horses push.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple, Self

from companion.errors import validation_error
from companion.games.forms import Form, Option, shown, whole_number
from companion.games.giro.editions import EDITIONS
from companion.games.race import Race, checked_options, checked_seats, out_of_turn, picked
from companion.games.terms import HIDDEN, Awaited, Decision, News, Place, Sealed, Standing
from companion.message import N_

CARDS: Final = (1, 2, 3, 4, 5, 6)
OBSTACLES: Final = 5  # loose ones
IN_LAST_STRETCH: Final = 2  # of them, at least
LONGEST_ROW: Final = 5  # of natural obstacles: a six gets over them
LONGEST_COURSE: Final = 1000
BEHIND_THE_LINE: Final = 6  # spaces drawn there, at least

# --- the board -----------------------------------------------------------------------------------


class Board(NamedTuple):
    """A printed board: the space of the finishing line, natural obstacles and sand, ascending from 1."""

    finish: int
    natural: tuple[int, ...]
    sand: tuple[int, ...]


STANDARD: Final = Board(28, (7, 15, 20), (3, 4, 5, 9, 10, 11, 12, 13, 17, 18, 22, 23, 24, 25, 26))
"""A placeholder until the owner of the real game has entered the printed board."""


def board_of(data: object) -> Board:
    """Parse the board from `finish`, `natural` and `sand`; InvalidInput says what does not fit.

    >>> board_of({"finish": 12, "natural": [], "sand": [9, 7, 5, 3, 1]})
    Board(finish=12, natural=(), sand=(1, 3, 5, 7, 9))
    >>> board_of({"finish": 12, "natural": [7], "sand": [1, 3, 5, 7, 9, 11]})
    Traceback (most recent call last):
    companion.errors.ValidationError: board: space 7 is named as natural and as sand
    """
    fields = data._asdict() if isinstance(data, Board) else data
    if not isinstance(fields, Mapping):
        message = N_("board must be an object with finish, natural and sand, not {text}")
        raise validation_error(message, text=shown(data))
    for key in Board._fields:
        if key not in fields:
            raise validation_error(N_("board: the key {text} is missing"), text=repr(key))
    for key in fields:
        if key not in Board._fields:
            message = N_("board: unknown key {text}; it has {known}")
            raise validation_error(message, text=repr(key), known=", ".join(Board._fields))
    finish = whole_number("board: finish", fields["finish"], 1, LONGEST_COURSE)
    natural, sand = (_spaces_of(key, fields[key], finish) for key in ("natural", "sand"))
    for space in natural:
        if space in sand:
            raise validation_error(N_("board: space {space} is named as natural and as sand"), space=space)
    for first, sixth in zip(natural, natural[LONGEST_ROW:], strict=False):
        if sixth == first + LONGEST_ROW:
            message = N_("board: more than {count} natural obstacles in a row from {space} on")
            raise validation_error(message, count=LONGEST_ROW, space=first)
    board = Board(finish, natural, sand)
    if _why_no_room(_sites(board), ()):
        raise validation_error(
            N_(
                "five obstacles cannot be laid on this board: it needs more sand, with a free space between "
                "any two obstacles, and two of the five after the last natural one"
            )
        )
    return board


def _spaces_of(key: str, data: object, finish: int) -> tuple[int, ...]:
    if not isinstance(data, list | tuple):
        raise validation_error(
            N_("board: {what} must be a list of spaces, not {text}"), what=key, text=shown(data)
        )
    spaces = sorted(whole_number(f"board: a space of {key}", space, 1, finish) for space in data)
    for space, following in pairwise(spaces):
        if space == following:
            raise validation_error(N_("board: space {space} is named twice in {what}"), space=space, what=key)
    return tuple(spaces)


class Sites(NamedTuple):
    """The sand that is not next to a natural obstacle, ascending.

    `last` is the last natural obstacle, 0 if there is none; the sites `before` it and those in the `stretch`
    after it do not touch.
    """

    last: int
    before: tuple[int, ...]
    stretch: tuple[int, ...]


@lru_cache(maxsize=16)
def _sites(board: Board) -> Sites:
    last = board.natural[-1] if board.natural else 0
    near = _around(board.natural)
    free = [space for space in board.sand if space not in near]
    return Sites(last, tuple(s for s in free if s < last), tuple(s for s in free if s > last))


def _why_no_room(sites: Sites, laid: Sequence[int]) -> str:
    """Return why the remaining obstacles cannot all be laid next to the present ones; "" if they can.

    They can if enough of them have room in the last stretch and all of them on the board: the two parts of
    the board do not touch, so the room of each is independent.
    """
    to_come = OBSTACLES - len(laid)
    needed = IN_LAST_STRETCH - sum(space > sites.last for space in laid)
    stretch = _room(sites.stretch, laid, to_come)
    if to_come > stretch + _room(sites.before, laid, to_come):
        return "room-short"
    return "stretch-short" if needed > stretch else ""


def _room(sites: Iterable[int], laid: Sequence[int], most: int) -> int:
    """Return how many more obstacles, up to `most`, have room on these ascending sites.

    Always taking the first site that is free leaves the most for the others.
    """
    near = _around(laid)
    room, taken = 0, -1
    for space in sites:
        if room == most:
            break
        if space > taken + 1 and space not in near:
            room, taken = room + 1, space
    return room


def _around(laid: Sequence[int]) -> set[int]:
    """Return the spaces of these obstacles and their neighbours."""
    return {space + away for space in laid for away in (-1, 0, 1)}


# --- a move --------------------------------------------------------------------------------------


class Step(NamedTuple):
    """The effect of a card: `kind` is moved, refused (by the obstacle on `space`) or missed.

    A horse that moved is on `space`; it pushed the horse of the seat `pushed`, if any, to `back`.
    """

    seat: int
    card: int
    kind: str
    space: int | None = None
    pushed: int | None = None
    back: int = 0


def step(progress: Sequence[int], seat: int, card: int, obstacles: Collection[int]) -> Step:
    """Return the effect of this card on the seat's horse, from the present position of all horses (0: in the
    gate).

    >>> step([2, 5, 4], 0, 3, {1})  # the horse on 5 goes back to 3: the horse on 4 stays where it is
    Step(seat=0, card=3, kind='moved', space=5, pushed=1, back=3)
    >>> step([2, 5, 4], 0, 3, {5}).kind
    'refused'
    """
    start = progress[seat]
    target = start + card
    if target in obstacles:
        return Step(seat, card, "refused", target)
    if target not in progress:
        return Step(seat, card, "moved", target)
    back = target - 1
    while back > 0 and (back in obstacles or (back in progress and back != start)):
        back -= 1
    return Step(seat, card, "moved", target, progress.index(target), back)


# --- the game ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GiroGaloppo(Race):
    """A position. Progress is by seat, the number of the space, 0 in the gate."""

    board: Board
    rearmost_only: bool
    age: tuple[int, ...]  # seats, oldest first
    colours: tuple[str, ...]  # of the seats' horses; no rule cares
    obstacles: tuple[int, ...]  # loose ones, ascending
    round: int
    progress: tuple[int, ...]
    used: tuple[tuple[int, ...], ...]  # by seat, cards of the present hand that were turned over, ascending
    choices: tuple[int | str | None, ...]  # by seat, cards of this round; HIDDEN: one that cannot be named
    steps: tuple[Step, ...]  # of the last round that moved, in order
    last: Decision | None  # last decision, without the card, which is secret

    name = "giro-galoppo"
    title = N_("Giro Galoppo")
    animal = "horse"
    pieces = {
        "red": N_("the |red horse"),
        "blue": N_("the |blue horse"),
        "green": N_("the |green horse"),
        "yellow": N_("the |yellow horse"),
        "pink": N_("the |pink horse"),
    }
    seat_counts = (2, 5)
    owned = True
    first_space = 1
    numbers = len(CARDS)
    editions = EDITIONS
    uses_start = False
    chart = ("board",)
    forms = {
        "place-obstacle": Form(True, "space", int),
        "play": Form(True, "card", int),
    }
    options = (
        Option(
            "rearmost_only",
            False,
            N_("rearmost only"),
            N_("Of several equal cards only the horse furthest behind moves; the others miss the turn."),
            kind="flag",
        ),
        Option(
            "age",
            None,
            N_("age"),
            N_("All seats, oldest first: the youngest lays first, the oldest leaves the gate first."),
            kind="order",
        ),
        Option(
            "board",
            {"finish": STANDARD.finish, "natural": list(STANDARD.natural), "sand": list(STANDARD.sand)},
            N_("board"),
            N_("Where the finishing line, the natural obstacles and the sand are on your board."),
            kind="chart",
        ),
    )

    @classmethod
    def new(cls, seats: Sequence[str], start: int = 0, **options: Any) -> Self:
        """Return the position before the first obstacle; `start` is ignored.

        >>> GiroGaloppo.new(["Ada", "Ben"], age=[1, 0]).awaits()
        Awaited(do='place-obstacle', seats=(0,))
        """
        names = checked_seats(cls, seats)
        whole_number("start", start, 0, len(names) - 1)
        chosen = checked_options(cls, options)
        nobody = (None,) * len(names)
        return cls(
            seats=names,
            start=start,
            board=board_of(chosen["board"]),
            rearmost_only=chosen["rearmost_only"],
            age=_age_of(chosen["age"], len(names)) if "age" in options else tuple(range(len(names))),
            colours=tuple(cls.pieces)[: len(names)],
            obstacles=(),
            round=1,
            progress=(0,) * len(names),
            used=((),) * len(names),
            choices=nobody,
            steps=(),
            last=None,
        )

    def known_as(self, colours: Sequence[str], nicknames: Mapping[str, str]) -> Self:
        """Return the same position with these colours, by seat (none: the first of all), and names of the
        horses.
        """
        known = super().known_as((), nicknames)
        if not colours:
            return known
        for colour in colours:
            if colour not in self.pieces:
                message = N_("there is no {text} horse: there are {known}")
                raise validation_error(message, text=str(colour), known=", ".join(self.pieces))
        if len(colours) != len(self.seats):
            message = N_("each of the {count} seats needs a colour, {text} are given")
            raise validation_error(message, count=len(self.seats), text=len(colours))
        for colour in colours:
            if colours.count(colour) > 1:
                raise validation_error(N_("two seats have the {text} horse: each needs its own"), text=colour)
        return known.replaced(colours=tuple(colours))

    # --- decisions -------------------------------------------------------------------------------

    @property
    def due(self) -> str:
        """The decision that is due: place-obstacle, play; "" when the game is finished."""
        if len(self.obstacles) < OBSTACLES:
            return "place-obstacle"
        return "" if max(self.progress) > self.board.finish else "play"

    def awaits(self) -> Awaited | None:
        """Return the decision that is due; a card is owed by every seat that has not chosen one."""
        due = self.due
        if due == "play":
            return Awaited("play", tuple(s for s, choice in enumerate(self.choices) if choice is None))
        return Awaited(due, (self._laying(),)) if due else None

    def _laying(self) -> int:
        """Return the seat that lays the next obstacle: the youngest the first, then clockwise."""
        return (self.age[-1] + len(self.obstacles)) % len(self.seats)

    def decisions(self, seat: int | None) -> Sequence[Decision]:
        """Return the decisions of this seat now."""
        awaited = self.awaits()
        if awaited is None or seat not in awaited.seats:
            return ()
        if awaited.do == "play":
            return [Decision("play", seat, card) for card in self._hand(seat)]
        near, sites = _around(self.obstacles), _sites(self.board)
        return [
            Decision("place-obstacle", seat, space)
            for space in (*sites.before, *sites.stretch)
            if space not in near and not _why_no_room(sites, (*self.obstacles, space))
        ]

    def _hand(self, seat: int) -> list[int]:
        used = self.used[seat]
        return [card for card in CARDS if card not in used]

    def illegal_reason(self, decision: Decision) -> News | None:
        """Return why this decision is against the rules now; its presenter words the reason."""
        if decision.do == self.due == "play":
            return self._card_refused(decision.seat, decision.what)
        return out_of_turn(self, decision) or self._obstacle_refused(decision.what)

    def _card_refused(self, seat: int | None, card: object) -> News | None:
        if seat is None:
            return News("nobodys")
        if not 0 <= seat < len(self.seats):
            return News("no-seat")
        if self.choices[seat] is not None:
            return News("chosen-already", {"seat": seat})
        if card in self.used[seat]:
            return News("card-used", {"seat": seat, "card": card})
        return None if card in CARDS else News("no-such-card", {"text": str(card)})

    def _obstacle_refused(self, space: int) -> News | None:
        if space not in self.board.sand:
            return News("not-sand", {"space": space})
        if space in self.obstacles:
            return News("taken", {"space": space})
        for other in (*self.board.natural, *self.obstacles):
            if abs(other - space) == 1:
                return News("too-near", {"space": space, "space_next": other})
        sites = _sites(self.board)
        lacking = _why_no_room(sites, (*self.obstacles, space))
        return News(lacking, {"space": space, "space_last": sites.last}) if lacking else None

    # --- consequences ----------------------------------------------------------------------------

    def after(self, decision: Decision) -> Self:
        """Return the position after a legal decision; the last card of a round moves the horses."""
        seat = decision.seat
        assert seat is not None
        if decision.do == "place-obstacle":
            return self.replaced(obstacles=tuple(sorted((*self.obstacles, decision.what))), last=decision)
        choices = (*self.choices[:seat], decision.what, *self.choices[seat + 1 :])
        position = self.replaced(choices=choices, last=Decision("play", seat))
        return position if None in choices else position._moved()

    def _moved(self) -> Self:
        """Return the position after all cards are turned over and played. A card hidden in this view has no
        effect.
        """
        progress = list(self.progress)
        steps = tuple(self._steps(progress))
        finished = max(progress) > self.board.finish
        return self.replaced(
            round=self.round if finished else self.round + 1,
            progress=tuple(progress),
            used=tuple(map(_with_card, self.used, self.choices)),
            choices=(None,) * len(self.seats),
            steps=steps,
        )

    def _steps(self, progress: list[int]) -> Iterator[Step]:
        """Yield the moves of the round, each made in `progress` before the next one is judged."""

        def behind(seat: int) -> tuple[int, int]:
            return progress[seat], self.age.index(seat)  # equals there are in the gate only

        obstacles = frozenset((*self.board.natural, *self.obstacles))
        for card in CARDS:
            due = [seat for seat, choice in enumerate(self.choices) if choice == card]
            while due:
                seat = min(due, key=behind)
                due.remove(seat)
                made = step(progress, seat, card, obstacles)
                if made.kind == "moved":
                    if made.pushed is not None:
                        progress[made.pushed] = made.back
                    progress[seat] += card
                yield made
                if self.rearmost_only:
                    yield from (Step(other, card, "missed") for other in due)
                    break

    @property
    def news(self) -> Sequence[News]:
        """News of the last decision; the last card of a round brings the news of the whole round."""
        if self.last is None:
            return []
        if self.last.do == "place-obstacle":
            return [News("obstacle-laid", {"seat": self.last.seat, "space": self.last.what})]
        if any(choice is not None for choice in self.choices):
            return [News("chosen", {"seat": self.last.seat})]
        return [*(news for step in self.steps for news in self._news_of(step)), *self._news_of_the_end()]

    def _news_of(self, step: Step) -> Iterator[News]:
        values = {"seat": step.seat, "piece": self.colours[step.seat], "card": step.card}
        if step.kind != "missed":
            values["space"] = step.space
        if step.kind == "moved":
            values["stop"] = step.space
        yield News(step.kind, values)
        if step.pushed is not None:
            kind = "pushed-back" if step.back else "pushed-to-gate"
            pushed = {"seat": step.pushed, "piece": self.colours[step.pushed]}
            yield News(kind, {**pushed, "stop": step.back, "space": step.back})

    def _news_of_the_end(self) -> Iterator[News]:
        yield News("round-over", {"round": self.round - 1 if self.due else self.round})
        if not self.due:
            yield News("game-over")

    # --- views -----------------------------------------------------------------------------------

    def sealed(self, decision: Decision) -> Sealed | None:
        """Return the secrecy of a card: secret until the last one is chosen."""
        return Sealed() if decision.do == "play" and self.choices.count(None) > 1 else None

    def secrets_of(self, seat: int) -> Mapping[str, Any]:
        """Return the cards that were not turned over yet, and the one that is chosen."""
        choice = self.choices[seat]
        return {"hand": self._hand(seat)} | ({} if choice in (None, HIDDEN) else {"choice": choice})

    def seen_by(self, seat: int | None) -> Self:
        """Return the same game without the others' choices; only whether they have chosen is known."""
        choices = tuple(c if c is None or s == seat else HIDDEN for s, c in enumerate(self.choices))
        return self.replaced(choices=choices)

    def guessed(self, rng: random.Random) -> Self:
        """Return the same game with a random card of the hand in place of each hidden one."""
        choices = (picked(self._hand(s), rng) if c == HIDDEN else c for s, c in enumerate(self.choices))
        return self.replaced(choices=tuple(choices))

    def at_random(self, seat: int, rng: random.Random) -> Decision:
        """Return any card of the hand, or any space that an obstacle may be on."""
        if self.due == "play":
            return Decision("play", seat, picked(self._hand(seat), rng))
        return super().at_random(seat, rng)

    def scores(self) -> Sequence[int]:
        """Return the progress of the horses."""
        return self.progress

    def standings(self) -> tuple[Standing, ...]:
        """Return the seats by place, then seat: at the end those past the line have places; the others, and
        all before the end, have none.
        """
        past = sorted((s for s, p in enumerate(self.progress) if p > self.board.finish), key=self._from_front)
        order = past + [s for s in range(len(self.seats)) if s not in past]
        places = [*range(1, len(past) + 1), *[None] * (len(order) - len(past))]
        return tuple(
            Standing(s, self.seats[s], self.progress[s], p) for s, p in zip(order, places, strict=True)
        )

    def _from_front(self, seat: int) -> int:
        return -self.progress[seat]

    def state(self) -> dict[str, Any]:
        """Return the public position in the format of record.md."""
        return {
            "round": self.round,
            "progress": list(self.progress),
            "obstacles": list(self.obstacles),
            "hand_used": [list(used) for used in self.used],
        }

    def field(self) -> Sequence[str]:
        """Return the colours of the seats."""
        return self.colours

    def layout(self) -> Mapping[str, Place]:
        """Return the gate or the space of each horse, which may be behind the line."""
        return {
            colour: Place("track", progress) if progress else Place("gate")
            for colour, progress in zip(self.colours, self.progress, strict=True)
        }

    def track(self) -> Mapping[str, Any]:
        """Return the course, how many spaces `behind` the line are needed, and whether it is the
        placeholder.
        """
        return {
            "kind": "course",
            "spaces": self.board.finish,
            "behind": max(BEHIND_THE_LINE, max(self.progress) - self.board.finish),
            "natural": list(self.board.natural),
            "sand": list(self.board.sand),
            "obstacles": list(self.obstacles),
            "placeholder": self.board == STANDARD,
        }

    # --- cards -----------------------------------------------------------------------------------

    def laid(self, colour: str, number: int) -> Decision | None:
        """Return the decision to play this card by the owner of this colour; if the colour has no owner, the
        decision has no seat and is illegal.
        """
        if self.due != "play":
            return None
        owner = self.colours.index(colour) if colour in self.colours else None
        return Decision("play", owner, number)


def _age_of(data: object, seats: int) -> tuple[int, ...]:
    if not isinstance(data, list | tuple) or not all(type(seat) is int for seat in data):
        raise validation_error(N_("age must be a list of seats, not {text}"), text=shown(data))
    if sorted(data) != list(range(seats)):
        message = N_("age must name each seat from 0 to {high} once, oldest first, not {text}")
        raise validation_error(message, high=seats - 1, text=shown(data))
    return tuple(data)


def _with_card(used: tuple[int, ...], card: int | str | None) -> tuple[int, ...]:
    """Return the used cards and this one; after the sixth all of them are back in the hand."""
    if not isinstance(card, int):
        return used
    return tuple(sorted((*used, card))) if len(used) + 1 < len(CARDS) else ()
