"""People who play on in all circumstances, make mistakes, and know what they decided."""

from __future__ import annotations

import random
import time
from collections import Counter
from contextlib import suppress
from copy import deepcopy
from typing import Any, Final, NamedTuple

from companion.games.judge import checked
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.record import Header, decision_line, decision_of
from tests.support.client import Client, HttpError, Stream
from tests.support.hands import Hands
from tests.support.recount import Recount

STUCK_S: Final = 120.0  # after so long the game counts as stuck
RECENT: Final = 6  # decisions back, at most, people find a mistake
LAID_S: Final = 4.0  # as long as a card is left on the pad that is not taken
FOLLOWED_S: Final = 1.5


Laid = tuple[int | None, str]
"""Until when a card stays there (Race.cards_back), and which."""


class Position(NamedTuple):
    """The game after some decisions, as the people have it. `cards`: what was laid for each, round and tag."""

    lines: tuple[dict[str, Any], ...]
    cards: tuple[Laid | None, ...]
    races: tuple[Race, ...]
    sheet: Recount

    @property
    def race(self) -> Race:
        """How it stands."""
        return self.races[-1]


class People:
    """Everybody at the table, for one game. `known`: what they had decided by each entry that they saw."""

    def __init__(self, host: Client, header: Header, rng: random.Random, spaces: int) -> None:
        self.host, self.header, self.rng, self.spaces = host, header, rng, spaces
        self.hands = Hands()
        self.phones: dict[int, Client] = {}
        self.past: list[Position] = []
        self.redone: list[Position] = []
        self.held: list[str] | None = None  # the cards in the hand of the player who decides
        self.known: dict[int, Position] = {}
        self.done: Counter[str] = Counter()
        self.table_s = 0.0  # how long hands need for what was done, as tests/support/hands.py has it
        self.uids = host.uids(header.game)
        self.strange = host.uids("greyhounds" if header.game == "giro-galoppo" else "giro-galoppo")
        self.begun = self._begin()

    # --- what is there ---------------------------------------------------------------------------

    @property
    def now(self) -> Position:
        """The game as they have it."""
        return self.past[-1]

    @property
    def table(self) -> dict[str, Any]:
        """What the screen shows."""
        return self.host.table

    def _begin(self) -> int:
        header = self.header
        number = self.host.begin(header.game, header.seats, start=header.start, options=dict(header.options))
        self._keep(self._opening())
        return number

    def _opening(self) -> Position:
        """Return the game before its first decision."""
        header = self.header
        record = {"game": header.game, "seats": list(header.seats), "start": header.start}
        sheet = Recount(record | {"record": 1, "options": dict(header.options)})
        return Position((), (), (self._dealt(header.opening()),), self._counted(sheet))

    def _dealt(self, race: Race) -> Race:
        """Deal as people do: what they hold is theirs."""
        while (deal := race.dealt_unseen()) is not None:
            race = checked(race, deal)
        return race

    def _counted(self, sheet: Recount) -> Recount:
        while (due := sheet.report()["next"]) is not None and due["do"] == "deal":
            sheet.take({"do": "deal", "hands": None})
        return sheet

    def _keep(self, position: Position) -> None:
        self.past.append(position)
        self.known[self.table["seq"]] = position

    def after(self, position: Position, decision: Decision, card: Laid | None) -> Position:
        """Return the position one decision later."""
        line = decision_line(position.race, decision)
        sheet = deepcopy(position.sheet)
        sheet.take(line)
        race = self._dealt(checked(position.race, decision))
        return Position(
            (*position.lines, line), (*position.cards, card), (*position.races, race), self._counted(sheet)
        )

    # --- what they do ----------------------------------------------------------------------------

    def deed(self) -> bool:
        """Do one thing that people do; return False when the game is over."""
        rng, over = self.rng, self.now.race.awaits() is None
        self._takes(self.hands.think)
        if rng.random() < 0.08:
            self.mistake()
        chance = rng.random()
        if chance < 0.03 and self.now.lines:
            self.undo()
        elif chance < 0.06 and self.redone:
            self.redo()
        elif chance < 0.09 and self.now.lines:
            self.change()
        elif over:
            return False
        elif chance < 0.13:  # the wrong card
            self.decide(self._some())
            self.undo()
        else:
            self.decide(self._some())
        return True

    def _some(self) -> Decision:
        """Return what a player decides whose turn it is."""
        due = self.now.race.awaits()
        assert due is not None
        return self.now.race.at_random(self.rng.choice(sorted(due.seats)), self.rng)

    def decide(self, decision: Decision) -> None:
        """Repeat a decision until it is in force, by card, phone, tap or with the pieces themselves."""
        before, end = self.table["seq"], time.monotonic() + STUCK_S
        self.held = self.cards_for(decision) if decision.do in ("play", "show") else None
        card = None
        while True:
            means = self._means(decision)
            self.done[means] += 1
            with suppress(HttpError):
                card = getattr(self, f"by_{means}")(decision, before)
            table = self.table
            if table["seq"] > before:
                break
            assert time.monotonic() < end, f"stuck: {decision} is not taken: {table}"
            self.follow(table, everything=True)
            with suppress(HttpError):
                self.host.post("/api/next")
        self.redone.clear()
        self._keep(self.after(self.now, decision, card))
        if self.rng.random() < 0.8:  # else they forget the piece, until a person says so
            self.follow(self.table)

    def _means(self, decision: Decision) -> str:
        means = ["tap"]
        if decision.do in ("play", "show"):
            means += ["card"] * 3
        if decision.do == "line-up":
            means += ["pieces"] * 2
        if decision.seat in self.phones:
            means.append("phone")
        return self.rng.choice(means)

    def by_tap(self, decision: Decision, before: int) -> None:
        """Decide on the table's screen."""
        line = decision_line(self.now.race, decision)
        self.host.post("/api/decide", seq=before, decision=line)

    def by_phone(self, decision: Decision, before: int) -> None:
        """Decide on the seat's own phone."""
        assert decision.seat is not None
        line = decision_line(self.now.race, decision)
        self.phones[decision.seat].post("/api/decide", seq=before, decision=line)

    def by_card(self, decision: Decision, before: int) -> Laid | None:
        """Decide by card on the pad; it stays there until it is taken, or its player loses patience."""
        names = self.held  # the same in each attempt: a slow table may still take the first
        if names is None:
            self.by_tap(decision, before)
            return None
        self._takes(self.hands.lift, self.hands.carry, self.hands.lower)
        self.host.pad(*(self.uids[f"card/{name}"] for name in names))
        end, said = time.monotonic() + LAID_S, time.monotonic() + FOLLOWED_S
        while (table := self.table)["seq"] == before and time.monotonic() < end:
            if time.monotonic() > said:
                self.follow(table)
                said = time.monotonic() + FOLLOWED_S
            time.sleep(0.03)
        self.host.pad()
        time.sleep(self.hands.lift.of(self.rng))  # no hand is quicker at something else
        return (self.now.race.cards_back(), names[0])

    def by_pieces(self, decision: Decision, before: int) -> None:
        """Arrange the pieces, and confirm it on the table's screen once it asks for this line-up."""
        for place, piece in enumerate(decision.what):
            self.put(piece, self._sensed(-place))
        end = time.monotonic() + LAID_S
        while self.table["seq"] == before and time.monotonic() < end:
            if self._asked() == list(decision.what):
                with suppress(HttpError):
                    self.host.post("/api/confirm", seq=before)
            time.sleep(0.1)

    def _asked(self) -> list[str]:
        """Return the pieces in the table page's large sentence, in order."""
        stream = Stream(self.host.port, "?as=page")
        parts = stream.view()["say"]["parts"]
        stream.close()
        return [part["piece"] for part in parts if isinstance(part, dict) and part.get("piece")]

    def cards_for(self, decision: Decision) -> list[str] | None:
        """Return the cards to lay for it; None if there is no card for it left."""
        race = self.now.race
        if not race.one_card_at_a_time:
            numbers = decision.what if decision.do == "show" else (decision.what,)
            colour = race.field()[decision.seat or 0]
            return [f"{colour}/{number}" for number in numbers]
        used = {card for card in self.now.cards if card is not None}
        round_now = race.cards_back()
        left = [
            f"{decision.what}/{n}" for n in range(1, 8) if (round_now, f"{decision.what}/{n}") not in used
        ]
        return [self.rng.choice(left)] if left else None

    # --- what they do wrong, and take back -------------------------------------------------------

    def mistake(self) -> None:
        """Lay or put something that is not meant to; it stays there for a moment, and nothing is played."""
        rng, before = self.rng, self.table["seq"]
        card = rng.choice([uid for name, uid in self.uids.items() if name.startswith("card/")])
        strange = rng.choice([uid for name, uid in self.strange.items() if name.startswith("card/")])
        piece = rng.choice([uid for name, uid in self.uids.items() if name.startswith("piece/")])
        kind = rng.choice(
            ("another game's card", "unknown tag", "card and strange card", "card on the track")
        )
        self.done[kind] += 1
        with suppress(HttpError):
            if kind == "another game's card":
                self.host.pad(strange)
            elif kind == "unknown tag":
                self.host.blank()
            elif kind == "card and strange card":
                self.host.pad(piece, strange)
            else:
                space = self._sensed(rng.randrange(self.spaces))
                self.host.space(space, *self._on(space), card)
        self._takes(self.hands.lift, self.hands.carry, self.hands.lower)
        time.sleep(rng.uniform(0.2, 1.5))
        self.host.pad()
        self.tidy()
        time.sleep(self.hands.lift.of(rng))
        assert self.table["seq"] == before, f"{kind} was taken for a decision"

    def tidy(self) -> None:
        """Take away from the track what is no piece of this game."""
        pieces = {uid for name, uid in self.uids.items() if name.startswith("piece/")}
        for uid, tag in self.host.get("/api/mock")["tags"].items():
            if tag["at"].startswith("track/") and uid not in pieces:
                self._clear(int(tag["at"].removeprefix("track/")), uid)

    def _clear(self, space: int, uid: str) -> None:
        left = [tag for tag in self._on(space) if tag != uid]
        self.host.space(space, *left)

    def undo(self) -> None:
        """Take the last thing back that was done: a decision, or a change."""
        self.done["undo"] += 1
        self._step("undo")
        self.redone.append(self.past.pop())
        self._keep(self.past.pop())

    def redo(self) -> None:
        """Put it back."""
        self.done["redo"] += 1
        self._step("redo")
        self._keep(self.redone.pop())

    def _step(self, step: str) -> None:
        self.host.post(f"/api/{step}", seq=self.table["seq"])
        self.follow(self.table)

    def change(self) -> None:
        """Change a recent decision, if the companion lets it; what no longer fits falls out."""
        last = len(self.now.lines)
        at = self.rng.randrange(max(0, last - RECENT), last)
        was, line_then = self.now.races[at], self.now.lines[at]
        due = was.awaits()
        assert due is not None
        decision = was.at_random(line_then.get("seat", min(due.seats)), self.rng)
        line = decision_line(was, decision)
        if line["do"] != line_then["do"] or line == line_then:
            return
        before = self.table["seq"]
        entry = self.host.get("/api/played")["played"][last - 1 - at]["entry"]
        try:
            made = self.host.post("/api/change", seq=before, entry=entry, decision=line)
        except HttpError as refusal:
            if refusal.status != 409:
                raise
            self.done["change refused"] += 1
            return
        self.done["change"] += 1
        self.redone.clear()
        self._keep(self._changed(at, decision, made["fits"]))
        self.follow(self.table)

    def _changed(self, at: int, decision: Decision, fits: int) -> Position:
        """Return the game from its beginning, with another decision at `at` and `fits` of those after it."""
        now = self.now
        position = self.past[0]
        for number, line in enumerate(now.lines[: at + 1 + fits]):
            other = decision if number == at else decision_of(now.races[number], line)
            position = self.after(position, other, now.cards[number])
        return position

    # --- the pieces ------------------------------------------------------------------------------

    def follow(self, table: dict[str, Any], *, everything: bool = False) -> None:
        """Put the pieces where the companion wants them; now and then somewhere else first."""
        for task in table["todo"]:
            if not (task["held"] or everything or self.rng.random() < 0.5):
                continue
            space = task["to"]["space"]
            if space is not None and self.rng.random() < 0.06:
                self.done["wrong space"] += 1
                self.put(task["piece"], self._sensed(space + 1))
                time.sleep(self.rng.uniform(0.3, 1.5))
            self.put(task["piece"], space)

    def _sensed(self, space: int) -> int:
        """Return the same space; those past the last reader are counted from the first."""
        first = self.now.race.first_space
        return first + (space - first) % self.spaces

    def put(self, piece: str, space: int | None) -> None:
        """Put it there, next to what stands there already; None: off the track."""
        uid = self.uids[f"piece/{piece}"]
        at = self.host.get("/api/mock")["tags"][uid]["at"]
        if at == ("off" if space is None else f"track/{space}"):
            return
        self._takes(self.hands.lift, self.hands.carry, self.hands.lower)
        if at.startswith("track/"):
            self._clear(int(at.removeprefix("track/")), uid)
        if space is not None:
            there = [tag for tag in self._on(space) if tag != uid]
            self.host.space(space, *there, uid)

    def _on(self, space: int) -> list[str]:
        tags = self.host.get("/api/mock")["tags"]
        return [uid for uid, tag in tags.items() if tag["at"] == f"track/{space}"]

    def _takes(self, *spreads: Any) -> None:
        self.table_s += sum(spread.of(self.rng) for spread in spreads)
