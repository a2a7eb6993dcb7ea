"""The messages of one language, read from its `.po` file.

No compiled file exists, so none can be out of date. It reads what `make words` writes: messages of one form
or two, comments, no context and no header.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ZERO_IS_SINGULAR: Final = ("fr",)
"""The languages whose plural rule differs from English."""


class Catalogue:
    """The translation of each message; a message without one stays English."""

    def __init__(self, translations: Mapping[str, tuple[str, ...]], language: str = "en") -> None:
        self.translations = translations
        self._zero_is_singular = language in ZERO_IS_SINGULAR

    def gettext(self, message: str) -> str:
        """Return a message in this language."""
        return self.translations.get(message, (message,))[0]

    def ngettext(self, one: str, many: str, n: int) -> str:
        """Return the form of a message for `n` things; a language of one form always uses it.

        >>> Catalogue({"{count} card": ("{count}枚",)}, "ja").ngettext("{count} card", "{count} cards", 2)
        '{count}枚'
        """
        forms = self.translations.get(one, (one, many))
        is_singular = n == 1 or (n == 0 and self._zero_is_singular)
        return forms[0] if is_singular else forms[-1]


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
