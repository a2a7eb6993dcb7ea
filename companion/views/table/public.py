"""The public table as programs have it: `GET /api/table` and the event `table`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Any

from msgspec import Meta, field

from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import News, Place
from companion.match.entries import Filed
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.referee.reports import Todo
from companion.reply import (
    Colour,
    Entry,
    GameName,
    Options,
    Reply,
    Seat,
    SeatNames,
    Text,
    Zone,
    by_hand,
    one_of,
)
from companion.table.picture import Picture
from companion.translate import Words

PartState = Annotated[str, one_of("ok", "tap", "lost")]


class MatchHead(Reply):
    """A match: what it is, who plays, by which rules."""

    id: Annotated[int, Meta(ge=1)]
    game: GameName
    seats: SeatNames
    options: Options
    colours: list[Colour]
    bots: Annotated[
        list[Annotated[str, one_of("", "easy", "medium", "strong")]],
        Meta(description="By seat, how strong the companion plays it; empty where a person does."),
    ]


class Due(Reply):
    """The decision that the game waits for, and the seats that owe it, ascending; none for a deal."""

    do: Annotated[
        str,
        one_of("line-up", "deal", "place-food", "play", "place-obstacle", "show", "rank", "bet"),
    ]
    seats: Annotated[list[Seat], Meta(extra_json_schema={"uniqueItems": True})]


class StandingView(Reply):
    """A seat's score and place; no place where the game gives none."""

    seat: Seat
    name: str
    score: int
    place: Annotated[int, Meta(ge=1)] | None


class PlaceView(Reply):
    """Where a piece stands; no space but on the track."""

    zone: Zone
    space: Annotated[int, Meta(ge=0)] | None


class TodoView(Reply):
    """A piece to move: from where it is sensed, else where it stood; `held`: the next card waits for it."""

    piece: Colour
    start: PlaceView | None = field(name="from")
    to: PlaceView
    held: bool
    text: Text


class NewsView(Reply):
    """Something that the last entry brought."""

    kind: str
    text: Text


class AlertView(Reply):
    """What people should know.

    `refused`: what pad or track refuses; `held`: a card waits until the pieces stand right; `not-played`: it
    was lifted too early; `wait`: tags are being given, so cards are tapped; `tap`, `lost`, `fault`: how a
    part is; `journal`: what happened to its file. `part` is empty where it is the companion itself.
    """

    kind: Annotated[str, one_of("refused", "held", "not-played", "wait", "tap", "lost", "fault", "journal")]
    part: Annotated[str, one_of("pad", "track", "panel", "")]
    text: Text


class PartStates(Reply):
    """How each part is. `tap`: it is replaced by taps; `lost`: it was there and is gone."""

    pad: PartState
    track: PartState
    panel: PartState


class ChanceView(Reply):
    """How likely something is, and half the width of its 95 % interval.

    Of a seat: `win` the game, `keep` its food of this round (pigs), its horse is `placed` (giro). Of
    `pieces`: `win` this race, `place` first or second, `double` these two first and second.
    """

    what: Annotated[str, one_of("win", "keep", "placed", "place", "double")]
    seat: Seat | None
    pieces: Annotated[list[Colour], Meta(max_length=2)]
    p: Annotated[float, Meta(ge=0, le=1)]
    error: Annotated[float, Meta(ge=0)]


class OddsView(Reply):
    """All chances, worked out from what everybody may know at entry `seq`."""

    seq: Entry
    chances: list[ChanceView]
    exact: bool


class TableView(Reply):
    """The public table. A match that is finished lies there until the next one."""

    seq: Entry
    match: MatchHead | None
    next: Due | None
    standings: list[StandingView]
    state: (
        Annotated[
            dict[str, Any],
            Meta(description="As `companion replay --json` has it."),
            by_hand("Galloping", "Giro", "Greyhounds"),
        ]
        | None
    )
    layout: Annotated[
        dict[str, PlaceView],
        Meta(description="Where each piece should stand; one that has no place yet is left out."),
    ]
    todo: list[TodoView]
    news: list[NewsView]
    alerts: list[AlertView]
    parts: PartStates
    odds: OddsView | None
    mock: Annotated[bool, Meta(description="Whether this companion plays on modelled hardware.")]


def table(picture: Picture, words: Words) -> TableView:
    """The table as everybody may see it."""
    return TableView(**seen_by(None, picture, words))


