"""The whole content of the public pages: the event `page`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from companion.games.presenter import presented
from companion.games.race import Race
from companion.match.match import Match
from companion.message import N_
from companion.odds.styles import unknown
from companion.referee.reports import Gathered, Todo
from companion.reply import Animal, Colour, Entry, Reply, Seat, Unit, one_of
from companion.table.faces import Face
from companion.table.snapshot import Snapshot
from companion.translate import Words
from companion.views.course import scenes
from companion.views.course.drawn import CourseView, PieceAt, WayTo, course_of, food_on, over, pieces_of, way
from companion.views.crowd import may_do
from companion.views.faces import FaceView, faces_of
from companion.views.table import sentence
from companion.views.table.actions import Actions, actions
from companion.views.table.luck import EveningReport, luck
from companion.views.table.panels import PanelView, StandingsRow, panels, rows
from companion.views.table.public import AlertView, MatchHead, PartStates, alerts, head, part_states
from companion.views.table.story import (
    CommentView,
    Finale,
    Reward,
    RoundEnd,
    StoryLine,
    comment_of,
    finale,
    reward,
    round_end,
    story,
)
from companion.views.table.tote import Tote, tote


class MatchView(MatchHead):
    """A match with the page's data on it; by seat `colours`, the piece that it owns, if any, and `faces`."""

    colours: list[Colour | None]  # type: ignore[assignment]  # by seat here, in games without owned pieces too
    faces: list[FaceView | None]
    title: str
    animal: Animal
    finished: bool
    deal: Annotated[str, one_of("people", "companion")]


class StageView(Reply):
    """The stage of the game, in words and as numbers."""

    text: str
    round: int | UnsetType = UNSET
    rounds: int | UnsetType = UNSET
    race: int | UnsetType = UNSET
    races: int | UnsetType = UNSET
    turn: int | UnsetType = UNSET


class Heads(Reply):
    """The column heads of the seats' holdings."""

    provisional: str
    kept: str


class GatheredView(Reply):
    """A set that is being shown card by card."""

    seat: Seat
    name: str
    numbers: list[int]
    needed: int


class Explanation(Reply):
    """The present explanation, in a first game, with its drawing if the rules have one."""

    key: str
    text: str
    scene: scenes.SceneView | None


class JoinView(Reply):
    """The URL at which a phone watches."""

    url: str
    qr: str
    text: str


class SeatView(Reply):
    """A seat: its name, and if a device holds it, if it owes something secret, if a robot plays it.

    `asks`: another device asks the host for the seat, and shows this number.
    """

    seat: Seat
    name: str
    joined: bool
    asks: Annotated[int, Meta(ge=10, le=99)] | None
    owes: bool
    bot: bool


class MatchAt(Reply, rename="camel"):
    """The public match at one moment; `over`: finished, and every piece at its end."""

    seq: Entry
    match: MatchView | None = None
    course: CourseView | None = None
    pieces: list[PieceAt] = []
    food: list[int] = []
    say: sentence.Said
    due: str | None = None
    moves: list[WayTo] = []
    round: StageView | None = None
    stock: int | None = None
    stock_text: str | None = None
    standings: list[StandingsRow] = []
    heads: Heads | None = None
    unit: Unit | None = None
    panels: list[PanelView] = []
    reward: Reward | None = None
    round_end: RoundEnd | None = None
    over: bool = False
    finale: Finale | None = None
    explaining: bool | None = None
    explain: Explanation | None = None


class View(MatchAt, rename="camel"):
    """The table now: the match, alerts, possible actions, the odds, how to join.

    `seen`: the sensed place of each piece; `used_cards`, `landings`: if they are shown, null if the game has
    none; `remember_play`: if the odds know how people played before, null if they learn nothing; `crowd`: if
    watchers can pick a favourite (open) or no longer, null if they take no part; `screens`: how many screens
    ask to be the table.
    """

    mock: bool
    alerts: list[AlertView]
    parts: PartStates
    join: JoinView | None
    seen: dict[str, int | None] | None = None
    used_cards: bool | None = None
    landings: bool | None = None
    remember_play: bool | None = None
    crowd: Annotated[str | None, one_of("open", "closed", "over", None)] = None
    gathered: list[GatheredView] = []
    story: list[StoryLine] = []
    comment: CommentView | None = None
    odds: Tote | None = None
    luck: EveningReport | None = None
    actions: Actions = Actions()
    seats: list[SeatView] = []
    seat_join: str | None = None
    screens: Annotated[int, Meta(ge=0)] = 0


