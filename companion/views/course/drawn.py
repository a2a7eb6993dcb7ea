"""A position as the course draws it: what is printed, what lies there, where pieces stand and go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from companion.games.race import Race
from companion.games.terms import Place
from companion.reply import Animal, Colour, Count, Reply, Zone, one_of
from companion.translate import Words


class CourseView(Reply):
    """What is printed on a course, and what lies loose on it, as far as the game has such things."""

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
    """A piece and where it should stand."""

    piece: Colour
    label: str
    zone: Zone
    space: int | None


class WayTo(Reply):
    """A piece that is to be moved; `over` are the spaces between."""

    piece: Colour
    start: int | None = field(name="from")
    at: Zone | None
    to: int | None
    zone: Zone
    held: bool
    over: list[int]


class Sketch(Reply):
    """A position and the ways of the pieces that stand elsewhere now; `say` is what would be due."""

    animal: Animal
    course: CourseView
    food: list[int]
    pieces: list[PieceAt]
    moves: list[WayTo]
    say: str | None


def course_of(track: Mapping[str, Any], *, only: Iterable[str] = (), **more: Any) -> CourseView:
    """The course of a position but for the food; of its keys `only` these, if any are named."""
    kept = {key: value for key, value in track.items() if (key in only if only else key != "food")}
    return CourseView(**kept, **more)


def food_on(race: Race) -> list[Count]:
    """The spaces where food lies."""
    return list(race.track().get("food", ()))


def pieces_of(race: Race, words: Words) -> list[PieceAt]:
    """Every piece that has a place."""
    return [
        PieceAt(piece=piece, label=words.piece(piece, race), zone=place.zone, space=place.space)
        for piece, place in race.layout().items()
    ]


def way(piece: str, start: Place | None, to: Place, over: list[int], held: bool = False) -> WayTo:
    """The way of a piece from where it is."""
    at = (start.space, start.zone) if start else (None, None)
    return WayTo(piece=piece, start=at[0], at=at[1], to=to.space, zone=to.zone, held=held, over=over)


def over(start: int | None, to: int | None, track: Mapping[str, Any], onward: bool) -> list[int]:
    """The spaces between two others; `onward`: a loop is run the way of the race, however far that is."""
    spaces = track["spaces"]
    if start is None or to is None:
        return []
    if track["kind"] != "loop":
        return list(range(start + 1, to)) or list(range(start - 1, to, -1))
    if onward:
        return [(start + n) % spaces for n in range(1, (to - start) % spaces)]
    return _shorter(start, to, spaces)


def _shorter(start: int, to: int, spaces: int) -> list[int]:
    """The spaces between, the shorter way round: a piece put right goes back where it came from."""
    ahead, back = (to - start) % spaces, (start - to) % spaces
    if ahead <= back:
        return [(start + n) % spaces for n in range(1, ahead)]
    return [(start - n) % spaces for n in range(1, back)]
