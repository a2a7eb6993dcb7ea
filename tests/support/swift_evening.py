"""An evening at speed: a game by the rules, hands that move its pieces, and what the referee comes to see of it.

The hands (tests/support/hands.py) move tags over the real Scanner and Claims (tests/support/swift_track.py); what changes goes
over the real wire into the real TrackPicture and to the real Referee, which plays a real Match. Time is virtual.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from companion.devices.mock.tags import DEMO_SET
from companion.devices.readings import PadSeen, SweepIs, TrackSeen
from companion.devices.sweeps import Sweeps
from companion.devices.track_state import TrackState, understood
from companion.firmware import link
from companion.games import find_by_name
from companion.games.boxes import options_for
from companion.games.judge import checked
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.entries import Entry, Filed
from companion.match.match import Match
from companion.match.record import Header, decision_line
from companion.referee.evaluation import Evaluation
from companion.referee.sensors import Sensors
from companion.tags.item import Item
from hardware.sizes import sizes
from tests.support.hands import MADE_S, READY_S, WORSE, Evenings, Hands
from tests.support.swift_track import Point, SwiftTrack

GAMES = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")
NAMES = ("Ada", "Ben", "Cleo", "Dev", "Emma")
COLOURS = ("red", "blue", "green", "yellow", "pink")
OPTIONS: Mapping[str, dict[str, Any]] = {"galloping-pigs": {"rounds": 1}, "greyhounds": {"lap": 22}}
UID = {means: bytes.fromhex(uid) for uid, means in DEMO_SET.items()}
ITEMS = {uid: Item.of(means) for uid, means in DEMO_SET.items()}
S = 1e6  # microseconds in a second
BEAT_US = 0.5 * S  # between two heartbeats
EACH, SOAK = 50, 2500  # evenings of each game in `make nightly` and in `make soak`
AIR = 100.0  # mm above the track, out of every reader's reach
ASIDE = 300.0  # mm away from it


class Made(NamedTuple):
    """A move, as the hand knows it: from this moment on the piece stands there (None: off the track)."""

    us: float
    piece: str
    sensor: int | None


class Wrong(NamedTuple):
    """What went wrong, of what piece."""

    kind: Literal["lost", "invented", "held", "alert"]
    what: str


def in_dish(point: Point, pitch: float) -> Point:
    """Return the place nearest to this one within a reader's dish: its edge holds two pieces that share it."""
    size = sizes()
    space = pitch * round(point.along / pitch)
    end = size["near_across"] - size["near"]
    middle = max(-end, min(end, point.across))
    along, across = point.along - space, point.across - middle
    away, most = math.hypot(along, across), size["near"] + size["play"]
    if away <= most:
        return point
    part = most / away
    return point._replace(along=space + along * part, across=middle + across * part)


