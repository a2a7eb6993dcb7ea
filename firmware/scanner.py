"""The sweep over all readers: two antennas warm at a time, silent readers mended, requested ones examined."""

import clock
from board import IDLE_MA, Port, has_fast
from detections import Detections, hexed
from rc522 import GAIN, MOST_CARDS, NO_ANSWER, POWER, WARM_UP_US, NoChip, Rc522

WARM = 2  # fields on at once: one reader is polled while the next warms up
SHORT_POLLS = 7  # of a tag that is there alone; then one that searches for others too
RESET_EVERY_MS = 2000  # between two resets of all readers for the sake of one that falls silent
RETRY_MS = 10000  # the same for one that has been silent before,
RETRY_RARELY_MS = 600000  # in the end, if they do not help
TORN_POLLS = 6  # of something unreadable, before the reader itself is tested
FALLS = 3  # in a row: a reader that wakes up, and fails in the middle of a poll
CONTEST = (12, 8, 6, 4, 3, 2)  # sixteenths of a reader's power, falling
SETTLE_MS = 2  # from the field to a current that can be measured
SAMPLES = 16  # at the current monitor for one figure
NO_FIELD_MA = 4  # a field that draws less is none: the weakest board seen drew 7
FIELD_MA = 20  # a step that no noise makes: where readers are few, it shows that a monitor is there


