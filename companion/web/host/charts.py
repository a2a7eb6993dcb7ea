"""Charts of printed games over HTTP: entered, computed, stored, exported and imported as TOML."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import Blueprint, Response
from msgspec.structs import asdict

from companion import games
from companion.errors import validation_error
from companion.games.charts import chart_of, checked_return, from_toml, suggested, to_toml
from companion.games.greyhounds.bets import charts_as_data
from companion.games.race import Race
from companion.http.request import as_json, body, entry, game_called, json_response, not_granted, table
from companion.http.roles import needs
from companion.message import N_, Sentence
from companion.reply import Done, GameName, Reply, by_hand
from companion.store.keys import Key
from companion.table.table import Table
from companion.views.table.public import plain

charts_api = Blueprint("charts_api", __name__, url_prefix="/api/charts")


class Chart(msgspec.Struct, forbid_unknown_fields=True):
    """The options that describe the print of a game, and the return for which they were computed."""

    chart: dict[str, Any]
    computed: float | None = None


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    """The laps of an odds chart to be computed, and the part of the stakes that it pays back."""

    lap: int
    returned: float = msgspec.field(name="return", default=0.85)


class ChartFile(msgspec.Struct, forbid_unknown_fields=True):
    """The text of a TOML file."""

    toml: str


class KeptChart(Reply):
    """A game's chart; `own`: the owner entered it, else it is the companion's; `computed` for this return.

    `by_seats`: the chart by number of players until the owner enters one; that of the most is `chart`.
    """

    chart: Annotated[dict[str, Any], by_hand("Chart")]
    own: bool
    computed: Annotated[float, by_hand("Return")] | None
    by_seats: dict[str, Annotated[dict[str, Any], by_hand("Chart")]]


class AllCharts(Reply):
    """By game, the options that describe its print."""

    charts: dict[str, KeptChart]


class ChartOf(Done):
    """The chart of a game that is stored now, or that was computed."""

    game: GameName
    chart: Annotated[dict[str, Any], by_hand("Chart")]
    own: bool
    computed: Annotated[float, by_hand("Return")] | None
    by_seats: dict[str, Annotated[dict[str, Any], by_hand("Chart")]]


def charts() -> dict[str, KeptChart]:
    """Return by game: its chart, if it is the owner's own or the companion's, and if it was computed."""
    return {game.name: stored_chart(game) for game in games.all_games().values() if game.chart}


def stored_chart(game: type[Race]) -> KeptChart:
    """Return a game's chart, if it is the owner's own, and the return for which it was computed."""
    stored, computed = table().ask(
        lambda t: (t.journal.recall(_chart(game)), t.journal.recall(_computed(game)))
    )
    return KeptChart(
        chart=plain(stored or suggested(game, game.seat_counts[1])),
        own=stored is not None,
        computed=game.suggested_return if stored is None else computed,
        by_seats=_by_seats(game),
    )


def _by_seats(game: type[Race]) -> dict[str, dict[str, Any]]:
    return {str(seats): plain(dict(options)) for seats, options in game.suggested.items()}


def _chart(game: type[Race]) -> Key[dict[str, Any] | None]:
    return Key(f"chart {game.name}", dict[str, Any], None)


def _computed(game: type[Race]) -> Key[float | None]:
    """Return the key of the return of a computed chart, so that it is not mistaken for a printed one."""
    return Key(f"computed {game.name}", float, None)


def _store(game: type[Race], chart: dict[str, Any] | None, computed: float | None = None) -> ChartOf:
    def store(table_now: Table) -> None:
        table_now.journal.remember(_computed(game), computed)
        table_now.journal.remember(_chart(game), chart)

    table().ask(store)
    return ChartOf(seq=entry(), game=game.name, **asdict(stored_chart(game)))


@charts_api.get("")
@as_json
def get_charts() -> AllCharts:
    """Return every chart."""
    return AllCharts(charts=charts())


@charts_api.put("/<name>")
@needs("host")
@as_json
def put_chart(name: str) -> ChartOf:
    """Store a chart."""
    game, request_body = game_called(name), body(Chart)
    computed = None if request_body.computed is None else checked_return(request_body.computed)
    return _store(game, chart_of(game, request_body.chart), computed)


@charts_api.delete("/<name>")
@needs("host")
@as_json
def delete_chart(name: str) -> ChartOf:
    """Go back to the placeholder."""
    return _store(game_called(name), None)


@charts_api.post("")
@needs("host")
@as_json
def post_chart() -> ChartOf:
    """Store the chart in a TOML file."""
    return _store(*from_toml(body(ChartFile).toml))


@charts_api.post("/<name>/computed")
@needs("host")
def post_computed(name: str) -> Response:
    """Compute an odds chart, not on the table's thread; nothing is stored."""
    game, wish = game_called(name), body(Wish)
    if "odds" not in game.chart:
        raise validation_error(N_("no chart can be worked out for {game}: it has no odds"), game=game.name)
    try:
        from companion.odds.greyhounds.chart import computed
    except ModuleNotFoundError:
        reason = N_(
            "NumPy is not installed, without which no chart can be worked out; run make setup and start again"
        )
        return json_response(not_granted("no-numpy", Sentence(reason)), 503)
    chart = plain({"lap": wish.lap, "odds": charts_as_data(computed(wish.lap, wish.returned))})
    made = KeptChart(chart=chart, own=False, computed=wish.returned, by_seats=_by_seats(game))
    return json_response(ChartOf(seq=entry(), game=game.name, **asdict(made)))


@charts_api.get("/<name>.toml")
def get_toml(name: str) -> Response:
    """Return a chart as a TOML file."""
    game = game_called(name)
    known = stored_chart(game)
    text = to_toml(game, known.chart, known.computed)
    headers = {"Content-Disposition": f'attachment; filename="{name}.toml"'}
    return Response(text, mimetype="application/toml", headers=headers)
