"""The organiser's pages: leagues, their members and rounds, imported files, quarantined messages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Final, ParamSpec

import msgspec
from flask import Blueprint, Flask, Response, current_app, render_template, request, session
from msgspec import DecodeError, Struct, json
from sqlalchemy import Engine, func, select
from werkzeug.wrappers import Response as Answer

from companion import games
from companion.errors import ValidationError, validation_error
from companion.http.request import words
from companion.http.sessions import cookie_values
from companion.hub import leagues, schema
from companion.hub.database import utc
from companion.hub.intake import Intake
from companion.hub.league import POINTS
from companion.hub.organiser import is_organiser, organiser_mark
from companion.hub.site.guesses import Guesses, device, opened
from companion.hub.site.shown import engine, now, private, to
from companion.hub.validation import TableMessage
from companion.hub.watch import Watched, watched
from companion.message import N_

P = ParamSpec("P")

organiser = Blueprint("organiser", __name__)

IMPORT: Final = "/organiser/import"
MOST_TAKEN: Final = 32 * 1024 * 1024  # bytes of files at once, as tools/club/site.conf has it
ORGANISER: Final = "· organiser"  # guesses at the code are counted by it; no name of a person
LATEST: Final = 50  # quarantined messages


def for_organiser(view: Callable[P, Answer]) -> Callable[P, Answer]:
    """Decorate a view so that any other visitor is asked for the organiser's code."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> Answer:
        with engine().connect() as db:
            mark = organiser_mark(db)
        if mark is None or session.get("organiser") != mark:
            page = private(render_template("club/organiser-enter.html", known=mark is not None))
            page.status_code = 200 if request.method == "GET" else 403
            return page
        return view(*args, **kwargs)

    return guarded


def is_signed_in(app: Flask, cookie: str) -> bool:
    """Return True if a Cookie header is the organiser's, to be checked before Flask reads a request."""
    mark = cookie_values(app, cookie).get("organiser")
    if mark is None:
        return False
    engine: Engine = app.extensions["companion.engine"]
    with engine.connect() as db:
        return bool(mark == organiser_mark(db))


@organiser.post("/organiser/enter")
def enter() -> Answer:
    """Sign in as the organiser, by the code."""
    tried: Guesses = current_app.extensions["companion.guesses"]
    guess = tried.attempt(ORGANISER, device(ORGANISER))
    with engine().connect() as db:
        mark = organiser_mark(db)
        if not is_organiser(db, request.form.get("code", "")):
            error = words()(_WRONG)
            page = private(render_template("club/organiser-enter.html", known=mark is not None, error=error))
            page.status_code = 403
            return page
    tried.right(guess)
    opened(ORGANISER)
    session["organiser"] = mark
    return to("organiser")


@organiser.post("/organiser/leave")
def leave() -> Answer:
    """Sign the organiser out on this device."""
    session["organiser"] = None  # an empty one would not be sent
    return to("organiser")


@organiser.get("/organiser")
@for_organiser
def page() -> Response:
    """Return the organiser's main page."""
    return _page()


@organiser.post("/organiser/leagues")
@for_organiser
def create() -> Answer:
    """Create a league."""
    form = request.form
    try:
        with engine().begin() as db:
            league = leagues.create(
                db,
                form.get("name", ""),
                form.get("kind", ""),
                _day(form.get("since")) or now(),
                game=form.get("game") or None,
                until=_day(form.get("until"), 1),
                seats=form.get("seats", 4, int),
                points=_points(form.get("points", "")),
            )
    except ValidationError as error:
        return _page(error)
    return to(f"organiser/leagues/{league.slug}")


@organiser.get("/organiser/leagues/<slug>")
@for_organiser
def league_page(slug: str) -> Response:
    """Return the page to manage a league."""
    return _league_page(slug)


@organiser.post("/organiser/leagues/<slug>/members")
@for_organiser
def join(slug: str) -> Answer:
    """Add members, one on each line."""
    try:
        with engine().begin() as db:
            league = leagues.find(db, slug)
            for name in filter(str.strip, request.form.get("names", "").splitlines()):
                leagues.join(db, league, name)
    except ValidationError as error:
        return _league_page(slug, error)
    return to(f"organiser/leagues/{slug}")


@organiser.post("/organiser/leagues/<slug>/members/away")
@for_organiser
def away(slug: str) -> Answer:
    """Remove a member."""
    with engine().begin() as db:
        leagues.leave(db, leagues.find(db, slug), request.form.get("name", ""))
    return to(f"organiser/leagues/{slug}")


@organiser.post("/organiser/leagues/<slug>/draw")
@for_organiser
def draw(slug: str) -> Answer:
    """Draw the next round, once: the form contains the number of rounds so far."""
    try:
        with engine().begin() as db:
            league = leagues.find(db, slug)
            drawn = len(leagues.rounds(db, league))
            if request.form.get("after", -1, int) != drawn:
                raise validation_error(_DRAWN_ALREADY, n=drawn)
            leagues.draw(db, league, now(), request.form.get("force") == "yes")
    except ValidationError as error:
        return _league_page(slug, error)
    return to(f"organiser/leagues/{slug}")


