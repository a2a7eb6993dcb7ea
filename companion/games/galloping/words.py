"""The sentences of Galloping Pigs and Galloping Horse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.games.presenter import OUT_OF_TURN
from companion.message import N_, NN_

_WORDS: Final[Mapping[str, str | tuple[str, str]]] = {
    **OUT_OF_TURN,
    "line-up": N_("the line-up"),
    "deal": N_("the deal"),
    "place-food": N_("laying food"),
    "play": N_("a card"),
    "no-food-there": N_(
        "no food may lie on {space}: it needs an empty space, and not one of the first four after the start"
    ),
    "no-such-card": N_("there is no card {text} in this game"),
    "not-in-hand": N_("{seat} holds no {card} card"),
    "colour-gone": N_("all {count} {card} cards of this round are out already"),
    "deal-all-seats": N_("a deal gives every seat a hand"),
    "deal-seven": N_("every seat gets {count} cards"),
    "deal-too-many": N_("there are only {count} {card} cards"),
    "dealing": N_("shuffle all race cards and deal {count} to each"),
    "dealt": N_("{count} cards for everybody"),
    "food-laid": N_("{seat} lays food on {space}"),
    "moved": N_("{piece} to {space}"),
    "leads": N_("it takes the lead: {gain} food"),
    "leads-no-food": N_("it leads, but the stock is empty"),
    "found-food": N_("food lay on {space}: {gain} food"),
    "kept": NN_("{seat} keeps {count} food", "{seat} keeps {count} food"),
    "lost": N_("{seat} gives {loss} food back"),
    "you-kept": NN_("you keep {count} food", "you keep {count} food"),
    "you-lost": NN_("you give {count} food back", "you give {count} food back"),
    "round-over": N_("round {round} is over"),
    "game-over": N_("the game is over"),
    "won": N_("{seat} wins with {score} food"),
    "shared": N_("{names} share the victory: {score} food each"),
    "stage": N_("Round {round} of {rounds}"),
    "hand-move": N_(
        "Clockwise, one card a turn: its animal goes to the next space in front of it where none stands."
    ),
    "hand-lead": N_("If it is then ahead of all others: take 1 food, not safe yet."),
    "hand-lead-kept": N_("If it is then ahead of all others: take 1 food and keep it."),
    "hand-found": N_("If it lands on food: take that too."),
    "hand-last-card": N_(
        "With your last card: if its animal leads, all your food is safe; if not, what was unsafe goes back."
    ),
    "hand-end": N_("Most food after round {round} wins."),
    "supply": NN_("{count} food left", "{count} food left"),
    "due-play": N_("{seat}, play a card"),
    "you-play": N_("play a card"),
    "you-line-up": N_("line them up, front first"),
    "you-place-food": N_("lay one food card on the track"),
    "you-last-card": NN_(
        "play your last card, {count} food at risk", "play your last card, {count} food at risk"
    ),
    "due-deal": N_("deal 7 cards to everybody"),
    "due-place-food": N_("{seat}, lay one food card on the track"),
    "due-last-card": NN_(
        "{seat}, your last card! {count} food at risk", "{seat}, your last card! {count} food at risk"
    ),
}

PIGS_WORDS: Final[Mapping[str, str | tuple[str, str]]] = {
    **_WORDS,
    "line-up-incomplete": N_("a line-up names each of the {count} pigs once, front first"),
    "lined-up": N_("{seat} lines up the pigs, {piece} in front"),
    "hand-round": N_(
        "After {count} cards each the next seat clockwise lines the pigs up; deal all cards anew."
    ),
    "due-line-up": N_("{seat}, line up the pigs: the front one on start, the others right behind it"),
    "food-laid": N_("{seat} lays an acorn on {space}"),
    "leads": NN_("it takes the lead: {gain} acorn", "it takes the lead: {gain} acorns"),
    "leads-no-food": N_("it leads, but no acorns are left"),
    "found-food": NN_("{gain} acorn found on {space}", "{gain} acorns found on {space}"),
    "kept": NN_("{seat} keeps {count} acorn", "{seat} keeps {count} acorns"),
    "lost": NN_("{seat} gives {loss} acorn back", "{seat} gives {loss} acorns back"),
    "you-kept": NN_("you keep {count} acorn", "you keep {count} acorns"),
    "you-lost": NN_("you give {count} acorn back", "you give {count} acorns back"),
    "won": NN_("{seat} wins with {score} acorn", "{seat} wins with {score} acorns"),
    "shared": NN_(
        "{names} share the victory: {score} acorn each", "{names} share the victory: {score} acorns each"
    ),
    "supply": NN_("{count} acorn left", "{count} acorns left"),
    "due-place-food": N_("{seat}, lay an acorn on the track"),
    "you-place-food": N_("lay an acorn on the track"),
    "you-last-card": NN_(
        "play your last card, {count} acorn at risk", "play your last card, {count} acorns at risk"
    ),
    "due-last-card": NN_(
        "{seat}, your last card! {count} acorn at risk", "{seat}, your last card! {count} acorns at risk"
    ),
    "hand-lead": N_("If it is then ahead of all others: take an acorn. It is still at risk."),
    "hand-lead-kept": N_("If it is then ahead of all others: take an acorn and keep it."),
    "hand-found": N_("If it lands on an acorn: take that too."),
    "hand-last-card": N_(
        "With your last card: if its animal leads, all your acorns are safe; if not, those at risk go back."
    ),
    "hand-end": N_("Most acorns after round {round} wins."),
}

ACORNS: Final[Mapping[str, tuple[str, str | None]]] = {
    "{count} food": NN_("{count} acorn", "{count} acorns"),
    "keeps its food": (N_("keeps the acorns"), None),
    "Gave back the most food: {count}.": (N_("Gave back the most acorns: {count}."), None),
    "the last card leads: {seat} brings the food home!": (
        N_("the last card leads: {seat} keeps the acorns!"),
        None,
    ),
    "{piece} in front, {seat}'s food is safe!": (N_("{piece} in front, {seat}'s acorns are safe!"), None),
    "{piece} does not lead: {seat}'s food goes back": (
        N_("{piece} does not lead: {seat}'s acorns go back"),
        None,
    ),
    "all for nothing: {seat} gives the food back": (
        N_("all for nothing: {seat} gives the acorns back"),
        None,
    ),
    "that hurts: the food of {seat} is gone": (N_("that hurts: {seat}'s acorns are gone"), None),
}
"""What all games with food share, as the pigs say it."""

HORSE_WORDS: Final[Mapping[str, str | tuple[str, str]]] = {
    **_WORDS,
    "line-up-incomplete": N_("a line-up names each of the {count} horses once, front first"),
    "lined-up": N_("{seat} lines up the horses, {piece} in front"),
    "hand-round": N_(
        "After {count} cards each deal all cards anew; the next seat clockwise starts, the horses stay."
    ),
    "due-line-up": N_("{seat}, line up the horses: the front one on start, the others right behind it"),
}