class Fingers:
    """Two hands over a track of so many readers: they turn "this piece there" into a way and moves made."""

    def __init__(self, table: Evenings, readers: int, loop: bool, rng: random.Random) -> None:
        self.hands: Hands = table.hands
        self.pitch = table.radio.pitch
        self.readers, self.loop, self.rng = readers, loop, rng
        self.done: Counter[str] = Counter()

    def move(
        self, us: float, start: Point | None, source: int | None, to: int | None, shared: float
    ) -> Moved:
        """Move a piece to a sensor; None: off the track. `shared`: how far from the middle."""
        began = start or Point(us, self.pitch * (to or 0), ASIDE, AIR)
        if start is not None and source is not None and self.loop:  # counted on past the end in earlier moves
            laps = round((began.along / self.pitch - source) / self.readers)
            began = began._replace(along=began.along - laps * self.readers * self.pitch)
        moved = Moved([began._replace(us=us)], [])
        if to is None:
            self._up(moved)
            self._on(moved, self.hands.carry, moved.now.along, ASIDE, AIR)
            moved.made.append((moved.now.us, None))
            return moved
        astray = self._astray(to)
        if astray is None:
            self._bring(moved, source, to)
        else:
            kind, space = astray
            self._bring(moved, source, space)
            self._rest(moved, self.hands.slip if kind == "slips" else self.hands.miscount)
            if kind == "miscounts":
                moved.made.append((moved.now.us - 1, space))
            self._up(moved)
            self._down(moved, to, AIR)
        if self._does("touches_twice"):
            self._rest(moved, self.hands.slip)
            self._on(
                moved, self.hands.up_again, moved.now.along, moved.now.across, self._of("hop_height"), 0.5
            )
            self._set(moved, to, 0.5)
        if shared:
            moved.points[-1] = in_dish(moved.now._replace(across=moved.now.across + shared), self.pitch)
        moved.made.append((moved.now.us, to))
        return moved

    def knock(self, us: float, stood: Point) -> Moved:
        """Knock a piece off its place, let it rest off the track, and put it back."""
        hands = self.hands
        moved = Moved([stood._replace(us=us)], [])
        far = self._of("knocked") * self.rng.choice((1, -1))
        self._add(moved, 0.15, stood.along, far, 0)
        self._rest(moved, hands.lying)
        self._up(moved)
        self._add(moved, hands.lower.of(self.rng), stood.along, stood.across, 0)
        return moved

    def _does(self, name: str) -> bool:
        happens: bool = getattr(self.hands, name).happens(self.rng)
        self.done[name] += happens
        return happens

    def _of(self, name: str) -> float:
        value: float = getattr(self.hands, name).of(self.rng)
        return value

    def _astray(self, to: int) -> tuple[str, int] | None:
        for kind in ("slips", "miscounts"):
            if self._does(kind):
                return kind, self._next_space(to)
        return None

    def _next_space(self, space: int) -> int:
        there = [space - 1, space + 1]
        return self.rng.choice([s % self.readers for s in there if self.loop or 0 <= s < self.readers])

    def _bring(self, moved: Moved, source: int | None, to: int) -> None:
        """Bring a piece from its place to a space, in one of the ways that people do it."""
        far = 0 if source is None else to - source
        if self.loop and abs(far) > self.readers / 2:
            far -= int(math.copysign(self.readers, far))
        if source is not None and far and self._does("slides"):
            self._slide(moved, source + far)
        elif source is not None and far and self._does("counts"):
            self._count(moved, source, far)
        else:
            self._carry(moved, source, to if source is None else source + far)

    def _slide(self, moved: Moved, to: int) -> None:
        speed, height = self._of("slide_speed"), self._of("slide_height")
        along, across = self._spot(to)
        self._add(moved, 0.05, moved.now.along, moved.now.across, height)
        self._add(moved, abs(along - moved.now.along) / speed, along, across, height)
        self._add(moved, 0.05, along, across, 0)

    def _count(self, moved: Moved, source: int, far: int) -> None:
        step = 1 if far > 0 else -1
        for space in range(source + step, source + far + step, step):
            along, across = self._spot(space)
            before, hop = moved.now, self._of("hop") / 2
            self._add(
                moved, hop, (before.along + along) / 2, (before.across + across) / 2, self._of("hop_height")
            )
            self._add(moved, hop, along, across, 0)
            if space != source + far:
                self._rest(moved, self.hands.touch)

    def _carry(self, moved: Moved, source: int | None, to: int) -> None:
        if source is not None:
            self._up(moved)
        height = AIR
        if self._does("hovers"):
            height = self._of("hover_height")
            over = to + self.rng.choice((1, -1)) if self._does("hovers_next_to") else to
            self._on(moved, self.hands.carry, self.pitch * over, 0, height)
            self._rest(moved, self.hands.hover)
        self._down(moved, to, height)

    def _down(self, moved: Moved, to: int, height: float) -> None:
        along = self.pitch * self._unrolled(moved, to)
        if abs(moved.now.along - along) > self.pitch / 4 or moved.now.across:
            self._on(moved, self.hands.carry, along, 0, max(height, moved.now.above))
        self._set(moved, to)

    def _set(self, moved: Moved, to: int, part: float = 1.0) -> None:
        along, across = self._spot(self._unrolled(moved, to))
        self._on(moved, self.hands.lower, along, across, 0, part)

    def _unrolled(self, moved: Moved, to: int) -> int:
        """Return the same space, counted on past the end of the loop, nearest to where the piece is."""
        laps = round((moved.now.along / self.pitch - to) / self.readers) if self.loop else 0
        return to + laps * self.readers

    def _spot(self, space: int) -> tuple[float, float]:
        off, angle = self._of("offset"), self.rng.uniform(0, 2 * math.pi)
        return self.pitch * space + off * math.cos(angle), off * math.sin(angle)

    def _up(self, moved: Moved) -> None:
        self._on(moved, self.hands.lift, moved.now.along, moved.now.across, AIR)

    def _rest(self, moved: Moved, how_long: Any) -> None:
        now = moved.now
        self._add(moved, how_long.of(self.rng), now.along, now.across, now.above)

    def _on(
        self, moved: Moved, how_long: Any, along: float, across: float, above: float, part: float = 1.0
    ) -> None:
        self._add(moved, how_long.of(self.rng) * part, along, across, above)

    def _add(self, moved: Moved, seconds: float, along: float, across: float, above: float) -> None:
        moved.points.append(Point(moved.now.us + seconds * S, along, across, above))