@organiser.post("/organiser/leagues/<slug>/remove")
@for_organiser
def remove(slug: str) -> Answer:
    """Delete a league, if confirmed."""
    if request.form.get("sure") != "yes":
        return _league_page(slug, validation_error(_NOT_SURE))
    with engine().begin() as db:
        leagues.remove(db, leagues.find(db, slug))
    return to("organiser")


@organiser.post("/organiser/accept")
@for_organiser
def accept() -> Answer:
    """Accept another machine as this table."""
    Intake(engine()).accept(request.form.get("table", ""))
    return to("organiser")


@organiser.post(IMPORT)
@for_organiser
def take() -> Answer:
    """Import sealed records from files."""
    request.max_content_length = request.max_form_memory_size = MOST_TAKEN
    messages, invalid = [], []
    for file in request.files.getlist("files"):
        body = file.read()
        try:
            messages.append(TableMessage(json.decode(body, type=_Named).claim.table, "records", body))
        except (DecodeError, msgspec.ValidationError, UnicodeDecodeError):
            invalid.append(file.filename or "?")
    newest = select(func.max(schema.refused.c.id))
    with engine().connect() as db:
        before = db.execute(newest).scalar() or 0
    Intake(engine()).take(messages)
    r = schema.refused.c
    with engine().connect() as db:
        refused = db.execute(select(r.table, r.reason).where(r.id > before)).all()
    reasons = [f"{row.table}: {row.reason}" for row in refused]
    if invalid:
        reasons.append(words()(_STRANGE).format(text=", ".join(invalid)))
    return _page(taken=len(messages) - len(refused), reasons=reasons)


class _Claim(Struct):
    table: str


class _Named(Struct):
    """The part of a file that identifies the table of its record."""

    claim: _Claim


@organiser.app_template_filter("clock")
def clock(table: Watched) -> str:
    """Return the error of a table's clock, in the viewer's language; a dash if none is known."""
    if table.behind_s is None or not table.is_wrong:
        return "–"
    minutes = round(abs(table.behind_s) / 60)
    hours, is_slow = minutes >= 120, table.behind_s > 0
    text = words()(_CLOCKS[is_slow, hours])
    return text.format(n=round(minutes / 60) if hours else minutes)


def _page(
    error: ValidationError | None = None, taken: int | None = None, reasons: list[str] | None = None
) -> Response:
    r = schema.refused.c
    with engine().connect() as db:
        found, tables = leagues.every(db), watched(db, now())
        refused = db.execute(
            select(r.table, r.at, r.kind, r.reason).order_by(r.id.desc()).limit(LATEST)
        ).all()
        other_key = r.reason.contains("companion hub accept")
        strangers = db.execute(select(r.table).where(other_key).distinct().limit(LATEST)).scalars().all()
    page = render_template(
        "club/organiser.html",
        leagues=found,
        watched=tables,
        kinds=leagues.KINDS,
        known_games={name: words()(game.title) for name, game in games.all_games().items()},
        refused=[{**row._mapping, "at": utc(row.at)} for row in refused],
        accepted=sorted(strangers),
        error=error and words().text(error.sentence),
        taken=taken,
        reasons=reasons or [],
        today=f"{now():%Y-%m-%d}",
        form=request.form,
    )
    response = private(page)
    response.status_code = 400 if error else 200
    return response


def _league_page(slug: str, error: ValidationError | None = None) -> Response:
    with engine().connect() as db:
        league = leagues.find(db, slug)
        rounds = leagues.rounds(db, league)
        members = leagues.members(db, league)
    page = render_template(
        "club/organiser-league.html",
        league=league,
        members=members,
        rounds=rounds,
        error=error and words().text(error.sentence),
    )
    response = private(page)
    response.status_code = 400 if error else 200
    return response


def _day(text: str | None, more: int = 0) -> datetime | None:
    """Return the beginning of a day, or of one so many days later; None for an empty text."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC) + timedelta(days=more)
    except (ValueError, OverflowError):
        raise validation_error(_NO_DAY, text=text[:30]) from None


def _points(text: str) -> list[float]:
    if not text.strip():
        return list(POINTS)
    try:
        return [float(number) for number in text.replace(";", " ").split()]
    except ValueError:
        raise validation_error(leagues.NO_POINTS) from None


_WRONG: Final = N_("that is not the organiser's code: look at it again")
_NOT_SURE: Final = N_("tick that you mean it: nobody can bring it back")
_DRAWN_ALREADY: Final = N_("round {n} is drawn already: look at it")
_STRANGE: Final = N_("no sealed records: {text}; take the files from the page of a game, or from a table")
_NO_DAY: Final = N_("{text} is no day: write it as 2026-11-27")
_CLOCKS: Final = {  # by whether it is slow, and whether by hours
    (False, False): N_("{n} min fast"),
    (False, True): N_("{n} h fast"),
    (True, False): N_("{n} min slow"),
    (True, True): N_("{n} h slow"),
}
