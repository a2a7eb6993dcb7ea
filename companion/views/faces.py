"""Faces of people, as the pages draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.history.leaderboard import same_name
from companion.reply import Reply
from companion.table.faces import COLOURS, Face


class FaceView(Reply):
    """A person's face, drawn instead of the seat's own hat; null fields are as the seat has them.

    `paint`: hat and band in hex; `photo`: its name, for `/api/photos`; `letter`: the first of the name.
    """

    hat: int | None
    colour: str | None
    paint: list[str] | None
    photo: str | None
    letter: str


def face_of(faces: Mapping[str, Face], name: str) -> FaceView | None:
    """Return the face of this name; None if it has none."""
    face = faces.get(same_name(name))
    if face is None:
        return None
    paint = COLOURS.get(face.colour)
    return FaceView(
        hat=face.hat,
        colour=face.colour or None,
        paint=[paint.hat, paint.band] if paint else None,
        photo=face.photo or None,
        letter=name.strip()[:1].upper(),
    )


def faces_of(faces: Mapping[str, Face], names: Sequence[str], bots: Sequence[str]) -> list[FaceView | None]:
    """Return the faces by seat; a seat that the companion plays has none."""
    return [
        None if bot else face_of(faces, name)
        for name, bot in zip(names, bots or [""] * len(names), strict=True)
    ]
