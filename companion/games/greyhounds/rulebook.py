"""The rules of Greyhounds in our own words, with tables that the rules work out."""

from __future__ import annotations

from typing import Final

from companion.games.greyhounds.bets import STANDARD, Bet, payout
from companion.games.greyhounds.run import MOVE, STRIKE, steps
from companion.games.panel import Panel
from companion.games.rulebook import (
    AIM,
    ARGUE,
    BEFORE,
    END,
    FORBIDDEN,
    NEEDS,
    OURS,
    SHARED,
    Chapter,
    Ruling,
    Scene,
)
from companion.games.terms import Decision
from companion.message import N_, Sentence

# a race of one short lap between four dogs
_SETS: Final = tuple(
    Decision("show", seat, cards)
    for seat, cards in enumerate(
        ((3, 5, 8, 12, 15, 18), (2, 6, 10, 11, 14, 17), (4, 7, 9, 13, 16, 20), (1, 4, 6, 12, 15, 19))
    )
)
_BETS: Final = tuple(
    Decision("bet", seat, (bet,))
    for seat, bet in enumerate(
        (
            Bet("win", ("brown",), 500),
            Bet("place", ("red",), 1000),
            Bet("double", ("brown", "red"), 500),
            Bet("win", ("green",), 1000),
        )
    )
)


def _cards(*cards: int) -> tuple[Decision, ...]:
    """Return a card of every dog, by seat."""
    return tuple(Decision("play", seat, card) for seat, card in enumerate(cards))


_FIRST_TURN: Final = _cards(3, 6, 20, 1)
_LAST_TURN: Final = tuple(Decision("play", seat, card) for seat, card in ((0, 15), (1, 2), (3, 15)))
_TURN: Final = _cards(18, 14, 9, 4)

_EXAMPLES: Final = {
    1: ((18, 14, 9, 4), (18, 18, 9, 4), (18, 18, 18, 4)),
    2: ((18, 14, 9, 4), (18, 18, 9, 4), (18, 14, 14, 4)),
    3: ((18, 14, 9, 4), (13, 10, 10, 7), (18, 18, 9)),
}
_STRUCK: Final = {
    1: ((18, 14, 9, 4), (18, 18, 9, 4), (18, 18, 9), (18, 9)),
    2: ((18, 14, 9, 4), (18, 18, 9, 4), (18, 14, 14, 4), (18, 14, 9, 9)),
    3: ((18, 14, 9, 4), (18, 18, 9, 4), (18, 18, 18, 4)),
}
_STAKES: Final = (("win", (1,), 500), ("place", (4,), 1000), ("double", (1, 3), 500))


def _moves(race: int, ties: str = MOVE) -> Panel:
    """Return the spaces that the cards on the table move in a race."""
    examples = _STRUCK if ties == STRIKE else _EXAMPLES
    rows = [[_list(cards), _list(steps(race, cards, ties))] for cards in examples[race]]
    head = [Sentence(N_("cards")), Sentence(N_("spaces moved"))]
    return Panel("moves", Sentence(N_("race {race}"), {"race": race}), rows, head)


def _list(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)


def _payouts() -> Panel:
    """Return the payouts of won bets."""
    rows = []
    for kind, ranks, stake in _STAKES:
        odds = STANDARD.of(kind, ranks)
        back = payout(stake, odds)
        dogs = {f"rank{n}": rank for n, rank in enumerate(ranks, 1)}
        on = N_("{kind}: Dog {rank1}") if len(ranks) == 1 else N_("{kind}: Dogs {rank1} and {rank2}")
        rows.append(
            (
                Sentence(on, {"kind": kind, **dogs}),
                str(stake),
                str(odds),
                str(back),
                f"+{back - stake}",
            )
        )
    head = [Sentence(text) for text in (N_("bet"), N_("stake"), N_("pays"), N_("back"), N_("won"))]
    return Panel("bets", Sentence(N_("Bets that were won, in dollars, with the sample odds")), rows, head)


