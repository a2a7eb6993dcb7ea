"""The evening as an image to store or send: its champion, the points of everybody, its games."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from companion import games
from companion.history.leaderboard import same_name
from companion.history.tonight import Tonight
from companion.message import N_, NN_, Sentence
from companion.paper import drawings
from companion.paper.hats import SEATS
from companion.paper.keepsake import EDGE, HIGH, WIDE, Poster
from companion.paper.sheet import INK, SOFT, learn_fonts
from companion.table.faces import COLOURS, Face
from companion.translate import Words

MOST_PEOPLE: Final = 7
ROW: Final = 92  # px
TOP: Final = 470


def tonight_image(now: Tonight, words: Words, text: Sentence, faces: Mapping[str, Face]) -> bytes:
    """Return the image; `text` is the sentence at its top.

    Of `faces` it has hats in their colours and no photo: those stay on the machine.
    """
    learn_fonts()
    return _Image(now, words, text, faces).svg()


class _Image(Poster):
    """The image, from its title to its games."""

    def __init__(self, now: Tonight, words: Words, text: Sentence, faces: Mapping[str, Face]) -> None:
        super().__init__(words, 1130)
        self.now, self.faces = now, faces
        self._text(WIDE / 2, 178, words(_TITLE), 76, WIDE - 2 * EDGE)
        if now.games:
            day = words.day(datetime.fromisoformat(now.games[0].began))
            self._text(WIDE / 2, 232, day, 34, WIDE - 2 * EDGE, colour=SOFT)
        self._plate(words.text(text))
        self._people()
        self._games()
        self._sign()

    def _people(self) -> None:
        shown = self.now.people[:MOST_PEOPLE]
        if shown:
            self._box(EDGE, TOP, WIDE - 2 * EDGE, ROW * len(shown) + 20, "#ffffff", 28, INK)
        for index, one in enumerate(shown):
            y = TOP + 10 + ROW * index
            face = self.faces.get(same_name(one.name), Face())
            paint = COLOURS.get(face.colour)
            number = one.seat % SEATS if face.hat is None else face.hat
            hat = drawings.hat(number, paint.hat, paint.band) if paint else drawings.hat(number)
            self._draw(hat, EDGE + 30, y + 10, 72, 72)
            self._text(EDGE + 128, y + 62, one.name, 44, 500, "start")
            points = self.words.text(Sentence(_POINTS[0], {"count": one.points}, _POINTS[1]))
            self._text(WIDE - EDGE - 110, y + 62, points, 40, 260, "end")
            if one.name in self.now.leaders:
                self._draw(drawings.symbol("trophy"), WIDE - EDGE - 90, y + 12, 68, 68)

    def _games(self) -> None:
        """Draw an animal for each game, as many as fit, and how many games there were."""
        for index, filed in enumerate(reversed(self.now.games[:6])):
            game = games.find_by_name(filed.header.game)
            piece = list(game.pieces)[index % len(game.pieces)]
            self._draw(drawings.animal(game.animal, piece), EDGE + 160 * index, HIGH - 186, 150, 104)
        count = self.words.text(Sentence(_GAMES[0], {"count": len(self.now.games)}, _GAMES[1]))
        self._text(EDGE, HIGH - 34, count, 30, 400, "start", "#5a3a12")


_TITLE = N_("Tonight")
_POINTS = NN_("{count} point", "{count} points")
_GAMES = NN_("{count} game", "{count} games")
