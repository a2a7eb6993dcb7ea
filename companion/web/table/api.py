"""The stable API (docs/openapi.yaml): bodies in JSON, errors as sentences."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any

import msgspec
from flask import Blueprint, Response, current_app
from msgspec import UNSET, Meta, UnsetType

from companion import games
from companion.errors import InvalidInput, validation_error
from companion.http.request import (
    Body,
    Empty,
    OnOff,
    Seq,
    as_json,
    body,
    done,
    entry,
    table,
    whole_number,
    words,
)
from companion.http.roles import PinLock, client_address, device, grant_role, needs, new_name, set_device_name
from companion.match.entries import Filed
from companion.match.record import Header
from companion.message import N_
from companion.reply import Colour, Done, GameName, Reply, SeatNames, Unit, When, one_of
from companion.table.again import again
from companion.table.practice import forget_practice, practise
from companion.table.table import Table
from companion.translate import Words
from companion.views.table import public
from companion.views.table.public import StandingView
from companion.web.caller import asker, seats
from companion.web.seats import Renamed

api = Blueprint("api", __name__, url_prefix="/api")

MOST_OVER = 100  # games that are over, if only some are asked for


class Decide(Seq):
    """A record line, decided by tap."""

    decision: dict[str, Any]


class ConfirmRequest(Seq):
    """The line-up that was shown with the button; without it, the one that the pieces offer now."""

    order: list[Colour] | UnsetType = UNSET


class TrustRequest(Seq):
    """The side to trust about a piece."""

    side: str
    piece: str


class Unlock(Body):
    """A PIN for a role."""

    pin: str
    role: str


class NewMatch(Body):
    """A game to start, as in the record's header, and who deals."""

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
    """An explanation that was read, or a switch for all explanations."""

    seen: str | UnsetType = UNSET
    on: bool | UnsetType = UNSET


class Unlocked(Done):
    """The roles that this device has now."""

    roles: list[Annotated[str, one_of("table", "host")]]


class OnTable(Done):
    """The match that is on the table now."""

    id: Annotated[int, Meta(ge=1)]


class FiledMatch(Reply):
    """A match in the list of all; no one has a place in one that was not played to its end."""

    id: Annotated[int, Meta(ge=1)]
    game: GameName
    title: str
    seats: SeatNames
    state: Annotated[str, one_of("running", "finished", "aside", "ended")]
    when: When
    unit: Unit
    standings: list[StandingView]


class AllMatches(Reply):
    """All matches, the newest first."""

    matches: list[FiledMatch]


@api.get("/table")
@as_json
def get_table() -> public.TableView:
    """Return the public table."""
    return public.table(table().snapshot, words())


@api.post("/decide")
@as_json
def post_decide() -> Done:
    """Make a decision by tap, at the table or by the device of the seat that makes it."""
    asked, who, seated = body(Decide), asker(), seats()
    table().ask(lambda t: seated.decide(t, who, asked.seq, asked.decision))
    return done()


@api.post("/redo")
@needs("table")
@as_json
def post_redo() -> Done:
    """Put the decision that was taken back into force again."""
    asked = body(Seq)
    table().ask(lambda t: t.play.redo(asked.seq))
    return done()


@api.post("/confirm")
@needs("table")
@as_json
def post_confirm() -> Done:
    """Accept the offered line-up."""
    asked = body(ConfirmRequest)
    order = None if asked.order is UNSET else asked.order
    table().ask(lambda t: t.play.confirm(asked.seq, order))
    return done()


@api.post("/trust")
@needs("table")
@as_json
def post_trust() -> Done:
    """Trust the app or the table about a piece."""
    asked = body(TrustRequest)
    if asked.side not in ("app", "table"):
        raise InvalidInput("side must be app or table")
    table().ask(lambda t: t.play.trust(asked.seq, asked.side, asked.piece))
    return done()


@api.post("/next")
@needs("table")
@as_json
def post_next() -> Done:
    """Dismiss the message shown, like the button next."""
    body(Empty)
    table().ask(lambda t: t.play.dismiss())
    return done()


@api.post("/used-cards")
@needs("host")
@as_json
def post_used_cards() -> Done:
    """Show or hide the used cards."""
    on = body(OnOff).on
    table().ask(lambda t: t.show(used_cards=on))
    return done()


@api.post("/landings")
@needs("host")
@as_json
def post_landings() -> Done:
    """Show or hide on a seat's own cards where each would land."""
    on = body(OnOff).on
    table().ask(lambda t: t.show(landings=on))
    return done()


@api.post("/remember-play")
@needs("host")
@as_json
def post_remember_play() -> Done:
    """Let the odds of the next game remember how these people played before, or not."""
    on = body(OnOff).on
    table().ask(lambda t: t.show(remember_play=on))
    return done()


