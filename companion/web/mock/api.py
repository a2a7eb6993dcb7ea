"""The virtual table's API: it moves modelled tags; everything above them is the real code."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Annotated, Protocol

import msgspec
from flask import Blueprint, current_app
from msgspec import Meta, convert

from companion.errors import InvalidInput, NotFoundError
from companion.http.request import as_json, body, done, entry, table
from companion.http.roles import Forbidden, is_local_request, roles
from companion.message import N_, Sentence
from companion.reply import Done, Means, Reply, Uid

mock_api = Blueprint("mock_api", __name__, url_prefix="/api/mock")


class VirtualTable(Protocol):
    """The actions of a hand on the mock hardware."""

    def tags(self) -> dict[str, str]:
        """Return the place of every tag: off, pad or track/N."""

    def put_on_pad(self, tags: list[str]) -> None:
        """Put just these on the pad."""

    def put_on_space(self, space: int, tags: list[str]) -> None:
        """Put just these on a space."""

    def faults(self) -> Sequence[Mapping[str, object]]:
        """Return every possible fault, and if it is on."""

    def set_fault(self, kind: str, at: str, on: bool) -> None:
        """Make or mend a fault; InvalidInput if there is no such fault."""

    def press(self, button: str) -> None:
        """Press a button of the panel."""


class Tags(msgspec.Struct, forbid_unknown_fields=True):
    """The tags at a place."""

    tags: list[str]


class Blank(msgspec.Struct, forbid_unknown_fields=True):
    """A new tag, and the number of bytes of its UID."""

    bytes: int = 7


class Button(msgspec.Struct, forbid_unknown_fields=True):
    """A button of the panel."""

    name: str


class FaultRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A fault to make or to mend."""

    kind: str
    at: str
    on: bool


class MockTag(Reply):
    """The meaning of a tag, and its place: off, pad or track/N."""

    means: Means | None
    at: str


class MockFault(Reply):
    """A possible fault, and if it is on."""

    kind: str
    at: Annotated[str, Meta(pattern="^(pad|track|track/[0-9]+)$")]
    on: bool


class MockTable(Reply):
    """Every tag, its meaning and its place; every fault."""

    tags: dict[Uid, MockTag]
    faults: list[MockFault]


class BlankTag(Done):
    """The new tag on the pad."""

    tag: Uid


def hand() -> VirtualTable:
    """Return the virtual table that this companion plays on."""
    virtual: VirtualTable = current_app.extensions["companion.mock"]
    return virtual


@mock_api.before_request
def only_nearby() -> None:
    """Raise Forbidden unless this machine, the table or the host asks."""
    if not is_local_request() and not roles() & {"table", "host"}:
        raise Forbidden("role", Sentence(_NEARBY))


@mock_api.get("")
@as_json
def get_mock() -> MockTable:
    """Return every tag, its meaning and its place; every fault."""
    means = table().ask(lambda t: t.journal.tags())
    places = dict.fromkeys(means, "off") | hand().tags()
    tags = {uid: MockTag(means=means.get(uid), at=_numbered_place(at)) for uid, at in places.items()}
    return MockTable(tags=tags, faults=[convert(fault, MockFault) for fault in hand().faults()])


@mock_api.put("/pad")
@as_json
def put_pad() -> Done:
    """Put just these cards on the pad."""
    hand().put_on_pad(_known(body(Tags).tags))
    return done()


@mock_api.post("/blank")
@as_json
def post_blank() -> BlankTag:
    """Hold a tag that is not known yet to the pad, and nothing else."""
    size = body(Blank).bytes
    if size not in (4, 7, 10):
        raise InvalidInput("a tag has 4, 7 or 10 bytes")
    uid = bytes([0x04, *(secrets.randbelow(0x80) for _ in range(size - 1))]).hex().upper()
    hand().put_on_pad([uid])
    return BlankTag(seq=entry(), tag=uid)


@mock_api.put("/track/<int:space>")
@as_json
def put_track(space: int) -> Done:
    """Put just these pieces on a space."""
    if space < _first_space():
        raise NotFoundError("unknown", Sentence("there is no space {number} in this game", {"number": space}))
    hand().put_on_space(space - _first_space(), _known(body(Tags).tags))
    return done()


def _first_space() -> int:
    """Return the number of the space over the first reader in the game on the table."""
    match = table().snapshot.match
    return match.race.first_space if match else 0


def _numbered_place(at: str) -> str:
    """Return a place of the virtual table, its spaces numbered as in the game on the table."""
    zone, _, reader = at.partition("/")
    return f"{zone}/{int(reader) + _first_space()}" if reader else at


def _known(tags: list[str]) -> list[str]:
    known = hand().tags().keys() | table().snapshot.tags.keys()
    for uid in tags:
        if uid not in known:
            raise InvalidInput(f"no tag {uid!r}: GET /api/mock lists them")
    return tags


@mock_api.post("/button")
@as_json
def post_button() -> Done:
    """Press a button."""
    name = body(Button).name
    if name not in ("confirm", "undo", "next"):
        raise InvalidInput("a button is confirm, undo or next")
    hand().press(name)
    return done()


@mock_api.post("/fault")
@as_json
def post_fault() -> Done:
    """Make or mend a fault."""
    asked = body(FaultRequest)
    hand().set_fault(asked.kind, asked.at, asked.on)
    return done()


_NEARBY = N_("only this machine, the table and the host may touch the virtual table")
