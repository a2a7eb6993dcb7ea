"""Two games that differ only in one secret, and all that a viewer who may not know it gets of them.

Both go on with the same deeds; what is published and what is answered on the way is compared to the byte.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from companion.games.judge import reason_against
from companion.games.race import random_decision
from companion.games.terms import Decision
from companion.match.match import Match
from companion.match.record import Header, decision_line
from companion.web.seats import whose
from tests.support.sides import Dealing, Seat, Side, Viewer, Who, as_dealt, gets

TRIES: Final = 20
MOMENTS: Final = 4  # of a game that was given up, looked at besides the last one
ASKED_AT_ONCE: Final = 2
RUNNING: Final = (
    "/api/table",
    "/api/matches",
    "/api/matches/1/record",
    "/api/history",
    "/api/history/1",
    "/api/history/1/moments/0",
    "/api/history/1/moments/1?cards=open",
    "/api/leaderboard",
    "/paper/matches/1.pdf",
    "/paper/matches/1.svg",
    "/api/played",
    "/api/undo",
    "/api/backup",
)


class Difference(NamedTuple):
    """What differs: the entry of the decision, the decisions it could be, and the seats that may know."""

    entry: int
    might_be: tuple[Decision, ...]
    knows: frozenset[Seat]


class Compared(NamedTuple):
    """How many pictures, answers and events for a message broker were compared before the secret came out, and whether it did."""

    pictures: int
    answers: int
    events: int
    came_out: bool


class Pair:
    """Two games that do the same. `dealing` gives the cards that the second deals instead."""

    def __init__(
        self,
        header: Header,
        deal: str,
        seed: int,
        bots: Sequence[str] = (),
        dealing: Dealing = as_dealt,
    ) -> None:
        self.rng = random.Random(seed)
        self._dealt_unseen = self.rng.random() < 0.5  # people tell no deal that the game does not wait for
        self.sides = [Side(header, deal, bots, seed, dealt) for dealt in (as_dealt, dealing)]
        self._pictures = self._answers = self._events = 0

    def close(self) -> None:
        for side in self.sides:
            side.journal.close()

    def forget(self) -> None:
        """Forget what was published so far: it is not compared."""
        for side in self.sides:
            side.published.clear()
            side.messages()

    # --- playing ---------------------------------------------------------------------------------

    def at_random(self) -> Decision | None:
        """Return a legal decision of the first game; None: nothing as long as decisions are undone."""
        match, rng = self.sides[0].match, self.rng
        decision, due, robot = random_decision(match.race, rng), match.race.awaits(), match.bot_due()
        if self._dealt_unseen and match.race.may_deal() and due is not None:
            decision = match.race.at_random(rng.choice(due.seats), rng)
        seat = None if decision is None else whose(match.race, decision)
        if decision is None or seat is None or not match.bots[seat] or seat == robot:
            return decision
        others = [s for s in due.seats if s == robot or not match.bots[s]] if due else []
        return match.race.at_random(rng.choice(others), rng) if others else None

    def decide(self, one: Decision, other: Decision) -> None:
        """Decide one thing in the first game and another in the second, where a robot thinks for longer."""
        for side, decision, thinks in zip(self.sides, (one, other), (1.0, 5.0), strict=True):
            side.decide(decision, thinks)

    def compared(self, secret: Difference, deeds: int) -> Compared:
        """Go on alike from where they differ, until the secret comes out or, after so many deeds, they are given up."""
        viewers = [None, *(s for s in range(len(self.sides[0].race.seats)) if s not in secret.knows)]
        self._assert_pictures_alike(viewers)
        owners = [{gets(side.table.snapshot, seat) for side in self.sides} for seat in secret.knows]
        assert any(len(views) == 2 for views in owners), "or this would prove nothing"
        came_out = False
        for _ in range(deeds):
            if not self._go_on(secret):
                break
            came_out = self._came_out()
            if came_out:
                break
            self._assert_pictures_alike(viewers)
            self._ask(self.rng.choice(self._devices(secret)), self._some_questions(secret))
        if not came_out:
            self._ask("host", ["/api/backup"])
        if not came_out:
            self._give_up(secret)
            self._assert_pictures_alike(viewers)
        self.close()
        return Compared(self._pictures, self._answers, self._events, came_out)

    def _came_out(self) -> bool:
        """Return whether everybody now sees another state by the rules, or the game is over and its record
        public.

        What the companion itself takes for secret is not asked: it is what is tested.
        """
        return self._looks_another() or self.sides[0].match.finished

    def _looks_another(self) -> bool:
        one, other = (side.race.seen_by(None) for side in self.sides)
        return one != other

    # --- comparing -------------------------------------------------------------------------------

    def _assert_pictures_alike(self, viewers: Sequence[Viewer]) -> None:
        """Assert that viewers who may not know got the same, in the same order."""
        one, other = (side.published for side in self.sides)
        assert len(one) == len(other), "the number of messages tells"
        for mine, yours in zip(one, other, strict=True):
            if isinstance(mine, str) or isinstance(yours, str):
                assert mine == yours
                continue
            for viewer in viewers:
                assert gets(mine, viewer) == gets(yours, viewer)
            self._pictures += 1
        messages = [side.messages() for side in self.sides]
        assert messages[0] == messages[1], "a message broker gets another game"
        self._events += len(messages[0])
        self.forget()

    def _ask(self, who: Who, paths: Sequence[str]) -> None:
        for path in paths:
            self._request(who, "GET", path)

    def _request(self, who: Who, method: str, path: str, **body: Any) -> None:
        """Send a request of a device to both games, and assert that both answer the same."""
        seqs = [side.table.snapshot.seq for side in self.sides]
        assert seqs[0] == seqs[1]
        sent = {"seq": seqs[0], **body} if method == "POST" else None
        one, other = (side.answer(who, method, path, sent) for side in self.sides)
        assert one == other, f"{method} {path} by {who}"
        assert not one.startswith(b"5"), f"{method} {path} by {who} is a mistake of ours"
        self._answers += 1

    def _devices(self, secret: Difference) -> list[Who]:
        bots = self.sides[0].journal.match(1).bots
        seats = range(len(self.sides[0].journal.match(1).header.seats))
        return ["visitor", "host", *(s for s in seats if s not in secret.knows and not (bots and bots[s]))]

    def _some_questions(self, secret: Difference) -> list[str]:
        owner = min(secret.knows)
        paths = [*RUNNING, f"/api/seat?seat={owner}", f"/api/seat/page?seat={owner}"]
        return self.rng.sample(paths, ASKED_AT_ONCE)

    # --- deeds -----------------------------------------------------------------------------------

    def _go_on(self, secret: Difference) -> bool:
        """Do the same in both games; return False if they cannot go on alike."""
        deeds: Mapping[Callable[[], bool], int] = {
            self._decide_alike: 56,
            self._undo: 14,
            self._redo: 8,
            lambda: self._change(secret): 16,
            self._restart: 3,
            self._set_aside: 3,
        }
        [deed] = self.rng.choices(list(deeds), list(deeds.values()))
        return deed()

    def _decide_alike(self) -> bool:
        for _ in range(TRIES):
            decision = self.at_random()
            if decision is None:
                return self._redo()
            if all(reason_against(side.race, decision) is None for side in self.sides):
                self.decide(decision, decision)
                return True
        return False

    def _undo(self) -> bool:
        """Take back the last decision, or all from one on; return whether any was, alike in both games."""
        turns, to = self.sides[0].match.turns, None
        if turns and self.rng.random() < 0.3:
            to = self.rng.choice(turns).seq
        self._request("host", "GET", "/api/undo" if to is None else f"/api/undo?to={to}")
        self._request("host", "POST", "/api/undo", **({} if to is None else {"to": to}))
        return True

    def _redo(self) -> bool:
        self._request("host", "POST", "/api/redo")
        return True

    def _change(self, secret: Difference) -> bool:
        """Change or drop an earlier decision, as far as everybody may know; return whether that was done."""
        match = self.sides[0].match
        if not match.turns:
            return True
        at, decision = self._what_to_change(secret, match)
        entry, line = match.turns[at].seq, decision and decision_line(match.race, decision)
        self._request("host", "GET", f"/api/played/{entry}")
        for dry in (True, False):
            self._request("host", "POST", "/api/change", entry=entry, decision=line, dry=dry)
        assert not self._looks_another(), "a change opened what was sealed"
        return True

    def _what_to_change(self, secret: Difference, match: Match) -> tuple[int, Decision | None]:
        """Return which decision in force should become what.

        The secret itself is tried too: it is refused with any value, also with its own. More often its
        owner's earlier decisions are tried: whether the secret then still fits is one more case.
        """
        rng, itself = self.rng, match.place_of(secret.entry)
        if itself is not None and rng.random() < 0.2:
            return itself, rng.choice([*secret.might_be, None])
        anything = range(len(match.turns))
        owners = [at for at in anything if match.turns[at].decision.seat in secret.knows and at != itself]
        at = rng.choice(owners if owners and rng.random() < 0.5 else anything)
        return at, self._instead(match, at) if rng.random() < 0.8 else None

    def _instead(self, match: Match, at: int) -> Decision | None:
        """Return what a decision could be instead, for all that everybody knows."""
        was = match.turns[at].decision
        race = match.position(at).seen_by(None).guessed(self.rng)
        due = race.awaits()
        if due is None or not due.seats:
            return was
        seat = was.seat if was.seat in due.seats else due.seats[0]
        found = [race.at_random(seat, self.rng) for _ in range(TRIES)]
        return next((d for d in found if d.do == was.do and d != was), was)

    def _restart(self) -> bool:
        for side in self.sides:
            side.restart()
        return True

    def _set_aside(self) -> bool:
        """Put the game away, ask for it, and bring it back; return whether that was done."""
        self._request("host", "POST", "/api/set-aside")
        self._ask(self.rng.choice(["visitor", "host"]), RUNNING)
        for side in self.sides:
            side.table.resume(1)
            side.settle()
        return True

    def _give_up(self, secret: Difference) -> None:
        """End both games as host: what was never shown stays hidden, also after a restart."""
        turns = self.sides[0].match.turns
        self._request("host", "POST", "/api/end")
        moments = {*self.rng.sample(range(len(turns) + 1), min(MOMENTS, len(turns))), len(turns)}
        paths = [path for path in RUNNING if "moments" not in path]
        paths += [f"/api/history/1/moments/{n}{c}" for n in sorted(moments) for c in ("", "?cards=open")]
        self._ask("visitor", paths)
        self._ask("host", ["/api/backup"])
        self._restart()
        self._ask(self.rng.choice(self._devices(secret)), ["/api/history/1", "/api/matches/1/record"])
