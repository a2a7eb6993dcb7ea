"""Faces: the choice of them, a person's hat, colour and photo (docs/openapi.yaml)."""

from __future__ import annotations

import re
from typing import Annotated

from flask import Blueprint, Response
from msgspec import UNSET, Meta, UnsetType

from companion.errors import NotFoundError, validation_error
from companion.history.leaderboard import same_name
from companion.http.request import Body, as_json, body, done, entry, table, words
from companion.http.roles import Forbidden, roles
from companion.message import N_, Sentence
from companion.reply import Done, Reply
from companion.table.faces import COLOURS, HATS
from companion.translate import Words, languages
from companion.views.faces import FaceView, face_of
from companion.web.caller import asker, seats
from companion.web.faces.photo import small

faces_api = Blueprint("faces", __name__, url_prefix="/api")


class Chosen(Body):
    """A person's new face; `photo` in Base64, null removes it, if left out it stays."""

    name: str
    hat: int | None = None
    colour: str = ""
    photo: bytes | UnsetType | None = UNSET


class Whose(Body):
    """The name of a person."""

    name: str


class PaintView(Reply):
    """A colour of hats: its name for programs, its label, hat and band in hex."""

    name: str
    label: str
    paint: list[str]


class Wardrobe(Reply):
    """The choice: so many hats, in these colours."""

    hats: Annotated[int, Meta(ge=1)]
    colours: list[PaintView]


class FaceChosen(Done):
    """A person's face now; null: as the seat has it."""

    face: FaceView | None


@faces_api.get("/faces")
@as_json
def get_faces() -> Wardrobe:
    """Return the choice of hats and colours."""
    viewer_words = words()
    colours = [
        PaintView(name=name, label=viewer_words(one.label), paint=[one.hat, one.band])
        for name, one in COLOURS.items()
    ]
    return Wardrobe(hats=HATS, colours=colours)


@faces_api.put("/faces")
@as_json
def put_faces() -> FaceChosen:
    """Choose a person's face."""
    asked = body(Chosen)
    _check_may(asked.name)
    photo = asked.photo
    if _is_default_name(asked.name):
        raise validation_error(N_("a face is remembered by name: type the name first"))
    made = small(photo) if isinstance(photo, bytes) else None
    table().ask(lambda t: t.faces.choose(asked.name, asked.hat, asked.colour))
    if photo is not UNSET:
        table().ask(lambda t: t.faces.show(asked.name, made or b""))
    return FaceChosen(seq=entry(), face=face_of(table().snapshot.faces, asked.name))


@faces_api.delete("/faces")
@as_json
def delete_faces() -> Done:
    """Forget a person's face, including the photo."""
    name = body(Whose).name
    _check_may(name)
    table().ask(lambda t: t.faces.forget(name))
    return done()


@faces_api.get("/photos/<photo>")
def get_photo(photo: str) -> Response:
    """Return a photo to anyone who may see the table."""
    content = table().ask(lambda t: t.faces.photo(photo))
    if content is None:
        raise NotFoundError("unknown", Sentence(_NO_PHOTO))
    response = Response(content, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


def _check_may(name: str) -> None:
    """Raise Forbidden except for the host, and for the device with the seat of this name."""
    match = table().snapshot.match
    seat = seats().seat_of(asker().device, match)
    mine = match is not None and seat is not None and same_name(match.header.seats[seat]) == same_name(name)
    if "host" not in roles() and not mine:
        raise Forbidden("role", Sentence(_NOT_YOURS))


def _is_default_name(name: str) -> bool:
    """Return True if this is the default name of a seat, in any language."""
    patterns = (re.escape(Words.of(language)(_UNNAMED)).replace(r"\{n\}", r"\d+") for language in languages())
    return any(re.fullmatch(pattern, " ".join(name.split()), re.IGNORECASE) for pattern in patterns)


_UNNAMED = N_("Seat {n}")
_NO_PHOTO = N_("there is no such photo")
_NOT_YOURS = N_("a face is chosen by who has taken the seat of that name, or by the host")
