"""Pictures of the rules: a scene is played by the rules themselves, and told as the page scripts draw it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from companion.games.judge import checked
from companion.games.presenter import presented, presenter_of
from companion.games.race import Race
from companion.games.rulebook import PEOPLE, Scene
from companion.games.terms import News, Place
from companion.reply import Animal, Colour, Reply, Seat
from companion.views.course.drawn import CourseView, PieceAt, WayTo, course_of, food_on, way


class Stop(Reply):
    """Where something stops a piece."""

    piece: Colour
    space: int


class SceneCard(Reply):
    """A card beside the course: of a colour, or with a number of the seat's own colour."""

    seat: Seat
    piece: Colour | None
    number: str | None


class Purse(Reply):
    """A seat's loose and kept food, before and after."""

    seat: Seat
    loose: tuple[int, int]
    kept: tuple[int, int]


class SceneView(Reply):
    """A picture of the rules: what stands and moves where, what stops it, the cards, the food then."""

    animal: Animal
    course: CourseView
    food: list[int]
    pieces: list[PieceAt]
    moves: list[WayTo]
    stops: list[Stop]
    cards: list[SceneCard]
    purse: Purse | None


def played(game: type[Race], scene: Scene) -> tuple[Race, list[Race]]:
    """The position that a scene shows, and those after each of its decisions; IllegalDecision if it lies."""
    race = game.new(PEOPLE[: scene.seats], **scene.options)
    for decision in scene.before:
        race = checked(race, decision)
    after: list[Race] = []
    for decision in scene.then:
        after.append(checked(after[-1] if after else race, decision))
    return race, after


def drawn(game: type[Race], scene: Scene) -> SceneView:
    """A scene as its course is drawn."""
    before, after = played(game, scene)
    end = after[-1] if after else before
    news = [n for race in after for n in race.news if not scene.shows or n.kind in scene.shows]
    stops = [Stop(piece=n.values["piece"], space=n.values["space"]) for n in news if n.kind == "refused"]
    return SceneView(
        animal=game.animal,
        course=_course(end.track(), scene.window),
        food=food_on(before),
        pieces=[
            PieceAt(piece=piece, label=piece, zone=place.zone, space=_at(place, before, scene))
            for piece, place in before.layout().items()
            if _inside(place, _at(place, before, scene), scene)
        ],
        moves=_moves(before, news, scene),
        stops=stops,
        cards=[_card(before, d.seat, d.what) for d in scene.then if scene.cards and d.seat is not None],
        purse=None if scene.purse is None else _purse(before, end, scene.purse),
    )


@cache
def explaining(game: type[Race], key: str) -> SceneView | None:
    """The picture that goes with an explanation, if the game's rules have one that is a course."""
    blocks = (block for chapter in presenter_of(game).rules for block in chapter.blocks)
    scenes = (block for block in blocks if isinstance(block, Scene) and block.explains == key)
    return next((drawn(game, scene) for scene in scenes if not scene.panel), None)


def whole(race: Race) -> SceneView:
    """The whole course of a position as a scene, nothing on it."""
    course = _course(race.track(), None)
    return SceneView(
        animal=race.animal, course=course, food=[], pieces=[], moves=[], stops=[], cards=[], purse=None
    )


def _course(track: Mapping[str, Any], window: tuple[int, int] | None) -> CourseView:
    return course_of(track, only=_PRINTED, **({"stretch": window} if window else {}))


_PRINTED = ("kind", "spaces", "behind", "natural", "sand", "obstacles", "laps")


def _at(place: Place, race: Race, scene: Scene) -> int | None:
    """The space as the picture counts it: on a stretch of a loop there are some before the start."""
    if place.space is None or scene.window is None or race.track()["kind"] != "loop":
        return place.space
    first, spaces = scene.window[0], race.track()["spaces"]
    return first + (place.space - first) % int(spaces)


def _inside(place: Place, space: int | None, scene: Scene) -> bool:
    """Whether a piece stands where the picture shows: spaces, or the gate before them."""
    if scene.window is None:
        return True
    first, last = scene.window
    return first < 1 if place.zone == "gate" else space is not None and first <= space <= last


def _moves(before: Race, news: Sequence[News], scene: Scene) -> list[WayTo]:
    """From where to where each piece moves in all, in the order in which they begin to."""
    layout = before.layout()
    ends = {n.values["piece"]: n.values["stop"] for n in news if "stop" in n.values}
    moves = []
    for piece, stop in ends.items():
        start, gate = layout[piece], before.track()["kind"] == "course" and stop == 0
        to = Place("gate") if gate else Place("track", stop)
        moves.append(way(piece, start._replace(space=_at(start, before, scene)), to, []))
    return moves


def _card(race: Race, seat: int, what: Any) -> SceneCard:
    if what in race.pieces:
        return SceneCard(seat=seat, piece=what, number=None)
    return SceneCard(seat=seat, piece=race.own_piece(seat), number=str(what))


def _purse(before: Race, after: Race, seat: int) -> Purse:
    was, now = (int(presented(race).holdings(seat).get("provisional") or 0) for race in (before, after))
    return Purse(seat=seat, loose=(was, now), kept=(before.scores()[seat], after.scores()[seat]))