def page(picture: Snapshot, words: Words, join: Mapping[str, str] | None = None, **seating: Any) -> View:
    """Return the content of the pages; `join` has the URL to watch at and its QR code, `seating` seats."""
    match = picture.match
    live: dict[str, Any] = {
        "mock": picture.mock,
        "alerts": alerts(picture, words),
        "parts": part_states(picture),
        "join": JoinView(**join, text=words(_SCAN)) if join else None,
        **seating,
    }
    if match is None:
        return View(seq=picture.seq, say=sentence.nothing(words, picture), **live)
    race = match.race.seen_by(None)
    return View(
        **match_at(picture, match, race, words),
        **live,
        seen=None if picture.seen is None else dict(picture.seen),
        used_cards=picture.switches.used_cards if presented(race).used_cards() else None,
        landings=picture.switches.landings if presented(race).foretells else None,
        remember_play=picture.switches.remember_play if unknown(race) else None,
        crowd=may_do(picture),
        gathered=[_gathered(gathered, race) for gathered in picture.gathered],
        story=story(match.turns[:-1] if picture.ending else match.turns, words),
        comment=comment_of(picture, words),
        odds=None if picture.ending else tote(picture, race, words),
        luck=None if picture.ending else luck(picture, race, words),
        actions=actions(picture, match, race, words),
    )


def match_at(picture: Snapshot, match: Match, race: Race, words: Words) -> dict[str, Any]:
    """Return the fields of a `MatchAt`; `race` is the public position of the match."""
    says, due = presented(race), race.awaits()
    stood = match.position(len(match.turns) - 1).seen_by(None) if picture.ending else race
    stage, supply = says.stage(), says.supply()
    return {
        "seq": picture.seq,
        "match": _match(match, race, words, picture.faces),
        "course": course_of(race.track()),
        "pieces": pieces_of(race, words),
        "food": food_on(race),
        "say": sentence.say(picture, match, race, words),
        "due": due.do if due else None,
        "moves": _ways(picture.todo, match, race),
        "round": StageView(text=words.text(stage, race), **stage.values) if stage else None,
        "stock": supply and supply.values.get("count"),
        "stock_text": supply and words.text(supply, race),
        "standings": rows(stood, ending=picture.ending),
        "heads": Heads(provisional=words(_NOT_SAFE), kept=words(_HEADS[race.unit])),
        "unit": race.unit,
        "panels": panels(picture, race, words),
        "reward": reward(match, race, words),
        "round_end": round_end(match, words) if race.sums_up and not picture.ending else None,
        "over": match.finished and not picture.ending,
        "finale": finale(picture, match, race, words),
        "explaining": picture.explaining if says.explains else None,
        "explain": _explanation(picture, race, words),
    }


def _match(match: Match, race: Race, words: Words, faces: Mapping[str, Face]) -> MatchView:
    colours = [race.own_piece(seat) for seat in range(len(race.seats))]
    of_it = {**head(match), "title": words(race.title), "animal": race.animal, "colours": colours}
    seen = faces_of(faces, race.seats, match.bots)
    return MatchView(**of_it, faces=seen, finished=match.finished, deal=match.deal)


def _ways(todo: Sequence[Todo], match: Match, race: Race) -> list[WayTo]:
    """Return the ways of the pieces; of those that are only to be set up, the first shows its start."""
    return [
        _way(task._replace(start=None) if place and _is_set_up(task, match) else task, match, race)
        for place, task in enumerate(todo)
    ]


def _is_set_up(task: Todo, match: Match) -> bool:
    return not task.astray and task.piece not in (match.before or {})


def _way(task: Todo, match: Match, race: Race) -> WayTo:
    start = task.start.space if task.start else None
    onward = match.last == "decide" and task.start == (match.before or {}).get(task.piece)
    between = over(start, task.to.space, race.track(), onward)
    return way(task.piece, task.start, task.to, between, task.held)


def _gathered(gathered: Gathered, race: Race) -> GatheredView:
    part = gathered.part
    numbers = list(gathered.numbers.values())
    return GatheredView(seat=part.seat, name=race.seats[part.seat], numbers=numbers, needed=part.needed)


def _explanation(picture: Snapshot, race: Race, words: Words) -> Explanation | None:
    key = picture.explain
    if key is None:
        return None
    text, scene = presented(race).explains[key], scenes.explaining(type(race), key)
    return Explanation(key=key, text=words(text), scene=scene)


_SCAN = N_("scan to watch")
_NOT_SAFE = N_("at risk")
_HEADS = {"food": N_("safe"), "money": N_("money"), "": N_("score")}
