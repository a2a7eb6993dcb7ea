"""Luck against choice in sentences that anyone understands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from companion.games.race import Race
from companion.games.terms import Decision
from companion.message import N_, Sentence
from companion.odds.luck import Luck, TurningPoint
from companion.odds.luck_ledger import Account, Share
from companion.odds.luck_summary import LuckSummary, Parts, Swing, percent


def luck_summary(luck: Luck, race: Race) -> LuckSummary:
    """Return the result for a game, in sentences about its seats; `race` is any position of it."""
    parts = tuple(map(_parts, luck.seats))
    swings = tuple(_swing(moment, race) for moment in luck.moments)
    seats = [_account(seat, of, len(parts)) for seat, of in enumerate(parts)]
    return LuckSummary(Sentence(_TITLE), tuple(seats), tuple(map(_moment, swings)), parts, swings)


# --- seats ---------------------------------------------------------------------------------------

_TITLE: Final = N_("Luck or choice, of 100 points")
_WON: Final = N_("{seat} won, from {start} at the start: {news_luck}, {news_own}, {news_others}.")
_SHARED: Final = N_(
    "{seat} shares the victory, from {start} at the start: {news_luck}, {news_own}, {news_others}."
)
_LOST: Final = N_("{seat} did not win, from {start} at the start: {news_luck}, {news_own}, {news_others}.")
_LUCK_OF: Final = N_("{news_account} As for luck: {news_deals}, {news_unseen}.")


class _Clauses(NamedTuple):
    brought: str
    cost: str
    nothing: str

    def say(self, points: int | None) -> Sentence:
        """Return so many points in a hundred in words, if there is a clear difference."""
        if points is None:
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
_DEALS: Final = _Clauses(
    N_("the deal brought {count}"), N_("the deal cost {count}"), N_("the deal made no clear difference")
)
_UNSEEN: Final = _Clauses(
    N_("what nobody could know brought {count}"),
    N_("what nobody could know cost {count}"),
    N_("what nobody could know made no clear difference"),
)
_OTHER: Final = _Clauses(  # of a game for two
    N_("the other player's choices brought {count}"),
    N_("the other player's choices cost {count}"),
    N_("the other player's choices made no clear difference"),
)


def _parts(account: Account) -> Parts:
    """Return a seat's numbers; they add up: the rounding remainder goes to luck, there to the unseen part."""
    start, end = percent(account.start), round(100 * account.end)
    own, others, deals = _points(account.own), _points(account.others), _points(account.deals)
    luck = end - start - own - others
    unseen = luck - deals
    parts = Parts(
        start,
        end,
        luck=_clear(luck, account.luck),
        own=_clear(own, account.own),
        others=_clear(others, account.others),
        deals=_clear(deals, account.deals),
        unseen=_clear(unseen, account.unseen),
    )
    return parts if account.deals.error else parts._replace(deals=0)  # nothing is dealt in this game


def _clear(points: int, part: Share) -> int | None:
    return points if points and part.is_clear() else None


def _points(part: Share) -> int:
    return round(100 * part.value)


def _account(seat: int, parts: Parts, seats: int) -> Sentence:
    """Return a seat's sentence."""
    clauses = {
        "news_luck": _LUCK.say(parts.luck),
        "news_own": _OWN.say(parts.own),
        "news_others": (_OTHERS if seats > 2 else _OTHER).say(parts.others),
    }
    frame = _WON if parts.end == 100 else _SHARED if parts.end else _LOST
    account = Sentence(frame, {"seat": seat, "start": parts.start} | clauses)
    if parts.deals == 0 or (parts.deals is None and parts.unseen is None):
        return account  # luck is all of one kind, or of no clear one
    of_luck = {"news_deals": _DEALS.say(parts.deals), "news_unseen": _UNSEEN.say(parts.unseen)}
    return Sentence(_LUCK_OF, {"news_account": account} | of_luck)


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


def _swing(moment: TurningPoint, race: Race) -> Swing:
    """Return the moment in whole points."""
    return Swing(
        max(0, moment.at - len(moment.decisions)),
        moment.at,
        moment.stage or Sentence(_NUMBER, {"number": moment.at}),
        _what(moment, race),
        tuple(map(percent, moment.before)),
        tuple(map(percent, moment.after)),
    )


def _moment(swing: Swing) -> Sentence:
    """Return who gained most and who lost most, the greater change first."""
    up, down = swing.gainer, swing.loser
    return Sentence(
        _RISES if swing.gains[up] >= -swing.gains[down] else _FALLS,
        {
            "news_stage": swing.stage,
            "news_what": swing.what,
            "seat_up": up,
            "up_before": swing.before[up],
            "up_after": swing.after[up],
            "seat_down": down,
            "down_before": swing.before[down],
            "down_after": swing.after[down],
        },
    )


def _what(moment: TurningPoint, race: Race) -> Sentence:
    """Return the decision: cards with their players, anything else in the words of the game's news."""
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
