"""The name of a thing of a box as people call it."""

from __future__ import annotations

from typing import Annotated

from companion.games.boxes import box_called
from companion.games.race import Race
from companion.message import N_, Sentence
from companion.reply import Means, Reply, one_of
from companion.tags.item import Item
from companion.translate import Words


class ThingView(Reply):
    """A card or a piece of a box; `number` is 0 of a piece."""

    means: Means
    kind: Annotated[str, one_of("card", "piece")]
    colour: str
    number: int
    label: str


def thing(means: str, game: type[Race], words: Words, edition: str = "") -> ThingView:
    """Return a card or a piece of this edition, as the pages draw and name it."""
    item = Item.of(means)
    if item.kind == "piece":
        label = words.without_article(game.pieces[item.colour])
    elif "play" in game.forms and game.forms["play"].shape is int:
        label = words.text(Sentence(_CARD, {"card": item.colour, "number": item.number}))
    else:  # its cards bear no numbers: any of that colour will do
        values = {
            "card": item.colour,
            "number": item.number,
            "of": max(item.number, box_called(game, edition).numbers),
        }
        label = words.text(Sentence(_ANY_CARD, values))
    return ThingView(
        means=means, kind=item.kind, colour=item.colour, number=item.number, label=capital(label)
    )


def box_title(game: type[Race], edition: str, words: Words) -> str:
    """Return the title of a game, with that of its box where an edition is named."""
    title = words(game.title)
    return f"{title}: {words(box_called(game, edition).title)}" if edition else title


def capital(text: str) -> str:
    """Return the text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


_CARD = N_("{card} card {number}")


_ANY_CARD = N_("{card} card, number {number} of {of}")