def stride_order(readers: int) -> list[int]:
    """Return the order of a sweep: from 7 readers on, consecutive readers are no neighbours.

    >>> stride_order(7)
    [0, 2, 4, 6, 1, 3, 5]
    """
    step = max(1, readers // 3)
    while _common(step, readers) != 1:
        step += 1
    return [i * step % readers for i in range(readers)]


def quickest_port():
    """Return the class of the quickest `Port` for this chip."""
    if not has_fast():
        return Port
    from fast import FastPort

    return FastPort


def _common(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


class Scanner:
    """The readers on `board` under the spaces `tagged`; their tags go into `spaces`.

    `powers` is the transmit power (CWGsPReg) by space, `gains` the receiver's gain in dB by space, `warm` the
    number of fields that may be on at once, 1 or 2. `faults` are by space: "silent", "group", "memory",
    "field" or "weak".
    """

    def __init__(self, board, spaces, tagged, powers=(), warm: int = WARM, gains=()) -> None:
        n = len(spaces.now)
        self.board = board
        self.spaces = spaces
        self.warm = warm
        self.order = [i for i in stride_order(n) if i in tagged]
        port = quickest_port()
        self.readers = {
            i: Rc522(port(board, i), powers[i] if powers else POWER, gains[i] if gains else GAIN)
            for i in self.order
        }
        self.detections = Detections(spaces, sorted(self.order))
        self.faults = {}
        self.versions = [0] * n
        self.steps = [None] * n
        self.sweep_ms = 0
        self.resets = 0
        self.found = {}  # of the last examination
        self._monitored = False  # whether a current monitor is fitted
        self._doubtful = []  # readers whose antenna is due for a test
        self._reset_at = None
        self._retry_ms = RETRY_MS
        self._since = [0] * n  # when a field came on
        self._round = [0] * n  # how many resets there had been then
        self._torn = [0] * n  # polls in a row that found something unreadable
        self._falls = [0] * n  # polls in a row in which the reader failed
        self._short = [i % SHORT_POLLS for i in range(n)]  # not all long ones in one sweep
        self._retry = 0
        self._warm = []  # readers whose fields are on, in the order in which they will be polled
        self._at = 0  # where in `order` the next field comes on
        self._roused = self._ready = None  # the reader whose field is next: being woken up, and awake

    # -- health

    def powers(self):
        """Return the transmit power of each space's reader; 0 where there is none."""
        return [self.readers[i].power if i in self.readers else 0 for i in range(len(self.versions))]

    def gains(self):
        """Return the gain of each space's reader in dB; 0 where there is none."""
        return [self.readers[i].gain if i in self.readers else 0 for i in range(len(self.versions))]

    def start(self) -> None:
        """Set all readers up and test them; those that do not answer are faulty, not fatal."""
        self.faults, self.steps = {}, [None] * len(self.steps)
        self._all_off()
        for i in self.order:
            self.detections.forget(i)
            fault = self._set_up(i)
            if fault is not None:
                self.faults[i] = fault
        self._measure()
        for i in self.order:
            if i not in self.faults:
                self.readers[i].park()

    def _set_up(self, i: int):
        """Reset a reader and set it up; return its fault, or None."""
        reader = self.readers[i]
        if reader.init():
            self.versions[i] = reader.version()
            return None if reader.remembers() else "memory"
        version = reader.version()
        if version not in NO_ANSWER:
            self.versions[i] = version
            return "memory"
        return "group" if version == 0xFF else "silent"

    def _measure(self) -> None:
        """Measure the current of each field, if a current monitor is fitted: an antenna without current is
        dead.
        """
        idle = self.board.milliamperes(SAMPLES)
        steps = {i: self._step(i) for i in self.order if i not in self.faults}
        self._monitored = idle >= IDLE_MA or max(steps.values(), default=0) >= FIELD_MA
        for i in steps:
            fault = self._judged(i, steps[i])
            if fault is not None:
                self.faults[i] = fault

    def _step(self, i: int) -> int:
        """Return the current of a reader's field, in mA."""
        before = self.board.milliamperes(SAMPLES)
        self.readers[i].field(True)
        clock.sleep_ms(SETTLE_MS)
        step = self.board.milliamperes(SAMPLES) - before
        self.readers[i].field(False)
        return step

    def _field_fault(self, i: int):
        """Return the fault of a reader's field; None too where no monitor measures it."""
        return self._judged(i, self._step(i)) if self._monitored else None

    def _judged(self, i: int, step: int):
        """Return the fault for a step: no step is a dead antenna, or switching it on was too much for the
        chip.
        """
        if not self._monitored:
            return None
        self.steps[i] = step
        if step >= NO_FIELD_MA:
            return None
        return "field" if self.readers[i].has_settings() else "weak"

    def _doubt_one(self) -> None:
        """Measure one reader per sweep whose last tag is gone: its space may be empty, or its
        antenna dead.
        """
        if self._doubtful:
            self._drain()
            i = self._doubtful.pop(0)
            reader = self.readers[i]
            reader.rouse()
            if i not in self.faults and reader.awake():
                fault = self._field_fault(i)
                if fault is not None:
                    self._give_up(i, fault)
                reader.park()

    def _mend(self, i: int) -> bool:
        """Set a reader that fell silent up again; then reset all by their pin; then give it up."""
        fault = self._reset_for(i, self._set_up(i), RESET_EVERY_MS)
        if fault is not None:
            self._give_up(i, fault)
        return fault is None

    def _reset_for(self, i: int, fault, every_ms: int):
        """Reset all for one that is silent, if the last time is long enough ago; return its fault then."""
        now = clock.ticks_ms()
        if fault not in ("silent", "group"):
            return fault
        # ticks wrap around: one longer ago than six days seems to be ahead
        if self._reset_at is not None and 0 <= clock.ticks_diff(now, self._reset_at) < every_ms:
            return fault
        self._reset_at = now
        self.board.pulse_reset()
        self.resets += 1
        return self._set_up(i)

    def _fell(self, i: int) -> bool:
        """Handle a reader that failed in the middle of a poll; return whether it can go on, set up again.

        A reader that fails repeatedly and is awake as long as its field is off has a weak supply.
        """
        self._falls[i] += 1
        if self._mend(i) and self._falls[i] >= FALLS:
            self._give_up(i, "weak")
            self.readers[i].park()
        return i not in self.faults

    def _survives_field(self, i: int) -> bool:
        """Return whether a reader that is set up gets through a poll with its field on."""
        reader = self.readers[i]
        reader.field(True)
        clock.sleep_us(WARM_UP_US)
        try:
            reader.uids()
        except NoChip:
            return False
        finally:
            reader.park()
        return True

    def _give_up(self, i: int, fault: str) -> None:
        self.faults[i] = fault
        self.detections.forget(i)

    def _try_a_faulty_one(self) -> None:
        """Try one faulty reader per sweep: a loose plug comes back by itself, and a dead group does not delay
        the others.
        """
        if self.faults:
            waiting = sorted(self.faults)
            self._retry += 1
            i = waiting[self._retry % len(waiting)]
            resets = self.resets
            fault = self._reset_for(i, self._set_up(i), self._retry_ms)
            if resets != self.resets:  # less and less often where it does not help
                self._retry_ms = RETRY_MS if fault is None else min(2 * self._retry_ms, RETRY_RARELY_MS)
            if fault is None:
                self._drain()
                fault = self._field_fault(i)
            if fault is None and not self._survives_field(i):
                fault = "weak"
            if fault is None:
                del self.faults[i]
                self._falls[i] = 0
            else:
                self.faults[i] = fault

    def forget(self) -> None:
        """Make everything unknown: the track has lost its power."""
        self._all_off()
        for i in self.order:
            self.detections.forget(i)

    # -- the sweep

    def sweep(self):
        """Poll every reader once; yield after each, so that the caller can talk in between.

        The fields that are on at its end go on into the next sweep: a field takes 5 ms to be of use.
        """
        began = clock.ticks_us()
        left = len(self.order) - len(self.faults)
        while left > 0 and self._switch_on():
            self._rouse_next()  # done, unless fields had to come on again
            i = self._warm.pop(0)
            self._look_ahead()
            seen = self._poll(i)
            self._rouse_next()
            if seen is not None:
                self._take_in(i, seen[0], seen[1])
            left -= 1
            yield i
        contest = self.detections.contested()
        if contest is not None:
            self._drain()
            for i in self._decide(contest[0], contest[1]):
                yield i
        self._doubt_one()
        self._try_a_faulty_one()
        self.sweep_ms = (clock.ticks_diff(clock.ticks_us(), began) + 500) // 1000

    def _switch_on(self) -> bool:
        """Switch on the fields that may be on together with the present ones; return whether any is."""
        warm, faults, order = self._warm, self.faults, self.order
        while len(warm) < self.warm and len(faults) < len(order):
            i = order[self._at]
            if i not in faults:
                if i in warm or self._has_warm_neighbour(i, warm):
                    break
                if self._field_on(i):
                    warm.append(i)
            self._at = (self._at + 1) % len(order)
        return len(warm) > 0

    def _rouse_next(self) -> None:
        """Start the oscillator of the next reader while another one is polled."""
        i = self.order[self._at]
        if i not in self.faults and i != self._roused and i not in self._warm:
            self.readers[i].rouse()
            self._roused, self._ready = i, None

    def _look_ahead(self) -> None:
        """Check, while there is time, whether the next reader's field may come on as soon as this one's is
        off.
        """
        i = self._roused
        if i is not None and not self._has_warm_neighbour(i, self._warm) and self.readers[i].awake():
            self._ready = i

    def _drain(self) -> None:
        """Switch all fields off; their readers are the next to be polled."""
        warm = self._warm
        if warm:
            self._at = self.order.index(warm[0])
            for i in warm:
                self.readers[i].park()
        self._all_off()

    def _all_off(self) -> None:
        """Note that no field is on, and no reader is awake."""
        self._warm.clear()
        self._roused = self._ready = None

    def _has_warm_neighbour(self, i: int, warm) -> bool:
        """Return whether the field of a neighbour is on: a tag between two fields answers neither."""
        n = len(self.spaces.now)
        for j in warm:
            gap = (i - j) % n
            if gap == 1 or gap == n - 1:  # `in` a tuple would take memory, twice a poll
                return True
        return False

    def _field_on(self, i: int) -> bool:
        """Switch a reader's antenna on; return False when it had to be given up."""
        reader = self.readers[i]
        if i != self._ready:
            if i != self._roused:
                reader.rouse()
            if not reader.awake() and not self._mend(i):
                return False
        reader.field(True)
        self._lit(i)
        return True

    def _lit(self, i: int) -> None:
        """Note that the field of a reader has come on."""
        self._since[i] = clock.ticks_us()
        self._round[i] = self.resets
        self._roused = self._ready = None

    def _await_card(self, i: int) -> None:
        """Wait until cards have had their field for long enough."""
        left = WARM_UP_US - clock.ticks_diff(clock.ticks_us(), self._since[i])
        if left > 0:
            clock.sleep_us(left)

    def _poll(self, i: int):
        """Poll once, field off at the end: return the tags seen, or None if the poll failed."""
        if self._round[i] != self.resets:
            return None  # all were reset meanwhile, its field is off: a poll now would see nothing
        known = self.detections.alone(i)
        whole = known is None or self._short[i] >= SHORT_POLLS
        try:
            seen = self._seen(i, known, whole, self._since[i] + WARM_UP_US)
        except NoChip:
            try:  # something put it to sleep, or it has restarted: from the beginning
                if not self._field_on(i):
                    return None
                seen = self._seen(i, known, whole, self._since[i] + WARM_UP_US)
            except NoChip:
                if self._fell(i):
                    self.readers[i].park()
                return None
        self._short[i] = 0 if whole else self._short[i] + 1
        return seen

    def _seen(self, i: int, known, whole: bool, due: int):
        """Return the tags that one poll of a reader sees; its field goes off, and the next one's on."""
        reader = self.readers[i]
        seen = reader.uids(MOST_CARDS, known, whole, due)
        after = self._ready
        if after is None:
            reader.park()
        else:
            reader.hand_over(self.readers[after])
            self._lit(after)
            self._warm.append(after)
            self._at = (self._at + 1) % len(self.order)
        return seen

    def _take_in(self, i: int, uids, unreadable: bool) -> None:
        """Process a poll, while the next field gets warm."""
        self._falls[i] = 0
        self._torn[i] = self._torn[i] + 1 if unreadable else 0
        if unreadable and self._torn[i] % TORN_POLLS == TORN_POLLS - 1 and self._forgets(i):
            return
        gone = self.detections.polled(i, uids, unreadable)
        if gone and self._monitored and i not in self._doubtful:
            self._doubtful.append(i)

    def _forgets(self, i: int) -> bool:
        """Return whether the reader's own memory is at fault for a long unreadable tag: then it
        is given up.
        """
        reader = self.readers[i]
        reader.rouse()
        forgets = reader.awake() and not reader.remembers()
        reader.park()
        if forgets:
            self._give_up(i, "memory")
        return forgets

    # -- two readers, one tag

    def _decide(self, uid: bytes, readers):
        """Poll all readers that detect a tag at falling power: the last that sees it has it; yield in
        between.
        """
        left = readers
        for sixteenths in CONTEST:
            see = []
            for i in left:
                if self._sees(i, uid, sixteenths):
                    see.append(i)
                yield i
            if len(see) == 1:
                self.detections.won(uid, see[0])
                return
            if not see:
                break
            left = see
        since = [(self.detections.of[i][uid].since, i) for i in left if uid in self.detections.of[i]]
        if since:  # they are alike: the latest
            self.detections.won(uid, max(since)[1])

    def _sees(self, i: int, uid: bytes, sixteenths: int) -> bool:
        reader = self.readers[i]
        if i in self.faults or not self._field_on(i):
            return False
        reader.transmit(max(1, reader.power * sixteenths // 16))
        self._since[i] = clock.ticks_us()
        self._await_card(i)
        try:
            found = reader.uids()[0]
            reader.transmit(reader.power)
            reader.park()
        except NoChip:
            reader.transmit(reader.power)
            return False  # the next sweep finds out
        return uid in found

    # -- requests of a maker

    def examine(self, i: int, polls: int, power, gain=None):
        """Poll `polls` times through one reader, at `power` and `gain` (None: as set); yield after each poll.

        `found` then holds the content of a `test` message.
        """
        hits, torn = {}, 0
        self._drain()
        self.found = {"space": i, "polls": polls, "hits": [], "torn": 0, "power": power, "fault": None}
        self.found["gain"] = gain
        for _ in range(polls):
            if i in self.faults or not self._field_on(i):
                self.found["fault"] = self.faults[i]
                return
            reader = self.readers[i]
            if power is not None:
                reader.transmit(power)
            if gain is not None:
                reader.amplify(gain)
            self._await_card(i)
            try:
                uids, unreadable = reader.uids()
            except NoChip:
                uids, unreadable = [], False
                self._fell(i)
            for uid in uids:
                hits[uid] = hits.get(uid, 0) + 1
            torn += unreadable
            reader.transmit(reader.power)
            if gain is not None:
                reader.amplify(reader.gain)
            reader.park()
            yield i
        self.found["hits"] = [[hexed(uid), hits[uid]] for uid in hits]
        self.found["torn"] = int(torn)
