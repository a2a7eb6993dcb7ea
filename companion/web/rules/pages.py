"""The pages of the rules: every game in short, with drawings, its options, rulings and placeholders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from flask import Blueprint, abort, render_template
from msgspec import to_builtins

from companion import games
from companion.games.charts import placeholder, suggested
from companion.games.forms import Option
from companion.games.panel import Panel
from companion.games.presenter import presented, presenter_of
from companion.games.race import Race
from companion.games.rulebook import Block, Ruling, Scene
from companion.http.request import table, words
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.reply import encoded
from companion.translate import Words
from companion.views.course import scenes
from companion.views.table.panels import worded
from companion.views.table.public import plain
from companion.web.host.charts import KeptChart, stored_chart
from companion.web.host.pages import edition_form, listed

rules_pages = Blueprint("rules_pages", __name__, url_prefix="/rules")


@rules_pages.get("", strict_slashes=False)
def rules_list() -> str:
    """Return the page of all games."""
    viewer_words = words()
    return render_template(
        "rules/rules.html", games=[listed(game, viewer_words) for game in games.all_games().values()]
    )


@rules_pages.get("/<name>")
def rules_page(name: str) -> str:
    """Return the rules of one game."""
    game = games.all_games().get(name)
    if game is None:
        abort(404)
    viewer_words, match = words(), table().snapshot.match
    running = match if match and match.header.game == name and not match.finished else None
    chart = _chart(game, running)
    chosen = {option.name: _now(option, running) for option in game.options}
    return render_template(
        "rules/rules-game.html",
        game=listed(game, viewer_words),
        games=[listed(other, viewer_words) for other in games.all_games().values()],
        chapters=[
            {
                "title": viewer_words(chapter.title),
                "blocks": list(_blocks(game, chapter.blocks, chosen, viewer_words)),
            }
            for chapter in presenter_of(game).rules
        ],
        running=running is not None,
        editions=[edition_form(edition, viewer_words) for edition in game.editions],
        box=table().snapshot.boxes.get(name),
        options=[_option(game, option, running, viewer_words) for option in game.options],
        chart=chart and _shown_chart(game, chart, viewer_words),
    )


def _blocks(
    game: type[Race], blocks: tuple[Block, ...], chosen: Mapping[str, Any], viewer_words: Words
) -> Iterator[dict[str, Any]]:
    """Yield sentences, drawings and tables one by one, consecutive rulings as one list.

    Texts may name the options, whose values are `chosen`.
    """
    for kind, several in groupby(blocks, type):
        if kind is Ruling:
            rulings = [
                [text and viewer_words.text(Sentence(text, chosen)) for text in r]
                for r in several
                if isinstance(r, Ruling)
            ]
            yield {"kind": "rulings", "rulings": rulings}
        elif kind is str:
            texts = [block for block in several if isinstance(block, str)]
            yield from ({"kind": "text", "text": viewer_words.text(Sentence(text, chosen))} for text in texts)
        else:
            yield from (_block(game, block, viewer_words) for block in several)


def _block(game: type[Race], block: Block, viewer_words: Words) -> dict[str, Any]:
    if isinstance(block, Panel):
        return {"kind": "panel", "text": "", "panel": _panel(block, _sample(game), viewer_words)}
    assert isinstance(block, Scene)
    if block.panel:
        before, after = scenes.played(game, block)
        race = after[-1] if after else before
        panel = next(panel for panel in presented(race).panels() if panel.name == block.panel)
        return {"kind": "panel", "text": viewer_words(block.text), "panel": _panel(panel, race, viewer_words)}
    return {
        "kind": "scene",
        "text": viewer_words(block.text),
        "scene": encoded(scenes.drawn(game, block)).decode(),
    }


def _panel(panel: Panel, race: Race, viewer_words: Words) -> dict[str, Any]:
    """Return a panel for the template, and as JSON for the page, which draws it again to fit."""
    shown = worded(panel, race, viewer_words)
    return {**to_builtins(shown), "json": encoded(shown).decode()}


def _sample(game: type[Race], chart: Mapping[str, Any] | None = None) -> Race:
    return game.new([str(seat) for seat in range(game.seat_counts[0])], **(chart or {}))


# --- options -------------------------------------------------------------------------------------


def _option(game: type[Race], option: Option, match: Match | None, viewer_words: Words) -> dict[str, Any]:
    """Return an option, its default, and its value in the game that runs."""
    known = {"label": viewer_words(option.label), "help": viewer_words(option.help), "range": ""}
    if option.kind == "number":
        known["range"] = viewer_words.text(Sentence(_FROM_TO, {"low": option.low, "high": option.high}))
    elif option.kind == "choice":
        known["range"] = ", ".join(viewer_words(label) for label in option.choices.values())
    names = match.header.seats if match else ()
    return known | {
        "default": _value(option, option.default, (), viewer_words),
        "now": None if match is None else _value(option, _now(option, match), names, viewer_words),
    }


def _now(option: Option, match: Match | None) -> Any:
    """Return an option's value in the game that runs, or its default."""
    return option.default if match is None else match.header.options.get(option.name, option.default)


