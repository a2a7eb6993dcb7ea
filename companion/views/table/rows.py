"""The standings as the pages draw them: a row for each seat, with its holdings next to its score."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from companion.games.presenter import presented
from companion.games.race import Race
from companion.reply import Reply, Seat


class StandingsRow(Reply, rename="camel"):
    """A seat: its score and place, food at risk, cards played out of all, money, bets, and if it is due.

    `chosen`: it has chosen a card that no one has seen yet; `last_card`: it is about to play a card that
    decides about its food at risk.
    """

    seat: Seat
    name: str
    score: int
    place: int | None
    provisional: int | None = None
    played: int | None = None
    cards: int | None = None
    money: int | UnsetType = UNSET
    bet: bool | UnsetType = UNSET
    staked: int | UnsetType | None = UNSET
    chosen: bool | UnsetType = UNSET
    kept: int
    now: bool
    last_card: bool


def rows(race: Race, *, ending: bool = False) -> list[StandingsRow]:
    """Return all seats, the first first; `ending`: as before the last card, in no order of places."""
    due = None if ending else race.awaits()
    now, says = due.seats if due else (), presented(race)
    return [
        StandingsRow(
            **standing._asdict() | ({"place": None} if ending else {}),
            **says.holdings(standing.seat),
            kept=standing.score,
            now=standing.seat in now,
            last_card=not ending and says.last_card(standing.seat),
        )
        for standing in race.standings()
    ]
