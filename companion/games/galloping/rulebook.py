"""The rules of Galloping Pigs and Galloping Horse in our own words, with pictures."""

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
    SHARED,
    TURN,
    UNKNOWN_HANDS,
    Chapter,
    Ruling,
    Scene,
)
from companion.games.terms import Decision
from companion.message import N_

PIGS: Final = ("red", "blue", "green", "yellow", "pink")
HORSES: Final = ("red", "blue", "green", "yellow")


def _dealt(order: tuple[str, ...]) -> tuple[Decision, ...]:
    return Decision("line-up", 0, order), Decision("deal", None, None)


def _played(*cards: str, seats: int = 2) -> tuple[Decision, ...]:
    """Return decisions that play these cards, by seat 0 first and then in turn."""
    return tuple(Decision("play", n % seats, card) for n, card in enumerate(cards))


_LINED_UP: Final = _dealt(PIGS)
_FOOD: Final = tuple(Decision("place-food", seat, space) for seat, space in ((0, 6), (1, 8)))
_WITH_FOOD: Final[Mapping[str, Any]] = {"food_on_track": True}
# twelve cards that leave red at 9 and pink close behind; each seat has one card left
_TWELVE: Final = _played(*["red"] * 6, *["pink"] * 6)
_ROW: Final = (-4, 2)

_ONE_CARD: Final = N_("Play one card. It moves the animal of its colour, whoever played it.")
_NO_PASS: Final = N_("Nobody may pass, and every card can be played.")
_NEXT_FREE: Final = N_("The animal goes to the next free space in front of it.")
_ALL_MOVE: Final = N_("No animal belongs to anybody: all of you move them all.")
_LOOP: Final = N_(
    "The spaces are a loop. The animal that has run further is ahead, however often it went round."
)
_HANDS: Final = N_("Shuffle all race cards. Everybody gets seven. Nobody looks at those left over.")
_STARTER_LINES_UP: Final = N_(
    "Whoever starts puts one animal on the starting space and the others right behind it, in any order."
)
_LEAD: Final = N_("Is the animal you moved now ahead of all others? Take one food from the stock.")
_STILL_LEADS: Final = N_(
    "Moving the one that leads already counts too. Moving into a gap behind it does not."
)
_EMPTY: Final = N_("An empty stock gives nothing.")

_FOOD_TITLE: Final = N_("Food")
_LINE_UP_RULING: Final = Ruling(
    N_("Where does the line-up stand?"),
    N_("The front animal stands on the starting space itself, the others on the spaces right behind it."),
    N_("the whole row stands behind the line."),
)

_LINE_UP_TEXT: Final = N_("A line-up: red in front on the starting space, the others right behind it.")
_STEP_TEXT: Final = N_("Nobody stands in front of red: the red card moves it one space.")
_HOP_TEXT: Final = N_("Occupied spaces do not count: pink hops over the whole row and takes the lead.")
_HORSE_HOP_TEXT: Final = N_(
    "Occupied spaces do not count: yellow hops over the whole row and takes the lead."
)
_GAP_TEXT: Final = N_("Pink lands in the gap behind red. It does not lead, so it brings no food.")
_HORSE_GAP_TEXT: Final = N_("Yellow lands in the gap behind red. It does not lead, so it brings no food.")

