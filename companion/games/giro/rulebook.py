"""The rules of Giro Galoppo in our own words, with pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.games.rulebook import (
    AIM,
    ARGUE,
    BEFORE,
    END,
    FORBIDDEN,
    NEEDS,
    OURS,
    TURN,
    Chapter,
    Ruling,
    Scene,
)
from companion.games.terms import Decision
from companion.message import N_


def _laid(*spaces: int, seats: int = 2) -> tuple[Decision, ...]:
    """Return obstacles laid by the youngest, who sits last, and then clockwise."""
    return tuple(Decision("place-obstacle", (seats - 1 + n) % seats, space) for n, space in enumerate(spaces))


def _round(*cards: int) -> tuple[Decision, ...]:
    """Return a card for each seat."""
    return tuple(Decision("play", seat, card) for seat, card in enumerate(cards))


_OBSTACLES: Final = _laid(4, 10, 12, 22, 25)
_OBSTACLES_OF_THREE: Final = _laid(4, 10, 12, 22, 25, seats=3)
# a short course, so that the end is near
_SHORT: Final[Mapping[str, Any]] = {"board": {"finish": 10, "natural": [], "sand": [1, 3, 5, 7, 9]}}

GIRO_RULES: Final = (
    Chapter(
        AIM,
        (
            N_("Everybody owns a horse and picks its cards. Be furthest past the finishing line at the end."),
            N_("Obstacles stop you, and landing on another horse pushes it back."),
        ),
    ),
    Chapter(
        NEEDS,
        (
            N_("The board: a starting gate, the spaces up to the finishing line, and those behind it."),
            N_("On it are natural obstacles, river and moor, and spaces of sand."),
            N_("Five loose obstacles. A horse and the cards 1 to 6 for everybody."),
        ),
    ),
    Chapter(
        BEFORE,
        (
            N_("All horses wait in the gate. It has room for all of them."),
            N_("The youngest lays the first obstacle, then you go on clockwise until all five lie."),
            N_("Obstacles lie on sand, one on a space, with a free space to every other obstacle."),
            N_("At least two of the five lie between the last natural obstacle and the finishing line."),
            Scene(
                N_("Obstacles on 10 and 12: each has a free space to its neighbours and to the river on 15."),
                (),
                _OBSTACLES,
                window=(8, 16),
                cards=False,
                explains="place-obstacle",
            ),
        ),
    ),
    Chapter(
        TURN,
        (
            N_("Everybody picks a card in secret. When all have chosen, turn them over."),
            N_("The lowest card moves first. Of equal cards, the horse furthest behind moves first."),
            Scene(
                N_("Ada and Ben both played a 3. Ada was further behind, so she moves before Ben."),
                (*_OBSTACLES_OF_THREE, *_round(2, 5, 6)),
                _round(3, 3, 2),
                seats=3,
                panel="order",
                explains="play",
            ),
            N_("Count every space, also those with a horse or an obstacle: you jump over them."),
            N_("Out of the gate, a card n takes you to space n."),
            N_("Your used cards lie face down. After six rounds you have all six again."),
        ),
    ),
    Chapter(
        N_("Obstacles"),
        (
            N_("Would your horse land on an obstacle? Then it stays where it is, and the card is spent."),
            Scene(
                N_("Red counts to the obstacle on 4, blue to the river on 7: both stay where they are."),
                (*_OBSTACLES, *_round(3, 5)),
                _round(1, 2),
                window=(1, 9),
                explains="refused",
            ),
            N_("Jumping over an obstacle is no problem. Only the space where you land matters."),
        ),
    ),
    Chapter(
        N_("Pushing back"),
        (
            N_("Would your horse land on another one? That one goes back, then yours stands there."),
            N_("It goes to the nearest space behind it that has no horse and no obstacle."),
            Scene(
                N_("Red lands on 5. Blue goes back: an obstacle lies on 4, so it goes to 3."),
                (*_OBSTACLES, *_round(2, 5)),
                _round(3, 2),
                window=(1, 9),
                shows=("moved", "pushed-back"),
                cards=False,
                explains="pushed-back",
            ),
            N_(
                "Your own old space is free by then. A horse that goes back pushes nobody, and may still "
                "move."
            ),
            N_("Is there no free space at all behind it? Then it goes back into the gate."),
            Scene(
                N_("Red comes out of the gate to 1. Behind blue is no space, so it goes into the gate."),
                (*_OBSTACLES, *_round(4, 1)),
                _round(1, 4),
                window=(-1, 5),
                shows=("moved", "pushed-to-gate"),
                cards=False,
                explains="pushed-to-gate",
            ),
        ),
    ),
    Chapter(
        END,
        (
            N_("The round in which a horse crosses the line is played to its end."),
            N_("Behind the line the same rules go on. If the spaces run out, count on in your heads."),
            Scene(
                N_("Both cross the line in the same round. Red is further, so Ada wins and Ben is second."),
                (*_laid(1, 3, 5, 7, 9), *_round(6, 4), *_round(2, 6)),
                _round(4, 1),
                options=_SHORT,
                window=(5, 14),
                explains="round-over",
            ),
            N_(
                "The horse furthest past the line wins, the others past it follow. Those not past it have "
                "no place."
            ),
            N_("A horse can be pushed back over the line. Then it has no place either."),
        ),
    ),
    Chapter(
        N_("Variant: rearmost only"),
        (
            N_(
                "Of several equal cards only the horse furthest behind moves. In the gate that is the "
                "oldest player's."
            ),
            N_("The others miss the turn, even if that one horse is stopped by an obstacle."),
            Scene(
                N_("Ada and Ben played a 3. Only Ada moves, from further behind; Ben misses the turn."),
                (*_OBSTACLES_OF_THREE, *_round(2, 5, 6)),
                _round(3, 3, 2),
                seats=3,
                options={"rearmost_only": True},
                panel="order",
                explains="missed",
            ),
        ),
    ),
    Chapter(
        ARGUE,
        (
            OURS,
            Ruling(
                N_("Equal cards: when do we look who is furthest behind?"),
                N_("When that number is due, and again after each move among the equals."),
                N_("once, before the first of them moves."),
            ),
            Ruling(
                N_("Equal cards of horses in the gate."),
                N_("The older player moves first, at any time of the game."),
            ),
            Ruling(
                N_("Two natural obstacles are neighbours."),
                N_("They may be, up to five in a row: a 6 gets over them."),
                N_("a free space lies between natural obstacles too."),
            ),
            Ruling(
                N_("May a loose obstacle lie next to river or moor?"),
                N_("No. A free space lies between it and every other obstacle, natural ones too."),
                N_("yes: only loose obstacles keep apart."),
            ),
            Ruling(
                N_("You push a horse back. May it go to the space that you come from?"),
                N_("Yes: that space is free, as your horse has left it."),
                N_("no: it counts as taken until your move is over."),
            ),
            Ruling(
                N_("An obstacle would leave no room for those still to come."),
                N_("It may not lie there. All five must fit, two of them after the last natural obstacle."),
            ),
            Ruling(
                N_("No five obstacles fit on your board at all."),
                N_("The companion refuses that board before the game begins."),
            ),
            Ruling(
                N_("Which cards has a player used?"),
                N_("You have to remember. The screens tell only if the host switches that on."),
            ),
            Ruling(
                N_("Does the obstacle on the finishing space itself count as before the line?"),
                N_("Yes. Past the line means beyond that space."),
            ),
            Ruling(
                N_("Can you change a card that you have chosen?"),
                N_("No, not even while others still choose."),
            ),
            FORBIDDEN,
            Ruling(
                N_("Can two horses share a place?"),
                N_("No: no two horses ever stand on the same space of the course."),
            ),
        ),
    ),
)

GIRO_EXPLAINS: Final = {
    "place-obstacle": N_(
        "Lay an obstacle on sand, not next to another one. A horse that would land on it stays where it is."
    ),
    "play": N_(
        "Pick a card in secret, from 1 to 6. The lowest moves first; of equal ones the horse furthest behind."
    ),
    "moved": N_("Each horse moves as many spaces as its card says, counting every space."),
    "refused": N_("This horse would have landed on an obstacle. It stays, and its card is spent."),
    "pushed-back": N_("Landing on a horse pushes it back, to the nearest space without horse or obstacle."),
    "pushed-to-gate": N_(
        "No space behind was free, so this horse is back in the gate. It starts anew from there."
    ),
    "missed": N_("Equal cards: only the horse furthest behind moves, the others miss this turn."),
    "hands-back": N_("All six cards have been played. You have all of them again."),
    "round-over": N_("All cards have moved. Play rounds until a horse is past the finishing line."),
    "game-over": N_("A horse crossed the line, and the round was played to its end. The furthest wins."),
}
