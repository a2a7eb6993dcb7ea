"""Presenter of Greyhounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.greyhounds.bets import LEAST, MOST, RACES
from companion.games.greyhounds.outcome import names
from companion.games.greyhounds.panels import charts, panels
from companion.games.greyhounds.rulebook import HOUNDS_EXPLAINS, HOUNDS_RULES
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS, STRIKE
from companion.games.greyhounds.sets import SIX
from companion.games.greyhounds.words import WORDS
from companion.games.panel import Panel
from companion.games.presenter import EVERYONE, Presenter
from companion.games.terms import Awaited, Heat, Slip
from companion.message import N_, Sentence, listed


class GreyhoundsPresenter(Presenter[Greyhounds], of=Greyhounds):
    """Money and bets, the race and its turn, the slip for the bets."""

    words = WORDS
    rules = HOUNDS_RULES
    feel = N_("Bet in secret, then play the cards that make your dog win.")
    minutes = 45
    explains = HOUNDS_EXPLAINS

    def prompt(self) -> Sentence | None:
        """Return the decision that is due, with the names of all who owe it."""
        awaited = self.game.awaits()
        if awaited is None:
            return None
        seats = [self.game.seats[seat] for seat in awaited.seats]
        several = len(seats) > 1
        everyone = several and len(seats) == len(self.game.seats)
        return self._say(
            f"due-{self._due(awaited)}{'-several' * several}",
            seat=awaited.seats[0],
            names=Sentence(EVERYONE) if everyone else listed(seats),
            count=self.game.set_size(),
        )

    def addressed(self, seat: int) -> Sentence | None:
        """Return the decision that is due from this seat, as its own phone says it."""
        awaited = self.game.awaits()
        if awaited is None or seat not in awaited.seats:
            return None
        return self._say(f"you-{self._due(awaited)}", count=self.game.set_size())

    def _due(self, awaited: Awaited) -> str:
        """Return the kind of decision that is due; with the first card of a set of six one is set aside."""
        first = awaited.do == "play" and self.game.run.turn == 0 and self.game.set_size() == SIX
        return "play-first" if first else awaited.do

    def stage(self) -> Sentence:
        """Return the race, and the turn once the dogs run."""
        if self.game.due == "play":
            return self._say("stage-turn", race=self.game.race, races=RACES, turn=self.game.run.turn + 1)
        return self._say("stage", race=self.game.race, races=RACES)

    def distances(self) -> Mapping[str, int]:
        """Return the progress of the dogs that are neither home nor out."""
        running = self.game.run.running()
        return dict(zip(names(running), (self.game.run.progress[dog] for dog in running), strict=True))

    def finishers(self) -> Sequence[str]:
        """Return the dogs placed in the race that was just settled."""
        over = any(news.kind == "round-over" for news in self.game.latest)
        return names(self.game.results[-1].places) if over and self.game.results else ()

    def heats(self) -> Sequence[Heat]:
        """Return the races, three at most; a bookie who is bankrupt ends the game before its last."""
        run = [Heat(DOGS, True, DOGS[result.places[0]]) for result in self.game.results]
        return [*run, Heat(DOGS, any(self.game.played))] if self.game.due else run

    def finish(self) -> Sentence | None:
        """Return which dog has won the race that was just settled."""
        first = self.finishers()
        return self._say("race-won", piece=first[0], race=len(self.game.results)) if first else None

    def epilogue(self) -> Sentence | None:
        """Return that a bankrupt bookie has ended the game, if so."""
        if self.game.due or self.game.bookie is None or self.game.money[self.game.bookie] >= 0:
            return None
        return self._say("bankrupt", seat=self.game.bookie)

    def dealing(self) -> Sentence | None:
        """Ask for the deal once, before the first set is shown; with a bookie only for the sets of the last
        race.
        """
        dealt = any(sets is not None for sets in self.game.dealt)
        begun = self.game.due != "show" or any(self.game.shown) or dealt
        kind = "dealing" if self.game.bookie is None else "dealing-last"
        return None if begun else self._say(kind, count=RACES)

    def holdings(self, seat: int) -> Mapping[str, Any]:
        """Return money, whether it has bet and how much (only with a bookie), whether it has
        chosen a card.
        """
        return {
            "money": self.game.money[seat],
            "bet": self.game.bets[seat] is not None,
            "staked": None if self.game.bookie is None else self.game.staked[seat],
            "chosen": self.game.choice[seat] is not None,
        }

    def panels(self) -> Sequence[Panel]:
        """Return the odds chart, the cards on the table, the sets shown, and the last settlement."""
        return tuple(panels(self.game))

    def printed(self) -> Sequence[Panel]:
        """Return the odds chart, or that of each race."""
        return tuple(charts(self.game))

    def needed(self, do: str, seat: int) -> int:
        """Return the size of a set for `show`: a set is shown card by card."""
        return self.game.set_size() if do == "show" else 0

    def slip(self, seat: int) -> Slip | None:
        """Return every possible bet, for a seat that owes a sheet."""
        awaited = self.game.awaits()
        if awaited is None or awaited.do != "bet" or seat not in awaited.seats:
            return None
        return Slip(self.game.bet_step, LEAST, MOST, self.game.payouts())

    def duties(self) -> Sequence[str]:
        """Return the explanations of the decision that is due; setting a card aside comes before the first
        card.
        """
        first = self.game.due == "play" and self.game.run.turn == 0 and self.game.set_size() == SIX
        return ("set-aside", *super().duties()) if first else super().duties()

    def happenings(self) -> Sequence[str]:
        """Return the explanations of the news, the end of a race first; the rule of moving differs by race
        and rule of ties.
        """
        kinds = [news.kind for news in self.game.latest]
        last = [kind for kind in ("bankrupt", "round-over", "home", "lapped") if kind in kinds]
        race = self.game.race - (self.game.due == "show" and "round-over" in kinds)
        if self.game.ties == STRIKE:
            struck = ("moved", "nobody-moves")
            return [*last, *(f"{kind}-strike" if kind in struck else kind for kind in kinds)]
        return [*last, *(f"moved-{race}" if kind == "moved" and race > 1 else kind for kind in kinds)]

    def by_hand(self) -> Sequence[Sentence]:
        """Return the rules of a race, a turn, the moves of each race, and the money."""
        kinds = ["hand-race" if self.game.bookie is None else "hand-race-bookie", "hand-turn"]
        if self.game.ties == STRIKE:
            kinds.append("hand-moves-strike")
        else:
            kinds += [f"hand-moves-{race}" for race in range(self.game.race, RACES + 1)]
        kinds += ["hand-home", "hand-money", "hand-end"]
        return [self._say(kind, count=self.game.lap) for kind in kinds]
