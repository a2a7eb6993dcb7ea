"""The sweep over all readers, and what it makes of them: one tag in one place, unknown is not empty."""

import binascii

import clock
from board import Port
from rc522 import WARM_UP_US, NoChip, Rc522

MISSES = 2  # polls in a row without a tag before it counts as removed
HITS = 2  # polls in a row before a claim takes a tag from another reader
WARM = 2  # fields on at once: one reader is polled while the next warms up


def stride_order(readers: int) -> list[int]:
    """The order of a sweep: readers that follow one another are far apart, so their fields do not meet.

    >>> stride_order(7)
    [0, 2, 4, 6, 1, 3, 5]
    """
    step = max(1, readers // 3)
    while _common(step, readers) != 1:
        step += 1
    return [i * step % readers for i in range(readers)]


def _common(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


class Claim:
    """That one reader says a tag is on it."""

    def __init__(self, since: int) -> None:
        self.since = since  # the poll that began it, counted over the whole track
        self.hits = 0
        self.misses = 0
        self.stable = False

    def hit(self) -> None:
        """The tag was read."""
        self.hits, self.misses = self.hits + 1, 0
        self.stable = self.stable or self.hits >= HITS

    def miss(self) -> bool:
        """The tag was not read; True when it counts as removed."""
        self.hits, self.misses = 0, self.misses + 1
        return self.misses >= MISSES


class Scanner:
    """The readers on `board`. `spaces` is what lies where: a list of UIDs in hex, or None for unknown."""

    def __init__(self, board, readers: int) -> None:
        self.order = stride_order(readers)
        self.readers = [Rc522(Port(board, i)) for i in range(readers)]
        self.spaces = [None] * readers
        self.faulty = set()
        self.changed = set()
        self.sweep_ms = 0
        self._claims = [{} for _ in range(readers)]
        self._clear = [0] * readers  # polls in a row that found nothing unreadable
        self._torn = [0] * readers  # polls in a row that did
        self._polls = 0
        self._retry = 0

    def start(self) -> None:
        """Set all readers up; those that do not answer are faulty, not fatal."""
        self.faulty = {i for i, reader in enumerate(self.readers) if not self._init(reader)}

    def _init(self, reader) -> bool:
        if not reader.init():
            return False
        reader.park()
        return True

    def forget(self) -> None:
        """Nothing is known any more: the track has lost its power."""
        for i in range(len(self.readers)):
            self._unknown(i)

    def sweep(self):
        """Poll every reader once; yields after each, so that the caller can talk in between."""
        began = clock.ticks_us()
        waiting = [i for i in self.order if i not in self.faulty]
        warm = []  # (reader, when its field came on), the next to be polled first
        while waiting or warm:
            while waiting and len(warm) < WARM:
                reader = waiting.pop(0)
                if self._warm(reader):
                    warm.append((reader, clock.ticks_us()))
                else:
                    yield reader
            if not warm:
                break
            reader, since = warm.pop(0)
            left = WARM_UP_US - clock.ticks_diff(clock.ticks_us(), since)
            if left > 0:
                clock.sleep_us(left)
            self._poll(reader)
            yield reader
        self._try_a_faulty_one()
        self.sweep_ms = (clock.ticks_diff(clock.ticks_us(), began) + 500) // 1000

    def _warm(self, i: int) -> bool:
        reader = self.readers[i]
        if reader.wake() or reader.init():
            reader.field(True)
            return True
        self._is_faulty(i)
        return False

    def _poll(self, i: int) -> None:
        try:
            uids, unreadable = self.readers[i].uids()
            self.readers[i].park()
        except NoChip:
            self._is_faulty(i)
            return
        self._polls += 1
        self._torn[i] = self._torn[i] + 1 if unreadable else 0
        self._clear[i] += not unreadable
        if uids or self._claims[i]:
            self._claim(i, [binascii.hexlify(uid).decode().upper() for uid in uids], unreadable)
        self._publish()

    def _claim(self, i: int, tags: list[str], unreadable: bool) -> None:
        claims = self._claims[i]
        for tag in tags:
            if tag not in claims:
                claims[tag] = Claim(self._polls)
            claims[tag].hit()
        if unreadable:
            return  # what the noise hides is not gone
        for tag in list(claims):
            if tag not in tags and claims[tag].miss():
                del claims[tag]

    def _publish(self) -> None:
        """Make `spaces` from the claims: of several readers the latest stable claim has the tag."""
        owner = {}
        for i, claims in enumerate(self._claims):
            for tag, claim in claims.items():
                strength = (claim.stable, claim.since, i)
                if tag not in owner or strength > owner[tag]:
                    owner[tag] = strength
        for i, claims in enumerate(self._claims):
            if i in self.faulty or self._torn[i] >= MISSES:
                tags = None
            else:
                tags = sorted(tag for tag in claims if owner[tag][2] == i)
                if not claims and self._clear[i] < MISSES:
                    continue  # one miss is no proof of an empty space
            self._is(i, tags)

    def _is(self, i: int, tags) -> None:
        if self.spaces[i] != tags:
            self.spaces[i] = tags
            self.changed.add(i)

    def _unknown(self, i: int) -> None:
        self._claims[i] = {}
        self._clear[i] = self._torn[i] = 0
        self._is(i, None)

    def _is_faulty(self, i: int) -> None:
        self.faulty.add(i)
        self._unknown(i)
        self._publish()  # another reader may have its tags now

    def _try_a_faulty_one(self) -> None:
        """One a sweep: a loose plug comes back by itself, and a dead group does not hold up the others."""
        if self.faulty:
            waiting = sorted(self.faulty)
            self._retry += 1
            i = waiting[self._retry % len(waiting)]
            if self._init(self.readers[i]):
                self.faulty.discard(i)
