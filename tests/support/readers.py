"""Everything that reads foreign input, each as a function of bytes, and files as they should be.

Each gives an answer or a named refusal (companion/errors.py): `heard` lets nothing else pass.
"""

from __future__ import annotations

import base64
import codecs
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from companion import games
from companion.devices.mock.tags import DEMO_SET
from companion.devices.track_state import TrackState, understood
from companion.errors import CompanionError, InvalidInput
from companion.firmware import link
from companion.games.charts import chart_of, from_toml, placeholder, to_toml
from companion.http.request import decoded
from companion.match.entries import Entry
from companion.match.record import Header, replayed
from companion.settings import Settings, corrected_text
from companion.settings import read as read_settings
from companion.store.backup import whole
from companion.store.journal import Journal
from companion.store.restore import checked
from companion.tags.tagfile import read_tags, write_tags
from companion.views.table.public import plain
from companion.web.faces.api import Chosen
from companion.web.faces.photo import small
from companion.web.host.charts import Chart
from tests.support.devices.modelled import HB, HI
from tests.support.photos import a_png, photo_bytes

CASES: Final = Path(__file__).parents[1] / "cases"
SETTINGS: Final = b"""pad = true
panel = false
hosts = ["race.example"]
spi_bus = 0

[track]
kind = "tag"
spaces = 22
port = "/dev/ttyACM0"

[pins]
undo = 5
"""


class Reader(NamedTuple):
    """What reads, and files that it reads: many more are made of them."""

    read: Callable[[bytes], object]
    files: tuple[bytes, ...]


def read_record(text: bytes) -> object:
    """Read it as `companion replay --json` does."""
    replay = replayed(text)
    answer = json.dumps(replay.answer())
    if replay.error is not None:
        raise replay.error
    return answer


def read_board(body: bytes) -> object:
    """Read it as PUT /api/charts/NAME does, for every game that has a print."""
    chart = decoded(Chart, body).chart
    return [_chart(game, chart) for game in games.all_games().values() if game.chart]


def _chart(game: Any, given: Mapping[str, Any]) -> object:
    try:
        return json.dumps(plain(chart_of(game, given)))
    except CompanionError as refusal:
        return str(refusal)


def read_wire(said: bytes) -> int:
    """Read it as the track's driver reads the Pico; raise InvalidInput where nothing of it could be meant."""
    picture = TrackState(["tag", "tag", "present"])
    taken = 0
    for line in link.Lines().feed(said):
        try:
            picture.hear(understood(line))
        except ValueError:  # what it says cannot be: the driver asks the Pico anew
            continue
        taken += 1
    if not taken:
        raise InvalidInput("nothing of it was a message")
    return taken


def read_message(text: bytes) -> object:
    """Read a line with this text and a right checksum, after two good ones."""
    line = b"@%s*%04x\n" % (text, link.crc16(text))
    taken = read_wire(b"".join(_wire().splitlines(keepends=True)[:2]) + line)
    if taken == 2:
        raise InvalidInput("it is no message")
    return taken


def read_copy(content: bytes) -> object:
    """Read it as `companion restore` checks a file before it is put back."""
    with TemporaryDirectory() as directory:
        file = Path(directory) / "copy.sqlite"
        file.write_bytes(content)
        return checked(file).games


def _copy() -> bytes:
    """Return a copy of a journal with some tags and a game of two decisions."""
    journal = Journal(":memory:")
    journal.bind(dict(list(DEMO_SET.items())[:20]))
    journal.begin(Header("galloping-pigs", ("Ada", "Ben")), "people")
    order = ["red", "blue", "green", "yellow", "pink"]
    journal.append(1, [Entry("decide", {"do": "line-up", "seat": 0, "order": order})])
    return whole(journal, SETTINGS.decode())


def _boards() -> Iterable[tuple[Any, dict[str, Any]]]:
    return ((game, placeholder(game)) for game in games.all_games().values() if game.chart)


def _wire() -> bytes:
    """Return what a Pico sends at a start and while pieces move."""
    kinds = ["tag", "tag", "present"]
    said = [
        HI | {"n": 0, "spaces": kinds, "versions": [], "steps": [], "powers": []},
        {"n": 1, "is": "snap", "spaces": [["04A1B2C3D4E5F6"], [], False]},
        {"n": 2, "is": "ev", "changes": [[0, []], [1, ["04A1B2C3D4E5F6"]], [2, True]]},
        HB | {"n": 3},
    ]
    return b"".join(link.encode(message) for message in said)


def read_photo(body: bytes) -> object:
    """Read it as PUT /api/faces does."""
    photo = decoded(Chosen, body).photo
    return len(small(photo)) if isinstance(photo, bytes) else None


def _photos() -> Iterable[bytes]:
    chunked = a_png((b"gAMA", b"\0\0\xb1\x8f"), (b"pHYs", bytes(9)), (b"sRGB", b"\0"), (b"tEXt", b"a\0b"))
    for photo in (*(photo_bytes(kind, (8, 6)) for kind in ("JPEG", "PNG", "WEBP")), chunked):
        sent = base64.b64encode(photo).decode()
        yield json.dumps({"name": "Ada", "hat": 6, "colour": "sky", "photo": sent}).encode()


_MISTAKEN: Final = (
    SETTINGS.replace(b'"', "“".encode()).replace(b"true", b"yes,"),
    SETTINGS.replace(b'"', b"").replace(b" = ", b": "),
    codecs.BOM_UTF16_LE + SETTINGS.decode().encode("utf-16-le"),
)
"""Settings files as people save them."""

READERS: Final[dict[str, Reader]] = {
    "record": Reader(read_record, tuple(sorted({path.read_bytes() for path in CASES.glob("*/*.jsonl")}))),
    "photo": Reader(read_photo, tuple(_photos())),
    "settings": Reader(lambda text: read_settings(_text(text), Settings()), (SETTINGS,)),
    "settings file": Reader(corrected_text, (SETTINGS, *_MISTAKEN)),
    "board": Reader(
        read_board, tuple(json.dumps({"chart": plain(chart)}).encode() for _, chart in _boards())
    ),
    "chart file": Reader(
        lambda text: from_toml(_text(text)), tuple(to_toml(game, chart).encode() for game, chart in _boards())
    ),
    "tag list": Reader(lambda text: read_tags(_text(text)), (write_tags(DEMO_SET)[:2_000].encode(),)),
    "copy": Reader(read_copy, (_copy(),)),
    "wire": Reader(read_wire, (_wire(),)),
    "message": Reader(read_message, tuple(line[1:-6] for line in _wire().splitlines(keepends=True))),
}


def _text(said: bytes) -> str:
    """Return the text; what is no UTF-8 is refused where a file is opened or a body decoded."""
    return said.decode("utf-8", "replace")
