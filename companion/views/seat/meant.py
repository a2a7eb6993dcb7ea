"""The meaning of a round, a race or the game for one seat: a sentence addressed to its player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import News
from companion.match.match import Match
from companion.message import N_, Sentence, listed
from companion.reply import Reply
from companion.translate import Phrase, Words
from companion.views.table.sentence import capital


class Meant(Reply):
    """The meaning for a seat of something that is over; each has another `key`."""

    key: str
    parts: list[Phrase]


class Over(NamedTuple):
    """A public position after a decision; if that ended a round, the scores when the round began."""

    entry: int
    race: Race
    began: Sequence[int] | None


def meant(match: Match, seat: int, words: Words) -> Meant | None:
    """Return the latest such sentence since this seat decided last, from what is public; else None."""
    later: Meant | None = None
    for over in _since(match, seat):
        own, shared = presented(over.race).meant(seat), meaning(over.race, seat, over.began)
        finished = over.race.awaits() is None
        sentence = (shared or own) if finished else (own or shared)
        result = sentence and Meant(key=str(over.entry), parts=capital(words.parts(sentence, over.race)))
        if result and (own or finished):
            return result  # a game's own words say more than the sentence that all rounds share
        later = later or result
    return later


def _since(match: Match, seat: int) -> Iterator[Over]:
    """Yield the positions since this seat decided last, including that one, newest first."""
    for index in range(len(match.turns) - 1, -1, -1):
        turn = match.turns[index]
        race = turn.race.seen_by(None)
        yield Over(turn.seq, race, _scores_before(match, index) if _ended(race.news) else None)
        if turn.decision.seat == seat:
            return


def _scores_before(match: Match, index: int) -> Sequence[int]:
    """Return the scores at the end of the round before the one that decision number `index` ended."""
    ends = (turn.race for turn in reversed(match.turns[:index]) if _ended(turn.race.news))
    return next(ends, match.opening).scores()


def _ended(news: Sequence[News]) -> bool:
    return any(one.kind == "round-over" for one in news)


def meaning(race: Race, seat: int, began: Sequence[int] | None) -> Sentence | None:
    """Return the meaning for a seat of the game's end, or of a round's that began with these scores."""
    if race.awaits() is None:
        return _of_the_game(race, seat)
    if began is None:
        return None
    won = race.scores()[seat] - began[seat]
    if race.unit == "money":
        return _of_the_money(race, seat, won)
    if not race.sums_up:
        return None
    return Sentence(_BROUGHT, {"by": presented(race).margin(won)}) if won > 0 else Sentence(_NOTHING)


def _of_the_game(race: Race, seat: int) -> Sentence | None:
    """Return the place, and the margin."""
    rows = race.standings()
    mine = next(row for row in rows if row.seat == seat)
    if mine.place is None:
        return None
    alike = [row.name for row in rows if row.place == mine.place and row.seat != seat]
    if mine.place == 1 and alike:
        return Sentence(_SHARED, {"names": listed(alike)})
    others = [row for row in rows if row.seat != seat and (mine.place == 1 or (row.place or 99) < mine.place)]
    nearest = max(row.score for row in others) if mine.place == 1 else min(row.score for row in others)
    by = presented(race).margin(abs(mine.score - nearest))
    if mine.place == 1:
        return Sentence(_WON, {"by": by})
    ahead = listed([row.name for row in others if row.score == nearest])
    return Sentence(_PLACED, {"rank": Sentence(_RANKS[mine.place - 1]), "by": by, "names": ahead})


def _of_the_money(race: Race, seat: int, won: int) -> Sentence:
    """Return the money won or lost in a race, and the share of prize money."""
    prizes = (one.values for one in race.news if one.kind == "prize")
    prize = sum(one["prize"] for one in prizes if one["seat"] == seat)
    kind = Sentence(_GAINED if won > 0 else _PAID, {"money": abs(won)}) if won else Sentence(_EVEN)
    if not prize:
        return kind
    return Sentence(_WITH_PRIZE, {"then": kind, "money_prize": prize, "money_bets": won - prize})


_BROUGHT: Final = N_("this round brought you {by}")
_NOTHING: Final = N_("this round brought you nothing")
_WON: Final = N_("you win, by {by}")
_SHARED: Final = N_("you share the victory with {names}")
_PLACED: Final = N_("{rank}, {by} behind {names}")
_RANKS: Final = (N_("first"), N_("second"), N_("third"), N_("fourth"), N_("fifth"))
_GAINED: Final = N_("you won {money}")
_PAID: Final = N_("you lost {money}")
_EVEN: Final = N_("you neither won nor lost money")
_WITH_PRIZE: Final = N_("{then}: {money_prize} prize money, {money_bets} on bets")
