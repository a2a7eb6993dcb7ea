"""News of a card of Galloping Pigs or Horse, in order."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.terms import News

Brought = tuple[int, bool, int, int, int | None]
"""The result of a card: how far its animal came, whether it leads then, food for the lead, food found on the
space, and the food a last card decided about (None: it was no last card). A plain tuple: one a move."""


def of_the_card(seat: int | None, card: str, brought: Brought, spaces: int) -> Iterator[News]:
    """Yield where the animal went, and the food that the seat gained or lost by it."""
    at, leads, food, found, risked = brought
    space = at % spaces
    yield News("moved", {"seat": seat, "piece": card, "stop": at, "space": space})
    if leads:
        yield News("leads" if food else "leads-no-food", {"seat": seat, "piece": card, "gain": food})
    if found:
        yield News("found-food", {"seat": seat, "space": space, "gain": found})
    if risked:  # nothing at risk is no news
        kind, key = ("kept", "count") if leads else ("lost", "loss")
        yield News(kind, {"seat": seat, "piece": card, key: risked})


def of_the_end(round_over: int, game_over: bool) -> Iterator[News]:
    """Yield the end of this round (0: no round has ended) and of the game."""
    if round_over:
        yield News("round-over", {"round": round_over})
    if game_over:
        yield News("game-over")
