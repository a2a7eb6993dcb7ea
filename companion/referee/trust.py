"""Pieces that people trust to be right, although the track disagrees."""

from __future__ import annotations

from companion.games.race import Race
from companion.match.match import Match
from companion.referee.sensed import SensedTrack


class Trust:
    """The trusted pieces of a match, each until it has moved."""

    def __init__(self) -> None:
        self._over: set[int] = set()

    def pieces(self, match: Match | None) -> frozenset[str]:
        """Return the pieces that may be where they are sensed although they should not."""
        trusted = (match.trusted if match is not None else None) or {}
        return frozenset(piece for piece, by in trusted.items() if by.seq not in self._over)

    def covers(
        self, track: SensedTrack, match: Match, race: Race, piece: str, at: int | None, now: float
    ) -> bool:
        """Return True if this piece may be on a wrong space: people said so, and it has not moved since."""
        trusted = (match.trusted or {}).get(piece)
        if trusted is None or trusted.seq in self._over:
            return False
        expected = trusted.expected == race.layout()[piece]
        if trusted.seen == at:
            return expected
        after = track.trust_after(race, piece, trusted.seen, now, is_current=race is match.race)
        if after == "over":
            self._over.add(trusted.seq)
        return expected and after == "goes on"
