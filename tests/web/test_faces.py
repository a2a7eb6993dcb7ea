"""Faces of people: remembered by name, shown to viewers of the table, stored here, gone when forgotten."""

from __future__ import annotations

import http.client
import io
import sqlite3
import struct
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from companion.errors import ValidationError
from companion.match.record import Header
from companion.store import backup
from companion.store.journal import Journal
from companion.table.faces import COLOURS, FACES, MOST, Face
from companion.table.table import Table
from companion.translate import LANGUAGES, Words
from companion.views.faces import faces_of
from companion.views.table.page import page
from companion.web.faces.photo import MOST_BYTES, SIDE, small
from companion.web.host.copies import is_exported
from tests.support.client import Client, companion
from tests.support.client import HttpError as ConflictError
from tests.support.photos import DAMAGED_PNGS, a_photo, photo_bytes


@pytest.fixture
def table(journal: Journal) -> Table:
    return Table(journal).open()


def looks(table: Table) -> list[tuple[int | None, str | None] | None]:
    """Return hat and colour of each seat, as pages get them."""
    match = page(table.snapshot, Words.english()).match
    assert match is not None
    return [None if face is None else (face.hat, face.colour) for face in match.faces]


def test_a_face_is_found_by_its_name_however_it_is_spelt(table: Table) -> None:
    """Capitals and spaces do not matter; no other player has it, nor does a robot of the same name."""
    table.faces.choose("Anna Lena", 6, "sky")
    table.begin(Header("galloping-horse", (" ANNA  lena", "Ben"), 0, {}))
    assert looks(table) == [(6, "sky"), None]
    assert faces_of(table.snapshot.faces, ["annalena", "annalena"], ["strong", ""])[0] is None


def test_it_is_published_at_once_and_known_after_a_restart(journal: Journal, table: Table) -> None:
    table.begin(Header("galloping-horse", ("Ada", "Ben"), 0, {}))
    shown: list[object] = []
    table.listeners.append(lambda picture: shown.append(picture.faces))
    table.faces.choose("Ben", None, "red")
    assert shown == [{"ben": Face(None, "red")}]
    assert looks(Table(journal).open()) == [None, (None, "red")]
    table.faces.choose("Ben", None, "")
    assert journal.recall(FACES) == {}, "a face equal to the seat's own is not stored"


def test_who_is_renamed_keeps_the_face(table: Table) -> None:
    """The face moves with a new name, unless another person's face has that name already."""
    table.begin(Header("galloping-horse", ("Ada", "Bem"), 0, {}))
    table.faces.choose("Bem", 3, "pink")
    table.faces.show("Bem", photo_bytes())
    table.rename_seat(1, "Ben")
    assert looks(table) == [None, (3, "pink")]
    assert table.faces.photo(table.snapshot.faces["ben"].photo)
    table.faces.choose("Cleo", 1, "")
    table.rename_seat(1, "Cleo")
    assert looks(table) == [None, (1, None)]
    assert set(table.snapshot.faces) == {"ben", "cleo"}


@pytest.mark.parametrize(("name", "hat", "colour"), [("Ada", 10, ""), ("Ada", -1, ""), ("Ada", 1, "mud"), (" ", 1, ""), ("A" * 41, 1, ""), ("\u202eAda", 1, "")])  # fmt: skip
def test_what_there_is_not_cannot_be_chosen(table: Table, name: str, hat: int, colour: str) -> None:
    with pytest.raises(ValidationError):
        table.faces.choose(name, hat, colour)
    assert table.snapshot.faces == {}


def test_so_many_are_stored_and_no_more(table: Table) -> None:
    """The face that was longest as it is goes first, with its photo."""
    table.faces.show("P0", photo_bytes())
    photo = table.snapshot.faces["p0"].photo
    for n in range(1, MOST + 1):
        table.faces.choose(f"P{n}", 1, "")
    assert "p0" not in table.snapshot.faces
    assert len(table.snapshot.faces) == MOST
    assert table.faces.photo(photo) is None


def test_colours_differ_in_brightness_or_in_their_band() -> None:
    """People who see no colours can distinguish two hats by the brightness of hat and band, or the letter."""

    def bright(hex_: str) -> float:
        red, green, blue = (int(hex_[at : at + 2], 16) for at in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    for one, other in combinations(COLOURS.values(), 2):
        apart = max(abs(bright(one.hat) - bright(other.hat)), abs(bright(one.band) - bright(other.band)))
        assert apart > 20, (one.label, other.label)
    for one in COLOURS.values():
        assert abs(bright(one.hat) - bright(one.band)) > 40, one.label


# --- photos --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photo_is_cut_square_and_has_nothing_in_it_but_what_is_seen(kind: str) -> None:
    """No place, no day, no name of a camera: a JPEG that was made here."""
    exif = Image.Exif()
    exif[0x010F] = "A camera that tells"
    exif.get_ifd(0x8825)[1] = "N"
    sent = photo_bytes(kind, (320, 200), exif=exif)
    assert b"A camera that tells" in sent
    made = small(sent)
    with Image.open(io.BytesIO(made)) as photo:
        assert (photo.format, photo.size) == ("JPEG", (SIDE, SIDE))
        assert not photo.getexif()
        assert "exif" not in photo.info
        assert photo.convert("RGB").getpixel((20, 90)) != photo.convert("RGB").getpixel((170, 90))
    assert b"A camera" not in made
    assert len(made) < 30_000


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"\xff\xd8\xff\xe0 nothing more",
        photo_bytes()[:400],
        photo_bytes("GIF"),
        photo_bytes("BMP", (60, 60)),
        photo_bytes("PNG", (1025, 10)),
        photo_bytes("PNG") + bytes(MOST_BYTES),
        *DAMAGED_PNGS.values(),
    ],
    ids=["nothing", "svg", "a beginning", "cut off", "gif", "bmp", "wide", "long", *DAMAGED_PNGS],
)
def test_what_is_no_photo_is_refused(sent: bytes) -> None:
    with pytest.raises(ValidationError):
        small(sent)


