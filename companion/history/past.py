"""Past games: what a match that is over was, moment by moment, and who leads over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any, Final, NamedTuple

from companion.errors import InvalidInput
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import News, Standing
from companion.match.entries import Filed
from companion.match.match import Match
from companion.match.turn import Turn
from companion.message import Sentence
from companion.odds.chance import Chance
from companion.odds.hindsight import in_hindsight
from companion.odds.luck_told import ToldLuck, luck_read

LONGEST_TITLE: Final = 60  # of a match that people named, in letters
OVER: Final = frozenset({"finished", "played", "ended"})
"""States of a match that may be looked back on; of any other nobody may see more than is on the table."""


class Moment(NamedTuple):
    """The position after a decision (of the first: the opening), as everybody saw it then.

    `seq` is the decision's entry, 0 of the opening; `seat` who decided, None for chance; `story` what came
    of it.
    """

    seq: int
    seat: int | None
    race: Race
    story: tuple[Sentence, ...]


class Round(NamedTuple):
    """What a round brought each seat: food it kept, food it had and lost, and, in a round that was given up,
    food that was still at risk."""

    number: int
    kept: tuple[int, ...]
    lost: tuple[int, ...]
    open: tuple[int, ...]


class Wins(NamedTuple):
    """How likely each seat was to win at a moment, by seat, and how far off that may be."""

    chances: tuple[float, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True)
class Past:
    """A match that is over, as everybody may know it: nothing in here was secret at its time and still is.

    `title` is a message of the catalogue; sentences are worded about `race`, the position at the end.
    `odds` has an item for each moment, None where they are not worked out yet.
    """

    id: int
    name: str
    when: str
    ended: bool  # given up before its end: nobody won
    match: Match  # every position in it as the public saw it
    last: int = 0  # the entry that led to this end and no other
    odds: tuple[Wins | None, ...] = ()
    luck: ToldLuck | None = None

    @property
    def race(self) -> Race:
        """The position at the end."""
        return self.match.race

    @property
    def game(self) -> str:
        """The game's name in records and addresses."""
        return self.race.name

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.race.title

    @property
    def seats(self) -> tuple[str, ...]:
        """Who played, by seat."""
        return self.race.seats

    @property
    def bots(self) -> tuple[str, ...]:
        """By seat the strength of the bot that played it, "" for a person."""
        return self.match.bots

    @property
    def standings(self) -> tuple[Standing, ...]:
        """How it stood at the end."""
        return self.race.standings()

    @property
    def podium(self) -> tuple[Standing, ...]:
        """The first three places of a game that was played to its end."""
        return () if self.ended else tuple(s for s in self.standings if s.place is not None and s.place <= 3)

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The opening and what followed, in order."""
        return (
            Moment(0, None, self.match.opening, ()),
            *(Moment(t.seq, t.decision.seat, t.race, story(t.race)) for t in self.match.turns),
        )

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """What was kept and lost, round by round; none in a game whose rounds are not summed up."""
        return tuple(_rounds(self.match)) if self.race.sums_up else ()

    @property
    def worked_out(self) -> int:
        """Of how many moments the odds are known."""
        return sum(wins is not None for wins in self.odds)

    def at(self, number: int) -> Match:
        """The match at this moment, as everybody saw it then; IndexError if it has none of this number."""
        turns = self.match.turns[:number]
        if not 0 <= number <= len(self.match.turns):
            raise IndexError(number)
        return replace(
            self.match, turns=turns, undone=(), last="decide", seq=turns[-1].seq if turns else 0, trusted=None
        )


def past(
    filed: Filed, match: Match, last: int = 0, odds: Mapping[int, Any] | None = None, luck: Any = None
) -> Past:
    """What this match was; InvalidInput while it goes on.

    `match` is it `in_public`, `last` the entry that led to its end; `odds`, by entry, and `luck` are as the
    journal keeps them.
    """
    if filed.state not in OVER:
        raise InvalidInput(f"match {filed.id} is not over")
    ended, wins = (
        filed.state == "ended",
        [(odds or {}).get(seq) for seq in (0, *(t.seq for t in match.turns))],
    )
    return Past(
        filed.id,
        filed.name,
        filed.began,
        ended,
        match,
        last,
        tuple(None if found is None else Wins(*map(tuple, found)) for found in wins),
        None if luck is None or ended else luck_read(luck),
    )


def in_public(match: Match) -> Match:
    """The same match with every position as everybody saw it then, and no decision saying what was secret."""
    turns = tuple(
        Turn(turn.decision._replace(what=None), turn.race.seen_by(None), (), turn.by, turn.seq)
        for turn in match.turns
    )
    return replace(match, opening=match.opening.seen_by(None), turns=turns, changes=(), undone=())


def with_open_cards(match: Match, moment: int) -> Race | None:
    """The position at this moment with all that the whole game tells about hands; None if there is none."""
    decisions = in_hindsight(match.opening, match.decisions())
    added = len(decisions) - len(match.turns)  # a deal that nobody named then
    if not 0 <= moment <= len(match.turns):
        return None
    return reduce(lambda race, decision: race.after(decision), decisions[: moment + added], match.opening)


def story(race: Race) -> tuple[Sentence, ...]:
    """What the last decision brought, as everybody may know it; that the game is over its standings say."""
    return tuple(presented(race).said(news) for news in public_news(race))


def public_news(race: Race) -> list[News]:
    """The news of the last decision that everybody may know, but that the game is over."""
    return [news for news in race.seen_by(None).news if news.kind != "game-over"]


def wins_of(chances: Iterable[Chance]) -> list[list[float]]:
    """Each seat's chance to win, and its error, as the journal keeps them."""
    wins = sorted(
        (c.event.seat, round(c.p, 4), round(c.error, 4))
        for c in chances
        if c.event.what == "win" and c.event.seat is not None
    )
    return [[p for _, p, _ in wins], [error for _, _, error in wins]]


def _rounds(match: Match) -> Iterator[Round]:
    seats = range(len(match.opening.seats))
    before, lost, number = match.opening.scores(), [0 for _ in seats], 1
    for turn in match.turns:
        for news in turn.race.news:
            if news.kind == "lost":
                lost[news.values["seat"]] += news.values["loss"]
            if news.kind == "round-over":
                now = turn.race.scores()
                yield Round(number, _gained(before, now), tuple(lost), tuple(0 for _ in seats))
                before, lost, number = now, [0 for _ in seats], number + 1
    if match.race.awaits() is not None and match.turns:
        risked = tuple(presented(match.race).holdings(seat).get("provisional") or 0 for seat in seats)
        yield Round(number, _gained(before, match.race.scores()), tuple(lost), risked)


def _gained(before: Sequence[int], now: Sequence[int]) -> tuple[int, ...]:
    return tuple(after - was for was, after in zip(before, now, strict=True))
