"""The history: past games, each at every moment, and who leads over all of them (docs/openapi.yaml)."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from companion.errors import NotFoundError
from companion.http.request import Body, Empty, as_json, body, done, table, words
from companion.http.roles import needs
from companion.message import N_, Sentence
from companion.reply import Done
from companion.views import history as view

history_api = Blueprint("history", __name__)


class Name(Body):
    """What a past game is to be called; "" for nothing."""

    name: str


@history_api.get("/history")
def history_page() -> str:
    """Past games and who leads."""
    return render_template("history/history.html")


@history_api.get("/history/<int:number>")
def past_page(number: int) -> str:
    """One past game."""
    return render_template("history/history-game.html", number=number)


@history_api.get("/api/history")
@as_json
def get_history() -> view.HistoryView:
    """Past games, the newest first; of those that still go on only that they do."""
    return view.past_and_going_on(table().ask(lambda t: t.archive.matches()), words())


@history_api.get("/api/leaderboard")
@as_json
def get_leaderboard() -> view.Leaderboards:
    """Who leads over all games together and in each."""
    return view.leaderboards(table().ask(lambda t: t.archive.matches()), table().picture.faces, words())


@history_api.get("/api/history/<int:number>")
@as_json
def get_past(number: int) -> view.PastGame:
    """A past game but for the views: every moment in words, with its scores and odds, and luck."""
    past, picture = table().ask(lambda t: (t.look_back(number), t.picture))
    return view.past_game(past, picture, words())


@history_api.get("/api/history/<int:number>/moments/<int:moment>")
@as_json
def get_moment(number: int, moment: int) -> view.PastView:
    """What a page draws of this moment, as everybody saw it then; with `cards=open` who had what."""
    opened = request.args.get("cards") == "open"
    past, hands = table().ask(
        lambda t: (t.archive.past(number), t.archive.with_open_cards(number, moment) if opened else None)
    )
    try:
        match = past.match_at(moment)
    except IndexError:
        raise NotFoundError("unknown", Sentence(_NO_SUCH_MOMENT)) from None
    return view.at_moment(match, hands, table().picture.faces, words())


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
    """Forget a game that is over, for good."""
    body(Empty)
    table().ask(lambda t: t.forget(number))
    return done()


_NO_SUCH_MOMENT = N_("this game has no such moment")
