"""What can be printed. The PDF library is loaded when something is printed, not when the companion starts."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from babel.dates import format_datetime
from flask import Blueprint, Response, render_template, request

from companion import games
from companion.errors import refuse
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Place
from companion.message import N_, Sentence
from companion.table.picture import Picture
from companion.translate import Words
from companion.web.request import table, words
from companion.web.roles import needs
from companion.web.table import view

paper_api = Blueprint("paper", __name__, url_prefix="/paper")


@paper_api.get("/labels/<name>.pdf")
@needs("host")
def labels_pdf(name: str) -> Response:
    """Labels for the tags of a game, one for every card and piece."""
    from companion.paper.labels import labels

    return _pdf(labels(games.find_by_name(name), words(), _size()), f"labels-{name}")


@paper_api.get("/matches/<int:number>.pdf")
def match_pdf(number: int) -> Response:
    """A match that is over, on one page."""
    from companion.paper.evening import evening

    past = table().ask(lambda t: t.look_back(number))
    victory = None if past.ended else view.victory(past.race)
    return _pdf(evening(past, words(), victory, _size()), f"race-{number}")


@paper_api.get("/table")
def table_page() -> str:
    """The match on the table as everybody may know it, on a sheet to go on with by hand."""
    said = words()
    when = format_datetime(datetime.now(), "short", locale=said.language)
    return render_template("paper/paper.html", sheet=sheet(table().picture, said), when=when)


def sheet(picture: Picture, words: Words) -> dict[str, Any]:
    """What the sheet is drawn from: the public page, where every piece stands, and how to go on by hand.

    Pieces that are still to be moved stand where they should, so what is said is what is due then.
    """
    shown = view.page(picture, words) | {"moves": [], "actions": None, "alerts": []}
    if picture.match is None:
        return shown | {"field": [], "byHand": []}
    race = picture.match.race.seen_by(None)
    prompt, told = presented(race).prompt(), presented(race).by_hand() if race.awaits() else ()
    if prompt is not None:
        shown["say"] = {**shown["say"], "parts": words.parts(prompt, race), "then": []}
    return shown | {"field": _field(race, words), "byHand": [words.text(sentence, race) for sentence in told]}


def _field(race: Race, words: Words) -> list[dict[str, Any]]:
    """The pieces, the one furthest ahead first, and where each stands."""
    track, state = race.track(), race.state()
    progress = state["progress"] if isinstance(state.get("progress"), dict) else {}
    home = list(track.get("home", ()))
    rows = []
    for piece, place in race.layout().items():
        far = progress.get(piece, place.space or 0)
        row = {"piece": piece, "label": words.piece(piece, race), "far": far}
        row["where"] = _where(place, 1 + home.index(piece) if piece in home else 0, race, words)
        if track.get("laps", 1) > 1 and place.zone == "track":
            row["lap"] = max(1, -(-far // track["spaces"]))
        rows.append(row)
    at_home = {piece: number - len(home) for number, piece in enumerate(home)}
    return sorted(rows, key=lambda row: (at_home.get(row["piece"], 0), -row["far"]))


def _where(place: Place, number: int, race: Race, words: Words) -> str:
    if place.space is not None:
        return words.space(place.space, race)
    if number:
        return words.text(Sentence(_HOME, {"place": number}))
    return words({"gate": _GATE, "out": _OUT}.get(place.zone, place.zone))


def _size() -> str:
    size = request.args.get("size", "a4")
    if size not in ("a4", "letter"):
        raise refuse(N_("the paper is a4 or letter, not {text}"), text=size)
    return size


def _pdf(data: bytes, name: str) -> Response:
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"', "Cache-Control": "no-store"}
    return Response(data, mimetype="application/pdf", headers=headers)


_GATE = N_("in the gate")
_HOME = N_("home as number {place}")
_OUT = N_("out of the race")