def _value(option: Option, value: Any, names: tuple[str, ...], viewer_words: Words) -> str:
    if option.kind == "flag":
        return viewer_words(_ON if value else _OFF)
    if option.kind == "choice":
        return viewer_words(option.choices[value])
    if option.kind == "chart":
        return viewer_words(_SEE_BELOW)
    if value is None:
        return viewer_words(_NOBODY if option.kind == "seat" else _BY_SEAT)
    if option.kind == "seat":
        return str(names[value])
    return ", ".join(names[seat] for seat in value) if option.kind == "order" else str(value)


# --- charts of the printed game ------------------------------------------------------------------


def _chart(game: type[Race], match: Match | None) -> KeptChart | None:
    """Return the chart that counts: of the game that runs, else the stored one; None if there is none."""
    if not game.chart:
        return None
    stored = stored_chart(game)
    if match is None:
        return stored
    options, default = plain(dict(match.header.options)), plain(placeholder(game))
    chart = {name: options.get(name, default[name]) for name in game.chart}
    if stored.chart == chart:
        return stored
    ours = chart == plain(suggested(game, len(match.header.seats)))
    returned = game.suggested_return if ours else None
    return KeptChart(chart=chart, own=not ours and chart != default, computed=returned, by_seats={})


def _shown_chart(game: type[Race], known: KeptChart, viewer_words: Words) -> dict[str, Any]:
    race = _sample(game, known.chart)
    texts = [Sentence(_NOT_PRINTED)] if not known.own else []
    if known.computed is not None:
        percent = round(known.computed * 100)
        tag = N_("computed")
        texts.append(Sentence(_COMPUTED, {"percent": percent, "edge": 100 - percent}))
    elif known.own:
        tag, texts = N_("your own"), [Sentence(_OWN)]
    else:
        tag = N_("sample")
    printed = [option for option in game.options if option.name in game.chart]
    return {
        "tag": viewer_words(tag),
        "own": known.own,
        "text": " ".join(map(viewer_words.text, texts)),
        "printed": [
            {"label": viewer_words(o.label), "value": known.chart[o.name] if o.kind == "number" else None}
            for o in printed
        ],
        "scene": encoded(scenes.whole(race)).decode(),
        "panels": [_panel(panel, race, viewer_words) for panel in presented(race).printed()],
    }


_FROM_TO = N_("{low} to {high}")
_ON, _OFF = N_("on"), N_("off")
_SEE_BELOW = N_("see below")
_NOBODY = N_("nobody")
_BY_SEAT = N_("as you sit")
_NOT_PRINTED = N_(
    "These are not from a printed game. The owner of a game enters its own once, on the host page."
)
_OWN = N_("Entered from your own game.")
_COMPUTED = N_(
    "Worked out by the companion from races with cards played at random: there any bet pays back {percent} % "
    "of the stakes, and {edge} % stay with the house. Who knows more does better."
)
