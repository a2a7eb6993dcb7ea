"""Decisions of the match over HTTP: undo, review, change."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, request

from companion.errors import ConflictError, NotFoundError
from companion.http.request import as_json, body, entry, table, words
from companion.http.roles import needs
from companion.match.change import taken_back
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.table.snapshot import Snapshot
from companion.views import decisions as view
from companion.views.table.actions import undo

played_api = Blueprint("played_api", __name__, url_prefix="/api")


class Undo(msgspec.Struct, forbid_unknown_fields=True):
    """A command to take back the last decision, or everything from the decision of entry `to` on."""

    seq: int
    to: int | None = None


class ChangeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A record line to replace a decision, null to leave it out; `dry`: only report the consequences."""

    seq: int
    entry: int
    decision: dict[str, Any] | None
    dry: bool = False


@played_api.get("/undo")
@needs("table")
@as_json
def get_undo() -> view.TakenBack:
    """Return the decisions that an undo would take back, and a drawing of the position without them."""
    picture, match = _on_table()
    to = request.args.get("to", type=int)
    if to is not None and match.place_of(to) is None:
        raise ConflictError("nothing", Sentence(_NOT_IN_FORCE))
    if to is None and picture.gathered:
        press = undo(picture, match, words())
        text, stays = press.text if press else "", view.sketch(match, match, words())
        return view.TakenBack(seq=picture.seq, text=text, taken=[], picture=stays)
    earlier, undos = taken_back(match, to)
    if not undos:
        raise ConflictError("nothing", Sentence(_NOTHING))
    return view.gone(picture.seq, match, earlier, words())


@played_api.post("/undo")
@needs("table")
@as_json
def post_undo() -> view.TakenBack:
    """Take back the last decision, or all from one on; the answer has a drawing of the new position."""
    asked = body(Undo)
    was, now = table().ask(lambda t: t.play.undo(asked.seq, asked.to))
    return view.gone(entry(), was, now, words())


@played_api.get("/played")
@needs("host")
@as_json
def get_played() -> view.AllPlayed:
    """Return the decisions in force, the newest first, in public words."""
    picture, match = _on_table()
    return view.all_played(picture.seq, match, words())


@played_api.get("/played/<int:number>")
@needs("host")
@as_json
def get_one_played(number: int) -> view.OnePlayed:
    """Return a decision, the position before it, and its alternatives as far as they are public."""
    picture, match = _on_table()
    at = match.place_of(number)
    if at is None:
        raise NotFoundError("nothing", Sentence(_NOT_IN_FORCE))
    return view.one_played(picture.seq, match, at, words())


@played_api.post("/change")
@needs("host")
@as_json
def post_change() -> view.Follows:
    """Change an earlier decision, or report the consequences of a change."""
    asked = body(ChangeRequest)
    made = table().ask(lambda t: t.play.change(asked.seq, asked.entry, asked.decision, asked.dry))
    return view.follows(entry(), made, words())


def _on_table() -> tuple[Snapshot, Match]:
    picture = table().snapshot
    if picture.match is None:
        raise ConflictError("no-match", Sentence(_NO_MATCH))
    return picture, picture.match


_NOT_IN_FORCE = N_("that decision is not in force any longer: look again")
_NOTHING = N_("there is nothing to take back")
_NO_MATCH = N_("no game is running: start one on the host page")