@api.post("/explain")
@needs("table")
@as_json
def post_explain() -> Done:
    """Mark an explanation as read; or turn the explanations of this game on or off."""
    asked = body(Explain)
    if (asked.seen is UNSET) == (asked.on is UNSET):
        raise InvalidInput("say either seen, which explanation was read, or on, whether there are to be any")
    key, on = asked.seen, asked.on
    table().ask(lambda t: t.play.explained(key) if isinstance(key, str) else t.play.explain(bool(on)))
    return done()


@api.post("/unlock")
@as_json
def post_unlock() -> Unlocked:
    """Give this device a role for the PIN."""
    asked = body(Unlock)
    if asked.role not in ("table", "host"):
        raise InvalidInput("role must be table or host")
    pin: PinLock = current_app.extensions["companion.pin"]
    pin.check(asked.pin, client_address())
    renamed = Renamed(device(), new_name())
    seats().follow(renamed)
    set_device_name(renamed.now)
    return Unlocked(seq=entry(), roles=grant_role(asked.role))


@api.post("/matches")
@needs("host")
@as_json
def post_matches() -> OnTable:
    """Start a match."""
    asked = body(NewMatch)
    header = Header(asked.game, tuple(asked.seats), asked.start, asked.options)
    if any(not name.strip() for name in asked.seats):
        raise validation_error(N_("every seat needs a name"))
    if asked.deal not in ("people", "companion"):
        raise InvalidInput("deal must be people or companion")
    number = table().ask(lambda t: _begin(t, header, asked))
    explain = asked.explain
    if explain is not None:
        table().ask(lambda t: t.play.explain(explain))
    settings = msgspec.to_builtins(asked, builtin_types=(Decimal,))
    del settings["explain"]  # every new game asks for it again
    table().ask(lambda t: t.preferences.remember_game(settings))
    return OnTable(seq=entry(), id=number)


def _begin(table_now: Table, header: Header, asked: NewMatch) -> int:
    number = table_now.begin(header, asked.deal, asked.colours, asked.nicknames, asked.bots)
    forget_practice(table_now)
    return number


@api.post("/practice")
@needs("table")
@as_json
def post_practice() -> OnTable:
    """Begin a practice round for newcomers: two minutes against a robot, explained step by step."""
    body(Empty)
    said = words()
    seats = (said(_NEWCOMER), said(_ROBOT))
    number = table().ask(lambda t: practise(t, seats))
    return OnTable(seq=entry(), id=number)


@api.post("/again")
@needs("table")
@as_json
def post_again() -> OnTable:
    """Play again: the same people, the same game; the next seat starts."""
    asked = body(Seq)
    number = table().ask(lambda t: again(t, asked.seq))
    return OnTable(seq=entry(), id=number)


@api.get("/matches")
@as_json
def get_matches() -> AllMatches:
    """Return all matches, the newest first; with `most` only so many of those that are over."""
    most = whole_number("most", MOST_OVER)
    filed = table().ask(lambda t: [*t.archive.going_on(), *t.archive.over(most)])
    newest_first = sorted(filed, key=lambda one: -one.id)
    return AllMatches(matches=[_filed(one, words()) for one in newest_first])


def _filed(filed: Filed, words: Words) -> FiledMatch:
    game, finished = games.find_by_name(filed.header.game), filed.state in ("played", "finished")
    return FiledMatch(
        id=filed.id,
        game=filed.header.game,
        title=words(game.title),
        seats=list(filed.header.seats),
        state="finished" if finished else filed.state,
        when=filed.began,
        unit=game.unit,
        standings=public.filed_standings(filed, finished),
    )


@api.post("/set-aside")
@needs("host")
@as_json
def post_set_aside() -> Done:
    """Put the match away for another day."""
    asked = body(Seq)
    table().ask(lambda t: t.set_aside(asked.seq))
    return done()


@api.post("/matches/<int:number>/resume")
@needs("host")
@as_json
def post_resume(number: int) -> OnTable:
    """Bring a match back to the table."""
    table().ask(lambda t: t.resume(number))
    return OnTable(seq=entry(), id=number)


@api.post("/end")
@needs("host")
@as_json
def post_end() -> Done:
    """End the match for good."""
    asked = body(Seq)
    table().ask(lambda t: t.end(asked.seq))
    return done()


@api.get("/matches/<int:number>/record")
def get_record(number: int) -> Response:
    """Return the record of a match that is over."""
    text = table().ask(lambda t: t.archive.record(number))
    name = f"race-{number}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, mimetype="application/jsonl", headers=headers)


_NEWCOMER = N_("Guest")
_ROBOT = N_("Coach")
