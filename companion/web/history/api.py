"""The history: past games, each at every moment, and the leaderboards (docs/openapi.yaml)."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from companion.errors import NotFoundError
from companion.http.request import Body, Empty, as_json, body, done, table, whole_number, words
from companion.http.roles import needs
from companion.message import N_, Sentence
from companion.reply import Done
from companion.views import history as view

history_api = Blueprint("history", __name__)

MOST = 100  # games on a page: at most 100 kB


class Name(Body):
    """The new name of a past game; "" for none."""

    name: str


@history_api.get("/history")
def history_page() -> str:
    """Return the page of past games and leaderboards."""
    return render_template("history/history.html")


@history_api.get("/history/<int:number>")
def past_page(number: int) -> str:
    """Return the page of one past game."""
    return render_template("history/history-game.html", number=number)


@history_api.get("/api/history")
@as_json
def get_history() -> view.HistoryView:
    """Return past games, the newest first; of those that still go on only that they do, on the first page.

    `most`: so many, and then those `before` a game; `game`: of one kind. Without `most` all are returned.
    """
    most, before, game = whole_number("most", MOST), whole_number("before"), request.args.get("game")
    over, going_on = table().ask(
        lambda t: (
            t.archive.over(most and most + 1, before, game),
            t.archive.going_on(game) if before is None else [],
        )
    )
    page = over[:most]
    return view.past_and_going_on(page, going_on, page[-1].id if len(over) > len(page) else None, words())


@history_api.get("/api/leaderboard")
@as_json
def get_leaderboard() -> view.Leaderboards:
    """Return the leaderboards over all games together and of each."""
    return view.leaderboards(table().season.boards(), table().snapshot.faces, words())


@history_api.get("/api/history/<int:number>")
@as_json
def get_past(number: int) -> view.PastGame:
    """Return a past game except its views: every moment in words, with its scores and odds, and luck."""
    past, picture = table().ask(lambda t: (t.look_back(number), t.snapshot))
    return view.past_game(past, picture, words())


@history_api.get("/api/history/<int:number>/moments/<int:moment>")
@as_json
def get_moment(number: int, moment: int) -> view.PastView:
    """Return a page's content for this moment, as it was public then; with `cards=open` also all hands."""
    opened = request.args.get("cards") == "open"
    past, hands = table().ask(
        lambda t: (t.archive.past(number), t.archive.with_open_cards(number, moment) if opened else None)
    )
    try:
        match = past.match_at(moment)
    except IndexError:
        raise NotFoundError("unknown", Sentence(_NO_SUCH_MOMENT)) from None
    return view.at_moment(match, hands, table().snapshot.faces, words())


@history_api.patch("/api/matches/<int:number>")
@needs("host")
@as_json
def patch_match(number: int) -> Done:
    """Name a game that is over."""
    asked = body(Name)
    table().ask(lambda t: t.archive.rename(number, asked.name))
    return done()


@history_api.delete("/api/matches/<int:number>")
@needs("host")
@as_json
def delete_match(number: int) -> Done:
    """Delete a game that is over, for good."""
    body(Empty)
    table().ask(lambda t: t.forget(number))
    return done()


_NO_SUCH_MOMENT = N_("this game has no such moment")