HOUNDS_RULES: Final = (
    Chapter(
        AIM,
        (
            N_(
                "Everybody owns a dog and may bet on any of them. Three races are run: of one, two and "
                "three laps."
            ),
            N_("Prizes and bets bring money. The most money after the third race wins."),
        ),
    ),
    Chapter(
        NEEDS,
        (
            N_("A loop with a line, four dogs, cards 1 to 20 for each dog, bet sheets and money."),
            N_("With three players nobody owns the fourth dog. It plays a 10 every time."),
            N_(
                "Everybody starts with $6000. With a bookie, he starts with $24000, or $18000 with three "
                "players."
            ),
        ),
    ),
    Chapter(
        BEFORE,
        (
            N_(
                "Shuffle your cards 1 to 10 and 11 to 20 apart. Draw three sets unseen, each of three low "
                "cards and three high ones."
            ),
            N_("A set is for one race. Two of your cards stay unused."),
        ),
    ),
    Chapter(
        N_("Before a race"),
        (
            N_("Everybody shows one of the sets that are left. The highest sum makes Dog 1, the favourite."),
            N_("Equal sums: the highest card decides, then the next one."),
            Scene(
                N_("Four sets are shown: brown has the highest sum and is Dog 1."),
                (),
                _SETS,
                seats=4,
                panel="odds",
                explains="show",
            ),
            N_(
                "Then everybody bets in secret: at least $500 and at most $2000 in a race, in steps of "
                "${bet_step}."
            ),
            N_("Up to three bets, one of each kind, on any dog. The sheets are shown after the race."),
            N_(
                "Win: your dog is first. Place: it is first or second. Double: your two dogs are first and "
                "second, in either order."
            ),
            N_(
                "Everybody sets one card of the set aside, in secret, before playing the first one. You "
                "run with the other five."
            ),
        ),
    ),
    Chapter(
        N_("A turn"),
        (
            N_(
                "The dogs play one card each, the leader first. Dogs that are level choose in secret and "
                "turn over together."
            ),
            N_("When all running dogs have played, compare the cards. Which dogs move depends on the race."),
            N_(
                "Do you strike equal cards out? Then the variant below counts instead of the next three "
                "tables."
            ),
            N_(
                "Race 1: only the highest card moves, or several if they are equal. From it you take the "
                "next lower card."
            ),
            _moves(1),
            N_("Race 2: the two highest move. From both you take the third."),
            _moves(2),
            N_("Race 3, or only two dogs left: every card moves. From each you take the lowest."),
            _moves(3),
            Scene(
                N_("Race 1, cards 18, 14, 9 and 4: only red moves, 18 − 14 = 4 spaces."),
                (*_SETS, *_BETS),
                (*_cards(18, 14, 9, 4),),
                seats=4,
                window=(-1, 5),
                shows=("moved",),
                explains="moved",
            ),
            N_(
                "All cards of the turn are spent, also those that moved nothing. Dogs never stand in each "
                "other's way."
            ),
            N_("When you have played five cards, all five come back."),
        ),
    ),
    Chapter(
        N_("Home or lapped"),
        (
            N_(
                "The dogs start just behind the line. Past the last line a dog is home and plays no more "
                "cards."
            ),
            N_(
                "Races 2 and 3: a dog more than a whole lap behind the front dog, after all moves of a turn, "
                "is out. Level with it is not lapped."
            ),
            N_(
                "The race is over when three dogs are home. If one dog is left alone, it takes the next "
                "place."
            ),
        ),
    ),
    Chapter(
        N_("Money"),
        (
            N_("The owners of the first three dogs get $1500, $1000 and $500."),
            N_("A bet that is won returns its stake times the odds. The stake of a lost bet is gone."),
            _payouts(),
            Scene(
                N_("A race settled: brown is first, red second. Each bet on its own line, then the prizes."),
                (*_SETS, *_BETS, *_FIRST_TURN),
                _LAST_TURN,
                seats=4,
                options={"lap": 12},
                panel="settlement",
                explains="round-over",
            ),
        ),
    ),
    Chapter(
        END,
        (N_("After the third race the most money wins."),),
    ),
    Chapter(
        N_("Variant: a bookie"),
        (
            N_("One player is the bookie. He owns a dog like everybody, but does not bet."),
            N_(
                "Draw three low and three high cards for race 3. From your other fourteen choose five for "
                "race 1 and five for race 2."
            ),
            N_("Each of these fives adds up to at most 50. Nothing is set aside in races 1 and 2."),
            N_("After the cards are shown the bookie ranks the dogs as he likes. Then you bet."),
            N_(
                "He takes the stakes and sees your sheets at once. He pays the bets that are won, and the "
                "prizes of the others."
            ),
            N_(
                "If he has less than nothing after a race, all are still paid in full, and the game ends "
                "at once."
            ),
            N_("The most money wins, the bookie included."),
        ),
    ),
    Chapter(
        N_("Variant: equal cards are struck out"),
        (
            N_("A rule of the first edition: cards that several dogs show are struck out."),
            N_(
                "The highest single cards move: one in race 1, two in race 2, three in race 3. From each you "
                "take the lowest card on the table."
            ),
            N_("The lowest counts even if it is struck out. If no single card is above it, no dog moves."),
            *(_moves(race, STRIKE) for race in _STRUCK),
        ),
    ),
    Chapter(
        ARGUE,
        (
            OURS,
            Ruling(
                N_("May you look at your sets before you show one?"),
                N_("Yes. They are drawn unseen, but you choose among sets that you know."),
                N_("no: they lie face down until they are shown."),
            ),
            Ruling(
                N_("Two sets are wholly equal. Who ranks better?"),
                N_("The one that comes first in the order of seats."),
            ),
            Ruling(
                N_("Where does the dog rank that nobody owns?"),
                N_("Its sum is 60 and its cards are six tens."),
            ),
            Ruling(
                N_("Which stakes are possible?"),
                N_("Multiples of ${bet_step}. The host may choose another step before the game."),
                N_("any whole dollars."),
            ),
            Ruling(
                N_("Race 2: two of the three highest cards are equal."),
                N_(
                    "Every card as high as the second highest, or higher, moves. From each you take the "
                    "lowest: 18 14 14 4 moves 14, 10, 10 and 0."
                ),
                N_("the third highest is taken even then: 18 14 14 4 moves 4, 0, 0 and 0."),
            ),
            Ruling(
                N_("Equal cards are struck out: also in races 2 and 3, and with two dogs left?"),
                N_(
                    "Yes, wherever the highest cards move. Of two dogs the one with the higher card moves, "
                    "with equal cards neither."
                ),
                N_("in race 1 only."),
            ),
            Ruling(
                N_("Equal cards are struck out, but no cards are equal."),
                N_(
                    "The same counts: from each card that moves you take the lowest on the table. In race 1 "
                    "18 14 9 4 moves 14."
                ),
                N_("such a turn goes as without the variant: 18 moves 4."),
            ),
            Ruling(N_("All cards of a turn are equal."), N_("No dog moves.")),
            Ruling(
                N_("No dog moves for ten turns in a row."),
                N_("The race ends. The dogs still running take the places left, by progress, then by rank."),
            ),
            Ruling(
                N_("Several dogs come home in one turn."),
                N_(
                    "The one further past the line is first; of level ones the one that was ahead before the "
                    "turn; then the one of better rank."
                ),
                N_("the one that was ahead before the turn is first."),
            ),
            Ruling(
                N_("Races 2 and 3: when is a dog lapped?"),
                N_(
                    "We look after all moves of a turn. However far the front dog runs, it counts as one "
                    "space past the finishing line at most."
                ),
                N_("dog by dog as they move, and by all the spaces that the front dog ran."),
            ),
            Ruling(
                N_("Nobody takes a place."), N_("It is not paid. A double needs a first and a second dog.")
            ),
            Ruling(N_("A dog is lapped. Do you get your stake back?"), N_("No. There are no refunds.")),
            Ruling(
                N_("The fourth dog, that nobody owns, wins."),
                N_("Its prize goes to nobody. Bets on it are paid."),
            ),
            Ruling(
                N_("With a bookie: when do you get your cards for races 2 and 3?"),
                N_(
                    "You choose the five for race 2 just before it, from what is left. The six for race 3 "
                    "are drawn before race 1, and you may look at them."
                ),
                N_("both fives are chosen before race 1, and the six lie face down until race 3."),
            ),
            Ruling(
                N_("With a bookie: may you show any five in race 2?"),
                N_(
                    "In races 1 and 2 together at most seven low cards and seven high ones: three of each "
                    "are for race 3."
                ),
            ),
            Ruling(
                N_("With a bookie: a five in race 1 that leaves no five of at most 50 for race 2."),
                N_("It may not be shown, once the cards for race 3 are known."),
            ),
            Ruling(
                N_("With a bookie: how does the dog that nobody owns rank?"),
                N_("As the bookie ranks it, like every other dog."),
            ),
            FORBIDDEN,
            SHARED,
        ),
    ),
)