PIGS_RULES: Final = (
    Chapter(
        AIM,
        (
            N_("Cards move the pigs. Whoever moves a pig into the lead gets food."),
            N_("You keep it only if your last card of the round leads as well."),
            N_("Whoever has kept the most food after the last round wins."),
        ),
    ),
    Chapter(
        NEEDS,
        (
            N_("A loop of spaces, five pigs, race cards in their colours, and food."),
            N_("There is more than one box: the editions below say how many of each are in yours."),
            _ALL_MOVE,
        ),
    ),
    Chapter(
        BEFORE,
        (
            _STARTER_LINES_UP,
            Scene(_LINE_UP_TEXT, _LINED_UP, window=_ROW, explains="line-up"),
            _HANDS,
            N_("If you play with food on the track, everybody in turn lays one food card on an empty space."),
            N_(
                "Not on the first four spaces after the start: with 22 spaces 5 to 17 are left, with 27 "
                "tiles 5 to 22."
            ),
            Scene(
                N_("Food on spaces 6 and 8. The first four spaces after the start stay empty."),
                (*_LINED_UP, *_FOOD),
                options=_WITH_FOOD,
                window=(1, 9),
                explains="place-food",
            ),
        ),
    ),
    Chapter(
        TURN,
        (
            _ONE_CARD,
            _NEXT_FREE,
            Scene(_STEP_TEXT, _LINED_UP, _played("red"), window=_ROW, explains="play"),
            Scene(_HOP_TEXT, _LINED_UP, _played("pink"), window=_ROW, explains="hop"),
            _NO_PASS,
            _LOOP,
        ),
    ),
    Chapter(
        _FOOD_TITLE,
        (
            _LEAD,
            _STILL_LEADS,
            Scene(
                _GAP_TEXT,
                (*_LINED_UP, *_played("red", "red")),
                (Decision("play", 0, "pink"),),
                window=_ROW,
            ),
            N_("This food is loose: it lies in front of you, face up, and is not safe yet."),
            _EMPTY,
            N_(
                "Food on the space where you land is yours too, whether you lead or not. It is loose as well."
            ),
            Scene(
                N_("Green lands on space 6, where food lies. What lies on spaces hopped over stays there."),
                (*_LINED_UP, *_FOOD, *_played("green", "green", "green", "green", "green")),
                (Decision("play", 1, "green"),),
                options=_WITH_FOOD,
                window=(2, 9),
                explains="found-food",
            ),
        ),
    ),
    Chapter(
        N_("Your last card"),
        (
            N_("Your seventh card decides about all your loose food, what you found with it included."),
            Scene(
                N_("Ada's last card leads: one food more, and all her loose food is kept."),
                (*_LINED_UP, *_TWELVE),
                (Decision("play", 0, "red"),),
                window=(2, 8),
                purse=0,
                explains="kept",
            ),
            Scene(
                N_("Ada's last card does not lead: she gives all her loose food back."),
                (*_LINED_UP, *_TWELVE),
                (Decision("play", 0, "blue"),),
                window=(-2, 6),
                purse=0,
                explains="lost",
            ),
            N_("What you have kept is yours for good."),
            N_("With children, leave the last card out: all food is yours at once, found food too."),
        ),
    ),
    Chapter(
        END,
        (
            N_("A round is over when everybody has played seven cards. Food on the track goes back."),
            N_("The next player to the left starts the next round, with a new line-up and a new deal."),
            N_("After the last round the most kept food wins."),
        ),
    ),
    Chapter(
        ARGUE,
        (
            OURS,
            _LINE_UP_RULING,
            Ruling(
                N_("After your last card another pig takes the lead."),
                N_("It does not matter: your own last card has settled your food, and nothing undoes it."),
                N_("food is settled for all at the end of the round."),
            ),
            Ruling(
                N_("Your last card leads, but the stock is empty."),
                N_("You get nothing new, and keep all your loose food."),
            ),
            Ruling(
                N_("Food on the track: is it laid before the deal or after it?"),
                N_("After it. You know your cards when you lay food."),
                N_("before the deal: nobody knows any card yet."),
            ),
            Ruling(
                N_("A round is over, and food still lies on the track."),
                N_("It goes back to the stock."),
                N_("it stays there for the next round."),
            ),
            Ruling(
                N_("The stock or the free spaces run out while you lay food on the track."),
                N_("Laying food ends there, and the first card is played."),
            ),
            UNKNOWN_HANDS,
            FORBIDDEN,
            SHARED,
        ),
    ),
)

_HORSES_UP: Final = _dealt(HORSES)

