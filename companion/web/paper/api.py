"""Printed matter. The PDF library is loaded when something is printed, not when the companion starts."""

from __future__ import annotations

from datetime import datetime

from flask import Blueprint, Response, render_template, request
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from companion.errors import validation_error
from companion.games.boxes import box_called
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Place
from companion.history.evening import evening_of
from companion.history.headline import headline
from companion.http.request import game_called, table, words
from companion.http.roles import needs
from companion.message import N_, Sentence
from companion.reply import Colour, Reply
from companion.table.snapshot import Snapshot
from companion.translate import Words
from companion.views.table.page import MatchAt, match_at
from companion.views.table.sentence import nothing, victory

paper_api = Blueprint("paper", __name__, url_prefix="/paper")


@paper_api.get("/labels/<name>.pdf")
@needs("host")
def labels_pdf(name: str) -> Response:
    """Return labels for the tags of a game's box, one for every card and piece."""
    from companion.paper.labels import labels

    edition = _edition(game_called(name))
    return _pdf(labels(game_called(name), words(), _size(), edition), f"labels-{name}")


@paper_api.get("/spaces/<name>.pdf")
@needs("host")
def spaces_pdf(name: str) -> Response:
    """Return the print of a game's spaces, to lay on the track: of its box, or as the match has them."""
    from companion.paper.spaces import LEAST, MOST, PITCH, spaces

    game, match = game_called(name), table().snapshot.match
    pitch = request.args.get("pitch", str(PITCH))
    if not pitch.isascii() or not pitch.isdecimal() or not LEAST <= int(pitch[:3]) <= MOST:
        raise validation_error(N_("from space to space are {least} to {most} mm"), least=LEAST, most=MOST)
    fewest, _ = game.seat_counts
    asked, options = request.args.get("edition"), box_called(game, _edition(game)).options
    opening = game.new([str(n) for n in range(fewest)], **options)
    race = match.race if match and match.race.name == name and asked is None else opening
    return _pdf(spaces(race.seen_by(None), words(), _size(), int(pitch)), f"spaces-{name}")


@paper_api.get("/matches/<int:number>.pdf")
def match_pdf(number: int) -> Response:
    """Return a match that is over, on one page."""
    from companion.paper.evening import evening

    past = table().ask(lambda t: t.look_back(number))
    won = None if past.ended else victory(past.race)
    return _pdf(evening(past, words(), won, _size(), table().snapshot.faces), f"race-{number}")


@paper_api.get("/matches/<int:number>.svg")
def match_svg(number: int) -> Response:
    """Return the result of a match that is over as an image, which needs no other file."""
    from companion.paper.keepsake import keepsake

    past = table().ask(lambda t: t.look_back(number))
    evening = evening_of(past)
    won = None if past.ended else victory(past.race) if evening is None else headline(evening)
    response = Response(keepsake(past, words(), won, table().snapshot.faces), mimetype="image/svg+xml")
    response.headers["Content-Security-Policy"] = PICTURE_POLICY
    response.headers["Cache-Control"] = "no-store"
    return response


@paper_api.get("/table")
def table_page() -> str:
    """Return the public match on the table as a sheet, to continue by hand."""
    viewer_words = words()
    now = datetime.now()
    when = f"{viewer_words.day(now)}, {now:%H:%M}"
    return render_template("paper/paper.html", sheet=sheet(table().snapshot, viewer_words), when=when)


class InField(Reply):
    """A piece in the order of the field: its distance, its place in words, and its lap."""

    piece: Colour
    label: str
    far: int
    where: str
    lap: int | UnsetType = UNSET


class SheetView(MatchAt, rename="camel"):
    """The match on a sheet: the field, the one furthest ahead first, and how to continue by hand."""

    field: list[InField] = []
    by_hand: list[str] = []


def sheet(picture: Snapshot, words: Words) -> SheetView:
    """Return the content of the sheet; without a match only a sentence that there is none.

    Pieces that are still to be moved are on their new places, so the sentence is the prompt that follows.
    """
    match = picture.match
    if match is None:
        return SheetView(seq=picture.seq, say=nothing(words))
    race = match.race.seen_by(None)
    prompt, instructions = presented(race).prompt(), presented(race).by_hand() if race.awaits() else ()
    shown = SheetView(
        **{**match_at(picture, match, race, words), "moves": []},
        field=_field(race, words),
        by_hand=[words.text(sentence, race) for sentence in instructions],
    )
    if prompt is None:
        return shown
    return replace(shown, say=replace(shown.say, parts=words.parts(prompt, race), then=[]))


def _field(race: Race, words: Words) -> list[InField]:
    """Return the pieces and their places, the one furthest ahead first."""
    track, state = race.track(), race.state()
    progress = state["progress"] if isinstance(state.get("progress"), dict) else {}
    home = list(track.get("home", ()))
    rows = []
    for piece, place in race.layout().items():
        far = progress.get(piece, place.space or 0)
        runs = track.get("laps", 1) > 1 and place.zone == "track"
        row = InField(
            piece=piece,
            label=words.piece(piece, race),
            far=far,
            where=_where(place, 1 + home.index(piece) if piece in home else 0, race, words),
            lap=max(1, -(-far // track["spaces"])) if runs else UNSET,
        )
        rows.append(row)
    at_home = {piece: number - len(home) for number, piece in enumerate(home)}
    return sorted(rows, key=lambda row: (at_home.get(row.piece, 0), -row.far))


def _where(place: Place, number: int, race: Race, words: Words) -> str:
    if place.space is not None:
        return words.space(place.space, race)
    if number:
        return words.text(Sentence(_HOME, {"place": number}))
    return words({"gate": _GATE, "out": _OUT}.get(place.zone, place.zone))


def _edition(game: type[Race]) -> str:
    """Return the edition that is asked for, or the one in the house; "" for the only one."""
    return request.args.get("edition", table().snapshot.boxes.get(game.name, ""))


def _size() -> str:
    size = request.args.get("size", "a4")
    if size not in ("a4", "letter"):
        raise validation_error(N_("the paper is a4 or letter, not {text}"), text=size)
    return size


def _pdf(data: bytes, name: str) -> Response:
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"', "Cache-Control": "no-store"}
    return Response(data, mimetype="application/pdf", headers=headers)


PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; frame-ancestors 'self'"
"""Content security policy of an image that a browser opens as a page: nothing but its own fonts."""
_GATE = N_("in the gate")
_HOME = N_("home as number {place}")
_OUT = N_("out of the race")