@pytest.mark.parametrize("error", [OverflowError, struct.error, MemoryError, Image.DecompressionBombError])
def test_whatever_the_decoder_raises_is_no_mistake_of_ours(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pillow's decoders raise errors without a common base for damaged files."""

    def fail(*_: object, **__: object) -> None:
        raise error("inside of a decoder")

    monkeypatch.setattr(Image.Image, "convert", fail)
    with pytest.raises(ValidationError, match="no photo that can be shown"):
        small(photo_bytes())


def test_a_photo_that_is_removed_can_be_read_nowhere(tmp_path: Path) -> None:
    """It is neither in the journal's file nor in its log; a shared one stays until both drop it."""
    journal = Journal(tmp_path / "journal.sqlite")
    table, photo = Table(journal).open(), photo_bytes()
    table.faces.show("Ada", photo)
    table.faces.show("Ben", photo)
    name = table.snapshot.faces["ada"].photo
    table.faces.show("Ada", b"")
    assert table.faces.photo(name) == photo
    assert name in held(tmp_path)
    table.faces.forget("BEN")
    assert table.faces.photo(name) is None
    assert name not in held(tmp_path)
    assert [key for key in journal.names() if key.startswith("photo")] == []
    journal.close()
    assert Journal(tmp_path / "journal.sqlite").recall(FACES) == {}


def held(directory: Path) -> str:
    """Return all letters of all files of the journal."""
    return "".join(file.read_bytes().decode("latin-1") for file in directory.glob("journal.sqlite*"))


def test_a_copy_that_leaves_the_machine_has_no_face(table: Table, journal: Journal, tmp_path: Path) -> None:
    """The whole one, which is made on it, has them all."""
    table.faces.choose("Ada", 6, "sky")
    table.faces.show("Ada", photo_bytes())
    for content, has in (
        (backup.public(journal.copy(), None, is_exported), False),
        (backup.whole(journal.copy(), None), True),
    ):
        file = tmp_path / f"{has}.sqlite"
        file.write_bytes(content)
        db = sqlite3.connect(file)
        keys = {key for (key,) in db.execute("select key from kept")}
        db.close()
        assert any(key.startswith(("faces", "photo")) for key in keys) == has


# --- over HTTP -----------------------------------------------------------------------------------


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with companion(tmp_path) as running:
        yield running.client.host()


def test_a_photo_comes_as_a_photo_and_as_nothing_else(client: Client) -> None:
    """Its type is fixed and is not guessed; the page of the table says where it is; its season table too."""
    face = client.put("/api/faces", name="Ada", photo=a_photo())["face"]
    assert (face["hat"], face["letter"]) == (None, "A")
    wire = http.client.HTTPConnection("127.0.0.1", client.port)
    wire.request("GET", f"/api/photos/{face['photo']}")
    answer = wire.getresponse()
    with Image.open(io.BytesIO(answer.read())) as photo:
        assert photo.size == (SIDE, SIDE)
    assert answer.getheader("Content-Type") == "image/jpeg"
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    assert "private" in (answer.getheader("Cache-Control") or "")
    wire.close()
    number = client.begin("galloping-horse", ("Ada", "Ben"), options={"rounds": 1})
    client.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow"])
    for turn in range(14):
        client.decide(do="play", seat=turn % 2, card=["red", "blue", "green", "yellow"][turn // 4])
    rows = client.get("/api/leaderboard")["boards"][0]["rows"]
    assert {row["name"]: row["face"] for row in rows} == {"Ada": face, "Ben": None}
    assert client.get(f"/api/history/{number}")["faces"] == [face, None]
    assert client.get(f"/api/history/{number}/moments/0")["match"]["faces"] == [face, None]
    assert face["photo"] not in client.get(f"/api/matches/{number}/record")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_seat_without_a_name_has_no_face(client: Client, language: str) -> None:
    """The next guest without a name would have it."""
    unnamed = Words.of(language)("Seat {n}").replace("{n}", "1")
    with pytest.raises(ConflictError, match="remembered by name"):
        client.put("/api/faces", name=unnamed.upper(), hat=2)
