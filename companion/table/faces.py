"""The looks of people on the pages: a hat, a colour, a photo; stored by name on this machine."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import msgspec

from companion.errors import validation_error
from companion.history.leaderboard import same_name
from companion.message import N_
from companion.store.journal import Journal
from companion.store.keys import Key
from companion.table.names import LONGEST_SEAT, check_name

MOST: Final = 60
"""The number of faces stored: those that were changed last."""
HATS: Final = 10


class Paint(NamedTuple):
    """A colour of hats: its name, the hat and its band in hex. All differ in brightness too."""

    label: str
    hat: str
    band: str


COLOURS: Final[Mapping[str, Paint]] = {
    "red": Paint(N_("red"), "#d2323c", "#ffd84d"),
    "orange": Paint(N_("orange"), "#e07818", "#fff4dc"),
    "yellow": Paint(N_("yellow"), "#ffe05c", "#c4402a"),
    "green": Paint(N_("green"), "#1f7a4d", "#f4ecd0"),
    "sky": Paint(N_("sky blue"), "#6ec3f0", "#23406e"),
    "blue": Paint(N_("blue"), "#1c3fb0", "#ffffff"),
    "pink": Paint(N_("pink"), "#f07cb4", "#ffffff"),
    "white": Paint(N_("white"), "#fbf8f0", "#8a84a8"),
}


class Face(msgspec.Struct, frozen=True):
    """How a person is drawn; the seat decides what is not chosen. `photo` is the name of a stored one."""

    hat: int | None = None
    colour: str = ""
    photo: str = ""


FACES: Final[Key[dict[str, Face]]] = Key("faces", dict[str, Face], {})
_PHOTO: Final = "photo "


def _photo(name: str) -> Key[bytes]:
    return Key(_PHOTO + name, bytes, b"")


class Faces:
    """The stored faces, by name as `same_name` reads it. Runs in the table's thread."""

    def __init__(self, journal: Journal, changed: Callable[[Mapping[str, Face]], None]) -> None:
        self._journal, self._changed = journal, changed

    @property
    def all(self) -> Mapping[str, Face]:
        """All stored faces by name."""
        return self._journal.recall(FACES)

    def choose(self, name: str, hat: int | None, colour: str) -> None:
        """Give a person this hat (None: the seat's) in this colour ("": the usual one).

        ValidationError if there is no such hat, or for an invalid name.
        """
        check_name(name, LONGEST_SEAT)
        if not same_name(name):
            raise validation_error(N_("a face is remembered by name: type the name first"))
        if (hat is not None and not 0 <= hat < HATS) or (colour and colour not in COLOURS):
            raise validation_error(N_("there is no such hat: choose one of those that are shown"))
        self._put(name, Face(hat, colour, self._of(name).photo))

    def show(self, name: str, photo: bytes) -> None:
        """Show a person by this photo, a JPEG; b"" deletes it for good."""
        name_of_photo = hashlib.sha256(photo).hexdigest()[:32] if photo else ""
        if photo:
            self._journal.remember(_photo(name_of_photo), photo)
        self._put(name, msgspec.structs.replace(self._of(name), photo=name_of_photo))

    def forget(self, name: str) -> None:
        """Delete the face of a person, the photo too."""
        self._store({known: face for known, face in self.all.items() if known != same_name(name)})

    def rename(self, was: str, name: str) -> None:
        """Move the face of a person who is renamed to the new name, unless that name has one."""
        if same_name(was) in self.all and same_name(name) not in self.all:
            self._store({same_name(name) if one == same_name(was) else one: f for one, f in self.all.items()})

    def photo(self, name: str) -> bytes | None:
        """Return the photo stored under this name; None if there is none."""
        return self._journal.recall(_photo(name)) or None

    def _of(self, name: str) -> Face:
        return self.all.get(same_name(name), Face())

    def _put(self, name: str, face: Face) -> None:
        others = {known: one for known, one in self.all.items() if known != same_name(name)}
        self._store(dict([*others.items(), (same_name(name), face)][-MOST:]))

    def _store(self, faces: dict[str, Face]) -> None:
        """Store the faces, and wipe photos that no face uses any longer from the file."""
        faces = {name: face for name, face in faces.items() if face != Face()}
        self._journal.remember(FACES, faces)
        used = {_photo(face.photo).name for face in faces.values()}
        if unused := [n for n in self._journal.names() if n.startswith(_PHOTO) and n not in used]:
            self._journal.wipe(unused)
        self._changed(faces)