HOUNDS_EXPLAINS: Final = {
    "dealt": N_("Everybody has three sets now, each of three low cards and three high ones."),
    "dealt-last": N_("Everybody knows the cards for race 3. The others are free for races 1 and 2."),
    "show": N_("Show the cards your dog runs with. The highest sum makes Dog 1, the favourite."),
    "rank": N_("The bookie puts the dogs in the order he likes. The odds go by it."),
    "bet": N_("Bet in secret, $500 to $2000: on the winner, on first or second place, or on the first two."),
    "set-aside": N_(
        "Before your first card, set one of the six aside. You run this race with the other five."
    ),
    "play": N_("Play a card, the leader first. Dogs that are level choose in secret and turn over together."),
    "moved": N_("Race 1: only the highest card moves its dog, less the next lower card on the table."),
    "moved-2": N_("Race 2: the two highest cards move their dogs, less the third highest."),
    "moved-3": N_("Race 3: every card moves its dog, less the lowest card on the table."),
    "moved-strike": N_(
        "The highest single cards move their dogs, less the lowest: one in race 1, two in race 2, three in "
        "race 3."
    ),
    "nobody-moves-strike": N_(
        "No single card is above the lowest, so no dog moves. All are spent all the same."
    ),
    "nobody-moves": N_("All cards are equal, so no dog moves. They are spent all the same."),
    "home": N_("Past the last line a dog is home. The first three are paid."),
    "lapped": N_("More than a whole lap behind the front dog: this one is out."),
    "round-over": N_("Now prizes and bets are paid. A won bet returns its stake times the odds."),
    "bankrupt": N_("The bookie has less than nothing. All were paid in full, and the game ends here."),
}
