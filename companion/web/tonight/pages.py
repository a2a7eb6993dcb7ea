"""The evening: tonight's score over all games, its page and its picture (docs/openapi.yaml)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from flask import Blueprint, Response, render_template

from companion.errors import ConflictError, NotFoundError
from companion.history.past import Past
from companion.history.tonight import MOST_GAMES, Tonight, best_moment, tonight
from companion.http.request import as_json, table, words
from companion.table.table import Table
from companion.views.tonight import TonightView, said, tonight_view
from companion.web.paper.api import PICTURE_POLICY

tonight_pages = Blueprint("tonight", __name__)

MOST_REVIEWED = 8  # latest games in which the moment of the evening is looked for


def _now() -> Tonight:
    def latest(table_now: Table) -> Tonight:
        return tonight(table_now.archive.over(MOST_GAMES))

    return table().ask(latest)


def _played(now: Tonight) -> Iterator[Past]:
    """Yield the games of the evening, without one that was deleted or taken up again since `now`.

    Each is asked for alone, so that the table is never busy for long.
    """
    for filed in now.games[:MOST_REVIEWED]:
        with suppress(ConflictError, NotFoundError):
            yield _past(filed.id)


def _past(number: int) -> Past:
    return table().ask(lambda t: t.archive.past(number))


@tonight_pages.get("/tonight")
def tonight_page() -> str:
    """Return the page of the evening."""
    return render_template("tonight/tonight.html")


@tonight_pages.get("/api/tonight")
@as_json
def get_tonight() -> TonightView:
    """Return tonight's score: points by place over all games of the latest evening."""
    now = _now()
    return tonight_view(now, table().snapshot.faces, words(), best_moment(_played(now)))


@tonight_pages.get("/paper/tonight.svg")
def tonight_svg() -> Response:
    """Return the evening as an image, which needs no other file."""
    from companion.paper.tonight import tonight_image

    now = _now()
    best = best_moment(_played(now))
    image = tonight_image(now, words(), said(now), table().snapshot.faces, best)
    response = Response(image, mimetype="image/svg+xml")
    response.headers["Content-Security-Policy"] = PICTURE_POLICY
    response.headers["Cache-Control"] = "no-store"
    return response
