"""The evening on one page: the winner, odds over time, rounds, turning points, luck against choice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from reportlab.lib.units import mm

from companion.games.race import Race
from companion.games.terms import Standing
from companion.history.past import Moment, Past
from companion.message import N_, Sentence
from companion.paper import drawings
from companion.paper.chart import odds_over_time
from companion.paper.hats import hat_of
from companion.paper.sheet import GROUND, HAIR, SOFT, Sheet
from companion.table.faces import Face
from companion.translate import Words

EDGE: Final = 14.0  # mm
SCALES: Final = (1.2, 1.1, 1.0, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64)  # of the letters: the first one that fits
COLUMNS: Final = 12  # of the table of rounds; of more rounds several share a column
BEST: Final = 4  # moments of the story
LAST: Final = 3  # lines of its end
PODIUM: Final = 78.0  # mm wide, for any number of seats


def evening(
    past: Past,
    words: Words,
    victory: Sentence | None,
    size: str = "a4",
    faces: Mapping[str, Face] = MappingProxyType({}),
) -> bytes:
    """Return the page as a PDF; `victory` names the winner, None if there is none; of `faces` it has the
    hats.
    """
    for scale in SCALES:
        page = _Page(past, words, victory, size, scale, faces)
        if page.below <= page.sheet.height - EDGE:
            break
    return page.sheet.pdf()


class _Page:
    """The page, written from the top; `below` is the height reached so far (mm)."""

    def __init__(
        self,
        past: Past,
        words: Words,
        victory: Sentence | None,
        size: str,
        scale: float,
        faces: Mapping[str, Face],
    ) -> None:
        self.past, self.words, self.race, self.scale, self.faces = past, words, past.race, scale, faces
        self.sheet = Sheet(words(past.title), size)
        self.right, self.wide = self.sheet.width - EDGE, self.sheet.width - 2 * EDGE
        self.below = EDGE + 6
        self._head()
        self._ending(victory)
        self._standings()
        if past.worked_out > 1:
            self._headline(_OVER_TIME)
            self.below = odds_over_time(self.sheet, past, EDGE, self.below, self.wide, 36 * scale)
        if past.rounds:
            self._rounds()
        self._list(_MOMENTS, list(self._best()))
        if past.luck is not None:
            self._list(past.luck.title, [self._capitalised(sentence) for sentence in past.luck.seats])
        self._list(_END, [self._story_line(past.moments[index]) for index in _happenings(past)[-LAST:]])

    def _capitalised(self, sentence: Sentence, race: Race | None = None) -> str:
        text = self.words.text(sentence, race or self.race)
        return text[:1].upper() + text[1:]

    def _story_line(self, moment: Moment) -> str:
        """Return the consequences of a decision, in one line."""
        text = ", ".join(self.words.text(sentence, moment.race) for sentence in moment.story)
        return text[:1].upper() + text[1:]

    def _amount(self, score: int) -> str:
        return self.words.money(score) if self.race.unit == "money" else str(score)

    # --- the parts of the page -------------------------------------------------------------------

    def _head(self) -> None:
        past, sheet = self.past, self.sheet
        day = self.words.day(datetime.fromisoformat(past.when))
        sheet.text(self.right, self.below, day, 11, colour=SOFT, align="right")
        sheet.text(EDGE, self.below, self.words(past.title), 21, bold=True, width=self.wide - 52)
        self.below += 2.5
        if past.name:
            self.below += 4.5
            sheet.text(EDGE, self.below, past.name, 13, width=self.wide)
            self.below += 2.5
        sheet.line(EDGE, self.below, self.right, self.below, 0.5)
        self.below += 7

    def _ending(self, victory: Sentence | None) -> None:
        text = self._capitalised(victory) if victory else self.words(_ENDED)
        draw_lines = self.sheet.lines
        self.below = draw_lines(EDGE, self.below, text, 15 * self.scale, self.wide, 2, bold=True) + 1

    def _standings(self) -> None:
        """Draw the podium, and next to it every seat with place and score."""
        top, steps = self.below, self.past.podium
        left = EDGE + (84 if steps else 0)
        if steps:
            self._podium(steps, top)
        y, row = top + 2, 7.4 * max(self.scale, 0.8)
        for standing in self.past.standings:
            self._standing(standing, left, y, row)
            y += row
        self.below = max(y, top + (47 if steps else 0)) + 4

    def _standing(self, standing: Standing, left: float, y: float, row: float) -> None:
        place = "" if self.past.ended else "–" if standing.place is None else str(standing.place)
        base, points = y + row * 0.66, 11 * self.scale
        self.sheet.text(left + 5, base, place, points, bold=True, align="right")
        self._hat(standing.seat, left + 7, y + 0.4, row - 0.8)
        room = self.right - left - row - 36
        name = standing.name
        if self.past.bots[standing.seat]:
            name = self.words.text(Sentence(_ROBOT, {"text": name}))
        self.sheet.text(left + 9 + row, base, name, points, width=room)
        self.sheet.text(self.right, base, self._amount(standing.score), points, bold=True, align="right")
        self.sheet.line(left, y + row, self.right, y + row, 0.15, HAIR)

    def _podium(self, steps: Sequence[Standing], top: float) -> None:
        """Draw everybody on the first three places, the first in the middle; seats with the same place are as
        high.
        """
        order = [*steps[1:2], steps[0], *steps[2:]]
        room = max(3, len(order))
        floor, wide = top + 46, PODIUM / room
        for index, standing in enumerate(order):
            assert standing.place is not None
            high = {1: 19.0, 2: 14.0}.get(standing.place, 10.0)
            x = EDGE + (index + (room - len(order)) / 2) * wide
            middle, place = x + wide / 2, str(standing.place)
            self.sheet.box(x, floor - high, wide - 1, high, GROUND)
            self.sheet.line(x, floor - high, x + wide - 1, floor - high, 0.5)
            self.sheet.text(middle, floor - high / 2 + 2, place, 18, bold=True, align="middle")
            self.sheet.text(
                middle, floor - high - 1.6, standing.name, 9, bold=True, align="middle", width=wide - 2
            )
            self._figure(standing.seat, x + 2, floor - high - 22, wide - 5, 17)
        self.sheet.line(EDGE, floor, EDGE + PODIUM - 1, floor, 0.5)

    def _figure(self, seat: int, x: float, y: float, wide: float, high: float) -> None:
        """Draw the seat's own animal, where each has one, else its hat."""
        piece = self.race.own_piece(seat)
        drawing = drawings.animal(self.race.animal, piece) if piece else hat_of(self.past, seat, self.faces)
        drawings.draw(self.sheet.canvas, drawing, x * mm, self.sheet.up(y + high), wide * mm, high * mm)

    def _hat(self, seat: int, x: float, y: float, size: float) -> None:
        canvas = self.sheet.canvas
        drawing = hat_of(self.past, seat, self.faces)
        drawings.draw(canvas, drawing, x * mm, self.sheet.up(y + size), size * mm, size * mm)

    def _headline(self, title: Sentence | str) -> None:
        text = self._capitalised(title) if isinstance(title, Sentence) else self.words(title)
        self.below += 2 * self.scale
        self.sheet.text(EDGE, self.below + 3 * self.scale, text, 12 * self.scale, bold=True, width=self.wide)
        self.below += 6.5 * self.scale

    def _list(self, title: Sentence | str, lines: Sequence[str]) -> None:
        if not lines:
            return
        self._headline(title)
        for line in lines:
            self.sheet.text(EDGE, self.below + 1.6 * self.scale, "•", 9.5 * self.scale)
            y = self.below + 1.6 * self.scale
            y = self.sheet.lines(EDGE + 3.5, y, line, 9.5 * self.scale, self.wide - 4, 3)
            self.below = y - 1.1 * self.scale

    def _rounds(self) -> None:
        """Draw the food that each seat saved in each round, and its losses."""
        groups = list(_grouped(len(self.past.rounds), COLUMNS))
        named, column, row = 46.0, (self.wide - 46) / len(groups), 5.6 * self.scale
        points = min(9.5 * self.scale, column * 1.1)
        self._headline(_ROUNDS if self.race.unit == "food" else _RACES)
        y = self.below + 1.5 * self.scale
        for index, (first, last) in enumerate(groups):
            number = str(first + 1) if first == last else f"{first + 1}–{last + 1}"
            x = EDGE + named + (index + 1) * column - 1
            self.sheet.text(x, y, number, points, colour=SOFT, align="right", width=column - 1)
        for seat, name in enumerate(self.race.seats):
            y += row
            self.sheet.text(EDGE, y, name, 9.5 * self.scale, width=named - 2)
            for index, (first, last) in enumerate(groups):
                safe = sum(one.kept[seat] for one in self.past.rounds[first : last + 1])
                lost = sum(one.lost[seat] for one in self.past.rounds[first : last + 1])
                x = EDGE + named + (index + 1) * column - 1
                text = self._amount(safe) + (f" (−{lost})" if lost else "")
                self.sheet.text(x, y, text, points, align="right", width=column - 1)
            self.sheet.line(EDGE, y + 1.6 * self.scale, self.right, y + 1.6 * self.scale, 0.12, HAIR)
        self.below = y + 2.5 * self.scale
        if any(any(one.lost) for one in self.past.rounds):
            y = self.below + 2 * self.scale
            self.sheet.text(EDGE, y, self.words(_LOST), 8 * self.scale, colour=SOFT, width=self.wide)
            self.below = y + 2 * self.scale

    def _best(self) -> Iterator[str]:
        """Yield the moments that decided the game by the luck analysis, else those that moved the
        odds most.
        """
        if self.past.luck is not None and self.past.luck.moments:
            yield from (self._capitalised(sentence) for sentence in self.past.luck.moments[:BEST])
            return
        for turn in sorted(_turning_points(self.past)[:BEST], key=lambda turn: turn.moment):
            moment = self.past.moments[turn.moment]
            values = {"seat": turn.seat, "before": turn.before, "after": turn.after}
            yield self.words.text(Sentence(_TURNED, {**values, "text": self._story_line(moment)}), self.race)


