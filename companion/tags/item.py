"""The item that a tag marks."""

from __future__ import annotations

from typing import NamedTuple

from companion.errors import InvalidInput


class Item(NamedTuple):
    """A card or piece of a game, of a colour; a card also has a number."""

    game: str
    kind: str
    colour: str
    number: int

    @classmethod
    def of(cls, means: str) -> Item:
        """Return the item that `GAME/card/COLOUR/NUMBER` or `GAME/piece/COLOUR` means; InvalidInput
        otherwise.

        >>> Item.of("galloping-pigs/card/red/3")
        Item(game='galloping-pigs', kind='card', colour='red', number=3)
        """
        parts = means.split("/")
        if len(parts) == 4 and parts[1] == "card" and parts[3].isdecimal():
            return cls(parts[0], "card", parts[2], int(parts[3]))
        if len(parts) == 3 and parts[1] == "piece":
            return cls(parts[0], "piece", parts[2], 0)
        raise InvalidInput(f"a tag means GAME/card/COLOUR/NUMBER or GAME/piece/COLOUR, not {means!r}")