def seen_by(seat: int | None, picture: Picture, words: Words) -> dict[str, Any]:
    """The fields of a `TableView` as a seat may see them; None: as everybody may."""
    match = picture.match
    race = match.race.seen_by(seat) if match else None
    return {
        "seq": picture.seq,
        "match": MatchHead(**head(match)) if match else None,
        "next": due(race) if race else None,
        "standings": standings(race) if race else [],
        "state": race.state() if race else None,
        "layout": layout(race) if race else {},
        "todo": [_task(task, words, match.race.seen_by(None) if match else None) for task in picture.todo],
        "news": list(_news(match, race, seat, words)) if match and race else [],
        "alerts": alerts(picture, words),
        "parts": part_states(picture),
        "odds": _odds(picture),
        "mock": picture.mock,
    }


def head(match: Match) -> dict[str, Any]:
    """The fields of a `MatchHead`."""
    return {
        "id": match.id,
        "game": match.header.game,
        "seats": list(match.header.seats),
        "options": plain(dict(match.header.options)),
        "colours": list(match.colours),
        "bots": list(match.bots),
    }


def plain(value: Any) -> Any:
    """An option as JSON has it; odds with decimals are exact in the record only."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def due(race: Race) -> Due | None:
    """What the game waits for; None when it is finished."""
    awaited = race.awaits()
    return None if awaited is None else Due(do=awaited.do, seats=sorted(awaited.seats))


def standings(race: Race) -> list[StandingView]:
    """The standings, the first first."""
    return [StandingView(**standing._asdict()) for standing in race.standings()]


def filed_standings(filed: Filed, finished: bool) -> list[StandingView]:
    """Those of a match that is put away; nobody has a place in one that was not played to its end."""
    rows = (dict(row) | ({} if finished else {"place": None}) for row in filed.standings)
    return [StandingView(**row) for row in rows]


def layout(race: Race) -> dict[str, PlaceView]:
    """Where each piece stands."""
    return {piece: _place(place) for piece, place in race.layout().items()}


def _place(place: Place) -> PlaceView:
    return PlaceView(zone=place.zone, space=place.space)


def _task(task: Todo, words: Words, race: Race | None) -> TodoView:
    return TodoView(
        piece=task.piece,
        start=None if task.start is None else _place(task.start),
        to=_place(task.to),
        held=task.held,
        text=words.text(task.text, race),
    )


def _news(match: Match, race: Race, seat: int | None, words: Words) -> Iterable[NewsView]:
    for news in match.happened(seat):
        yield NewsView(kind=news.kind, text=words.text(said(news, race), race))


def said(news: News, race: Race) -> Sentence:
    """A piece of news of the game or of its decisions as a sentence."""
    return Sentence(_MEANWHILE[news.kind]) if news.kind in _MEANWHILE else presented(race).sentence(news)


def alerts(picture: Picture, words: Words) -> list[AlertView]:
    """What people should know: refused cards, strange tags, parts that are lost or not there."""
    match = picture.match
    race = match.race if match else None
    told = [AlertView(kind=a.kind, part=a.part, text=words.text(a.text, race)) for a in picture.alerts]
    if picture.enrolment is not None and match is not None and not match.finished:
        told.append(AlertView(kind="wait", part="pad", text=words(_PAD_IS_TAKEN)))
    for part in (picture.parts or {}).values():
        if part.why is not None:
            kind = "fault" if part.state == "ok" else part.state
            told.append(AlertView(kind=kind, part=part.part, text=words.text(part.why, race)))
    return told


def part_states(picture: Picture) -> PartStates:
    """How each part is; one that nobody has told of is replaced by taps."""
    states = {name: part.state for name, part in (picture.parts or {}).items()}
    return PartStates(**{name: states.get(name, "tap") for name in PartStates.__struct_fields__})


def _odds(picture: Picture) -> OddsView | None:
    if not picture.odds:
        return None
    newest = picture.odds[-1]
    chances = [
        ChanceView(what=c.event.what, seat=c.event.seat, pieces=list(c.event.pieces), p=c.p, error=c.error)
        for c in newest.chances
    ]
    return OddsView(seq=newest.seq, chances=chances, exact=all(c.sampled == 0 for c in newest.chances))


_PAD_IS_TAKEN = N_("cards and pieces are given their tags: until that is done, tap the cards")
_MEANWHILE = {
    "undone": N_("the last decision was taken back"),
    "changed": N_("an earlier decision was changed"),
}
