"""The public table for programs: `GET /api/table` and the event `table`."""

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
from companion.table.snapshot import Snapshot
from companion.translate import Words

PartState = Annotated[str, one_of("ok", "tap", "lost")]


class MatchHead(Reply):
    """A match: its number, its game, its players, its rules."""

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
    """A seat's score and place; no place if the game gives none."""

    seat: Seat
    name: str
    score: int
    place: Annotated[int, Meta(ge=1)] | None


class PlaceView(Reply):
    """The place of a piece; it has a space only on the track."""

    zone: Zone
    space: Annotated[int, Meta(ge=0)] | None


class TodoView(Reply):
    """A piece to move: from its sensed place, else its former one; `held`: the next card waits for it."""

    piece: Colour
    start: PlaceView | None = field(name="from")
    to: PlaceView
    held: bool
    text: Text


class NewsView(Reply):
    """An event of the last entry."""

    kind: str
    text: Text


class AlertView(Reply):
    """A notice to the players.

    `refused`: pad or track rejects a card or piece; `held`: a card waits until the pieces are right;
    `not-played`: it was lifted too early; `wait`: tags are being given, so cards are tapped; `tap`, `lost`,
    `fault`: the state of a part; `journal`: a problem with its file. `part` is "" for the companion itself.
    """

    kind: Annotated[str, one_of("refused", "held", "not-played", "wait", "tap", "lost", "fault", "journal")]
    part: Annotated[str, one_of("pad", "track", "panel", "")]
    text: Text


class PartStates(Reply):
    """The state of each part. `tap`: it is replaced by taps; `lost`: it was there and is gone."""

    pad: PartState
    track: PartState
    panel: PartState


class ChanceView(Reply):
    """The probability of an event, and half the width of its 95 % interval.

    Of a seat: `win` the game, `keep` its food of this round (pigs), its horse is `placed` (giro). Of
    `pieces`: `win` this race, `place` first or second, `double` these two first and second.
    """

    what: Annotated[str, one_of("win", "keep", "placed", "place", "double")]
    seat: Seat | None
    pieces: Annotated[list[Colour], Meta(max_length=2)]
    p: Annotated[float, Meta(ge=0, le=1)]
    error: Annotated[float, Meta(ge=0)]


class OddsView(Reply):
    """All chances, computed from what is public at entry `seq`."""

    seq: Entry
    chances: list[ChanceView]
    exact: bool


class TableView(Reply):
    """The public table. A finished match stays on it until the next one."""

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


def table(picture: Snapshot, words: Words) -> TableView:
    """Return the public table."""
    return TableView(**seen_by(None, picture, words))


def seen_by(seat: int | None, picture: Snapshot, words: Words) -> dict[str, Any]:
    """Return the fields of a `TableView` as a seat may see them; None: as everyone may."""
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
    """Return the fields of a `MatchHead`."""
    return {
        "id": match.id,
        "game": match.header.game,
        "seats": list(match.header.seats),
        "options": plain(dict(match.header.options)),
        "colours": list(match.colours),
        "bots": list(match.bots),
    }


def plain(value: Any) -> Any:
    """Return an option as JSON; odds with decimals are exact in the record only."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def due(race: Race) -> Due | None:
    """Return the decision that the game waits for; None when it is finished."""
    awaited = race.awaits()
    return None if awaited is None else Due(do=awaited.do, seats=sorted(awaited.seats))


def standings(race: Race) -> list[StandingView]:
    """Return the standings, the first first."""
    return [StandingView(**standing._asdict()) for standing in race.standings()]


def filed_standings(filed: Filed, finished: bool) -> list[StandingView]:
    """Return those of a filed match; no one has a place if it was not played to its end."""
    rows = (dict(row) | ({} if finished else {"place": None}) for row in filed.standings)
    return [StandingView(**row) for row in rows]


def layout(race: Race) -> dict[str, PlaceView]:
    """Return the place of each piece."""
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
        yield NewsView(kind=news.kind, text=words.text(news_sentence(news, race), race))


def news_sentence(news: News, race: Race) -> Sentence:
    """Return news of the game or of its decisions as a sentence."""
    return Sentence(_MEANWHILE[news.kind]) if news.kind in _MEANWHILE else presented(race).sentence(news)


def alerts(picture: Snapshot, words: Words) -> list[AlertView]:
    """Return the notices to the players: rejected cards, unknown tags, parts that are lost or absent."""
    match = picture.match
    race = match.race if match else None
    views = [AlertView(kind=a.kind, part=a.part, text=words.text(a.text, race)) for a in picture.alerts]
    if picture.enrolment is not None and match is not None and not match.finished:
        views.append(AlertView(kind="wait", part="pad", text=words(_PAD_IS_TAKEN)))
    for part in (picture.parts or {}).values():
        if part.why is not None:
            kind = "fault" if part.state == "ok" else part.state
            views.append(AlertView(kind=kind, part=part.part, text=words.text(part.why, race)))
    return views


def part_states(picture: Snapshot) -> PartStates:
    """Return the state of each part; a part without reports is replaced by taps."""
    parts = picture.parts or {}
    names = PartStates.__struct_fields__
    return PartStates(**{name: parts[name].state if name in parts else "tap" for name in names})


def _odds(picture: Snapshot) -> OddsView | None:
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
