"""Every sentence for people stands in one catalogue, and can be said in another language."""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import pkgutil
import re
import shlex
import string
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from gettext import c2py
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from babel.dates import format_date
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from flask.testing import FlaskClient
from msgspec import to_builtins

import companion
from companion import games
from companion import translate as words
from companion.catalogue import Catalogue, read
from companion.devices.pad import SILENT
from companion.devices.readings import PartIs
from companion.games.galloping.rules import GallopingPigs
from companion.games.greyhounds.bets import PAIRS
from companion.games.greyhounds.rules import Greyhounds
from companion.games.judge import reason_against
from companion.games.presenter import presented, presenter_of
from companion.games.race import Race
from companion.games.terms import News
from companion.message import QUANTITIES, Sentence
from companion.translate import LOCALE, Words
from companion.views.table import page, panels, public
from tests.games.test_laws import races
from tests.support.apps import create_app
from tests.support.evening import PIGS, Evening
from tests.support.source import parsed

HOME = Path(companion.__file__).parent
POT = LOCALE / "companion.pot"
GAMES = [game for game in games.all_games().values() if HOME in Path(inspect.getfile(game)).parents]


def catalogue() -> Catalog:
    with POT.open("rb") as file:
        return read_po(file)


def forms(message: Message) -> tuple[str, ...]:
    """Return a message's one form, or its two."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


MESSAGES = [message for message in catalogue() if message.id]
KNOWN = {form for message in MESSAGES for form in forms(message)}
PLURALS = {form: forms(message) for message in MESSAGES if len(forms(message)) > 1 for form in forms(message)}


def of_own_games(language: str) -> set[str]:
    """Return the messages that only games without a translated title have: a maker's own, in English alone."""
    own = {Path(inspect.getfile(game)) for game in GAMES if game not in translated_games(language)}
    texts = {file: extracted(file) for file in HOME.rglob("*.py") if own}
    others = set().union(*(messages for file, messages in texts.items() if file not in own))
    return set().union(*(texts[file] for file in own)) - others


def extracted(file: Path) -> set[str]:
    """Return the messages without a plural in a Python file, as `make words` finds them."""
    with file.open("rb") as opened:
        found = extract("python", opened, {"N_": None, "_": None, "gettext": None})
        return {message for _, message, *_ in found if isinstance(message, str)}


def translated_games(language: str) -> list[type[Race]]:
    """Return the games whose sentences this language has."""
    if language == "en":
        return GAMES
    titles = {message.id for message in translation(language) if message.string}
    return [game for game in GAMES if game.title in titles]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


# --- the catalogue -------------------------------------------------------------------------------


