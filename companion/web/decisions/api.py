"""What was decided in the match: the list, what it could be instead, and pictures of where that leads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Blueprint, request

from companion.errors import Refused
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Place
from companion.match.change import Tried, closed, out_of_force, taken_back, told, tried
from companion.match.match import Match
from companion.match.record import standings
from companion.match.turn import Turn
from companion.message import N_, Sentence
from companion.table.picture import Picture
from companion.translate import Words
from companion.web.request import body, ok, table, words
from companion.web.roles import needs
from companion.web.seat import view as seat_view
from companion.web.table import view

played_api = Blueprint("played_api", __name__, url_prefix="/api")


class Undo(msgspec.Struct, forbid_unknown_fields=True):
    """Take back the last decision, or everything from the decision of entry `to` on."""

    seq: int
    to: int | None = None


class Change(msgspec.Struct, forbid_unknown_fields=True):
    """A record line in the place of a decision, null to leave it out; `dry`: only say what would follow."""

    seq: int
    entry: int
    decision: dict[str, Any] | None
    dry: bool = False


@played_api.get("/undo")
@needs("table")
def get_undo() -> dict[str, Any]:
    """What an undo would take back, and a picture of the position that it returns to."""
    picture, match = _on_table()
    to = request.args.get("to", type=int)
    if to is not None and match.place_of(to) is None:
        raise Refused("nothing", Sentence(_NOT_IN_FORCE))
    if to is None and picture.gathered:
        text = view.undo(picture, match, words())
        return {"seq": picture.seq, **(text or {}), "taken": [], "picture": sketch(match, match, words())}
    earlier, undos = taken_back(match, to)
    if not undos:
        raise Refused("nothing", Sentence(_NOTHING))
    return {"seq": picture.seq, **_gone(match, earlier, words())}


@played_api.post("/undo")
@needs("table")
def post_undo() -> dict[str, Any]:
    """Take the last decision back, or all from one on; the answer has the picture of where that led."""
    asked = body(Undo)
    was, now = table().ask(lambda t: t.play.undo(asked.seq, asked.to))
    return ok(**_gone(was, now, words()))


def _gone(was: Match, now: Match, words: Words) -> dict[str, Any]:
    """What is in force no longer, newest first, and the picture of the position without it."""
    gone = [
        {"entry": turn.seq, "text": _said(turn, was.place_of(turn.seq) in was.sealed, words)}
        for turn in out_of_force(was, now)
    ]
    text = _said(was.changes[-1].was, False, words) if not gone and was.changes else ""
    return {
        "text": gone[-1]["text"] if gone else text,
        "taken": gone,
        "picture": sketch(was, now, words),
    }


@played_api.get("/played")
@needs("host")
def get_played() -> dict[str, Any]:
    """The decisions in force, the newest first, in public words."""
    picture, match = _on_table()
    lines = [
        line(match, at, words())
        for at in range(len(match.turns) - 1, -1, -1)
        if match.turns[at].by != "companion"
    ]
    return {"seq": picture.seq, "played": lines}


def line(match: Match, at: int, words: Words) -> dict[str, Any]:
    """A decision as the host's list has it."""
    turn, secret = match.turns[at], at in match.sealed
    why = closed(match, at)
    stage = presented(match.position(at).seen_by(None)).stage()
    return {
        "entry": turn.seq,
        "seat": turn.decision.seat,
        "piece": turn.decision.what if turn.decision.what in tuple(turn.race.pieces) and not secret else None,
        "text": _said(turn, secret, words),
        "stage": words.text(stage, turn.race) if stage else None,
        "sealed": secret,
        "changed": any(change.was.seq == turn.seq for change in match.changes),
        "closed": words.text(why, turn.race) if why else None,
    }


