"""The table: one match in progress, one thread that owns it, one inbox into which everything comes.

Taps, tags, buttons and results of the odds are handled in order: judged, written, published.
"""

from __future__ import annotations

import queue
import random
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, reduce
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

from companion.bots import players as bots
from companion.devices.seen import PadSeen, PartIs, PresenceSeen, Pressed, Seen, TrackSeen
from companion.devices.tunes import Tune
from companion.games.race import Decision, Race
from companion.history import past as history
from companion.history.past import LONGEST_TITLE, Past
from companion.match.change import Tried, refusal, taken_back, tried
from companion.match.entries import By, Entry, Filed, MatchState
from companion.match.match import Match
from companion.match.record import Header, decision_line, decision_of, standings, written
from companion.message import N_, Refusal, Sentence, refuse
from companion.referee.referee import Alert, Referee, Todo
from companion.store.journal import Journal
from companion.table.messages import Chosen, LuckIs, NoOdds, OddsAre, OddsWere
from companion.table.picture import Fix, Lamp, Picture
from companion.table.tutorial import Explainer
from companion.tags.enroller import Enroller
from companion.tags.enrolment import Enrolment
from companion.tags.item import Item

T = TypeVar("T")


class Refused(Exception):
    """What was asked cannot be done now; `kind` for programs, the sentence for people."""

    def __init__(self, kind: str, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.kind, self.sentence = kind, sentence


class Oracle(Protocol):
    """Whoever does the thinking: asked about the newest position, answers by message, blocks nobody."""

    def ask(self, match: int, seq: int, race: Race) -> None:
        """Work out the chances at this public position; an older question is forgotten."""

    def choose(self, match: int, seq: int, race: Race, seat: int, bot: str, seed: int) -> None:
        """Have a bot decide for this seat, from a view of its own; an older question is forgotten."""

    def explain(self, match: int, seq: int, opening: Race, decisions: Sequence[Decision]) -> None:
        """Tell luck from choice in this finished game; an older question is forgotten."""

    def review(self, match: int, seq: int, views: Sequence[tuple[int, Race]]) -> None:
        """Work out the chances at all these public positions of a match that is over, for its history."""


@dataclass
class _Thinking:
    """A bot that is to decide: since when it may be seen to, and what it decides once it has told."""

    match: int
    seq: int
    seat: int
    ready: float
    decision: Decision | None = None


class Signals(Protocol):
    """What the table can show and play without a screen."""

    def lamp(self, colour: Lamp) -> None:
        """Light the lamp."""

    def beep(self, tune: Tune) -> None:
        """Play a short tune, without waiting for its end."""


Listener = Callable[[Picture], None]
Message = Seen | OddsAre | OddsWere | NoOdds | Chosen | LuckIs

SENSED_PAUSE = 3.0  # seconds that people have to follow before a bot decides, once the pieces stand right
TAPPED_PAUSE = 7.0  # where nothing senses that the pieces were moved
ASK_AGAIN = 30.0  # seconds after which what is missing of a match that is over is asked for once more


class _Job(NamedTuple):
    """Something to be done in the table's thread for somebody who waits for the answer."""

    call: Callable[[Table], Any]
    answer: Future[Any]


class Table:
    """One match in progress. Everything but `tell`, `ask`, `start` and `stop` runs in the table's thread."""

    def __init__(
        self,
        journal: Journal,
        *,
        mock: bool = False,
        clock: Callable[[], float] = time.monotonic,
        dealer: random.Random | None = None,
    ) -> None:
        self.journal = journal
        self.clock = clock
        self.listeners: list[Listener] = []
        self._oracle: Oracle | None = None
        self.signals: Signals | None = None
        self._inbox: queue.SimpleQueue[Message | _Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._tags = journal.tags()
        self._items = {uid: Item.of(means) for uid, means in self._tags.items()}
        self._referee = Referee(self._items.get, journal.lately_caused())
        self._enroller = Enroller(self._learn, self._beep, self._referee.leave_pad)
        self._parts: dict[str, PartIs] = {part: PartIs(part, "tap") for part in ("pad", "track", "panel")}
        self._odds: tuple[OddsAre, ...] = ()
        self._no_odds: Sentence | None = None
        self._luck: LuckIs | None = None
        self._looking: dict[tuple[int, int], float] = {}  # matches and entries, and since when
        self._looked_at: tuple[int, int, Match] | None = None  # the last one that was looked at
        self._dealer = dealer or random.SystemRandom()  # only tests deal the same cards twice
        self._bot: _Thinking | None = None
        filed = journal.current()
        self.match = Match.of(filed, journal.entries(filed.id)) if filed else None
        self.explainer = Explainer(journal)
        self.explainer.put_on_table(self.match)
        self.picture = Picture(journal.seq(), mock, used_cards=bool(journal.kept("used cards")))
        self._looked = 0.0
        self.look()

    # --- the thread ------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to handle what comes in."""
        self._thread.start()

    def stop(self) -> None:
        """Handle what is in the inbox, then end."""
        self._inbox.put(None)
        if self._thread.is_alive():
            self._thread.join()

    def tell(self, message: Message) -> None:
        """Put a message into the inbox, from any thread."""
        self._inbox.put(message)

    def ask(self, call: Callable[[Table], T]) -> T:
        """Have something done in the table's thread and wait for its answer; its errors are raised here."""
        if not self._thread.is_alive() or threading.current_thread() is self._thread:
            return call(self)
        answer: Future[T] = Future()
        self._inbox.put(_Job(call, answer))
        return answer.result()

    def _run(self) -> None:
        while True:
            try:
                message = self._inbox.get(timeout=self._patience())
            except queue.Empty:
                self._guarded(self.look)
                continue
            if message is None:
                return
            if isinstance(message, _Job):
                self._do(message)
            else:
                self._guarded(partial(self.handle, message))

    def _patience(self) -> float | None:
        """How long to wait for the next message; None: as long as it takes."""
        wakes = self.wakes()
        return None if wakes is None else max(0.0, wakes - self.clock())

    def wakes(self) -> float | None:
        """When to look again though nothing comes in: for what came to rest since the last look, at once."""
        bot = self._bot
        rests = [
            self._referee.wakes(self._looked),
            self._enroller.wakes(),
            bot.ready if bot and bot.decision else None,
        ]
        return min((at for at in rests if at is not None), default=None)

    def _do(self, job: _Job) -> None:
        try:
            done = job.call(self)
        except BaseException as error:
            job.answer.set_exception(error)
        else:
            job.answer.set_result(done)

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do something; an error of ours must not end the evening, and must not go unseen either."""
        try:
            work()
        except Exception:
            traceback.print_exc(file=sys.stderr)
            text = Sentence(_INTERNAL, {"text": traceback.format_exc().strip().splitlines()[-1]})
            self._publish(replace(self.picture, alerts=(*self.picture.alerts, Alert("lost", "", text))))

    def handle(self, message: Message) -> None:
        """Take in one message and do what follows from it."""
        now = self.clock()
        if isinstance(message, PadSeen):
            self._referee.pad_seen(message, now)
            self._enroller.pad_seen(message, now)
        elif isinstance(message, TrackSeen):
            self._referee.track_seen(message, now)
        elif isinstance(message, PresenceSeen):
            self._referee.presence_seen(message, now)
        elif isinstance(message, PartIs):
            self._parts = {**self._parts, message.part: message}
            if message.part == "pad" and message.state != "ok":
                self._referee.pad_lost()
                self._enroller.pad_lost()
        elif isinstance(message, Pressed):
            self._pressed(message)
        elif isinstance(message, NoOdds):
            self._no_odds, self._oracle, self._bot = message.why, None, None
        elif isinstance(message, Chosen):
            self._chosen(message)
        elif isinstance(message, OddsWere):
            self._odds_were(message)
        elif isinstance(message, LuckIs):
            self._luck_is(message)
        elif self.match is not None and message.match == self.match.id:
            earlier = tuple(o for o in self._odds if o.seq < message.seq)
            self._odds = (*earlier, message)
        self.look()

    def _pressed(self, message: Pressed) -> None:
        """A button at the table acts on what the table shows; what it cannot do is only a sound."""
        try:
            if message.button == "confirm":
                self.confirm(self.picture.seq)
            elif message.button == "undo":
                self.undo(self.picture.seq)
            else:
                self.dismiss()
        except Refused:
            self._beep("wrong")

    def look(self) -> None:
        """Play the card that is due to be played, if one lies there, and publish what has changed."""
        now = self._looked = self.clock()
        self._enroller.look(now)
        while (attempt := self._referee.attempt(self.match, now)) is not None:
            self._decide(attempt.decision, "tag", attempt.uids)
        self._let_bot_play(now)
        self._publish(self._picture(now))

    def _picture(self, now: float) -> Picture:
        referee, match = self._referee, self.match
        picture = replace(
            self.picture,
            seq=self.journal.seq(),
            match=match,
            alerts=tuple(referee.alerts(match, now)),
            parts=self._parts,
            tags=self._tags,
            enrolment=self._enroller.enrolment,
            odds=self._odds,
            no_odds=self._no_odds,
            luck=self._luck if self._luck and match and self._luck[:2] == (match.id, match.seq) else None,
            explaining=self.explainer.on,
            explain=self.explainer.due(match),
        )
        if match is None:
            return replace(picture, seen=None, todo=(), offer=None, early=None, gathered=(), fixes=())
        todo = tuple(referee.todo(match, now))
        return replace(
            picture,
            seen=referee.seen(match.race),
            todo=todo,
            offer=referee.offer(match, now),
            early=referee.early(match, now),
            gathered=tuple(referee.gathered(match)),
            fixes=self._fixes(match, todo, now),
        )

    def _fixes(self, match: Match, todo: Sequence[Todo], now: float) -> tuple[Fix, ...]:
        held = [task.piece for task in todo if task.held]
        fixes = [Fix("app", piece, "ignore") for piece in held]
        change = self._referee.table_says(match, now) if held else None
        if change is not None:
            fixes.append(Fix("table", held[0], change))
        return tuple(fixes)

    def _publish(self, picture: Picture) -> None:
        was = self.picture
        if picture == was:
            return
        self.picture = picture
        for listener in self.listeners:
            listener(picture)
        self._signal(was, picture)
        self._ask_odds(was.match, picture.match)

    def consult(self, oracle: Oracle) -> None:
        """Have `oracle` work the odds out from now on."""
        self._oracle = oracle
        self._ask_odds(None, self.match)

    def _signal(self, was: Picture, now: Picture) -> None:
        if self.signals is None:
            return
        self.signals.lamp(_lamp(now))
        refused = [alert for alert in now.alerts if alert.kind != "held" and alert not in was.alerts]
        if now.seq != was.seq and now.match is not None and now.match.last == "decide":
            self._beep(_tune(now.match))
        elif refused:
            self._beep("wrong")

    def _beep(self, tune: Tune) -> None:
        if self.signals is not None:
            self.signals.beep(tune)

    def _ask_odds(self, was: Match | None, match: Match | None) -> None:
        if self._oracle is not None and match is not None and (was is None or match.seq != was.seq):
            self._oracle.ask(match.id, match.seq, match.race.seen_by(None))
            if match.finished:
                self._oracle.explain(match.id, match.seq, match.opening, match.decisions())
                self.look_back(match.id)

    # --- what is over ----------------------------------------------------------------------------

    def past(self, number: int) -> Past:
        """A match that is over, as everybody may know it; Refused while it goes on, or if there is none."""
        filed = self._over(number)
        known, last = self._looked_at, self.journal.last_decision(number)
        if known is None or known[:2] != (number, last):
            match = history.in_public(Match.of(filed, self.journal.entries(number)))
            known = self._looked_at = (number, last, match)
        odds, luck = (self.journal.found(number, what, last) for what in ("odds", "luck"))
        return history.past(filed, known[2], last, odds, luck.get(0))

    def look_back(self, number: int) -> Past:
        """The same, and have worked out what is not known of it yet: its odds at every moment, and luck."""
        past = self.past(number)
        back = (number, past.last)
        if self._oracle is None or self.clock() - self._looking.get(back, -ASK_AGAIN) < ASK_AGAIN:
            return past
        missing = [(m.seq, m.race) for m, wins in zip(past.moments, past.odds, strict=True) if wins is None]
        if missing:
            self._looking[back] = self.clock()
            self._oracle.review(*back, missing)
        if past.luck is None and not past.ended and (self.match is None or self.match.id != number):
            self._looking[back] = self.clock()
            match = Match.of(self.journal.match(number), self.journal.entries(number))
            self._oracle.explain(number, match.seq, match.opening, match.decisions())
        return past

    def opened(self, number: int, moment: int) -> Race | None:
        """A match at this moment with all cards open, once it was played to its end; None if it was not."""
        if self.past(number).ended:
            return None
        match = Match.of(self.journal.match(number), self.journal.entries(number))
        return history.with_open_cards(match, moment)

    def _odds_were(self, message: OddsWere) -> None:
        back = (message.match, message.seq)
        if back in self._looking:
            self._looking[back] = self.clock()  # it is being worked on
        self._found(*back, "odds", {seq: history.wins_of(found) for seq, found in message.chances.items()})

    def _luck_is(self, message: LuckIs) -> None:
        self._found(message.match, message.seq, "luck", {0: history.luck_kept(message)})
        if self.match is not None and message.match == self.match.id:
            self._luck = message

    def _found(self, match: int, seq: int, what: str, found: Mapping[int, Any]) -> None:
        """Keep what was found out about a match, unless it was forgotten or played on since entry `seq`."""
        with suppress(Refused):
            end = self.past(match).last
            if seq >= end:
                self.journal.keep_found(match, what, end, found)

    def _over(self, number: int) -> Filed:
        """A match that is over: of any other nobody is shown more than is on the table."""
        try:
            filed = self.journal.match(number)
        except KeyError:
            raise Refused("unknown", Sentence(_NO_SUCH_MATCH)) from None
        if filed.state not in history.OVER:
            raise Refused("running", Sentence(_STILL_GOING_ON))
        return filed

    def name_match(self, number: int, name: str) -> None:
        """Let a match that is over be called so; "" for nothing. ValueError if that is too long."""
        name = " ".join(name.split())
        if len(name) > LONGEST_TITLE:
            raise refuse(_NAME_TOO_LONG, high=LONGEST_TITLE)
        self._over(number)
        self.journal.name_match(number, name)

    def forget(self, number: int) -> None:
        """Take a match that is over out of the journal for good; if its end is still shown, that goes too."""
        self._over(number)
        if self.match is not None and self.match.id == number:
            self._put_on_table(None)
        self._looked_at = None
        self.journal.forget(number)
        self.look()

    # --- seats that the companion plays ----------------------------------------------------------

    def _let_bot_play(self, now: float) -> None:
        """Have the bot decide that is due, once the pieces stand right and people could follow."""
        match = self.match
        seat = match.bot_due() if match else None
        if match is None or seat is None:
            self._bot = None
            return
        bot = self._bot
        if bot is None or (bot.match, bot.seq, bot.seat) != (match.id, match.seq, seat):
            sensed = self._referee.seen(match.race) is not None
            pause = SENSED_PAUSE if sensed and match.race.layout() else TAPPED_PAUSE
            bot = self._bot = _Thinking(match.id, match.seq, seat, now + pause)
            self._have_chosen(match, seat)
        if any(task.held for task in self._referee.todo(match, now)):
            bot.ready = max(bot.ready, now + SENSED_PAUSE)
        if bot.decision is not None and now >= bot.ready:
            self._bot = None
            self._decide(bot.decision, "bot", ())
            self._let_bot_play(now)

    def _have_chosen(self, match: Match, seat: int) -> None:
        """Ask for the bot's decision; where nobody can be asked it decides here and now."""
        view, strength, seed = match.race.seen_by(seat), match.bots[seat], self._dealer.getrandbits(62)
        if self._oracle is not None:
            self._oracle.choose(match.id, match.seq, view, seat, strength, seed)
            return
        rng = random.Random(seed)
        try:
            decision = bots.decide(strength, view, seat, rng)
        except Refusal:  # it cannot think here: it plays on without
            decision = bots.decide("random", view, seat, rng)
        self._chosen(Chosen(match.id, match.seq, seat, decision))

    def _chosen(self, told: Chosen) -> None:
        bot, match = self._bot, self.match
        if bot is None or match is None or (bot.match, bot.seq, bot.seat) != told[:3]:
            return
        reason = match.race.refusal(told.decision)
        if reason is not None:
            raise ValueError(f"a bot decided what the rules forbid: {reason}")
        bot.decision = told.decision

    # --- what people ask for ---------------------------------------------------------------------

    def decide(self, seq: int, line: Mapping[str, Any]) -> None:
        """A decision made by tap, by somebody who saw entry `seq`; Refused with the reason, or ValueError."""
        match = self._running()
        decision = decision_of(match.race, line)
        if seq > self.journal.seq():
            raise ValueError(f"seq {seq} is not known yet")
        if match.late(decision, seq):
            raise Refused("late", Sentence(_LATE))
        reason = match.race.refusal(decision)
        if reason is not None:
            raise Refused("illegal", reason)
        self._decide(decision, "person", ())
        self.look()

    def _decide(self, decision: Decision, by: By, uids: tuple[str, ...]) -> None:
        assert self.match is not None
        self._enter([Entry("decide", decision_line(self.match.race, decision), uids, by)], uids)

    def _enter(
        self, entries: list[Entry], uids: tuple[str, ...] = (), state: MatchState | None = None
    ) -> None:
        """Write entries, with what the companion adds by itself, and only then believe them."""
        assert self.match is not None
        match = reduce(Match.after, entries, self.match)
        while (deal := self._dealt(match)) is not None:
            entry = Entry("decide", decision_line(match.race, deal), by="companion")
            entries = [*entries, entry]
            match = match.after(entry)
        state = state or ("finished" if match.finished else "running")
        written_down = self.journal.append(match.id, entries, state, standings(match.race))
        by_people = any(entry.kind == "decide" and entry.by not in ("bot", "companion") for entry in entries)
        before, self.match = self.match, reduce(Match.after, written_down, self.match)
        self.explainer.decided(self.picture.explain if by_people else None, before, self.match)
        if any(entry.kind in ("decide", "change", "undo", "redo") for entry in entries):
            self._referee.decided(self.match, uids)

    def _dealt(self, match: Match) -> Decision | None:
        """The deal that is due, if one is: the companion's, or people's, who keep the cards to themselves."""
        return match.race.dealt_unseen() if match.deal == "people" else match.race.drawn(self._dealer)

    def undo(self, seq: int, to: int | None = None) -> tuple[Match, Match]:
        """Take back the last card of a set that is being shown, else the last decision that was made.

        `to` names a decision by its entry: it is taken back with everything after it. Gives the match before
        and after.
        """
        match = self._current(seq)
        if to is None and self._referee.take_back(match):
            self.look()
            return match, match
        if to is not None and match.place_of(to) is None:
            raise Refused("nothing", Sentence(_NOT_IN_FORCE))
        earlier, undos = taken_back(match, to)
        if not undos or (to is not None and earlier.place_of(to) is not None):
            raise Refused("nothing", Sentence(_NOTHING_TO_UNDO))
        self._enter([Entry("undo")] * undos)
        now = self._running()
        self.look()
        return match, now

    def change(self, seq: int, entry: int, line: Mapping[str, Any] | None, dry: bool = False) -> Tried:
        """Let an earlier decision be another one, or (None) not have been made; the rest is replayed.

        `dry`: only say what would follow.
        """
        made = _changed(self._current(seq), entry, line)
        if not dry:
            self._enter([made.entry])
            self.look()
        return made

    def redo(self, seq: int) -> None:
        """Put back what was taken back last."""
        match = self._current(seq)
        if not match.undone:
            raise Refused("nothing", Sentence(_NOTHING_TO_REDO))
        self._enter([Entry("redo")])
        self.look()

    def confirm(self, seq: int) -> None:
        """Accept the line-up that the lying pieces offer."""
        match = self._current(seq)
        offer = self._referee.offer(match, self.clock())
        if offer is None:
            raise Refused("nothing", Sentence(_NOTHING_TO_CONFIRM))
        self._decide(offer.decision, "pieces", offer.uids)
        self.look()

    def trust(self, seq: int, side: str, piece: str) -> None:
        """Agree with one side where the table differs from what should be."""
        self._current(seq)
        fix = next(
            (f for f in self.picture.fixes if f.side == side and (side == "table" or f.piece == piece)), None
        )
        if fix is None:
            raise Refused("nothing", Sentence(_NOTHING_TO_TRUST))
        if fix.change == "ignore":
            seen = (self.picture.seen or {}).get(piece)
            self._enter([Entry("trust", {"piece": piece, "seen": seen})])
        elif fix.change == "undo":
            self._enter([Entry("undo")])
        else:
            line = decision_line(self._running().race, fix.change)
            self._enter([Entry("undo"), Entry("decide", line)])
        self.look()

    def dismiss(self) -> None:
        """Take the messages shown away."""
        if not self._referee.dismiss(self.match, self.clock()):
            raise Refused("nothing", Sentence(_NOTHING_TO_DISMISS))
        self.look()

    def begin(
        self,
        header: Header,
        deal: str = "people",
        colours: Sequence[str] = (),
        nicknames: Mapping[str, str] = MappingProxyType({}),
        played_by: Sequence[str] = (),
    ) -> int:
        """Start a match and give its number; ValueError if something does not fit, Refused if one runs.

        `colours` are those of the seats, where a game has that, `nicknames` what the animals are called,
        `played_by` by seat the strength of a bot, "" for a person; none: people play.
        """
        race = header.opening().known_as(colours, nicknames)
        bots.check_seats(race, deal, played_by)
        if self.match is not None and not self.match.finished:
            raise Refused("running", Sentence(_ALREADY_RUNNING))
        owned = race.field() if race.owned else ()
        filed, seq = self.journal.begin(header, deal, owned, race.nicknames, played_by)
        self._put_on_table(Match.of(filed, [Entry("new", seq=seq)]))
        self._enter([])
        self.look()
        return filed.id

    def _put_on_table(self, match: Match | None) -> None:
        self.match, self._odds = match, ()
        self.explainer.put_on_table(match)
        self._referee.decided(match)

    def name_seat(self, seat: int, name: str) -> None:
        """Call a seat of the match something else, also in all that is past; ValueError if it cannot be."""
        match = self._running()
        if match.finished:
            raise Refused("finished", Sentence(_IS_FINISHED))
        names = list(match.header.seats)
        if not 0 <= seat < len(names):
            raise refuse(N_("there is no such seat"))
        was, names[seat] = names[seat], name
        header = replace(match.header, seats=tuple(names))
        header.opening()
        self.journal.name_seats(match.id, header)
        self.match = Match.of(self.journal.match(match.id), self.journal.entries(match.id))
        if last := self.journal.kept("last game"):
            self.remember({**last, "seats": [name if known == was else known for known in last["seats"]]})
        self.look()

    def set_aside(self, seq: int) -> None:
        """Put the match away to go on another day."""
        if self._current(seq).finished:
            raise Refused("finished", Sentence(_IS_FINISHED))
        self._enter([Entry("aside")], state="aside")
        self._put_on_table(None)
        self.look()

    def resume(self, number: int) -> None:
        """Bring a match that was set aside back to the table."""
        if self.match is not None and not self.match.finished:
            raise Refused("running", Sentence(_ALREADY_RUNNING))
        try:
            filed = self.journal.match(number)
        except KeyError:
            raise Refused("unknown", Sentence(_NO_SUCH_MATCH)) from None
        if filed.state != "aside":
            raise Refused("not-aside", Sentence(_NOT_ASIDE))
        match = Match.of(filed, self.journal.entries(number))
        [entry] = self.journal.append(number, [Entry("resume")], "running", standings(match.race))
        self._put_on_table(match.after(entry))
        self.look()

    def end(self, seq: int) -> None:
        """End the match for good, as it stands."""
        number = self._current(seq).id
        self._enter([Entry("end")], state="ended")
        self._put_on_table(None)
        self.look()
        self.look_back(number)

    def record(self, number: int) -> str:
        """The record of a finished or ended match; a running one, or one set aside, is shown to nobody."""
        try:
            filed = self.journal.match(number)
        except KeyError:
            raise Refused("unknown", Sentence(_NO_SUCH_MATCH)) from None
        if filed.state in ("running", "aside"):
            raise Refused("running", Sentence(_RECORD_LATER))
        return written(filed.header, Match.of(filed, self.journal.entries(number)).decisions())

    def matches(self) -> list[Filed]:
        """All matches, the newest first."""
        return self.journal.matches()

    def remember(self, asked: Mapping[str, Any]) -> None:
        """Keep what was asked for at the last new game, and the people's names, to offer them again."""
        people = self.journal.kept("people") or []
        self.journal.keep("people", list(dict.fromkeys([*asked["seats"], *people]))[:40])
        self.journal.keep("last game", dict(asked))

    def show_used_cards(self, on: bool) -> None:
        """Show which cards are used, or leave it to the players' memory: a matter of display, kept."""
        self.journal.keep("used cards", on)
        self.picture = replace(self.picture, used_cards=on)
        for listener in self.listeners:
            listener(self.picture)

    def explain(self, on: bool) -> None:
        """Explain each step of the game on the table once, or no more."""
        self.explainer.turn(self._running(), on)
        self.look()

    def explained(self, key: str) -> None:
        """Somebody has read an explanation: it is not given again."""
        self.explainer.read(self._running(), key)
        self.look()

    # --- what tags mean --------------------------------------------------------------------------

    def bind(self, tags: Mapping[str, str]) -> None:
        """Learn what these tags mean; ValueError if one means nothing that can be."""
        for means in tags.values():
            Item.of(means)
        self._learn(tags)
        self._enroller.tags_are(self._tags)
        self.look()

    def _learn(self, tags: Mapping[str, str | None]) -> None:
        """Write down what these tags mean from now on (None: nothing), and only then believe it."""
        self.journal.bind(tags)
        self._tags = self.journal.tags()
        self._items.clear()
        self._items.update({uid: Item.of(means) for uid, means in self._tags.items()})

    def enrol(self, game: str) -> None:
        """Enrol the things of this game: tags on the pad are taken for them, in the order of the box."""
        self._enroller.start(game, self._tags, self.clock())
        self.look()

    def stop_enrolling(self) -> None:
        """The pad is the game's again."""
        self._enroller.stop()
        self.look()

    def go_on_enrolling(self, change: Callable[[Enrolment], Enrolment]) -> None:
        """Go to another thing, give the last tag back and the like; Refused if no enrolment is on."""
        self._enroller.become(change(self._enrolling()), self.clock())
        self.look()

    def hold(self, uid: str, anyway: bool = False) -> None:
        """A tag read by something else than the pad; Refused with the reason if it cannot be taken."""
        self._enrolling()
        self._enroller.hold(frozenset({uid}), self.clock(), anyway)
        self.look()
        turned = self._enrolling().turned
        if turned is not None:
            raise Refused("turned-away", turned.why)

    def _enrolling(self) -> Enrolment:
        if self._enroller.enrolment is None:
            raise Refused("not-enrolling", Sentence(_NOT_ENROLLING))
        return self._enroller.enrolment

    def _running(self) -> Match:
        if self.match is None:
            raise Refused("no-match", Sentence(_NO_MATCH))
        return self.match

    def _current(self, seq: int) -> Match:
        """The match on the table, for somebody who knows its present state."""
        match = self._running()
        if seq > self.journal.seq():
            raise ValueError(f"seq {seq} is not known yet")
        if seq != self.journal.seq():
            raise Refused("late", Sentence(_LATE))
        return match


def _lamp(picture: Picture) -> Lamp:
    """Red: something is wrong; yellow: move pieces; blue: confirm what lies there; green: go on."""
    if any(alert.kind != "held" for alert in picture.alerts):
        return "red"
    if any(task.held for task in picture.todo):
        return "yellow"
    if picture.offer is not None:
        return "blue"
    return "off" if picture.match is None or picture.match.finished else "green"


def _changed(match: Match, entry: int, line: Mapping[str, Any] | None) -> Tried:
    """What changing the decision of this entry would lead to; Refused with the reason, or ValueError."""
    at = match.place_of(entry)
    if at is None:
        raise Refused("nothing", Sentence(_NOT_IN_FORCE))
    decision = None if line is None else decision_of(match.race, line)
    reason = refusal(match, at, decision)
    if reason is None:
        made = tried(match, at, decision)
        reason = made.refusal()
    if reason is not None:
        raise Refused("illegal", reason)
    return made


def _tune(match: Match) -> Tune:
    """What is to be heard after a decision: the weightiest of what it brought, else that a card was read."""
    kinds = {news.kind for news in match.happened(None)}
    if match.finished:
        return "end"
    for kind, tune in _TUNES.items():
        if kind in kinds:
            return tune
    due = match.race.awaits()
    return "last-card" if due and any(match.race.last_card(seat) for seat in due.seats) else "ok"


_TUNES: Mapping[str, Tune] = {"kept": "kept", "lost": "lost", "round-over": "round"}

_INTERNAL = N_("something went wrong inside the companion, the game goes on: {text}")
_LATE = N_("the table has changed meanwhile: look again, then decide")
_NOTHING_TO_UNDO = N_("there is nothing to take back")
_NOT_IN_FORCE = N_("that decision is not in force any longer: look again")
_NOTHING_TO_REDO = N_("there is nothing to put back")
_NOTHING_TO_CONFIRM = N_("there is nothing to confirm")
_NOTHING_TO_TRUST = N_("the table and the companion agree there")
_NOTHING_TO_DISMISS = N_("there is no message to take away")
_ALREADY_RUNNING = N_("a game is running: set it aside or end it first")
_IS_FINISHED = N_("the game is finished")
_NO_SUCH_MATCH = N_("there is no such game")
_NOT_ASIDE = N_("only a game that was set aside can be resumed")
_RECORD_LATER = N_("the record of a game is given out when it has ended")
_STILL_GOING_ON = N_("this game is still going on: look back on it when it is over")
_NAME_TOO_LONG = N_("a game's name has at most {high} letters")
_NO_MATCH = N_("no game is running: start one on the host page")
_NOT_ENROLLING = N_("no box is being enrolled: choose one first")