def test_the_catalogue_is_what_the_code_says_now(tmp_path: Path) -> None:
    """`make words` would change nothing: its very command is run here."""
    recipe = (HOME.parent / "Makefile").read_text(encoding="utf-8")
    [line] = [line for line in recipe.splitlines() if "pybabel -q extract" in line]
    command = shlex.split(line.replace("$(BIN)/pybabel", "pybabel"))
    command[command.index("-o") + 1] = str(tmp_path / "now.pot")
    made = [sys.executable, "-c", "from babel.messages.frontend import main; main()", *command[1:]]
    subprocess.run(made, check=True, cwd=HOME.parent)
    now = (tmp_path / "now.pot").read_text(encoding="utf-8")
    assert now == POT.read_text(encoding="utf-8"), (
        "run `make words` and commit companion/locale/companion.pot"
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_message_of_a_game_is_in_the_catalogue(game: type[Race]) -> None:
    """Its words, its title, its pieces, its options and what they mean: nothing of a game stays English."""
    singular = {message.id for message in MESSAGES if isinstance(message.id, str)}
    plural = {message.id for message in MESSAGES if not isinstance(message.id, str)}
    for kind, text in presenter_of(game).words.items():
        assert text in (singular if isinstance(text, str) else plural), kind
    for text in (game.title, *game.pieces.values()):
        assert text in singular
    for option in game.options:
        assert {option.label, option.help} <= singular, option.name
    assert set(game.pieces) <= singular, "a card is said by its colour"


def modules() -> Iterator[Any]:
    """Yield every module of the companion but the modelled hardware's and the one that runs on import."""
    for found in pkgutil.walk_packages(companion.__path__, "companion."):
        if ".mock." not in found.name and not found.name.endswith("__main__"):
            module = importlib.import_module(found.name)
            if HOME in Path(str(module.__file__)).parents:
                yield module


def test_both_forms_of_a_plural_have_the_same_places() -> None:
    """For each quantity the same values fill the sentence, and it is one of them."""
    for message in MESSAGES:
        if not isinstance(message.id, str):
            one, many = forms(message)
            assert placeholders(one) == placeholders(many), one
            assert placeholders(many) & set(QUANTITIES), many


def test_every_plural_of_a_game_has_two_forms_with_the_same_places() -> None:
    """That holds also for a game that is not in the catalogue."""
    for game in games.all_games().values():
        for kind, text in presenter_of(game).words.items():
            if not isinstance(text, str):
                one, many = text
                assert placeholders(one) == placeholders(many), f"{game.name}: {kind}"


def translation(language: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES" / "companion.po").open("rb") as file:
        return read_po(file, language)


def said_in(message: Message) -> tuple[str, ...]:
    """Return what a translation says for a message: one form, or one for each number of its language."""
    said = message.string or ""
    return (said,) if isinstance(said, str) else tuple(said)


TRANSLATED = [language for language in words.LANGUAGES if language != "en"]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_says_every_message_and_no_other(language: str) -> None:
    """Nothing is missing, guessed or left over; each plural has as many forms as its language."""
    translated = translation(language)
    messages = [message for message in translated if message.id]
    assert {message.id for message in messages} == {message.id for message in MESSAGES}, "run `make words`"
    assert not translated.obsolete
    own = of_own_games(language)
    for message in messages:
        if message.id in own and not message.string:
            continue
        expected = 1 if isinstance(message.id, str) else translated.num_plurals
        assert len(said_in(message)) == expected, message.id
        assert all(said_in(message)), f"{language}: {message.id} is not translated"
        assert not message.fuzzy, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_is_read_as_its_tool_reads_it(language: str) -> None:
    """Babel, which writes the catalogues and is not needed to read them, finds the same in every message."""
    translated = [message for message in translation(language) if message.id and any(said_in(message))]
    read_by_babel = {forms(message)[0]: said_in(message) for message in translated}
    assert Words.of(language).catalogue.translations == read_by_babel


def test_what_a_catalogue_may_hold_is_read(tmp_path: Path) -> None:
    """Quotes, long messages over several lines, plurals; what waits for its translation stays English."""
    path = tmp_path / "companion.po"
    written = Catalog(locale="fr")
    said = {'a "b" \\ c\nd': "é « f »\tg", "long " * 40: "lang " * 60, "waits": ""}
    for message, text in said.items():
        written.add(message, text)
    written.add(("{count} pig", "{count} pigs"), ("{count} cochon", "{count} cochons"))
    with path.open("wb") as file:
        write_po(file, written, omit_header=True)
    words_read = read(path)
    assert words_read == {message: (text,) for message, text in said.items() if text} | {
        "{count} pig": ("{count} cochon", "{count} cochons")
    }
    assert Catalogue(words_read, "fr").gettext("waits") == "waits"


@pytest.mark.parametrize("language", [*words.LANGUAGES])
def test_a_language_says_one_or_several_as_its_speakers_do(language: str) -> None:
    """Unicode's rule, which Babel knows: French says one of nothing, English and German say several."""
    rule = Catalog(locale=language).plural_expr
    says = Catalogue({}, language)
    for n in range(200):
        assert (says.ngettext("one", "many", n) == "many") == bool(c2py(rule)(n)), n


@pytest.mark.parametrize("language", [*words.LANGUAGES])
def test_a_day_is_written_as_its_readers_do(language: str) -> None:
    """Unicode's long date, for each month; in English the British one."""
    locale = {"en": "en_GB"}.get(language, language)
    for month in range(1, 13):
        day = date(2026, month, 2 * month)
        assert Words.of(language).day(day) == format_date(day, "long", locale=locale)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_places_of_its_message(language: str) -> None:
    """A translator's slip in braces would be a sentence that cannot be said."""
    for message in translation(language):
        for form in said_in(message) if message.id and message.string else ():
            assert placeholders(form) == placeholders(forms(message)[-1]), form
            wished = {spec for _, name, spec, _ in string.Formatter().parse(form) if name and spec}
            assert wished <= {"object"}, form


def test_french_leaves_its_narrow_spaces() -> None:
    """No sign with two parts is torn from its word, and no apostrophe is a typewriter's."""
    for message in translation("fr"):
        for form in said_in(message) if message.id and message.string else ():
            assert not re.search(r" [:;!?»%$]|« |\w'\w", form), form


def test_no_message_has_a_placeholder_without_a_name() -> None:
    for text in KNOWN:
        assert all(re.fullmatch(r"[a-z][a-z_0-9]*", name) for name in placeholders(text)), text


# --- every sentence can be said ------------------------------------------------------------------


def values_for(names: set[str]) -> dict[str, Any]:
    """Return a value for each place, of the kind that its name says."""
    kinds: dict[str, Any] = {
        "seat": 1,
        "piece": "red",
        "card": "blue",
        "space": 9,
        "kind": "play",
        "gain": 2,
        "money": -500,
        "loss": 3,
        "count": 4,
        "then": Sentence("red"),
    }
    return {name: kinds.get(name.rstrip("0123456789").partition("_")[0], "so and so") for name in names}


def test_every_message_can_be_said() -> None:
    """Filled with values of the kinds that its places are named after, none is empty or has a brace left."""
    race, english = GallopingPigs.new(["Ada", "Ben"]), Words.english()
    said = {text: english.text(Sentence(text, values_for(placeholders(text))), race) for text in KNOWN}
    assert [
        text for text, sentence in said.items() if not sentence.strip() or "{" in sentence or "}" in sentence
    ] == []


def about(text: str, piece: str) -> Sentence:
    """Return a message filled with values of their kinds, about this piece."""
    values = values_for(placeholders(text))
    values = {name: piece if name.startswith("piece") else v for name, v in values.items()}
    if text in PLURALS:
        one, many = PLURALS[text]
        return Sentence(one, values | {"count": 1 if text == one else 2}, many)
    return Sentence(text, values)


@pytest.mark.parametrize(
    ("language", "game"),
    [(language, game) for language in TRANSLATED for game in translated_games(language)],
    ids=lambda value: getattr(value, "name", value),
)
def test_every_message_can_be_said_in_every_language(language: str, game: type[Race]) -> None:
    """About every piece of every game, named by people or not: no brace is left, and no English article."""
    said, plain = Words.of(language), game.new(["Ada", "Ben", "Cleo"][: game.seat_counts[0]])
    named = plain.known_as((), {piece: f"Turbo {n}" for n, piece in enumerate(game.pieces)})
    for text in KNOWN - set(game.pieces.values()) - of_own_games(language):
        for race, piece in itertools.product((plain, named), game.pieces):
            sentence = said.text(about(text, piece), race)
            assert not re.search(r"[{}]|\bthe\b", sentence), sentence


@pytest.mark.parametrize(
    ("language", "game"),
    [(language, game) for language in words.LANGUAGES for game in translated_games(language)],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_game_has_sentences_in_every_language(language: str, game: type[Race]) -> None:
    """News, prompts, panels and refusals of games at random, to everybody who may know them."""
    said, count = Words.of(language), 0
    for seed in range(3):
        _, positions, decisions = races(game, seed)
        for race, earlier in zip(positions, [None, *decisions], strict=True):
            for seen in (race.seen_by(None), race.seen_by(0)):
                again = earlier and reason_against(seen, earlier)  # decided already: mostly reason_against
                sentences = [
                    presented(seen).prompt(),
                    presented(seen).stage(),
                    again,
                    *(presented(seen).sentence(news) for news in seen.news),
                ]
                for sentence in filter(None, sentences):
                    text = said.text(sentence, seen)
                    assert text.strip()
                    assert language == "en" or not re.search(r"[{}|]|\bthe\b", text), text
                    count += 1
    assert count > 100


def constants(module: Any) -> dict[str, str]:
    return {name: value for name, value in vars(module).items() if isinstance(value, str)}


def message_in(node: ast.expr, known: dict[str, str]) -> str | None:
    """Return the message that an argument is: a constant of the module, or marked on the spot."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "N_":
        [text] = node.args
        return text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) else None
    return None


def sentences(module: Any) -> Iterator[tuple[int, str, set[str]]]:
    """Yield line, message and names of each literal Sentence or validation_error(…) of a module."""
    known = constants(module)
    for node in ast.walk(parsed(Path(inspect.getfile(module)))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
            continue
        text = message_in(node.args[0], known)
        if text is None:
            continue
        if node.func.id == "validation_error":
            yield node.lineno, text, {keyword.arg or "" for keyword in node.keywords}
        elif node.func.id == "Sentence" and len(node.args) == 1:
            yield node.lineno, text, set()
        elif node.func.id == "Sentence" and isinstance(node.args[1], ast.Dict):
            keys = node.args[1].keys
            if all(isinstance(key, ast.Constant) for key in keys):
                yield node.lineno, text, {str(key.value) for key in keys if isinstance(key, ast.Constant)}


def test_every_sentence_is_given_the_values_that_it_names() -> None:
    """In referee, table, view and everywhere else: also the sentences that are hardly ever said."""
    found = 0
    for module in modules():
        for line, text, names in sentences(module):
            found += 1
            assert placeholders(text) <= names, f"{module.__name__}:{line}: {text}"
            assert text in KNOWN, f"{module.__name__}:{line}: {text}"
    assert found > 40


def literal_news(game: type[Race]) -> Iterator[tuple[int, str, set[str]]]:
    """Return each piece of news of a game's file whose kind and names are written down: line, kind, names."""
    for node in ast.walk(parsed(Path(inspect.getfile(sys.modules[game.__module__])))):
        if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
            continue
        kind = str(node.args[0].value)
        if isinstance(node.func, ast.Name) and node.func.id == "News":
            keys = node.args[1].keys if len(node.args) > 1 and isinstance(node.args[1], ast.Dict) else []
            if all(isinstance(key, ast.Constant) for key in keys):
                yield node.lineno, kind, {str(key.value) for key in keys if isinstance(key, ast.Constant)}
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "_say":
            yield node.lineno, kind, {keyword.arg or "" for keyword in node.keywords}


@pytest.mark.parametrize("game", games.all_games().values(), ids=lambda game: game.name)
def test_every_piece_of_news_is_given_the_values_that_its_words_name(game: type[Race]) -> None:
    for line, kind, names in literal_news(game):
        text = presenter_of(game).words.get(kind)
        if text is not None:
            text = text if isinstance(text, str) else text[1]
            assert placeholders(text) <= names, f"{game.name}, line {line}: {kind}"


# --- in another language -------------------------------------------------------------------------

OPEN, SHUT = "⟦", "⟧"


@pytest.fixture
def pretended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Words]:
    """Yield a language (eo) that has every message of the catalogue in brackets: the rest is untranslated."""
    translated = Catalog(locale="eo")
    for message in MESSAGES:
        said = tuple("|".join(f"{OPEN}{part}{SHUT}" for part in form.split("|")) for form in forms(message))
        translated.add(message.id, said[0] if isinstance(message.id, str) else said)
    path = tmp_path / "eo" / "LC_MESSAGES" / "companion.po"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, translated, omit_header=True)
    monkeypatch.setattr(words, "LOCALE", tmp_path)
    monkeypatch.setitem(words.LANGUAGES, "eo", "Esperanto")
    Words.of.cache_clear()
    yield Words.of("eo")
    Words.of.cache_clear()


def test_a_plural_is_said_in_the_viewers_language(pretended: Words) -> None:
    race = GallopingPigs.new(["Ada", "Ben"])
    supply = presented(race).supply()
    assert supply is not None
    assert pretended.text(supply, race) == f"{OPEN}55 acorns left{SHUT}"


def english_in(value: Any, path: str = "") -> Iterator[str]:
    """Return every text for people in a view that did not come from the catalogue, with where it stands."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from english_in(inner, f"{path}.{key}")
        for key in SAID & value.keys():
            said = value[key]
            if isinstance(said, str) and not excused(said, value) and not bracketed(said):
                yield f"{path}.{key}: {said}"
    elif isinstance(value, list):
        if path.endswith((".parts", ".then")) and value:
            said = "".join(part if isinstance(part, str) else part["text"] for part in value)
            if not bracketed(said):
                yield f"{path}: {said}"
            return
        for number, inner in enumerate(value):
            yield from english_in(inner, f"{path}[{number}]")


SAID = {"text", "label", "title", "note", "help", "reason", "toText", "stockText", "provisional", "kept"}


def bracketed(said: str) -> bool:
    return said.startswith(OPEN) and said.endswith(SHUT)


def excused(said: str, around: dict[str, Any]) -> bool:
    """Return whether it may be said as it is: a number or a name of people."""
    return re.fullmatch(r"[+\d]*", said) is not None or set(around) == {"seat", "text"}


def evening(directory: Path) -> Iterator[Evening]:
    """Yield a round of pigs at a sensing track, with food, refusals, differences, undo; then its end."""
    table = Evening(directory, options={"rounds": 1, "food_on_track": True}, seats=("Ada", "Ben"))
    yield table
    for place, pig in enumerate(PIGS):
        table.put(pig, -place % 22)
    yield table
    table.press("confirm")
    yield table
    for seat, space in ((0, 8), (1, 9)):
        table.tap({"do": "place-food", "seat": seat, "space": space})
        yield table
    unplugged = Sentence("the track is unplugged: plug its USB cable in again, or move the pieces by taps")
    for part in (PartIs("track", "lost", unplugged), PartIs("pad", "tap", SILENT), PartIs("track", "ok")):
        table.table.handle(part)
        yield table
    table.lay("red 1")
    yield table
    table.lay("blue 1", "blue 2")
    yield table
    table.lift()
    table.put("red", 3)
    yield table
    table.lay("galloping-horse red 1")
    yield table
    table.press("next")
    table.lift()
    table.put("red", table.at("red"))
    table.put("pink", 7)
    yield table
    table.lay("blue 3")
    yield table
    table.lift()
    yield table
    table.press("undo")
    yield table
    table.table.play.redo(table.table.snapshot.seq)
    for number in range(1, 14):
        pig = PIGS[number % 5]
        table.tap({"do": "play", "seat": number % 2, "card": pig})
        yield table
    assert table.race.awaits() is None


def test_every_view_of_an_evening_is_in_the_viewers_language(tmp_path: Path, pretended: Words) -> None:
    """Table and page, from the empty table to the podium: no sentence, label or title stays English."""
    seen, english = 0, set[str]()
    for table in evening(tmp_path):
        picture = table.table.snapshot
        for shown in (
            to_builtins(public.table(picture, pretended)),
            to_builtins(page.page(picture, pretended, {"url": "http://x/watch", "qr": "/qr.svg"})),
        ):
            english |= set(english_in(shown))
            seen += str(shown).count(OPEN)
    assert english == set()
    assert seen > 500


class Texts(HTMLParser):
    """Every text for people in a page: text, labels, hints."""

    SILENT = ("script", "style", "symbol", "defs")
    SAID = ("aria-label", "placeholder", "title", "alt")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.SILENT:
            self._silent.append(tag)
        self.found += [value for name, value in attrs if name in self.SAID and value]

    def handle_endtag(self, tag: str) -> None:
        if self._silent and self._silent[-1] == tag:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.found.append(data.strip())


def asker(table: Evening) -> FlaskClient:
    class Hand:
        def tags(self) -> dict[str, str]:
            return {}

    client = create_app(table.table, mock=Hand()).test_client()  # type: ignore[arg-type]
    client.set_cookie("language", "eo")
    return client


@pytest.mark.parametrize("path", ["/", "/watch", "/tv", "/overlay", "/seat", "/host", "/mock", "/tags"])
def test_every_page_is_in_the_viewers_language(path: str, tmp_path: Path, pretended: Words) -> None:
    """Text, labels and hints of a page as it is sent; what fills it later comes from the views."""
    answer = asker(Evening(tmp_path, seats=())).get(path)
    texts = Texts()
    texts.feed(answer.get_data(as_text=True))
    english = {text for text in texts.found if any(c.isalpha() for c in text) and not bracketed(text)}
    assert english <= {"MOCK", *words.LANGUAGES.values()}, "what is said alike to everybody"
    assert len(texts.found) > 3
    assert 'lang="eo"' in answer.get_data(as_text=True)


def test_refusals_are_in_the_viewers_language(tmp_path: Path, pretended: Words) -> None:
    table = Evening(tmp_path, seats=())
    client = asker(table)
    origin = {"Origin": "http://localhost"}
    for path, body in (
        ("/api/undo", {"seq": 0}),
        ("/api/next", {}),
        ("/api/end", {"seq": 0}),
        ("/api/unlock", {"pin": "1", "role": "host"}),
    ):
        answer = client.post(path, json=body, headers=origin)
        assert answer.status_code in (400, 403, 409)
        assert bracketed(answer.get_json()["reason"]), answer.get_json()
    assert bracketed(client.post("/api/undo", json={"seq": 0}).get_json()["reason"]), "no Origin"
    assert bracketed(
        client.get("/api/table", headers={"Host": "evil.example", "Accept-Language": "eo"}).get_json()[
            "reason"
        ]
    )


def test_numbers_and_money_are_written_as_the_language_does() -> None:
    """A payout has a decimal comma, money its sign behind, everywhere on the page."""
    odds = {
        "win": [2.5, 5, 7, 12],
        "place": [2, 2, 3, 5],
        "double": dict(zip(PAIRS, [3, 6, 9, 11, 19, 26], strict=True)),
    }
    race = Greyhounds.new(["Ada", "Ben", "Cleo"], odds=odds)
    [panel] = [panel for panel in presented(race).panels() if panel.name == "odds"]
    won = presented(race).sentence(News("balance", {"seat": 0, "money": -1250}))
    for language, pays, has in (
        ("en", "2.5", "Ada has −$1250"),
        ("fr", "2,5", "Ada a −1250\u202f$"),
        ("de", "2,5", "Ada hat −1250\u202f$"),
    ):
        said = Words.of(language)
        assert panels._cell(panel.rows[0][1], race, said) == [pays]
        assert said.text(won, race) == has


def test_who_asks_for_no_language_we_have_gets_english(tmp_path: Path, pretended: Words) -> None:
    client = create_app(Evening(tmp_path).table).test_client()
    asked = {"": "", "xx": "", "tlh, eo;q=0.5": OPEN, "eo-EO": OPEN, "EO": OPEN, "en-GB, eo": "", "*": ""}
    for header, begins in asked.items():
        table = client.get("/watch", headers={"Accept-Language": header}).get_data(as_text=True)
        assert (OPEN in table) == bool(begins), header
