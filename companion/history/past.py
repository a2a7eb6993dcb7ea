"""Past games: a match that is over, moment by moment."""

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
from companion.odds.luck_summary import LuckSummary, luck_from_journal

LONGEST_TITLE: Final = 60  # of a match that people named, in letters
OVER: Final = frozenset({"finished", "played", "ended"})
"""States of a match that may be reviewed; of any other only the public facts at the table are shown."""


class Moment(NamedTuple):
    """The position after a decision (of the first: the opening), as everybody saw it then.

    `seq` is the decision's entry, 0 for the opening; `seat` the one that decided, None for chance; `story`
    the result in sentences.
    """

    seq: int
    seat: int | None
    race: Race
    story: tuple[Sentence, ...]


class Round(NamedTuple):
    """The result of a round for each seat: food made safe, food it had and lost, and, in a round that was
    given up, food that was still at risk.
    """

    number: int
    kept: tuple[int, ...]
    lost: tuple[int, ...]
    open: tuple[int, ...]


class Wins(NamedTuple):
    """The chance of each seat to win at a moment, by seat, and its error."""

    chances: tuple[float, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True)
class Past:
    """The public part of a match that is over: it holds nothing that was secret at its time and still is.

    `title` is a message of the catalogue; sentences are worded about `race`, the position at the end. `odds`
    has an item for each moment, None where they are not computed yet.
    """

    id: int
    name: str
    when: str
    ended: bool  # given up before its end, without a winner
    match: Match  # every position in it as the public saw it
    last: int = 0  # the entry that led to this end and no other
    odds: tuple[Wins | None, ...] = ()
    luck: LuckSummary | None = None

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
        """The title of the game."""
        return self.race.title

    @property
    def seats(self) -> tuple[str, ...]:
        """The players, by seat."""
        return self.race.seats

    @property
    def bots(self) -> tuple[str, ...]:
        """By seat the strength of the bot that played it, "" for a person."""
        return self.match.bots

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The standings at the end."""
        return self.race.standings()

    @property
    def podium(self) -> tuple[Standing, ...]:
        """The first three places of a game that was played to its end."""
        return () if self.ended else tuple(s for s in self.standings if s.place is not None and s.place <= 3)

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The opening and all later moments, in order."""
        return (
            Moment(0, None, self.match.opening, ()),
            *(Moment(t.seq, t.decision.seat, t.race, story(t.race)) for t in self.match.turns),
        )

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """Food made safe and lost, round by round; none in a game whose rounds are not summed up."""
        return tuple(_rounds(self.match)) if self.race.sums_up else ()

    @property
    def worked_out(self) -> int:
        """The number of moments whose odds are known."""
        return sum(wins is not None for wins in self.odds)

    def match_at(self, number: int) -> Match:
        """Return the match at this moment, as everybody saw it then; IndexError if there is no
        such moment.
        """
        turns = self.match.turns[:number]
        if not 0 <= number <= len(self.match.turns):
            raise IndexError(number)
        return replace(
            self.match, turns=turns, undone=(), last="decide", seq=turns[-1].seq if turns else 0, trusted=None
        )


def past(
    filed: Filed, match: Match, last: int = 0, odds: Mapping[int, Any] | None = None, luck: Any = None
) -> Past:
    """Return this match as a past game; InvalidInput while it goes on.

    `match` is the match `in_public`, `last` the entry that led to its end; `odds`, by entry, and `luck` are
    in the journal's format.
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
        None if luck is None or ended else luck_from_journal(luck),
    )


def in_public(match: Match) -> Match:
    """Return the same match with every position as everybody saw it then, and without the secret parts of
    decisions.
    """
    turns = tuple(
        Turn(turn.decision._replace(what=None), turn.race.seen_by(None), (), turn.by, turn.seq)
        for turn in match.turns
    )
    return replace(match, opening=match.opening.seen_by(None), turns=turns, changes=(), undone=())


def with_open_cards(match: Match, moment: int) -> Race | None:
    """Return the position at this moment with all hands that the whole game reveals; None if
    there is none.
    """
    decisions = in_hindsight(match.opening, match.decisions())
    added = len(decisions) - len(match.turns)  # a deal whose cards were unknown then
    if not 0 <= moment <= len(match.turns):
        return None
    return reduce(lambda race, decision: race.after(decision), decisions[: moment + added], match.opening)


def story(race: Race) -> tuple[Sentence, ...]:
    """Return the result of the last decision, as everybody may know it; the standings say that the game is
    over.
    """
    return tuple(presented(race).sentence(news) for news in public_news(race))


def public_news(race: Race) -> list[News]:
    """Return the news of the last decision that everybody may know, except that the game is over."""
    return [news for news in race.seen_by(None).news if news.kind != "game-over"]


def wins_of(chances: Iterable[Chance]) -> list[list[float]]:
    """Return each seat's chance to win, and its error, in the journal's format."""
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
