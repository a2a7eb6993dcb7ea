"""Sentences in a viewer's language, as plain text or as parts that a page can colour.

May use `catalogue.py`, plug-ins for more languages, and games for the names of pieces.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from msgspec import UNSET, UnsetType

from companion import plugins
from companion.catalogue import Catalogue, read
from companion.errors import validation_error
from companion.games.presenter import presented
from companion.games.race import Race
from companion.message import N_, Sentence, quantity
from companion.reply import Colour, Reply, Seat

LOCALE = Path(__file__).parent / "locale"
LANGUAGES = {"en": "English", "fr": "Français", "de": "Deutsch"}  # each by its own name


class Language(NamedTuple):
    """A language that a plug-in brings: its own name, its catalogue. Its entry point is named by its code."""

    title: str
    po: Path


@cache
def plugged() -> tuple[plugins.Plugin[Language], ...]:
    """Return the plug-ins that bring languages, broken ones too."""
    return plugins.loaded("companion.languages", _language, LANGUAGES)


def languages() -> Mapping[str, str]:
    """Return every language by its code, with its own name; those of plug-ins last."""
    return {**LANGUAGES, **{code: one.title for code, one in plugins.brought(plugged()).items()}}


_FORMS = " / "  # between the forms of a piece's name: as subject, as object, alone

_START = N_("start")
_MONEY = N_("${n}")
_DECIMAL = N_("{whole}.{decimals}")
_DAY = N_("{day} {month} {year}")
_MONTHS = (
    N_("January"),
    N_("February"),
    N_("March"),
    N_("April"),
    N_("May"),
    N_("June"),
    N_("July"),
    N_("August"),
    N_("September"),
    N_("October"),
    N_("November"),
    N_("December"),
)
_PLAIN = (N_("red"), N_("blue"), N_("green"), N_("yellow"), N_("pink"), N_("brown"))


def spoken(codes: Iterable[str]) -> str:
    """Return the code of the first requested language that is available here; English if none is.

    >>> spoken(["it_IT.UTF-8", "FR-CH;q=0.9", "de"]), spoken(["it"])
    ('fr', 'en')
    """
    named = (re.split("[-_.@;]", code.strip())[0].lower() for code in codes)
    return next((code for code in named if code in LANGUAGES or code in languages()), "en")


def _language(code: str, loaded: Any) -> dict[str, Language]:
    """Return a plug-in's language by its code; ValidationError if pages cannot be shown in it."""
    if not re.fullmatch("[a-z]{2,3}", code):  # a code as browsers send it and a cookie stores it
        raise validation_error(_NO_CODE, text=code)
    if not isinstance(loaded, Language):
        raise validation_error(_NO_LANGUAGE, text=repr(loaded)[:60])
    if not isinstance(loaded.title, str) or not loaded.title.strip():
        raise validation_error(_NAMELESS)
    for message, forms in read(Path(loaded.po)).items():
        for said in forms:
            strange = _places(said) - _places(message)
            if strange:
                raise validation_error(_STRANGE, text=message[:60], known=", ".join(sorted(strange)))
    return {code: loaded}


