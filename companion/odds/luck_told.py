"""What luck against choice comes to, in words and whole points: pages draw it, the journal keeps it.

The table knows these values without NumPy, which finding them out needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from companion.message import Sentence, read_again, written_down


class Parts(NamedTuple):
    """A seat's chance at the `start`, its share of the victory at the `end`, and by how much luck, its own
    choices and the others' moved it between, in points of a hundred; None: no clear difference.

    Luck is what `deals` brought (0 where nothing is dealt) and what choices brought beyond what those who
    made them could know, `unseen`; both None if it is from before that was told.
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

    `stage` is when it was, `what` was decided; `before` and `after` are the chances by seat, in points.
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


class ToldLuck(NamedTuple):
    """Luck against choice: a title, a sentence for each seat, one for each moment that decided the game; and
    the same by seat and by moment in numbers."""

    title: Sentence
    seats: tuple[Sentence, ...]
    moments: tuple[Sentence, ...]
    parts: tuple[Parts, ...] = ()
    swings: tuple[Swing, ...] = ()


def percent(chance: float) -> int:
    """A chance as people read it: neither 0 nor 100 while anything else is possible.

    >>> percent(0.0), percent(0.001), percent(0.123), percent(0.999), percent(1.0)
    (0, 1, 12, 99, 100)
    """
    return int(chance) * 100 if chance in (0, 1) else min(99, max(1, round(100 * chance)))


_FIRST: Final = len(Parts._fields) - len(Parts._field_defaults)  # fields that there always were


def luck_kept(luck: Any) -> dict[str, Any]:
    """Luck against choice as the journal keeps it, from anything that has the fields of ToldLuck.

    The parts of luck are apart: so a version from before them, stepped back to, still reads the others.
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


def luck_read(line: Mapping[str, Any]) -> ToldLuck | None:
    """What the journal kept so; None if it is from before there were numbers: it is to be told anew."""
    if "parts" not in line:
        return None
    return ToldLuck(
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
