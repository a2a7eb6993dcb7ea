"""The interface that stays (docs/openapi.yaml): bodies in JSON, refusals as sentences."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
from flask import Blueprint, Response, current_app, request, session

from companion import games
from companion.errors import InvalidInput, refuse
from companion.match.entries import Filed
from companion.match.record import Header
from companion.message import N_
from companion.translate import Words
from companion.web.request import Body, Empty, Seq, Switch, asker, body, ok, seats, table, words
from companion.web.roles import Pin, needs
from companion.web.table import view

api = Blueprint("api", __name__, url_prefix="/api")


class Decide(Seq):
    """A record line, decided by tap."""

    decision: dict[str, Any]


class Trust(Seq):
    """Which side to trust about a piece."""

    side: str
    piece: str


class Unlock(Body):
    """A PIN for a role."""

    pin: str
    role: str


class NewMatch(Body):
    """A game to start, as the record's header has it, and who deals."""

    game: str
    seats: list[str]
    start: int = 0
    options: dict[str, Any] = {}
    deal: str = "people"
    colours: list[str] = []
    nicknames: dict[str, str] = {}
    bots: list[str] = []
    explain: bool | None = None


class Explain(Body):
    """An explanation that was read, or whether there are to be any."""

    seen: str | None = None
    on: bool | None = None


@api.get("/table")
def get_table() -> dict[str, Any]:
    """The public table."""
    return view.table(table().picture, words())


@api.post("/decide")
def post_decide() -> dict[str, Any]:
    """A decision by tap, at the table or by the device of the seat that makes it."""
    asked, who, seated = body(Decide), asker(), seats()
    table().ask(lambda t: seated.decide(t, who, asked.seq, asked.decision))
    return ok()


@api.post("/redo")
@needs("table")
def post_redo() -> dict[str, Any]:
    """Put it back again."""
    asked = body(Seq)
    table().ask(lambda t: t.play.redo(asked.seq))
    return ok()


@api.post("/confirm")
@needs("table")
def post_confirm() -> dict[str, Any]:
    """Accept the offered line-up."""
    asked = body(Seq)
    table().ask(lambda t: t.play.confirm(asked.seq))
    return ok()


@api.post("/trust")
@needs("table")
def post_trust() -> dict[str, Any]:
    """Trust the app or the table about a piece."""
    asked = body(Trust)
    if asked.side not in ("app", "table"):
        raise InvalidInput("side must be app or table")
    table().ask(lambda t: t.play.trust(asked.seq, asked.side, asked.piece))
    return ok()


@api.post("/next")
@needs("table")
def post_next() -> dict[str, Any]:
    """Take the message shown away, like the button next."""
    body(Empty)
    table().ask(lambda t: t.play.dismiss())
    return ok()


@api.post("/used-cards")
@needs("host")
def post_used_cards() -> dict[str, Any]:
    """Show which cards are used, or not."""
    on = body(Switch).on
    table().ask(lambda t: t.show_used_cards(on))
    return ok()


@api.post("/explain")
@needs("table")
def post_explain() -> dict[str, Any]:
    """An explanation was read; or explain each step of this game once, or no more."""
    asked = body(Explain)
    if (asked.seen is None) == (asked.on is None):
        raise InvalidInput("say either seen, which explanation was read, or on, whether there are to be any")
    key, on = asked.seen, asked.on
    table().ask(lambda t: t.play.explained(key) if key is not None else t.play.explain(bool(on)))
    return ok()


@api.post("/unlock")
def post_unlock() -> dict[str, Any]:
    """Give this device a role for the PIN."""
    asked = body(Unlock)
    if asked.role not in ("table", "host"):
        raise InvalidInput("role must be table or host")
    pin: Pin = current_app.extensions["companion.pin"]
    pin.check(asked.pin, request.remote_addr or "")
    session.permanent = True
    session["roles"] = sorted({*session.get("roles", ()), asked.role})
    return ok(roles=session["roles"])


@api.post("/matches")
@needs("host")
def post_matches() -> dict[str, Any]:
    """Start a match."""
    asked = body(NewMatch)
    header = Header(asked.game, tuple(asked.seats), asked.start, asked.options)
    if any(not name.strip() for name in asked.seats):
        raise refuse(N_("every seat needs a name"))
    if asked.deal not in ("people", "companion"):
        raise InvalidInput("deal must be people or companion")
    number = table().ask(lambda t: t.begin(header, asked.deal, asked.colours, asked.nicknames, asked.bots))
    explain = asked.explain
    if explain is not None:
        table().ask(lambda t: t.play.explain(explain))
    again = msgspec.to_builtins(asked, builtin_types=(Decimal,))
    del again["explain"]  # that is asked anew at every game
    table().ask(lambda t: t.preferences.remember_game(again))
    return ok(id=number)


@api.get("/matches")
def get_matches() -> dict[str, Any]:
    """All matches, the newest first."""
    return {"matches": [_filed(filed, words()) for filed in table().ask(lambda t: t.archive.matches())]}


def _filed(filed: Filed, words: Words) -> dict[str, Any]:
    state = "finished" if filed.state == "played" else filed.state
    return {
        "id": filed.id,
        "game": filed.header.game,
        "title": words(games.find_by_name(filed.header.game).title),
        "seats": list(filed.header.seats),
        "state": state,
        "when": filed.began,
        "unit": games.find_by_name(filed.header.game).unit,
        "standings": [
            dict(row) | ({} if state == "finished" else {"place": None}) for row in filed.standings
        ],
    }


@api.post("/set-aside")
@needs("host")
def post_set_aside() -> dict[str, Any]:
    """Put the match away for another day."""
    asked = body(Seq)
    table().ask(lambda t: t.set_aside(asked.seq))
    return ok()


@api.post("/matches/<int:number>/resume")
@needs("host")
def post_resume(number: int) -> dict[str, Any]:
    """Bring a match back to the table."""
    table().ask(lambda t: t.resume(number))
    return ok(id=number)


@api.post("/end")
@needs("host")
def post_end() -> dict[str, Any]:
    """End the match for good."""
    asked = body(Seq)
    table().ask(lambda t: t.end(asked.seq))
    return ok()


@api.get("/matches/<int:number>/record")
def get_record(number: int) -> Response:
    """The record of a match that is over."""
    text = table().ask(lambda t: t.archive.record(number))
    name = f"race-{number}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, mimetype="application/jsonl", headers=headers)
