"""The organiser's page of names: claims that wait, people who want to be forgotten, and the audit log."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, render_template, request
from sqlalchemy import Connection
from werkzeug.wrappers import Response as Answer

from companion.errors import ValidationError
from companion.http.request import words
from companion.hub import audit, forgetting, people
from companion.hub.site.organiser import for_organiser
from companion.hub.site.shown import engine, now, private, row_number, to

names = Blueprint("names", __name__)


@names.get("/organiser/names")
@for_organiser
def page() -> Response:
    """Return the claims, the forgettings and the log."""
    return _page()


@names.post("/organiser/names/approve")
@for_organiser
def approve() -> Answer:
    """Approve a claim."""
    return _done(lambda db: people.approve(db, _number(), now()))


@names.post("/organiser/names/decline")
@for_organiser
def decline() -> Answer:
    """Decline a claim."""
    return _done(lambda db: people.decline(db, _number(), now()))


@names.post("/organiser/names/release")
@for_organiser
def release() -> Answer:
    """Undo a claim that was approved, or that no one had to approve."""
    return _done(lambda db: people.release(db, request.form.get("name", ""), now()))


@names.post("/organiser/names/stop")
@for_organiser
def stop() -> Answer:
    """Stop a forgetting before it is due."""
    return _done(lambda db: forgetting.stop(db, _number(), now()))


@names.post("/organiser/names/restore")
@for_organiser
def restore() -> Answer:
    """Undo a forgetting."""
    return _done(lambda db: forgetting.undo(db, _number(), now()))


def _number() -> int:
    return row_number("id")


def _done(work: Callable[[Connection], None]) -> Answer:
    try:
        with engine().begin() as db:
            work(db)
    except ValidationError as error:
        return _page(error)
    return to("organiser/names")


def _page(error: ValidationError | None = None) -> Response:
    with engine().connect() as db:
        page = render_template(
            "club/organiser-names.html",
            claims=people.waiting_claims(db),
            claimed=sorted(set(people.own_names(db).values()), key=str.casefold),
            waiting=forgetting.waiting(db, now()),
            undoable=forgetting.undoable(db),
            log=audit.latest(db),
            error=error and words().text(error.sentence),
        )
    response = private(page)
    response.status_code = 400 if error else 200
    return response