class Moved(NamedTuple):
    """The way of one piece, and the moves that are made by it: when, and to which sensor."""

    points: list[Point]
    made: list[tuple[float, int | None]]

    @property
    def now(self) -> Point:
        """Where the way has come to."""
        return self.points[-1]


class Eyes:
    """What the referee has come to see, piece by piece: spaces in order, each once until it is another."""

    def __init__(self) -> None:
        self.spaces: dict[str, list[int]] = {}

    def see(self, piece: str, space: int) -> None:
        """Note that the piece stands there now."""
        spaces = self.spaces.setdefault(piece, [])
        if not spaces or spaces[-1] != space:
            spaces.append(space)


class SwiftEvening:
    """One game from line-up to the end. After `play`: `wrong`, `moves`, what the fingers have `done`."""

    def __init__(self, game: str, seed: int, table: Evenings | None = None, full: bool = False) -> None:
        self.table = table or Evenings()
        self.rng = random.Random(f"{game} {seed}")
        low, high = find_by_name(game).seat_counts
        seats = NAMES[: self.rng.randint(low, high)]
        colours = tuple(self.rng.sample(COLOURS, len(seats))) if find_by_name(game).owned else ()
        options = options_for(find_by_name(game), len(seats)) | OPTIONS.get(game, {})
        header = Header(game, seats, 0, options)
        filed = Filed(1, header, "people", colours, "running", "")
        self.match = Match.of(filed, ())
        self.race: Race = filed.opening()
        track = self.race.track()
        self.readers = min(40, track["spaces"] + track.get("behind", 0))
        self.track = SwiftTrack(self.table.radio, self.readers, seed, full)
        self.fingers = Fingers(self.table, self.readers, track["kind"] == "loop", self.rng)
        self.sensors = Sensors()
        self.truth, self.eyes = Eyes(), Eyes()
        self.stands: dict[str, tuple[int, Point]] = {}
        self.laid: Counter[str] = Counter()
        self.wrong: list[Wrong] = []
        self.moves = 0
        self.asked = 0
        self.deadline: float | None = None
        self._sweeps, self._beats = Sweeps(), BEAT_US
        self._compared: tuple[Race | None, tuple[str, ...]] = (None, ())
        self._lines = link.Lines()
        self._number = 0
        self._seq = 0
        self.snapshot = TrackState(["tag"] * self.readers)
        self._say("hi", self._hi())
        self._say("snap", {"spaces": self.track.spaces.now})
        self.track.spaces.changed.clear()

    # --- the game --------------------------------------------------------------------------------

    def play(self) -> SwiftEvening:
        """Play to the end."""
        self.scan(self.us + 0.3 * S)
        while (due := self.race.awaits()) is not None:
            if not due.seats or self.race.may_deal():
                deal = self.race.drawn(self.rng)
                assert deal is not None
                self.race = checked(self.race, deal)
                self._dealt()
                continue
            decision = self.race.at_random(self.rng.choice(due.seats), self.rng)
            uids = self.decided(decision)
            self.enter(decision, uids)
            self.put_pieces(self.targets())
        self.scan(self.us + MADE_S * S)
        self._compare()
        return self

    def decided(self, decision: Decision) -> tuple[str, ...]:
        """Enter a decision as people do, by the pieces, a card or a tap; return the tags that say it."""
        if decision.do == "line-up":
            first = {piece: -place % self.readers for place, piece in enumerate(decision.what)}
            self.put_pieces(first)
            self.asked += 1
            offer = self.evaluation().offer
            if offer is None or offer.decision != decision:
                self.wrong.append(Wrong("held", f"line-up {offer}"))
            return ()
        if decision.do == "play" and not self.match.private() and self.rng.random() < 0.7:
            return self.lay(decision)
        if self.held():
            self.wrong.append(Wrong("held", f"{decision.do}: {self.held()}"))
        return ()

    def lay(self, decision: Decision) -> tuple[str, ...]:
        """Lay the card; it must be played at once, since everything stands as it should."""
        assert decision.seat is not None
        if self.race.one_card_at_a_time:
            key = f"{self.race.cards_back()} {decision.what}"
            self.laid[key] += 1
            card = f"{decision.what}/{self.laid[key]}"
        else:
            card = f"{self.race.field()[decision.seat]}/{decision.what}"
        uid = UID[f"{self.race.name}/card/{card}"].hex().upper()
        self.asked += 1
        self.sensors = self.sensors.after_pad(PadSeen(frozenset({uid})), ITEMS, self.now)
        attempt, late = None, self.us + READY_S * S
        while attempt is None and self.us < late:
            self.scan(self.us + 0.05 * S)
            self.sensors = self.sensors.advanced(self.match, self.now)
            self.sensors, attempt = self.evaluation().judged
        if attempt is None or attempt.decision != decision:
            alerts = self.evaluation().alerts
            self.wrong.append(Wrong("held", f"{card}: {self.held()} {alerts}"))
        self.sensors = self.sensors.after_pad(PadSeen(frozenset()), ITEMS, self.now)
        return (uid,)

    def held(self) -> list[str]:
        """Return the pieces for whose sake a card would have to wait now."""
        return [str(task.text) for task in self.evaluation().todo if task.held]

    def enter(self, decision: Decision, uids: tuple[str, ...] = ()) -> None:
        """Put the decision in force."""
        self._enter(Entry("decide", decision_line(self.race, decision), uids))
        self.race = checked(self.race, decision)
        self._dealt()
        self.sensors = self.sensors.after_decision(self.match, ITEMS, uids)
        self.look()
        self._believe()

    def _dealt(self) -> None:
        while (deal := self.match.race.dealt_unseen()) is not None:
            self._enter(Entry("decide", decision_line(self.match.race, deal), by="companion"))

    def _enter(self, entry: Entry) -> None:
        self._seq += 1
        self.match = self.match.after(entry._replace(seq=self._seq))

    # --- the hands -------------------------------------------------------------------------------

    def targets(self) -> dict[str, int | None]:
        """Return the sensor over which each piece should stand; None: off the track."""
        race, first = self.race, self.race.first_space
        waiting = race.unsensed()
        to = {}
        for piece, place in race.layout().items():
            sensor = None if place.space is None or piece in waiting else place.space - first
            to[piece] = sensor if sensor is not None and 0 <= sensor < self.readers else None
        return to

    def put_pieces(self, to: Mapping[str, int | None]) -> None:
        """Put every piece in place, one after the other or two at once; then poll, and wait a little."""
        left = [piece for piece in to if self._sensor(piece) != to[piece]]
        self.rng.shuffle(left)
        hands, resting = self.table.hands, [p for p in self.stands if p not in left]
        if not left:
            return
        while left:
            pair = len(left) > 1 and hands.two_at_once.happens(self.rng)
            now, left = left[: 1 + pair], left[1 + pair :]
            at = self.us
            ways = {}
            for piece in now:
                ways[piece] = self._way(at, piece, to[piece])
                at += hands.apart.of(self.rng) * S
            if resting and hands.knocks.happens(self.rng):
                other = self.rng.choice(resting)
                ways[other] = self.fingers.knock(self.us, self.stands[other][1])
            self._do(ways)
            if left:
                self.scan(self.us + hands.apart.of(self.rng) * S)
        self.scan(self.us + READY_S * S)
        if self.race.layout() and (held := self.held()):
            self.wrong.append(Wrong("held", f"late: {held}"))
        self.scan(self.us + (hands.think.of(self.rng) - READY_S) * S)

    def _sensor(self, piece: str) -> int | None:
        return self.stands[piece][0] if piece in self.stands else None

    def _way(self, us: float, piece: str, to: int | None) -> Moved:
        source, point = self.stands.pop(piece, (None, None))
        shared = self._distance_from_middle(to) if to is not None else 0.0
        return self.fingers.move(us, point, source, to, shared)

    def _distance_from_middle(self, to: int) -> float:
        """Return how far from the middle a piece comes to stand; one in the middle is pushed aside."""
        there = [(other, point) for other, (sensor, point) in self.stands.items() if sensor == to]
        if len(there) != 1:
            return 0.0  # alone; or one of three, who are not compared
        side, (other, stood) = self.table.hands.side_by_side, there[0]
        if abs(stood.across) <= side:
            stood = in_dish(stood._replace(across=stood.across - side), self.table.radio.pitch)
            self._stand(other, to, stood)
        return side if stood.across < 0 else -side

    def _do(self, ways: Mapping[str, Moved]) -> None:
        """Let it happen."""
        for piece, moved in ways.items():
            self.track.world.go(self._uid(piece), moved.points)
        made = sorted(Made(us, piece, at) for piece, moved in ways.items() for us, at in moved.made)
        for move in made:
            self.scan(move.us)
            self.moves += 1
            if move.sensor is None:
                self.stands.pop(move.piece, None)
            else:
                self.stands[move.piece] = (move.sensor, ways[move.piece].now)
            self._believe()
        self.scan(max(moved.now.us for moved in ways.values()))
        for piece, moved in ways.items():
            if piece in self.stands:
                self._stand(piece, self.stands[piece][0], moved.now)
            else:
                self.track.world.away(self._uid(piece))

    def _stand(self, piece: str, sensor: int | None, point: Point) -> None:
        assert sensor is not None
        self.stands[piece] = (sensor, point)
        self.track.world.stand(self._uid(piece), point.along, point.across)

    def _uid(self, piece: str) -> bytes:
        return UID[f"{self.race.name}/piece/{piece}"]

    # --- the sensors and the referee -------------------------------------------------------------

    @property
    def us(self) -> float:
        """The virtual moment."""
        return self.track.clock.us

    @property
    def now(self) -> float:
        """The same in seconds, for the referee."""
        return self.track.clock.us / S

    def scan(self, until: float) -> None:
        """Let the firmware poll and report until then; call the referee at its deadlines."""
        track = self.track
        while track.clock.us < until:
            track.poll()
            if track.clock.us >= self._beats:
                self._beat()
            if track.spaces.changed:
                self._tell()
            elif self.deadline is not None and track.clock.us >= self.deadline * S:
                self.look()

    def _beat(self) -> None:
        """Send a heartbeat: the track reports how long its sweep takes, if that is new."""
        self._beats = self.us + BEAT_US
        before, self._sweeps = self._sweeps, self._sweeps.after(self.track.scanner.sweep_ms)
        if self._sweeps.usual is not None and self._sweeps.usual != before.usual:
            self.sensors = self.sensors.after_sweep(SweepIs(self._sweeps.usual))
            self.look()

    def _tell(self) -> None:
        spaces = self.track.spaces
        changes = [[space, spaces.now[space]] for space in sorted(spaces.changed)]
        spaces.changed.clear()
        self._say("ev", {"changes": changes})
        assert self.snapshot.whole
        seen: Any = dict(enumerate(self.snapshot.spaces))
        self.sensors = self.sensors.after_track(TrackSeen(seen), self.now)
        self.look()

    def _say(self, kind: str, message: dict[str, object]) -> None:
        line = link.encode({**message, "n": self._number, "is": kind})
        self._number += 1
        for heard in self._lines.feed(line):
            self.snapshot.hear(understood(heard))

    def _hi(self) -> dict[str, object]:
        n = self.readers
        kinds: list[str] = ["tag"] * n
        who = {"protocol": link.PROTOCOL, "firmware": "1", "boot": "1", "board": "", "cause": "power"}
        return {**who, "spaces": kinds, "faulty": [], "versions": [], "steps": [], "powers": [], "warm": 2}

    def evaluation(self) -> Evaluation:
        """Return what the referee says now."""
        return Evaluation(self.sensors, self.match, ITEMS, self.now)

    def look(self) -> None:
        """Note what the referee sees by now, and whether it complains."""
        evaluation = self.evaluation()
        assert evaluation.comparison is not None
        for piece in self.compared():
            sensed = evaluation.comparison.pieces.get(piece)
            if sensed is not None and sensed.at is not None and sensed.still:
                self.eyes.see(piece, sensed.at)
        for alert in evaluation.alerts:
            if alert.kind == "refused":
                self.wrong.append(Wrong("alert", str(alert.text)))
        self.deadline = evaluation.next_deadline

    def compared(self) -> tuple[str, ...]:
        """Return the pieces that the referee compares: on track, not waiting, at most two on a space."""
        race = self.match.race
        if self._compared[0] is not race:
            layout, waiting = race.layout(), race.unsensed()
            places = Counter(layout.values())
            sensed = range(race.first_space, race.first_space + self.readers)
            pieces = (
                p for p, at in layout.items() if at.space in sensed and p not in waiting and places[at] < 3
            )
            self._compared = (race, tuple(pieces))
        return self._compared[1]

    def _believe(self) -> None:
        """Add what the hands did to the list that the eyes must come to."""
        for piece in self.compared():
            if piece in self.stands:
                self.truth.see(piece, self.stands[piece][0] + self.race.first_space)

    def _compare(self) -> None:
        for piece in self.truth.spaces.keys() | self.eyes.spaces.keys():
            made, seen = self.truth.spaces.get(piece, []), self.eyes.spaces.get(piece, [])
            lost, invented = differences(made, seen)
            self.wrong += [Wrong("lost", f"{piece} to {space}") for space in lost]
            self.wrong += [Wrong("invented", f"{piece} to {space}") for space in invented]


