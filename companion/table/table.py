"""The table: one match in progress, one thread that owns it, one inbox for all messages.

Taps, tags, buttons and results of the odds are handled in order: judged, written, published.
"""

from __future__ import annotations

import logging
import random
import sqlite3
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import SystemRandom
from types import MappingProxyType
from typing import Self, TypeVar, assert_never

from companion.devices.readings import PadSeen, PartIs, PresenceSeen, Pressed, SweepIs, TrackSeen
from companion.devices.tunes import Tune
from companion.errors import ConflictError
from companion.history.past import Past
from companion.match.match import Match
from companion.match.record import Header
from companion.memory import give_back
from companion.message import N_, Sentence
from companion.referee.pad import PAD_STILL
from companion.referee.reports import Alert
from companion.store.journal import Journal
from companion.table.archive import Archive
from companion.table.chances import Chances, Oracle
from companion.table.faces import Faces
from companion.table.inbox import Inbox
from companion.table.journal_watch import JournalWatch
from companion.table.ledger import Ledger
from companion.table.messages import Chosen, LuckIs, Message, NoOdds, OddsAgain, OddsAre, OddsWere
from companion.table.play import Play
from companion.table.preferences import Preferences
from companion.table.pulse import Pulse
from companion.table.season import Season
from companion.table.signals import AskForOdds, Beep, Consequence, Light, Publish, Signals, consequences
from companion.table.snapshot import Snapshot, compared
from companion.table.step import Evaluate, PadTaken, TagsAre
from companion.table.tutorial import Tutorial
from companion.tags.item import Item
from companion.tags.register import Register

T = TypeVar("T")
Listener = Callable[[Snapshot], None]

log = logging.getLogger(__name__)


