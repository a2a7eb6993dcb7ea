"""The box of each game that this table has, over HTTP: chosen once, and remembered."""

from __future__ import annotations

import msgspec
from flask import Blueprint

from companion.games.boxes import box_called
from companion.http.request import as_json, body, entry, game_called, table
from companion.http.roles import needs
from companion.reply import Done, GameName, Reply
from companion.table.table import Table

boxes_api = Blueprint("boxes_api", __name__, url_prefix="/api/boxes")


class ChosenBox(msgspec.Struct, forbid_unknown_fields=True):
    """The edition of a game that is in the house."""

    edition: str


class AllBoxes(Reply):
    """By game, the edition that is in the house; a game is missing until a person has chosen."""

    boxes: dict[GameName, str]


class BoxesKept(Done):
    """Done; by game, the edition that is in the house."""

    boxes: dict[GameName, str]


@boxes_api.get("")
@as_json
def get_boxes() -> AllBoxes:
    """Return which edition of each game is in the house."""
    return AllBoxes(boxes=dict(table().snapshot.boxes))


@boxes_api.put("/<name>")
@needs("host")
@as_json
def put_box(name: str) -> BoxesKept:
    """Remember which edition of a game is in the house."""
    game = game_called(name)
    edition = box_called(game, body(ChosenBox).edition)

    def remember(table_now: Table) -> None:
        table_now.preferences.remember_box(game.name, edition.name)
        table_now.evaluate()

    table().ask(remember)
    return BoxesKept(seq=entry(), boxes=dict(table().snapshot.boxes))
