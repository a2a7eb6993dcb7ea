"""An evening at a table whose time and sensors the test moves by hand: the real table, journal and referee."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from companion.devices.mock.tags import DEMO_SET
from companion.devices.readings import PadSeen, PresenceSeen, Pressed, TrackSeen
from companion.games.presenter import presented
from companion.match.record import Header
from companion.referee.tagged import STRAY_STILL
from companion.store.clock import Clock
from companion.store.journal import Journal
from companion.table.table import Table
from companion.translate import Words

UID = {means: uid for uid, means in DEMO_SET.items()}
AT_REST = STRAY_STILL + 0.1  # seconds after which every tag or piece counts
PIGS = ("red", "blue", "green", "yellow", "pink")


class Evening:
    """A game of pigs (or another) on a track of `spaces` sensed spaces; None: no track, `pad` False: no pad.

    `kind` is what senses a space: a reader of tags, or a switch that reports that something is `present`.
    """

    def __init__(
        self,
        directory: Path,
        game: str = "galloping-pigs",
        seats: Sequence[str] = ("Ada", "Ben", "Cleo"),
        spaces: int | None = 22,
        options: dict[str, Any] | None = None,
        deal: str = "people",
        colours: Sequence[str] = (),
        nicknames: dict[str, str] | None = None,
        bots: Sequence[str] = (),
        kind: Literal["tag", "present"] = "tag",
        dated_by: Clock | None = None,
    ) -> None:
        self._dated_by = dated_by
        self.kind = kind
        self.game, self.spaces = game, spaces
        self.now = 100.0
        self.directory = directory
        self.on_pad: set[str] = set()
        self.on_track: dict[str, int] = {}  # UID: space
        self.silent: set[int] = set()
        self.closed_too: set[int] = set()  # switches that close although no piece stands there
        self._open()
        self.table.journal.bind(DEMO_SET)
        self._open()
        if seats:
            header = Header(game, tuple(seats), 0, options or {})
            self.table.begin(header, deal, colours, nicknames or {}, bots)

    def _open(self) -> None:
        self.journal = Journal(self.directory / "journal.sqlite", dated_by=self._dated_by)
        weakref.finalize(self, self.journal.close)
        self.table = Table(self.journal, clock=lambda: self.now).open()

    def restart(self) -> None:
        """Cut the power and restore it: only the journal and what is on the table remain."""
        self.journal.close()
        self._open()
        self.show_track()
        self.show_pad()
        self.wait()

    @property
    def said(self) -> list[str]:
        """What the table says is wrong, in English."""
        return [str(alert.text) for alert in self.table.snapshot.alerts]

    # --- hands -----------------------------------------------------------------------------------

    def wait(self, seconds: float = AT_REST) -> None:
        """Time passes; the table wakes up whenever it wanted to."""
        until = self.now + seconds
        while (deadline := self.table.next_deadline()) is not None and deadline <= until:
            self.now = max(self.now, deadline)
            self.table.evaluate()
        self.now = until
        self.table.evaluate()

    def show_pad(self, unreadable: bool = False) -> None:
        self.table.handle(PadSeen(frozenset(self.on_pad), unreadable))

    def show_track(self) -> None:
        if self.spaces is None:
            return
        seen: dict[int, frozenset[str] | None] = {n: frozenset() for n in range(self.spaces)}
        for space in self.silent:
            seen[space] = None
        for uid, space in self.on_track.items():
            if seen.get(space) is not None:
                seen[space] = (seen[space] or frozenset()) | {uid}
        if self.kind == "tag":
            self.table.handle(TrackSeen(seen))
        else:
            closed = {
                n: None if tags is None else bool(tags) or n in self.closed_too for n, tags in seen.items()
            }
            self.table.handle(PresenceSeen(closed))

    def card(self, name: str) -> str:
        """Return the UID of a card, such as "red 3" or "galloping-horse red 3"."""
        colour, number = name.split()[-2:]
        game = name.split()[0] if len(name.split()) == 3 else self.game
        return UID[f"{game}/card/{colour}/{number}"]

    def lay(self, *cards: str, wait: float = AT_REST) -> None:
        """Lay cards on the pad, all at once."""
        self.on_pad |= {self.card(card) for card in cards}
        self.show_pad()
        self.wait(wait)

    def lift(self, *cards: str) -> None:
        """Lift cards from the pad; none named: all."""
        self.on_pad -= {self.card(card) for card in cards} if cards else set(self.on_pad)
        self.show_pad()
        self.wait()

    def put(self, piece: str, space: int | None, wait: float = AT_REST) -> None:
        """Put a piece on a space; None: take it off the track."""
        uid = UID[f"{self.game}/piece/{piece}"]
        self.on_track.pop(uid, None)
        if space is not None:
            self.on_track[uid] = space - self.race.first_space
        self.show_track()
        self.wait(wait)

    def press(self, button: Any) -> None:
        self.table.handle(Pressed(button))
        self.wait()

    def line_up(self, order: Sequence[str] = PIGS) -> None:
        """Put the pieces on the line-up spaces and press confirm; where nothing names them, by tap."""
        if self.spaces is not None:
            for place, piece in enumerate(order):
                self.put(piece, -place % 22, wait=0)
            self.wait()
        if self.spaces is None or self.kind == "present":
            seat = self.race.awaits().seats[0]
            self.tap({"do": "line-up", "seat": seat, "order": list(order)})
        else:
            self.press("confirm")

    def play(self, card: str, lift: bool = True) -> None:
        """Lay a card, move its piece where the companion says, lift the card."""
        self.lay(card)
        piece = card.split()[-2]
        if self.spaces is not None and self.race.layout():  # after the last card of a round nothing stands
            self.put(piece, self.at(piece))
        if lift:
            self.lift(card)

    def tap(self, line: dict[str, Any]) -> None:
        self.table.play.decide(self.table.snapshot.seq, line)

    # --- what is shown ---------------------------------------------------------------------------

    def at(self, piece: str) -> int:
        """Return where a piece should stand."""
        assert self.table.match is not None
        space = self.table.match.race.layout()[piece].space
        assert space is not None
        return space

    @property
    def race(self) -> Any:
        assert self.table.match is not None
        return self.table.match.race

    @property
    def played(self) -> str:
        """The cards in force, in order."""
        assert self.table.match is not None
        return " ".join(d.what for d in self.table.match.decisions() if d.do == "play")

    @property
    def due(self) -> str:
        """The decision that is due now, as the table publishes it."""
        prompt = presented(self.race.seen_by(None)).prompt()
        return "" if prompt is None else Words.english().text(prompt, self.race)

    @property
    def gathered(self) -> list[tuple[int, ...]]:
        """The sets that are being shown card by card."""
        return [tuple(gathered.numbers.values()) for gathered in self.table.snapshot.gathered]

    @property
    def alerts(self) -> list[str]:
        return [Words.english().text(alert.text, self.race) for alert in self.table.snapshot.alerts]

    @property
    def todo(self) -> list[str]:
        """What is to be moved; with an exclamation mark if the next card waits for it."""
        return [
            Words.english().text(task.text, self.race) + ("!" if task.held else "")
            for task in self.table.snapshot.todo
        ]
