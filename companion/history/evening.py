"""A finished game in the view of the rules for its headline and its badges: chances over time, deeds of each
seat.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.history.past import Past
from companion.odds.luck_summary import Parts, Swing, percent


class Evening(NamedTuple):
    """The public facts of a finished game; chances in points of a hundred.

    `chances` by moment and seat, the last one the result; `pieces`: the pieces that the turning points moved,
    None where that was no single piece, or not the winner's doing; `given_back`: food, and `stakes`: the
    highest lost, by seat.
    """

    winners: tuple[int, ...]
    chances: tuple[tuple[int, ...], ...]
    parts: tuple[Parts, ...]
    swings: tuple[Swing, ...] = ()
    pieces: tuple[str | None, ...] = ()
    given_back: tuple[int, ...] = ()
    stakes: tuple[int, ...] = ()

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.chances[0]))

    @property
    def winner(self) -> int | None:
        """The seat that won alone; None if there is none."""
        return self.winners[0] if len(self.winners) == 1 else None

    def over_time(self, seat: int) -> list[int]:
        """Return a seat's chance at every moment before the end."""
        return [chances[seat] for chances in self.chances[:-1]]


def evening_of(past: Past) -> Evening | None:
    """Return the game in the view of the rules; None while the odds or luck are incomplete, and if no seat
    won.
    """
    luck, odds = past.luck, [wins for wins in past.odds if wins is not None]
    winners = tuple(sorted(s.seat for s in past.podium if s.place == 1))
    if luck is None or not luck.parts or not winners or not odds or len(odds) < len(past.odds):
        return None
    return Evening(
        winners,
        tuple(tuple(map(percent, wins.chances)) for wins in odds),
        luck.parts,
        luck.swings,
        tuple(_piece(past, swing) for swing in luck.swings),
        _given_back(past),
        _stakes(past),
    )


def _piece(past: Past, swing: Swing) -> str | None:
    """Return the piece that the seat which gained by this moment moved then, or that runs for that seat."""
    seat, turn = swing.gainer, past.match.turns[swing.at - 1]
    if (own := past.race.own_piece(seat)) is not None:
        return own
    if swing.at - swing.since > 1 or turn.decision.seat != seat:
        return None
    return next((news.values["piece"] for news in turn.race.news if news.kind == "moved"), None)


def _given_back(past: Past) -> tuple[int, ...]:
    """Return the food that each seat had and lost; empty where none is ever at risk."""
    return tuple(sum(one.lost[seat] for one in past.rounds) for seat in range(len(past.seats)))


def _stakes(past: Past) -> tuple[int, ...]:
    """Return the highest stake that each seat lost."""
    lost = [0 for _ in past.seats]
    for turn in past.match.turns:
        for news in turn.race.news:
            if news.kind.startswith("bet-lost"):
                seat = news.values["seat"]
                lost[seat] = max(lost[seat], news.values["stake"])
    return tuple(lost)
