"""Decisions in force as the pages have them: the list, what one could be instead, where that leads."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, structs

from companion.games.presenter import presented
from companion.games.race import Race
from companion.match.change import (
    ChangeResult,
    closed_reason,
    out_of_force,
    replay_change,
    taken_back,
    turn_sentence,
)
from companion.match.match import Match
from companion.match.turn import Turn
from companion.reply import Colour, Done, Entry, Reply, Seat, Text
from companion.translate import Words
from companion.views.course.drawn import Sketch, course_of, food_on, over, pieces_of, way
from companion.views.seat.forms import BetSlip, slip
from companion.views.table.actions import Tap, tap
from companion.views.table.public import PlaceView, StandingView, layout, standings


class Gone(Reply):
    """A decision that is in force no longer."""

    entry: Entry
    text: Text


class TakenBack(Done):
    """What is taken back, the newest first, and a picture of the position without; `text`: the earliest."""

    text: str
    taken: list[Gone]
    picture: Sketch


class PlayedLine(Reply):
    """A decision as the host's list has it."""

    entry: Entry
    seat: Seat | None
    piece: Colour | None
    text: Text
    stage: str | None
    sealed: Annotated[bool, Meta(description="Whether the public does not know it yet.")]
    changed: bool
    closed: Annotated[str, Meta(description="Why it cannot be changed.")] | None


class AllPlayed(Done):
    """The decisions in force, the newest first."""

    played: list[PlayedLine]


class Instead(Tap):
    """What could be decided here: as it is tapped, or with the bet slip as the seat had it."""

    slip: BetSlip | None


class OnePlayed(PlayedLine):
    """A decision, what it says and could say instead, whether it can be left `out`, a picture without it."""

    seq: Entry
    now: dict[str, Any] | None
    tap: Instead | None
    out: bool
    picture: Sketch


class Breaks(Reply):
    """The first later decision that does not fit, and why."""

    entry: Entry
    text: str
    reason: str


class Follows(Done):
    """How much of the rest fits, what does not and why, and where everything stands then."""

    fits: int
    of: int
    breaks: Breaks | None
    layout: dict[str, PlaceView]
    standings: list[StandingView]
    picture: Sketch


def gone(seq: int, was: Match, now: Match, words: Words) -> TakenBack:
    """What is in force no longer, newest first, and the picture of the position without it."""
    taken = [
        Gone(entry=turn.seq, text=_said(turn, was.place_of(turn.seq) in was.sealed, words))
        for turn in out_of_force(was, now)
    ]
    change = _said(was.changes[-1].was, False, words) if not taken and was.changes else ""
    text = taken[-1].text if taken else change
    return TakenBack(seq=seq, text=text, taken=taken, picture=sketch(was, now, words))


def all_played(seq: int, match: Match, words: Words) -> AllPlayed:
    """The decisions in force that anybody made, in public words."""
    newest_first = range(len(match.turns) - 1, -1, -1)
    lines = [line(match, at, words) for at in newest_first if match.turns[at].by != "companion"]
    return AllPlayed(seq=seq, played=lines)


def line(match: Match, at: int, words: Words) -> PlayedLine:
    """A decision as the host's list has it."""
    turn, secret = match.turns[at], at in match.sealed
    why = closed_reason(match, at)
    stage = presented(match.position(at).seen_by(None)).stage()
    return PlayedLine(
        entry=turn.seq,
        seat=turn.decision.seat,
        piece=turn.decision.what if turn.decision.what in tuple(turn.race.pieces) and not secret else None,
        text=_said(turn, secret, words),
        stage=words.text(stage, turn.race) if stage else None,
        sealed=secret,
        changed=any(change.was.seq == turn.seq for change in match.changes),
        closed=words.text(why, turn.race) if why else None,
    )


def one_played(seq: int, match: Match, at: int, words: Words) -> OnePlayed:
    """A decision, the position before it, and what it could be instead as far as everybody may know."""
    turn, known = match.turns[at], line(match, at, words)
    public = match.position(at).seen_by(None)
    due, do = public.awaits(), turn.decision.do
    seat = turn.decision.seat if turn.decision.seat is not None else due.seats[0] if due and due.seats else 0
    is_open = known.closed is None
    return OnePlayed(
        **structs.asdict(known),
        seq=seq,
        now=match.race.forms[do].written(turn.decision.what) if is_open else None,
        tap=_instead(public, do, seat, words) if is_open else None,
        out=is_open and replay_change(match, at, None).illegal_reason() is None,
        picture=sketch(match, taken_back(match, turn.seq)[0], words),
    )


def _instead(race: Race, do: str, seat: int, words: Words) -> Instead:
    return Instead(**structs.asdict(tap(race, do, seat, words)), slip=slip(race, do, seat, words))


def follows(seq: int, made: ChangeResult, words: Words) -> Follows:
    """What a change to an earlier decision brings."""
    was, race = made.was, made.match.race.seen_by(None)
    return Follows(
        seq=seq,
        fits=made.fits,
        of=made.of,
        breaks=_breaks(made, race, words),
        layout=layout(race),
        standings=standings(race),
        picture=sketch(was, made.match, words),
    )


def _breaks(made: ChangeResult, race: Race, words: Words) -> Breaks | None:
    if made.breaks is None:
        return None
    turn, secret = made.breaks, made.was.place_of(made.breaks.seq) in made.was.sealed
    reason = words.text(made.reason, race) if made.reason else ""
    return Breaks(entry=turn.seq, text=_said(turn, secret, words), reason=reason)


def _said(turn: Turn, secret: bool, words: Words) -> str:
    text = words.text(turn_sentence(turn, secret), turn.race)
    return text[:1].upper() + text[1:]


def sketch(was: Match, now: Match, words: Words) -> Sketch:
    """A small picture: the pieces as they stand now, and the way of each to where it will stand."""
    before, after = was.race.seen_by(None), now.race.seen_by(None)
    there, track, prompt = before.layout(), after.track(), presented(after).prompt()
    return Sketch(
        animal=after.animal,
        course=course_of(track),
        food=food_on(after),
        pieces=pieces_of(after, words),
        moves=[
            way(piece, there[piece], place, over(there[piece].space, place.space, track, onward=False))
            for piece, place in after.layout().items()
            if piece in there and there[piece] != place
        ],
        say=words.text(prompt, after) if prompt else None,
    )
