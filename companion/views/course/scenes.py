"""Drawings of the rules: each scene is played by the rules themselves and described for the page scripts."""

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
    """A space at which something stops a piece."""

    piece: Colour
    space: int


class SceneCard(Reply):
    """A card next to the course: of a colour, or with a number of the seat's own colour."""

    seat: Seat
    piece: Colour | None
    number: str | None


class Purse(Reply):
    """The food of a seat that is at risk, and that is safe, before and after."""

    seat: Seat
    loose: tuple[int, int]
    kept: tuple[int, int]


class SceneView(Reply):
    """A drawing of the rules: pieces, their moves and what stops them, cards, and the food afterwards."""

    animal: Animal
    course: CourseView
    food: list[int]
    pieces: list[PieceAt]
    moves: list[WayTo]
    stops: list[Stop]
    cards: list[SceneCard]
    purse: Purse | None


def played(game: type[Race], scene: Scene) -> tuple[Race, list[Race]]:
    """Return a scene's position, and those after each of its decisions; IllegalDecision if one is illegal."""
    race = game.new(PEOPLE[: scene.seats], **scene.options)
    for decision in scene.before:
        race = checked(race, decision)
    after: list[Race] = []
    for decision in scene.then:
        after.append(checked(after[-1] if after else race, decision))
    return race, after


def drawn(game: type[Race], scene: Scene) -> SceneView:
    """Play a scene, an example in the rules, and return what its drawing shows."""
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
    """Return the drawing for an explanation, if the game's rules have one that is a course."""
    blocks = (block for chapter in presenter_of(game).rules for block in chapter.blocks)
    scenes = (block for block in blocks if isinstance(block, Scene) and block.explains == key)
    return next((drawn(game, scene) for scene in scenes if not scene.panel), None)


def whole(race: Race) -> SceneView:
    """Return the whole course of a position as a scene without pieces."""
    course = _course(race.track(), None)
    return SceneView(
        animal=race.animal, course=course, food=[], pieces=[], moves=[], stops=[], cards=[], purse=None
    )


def _course(track: Mapping[str, Any], window: tuple[int, int] | None) -> CourseView:
    return course_of(track, only=_PRINTED, **({"stretch": window} if window else {}))


_PRINTED = ("kind", "spaces", "behind", "natural", "sand", "obstacles", "laps")


def _at(place: Place, race: Race, scene: Scene) -> int | None:
    """Return the space as the drawing counts it: on a stretch of a loop there are some before the start."""
    if place.space is None or scene.window is None or race.track()["kind"] != "loop":
        return place.space
    first, spaces = scene.window[0], race.track()["spaces"]
    return first + (place.space - first) % int(spaces)


def _inside(place: Place, space: int | None, scene: Scene) -> bool:
    """Return True if a piece is inside the drawing: on one of its spaces, or at the gate before them."""
    if scene.window is None:
        return True
    first, last = scene.window
    return first < 1 if place.zone == "gate" else space is not None and first <= space <= last


def _moves(before: Race, news: Sequence[News], scene: Scene) -> list[WayTo]:
    """Return each piece's whole move, in the order in which they begin."""
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
