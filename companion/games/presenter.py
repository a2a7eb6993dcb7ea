"""What a game shows: its words, its prompts, the tables beside the track, its page of rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from companion.games.panel import Panel
from companion.games.race import Race
from companion.games.rulebook import Chapter
from companion.games.terms import Decision, Heat, News, Slip
from companion.message import N_, NN_, Sentence

R = TypeVar("R", bound=Race)

OUT_OF_TURN: Mapping[str, str | tuple[str, str]] = {
    "finished": N_("the game is finished"),
    "other-due": N_("{kind} is due now, not {kind_tried}"),
    "not-your-turn": N_("it is {seat}'s turn, not {seat_tried}'s"),
    "no-seat": N_("there is no such seat"),
}
"""Words of the refusals that every game shares; a game's own `words` start from these."""

_FOOD = NN_("{count} food", "{count} food")
_POINTS = NN_("{count} point", "{count} points")

_presenters: dict[type[Race], type[Presenter[Any]]] = {}


class Presenter(Generic[R]):
    """A position as people see it; `game` is seen whole or with holes, and never more is shown than it holds.

    A game's own presenter says whose it is, `class PondPresenter(Presenter[PondHop], of=PondHop)`; it then
    presents that game, and each that is made from it and has none of its own.
    """

    words: ClassVar[Mapping[str, str | tuple[str, str]]] = OUT_OF_TURN  # by kind of decision, news or refusal
    rules: ClassVar[tuple[Chapter, ...]] = ()  # the page of the rules; its options are listed by themselves
    explains: ClassVar[Mapping[str, str]] = {}  # a first game: by kind of decision or news, what it is
    foretells: ClassVar[str] = ""  # on what condition `foretold` is right; "": nothing is foretold

    def __init_subclass__(cls, of: type[Race]) -> None:
        super().__init_subclass__()
        _presenters[of] = cls

    def __init__(self, game: R) -> None:
        self.game = game

    def said(self, news: News) -> Sentence:
        """A piece of news, or the reason of a refusal, as a sentence of this game's words."""
        text = self.words.get(news.kind, news.kind)
        if isinstance(text, tuple):
            return Sentence(text[0], news.values, text[1])
        return Sentence(text, news.values)

    def prompt(self) -> Sentence | None:
        """What is due now, said to the table; None when the game is finished."""
        awaited = self.game.awaits()
        if awaited is None:
            return None
        values = {"seat": awaited.seats[0], "count": len(awaited.seats)} if awaited.seats else {}
        return self.said(News(f"due-{awaited.do}", values))

    def stage(self) -> Sentence | None:
        """How far the game is, such as "Round 2 of 3"."""
        return None

    def supply(self) -> Sentence | None:
        """What is left in the middle, such as "23 food left"."""
        return None

    def distances(self) -> Mapping[str, int]:
        """How far each piece that runs has come in this race, in spaces; who runs laps counts them all."""
        return {piece: at.space for piece, at in self.game.layout().items() if at.space is not None}

    def finishers(self) -> Sequence[str]:
        """The pieces of the race that the last decision ended, the first home first; none: it ended none."""
        return ()

    def heats(self) -> Sequence[Heat]:
        """The races that were run, and the one that is next or goes on, in a game where each has a winner."""
        return ()

    def finish(self) -> Sentence | None:
        """Who has won the race that the last decision ended, in a game of several races."""
        return None

    def epilogue(self) -> Sentence | None:
        """Why the game ended before its time, said beside the victory; None: it was played to its end."""
        return None

    def dealing(self) -> Sentence | None:
        """What people who deal themselves do with the cards before what is due now; None: nothing."""
        return None

    def holdings(self, seat: int) -> Mapping[str, Any]:
        """What a seat has that is shown beside its score, such as food at risk or cards played."""
        return {}

    def last_card(self, seat: int) -> bool:
        """Whether this seat is about to play a card that decides about what it has at risk."""
        return False

    def before(self, seat: int) -> Sequence[int] | None:
        """Whose turns come before this seat's next one, the due one first; None: the game does not tell."""
        return None

    def meant(self, seat: int) -> Sentence | None:
        """What the last decision settled for a seat, said to it; None: nothing of this game's own."""
        return None

    def margin(self, count: int) -> Sentence:
        """So much of what the score counts, by which one seat is ahead of another."""
        if self.game.unit == "money":
            return Sentence("{money}", {"money": count})
        one, many = _FOOD if self.game.unit == "food" else _POINTS
        return Sentence(one, {"count": count}, many)

    def panels(self) -> Sequence[Panel]:
        """What is public and worth showing beside the track."""
        return ()

    def printed(self) -> Sequence[Panel]:
        """The tables of a printed game's chart, of an opening position."""
        return self.panels()

    def used_cards(self) -> Panel | None:
        """Which cards each seat has used, where that is shown only if the host wants it."""
        return None

    def offered(self, seat: int) -> Iterable[Decision]:
        """What this seat may try by tap at the table: more than is legal where that would tell too much."""
        return self.game.decisions(seat)

    def foretold(self, decision: Decision) -> Sentence | None:
        """What this decision would bring if it were carried out now: help for beginners, who count wrong."""
        return None

    def needed(self, do: str, seat: int) -> int:
        """How many cards this seat shows together in a decision of this kind; 0 where that is not so."""
        return 0

    def slip(self, seat: int) -> Slip | None:
        """What this seat may bet now; None where it owes no bets."""
        return None

    def duties(self) -> Sequence[str]:
        """What of the decision that is due may be new to people, as keys of `explains`."""
        awaited = self.game.awaits()
        return (awaited.do,) if awaited else ()

    def happenings(self) -> Sequence[str]:
        """What of the last decision's outcome may be new to people, as keys of `explains`."""
        return [news.kind for news in self.game.news]

    def by_hand(self) -> Sequence[Sentence]:
        """How to go on without the companion, in a few short sentences, for the sheet that is printed."""
        return ()

    def _say(self, kind: str, **values: Any) -> Sentence:
        return self.said(News(kind, values))


def presenter_of(game: type[R]) -> type[Presenter[R]]:
    """The presenter of a game, or of the nearest that it is made from."""
    own: type[Presenter[R]] | None = next(filter(None, map(_presenters.get, game.__mro__)), None)
    return own or Presenter


def presented(race: R) -> Presenter[R]:
    """This position as people see it."""
    return presenter_of(type(race))(race)
