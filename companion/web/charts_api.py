"""Charts of printed games over HTTP: entered, kept, taken out and brought in as TOML."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response

from companion import games
from companion.charts import chart_of, from_toml, placeholder, to_toml
from companion.games.race import Race
from companion.web.api import body, ok, table
from companion.web.roles import needs

charts_api = Blueprint("charts_api", __name__, url_prefix="/api/charts")


class Chart(msgspec.Struct, forbid_unknown_fields=True):
    """The options that describe the print of a game."""

    chart: dict[str, Any]


class File(msgspec.Struct, forbid_unknown_fields=True):
    """A TOML file's text."""

    toml: str


def charts() -> dict[str, dict[str, Any]]:
    """By game: its chart, and whether it is the owner's own or the placeholder."""
    return {game.name: _chart(game) for game in games.found().values() if game.chart}


def _chart(game: type[Race]) -> dict[str, Any]:
    kept = table().ask(lambda t: t.journal.kept(_key(game)))
    return {"chart": kept or placeholder(game), "own": kept is not None}


def _key(game: type[Race]) -> str:
    return f"chart {game.name}"


def _keep(game: type[Race], chart: dict[str, Any] | None) -> dict[str, Any]:
    table().ask(lambda t: t.journal.keep(_key(game), chart))
    return ok(game=game.name, **_chart(game))


@charts_api.get("")
def get_charts() -> dict[str, Any]:
    """Every chart."""
    return {"charts": charts()}


@charts_api.put("/<name>")
@needs("host")
def put_chart(name: str) -> dict[str, Any]:
    """Keep a chart."""
    game = games.named(name)
    return _keep(game, chart_of(game, body(Chart).chart))


@charts_api.delete("/<name>")
@needs("host")
def delete_chart(name: str) -> dict[str, Any]:
    """Go back to the placeholder."""
    return _keep(games.named(name), None)


@charts_api.post("")
@needs("host")
def post_chart() -> dict[str, Any]:
    """Keep the chart that a TOML file says."""
    return _keep(*from_toml(body(File).toml))


@charts_api.get("/<name>.toml")
def get_toml(name: str) -> Response:
    """A chart as a TOML file."""
    game = games.named(name)
    text = to_toml(game, _chart(game)["chart"])
    headers = {"Content-Disposition": f'attachment; filename="{name}.toml"'}
    return Response(text, mimetype="application/toml", headers=headers)
