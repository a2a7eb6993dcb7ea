"""A position as its course is drawn: the print, the food, the pieces and their ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from companion.games.race import Race
from companion.games.terms import Place
from companion.reply import Animal, Colour, Count, Reply, Zone, one_of
from companion.translate import Words


class CourseView(Reply):
    """The print of a course, and the loose objects on it, as far as the game has them."""

    kind: Annotated[str, one_of("loop", "course")]
    spaces: Annotated[int, Meta(ge=1)]
    behind: Annotated[int, Meta(description="Spaces behind the line.")] | UnsetType = UNSET
    natural: list[int] | UnsetType = UNSET
    sand: list[int] | UnsetType = UNSET
    obstacles: list[int] | UnsetType = UNSET
    laps: int | UnsetType = UNSET
    home: list[Colour] | UnsetType = UNSET
    out: list[Colour] | UnsetType = UNSET
    progress: dict[str, int] | UnsetType = UNSET
    placeholder: bool | UnsetType = UNSET
    stretch: tuple[int, int] | UnsetType = UNSET
    """The first and the last space that are drawn; all without."""
    first: Annotated[int, Meta(description="The number of the space over the first sensor.")] | UnsetType = (
        UNSET
    )


class PieceAt(Reply):
    """A piece and its place by the rules."""

    piece: Colour
    label: str
    zone: Zone
    space: int | None


class WayTo(Reply):
    """A piece that has to be moved; `over` are the spaces between."""

    piece: Colour
    start: int | None = field(name="from")
    at: Zone | None
    to: int | None
    zone: Zone
    held: bool
    over: list[int]


class Sketch(Reply):
    """A position, and the ways of the pieces that are elsewhere now; `say` is the prompt to follow."""

    animal: Animal
    course: CourseView
    food: list[int]
    pieces: list[PieceAt]
    moves: list[WayTo]
    say: str | None


def course_of(track: Mapping[str, Any], *, only: Iterable[str] = (), **more: Any) -> CourseView:
    """Return the course of a position without its food; with `only`, just these of its keys."""
    fields = {key: value for key, value in track.items() if (key in only if only else key != "food")}
    return CourseView(**fields, **more)


def food_on(race: Race) -> list[Count]:
    """Return the spaces that have food."""
    return list(race.track().get("food", ()))


def pieces_of(race: Race, words: Words) -> list[PieceAt]:
    """Return every piece that has a place."""
    return resting_pieces(race.layout(), race, words)


def resting_pieces(layout: Mapping[str, Place], race: Race, words: Words) -> list[PieceAt]:
    """Return the pieces of this layout, with their names in this race."""
    return [
        PieceAt(piece=piece, label=words.piece(piece, race), zone=place.zone, space=place.space)
        for piece, place in layout.items()
    ]


def way(piece: str, start: Place | None, to: Place, over: list[int], held: bool = False) -> WayTo:
    """Return the way of a piece from its present place."""
    place = (start.space, start.zone) if start else (None, None)
    return WayTo(piece=piece, start=place[0], at=place[1], to=to.space, zone=to.zone, held=held, over=over)


def over(start: int | None, to: int | None, track: Mapping[str, Any], onward: bool) -> list[int]:
    """Return the spaces between two others; `onward`: on a loop, in the race's direction, however far."""
    spaces = track["spaces"]
    if start is None or to is None:
        return []
    if track["kind"] != "loop":
        return list(range(start + 1, to)) or list(range(start - 1, to, -1))
    if onward:
        return [(start + n) % spaces for n in range(1, (to - start) % spaces)]
    return _shorter(start, to, spaces)


def _shorter(start: int, to: int, spaces: int) -> list[int]:
    """Return the spaces between, the shorter way round: a misplaced piece is moved back."""
    ahead, back = (to - start) % spaces, (start - to) % spaces
    if ahead <= back:
        return [(start + n) % spaces for n in range(1, ahead)]
    return [(start - n) % spaces for n in range(1, back)]
