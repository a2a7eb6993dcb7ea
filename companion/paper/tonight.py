"""The evening as an image to store or send: its champion, the podium, its moment, its games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from companion import games
from companion.history.leaderboard import same_name
from companion.history.tonight import Best, Person, Tonight
from companion.message import N_, NN_, Sentence
from companion.paper import drawings
from companion.paper.hats import hat
from companion.paper.keepsake import EDGE, HIGH, WIDE, Poster
from companion.paper.sheet import INK, SOFT, learn_fonts
from companion.table.faces import Face
from companion.translate import Words

ON_STEPS: Final = 3
MOST_OTHERS: Final = 4  # people next to the podium
STEPS: Final = (200.0, 156.0, 120.0)  # px, how high the steps of the first, second and third are
FLOOR: Final = 858.0  # px, where the podium stands
STEP: Final = 280.0  # px, how wide a step is
ROW: Final = 66  # px, of a person next to the podium
ROUNDED: Final = 5  # percent


def tonight_image(
    now: Tonight, words: Words, text: Sentence, faces: Mapping[str, Face], best: Best | None = None
) -> bytes:
    """Return the image; `text` is the sentence at its top, `best` the moment of the evening, if there is one.

    Of `faces` it has hats in their colours and no photo: those stay on the machine.
    """
    learn_fonts()
    return _Image(now, words, text, faces, best).svg()


class _Image(Poster):
    """The image, from its title to its games."""

    def __init__(
        self, now: Tonight, words: Words, text: Sentence, faces: Mapping[str, Face], best: Best | None
    ) -> None:
        super().__init__(words, FLOOR)
        self.now, self.faces = now, faces
        self._text(WIDE / 2, 178, words(_TITLE), 76, WIDE - 2 * EDGE)
        if now.games:
            day = words.day(datetime.fromisoformat(now.games[0].began))
            self._text(WIDE / 2, 232, day, 34, WIDE - 2 * EDGE, colour=SOFT)
        self._plate(words.text(text))
        self._podium()
        below = self._others(now.people[ON_STEPS : ON_STEPS + MOST_OTHERS])
        if best is not None:
            self._moment(best, below)
        self._games()
        self._sign()

    def _podium(self) -> None:
        """Draw the first three: the second left of the first, the third right of it; equal ones level."""
        people = self.now.people[:ON_STEPS]
        order = [*people[1:2], *people[:1], *people[2:]]
        for index, one in enumerate(order):
            place = sum((other.points, other.wins) > (one.points, one.wins) for other in people)
            self._step(one, WIDE / 2 + (index - len(order) / 2) * STEP, place)
        self._path(f"M0 {FLOOR:g}H{WIDE}", "none", INK, 6)

    def _step(self, one: Person, x: float, place: int) -> None:
        high, middle, first = STEPS[place], x + STEP / 2, place == 0
        top, left, right = FLOOR - high, x + 4, x + STEP - 4
        outline = (
            f"M{left:g} {FLOOR:g}V{top + 20:g}a20 20 0 0 1 20 -20H{right - 20:g}a20 20 0 0 1 20 20V{FLOOR:g}"
        )
        self._path(outline, "#ffe27a" if first else "#ffffff", INK, 5)
        self._text(middle, top + 62, str(place + 1), 58, STEP)
        points = self.words.text(Sentence(_POINTS[0], {"count": one.points}, _POINTS[1]))
        self._text(middle, top + 96, points, 30, STEP - 20)
        self._text(middle, top - 18, one.name, 42 if first else 36, STEP - 10)
        self._hat(one, middle - 62, top - 190, 124)
        if one.name in self.now.leaders and self.now.to_go == 0:
            self._draw(drawings.symbol("trophy"), middle + 50, top - 150, 84, 84)

    def _others(self, people: Sequence[Person]) -> float:
        """Draw the others in two columns on the grass; return what is below them."""
        wide = (WIDE - 2 * EDGE - 20) / 2
        for index, one in enumerate(people):
            x, y = EDGE + (index % 2) * (wide + 20), FLOOR + 24 + (index // 2) * (ROW + 10)
            self._box(x, y, wide, ROW, "#ffffff", 20, INK)
            self._hat(one, x + 16, y + 6, 54)
            self._text(x + 86, y + 45, one.name, 34, wide - 260, "start")
            points = self.words.text(Sentence(_POINTS[0], {"count": one.points}, _POINTS[1]))
            self._text(x + wide - 20, y + 45, points, 30, 150, "end")
        return FLOOR + 24 + (len(people) + 1) // 2 * (ROW + 10)

    def _moment(self, best: Best, top: float) -> None:
        """Draw the moment of the evening: the headline of its game, what was done, and the chances."""
        race, swing = best.past.race, best.swing
        self._box(EDGE, top, WIDE - 2 * EDGE, 178, "#fffaf0", 28, INK)
        self._text(WIDE / 2, top + 44, self.words(MOMENT), 28, WIDE - 2 * EDGE - 60, colour="#b23a00")
        headline = self.words.text(best.headline or swing.what, race)
        self._text(WIDE / 2, top + 96, headline[:1].upper() + headline[1:], 44, WIDE - 2 * EDGE - 60)
        values = {
            "name": best.past.seats[swing.gainer],
            "from": rounded(swing.before[swing.gainer]),
            "to": rounded(swing.after[swing.gainer]),
        }
        title, chances = self.words(best.past.title), self.words.text(Sentence(_CHANCES, values))
        under = f"{title} · {self.words.text(swing.stage, race)} · {chances}"
        self._text(WIDE / 2, top + 146, under, 30, WIDE - 2 * EDGE - 60, colour=SOFT)

    def _hat(self, one: Person, x: float, y: float, size: float) -> None:
        face = self.faces.get(same_name(one.name), Face())
        self._draw(hat(one.seat, face), x, y, size, size)

    def _games(self) -> None:
        """Draw an animal for each game, as many as fit, and how many games there were."""
        for index, filed in enumerate(reversed(self.now.games[:6])):
            game = games.find_by_name(filed.header.game)
            piece = list(game.pieces)[index % len(game.pieces)]
            self._draw(drawings.animal(game.animal, piece), EDGE + 160 * index, HIGH - 186, 150, 104)
        count = self.words.text(Sentence(_GAMES[0], {"count": len(self.now.games)}, _GAMES[1]))
        self._text(EDGE, HIGH - 34, count, 30, 400, "start", "#5a3a12")


def rounded(points: int) -> int:
    """Return a chance as people read it: to 5 %, but neither 0 nor 100 while anything else was possible.

    >>> rounded(0), rounded(1), rounded(43), rounded(99), rounded(100)
    (0, 5, 45, 95, 100)
    """
    if points in (0, 100):
        return points
    return min(100 - ROUNDED, max(ROUNDED, ROUNDED * round(points / ROUNDED)))


MOMENT: Final = N_("The moment of the evening")
_TITLE = N_("Tonight")
_CHANCES = N_("{name} from {from}% to {to}%")
_POINTS = NN_("{count} point", "{count} points")
_GAMES = NN_("{count} game", "{count} games")
