"""A journal entry as a published event: a value, made of the match before and after, in the public view.

A view is made by `seen_by(None)` alone. Of a decision that is secret when it is made only the fact is
published, for good: its consequences are in the news and scores of the entry that reveals it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, structs

from companion.games.race import Race
from companion.match.entries import By, Entry, EntryKind
from companion.match.match import Match
from companion.match.record import decision_line
from companion.match.turn import Turn
from companion.translate import Words
from companion.views.table.public import Due, NewsView, StandingView, due, news_sentence, standings

State = Literal["running", "finished", "aside", "ended"]


class Changed(Struct, frozen=True, kw_only=True):
    """The present decision of an earlier entry."""

    entry: int
    decision: dict[str, Any]


class Event(Struct, frozen=True, kw_only=True):
    """The consequences of an entry.

    `entry` is its number, `previous` that of the entry published before it: numbers only rise, and none is
    missing while each `previous` is the `entry` before. `at`: the time, ISO 8601 in UTC. `decision`: the
    decision as its line of the record, a secret one without the secret; null where the entry is none. `gone`,
    `back`: entries whose decisions are no longer in force, or again as they were; `changed`: those that are
    others. `standings`: scores after it, the first first, without places in a game that was given up.
    `clock`: "unset" if the clock of the table was not set, so that `at` is in order, but wrong; else missing.
    """

    table: str
    match: int
    entry: int
    previous: int
    at: str
    kind: EntryKind
    by: By
    game: str
    seats: list[str]
    state: State
    decision: dict[str, Any] | None
    gone: list[int]
    back: list[int]
    changed: list[Changed]
    news: list[NewsView]
    next: Due | None
    standings: list[StandingView]
    clock: Literal["unset"] | UnsetType = UNSET


def happened(event: Event) -> str:
    """Return the kind of the event: `won` if it ended the game, else the kind of its entry."""
    won = event.state == "finished" and event.kind in ("decide", "redo", "change")
    return "won" if won else event.kind


def event_of(
    table: str, previous: int, at: str, entry: Entry, was: Match, now: Match, undated: bool = False
) -> Event:
    """Return the public event of an entry that made one match of the other; `previous` was published before
    it, and it is `undated` if the clock was not set.
    """
    race, state = now.race.seen_by(None), _state(now)
    before, after = _in_force(was), _in_force(now)
    return Event(
        table=table,
        match=now.id,
        entry=entry.seq,
        previous=previous,
        at=at,
        kind=entry.kind,
        by=entry.by,
        game=now.header.game,
        seats=list(now.header.seats),
        state=state,
        decision=_line(now, after[entry.seq]) if entry.seq in after else None,
        gone=sorted(before.keys() - after.keys()),
        back=sorted(after.keys() - before.keys() - {entry.seq}),
        changed=[
            Changed(entry=seq, decision=_line(now, number))
            for seq, number in sorted(after.items())
            if seq in before and was.turns[before[seq]].decision != now.turns[number].decision
        ],
        news=list(_news(now)),
        next=due(race) if state == "running" else None,
        standings=[structs.replace(one, place=None) if state == "ended" else one for one in standings(race)],
        clock="unset" if undated else UNSET,
    )


def _in_force(match: Match) -> dict[int, int]:
    """Return the number of each decision in force, from 0, by its entry."""
    return {turn.seq: number for number, turn in enumerate(match.turns)}


def _state(match: Match) -> State:
    if match.last == "end":
        return "ended"
    if match.last == "aside":
        return "aside"
    return "finished" if match.finished else "running"


def _line(match: Match, number: int) -> dict[str, Any]:
    """Return the public part of a decision in force: all of it, if it was made in the open."""
    turn = match.turns[number]
    line = decision_line(match.opening, turn.decision)
    if turn.secret or _is_hidden_deal(match.position(number), turn):
        return {key: line[key] for key in ("do", "seat") if key in line}
    return line


def _is_hidden_deal(before: Race, turn: Turn) -> bool:
    is_deal = turn.by == "companion" or turn.decision in before.decisions(None)
    return is_deal and turn.race.seen_by(None) != turn.race


def _news(match: Match) -> Iterable[NewsView]:
    """Yield the news of the last entry, each once: of a deal nothing of the decision that it followed."""
    if match.last not in ("decide", "change", "undo", "redo"):
        return
    race = match.race.seen_by(None)
    for news in race.news if match.last == "decide" else match.happened(None):
        yield NewsView(kind=news.kind, text=Words.english().text(news_sentence(news, race), race))
