"""The comment on the last decision of a match: one sentence or none, the same on every device."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.commentary.facts import Fact, fact, moment
from companion.commentary.ways import WAYS
from companion.match.match import Match
from companion.message import Sentence

Odds = Mapping[int, Sequence[float]]
"""Each seat's chance to win, 0 to 1, by the entry after which it was."""


class Comment(NamedTuple):
    """The sentence about the decision that entry `seq` made."""

    seq: int
    sentence: Sentence


def comment(match: Match, odds: Odds) -> Comment | None:
    """Return the comment on the last decision; None if it deserves no word, or was taken back or
    made again.
    """
    played = [at for at, turn in enumerate(match.turns) if turn.by != "companion"]
    if not played or match.turns[played[-1]].seq < match.undone_at:
        return None
    found = _fact(match, played, -1, odds)
    if found is None:
        return None
    ways = WAYS[found.kind]
    seq = match.turns[played[-1]].seq
    return Comment(seq, Sentence(ways[_way(match, played, found.kind, odds) % len(ways)], found.values))


def _way(match: Match, played: Sequence[int], kind: str, odds: Odds) -> int:
    """Return the index of the wording of the last decision's fact: in a row of such facts each time the next
    one.

    The row begins with the number of its first decision, so that rows begin differently. Decisions that were
    taken back count: the same card laid again is worded another way.
    """
    number, first = 0, len(played) - 1
    for n in range(len(played) - 2, -1, -1):
        found = _fact(match, played, n, odds)
        if found is not None and found.kind != kind:
            break
        if found is not None:
            number, first = number + 1, n
    return first + number + match.undos


def _fact(match: Match, played: Sequence[int], n: int, odds: Odds) -> Fact | None:
    """Return the fact of one of the decisions that people or bots `played`."""
    n %= len(played)
    at = played[n]
    since = match.turns[played[n - 1]].seq if n else 0
    until = match.turns[played[n + 1]].seq if n + 1 < len(played) else match.seq + 1
    seq = match.turns[at].seq
    return fact(
        moment(
            match.position(at),
            match.turns[at].race,
            _first(odds, range(seq - 1, since - 1, -1)),
            _first(odds, range(seq, until)),
        )
    )


def _first(odds: Odds, entries: Iterable[int]) -> Sequence[float]:
    """Return the chances of the first of these entries that has any; () if none has."""
    return next((odds[seq] for seq in entries if seq in odds), ())
