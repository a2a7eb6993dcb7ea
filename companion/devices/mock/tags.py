"""The demo set: tags for the cards and pieces of every game, the same at every start.

A tag means `GAME/card/COLOUR/NUMBER` (the copy in Pigs and Horse, the value elsewhere) or
`GAME/piece/COLOUR`. Most are NTAG213s (7 bytes, NXP's 04 first); every fifth card and one piece a game is a
MIFARE Classic (4 bytes), so that both sizes are on every table.
"""

from __future__ import annotations

import hashlib
from typing import Final

from companion import games
from companion.games.boxes import most_cards

NXP = 0x04
RANDOM_UID, CASCADE_TAG = 0x08, 0x88  # no fixed 4-byte UID begins with these


def uid(means: str, size: int) -> str:
    """Return a UID of `size` bytes (4 or 7) for that meaning, in upper-case hex.

    >>> uid("galloping-pigs/piece/red", 7)
    '04905F3959EA91'
    """
    some = bytearray(hashlib.sha256(means.encode()).digest()[:size])
    if size == 7:
        some[0] = NXP
        some[3] ^= some[3] == CASCADE_TAG
    else:
        some[0] ^= 0x10 if some[0] in (RANDOM_UID, CASCADE_TAG, NXP) else 0
    return some.hex().upper()


def means_of(game: str) -> list[tuple[str, int]]:
    """Return the meaning of each tag of a game's largest box, and the number of bytes of its UID."""
    race = games.find_by_name(game)
    cards = [
        (f"{game}/card/{colour}/{n}", 4 if n % 5 == 0 else 7)
        for colour in race.pieces
        for n in range(1, most_cards(race) + 1)
    ]
    return cards + [(f"{game}/piece/{colour}", 4 if colour == "green" else 7) for colour in race.pieces]


def demo_set() -> dict[str, str]:
    """Return all tags of all games: UID to meaning."""
    return {uid(means, size): means for game in games.all_games() for means, size in means_of(game)}


DEMO_SET: Final[dict[str, str]] = demo_set()
