"""Luck against choice in sentences that anyone understands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from companion.games.race import Race
from companion.games.terms import Decision
from companion.message import N_, Sentence
from companion.odds.luck import Account, Luck, Share, TurningPoint


class Told(NamedTuple):
    """A title, a sentence for each seat, and one for each moment in order of play."""

    title: Sentence
    seats: tuple[Sentence, ...]
    moments: tuple[Sentence, ...]


def told(luck: Luck, race: Race) -> Told:
    """What was found about a game, said about its seats; `race` is any position of it."""
    seats = [_account(seat, account, len(luck.seats)) for seat, account in enumerate(luck.seats)]
    return Told(Sentence(_TITLE), tuple(seats), tuple(_moment(moment, race) for moment in luck.moments))


# --- seats ---------------------------------------------------------------------------------------

_TITLE: Final = N_("Luck or choice, of 100 points")
_WON: Final = N_("{seat} won, from {start} at the start: {news_luck}, {news_own}, {news_others}.")
_SHARED: Final = N_(
    "{seat} shares the victory, from {start} at the start: {news_luck}, {news_own}, {news_others}."
)
_LOST: Final = N_("{seat} did not win, from {start} at the start: {news_luck}, {news_own}, {news_others}.")


class _Clauses(NamedTuple):
    brought: str
    cost: str
    nothing: str

    def say(self, points: int, tells: bool) -> Sentence:
        """So many points in a hundred, if they tell anything."""
        if not tells or not points:
            return Sentence(self.nothing)
        return Sentence(self.brought if points > 0 else self.cost, {"count": abs(points)})


_LUCK: Final = _Clauses(
    N_("luck brought {count}"), N_("luck cost {count}"), N_("luck made no clear difference")
)
_OWN: Final = _Clauses(
    N_("own choices brought {count}"),
    N_("own choices cost {count}"),
    N_("own choices made no clear difference"),
)
_OTHERS: Final = _Clauses(
    N_("the others' choices brought {count}"),
    N_("the others' choices cost {count}"),
    N_("the others' choices made no clear difference"),
)
_OTHER: Final = _Clauses(  # of a game for two
    N_("the other player's choices brought {count}"),
    N_("the other player's choices cost {count}"),
    N_("the other player's choices made no clear difference"),
)


def _account(seat: int, account: Account, seats: int) -> Sentence:
    """A seat's sentence; its numbers add up: what rounding leaves goes to luck."""
    start, own, others = percent(account.start), _points(account.own), _points(account.others)
    luck = round(100 * account.end) - start - own - others
    clauses = {
        "news_luck": _LUCK.say(luck, account.luck.tells()),
        "news_own": _OWN.say(own, account.own.tells()),
        "news_others": (_OTHERS if seats > 2 else _OTHER).say(others, account.others.tells()),
    }
    frame = _WON if account.end == 1 else _SHARED if account.end else _LOST
    return Sentence(frame, {"seat": seat, "start": start} | clauses)


def _points(part: Share) -> int:
    return round(100 * part.value)


def percent(chance: float) -> int:
    """A chance as people read it: neither 0 nor 100 while anything else is possible.

    >>> percent(0.0), percent(0.001), percent(0.123), percent(0.999), percent(1.0)
    (0, 1, 12, 99, 100)
    """
    return int(chance) * 100 if chance in (0, 1) else min(99, max(1, round(100 * chance)))


# --- moments -------------------------------------------------------------------------------------

_FALLS: Final = N_(
    "{news_stage}: {news_what}. {seat_down}'s chance falls from {down_before} % to {down_after} %, "
    "{seat_up}'s rises from {up_before} % to {up_after} %."
)
_RISES: Final = N_(
    "{news_stage}: {news_what}. {seat_up}'s chance rises from {up_before} % to {up_after} %, "
    "{seat_down}'s falls from {down_before} % to {down_after} %."
)
_NUMBER: Final = N_("Move {number}")
_ALL: Final = N_("all choices are shown")
_DECIDED: Final = N_("{seat} has decided")
_PLAYED: Final[Mapping[int, str]] = {
    1: N_("{seat1} plays {card1}"),
    2: N_("{seat1} plays {card1} and {seat2} plays {card2}"),
    3: N_("{seat1} plays {card1}, {seat2} plays {card2} and {seat3} plays {card3}"),
    4: N_("{seat1} plays {card1}, {seat2} plays {card2}, {seat3} plays {card3} and {seat4} plays {card4}"),
    5: N_(
        "{seat1} plays {card1}, {seat2} plays {card2}, {seat3} plays {card3}, {seat4} plays {card4} "
        "and {seat5} plays {card5}"
    ),
}


def _moment(moment: TurningPoint, race: Race) -> Sentence:
    """Who gained most and who lost most, the greater change first."""
    changes = [after - before for before, after in zip(moment.before, moment.after, strict=True)]
    up, down = changes.index(max(changes)), changes.index(min(changes))
    up_before, up_after = percent(moment.before[up]), percent(moment.after[up])
    down_before, down_after = percent(moment.before[down]), percent(moment.after[down])
    return Sentence(
        _RISES if up_after - up_before >= down_before - down_after else _FALLS,
        {
            "news_stage": moment.stage or Sentence(_NUMBER, {"number": moment.at}),
            "news_what": _what(moment, race),
            "seat_up": up,
            "up_before": up_before,
            "up_after": up_after,
            "seat_down": down,
            "down_before": down_before,
            "down_after": down_after,
        },
    )


def _what(moment: TurningPoint, race: Race) -> Sentence:
    """What was decided: cards by who played them, anything else as the game's news tell it."""
    made = sorted(moment.decisions, key=lambda decision: decision.seat or 0)
    if len(made) in _PLAYED and all(_is_card(decision, race) for decision in made):
        return Sentence(_PLAYED[len(made)], _numbered(made))
    if len(made) > 1:
        return Sentence(_ALL)
    return moment.news or Sentence(_DECIDED, {"seat": made[0].seat})


def _is_card(decision: Decision, race: Race) -> bool:
    return race.forms[decision.do].key == "card"


def _numbered(made: Sequence[Decision]) -> dict[str, object]:
    seats = {f"seat{n}": decision.seat for n, decision in enumerate(made, 1)}
    return seats | {f"card{n}": decision.what for n, decision in enumerate(made, 1)}
