"""The tags of each reader: two misses before one is gone, one tag in one place, unknown is not empty."""

import binascii

MISSES = 2  # polls in a row without a tag before it counts as removed
HITS = 2  # polls in a row before a detection takes a tag from another reader
AGAIN = 16  # sweeps after a contest, as long as both go on reading the tag: it may have been slid across


class Detection:
    """The report of one reader that a tag is on it."""

    def __init__(self, since: int) -> None:
        self.since = since  # the poll that began it, counted over the whole track
        self.hits = 0
        self.misses = 0
        self.stable = False

    def hit(self) -> bool:
        """Count a read of the tag; return True when the detection has become stable by it."""
        self.hits, self.misses = self.hits + 1, 0
        fresh = not self.stable and self.hits >= HITS
        self.stable = self.stable or fresh
        return fresh

    def miss(self) -> bool:
        """Count a miss of the tag; return True when it counts as removed."""
        self.hits, self.misses = 0, self.misses + 1
        return self.misses >= MISSES


class Won:
    """The win of a reader in the contest for a tag; a `rival` is one that has won it once since."""

    def __init__(self, reader: int) -> None:
        self.reader = reader
        self.rival = None
        self.sweeps = 0

    def again(self, reader: int) -> None:
        """Count another contest: halfway between two readers one win is chance, only the second in a row
        counts.
        """
        if reader == self.reader:
            self.rival, self.sweeps = None, 0
        elif reader == self.rival:
            self.reader, self.rival, self.sweeps = reader, None, 0
        else:
            self.rival = reader  # and at the next sweep again


class Detections:
    """The detections of all readers; the resulting tags are put into `spaces`."""

    def __init__(self, spaces, readers) -> None:
        self.spaces = spaces
        self.readers = readers  # the spaces that have one
        self.of = {i: {} for i in readers}  # reader: {UID: Detection}
        self.missed = [0] * len(spaces.now)  # polls that missed a present tag, since the last report
        self.owner = {}  # UID: winner of the contest for it
        self.shared = []  # [UID as in messages, the readers] where several keep reading one
        self._clear = [0] * len(spaces.now)  # polls in a row that found nothing unreadable
        self._torn = [0] * len(spaces.now)  # polls in a row that did
        self._polls = 0
        self._several = False  # whether any tag is read by more than one

    def polled(self, reader: int, uids, unreadable: bool) -> bool:
        """Process one poll of a reader: the UIDs it saw, and whether something there could not be read.

        Return True when the last tag on it is gone with this poll.
        """
        had = bool(self.of[reader])
        self._polls += 1
        if not unreadable and not self._torn[reader] and self._clear[reader] >= MISSES:
            if not had and not uids:
                return False  # empty as before
            if len(uids) == 1 and self._as_before(self.of[reader], uids[0]):
                return False
        was_torn, was_clear = self._torn[reader] >= MISSES, self._clear[reader] >= MISSES
        self._torn[reader] = self._torn[reader] + 1 if unreadable else 0
        if self._torn[reader] >= MISSES:
            self._clear[reader] = 0
        elif not unreadable and not was_clear:
            self._clear[reader] += 1
        changed = was_torn != (self._torn[reader] >= MISSES) or was_clear != (self._clear[reader] >= MISSES)
        if self._process(reader, uids, unreadable) or changed:
            self.publish()
        return had and not self.of[reader]

    def _as_before(self, detections, uid: bytes) -> bool:
        """Return whether it is the one tag that has been there."""
        detection = detections.get(uid)
        if detection is None or len(detections) > 1 or not detection.stable or detection.misses:
            return False
        detection.hits += 1
        return True

    def _process(self, reader: int, uids, unreadable: bool) -> bool:
        """Process the UIDs; return True when a detection has begun, become stable or ended."""
        detections, changed = self.of[reader], False
        for uid in uids:
            detection = detections.get(uid)
            if detection is None:
                detection = detections[uid] = Detection(self._polls)
                changed = True
            self.missed[reader] += detection.misses
            changed = detection.hit() or changed
        if detections and not unreadable:  # tags hidden by noise are not gone
            for uid in list(detections):
                if uid not in uids and detections[uid].miss():
                    del detections[uid]
                    changed = True
        return changed

    def forget(self, reader: int) -> None:
        """Make a reader's space unknown; another reader may have its tags now."""
        self.of[reader] = {}
        self._clear[reader] = self._torn[reader] = 0
        self.publish()

    def alone(self, reader: int):
        """Return the one UID that has been on a reader for some time, or None."""
        detections = self.of[reader]
        if len(detections) == 1:
            for uid in detections:
                if detections[uid].stable:
                    return uid
        return None

    def contested(self):
        """Return a UID that two readers or more have been reading repeatedly, with them; None if there is
        none.

        Called once per sweep.
        """
        if not (self._several or self.shared or self.owner):
            return None
        seen = {}
        for i in self.readers:
            detections = self.of[i]
            for uid in detections:
                detection = detections[uid]
                if detection.stable and detection.misses == 0:
                    seen.setdefault(uid, []).append(i)
        self.shared = sorted([[hexed(uid), seen[uid]] for uid in seen if len(seen[uid]) > 1])
        for uid in list(self.owner):
            self.owner[uid].sweeps += 1
            if len(seen.get(uid, ())) < 2 or self.owner[uid].reader not in seen[uid]:
                del self.owner[uid]
        for uid in seen:
            if len(seen[uid]) > 1 and self._is_open(uid):
                return uid, seen[uid]
        return None

    def _is_open(self, uid: bytes) -> bool:
        """Return whether the place of a tag is undecided: never decided, long ago, or not for certain."""
        won = self.owner.get(uid)
        return won is None or won.rival is not None or won.sweeps >= AGAIN

    def won(self, uid: bytes, reader: int) -> None:
        """Store that this reader won the contest for a tag."""
        if uid in self.owner:
            self.owner[uid].again(reader)
        else:
            self.owner[uid] = Won(reader)
        self.publish()

    def publish(self) -> None:
        """Make the spaces from the detections: the winner has the tag, otherwise the latest
        stable detection.
        """
        owner, self._several = {}, False
        for i in self.readers:
            detections = self.of[i]
            for uid in detections:
                self._several = self._several or uid in owner
                won = uid in self.owner and self.owner[uid].reader == i
                strength = (won, detections[uid].stable, detections[uid].since, i)
                if uid not in owner or strength > owner[uid]:
                    owner[uid] = strength
        for i in self.readers:
            detections = self.of[i]
            if self._torn[i] >= MISSES:
                self.spaces.set(i, None)
            elif detections or self._clear[i] >= MISSES:  # one miss is no proof of an empty space
                self.spaces.set(i, sorted([hexed(uid) for uid in detections if owner[uid][3] == i]))
            else:
                self.spaces.set(i, None)


def hexed(uid: bytes) -> str:
    """Return a UID in the format of messages: upper-case hex."""
    return binascii.hexlify(uid).decode().upper()