def _places(text: str) -> set[str]:
    """Return the names of a message's values; ValueError if its braces are not in pairs."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


_NO_CODE: Final = N_("{text} is no code of a language: two or three small letters are wanted, such as eo")
_NO_LANGUAGE: Final = N_("{text} is no language: a companion.translate.Language is wanted, with title and po")
_NAMELESS: Final = N_("its language has no title, its own name by which people choose it")
_STRANGE: Final = N_("its words for “{text}” speak of {known}, which that message does not have")


class Mark(Reply):
    """A marked value of a sentence: its type, and its text."""

    seat: Seat | UnsetType = UNSET
    piece: Colour | UnsetType = UNSET
    space: int | UnsetType = UNSET
    card: int | str | UnsetType = UNSET
    gain: int | UnsetType = UNSET
    loss: int | UnsetType = UNSET
    text: str


Phrase = str | Mark
"""A piece of a sentence: plain text, or a value that a page can colour."""


class Words:
    """The words of one language. English is in the code: it needs no catalogue."""

    def __init__(self, catalogue: Catalogue, language: str) -> None:
        self.catalogue, self.language = catalogue, language

    @classmethod
    @cache
    def of(cls, language: str) -> Self:
        """Return the words of the language with this code; messages not translated stay English."""
        other = None if language in LANGUAGES else plugins.brought(plugged()).get(language)
        path = Path(other.po) if other else LOCALE / language / "LC_MESSAGES" / "companion.po"
        return cls(Catalogue(read(path) if path.exists() else {}, language), language)

    @classmethod
    def english(cls) -> Self:
        """Return the words as the code has them."""
        return cls.of("en")

    def __call__(self, text: str) -> str:
        """Return a message without values."""
        return self.catalogue.gettext(text)

    def text(self, sentence: Sentence, race: Race | None = None) -> str:
        """Return a sentence as plain text; `race` names its seats and pieces.

        >>> from companion.games.galloping import GallopingPigs
        >>> race = GallopingPigs.new(["Ada", "Ben"])
        >>> Words.english().text(Sentence("{seat} moves {piece} to {space}",
        ...                               {"seat": 1, "piece": "red", "space": 0}), race)
        'Ben moves the red pig to start'
        """
        return "".join(p if isinstance(p, str) else p.text for p in self.parts(sentence, race))

    def parts(self, sentence: Sentence, race: Race | None = None, alone: bool = False) -> list[Phrase]:
        """Return a sentence as text and marked values: Mark(piece="red", text="red pig") and the like.

        A translation may ask for the form of a piece's name: `{piece:object}` is "den roten Hund". In a cell
        of a table the names are `alone`: "roter Hund".
        """
        text, plural = sentence.text, sentence.plural
        if race is not None:
            text, plural = presented(race).instead.get(text, (text, plural))
        parts, template = list[Phrase](), self.catalogue.gettext(text)
        if plural is not None:
            template = self.catalogue.ngettext(text, plural, quantity(sentence.values))
        for literal, name, form, _ in string.Formatter().parse(template):
            if literal:
                parts.append(literal)
            if name is not None:
                parts.extend(self._value(name, sentence.values[name], race, "alone" if alone else form or ""))
        return parts

    def _value(self, name: str, value: Any, race: Race | None, form: str) -> list[Phrase]:
        what = name.rstrip("0123456789").partition("_")[0]
        if isinstance(value, Sentence):
            return self.parts(value, race, form == "alone")
        if what == "seat" and race is not None:
            return [Mark(seat=value, text=race.seats[value])]
        if what == "piece" and race is not None:
            article, name = self._piece(value, race, form)
            return [*filter(None, [article]), Mark(piece=value, text=name)]
        if what == "space":
            return [Mark(space=value, text=self.space(value, race))]
        if what == "card":
            return [Mark(card=value, text=self(str(value)))]
        if what == "kind":
            return [self(presented(race).words.get(value, value) if race is not None else value)]  # type: ignore[arg-type]
        if what == "gain":
            return [Mark(gain=value, text=f"+{value}")]
        if what == "loss":
            return [Mark(loss=value, text=str(value))]
        if what == "money":
            return [self.money(value)]
        return [self.number(value) if isinstance(value, Decimal) else str(value)]

    def number(self, value: Decimal) -> str:
        """Return a number with its decimals in the language's format, without trailing zeros.

        >>> Words.english().number(Decimal("2.50")), Words.of("de").number(Decimal("2.50"))
        ('2.5', '2,5')
        """
        whole, _, decimals = f"{value:f}".partition(".")
        decimals = decimals.rstrip("0")
        return self(_DECIMAL).format(whole=whole, decimals=decimals) if decimals else whole

    def day(self, day: date) -> str:
        """Return a day in the language's format.

        >>> Words.english().day(date(2026, 3, 1)), Words.of("de").day(date(2026, 3, 1))
        ('1 March 2026', '1. März 2026')
        """
        return self(_DAY).format(month=self(_MONTHS[day.month - 1]), day=day.day, year=day.year)

    def money(self, dollars: int) -> str:
        r"""Return an amount in the language's format.

        >>> Words.english().money(-500), Words.of("de").money(-500)
        ('−$500', '−500\u202f$')
        """
        return ("−" if dollars < 0 else "") + self(_MONEY).format(n=abs(dollars))

    def piece(self, piece: str, race: Race) -> str:
        """Return a piece by its own name, else by its colour, without an article."""
        return self._piece(piece, race, "alone")[1]

    def without_article(self, name: str) -> str:
        """Return the game's name of a piece ("the |red pig") without the article: as a label has it."""
        return self._forms(name)["alone"][1]

    def _piece(self, piece: str, race: Race, form: str) -> tuple[str, str]:
        """Return the article and the name; an animal that was given a name needs no article."""
        if piece in race.nicknames:
            return "", race.nicknames[piece]
        return self._forms(race.pieces[piece])[form]

    def _forms(self, name: str) -> dict[str, tuple[str, str]]:
        """Return article and name as a subject (""), as an object, and alone; English has one
        form for all.
        """
        forms = [(form.rpartition("|")[0], form.rpartition("|")[2]) for form in self(name).split(_FORMS)]
        first, last = forms[0], forms[-1]
        return {"": first, "object": forms[1] if len(forms) > 1 else first, "alone": ("", last[1])}

    def space(self, space: int, race: Race | None = None) -> str:
        """Return a space as people say it: space 0 of a loop is its start."""
        on_loop = race is None or race.track()["kind"] == "loop"
        return self(_START) if space == 0 and on_loop else str(space)