@played_api.get("/played/<int:number>")
@needs("host")
def get_one_played(number: int) -> dict[str, Any]:
    """A decision, the position before it, and what it could be instead as far as everybody may know."""
    picture, match = _on_table()
    at = match.place_of(number)
    if at is None:
        raise Refused("nothing", Sentence(_NOT_IN_FORCE))
    turn = match.turns[at]
    told_of, public = line(match, at, words()), match.position(at).seen_by(None)
    due = public.awaits()
    seat = turn.decision.seat if turn.decision.seat is not None else due.seats[0] if due and due.seats else 0
    tap = None if told_of["closed"] else _instead(public, turn.decision.do, seat, words())
    out = not told_of["closed"] and tried(match, at, None).refusal() is None
    return {
        "seq": picture.seq,
        **told_of,
        "now": None if told_of["closed"] else match.race.forms[turn.decision.do].written(turn.decision.what),
        "tap": tap,
        "out": out,
        "picture": sketch(match, taken_back(match, number)[0], words()),
    }


def _instead(race: Race, do: str, seat: int, words: Words) -> dict[str, Any]:
    """What could be decided here: as it is tapped, or with the bet slip as the seat had it."""
    return view.tap(race, do, seat, words) | {"slip": seat_view.slip(race, do, seat, words)}


@played_api.post("/change")
@needs("host")
def post_change() -> dict[str, Any]:
    """Change an earlier decision, or say what would follow."""
    asked = body(Change)
    made = table().ask(lambda t: t.play.change(asked.seq, asked.entry, asked.decision, asked.dry))
    return ok(**follows(made, words()))


def follows(made: Tried, words: Words) -> dict[str, Any]:
    """How much of the rest fits, what does not and why, and where everything stands then."""
    was, race = made.was, made.match.race.seen_by(None)
    breaks = made.breaks and {
        "entry": made.breaks.seq,
        "text": _said(made.breaks, was.place_of(made.breaks.seq) in was.sealed, words),
        "reason": words.text(made.reason, race) if made.reason else "",
    }
    return {
        "fits": made.fits,
        "of": made.of,
        "breaks": breaks,
        "layout": {piece: _place(place) for piece, place in race.layout().items()},
        "standings": standings(race),
        "picture": sketch(was, made.match, words),
    }


def _on_table() -> tuple[Picture, Match]:
    picture = table().picture
    if picture.match is None:
        raise Refused("no-match", Sentence(_NO_MATCH))
    return picture, picture.match


def _said(turn: Turn, secret: bool, words: Words) -> str:
    text = words.text(told(turn, secret), turn.race)
    return text[:1].upper() + text[1:]


def _place(place: Place) -> dict[str, Any]:
    return {"zone": place.zone, "space": place.space}


def sketch(was: Match, now: Match, words: Words) -> dict[str, Any]:
    """A small picture: the pieces as they stand now, and the way of each to where it will stand."""
    before, after = was.race.seen_by(None), now.race.seen_by(None)
    there = before.layout()
    return {
        "animal": after.animal,
        "course": {key: value for key, value in after.track().items() if key != "food"},
        "food": after.track().get("food", []),
        "pieces": [
            {"piece": piece, "label": words.piece(piece, after), **_place(place)}
            for piece, place in after.layout().items()
        ],
        "moves": [
            _way(piece, there[piece], place, after)
            for piece, place in after.layout().items()
            if piece in there and there[piece] != place
        ],
        "say": words.text(prompt, after) if (prompt := presented(after).prompt()) else None,
    }


def _way(piece: str, start: Place, to: Place, race: Race) -> Mapping[str, Any]:
    over = view.over(start.space, to.space, race.track(), onward=False)
    ends = {"from": start.space, "at": start.zone, "to": to.space, "zone": to.zone}
    return {"piece": piece, **ends, "held": False, "over": over}


_NOT_IN_FORCE = N_("that decision is not in force any longer: look again")
_NOTHING = N_("there is nothing to take back")
_NO_MATCH = N_("no game is running: start one on the host page")
