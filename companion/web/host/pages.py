"""The host page's content: the games with their options, known players, the robots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from flask import current_app, render_template
from msgspec.structs import asdict

from companion import games
from companion.bots.players import all_strengths, has_hands
from companion.diagnostics.doctor import CLOCKS
from companion.diagnostics.overview import finding_view
from companion.games.editions import Edition
from companion.games.forms import Option
from companion.games.presenter import presenter_of
from companion.games.race import Race
from companion.http.request import table, words
from companion.http.roles import is_local_request, roles
from companion.message import N_
from companion.reply import Animal, Colour, GameName, Reply, one_of
from companion.store.nightly import Night, last_night
from companion.translate import Words
from companion.views.faces import FaceView, face_of
from companion.web.host.charts import KeptChart, charts
from companion.web.host.machine import machine_settings
from companion.web.seat.api import entered_name, own_wifi


class GameView(Reply):
    """A game in a list of games; `seats` are the fewest and the most."""

    name: GameName
    title: str
    animal: Animal
    seats: tuple[int, int]
    pieces: list[Colour]


class ChoiceView(Reply):
    """A value that an option may have, and its label."""

    value: str
    label: str


class OptionForm(Reply):
    """An option as a form field; `choices` are those of a choice."""

    name: str
    label: str
    help: str
    default: Any
    type: Annotated[str, one_of("flag", "number", "choice", "seat", "order", "chart")]
    min: int
    max: int
    choices: list[ChoiceView]


class EditionForm(Reply):
    """A box of a game: its title, what is in it, how it is played, its fewest and most players.

    `options` are those of what is in it, `usual` those of how it is played, where they are not the defaults.
    """

    name: str
    title: str
    contents: str
    differs: str
    seats: tuple[int, int]
    options: dict[str, Any]
    usual: dict[str, Any]


class GameForm(GameView, rename="camel"):
    """The form to start a game: the names of its pieces, if seats own them, if its cards have numbers.

    `chart`: the options that describe its print; `hands`: the companion can deal; `editions`: its boxes,
    where several are known. `feel`: what it feels like to play it, in one line; `minutes`: how long it takes.
    """

    labels: list[str]
    owned: bool
    numbered: bool
    lines_up: bool
    uses_start: bool
    chart: list[str]
    options: list[OptionForm]
    hands: bool
    editions: list[EditionForm]
    feel: str
    minutes: int


class Robot(Reply):
    """A strength at which the companion can play a seat, and its meaning."""

    name: str
    title: str
    means: str


class HostData(Reply):
    """The first content of the host page; `last` is the last game as it was begun.

    `boxes`: by game, the edition in the house; `faces` by name, in small letters without spaces.
    """

    games: list[GameForm]
    people: list[str]
    faces: dict[str, FaceView]
    last: dict[str, Any] | None
    charts: dict[str, KeptChart]
    boxes: dict[str, str]
    funny: list[str]
    bots: list[Robot]


class MockData(Reply):
    """The first content of the virtual table."""

    games: list[GameForm]


def host_page() -> str:
    """Return the host's page."""
    viewer_words = words()
    people, last = table().ask(lambda t: (t.preferences.people, t.preferences.last_game))
    faces = table().snapshot.faces
    explained = table().ask(lambda t: {name: t.tutorial.offers(name) for name in games.all_games()})
    data = HostData(
        games=game_forms(viewer_words),
        people=list(people),
        faces={name: seen for name in faces if (seen := face_of(faces, name)) is not None},
        last=last,
        charts=charts(),
        boxes=dict(table().snapshot.boxes),
        funny=[viewer_words(name) for name in _FUNNY],
        bots=[
            Robot(name=name, title=viewer_words(b.title), means=viewer_words(b.means))
            for name, b in all_strengths().items()
        ],
    )
    clock = CLOCKS.get(table().journal.dates.state)
    return render_template(
        "host/host.html",
        data=data,
        explained=explained,
        wifi=entered_name(),
        own_wifi=own_wifi() if "host" in roles() else None,
        machine=machine_settings() if "host" in roles() else None,
        whole_copy=is_local_request(),
        night=_last_night(),
        clock=None if clock is None else finding_view(clock, viewer_words),
    )


def _last_night() -> Night | None:
    """Return the result of the last nightly copy, which is stored in the folder of companion.toml."""
    settings: Path | None = current_app.config["COMPANION_SETTINGS"]
    return None if settings is None else last_night(settings.parent)


def game_forms(viewer_words: Words) -> list[GameForm]:
    """Return the forms to start each game."""
    return [_game_form(game, viewer_words) for game in games.all_games().values()]


def listed(game: type[Race], viewer_words: Words) -> GameView:
    """Return a game for a list of games."""
    fewest, most = game.seat_counts
    return GameView(
        name=game.name,
        title=viewer_words(game.title),
        animal=game.animal,
        seats=(fewest, most),
        pieces=list(game.pieces),
    )


def _game_form(game: type[Race], viewer_words: Words) -> GameForm:
    says = presenter_of(game)
    return GameForm(
        **asdict(listed(game, viewer_words)),
        labels=[viewer_words.without_article(name) for name in game.pieces.values()],
        owned=game.owned,
        numbered="play" in game.forms and game.forms["play"].shape is int,
        lines_up="line-up" in game.forms,
        uses_start=game.uses_start,
        chart=list(game.chart),
        options=[_option_form(option, viewer_words) for option in game.options],
        hands=has_hands(game),
        editions=[edition_form(edition, viewer_words) for edition in game.editions]
        if len(game.editions) > 1
        else [],
        feel=viewer_words(says.feel) if says.feel else "",
        minutes=says.minutes,
    )


def edition_form(edition: Edition, viewer_words: Words) -> EditionForm:
    """Return a box for a page, in the viewer's language."""
    return EditionForm(
        name=edition.name,
        title=viewer_words(edition.title),
        contents=viewer_words(edition.contents),
        differs=viewer_words(edition.differs),
        seats=edition.seats,
        options=dict(edition.options),
        usual=dict(edition.usual),
    )


def _option_form(option: Option, viewer_words: Words) -> OptionForm:
    return OptionForm(
        name=option.name,
        label=viewer_words(option.label),
        help=viewer_words(option.help),
        default=option.default,
        type=option.kind,
        min=option.low,
        max=option.high,
        choices=[ChoiceView(value=name, label=viewer_words(label)) for name, label in option.choices.items()],
    )


_FUNNY = (
    N_("Sofa Comet"),
    N_("Muddy Thunder"),
    N_("Late Again"),
    N_("Lord Wobble"),
    N_("Carrot Express"),
    N_("Not Yet"),
    N_("Turbo Granny"),
    N_("Professor Oats"),
    N_("Wrong Way"),
    N_("Button Nose"),
    N_("Dizzy Duchess"),
    N_("Second Helping"),
    N_("Captain Hiccup"),
    N_("Slow Motion"),
    N_("Biscuit Thief"),
    N_("Hurry Up"),
)
