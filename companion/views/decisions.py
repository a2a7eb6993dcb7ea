"""View models of the decisions in force: the list, the alternatives of one, the effects of a change."""

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
    """A decision that is no longer in force."""

    entry: Entry
    text: Text


class TakenBack(Done):
    """The decisions that are taken back, newest first, and a drawing without them; `text`: the earliest."""

    text: str
    taken: list[Gone]
    picture: Sketch


class PlayedLine(Reply):
    """A decision in the host's list."""

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
    """The alternatives of a decision: as it is tapped, or with the bet slip as the seat had it."""

    slip: BetSlip | None


class OnePlayed(PlayedLine):
    """A decision, its value, its alternatives, if it can be left `out`, and a drawing without it."""

    seq: Entry
    now: dict[str, Any] | None
    tap: Instead | None
    out: bool
    picture: Sketch


class Breaks(Reply):
    """The first later decision that does not fit, and the reason."""

    entry: Entry
    text: str
    reason: str


class Follows(Done):
    """How many later decisions fit, the first that does not and why, and the position after them."""

    fits: int
    of: int
    breaks: Breaks | None
    layout: dict[str, PlaceView]
    standings: list[StandingView]
    picture: Sketch


def gone(seq: int, was: Match, now: Match, words: Words) -> TakenBack:
    """Return the decisions that are no longer in force, newest first, and the drawing without them."""
    taken = [
        Gone(entry=turn.seq, text=_public_text(turn, was.place_of(turn.seq) in was.sealed, words))
        for turn in out_of_force(was, now)
    ]
    change = _public_text(was.changes[-1].was, False, words) if not taken and was.changes else ""
    text = taken[-1].text if taken else change
    return TakenBack(seq=seq, text=text, taken=taken, picture=sketch(was, now, words))


def all_played(seq: int, match: Match, words: Words) -> AllPlayed:
    """Return the decisions in force that anyone made, in public words."""
    newest_first = range(len(match.turns) - 1, -1, -1)
    lines = [line(match, index, words) for index in newest_first if match.turns[index].by != "companion"]
    return AllPlayed(seq=seq, played=lines)


def line(match: Match, index: int, words: Words) -> PlayedLine:
    """Return a decision as a line of the host's list."""
    turn, secret = match.turns[index], index in match.sealed
    why = closed_reason(match, index)
    stage = presented(match.position(index).seen_by(None)).stage()
    return PlayedLine(
        entry=turn.seq,
        seat=turn.decision.seat,
        piece=turn.decision.what if turn.decision.what in tuple(turn.race.pieces) and not secret else None,
        text=_public_text(turn, secret, words),
        stage=words.text(stage, turn.race) if stage else None,
        sealed=secret,
        changed=any(change.was.seq == turn.seq for change in match.changes),
        closed=words.text(why, turn.race) if why else None,
    )


def one_played(seq: int, match: Match, index: int, words: Words) -> OnePlayed:
    """Return a decision, the position before it, and its alternatives as far as they are public."""
    turn, known = match.turns[index], line(match, index, words)
    public = match.position(index).seen_by(None)
    due, do = public.awaits(), turn.decision.do
    seat = turn.decision.seat if turn.decision.seat is not None else due.seats[0] if due and due.seats else 0
    is_open = known.closed is None
    return OnePlayed(
        **structs.asdict(known),
        seq=seq,
        now=match.race.forms[do].written(turn.decision.what) if is_open else None,
        tap=_instead(public, do, seat, words) if is_open else None,
        out=is_open and replay_change(match, index, None).illegal_reason() is None,
        picture=sketch(match, taken_back(match, turn.seq)[0], words),
    )


def _instead(race: Race, do: str, seat: int, words: Words) -> Instead:
    return Instead(**structs.asdict(tap(race, do, seat, words)), slip=slip(race, do, seat, words))


def follows(seq: int, made: ChangeResult, words: Words) -> Follows:
    """Return the effects of a change to an earlier decision."""
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
    return Breaks(entry=turn.seq, text=_public_text(turn, secret, words), reason=reason)


def _public_text(turn: Turn, secret: bool, words: Words) -> str:
    text = words.text(turn_sentence(turn, secret), turn.race)
    return text[:1].upper() + text[1:]


def sketch(was: Match, now: Match, words: Words) -> Sketch:
    """Return a small drawing: the pieces on their present places, and the way of each to its new one."""
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