def differences(made: list[int], seen: list[int]) -> tuple[list[int], list[int]]:
    """Return what was made and not seen, and what was seen and not made, at the least.

    >>> differences([1, 2, 3], [1, 9, 3])
    ([2], [9])
    """
    longest: list[list[int]] = [[0] * (len(seen) + 1) for _ in range(len(made) + 1)]
    for i, one in enumerate(made):
        for j, other in enumerate(seen):
            longest[i + 1][j + 1] = (
                longest[i][j] + 1 if one == other else max(longest[i][j + 1], longest[i + 1][j])
            )
    lost, invented, i, j = [], [], len(made), len(seen)
    while i or j:
        if i and j and made[i - 1] == seen[j - 1]:
            i, j = i - 1, j - 1
        elif j and (not i or longest[i][j - 1] >= longest[i - 1][j]):
            j -= 1
            invented.append(seen[j])
        else:
            i -= 1
            lost.append(made[i])
    return lost[::-1], invented[::-1]


class Tally:
    """Many evenings counted together."""

    def __init__(self) -> None:
        self.evenings = self.moves = self.asked = self.sweeps = 0
        self.seconds = 0.0
        self.done: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.said: list[str] = []

    def take(self, evening: SwiftEvening, name: str) -> None:
        """Add an evening that was played."""
        self.evenings += 1
        self.moves += evening.moves
        self.asked += evening.asked
        self.sweeps += evening.track.sweeps
        self.seconds += evening.now
        self.done += evening.fingers.done
        self.wrong += Counter(wrong.kind for wrong in evening.wrong)
        self.said += [f"{name}: {wrong.kind} {wrong.what}" for wrong in evening.wrong]

    def __str__(self) -> str:
        habits = ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in sorted(self.done.items()))
        return (
            f"{self.evenings} evenings, {self.seconds / 3600:.1f} h, {self.moves} moves "
            f"({habits}), {self.asked} cards and line-ups, {self.sweeps} sweeps: "
            f"{self.wrong['lost']} lost, {self.wrong['invented']} invented, {self.wrong['held']} held back, "
            f"{self.wrong['alert']} false alerts"
        )


def played(game: str, seeds: Iterable[int], table: Evenings | None = None) -> Tally:
    """Return the tally of the evenings of these seeds."""
    tally = Tally()
    for seed in seeds:
        tally.take(SwiftEvening(game, seed, table).play(), f"{game} {seed}")
    return tally


def soaked(game: str) -> Tally:
    """Return the tally of `make soak`: over a Pico that takes half as long again as the emulated one."""
    return played(game, range(SOAK), WORSE["a Pico so many times slower"](Evenings(), 1.5))
