"""The presentation of a game: its words, its prompts, the tables next to the track, its page of rules."""

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
"""The reasons against a decision that every game shares; a game's own `words` start from these."""

EVERYONE = N_("everyone")
_FOOD = NN_("{count} food", "{count} food")
_POINTS = NN_("{count} point", "{count} points")


class Presenter(Generic[R]):
    """A position as people see it; `game` is complete or has hidden values, and only what it
    holds is shown.

    A presenter names its game, `class PondPresenter(Presenter[PondHop], of=PondHop)`; it then presents that
    game and each of its subclasses that has no presenter.
    """

    words: ClassVar[Mapping[str, str | tuple[str, str]]] = OUT_OF_TURN  # by kind of decision, news or refusal
    #: Its own words for messages that all games share, with the plural, if it has one.
    instead: ClassVar[Mapping[str, tuple[str, str | None]]] = {}
    rules: ClassVar[tuple[Chapter, ...]] = ()  # the page of the rules; its options are listed by themselves
    explains: ClassVar[Mapping[str, str]] = {}  # a first game: explanations by kind of decision or news
    feel: ClassVar[str] = ""  # one line of what it feels like to play it, for people who choose a game
    minutes: ClassVar[int] = 0  # that a game of the usual length takes, about; 0: not said
    foretells: ClassVar[str] = ""  # condition on which `foretold` is right; "": there is no preview

    def __init_subclass__(cls, of: type[Race]) -> None:
        super().__init_subclass__()
        of.presenter = cls

    def __init__(self, game: R) -> None:
        self.game = game

    def sentence(self, news: News) -> Sentence:
        """Return a piece of news, or the reason why a decision is illegal, as a sentence of this game's
        words.
        """
        text = self.words.get(news.kind, news.kind)
        if isinstance(text, tuple):
            return Sentence(text[0], news.values, text[1])
        return Sentence(text, news.values)

    def prompt(self) -> Sentence | None:
        """Return the prompt for the decision that is due, for the whole table; None when the game is
        finished.
        """
        awaited = self.game.awaits()
        if awaited is None:
            return None
        values = {"seat": awaited.seats[0], "count": len(awaited.seats)} if awaited.seats else {}
        return self.sentence(News(f"due-{awaited.do}", values))

    def stage(self) -> Sentence | None:
        """Return the progress of the game, such as "Round 2 of 3"."""
        return None

    def supply(self) -> Sentence | None:
        """Return the supply in the middle, such as "23 food left"."""
        return None

    def distances(self) -> Mapping[str, int]:
        """Return the progress of each piece that runs in this race, in spaces; laps are included."""
        return {piece: at.space for piece, at in self.game.layout().items() if at.space is not None}

    def finishers(self) -> Sequence[str]:
        """Return the pieces of the race that the last decision ended, the first home first; empty: it ended
        none.
        """
        return ()

    def heats(self) -> Sequence[Heat]:
        """Return the races that were run, and the present or next one, in a game where each has a winner."""
        return ()

    def finish(self) -> Sentence | None:
        """Return who has won the race that the last decision ended, in a game of several races."""
        return None

    def epilogue(self) -> Sentence | None:
        """Return why the game ended early, shown next to the victory; None: it was played to its end."""
        return None

    def dealing(self) -> Sentence | None:
        """Return how people who deal themselves handle the cards before the decision that is due; None:
        nothing to do.
        """
        return None

    def holdings(self, seat: int) -> Mapping[str, Any]:
        """Return a seat's possessions that are shown next to its score, such as food at risk or
        cards played.
        """
        return {}

    def last_card(self, seat: int) -> bool:
        """Return whether this seat is about to play a card that decides about its food at risk."""
        return False

    def before(self, seat: int) -> Sequence[int] | None:
        """Return the seats whose turns come before this seat's next one, the due one first; None: unknown."""
        return None

    def meant(self, seat: int) -> Sentence | None:
        """Return the effect of the last decision on a seat, addressed to it; None: nothing specific to this
        game.
        """
        return None

    def addressed(self, seat: int) -> Sentence | None:
        """Return the decision that is due from this seat, as its own phone says it; None: as the table says
        it.
        """
        return None

    def margin(self, count: int) -> Sentence:
        """Return `count` units of the score, by which one seat is ahead of another."""
        if self.game.unit == "money":
            return Sentence("{money}", {"money": count})
        one, many = _FOOD if self.game.unit == "food" else _POINTS
        return Sentence(one, {"count": count}, many)

    def panels(self) -> Sequence[Panel]:
        """Return the public tables worth showing next to the track."""
        return ()

    def printed(self) -> Sequence[Panel]:
        """Return the tables of a printed game's chart, of an opening position."""
        return self.panels()

    def used_cards(self) -> Panel | None:
        """Return the cards each seat has used, for a table that is shown only if the host wants it."""
        return None

    def offered(self, seat: int) -> Iterable[Decision]:
        """Return the decisions this seat may try by tap at the table: more than the legal ones where the
        difference would reveal too much.
        """
        return self.game.decisions(seat)

    def foretold(self, decision: Decision) -> Sentence | None:
        """Return what this decision would do if it were made now; None: the game has no such preview.

        Beginners need not count spaces themselves.
        """
        return None

    def needed(self, do: str, seat: int) -> int:
        """Return how many cards this seat shows together in a decision of this kind; 0 if it shows single
        cards.
        """
        return 0

    def slip(self, seat: int) -> Slip | None:
        """Return the possible bets of this seat now; None where it owes no bets."""
        return None

    def duties(self) -> Sequence[str]:
        """Return the parts of the decision that is due that may be new to people, as keys of `explains`."""
        awaited = self.game.awaits()
        return (awaited.do,) if awaited else ()

    def happenings(self) -> Sequence[str]:
        """Return the parts of the last decision's outcome that may be new to people, as keys of
        `explains`.
        """
        return [news.kind for news in self.game.news]

    def by_hand(self) -> Sequence[Sentence]:
        """Return how to go on without the companion, in a few short sentences, for the sheet that
        is printed.
        """
        return ()

    def _say(self, kind: str, **values: Any) -> Sentence:
        return self.sentence(News(kind, values))


def presenter_of(game: type[R]) -> type[Presenter[R]]:
    """Return the presenter of a game, or of its nearest base class that has one."""
    own: type[Presenter[R]] | None = game.presenter
    return own or Presenter


def presented(race: R) -> Presenter[R]:
    """Return the presenter of this position."""
    return (race.presenter or Presenter)(race)
