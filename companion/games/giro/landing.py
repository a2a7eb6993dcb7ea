"""Preview of a card of Giro Galoppo: its landing space if no other horse moved before."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.giro.rules import GiroGaloppo, Step, step


class Landing(NamedTuple):
    """The effect of a card: the step itself, whether it leads past the line, and the owner of the next horse
    ahead.

    `behind` is the seat of the nearest horse in front, None where none is or the horse does not move.
    """

    step: Step
    past: bool
    behind: int | None


def landing(game: GiroGaloppo, seat: int, card: int) -> Landing:
    """Return where this card would take the seat's horse from the present position of all horses.

    >>> from companion.games.giro import GiroGaloppo
    >>> game = GiroGaloppo.new(["Ada", "Ben"]).replaced(progress=(3, 9), obstacles=(5,))
    >>> landing(game, 0, 2).step.kind, landing(game, 0, 5).behind, landing(game, 0, 6).step.pushed
    ('refused', 1, 1)
    """
    made = step(game.progress, seat, card, frozenset((*game.board.natural, *game.obstacles)))
    if made.kind != "moved" or made.space is None:
        return Landing(made, False, None)
    ahead = [(at, other) for other, at in enumerate(game.progress) if other != seat and at > made.space]
    return Landing(made, made.space > game.board.finish, min(ahead)[1] if ahead else None)
