"""Sentences in a viewer's language, as plain text or as parts that a page can colour."""

from __future__ import annotations

import string
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any, Self

from babel.support import Translations

from companion.games.race import Race
from companion.sentence import N_, Sentence

LOCALE = Path(__file__).parent / "locale"
LANGUAGES = ("en",)

_START = N_("start")
_PLAIN = (N_("red"), N_("blue"), N_("green"), N_("yellow"), N_("pink"), N_("brown"))

Part = str | dict[str, Any]


class Words:
    """The words of one language. English stands in the code: it needs no catalogue."""

    def __init__(self, catalogue: NullTranslations, language: str) -> None:
        self.catalogue, self.language = catalogue, language

    @classmethod
    @cache
    def of(cls, language: str) -> Self:
        """The words of `language`, an item of LANGUAGES; messages not translated stay English."""
        return cls(Translations.load(LOCALE, [language], "companion"), language)

    @classmethod
    def english(cls) -> Self:
        """The words as the code has them."""
        return cls.of("en")

    def __call__(self, text: str) -> str:
        """A message without values."""
        return self.catalogue.gettext(text)

    def text(self, sentence: Sentence, race: Race | None = None) -> str:
        """A sentence as plain text; `race` names its seats and pieces.

        >>> from companion.games.galloping import GallopingPigs
        >>> race = GallopingPigs.new(["Ada", "Ben"])
        >>> Words.english().text(Sentence("{seat} moves {piece} to {space}",
        ...                               {"seat": 1, "piece": "red", "space": 0}), race)
        'Ben moves the red pig to start'
        """
        return "".join(p if isinstance(p, str) else p["text"] for p in self.parts(sentence, race))

    def parts(self, sentence: Sentence, race: Race | None = None) -> list[Part]:
        """A sentence as text and marked values: {"piece": "red", "text": "red pig"} and the like."""
        parts: list[Part] = []
        for literal, name, _, _ in string.Formatter().parse(self._template(sentence)):
            if literal:
                parts.append(literal)
            if name is not None:
                parts.extend(self._value(name, sentence.values[name], race))
        return parts

    def _template(self, sentence: Sentence) -> str:
        if sentence.plural is None:
            return self.catalogue.gettext(sentence.text)
        return self.catalogue.ngettext(sentence.text, sentence.plural, sentence.values["count"])

    def _value(self, name: str, value: Any, race: Race | None) -> list[Part]:
        what = name.rstrip("0123456789").partition("_")[0]
        if isinstance(value, Sentence):
            return self.parts(value, race)
        if what == "seat" and race is not None:
            return [{"seat": value, "text": race.seats[value]}]
        if what == "piece" and race is not None:
            article, name = self._piece(value, race)
            return [*filter(None, [article]), {"piece": value, "text": name}]
        if what == "space":
            return [{"space": value, "text": self.space(value, race)}]
        if what == "card":
            return [{"card": value, "text": self(str(value))}]
        if what == "kind":
            return [self(race.words.get(value, value) if race is not None else value)]  # type: ignore[arg-type]
        if what in ("gain", "loss"):
            return [{what: value, "text": f"+{value}" if what == "gain" else str(value)}]
        return [str(value)]

    def piece(self, piece: str, race: Race) -> str:
        """A piece by its own name, else by its colour, without an article."""
        return self._piece(piece, race)[1]

    def _piece(self, piece: str, race: Race) -> tuple[str, str]:
        """The article and the name; an animal that was given a name needs no article."""
        if piece in race.nicknames:
            return "", race.nicknames[piece]
        article, _, name = self(race.pieces[piece]).rpartition("|")
        return article, name

    def space(self, space: int, race: Race | None = None) -> str:
        """A space as people say it: space 0 of a loop is its start."""
        on_loop = race is None or race.track()["kind"] == "loop"
        return self(_START) if space == 0 and on_loop else str(space)