class _Turn(NamedTuple):
    """A moment that moved the chance of a seat, in per cent."""

    moment: int
    seat: int
    before: int
    after: int


def _grouped(count: int, most: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last of each of at most `most` groups of `count` things, as even as possible.

    >>> list(_grouped(5, 3))
    [(0, 1), (2, 3), (4, 4)]
    """
    each = -(-count // most)
    for first in range(0, count, each):
        yield first, min(first + each, count) - 1


def _happenings(past: Past) -> list[int]:
    """Return the moments that have a story and changed something visible to everybody on the table."""
    races = [moment.race for moment in past.moments]
    seen = [(race.layout(), race.scores(), race.track().get("food")) for race in races]
    changed = (index for index in range(1, len(seen)) if seen[index] != seen[index - 1])
    return [index for index in changed if past.moments[index].story]


def _turning_points(past: Past) -> list[_Turn]:
    """Return the moments, the one that moved the chance of a seat most first."""
    turns = []
    for index in _happenings(past):
        before, after = past.odds[index - 1], past.odds[index]
        if before is not None and after is not None:
            swing = [abs(b - a) for a, b in zip(before.chances, after.chances, strict=True)]
            seat = swing.index(max(swing))
            turns.append(_Turn(index, seat, *(round(100 * wins.chances[seat]) for wins in (before, after))))
    return sorted(turns, key=lambda turn: -abs(turn.after - turn.before))


_ENDED = N_("ended early")
_ROBOT = N_("{text} (robot)")
_OVER_TIME = N_("The chances to win over time")
_ROUNDS = N_("Food kept, round by round")
_RACES = N_("What each race brought")
_LOST = N_("In brackets: food that was given back.")
_TURNED = N_("{text} ({seat} from {before} % to {after} %)")
_MOMENTS = N_("What decided it")
_END = N_("How it ended")
