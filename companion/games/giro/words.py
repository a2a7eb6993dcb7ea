"""The sentences of Giro Galoppo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.games.presenter import OUT_OF_TURN
from companion.message import N_, NN_

WORDS: Final[Mapping[str, str | tuple[str, str]]] = {
    **OUT_OF_TURN,
    "hand-round": N_(
        "Everybody chooses a card in secret; turn all of them over. The lowest card moves first."
    ),
    "hand-equal": N_("Equal cards: the horse furthest behind moves first; in the gate the oldest player."),
    "hand-equal-rearmost": N_(
        "Equal cards: only the horse furthest behind moves; in the gate that of the oldest player."
    ),
    "hand-move": N_(
        "Count every space. On an obstacle: stay where you are. On a horse: it goes back to the nearest "
        "space behind with neither horse nor obstacle, you take its place."
    ),
    "hand-cards-back": N_("After {count} rounds everybody takes all {count} cards back."),
    "hand-end": N_(
        "The round in which a horse is past space {space} is played to its end; the furthest past wins."
    ),
    "place-obstacle": N_("laying an obstacle"),
    "play": N_("a card"),
    "not-sand": N_("no obstacle may lie on {space}: obstacles go on sand"),
    "taken": N_("an obstacle lies on {space} already"),
    "too-near": N_("no obstacle may lie on {space}: it would be next to the one on {space_next}"),
    "stretch-short": N_(
        "no obstacle may lie on {space}: at least two of the five must lie after {space_last}, "
        "the last natural one"
    ),
    "room-short": N_("no obstacle may lie on {space}: there would be no room for the others"),
    "no-such-card": N_("a card is 1 to 6, not {text}"),
    "nobodys": N_("nobody plays the horse of this card"),
    "chosen-already": N_("{seat} has chosen already, and a card cannot be changed"),
    "card-used": N_("{seat} has used the {card} already: it comes back with the next hand"),
    "dealing": N_("everybody takes the {count} cards of their horse's colour"),
    "obstacle-laid": N_("{seat} lays an obstacle on {space}"),
    "chosen": N_("{seat} has chosen"),
    "moved": N_("{piece} to {space}"),
    "pushed-back": N_("{piece} back to {space}"),
    "pushed-to-gate": N_("{piece} back into the gate"),
    "refused": N_("{piece} stays: an obstacle on {space}"),
    "missed": N_("{piece} misses the turn"),
    "round-over": N_("round {round} is over"),
    "game-over": N_("the game is over"),
    "margin": NN_("{count} space", "{count} spaces"),
    "you-moved": N_("you move to {space}"),
    "you-push": N_("you move to {space} and push {seat} back to {space_back}"),
    "you-push-to-gate": N_("you move to {space} and push {seat} back into the gate"),
    "you-refused": N_("the obstacle on {space} stops you"),
    "you-missed": N_("you miss the turn"),
    "you-pushed": N_("{seat} pushes you back to {space}"),
    "you-pushed-to-gate": N_("{seat} pushes you back into the gate"),
    "you-then": N_("{news}, then {then}"),
    "you-unplaced": N_("not past the line: no place"),
    "lands": N_("{space}, in front"),
    "lands-behind": N_("{space}, behind {seat}"),
    "lands-on": N_("pushes {seat}"),
    "lands-obstacle": N_("obstacle"),
    "lands-past": N_("past the line"),
    "lands-past-on": N_("past the line, pushes {seat}"),
    "won": N_("{seat} wins, on space {score}"),
    "shared": N_("{names} share the victory, on space {score}"),
    "stage": N_("Round {round}"),
    "due-place-obstacle": NN_(
        "{seat}, lay an obstacle on sand: {count} to go", "{seat}, lay an obstacle on sand: {count} to go"
    ),
    "due-play": NN_("everybody, choose a card: {count} to go", "everybody, choose a card: {count} to go"),
    "due-play-last": N_("{seat}, choose a card: all others have chosen"),
    "you-play": N_("choose a card"),
    "you-place-obstacle": N_("lay an obstacle on sand"),
    "used-cards": N_("Used cards"),
    "order": N_("Order of moving"),
    "order-card": N_("card"),
    "order-horse": N_("horse"),
    "order-what": N_("what happened"),
    "order-moved": N_("to {space}"),
    "order-pushed": N_("to {space}, {piece} back to {space_back}"),
    "order-pushed-to-gate": N_("to {space}, {piece} back into the gate"),
    "order-refused": N_("stopped by the obstacle on {space}"),
    "order-missed": N_("missed the turn"),
}