class Table:
    """One match in progress. Everything but `enqueue`, `ask`, `start` and `stop` runs in the table's thread.

    Its parts: `ledger`, the match on it; `play`, the commands for it; `chances`, its odds; `archive`, matches
    that are over; `season`, the leaderboards; `tags`, the meanings of tags; `tutorial`, what is explained in
    a first game; `preferences`, stored choices; `faces`, the looks of people; `watch`, the state of the
    journal; `pulse`, its health. Nothing is read or shown before the table is opened, or started.
    """

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
        self.signals: Signals | None = None
        dealer = dealer or SystemRandom()  # only tests deal the same cards twice
        self._inbox: Inbox[tuple[Message, float]] = Inbox(
            lambda message: self._guarded(partial(self.handle, *message)),
            lambda: self._guarded(self.evaluate),
            self._patience,
        )
        self.tags = Register(journal, clock, self, PAD_STILL)
        self.archive = Archive(journal, clock, lambda: self.preferences.switches.remember_play)
        self.season = Season(journal)
        self.tutorial = Tutorial(journal)
        self.preferences = Preferences(journal)
        self.faces = Faces(journal, lambda faces: self._publish(replace(self.snapshot, faces=faces)))
        self.ledger = Ledger(journal, self.tutorial, dealer)
        self.watch = JournalWatch(journal, clock)
        self.play = Play(self.ledger, self.tutorial, self.watch, clock, self.evaluate)
        self.pulse = Pulse(self._inbox, self.watch.trouble)
        self.chances = Chances()
        self._parts: dict[str, PartIs] = {part: PartIs(part, "tap") for part in ("pad", "track", "panel")}
        self._is_open = False
        self.snapshot = Snapshot(0, mock)

    @property
    def match(self) -> Match | None:
        """The match on the table."""
        return self.ledger.state.match

    # --- the thread ------------------------------------------------------------------------------

    def open(self) -> Self:
        """Load tags and match from the journal, evaluate for the first time, and return the table."""
        if not self._is_open:
            self._is_open = True
            self.watch.open()
            self.tags.open()
            self.ledger.open()
            self.snapshot = replace(
                self.snapshot,
                seq=self.journal.seq(),
                switches=self.preferences.switches,
                faces=self.faces.all,
            )
            self.evaluate()
        return self

    def start(self) -> None:
        """Start to handle messages."""
        self.open()
        self._inbox.start()

    def stop(self) -> None:
        """Handle the messages in the inbox, then end."""
        self._inbox.stop()

    def enqueue(self, message: Message) -> None:
        """Enqueue a message with the present time, from any thread, however late it is handled."""
        self._inbox.put((message, self.clock()))

    def ask(self, call: Callable[[Table], T]) -> T:
        """Run a call in the table's thread and return its answer; its errors are raised here."""
        return self._inbox.ask(partial(call, self))

    def _patience(self) -> float | None:
        """Return the seconds to wait for the next message; None: without limit."""
        deadline = self.next_deadline()
        return None if deadline is None else max(0.0, deadline - self.clock())

    def next_deadline(self) -> float | None:
        """Return when to evaluate again without a message: at once if something came to rest meanwhile."""
        again = self.watch.next_deadline()
        rests = (
            self.ledger.state.evaluation.next_deadline,
            self.tags.enroller.next_deadline(),
            self.ledger.state.bot_deadline if again is None else None,
            again,
            self.watch.clock_deadline(),
        )
        return min((at for at in rests if at is not None), default=None)

    def _guarded(self, work: Callable[[], None]) -> None:
        """Run `work`, and log and show its errors: a bug must not end the evening, nor pass unnoticed."""
        try:
            work()
        except Exception:
            log.exception("a message could not be handled")
            text = Sentence(_INTERNAL, {"text": traceback.format_exc().strip().splitlines()[-1]})
            self._publish(replace(self.snapshot, alerts=(*self.snapshot.alerts, Alert("lost", "", text))))

    def handle(self, message: Message, enqueued_at: float | None = None) -> None:
        """Handle one message and its consequences; `enqueued_at`: when it was enqueued, by default now.

        The thread may be late, such as behind a slow disk: a card that was there long enough and was lifted
        since counts all the same.
        """
        now = self.clock() if enqueued_at is None else max(enqueued_at, self.ledger.state.now)
        deadline = self.next_deadline()
        if deadline is not None and deadline <= now:
            self.evaluate(now)
        match message:
            case PadSeen():
                self.ledger.take(message, now)
                self.tags.enroller.pad_seen(message, now)
            case TrackSeen() | PresenceSeen() | SweepIs() | Chosen():
                self.ledger.take(message, now)
            case PartIs():
                self.ledger.take(message, now)
                self._part_is(message)
            case Pressed():
                self._pressed(message)
            case NoOdds():
                self.chances.none(message)
                self.archive.scholar, self.ledger.chooser = self.chances.oracle, None
                self.ledger.take(message, now)
            case OddsAgain():
                self.chances.again()
                self.ledger.chooser = self.chances.oracle
            case OddsWere():
                self.archive.odds_were(message)
                self.chances.look_back(self.match, self.archive)
            case LuckIs():
                self.archive.luck_is(message)
                self.chances.luck_is(message)
                self.chances.look_back(self.match, self.archive)
            case OddsAre():
                self.chances.odds_are(message, self.match)
            case _:
                assert_never(message)
        self.evaluate(None if enqueued_at is None else now)

    def _part_is(self, message: PartIs) -> None:
        self._parts = {**self._parts, message.part: message}
        level = logging.INFO if message.state == "ok" else logging.WARNING
        log.log(level, "%s: %s%s", message.part, message.state, f", {message.why}" if message.why else "")
        if message.part == "pad" and message.state != "ok":
            self.tags.enroller.pad_lost()

    def _pressed(self, message: Pressed) -> None:
        """Handle a button at the table, which acts on what the table shows; an impossible action
        only beeps.
        """
        try:
            match message.button:
                case "confirm":
                    self.play.confirm(self.snapshot.seq)
                case "undo":
                    self.play.undo(self.snapshot.seq)
                case "next":
                    self.play.dismiss()
        except ConflictError:
            self.beep("wrong")
        except sqlite3.Error as error:
            if self.watch.not_written(error):
                self.beep("wrong")

    def evaluate(self, now: float | None = None) -> None:
        """Play the card that is due to be played, if there is one, and publish changes.

        If the journal rejects it, nothing is changed: the card stays on the pad, and is played once the
        journal accepts it.
        """
        now = self.clock() if now is None else now
        self.tags.enroller.evaluate(now)
        retry_at = self.watch.next_deadline()
        may_decide = retry_at is None or now >= retry_at
        try:
            self.watch.check_clock(now)
            self.ledger.take(Evaluate(may_decide), now)
            if may_decide:
                self.watch.written()
        except sqlite3.Error as error:
            if self.watch.not_written(error):
                self.beep("wrong")
        self._publish(self._picture())

    def _picture(self) -> Snapshot:
        match = self.match
        picture = replace(
            self.snapshot,
            seq=self.journal.seq(),
            parts=self._parts,
            boxes=self.preferences.boxes,
            tags=self.tags.meanings,
            enrolment=self.tags.enroller.enrolment,
            odds=self.chances.odds,
            no_odds=self.chances.why_none,
            luck=self.chances.luck(match),
            evening=self.chances.evening(match),
            explaining=self.tutorial.on,
            explain=self.tutorial.show(match),
        )
        picture = compared(picture, self.ledger.state.evaluation)
        return replace(picture, alerts=(*picture.alerts, *self.watch.alerts()))

    def _publish(self, picture: Snapshot) -> None:
        """Show this snapshot, if it is another one, and do what follows from it."""
        was, self.snapshot = self.snapshot, picture
        for consequence in consequences(was, picture):
            self._do(consequence)

    def _do(self, consequence: Consequence) -> None:
        match consequence:
            case Publish():
                for listener in self.listeners:
                    listener(consequence.picture)
            case Light():
                if self.signals is not None:
                    self.signals.lamp(consequence.colour)
            case Beep():
                if self.signals is not None:
                    self.signals.beep(consequence.tune)
            case AskForOdds():
                was, match = consequence
                if self.chances.ask(was, match, self.archive) and match is not None:
                    self.look_back(match.id)
            case _:
                assert_never(consequence)

    def consult(self, oracle: Oracle) -> None:
        """Let `oracle` compute the odds from now on."""
        self.chances.oracle = self.archive.scholar = self.ledger.chooser = oracle
        self._do(AskForOdds(None, self.match))

    # --- matches come and go ---------------------------------------------------------------------

    def begin(
        self,
        header: Header,
        deal: str = "people",
        colours: Sequence[str] = (),
        nicknames: Mapping[str, str] = MappingProxyType({}),
        played_by: Sequence[str] = (),
    ) -> int:
        """Start a match and return its number; InvalidInput if it is invalid, ConflictError if one runs.

        `colours` are those of the seats, where a game has that, `nicknames` the names of the animals,
        `played_by` by seat the strength of a bot, "" for a person; none: people play.
        """
        number = self.ledger.begin(header, deal, colours, nicknames, played_by).id
        self._changed_match()
        return number

    def _changed_match(self) -> None:
        """Drop the odds of the former match and publish the new one, if any."""
        self.chances.clear()
        self.evaluate()
        give_back()  # what the former match needed

    def set_aside(self, seq: int) -> None:
        """Put the match away until another day."""
        self.ledger.set_aside(seq)
        self._changed_match()

    def resume(self, number: int) -> None:
        """Bring a match that was set aside back to the table."""
        self.ledger.resume(number)
        self._changed_match()

    def end(self, seq: int) -> None:
        """End the match for good in its current state."""
        number = self.ledger.end(seq)
        self._changed_match()
        self.look_back(number)

    def look_back(self, number: int) -> Past:
        """Return a match that is over; its missing analysis is being computed."""
        return self.archive.look_back(number, self.match.id if self.match is not None else None)

    def forget(self, number: int) -> None:
        """Delete a match that is over from the journal for good, and clear it from the table if
        it is shown.
        """
        self.archive.forget(number)
        if self.match is not None and self.match.id == number:
            self.ledger.put(None)
            self.chances.clear()
        self.evaluate()

    def rename_seat(self, seat: int, name: str) -> None:
        """Rename a seat of the match, also in its past entries; InvalidInput for an invalid name."""
        was = self.ledger.rename_seat(seat, name)
        self.preferences.rename(was, name)
        self.faces.rename(was, name)
        self.evaluate()

    # --- what tags need of the table -------------------------------------------------------------

    def beep(self, tune: Tune) -> None:
        """Play a short tune."""
        self._do(Beep(tune))

    def take_pad(self) -> frozenset[str]:
        """Take the tags on the pad away from the game, and return them."""
        self.ledger.take(PadTaken(), self.clock())
        return frozenset(self.ledger.state.sensors.pad.tags)

    def update_items(self, items: Mapping[str, Item]) -> None:
        """Use these meanings of all known tags from now on."""
        self.ledger.take(TagsAre(items), self.clock())

    # --- what the screens show -------------------------------------------------------------------

    def show(self, **on: bool) -> None:
        """Turn some of the host's switches on or off, by name, and store that."""
        self._publish(replace(self.snapshot, switches=self.preferences.switch(**on)))


_INTERNAL = N_("something went wrong inside the companion, the game goes on: {text}")
