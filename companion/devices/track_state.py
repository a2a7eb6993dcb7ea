"""A copy of the Pico's state, built from its messages line by line; the wire itself is firmware/link.py.

A message that is right by its checksum may still be wrong: everything in it is validated before any of it
counts, and an invalid message makes the state doubtful, so that a new snapshot is requested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from companion.devices.health import Fault, Kind, Power
from companion.errors import InvalidInput
from companion.firmware import link

Uid = Annotated[str, msgspec.Meta(pattern="^([0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})\\Z")]
Count = Annotated[int, msgspec.Meta(ge=0)]
Space = Annotated[int, msgspec.Meta(ge=0, le=39)]
WireContent = list[Uid] | bool | None
Tags = frozenset[str] | bool | None
"""The content of a space: tags, or whether something is there; None: not known."""


class _Line(msgspec.Struct, tag_field="is", frozen=True):
    n: Count


class Hello(_Line, tag="hi", frozen=True):
    """The Pico's identity, the kind of sensor of each space, and its faults."""

    protocol: int
    firmware: str
    boot: str
    board: str
    cause: str
    spaces: list[Kind]
    faulty: list[tuple[Space, Fault]]
    versions: list[Annotated[int, msgspec.Meta(ge=0, le=255)]]
    steps: list[int | None]
    powers: list[Annotated[int, msgspec.Meta(ge=0, le=63)]]
    warm: int
    gains: list[Annotated[int, msgspec.Meta(ge=0, le=48)]] = []  # a Pico of an older version says none


class Snapshot(_Line, tag="snap", frozen=True):
    """The tags on every space."""

    spaces: list[WireContent]


class ChangeEvent(_Line, tag="ev", frozen=True):
    """A change."""

    changes: list[tuple[Space, WireContent]]


class Heartbeat(_Line, tag="hb", frozen=True):
    """A heartbeat: the checksum of the state reported so far, and some figures."""

    sweep: Count
    state: str
    power: Power
    misses: list[Count]
    celsius: float
    volts: float
    ma: int
    shared: list[tuple[Uid, list[Space]]]


class Tested(_Line, tag="test", frozen=True):
    """The tags that one reader saw in a range test."""

    space: Space
    polls: Count
    hits: list[tuple[Uid, Count]]
    torn: Count
    power: int | None
    fault: Fault | None
    gain: int | None = None


class Rejected(_Line, tag="no", frozen=True):
    """The answer to a request that cannot be carried out."""

    why: str


Message = Hello | Snapshot | ChangeEvent | Heartbeat | Tested | Rejected


class WrongProtocol(InvalidInput):
    """The Pico speaks another version of the wire."""


def understood(line: Mapping[str, Any]) -> Message:
    """Parse a line as a message; raise WrongProtocol, or ValueError for an invalid one.

    >>> understood({"n": 3, "is": "no", "why": "not known"})
    Rejected(n=3, why='not known')
    >>> understood({"n": -3, "is": "no", "why": "not known"})
    Traceback (most recent call last):
    ValueError: Expected `int` >= 0 - at `$.n`
    """
    if line.get("is") == "hi" and line.get("protocol") != link.PROTOCOL:
        raise WrongProtocol(str(line.get("protocol")))
    try:
        message: Message = msgspec.convert(line, Message)
    except msgspec.ValidationError as problem:
        raise ValueError(str(problem)) from None
    return message


class TrackState:
    """The track as reported. `whole`: it is as `wanted`, and nothing is missing since the last snapshot."""

    def __init__(self, wanted: Sequence[Kind]) -> None:
        self.wanted = list(wanted)
        self.spaces: list[Tags] = []
        self.hi: Hello | None = None
        self.hb: Heartbeat | None = None
        self.whole = False
        self._next = 0

    def hear(self, message: Message) -> None:
        """Process one message; raise ValueError for an impossible one, of which nothing counts, and is not
        whole then.
        """
        was_whole = self.whole and message.n == self._next
        self.whole, self._next = False, message.n + 1
        self.whole = self._after(message, was_whole)

    def _after(self, message: Message, whole: bool) -> bool:
        """Process the content of a message; return whether the state is whole then."""
        match message:
            case Hello():
                same = self.hi is not None and message.boot == self.hi.boot
                self._hi(message)
                return whole and same
            case Snapshot():
                self._is([_tags(content) for content in message.spaces])
                return True
            case ChangeEvent() if whole:
                spaces = list(self.spaces)
                for space, content in message.changes:
                    if space >= len(spaces):
                        raise ValueError(f"there is no space {space}")
                    spaces[space] = _tags(content)
                self._is(spaces)
            case Heartbeat():
                self.hb = message
                return whole and message.state == self._state()
        return whole

    def _hi(self, hi: Hello) -> None:
        n = len(hi.spaces)
        if {len(hi.versions), len(hi.steps), len(hi.powers), len(hi.gains)} - {0, n}:
            raise ValueError("another number of readers than of spaces")
        self.hi = hi

    def _is(self, spaces: list[Tags]) -> None:
        """Set the spaces, if they are possible: as wanted, and each tag in one place."""
        if self.hi is None or self.hi.spaces != self.wanted or len(spaces) != len(self.wanted):
            raise ValueError("this is another track than was asked for")
        for kind, content in zip(self.wanted, spaces, strict=True):
            if content is not None and (kind == "none" or isinstance(content, bool) != (kind == "present")):
                raise ValueError("a space is reported in the format of another kind")
        tags = [tag for content in spaces if isinstance(content, frozenset) for tag in content]
        if len(tags) != len(set(tags)):
            raise ValueError("a tag in two places")
        self.spaces = spaces

    def _state(self) -> str:
        return link.state_crc([sorted(s) if isinstance(s, frozenset) else s for s in self.spaces])


def _tags(content: WireContent) -> Tags:
    return frozenset(content) if isinstance(content, list) else content
