"""Luck against choice in words and whole points: pages draw it, the journal stores it.

The table uses these values without NumPy, which computing them needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from companion.games.race import Race
from companion.message import N_, Sentence, read_again, written_down

SCATTER: Final[Mapping[str, int]] = {
    "galloping-pigs": 20,
    "galloping-horse": 18,
    "giro-galoppo": 27,
    "greyhounds": 27,
}
"""By game, how far the effect of a random player's own choices scatters: its standard deviation in one game.

In points of a hundred; docs/luck.md has the games that it comes from.
"""
_SCATTER: Final = N_("Choices at random bring or cost about {points} in one game.")


def scatter(race: Race) -> Sentence | None:
    """Return a sentence that keeps people from taking one game for skill; None where nothing was measured."""
    points = SCATTER.get(race.name)
    return None if points is None else Sentence(_SCATTER, {"points": points})


class Parts(NamedTuple):
    """The parts of a seat's result, in points of a hundred.

    Its chance at the `start`, its share of the victory at the `end`, and the effects of luck, its own choices
    and the others' between them; None: no clear difference.

    Luck is the effect of `deals` (0 where nothing is dealt) and of choices beyond what their makers could
    know, `unseen`; both are None in entries from before they were stored.
    """

    start: int
    end: int
    luck: int | None
    own: int | None
    others: int | None
    deals: int | None = None
    unseen: int | None = None


class Swing(NamedTuple):
    """A moment that decided the game: from `since` decisions made to `at`.

    `stage` is its time, `what` the decision; `before` and `after` are the chances by seat, in points.
    """

    since: int
    at: int
    stage: Sentence
    what: Sentence
    before: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def gains(self) -> list[int]:
        """By seat, points won."""
        return [after - before for before, after in zip(self.before, self.after, strict=True)]

    @property
    def gainer(self) -> int:
        """The seat that won most by it."""
        return self.gains.index(max(self.gains))

    @property
    def loser(self) -> int:
        """The seat that lost most by it."""
        return self.gains.index(min(self.gains))


class LuckSummary(NamedTuple):
    """Luck against choice: a title, a sentence for each seat, one for each moment that decided the game; and
    the same by seat and by moment in numbers.
    """

    title: Sentence
    seats: tuple[Sentence, ...]
    moments: tuple[Sentence, ...]
    parts: tuple[Parts, ...] = ()
    swings: tuple[Swing, ...] = ()


def percent(chance: float) -> int:
    """Return a chance in percent for people: neither 0 nor 100 while anything else is possible.

    >>> percent(0.0), percent(0.001), percent(0.123), percent(0.999), percent(1.0)
    (0, 1, 12, 99, 100)
    """
    return int(chance) * 100 if chance in (0, 1) else min(99, max(1, round(100 * chance)))


_FIRST: Final = len(Parts._fields) - len(Parts._field_defaults)  # fields that there always were


def luck_to_journal(luck: Any) -> dict[str, Any]:
    """Return luck against choice in the journal's format, from anything that has the fields of LuckSummary.

    The parts of luck are separate: an older version without them, after a downgrade, still reads the others.
    """
    return {
        "title": written_down(luck.title),
        "seats": [written_down(sentence) for sentence in luck.seats],
        "moments": [written_down(sentence) for sentence in luck.moments],
        "parts": [list(parts[:_FIRST]) for parts in luck.parts],
        "of luck": [list(parts[_FIRST:]) for parts in luck.parts],
        "swings": [
            swing._asdict() | {"stage": written_down(swing.stage), "what": written_down(swing.what)}
            for swing in luck.swings
        ],
    }


def luck_from_journal(line: Mapping[str, Any]) -> LuckSummary | None:
    """Parse the journal's format; None if it is from before there were numbers: it has to be
    computed again.
    """
    if "parts" not in line:
        return None
    return LuckSummary(
        read_again(line["title"]),
        tuple(map(read_again, line["seats"])),
        tuple(map(read_again, line["moments"])),
        tuple(
            Parts(*parts, *of_luck)
            for parts, of_luck in zip_longest(line["parts"], line.get("of luck", ()), fillvalue=())
        ),
        tuple(map(_swing_read, line["swings"])),
    )


def _swing_read(line: Mapping[str, Any]) -> Swing:
    stage, what = read_again(line["stage"]), read_again(line["what"])
    before, after = tuple(line["before"]), tuple(line["after"])
    return Swing(line["since"], line["at"], stage, what, before, after)
