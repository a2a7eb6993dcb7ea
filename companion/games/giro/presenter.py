"""Presenter of Giro Galoppo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.games.giro.landing import landing
from companion.games.giro.rulebook import GIRO_EXPLAINS, GIRO_RULES
from companion.games.giro.rules import CARDS, OBSTACLES, GiroGaloppo, Step
from companion.games.giro.words import WORDS
from companion.games.panel import Cell, Panel
from companion.games.presenter import Presenter
from companion.games.terms import Awaited, Decision
from companion.message import N_, Sentence


class GiroPresenter(Presenter[GiroGaloppo], of=GiroGaloppo):
    """The order of moving, cards used and the choice that is due."""

    words = WORDS
    rules = GIRO_RULES
    feel = N_("All choose in secret. Then horses jump, bump and get stuck.")
    minutes = 30
    explains = GIRO_EXPLAINS
    foretells = N_("if nobody moves before")

    def prompt(self) -> Sentence | None:
        """Return the decision that is due, and how many obstacles or cards are still missing."""
        awaited = self.game.awaits()
        if awaited is None:
            return None
        if awaited.do == "place-obstacle":
            to_go = OBSTACLES - len(self.game.obstacles)
            return self._say("due-place-obstacle", seat=awaited.seats[0], count=to_go)
        if len(awaited.seats) > 1:
            return self._say("due-play", count=len(awaited.seats))
        return self._say("due-play-last", seat=awaited.seats[0])

    def addressed(self, seat: int) -> Sentence | None:
        """Return the decision that is due from this seat, as its own phone says it."""
        awaited = self.game.awaits()
        return self._say(f"you-{awaited.do}") if awaited is not None and seat in awaited.seats else None

    def stage(self) -> Sentence:
        """Return the round."""
        return self._say("stage", round=self.game.round)

    def distances(self) -> Mapping[str, int]:
        """Return the space of each horse, 0 in the gate."""
        return dict(zip(self.game.colours, self.game.progress, strict=True))

    def finishers(self) -> Sequence[str]:
        """Return the horses past the line, at the end of the game."""
        if self.game.awaits() is not None:
            return ()
        return [self.game.colours[s.seat] for s in self.game.standings() if s.place is not None]

    def dealing(self) -> Sentence | None:
        """Ask for the cards once, before the first card is chosen."""
        chosen = any(card is not None for card in self.game.choices) or self.game.round > 1
        due = self.game.awaits()
        return None if chosen or due is None or due.do != "play" else self._say("dealing", count=len(CARDS))

    def holdings(self, seat: int) -> Mapping[str, Any]:
        """Return the cards turned over of the present hand, the cards of a hand, and whether one
        is chosen.
        """
        return {
            "played": len(self.game.used[seat]),
            "cards": len(CARDS),
            "chosen": self.game.choices[seat] is not None,
        }

    def before(self, seat: int) -> Sequence[int] | None:
        """Return the seats that lay an obstacle before this seat does; None for cards, which are chosen
        together.
        """
        awaited = self.game.awaits()
        if awaited is None or awaited.do != "place-obstacle":
            return None
        seats, laying = len(self.game.seats), awaited.seats[0]
        ahead = [(laying + n) % seats for n in range((seat - laying) % seats)]
        return ahead if len(ahead) < OBSTACLES - len(self.game.obstacles) else None

    def meant(self, seat: int) -> Sentence | None:
        """Return the events of the round for this seat's horse, in order; at the end, that it has
        no place.
        """
        sentences = [self._met(step, seat) for step in self.game.steps if seat in (step.seat, step.pushed)]
        if not sentences or self.game.last is None or any(c is not None for c in self.game.choices):
            return None
        if self.game.awaits() is None:
            past = self.game.progress[seat] > self.game.board.finish
            return None if past else self._say("you-unplaced")
        whole = sentences[0]
        for one in sentences[1:]:
            whole = self._say("you-then", news=whole, then=one)
        return whole

    def _met(self, step: Step, seat: int) -> Sentence:
        """Return the sentence for one step to the seat that made it or was pushed by it."""
        if seat == step.pushed:
            kind = "you-pushed" if step.back else "you-pushed-to-gate"
            return self._say(kind, seat=step.seat, space=step.back)
        if step.pushed is None:
            return self._say(f"you-{step.kind}", space=step.space)
        kind = "you-push" if step.back else "you-push-to-gate"
        return self._say(kind, space=step.space, seat=step.pushed, space_back=step.back)

    def margin(self, count: int) -> Sentence:
        """Return the margin in spaces."""
        return self._say("margin", count=count)

    def foretold(self, decision: Decision) -> Sentence | None:
        """Return where the card would take the horse."""
        if decision.do != "play" or decision.seat is None:
            return None
        made, past, behind = landing(self.game, decision.seat, decision.what)
        if made.kind == "refused":
            return self._say("lands-obstacle")
        if made.pushed is not None:
            return self._say("lands-past-on" if past else "lands-on", seat=made.pushed)
        if past:
            return self._say("lands-past")
        if behind is not None:
            return self._say("lands-behind", space=made.space, seat=behind)
        return self._say("lands", space=made.space)

    def panels(self) -> Sequence[Panel]:
        """Return the last round that moved, a row per card, in order of moving."""
        if not self.game.steps:
            return ()
        rows = [
            (step.card, Sentence("{piece}", {"piece": self.game.colours[step.seat]}), self._happened(step))
            for step in self.game.steps
        ]
        head = [self._say(f"order-{column}") for column in ("card", "horse", "what")]
        return (Panel("order", self._say("order"), rows, head),)

    def _happened(self, step: Step) -> Sentence:
        if step.pushed is None:
            return self._say(f"order-{step.kind}", space=step.space)
        pushed = self.game.colours[step.pushed]
        kind = "order-pushed" if step.back else "order-pushed-to-gate"
        return self._say(kind, space=step.space, piece=pushed, space_back=step.back)

    def used_cards(self) -> Panel:
        """Return the cards of the present hand that were turned over, by seat."""
        rows: list[tuple[Cell, ...]] = [
            (Sentence("{seat}", {"seat": seat}), ", ".join(str(card) for card in used) or "–")
            for seat, used in enumerate(self.game.used)
        ]
        return Panel("used", self._say("used-cards"), rows)

    def offered(self, seat: int) -> Iterable[Decision]:
        """Return all six cards: players have to remember which of them are used."""
        if self.game.awaits() == Awaited("place-obstacle", (seat,)):
            return self.game.decisions(seat)
        return [Decision("play", seat, card) for card in CARDS] if self.game.choices[seat] is None else []

    def happenings(self) -> Sequence[str]:
        """Return the explanations of the news, rare events first, including that the cards came back."""
        kinds = [news.kind for news in self.game.news]
        moved = "round-over" in kinds
        back = ["hands-back"] if moved and self.game.round > len(CARDS) and not any(self.game.used) else []
        return [*(kind for kind in kinds if kind not in ("moved", "round-over")), *back, *kinds]

    def by_hand(self) -> Sequence[Sentence]:
        """Return the rules of a round and of the end of the race."""
        equal = "hand-equal-rearmost" if self.game.rearmost_only else "hand-equal"
        sentences = ("hand-round", equal, "hand-move", "hand-cards-back", "hand-end")
        return [self._say(kind, count=len(CARDS), space=self.game.board.finish) for kind in sentences]
