"""The sentences of Greyhounds: prompts, reasons why a decision is illegal, and news."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.games.presenter import OUT_OF_TURN
from companion.message import N_

WORDS: Final[Mapping[str, str | tuple[str, str]]] = {
    **OUT_OF_TURN,
    # decisions and bets by name
    "deal": N_("the deal"),
    "show": N_("showing a set"),
    "rank": N_("the bookie's ranking"),
    "bet": N_("a bet"),
    "set-aside": N_("the card to set aside"),
    "play": N_("the card to play"),
    "win": N_("win"),
    "place": N_("place"),
    "double": N_("double"),
    "win-means": N_("comes first"),
    "place-means": N_("comes first or second"),
    "double-means": N_("first and second, in any order"),
    # prompts
    "due-show": N_("{seat}, show a set of {count} cards"),
    "due-show-several": N_("{names}: show a set of {count} cards"),
    "due-rank": N_("{seat}, rank the dogs, the favourite first"),
    "due-bet": N_("{seat}, place your bets"),
    "due-bet-several": N_("{names}: place your bets"),
    "due-play": N_("{seat}, play a card"),
    "due-play-several": N_("{names}: choose a card each"),
    "due-play-first": N_("{seat}, set one card aside and play another"),
    "due-play-first-several": N_("{names}: set one card aside, choose another"),
    # the same to a seat on its own phone
    "you-show": N_("show a set of {count} cards"),
    "you-rank": N_("rank the dogs, the favourite first"),
    "you-bet": N_("place your bets"),
    "you-play": N_("play one card"),
    "you-play-first": N_("set one card aside, then play another"),
    "stage": N_("Race {race} of {races}"),
    "stage-turn": N_("Race {race} of {races}, turn {turn}"),
    # how to go on without the companion
    "hand-race": N_(
        "A race: everybody shows a set; the dogs are ranked by its sum, the highest is Dog 1. Bet in secret, "
        "set a card aside, run as many laps as the race has in its number."
    ),
    "hand-race-bookie": N_(
        "A race: everybody shows a set, the bookie ranks the dogs, the others bet and pay. Run as many laps "
        "as the race has in its number. Only in race 3 a card is set aside."
    ),
    "hand-turn": N_(
        "A turn: the dog in front plays first; dogs that are level choose in secret and turn over together. "
        "Played cards come back when all are played; nobody's dog plays 10."
    ),
    "hand-moves-1": N_("Race 1: the highest card moves by what it is above the next lower one."),
    "hand-moves-2": N_(
        "Race 2: of three different highest cards the first two move by what they are above the third; else "
        "those not below the second move by what they are above the lowest."
    ),
    "hand-moves-3": N_("Race 3, or two dogs left: each card moves by what it is above the lowest."),
    "hand-moves-strike": N_(
        "Equal cards are struck out; of the others the highest move by what they are above the lowest on the "
        "table: one in race 1, two in race 2, three in race 3."
    ),
    "hand-home": N_(
        "Home is past the line after the last lap of {count} spaces. In race 2 and 3, more than a lap behind "
        "the leader is out. Three are home: the race is over."
    ),
    "hand-money": N_(
        "Then the owners of the first three get $1500, $1000 and $500; a bet that is won brings stake × odds."
    ),
    "hand-end": N_("Most money after race 3 wins."),
    # who may not decide now
    "dummy": N_("nobody plays for {piece}: its card is always {card}"),
    "has-shown": N_("{seat} has shown a set for this race already"),
    "bet-already": N_("{seat} has bet on this race already"),
    "bookie-bets-not": N_("{seat} is the bookie and does not bet"),
    "played-already": N_("{seat} has played in this turn already"),
    "runs-no-more": N_("{piece} runs no more in this race"),
    "ahead-first": N_("{piece} is ahead of {piece_tried} and plays first"),
    # sets that may not be shown, deals that may not be
    "no-such-card": N_("there is no card {text}: they are numbered 1 to 20"),
    "show-count": N_("a set for this race has {count} cards"),
    "card-twice": N_("the {card} is in the set twice"),
    "shown-earlier": N_("{seat} showed the {card} in an earlier race"),
    "three-and-three": N_("a set has {count} low cards and {count} high ones: 1 to 10, and 11 to 20"),
    "not-dealt": N_("{seat} has no such set to show: choose another"),
    "kept-for-last": N_("{seat} keeps the {card} for race 3"),
    "too-many-low": N_("{seat} may show {most} low cards in races 1 and 2: three are for race 3"),
    "too-many-high": N_("{seat} may show {most} high cards in races 1 and 2: three are for race 3"),
    "over-fifty": N_("these cards add to {total}: at most {most} in races 1 and 2"),
    "leaves-no-five": N_("{seat} then has no five cards for race 2: they add to at most {most}"),
    "no-set-with": N_("no legal set of {count} can be made with these cards"),
    "deal-too-late": N_("cards are dealt only before the first set is shown, and once"),
    "deal-sets": N_("the deal gives three sets to each seat; only with a bookie the last set alone"),
    "deal-last": N_("with a bookie the deal gives only the sets for race 3"),
    "deal-all-seats": N_("a deal gives every seat its cards"),
    "deal-sets-each": N_("{seat} gets {count} sets"),
    "deal-three-and-three": N_("every set of {seat} needs {count} low cards and {count} high ones"),
    "deal-twice": N_("{seat} would get a card twice"),
    "rank-incomplete": N_("a ranking names each of the four dogs once, Dog 1 first"),
    # bets that may not be
    "no-such-bet": N_("there is no bet {text}: there are win, place and double"),
    "no-such-dog": N_("there is no dog {text} in this game"),
    "two-of-a-kind": N_("{seat} bets on {kind} twice: one bet of each kind"),
    "one-dog": N_("a bet on {kind} names one dog"),
    "two-dogs": N_("a bet on {kind} names two different dogs"),
    "stake-step": N_("a stake of {stake} is not possible: stakes are multiples of {step}"),
    "no-bet": N_("{seat} must bet: at least {least} in a race"),
    "too-little": N_("{seat} bets {total}: at least {least} in a race"),
    "too-much": N_("{seat} bets {total}: at most {most} in a race"),
    # cards that may not be played or set aside
    "not-in-set": N_("{seat} has not shown the {card} for this race"),
    "is-set-aside": N_("the {card} is set aside in this race"),
    "used": N_("the {card} was played: it comes back when all {count} have been"),
    "none-aside": N_("nothing is set aside in this race: all {count} cards are played"),
    "aside-already": N_("{seat} has set a card aside already"),
    "aside-too-late": N_("{seat} has played already: a card is set aside before that"),
    # news
    "dealing": N_(
        "everybody shuffles low cards (1 to 10) and high ones (11 to 20) apart and draws three and three for "
        "each of {count} sets"
    ),
    "dealing-last": N_(
        "everybody shuffles low cards (1 to 10) and high ones (11 to 20) apart and draws three and three for "
        "race {count}"
    ),
    "dealt": N_("{count} sets for everybody"),
    "dealt-last": N_("everybody knows the cards drawn for race 3"),
    "shown": N_("{seat} shows {text}, together {total}"),
    "ranked": N_("Dog 1 is {piece1}, Dog 2 {piece2}, Dog 3 {piece3}, Dog 4 {piece4}"),
    "has-bet": N_("{seat} has bet"),
    "has-staked": N_("{seat} has bet ${stake}"),
    "bets-closed": N_("the bets are closed"),
    "aside": N_("{seat} sets a card aside"),
    "chosen": N_("{seat} has chosen a card"),
    "turned": N_("{piece} plays {card}"),
    "moved": N_("{piece}: {card} − {less} = {steps}, to {space}"),
    "nobody-moves": N_("nobody moves"),
    "home": N_("{piece}: {card} − {less} = {steps}, home as number {place}"),
    "too-late": N_("{piece}: {card} − {less} = {steps}, over the line without a place"),
    "lapped": N_("{piece} is lapped and out"),
    "idle": N_("{turns} turns without a move end the race"),
    "placed": N_("{piece} takes place {place} without running on"),
    "round-over": N_("race {round} is over"),
    "race-won": N_("{piece} wins race {race}!"),
    "place-1": N_("{piece} wins the race"),
    "place-2": N_("{piece} is second"),
    "place-3": N_("{piece} is third"),
    "prize": N_("{seat} gets ${prize} of prize money"),
    "bet-won": N_("{seat}: {kind} on {piece1}, ${stake} at {odds} pays ${back}, won ${net}"),
    "bet-won-two": N_("{seat}: {kind} on {piece1} and {piece2}, ${stake} at {odds} pays ${back}, won ${net}"),
    "bet-lost": N_("{seat}: {kind} on {piece1}, ${stake} lost"),
    "bet-lost-two": N_("{seat}: {kind} on {piece1} and {piece2}, ${stake} lost"),
    "bookie-pays": N_("the bookie {seat} took ${stakes}, pays ${back} on bets and ${prizes} of prize money"),
    "bank-pays": N_("the bank took ${stakes}, pays ${back} on bets and ${prizes} of prize money"),
    "balance": N_("{seat} has {money}"),
    "bankrupt": N_("{seat} is bankrupt: the game ends here"),
    "game-over": N_("the game is over"),
    "won": N_("{seat} wins with ${score}"),
    "shared": N_("{names} share the victory: ${score} each"),
}
