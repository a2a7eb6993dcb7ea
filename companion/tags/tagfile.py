"""Tags in a text file: a line each, the UID and its meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion import games
from companion.errors import ValidationError, validation_error
from companion.games.boxes import most_cards
from companion.message import N_
from companion.tags.item import Item

_UID = re.compile(r"(?:[0-9A-F]{2}){4}|(?:[0-9A-F]{2}){7}|(?:[0-9A-F]{2}){10}")


def checked_uid(text: str) -> str:
    """Return a UID in its stored form: upper-case hex, 4, 7 or 10 bytes; InvalidInput says why it is
    unusable.

    >>> checked_uid("04:a1:b2:c3:d4:e5:f6")
    '04A1B2C3D4E5F6'
    """
    uid = re.sub(r"[\s:.-]", "", text).upper()
    if not _UID.fullmatch(uid):
        raise validation_error(N_("{text} is no UID: it has 4, 7 or 10 bytes in hex"), text=repr(text))
    if len(uid) == 8 and uid.startswith("08"):
        raise validation_error(
            N_("{text} changes at every read (4 bytes that start with 08): use another tag"), text=repr(text)
        )
    return uid


def read_tags(text: str) -> dict[str, str]:
    """Return the meaning of each tag, from lines `UID MEANING`; `#` begins a comment, a byte-order mark is
    ignored.

    InvalidInput says `LINE: reason` at the first invalid line; then nothing was learnt.

    >>> read_tags("04A1B2C3D4E5F6 galloping-pigs/card/red/3")
    {'04A1B2C3D4E5F6': 'galloping-pigs/card/red/3'}
    """
    tags: dict[str, str] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            uid, means = _tag(words)
            if uid in tags:
                raise validation_error(N_("the tag {uid} stands here twice"), uid=uid)
            if means in tags.values():
                raise validation_error(N_("two tags for {text}"), text=means)
        except ValueError as error:
            reason = error.sentence if isinstance(error, ValidationError) else str(error)
            raise validation_error("{line}: {then}", line=number, then=reason) from None
        tags[uid] = means
    return tags


def _tag(words: list[str]) -> tuple[str, str]:
    if len(words) < 2:
        raise validation_error(N_("a line has a UID and its meaning, such as galloping-pigs/card/red/3"))
    means = words[-1]
    _check_exists(Item.of(means))
    return checked_uid("".join(words[:-1])), means


def _check_exists(item: Item) -> None:
    """Raise InvalidInput if no game has this card or piece: a typing error would show at the table only."""
    game = games.find_by_name(item.game)
    if item.colour not in game.pieces:
        known = ", ".join(game.pieces)
        raise validation_error(
            N_("{game} has {known}, not {text}"), game=item.game, known=known, text=repr(item.colour)
        )
    if item.kind == "card" and not 1 <= item.number <= most_cards(game):
        message = N_("{game} has cards 1 to {high} of each colour, not {number}")
        raise validation_error(message, game=item.game, high=most_cards(game), number=item.number)


def write_tags(tags: Mapping[str, str]) -> str:
    """Return the text that `read_tags` reads."""
    return "".join(f"{uid} {means}\n" for uid, means in sorted(tags.items(), key=lambda t: t[1]))
