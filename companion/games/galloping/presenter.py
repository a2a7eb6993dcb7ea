"""Presenters of Galloping Pigs and Galloping Horse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.games.galloping.decks import HAND
from companion.games.galloping.rulebook import HORSE_EXPLAINS, HORSE_RULES, PIGS_EXPLAINS, PIGS_RULES
from companion.games.galloping.rules import Galloping, GallopingHorse, GallopingPigs
from companion.games.galloping.words import ACORNS, HORSE_WORDS, PIGS_WORDS
from companion.games.presenter import Presenter
from companion.message import N_, Sentence

_AT_ONCE: Final = {"leads": "leads-at-once", "found-food": "found-at-once"}


class GallopingPresenter(Presenter[Galloping], of=Galloping):
    """Food at risk, the stock, the last card."""

    def prompt(self) -> Sentence | None:
        """Return the decision that is due, and announce the last card."""
        seat = self.game.turn
        if self.last_card(seat):
            return self._say("due-last-card", seat=seat, count=self.game.provisional[seat])
        return super().prompt()

    def addressed(self, seat: int) -> Sentence | None:
        """Return the decision that is due from this seat, as its own phone says it."""
        awaited = self.game.awaits()
        if awaited is None or seat not in awaited.seats:
            return None
        due = "last-card" if self.last_card(seat) else awaited.do
        return self._say(f"you-{due}", count=self.game.provisional[seat])

    def stage(self) -> Sentence:
        """Return the round."""
        return self._say("stage", round=self.game.round, rounds=self.game.rounds)

    def supply(self) -> Sentence:
        """Return the stock."""
        return self._say("supply", count=self.game.stock)

    def distances(self) -> Mapping[str, int]:
        """Return the spaces each animal has run, laps included; empty before the line-up."""
        return self.game.progress

    def finishers(self) -> Sequence[str]:
        """Return the pieces at the end of the game, the one in front first."""
        if self.game.awaits() is not None:
            return ()
        progress = {piece: at for piece, at in self.game.progress.items() if at is not None}
        return sorted(progress, key=lambda piece: -progress[piece])

    def dealing(self) -> Sentence | None:
        """Ask for a new deal of all cards in each round, until food is laid or a card is played."""
        begun = self.game.due not in ("play", "place-food") or self.game.played or self.game.track_food
        return None if begun else self._say("dealing", count=HAND)

    def holdings(self, seat: int) -> Mapping[str, Any]:
        """Return food at risk (None where none ever is), cards played and cards of a round."""
        return {
            "provisional": self.game.provisional[seat] if self.game.last_card_decides else None,
            "played": self.game.cards_played()[seat],
            "cards": HAND,
        }

    def last_card(self, seat: int) -> bool:
        """Return whether it is this seat's turn with one card left, in a game where that card decides."""
        theirs = self.game.due == "play" and seat == self.game.turn
        return theirs and self.game.last_card_decides and len(self.game.hands[seat]) == 1

    def before(self, seat: int) -> Sequence[int] | None:
        """Return the seats clockwise from the one that is due; None for a seat whose next turn is in another
        round.
        """
        seats = len(self.game.seats)
        ahead = [(self.game.turn + n) % seats for n in range((seat - self.game.turn) % seats)]
        if self.game.due == "play" and not self.game.hands[seat]:
            return None
        if self.game.due == "place-food" and len(self.game.track_food) + len(ahead) >= seats:
            return None
        return ahead if self.game.due else None

    def meant(self, seat: int) -> Sentence | None:
        """Return the effect of this seat's last card on its food at risk."""
        for news in self.game.news:
            if news.kind in ("kept", "lost") and news.values["seat"] == seat:
                count = news.values.get("count", news.values.get("loss"))
                return self._say(f"you-{news.kind}", count=count)
        return None

    def duties(self) -> Sequence[str]:
        """Return the explanations of the decision that is due, the last card first."""
        return ("last-card", *super().duties()) if self.last_card(self.game.turn) else super().duties()

    def happenings(self) -> Sequence[str]:
        """Return the explanations of the news, including an animal that hopped over others or completed a
        lap.
        """
        kinds = list(super().happenings())
        if self.game.brought is None or self.game.last is None or self.game.last.do != "play":
            return kinds
        at = self.game.brought[0]
        behind = {p for animal, p in self.game.progress.items() if animal != self.game.last.what}
        hopped = (at - 1) % self.game.spaces in {p % self.game.spaces for p in behind}
        return [*(["hop"] if hopped else []), *(["lap"] if at >= self.game.spaces else []), *kinds]

    def by_hand(self) -> Sequence[Sentence]:
        """Return the rules of a turn, the food it brings, the end of a round and of the game."""
        kinds = ["hand-move", "hand-lead" if self.game.last_card_decides else "hand-lead-kept"]
        kinds += ["hand-found"] * self.game.food_on_track + ["hand-last-card"] * self.game.last_card_decides
        kinds += ["hand-round"] * (self.game.round < self.game.rounds) + ["hand-end"]
        return [self._say(kind, count=HAND, round=self.game.rounds) for kind in kinds]


class PigsPresenter(GallopingPresenter, of=GallopingPigs):
    """The wording of the pigs."""

    words = PIGS_WORDS
    instead = ACORNS
    rules = PIGS_RULES
    feel = N_("Push ahead for acorns, then gamble them all on your last card.")
    minutes = 20
    explains = PIGS_EXPLAINS

    def happenings(self) -> Sequence[str]:
        """Return the explanations of the news; food that no last card puts at risk has its own."""
        kinds = super().happenings()
        return kinds if self.game.last_card_decides else [_AT_ONCE.get(kind, kind) for kind in kinds]


class HorsePresenter(GallopingPresenter, of=GallopingHorse):
    """The wording of the horses."""

    words = HORSE_WORDS
    rules = HORSE_RULES
    feel = N_("Race for the food on the track, and trust your last card.")
    minutes = 20
    explains = HORSE_EXPLAINS
