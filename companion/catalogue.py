"""The messages of one language, read from its `.po` file.

No compiled file exists, so none can be out of date. It reads what `make words` writes: messages of one form
or two, comments, no context and no header.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final


def _not_one(n: int) -> bool:
    return n != 1


_SEVERAL: Final[Mapping[str, Callable[[int], bool]]] = {"fr": lambda n: n > 1}
"""Plural rules that differ from English: in French zero is singular too."""


class Catalogue:
    """The translation of each message; a message without one stays English."""

    def __init__(self, translations: Mapping[str, tuple[str, ...]], language: str = "en") -> None:
        self.translations = translations
        self._is_several = _SEVERAL.get(language, _not_one)

    def gettext(self, message: str) -> str:
        """Return a message in this language."""
        return self.translations.get(message, (message,))[0]

    def ngettext(self, one: str, many: str, n: int) -> str:
        """Return the form of a message for `n` things; a language of one form always uses it.

        >>> Catalogue({"{count} card": ("{count}枚",)}, "ja").ngettext("{count} card", "{count} cards", 2)
        '{count}枚'
        """
        forms = self.translations.get(one, (one, many))
        return forms[len(forms) > 1 and self._is_several(n)]


def read(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the translations in a .po file: by message its forms, one or two, without
    untranslated messages.
    """
    return {message: forms for message, forms in _entries(path.read_text("utf-8")) if message and all(forms)}


def _entries(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each message of a catalogue and its forms; blank lines separate them."""
    for block in text.split("\n\n"):
        parts: dict[str, str] = {}
        at = ""
        for line in block.splitlines():
            keyword, _, quoted = line.partition(" ")
            if line.startswith("msg"):
                at, parts[keyword] = keyword, json.loads(quoted)
            elif line.startswith('"'):  # the continued part
                parts[at] += json.loads(line)
        if parts:
            yield parts["msgid"], tuple(said for at, said in parts.items() if at.startswith("msgstr"))