HORSE_RULES: Final = (
    Chapter(
        AIM,
        (
            N_("Cards move the horses. Whoever moves a horse into the lead gets food, for good."),
            N_("Whoever has the most food after the last round wins."),
        ),
    ),
    Chapter(
        NEEDS,
        (
            N_("A loop of 22 spaces, four horses, 28 race cards (seven of each colour) and 40 food cards."),
            N_("Four players use all cards. With two or three, the cards left over are set aside."),
            _ALL_MOVE,
        ),
    ),
    Chapter(
        BEFORE,
        (
            _STARTER_LINES_UP,
            Scene(_LINE_UP_TEXT, _HORSES_UP, window=(-3, 2), explains="line-up"),
            _HANDS,
        ),
    ),
    Chapter(
        TURN,
        (
            _ONE_CARD,
            _NEXT_FREE,
            Scene(_STEP_TEXT, _HORSES_UP, _played("red"), window=(-3, 2), explains="play"),
            Scene(_HORSE_HOP_TEXT, _HORSES_UP, _played("yellow"), window=(-3, 2), explains="hop"),
            _NO_PASS,
            _LOOP,
        ),
    ),
    Chapter(
        _FOOD_TITLE,
        (
            _LEAD,
            _STILL_LEADS,
            Scene(
                _HORSE_GAP_TEXT,
                (*_HORSES_UP, *_played("red", "red")),
                (Decision("play", 0, "yellow"),),
                window=(-3, 2),
            ),
            N_("It is yours for good: nobody gives food back in this game."),
            _EMPTY,
        ),
    ),
    Chapter(
        END,
        (
            N_("A round is over when everybody has played seven cards. There are two rounds."),
            N_("All cards are dealt again for the second one. The horses run on from where they stand."),
            N_("Then the most food wins."),
        ),
    ),
    Chapter(
        ARGUE,
        (
            OURS,
            _LINE_UP_RULING,
            Ruling(
                N_("Who lines the horses up?"),
                N_("Whoever starts, and only once: before the first round."),
                N_("all of you together, or by lot."),
            ),
            Ruling(
                N_("The second round begins."),
                N_("The horses stay where they are. There is no new line-up."),
                N_("they are lined up anew, as pigs are."),
            ),
            Ruling(
                N_("Who starts the second round?"),
                N_("The next player to the left of who started the first."),
                N_("the same player again."),
            ),
            UNKNOWN_HANDS,
            FORBIDDEN,
            SHARED,
        ),
    ),
)

_ROUND_TRIP: Final = N_(
    "Once round! The numbers begin again, but the one that has run further is still ahead."
)
_EXPLAIN_HOP: Final = N_(
    "Occupied spaces do not count: the animal hops over the whole row to the next free one."
)
_EXPLAIN_LINE_UP: Final = N_(
    "Put one animal on the starting space, the others right behind it, in any order. All of you move them "
    "all."
)
_EXPLAIN_DEAL: Final = N_("Everybody has seven cards now. Those left over stay unseen.")

PIGS_EXPLAINS: Final = {
    "line-up": _EXPLAIN_LINE_UP,
    "deal": _EXPLAIN_DEAL,
    "dealt": _EXPLAIN_DEAL,
    "place-food": N_("Lay one acorn on an empty space of the track. The player who lands there takes it."),
    "play": N_("A card moves the pig of its colour to the next free space. If it leads, you get an acorn."),
    "hop": _EXPLAIN_HOP,
    "leads": N_("Ahead of all others: that's an acorn. It's at risk until your last card of the round."),
    "leads-no-food": N_("It leads, but no acorns are left to take."),
    "found-food": N_("An acorn lay where the pig landed. It's yours too, at risk like the rest."),
    "leads-at-once": N_("Ahead of all others: that's an acorn, and it's yours for good."),
    "found-at-once": N_("An acorn lay where the pig landed. It's yours too, for good."),
    "last-card": N_(
        "Your last card! If its pig leads, you keep all acorns at risk. If not, you give them back."
    ),
    "kept": N_("The last card leads, so all acorns at risk are safe. They are yours for good."),
    "lost": N_("The last card doesn't lead, so all acorns at risk go back to the stock."),
    "lap": _ROUND_TRIP,
    "round-over": N_(
        "A round is over. The next player lines the pigs up again, and all cards are dealt anew."
    ),
}

HORSE_EXPLAINS: Final = {
    "line-up": _EXPLAIN_LINE_UP,
    "deal": _EXPLAIN_DEAL,
    "dealt": _EXPLAIN_DEAL,
    "play": N_(
        "A card moves the horse of its colour to the next free space. If it leads then, you get one food."
    ),
    "hop": _EXPLAIN_HOP,
    "leads": N_("Ahead of all others: that is one food, and it is yours for good."),
    "leads-no-food": N_("It leads, but no food is left to take."),
    "lap": _ROUND_TRIP,
    "round-over": N_("A round is over. The horses stay where they are, and all cards are dealt again."),
}
