"""The history: past games, each at every moment, and who leads over all of them (docs/openapi.yaml)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flask import Blueprint, render_template, request

from companion import games
from companion.bots.players import STRENGTHS
from companion.errors import Refused
from companion.games.race import Race
from companion.history import past as history
from companion.history.leaderboard import MORE_GAMES, Row, leaderboard
from companion.history.past import OVER, Past
from companion.match.entries import Filed
from companion.message import N_, Sentence
from companion.table.picture import Picture
from companion.translate import Words
from companion.web.request import Body, Empty, body, ok, table, words
from companion.web.roles import needs
from companion.web.seat import view as seat_view
from companion.web.table import view

history_api = Blueprint("history", __name__)

_LIVE_ONLY = frozenset(
    ("actions", "join", "alerts", "parts", "gathered", "seen", "mock", "usedCards", "luck", "odds", "story")
)
"""What a page shows of the table as it is now; nothing of it belongs to a past moment."""


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
def get_history() -> dict[str, Any]:
    """Past games, the newest first; of those that still go on only that they do."""
    filed, said = table().ask(lambda t: t.archive.matches()), words()
    return {
        "matches": [_listed(one, said) for one in filed if one.state in OVER],
        "going_on": [_going_on(one, said) for one in filed if one.state not in OVER],
    }


def _listed(filed: Filed, said: Words) -> dict[str, Any]:
    ended = filed.state == "ended"
    return {
        **_going_on(filed, said),
        "name": filed.name,
        "animal": games.find_by_name(filed.header.game).animal,
        "unit": games.find_by_name(filed.header.game).unit,
        "bots": list(filed.bots) or [""] * len(filed.header.seats),
        "ended": ended,
        "standings": [dict(row) | ({"place": None} if ended else {}) for row in filed.standings],
    }


def _going_on(filed: Filed, said: Words) -> dict[str, Any]:
    return {
        "id": filed.id,
        "game": filed.header.game,
        "title": said(games.find_by_name(filed.header.game).title),
        "when": filed.began,
        "seats": list(filed.header.seats),
    }


@history_api.get("/api/leaderboard")
def get_leaderboard() -> dict[str, Any]:
    """Who leads over all games together and in each."""
    filed, said = table().ask(lambda t: t.archive.matches()), words()
    played = [one for one in filed if one.state in ("finished", "played")]
    kinds = [name for name in games.all_games() if any(one.header.game == name for one in played)]
    boards = [_board(None, said(_ALL_GAMES), "", played, said)] if len(kinds) != 1 else []
    for name in kinds:
        of_it, game = [one for one in played if one.header.game == name], games.find_by_name(name)
        boards.append(_board(name, said(game.title), game.unit, of_it, said))
    order = Sentence(_ORDER, {"number": MORE_GAMES})
    return {"order": said.text(order), "boards": boards}


def _board(game: str | None, title: str, unit: str, played: Sequence[Filed], said: Words) -> dict[str, Any]:
    rows = [_row(row, said) for row in leaderboard(played)]
    return {"game": game, "title": title, "unit": unit, "games": len(played), "rows": rows}


def _row(row: Row, said: Words) -> dict[str, Any]:
    """A row; a robot with its strength in words."""
    robot = said.text(Sentence(_ROBOT, {"how": said(STRENGTHS[row.bot].title)})) if row.bot else None
    return {**row._asdict(), "bot": robot, "places": list(row.places)}


@history_api.get("/api/history/<int:number>")
def get_past(number: int) -> dict[str, Any]:
    """A past game but for the views: every moment in words, with its scores and odds, and luck."""
    past, picture = table().ask(lambda t: (t.look_back(number), t.picture))
    said = words()
    race = past.race
    return {
        "id": past.id,
        "name": past.name,
        "game": past.game,
        "title": said(past.title),
        "animal": race.animal,
        "unit": race.unit,
        "when": past.when,
        "ended": past.ended,
        "seats": list(past.seats),
        "bots": list(past.bots),
        "colours": [race.own_piece(seat) for seat in range(len(race.seats))],
        "standings": [s._asdict() | ({"place": None} if past.ended else {}) for s in past.standings],
        "moments": list(_moments(past, said)),
        "rounds": [_round(one, said) for one in past.rounds],
        "odds": _odds(past, picture, said),
        "luck": _luck(past, said),
    }


def _moments(past: Past, said: Words) -> Iterable[dict[str, Any]]:
    opening = past.match.opening
    yield _moment(opening, 0, None, said.parts(Sentence(_BEGINNING), opening))
    for turn in past.match.turns:
        line = view.story_line(turn, said)
        if line is None:
            seat = turn.decision.seat
            told = Sentence(_DECIDED, {"seat": seat}) if seat is not None else Sentence(_NOTHING)
            yield _moment(turn.race, turn.seq, seat, said.parts(told, turn.race))
        else:
            yield _moment(turn.race, turn.seq, line["seat"], line["parts"], line["piece"], line["gain"])


def _moment(
    race: Race, seq: int, seat: int | None, parts: Sequence[Any], piece: str | None = None, gain: int = 0
) -> dict[str, Any]:
    return {
        "seq": seq,
        "seat": seat,
        "piece": piece,
        "parts": list(parts),
        "gain": gain,
        "scores": list(race.scores()),
    }


def _round(one: history.Round, said: Words) -> dict[str, Any]:
    title = said.text(Sentence(_ROUND, {"number": one.number}))
    return {"title": title, "kept": list(one.kept), "lost": list(one.lost), "open": list(one.open)}


def _odds(past: Past, picture: Picture, said: Words) -> dict[str, Any]:
    done, of = past.worked_out, len(past.odds)
    off = done < of and picture.no_odds is not None
    return {
        "done": done,
        "of": of,
        "off": said.text(picture.no_odds) if off and picture.no_odds else None,
        "wins": [None if wins is None else list(wins.chances) for wins in past.odds],
        "errors": [None if wins is None else list(wins.errors) for wins in past.odds],
    }


def _luck(past: Past, said: Words) -> dict[str, Any] | None:
    if past.luck is None:
        return None
    title, seats, moments = past.luck
    return {
        "title": said.text(title, past.race),
        "seats": [said.text(sentence, past.race) for sentence in seats],
        "moments": [said.text(sentence, past.race) for sentence in moments],
    }


@history_api.get("/api/history/<int:number>/moments/<int:moment>")
def get_moment(number: int, moment: int) -> dict[str, Any]:
    """What a page draws of this moment, as everybody saw it then; with `cards=open` who had what."""
    opened = request.args.get("cards") == "open"
    past, hands = table().ask(
        lambda t: (t.archive.past(number), t.archive.with_open_cards(number, moment) if opened else None)
    )
    said = words()
    try:
        match = past.at(moment)
    except IndexError:
        raise Refused("unknown", Sentence(_NO_SUCH_MOMENT)) from None
    shown = view.page(Picture(match.seq, False, match), said)
    shown = {key: value for key, value in shown.items() if key not in _LIVE_ONLY}
    return shown | {"hands": None if hands is None else _hands(hands, said)}


def _hands(race: Race, said: Words) -> list[list[Mapping[str, Any]]]:
    """What each seat knew and the others did not."""
    return [list(seat_view.known(race, seat, said)) for seat in range(len(race.seats))]


@history_api.patch("/api/matches/<int:number>")
@needs("host")
def patch_match(number: int) -> dict[str, Any]:
    """Name a game that is over."""
    asked = body(Name)
    table().ask(lambda t: t.archive.rename(number, asked.name))
    return ok()


@history_api.delete("/api/matches/<int:number>")
@needs("host")
def delete_match(number: int) -> dict[str, Any]:
    """Forget a game that is over, for good."""
    body(Empty)
    table().ask(lambda t: t.forget(number))
    return ok()


_ALL_GAMES = N_("All games")
_ROBOT = N_("robot, {how}")
_ORDER = N_(
    "In order of wins, as if everybody had played {number} games more with average luck: "
    "one good evening does not lead for long."
)
_BEGINNING = N_("before the race")
_DECIDED = N_("{seat} has decided")
_NOTHING = N_("nothing to be seen")
_ROUND = N_("Round {number}")
_NO_SUCH_MOMENT = N_("this game has no such moment")
